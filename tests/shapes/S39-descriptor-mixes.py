#!/usr/bin/python3
# S39: os.fdopen, fileno() with the os module, os.dup, os.sendfile, fcntl.flock.
#: file a.tr
#: calls a.tr <= 180, not fewer
import fcntl
import os

from show import record, show, show_file

file = os.fdopen(os.open("a.tr", os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644), "a+")
for i in range(20):
    file.write(record(i))
    if i % 4 == 1:
        os.write(file.fileno(), b"by os.write before the flush\n")
        file.flush()
        show("stat", lambda: os.fstat(file.fileno()))
        os.fsync(file.fileno())
    if i % 4 == 2:
        file.flush()
        with os.fdopen(os.dup(file.fileno()), "ab", buffering=0) as second:
            second.write(b"by a duplicate\n")
            show("tell", second.tell)
    if i % 4 == 3:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write("locked\n")
        file.flush()
        fcntl.flock(file, fcntl.LOCK_UN)
        show("pread", lambda: os.pread(file.fileno(), 20, os.fstat(file.fileno()).st_size - 20))
file.flush()
with open("copy", "wb") as copy:
    show("sendfile", lambda: os.sendfile(copy.fileno(), file.fileno(), 0, 100000))
file.truncate(100)
file.write("after the cut\n")
file.close()
show("closed", lambda: os.fstat(99))
show_file("a.tr")
show_file("copy")
