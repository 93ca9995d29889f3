"""``--help`` of all commands: what the command does, its options by subject, and examples.

The text of a command is its docstring. Examples are the lines below the heading ``Examples``, each a command
and, after ``#``, what it does.
"""

from __future__ import annotations

import inspect
import os
import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from typer.core import TyperCommand, TyperGroup

from ktsolve.base.errors import BadInput
from ktsolve.base.text import first_paragraph
from ktsolve.cli.output import COMPLETE, colour_depth, columns, styled

_WIDEST = 100  # columns of a help text at most: longer lines are hard to read
_LEFT = 24  # columns of names; the text of a longer name begins in the next line

_BOLD = "1"

_EXAMPLES = "Examples\n--------\n"

Row = tuple[str, str]


class _Parser:
    """The parser of a parameter, made for values that need it.

    typer from 0.25 on gives every value of an option to pydantic, also a text, a default, and no value. The
    import of pydantic takes longer than many counts. Here such values are taken as they are, and pydantic is
    imported only for numbers and choices that are typed.
    """

    def __init__(self, parser_of: Callable[[], Any]) -> None:
        self._parser_of = parser_of

    def __call__(self) -> _Parser:
        return self

    def coerce(self, value: Any, *, param: Any, ctx: Any) -> Any:
        """Return the value as the command takes it."""
        wanted = param.type_descriptor.annotation
        many = param.multiple or param.nargs == -1
        if value is None:
            return () if many else None
        if type(value) is wanted:
            return value
        if many and wanted == list[str] and not isinstance(value, str):
            return list(value)
        return self._parser_of().coerce(value, param=param, ctx=ctx)


class _WithHelp:
    """The parts of a command that make this help."""

    def get_help_option_names(self, _context: Any) -> list[str]:
        """Return the names of the option that shows the help."""
        return ["-h", "--help"]

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters; where a shell asks, with its completions."""
        found: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for each in found:
            parser_of = getattr(each, "get_runtime_param", None)  # None in earlier versions of typer
            if parser_of is not None and not isinstance(parser_of, _Parser):
                each.get_runtime_param = _Parser(parser_of)
            if COMPLETE in os.environ:
                from ktsolve.cli.names import completed

                each.shell_complete = partial(completed, each)
        return found

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help."""
        formatter.write(_help(self, ctx))


class HelpCommand(_WithHelp, TyperCommand):
    """A command with this help, which refuses a file without a name."""

    def invoke(self, ctx: Any) -> Any:
        """Do the work of the command."""
        for each in self.params:
            given = ctx.params.get(each.name) if each.param_type_name == "argument" else None
            listed = [given] if isinstance(given, str) else given or ()
            if left_of(each).startswith("FILE") and not all(str(one).strip() for one in listed):
                raise BadInput(f"{left_of(each)} is empty: write the name of a file")
        return super().invoke(ctx)


class HelpGroup(_WithHelp, TyperGroup):
    """A group of commands with this help."""


def examples_of(command: Any) -> list[Row]:
    """Return the examples of a command: each a command line, and what it does."""
    _, _, listed = _text_of(command).partition(_EXAMPLES)
    found = (line.partition("#") for line in listed.splitlines() if line.strip())
    return [(line.strip(), text.strip()) for line, _, text in found]


def paragraphs_of(command: Any) -> list[str]:
    """Return the paragraphs of the text of a command, each in one line, without its examples."""
    text = _text_of(command).partition(_EXAMPLES)[0].strip()
    return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]


def left_of(parameter: Any) -> str:
    """Return the names of an option and of its value, or the name of an argument."""
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name.upper())
    names = sorted(parameter.opts, key=len) + parameter.secondary_opts
    value = "" if parameter.is_flag else f" {parameter.metavar or 'VALUE'}"
    return ", ".join(names) + value


def _text_of(command: Any) -> str:
    return inspect.cleandoc(command.help or "")


def _help(command: Any, context: Any) -> str:
    bold = _BOLD if colour_depth() else ""
    width = min(columns(), _WIDEST)
    lines = [f"{styled('Usage:', bold)} {usage_of(command, context)}", ""]
    for paragraph in paragraphs_of(command):
        lines += [*textwrap.wrap(paragraph, width), ""]
    for title, rows in sections_of(command, context):
        most = width * 6 // 10 if title == "Examples" else _LEFT
        lines += [styled(f"{title}:", bold), *_listed(rows, most, width, bold), ""]
    if command.epilog:
        lines += [*textwrap.wrap(command.epilog, width), ""]
    return "\n".join(lines)


def usage_of(command: Any, context: Any) -> str:
    """Return how a command is typed: its path, its arguments, ``[OPTIONS]``."""
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    names = []
    for each in arguments:
        name = left_of(each)
        name += "..." if each.nargs != 1 and not name.endswith("...") else ""
        names.append(name if each.required or name.startswith("[") else f"[{name}]")
    if hasattr(command, "commands"):
        names = ["COMMAND", "..."]
    return " ".join([context.command_path, *names, "[OPTIONS]"])


def sections_of(command: Any, context: Any) -> Iterator[tuple[str, list[Row]]]:
    """Yield the parts of a help text: each a title, and names with their texts."""
    arguments: list[Row] = []
    options: dict[str, list[Row]] = {}
    last: Row = ("-h, --help", "")
    for parameter in command.get_params(context):
        if getattr(parameter, "hidden", False):
            continue
        row = (left_of(parameter), _described(parameter, context))
        if parameter.param_type_name == "argument":
            arguments.append(row)
        elif parameter.name == "help":
            last = row
        else:
            options.setdefault(getattr(parameter, "rich_help_panel", None) or "Options", []).append(row)
    if arguments:
        yield "Arguments", arguments
    if hasattr(command, "commands"):
        by_subject: dict[str, list[Row]] = {}
        for name, each in command.commands.items():
            subject = getattr(each, "rich_help_panel", None) or "Commands"
            by_subject.setdefault(subject, []).append((name, first_paragraph(each.help)))
        yield from by_subject.items()
    options.setdefault("Output" if "Output" in options else "Options", []).append(last)
    yield from options.items()
    if examples := examples_of(command):
        yield "Examples", examples


def _described(parameter: Any, context: Any) -> str:
    """The text of an option, with its default."""
    text = (parameter.help or "").strip()
    default = parameter.get_default(context, call=False)
    default = getattr(default, "value", default)
    if parameter.param_type_name == "option" and parameter.required:
        text += " Required."
    elif parameter.param_type_name == "option" and "Default" not in text:
        if parameter.secondary_opts and isinstance(default, bool):
            text += f" Default: {parameter.opts[0] if default else parameter.secondary_opts[0]}."
        elif not parameter.is_flag and default not in (None, "", ()):
            text += f" Default: {default}."
    return text


def _listed(rows: Sequence[Row], most: int, width: int, bold: str) -> Iterator[str]:
    """Names in a column of limited width, and texts beside them."""
    left = max((len(name) for name, _ in rows if len(name) <= most), default=most)
    for name, text in rows:
        lines = textwrap.wrap(text, width - left - 4, break_long_words=False, break_on_hyphens=False)
        beside = lines.pop(0) if lines and len(name) <= left else ""
        yield f"  {styled(name, bold)}{' ' * (left - len(name) + 2)}{beside}".rstrip()
        yield from (" " * (left + 4) + line for line in lines)
