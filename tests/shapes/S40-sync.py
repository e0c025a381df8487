#!/usr/bin/python3
# S40: flush and os.fsync after every record; os.sync.
#: file a.tr managed drains>=20
#: calls a.tr <= 160, not fewer
import os

from show import record, show, show_file

with open("a.tr", "a") as out:
    for i in range(20):
        out.write(record(i))
        out.flush()
        show("fsync", lambda: os.fsync(out.fileno()))
    out.write("at last\n")
    out.flush()
    os.sync()
show_file("a.tr")
