"""Build of the documentation site: ``python tools/site/build.py``, run by ``make docs``. Needs no network.

In the pages of ``docs/``, ``<!-- player: NAME text -->`` becomes a page of the player (``players.py``).
Pictures are in the checkout, so that pages show them wherever they are read; the site has them drawn again
(``pictures.py``, ``gallery.py``), and the tests compare the two. The start page is ``landing.md``; "Install"
is a section of the README. The command reference, the Python reference, the published values
and the notebooks are made by running them, so that they are always up to date.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import indent
from typing import Any
from urllib.parse import urlsplit

import catalogue
import commands
import files
import gallery
import notebooks
import pictures
import players
import reference
import search
import share
import yaml

import ktsolve
from ktsolve.render.scene.knight import KNIGHT
from ktsolve.render.scene.theme import THEMES, css_variables

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "build" / "pages"
PICTURE = re.compile(r"(!\[[^\]]*\]\((?:drawn|pictures)/[\w-]+\.svg\))")
PLAYER = re.compile(r"<!-- player: ([\w-]+) (.+?) -->")
LINK = re.compile(r"(?<!!)\[([^\[\]]+)\]\(([^()\s]+)\)")
FETCHES = re.compile(r"""<(?:script|img|iframe|link|source)\b[^>]*\b(?:src|href)=["']?(?:https?:)?//[^>]*>""")

SECTIONS: dict[str, list[str | dict[str, list[str]]]] = {
    "Try": ["index.md", "studio.md", "gallery.md", "player.md", "notebooks/*.md"],
    "Learn": [
        *("install.md", "ten-minutes.md", "recipes.md", "faq.md"),
        *("comparison.md", "limitations.md"),
    ],
    "Tours": [
        *(
            "conditions.md",
            "sequence.md",
            "counting.md",
            "survey.md",
            "symmetry.md",
            "proofs.md",
            "census.md",
        ),
        {
            "Methods": [
                "frontier.md",
                "strips.md",
                "distributions.md",
                "cuts.md",
                "encodings.md",
                "divide.md",
                "warnsdorff.md",
            ]
        },
    ],
    "Graphs": ["graphs.md", "swap.md"],
    "Puzzles": ["puzzles.md", "clues.md", "sudoku.md"],
    "Models": ["models.md", "instances.md", "exchange.md"],
    "Results": ["results.md", "scope.md", "values.md", "benchmarks.md", "census/*.md"],
    "Reference": [
        {"Commands": ["commands.md", "commands/*.md"]},
        *("formats.md", "pictures.md"),
        {
            "Project": [
                "changes.md",
                "contributing.md",
                "security.md",
                "house.md",
                "architecture.md",
                "files.md",
                "*.md",
            ]
        },
    ],
    "Python": ["python/**/*.md"],
}
"""The navigation: a tab for each key, with pages, and with sections of pages. A page is listed where it is
named; missing pages are skipped."""

BESIDE = {"CHANGELOG.md": "changes.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md"}
"""Pages that lie beside docs/, and their names in the site."""

UNSEARCHED = {"files.md", "changes.md", "census/open-8x8.md", "census/open-8x9.md"}
"""Pages that are lists and not in the search."""

HERE = Path(__file__).parent
THUMBNAILS = (
    *("quarter-turn.svg", "thirty.svg", "ring.svg"),
    *("ends-8x8.svg", "dodecahedron.svg", "slitherlink.svg"),
)
"""Pictures of the gallery on the start page."""


