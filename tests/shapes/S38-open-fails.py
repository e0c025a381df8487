#!/usr/bin/python3
# S38: the exceptions of opens that fail.
#: file a.tr managed
#: calls a.tr <= 31, not fewer
import os

from show import show, show_file

with open("a.tr", "w") as out:
    out.write("there\n")
os.mkdir("dir.tr")
for path in ("no/such/a.tr", "a.tr/b.tr", "dir.tr", "", "/proc/self/none.tr", "n" * 300 + ".tr"):
    for mode in ("a", "w", "r+", "xb"):
        show(f"{path[:20]} {mode}", lambda: open(path, mode))
show("exists", lambda: open("a.tr", "x"))
show("names", lambda: sorted(os.listdir(".")))
show_file("a.tr")
