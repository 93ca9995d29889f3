"""The ``ktsolve`` command: its subcommands, and how errors become one line and an exit status."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from collections import UserDict
from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise
from typing import Annotated, Any, NoReturn

import typer

from ktsolve import __version__
from ktsolve.base.errors import BadInput, InternalError, KtsolveError, LimitReached, WrongAnswer
from ktsolve.base.guard import ends_by_signals
from ktsolve.cli.help import HelpCommand, HelpGroup
from ktsolve.cli.options import takes_common
from ktsolve.cli.output import COMPLETE, remark
from ktsolve.cli.usage_errors import addressed, usage_error
from ktsolve.wings import WINGS, load

__all__ = ["answered", "ended", "main", "root", "run"]

EXIT_BAD_INPUT = BadInput.exit_status
EXIT_LIMIT = LimitReached.exit_status

_BUG = "internal error, please report it"

_HELP = """Knight's tours: construct, list, count exactly, or prove impossible.

"ktsolve COMMAND --help" shows the options of a command, and examples.

Examples
--------
ktsolve tour 8x8                  # a closed tour of the chessboard
ktsolve tour 8x8 -o tour.svg      # as a picture
ktsolve count 8x8                 # how many there are
ktsolve prove 4x6                 # why there is none
"""

_app = typer.Typer(
    name="ktsolve",
    cls=HelpGroup,
    add_completion=False,
    pretty_exceptions_enable=False,
    help=_HELP,
    epilog="Exit status: 0 answered, 1 the answer is no, 2 bad input, 3 stopped by a limit or Ctrl-C, "
    "4 an engine gave a wrong answer, or ktsolve has a bug.",
)
_COMMANDS = {
    "Tours": ("tour", "walk", "longest", "non-crossing", "base"),
    "Numbers": ("count", "sequence", "sample", "unrank", "rank", "survey", "properties", "graphs"),
    "Pictures and files": ("draw", "play", "convert"),
    "Proofs and checks": ("prove", "check", "verify"),
    "Other puzzles and models": ("solve",),
    "Names and shell": ("list", "completion"),
}
"""The commands of the core by subject; those of wings follow. Each is a function of its name in a file of its
name, or a group that the file registers."""

_PLACES = {
    "base": "base:register",
    "completion": "names:completion",
    "list": "names:names",
    "longest": "walk:longest",
    "non-crossing": "walk:non_crossing",
    "play": "draw:play",
    "sequence": "count:sequence",
    **{name: f"tour_order:{name}" for name in ("sample", "unrank", "rank", "survey")},
}
"""The files and functions of commands that have other names."""


class _Commands(UserDict[str, Any]):
    """The commands by name, each imported when it is asked for: importing all takes longer than a count."""

    def __getitem__(self, name: str) -> Any:
        found = self.data[name]
        if isinstance(found, partial):
            found = self.data[name] = found()
        return found


def _imported(name: str, place: str, subject: str) -> Any:
    """A command, or a group of them, with the options of all commands."""
    command, holder = load(place), typer.Typer(add_completion=False)
    if place.endswith(":register"):
        command(holder)
        (info,) = holder.registered_groups
        assert info.typer_instance is not None
        each_of = info.typer_instance.registered_commands
        info.rich_help_panel = subject
    else:
        settings = getattr(command, "context_settings", None)
        holder.command(name, context_settings=settings, rich_help_panel=subject)(command)
        each_of = holder.registered_commands
    for each in each_of:
        assert each.callback is not None
        each.callback, each.cls = takes_common(each.callback), HelpCommand
    holder.callback()(lambda: None)  # so that one command makes a group, too
    return typer.main.get_group(holder).commands[name]


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ktsolve {__version__}")
        raise typer.Exit


@_app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version and exit.", is_eager=True, callback=_say_version),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and exit with its status."""
    ended(lambda: run(arguments))


def ended(command: Callable[[], int]) -> NoReturn:
    """Run a command, which ends by Ctrl-C and the signal TERM, and exit with its status."""
    _make_streams_safe()
    with ends_by_signals():
        status = command()
    if status == EXIT_LIMIT:
        # A solver's thread that did not stop in time must neither delay nor abort the exit.
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):
                stream.flush()
        os._exit(status)
    sys.exit(status)


