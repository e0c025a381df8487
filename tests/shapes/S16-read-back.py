#!/usr/bin/python3
# S16: reads in the same process while the writer is open; mmap; shutil.copy.
#: file a.tr managed|write-through reason=MAPPED|UNSEEN|NONE
#: calls a.tr <= 300, not fewer
import mmap
import shutil

from show import record, show, show_file

out = open("a.tr", "ab", buffering=0)
reader = open("a.tr", "rb")
for i in range(50):
    out.write(record(i).encode())
    if i % 10 == 9:
        show("kept", reader.read)
        show_file("a.tr")
        with open("a.tr", "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            show("mapped", lambda: mapped[:])
        shutil.copy("a.tr", f"copy{i}")
        shutil.copyfileobj(open("a.tr", "rb"), open(f"second{i}", "wb"))
show_file("copy49")
