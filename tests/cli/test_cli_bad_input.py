"""Bad input: one line that begins with ``ktsolve:``, the right exit status, and never a traceback."""

from __future__ import annotations

import json
import re
import string
from pathlib import Path
from typing import Any

import pytest
from command import answered, commands, ktsolve, process, refused
from hypothesis import given
from hypothesis import strategies as st
from marks import full
from strategies import examples, hostile_text

SIZE = "is not a board: write ROWSxCOLUMNS, such as 3x10"
BOARD = f"{SIZE}, the name of a graph file, or graph:petersen"
CELL = "is not a cell: write b3, or row,column such as 2,1"
ABLE = "use search, sat, cpsat"
ABLE_WITH_SYMMETRY = "use search, frontier, quotient, sat, cpsat"

BAD: list[tuple[str, str]] = [
    # sizes
    ("tour 8+8", f"'8+8' {BOARD}"),
    ("tour 8", f"'8' {BOARD}"),
    ("tour x8", f"'x8' {BOARD}"),
    ("tour 8x8x8", f"'8x8x8' {BOARD}"),
    ("tour 1e3x4", f"'1e3x4' {BOARD}"),
    ("tour 8.0x8", f"'8.0x8' {BOARD}"),
    ("tour ٣x٣", f"'٣x٣' {BOARD}"),
    ("tour -- -3x5", f"'-3x5' {BOARD}"),
    ("tour 0x5", "a board needs at least one row and one column, not '0x5'"),
    ("count 5x0", "a board needs at least one row and one column, not '5x0'"),
    ("count 1000000000x41", "the board '1000000000x41' is too large: a side is at most 999999999"),
    (f"count {'9' * 5000}x1", "the board '9999"),
    ("check - --board 0x0", "a board needs at least one row and one column, not '0x0'"),
    # cells
    (
        "tour 6x6 --start a7",
        "cell 'a7' is off the 6x6 board: its cells are a1 to f6, or 0,0 to 5,5 as row,column",
    ),
    ("tour 6x6 --end 6,0", "cell '6,0' is off the 6x6 board: its cells are a1 to f6"),
    ("tour 6x6 --start a0", "cell 'a0' is off the 6x6 board"),
    ("tour 6x6 --start corner", f"'corner' {CELL}"),
    ("tour 6x6 --start -1,0", f"'-1,0' {CELL}"),
    ("tour 6x6 --without g1", "cell 'g1' is off the 6x6 board"),
    ("tour 6x6 --without first:37", "'first:37' exceeds the 36 cells of the board"),
    (
        "tour 6x6 --without a1:",
        "':' is not a list of cells: write cells (b3 or 2,1), blocks (a1:b2) or first:N",
    ),
    ("tour 2x2 --without a1:b2", "every cell of the board is removed: leave at least one"),
    ("tour 6x6 --without a1 --start a1", "cell a1 is removed from the board"),
    ("tour 6x6 --at 5", "'5' is not understood: write STEP=CELL, such as 5=c3"),
    ("tour 6x6 --at c3=5", "'c3=5' is not understood: write STEP=CELL, such as 5=c3"),
    ("tour 6x6 --at 5=", "'5=' is not understood: write STEP=CELL, such as 5=c3"),
    ("tour 6x6 --at 5=z9", "cell 'z9' is off the 6x6 board"),
    ("tour 6x6 --at 0=a1", "step 0 is not among the 36 steps of the tour (1 to 36)"),
    ("tour 6x6 --at 37=a1", "step 37 is not among the 36 steps of the tour (1 to 36)"),
    # moves
    ("tour 6x6 --require a1", "'a1' is not a move: write two cells, such as a1-b3 or 7,0-5,1"),
    ("tour 6x6 --require a1-b4", "a1-b4 is not a move of a 1,2 leaper on 6x6"),
    ("tour 6x6 --forbid a1-b2", "a1-b2 is not a move of a 1,2 leaper on 6x6"),
    ("tour 6x6 --forbid a1-h9", "cell 'h9' is off the 6x6 board"),
    ("tour 6x6 --leaper 0,1 --require a1-b3", "a1-b3 is not a move of a 0,1 leaper on 6x6 leaper 0,1"),
    # contradictions
    ("tour 6x6 --require a1-b3 --forbid b3-a1", "move a1-b3 is both required and forbidden"),
    ("tour 6x6 --structured --forbid b1-a3", "move a3-b1 is both required and forbidden"),
    ("tour 6x6 --start a1 --end a1", "start and end are the same cell, a1"),
    ("tour 6x6 --at 5=a1 --at 5=b2", "step 5 cannot be both "),
    ("tour 6x6 --at 5=a1 --at 6=a1", "a1 cannot be at both step 5 and step 6"),
    ("tour 6x6 --start b2 --at 1=a1", "step 1 cannot be both "),
    ("tour 6x6 --all --number 3", "--all and --number do not go together: give one of them"),
    (
        "count 6x6 --by start",
        "classes by start or ends are those of open tours; a closed tour has no ends",
    ),
    (
        "count 6x6 --open --by start --start a1",
        "classes by start need both ends free: leave out start and end",
    ),
    (
        "count 6x6 --open --by endpoints --end a1",
        "classes by ends need both ends free: leave out start and",
    ),
    # words that nobody knows
    (
        "tour 6x6 --engine turbo",
        "engine 'turbo' is unknown: use auto, search, frontier, join",
    ),
    ("count 6x6 --spill no/such/folder", "--spill no/such/folder: no such folder"),
    (
        "count 6x6 --engine Search",
        "engine 'Search' is unknown: did you mean search? use auto, search, frontier, join",
    ),
    (
        "solve closed-6x6 --engine turbo",
        "engine 'turbo' is unknown: use auto, search, frontier, join",
    ),
    ("tour 6x6 --solver turbo", "SAT solver 'turbo' is unknown: use cadical103, cadical153, "),
    ("tour 6x6 --symmetry rot45", "symmetry 'rot45' is unknown: did you mean rot90? use rot180"),
    ("tour 6x6 --wrap z", "wrap 'z' is unknown: use none, x, y, xy"),
    ("tour 6x6 --leaper 1", "leaper '1' is not understood: write R,S such as 1,2"),
    ("tour 6x6 --leaper 1,2,3", "leaper '1,2,3' is not understood: write R,S such as 1,2"),
    ("tour 6x6 --leaper 0,0", "leaper 0,0 does not move: give two numbers from 0, not both 0, such as 1,2"),
    ("tour 6x6 --corners tl,xx", "corner 'xx' is unknown: use tl, tr, bl, br"),
    ("tour 6x6 --magic files", "lines 'files' cannot be magic: use rows, columns, diagonals"),
    ("tour 6x6 --format bmp", "format 'bmp' is unknown"),
    ("count 5x5 --open --by middle", "--by 'middle' is unknown: use start, endpoints"),
    ("solve closed-6x6 --format gif", "is written as text, json"),
    ("solve closed-6x6 --format pdf", "--format pdf: only the steps to a solution are drawn: add --steps"),
    (
        "solve closed-6x6 --format cnf --encoding best",
        "circuit encoding 'best' is unknown: use one-hot, binary",
    ),
    ("verify --level deep", "level 'deep' is unknown: use quick, standard, full"),
    ("fly 6x6", "No such command 'fly': did you mean play? For example: ktsolve tour 8x8"),
    ("--fly", "No such option: --fly"),
    ("tour 6x6 --fly", "No such option: --fly"),
    (f"tour 6x6 --mem{'9' * 5000}", f"--mem{'9' * 35}...; ktsolve tour --help lists all"),
    (f"tour 6x6 {'9' * 5000}", f"({'9' * 39}...: ktsolve tour takes BOARD"),
    ("tour 6x6 7x7", ": ktsolve tour takes BOARD. For example: ktsolve tour 8x8"),
    (
        "tour",
        "Missing argument 'BOARD'. ROWSxCOLUMNS such as 6x6, a graph or instance file, -, or graph:NAME. For",
    ),
    ("check", "Missing argument 'FILE|-'."),
    ("solve", "Missing argument 'FILE.toml|FILE.cnf|GRAPH'."),
    (
        "tour 6x6 --start",
        "Option '--start' requires an argument. First cell: b3, or 2,1. For example: ktsolve",
    ),
    ("tour 6x6 --open=yes", "Option '--open' does not take a value."),
    (
        "survey 6x6",
        "Statistics: turns,crossings,uses:a1-b3,visit:d4. For example: ktsolve survey 6x6 --of turns",
    ),
    ("sudoku random 9x9", ": ktsolve sudoku random takes options only. For example: ktsolve sudoku random"),
    ("census 5x6", "Missing option '--ledger'. SQLite file for the results. For example: ktsolve census 6x6"),
    ("puzzle", "ktsolve puzzle needs a command: use solve, unique, hint, make, draw, list. For example: kt"),
    ("8x8", "No such command '8x8': use tour, walk, "),
    ("coutn 6x6", "No such command 'coutn': did you mean count"),
    ("check 6x6", "6x6: cannot be read: No such file or directory; it is the size of a board: ktsolve tour"),
    ("walk", "Missing argument 'BOARD'. ROWSxCOLUMNS, such as 6x6. For example: ktsolve walk 20x20"),
    ("clues make 6x6 --givens 99", "--givens 99: 6x6 has 36 cells"),
    ("tour graph:cycle:2", "graph 'graph:cycle:2': 2 is too small: it must be 3 or more"),
    ("solve closed-6x6 --assume x1", "--assume is for models, but closed-6x6.toml asks for tours"),
    ("swap guarini --network some", "--network 'some' is unknown: use all, shortest"),
    ("play t.txt -o t.html --step=-1", "--step '-1' is out of range: write 0 or more"),
    # names that are nearly right
    ("tour 6x6 --leaper zebr", "leaper 'zebr' is unknown: did you mean zebra? use wazir, ferz, "),
    (
        "tour 6x6 --wrap torrus",
        "wrap 'torrus' is unknown: did you mean torus? use none, x, y, xy",
    ),
    ("tour 6x6 --engine serch", "engine 'serch' is unknown: did you mean search? use auto, search"),
    ("tour 6x6 --format cels", "format 'cels' is unknown: did you mean cells? use grid"),
    ("tour 6x6 --symmetry rot-180", "'rot-180' is unknown: did you mean rot180 or rot90? use rot180"),
    ("tour 6x6 --magic rws", "lines 'rws' cannot be magic: did you mean rows? use rows"),
    ("tour 6x6 --minimise tuns", "'tuns' is not a statistic: did you mean turns or obtuse? use acute"),
    ("tour 6x6 --solver cadicl153", "'cadicl153' is unknown: did you mean cadical153 or cadical195? use"),
    ("tour 6x6 --color nevr", "--color 'nevr' is unknown: did you mean never? use auto, always, never"),
    ("survey 6x6 --of tunrs", "'tunrs' is not a statistic: did you mean turns? use acute"),
    ("count 6x6 --by strt", "--by 'strt' is unknown: did you mean start? use start, endpoints"),
    ("walk 6x6 --rule hom", "rule 'hom' is unknown: did you mean home? use centre"),
    ("draw 6x6 --theme drak", "theme 'drak' is unknown: did you mean dark? use light"),
    ("draw 6x6 --heat vist", "heat 'vist' is unknown: did you mean visit? use visit"),
    ("draw 6x6 --layout planr", "layout 'planr' is unknown: did you mean planar? use auto"),
    ("draw 6x6 --path smoth", "path 'smoth' is unknown: did you mean smooth? use straight"),
    ("list enginees", "list 'enginees' is unknown: did you mean engines? use engines, instances"),
    ("completion bsh", "shell 'bsh' is unknown: did you mean bash or zsh? use bash, zsh"),
    ("prove 6x6 --argument clausses", "argument 'clausses' is unknown: did you mean clauses? use auto"),
    ("puzzle make slitherlnk 5x5", "kind 'slitherlnk' is unknown: did you mean slitherlink? use slither"),
    ("puzzle make masyu 5x5 --difficulty hrad", "difficulty 'hrad' is unknown: did you mean hard? use easy"),
    ("clues make 6x6 --difficulty esy", "difficulty 'esy' is unknown: did you mean easy? use easy, medium"),
    ("clues make 6x6 --pattern rot18", "--pattern 'rot18' is unknown: did you mean rot180 or rot90? use"),
    ("sudoku bands --stage reducd", "stage 'reducd' is unknown: did you mean reduced? use bands"),
    # conditions that do not fit the board
    ("tour 3x4 --symmetry rot90", "rot90 needs a square board"),
    ("tour 4x6 --open --magic diagonals", "diagonals need a square board, not 4x6"),
    ("tour 4x4 --magic rows --without a1", "equal sums of lines need a board without holes"),
    ("tour 2x8 --structured", "structured corners need at least 3 rows and 3 columns, not 2x8"),
    ("tour 6x6 --structured --without a2", "cell a2 is removed from the board"),
    # engines that cannot
    (
        "tour 6x6 --engine join",
        "engine join cannot construct tours: use search, frontier, sat, cpsat, walk, divide",
    ),
    ("tour 6x6 --all --engine join", "engine join cannot enumerate tours: use search, frontier, sat, cpsat"),
    (
        "count 6x6 --symmetry rot180 --engine join",
        f"engine join cannot count with symmetry of the tour (symmetry): {ABLE_WITH_SYMMETRY}",
    ),
    (
        "count 5x5 --open --at 5=c3 --engine frontier",
        f"engine frontier cannot count with a cell at a given step (steps): {ABLE}",
    ),
    (
        "count 8x8 --magic rows --engine frontier",
        "engine frontier cannot count with equal sums of lines (magic): use search, sat, cpsat",
    ),
    (
        "tour 8x8 --magic rows --engine walk",
        "engine walk cannot construct with equal sums of lines (magic): use search, sat, cpsat",
    ),
    # limits that make no sense
    ("tour 6x6 --timeout 0", "the time limit must be more than 0 seconds, not 0"),
    ("tour 6x6 --timeout -1", "--timeout '-1' is not a time: write seconds such as 30 or 0.5, or 5m, or 2h"),
    ("tour 6x6 --timeout soon", "--timeout 'soon' is not a time"),
    ("tour 6x6 --timeout nan", "--timeout 'nan' is not a time"),
    ("tour 6x6 --timeout inf", "--timeout 'inf' is not a time"),
    ("tour 6x6 --timeout 5d", "--timeout '5d' is not a time"),
    ("tour 6x6 --memory 0M", "the memory limit must be at least 1 MiB"),
    ("tour 6x6 --memory 1023K", "the memory limit must be at least 1 MiB"),
    ("tour 6x6 --memory lots", "--memory 'lots' is not a size: write 500M or 4G"),
    ("tour 6x6 --memory -4G", "--memory '-4G' is not a size: write 500M or 4G"),
    ("tour 6x6 --memory 4", "--memory '4' is not a size: write 500M or 4G"),
    ("tour 6x6 --threads 0", "the number of threads must be from 1 to 1024, not 0"),
    ("tour 6x6 --threads two", "--threads 'two' is not a whole number: "),
    ("tour 6x6 --seed -1", "the seed must be a number from 0 to 2147483647, not -1"),
    ("tour 6x6 --seed 2147483648", "the seed must be a number from 0 to 2147483647, not 2147483648"),
    ("tour 6x6 --seed x", "--seed 'x' is not a whole number: "),
    ("tour 6x6 --number 0", "--number '0' is out of range: write 1 or more"),
    ("tour 6x6 --number 1.5", "--number '1.5' is not a whole number: "),
    # files
    (
        "solve absent.toml",
        "absent.toml: cannot be read: No such file or directory; shipped instances are ",
    ),
    ("solve .", ".: cannot be read: Is a directory"),
    ("check absent.txt", "absent.txt: cannot be read: No such file or directory"),
    ("check .", ".: cannot be read: Is a directory"),
    ("check - --without a1", "step 1: cell 2,0 is removed from the board 3x2 without a1"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD, ids=[line[:60] for line, _ in BAD])
def test_bad_input_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    told = refused(*arguments.split(), given=b"a1 b3")
    assert message in told
    assert len(told) < 500
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments", ["tour 8+8", *map(full, ("tour 6x6 --engine join", "solve absent.toml", "fly"))]
)
def test_the_same_as_a_process(arguments: str) -> None:
    said = process(*arguments.split())
    assert (said.status, said.out) == (2, "")
    assert said.complaint == refused(*arguments.split())


