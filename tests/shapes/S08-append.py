#!/usr/bin/python3
# S08: Python's open(..., "a"), write, close for every record, in text and in binary. It asks fstat and seeks to the end:
# one call each at most, and the second only when a millisecond lies between them, which strace can make of it.
#: file a.tr managed opens=1000 real_opens<=2
#: file b.tr managed opens=300 real_opens<=2
#: calls a.tr b.tr <= 2660
from show import record, show_file

for i in range(1000):
    with open("a.tr", "a") as out:
        out.write(record(i))
        if i % 100 == 0:
            out.flush()
            out.write(f"tell {out.tell()}\n")
for i in range(300):
    with open("b.tr", "ab", buffering=0) as out:
        assert out.write(record(i).encode()) == len(record(i))
show_file("a.tr")
show_file("b.tr")
