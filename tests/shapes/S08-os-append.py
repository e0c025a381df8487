#!/usr/bin/python3
# S08: os.open with O_APPEND, os.write, os.close for every record.
#: file a.tr managed opens=1000 real_opens<=2 drains<=4
#: calls a.tr <= 20
import os

from show import record, show, show_file

for i in range(1000):
    out = os.open("a.tr", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.write(out, record(i).encode())
    os.close(out)
show_file("a.tr")
show("stat", lambda: os.stat("a.tr"))