@pytest.mark.parametrize("command", ["tour", "count"])
@pytest.mark.parametrize("flag", [[], ["--json"], ["--quiet"]])
def test_flags_do_not_change_how_bad_input_is_told(command: str, flag: list[str]) -> None:
    assert refused(command, "8+8", *flag) == f"'8+8' {BOARD}"


def test_characters_that_would_move_the_cursor_are_shown_as_codes() -> None:
    for strange in ("\x1b[2J", "\x07", "a\nb", "\u202e", "\ud800", "\x00"):
        for arguments in (
            ["fly" + strange],
            ["tour", strange],
            ["tour", "6x6", "--engine", strange],
            ["solve", strange],
        ):
            refused(*arguments)


# -- tours that are none ----------------------------------------------------------------------------------

NONE = "the input is not a tour: it is neither a grid of numbers, nor a list of cells, nor JSON"
TEXT = "standard input: this is not text"
LIST = 'a tour in JSON is a list of [row, column], or an object with such a list as "squares"'


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (b"", "there is no tour in the input: it is empty"),
        (b" \n\t\n", "there is no tour in the input: it is empty"),
        (b"\xef\xbb\xbf", "there is no tour in the input: it is empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\xff\xfe", TEXT),
        (b"\x80\x81\x82", TEXT),
        (b"\x00\x01\x02", ""),
        (b"hello, world", NONE),
        (b"model = 'tour'", NONE),
        (b"<svg></svg>", NONE),
        (b"1 2 x\n3 4 5", "line 1, entry 3: 'x' is not a step number"),
        (
            b"1 2 l3\n3 4 5",
            "line 1, entry 3: 'l3' is not a step number: is the letter l",
        ),
        (b"1 2 3.5", ""),
        (b"1 2 -3", "line 1, entry 3: '-3' is not a step number"),
        (b"1 2 " + b"9" * 5000, "line 1, entry 3: '99999999999"),
        (b". . .", "the grid holds no step numbers"),
        (b"{", "the input looks like JSON but is not: "),
        (b"[" * 100_000, "the input looks like JSON but is not: "),
        (b"[" + b"1" * 5000 + b"]", "the input looks like JSON but is not: "),
        (b"{}", LIST),
        (b"[]", LIST),
        (b'{"squares": "a1"}', LIST),
        (b'{"tours": []}', "the input holds 0 tours: give one at a time"),
        (b'{"status": "found", "count": "8"}', "the JSON is that of a count, and holds no tour"),
        (b"[1, 2]", "step 1: 1 is not a cell: write [row, column]"),
        (b"[[0, 0], [1]]", "step 2: [1] is not a cell: write [row, column]"),
        (b"[[0, 0], [true, 2]]", "step 2: [True, 2] is not a cell: write [row, column]"),
        (b"[[0, 0], [1, NaN]]", "step 2: [1, nan] is not a cell: write [row, column]"),
        (b"[[0, 0], [-1, 2]]", "step 2: [-1, 2] is on no board"),
        (b'{"board": "8+8", "squares": [[0, 0]]}', f"'8+8' {SIZE}"),
        (b'{"board": {"rows": 3}, "squares": [[0, 0]]}', "the board in JSON has no columns: write"),
        (b'{"board": {"rows": 3, "columns": 3, "wrap": []}, "squares": [[0, 0]]}', ""),
        (b'{"board": {"rows": 3, "columns": 3, "leaper": 5}, "squares": [[0, 0]]}', "leaper, of the board"),
        (b'{"board": {"rows": 3, "columns": 3, "without": [[[1], 2]]}, "squares": [[0, 0]]}', "without, of"),
        (b'{"board": {"rows": true, "columns": 1e400}, "squares": [[0, 0]]}', ""),
        (b'{"board": "3x3", "squares": ["a1", "d9"]}', "cell 'd9' is off the 3x3 board"),
        (b'{"board": "3x3", "squares": [[0, 0], [3, 3]]}', "step 2: cell 3,3 is off the board 3x3"),
        (b"aaaaaa1", "'aaaaaa1' is "),
    ],
    ids=lambda value: repr(value[:40]) if isinstance(value, bytes) else "",
)
def test_what_is_no_tour(tmp_path: Path, given: bytes, message: str) -> None:
    assert refused("check", "-", given=given).startswith(message)
    path = tmp_path / "tour"
    path.write_bytes(given)
    told = refused("check", str(path))
    assert told.startswith(message.replace("standard input", str(path)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--board 4x4", "the grid has 3x4 entries, the board is 4x4"),
        ("--board 3x4 --start z9", "cell 'z9' is off the 3x4 board"),
        ("--require a1-b4", "cell 'b4' is off the 3x4 board"),
        ("--symmetry rot90", "rot90 needs a square board"),
        ("--leaper 0,0", "leaper 0,0 does not move"),
        ("--wrap z", "wrap 'z' is unknown"),
        ("--at 99=a1", "step 99 is not among the 12 steps of the tour (1 to 12)"),
    ],
)
def test_questions_that_do_not_fit_the_tour(arguments: str, message: str) -> None:
    told = refused("check", "-", *arguments.split(), given=b"1 4 7 10\n8 11 2 5\n3 6 9 12\n")
    assert message in told


