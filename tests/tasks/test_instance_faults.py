"""Errors of instance files: each message names the file and the key, and says what was expected."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from instance_files import RING, SHIPPED, complaint, written
from strategies import examples, one_line

from ktsolve.base.errors import BadInput
from ktsolve.problem.conditions import KEYS as CONDITION_KEYS
from ktsolve.tasks.instance import load_instance, shipped_models

KEYS = "expected one of expect, model, parameters, source, title"


_OTHERS = ("board", "closed", "clues", "leaper", "maximise", "minimise", "shape", "without", "wrap")
TOUR_KEYS = f"expected one of {', '.join(sorted({*CONDITION_KEYS, *_OTHERS}))}"


BAD_FILES = [
    (
        "",
        f"model is missing: write the name of a model, {' or '.join(shipped_models())}, or of a .py file",
    ),
    ('model = "tour"', "parameters is missing: write a table [parameters]"),
    ("model = 3\n[parameters]", "model must be text, not 3"),
    ('model = "tour"\nparameters = []', "parameters must be a table, not []"),
    ('model = "tour"\ntitle = 1\n[parameters]', "title must be text, not 1"),
    ('model = "tour"\nsource = ["x"]\n[parameters]', "source must be text, not ['x']"),
    ('model = "tour"\ncolour = 1\n[parameters]', f"colour is unknown: {KEYS}"),
    (
        'model = "queens"\n[parameters]',
        f"model 'queens' is unknown: use {', '.join(shipped_models())}, ",
    ),
    (
        'model = "__init__"\n[parameters]',
        f"model '__init__' is unknown: use {', '.join(shipped_models())}, ",
    ),
    (
        'model = "_grid"\n[parameters]',
        f"model '_grid' is unknown: use {', '.join(shipped_models())}, ",
    ),
    (
        'model = ""\n[parameters]',
        f"model '' is unknown: use {', '.join(shipped_models())}, ",
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
    ("closed = true", 'parameters.board is missing: write board = "8x8", or graph, or draw one'),
    (
        'board = "graph:petersen"\nclosed = true',
        "parameters.board: 'graph:petersen' is a graph: write graph instead of board",
    ),
    ('board = "6x6"', "parameters.closed is missing: write closed = true or closed = false"),
    ('board = "6x6"\nclosed = "yes"', "parameters.closed must be true or false, not 'yes'"),
    ('board = "6x6"\nclosed = 1', "parameters.closed must be true or false, not 1"),
    ("board = 66\nclosed = true", "parameters.board must be text or a table, not 66"),
    (
        "board = 1979-05-27\nclosed = true",
        "parameters.board must be text or a table, not datetime.date(1979",
    ),
    (
        'board = "8+8"\nclosed = true',
        "parameters.board: '8+8' is not a board: write ROWSxCOLUMNS, such as 3x1",
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
        "parameters.shape draws the whole board: leave out board, without",
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
        "parameters.forbid: a1-b2 is not a move of a 1,2 leaper",
    ),
    ('board = "3x3"\nclosed = true\nat = ["a1"]', "parameters.at must be a table, not ['a1']"),
    (
        'board = "3x3"\nclosed = true\nat = { x = "a1" }',
        "parameters.at: 'x=a1' is not understood: write",
    ),
    (
        'board = "3x3"\nclosed = true\nat = { 5 = 3 }',
        "parameters.at: '5' = 3 is not understood: write 5 = ",
    ),
    (
        'board = "3x3"\nclosed = true\nat = { 5 = "d1" }',
        "parameters.at: cell 'd1' is off the 3x3 board",
    ),
    (
        'board = "3x3"\nclosed = true\nat = { 10 = "a1" }',
        "parameters.at: step 10 is not among the 9 steps of t",
    ),
    (
        'board = "3x3"\nclosed = true\nat = { 0 = "a1" }',
        "parameters.at: step 0 is not among the 9 steps of the",
    ),
    (
        'board = "3x3"\nclosed = true\nat = { 5 = "a1", 05 = "a2" }',
        "parameters: step 5 cannot be both a",
    ),
    (
        'board = "3x3"\nclosed = true\nat = { 5 = "a1", 6 = "a1" }',
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
        "parameters.corners: corner 'top' is unknown: use tl, tr, bl, ",
    ),
    ('board = "3x3"\nclosed = true\ncorners = [1]', "parameters.corners must be a list of texts, not [1]"),
    (
        'board = "3x3"\nclosed = true\nmagic = ["files"]',
        "parameters.magic: lines 'files' cannot be magic: use ro",
    ),
    (
        'board = "3x4"\nclosed = true\nmagic = ["diagonals"]',
        "parameters.magic: sums of diagonals need a square",
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
        "parameters.closed is unknown: expected one of board, corners, symmetry",
    ),
    ("board = 6", "parameters.board must be text, not 6"),
    ('board = "6"', "parameters.board: '6' is not a board: write ROWSxCOLUMNS, such as 3x10"),
    ('board = "2x8"', "parameters.corners: structured corners need at least 3 rows and 3 columns, not 2x8"),
    ('board = "6x6"\ncorners = "tl"', "parameters.corners must be a list, not 'tl'"),
    ('board = "6x6"\ncorners = [["tl"]]', "parameters.corners must be a list of texts, not [['tl']]"),
    (
        'board = "6x6"\ncorners = ["tl", "lt"]',
        "parameters.corners: corner 'lt' is unknown: use tl",
    ),
    ('board = "6x6"\nsymmetry = 1', "parameters.symmetry must be text, not 1"),
]


ALL_BAD = (
    BAD_FILES
    + [(f'model = "tour"\n[parameters]\n{text}', message) for text, message in BAD_TOURS]
    + [(f'model = "structured"\n[parameters]\n{text}', message) for text, message in BAD_STRUCTURED]
)


@pytest.mark.parametrize(("text", "message"), ALL_BAD, ids=[message[:60] for _, message in ALL_BAD])
def test_an_error_names_file_key_and_what_was_expected(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text, encoding="utf-8")
    assert complaint(path)[: len(message)] == message


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"model = ", "not TOML: Invalid value (at end of document)"),
        (b'model = "tour"\nmodel = "tour"', "not TOML: Cannot overwrite a value (at "),
        (b"\x89PNG\r\n\x1a\n\x00\xff\xfe", "not TOML: not text (byte 9 is zero)"),
        (b"\x7fELF\x02\x01\x01\x00", "not TOML: "),
        (b"a = " + b"[" * 100_000, "not TOML: nested too deeply"),
        (b"a = " + b"9" * 5000, "not TOML: it has a number of too many digits"),
        (b"{}", "not TOML: "),
    ],
)
def test_what_is_no_toml(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "noise.toml"
    path.write_bytes(data)
    assert complaint(path).startswith(message)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "q.mzn",
            "int: x;",
            "mzn is written, not read: give an instance (.toml) or a model (.cnf, .wcnf, .opb, .fzn)",
        ),
        (
            "tour.txt",
            "1 2 3",
            "not an instance (.toml), nor a model or a graph by its suffix: ktsolve check reads",
        ),
    ],
)
def test_files_of_other_kinds(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    assert complaint(tmp_path / name).startswith(message)


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert complaint(tmp_path / "absent.toml") == "cannot be read: No such file or directory"
    assert complaint(tmp_path) == "cannot be read: Is a directory"
    told = complaint("nobody-ships-this")
    assert told.startswith("cannot be read: No such file or directory; shipped instances are ")
    named, others = told.split("shipped instances are ")[1].split(" and ")
    assert set(named.split(", ")) <= set(SHIPPED)
    assert others == f"{len(SHIPPED) - len(named.split(', '))} others"
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
        "board": st.sampled_from(["3x4", "3x3", "8+8"]) | _VALUES,
        "closed": st.booleans() | _VALUES,
        **dict.fromkeys(TOUR_KEYS.removeprefix("expected one of ").split(", ")[2:], _VALUES),
    },
)


@examples(200)
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
