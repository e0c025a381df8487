"""The guards of processes under test, as their journals tell. Each test has a TRACESHIM_DIR of its own."""

import os
import select
import struct
import subprocess
import time

import run

PATIENCE = 30  # seconds: a hang is a failure
GUARD = os.path.join(run.BUILD, "traceshim-guard")
GUARD_AT = 76  # of guard_thread in struct journal_header; behind it is ready


def seconds_left(deadline):
    return max(0.0, deadline - time.monotonic())


def is_guard(pid):
    try:
        with open(f"/proc/{pid}/comm", encoding="ascii") as file:
            return file.read().strip() == "traceshim-guard"
    except (FileNotFoundError, ProcessLookupError):
        return False


def ended(pid, deadline):
    """Waits for the end of a process that need not be a child. False: it doesn't end."""
    try:
        fd = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        poll = select.poll()
        poll.register(fd, select.POLLIN)
        return bool(poll.poll(seconds_left(deadline) * 1000))
    finally:
        os.close(fd)


def of(directory):
    """The guards that hold something below a directory of that name."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if is_guard(pid) and any(directory in os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")):
                found.append(int(pid))
        except OSError:
            continue
    return found


def children(parent):
    with open(f"/proc/{parent}/task/{parent}/children", encoding="ascii") as file:
        return [int(pid) for pid in file.read().split()]


def recover(directory, *options):
    return subprocess.run([GUARD, "--recover", *options], env=run.environment({"TRACESHIM_DIR": directory}), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=False, timeout=PATIENCE)


class Guards:
    """Those of the processes that keep their journals in DIRECTORY."""

    def __init__(self, directory, user=None):
        self.directory = os.path.join(directory, f"traceshim-{os.geteuid() if user is None else user}")

    def journals(self):
        try:
            return [os.path.join(self.directory, name) for name in os.listdir(self.directory)]
        except FileNotFoundError:
            return []

    def current(self):
        """The process id of a guard, 0 when there is none yet (or no journal any more)."""
        for path in self.journals():
            try:
                with open(path, "rb") as file:
                    head = file.read(GUARD_AT + 4)
            except FileNotFoundError:
                continue
            if len(head) == GUARD_AT + 4:
                return struct.unpack_from("I", head, GUARD_AT)[0]
        return 0

    def ready(self):
        """Whether the current one is at work: from then on its program notices its death at once."""
        for path in self.journals():
            try:
                with open(path, "rb") as file:
                    head = file.read(GUARD_AT + 8)
            except FileNotFoundError:
                continue
            if len(head) == GUARD_AT + 8:
                return struct.unpack_from("I", head, GUARD_AT + 4)[0] != 0
        return False

    def draining(self):
        """Whether the guard is in the middle of a drain: header.drains is odd."""
        with open(self.journals()[0], "rb") as file:
            file.seek(GUARD_AT + 20)
            return struct.unpack("I", file.read(4))[0] % 2 == 1

    def wait_for_end(self, deadline):
        """Waits until the guards have ended, when their processes are dead. False: one doesn't."""
        while True:
            pid = self.current()
            if pid == 0 or not is_guard(pid):
                return True
            if not ended(pid, deadline):
                return False
            if self.current() == pid:
                return True
