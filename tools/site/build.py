"""Build of the documentation site: ``python tools/site/build.py``, run by ``make docs``. Needs no network.

In the pages of ``docs/``, ``<!-- picture: NAME text -->`` is replaced by the picture of that name
(``pictures.py``) with the text as its description, and ``<!-- player: NAME text -->`` by a page of the player
(``players.py``). The command reference, the Python reference, the published values and the notebook are
generated, so that they are always up to date.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import catalogue
import commands
import notebooks
import pictures
import players
import reference
import yaml

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "build" / "pages"
PICTURE = re.compile(r"<!-- picture: ([\w-]+) (.+?) -->")
PLAYER = re.compile(r"<!-- player: ([\w-]+) (.+?) -->")
LINK = re.compile(r"(?<!!)\[([^\[\]]+)\]\(([^()\s]+)\)")
FETCHES = re.compile(r"""<(?:script|img|iframe|link|source)\b[^>]*\b(?:src|href)=["']?(?:https?:)?//[^>]*>""")

SECTIONS: dict[str, list[str]] = {
    "Start": ["index.md", "ten-minutes.md", "graphs.md", "notebooks/*.md", "pictures.md", "player.md"],
    "Mathematics": [
        "frontier.md",
        "counting.md",
        "distributions.md",
        "sequence.md",
        "survey.md",
        "cuts.md",
        "proofs.md",
        "divide.md",
        "warnsdorff.md",
        "census.md",
        "sudoku.md",
        "swap.md",
        "symmetry.md",
    ],
    "Reference": [
        "commands.md",
        "options.md",
        "conditions.md",
        "formats.md",
        "instances.md",
        "models.md",
        "values.md",
        "limitations.md",
    ],
    "Python": ["python/**/*.md"],
    "More": ["*.md", "census/*.md"],
}
"""The navigation. A page is listed in the first section that names it; missing pages are skipped."""

BESIDE = {"CHANGELOG.md": "changes.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md"}
"""Pages that lie beside docs/, and their names in the site."""


def main() -> int:
    """Make all pages and pictures, run MkDocs, and return the exit status."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PAGES, ignore=shutil.ignore_patterns("*.ipynb", "*.jsonl"))
    for page in sorted(PAGES.rglob("*.md")):
        text = _with_pictures(page.read_text("utf-8"), page.name)
        for name, page_name in BESIDE.items():
            text = text.replace(f"](../{name})", f"]({page_name})")
        page.write_text(text, "utf-8")
    (PAGES / "index.md").write_text(_index(), "utf-8")
    for name, page_name in BESIDE.items():
        text = (ROOT / name).read_text("utf-8").replace("](docs/", "](")
        (PAGES / page_name).write_text(text, "utf-8")
    (PAGES / "options.md").write_text(commands.page(), "utf-8")
    (PAGES / "values.md").write_text(catalogue.page(), "utf-8")
    reference.write(ROOT / "ktsolve", PAGES / "python")
    notebooks.write(ROOT / "docs" / "notebooks", PAGES / "notebooks")
    players.write(PAGES / "players")
    pictures.write(PAGES / "drawn")
    shutil.copy(Path(__file__).parent / "site.css", PAGES)
    for page in sorted(PAGES.rglob("*.md")):
        page.write_text(_linked_within(page, page.read_text("utf-8")), "utf-8")
    settings: dict[str, Any] = {"INHERIT": "../mkdocs.yml", "docs_dir": "pages", "site_dir": "site"}
    settings["nav"] = _navigation()
    (ROOT / "build" / "mkdocs.yml").write_text(yaml.safe_dump(settings, sort_keys=False), "utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", "build/mkdocs.yml"]
    # The extension of griffe is found beside this file.
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(Path(__file__).parent)}
    # The option --quiet would drop warnings before --strict counts them.
    done = subprocess.run(command, cwd=ROOT, env=quiet, check=False, stderr=subprocess.PIPE, text=True)
    print("".join(line for line in done.stderr.splitlines(True) if not line.startswith("INFO")), end="")
    status = done.returncode
    if status == 0 and (fetched := list(_fetched(ROOT / "build" / "site"))):
        print(
            *fetched,
            "the pages of the site must not load anything from other hosts",
            sep="\n",
            file=sys.stderr,
        )
        return 1
    return status


def _fetched(site: Path) -> Iterator[str]:
    """Tags with which a page would load a file from another host."""
    for page in sorted(site.rglob("*.html")):
        for tag in FETCHES.findall(page.read_text("utf-8")):
            if 'rel="canonical"' not in tag:
                yield f"{page.relative_to(site)}: {tag}"


def _with_pictures(text: str, page: str) -> str:
    def image(found: re.Match[str]) -> str:
        name, description = found.groups()
        if name not in pictures.PICTURES:
            raise SystemExit(f"{page}: picture {name!r} is unknown: use {', '.join(pictures.PICTURES)}")
        return f"![{description}](drawn/{name}.svg)"

    def frame(found: re.Match[str]) -> str:
        name, description = found.groups()
        return f'<iframe class="player" src="players/{name}.html" title="{description}"></iframe>'

    text = text.replace("](../ktsolve/data/published.toml)", "](values.md)")
    return PLAYER.sub(frame, PICTURE.sub(image, text))


def _linked_within(page: Path, text: str) -> str:
    """The text without links to files that are not part of the site (sources, instances)."""

    def kept(found: re.Match[str]) -> str:
        text, target = found.groups()
        # A target without a dot or a slash is not a file: the match is code such as [a](b).
        file = target.split("#")[0] if re.search(r"[./]", target) and ":" not in target else ""
        outside = file and not (page.parent / file).exists()
        return text if outside else found[0]

    return LINK.sub(kept, text)


def _index() -> str:
    """The README with links for the site."""
    text = (ROOT / "README.md").read_text("utf-8")
    text = text.replace("](docs/pictures/", "](pictures/").replace("](docs/", "](")
    for name, page_name in BESIDE.items():
        text = text.replace(f"]({name})", f"]({page_name})")
    return text


def _navigation() -> list[dict[str, list[Any]]]:
    placed: set[str] = set()
    named = {name for names in SECTIONS.values() for name in names if "*" not in name}
    navigation: list[dict[str, list[Any]]] = []
    for section, names in SECTIONS.items():
        pages = []
        for name in names:
            for path in sorted(PAGES.glob(name)):
                page = path.relative_to(PAGES).as_posix()
                if page not in placed and (name == page or page not in named):
                    placed.add(page)
                    pages.append(page)
        navigation.append({section: pages if section != "Python" else reference.navigation(ROOT / "ktsolve")})
    return navigation


if __name__ == "__main__":
    sys.exit(main())
