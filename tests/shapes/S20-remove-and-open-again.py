#!/usr/bin/python3
# S20: os.remove, pathlib's unlink and shutil.rmtree, then the same name again.
#: file d/a.tr managed
#: calls a.tr d/a.tr <= 1130
import os
import pathlib
import shutil

from show import record, show, show_file

for i in range(20):
    os.mkdir("d")
    for k in range(10):
        with open("d/a.tr", "a") as out:
            out.write(record(i * 10 + k))
    if i % 4 == 1:
        os.remove("d/a.tr")
    elif i % 4 == 2:
        pathlib.Path("d/a.tr").unlink()
    elif i % 4 == 3:
        shutil.rmtree("d")
        os.mkdir("d")
    with open("d/a.tr", "a") as out:
        out.write(f"after {i}\n")
    show_file("d/a.tr")
    show("directory", lambda: sorted(os.listdir("d")))
    os.rename("d", f"d{i}")
