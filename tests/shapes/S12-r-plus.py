#!/usr/bin/python3
# S12: Python's "r+b", seek to the end, write, for every record.
#: file a.tr managed opens>=200
#: calls a.tr <= 470
import os

from show import record, show, show_file

show("no file", lambda: open("a.tr", "r+b"))
open("a.tr", "xb").close()
for i in range(200):
    with open("a.tr", "r+b") as file:
        at = file.seek(0, os.SEEK_END)
        file.write(record(i).encode())
        if i % 50 == 0:
            show(f"record {i} from {at} to", file.tell)
show_file("a.tr")
