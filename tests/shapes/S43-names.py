#!/usr/bin/python3
# S43: odd names, by bytes and by surrogates, in directories of odd names.
#: env TRACESHIM_PATTERNS=/**
#: file plain/a managed
#: calls a.tr plain/a <= 21
import os

from show import record, show

for directory in (b"plain", b"with space", b"co:lon", b"\xff\xfe", b"new\nline", b"d.tr"):
    os.mkdir(directory)
    for name in (b"a", b"a b", b"a:b.tr", b"\x80\x81.tr", b"x" * 255):
        path = os.path.join(directory, name)
        for i in range(3):
            with open(path, "a") as out:
                out.write(record(i))
        show("size", lambda: os.stat(path))
        with open(os.fsdecode(path), "ab") as out:
            out.write(b"by another spelling\n")
        show("size", lambda: os.path.getsize(path))
