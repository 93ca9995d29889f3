"""Output on a terminal: boards in colours, and tables that fit, with every number whole."""

from __future__ import annotations

import contextlib
import io
import re
import time
from pathlib import Path
from typing import Any

import pytest
from command import Said, answered, refused
from hypothesis import given
from hypothesis import strategies as st
from marks import full, quick

from ktsolve.base.limits import Settings
from ktsolve.cli.app import run
from ktsolve.cli.output import with_progress
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.render.boards import text as text_board
from ktsolve.render.text_table import Column, fitted
from ktsolve.tasks.find import find

ESCAPE = re.compile("\033\\[[0-9;]*m")


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def on_terminal(*arguments: str, columns: int = 80, **environment: str) -> Said:
    """Run a command whose standard output is a terminal."""
    out, err = Terminal(), io.StringIO()
    settings = {
        "COLUMNS": str(columns),
        "TERM": "xterm-256color",
        "COLORTERM": "",
        "NO_COLOR": "",
        **environment,
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, value)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = run(list(arguments))
    return Said(status, out.getvalue(), err.getvalue())


# -- boards --------------------------------------------------------------------------------------------------


def numbers(text: str) -> list[list[str]]:
    return [re.findall(r"\d+", line) for line in text.splitlines()]


@pytest.mark.parametrize("depth", [{}, {"COLORTERM": "truecolor"}, {"TERM": "linux"}])
def test_a_tour_on_a_terminal_is_a_board_in_colours(depth: dict[str, Any]) -> None:
    plain = answered("tour", "8x8", "-q").out
    said = on_terminal("tour", "8x8", "-q", **depth)
    assert (said.status, said.err) == (0, "")
    lines = said.out.splitlines()
    assert len(lines) == 9
    assert all(line.count("\033[") > 8 and line.endswith("\033[0m") for line in lines[:8])
    shown = ESCAPE.sub("", said.out)
    assert [row[1:] for row in numbers(shown)[:8]] == numbers(plain)
    assert [row[0] for row in numbers(shown)[:8]] == list("87654321")
    assert shown.splitlines()[-1].split() == list("abcdefgh")
    # Neighbouring cells differ, and so do the first and the last cell from all others.
    codes = [re.findall("\033\\[([^m]*)m( *\\d+) ", line) for line in lines[:8]]
    found = {int(text): code for row in codes for code, text in row}
    assert len(set(found.values())) == 4
    assert len({code for step, code in found.items() if 1 < step < 64}) == 2
    assert all(found[step] != found[step + 1] for step in range(1, 64))


def test_colours_only_where_they_are_wanted() -> None:
    plain = answered("tour", "6x6", "-q").out
    assert on_terminal("tour", "6x6", "-q").out != plain
    assert on_terminal("tour", "6x6", "-q", "--color", "never").out == plain
    assert on_terminal("tour", "6x6", "-q", "--format", "grid").out == plain
    assert on_terminal("tour", "6x6", "-q", NO_COLOR="1").out == plain
    assert on_terminal("tour", "6x6", "-q", TERM="dumb").out == plain
    always = answered("tour", "6x6", "-q", "--color", "always").out
    assert [row[1:] for row in numbers(ESCAPE.sub("", always))[:6]] == numbers(plain)
    assert refused("tour", "6x6", "--color", "red") == "--color 'red' is unknown: use auto, always, never"


def test_files_and_other_formats_have_no_colours(tmp_path: Path) -> None:
    file = tmp_path / "tour.txt"
    for arguments in (["-o", str(file)], ["--json"], ["--format", "cells"]):
        said = on_terminal("tour", "6x6", "-q", "--color", "always", *arguments)
        assert "\033" not in said.out
    assert file.read_text() == answered("tour", "6x6", "-q").out


