#!/usr/bin/python3
# S25: "w" over an appender with pending bytes; truncate() by name and by descriptor.
#: file a.tr managed
#: calls a.tr <= 270, not fewer
import os

from show import record, show, show_file

appender = open("a.tr", "ab", buffering=0)
for i in range(30):
    appender.write(record(i).encode())
    if i % 6 == 5:
        with open("a.tr", "w") as out:
            show("empty", lambda: os.stat("a.tr"))
            out.write("truncated\n")
        show_file("a.tr")
    if i % 6 == 2:
        os.truncate("a.tr", 30)
        show("cut", lambda: os.fstat(appender.fileno()))
        appender.write(b"after the cut\n")
        show("truncate", lambda: appender.truncate(50))
        show_file("a.tr")
show_file("a.tr")
