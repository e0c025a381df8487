#!/usr/bin/python3
# S14: os.path.exists, os.path.getsize and pathlib before each open; mode "x" when it isn't there.
#: file a.tr managed opens>=90
#: calls a.tr <= 470
import os
import pathlib

from show import record, show, show_file

for i in range(90):
    found = os.path.exists("a.tr") if i % 2 else pathlib.Path("a.tr").is_file()
    size = os.path.getsize("a.tr") if found else -1
    with open("a.tr", "a" if found else "x") as out:
        out.write(f"{found} {size} {record(i)}")
        if i % 30 == 10:
            show("size while open", lambda: os.path.getsize("a.tr"))
            out.flush()
            show("after a flush", lambda: os.path.getsize("a.tr"))
show("exclusive", lambda: open("a.tr", "x"))
show_file("a.tr")