def test_a_few_cells_far_apart_fill_no_memory() -> None:
    for text in ("a1 zzz20000", '{"board": "20000x20000", "squares": [[0, 0], [1, 2]]}', "0,0 19999,19999"):
        said = answered("check", "-", given=text.encode(), status=1)
        assert said.out.startswith("not a tour: 2 of ")


# -- instance files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"model = ", "not TOML: Invalid value"),
        (b"\x89PNG\xff\xfe", "not TOML: not text (byte 1 is not UTF-8)"),
        (b"", "model is missing: write the name of a model"),
        (
            b'model = "tour"\n[parameters]\nboard = "6x6"\nclosed = "yes"',
            "parameters.closed must be true or false",
        ),
        (
            b'model = "tour"\n[parameters]\nboard = "6x6"\nclosed = true\nstart = "z9"',
            "parameters.start: cell 'z9'",
        ),
        (b'model = "absent.py"\n[parameters]', "model: there is no file 'absent.py' beside the instance"),
        (b'model = "own.py"\n[parameters]', "model own.py: build, line 4: RuntimeError: two lines"),
        (b'model = "late.py"\n[parameters]', "model late.py: decode, line 4: KeyError: 'x'"),
        (b'model = "mute.py"\n[parameters]', "model mute.py: the solution, line 5: TypeError: no words"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_wrong_instance_files(tmp_path: Path, data: bytes, message: str) -> None:
    start = "from ktsolve import Model\nfrom ktsolve.models import Built\n"
    (tmp_path / "own.py").write_text(
        f"{start}def build(parameters):\n    raise RuntimeError('two\\nlines')\n"
    )
    (tmp_path / "late.py").write_text(
        f"{start}def decode(assignment):\n    return {{}}['x']\n"
        "def build(parameters):\n    return Built(Model(), decode)\n"
    )
    (tmp_path / "mute.py").write_text(
        f"{start}class Mute:\n    def __str__(self):\n        raise TypeError('no words')\n"
        "def build(parameters):\n    return Built(Model(), lambda assignment: Mute())\n"
    )
    path = tmp_path / "bad.toml"
    path.write_bytes(data)
    for flags in ([], ["--json"]):
        assert refused("solve", str(path), *flags).startswith(f"{path}: {message}")


# -- whatever one may type --------------------------------------------------------------------------------

_GARBAGE = st.one_of(
    st.text(alphabet=string.printable + "é²٣\u2028\x00\ud800", max_size=12),
    hostile_text(),
    st.integers(-3, 10**6).map(str),
).filter(lambda text: not text.startswith("-"))
_CELLS = st.sampled_from(["a1", "a3", "b3", "d3", "d1", "0,0", "2,3", "e5"])
_MOVES = st.sampled_from(["a1-b3", "a1-c2", "b1-d2", "0,0-1,2", "a3-c2", "a1-b3,b1-a3", "a1-a2"])
_VALUES: dict[str, st.SearchStrategy[str]] = {
    "--start": _CELLS,
    "--end": _CELLS,
    "--require": _MOVES,
    "--forbid": _MOVES,
    "--without": st.sampled_from(["a1", "b2", "first:1", "0,0 2,0", "a1:d3"]),
    "--leaper": st.sampled_from(["1,2", "0,1", "1,3", "1,1", "9,9"]),
    "--wrap": st.sampled_from(["none", "x", "y", "xy"]),
    "--symmetry": st.sampled_from(["rot180", "rot90", "flip-h", "flip-v"]),
    "--at": st.sampled_from(["5=d2", "1=a3", "12=d1", "3=a1", "13=a1"]),
    "--corners": st.sampled_from(["tl", "tl,br", ""]),
    "--magic": st.sampled_from(["rows", "columns", "diagonals"]),
    "--engine": st.sampled_from(["auto", "search", "frontier", "join", "sat", "cpsat"]),
    "--solver": st.sampled_from(["cadical153", "glucose4"]),
    "--memory": st.sampled_from(["1G", "500M", "200M"]),
    "--threads": st.sampled_from(["1", "2"]),
    "--seed": st.sampled_from(["0", "7", "-1"]),
    "--number": st.sampled_from(["1", "3", "0"]),
    "--format": st.sampled_from(["grid", "cells", "json", "svg", "listing", "cnf", "opb", "hcp"]),
    "--by": st.sampled_from(["start", "endpoints"]),
    "--board": st.sampled_from(["3x4", "3x3"]),
    "--encoding": st.sampled_from(["one-hot", "binary"]),
}
_FLAGS = {
    "tour": ["--open", "--open", "--closed", "--structured", "--json", "--quiet", "--all"],
    "count": ["--open", "--open", "--closed", "--structured", "--json", "-q", "--directed"],
    "check": ["--open", "--closed", "--structured", "--json"],
    "solve": ["--json", "--quiet"],
}
_TAKES = {
    "tour": [name for name in _VALUES if name not in ("--by", "--board", "--encoding")],
    "count": [
        name
        for name in _VALUES
        if name not in ("--seed", "--number", "--format", "--board", "--encoding")
    ],
    "check": [
        "--start", "--end", "--require", "--forbid", "--without", "--leaper", "--wrap", "--symmetry", "--at",
        "--corners", "--magic", "--board",
    ],
    "solve": ["--engine", "--solver", "--seed", "--threads", "--memory", "--format", "--encoding"],
}  # fmt: skip
_BOARDS = ["3x4", "3x4", "3x4", "4x5", "3x7", "3x10", "3x3", "1x1", "2x5"]
_INSTANCES = ["guarini-ring", "schwenk-4x6", "closed-3x10", "open-4x4", "."]


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    """Mostly sensible ones: a known command, a small board, options with values that it may take."""

    def mostly(usual: st.SearchStrategy[str], strange: st.SearchStrategy[str]) -> str:
        return draw(strange if draw(st.integers(0, 24)) == 13 else usual)

    command = mostly(st.sampled_from(["tour", "tour", "count", "count", "check", "solve"]), _GARBAGE)
    given = {"check": ["-"], "solve": _INSTANCES}.get(command, _BOARDS)
    words = [mostly(st.sampled_from(given), _GARBAGE)]
    known = st.sampled_from(_TAKES.get(command, sorted(_VALUES)))
    for _ in range(draw(st.integers(0, 3))):
        name = mostly(known, st.sampled_from(sorted(_VALUES)))
        value = mostly(_VALUES[name], _GARBAGE)
        words += [f"{name}={value}"] if draw(st.booleans()) else [name, value]
    flags = st.sampled_from(_FLAGS.get(command, ["--fly"]))
    words += [mostly(flags, st.just("--fly")) for _ in range(draw(st.integers(0, 2)))]
    return [command, *words, *([] if command == "check" else ["--timeout=0.4"])]


_TOURS = st.one_of(
    st.sampled_from(
        [
            b"1 4 7 10\n8 11 2 5\n3 6 9 12\n",
            b"1 6 3\n4 . 8\n7 2 5\n",
            b"a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1",
            b'{"board": "3x4", "closed": false, "squares": [[0, 0], [1, 2], [2, 0]]}',
        ]
    ),
    hostile_text().map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.binary(max_size=40),
)


@st.composite
def spoilt(draw: st.DrawFn) -> bytes:
    """A tour, or something else, with a few bytes changed, left out or put in."""
    data = bytearray(draw(_TOURS))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(data)))
        data[at : at + draw(st.integers(0, 2))] = draw(
            st.binary(max_size=2) | st.sampled_from([b"0", b" ", b"-"])
        )
    return bytes(data)


