"""Run a command natively, under the shim, or under strace, in a directory of its own.

The shim is preloaded bare (no wrapper), with a window longer than any test, so that counts don't depend on time.
"""

import glob
import json
import os
import signal
import subprocess
import sys
import tempfile

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.abspath(os.environ.get("BUILD") or os.path.join(os.path.dirname(TESTS), "build"))
LIBRARY = os.path.join(BUILD, "libtraceshim.so")
SECONDS = 120  # a hang is a failure; nothing here takes a tenth of it
NOBODY = 65534


class Hang(Exception):
    pass


class Outcome:
    """What one run left: its output, its status and, under the shim, a report for each process."""

    def __init__(self, pid, status, stdout, stderr, reports):
        self.pid, self.status, self.stdout, self.stderr, self.reports = pid, status, stdout, stderr, reports


def environment(extra=()):
    """The tests' own environment without anything that could reach the shim or change a program's output."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith(("TRACESHIM_", "LD_", "ASAN_", "UBSAN_"))}
    kept.update(LC_ALL="C.UTF-8", PYTHONDONTWRITEBYTECODE="1", PYTHONPATH=os.path.join(TESTS, "lib"),
                PERL5LIB=os.path.join(TESTS, "lib"))
    kept.update(extra)
    return kept


def shim_environment(scratch, settings, library=LIBRARY):
    """The variables that put the shim into a process, with a report for each process in SCRATCH."""
    variables = {"LD_PRELOAD": library, "TRACESHIM_PATTERNS": "*.tr", "TRACESHIM_WINDOW_MS": "60000",
                 "TRACESHIM_REPORT": os.path.join(scratch, "report-%p.json")}
    variables.update(settings)
    return variables


def read_reports(scratch):
    reports = []
    for path in sorted(glob.glob(os.path.join(scratch, "report-*.json"))):
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
        try:
            reports.append(json.loads(text))
        except ValueError as error:
            raise AssertionError(f"{os.path.basename(path)} is not JSON ({error}): {text[:200]!r}") from None
    return reports


def run(command, where, variables=(), user=None, stdin=None):
    """Runs COMMAND in the directory WHERE with VARIABLES on top of a clean environment; USER is a numeric id or None."""
    with tempfile.TemporaryDirectory(prefix="traceshim-out-") as scratch:
        os.chmod(scratch, 0o777)  # a program that gave up root writes its report too
        variables = {name: value.replace("@SCRATCH@", scratch) for name, value in dict(variables).items()}
        with open(os.path.join(scratch, "out"), "wb+") as out, open(os.path.join(scratch, "err"), "wb+") as err:
            process = subprocess.Popen(
                command, cwd=where, env=environment(variables), stdout=out, stderr=err,
                stdin=stdin or subprocess.DEVNULL, start_new_session=True, umask=0o022, user=user, group=user,
                extra_groups=[] if user is not None else None)
            try:
                status = process.wait(timeout=SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                out.seek(0)
                raise Hang(f"{' '.join(command[:1])}{' with ' + ' '.join(variables) if variables else ' natively'} is still running "
                           f"after {SECONDS} s; it had said {out.read()[-200:]!r}") from None
            out.seek(0)
            err.seek(0)
            return Outcome(process.pid, status, out.read(), err.read(), read_reports(scratch))


def run_shim(command, where, settings=(), user=None, library=LIBRARY):
    return run(command, where, shim_environment("@SCRATCH@", dict(settings), library), user)


def count_calls(command, where, paths, variables=(), user=None):
    """How many system calls on PATHS (relative to WHERE) COMMAND and its children make, by strace."""
    with tempfile.NamedTemporaryFile(prefix="traceshim-calls-") as log:
        if user is not None:
            os.chmod(log.name, 0o666)
        tracer = ["strace", "-f", "-o", log.name]
        for path in paths:
            tracer += ["-P", path, "-P", os.path.join(os.path.realpath(where), path)]
        with tempfile.TemporaryDirectory(prefix="traceshim-out-") as scratch:
            os.chmod(scratch, 0o777)
            for name, value in dict(variables).items():
                tracer += ["-E", f"{name}={value.replace('@SCRATCH@', scratch)}"]
            outcome = run(tracer + list(command), where, user=user)
        lines = log.read().decode(errors="replace").splitlines()
    calls = [line for line in lines if "(" in line and " resumed>" not in line and " +++ " not in line and " --- " not in line
             and "strace:" not in line and "execve(" not in line and "getcwd(" not in line]
    if os.environ.get("SHAPES_CALLS"):
        print(f"# {len(calls)} calls {'under the shim' if variables else 'natively'}", *calls, sep="\n", file=sys.stderr)
    return len(calls), outcome
