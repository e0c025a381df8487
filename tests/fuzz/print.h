/* A sequence of operations as a C program that shows the same.
 *
 * The idea: the table's own text, with the capitals replaced by what the seed chose; each block is a function.
 */
#ifndef PRINT_H
#define PRINT_H

#include "generate.h"

#include <ctype.h>

/* The headers as text. */
#define HEADERS(H)   H(machine) H(streams) H(calls) H(closed) H(ways) H(contexts)
#define HEADER(name) #name "_text: .incbin \"tests/fuzz/" #name ".h\"\n.byte 0\n"
__asm__(".section .rodata\n" HEADERS(HEADER) ".text\n");
#undef HEADER
#define HEADER(name) extern const char name##_text[];
HEADERS(HEADER)
#undef HEADER

/* Without what it includes of the others. */
static void print_header(const char *text)
{
    for (size_t n; *text; text += n) {
        n = strcspn(text, "\n") + 1;
        if (strncmp(text, "#include \"", 10) != 0)
            printf("%.*s", (int)n, text);
    }
}

static void print_flags(unsigned flags)
{
    static const struct {
        unsigned bits;
        const char *name;
    } names[] = {{O_APPEND, "O_APPEND"},     {O_CREAT, "O_CREAT"},         {O_TRUNC, "O_TRUNC"},
                 {O_EXCL, "O_EXCL"},         {O_CLOEXEC, "O_CLOEXEC"},     {O_NONBLOCK, "O_NONBLOCK"},
                 {O_NOFOLLOW, "O_NOFOLLOW"}, {O_DIRECTORY, "O_DIRECTORY"}, {O_SYNC, "O_SYNC"},
                 {O_DSYNC, "O_DSYNC"},       {O_NOATIME, "O_NOATIME"}};
    static const char *const access_modes[] = {"O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE"};
    printf("(%s", access_modes[flags & O_ACCMODE]);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if ((flags & names[i].bits) == names[i].bits) {
            printf(" | %s", names[i].name);
            flags &= ~names[i].bits;
        }
    printf(")");
}

static void print_path(unsigned i)
{
    if (paths[i][0] == '@')
        printf("at_top(\"%s\")", paths[i] + 1);
    else
        printf("\"%s\"", paths[i]);
}

static void print_capital(char c, const struct operation *o, unsigned block)
{
    static const char *const whences[] = {"SEEK_SET", "SEEK_CUR", "SEEK_END"};
    switch (c) {
    case 'D': printf("%d", o->d); break;
    case 'E': printf("%d", o->e); break;
    case 'S': printf("%d", o->s); break;
    case 'A': printf("%d", o->a); break;
    case 'P': print_path(o->p); break;
    case 'Q': print_path(o->q); break;
    case 'T': printf("\"%s\"", modes[o->t]); break;
    case 'W': printf("%s", o->w < 3 ? whences[o->w] : "99"); break;
    case 'X': printf("%d", o->x); break;
    case 'F': print_flags(o->flags); break;
    case 'M': printf("%#o", o->mode); break;
    case 'N': printf("%u", o->n); break;
    case 'O': printf("%d", o->o); break;
    case 'B': printf("%u", block); break;
    default: putchar(c);
    }
}

static bool part_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '\'' || c == '"';
}

static void print_text(const struct operation *o, unsigned block)
{
    const char *text = table[o->code].text;
    bool quoted = false;
    for (size_t i = 0; text[i]; i++) {
        if (text[i] == '"')
            quoted = !quoted;
        bool alone = !(i > 0 && part_of_word(text[i - 1])) && !part_of_word(text[i + 1]);
        if (isupper((unsigned char)text[i]) && alone && !quoted)
            print_capital(text[i], o, block);
        else
            putchar(text[i]);
    }
}

/* ---- a whole program ---- */

static bool kept(const unsigned char *only, unsigned i)
{
    return !only || only[i];
}

/* The statements from one operation to another; blocks are called by the number of the operation that starts them. */
static void print_statements(const struct seed *s, const unsigned char *only, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        const struct operation *o = &s->operations[i];
        const struct entry *t = &table[o->code];
        if (!kept(only, i))
            continue;
        printf("    now = %u;\n    ", i);
        if (t->kind == KIND_BL || t->kind == KIND_CO) {
            print_text(o, i);
        } else {
            if (t->kind == KIND_ST || t->kind == KIND_WI)
                printf("SHOW_STREAM(%d, %s, ", o->s, t->kind == KIND_ST ? "false" : "true");
            else
                printf("SHOW(");
            print_text(o, i);
            printf(")");
        }
        printf(";\n");
        if (t->kind == KIND_BL)
            i = o->end - 1;
    }
}

static unsigned part_begins(const struct operation *o, unsigned at, unsigned part)
{
    return at + 1 + (o->end - at - 1) * part / table[o->code].parts;
}

static void print_program(const struct seed *s, const unsigned char *only)
{
    printf("/* Made by the fuzzer from seed %llu. Run it in an empty directory%s, natively and "
           "under the shim. */\n",
           (unsigned long long)s->number, s->nobody ? " as nobody" : "");
    printf("#define _GNU_SOURCE\n");
#define HEADER(name) print_header(name##_text);
    HEADERS(HEADER)
#undef HEADER
    printf("\n/* ---- the sequence ---- */\n\nstatic int now;\n#define SHOW(...) (errno = EXDEV, "
           "show((long)(__VA_ARGS__), errno))\n\n"
           "static void show(long value, int error)\n{\n    char line[200];\n"
           "    int n = snprintf(line, sizeof line, \"%%*s%%d: %%ld errno %%d extra %%llx "
           "%%llx\\n\", (int)depth * 4, \"\", now, value, error,\n"
           "                     (unsigned long long)extra[0], (unsigned long long)extra[1]);\n"
           "    extra[0] = extra[1] = 0;\n"
           "    if (write(999, line, (size_t)n) != n)\n        _exit(98);\n}\n\n");
    for (unsigned i = 0; i < s->count; i++) {
        const struct operation *o = &s->operations[i];
        if (table[o->code].kind != KIND_BL || !kept(only, i))
            continue;
        for (unsigned part = 0; part < table[o->code].parts; part++) {
            printf("static void block%u_%u(void)\n{\n", i, part);
            print_statements(s, only, part_begins(o, i, part), part_begins(o, i, part + 1));
            printf("}\n\n");
        }
    }
    printf("static void run_block(int block, int part)\n{\n    switch (block * 4 + part) {\n");
    for (unsigned i = 0; i < s->count; i++)
        for (unsigned part = 0;
             table[s->operations[i].code].kind == KIND_BL && kept(only, i) && part < table[s->operations[i].code].parts;
             part++)
            printf("    case %u: block%u_%u(); break;\n", i * 4 + part, i, part);
    printf("    }\n}\n\nint main(int argc, char **argv)\n{\n    started_again(argc, argv);\n"
           "    if (argc == 1)\n        dup2(1, 999);\n"
           "    seen = mmap(NULL, SEEN * sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | "
           "MAP_ANONYMOUS, -1, 0);\n"
           "    if (argc == 1)\n        prologue(%u);\n    slots();\n"
           "    if (readlink(\"/proc/self/exe\", program, sizeof program - 1) < 0)\n        return "
           "1;\n"
           "    int block = go_on(argc, argv);\n    if (block >= 0) {\n        run_block(block, "
           "0);\n        end(block);\n    }\n"
           "    standard();\n\n",
           s->start);
    print_statements(s, only, 0, s->count);
    printf("    end(%u);\n}\n", s->ending);
}

#endif
