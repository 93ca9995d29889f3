"""Instance files: those shipped, files of all sorts that are wrong, and models that users bring."""

from __future__ import annotations

import json
import os
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, one_line

from ktsolve.engines.base import Settings
from ktsolve.errors import BadInput, LimitReached
from ktsolve.ground.figures import CORNERS
from ktsolve.ground.tour import Tour
from ktsolve.instance import Expectation, Instance, load_instance, shipped_instances, shipped_models
from ktsolve.problem.problem import TourProblem
from ktsolve.solving import solve_instance
from ktsolve.verify.catalogue import published

SHIPPED = {Path(path).stem: path for path in shipped_instances()}


def written(folder: Path, text: str, name: str = "asked.toml") -> Path:
    """An instance file with that text."""
    path = folder / name
    path.write_text(dedent(text), encoding="utf-8")
    return path


def complaint(path: Path | str) -> str:
    """What is wrong with a file, without the file's name, which must come first."""
    with pytest.raises(BadInput) as caught:
        load_instance(path)
    message = str(caught.value)
    assert message.isprintable()
    assert message.startswith(f"{path}: ")
    return message.removeprefix(f"{path}: ")


# -- those that are shipped -------------------------------------------------------------------------------


def test_there_are_enough_of_them() -> None:
    loaded = [load_instance(path) for path in SHIPPED.values()]
    assert len(loaded) >= 14
    assert {each.model_name for each in loaded} == set(shipped_models()) == {"structured", "tour"}
    assert len({each.title for each in loaded}) == len(loaded)
    assert {each.expect.status for each in loaded} == {"found", "impossible"}
    asked = set().union(*(problem_of(each).features for each in loaded))
    assert asked >= {"holes", "leaper", "wrap", "require", "forbid", "start", "end", "steps", "symmetry"}
    assert asked >= {"structured", "magic", "open", "closed"}


def problem_of(instance: Instance) -> TourProblem:
    assert instance.built.problem is not None
    return instance.built.problem


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_instance_has_the_answer_it_expects(name: str) -> None:
    instance = load_instance(SHIPPED[name])
    assert instance.title
    assert instance.source
    assert instance.expect.status is not None
    answer = solve_instance(instance, settings=Settings(timeout=20))
    assert answer.disagreement == ""
    assert answer.status == instance.expect.status
    assert answer.count == instance.expect.count
    if answer.status == "found":
        assert isinstance(answer.solution, Tour)
        assert answer.solution.valid
        assert problem_of(instance).check(answer.solution) is None
    else:
        assert answer.solution is None
        assert answer.reason


SECOND_OPINIONS = [
    (name, engine)
    for engine, names in {
        "search": (
            "closed-3x10",
            "closed-octagon",
            "ends-6x6",
            "open-4x4",
            "open-5x5",
            "torus-4x4",
            "wazir-6x6",
        ),
        "sat": (
            "centre-halfway-5x5",
            "guarini-ring",
            "half-turn-6x6",
            "magic-8x8",
            "structured-5x6-symmetric",
        ),
        "cpsat": ("open-4x4", "required-forbidden-6x6", "structured-8x10", "zebra-10x10", "schwenk-4x6"),
        "frontier": ("closed-6x6", "structured-6x6", "schwenk-4x6", "open-4x4"),
    }.items()
    for name in names
]


@pytest.mark.parametrize(("name", "engine"), SECOND_OPINIONS)
def test_another_engine_agrees(name: str, engine: str) -> None:
    answer = solve_instance(load_instance(name), engine, Settings(timeout=30))
    assert answer.disagreement == ""
    assert engine in answer.engine or answer.engine == "arithmetic"


def test_what_they_expect_is_what_is_published() -> None:
    known = {entry.problem: entry.count for entry in published()}
    compared = 0
    for path in SHIPPED.values():
        instance = load_instance(path)
        if problem_of(instance) in known:
            number = known[problem_of(instance)]
            assert instance.expect.status == ("found" if number else "impossible"), path
            assert instance.expect.count in (None, number), path
            compared += 1
    assert compared >= 7


def test_a_shipped_instance_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    by_path = load_instance(SHIPPED["closed-6x6"])
    for name in ("closed-6x6", "closed-6x6.toml"):
        named = load_instance(name)
        assert (named.title, named.expect) == (by_path.title, by_path.expect)
    written(tmp_path, 'model = "tour"\n[parameters]\nboard = "3x4"\nclosed = false', "closed-6x6.toml")
    assert load_instance("closed-6x6.toml").title == "closed-6x6"
    assert load_instance("closed-6x6").expect.count == 9862


