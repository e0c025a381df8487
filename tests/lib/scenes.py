"""Slow, broken and real file systems, and a program on them that does what it is told: what tests/slowfs is made of."""

import contextlib
import fcntl
import json
import mmap
import os
import shutil
import struct
import subprocess
import tempfile
import time

import guards
import run

PROGRAM = os.path.join(run.BUILD, "tests", "guard", "program")
SLOWFS = os.path.join(run.BUILD, "tests", "slowfs", "slowfs")
ERRORS = {"EIO": 5, "EDQUOT": 122, "EFBIG": 27, "EROFS": 30, "ENOSPC": 28}
SAID = {"EIO": "input/output error", "EDQUOT": "disk quota exceeded", "EFBIG": "file too large", "EROFS": "read-only file system",
        "ENOSPC": "no space left on device", "ENOTCONN": "transport endpoint is not connected"}
MINE = f"traceshim-slow-{os.getpid()}-"


class Skip(Exception):
    pass


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def equal(found, expected, what=""):
    check(found == expected, f"{what}: {str(found)[:300]}, expected {str(expected)[:300]}")


def build():
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "fuse3"], capture_output=True, text=True, check=False)
    if flags.returncode != 0:
        raise Skip("libfuse3-dev is not installed")
    os.makedirs(os.path.dirname(SLOWFS), exist_ok=True)
    subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", os.path.join(run.TESTS, "slowfs", "slowfs.c"),
                    "-o", SLOWFS, *flags.stdout.split()], check=True)


