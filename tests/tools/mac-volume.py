#!/usr/bin/python3
"""Mounts a folder with the name rules of a usual Mac volume: case and Unicode normalisation of a name do not matter,
but both are kept as they were first written. Needs Debian's python3-fusepy, fuse and the superuser.

    mac-volume.py STORE MOUNT
"""

import errno
import os
import sys
import unicodedata

from fusepy import FUSE, FuseOSError, Operations


def key(name):
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", name).casefold())


class MacVolume(Operations):
    def __init__(self, store):
        self.store = store

    def real(self, path):
        """The stored path for any spelling; a last name that does not exist stays as it is."""
        found = self.store
        for name in path.split("/"):
            if not name:
                continue
            direct = os.path.join(found, name)
            if not os.path.lexists(direct):
                try:
                    same = [other for other in os.listdir(found) if key(other) == key(name)]
                except OSError:
                    same = []
                if same:
                    direct = os.path.join(found, same[0])
            found = direct
        return found

    def getattr(self, path, fh=None):
        stat = os.lstat(self.real(path))
        names = ("st_mode", "st_nlink", "st_uid", "st_gid", "st_size", "st_atime", "st_mtime", "st_ctime", "st_ino")
        return {name: getattr(stat, name) for name in names}

    def readdir(self, path, fh):
        return [".", "..", *os.listdir(self.real(path))]

    def access(self, path, mode):
        if not os.access(self.real(path), mode):
            raise FuseOSError(errno.EACCES)

    def create(self, path, mode, fi=None):
        return os.open(self.real(path), os.O_RDWR | os.O_CREAT, mode)

    def open(self, path, flags):
        return os.open(self.real(path), flags & ~(os.O_CREAT | os.O_EXCL | os.O_APPEND))

    def read(self, path, size, offset, fh):
        return os.pread(fh, size, offset)

    def write(self, path, data, offset, fh):
        return os.pwrite(fh, data, offset)

    def truncate(self, path, length, fh=None):
        os.truncate(self.real(path), length)

    def flush(self, path, fh):
        return 0

    def fsync(self, path, datasync, fh):
        os.fsync(fh)

    def fsyncdir(self, path, datasync, fh):
        return 0

    def release(self, path, fh):
        os.close(fh)

    def mkdir(self, path, mode):
        os.mkdir(self.real(path), mode)

    def rmdir(self, path):
        os.rmdir(self.real(path))

    def unlink(self, path):
        os.unlink(self.real(path))

    def rename(self, old, new):
        source, target = self.real(old), self.real(new)
        # A new spelling of the same name is stored.
        if source == target:
            target = os.path.join(os.path.dirname(target), os.path.basename(new))
        os.rename(source, target)

    def symlink(self, path, target):
        os.symlink(target, self.real(path))

    def readlink(self, path):
        return os.readlink(self.real(path))

    def link(self, new, old):
        os.link(self.real(old), self.real(new))

    def chmod(self, path, mode):
        os.chmod(self.real(path), mode)

    def chown(self, path, uid, gid):
        os.lchown(self.real(path), uid, gid)

    def utimens(self, path, times=None):
        os.utime(self.real(path), times)

    def statfs(self, path):
        stat = os.statvfs(self.store)
        names = ("f_bsize", "f_frsize", "f_blocks", "f_bfree", "f_bavail", "f_namemax")
        return {name: getattr(stat, name) for name in names}


if __name__ == "__main__":
    store, mount = sys.argv[1:]
    FUSE(MacVolume(store), mount, foreground=True, nothreads=True, use_ino=True, default_permissions=True)
