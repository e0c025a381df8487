/*
 * traceshim-guard: what the wrapper needs from the shim's own code, as a program.
 *
 * The library and this executable share the code that reads patterns and the
 * environment, so that the wrapper refuses exactly what the library would refuse.
 * Users start `traceshim`; this is its other half.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../config.h"
#include "../pattern.h"
#include "recover.h"
#include "run.h"
#include "serve.h"

static int usage(FILE *to)
{
    fputs("Usage: traceshim-guard --run LIBRARY -- COMMAND [ARG]...\n"
          "       traceshim-guard --recover [--dry-run | --list | --discard]\n"
          "       traceshim-guard --check-config | --presets | --version | --help\n"
          "\n"
          "The helper of traceshim, which starts it.\n"
          "\n"
          "  --run           check the configuration and run COMMAND with LIBRARY preloaded\n"
          "  --recover       write what dead processes left behind into their files\n"
          "    --dry-run     say what that would do\n"
          "    --list        say what is there\n"
          "    --discard     throw it away\n"
          "  --check-config  check the TRACESHIM_* variables: 0, or a line on stderr and 1\n"
          "  --presets       show the presets and their patterns\n"
          "  --version       show the version\n"
          "  --help          show this\n",
          to);
    const char *name, *what;
    fputs("\nVariables:\n\n", to);
    for (size_t i = 0; config_variable(i, &name, &what); i++)
        fprintf(to, "  TRACESHIM_%-10s %s\n", name, what);
    return to == stdout ? 0 : 2;
}

static int check_config(void)
{
    static struct config config;
    char err[CONFIG_ERROR];
    if (config_read(&config, environ, err, sizeof err) == 0)
        return 0;
    fprintf(stderr, "%s\n", err);
    return 1;
}

static int show_presets(void)
{
    const char *name, *about, *list;
    for (size_t i = 0; patterns_preset(i, &name, &about, &list); i++) {
        printf("%s@%s: %s\n", i == 0 ? "" : "\n", name, about);
        while (*list != '\0') {
            size_t len = strcspn(list, ":"); /* gen-presets puts no colon into a pattern */
            printf("    %.*s\n", (int)len, list);
            list += len + (list[len] == ':');
        }
    }
    return 0;
}

static int show_version(void)
{
    puts("traceshim " TRACESHIM_VERSION);
    return 0;
}

static int recover_command(int argc, char **argv)
{
    static struct config config;
    char err[CONFIG_ERROR];
    enum recover_how how = RECOVER_WRITE;
    if (argc > 1)
        return usage(stderr);
    if (argc == 1 && strcmp(argv[0], "--dry-run") == 0)
        how = RECOVER_DRY_RUN;
    else if (argc == 1 && strcmp(argv[0], "--list") == 0)
        how = RECOVER_LIST;
    else if (argc == 1 && strcmp(argv[0], "--discard") == 0)
        how = RECOVER_DISCARD;
    else if (argc == 1)
        return usage(stderr);
    if (config_read(&config, environ, err, sizeof err) < 0) {
        fprintf(stderr, "%s\n", err);
        return 125;
    }
    return recover(config.dir, how, true, stdout);
}

int main(int argc, char **argv)
{
    if (argc >= 5 && strcmp(argv[1], "--run") == 0 && strcmp(argv[3], "--") == 0)
        return check_config() == 0 ? run_command(argv[2], argv + 4) : RUN_FAILED;
    if (argc == 2 && strcmp(argv[1], "--serve") == 0)
        return serve();
    if (argc >= 2 && strcmp(argv[1], "--recover") == 0)
        return recover_command(argc - 2, argv + 2);
    const char *what = argc == 2 ? argv[1] : "";
    int status;
    if (strcmp(what, "--check-config") == 0)
        status = check_config();
    else if (strcmp(what, "--presets") == 0)
        status = show_presets();
    else if (strcmp(what, "--version") == 0)
        status = show_version();
    else if (strcmp(what, "--help") == 0)
        status = usage(stdout);
    else
        status = usage(stderr);
    if (fflush(stdout) != 0) {
        perror("traceshim-guard: standard output");
        return 1;
    }
    return status;
}
