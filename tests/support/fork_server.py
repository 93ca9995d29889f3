"""Commands in processes that are forked with ktsolve imported: each starts in hundredths of a second.

The imports of a command take many times as long as most answers. A server imports once. For shells there is
a program ``ktsolve`` that passes its arguments, folder, environment and streams to the server. The server
forks a process for the command, and gives back the exit status, or the signal that ended the command.

The imports themselves, memory and signals from outside are tested with ordinary processes.
"""

from __future__ import annotations

import atexit
import importlib
import os
import pickle
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

__all__ = ["fork_server"]

_CLIENT = """#!{python} -ISE
import _signal, _socket, os, pickle, sys
server = _socket.socket(_socket.AF_UNIX)
server.connect({address!r})
asked = pickle.dumps((sys.argv[1:], os.getcwd(), dict(os.environ)))
streams = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
server.sendmsg([len(asked).to_bytes(8, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
server.sendall(asked)
status = int.from_bytes(server.recv(4), "big", signed=True)
if status < 0:
    if -status not in (_signal.SIGKILL, _signal.SIGSTOP):
        _signal.signal(-status, _signal.SIG_DFL)
    os.kill(os.getpid(), -status)
os._exit(status)
"""

_NOT_IMPORTED = ("ktsolve.wings.census.cluster",)
"""Modules that need a package which most users do not have."""


@contextmanager
def fork_server() -> Iterator[str]:
    """The folder of a program ``ktsolve`` whose processes are forked, for the front of ``PATH``."""
    with tempfile.TemporaryDirectory(prefix="fork-") as folder:
        address, program = f"{folder}/server", Path(folder, "bin", "ktsolve")
        program.parent.mkdir()
        program.write_text(_CLIENT.format(python=sys.executable, address=address), encoding="utf-8")
        program.chmod(0o755)
        with subprocess.Popen(
            [sys.executable, __file__, address], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as server:
            assert server.stdout is not None
            assert server.stdout.readline() == b"ready\n"
            try:
                yield str(program.parent)
            finally:
                server.kill()


# -- the server ---------------------------------------------------------------------------------------------


def _serve(address: str) -> None:
    _import_all()
    server = socket.socket(socket.AF_UNIX)
    server.bind(address)
    server.listen(64)
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes)
    signal.signal(signal.SIGCHLD, lambda *_: None)  # a command has ended: select() returns
    running: dict[int, socket.socket] = {}
    print("ready", flush=True)
    while True:
        waits: list[Any] = [server, woken, *running.values()]
        ready = select.select(waits, [], [])[0]
        for process, client in running.items():
            if client in ready:
                os.kill(process, signal.SIGKILL)  # the client was killed
        if woken in ready:
            os.read(woken, 1 << 10)
            for process, status in _ended():
                with running.pop(process) as client, suppress(OSError):
                    client.send(status.to_bytes(4, "big", signed=True))
        if server in ready:
            client = server.accept()[0]
            asked, streams = _asked(client)
            process = os.fork()
            if process == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for held in (client, server, *running.values()):
                    held.close()
                _run(streams, *pickle.loads(asked))
            running[process] = client
            for each in streams:
                os.close(each)  # else the reader of a pipe waits for this process, too


def _import_all() -> None:
    import gc

    import ktsolve

    for name in ("networkx", "ortools.sat.python.cp_model", "pysat.solvers", "PIL.Image"):
        importlib.import_module(name)
    for each in pkgutil.walk_packages(ktsolve.__path__, "ktsolve."):
        if each.name not in _NOT_IMPORTED:
            importlib.import_module(each.name)
    gc.freeze()


def _ended() -> Iterator[tuple[int, int]]:
    """The commands that have ended, and the exit status of each, or minus the signal."""
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            yield found[0], os.waitstatus_to_exitcode(found[1])


def _asked(client: socket.socket) -> tuple[bytes, list[int]]:
    """What a client asks, and its three streams."""
    began, streams, *_ = socket.recv_fds(client, 8, 3)
    length, asked = int.from_bytes(began, "big"), b""
    while len(asked) < length:
        asked += client.recv(length - len(asked))
    return asked, streams


def _run(streams: list[int], arguments: list[str], folder: str, environment: dict[str, str]) -> None:
    """Be the process of a command."""
    from ktsolve import __main__ as command

    for place, each in enumerate(streams):
        os.dup2(each, place)
        os.close(each)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["ktsolve", *arguments]
    for place, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        buffered = 1 if os.isatty(place) or name == "stderr" else -1
        stream = open(place, mode, buffered, encoding="utf-8", closefd=False)  # noqa: SIM115 (to the end)
        setattr(sys, name, stream)
    command._STARTED = time.monotonic()
    try:
        command.main()
    except SystemExit as end:
        # Python would take down all modules one by one: that takes longer than most commands.
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(end.code if isinstance(end.code, int) else 1)


if __name__ == "__main__":
    del sys.path[0]  # the folder of this file is not that of a command
    _serve(sys.argv[1])
