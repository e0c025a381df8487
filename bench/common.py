"""What bench/run and bench/counts share: the programs, running them, counting their calls, comparing traces.

A count is taken by strace around the unmodified program with the library preloaded (strace -E), and so covers
the program and whatever the library starts, but not the wrapper. A time is taken through scripts/traceshim,
as a user runs it.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("BUILD", TOP / "build")).resolve()
WRAPPER = TOP / "scripts" / "traceshim"
LIBRARY = BUILD / "libtraceshim.so"
SIMULATOR = BUILD / "bench" / "simulator"
LTE = BUILD / "bench" / "lte"
UNFLUSHED = BUILD / "bench" / "unflushed.so"

# strace stretches the time many times over, which must not make bytes grow old: counts are taken with this window.
COUNTING_WINDOW_MS = 60000


def clean_environment(**more):
    """The environment without any of the shim's variables, plus those given."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("TRACESHIM_") and k != "LD_PRELOAD"}
    kept.update(more)
    return kept


def preload_path(library):
    """The library by a path without blanks and colons, which LD_PRELOAD doesn't take."""
    if not re.search(r"[\s:]", str(library)):
        return str(library)
    link = pathlib.Path(tempfile.gettempdir()) / f"traceshim-bench-{os.getpid()}"
    if not link.is_symlink():
        link.symlink_to(library.parent)
    return str(link / library.name)


def empty(directory):
    """That directory, existing and empty."""
    directory.mkdir(parents=True, exist_ok=True)
    for entry in directory.iterdir():
        entry.unlink()
    return directory


def run(command, directory, **environment):
    """Runs a command in a directory; ends the whole measurement when it fails."""
    result = subprocess.run([str(c) for c in command], cwd=directory, env=clean_environment(**environment),
                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} in {directory}: status {result.returncode}\n{result.stderr}")
    return result.stderr


def traced(command, directory, options, preload=None, **environment):
    """Runs a command under strace -f; returns what strace wrote."""
    with tempfile.NamedTemporaryFile("r", suffix=".strace") as log:
        line = ["strace", "-f", "-o", log.name, *options]
        if preload:
            line += ["-E", f"LD_PRELOAD={preload_path(preload)}"]
        for name, value in environment.items():
            line += ["-E", f"{name}={value}"]
        run([*line, *command], directory)
        return log.read()


def parse_counts(table):
    """The calls of a table of strace -c, by name, with "total"."""
    counts = {}
    for line in table.splitlines():
        fields = line.split()
        if len(fields) >= 5 and fields[3].isdigit():
            counts[fields[-1]] = counts.get(fields[-1], 0) + int(fields[3])
    return counts


def count_calls(command, directory, preload=None, **environment):
    """All calls of one run (strace -f -c), by name."""
    empty(directory)
    return parse_counts(traced(command, directory, ["-c"], preload, **environment))


def only_on(names, directory):
    """strace's options for the calls on these files: by name, and by what a descriptor leads to."""
    paths = [*names, *(str(directory / name) for name in names)]
    return [option for path in paths for option in ("-P", path)]


def read_traces(directory):
    """The bytes of every file in a directory, by name."""
    return {entry.name: entry.read_bytes() for entry in sorted(directory.iterdir())}


def mount(kind, directory):
    """Mounts a file system with bench/mount; returns None, or in one line why it can't be had."""
    result = subprocess.run([TOP / "bench" / "mount", kind, directory], capture_output=True, text=True)
    return None if result.returncode == 0 else result.stderr.strip() or f"{kind}: bench/mount failed"


def unmount(directory):
    subprocess.run([TOP / "bench" / "mount", "off", directory], check=False)


def file_system(directory):
    """The type of the file system a directory is on, as mount(8) names it."""
    out = subprocess.run(["df", "--output=fstype", directory], capture_output=True, text=True, check=True).stdout
    return out.split()[-1]


def have(*commands):
    """Ends with one line when a command is missing."""
    for command in commands:
        if not shutil.which(command):
            sys.exit(f"{command} is missing. Run: scripts/deps bench")
