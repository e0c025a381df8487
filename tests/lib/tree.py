"""A directory as a program left it: everything in it that must be the same with and without the shim.

Times are left out: the shim may set them a clock tick apart.
"""

import os
import shutil
import stat


def snapshot(top):
    """{relative name: what it is}, names and contents as bytes; hard links are told by a shared group, TOP is "@" in links."""
    found, groups = {}, {}
    top = os.fsencode(top)
    for directory, names, files, at in os.fwalk(top):
        for name in sorted(names + files):
            path = os.path.relpath(os.path.join(directory, name), top)
            info = os.stat(name, dir_fd=at, follow_symlinks=False)
            kind = stat.S_IFMT(info.st_mode)
            entry = {"kind": kind, "mode": stat.S_IMODE(info.st_mode), "owner": (info.st_uid, info.st_gid)}
            if kind == stat.S_IFREG:
                entry["size"] = info.st_size
                entry["links"] = info.st_nlink
                with open(os.open(name, os.O_RDONLY, dir_fd=at), "rb") as file:
                    entry["bytes"] = file.read()
                groups.setdefault(info.st_ino, []).append(path)
            elif kind == stat.S_IFLNK:
                entry["target"] = os.readlink(name, dir_fd=at).replace(top, b"@")
            found[path] = entry
    for names in groups.values():
        for name in names:
            found[name]["linked with"] = sorted(names)
    return found


def _bytes_differ(native, shim):
    at = next((i for i, pair in enumerate(zip(native, shim)) if pair[0] != pair[1]), min(len(native), len(shim)))
    return (f"bytes differ from offset {at} ({len(native)} natively, {len(shim)} under the shim): "
            f"{native[at:at + 40]!r} became {shim[at:at + 40]!r}")


def differences(native, shim):
    """What differs between two snapshots, one sentence each."""
    problems = []
    for name in sorted(native.keys() | shim.keys()):
        shown = name.decode(errors="backslashreplace")
        if name not in shim:
            problems.append(f"{shown} is missing under the shim")
        elif name not in native:
            problems.append(f"{shown} exists only under the shim")
        else:
            for key, value in native[name].items():
                other = shim[name].get(key)
                if value == other:
                    continue
                if key == "bytes":
                    problems.append(f"{shown}: {_bytes_differ(value, other)}")
                else:
                    problems.append(f"{shown}: {key} {value!r} became {other!r}")
    return problems


def remove(top):
    """Everything below and including TOP, whatever permissions it has."""
    os.chmod(top, 0o700)
    for _, names, _, at in os.fwalk(top):
        for name in names:
            if not stat.S_ISLNK(os.stat(name, dir_fd=at, follow_symlinks=False).st_mode):
                os.chmod(name, 0o700, dir_fd=at)
    shutil.rmtree(top)