# -- what is expected -------------------------------------------------------------------------------------

RING = """
model = "tour"
[parameters]
board = "3x3"
without = "b2"
closed = true
"""


@pytest.mark.parametrize(
    ("expect", "loaded", "disagreement"),
    [
        ("", Expectation(None, None), ""),
        ('status = "found"', Expectation("found", None), ""),
        ("count = 1", Expectation("found", 1), ""),
        ('count = "1"', Expectation("found", 1), ""),
        ('status = "found"\ncount = 1', Expectation("found", 1), ""),
        ('status = "impossible"', Expectation("impossible", None), "expected impossible, got found"),
        ("count = 2", Expectation("found", 2), "expected 2 solutions, got 1"),
        (f'count = "{10**30}"', Expectation("found", 10**30), f"expected {10**30} solutions, got 1"),
        (
            "count = 0",
            Expectation("impossible", 0),
            "expected impossible, got found; expected 0 solutions, got 1",
        ),
    ],
)
def test_expectations(tmp_path: Path, expect: str, loaded: Expectation, disagreement: str) -> None:
    instance = load_instance(written(tmp_path, f"{RING}[expect]\n{expect}"))
    assert instance.expect == loaded
    assert (instance.title, instance.source) == ("asked", "")
    for engine in ("auto", "search", "sat"):
        answer = solve_instance(instance, engine)
        assert answer.disagreement == disagreement
        assert answer.status == "found"


# -- what parameters mean ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ('board = "3x4"\nclosed = false', TourProblem(board="3x4", closed=False)),
        ('board = "6x6"\nclosed = true\nstart = "b3"', TourProblem(board="6x6", closed=True, start="b3")),
        (
            'board = "5x5"\nclosed = false\nstart = "0,0"\nend = "c3"\nsteps = { 7 = "e4", 2 = "2,1" }',
            TourProblem(board="5x5", closed=False, start="a5", end="c3", steps={2: "b3", 7: "e4"}),
        ),
        (
            'board = "6x6"\nclosed = true\nrequire = ["a1-b3", "5,2-3,1"]\nforbid = ["c1-d3"]',
            TourProblem(board="6x6", closed=True, require=["a1-b3", "c1-b3"], forbid=["c1-d3"]),
        ),
        (
            'board = "6x6"\nclosed = true\nsymmetry = "rot90"\nstructured = true',
            TourProblem(board="6x6", closed=True, symmetry="rot90", corners=CORNERS),
        ),
        (
            'board = "6x6"\nclosed = true\nstructured = false\ncorners = ["tl"]',
            TourProblem(board="6x6", closed=True, corners=["tl"]),
        ),
        (
            'board = "6x6"\nclosed = true\nstructured = true\ncorners = ["tl"]',
            TourProblem(board="6x6", closed=True, corners=CORNERS),
        ),
        (
            'board = "4x4"\nclosed = false\nmagic = ["rows", "diagonals"]',
            TourProblem(board="4x4", closed=False, magic=["diagonals", "rows"]),
        ),
    ],
)
def test_parameters_of_tours(tmp_path: Path, parameters: str, problem: TourProblem) -> None:
    text = f'model = "tour"\n[parameters]\n{parameters}'
    assert problem_of(load_instance(written(tmp_path, text))) == problem


@pytest.mark.parametrize(
    ("parameters", "cells", "leaper", "wrap"),
    [
        ('shape = """\n.#.\n...\n"""', 5, (1, 2), "none"),
        ('shape = "..."\nleaper = [1, 0]\nwrap = "x"', 3, (0, 1), "x"),
        ('board = "3x3"\nwithout = ["a1", "b2:c3"]\nwrap = "xy"', 4, (1, 2), "xy"),
        ('board = "3x3"\nwithout = "first:2 c1"', 6, (1, 2), "none"),
        ('board = "3x3"\nwithout = []\nleaper = [2, 3]', 9, (2, 3), "none"),
    ],
)
def test_boards(tmp_path: Path, parameters: str, cells: int, leaper: tuple[int, int], wrap: str) -> None:
    path = written(tmp_path, f'model = "tour"\n[parameters]\nclosed = true\n{parameters}')
    board = problem_of(load_instance(path)).board
    assert (len(board), board.leaper, board.wrap) == (cells, leaper, wrap)


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ('board = "6x6"', TourProblem(board="6x6", closed=True, corners=CORNERS)),
        ('board = "5x6"\ncorners = []', TourProblem(board="5x6", closed=True)),
        (
            'board = "6x6"\ncorners = ["br", "tl"]\nsymmetric = true',
            TourProblem(board="6x6", closed=True, corners=["tl", "br"], symmetry="rot180"),
        ),
    ],
)
def test_parameters_of_structured_tours(tmp_path: Path, parameters: str, problem: TourProblem) -> None:
    text = f'model = "structured"\n[parameters]\n{parameters}'
    assert problem_of(load_instance(written(tmp_path, text))) == problem


