#!/usr/bin/python3
"""Mounts a folder with the name rules of a usual Mac volume: case and Unicode normalisation of a name do not matter,
but both are kept as they were first written. Needs Debian's python3-pyfuse3 and the superuser.

    mac-volume.py STORE MOUNT

Each file is held open by its inode, not by its path. Otherwise, opening a file while another program replaces it would
fail, which no real file system does.
"""

import errno
import os
import stat
import sys
import unicodedata

import pyfuse3
import trio
from pyfuse3 import FUSEError, ROOT_INODE


def key(name):
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", os.fsdecode(name)).casefold())


class Failing:
    """Passes the errors of the stored folder on."""

    def __enter__(self):
        pass

    def __exit__(self, kind, error, trace):
        if isinstance(error, OSError):
            raise FUSEError(error.errno)


class MacVolume(pyfuse3.Operations):
    def __init__(self, store):
        super().__init__()
        # An inode's handle (O_PATH), and how often the kernel looked it up.
        self.handles = {ROOT_INODE: os.open(store, os.O_PATH)}
        self.lookups = {ROOT_INODE: 1}
        self.root = os.fstat(self.handles[ROOT_INODE]).st_ino
        self.folders = {}

    def path(self, inode):
        return f"/proc/self/fd/{self.handles[inode]}"

    def stored(self, parent, name):
        """The stored spelling of a name; one that does not exist stays as it is."""
        folder = self.handles[parent]
        try:
            os.lstat(name, dir_fd=folder)
            return name
        except FileNotFoundError:
            same = (other for other in map(os.fsencode, os.listdir(self.path(parent))) if key(other) == key(name))
            return next(same, name)

    def attributes(self, found):
        entry = pyfuse3.EntryAttributes()
        names = ("st_mode", "st_nlink", "st_uid", "st_gid", "st_size", "st_rdev", "st_blksize", "st_blocks")
        for name in (*names, "st_atime_ns", "st_mtime_ns", "st_ctime_ns"):
            setattr(entry, name, getattr(found, name))
        entry.st_ino = ROOT_INODE if found.st_ino == self.root else found.st_ino
        # Another spelling may change the same file or folder.
        entry.attr_timeout = entry.entry_timeout = 0
        return entry

    def known(self, parent, name):
        """The attributes of an existing name, which the kernel keeps until it forgets them."""
        handle = os.open(name, os.O_PATH | os.O_NOFOLLOW, dir_fd=self.handles[parent])
        entry = self.attributes(os.fstat(handle))
        if entry.st_ino in self.handles:
            os.close(handle)
        else:
            self.handles[entry.st_ino] = handle
        self.lookups[entry.st_ino] = self.lookups.get(entry.st_ino, 0) + 1
        return entry

    async def lookup(self, parent, name, ctx=None):
        with Failing():
            return self.known(parent, self.stored(parent, name))

    async def forget(self, inodes):
        for inode, times in inodes:
            self.lookups[inode] -= times
            if self.lookups[inode] <= 0 and inode != ROOT_INODE:
                os.close(self.handles.pop(inode))
                del self.lookups[inode]

    async def getattr(self, inode, ctx=None):
        with Failing():
            return self.attributes(os.fstat(self.handles[inode]))

    async def setattr(self, inode, attr, fields, fh, ctx):
        path = fh if fh is not None else self.path(inode)
        with Failing():
            found = os.fstat(self.handles[inode])
            if fields.update_size:
                os.truncate(path, attr.st_size)
            if fields.update_mode:
                os.chmod(path, stat.S_IMODE(attr.st_mode))
            if fields.update_uid or fields.update_gid:
                uid = attr.st_uid if fields.update_uid else -1
                os.chown(path, uid, attr.st_gid if fields.update_gid else -1)
            if fields.update_atime or fields.update_mtime:
                accessed = attr.st_atime_ns if fields.update_atime else found.st_atime_ns
                os.utime(path, ns=(accessed, attr.st_mtime_ns if fields.update_mtime else found.st_mtime_ns))
        return await self.getattr(inode)

    async def readlink(self, inode, ctx):
        with Failing():
            return os.fsencode(os.readlink("", dir_fd=self.handles[inode]))

    async def opendir(self, inode, ctx):
        with Failing():
            names = [os.fsencode(name) for name in sorted(os.listdir(self.path(inode)))]
        handle = max(self.folders, default=0) + 1
        self.folders[handle] = (inode, names)
        return handle

    async def readdir(self, handle, start, token):
        inode, names = self.folders[handle]
        for at, name in enumerate(names[start:], start + 1):
            try:
                entry = self.known(inode, name)
            except OSError:
                continue
            if not pyfuse3.readdir_reply(token, name, entry, at):
                return await self.forget([(entry.st_ino, 1)])

    async def releasedir(self, handle):
        del self.folders[handle]

    async def open(self, inode, flags, ctx):
        with Failing():
            handle = os.open(self.path(inode), flags & ~(os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_NOFOLLOW))
            return pyfuse3.FileInfo(fh=handle)

    async def create(self, parent, name, mode, flags, ctx):
        with Failing():
            name = self.stored(parent, name)
            handle = os.open(name, (flags & ~os.O_APPEND) | os.O_CREAT, mode, dir_fd=self.handles[parent])
            return pyfuse3.FileInfo(fh=handle), self.known(parent, name)

    async def read(self, handle, offset, size):
        with Failing():
            return os.pread(handle, size, offset)

    async def write(self, handle, offset, data):
        with Failing():
            return os.pwrite(handle, data, offset)

    async def flush(self, handle):
        pass

    async def fsync(self, handle, datasync):
        with Failing():
            os.fsync(handle)

    async def fsyncdir(self, handle, datasync):
        pass

    async def release(self, handle):
        os.close(handle)

    async def mkdir(self, parent, name, mode, ctx):
        with Failing():
            name = self.stored(parent, name)
            os.mkdir(name, mode, dir_fd=self.handles[parent])
            return self.known(parent, name)

    async def symlink(self, parent, name, target, ctx):
        with Failing():
            name = self.stored(parent, name)
            os.symlink(target, name, dir_fd=self.handles[parent])
            return self.known(parent, name)

    async def link(self, inode, parent, name, ctx):
        with Failing():
            name = self.stored(parent, name)
            os.link(self.path(inode), name, dst_dir_fd=self.handles[parent], follow_symlinks=True)
            return self.known(parent, name)

    async def unlink(self, parent, name, ctx):
        with Failing():
            os.unlink(self.stored(parent, name), dir_fd=self.handles[parent])

    async def rmdir(self, parent, name, ctx):
        with Failing():
            os.rmdir(self.stored(parent, name), dir_fd=self.handles[parent])

    async def rename(self, parent, name, new_parent, new_name, flags, ctx):
        if flags:
            raise FUSEError(errno.EINVAL)
        with Failing():
            source, target = self.stored(parent, name), self.stored(new_parent, new_name)
            # A new spelling of the same name is stored.
            if (parent, source) == (new_parent, target):
                target = new_name
            os.rename(source, target, src_dir_fd=self.handles[parent], dst_dir_fd=self.handles[new_parent])

    async def statfs(self, ctx):
        found, reply = os.statvfs(self.handles[ROOT_INODE]), pyfuse3.StatvfsData()
        for name in ("f_bsize", "f_frsize", "f_blocks", "f_bfree", "f_bavail", "f_files", "f_ffree", "f_favail"):
            setattr(reply, name, getattr(found, name))
        reply.f_namemax = found.f_namemax
        return reply


if __name__ == "__main__":
    store, mount = sys.argv[1:]
    os.umask(0)
    pyfuse3.init(MacVolume(store), mount, {"fsname=mac-volume", "default_permissions"})
    trio.run(pyfuse3.main)
