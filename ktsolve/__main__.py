"""The ``ktsolve`` command, also as ``python -m ktsolve``."""

from __future__ import annotations

import _thread
import gc
import os
import signal
import sys
import time
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

__all__ = ["flatzinc", "main"]

_STARTED = time.monotonic()


def main() -> NoReturn:
    """Run the command ``ktsolve``."""
    raise SystemExit(_run("ktsolve.cli.app"))


def flatzinc() -> NoReturn:
    """Run the command ``fzn-ktsolve``, by which MiniZinc calls the solver."""
    raise SystemExit(_run("ktsolve.cli.flatzinc"))


def _run(module: str) -> Any:
    """Run a command; Ctrl-C is handled from the start, also during the imports."""
    sys.unraisablehook = _send_again
    # The imports make some 64,000 objects that stay: looking through them for cycles takes 0.05 s.
    gc.set_threshold(100_000, 20, 20)
    if __name__ == "__main__" and not sys.flags.safe_path:
        # `python -m` puts the current folder first: its files are not ours.
        del sys.path[0]
    try:
        from ktsolve.base.guard import own_process

        own_process(_STARTED)
        command = import_module(module).main
    except KeyboardInterrupt:
        print("ktsolve: interrupted", file=sys.stderr, flush=True)
        # Not sys.exit(): after an interrupt that went through exec(), as in the making of a dataclass, Python
        # ends as if killed by it, whoever caught it.
        os._exit(3)
    # Not with gc.freeze() after it, which saves 0.05 s: native objects in cycles are then said to leak.
    return command()


def _send_again(lost: UnraisableHookArgs) -> None:
    """Ctrl-C within a destructor or a callback, as of an import that ends, is lost: it is sent again."""
    if lost.exc_type is not KeyboardInterrupt:
        sys.__unraisablehook__(lost)
        return

    def later() -> None:
        time.sleep(0.05)  # not within the same destructor
        os.kill(os.getpid(), signal.SIGINT)

    _thread.start_new_thread(later, ())


if __name__ == "__main__":
    main()