def main() -> int:
    """Make all pages and pictures, run MkDocs, and return the exit status."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(ROOT / "docs", PAGES, ignore=shutil.ignore_patterns("*.ipynb", "*.jsonl"))
    # These wait for other processes most of the time.
    with ThreadPoolExecutor() as side:
        slow = [
            side.submit(gallery.write, PAGES / "gallery", ROOT / "build" / "gallery"),
            side.submit(notebooks.write, ROOT / "docs" / "notebooks", PAGES / "notebooks"),
        ]
        _write_pages()
        for each in slow:
            each.result()
    for page in sorted(PAGES.rglob("*.md")):
        if page.relative_to(PAGES).as_posix() in UNSEARCHED:
            page.write_text(f"---\nsearch:\n  exclude: true\n---\n{page.read_text('utf-8')}", "utf-8")
        text = sessions_named(_with_pictures(page.read_text("utf-8"), page))
        page.write_text(_linked_within(page, text), "utf-8")
    (ROOT / "build" / "mkdocs.yml").write_text(yaml.safe_dump(_settings(), sort_keys=False), "utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", "build/mkdocs.yml"]
    # The extension of griffe is found beside this file.
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(Path(__file__).parent)}
    # The option --quiet would drop warnings before --strict counts them.
    done = subprocess.run(command, cwd=ROOT, env=quiet, check=False, stderr=subprocess.PIPE, text=True)
    print("".join(line for line in done.stderr.splitlines(True) if not line.startswith("INFO")), end="")
    status = done.returncode
    if status == 0:
        _finish(ROOT / "build" / "site")
    if status == 0 and (fetched := list(_fetched(ROOT / "build" / "site"))):
        print(
            *fetched,
            "the pages of the site must not load anything from other hosts",
            sep="\n",
            file=sys.stderr,
        )
        return 1
    return status


def _write_pages() -> None:
    """Write the pages that are not in ``docs/``, and the files of pages."""
    for name, page_name in BESIDE.items():
        text = (ROOT / name).read_text("utf-8").replace("](docs/", "](")
        (PAGES / page_name).write_text(text, "utf-8")
    (PAGES / "install.md").write_text(install_page((ROOT / "README.md").read_text("utf-8")), "utf-8")
    (PAGES / "commands").mkdir()
    for name, text in commands.pages((ROOT / "docs" / "commands.md").read_text("utf-8")).items():
        (PAGES / name).write_text(text, "utf-8")
    (PAGES / "files.md").write_text(files.page(), "utf-8")
    (PAGES / "values.md").write_text(catalogue.page(), "utf-8")
    for name in ("gallery.md", "results.md"):
        (PAGES / name).write_text(gallery.as_cards((PAGES / name).read_text("utf-8")), "utf-8")
    reference.write(ROOT / "ktsolve", PAGES / "python")
    (PAGES / "index.md").write_text(_landing(), "utf-8")
    players.write(PAGES / "players")
    (PAGES / "drawn").mkdir(exist_ok=True)
    (PAGES / "drawn" / "numbered.svg").write_text(players.numbered_picture(), "utf-8")
    pictures.write(PAGES / "drawn")
    share.write(PAGES / "drawn")
    (PAGES / "site.css").write_text(stylesheet(), "utf-8")


def _landing() -> str:
    """The start page; its examples are sections of ``landing.md``, which become tabs."""
    page, _, examples = (HERE / "landing.md").read_text("utf-8").partition("\n<!-- tabs -->\n")
    sections = (each.partition("\n") for each in re.split(r"^### ", examples, flags=re.MULTILINE)[1:])
    filled = {
        "TABS": "\n\n".join(
            f'=== "{title}"\n{indent(sessions_named(body), "    ")}' for title, _, body in sections
        ),
        "STUDIO": html.escape(players.numbered_link()),
        "THUMBNAILS": gallery.thumbnails(THUMBNAILS),
    }
    return re.sub("@([A-Z]+)@", lambda mark: filled[mark[1]], page)


def stylesheet() -> str:
    """Return the style sheet: the colours of pictures as properties, then ``site.css``."""
    colours = css_variables(
        THEMES["light"],
        THEMES["dark"],
        light_selector='[data-md-color-scheme="default"]',
        dark_selector='[data-md-color-scheme="slate"]',
        automatic=None,
    )
    light = colours.partition("}")[0].replace('"default"', '"slate"')
    colours += f"@media print {{\n{light}}}\n}}\n"  # on paper the dark theme is light
    return colours + (HERE / "site.css").read_text("utf-8")


def _settings() -> dict[str, Any]:
    """The settings of MkDocs that are computed. Addresses are those of pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    # A link to an address that does not exist yet would lead nowhere.
    urls = {
        name: url for name, url in project["urls"].items() if not urlsplit(url).netloc.endswith(".invalid")
    }
    published = {
        "site_url": urls.get("Documentation"),
        "repo_url": urls.get("Source"),
        "repo_name": "Source" if "Source" in urls else None,
    }
    return {
        "INHERIT": "../mkdocs.yml",
        "docs_dir": "pages",
        "site_dir": "site",
        **{name: value for name, value in published.items() if value},
        "theme": {"custom_dir": "../tools/site/theme"},
        "hooks": ["../tools/site/blocks.py"],
        "extra": {
            "knight": KNIGHT,
            "version": ktsolve.__version__,
            "license": project["license"],
            "issues": urls.get("Issues"),
            "polyfills": ["iframe-worker.js"],
        },
        "nav": _navigation(),
    }


