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
    "line",
    quick(
        TABLES,
        lambda line: line.startswith(("count 5x6 --open --by", "sequence", "sudoku bands")),
        lambda number: number % 2 == 0,
    ),
)
def test_tables_fit_the_terminal(line: str, columns: int, request: pytest.FixtureRequest) -> None:
    quiet = [] if line.startswith(("base", "census report")) else ["-q"]
    folder = request.getfixturevalue("folder") if "{folder}" in line else ""
    arguments = [*line.format(folder=folder).split(), *quiet]
    plain = answered(*arguments).out
    shown = ESCAPE.sub("", on_terminal(*arguments, columns=columns).out)
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


# -- what else a terminal shows ------------------------------------------------------------------------------


def shown_lines(text: str) -> list[str]:
    return ESCAPE.sub("", text).splitlines()


@pytest.mark.parametrize("what", ["engines", "formats", "conditions", "models", "graphs", "instances"])
@pytest.mark.parametrize("columns", [full(60), 80, full(120)])
def test_a_list_has_whole_texts_with_one_name_to_a_line(what: str, columns: int) -> None:
    entries = answered("list", what, "--json").json["entries"]
    said = on_terminal("list", what, columns=columns)
    head, *lines = shown_lines(said.out)
    assert max(map(len, [head, *lines])) <= columns
    assert [line.split()[0] for line in lines if line[0] != " "] == [each["name"] for each in entries]
    text = " ".join(" ".join(line.split()) for line in lines)
    if head.split() == ["name", "about"]:
        assert all(f"{each['name']} {each['about']}" in text for each in entries)
    assert "..." not in said.out
    assert said.out.startswith("\033[1mname")
    assert not on_terminal("list", what, NO_COLOR="1").out.startswith("\033")


def test_a_list_of_puzzles_is_a_table() -> None:
    kinds = answered("puzzle", "list", "--json").json["kinds"]
    lines = shown_lines(on_terminal("puzzle", "list").out)
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines[1:] if line[0] != " "] == [each["name"] for each in kinds]


def test_the_player_becomes_a_file_that_a_browser_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answered("tour", "6x6", "-q", "-o", "first.json")
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    page = answered("play", "first.json").out
    for name in ("first.html", "first-2.html"):
        said = on_terminal("play", "first.json", DISPLAY=":0")
        assert (said.status, said.out) == (0, f"written to {name}\n")
        assert Path(name).read_text() == page
        assert opened.pop() == (tmp_path / name).as_uri()
    # Where the file is named it is written as before, and nothing opens.
    assert on_terminal("play", "first.json", "-o", "third.html", DISPLAY=":0").out == ""
    assert on_terminal("play", "first.json", "-o", "-", DISPLAY=":0").out == page
    assert opened == []
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert on_terminal("play", "first.json").out == "written to first-3.html\n"
    assert opened == []


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}, {"COLORTERM": "truecolor"}])
def test_a_wide_board_is_its_path(environment: dict[str, str]) -> None:
    arguments = ("tour", "6x30", "-q", "--seed", "1")
    lines = shown_lines(on_terminal(*arguments, columns=80, **environment).out)
    # Five dots for a cell: two in a character, four in a line.
    assert len(lines) in (7, 8)
    assert max(map(len, lines)) <= 75
    assert set("".join(lines)) <= {chr(0x2800 + dots) for dots in range(256)}
    assert len(set("".join(lines))) > 50
    assert on_terminal(*arguments, "--format", "grid").out == answered(*arguments).out
    assert answered(*arguments, "--color", "always").out == answered(*arguments).out


@pytest.mark.parametrize(
    "line",
    [
        "tour 6x60 -q",
        "tour 60x1000 -q",
        "draw 5x40",
        full("clues make 4x30 --open -q --givens 30"),
        full("puzzle make hidato 2x30 -q --solution"),
    ],
)
def test_what_is_too_wide_says_what_to_do(line: str) -> None:
    out = on_terminal(*line.split()).out
    assert "columns wide: -o FILE writes it" in out
    assert "\033" not in out
    said = on_terminal(*line.split(), columns=30)
    assert max(map(len, shown_lines(said.out))) <= 30


