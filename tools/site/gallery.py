"""The gallery: the commands of ``docs/gallery.md`` are run, and their pictures are put beside them.

Each section ``### TITLE`` has one command. ``<!-- made: FILE text -->`` names the picture that it writes, and
describes it. Pictures are not kept in the checkout: whoever sees one sees what its command makes.
"""

from __future__ import annotations

import os
import re
import subprocess
import sysconfig
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "gallery.md"

LARGEST = 250_000
"""Largest picture, in bytes: a page with twenty pictures must load on a phone."""

_MADE = re.compile(r"<!-- made: (\S+) (.+?) -->")
_COMMAND = re.compile(r"^```console\n\$ (.*)\n((?:.*\n)*?)```$", re.MULTILINE)
_WRITTEN = re.compile(r" (?:-o|--draw|--animate) (\S+\.(?:svg|png|gif))\b")


@dataclass(frozen=True)
class Example:
    """A command of the gallery, what it prints, and the picture that it writes with its description."""

    title: str
    command: str
    output: str
    file: str | None
    text: str


def examples(page: str) -> list[Example]:
    """Return the commands of the page, in order."""
    return [_example(section) for section in _sections(page) if section.startswith("### ")]


def _sections(page: str) -> list[str]:
    return re.split(r"^(?=###? )", page, flags=re.MULTILINE)


def _example(section: str) -> Example:
    title = section.partition("\n")[0].removeprefix("### ")
    made, commands = _MADE.findall(section), _COMMAND.findall(section)
    written = [name for command, _ in commands for name in _WRITTEN.findall(command)]
    if len(commands) != 1 or written != [name for name, _ in made]:
        raise SystemExit(f"{PAGE.name}: {title}: there must be one command, which writes the named picture")
    (command, output), (file, text) = commands[0], made[0] if made else (None, "")
    return Example(title, command, output, file, text)


def make(example: Example, folder: Path) -> None:
    """Run a command in a folder; stop if it fails, prints something else, or its picture is too large."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)])
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", example.command],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    if done.returncode != 0 or done.stdout != example.output:
        printed = f"exit status {done.returncode}\n{done.stdout}{done.stderr}"
        raise SystemExit(f"{PAGE.name}: {example.command}: {printed}")
    if example.file is not None and (size := (folder / example.file).stat().st_size) > LARGEST:
        raise SystemExit(f"{PAGE.name}: {example.file} has {size:,} bytes, more than {LARGEST:,}")


def write(folder: Path) -> None:
    """Make all pictures in a folder, and nothing else."""
    folder.mkdir(parents=True, exist_ok=True)
    found = examples(PAGE.read_text("utf-8"))
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        list(workers.map(lambda each: make(each, folder), found))
    kept = {each.file for each in found}
    for path in folder.iterdir():
        if path.name not in kept:
            path.unlink()


def with_pictures(page: str) -> str:
    """Return the page with its pictures: a grid of cards with heading, text, picture and command."""
    runs = groupby(_sections(page), lambda section: section.startswith("### "))
    return "".join(_grid(sections) if cards else "".join(sections) for cards, sections in runs)


def _grid(sections: Iterable[str]) -> str:
    cards = (f'<div class="kt-card" markdown>\n\n{_MADE.sub(_picture, each)}\n</div>\n' for each in sections)
    return f'<div class="kt-cards" markdown>\n\n{"".join(cards)}\n</div>\n\n'


def _picture(found: re.Match[str]) -> str:
    name, text = found.groups()
    return f"[![{text}](gallery/{name}){{ loading=lazy }}](gallery/{name}){{ .kt-picture }}"


def thumbnails(names: Sequence[str]) -> str:
    """Return pictures of the gallery as links to their sections of its page, as Markdown."""
    made = {each.file: each for each in examples(PAGE.read_text("utf-8"))}
    lines = []
    for name in names:
        title, text = made[name].title, made[name].text
        anchor = title.lower().replace("'", "").replace(" ", "-")
        lines.append(
            f"[![{text}](gallery/{name}){{ loading=lazy }}<span>{title}</span>](gallery.md#{anchor})"
        )
    return "\n".join(lines)
