"""Rounds of the fuzzer: the same seeds natively and under the shim, what differs, and the shortest sequence that still does."""

import json
import os
import shutil
import subprocess
import tempfile

import run

PROGRAM = os.path.join(run.BUILD, "tests", "fuzz", "fuzz")
MOST = 2000  # operations of the longest sequences

# What the shim is set to. Every seed must give the same under all of them.
SETTINGS = {
    "window 60000": {},
    "window 1": {"TRACESHIM_WINDOW_MS": "1"},
    "buffer 4096": {"TRACESHIM_BUFFER": "4096"},
    "window 0": {"TRACESHIM_WINDOW_MS": "0"},
    "two buffers": {"TRACESHIM_BUFFER": "4096", "TRACESHIM_MEMORY": "8192"},
    "files found by themselves": {"TRACESHIM_PATTERNS": "@auto"},
}


class Outcome:
    """What a pair of runs showed: the seeds that differ, with where, and what was counted."""

    def __init__(self, text, reports):
        lines = [line.split(None, 2) for line in text.splitlines()]
        self.differ = {int(words[1]): words[2] for words in lines if words[0] == "differs"}
        last = text.splitlines()[-1].split()
        self.seeds, self.operations, self.loaded = int(last[1]), int(last[3]), int(last[5])
        files = [entry for report in reports for entry in report["files"]]
        self.buffered = sum(entry["bytes"] for entry in files if entry["managed"] == "managed")
        self.through = sum(entry["written_through"] for entry in files)


class Pair:
    """A place for two runs, in memory where that can be had. PRELOAD False runs natively twice."""

    def __init__(self, settings, preload=True):
        self.settings, self.preload = settings, preload
        place = os.environ.get("FUZZ_DIR") or ("/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        self.top = tempfile.mkdtemp(prefix="traceshim-fuzz-", dir=place)
        os.chmod(self.top, 0o755)
        # Where a user without root's power can run it.
        self.program = shutil.copy(PROGRAM, os.path.join(self.top, "fuzz"))
        self.library = shutil.copy(run.LIBRARY, os.path.join(self.top, "libtraceshim.so"))
        guard = os.path.join(os.path.dirname(run.LIBRARY), "traceshim-guard")
        shutil.copy(guard, os.path.join(self.top, "traceshim-guard"))

    def close(self):
        shutil.rmtree(self.top)

    def _path(self, name):
        return os.path.join(self.top, name)

    def _one(self, name, first, count, most, only, variables):
        directory = self._path(name)
        if os.path.exists(directory):
            subprocess.run(["rm", "-rf", directory], check=True)
        os.mkdir(directory)
        command = [self.program, "work", directory, str(first), str(count), str(most), directory + ".log"]
        with open(self._path(name + ".err"), "wb") as err:
            return subprocess.Popen(command + ([only] if only else []), env=run.environment(variables), stdin=subprocess.DEVNULL,
                                    stdout=err, stderr=err, start_new_session=True)

    def _wait(self, process, name):
        try:
            status = process.wait(timeout=run.SECONDS * 5)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, 9)
                process.wait()
        with open(self._path(name + ".err"), "rb") as err:
            said = err.read().decode(errors="replace")
        if status != 0:
            raise AssertionError(f"{name}: status {status} {said[:300]}")
        return said

    def run(self, first, count, most, only=None):
        """Both runs of COUNT seeds; ONLY is the numbers of the operations to do, None for all."""
        mask = None
        if only is not None:
            mask = self._path("only")
            with open(mask, "wb") as file:
                chosen = set(only)
                file.write(bytes(i in chosen for i in range(max(chosen, default=0) + 1)) + bytes(100000))
        scratch = self._path("reports")
        shutil.rmtree(scratch, ignore_errors=True)
        os.mkdir(scratch)
        os.chmod(scratch, 0o777)
        shim = run.shim_environment(scratch, self.settings, self.library) if self.preload else {}
        runs = [("n", self._one("n", first, count, most, mask, {})), ("s", self._one("s", first, count, most, mask, shim))]
        self.said = [self._wait(process, name) for name, process in runs][1]
        compared = subprocess.run([self.program, "compare", self._path("n"), self._path("n.log"), self._path("s"),
                                   self._path("s.log")], capture_output=True, text=True, check=False)
        if compared.returncode != 0:
            raise AssertionError(compared.stderr)
        return Outcome(compared.stdout, read_reports(scratch))

    def show(self, seed, most, before=3):
        """The first result that differs, and the lines of the trees that do."""
        shown = subprocess.run([self.program, "difference", str(seed), str(most), str(before), self._path("n.log"),
                                self._path("s.log")], capture_output=True, text=True, check=True).stdout
        trees = subprocess.run([self.program, "files", self._path("n"), self._path("s"), str(seed)],
                               capture_output=True, text=True, check=False).stdout
        return shown + trees

    def program_text(self, seed, most, only):
        self.run(seed, 1, most, only)
        return subprocess.run([self.program, "print", str(seed), str(most), self._path("only")],
                              capture_output=True, text=True, check=True).stdout


def read_reports(scratch):
    reports = []
    for entry in os.scandir(scratch):
        if entry.name.endswith(".json"):
            with open(entry.path, encoding="utf-8", errors="surrogateescape") as file:
                text = file.read()
            if text:  # a process that was killed in the middle of its report's creation
                reports.append(json.loads(text))
    return reports


def shrink(pair, seed, most):
    """The operations of a sequence of SEED that still differs and from which none can be left out; None when it doesn't."""
    count = int(subprocess.run([pair.program, "count", str(seed), str(most)], capture_output=True, text=True, check=True).stdout)

    def differs(only):
        return bool(pair.run(seed, 1, most, only).differ)

    only = list(range(count))
    if not differs(only):
        return None
    size = len(only)
    while size >= 1:
        at, removed = 0, False
        while at < len(only):
            fewer = only[:at] + only[at + size:]
            if differs(fewer):
                only, removed = fewer, True
            else:
                at += size
        if size == 1 and not removed:
            break
        size = size // 2 if size > 1 else 1
    return only