# -- files that are wrong ---------------------------------------------------------------------------------

KEYS = "expected one of expect, model, parameters, source, title"
TOUR_KEYS = (
    "expected one of board, closed, corners, end, forbid, leaper, magic, require, shape, start, steps, "
    "structured, symmetry, without, wrap"
)
BAD_FILES = [
    ("", "model is missing: write the name of a model, structured or tour, or of a .py file"),
    ('model = "tour"', "parameters is missing: write a table [parameters]"),
    ("model = 3\n[parameters]", "model must be text, not 3"),
    ('model = "tour"\nparameters = []', "parameters must be a table, not []"),
    ('model = "tour"\ntitle = 1\n[parameters]', "title must be text, not 1"),
    ('model = "tour"\nsource = ["x"]\n[parameters]', "source must be text, not ['x']"),
    ('model = "tour"\ncolour = 1\n[parameters]', f"colour is unknown: {KEYS}"),
    (
        'model = "queens"\n[parameters]',
        "model 'queens' is unknown: use structured, tour, or the name of a .py ",
    ),
    (
        'model = "__init__"\n[parameters]',
        "model '__init__' is unknown: use structured, tour, or the name of a",
    ),
    (
        'model = ""\n[parameters]',
        "model '' is unknown: use structured, tour, or the name of a .py file beside",
    ),
    ('model = "mine.py"\n[parameters]', "model: there is no file 'mine.py' beside the instance"),
    ('model = "\\u0000.py"\n[parameters]', "model: there is no file '\\x00.py' beside the instance"),
    (f'model = "{"m" * 400}.py"\n[parameters]', f"model: there is no file '{'m' * 59} beside the instance"),
    (RING + "[expect]\nanswer = 1", "expect.answer is unknown: expected one of count, status, value"),
    (RING + "[expect]\nstatus = 1", "expect.status must be text, not 1"),
    (RING + '[expect]\nstatus = "maybe"', 'expect.status must be "found" or "impossible", not \'maybe\''),
    (RING + "[expect]\ncount = 1.0", "expect.count must be a whole number or text, not 1.0"),
    (RING + "[expect]\ncount = true", "expect.count must be a whole number or text, not True"),
    (RING + "[expect]\ncount = -1", "expect.count must be a whole number, not -1"),
    (RING + '[expect]\ncount = "many"', "expect.count must be a whole number, not 'many'"),
    (RING + '[expect]\ncount = "-1"', "expect.count must be a whole number, not '-1'"),
    (RING + '[expect]\ncount = "²"', "expect.count must be a whole number, not '²'"),
    (RING + f'[expect]\ncount = "{"9" * 9999}"', f"expect.count must be a whole number, not '{'9' * 39}"),
    (
        RING + '[expect]\ncount = 1\nstatus = "impossible"',
        "expect.count = 1 contradicts expect.status = 'imp",
    ),
    (RING + '[expect]\nvalue = "3"', "expect.value must be a whole number, not '3'"),
    (
        RING + "[expect]\nvalue = 3\ncount = 1",
        "expect.value is that of a best solution: it goes with neither",
    ),
    (RING + '[expect]\ncount = 0\nstatus = "found"', "expect.count = 0 contradicts expect.status = 'found'"),
]
BAD_TOURS = [
    ("closed = true", 'parameters.board is missing: write board = "8x8", or draw one with shape'),
    ('board = "6x6"', "parameters.closed is missing: write closed = true or closed = false"),
    ('board = "6x6"\nclosed = "yes"', "parameters.closed must be true or false, not 'yes'"),
    ('board = "6x6"\nclosed = 1', "parameters.closed must be true or false, not 1"),
    ("board = 66\nclosed = true", "parameters.board must be text, not 66"),
    ("board = 1979-05-27\nclosed = true", "parameters.board must be text, not datetime.date(1979, 5, 27)"),
    (
        'board = "8*8"\nclosed = true',
        "parameters.board: '8*8' is not a board: write ROWSxCOLUMNS, such as 3x1",
    ),
    (
        'board = "0x8"\nclosed = true',
        "parameters.board: a board needs at least one row and one column, not '0",
    ),
    (
        'board = "9999x9999"\nclosed = true',
        "parameters.board: an instance has at most 1000000 cells, not 9998",
    ),
    ('boards = "6x6"\nclosed = true', f"parameters.boards is unknown: {TOUR_KEYS}"),
    (
        'board = "6x6"\nshape = "..."\nclosed = true',
        "parameters.shape draws the whole board: leave out board ",
    ),
    (
        'without = "a1"\nshape = "..."\nclosed = true',
        "parameters.shape draws the whole board: leave out board",
    ),
    (
        'shape = ""\nclosed = true',
        "parameters.shape: a drawn board needs lines of one length, '.' for a cell ",
    ),
    (
        'shape = "..\\n."\nclosed = true',
        "parameters.shape: a drawn board needs lines of one length, '.' for a",
    ),
    (
        'shape = "..\\n.x"\nclosed = true',
        "parameters.shape: a drawn board has '.' for a cell and '#' for a ho",
    ),
    (
        'shape = "##"\nclosed = true',
        "parameters.shape: every cell of the board is removed: leave at least one",
    ),
    ('board = "3x3"\nclosed = true\nwithout = 3', "parameters.without must be text or a list, not 3"),
    ('board = "3x3"\nclosed = true\nwithout = [3]', "parameters.without must be a list of texts, not [3]"),
    (
        'board = "3x3"\nclosed = true\nwithout = "d1"',
        "parameters.without: cell 'd1' is off the 3x3 board: its",
    ),
    ('board = "3x3"\nclosed = true\nwithout = "?"', "parameters.without: '?' is not a list of cells: write"),
    (
        'board = "3x3"\nclosed = true\nwithout = "a1:c3"',
        "parameters.without: every cell of the board is remo",
    ),
    (
        'board = "3x3"\nclosed = true\nleaper = [1]',
        "parameters.leaper must be two whole numbers, such as [1, 2]",
    ),
    (
        'board = "3x3"\nclosed = true\nleaper = [1, 2, 3]',
        "parameters.leaper must be two whole numbers, such as",
    ),
    (
        'board = "3x3"\nclosed = true\nleaper = [1, 2.5]',
        "parameters.leaper must be two whole numbers, such as",
    ),
    (
        'board = "3x3"\nclosed = true\nleaper = [true, 2]',
        "parameters.leaper must be two whole numbers, such as",
    ),
    ('board = "3x3"\nclosed = true\nleaper = "1,2"', "parameters.leaper must be a list, not '1,2'"),
    (
        'board = "3x3"\nclosed = true\nleaper = [0, 0]',
        "parameters.leaper: leaper 0,0 does not move: give two n",
    ),
    ('board = "3x3"\nclosed = true\nwrap = "z"', "parameters.wrap: wrap 'z' is unknown: use none, x, y, xy"),
    ('board = "3x3"\nclosed = true\nwrap = true', "parameters.wrap must be text, not True"),
    (
        'board = "3x3"\nclosed = true\nstart = "a9"',
        "parameters.start: cell 'a9' is off the 3x3 board: its cells",
    ),
    (
        'board = "3x3"\nclosed = true\nend = "corner"',
        "parameters.end: 'corner' is not a cell: write b3, or row",
    ),
    (
        'board = "3x3"\nclosed = true\nwithout = "a1"\nend = "a1"',
        "parameters.end: cell a1 is removed from the",
    ),
    ('board = "3x3"\nclosed = true\nrequire = "a1-b3"', "parameters.require must be a list, not 'a1-b3'"),
    (
        'board = "3x3"\nclosed = true\nrequire = [["a1", "b3"]]',
        "parameters.require must be a list of texts, no",
    ),
    (
        'board = "3x3"\nclosed = true\nrequire = ["a1"]',
        "parameters.require: 'a1' is not a move: write two cel",
    ),
    (
        'board = "3x3"\nclosed = true\nforbid = ["a1-b2"]',
        "parameters.forbid: a1-b2 is no move of a 1,2 leaper",
    ),
    ('board = "3x3"\nclosed = true\nsteps = ["a1"]', "parameters.steps must be a table, not ['a1']"),
    (
        'board = "3x3"\nclosed = true\nsteps = { x = "a1" }',
        "parameters.steps: x = 'a1' is not understood: write",
    ),
    (
        'board = "3x3"\nclosed = true\nsteps = { 5 = 3 }',
        "parameters.steps: 5 = 3 is not understood: write 5 = ",
    ),
    (
        'board = "3x3"\nclosed = true\nsteps = { 5 = "d1" }',
        "parameters.steps.5: cell 'd1' is off the 3x3 board",
    ),
    (
        'board = "3x3"\nclosed = true\nsteps = { 10 = "a1" }',
        "parameters: step 10 is not among the 9 steps of t",
    ),
    (
        'board = "3x3"\nclosed = true\nsteps = { 0 = "a1" }',
        "parameters: step 0 is not among the 9 steps of the",
    ),
    (
        'board = "3x3"\nclosed = true\nsteps = { 5 = "a1", 05 = "a2" }',
        "parameters: step 5 cannot be both a",
    ),
    (
        'board = "3x3"\nclosed = true\nsteps = { 5 = "a1", 6 = "a1" }',
        "parameters: a1 cannot be at both step 5 ",
    ),
    ('board = "3x3"\nclosed = true\nsymmetry = "rot45"', "parameters.symmetry: symmetry 'rot45' is unknown"),
    ('board = "3x4"\nclosed = true\nsymmetry = "rot90"', "parameters.symmetry: "),
    (
        'board = "3x3"\nclosed = true\nstructured = "all"',
        "parameters.structured must be true or false, not 'al",
    ),
    (
        'board = "2x9"\nclosed = true\nstructured = true',
        "parameters.structured: structured corners need at lea",
    ),
    (
        'board = "3x3"\nclosed = true\ncorners = ["top"]',
        "parameters.corners: 'top' is unknown: use tl, tr, bl, ",
    ),
    ('board = "3x3"\nclosed = true\ncorners = [1]', "parameters.corners must be a list of texts, not [1]"),
    (
        'board = "3x3"\nclosed = true\nmagic = ["files"]',
        "parameters.magic: 'files' is unknown: use rows, columns",
    ),
    (
        'board = "3x4"\nclosed = true\nmagic = ["diagonals"]',
        "parameters: equal sums of diagonals need a square",
    ),
    (
        'board = "3x3"\nclosed = true\nstart = "a1"\nend = "a1"',
        "parameters: start and end are the same cell, a1",
    ),
    (
        'board = "3x3"\nclosed = true\nrequire = ["a1-b3"]\nforbid = ["b3-a1"]',
        "parameters: move a1-b3 is both required and forbidden",
    ),
]
BAD_STRUCTURED = [
    ("", 'parameters.board is missing: write board = "6x6"'),
    (
        'board = "6x6"\nclosed = true',
        "parameters.closed is unknown: expected one of board, corners, symmetric",
    ),
    ("board = 6", "parameters.board must be text, not 6"),
    ('board = "6"', "parameters.board: '6' is not a board: write ROWSxCOLUMNS, such as 3x10"),
    ('board = "2x8"', "parameters.corners: structured corners need at least 3 rows and 3 columns, not 2x8"),
    ('board = "6x6"\ncorners = "tl"', "parameters.corners must be a list, not 'tl'"),
    ('board = "6x6"\ncorners = [["tl"]]', "parameters.corners must be a list of texts, not [['tl']]"),
    ('board = "6x6"\ncorners = ["tl", "lt"]', "parameters.corners: 'lt' is unknown: use tl, tr, bl, br"),
    ('board = "6x6"\nsymmetric = 1', "parameters.symmetric must be true or false, not 1"),
]
ALL_BAD = (
    BAD_FILES
    + [(f'model = "tour"\n[parameters]\n{text}', message) for text, message in BAD_TOURS]
    + [(f'model = "structured"\n[parameters]\n{text}', message) for text, message in BAD_STRUCTURED]
)


