/* An exec wrapper that finds its function when it is first called deadlocked between fork and exec: other threads
 * hold the loader's and malloc's locks at the fork, and the child's very first call of each kind is an exec, a
 * close or a dup2. */
//: file a.tr managed|write-through
//: flags -pthread -ldl
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>

#include "show.h"

enum { THREADS = 3, FORKS = 60 };

static volatile int over;

static void *hold_locks(void *arg)
{
    while (!over) {
        void *library = dlopen("libm.so.6", RTLD_NOW);
        free(malloc((size_t)rand() % 100000));
        FILE *stream = fopen("/dev/null", "w");
        if (stream)
            fclose(stream);
        if (library) {
            dlsym(library, "no_such_name");
            dlclose(library);
        }
    }
    return arg;
}

int main(void)
{
    pthread_t thread[THREADS];
    int failed = 0, status;
    int out = OPENED(open("a.tr", O_WRONLY | O_CREAT | O_APPEND, 0644));
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, hold_locks, NULL);
    for (int i = 0; i < FORKS; i++) {
        append(out, record(i));
        pid_t child = fork();
        if (child == 0) {
            if (i % 3 == 1)
                dup2(out, 1);
            if (i % 3 == 2)
                close(out);
            if (i % 2)
                execl("/bin/true", "true", (char *)NULL);
            else
                execvp("true", (char *[]){(char *)"true", NULL});
            _exit(9);
        }
        if (waitpid(child, &status, 0) != child || status != 0)
            failed++;
    }
    over = 1;
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    say("%d of %d failed", failed, FORKS);
    show_file("a.tr");
}
