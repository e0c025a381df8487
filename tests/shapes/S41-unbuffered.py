#!/usr/bin/python3
# S41: buffering=0, buffering=1 and print(..., flush=True).
#: file a.tr managed opens=1
#: file b.tr managed opens=1
#: calls a.tr b.tr <= 40
from show import record, show

a, b = open("a.tr", "ab", buffering=0), open("b.tr", "a", buffering=1)
for i in range(300):
    a.write(b"fragment ")
    a.write(record(i).encode())
    b.write(record(i))
    print("printed", i, file=b, flush=True)
show("tell", a.tell)
show("tell", b.tell)
