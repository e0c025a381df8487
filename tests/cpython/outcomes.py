"""Runs one of CPython's own test modules and writes what became of each test: outcomes.py MODULE FILE [RESOURCE...].

FILE gets a line for each test and subtest, as JSON: its name, its outcome, and the last line of what it said. RESOURCEs are
those of `python3 -m test -u`: what is not named is skipped, as there.
"""

import importlib
import json
import os
import sys
import unittest

from test import support


class Outcomes(unittest.TestResult):
    def __init__(self, file):
        super().__init__()
        self.file = file

    def _tell(self, test, outcome, detail=""):
        self.file.append({"test": test.id(), "outcome": outcome, "detail": detail})

    def _tell_error(self, test, outcome, error):
        lines = self._exc_info_to_string(error, test).strip().splitlines()
        self._tell(test, outcome, " | ".join(lines[-8:]))

    def addSuccess(self, test):
        self._tell(test, "ok")

    def addFailure(self, test, error):
        self._tell_error(test, "failure", error)

    def addError(self, test, error):
        self._tell_error(test, "error", error)

    def addSkip(self, test, reason):
        self._tell(test, "skipped", reason)

    def addExpectedFailure(self, test, error):
        self._tell(test, "expected failure")

    def addUnexpectedSuccess(self, test):
        self._tell(test, "unexpected success")

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self._tell_error(subtest, "error", error)


def main():
    module, path, *resources = sys.argv[1:]
    support.use_resources = resources
    support.verbose = False
    sys.argv[1:] = []
    found = []
    try:
        suite = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(f"test.{module}"))
    except unittest.SkipTest as why:
        found.append({"test": module, "outcome": "skipped", "detail": str(why)})
    else:
        suite.run(Outcomes(found))
    support.reap_children()
    with open(path + ".new", "w", encoding="utf-8", errors="surrogateescape") as out:
        for outcome in found:
            print(json.dumps(outcome), file=out)
    os.rename(path + ".new", path)


if __name__ == "__main__":
    main()