def _make_streams_safe() -> None:
    """Replace closed streams, and escape characters that the terminal cannot show."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (open to the end)
        elif mode == "w":
            stream.reconfigure(errors="backslashreplace")


def run(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status.

    It does not call ``app``, because typer handles Ctrl-C and closed pipes in its own way.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    return answered(given, lambda: _invoke(given))


def answered(given: list[str], work: Callable[[], int]) -> int:
    """Do the work of a command with these arguments; an error becomes one line and its exit status."""
    try:
        status = work()
        sys.stdout.flush()
        return status
    except InternalError as error:
        _show_traceback(error, given)
        return _say(error if isinstance(error, WrongAnswer) else f"{_BUG}: {error}", error.exit_status)
    except KtsolveError as error:
        return _say(error, error.exit_status)
    except (KeyboardInterrupt, typer.Abort) as stop:
        return _say(str(stop) or "interrupted", EXIT_LIMIT)
    except BrokenPipeError:
        _give_up_stdout()  # the reader closed the pipe
        return 0
    except OSError as error:
        _give_up_stdout()
        return _say(f"input or output failed: {error}", EXIT_BAD_INPUT)
    except MemoryError:
        return _say("out of memory: give more by --memory, or a smaller problem", EXIT_LIMIT)
    except Exception as error:
        if hasattr(error, "format_message") and hasattr(error, "exit_code"):
            return _say(usage_error(error, root(), given), EXIT_BAD_INPUT)
        if isinstance(error, ImportError) and str(error).startswith("KTSOLVE_VECTORS"):
            return _say(error, EXIT_BAD_INPUT)
        _show_traceback(error, given)
        return _say(_as_bug(error), InternalError.exit_status)


@cache
def root() -> Any:
    """Return the command ``ktsolve``; its ``commands`` are imported when they are asked for."""
    group, commands = typer.main.get_group(_app), {}
    for subject, listed in _COMMANDS.items():
        for name in listed:
            place = f"ktsolve.cli.{_PLACES.get(name, f'{name}:{name}')}"
            commands[name] = partial(_imported, name, place, subject)
        for each in (each for wing in WINGS for each in wing.commands if each.heading == subject):
            commands[each.name] = partial(_imported, each.name, each.place, subject)
    group.commands = _Commands(commands)
    return group


def _help_first(arguments: list[str]) -> list[str]:
    """The arguments; if ``--help`` is among them, the command's name and it, so that no option takes it.

    ``-h`` is the same, except after an option whose value it may be.
    """
    own = arguments[: arguments.index("--")] if "--" in arguments else arguments
    short = any(each == "-h" and not before.startswith("-") for before, each in pairwise(["", *own]))
    if "--help" not in own and not short:
        return arguments
    return [*addressed(root(), own)[0], "--help"]


def _invoke(arguments: list[str]) -> int:
    command = root()
    if COMPLETE in os.environ:
        from ktsolve.cli.names import answer_shell

        return answer_shell(command)
    try:
        with command.make_context("ktsolve", _help_first(arguments)) as context:
            status = command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # rich's way to end the help text
            raise end.__context__ from None
        raise
    return status if isinstance(status, int) else 0


def _give_up_stdout() -> None:
    # Else Python reports the error again when it flushes and closes standard output.
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_traceback(error: Exception, arguments: list[str]) -> None:
    """Print the traceback of a bug, if ``--verbose`` or the environment asks for it."""
    if "--verbose" in arguments or os.environ.get("KTSOLVE_TRACEBACK"):
        traceback.print_exception(error)


def _as_bug(error: Exception) -> str:
    """The message for an exception that is not an error of ktsolve's own, in one line."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{os.path.basename(frame.filename)}, line {frame.lineno}; --verbose shows the traceback"
    return f"{_BUG}: {type(error).__name__}: {error} ({place})"


def _say(message: object, status: int) -> int:
    text = " ".join(str(message).split())
    text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    with contextlib.suppress(OSError):
        remark(f"ktsolve: {text}")
    return status
