#!/usr/bin/python3
# S17: one file under many spellings, a reader that uses another than the writer.
#: file a.tr managed
#: calls a.tr <= 390
import os

from show import record, show, show_file

here = os.getcwd()
os.mkdir("dir")
with open("a.tr", "w") as out:
    out.write("header\n")
os.symlink("a.tr", "soft.tr")
os.link("a.tr", "dir/hard.tr")
for i in range(0, 100, 5):
    for number, path in enumerate(("a.tr", here + "/a.tr", "dir/../a.tr", "soft.tr", "dir/hard.tr")):
        with open(path, "a") as out:
            out.write(f"{number} {record(i)}")
    if i % 25 == 0:
        show_file("dir/hard.tr")
    os.chdir("dir")
    show("size", lambda: os.path.getsize("../soft.tr"))
    with open("../a.tr", "a") as out:
        out.write("from below\n")
    show("size", lambda: os.stat("hard.tr"))
    os.chdir("..")
show("same", lambda: os.path.samefile("a.tr", "dir/hard.tr"))
show_file("soft.tr")
