#!/usr/bin/python3
# S27: subprocess (vfork in CPython), os.fork with os._exit, multiprocessing by fork, while bytes are pending.
#: file a.tr managed|write-through reason=SHARED|UNSEEN|NONE
#: calls a.tr <= 430, not fewer
import multiprocessing
import os
import subprocess
import sys

from show import record, show, show_file

out = open("a.tr", "ab", buffering=0)


def child(i):
    with open("a.tr", "a") as own:
        own.write(f"by a multiprocessing child {i}\n")
    out.write(b"by the inherited one\n")


for i in range(12):
    out.write(record(i).encode())
    if i % 4 == 0:
        show("cat", lambda: subprocess.run(["cat", "a.tr"], capture_output=True, check=True).stdout)
        show("sh", lambda: subprocess.run("echo shell >> a.tr; exit 3", shell=True).returncode)
        show("inherited", lambda: subprocess.run(["sh", "-c", "echo inherited"], stdout=out).returncode)
    elif i % 4 == 1:
        pid = os.fork()
        if pid == 0:
            out.write(b"by the forked child\n")
            os._exit(5)
        show("forked", lambda: os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    elif i % 4 == 2:
        process = multiprocessing.get_context("fork").Process(target=child, args=(i,))
        process.start()
        process.join()
        show("process", lambda: process.exitcode)
    else:
        show("python", lambda: subprocess.run([sys.executable, "-c", "open('a.tr', 'a').write('by python\\n')"]).returncode)
        show("no such", lambda: subprocess.run(["/no/such/program"]))
    out.write(b"after it\n")
    show_file("a.tr")
