/* A lock that was taken before the file was known as a trace goes with the close of any descriptor, as it does natively. */
//: file a.tr
#include "show.h"

int main(void)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET}, found = lock;
    int early = OPENED(open("plain", O_RDWR | O_CREAT, 0644));
    SHOW(rename("plain", "a.tr"));
    SHOW(fcntl(early, F_SETLK, &lock));
    for (int i = 0; i < 3; i++) {
        int out = open("a.tr", O_WRONLY | O_APPEND);
        append(out, record(i));
        close(out);
    }
    SHOW(fcntl(early, F_OFD_GETLK, &found));
    SHOW(found.l_type == F_UNLCK);
    show_file("a.tr");
}
