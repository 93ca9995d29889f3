"""The index of the search: words by which readers look for a page, options as words, starts of sections."""

from __future__ import annotations

import json
import re
from pathlib import Path
from textwrap import wrap
from typing import Any

WORDS = {
    "install": "pip install, download, set up, build",
    "ten-minutes": "first steps, tutorial, getting started, introduction",
    "recipes": "examples, how to, booklet, worksheet",
    "faq": "questions, half, twice, wrong number",
    "limitations": "how large, how long, memory, Windows, macOS",
    "scope": "trust, reviewed, known before",
    "comparison": "alternatives, Graphillion, OR-Tools, LKH, Concorde, clingo",
    "conditions": "constraints, start, end, fixed step, forbidden moves, magic",
    "counting": "how many tours, number of tours, count, 8x8",
    "sequence": "random tour, uniform sample, unrank, rank, number of a tour, k-th tour",
    "survey": "statistics, histogram, mean",
    "symmetry": "symmetric tours, quarter turn, half turn, rotations, reflections",
    "proofs": "impossible, no tour, certificate, prove, refute, DRUP",
    "census": "resume, long count, ledger",
    "graphs": "networkx, Hamiltonian cycle, Hamiltonian path, graph6, TSPLIB, geng, hypohamiltonian",
    "swap": "Guarini, knights change places, exchange knights",
    "puzzles": "Slitherlink, Masyu, Yajilin, Numberlink, Hidato, loop puzzles, make a puzzle, booklet",
    "clues": "knight puzzle, given numbers, unique solution, hint",
    "sudoku": "sudoku, bands, grids",
    "models": "constraint model, own puzzle, integers, optimise, model counting",
    "exchange": "CNF, DIMACS, MiniZinc, CPMpy, OPB, MPS, SAT solver",
    "formats": "file formats, CSV, JSON, PGN, npy, read a file",
    "pictures": "draw, SVG, PNG, PDF, animation, GIF, heat map, print",
    "player": "play, step by step, HTML page, animate",
    "results": "new values, 9x12, 8x32, record",
    "benchmarks": "speed, times, fast, compare",
    "divide": "large boards, 1000x1000",
    "warnsdorff": "Warnsdorff's rule, heuristic",
    "strips": "recurrence, generating function, 3xN",
    "commands": "options, command line, exit status",
    "python/index": "Python, API, import ktsolve",
    "python/hamiltonian": "hamiltonian_cycle, hamiltonian_path",
    "python/settings": "timeout, threads, memory limit, errors",
}
"""For pages the words by which they are looked for, besides their own."""

LONGEST = {"commands/": 10_000, "python/": 180}
"""How many characters of a section are in the index, for pages in folders. Of a function of Python one
paragraph, as the search shows it: its signature, and what it returns."""

OTHERS = 450
"""The same for other pages. A section says in its first lines what it is about."""

_OPTION = re.compile(r"(?<![\w-])--[a-z]+(?:-[a-z]+)+")


def finish(folder: Path) -> None:
    """Rewrite both files of the index."""
    index = json.loads((folder / "search_index.json").read_text("utf-8"))
    index["docs"] = [entry(each) for each in index["docs"]]
    written = json.dumps(index, ensure_ascii=False, separators=(",", ":"))
    (folder / "search_index.json").write_text(written, "utf-8")
    (folder / "search_index.js").write_text(f"var __index = {written}", "utf-8")


def entry(given: dict[str, Any]) -> dict[str, Any]:
    """Return the entry of a section: plain text, and for a page the words for it."""
    page, _, section = given["location"].partition(".html")
    most = next((length for folder, length in LONGEST.items() if page.startswith(folder)), OTHERS)
    text = _plain(given["text"])[:most]
    # The search shows the paragraphs in which it finds something.
    paragraphs = "".join(
        f"<p>{each}</p>" for each in wrap(text, 180, break_long_words=False, break_on_hyphens=False)
    )
    made = {"location": given["location"], "title": _plain(given["title"]), "text": paragraphs}
    if not section and page in WORDS:
        made["tags"] = WORDS[page].split(", ")
    if not page.startswith("python/"):
        made["boost"] = 2  # guides first
    return made


def _plain(text: str) -> str:
    """A text without tags, whose options have hyphens at which the search does not divide them."""
    text = " ".join(re.sub(r"<[^>]+>", " ", text).split())
    return _OPTION.sub(lambda found: "--" + found[0][2:].replace("-", "\u2011"), text)
