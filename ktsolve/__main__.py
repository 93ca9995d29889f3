"""``python -m ktsolve`` is the ``ktsolve`` command."""

from ktsolve.cli.app import main

if __name__ == "__main__":
    main()
