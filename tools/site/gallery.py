"""The gallery: the commands of ``docs/gallery.md`` are run, and their pictures are put beside them.

Each section ``### TITLE`` has one command, and the picture that it writes, ``![text](gallery/FILE)``. The
pictures are kept in ``docs/gallery``; the tests compare them with what the commands make, and the site is
built from what they make.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from ktsolve import _native

PAGE = Path(__file__).resolve().parents[2] / "docs" / "gallery.md"

KEPT = PAGE.parent / "gallery"
"""The folder of the pictures in the checkout."""

STUDIO = "../players/studio.html"
"""The address of the studio in the site, from the pages that play tours."""

LARGEST = 250_000
"""Largest picture, in bytes: a page with twenty pictures must load on a phone."""

_MADE = re.compile(r"!\[(?P<text>.+?)\]\(gallery/(?P<name>\S+)\)")
_COMMAND = re.compile(r"^```console\n\$ (.*)\n((?:.*\n)*?)```$", re.MULTILINE)
_DRAWN = re.compile(r"^(ktsolve (?:tour|non-crossing) .*?(?:\||&&)) ktsolve draw (\S+) .*\.(?:svg|gif)$")
_WRITTEN = re.compile(r" (?:-o|--draw|--animate) (\S+\.(?:svg|png|gif))\b")


@dataclass(frozen=True)
class Example:
    """A command of the gallery, what it prints, and the picture that it writes with its description."""

    title: str
    command: str
    output: str
    file: str | None
    text: str

    @property
    def player(self) -> str | None:
        """The page that plays what the picture shows, if these are tours or walks."""
        return f"{Path(self.file).stem}.html" if self.file and _DRAWN.match(self.command) else None


def examples(page: str) -> list[Example]:
    """Return the commands of the page, in order."""
    return [_example(section) for section in _sections(page) if section.startswith("### ")]


def _sections(page: str) -> list[str]:
    return re.split(r"^(?=###? )", page, flags=re.MULTILINE)


def _example(section: str) -> Example:
    title = section.partition("\n")[0].removeprefix("### ")
    made, commands = _MADE.findall(section), _COMMAND.findall(section)
    written = [name for command, _ in commands for name in _WRITTEN.findall(command)]
    if len(commands) != 1 or written != [name for _, name in made]:
        raise SystemExit(f"{PAGE.name}: {title}: there must be one command, which writes the named picture")
    (command, output), (text, file) = commands[0], made[0] if made else ("", None)
    return Example(title, command, output, file, text)


def make(example: Example, folder: Path, programs: str = "") -> None:
    """Run a command in a folder; stop if it fails, prints something else, or its picture is too large.

    Parameters
    ----------
    programs:
        The folder in which the program ``ktsolve`` lies; by default that of the installed one.
    """
    path = os.pathsep.join([programs or sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)])

    def run(command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=folder,
            env={**os.environ, "PATH": path},
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=300,
        )

    done = run(example.command)
    if done.returncode != 0 or done.stdout != example.output:
        printed = f"exit status {done.returncode}\n{done.stdout}{done.stderr}"
        raise SystemExit(f"{PAGE.name}: {example.command}: {printed}")
    if example.player is not None:
        title = shlex.quote(example.title)
        play = rf"\1 ktsolve play \2 --title {title} --studio {STUDIO} -o {example.player}"
        run(_DRAWN.sub(play, example.command))
    if example.file is not None and (size := (folder / example.file).stat().st_size) > LARGEST:
        raise SystemExit(f"{PAGE.name}: {example.file} has {size:,} bytes, more than {LARGEST:,}")


def write(folder: Path, kept: Path, *, players: bool = True) -> None:
    """Make all pictures in a folder, and pages that play them.

    Pictures are kept in another folder, each in one named by its command and by the files of ktsolve: as long
    as neither changes, the next build takes them from there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    state = _state()
    found = {each: kept / hashlib.sha256(f"{each}{state}".encode()).hexdigest()[:16] for each in _all()}
    for old in set(kept.glob("*")) - set(found.values()):
        shutil.rmtree(old)
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        list(workers.map(_made, *zip(*found.items(), strict=True)))
    for each, place in found.items():
        for name in _files(each):
            if players or name != each.player:
                shutil.copy(place / name, folder)


def _all() -> list[Example]:
    return examples(PAGE.read_text("utf-8"))


def _files(example: Example) -> list[str]:
    return [name for name in (example.file, example.player) if name is not None]


def _made(example: Example, place: Path) -> None:
    """Make an example in its place, unless it is there."""
    if not place.exists():
        with tempfile.TemporaryDirectory(dir=place.parent.parent) as scratch:
            make(example, Path(scratch))
            place.mkdir(parents=True)
            for name in _files(example):
                shutil.copy(Path(scratch, name), place)


def _state() -> str:
    """A digest of the files of ktsolve, on which the pictures depend."""
    digest = hashlib.sha256()
    root = PAGE.parents[1]
    files = (path for name in ("ktsolve", "models", "instances") for path in (root / name).rglob("*.*"))
    for path in [*sorted(path for path in files if path.suffix != ".pyc"), Path(_native.__file__)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def as_cards(page: str) -> str:
    """Return a page whose sections ``###`` are cards, with heading, text, picture and command."""
    runs = groupby(_sections(page), lambda section: section.startswith("### "))
    parts = [_grid(sections) if cards else "".join(sections) for cards, sections in runs]
    # The grid takes the place of both side bars.
    return "---\nhide: [navigation, toc]\n---\n\n" + "".join(parts)


def _grid(sections: Iterable[str]) -> str:
    cards = (f'<div class="kt-card" markdown>\n\n{_MADE.sub(_picture, each)}\n</div>\n' for each in sections)
    return f'<div class="kt-cards" markdown>\n\n{"".join(cards)}\n</div>\n\n'


def _picture(found: re.Match[str]) -> str:
    """A picture, which opens in the player if it shows tours."""
    text, name = found.groups()
    player = next((each.player for each in _all() if each.file == name), None)
    more = '<span class="kt-plays" aria-hidden="true">▶</span>' if player else ""
    return f"[![{text}](gallery/{name}){{ loading=lazy }}{more}](gallery/{player or name}){{ .kt-picture }}"


def thumbnails(names: Sequence[str]) -> str:
    """Return pictures of the gallery as links to their sections of its page, as Markdown."""
    made = {each.file: each for each in _all()}
    lines = []
    for name in names:
        title, text = made[name].title, made[name].text
        anchor = title.lower().replace("'", "").replace(" ", "-")
        lines.append(
            f"[![{text}](gallery/{name}){{ loading=lazy }}<span>{title}</span>](gallery.md#{anchor})"
        )
    return "\n".join(lines)