@pytest.mark.parametrize(("text", "message"), ALL_BAD, ids=[message[:60] for _, message in ALL_BAD])
def test_a_wrong_file_is_told_by_file_key_and_what_was_expected(
    tmp_path: Path, text: str, message: str
) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    assert complaint(path)[: len(message)] == message


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"model = ", "not TOML: Invalid value (at end of document)"),
        (b'model = "tour"\nmodel = "tour"', "not TOML: Cannot overwrite a value (at "),
        (b"\x89PNG\r\n\x1a\n\x00\xff\xfe", "not TOML: 'utf-8' codec can't decode byte 0x89 in position 0"),
        (b"\x7fELF\x02\x01\x01\x00", "not TOML: "),
        (b"a = " + b"[" * 100_000, "not TOML: nested too deeply"),
        (b"a = " + b"9" * 5000, "not TOML: Exceeds the limit"),
        (b"{}", "not TOML: "),
    ],
)
def test_what_is_no_toml(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "noise.toml"
    path.write_bytes(data)
    assert complaint(path).startswith(message)


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert complaint(tmp_path / "absent.toml") == "cannot be read: No such file or directory"
    assert complaint(tmp_path) == "cannot be read: Is a directory"
    told = complaint("nobody-ships-this")
    assert told.startswith("cannot be read: No such file or directory; shipped instances are centre-halfway")
    assert all(name in told for name in SHIPPED)
    monkeypatch.chdir(tmp_path)
    assert complaint("x" * 300) == "cannot be read: File name too long"
    with pytest.raises(BadInput, match="null"):
        load_instance("a\0b")
    locked = written(tmp_path, RING)
    locked.chmod(0)
    if not os.access(locked, os.R_OK):
        assert complaint(locked) == "cannot be read: Permission denied"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value).replace("\x7f", "\\u007f")
    return str(value).lower()