def _finish(site: Path) -> None:
    """Make the page for unknown addresses find the site wherever it is, and the search find options."""
    lost = site / "404.html"
    base = urlsplit(_settings().get("site_url", "/")).path
    lost.write_text(re.sub(rf'((?:href|src|content)="){base}', r"\1", lost.read_text("utf-8")), "utf-8")
    search.finish(site / "search")


def _fetched(site: Path) -> Iterator[str]:
    """Tags with which a page would load a file from another host."""
    for page in sorted(site.rglob("*.html")):
        for tag in FETCHES.findall(page.read_text("utf-8")):
            if 'rel="canonical"' not in tag:
                yield f"{page.relative_to(site)}: {tag}"


def _with_pictures(text: str, page: Path) -> str:
    up = "../" * (len(page.relative_to(PAGES).parts) - 1)

    def frame(found: re.Match[str]) -> str:
        name, description = found.groups()
        if name not in players.PLAYERS:
            raise SystemExit(f"{page.name}: player {name!r} is unknown: use {', '.join(players.PLAYERS)}")
        source, more = f"{up}players/{name}.html", 'loading="lazy" allow="fullscreen"'
        shown = f'<iframe class="player {name}" src="{source}" title="{description}" {more}></iframe>'
        return f"{shown}\n\n[Open it as a page of its own]({source})" if name == "studio" else shown

    text = text.replace("](../ktsolve/data/published.toml)", "](values.md)")
    text = text.replace("](studio.md#show=", f"]({up}players/studio.html#show=")
    for name, page_name in BESIDE.items():
        text = text.replace(f"](../{name})", f"]({page_name})")
    return PLAYER.sub(frame, PICTURE.sub(r"\1{ loading=lazy }", text))


def sessions_named(text: str) -> str:
    """The text with Python sessions named as such, so that their prompts are recognised."""
    return re.sub(r"^```python\n(?=>>> )", "```pycon\n", text, flags=re.MULTILINE)


def _linked_within(page: Path, text: str) -> str:
    """The text without links to files that are not part of the site (sources, instances)."""

    def kept(found: re.Match[str]) -> str:
        text, target = found.groups()
        # A target without a dot or a slash is not a file: the match is code such as [a](b).
        file = target.split("#")[0] if re.search(r"[./]", target) and ":" not in target else ""
        outside = file and not (page.parent / file).exists()
        return text if outside else found[0]

    return LINK.sub(kept, text)


def install_page(readme: str) -> str:
    """Return the page that a section of the README becomes, with links to pages."""
    # On a page of the site a link to a page has the name of that page, not of its file.
    text = re.sub(r"\[(docs/[\w-]+\.md)\]\(docs/", lambda link: f"[{_title(ROOT / link[1])}](", readme)
    text = text.replace("](docs/", "](")
    for name, page_name in BESIDE.items():
        text = text.replace(f"]({name})", f"]({page_name})")
    _, _, section = text.partition("\n## Install\n")
    return "# Install\n" + section.partition("\n## ")[0] + "\n"


def _title(page: Path) -> str:
    return page.read_text("utf-8").partition("\n")[0].removeprefix("# ")


def _navigation() -> list[dict[str, Any]]:
    sections = [each for pages in SECTIONS.values() for each in pages]
    lists = [[each] if isinstance(each, str) else next(iter(each.values())) for each in sections]
    placed = {name for names in lists for name in names if "*" not in name}

    def found(name: str) -> list[str]:
        if "*" not in name:
            return [name] * (PAGES / name).exists()
        pages = [path.relative_to(PAGES).as_posix() for path in sorted(PAGES.glob(name))]
        pages = [page for page in pages if page not in placed]
        placed.update(pages)
        return pages

    navigation: list[dict[str, Any]] = []
    for tab, entries in SECTIONS.items():
        pages: list[Any] = []
        for entry in entries:
            if isinstance(entry, str):
                pages += found(entry)
            else:
                pages += [
                    {title: [page for name in names for page in found(name)]}
                    for title, names in entry.items()
                ]
        if tab == "Python":
            pages = reference.navigation(ROOT / "ktsolve")
        navigation.append({tab: [{"Start": page} if page == "index.md" else page for page in pages]})
    return navigation


if __name__ == "__main__":
    sys.exit(main())