def test_a_board_is_no_wider_than_the_terminal() -> None:
    for size, columns in (("8x8", 80), ("8x8", 34), ("8x8", 33), ("8x8", 26), ("20x20", 80), ("20x20", 103)):
        plain = answered("tour", size, "-q", "--seed", "1").out
        shown = on_terminal("tour", size, "-q", "--seed", "1", columns=columns).out
        if shown != plain:
            assert max(len(ESCAPE.sub("", line)) for line in shown.splitlines()) <= columns
        assert (shown != plain) == (columns >= {"8x8": 26, "20x20": 83}[size])


@pytest.mark.parametrize(
    "arguments",
    [
        "tour 5x6 -n 2",
        "sample 5x6 --seed 1",
        "unrank 5x6 0:2",
        "walk 6x6",
        "non-crossing 5x5",
        full("clues make 5x6 --seed 1"),
        "solve closed-6x6",
        full("prove 6x6"),
        "tour 4x4 --open --without a1",
    ],
)
def test_every_command_that_prints_a_board(arguments: str) -> None:
    plain = answered(*arguments.split(), "-q", status=1 if "prove" in arguments else 0).out
    plain = re.sub(r"^# .*\n", "", plain)  # the comment that states the board
    shown = on_terminal(*arguments.split(), "-q").out
    assert "\033[" in shown
    wanted = [row for row in numbers(plain) if row]
    found = [
        row[1:] if re.match("\033\\[2m *\\d", line) else row
        for line, row in zip(shown.splitlines(), numbers(ESCAPE.sub("", shown)), strict=True)
    ]
    assert [row for row in found if row] == wanted


