"""What a suite prints: one line per test on stdout, everything else on stderr."""

import sys
import threading


class Results:
    def __init__(self):
        self.failed = 0
        self._lock = threading.Lock()

    def _line(self, text):
        with self._lock:
            print(text.replace("\n", " "), flush=True)

    def ok(self, name):
        self._line(f"ok {name}")

    def fail(self, name, why):
        self.failed += 1
        self._line(f"not ok {name}: {why}")

    def skip(self, name, why):
        self._line(f"skip {name}: {why}")

    def record(self, name, problems):
        """One test from the list of what is wrong with it."""
        if problems:
            self.fail(name, "; ".join(problems))
        else:
            self.ok(name)

    def finish(self):
        sys.exit(1 if self.failed else 0)
