/* This process's report: the facts that report.c writes, and where it goes.
 *
 * The idea: a process that becomes another program leaves a report before; a later image finds it by the time at which the
 * kernel started the process, and adds a number to its own name.
 */
#include "../report.h"
#include "guarding.h"

#define IMAGES_MOST 1000

/* How many images of this process have left a report. */
static unsigned earlier_images(void)
{
    char path[CONFIG_PATH + 32];
    uint64_t ticks = process_start_ticks();
    unsigned n = 0;
    while (n < IMAGES_MOST && config_report_path(&tables.config, (pid_t)sys_getpid(), n, path, sizeof path) == 0 &&
           report_is_of(path, ticks))
        n++;
    return n;
}

void report_path(char *path, size_t size)
{
    static pid_t known_for;
    static unsigned number;
    path[0] = '\0';
    if (!tables.config.report[0])
        return;
    pid_t pid = (pid_t)sys_getpid();
    if (known_for != pid) { /* a later report of the same image replaces its own */
        number = tables.config.report[0] == '-' && !tables.config.report[1] ? 0 : earlier_images();
        known_for = pid;
    }
    if (config_report_path(&tables.config, pid, number, path, size) < 0)
        path[0] = '\0';
}

static const struct shown *next(const struct shown *before, void *arg)
{
    struct record **at = arg;
    struct record *r = before ? (*at)->hh.next : tables.records;
    while (r && !r->shown->managed && r->shown->unmanaged == REASON_NONE)
        r = r->hh.next; /* a forked child has it from its parent and never used it */
    *at = r;
    return r ? r->shown : NULL;
}

static void promises(struct report_facts *facts)
{
    int n = 0;
    if (!tables.config.guard)
        facts->weaker[n++] =
            "TRACESHIM_GUARD=off: what is buffered when a signal kills the process is lost, and the window "
            "is kept at the program's own calls only";
    if (tables.unguarded)
        facts->weaker[n++] = "no guard could be had: files are written through";
    if (tables.journal.header && !tables.journal.path[0])
        facts->weaker[n++] = WEAKER_NO_JOURNAL;
    facts->weaker[n] = NULL;
}

void report_write(void)
{
    char path[CONFIG_PATH + 32], name[32] = "";
    report_path(path, sizeof path);
    if (!path[0])
        return;
    process_name(name, sizeof name - 1);
    struct record *at = NULL;
    struct report_facts facts = {.pid = (uint32_t)sys_getpid(),
                                 .start_ticks = process_start_ticks(),
                                 .program = name,
                                 .started = tables.started,
                                 .started_ms = tables.started_ms,
                                 .state = "on",
                                 .cached = tables.idle,
                                 .evicted = tables.evicted,
                                 .most = tables.most_idle,
                                 .next = next,
                                 .arg = &at};
    promises(&facts);
    report_to(path, &facts);
    if (tables.journal.header)
        atomic_store(&tables.journal.header->ended, 1);
}
