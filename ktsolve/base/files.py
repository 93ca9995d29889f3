"""Files that appear whole or not at all, and temporary folders that go with their process, however it ends.

A new file has no name until it is complete, where the system can make such files (Linux, most file systems).
Elsewhere it has a temporary name in the same folder; then a process that is killed leaves it behind.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO

from ktsolve.base.guard import removed_at_end

__all__ = ["new_file", "temporary_folder"]


@contextlib.contextmanager
def new_file(path: str | os.PathLike[str], *, keep: bool = False) -> Iterator[BinaryIO]:
    """A stream of bytes that become the content of a file when the body ends; seeking is allowed.

    Permissions are those of the file that is replaced, or of a new one. A symbolic link stays, and the file
    that it names is replaced. A target that is not an ordinary file (a pipe, a device) is written directly.

    With ``keep``, bytes that were written before an exception replace the file too; without, it is unchanged.
    Raises OSError if the file cannot be written.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with new_file(f"{folder}/tour.txt") as stream:
    ...         _ = stream.write(b"a1 b3")
    ...     print(os.path.getsize(f"{folder}/tour.txt"))
    5
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as device:
            yield device
        return
    with _unnamed(target) or _named(target) as (stream, publish):
        try:
            yield stream
        except BaseException:
            if keep:
                publish()
            raise
        publish()


_Unfinished = contextlib.AbstractContextManager[tuple[BinaryIO, Callable[[], None]]]
"""A stream, and a function that gives the file its name unless it is empty."""


def _unnamed(target: str) -> _Unfinished | None:
    """A file without a name in the folder of the target; None where the system cannot make one."""
    if not hasattr(os, "O_TMPFILE") or not os.path.isdir("/proc/self/fd"):
        return None
    folder = os.path.dirname(target)
    try:
        stream = open(os.open(folder, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o666), "w+b")  # noqa: SIM115
    except OSError:  # this file system cannot; any other reason comes again with a name
        return None

    def publish() -> None:
        stream.flush()
        descriptor = stream.fileno()
        if not os.fstat(descriptor).st_size:
            return
        with contextlib.suppress(FileNotFoundError):
            os.fchmod(descriptor, os.stat(target).st_mode & 0o777)
        # A link cannot replace a file. The name in between stays only if a kill falls on that moment.
        place = os.open(folder, os.O_PATH | os.O_CLOEXEC)
        try:
            # The folder is given for linkat(2), which follows the link; Python calls link(2) without.
            linked = partial(os.link, f"/proc/self/fd/{descriptor}", dst_dir_fd=place, follow_symlinks=True)
            try:
                linked(os.path.basename(target))
            except FileExistsError:
                name = f".ktsolve-{os.urandom(8).hex()}"
                try:
                    linked(name)
                    os.replace(name, os.path.basename(target), src_dir_fd=place, dst_dir_fd=place)
                finally:
                    with contextlib.suppress(FileNotFoundError):
                        os.unlink(name, dir_fd=place)
        finally:
            os.close(place)

    @contextlib.contextmanager
    def unfinished() -> Iterator[tuple[BinaryIO, Callable[[], None]]]:
        with stream:
            yield stream, publish

    return unfinished()


@contextlib.contextmanager
def _named(target: str) -> Iterator[tuple[BinaryIO, Callable[[], None]]]:
    """A file with a temporary name in the folder of the target."""
    descriptor, name = tempfile.mkstemp(prefix=".ktsolve-", dir=os.path.dirname(target))
    with open(descriptor, "w+b") as stream, removed_at_end(name):

        def publish() -> None:
            stream.close()  # Windows renames no open file
            if os.path.getsize(name):
                os.chmod(name, _mode(target))
                os.replace(name, target)

        try:
            yield stream, publish
        finally:
            stream.close()
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)


def _mode(target: str) -> int:
    """Permissions of the file that is replaced, or those of a new file."""
    with contextlib.suppress(FileNotFoundError):
        return os.stat(target).st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


@contextlib.contextmanager
def temporary_folder() -> Iterator[str]:
    """The path of a temporary folder, which is removed with all that is in it.

    On POSIX a shell waits for the end of this process and removes the folder if it was killed.

    >>> with temporary_folder() as folder:
    ...     os.path.isdir(folder)
    True
    >>> os.path.exists(folder)
    False
    """
    with tempfile.TemporaryDirectory(prefix="ktsolve-") as folder, removed_at_end(folder):
        shell = _remover(folder)
        try:
            yield folder
        finally:
            if shell is not None:
                shell.kill()
                shell.communicate()


def _remover(folder: str) -> subprocess.Popen[bytes] | None:
    """A shell that removes a folder when its input ends, because this process has ended."""
    if os.name != "posix":
        return None
    with contextlib.suppress(OSError):
        return subprocess.Popen(
            ["/bin/sh", "-c", 'read -r _; rm -rf -- "$0"', folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # signals of the terminal are not for it
        )
    return None
