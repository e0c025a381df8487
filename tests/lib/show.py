"""What a shape program in Python prints: each call with its value or errno, each file with what is in it."""

import errno
import hashlib
import os


def say(text):
    os.write(1, (text + "\n").encode())


def show(label, call):
    """Runs CALL and prints what it returned, or the errno it was refused with; returns the value."""
    try:
        value = call()
    except OSError as error:
        say(f"{label}: refused {errno.errorcode.get(error.errno, error.errno)}")
        return None
    if isinstance(value, os.stat_result):
        say(f"{label}: size {value.st_size} mode {value.st_mode:o} links {value.st_nlink}")
    elif isinstance(value, (bytes, str)) and len(value) > 100:
        data = value.encode() if isinstance(value, str) else value
        say(f"{label}: {len(value)} long, {hashlib.md5(data).hexdigest()}")
    elif isinstance(value, (bytes, str, int, bool, tuple, list)) or value is None:
        say(f"{label}: {value!r}")
    else:
        say(f"{label}: done")
    return value


def show_file(path):
    def contents():
        with open(path, "rb") as file:
            return file.read()
    show(path, contents)


def record(i):
    return "%d.%06d\t%d\t%d\t%d\t%d\t0.00%d\t%d\n" % (
        i // 1000, i, i % 3 + 1, 1000000 + i, i % 7, i % 29, i * 37 % 1000, i * 4096)