def test_a_heat_map_is_coloured_blocks(tmp_path: Path) -> None:
    file = str(tmp_path / "tour.json")
    answered("tour", "6x6", "-q", "-o", file)
    said = on_terminal("draw", file, "--heat", "visit", "--caption", "Mine")
    lines = shown_lines(said.out)
    assert lines[0] == "Mine"
    assert lines[-1] == "step of the visit: 1 to 36"
    squares = {int(each) for row in numbers("\n".join(line[2:] for line in lines[1:7])) for each in row}
    assert squares == set(range(1, 37))
    assert len(set(re.findall("48;5;\\d+", said.out))) > 8
    # Without colours the numbers stay in their boxes.
    plain = on_terminal("draw", file, "--heat", "visit", NO_COLOR="1").out
    assert plain == answered("draw", file, "--heat", "visit").out
    # Wide boards have two rows of cells in a line.
    wide = str(tmp_path / "wide.json")
    answered("tour", "6x60", "-q", "-o", wide)
    lines = shown_lines(on_terminal("draw", wide, "--heat", "visit").out)
    assert lines == ["▀" * 60] * 3 + ["step of the visit: 1 to 360"]
    counts = str(tmp_path / "counts.json")
    answered("count", "5x5", "--open", "--by", "start", "-o", counts)
    assert "48;5;" in on_terminal("draw", counts).out


def test_answers_and_errors_break_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    said = on_terminal("tour", "7x7", "-q", columns=40)
    plain = answered("tour", "7x7", "-q", status=1).out
    assert max(map(len, said.out.splitlines())) <= 40
    assert said.out.replace("\n", " ") == plain.replace("\n", " ")
    error = answered("count", "graph:petersn", status=2).err
    assert error.count("\n") == 1
    monkeypatch.setenv("COLUMNS", "50")
    out = Terminal()
    with contextlib.redirect_stderr(out):
        assert run(["count", "graph:petersn"]) == 2
    assert max(map(len, out.getvalue().splitlines())) <= 50
    assert out.getvalue().replace("\n", " ") == error.replace("\n", " ")


def test_notes_of_progress_are_shortened_from_the_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm-256color")
    out = Terminal()
    with contextlib.redirect_stderr(out), with_progress(Settings(), "closed 8x8", quiet=False) as settings:
        assert settings.progress is not None
        settings.progress(0.5, "joining at row 4, 81,784 states a side")
        time.sleep(0.2)
    assert "...ates a side" in ESCAPE.sub("", out.getvalue())
    assert "joining" not in out.getvalue()


def test_a_sudoku_has_the_colours_of_a_board() -> None:
    tour = on_terminal("tour", "6x6", "-q").out
    for arguments in (
        ["sudoku", "random", "--seed", "1", "-q"],
        ["sudoku", "solve", "1.3..........2..", "-q"],
        ["sudoku", "unrank", "7", "-q"],
    ):
        plain = answered(*arguments).out
        said = on_terminal(*arguments).out
        assert set(re.findall(r"\[([\d;]+)m", said)) <= {
            code + bold for code in re.findall(r"\[(38[\d;]+)m", tour) for bold in ("", ";1")
        } | {"0"}
        assert [line.replace(" ", "") for line in shown_lines(said)] == [
            line.replace("|", "") for line in plain.splitlines() if "-" not in line
        ]
        assert on_terminal(*arguments, NO_COLOR="1").out == plain
        assert on_terminal(*arguments, "--format", "text").out == plain
    givens = re.findall(r";1m (\d) ", on_terminal("sudoku", "solve", "1.3..........2..").out)
    assert givens == ["1", "3", "2"]


def test_several_pictures_show_different_tours(tmp_path: Path) -> None:
    sheet = str(tmp_path / "sheet.svg")
    said = answered("tour", "6x6", "--number", "4", "-o", sheet)
    least = re.search(r"any two differ in (\d+) of 36 moves", said.err)
    assert least is not None
    assert int(least[1]) >= 9
    # A named engine lists its own, and where no engine finds tours far apart, they are listed, too.
    assert "differ" not in answered("tour", "6x6", "-n", "2", "--engine", "search", "-o", sheet).err
    assert answered("tour", "4x4", "-n", "2", "-o", sheet, status=1).out.startswith("no tour")


def test_a_format_is_spoken_of_as_it_was_typed() -> None:
    said = "holds one tour: leave out --number and --all"
    assert refused("tour", "6x6", "-n", "2", "-o", "two.gif") == f"-o two.gif {said}"
    assert refused("tour", "6x6", "-n", "2", "--format", "gif") == f"--format gif {said}"
    assert refused("tour", "6x6", "-n", "2", "-o", "a", "--format", "gif") == f"--format gif {said}"
    assert refused("unrank", "5x6", "0:2", "-o", "two.npy") == "-o two.npy holds one tour: give one index"
