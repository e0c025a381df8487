#!/usr/bin/python3
# S34: the interpreter ends with files open, an atexit function and objects that write as they are collected.
#: file a.tr managed
#: calls a.tr <= 21, not fewer
import atexit
import sys

from show import record

kept = open("a.tr", "a")
for i in range(100):
    kept.write(record(i))


class Last:
    def __init__(self):
        self.file = open("b.tr", "w")

    def __del__(self):
        self.file.write("written as the object went away\n")


last = Last()
atexit.register(lambda: kept.write("from atexit\n"))
sys.exit(4)
