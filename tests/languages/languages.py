"""The languages in which programs write traces, and the two programs of each: programs/reopen.* opens, appends and closes for
every one of its 1,000 records, programs/flush.* keeps the file open and flushes."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "lib"))

import differential  # noqa: E402

RECORDS = 1000
CLANG = ["clang++", "-stdlib=libc++", "-std=c++17", "-Wall", "-Wextra"]

# what the table calls it, the extension of its programs, what runs or compiles them (None: as for every test)
LANGUAGES = [
    ("C", "c", None),
    ("C++, libstdc++", "cc", None),
    ("C++, libc++", "cc", CLANG),
    ("Fortran, gfortran", "f90", None),
    ("Rust", "rs", None),
    ("Java", "java", None),
    ("Python", "py", None),
    ("Perl", "pl", None),
    ("Tcl", "tcl", None),
    ("Node", "js", None),
    ("R", "R", None),
    ("Octave", "m", None),
    ("gawk", "awk", ["gawk", "-f"]),
    ("mawk", "awk", ["mawk", "-f"]),
    ("bash", "sh", ["bash"]),
    ("dash", "sh", ["dash"]),
]


def shape(language, kind):
    """The test of one language: KIND is reopen or flush."""
    name, extension, tool = language
    made = differential.Shape(os.path.join(HERE, "programs", f"{kind}.{extension}"), tool=tool)
    made.name = f"{name}: {kind}"
    return made