class SlowFs:
    """A mount of slowfs; its control page by name."""

    NAMES = ["delay_us", "error", "room", "calls", "writes"]

    def __init__(self, scratch):
        if os.geteuid() != 0 or not os.path.exists("/dev/fuse"):
            raise Skip("needs root and /dev/fuse")
        if not os.path.exists(SLOWFS):
            build()
        self.below, self.at = os.path.join(scratch, "below"), os.path.join(scratch, "mnt")
        os.mkdir(self.below)
        os.mkdir(self.at)
        with open(self.below + ".control", "wb") as file:
            file.write(struct.pack("5q", 0, 0, -1, 0, 0))
            file.truncate(4096)
        with open(self.below + ".control", "r+b") as file:
            self.page = mmap.mmap(file.fileno(), 4096)
        self.daemon = subprocess.Popen([SLOWFS, self.below, self.at, "-f", "-s"], stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + guards.PATIENCE
        while not os.path.ismount(self.at):
            check(self.daemon.poll() is None and time.monotonic() < deadline, "slowfs can't be mounted")
            time.sleep(0.001)

    def __getitem__(self, name):
        return struct.unpack_from("q", self.page, 8 * self.NAMES.index(name))[0]

    def __setitem__(self, name, value):
        struct.pack_into("q", self.page, 8 * self.NAMES.index(name), value)

    def break_down(self):
        self.daemon.kill()
        self.daemon.wait()

    def close(self):
        subprocess.run(["umount", "-l", self.at], check=True)
        self.daemon.wait(guards.PATIENCE)


class LeftOut(Exception):
    pass


class Disk:
    """A file system of the kernel's own on an image, by a loop device: it can be mounted again, and is then the same."""

    def __init__(self, scratch, kind="ext4", size=16 << 20, options=()):
        if os.geteuid() != 0 or not shutil.which("mkfs." + kind):
            raise Skip(f"needs root and mkfs.{kind}")
        self.at, image = os.path.join(scratch, "disk"), os.path.join(scratch, "image")
        os.mkdir(self.at)
        with open(image, "wb") as file:
            file.truncate(size)
        subprocess.run(["mkfs." + kind, "-q", "-F", *options, image], check=True)
        found = subprocess.run(["losetup", "--find", "--show", image], check=False, capture_output=True, text=True)
        if found.returncode != 0:
            raise LeftOut(f"no loop device can be had: {found.stderr.strip()}")
        self.device = found.stdout.strip()
        self.mounted = False
        self.mount()

    def mount(self, *options):
        subprocess.run(["mount", *options, self.device, self.at], check=True)
        self.mounted = True

    def unmount(self, *options):
        subprocess.run(["umount", *options, self.at], check=True)
        self.mounted = False

    def fill(self):
        """Until no byte is left; the file's name."""
        filler = os.path.join(self.at, "filler")
        for size in (65536, 512, 1):
            with open(filler, "ab", buffering=0) as file, contextlib.suppress(OSError):
                while file.write(b"x" * size):
                    pass
        return filler

    def read_only(self):
        """As after an error that the file system has found, also while files are open for writing."""
        subprocess.run(["mount", "-o", "remount,abort", self.at], check=True)

    def shut_down(self):
        """EIO from now on, as when the device is gone."""
        fd = os.open(self.at, os.O_RDONLY)
        fcntl.ioctl(fd, 0x8004587D, struct.pack("I", 0))  # EXT4_IOC_SHUTDOWN
        os.close(fd)

    def close(self):
        if self.mounted:
            self.unmount("-l")
        subprocess.run(["losetup", "--detach", self.device], check=True)


class Session:
    """The program, told what to do; it remembers what was accepted. The file is t.tr in WHERE."""

    def __init__(self, where, journal, before=None, **settings):
        self.where, self.journal = where, journal
        variables = run.shim_environment(journal, {"TRACESHIM_DIR": journal, "TRACESHIM_WINDOW_MS": "20", **settings})
        self.process = subprocess.Popen([PROGRAM, "session"], cwd=where, env=run.environment(variables), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=before)
        self.accepted = b""
        self.guards = guards.Guards(journal)
        self.deadline = time.monotonic() + guards.PATIENCE
        self.which = 0

    def say(self, text):
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().decode().strip()

    def open(self):
        check(self.say("open t.tr").isdigit(), "open failed")

    def write(self, n):
        """Its answer. What was accepted is remembered, also of a part."""
        answer = self.say(f"write {n}")
        if answer.isdigit():
            self.accepted += bytes([97 + self.which % 26]) * int(answer)
            self.which += int(answer) > 0
        return answer

    def write_until_error(self, n):
        while (answer := self.write(n)).isdigit():
            check(time.monotonic() < self.deadline, "no error comes")
        return answer

    def write_until_accepted(self, n):
        while not (answer := self.write(n)).isdigit():
            check(time.monotonic() < self.deadline, f"still {answer}")

    def end(self, how="exit"):
        """(status, stderr), when the guard has ended, too."""
        _, err = self.process.communicate(how.encode() + b"\n" if how else None, timeout=guards.PATIENCE)
        check(self.guards.wait_for_end(self.deadline), "its guard doesn't end")
        for pid in guards.of(self.journal):
            check(guards.ended(pid, self.deadline), "a guard stays")
        return self.process.returncode, err.decode()

    def file(self):
        return os.path.join(self.where, "t.tr")

    def content(self):
        with open(self.file(), "rb") as file:
            return file.read()

    def counters(self):
        for name in os.listdir(self.journal):
            if name.startswith("report-"):
                with open(os.path.join(self.journal, name), encoding="utf-8") as file:
                    for entry in json.load(file)["files"]:
                        if entry["path"].endswith("t.tr"):
                            return entry
        raise AssertionError("no report names the file")

    def nothing_left(self):
        equal(self.guards.journals(), [], "left")


class Scene:
    """A scratch directory and what is in it, until the end of a test."""

    def __init__(self):
        self.scratch = tempfile.mkdtemp(prefix=MINE)
        self.journal = os.path.join(self.scratch, "j")
        os.mkdir(self.journal)
        self.stack = contextlib.ExitStack()
        self.sessions = []

    def slow(self):
        fs = SlowFs(self.scratch)
        self.stack.callback(fs.close)
        return fs

    def disk(self, *arguments, **more):
        disk = Disk(self.scratch, *arguments, **more)
        self.stack.callback(disk.close)
        return disk

    def small_tmpfs(self):
        if os.geteuid() != 0:
            raise Skip("needs root")
        at = os.path.join(self.scratch, "small")
        os.mkdir(at)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", at], check=True)
        self.stack.callback(subprocess.run, ["umount", "-l", at], check=True)
        return at

    def session(self, where, **settings):
        session = Session(where, self.journal, **settings)
        self.sessions.append(session)
        return session

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for session in self.sessions:
            if session.process.poll() is None:
                session.process.kill()
                session.process.communicate()
        self.stack.close()
        shutil.rmtree(self.scratch, ignore_errors=True)
