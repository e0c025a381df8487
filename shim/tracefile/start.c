/* How the shim starts, and what it does when the process ends.
 *
 * The idea: whichever comes first, the constructor or a call of another library's constructor, reads the configuration. A bad
 * one is said in one line, and the program runs natively. At the end everything drains; what other destructors write after
 * ours is written through.
 *
 * Rules: starting takes no lock: a call that comes while another thread is starting goes to libc.
 */
#include <stdlib.h>
#include <unistd.h>

#include "../log.h"
#include "../report.h"
#include "guarding.h"
#include "../real.h"
#include "../text.h"

__thread struct self self __attribute__((tls_model("initial-exec")));

bool self_shared;

static const unsigned char always = 1;
const volatile unsigned char *process_known = &always;
static unsigned char
    *process_mark; /* the same in a page of its own, which a clone wipes; NULL on a kernel that can't */

static void mark_process(void)
{
    const size_t page = 4096; /* at least: the kernel rounds up */
    unsigned char *p = sys_mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (sys_bad(p))
        return;
    if (sys_madvise(p, page, MADV_WIPEONFORK) < 0) {
        sys_munmap(p, page);
        return;
    }
    *p = 1;
    process_known = process_mark = p;
}

extern char **environ;

static char *const *environment(void)
{
    static char *none[] = {NULL};
    return environ ? environ : none;
}

/* Our own file: a relative name is from the directory in which the program starts. */
static void own_path(char *path, size_t size)
{
    char memory[PATH_MAX];
    const char *name = real_own_file();
    struct text t = text_in(path, size);
    if (name[0] != '/' && sys_getcwd(memory, sizeof memory) > 0) {
        text_add(&t, memory);
        text_byte(&t, '/');
    }
    text_add(&t, name);
}

void tf_start(void)
{
    int unstarted = PHASE_UNSTARTED;
    if (!environ)
        return; /* a sanitizer in the program calls before libc has begun: too early to know anything */
    if (!atomic_compare_exchange_strong(&tables.phase, &unstarted, PHASE_STARTING))
        return;
    char err[CONFIG_ERROR];
    tables.started_ms = sys_now_ms();
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    tables.started = now.tv_sec;
    atomic_store(&tables.due_ms, INT64_MAX);
    if (config_read(&tables.config, environment(), err, sizeof err) < 0) {
        log_stderr(err);
        atomic_store(&tables.phase, PHASE_OFF);
        return;
    }
    log_open(tables.config.log);
    lock_orphaned = guard_owned;
    mark_process();
    if (!tables.config.guard)
        guard_not_wanted();
    own_path(tables.library, sizeof tables.library);
    atomic_store(&tables.phase, tables.config.disabled ? PHASE_OFF : PHASE_ON);
    tf_limits_changed();
}

/* fork(2) copies the tables in whatever state they are: in none but a whole one. Except in a handler that interrupted the shim
 * itself and couldn't be put off, which may not wait: its child leaves the tables alone. */
void tf_fork_prepare(void)
{
    if (!shim_on() || self.frame)
        return;
    tf_before_child(CAUSE_child);
    self_tid();
    self.frame = OUTERMOST_FRAME; /* this function returns, but the thread stays inside */
    atomic_signal_fence(memory_order_seq_cst);
    take_tables();
}

void tf_fork_parent(void)
{
    if (!shim_on())
        return;
    tf_child_started();
    if (self.frame != OUTERMOST_FRAME)
        return;
    drop_tables();
    leave();
}

void tf_fork_child(void)
{
    int phase = atomic_load(&tables.phase);
    if (phase != PHASE_ON && phase != PHASE_ENDED)
        return;
    if (self.frame != OUTERMOST_FRAME) {
        atomic_store(&tables.phase, PHASE_OFF);
        return;
    }
    if (process_mark)
        *process_mark = 1;
    tables.lock = (struct lock){0};
    self.tables = NULL;
    self.file = NULL;
    tables_in_child();
    leave(); /* signals that were put off are the parent's; the mask is not */
}

static void end(void);

__attribute__((constructor)) static void begin(void)
{
    tf_start();
    if (!shim_on())
        return;
    at_quick_exit(end);
}

/* What could not be written is named: nothing is lost silently. The guard tries once more, and then leaves it in the journal. */
static void name_what_is_left(void)
{
    if (!tf_anything_pending() || !enter())
        return;
    take_tables();
    for (struct file *f = tables.files; f; f = f->hh.next) {
        uint64_t bytes = file_pending_bytes(f);
        if (bytes)
            log_left(f->record->shown->path, bytes, f->record->shown->err,
                     tables.journal.unnamed ? "" : tables.journal.path);
    }
    drop_tables();
    leave();
}

void tf_before_end(enum cause cause)
{
    int phase = atomic_load(&tables.phase);
    if (phase != PHASE_ON || apart())
        return;
    tf_barrier_all(cause);
    name_what_is_left();
    if (tables.left_to_guard) {
        atomic_store(&tables.journal.header->silent, 1); /* who knows which calls the filter allows */
        return;
    }
    let_go(cause);
    report_write();
    if (!tf_anything_pending())
        journal_unlink(&tables.journal);
}

__attribute__((destructor)) static void end(void)
{
    tf_before_end(CAUSE_exit);
    int on = PHASE_ON;
    atomic_compare_exchange_strong(&tables.phase, &on, PHASE_ENDED);
}