@examples(250)
@given(command_lines(), spoilt())
def test_whatever_is_typed_ends_well(line: list[str], data: bytes) -> None:
    """Status 0 or 1 with an answer, 2 with one line only, 3 with one line and perhaps the JSON object."""
    said = ktsolve(*line, given=data)
    assert said.status in (0, 1, 2, 3)
    assert "internal error" not in said.err
    if said.status in (2, 3):
        assert said.complaint
    if said.status == 2:
        assert said.out == ""
    if said.status in (0, 1):
        assert said.out
        assert not said.err.startswith("ktsolve:")
        if "--json" in line and not any(word.startswith("--format") for word in line):
            assert said.json["schema"] == "ktsolve/1"


@examples(200)
@given(
    spoilt(), st.sampled_from([[], ["--json"], ["--board", "3x4"], ["--closed"], ["--leaper=0,1", "--json"]])
)
def test_whatever_is_checked_is_judged_or_refused(data: bytes, flags: list[str]) -> None:
    said = ktsolve("check", "-", *flags, given=data)
    assert said.status in (0, 1, 2)
    if said.status == 2:
        assert said.out == ""
        assert said.complaint
    else:
        assert said.err == ""
        valid = said.json["status"] == "valid" if "--json" in flags else said.out.startswith("valid ")
        assert valid is (said.status == 0)