def luminance(colour: tuple[int, ...]) -> float:
    parts = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def of_256(number: int) -> tuple[int, ...]:
    levels = (0, 95, 135, 175, 215, 255)
    if number >= 232:
        return (8 + 10 * (number - 232),) * 3
    number -= 16
    return levels[number // 36], levels[number // 6 % 6], levels[number % 6]


def test_numbers_are_legible_whatever_the_terminal_has_behind_them() -> None:
    tour = find(TourProblem(board="6x6", closed=True)).tour
    assert isinstance(tour, Tour)
    for colours in (256, 2**24):
        text = text_board.tour_text(tour, colours, 80)
        assert text is not None
        pairs = set(re.findall("\033\\[(38;[0-9;]*);(48;[0-9;]*)m", text))
        assert len(pairs) == 4
        for ink, fill in pairs:
            shades = []
            for code in (ink, fill):
                values = tuple(map(int, code.split(";")[2:]))
                shades.append(luminance(of_256(values[0]) if colours == 256 else values))
            assert (max(shades) + 0.05) / (min(shades) + 0.05) >= 4.5, (ink, fill)


def test_holes_have_no_colour() -> None:
    ring = Tour.from_names(Board.parse("3x3", without="b2"), "a1 b3 c1 a2 c3 b1 a3 c2", closed=True)
    text = text_board.tour_text(ring, 256, 80)
    assert text is not None
    assert "\033[0m   \033[" in text.splitlines()[1]


# -- progress ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [50, 80, 120])
@pytest.mark.parametrize(
    "title", ["closed 8x8", "closed 8x8 without a1,b2 require a1-b3,c1-d3 forbid a8-b6,d4-e6"]
)
def test_a_progress_bar_keeps_its_times(columns: int, title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm-256color")
    with with_progress(Settings(), title, quiet=False) as settings:
        assert settings.progress is not None
        settings.progress(0.001, "start")
        settings.progress(
            0.4, "cell 12 of 64, 3,456,789 states in 12.5 MiB, and a note that is too long " * 2
        )
        time.sleep(0.3)
    text = re.sub("\033\\[[?0-9;]*[A-Za-z]", "", shown.getvalue())
    bars = [line.rstrip() for line in re.split(r"[\r\n]+", text) if "left" in line]
    assert bars
    assert max(map(len, bars)) <= columns
    assert re.search(r"━ +\d:\d\d:\d\d left (?:\d:\d\d:\d\d|-:--:--)", bars[-1])
    assert bars[-1].startswith(title[:6])


# -- tables --------------------------------------------------------------------------------------------------

LONG = "--require a1-b3,c1-d3 --forbid a6-b4,d4-e6,c3-d5 --without f1"

TABLES = {
    "count 5x6 --open --by start": "cells",
    "count 5x6 --open --by endpoints --directed": "tours each",
    "count 5x6 --up-to-symmetry": "invariant tours",
    "count 6x6 --by-uses slopes": "slope:1,-2",
    "count 6x6 --by-uses black-to-white": "black-to-white:-2,-1",
    f"count 6x6 --open {LONG} --by-moves": "tours through each",
    "count 3x10 --by-moves": "share",
    "count 5x6 --open --start a1 --by-steps c3": "step",
    "sequence 3xN --upto 200": "digits)",
    "sequence 3xN --generating-function": "/",
    "survey 6x6 --of turns,crossings,uses:a1-b3 -n 500 --seed 1 --exact": "95 % interval",
    "sudoku bands --box 2x3": "permutations",
    "sudoku count --box 2x3 --up-to-symmetry": "invariant grids",
    "base validate nine-boards": "any quarter",
    "census 5x6 --open --ledger {folder}/5x6.db": "published",
    "census report --ledger {folder}/5x6.db": "multiplicity",
}
"""Every command that prints a table, and what is in it."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("tables")
    answered("census", "5x6", "--open", "--ledger", str(made / "5x6.db"), "-q")
    return made


@pytest.mark.parametrize("columns", [80, full(50)])
@pytest.mark.parametrize(
    "line", quick(TABLES, lambda line: line.startswith(("count 5x6 --open --by", "sequence", "sudoku bands")))
)
def test_tables_fit_the_terminal(line: str, columns: int, request: pytest.FixtureRequest) -> None:
    quiet = [] if line.startswith(("base", "census report")) else ["-q"]
    folder = request.getfixturevalue("folder") if "{folder}" in line else ""
    arguments = [*line.format(folder=folder).split(), *quiet]
    plain, shown = answered(*arguments).out, on_terminal(*arguments, columns=columns).out
    lines = shown.splitlines()
    assert [each for each in lines if len(each) > columns and " " in each.strip()] == []
    if columns == 80:
        assert TABLES[line] in shown
    if line.startswith("sudoku bands"):
        plain, shown = (re.sub(r"\b\d+\.\d{3}\b", "s.sss", text) for text in (plain, shown))  # its seconds
    # Numbers are whole, or shortened with their length; in text that is cut three dots stand for the rest.
    whole = set(re.findall(r"\d+", plain))
    cut = re.compile(r"\S*\.\.\.\S*(?: \([\d,]+ digits\))?")
    assert set(re.findall(r"\d+", cut.sub("", shown))) <= whole
    if "sequence" not in line and columns == 80:
        assert "..." not in shown
    # Through a pipe nothing is left out.
    assert len(plain) >= len(shown.replace("\n", " ")) - 3 * len(lines)


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 10**30), st.integers(0, 12)), max_size=5),
    st.integers(40, 120),
)
def test_no_line_is_wider_than_asked(rows: list[tuple[int, int, int]], width: int) -> None:
    columns = [Column("name", text=True), Column("number", "r"), Column("more", dropped=1)]
    cells = [(("ab cd-" * 5)[:name], str(number), "x" * more) for name, number, more in rows]
    lines = fitted(columns, cells, width)
    assert len(lines) == len(rows) + 1
    assert max(map(len, lines)) <= width
    for line, (_, number, _) in zip(lines[1:], cells, strict=True):
        assert number in line or re.search(rf"\d+\.\.\.\d+ \({len(number)} digits\)", line)
    full = fitted(columns, cells)
    if max(map(len, full)) <= width:
        assert lines == full
