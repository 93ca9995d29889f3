"""The ``ktsolve`` command: its subcommands, and how errors become one line and an exit status."""

from __future__ import annotations

import os
import sys
from typing import Annotated, NoReturn

import typer

from ktsolve import __version__
from ktsolve.cli import check, count, solve, tour, verify
from ktsolve.errors import BadInput, KtsolveError, LimitReached

__all__ = ["app", "main"]

EXIT_NO = 1
EXIT_BAD_INPUT = 2
EXIT_LIMIT = 3

app = typer.Typer(
    name="ktsolve",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="Knight's tours: construct, list, count exactly, or prove impossible.",
    epilog="Exit status: 0 answered, 1 the answer is no, 2 bad input, 3 stopped by a limit or Ctrl-C.",
)
for command in (tour, count, solve, check, verify):
    command.register(app)


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    if version:
        typer.echo(f"ktsolve {__version__}")
        raise typer.Exit


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and exit with its status."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    try:
        status = app(arguments, standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except BadInput as error:
        return _say(error, EXIT_BAD_INPUT)
    except LimitReached as error:
        return _say(error, EXIT_LIMIT)
    except KtsolveError as error:
        return _say(error, EXIT_NO)
    except KeyboardInterrupt:
        return _say("interrupted", EXIT_LIMIT)
    except BrokenPipeError:
        # Whoever read our output has enough. Python would complain once more when it closes standard output.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except MemoryError:
        return _say("out of memory: give --memory, or ask for less", EXIT_LIMIT)
    except Exception as error:
        # Errors of the command line parser are not exported by typer; they all know how to word themselves.
        if hasattr(error, "format_message") and hasattr(error, "exit_code"):
            return _say(error.format_message(), EXIT_BAD_INPUT)
        if type(error).__name__ == "Abort":
            return _say("interrupted", EXIT_LIMIT)
        raise


def _say(message: object, status: int) -> int:
    try:
        text = " ".join(str(message).split())
        print(f"ktsolve: {text}", file=sys.stderr)
    except BrokenPipeError:
        pass
    return status