@examples(60)
@given(st.lists(_GARBAGE, max_size=4))
def test_mere_garbage_is_refused(words: list[str]) -> None:
    said = ktsolve(*words)
    if words:
        assert said.status == 2
        assert said.complaint
    else:
        assert said.status == 0


@examples(150)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-2, 30) | st.floats() | st.sampled_from(["a1", "3x3", "x"]),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["board", "squares", "closed", "rows", "columns", "without"]), inner
            )
        ),
        max_leaves=12,
    )
)
def test_any_json_is_judged_or_refused(value: Any) -> None:
    said = ktsolve("check", "-", given=json.dumps(value).encode())
    assert said.status in (0, 1, 2)
    assert re.match(r"valid|not a tour: |condition violated: |$", said.out)
    if said.status == 2:
        assert said.out == ""
        assert said.complaint


def test_every_command_without_its_arguments_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words, command in commands().items():
        needed = [each for each in command.params if each.required]
        if words and (needed or hasattr(command, "commands")):
            told = refused(*words.split())
            assert "For example: ktsolve " in told, words
            assert words == "census" or "needs a command" in told or f"{needed[0].help.rstrip('.')}. " in told


@pytest.mark.parametrize("command", ["check", "draw", "graphs", "solve", "puzzle solve", "rank 6x6"])
def test_a_file_without_a_name(command: str) -> None:
    for name in ("", " "):
        assert " is empty: write the name of a file" in refused(*command.split(), name)
