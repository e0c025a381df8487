#!/usr/bin/python3
# S22: os.replace over a trace that is open in this process.
#: file a.tr managed
#: calls a.tr <= 430, not fewer
import os

from show import record, show, show_file

kept = open("a.tr", "a", buffering=1)
for i in range(20):
    kept.write(f"old one {record(i)}")
    with open("a.tr.tmp", "w") as out:
        out.write(record(i))
    os.replace("a.tr.tmp", "a.tr")
    show_file("a.tr")
    kept.write("still the old one\n")
    show("kept", lambda: os.fstat(kept.fileno()))
    if i % 5 == 4:
        kept = open("a.tr", "a", buffering=1)
show_file("a.tr")
