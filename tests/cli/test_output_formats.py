"""In every command the name of the output file decides the format; what it cannot write is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import answered, ktsolve, refused
from marks import quick

SUFFIXES = ["png", "svg", "pdf", "tex", "csv", "json", "html", "txt", "npy", "hcp", "xyz"]

GRID = b"1 4 7 10\n8 11 2 5\n3 6 9 12\n"
STILLS = "png svg pdf tex "
TOUR = STILLS + "html csv json txt npy"

COMMANDS = {
    "tour 3x4 --open": TOUR,
    "tour 3x4 --open -n 2": STILLS + "html json txt",
    "walk 3x4 --open": TOUR,
    "longest 3x4": STILLS + "json txt",
    "properties 3x4 --of traceable": "json txt",
    "non-crossing 3x4 --open": STILLS + "html csv json txt",
    "sample 3x4 --open --seed 1": TOUR,
    "unrank 3x4 --open 0": TOUR,
    "convert - ": TOUR,
    "draw -": STILLS + "html txt",
    "play -": "html",
    "check -": "txt json",
    "rank 3x4 - --open": "txt json csv",
    "count 3x4 --open": "txt json",
    "count 3x4 --open --by start": STILLS + "txt json csv",
    "count 3x4 --open --by-moves": STILLS + "txt json csv",
    "count 3x4 --open --by-uses corners": "txt json csv",
    "survey 3x4 --open --of turns -n 5 --seed 1": STILLS + "txt json csv",
    "sequence 3xN --upto 4": "txt json csv",
    "prove 3x3": "txt json",
    "solve guarini-ring": "txt json hcp",
    "swap guarini": "txt json",
    "sudoku bands --box 2x2": STILLS + "txt json csv",
    "sudoku solve 1234341221434321": STILLS + "txt json",
    "sudoku random --box 2x2 --seed 1 --uniform": STILLS + "txt json",
    "sudoku same 1234341221434321 2143432112343412": "txt json",
    "list rules": "txt json csv",
}
"""What each command writes of these suffixes; the rest is refused."""

BEGINS = {"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF", "html": b"<!doctype html", "npy": b"\x93NUMPY"}


def _is(data: bytes, suffix: str) -> bool:
    if suffix in BEGINS:
        return data.startswith(BEGINS[suffix])
    text = data.decode()
    if suffix == "json":
        return isinstance(json.loads(text), dict)
    if suffix == "tex":
        return "\\begin{tikzpicture}" in text
    if suffix == "csv":
        return "," in text.splitlines()[-1]
    return suffix == "hcp" or not text.startswith(("<", "{", "\\", "%"))


@pytest.mark.parametrize("line", quick(COMMANDS, list(COMMANDS)[::4].__contains__))
def test_the_name_of_the_file_decides(line: str, tmp_path: Path) -> None:
    written = COMMANDS[line].split()
    for suffix in SUFFIXES:
        path = tmp_path / f"out.{suffix}"
        if suffix not in written:
            told = refused(*line.split(), "-o", str(path), given=GRID)
            names = [
                *(f".{each}" for each in written),
                "--by-moves",
                "holds one tour",
                "one of npy, moves",
                "use npy, moves",
                "add --steps",
            ]
            assert any(name in told for name in names), told
            assert not path.exists()
        elif suffix not in ("pdf", "tex") or line.startswith(("tour 3x4 --open -n", "count")):
            said = ktsolve(*line.split(), "-o", str(path), given=GRID)
            assert said.status in (0, 1), said
            assert _is(path.read_bytes(), suffix), (suffix, path.read_bytes()[:60])


def test_a_format_overrides_the_name(tmp_path: Path) -> None:
    path = tmp_path / "x.svg"
    for line, form, begins in (
        ("tour 3x4 --open", "csv", b"step,row"),
        ("count 3x4 --open", "json", b"{"),
        ("draw 3x4", "png", b"\x89PNG"),
        ("survey 3x4 --open --of turns -n 5", "csv", b"statistic,"),
    ):
        answered(*line.split(), "--format", form, "-o", str(path))
        assert path.read_bytes().startswith(begins), line
    assert answered("count", "3x4", "--open", "--format", "json").json["count"] == "8"
    assert "a count is written as text, json" in refused("count", "3x4", "--format", "html")
    assert refused("count", "3x4", "--format", "g6").startswith("--format is about a graph file")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("tour 40x40 --open -o t.gif -n 3", "-o t.gif holds one tour"),
        (
            "swap guarini --draw f.html",
            "--draw f.html: this picture is written as .svg, .pdf, .tikz, .tex or .png",
        ),
        (
            "swap guarini --animate f.png",
            "--animate f.png: an animation of pieces is written as .svg, not .png",
        ),
        ("swap guarini --proof f.txt", "--proof f.txt: a formula is written as .cnf"),
        ("prove 3x3 --certificate c.svg", "--certificate c.svg: a certificate is written as .json, not .svg"),
        ("walk 3x4 --record w.txt", "--record w.txt: a recorded walk is written as .json, not .txt"),
        ("census report --ledger x.db --picture p.txt", "--picture p.txt: this picture is written as .svg"),
        ("clues make 4x4 -o p.xyz", "not .xyz"),
        ("base make 6x6 -o p.hcp", "-o p.hcp: a tour is written as .txt, .grid"),
    ],
)
def test_refused_before_the_work(
    line: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert message in refused(*line.split())
    assert not list(tmp_path.iterdir())


def test_pictures_of_swap_networks(tmp_path: Path) -> None:
    answered("swap", "guarini", "-q", "--draw", str(tmp_path / "n.png"))
    assert _is((tmp_path / "n.png").read_bytes(), "png")


@pytest.mark.parametrize("line", ["", "tour", "clues", "sudoku solve"])
def test_h_is_help(line: str) -> None:
    assert answered(*line.split(), "-h").out == answered(*line.split(), "--help").out
    assert "-h, --help" in answered(*line.split(), "-h").out


@pytest.mark.full
def test_lists_of_names() -> None:
    listed = [line.split()[0] for line in answered("list").out.splitlines()[1:]]
    assert {"engines", "instances", "conditions", "formats", "statistics", "models", "graphs"} <= set(listed)
    for what in listed:
        entries = answered("list", what, "--json").json["entries"]
        lines = answered("list", what).out.splitlines()
        assert len(lines) == len(entries) + 1 > 3, what
        assert all(entry["name"] and entry["about"] for entry in entries), what
    assert "use engines, instances" in refused("list", "colours")
