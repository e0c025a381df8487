"""A differential test: one program, run natively and under the shim, must not be able to tell, and must cost few calls.

A test is one source file. Lines at its top that begin with the language's comment and a colon say what more must hold:

    //: file a.tr managed opens=1001 real_opens<=3    what the report must say of a file (of the process started first;
    //: child a.tr managed|write-through               of any other process); the state is the weakest that it ever had
    //: calls a.tr <= 20                              system calls on these files in all, by strace -f -P: natively more than that
    //: calls a.tr <= 40, not fewer                   the same where what the program does costs the shim as much or more
    //: env TRACESHIM_WINDOW_MS=0                     the shim's settings
    //: flags -pthread                                more flags for the compiler
    //: library other/late.c                          a shared object that the program is linked with
    //: run as nobody                                 without root's power over permissions (when the suite runs as root)
    //: once                                          not again with 64-bit names and fortify
    //: on bindfs                                     the file system it needs (filesystems.py), for suites that make one

A program that can't do its work on this machine says why and ends with status 77 (cannot_run): a skip.

Every test asserts that the shim was there: a report of the program's own process, with every file named here in it.
"""

import os
import re
import shutil
import subprocess
import tempfile

import run
import tree

COMMENT = re.compile(rb"^\s*(?://|#|!|%):\s*(.*)$")
NUMBER = re.compile(r"([a-z_.]+)(<=|>=|=)(.+)")
HOLDS = {"=": lambda a, b: a == b, "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b}
COMPILERS = {
    ".c": ["gcc", "-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wextra"],
    ".cc": ["g++", "-std=c++17", "-Wall", "-Wextra"],
    ".f90": ["gfortran", "-Wall"],
    ".rs": ["rustc", "-O", "--edition=2021"],
}
INTERPRETERS = {".py": ["/usr/bin/python3"], ".pl": ["/usr/bin/perl"], ".js": ["node"], ".java": ["java", "-XX:-UsePerfData"],
                ".awk": ["gawk", "-f"], ".sh": ["bash"], ".tcl": ["tclsh"], ".R": ["Rscript", "--vanilla"], ".m": ["octave-cli", "-qf"]}
VARIANTS = {"": ["-O1"], "64+fortify": ["-O2", "-D_FILE_OFFSET_BITS=64", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2"]}


CANNOT_RUN = 77


class Missing(Exception):
    pass


class Shape:
    """One source file and what its header demands. TOOL: its compiler or interpreter, when it is not the usual one."""

    def __init__(self, source, variant="", tool=None):
        self.source, self.variant, self.tool = source, variant, tool
        self.extension = os.path.splitext(source)[1]
        self.name = os.path.basename(source) + (f"[{variant}]" if variant else "")
        self.files, self.children, self.settings, self.flags, self.libraries = [], [], {}, [], []
        self.file_system = None
        self.calls, self.user, self.once = None, None, self.extension not in (".c", ".cc")
        with open(source, "rb") as file:
            for line in file:
                match = COMMENT.match(line)
                if match:
                    self._demand(match.group(1).decode().strip())
        if not self.files and not self.children:
            raise ValueError(f"{source} doesn't say what the report must show")

    def _demand(self, text):
        word, _, rest = text.partition(" ")
        if word in ("file", "child"):
            name, *facts = rest.split()
            (self.files if word == "file" else self.children).append((name, facts))
        elif word == "calls":
            names, limit = rest.split(" <= ")
            limit, _, remark = limit.partition(", ")
            if remark not in ("", "not fewer"):
                raise ValueError(f"{self.source}: {text!r} is no demand")
            self.calls = (names.split(), int(limit), remark == "")
        elif word == "env":
            name, value = rest.split("=", 1)
            self.settings[name] = value
        elif word == "flags":
            self.flags += rest.split()
        elif word == "library":
            self.libraries.append(os.path.join(os.path.dirname(self.source), rest))
        elif word == "on":
            self.file_system = rest
        elif text == "run as nobody":
            self.user = run.NOBODY if os.geteuid() == 0 else None
        elif text == "once":
            self.once = True
        else:
            raise ValueError(f"{self.source}: {text!r} is no demand")

    def command(self):
        """What runs the program; compiles it when it is older than its source."""
        if self.extension in INTERPRETERS:
            interpreter = self.tool or INTERPRETERS[self.extension]
            if not shutil.which(interpreter[0]):
                raise Missing(f"{interpreter[0]} is not installed")
            return [*interpreter, self.source]
        return [self._compile()]

    def _compile(self):
        compiler = self.tool or COMPILERS[self.extension]
        if not shutil.which(compiler[0]):
            raise Missing(f"{compiler[0]} is not installed")
        kind = os.path.basename(os.path.dirname(self.source))
        directory = os.path.join(run.BUILD, "tests", kind, self.variant or (self.tool or ["plain"])[0])
        os.makedirs(directory, exist_ok=True)
        program = os.path.join(directory, os.path.basename(self.source) + ".run")
        inputs = [self.source, os.path.join(run.TESTS, "lib", "show.h"), os.path.join(run.TESTS, "lib", "direct.h"), *self.libraries]
        if os.path.exists(program) and all(os.path.getmtime(i) < os.path.getmtime(program) for i in inputs):
            return program
        include = ["-I", os.path.join(run.TESTS, "lib"), "-g", *VARIANTS[self.variant]]
        linked = []
        for library in self.libraries:
            shared = program + "." + os.path.basename(library) + ".so"
            extension = os.path.splitext(library)[1]
            self._compiler(COMPILERS[extension] + include + ["-shared", "-fPIC", library], shared)
            linked.append(shared)
        if self.extension in (".f90", ".rs"):
            include = []
        if self.extension in (".c", ".cc"):  # before glibc 2.34 libc has not everything
            linked += ["-Wl,--as-needed", "-lpthread", "-ldl", "-lrt"]
        self._compiler(compiler + include + [self.source, *linked, *self.flags], program)
        return program

    def _compiler(self, command, made):
        """Makes the file MADE, all at once: another run of the suite may be using it."""
        fresh = f"{made}.{os.getpid()}"
        done = subprocess.run([*command, "-o", fresh], capture_output=True, text=True, check=False)
        if done.returncode != 0 or done.stderr:
            raise AssertionError(f"{' '.join(command)}: {done.stderr.strip()}")
        os.rename(fresh, made)


def _report_problems(shape, outcome):
    """Whether the shim was there, and did with each file what the test says."""
    own = [report for report in outcome.reports if report["pid"] == outcome.pid]
    if not own:
        return [f"the shim was not loaded (no report of process {outcome.pid}, {len(outcome.reports)} of others)"]
    others = [report for report in outcome.reports if report["pid"] != outcome.pid]
    problems = []
    for name, facts in shape.files:
        problems += _best(name, facts, own)
    for name, facts in shape.children:
        problems += [f"child: {problem}" for problem in _best(name, facts, others)]
    return problems


def _best(name, facts, reports):
    """The fewest problems that any of REPORTS (a process that execs makes several) has with the facts about a file."""
    found = [entry for report in reports for entry in report["files"]
             if entry["path"] == name or entry["path"].endswith("/" + name)]
    if facts == ["absent"]:
        return [f"{name} is in the report"] if found else []
    if not found:
        seen = [entry["path"] for report in reports for entry in report["files"]]
        return [f"{name} is not in the report, which has {seen}"]
    return min((_fact_problems(name, facts, entry) for entry in found), key=len)


def _fact_problems(name, facts, entry):
    problems = []
    for fact in facts:
        match = NUMBER.fullmatch(fact)
        if not match:
            if entry["managed"] not in fact.split("|"):
                problems.append(f"{name} is {entry['managed']} ({entry['reason']}), not {fact}")
            continue
        key, relation, wanted = match.groups()
        value = entry
        for part in key.split("."):
            value = value.get(part, 0) if isinstance(value, dict) else value
        if key == "reason":
            if value not in wanted.split("|"):
                problems.append(f"{name}: reason {value}, not {wanted}")
        elif not HOLDS[relation](value, int(wanted)):
            problems.append(f"{name}: {key} is {value}, not {relation} {wanted}")
    return problems


def _fresh(base, letter, user):
    path = os.path.join(base, letter)
    os.mkdir(path, 0o755)
    if user is not None:
        os.chown(path, user, user)
    return path


def _compare(native, shim, n, s, native_tree, shim_tree):
    """The outcomes in the directories N and S, whose names are the one thing that may differ."""
    problems = []
    if native.status != shim.status:
        problems.append(f"status {native.status} became {shim.status}")
    for name in ("stdout", "stderr"):
        before = getattr(native, name).replace(os.fsencode(n), b"@").splitlines()
        after = getattr(shim, name).replace(os.fsencode(s), b"@").splitlines()
        if before != after:
            at = next((i for i, pair in enumerate(zip(before, after)) if pair[0] != pair[1]), min(len(before), len(after)))
            line = [lines[at].decode(errors="replace") if at < len(lines) else "(no line)" for lines in (before, after)]
            problems.append(f"{name} line {at + 1}: {line[0]!r} became {line[1]!r}")
    return problems + tree.differences(native_tree, shim_tree)


def check(shape, top, library=run.LIBRARY, preload=True, counting=True):
    """Everything that is wrong with SHAPE, run in fresh directories under TOP; PRELOAD False runs natively twice.

    COUNTING False leaves out the runs under strace.
    """
    try:
        command = shape.command()
    except AssertionError as error:
        return [str(error)]
    base = tempfile.mkdtemp(prefix="shape-", dir=top)
    os.chmod(base, 0o755)
    try:
        if shape.user is not None:
            library, command = _copies_for_all(base, library, preload), [_copies_for_all(base, *command, True)]
        return _check(shape, command, base, library, preload, counting)
    except (run.Hang, AssertionError) as error:
        return [f"{type(error).__name__}: {error}"]
    finally:
        tree.remove(base)


def _copies_for_all(base, path, needed):
    """PATH where another user can get at it, who may not enter the checkout."""
    copy = os.path.join(base, os.path.basename(path))
    guard = os.path.join(os.path.dirname(path), "traceshim-guard")  # the library looks for it beside itself
    for each in [path, guard] if path.endswith(".so") else [path]:
        if needed:
            shutil.copy(each, base)
            os.chmod(os.path.join(base, os.path.basename(each)), 0o755)
    return copy


def _check(shape, command, base, library, preload, counting):
    n, s = _fresh(base, "n", shape.user), _fresh(base, "s", shape.user)
    native = run.run(command, n, user=shape.user)
    if native.status == CANNOT_RUN:
        raise Missing(native.stdout.decode(errors="replace").strip().splitlines()[-1])
    if preload:
        shim = run.run_shim(command, s, shape.settings, shape.user, library)
    else:
        shim = run.run(command, s, user=shape.user)
    native_tree = tree.snapshot(n)
    problems = _compare(native, shim, n, s, native_tree, tree.snapshot(s)) + _report_problems(shape, shim)
    if shape.calls and counting and not shape.variant:
        paths, limit, fewer = shape.calls
        settings = run.shim_environment("@SCRATCH@", shape.settings, library) if preload else {}
        natively = "more"
        if fewer:
            natively, _ = run.count_calls(command, _fresh(base, "c", shape.user), paths, user=shape.user)
        t = _fresh(base, "t", shape.user)
        calls, _ = run.count_calls(command, t, paths, settings, shape.user)
        shape.counted = (natively, calls)
        if fewer and natively <= limit and natively <= calls:
            problems.append(f"the limit of {limit} calls proves nothing: {natively} natively")
        if not 0 < calls <= limit:
            problems.append(f"{calls} system calls on {' '.join(paths)}, not at most {limit} ({natively} natively)")
        problems += [f"under strace: {problem}" for problem in tree.differences(native_tree, tree.snapshot(t))]
    return problems
