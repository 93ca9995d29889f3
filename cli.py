"""``python cli.py`` in a checkout is the ``ktsolve`` command, run in the .venv that ``make`` sets up."""

import os
import sys

VENV = os.path.join(os.path.dirname(os.path.abspath(__file__)), ".venv")

if os.path.exists(os.path.join(VENV, "bin", "python")) and os.path.realpath(sys.prefix) != os.path.realpath(
    VENV
):
    os.execv(os.path.join(VENV, "bin", "python"), [os.path.join(VENV, "bin", "python"), *sys.argv])

from ktsolve.__main__ import main

if __name__ == "__main__":
    main()
