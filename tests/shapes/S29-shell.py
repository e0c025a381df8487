#!/usr/bin/python3
# S29: sh and bash under the shim, which open, dup2, close and exec; here-documents, pipelines, functions, noclobber.
#: file p.tr
#: calls a.tr p.tr <= 270, not fewer
import shutil
import subprocess

from show import show, show_file

SCRIPT = """
for i in 1 2 3; do echo line $i >> a.tr; done
{ echo group; ls -d .; } >> a.tr
exec 5>> a.tr; echo by five >&5; echo again >&5; wc -c < a.tr; exec 5>&-
cat <<END > b.tr
here
END
seq 1 500 | tee -a a.tr | tail -1 >> b.tr
(echo subshell) >> a.tr; wait
set -C; echo no > b.tr || echo refused; set +C
printf x >> a.tr & wait
test -s a.tr && wc -c a.tr b.tr; true >&5 || echo closed
"""
with open("p.tr", "a") as out:
    out.write("by the parent\n")
for shell in ("sh", "bash"):
    if shutil.which(shell):
        show(shell, lambda: subprocess.run([shell, "-c", SCRIPT], capture_output=True, text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"} | {
            name: value for name, value in __import__("os").environ.items() if name.startswith(("LD_", "TRACESHIM_"))}).stdout)
        show_file("a.tr")
        show_file("b.tr")