_WORDS = st.sampled_from(
    [
        "3x4",
        "3x3",
        "a1",
        "b3",
        "a1-b3",
        "0,1",
        "first:2",
        "rot180",
        "rows",
        "tl",
        "x",
        "found",
        "tour",
        "..\n.#",
        "",
    ]
)
_SCALARS = st.one_of(
    _WORDS, st.integers(-3, 10), st.booleans(), st.floats(-2, 2), st.integers(-(10**30), 10**30)
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["1", "3", "a"]), inner),
    max_leaves=4,
)
_TOUR_TABLE = st.fixed_dictionaries(
    {},
    optional={
        "board": st.sampled_from(["3x4", "3x3", "8*8"]) | _VALUES,
        "closed": st.booleans() | _VALUES,
        "symmetric": _VALUES,
        **dict.fromkeys(TOUR_KEYS.removeprefix("expected one of ").split(", ")[2:], _VALUES),
    },
)


@examples(400)
@given(
    st.fixed_dictionaries(
        {"model": st.sampled_from(["tour", "structured"]) | _VALUES, "parameters": _TOUR_TABLE | _VALUES},
        optional={
            "title": _VALUES,
            "expect": st.fixed_dictionaries({}, optional={"status": _VALUES, "count": _VALUES}),
        },
    )
)
def test_any_table_loads_or_is_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, table: dict[str, Any]
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_text("\n".join(f"{key} = {_toml(value)}" for key, value in table.items()), encoding="utf-8")
    refusal = refused(path)
    if refusal is not None:
        assert one_line(refusal).startswith(f"{path}: ")
        assert not str(refusal).startswith(f"{path}: not TOML"), path.read_text()


