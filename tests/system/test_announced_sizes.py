"""Small files that announce giant sizes: memory is taken for what is there, by every reader and command."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from command import ktsolve
from hypothesis import given
from hypothesis import strategies as st
from marks import full, quick
from measured_command import KTSOLVE, measured
from strategies import examples

from ktsolve.base.errors import KtsolveError, LimitReached
from ktsolve.base.limits import Settings
from ktsolve.formats.files import read_stream
from ktsolve.formats.graphs.files import read_graph
from ktsolve.formats.tours.files import load, read_tour, read_tours
from ktsolve.graphs.board import Board
from ktsolve.problem.parameters import read_clues
from ktsolve.proof.certificate import SCHEMA, digest, read_certificate
from ktsolve.render.player.trace import read_trace
from ktsolve.render.subjects import read_subject
from ktsolve.tasks.base_boards import validate_bases
from ktsolve.tasks.instance import load_instance

SIZE = {"rows": 20000, "columns": 20000}

BOARD = {**SIZE, "without": [], "leaper": [1, 2], "wrap": "none"}

LONGEST = {**BOARD, "rows": 999_999_999, "columns": 999_999_999}

STATED = f"ktsolve {json.dumps({**BOARD, 'closed': True})}"

GROUND = f"ktsolve {json.dumps(BOARD)}"


def npy_header(shape: tuple[int, ...], dtype: str = "<i4") -> bytes:
    text = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape!r}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def certificate(size: str) -> str:
    body = {"problem": {"board": size, "closed": True}, "argument": "parts", "without": ""}
    return json.dumps({"schema": SCHEMA, "certificate": body, "sha256": digest(body)})


def sat(size: str, more: str = "") -> str:
    return f'model = "tour"\n[parameters]\nboard = "{size}"\nclosed = true\n{more}'


GIANTS: dict[str, str | bytes] = {
    # tours
    "size.json": json.dumps({"board": "20000x20000", "closed": False, "squares": [[0, 0]]}),
    "longest.json": json.dumps({"board": LONGEST, "closed": True, "squares": [[0, 0]]}),
    "longest.csv": f"# ktsolve {json.dumps({**LONGEST, 'closed': True})}\nstep,row,column\n1,0,0\n",
    "longest.col": f"c ktsolve {json.dumps(LONGEST)}\np edge 2 1\ne 1 2\n",
    "longest.toml": sat("999999999x999999999"),
    "board.json": json.dumps({"board": BOARD, "closed": True, "squares": [[0, 0]]}),
    "bare.json": "[[0, 0], [19999, 19999]]",
    "two.json": json.dumps({"board": BOARD, "closed": True, "tours": [[[0, 0]], [[1, 1]]]}),
    "walk.json": json.dumps({"walk": "non-crossing", "board": BOARD, "closed": False, "squares": [[0, 0]]}),
    "trace.json": json.dumps({"trace": {"board": BOARD, "events": [0, 20002]}}),
    "cells.txt": "a1 aabc20000",
    "pairs.txt": "0,0 19999,19999",
    "cells.csv": "step,row,column\n1,19999,19999\n",
    "stated.csv": f"# {STATED}\nstep,row,column\n1,0,0\n",
    "stated.tour": f"COMMENT : {STATED}\nTYPE : TOUR\nTOUR_SECTION\n1\n-1\nEOF\n",
    "size.tour": "DIMENSION : 400000000\nTOUR_SECTION\n1\n-1\n",
    "cycle.txt": f"# {STATED}\na1 b3\nb3 a1\n",
    "path.txt": f"# {STATED}\na1 b3\nb3 c1\n",
    "size.moves": "moves 20000x20000 open 0,0 2",
    "long.moves": "moves 999999999x2 open 0,0 2",
    "longest.npy": npy_header((1 << 29, 1 << 29)) + bytes(8),
    "shape.npy": npy_header((20000, 20000)),
    "more.npy": npy_header((1 << 40, 1 << 40)) + bytes(8),
    "objects.npy": npy_header((20000, 20000), "|O"),
    "header.npy": b"\x93NUMPY\x02\x00\xff\xff\xff\xff{",
    "line.txt": "1 " * 30_000,
    # graphs
    "size.net": "*Vertices 400000000\n",
    "size.col": "p edge 400000000 0\n",
    "edges.col": "p edge 3 400000000\ne 1 2\n",
    "size.hcp": "DIMENSION : 400000000\n",
    "matrix.hcp": "TYPE : TSP\nDIMENSION : 10000\nEDGE_WEIGHT_SECTION\n1\nEOF\n",
    "stated.col": f"c {GROUND}\np edge 2 1\ne 1 2\n",
    "stated.net": f"% {GROUND}\n*Vertices 2\n*Edges\n1 2\n",
    "stated.hcp": f"COMMENT : {GROUND}\nTYPE : HCP\nDIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n-1\nEOF\n",
    "stated.edges": f"# {GROUND}\na1 b3\n",
    "size.g6": "~~?????~",
    "size.s6": ":~~?@????",
    "size.d6": "&~~?@????",
    "stated.json": json.dumps({"board": BOARD, "vertices": ["a"], "edges": []}),
    "only.json": json.dumps({"board": BOARD}),
    "size.gml": "graph [ node [ id 400000000 ] edge [ source 400000000 target 1 ] ]\n",
    # instances, certificates, puzzles
    "size.toml": sat("20000x20000"),
    "holes.toml": sat("1000x1000", 'without = "first:999999"'),
    "many.toml": sat("20000x20000", 'without = "first:399999999"'),
    "parts.json": certificate("20000x20000"),
    "holes.json": json.dumps({**json.loads(certificate("6x6")), "sha256": "0"}),
    # not a file of any kind
    "deep.json": "[" * 40_000,
    "deeper.json": '{"a":' * 20_000,
    "digits.json": '{"board": "6x6", "squares": [[' + "9" * 200_000 + ", 0]]}",
    "digits.txt": "9" * 50_000,
    "utf16.txt": "a1 b3".encode("utf-16"),
    "mark.txt": b"\xef\xbb\xbf" * 3,
    "zeros.txt": bytes(1000),
    "zip.npz": b"PK\x03\x04" + bytes(30),
    "empty.txt": "",
}

COMMANDS = (
    ["check", "FILE"],
    ["check", "FILE", "--json"],
    ["check", "FILE", "--leaper", "1,3"],
    ["draw", "FILE"],
    ["draw", "FILE", "-o", "out.svg"],
    ["play", "FILE", "-o", "out.html"],
    ["convert", "FILE", "--format", "json"],
    ["convert", "FILE", "--format", "tsplib"],
    ["convert", "FILE", "--format", "hcp"],
    ["base", "validate", "FILE"],
    ["count", "./FILE"],
    ["tour", "./FILE", "--engine", "search"],
    ["prove", "./FILE"],
    ["prove", "--check", "FILE"],
    ["rank", "6x6", "FILE"],
    ["unrank", "6x6", "0", "--prepared", "FILE"],
    ["clues", "count", "FILE"],
    ["tour", "6x6", "--clues", "FILE"],
    ["solve", "FILE"],
    ["swap", "./FILE"],
    ["census", "report", "--ledger", "FILE"],
    ["sudoku", "solve", "FILE"],
)

LARGEST = 40 << 20
"""Bytes that a command may take for modules that it imports first, and for a graph of 10,000 vertices."""


@contextmanager
def taken() -> Iterator[list[int]]:
    """The most bytes that Python and NumPy allocate inside, as the one entry of a list."""
    found = [0]
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        yield found
        found[0] = tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "name",
    quick(
        GIANTS,
        lambda name: name in [*GIANTS][::6] and not name.startswith(("deep", "digits", "matrix")),
        lambda number: number % 6 == 0,
    ),
)
def test_every_command_takes_memory_for_what_is_there(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data = GIANTS[name]
    Path(name).write_bytes(data.encode() if isinstance(data, str) else data)
    for command in COMMANDS:
        with taken() as bytes_taken:
            said = ktsolve(*(word.replace("FILE", name) for word in command))
        assert said.status in (0, 1, 2, 3), (command, said)
        assert "internal error" not in said.err, (command, said)
        assert "Error" not in said.err, (command, said)
        assert len(said.err) < 2000, (command, said)
        assert bytes_taken[0] < LARGEST + 100 * len(data), (command, bytes_taken, said)


def test_verdicts_of_few_cells_on_a_large_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.json").write_text(str(GIANTS["size.json"]))
    said = ktsolve("check", "a.json")
    assert (said.status, said.out) == (1, "not a tour: 1 of 400,000,000 cells visited\n")
    never = "not a tour: b20000 and 399,999,998 more never visited"
    for command in (["draw", "a.json"], ["play", "a.json"], ["convert", "a.json", "--format", "csv"]):
        said = ktsolve(*command)
        assert (said.status, said.out) == (2, "")
        assert said.complaint.endswith(never)
    assert (
        f"not a closed tour: {never.removeprefix('not a tour: ')}"
        in ktsolve("base", "validate", "a.json").out
    )


# -- the Python functions ---------------------------------------------------------------------------------

numbers = st.one_of(st.integers(0, 30), st.integers(0, 10**7), st.integers(0, 10**20))


@st.composite
def headers(draw: st.DrawFn) -> str:
    """The beginning of a file in some format with numbers of any size in it, and some contents."""
    n = [draw(numbers) for _ in range(6)]
    board = json.dumps({"rows": n[0], "columns": n[1], "without": [[n[2], n[3]]], "leaper": [1, 2]})
    head = draw(
        st.sampled_from(
            [
                f'{{"board": "{n[0]}x{n[1]}", "squares": [[{n[2]}, {n[3]}]',
                f'{{"board": {board}, "closed": true, "squares": [[{n[4]}, {n[5]}]]}}',
                f'{{"trace": {{"board": {board}, "events": [{n[4]}, {n[5]}]}}}}',
                f'{{"vertices": [{n[0]}], "edges": [[{n[1]}, {n[2]}]]}}',
                f"moves {n[0]}x{n[1]} open {n[2]},{n[3]} ",
                f"step,row,column\n{n[0]},{n[1]},{n[2]}\n",
                f"COMMENT : ktsolve {board}\nTYPE : TOUR\nDIMENSION : {n[4]}\nTOUR_SECTION\n{n[5]}\n",
                f'# ktsolve {board[:-1]}, "closed": false}}\na{n[4]} b{n[5]}\n',
                f"{n[0]},{n[1]} {n[2]},{n[3]} ",
                f"a{n[0]} zz{n[1]} ",
                f"{n[0]} {n[1]}\n{n[2]} . \n",
                f"p edge {n[0]} {n[1]}\ne {n[2]} {n[3]}\n",
                f"*Vertices {n[0]}\n*Arcslist\n{n[1]} {n[2]} ",
                f"*Vertices {n[0]}\n*Matrix\n{n[1]} {n[2]} ",
                f"DIMENSION : {n[0]}\nEDGE_WEIGHT_FORMAT : UPPER_ROW\nEDGE_WEIGHT_SECTION\n{n[1]}\n",
                f"DIMENSION : {n[0]}\nEDGE_DATA_FORMAT : ADJ_LIST\nEDGE_DATA_SECTION\n{n[1]} {n[2]} ",
                ":~~" + "".join(chr(63 + digit % 64) for digit in n),
                "&~~" + "".join(chr(63 + digit % 64) for digit in n),
                f"graph [ node [ id {n[0]} ] edge [ source {n[1]} target {n[2]} ] ]",
            ]
        )
    )
    tail = draw(
        st.sampled_from(["", "]", "]}", "1", "-1\nEOF\n", "2 3\n", ". .\n", "a1 b3 ", "[],", "\n", "~"])
    )
    return head + tail * draw(st.integers(0, 300))


READERS: tuple[Callable[[str], object], ...] = (
    read_tour,
    read_tours,
    read_graph,
    read_clues,
    read_subject,
    read_trace,
    read_certificate,
    validate_bases,
    lambda text: read_tour(text, Board.parse("20000x20000")),
    lambda text: load(text.encode()),
)


@examples(300)
@given(headers())
def test_every_reader_takes_memory_for_what_is_there(text: str) -> None:
    for read in READERS:
        with taken() as bytes_taken:
            try:
                read(text)
            except KtsolveError as error:
                message = str(error)
                assert "Error" not in message
                assert len(message) < 1000
        # Vertices up to 10,000 may be announced without a text.
        assert bytes_taken[0] < (8 << 20) + 1000 * len(text), (read, text[:200])


def test_lists_of_all_cells_of_a_board_that_memory_does_not_hold() -> None:
    board = Board.parse("20000x20000", without="a1 c3")
    assert len(board) == 399_999_998
    assert board.cells_of([0, 399_999_997]) == ((0, 0), (19999, 19999))
    for name in ("cells", "edges", "names", "index"):
        with pytest.raises(LimitReached, match=r"a list of the 399,999,998 cells or moves of a board takes "):
            getattr(board, name)


@given(st.integers(1, 7), st.integers(1, 7), st.data())
def test_cells_by_place_without_a_list_of_all(rows: int, columns: int, data: st.DataObject) -> None:
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    removed = data.draw(st.sets(st.sampled_from(cells), max_size=len(cells) - 1))
    board = Board(rows, columns, frozenset(removed))
    places = range(len(board))
    assert (
        board.cells_of(places) == tuple(board.each_cell()) == Board(rows, columns, frozenset(removed)).cells
    )


# -- limits from the first byte ---------------------------------------------------------------------------


class Endless:
    """A stream that never ends, and says how much was read."""

    def __init__(self, piece: bytes) -> None:
        self.piece, self.given = piece, 0

    def read(self, size: int) -> bytes:
        self.given += size
        return (self.piece * (size // len(self.piece) + 1))[:size]


def test_an_endless_stream_is_read_up_to_the_memory_limit() -> None:
    stream: Any = Endless(b"y\n")
    with taken() as bytes_taken, pytest.raises(LimitReached) as caught:
        read_stream(stream, "standard input", Settings(memory=100 << 20), 50)
    assert str(caught.value) == (
        "standard input has more than 2 MiB, and reading takes up to 50 times as much: the memory limit is "
        "100 MiB"
    )
    assert stream.given == (2 << 20) + 1
    assert bytes_taken[0] < 5 << 20


def test_instances_compare_the_model_of_their_board_with_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text(sat("300x300"))
    with (
        taken() as bytes_taken,
        pytest.raises(LimitReached, match=r"a board of 90,000 cells takes at least 1\.68 GiB"),
    ):
        load_instance(path, Settings(memory=500 << 20))
    assert bytes_taken[0] < 5 << 20
    path.write_text("# " + "x" * 10**6)
    with pytest.raises(LimitReached, match=r"has more than 20\d kB, and reading takes up to 100 times as"):
        load_instance(path, Settings(memory=20 << 20))


_THEN_KILL = "; status=$?; kill $! 2> /dev/null; exit $status"
"""In a shell: end what is in the background, or it would be waited for."""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the /proc of Linux")
@pytest.mark.parametrize(
    ("line", "status", "most"),
    [
        ("yes | {ktsolve} check - --memory 200M", 3, 220),
        full("yes | {ktsolve} count - --memory 200M", 3, 220),
        ("{ktsolve} check /dev/zero --memory 200M", 2, 220),
        full("{ktsolve} draw /dev/zero", 2, 220),
        full("{ktsolve} solve /dev/zero", 2, 220),
        full("{ktsolve} check . --memory 200M", 2, 220),
        full("truncate -s 20G sparse; {ktsolve} convert sparse --format json --memory 200M", 2, 220),
        full(
            "mkfifo slow; (printf '1 '; exec sleep 30) > slow & {ktsolve} check - --timeout 1 < slow", 3, 220
        ),
        full(
            "mkfifo slow; (printf '1 '; exec sleep 30) > slow & {ktsolve} unrank 5x6 - --timeout 1 < slow",
            3,
            220,
        ),
        full("mkfifo slow; sleep 60 > slow & {ktsolve} base validate slow --timeout 1", 3, 220),
        full("printf '[[0,0],[19999,19999]]' | {ktsolve} draw - --memory 200M", 2, 220),
    ],
)
def test_limits_hold_from_the_first_byte(line: str, status: int, most: int) -> None:
    seen = measured(["bash", "-c", line.format(ktsolve=" ".join(KTSOLVE)) + _THEN_KILL], timeout=100)
    assert seen.status == status, seen
    assert seen.mebibytes < most, seen
    assert seen.complaint.startswith("ktsolve: "), seen
    assert "Error" not in seen.complaint
