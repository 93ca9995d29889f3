"""A page for each command: its help, as ``--help`` shows it, and its section of ``docs/commands.md``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import click

from ktsolve.cli.app import root
from ktsolve.cli.help import examples_of, paragraphs_of, sections_of, usage_of

ALIKE = (
    "All commands have the same [exit status](../commands.md#exit-status) "
    "and [limits](../commands.md#what-the-limits-count)."
)
"""The last line of each page."""

SECTION = re.compile(r"^## ktsolve ([a-z-]+)$", re.MULTILINE)
"""The heading of a command in ``docs/commands.md``."""

ROW = re.compile(r"^\| `(ktsolve ([a-z-]+)[^`]*)` \|", re.MULTILINE)
RELATIVE = re.compile(r"\]\((?![a-z]+:)(?=[^)#])")
OPTION = re.compile(r"(?<![\w`-])--?[a-z][a-z-]*(?![\w`])")


def pages(guide: str) -> dict[str, str]:
    """Return all pages as Markdown, by their names in the site.

    ``guide`` is the text of ``docs/commands.md``. What it says of a command moves to the page of this
    command, and its table of commands gets links.
    """
    general, *parts = SECTION.split(guide)
    said = {name: text.strip() for name, text in zip(parts[::2], parts[1::2], strict=True)}
    top = {name: command for name, command in root().commands.items() if not command.hidden}
    found = {f"commands/{name}.md": _page(command, name, said.pop(name, "")) for name, command in top.items()}
    if said:
        raise SystemExit(f"docs/commands.md has sections of commands that do not exist: {', '.join(said)}")
    found["commands.md"] = ROW.sub(r"| [`\1`](commands/\2.md) |", general)
    return found


def _page(command: Any, name: str, said: str) -> str:
    context = click.Context(command, info_name=name, parent=click.Context(root(), info_name="ktsolve"))
    # Headings in the section of the guide are one deeper than on this page.
    said = re.sub(r"^###", "##", RELATIVE.sub("](../", said), flags=re.MULTILINE)
    lines = [f"# ktsolve {name}\n", *_head(command, context, "##")]
    if said:
        lines.append(f"## In detail\n\n{said}\n")
    return "\n".join([*lines, *_options(command, context, "##"), ALIKE]) + "\n"


def _head(command: Any, context: Any, level: str) -> Iterator[str]:
    """How a command is typed, its text and its examples."""
    yield f"```text\n{usage_of(command, context)}\n```\n"
    yield from (f"{_cell(paragraph)}\n" for paragraph in paragraphs_of(command))
    if examples := examples_of(command):
        width = max(len(line) for line, _ in examples)
        listed = "\n".join(f"{line:{width}}  # {text}" for line, text in examples)
        yield f"{level} Examples\n\n```text\n{listed}\n```\n"


def _options(command: Any, context: Any, level: str) -> Iterator[str]:
    """Tables of options under the headings of the help; of a group its commands, each with a section."""
    below = {word: inner for word, inner in getattr(command, "commands", {}).items() if not inner.hidden}
    for title, rows in sections_of(command, context):
        if title == "Examples" or (below and title == "Options"):
            continue
        kind = "option" if rows[0][0].startswith("-") else "command" if below else "argument"
        yield f"{level} {title}\n\n| {kind} | meaning |\n| --- | --- |"
        yield from (f"| `{_barred(left)}` | {_cell(text)} |" for left, text in rows)
        yield ""
    for word, inner in below.items():
        within = click.Context(inner, info_name=word, parent=context)
        yield f"## {within.command_path}\n"
        yield from _head(inner, within, "###")
        yield from _options(inner, within, "###")


def _barred(text: str) -> str:
    """A text in a cell of a table, which a bar would end."""
    return text.replace("|", "\\|")


def _cell(text: str) -> str:
    """A sentence of a help text as Markdown: options as code, no tags."""
    return OPTION.sub(r"`\g<0>`", _barred(text).replace("<", "&lt;"))
