#!/usr/bin/python3
# S45: another library preloaded too, before and behind the shim's: allocators, eatmydata, faketime, stdbuf's; in a
# process that reopens its trace for each record and starts others. (tests/preloads has more of it, and sanitizers.)
#: file p.tr managed
#: child a.tr managed
#: calls a.tr <= 900
import glob
import os
import subprocess

from show import record, say, show_file

PERL = """
$| = 1;
for my $i (1 .. 40) {
    open my $out, '>>', 'a.tr' or die;
    syswrite $out, "$ENV{WHICH} $i\\n";
    close $out or die;
}
print "perl ", -s 'a.tr', "\\n";
exit(system("wc -c < a.tr") >> 8);
"""
LIBRARIES = ["libjemalloc.so.2", "libtcmalloc_minimal.so.4", "libmimalloc.so.2.0", "libeatmydata.so", "faketime/libfaketime.so.1",
             "coreutils/libstdbuf.so"]


def installed(name):
    found = [path for place in ("/usr/lib/*", "/usr/lib", "/usr/libexec") for path in glob.glob(f"{place}/{name}*")]
    return sorted(found)[0] if found else None


before = os.environ.get("LD_PRELOAD")
for name in LIBRARIES:
    library = installed(name)
    if not library:
        continue
    for first in (True, False):
        with open("p.tr", "a") as out:
            out.write(record(1))
        preload = [library, *([before] if before else [])]
        done = subprocess.run(["perl", "-e", PERL], capture_output=True, text=True, check=False, env={
            **os.environ, "LD_PRELOAD": ":".join(preload if first else reversed(preload)), "WHICH": f"{name} {first}"})
        say(f"{name} {first}: {done.returncode} {done.stdout} {done.stderr}")
say(f"{sum(installed(name) is not None for name in LIBRARIES)} libraries")
show_file("a.tr")
show_file("p.tr")
