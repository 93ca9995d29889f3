"""The study of docs/warnsdorff.md: its results can be repeated, and the page states them."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TABLES = ROOT / "docs" / "warnsdorff" / "tables.txt"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "warnsdorff.py"), *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def tables(text: str) -> dict[str, set[tuple[str, ...]]]:
    """The rows of each table, without the spaces between columns."""
    found: dict[str, set[tuple[str, ...]]] = {}
    name = ""
    for line in text.splitlines():
        words = tuple(line.split())
        if len(words) == 1:
            name = words[0]
        elif words:
            found.setdefault(name, set()).add(words)
    return found


@pytest.mark.full
def test_the_figures_come_out_again(tmp_path: Path) -> None:
    maps, data = tmp_path / "maps", tmp_path / "starts.csv"
    done = run("--boards", "6", "7", "12", "--csv", str(data), "--maps", str(maps))
    assert (done.returncode, done.stderr) == (0, "")
    published = tables(TABLES.read_text("ascii"))
    again = tables(done.stdout)
    assert set(again) == set(published)
    for name, rows in again.items():
        assert rows <= published[name], name
        assert len(rows) > 1
    with data.open(encoding="ascii") as stream:
        starts = list(csv.DictReader(stream))
    cells = {(start["row"], start["column"]) for start in starts if start["side"] == "12"}
    assert len(cells) == 144
    found = [
        int(start["found"]) / int(start["runs"])
        for start in starts
        if (start["side"], start["rule"], start["kind"]) == ("12", "centre", "closed")
    ]
    assert any(row[:3] == ("12x12", "centre", f"{sum(found) / 144:.2f}") for row in again["closed"])
    drawn = (maps / "closed-12-centre.txt").read_text("ascii").splitlines()[2:]
    assert [len(line.split()) for line in drawn] == [12] * 12
    assert drawn[0].split()[0] == ("#" if found[0] == 1 else str(int(10 * found[0])))
    assert (maps / "closed-12-centre.svg").read_text("ascii").startswith("<svg ")


def test_the_page_agrees_with_the_tables() -> None:
    page = (ROOT / "docs" / "warnsdorff.md").read_text("utf-8")
    published = tables(TABLES.read_text("ascii"))
    rows = re.findall(
        r"^\| (\d+x\d+) \| `([\w-]+)` \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.-]+) \|$", page, re.M
    )
    assert len(rows) > 6
    for board, rule, every, edge, middle, back in rows:
        row = next(row for row in published["closed"] if row[:2] == (board, rule))
        assert (every, edge, middle, back) == (row[2], row[3], row[-2], row[-1]), row
    home = {row[0]: row for row in published["closed"] if row[1] == "home"}
    sides, every, edges = (
        re.findall(r"[\w.]+", line.partition("|")[2].partition("|")[2])
        for line in page.splitlines()
        if line.startswith(("| board | 8x8", "| all starts |", "| edge | 1"))
    )
    assert len(sides) == 8
    assert [(home[side][2], home[side][3]) for side in sides] == list(zip(every, edges, strict=True))


def test_bad_options_are_refused() -> None:
    assert run("--only", "luck").returncode == 2
