/* A library whose destructor writes to a descriptor that the program gave it. */
#include <string.h>
#include <unistd.h>

int late_descriptor = -1;

__attribute__((destructor)) static void end(void)
{
    const char text[] = "from a destructor\n";
    for (int i = 0; i < 10; i++)
        if (write(late_descriptor, text, strlen(text)) < 0)
            _exit(3);
    execl("/bin/cat", "cat", "a.tr", NULL);
    _exit(4);
}
