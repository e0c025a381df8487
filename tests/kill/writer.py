"""writer.py PAGE: as writer, one file, open(..., "a") per record; PAGE is laid out as in record.h."""

import mmap
import sys


def record(i):
    length = 16 + i * 7919 % 112
    head = b"A%08d " % i
    return head + bytes([ord("a") + i % 26]) * (length - len(head) - 1) + b"\n"


with open(sys.argv[1], "r+b") as file:
    page = memoryview(mmap.mmap(file.fileno(), 0)).cast("Q")  # stores a number at once, where struct.pack_into clears it first
page[32] = 1
count = 0
while True:
    with open("out0.tr", "ab") as out:
        out.write(record(count))
    count += 1
    page[0] = count
