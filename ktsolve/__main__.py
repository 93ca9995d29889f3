"""The ``ktsolve`` command, also as ``python -m ktsolve``."""

from __future__ import annotations

import sys
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command; Ctrl-C counts from the first moment, while it is still being imported."""
    try:
        from ktsolve.cli.app import main as command
    except KeyboardInterrupt:
        print("ktsolve: interrupted", file=sys.stderr)
        sys.exit(3)
    command()


if __name__ == "__main__":
    main()