def refused(path: Path) -> BadInput | None:
    """Why a file is refused, None if it is not; any other exception fails the test."""
    try:
        load_instance(path)
    except BadInput as error:
        return error
    return None


@examples(200)
@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "ignore")))
def test_any_bytes_are_refused_in_one_line(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "noise.toml"
    path.write_bytes(data)
    with pytest.raises(BadInput) as caught:
        load_instance(path)
    assert str(caught.value).startswith(f"{path}: ")


# -- models that users bring ------------------------------------------------------------------------------

COLOURING = '''
    """Colour the nodes of a graph; neighbours differ."""

    from __future__ import annotations

    from dataclasses import dataclass

    from ktsolve.errors import BadInput
    from ktsolve.model.model import Model
    from ktsolve.models import Built


    @dataclass(frozen=True)
    class Colouring:
        colours: tuple[str, ...]

        def __str__(self) -> str:
            return " ".join(f"{node}={colour}" for node, colour in enumerate(self.colours))


    def build(parameters):
        nodes, names = parameters["nodes"], parameters["colours"]
        if not names:
            raise BadInput("parameters.colours is empty: name at least one colour")
        model = Model("colouring")
        has = [[model.boolean(f"{node}:{name}") for name in names] for node in range(nodes)]
        for node in has:
            model.exactly(1, node)
        for u, v in parameters["edges"]:
            for first, second in zip(has[u], has[v]):
                model.at_most(1, [first, second])
        if parameters.get("sparing", False):
            model.minimise({node[-1]: 1 for node in has})

        def decode(assignment):
            worn = [name for node in has for name, x in zip(names, node) if x.holds(assignment)]
            return Colouring(tuple(worn))

        return Built(model, decode)
'''
PENTAGON = """
    model = "colouring.py"
    [parameters]
    nodes = 5
    edges = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]]
    colours = {colours}
    {more}
    [expect]
    {expect}
"""


def colouring(folder: Path, colours: int, expect: str = "", more: str = "") -> Path:
    (folder / "colouring.py").write_text(dedent(COLOURING), encoding="utf-8")
    names = ["red", "green", "blue", "white"][:colours]
    return written(folder, dedent(PENTAGON).format(colours=names, expect=expect, more=more))


@pytest.mark.parametrize("engine", ["auto", "sat", "cpsat"])
@pytest.mark.parametrize(("colours", "number"), [(1, 0), (2, 0), (3, 30), (4, 240)])
def test_a_model_of_ones_own(tmp_path: Path, engine: str, colours: int, number: int) -> None:
    """The chromatic polynomial of the pentagon: (k - 1)^5 - (k - 1)."""
    instance = load_instance(colouring(tmp_path, colours, f"count = {number}"))
    answer = solve_instance(instance, engine)
    assert (answer.count, answer.disagreement) == (number, "")
    assert answer.status == ("found" if number else "impossible")
    if number:
        worn = str(answer.solution).split()
        assert all(
            a.split("=")[1] != b.split("=")[1] for a, b in zip(worn, [*worn[1:], worn[0]], strict=True)
        )


def test_a_model_of_ones_own_without_a_count(tmp_path: Path) -> None:
    answer = solve_instance(load_instance(colouring(tmp_path, 2, 'status = "found"')))
    assert (answer.status, answer.solution, answer.count) == ("impossible", None, None)
    assert answer.disagreement == "expected found, got impossible"


def test_a_model_of_ones_own_with_an_objective(tmp_path: Path) -> None:
    """Some node of a pentagon wears the third colour, and one is enough."""
    answer = solve_instance(load_instance(colouring(tmp_path, 3, more="sparing = true")))
    assert answer.engine == "cpsat"
    assert str(answer.solution).count("blue") == 1
    asked = load_instance(colouring(tmp_path, 3, "count = 30", more="sparing = true"))
    with pytest.raises(BadInput, match=r"expect\.count makes no sense for a model with an objective"):
        solve_instance(asked)


def test_engines_that_read_no_models_refuse_ones_own(tmp_path: Path) -> None:
    instance = load_instance(colouring(tmp_path, 3))
    for engine in ("search", "frontier"):
        with pytest.raises(
            BadInput, match=f"engine {engine} reads tour problems only, not models: use sat, cpsat"
        ):
            solve_instance(instance, engine)


def test_a_model_of_ones_own_may_be_a_tour_problem(tmp_path: Path) -> None:
    (tmp_path / "corner.py").write_text(
        dedent(
            """
            from ktsolve import TourProblem
            from ktsolve.models import Built
            from ktsolve.models.tour import TourModel

            def build(parameters):
                problem = TourProblem(board=parameters["board"], closed=False, start="a1")
                compiled = TourModel(problem)
                return Built(compiled.model, compiled.decode, problem)
            """
        )
    )
    path = written(tmp_path, 'model = "corner.py"\n[parameters]\nboard = "5x5"\n[expect]\ncount = 304')
    for engine in ("auto", "search", "frontier", "sat"):
        assert solve_instance(load_instance(path), engine).disagreement == ""


def test_an_own_error_of_ktsolve_is_passed_on(tmp_path: Path) -> None:
    assert complaint(colouring(tmp_path, 0)) == "parameters.colours is empty: name at least one colour"


def test_a_model_in_a_folder_below(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    path = colouring(tmp_path, 3, "count = 30")
    (tmp_path / "colouring.py").rename(tmp_path / "models" / "colouring.py")
    path.write_text(path.read_text().replace('"colouring.py"', '"models/colouring.py"'))
    assert solve_instance(load_instance(path)).disagreement == ""


BROKEN = [
    ("x = 1\n", "model own.py has no function build(parameters)"),
    ("build = 3\n", "model own.py has no function build(parameters)"),
    ("def build(parameters)\n    pass\n", "model own.py, line 1: SyntaxError: expected ':'"),
    (
        "\n\nimport nothing_like_this\n",
        "model own.py, line 3: ModuleNotFoundError: No module named 'nothing_like",
    ),
    ("import sys\nsys.exit('stop')\n", "model own.py, line 2: SystemExit: stop"),
    ("1 / 0\n", "model own.py, line 1: ZeroDivisionError: division by zero"),
    ("def build(parameters):\n    return parameters['n']\n", "model own.py: build, line 2: KeyError: 'n'"),
    (
        "def build():\n    pass\n",
        "model own.py: build: TypeError: build() takes 0 positional arguments but 1 ",
    ),
    (
        "def help_me():\n    raise ValueError\n\ndef build(parameters):\n    help_me()\n",
        "model own.py: build, line 2: ValueError",
    ),
    (
        "def build(parameters):\n    raise ValueError('two\\nlines')\n",
        "model own.py: build, line 2: ValueError: two\nlines",
    ),
    (
        "def build(parameters):\n    return build(parameters)\n",
        "model own.py: build, line 2: RecursionError: max",
    ),
    (
        "def build(parameters):\n    pass\n",
        "model own.py: build must return a ktsolve.models.Built, not NoneType",
    ),
    (
        "from ktsolve.models import Built\ndef build(parameters):\n    return Built(1, print)\n",
        "model own.py: Built.model must be a Model, not int",
    ),
    (
        "from ktsolve import Model\nfrom ktsolve.models import Built\n"
        "def build(parameters):\n    return Built(Model(), None)\n",
        "model own.py: Built.decode must be a function, not NoneType",
    ),
    (
        "from ktsolve import Model\nfrom ktsolve.models import Built\n"
        "def build(parameters):\n    return Built(Model(), print, 'tour')\n",
        "model own.py: Built.problem must be a TourProblem, not str",
    ),
    (
        "from ktsolve import Model\ndef build(parameters):\n    m = Model()\n"
        "    m.boolean('a')\n    m.boolean('a')\n",
        "the model has a Boolean named 'a' already",
    ),
    ("\x00", "model own.py"),
]


@pytest.mark.parametrize(("code", "message"), BROKEN, ids=[message for _, message in BROKEN])
def test_a_broken_model_is_bad_input(tmp_path: Path, code: str, message: str) -> None:
    (tmp_path / "own.py").write_text(code)
    path = written(tmp_path, 'model = "own.py"\n[parameters]')
    with pytest.raises(BadInput) as caught:
        load_instance(path)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_a_model_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_bytes(b"\xff\xfe\x00\x01")
    path = written(tmp_path, 'model = "own.py"\n[parameters]')
    assert complaint(path).startswith("model own.py: ")


def test_a_model_that_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "own.py").mkdir()
    path = written(tmp_path, 'model = "own.py"\n[parameters]')
    assert complaint(path) == "model: there is no file 'own.py' beside the instance"


def test_a_decoder_that_raises_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        dedent(
            """
            from ktsolve import Model
            from ktsolve.models import Built

            def decode(assignment):
                return assignment[7]

            def build(parameters):
                return Built(Model(), decode)
            """
        )
    )
    path = written(tmp_path, 'model = "own.py"\n[parameters]')
    with pytest.raises(BadInput) as caught:
        solve_instance(load_instance(path))
    assert str(caught.value) == f"{path}: model own.py: decode, line 6: IndexError: list index out of range"


def test_limits_and_ctrl_c_in_a_model_stay_what_they_are(tmp_path: Path) -> None:
    for raised, kind in (
        ("KeyboardInterrupt", KeyboardInterrupt),
        ("MemoryError", MemoryError),
        ("__import__('ktsolve').LimitReached('enough')", LimitReached),
    ):
        (tmp_path / "own.py").write_text(f"raise {raised}\n")
        path = written(tmp_path, 'model = "own.py"\n[parameters]')
        with pytest.raises(kind):
            load_instance(path)
