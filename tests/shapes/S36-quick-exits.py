#!/usr/bin/python3
# S36: os._exit in forked children, os.execv over the interpreter.
#: file a.tr managed
#: calls a.tr <= 170, not fewer
import os
import sys

from show import record, show, show_file

if len(sys.argv) > 1:
    with open("a.tr", "a") as last:
        last.write("by the program after exec\n")
    os._exit(9)
out = open("a.tr", "ab", buffering=0)
for how in range(3):
    pid = os.fork()
    if pid == 0:
        for i in range(20):
            out.write(record(i).encode())
        lost = open("a.tr", "a")
        lost.write("never flushed\n")
        os._exit(how)
    show("child", lambda: os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    show_file("a.tr")
out.write(b"before exec\n")
os.execv(sys.executable, [sys.executable, sys.argv[0], "again"])
