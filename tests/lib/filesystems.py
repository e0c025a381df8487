"""The file systems that the shapes run on: the temporary directory, tmpfs, and FUSE mounts made for the run.

SHAPES_FS lists them: tmp (the default), tmpfs, ntfs, bindfs. The last two need root and /dev/fuse.
"""

import os
import shutil
import subprocess
import tempfile


class Unavailable(Exception):
    pass


class FileSystem:
    """A directory on one kind of file system, until close()."""

    def __init__(self, kind):
        self.kind, self._mounted = kind, None
        self._scratch = tempfile.mkdtemp(prefix="traceshim-fs-")
        os.chmod(self._scratch, 0o755)
        try:
            self.path = self._make(kind)
            os.chmod(self.path, 0o755)
        except BaseException:
            self.close()
            raise

    def _make(self, kind):
        if kind == "tmp":
            return self._subdirectory("d")
        if kind == "tmpfs":
            if not os.access("/dev/shm", os.W_OK):
                raise Unavailable("/dev/shm can't be written")
            shutil.rmtree(self._scratch)
            self._scratch = tempfile.mkdtemp(prefix="traceshim-fs-", dir="/dev/shm")
            os.chmod(self._scratch, 0o755)
            return self._subdirectory("d")
        if kind == "bindfs":
            return self._mount("bindfs", ["bindfs", self._subdirectory("below")])
        if kind == "ntfs":
            image = os.path.join(self._scratch, "image")
            with open(image, "wb") as file:
                file.truncate(64 << 20)
            self._command(["mkntfs", "--quick", "--quiet", "--force", image])
            return self._mount("ntfs-3g", ["ntfs-3g", "-o", "permissions,streams_interface=none", image])
        raise Unavailable(f"unknown file system {kind}")

    def _subdirectory(self, name):
        path = os.path.join(self._scratch, name)
        os.mkdir(path, 0o755)
        return path

    def _command(self, command):
        if not shutil.which(command[0]):
            raise Unavailable(f"{command[0]} is not installed")
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Unavailable(f"{command[0]}: {(done.stderr or done.stdout).strip()[-200:]}")

    def _mount(self, tool, command):
        if os.geteuid() != 0 or not os.path.exists("/dev/fuse"):
            raise Unavailable(f"{tool} needs root and /dev/fuse")
        at = self._subdirectory("mnt")
        self._command(command + [at])
        self._mounted = at
        return at

    def close(self):
        """Removes all of it; a list of what is wrong, such as a mount that something still holds."""
        problems = []
        if self._mounted:
            done = subprocess.run(["umount", self._mounted], capture_output=True, text=True, check=False)
            if done.returncode != 0:
                problems.append(done.stderr.strip())
                subprocess.run(["umount", "--lazy", self._mounted], check=True)
            self._mounted = None
        shutil.rmtree(self._scratch)
        return problems


def wanted(default="tmp"):
    return os.environ.get("SHAPES_FS", default).replace(",", " ").split()
