"""The page of all commands and options, made from the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ktsolve.cli.app import root

HEAD = """# All options

All commands with their arguments and options. [Commands](commands.md) explains them with examples.
"""


def page() -> str:
    """Return the page as Markdown."""
    return "\n".join([HEAD, *_lines(root(), "ktsolve")]) + "\n"


def _lines(command: Any, name: str) -> Iterator[str]:
    below = getattr(command, "commands", {})
    if name != "ktsolve":
        yield f"## {name}\n"
        yield _plain(command.help or "") + "\n"
    parameters = [each for each in command.params if not getattr(each, "hidden", False)]
    parameters = [each for each in parameters if each.name != "help"]
    if parameters and name != "ktsolve":
        arguments = [_shape(each) for each in parameters if each.param_type_name == "argument"]
        yield f"```text\n{' '.join([name, *arguments, '[OPTION]...'])}\n```\n"
        yield from ("| option | value | meaning |", "| --- | --- | --- |")
        for each in parameters:
            meaning = _plain(each.help or "") + _default(each)
            yield f"| {_names(each)} | {_shape(each, code=True)} | {meaning} |"
        yield ""
    for word, inner in below.items():
        if not inner.hidden:
            yield from _lines(inner, f"{name} {word}")


def _names(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return "argument"
    return ", ".join(f"`{option}`" for option in [*parameter.opts, *parameter.secondary_opts])


def _shape(parameter: Any, code: bool = False) -> str:
    if getattr(parameter, "is_flag", False):
        return ""
    shape = str(parameter.metavar or parameter.name.upper())
    return f"`{shape}`" if code else shape


def _default(parameter: Any) -> str:
    default = parameter.default
    if (
        default in (None, False, True, (), [])
        or callable(default)
        or "default:" in (parameter.help or "").lower()
    ):
        return ""
    return f" Default: `{default}`."


def _plain(text: str) -> str:
    # A bar would end a cell of the table.
    return re.sub(r"\s+", " ", text).strip().replace("|", "\\|").replace("<", "&lt;")
