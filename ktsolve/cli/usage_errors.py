"""What is wrong with a command line that the parser refuses, and what would be right, in one line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ktsolve.base.text import near, shown, unknown
from ktsolve.cli.help import examples_of, left_of

__all__ = ["addressed", "usage_error"]

_WHOLE = re.compile(r"-?\d+", re.ASCII)
_RANGE = re.compile(r"(greater|less) than or equal to (\S+)|in the range x(>=|<=)(\S+?)\.?$")


def addressed(group: Any, arguments: Sequence[str]) -> tuple[list[str], Any]:
    """The command that the arguments begin with, as its words and itself."""
    path: list[str] = []
    for name in arguments:
        inner = getattr(group, "commands", {}).get(name)
        if inner is None:
            break
        path, group = [*path, name], inner
    return path, group


def usage_error(error: Any, group: Any, arguments: Sequence[str]) -> str:
    """The message for an error of the parser. Its class is told by its name, as typer does not export it."""
    path, command = addressed(group, arguments)
    context, kind = error.ctx, type(error).__name__
    command = command if context is None else context.command
    words = " ".join(["ktsolve", *path]) if context is None else context.command_path
    if hasattr(command, "commands") and kind != "NoSuchOption":
        names = [name for name, each in command.commands.items() if not getattr(each, "hidden", False)]
        given = arguments[len(path) :]
        wrong = f"No such command {shown(given[0])}" if given else f"{words} needs a command"
        right = near(given[0], names, 0.5).rstrip() if given else ""
        right = right or f"use {', '.join(names)}"
        return f"{wrong}: {right}{_example(command)}".replace("?.", "?")
    message = re.sub(r"(\S{40})\S{20,}", r"\1...", str(error.format_message()))
    message = message if len(message) <= 400 else f"{message[:400]}..."
    match kind:
        case "MissingParameter":
            return f"{message} {error.param.help.rstrip('.')}{_example(command)}"
        case "BadParameter" if error.param is not None:
            return _bad_value(error, arguments)
        case "BadOptionUsage":
            for each in command.params:
                if error.option_name in each.opts and not each.is_flag:
                    return f"{message} {each.help.rstrip('.')}{_example(command, each.opts)}"
            return f"{message} Leave out what follows ="
        case "NoSuchOption":
            return f"{message}; {words} --help lists all"
    if "unexpected extra argument" in message:
        names = [left_of(each) for each in command.params if each.param_type_name == "argument"]
        own = [each.opts[0] for each in command.params if getattr(each, "rich_help_panel", "") == "Problem"]
        takes = f"takes {' '.join(names)}" if names else "takes options only"
        options = f"; the options are {', '.join(own)}" if own and not names else ""
        return f"{message}: {words} {takes}{_example(command)}{options}"
    return message


def _example(command: Any, options: Sequence[str] = ()) -> str:
    """An example of a command; if there are any with one of the options, one of these."""
    lines = [line for line, _ in examples_of(command)]
    lines = [line for line in lines if not set(options).isdisjoint(line.split())] or lines
    return f". For example: {lines[0]}" if lines else ""


def _bad_value(error: Any, arguments: Sequence[str]) -> str:
    """A value of an option or argument that is not a number, too small, or none of a choice."""
    names = (*error.param.opts, *error.param.secondary_opts)
    following = [after for name, after in pairwise(arguments) if name in names]
    joined = [each.partition("=")[2] for each in arguments if each.partition("=")[0] in names and "=" in each]
    given = [*following, *joined]
    name = names[0] if names[0].startswith("-") else left_of(error.param)
    choices = (error.param.metavar or "").split("|")
    said = str(error.message).removeprefix("Value error, ")
    number = re.search(r"valid (integer|number|float)", said)
    if number is not None:
        value = next((each for each in given if not _WHOLE.fullmatch(each)), "")
        kind = "whole number" if number[1] == "integer" else "number"
        return f"{name} {shown(value)} is not a {kind}: write one such as 5"
    if (bound := _RANGE.search(said)) is not None:
        more = "more" if "greater" in bound[0] or ">" in bound[0] else "less"
        value = shown(given[-1]) if given else ""
        return f"{name} {value} is out of range: write {bound[2] or bound[4]} or {more}"
    if len(choices) > 1:
        value = next((each for each in given if each not in choices), "")
        return str(unknown(name, value, choices))
    return f"{name} {shown(given[-1]) if given else ''}: {said}"
