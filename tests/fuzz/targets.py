"""The targets: every reader, with valid inputs to change and what must hold of whatever it accepts."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import random
import shlex
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from command import ktsolve as command
from proof_cases import CONSTRAINED, asked

from fuzz.mutation import changed_json, mutated
from ktsolve.census import jobs, report
from ktsolve.census.ledger import Ledger
from ktsolve.cli import options
from ktsolve.engines.prepared import problem_key
from ktsolve.errors import KtsolveError, WrongAnswer
from ktsolve.formats.graphs import GRAPH_FORMATS, graph_file, graph_format, graphs_in
from ktsolve.formats.table import Format
from ktsolve.formats.tours import TOUR_FORMATS, load, read_tour, read_tours, tour_file
from ktsolve.ground.board import Board
from ktsolve.ground.graph import Graph
from ktsolve.ground.named_graphs import named_graph
from ktsolve.ground.tour import Tour
from ktsolve.problem.clues import clue_grid, read_clues
from ktsolve.problem.conditions import KEYS, parse_condition, parse_value
from ktsolve.problem.problem import TourProblem
from ktsolve.proof.certificate import Certificate, digest, read_certificate
from ktsolve.proof.checker import check_certificate, summary
from ktsolve.proof.maker import prove
from ktsolve.render.player import read_trace
from ktsolve.render.subjects import read_uncrossed
from ktsolve.settings import Settings
from ktsolve.sudoku.puzzle import Puzzle
from ktsolve.swap.instance import load_swap_instance
from ktsolve.tasks.base_boards import validate_bases
from ktsolve.tasks.instance import load_instance
from ktsolve.tasks.tours import tours

__all__ = ["TARGETS", "Target", "target_named"]

ROOT = Path(__file__).resolve().parent.parent.parent

SECONDS = 2.0
"""Time limit of whatever works on an input that was read."""


@dataclass(frozen=True)
class Target:
    """A reader.

    Attributes
    ----------
    name:
        Its name.
    seeds:
        Valid inputs, made at the first use.
    run:
        Reads an input. It may raise errors of ktsolve; an AssertionError says that what it accepted is wrong.
    change:
        Makes an input from the seeds.
    weight:
        How often it is drawn; targets that write files and start engines are slower.
    """

    name: str
    seeds: Callable[[], Sequence[bytes]]
    run: Callable[[bytes], object]
    change: Callable[[random.Random, Sequence[bytes]], bytes] = mutated
    weight: int = 8


def _text(data: bytes) -> str:
    """The text as the command has it after decoding, which it does strictly."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


@contextlib.contextmanager
def _file(data: bytes, suffix: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="ktsolve-fuzz-") as folder:
        path = Path(folder) / f"input{suffix}"
        path.write_bytes(data)
        yield path


@functools.cache
def _tours() -> tuple[Tour, ...]:
    ring = read_tour("1 6 3\n4 . 8\n7 2 5")
    small = Tour.from_names(Board(3, 4), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    wazir = Tour.from_names(Board(2, 2, leaper=(0, 1), wrap="x"), "a1 a2 b2 b1", closed=True)
    one = Tour(Board(1, 1), ((0, 0),))
    return ring, small, small.reversed(), wazir, one


@functools.cache
def _graph_tour() -> Tour:
    graph = Graph(("a", "b c", '"', "1"), [("a", "b c"), ("b c", '"'), ('"', "1"), ("1", "a")])
    return Tour(graph, (0, 1, 2, 3), closed=True)


# -- tours --------------------------------------------------------------------------------------------------


def _same_tour(tour: Tour, form: Format) -> None:
    """A tour survives being written and read; a format that cannot hold it says so."""
    if form.name in ("grid", "edges") and len(set(tour.squares)) < len(tour.squares):
        return  # a grid has one number in a cell, and a list of edges an end that is no inner vertex
    try:
        written = load(tour_file([tour], form))
    except KtsolveError:
        return
    again = read_tour(written, tour.ground, tour.closed) if isinstance(written, str) else written.tour()
    assert again.squares == tour.squares, f"{form.name}: {again.squares} after {tour.squares}"


def _read_tour(data: bytes) -> None:
    read = load(data)
    if not isinstance(read, str):
        return
    try:
        tour = read_tour(read)
    except KtsolveError:
        assert read_tours(read)  # a file of several
        return
    assert all(cell in tour.ground for cell in tour.squares)
    assert (tour.fault is None) == tour.valid
    if tour.squares and len(tour.ground) <= 4096:
        for form in TOUR_FORMATS:
            _same_tour(tour, form)
    with contextlib.suppress(KtsolveError):
        assert read_tours(read)


def _tour_seeds(form: Format) -> Callable[[], Sequence[bytes]]:
    def seeds() -> list[bytes]:
        found = [tour_file([tour], form) for tour in _tours() if form.name != "moves" or tour.board.plain]
        if form.several:
            found.append(tour_file([_tours()[1], _tours()[2]], form))
        return found

    return seeds


def _read_graph_tour(data: bytes) -> None:
    ground = _graph_tour().ground
    tour = read_tour(_text(data), ground)
    if tour.squares:
        for form in TOUR_FORMATS:
            if form.bare:
                _same_tour(tour, form)


def _graph_tour_seeds() -> list[bytes]:
    return [tour_file([_graph_tour()], form) for form in TOUR_FORMATS if form.bare]


# -- graphs -------------------------------------------------------------------------------------------------


def _grounds() -> list[Graph]:
    named = ["petersen", "path:2", "complete:4", "hypercube:3", "grid:3x3"]
    plain = [Graph.from_edges([(1, 2), (2, 3), (3, 1)]), Graph("abc", ["ab", "bc"], weights=[3, -2])]
    arcs = Graph(("a", "b c", "é"), [("a", "b c"), ("b c", "é"), ("é", "a")], directed=True)
    board = Board.parse("3x4", without="b2")
    return [*map(named_graph, named), *plain, arcs, board, Board.parse("3x3", wrap="x")]


def _graph_seeds(form: Format) -> Callable[[], Sequence[bytes]]:
    def seeds() -> list[bytes]:
        found = []
        for ground in _grounds():
            with contextlib.suppress(KtsolveError):
                found.append(graph_file(ground, form.name).encode())
        return found

    return seeds


def _read_graph(form: Format) -> Callable[[bytes], None]:
    def run(data: bytes) -> None:
        text = _text(data)
        graph_format(text)
        for number, read in enumerate(graphs_in(text, form)):
            graph = read.ground
            assert all(graph.adjacent(*move) for move in read.required)
            if number < 3 and len(graph) <= 200:
                _same_graph(graph, form)

    return run


def _same_graph(graph: Graph, form: Format) -> None:
    try:
        text = graph_file(graph, form.name)
    except KtsolveError:
        return  # the format has no place for directions, names or weights
    (again,) = graphs_in(text, form)
    if form.name == "matrix" and graph.directed and not again.ground.directed:
        return  # a symmetric matrix is that of an undirected graph
    assert again.ground.directed == graph.directed
    assert _edges(again.ground, graph) == _edges(graph, graph), f"{form.name}: other edges than in {graph}"


def _edges(graph: Graph, given: Graph) -> set[frozenset[Any] | tuple[Any, Any]]:
    """The edges by names, if the format kept them, or else by numbers; a list of edges has its own order."""
    keep = set(graph.names) == set(given.names)
    names: Sequence[Any] = graph.names if keep else range(len(graph))
    pairs = [(names[u], names[v]) for u, v in graph.edges.tolist()]
    return set(pairs) if graph.directed else set(map(frozenset, pairs))


def _recognise(data: bytes) -> None:
    """Recognition of the format of a graph, and reading in that format."""
    text = _text(data)
    form = graph_format(text, guess=True)
    assert form is not None
    list(graphs_in(text, form))


def _all_graph_seeds() -> list[bytes]:
    return [seed for form in GRAPH_FORMATS for seed in _graph_seeds(form)()]


# -- notations ----------------------------------------------------------------------------------------------

_CONDITIONS = (
    *("start a1", "starts a1 b2", "end 2,1", "ends a1:b2", "require a1-b3", "forbid a1-b3,c1-d3"),
    *("steps 5=c3", "symmetry rot180", "corners tl,br", "magic rows,columns", "sum a1:d1=26", "sum rows=26"),
    *(
        "range c3=5..9",
        "range c3=..9",
        "order a1,c3,d4",
        "run a1,b3",
        "figure squares=row",
        "figure 1+4=path",
    ),
    *(
        "least turns=3",
        "most obtuse=2",
        "exactly moves:a1-b3,b3-c1=1",
        "figure 1,2=a1,b3",
        "least crossings=0",
    ),
)


def _conditions() -> list[bytes]:
    return [text.encode() for text in _CONDITIONS]


def _read_condition(data: bytes) -> None:
    """A condition of any key: its text is read as the same condition."""
    key, _, text = _text(data).partition(" ")
    ground: Graph = Board(4, 4)
    for name in [key] if key in KEYS else KEYS:
        for condition in parse_condition(name, text, ground):
            problem = TourProblem(board=ground, closed=False, conditions=[condition])
            again = list(parse_value(condition.key, condition.values(ground), ground))
            assert again == [condition], f"{condition} is written as {condition.values(ground)}"
            assert isinstance(str(problem), str)


_BOARDS = (
    "6x6",
    "3x4 without a1",
    "3x4 without first:3",
    "4x4 without a1:b2 leaper 0,1",
    "2x5 wrap xy",
    "1x1",
)


def _read_board(data: bytes) -> None:
    words = _text(data).split(" ")
    given = dict(zip(words[1::2], words[2::2], strict=False))
    known: dict[str, Any] = {key: given[key] for key in ("without", "leaper", "wrap") if key in given}
    board = Board.parse(words[0], **known)
    if len(board.removed) + len(board) <= 4096:
        assert Board.from_json(board.to_json()) == board
        assert all(board.cell(board.name(cell)) == cell for cell in board.cells[:50])


def _read_quantity(data: bytes) -> None:
    """Limits of time and memory, and names of graphs."""
    text = _text(data)
    for read in (options.seconds, options.number_of_bytes, named_graph):
        with contextlib.suppress(KtsolveError):
            read(text)
    with contextlib.suppress(KtsolveError):
        board = Board.from_picture(text.split("\n"))
        assert len(board) >= 1


def _quantities() -> list[bytes]:
    names = "petersen complete:3,4 grid:3x4 circulant:10,1,5 random-regular:3,10,1 kneser:5,2 hypercube:3"
    texts = ["30", "0.5s", "5m", "2h", "500M", "4G", ".#.\n...", *names.split()]
    return [text.encode() for text in texts]


def _read_clue_grid(data: bytes) -> None:
    board, clues = read_clues(_text(data))
    if len(board) <= 4096:
        assert read_clues(clue_grid(board, clues)) == (board, clues)


# -- files --------------------------------------------------------------------------------------------------


def _instances() -> list[bytes]:
    small = (
        "clues-6x6",
        "ends-6x6",
        "sums-5x5",
        "order-5x5",
        "torus-4x4",
        "closed-octagon",
        "fewest-turns-6x6",
    )
    names = [
        *small,
        "sudoku-bands-2x3",
        "guarini-ring",
        "uncrossed-cycle-5x5",
        "required-forbidden-6x6",
        "wazir-6x6",
    ]
    inline = 'model = "tour"\n[parameters]\ngraph = [["a", "b"], ["b", "c"], ["c", "a"]]\nclosed = true\n'
    return [*((ROOT / "instances" / f"{name}.toml").read_bytes() for name in names), inline.encode()]


def _read_instance(data: bytes) -> None:
    """Instances whose board has few cells are built as models; the others are stopped before."""
    with _file(data, ".toml") as path:
        load_instance(path)


def _swaps() -> list[bytes]:
    return [path.read_bytes() for path in sorted((ROOT / "instances" / "swap").glob("*.toml"))]


def _read_swap(data: bytes) -> None:
    with _file(data, ".toml") as path:
        load_swap_instance(path)


def _sudokus() -> list[bytes]:
    puzzle = "1... ..2. .3.. ...4"
    large = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    return [puzzle.encode(), large.encode(), "|".join(puzzle.split()).encode()]


def _read_sudoku(data: bytes) -> None:
    puzzle = Puzzle.read(_text(data))
    assert Puzzle.read(str(puzzle)) == puzzle


@functools.cache
def certificates() -> tuple[Certificate, ...]:
    """A certificate of every kind, small ones."""
    cases: list[tuple[dict[str, Any], str]] = [
        ({"board": "4x6", "closed": True}, "auto"),
        ({"board": "4x6", "closed": True, "symmetry": "flip-v"}, "symmetry"),
        ({"board": "3x8", "closed": True}, "clauses"),
        ({"board": "3x3", "closed": False, "without": "b2", "start": "a1", "end": "a3"}, "clauses"),
        ({"board": "3x4", "closed": False, "starts": ["a3", "b2"], "order": ["a1,b2,c3,d1"]}, "clauses"),
        ({"board": "3x4", "closed": False, "sum": ["a1,b1=8"]}, "sums"),
        ({"board": "3x8", "closed": True}, "order"),
        ({"board": "3x3", "closed": True}, "degrees"),
    ]
    found = [prove(asked(words), argument=argument) for words, argument in cases]
    graph = Graph.from_edges([(a, b) for a in range(3) for b in range(3, 8)])
    found += [prove(TourProblem(board=graph, closed=True), argument=each) for each in ("parts", "degrees")]
    arcs = Graph("abcd", ["ab", "bc", "cd", "db"], directed=True)
    found += [prove(TourProblem(board=arcs, closed=True), argument=each) for each in ("order", "clauses")]
    return tuple(each for each in found if isinstance(each, Certificate))


def _certificate_seeds() -> list[bytes]:
    return [each.to_text().encode() for each in certificates()]


def with_digest(body: Any) -> str:
    """A certificate with a correct digest."""
    return json.dumps({"schema": "ktsolve/1", "certificate": body, "sha256": digest(body)})


def _change_certificate(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """A value changed and the digest made right, or any change."""
    if chance.random() < 0.3:
        return mutated(chance, seeds)
    body = changed_json(chance, json.loads(chance.choice(seeds))["certificate"])
    try:
        return with_digest(body).encode("utf-8", "replace")
    except ValueError:
        return b"{}"


def _read_certificate(data: bytes) -> None:
    certificate = read_certificate(_text(data))
    assert read_certificate(certificate.to_text()) == certificate
    if check_certificate(certificate, SECONDS, 1 << 28) is None:
        summary(certificate)


# -- ledgers and tables -------------------------------------------------------------------------------------


@functools.cache
def _ledgers() -> tuple[bytes, ...]:
    found = []
    for line in ("3x4 --open", "5x5 --open --classes a1-c3", "5x6 --parts 3"):
        with _file(b"", ".sqlite") as path:
            path.unlink()
            command("census", "run", *line.split(), "--ledger", str(path), "--threads", "1", "--quiet")
            found.append(path.read_bytes())
    return tuple(found)


def _change_ledger(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """A value of a row of some table changed, or bytes."""
    if chance.random() < 0.4:
        return mutated(chance, seeds)
    with _file(chance.choice(seeds), ".sqlite") as path:
        connection = sqlite3.connect(path)
        with contextlib.suppress(sqlite3.Error, OverflowError, UnicodeEncodeError), connection:
            tables = [
                name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            ]
            table = chance.choice(tables)
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            column = chance.choice(columns)
            rows = list(connection.execute(f"SELECT rowid, {column} FROM {table}"))
            rowid, old = chance.choice(rows)
            if isinstance(old, str) and old[:1] in ("{", "["):
                new: Any = json.dumps(changed_json(chance, json.loads(old)))
            else:
                new = changed_json(chance, old)
            if isinstance(new, dict | list):
                new = json.dumps(new)
            if chance.random() < 0.15:
                connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (rowid,))
            else:
                connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (new, rowid))
        connection.close()
        return path.read_bytes()


def _read_ledger(data: bytes) -> None:
    with _file(data, ".sqlite") as path:
        with Ledger.read(str(path)) as ledger:
            found = report.report(ledger)
            for write in (report.as_text, report.as_markdown, report.as_csv, report.as_json):
                write(found)
        with contextlib.suppress(KtsolveError):  # of another census
            Ledger.open(str(path), jobs.make_census(TourProblem(board="3x4", closed=False))).close()


_PREPARED = (
    ("frontier", TourProblem(board="3x4", closed=False)),
    ("join", TourProblem(board="5x6", closed=True)),
    ("quotient", TourProblem(board="5x6", closed=True, symmetry="rot180")),
)


@functools.cache
def _tables() -> tuple[bytes, ...]:
    found = []
    for engine, problem in _PREPARED:
        with _file(b"", ".tables") as path:
            path.unlink()
            tours(problem, engine=engine, prepared=path)
            found.append(path.read_bytes())
    return tuple(found)


def _change_tables(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """Bytes changed; or the header or a blob with its checksums made right, as a forger would do."""
    data = chance.choice(seeds)
    if chance.random() < 0.3 or data not in _tables():
        return mutated(chance, seeds)
    return forged(chance, data)


def forged(chance: random.Random, data: bytes) -> bytes:
    """A prepared file with a change, and with checksums that are right."""
    import hashlib
    import struct

    import numpy as np

    from ktsolve import _native

    preamble = struct.Struct("<16sIIQQQ")
    magic, frame, zero, start, _, _ = preamble.unpack(data[: preamble.size])
    header = json.loads(data[start:])
    whole = bytearray(data[:start])
    if chance.random() < 0.5:
        blob = chance.choice([each for each in header["blobs"] if each["bytes"]])
        place, length = blob["start"], blob["bytes"]
        for _ in range(chance.choice((1, 1, 2, 8))):
            whole[place + chance.randrange(length)] = chance.choice(
                (0, 1, 2, 127, 128, 255, chance.randrange(256))
            )
        at = header["sums"]["start"]
        for each in header["blobs"]:
            bytes_of = np.frombuffer(bytes(whole[each["start"] : each["start"] + each["bytes"]]), np.uint8)
            sums = _native.block_checksums(bytes_of)
            whole[at : at + 8 * len(sums)] = sums.view(np.uint8).tobytes()
            at += 8 * len(sums)
        checks = bytes(whole[header["sums"]["start"] : start])
        header["sums"]["check"] = int(hashlib.sha256(checks).hexdigest()[:16], 16)
    else:
        header = changed_json(chance, header)
    try:
        text = json.dumps(header).encode("utf-8", "replace")
    except ValueError:
        return data
    check = int(hashlib.sha256(text).hexdigest()[:16], 16)
    whole[: preamble.size] = preamble.pack(magic, frame, zero, start, len(text), check)
    return bytes(whole) + text


def _read_tables(data: bytes) -> None:
    """What forged tables number is still checked: a tour that is given out is one.

    Some are found out by ranking back: an answer that is known to be wrong is not given.
    """
    for engine, problem in _PREPARED:
        if problem_key(problem).encode() not in data:
            continue
        with _file(data, ".tables") as path:
            found = tours(
                problem, engine=engine, prepared=path, settings=Settings(timeout=SECONDS, threads=1)
            )
            with contextlib.suppress(WrongAnswer):
                for index in (0, found.count // 2, found.count - 1):
                    if 0 <= index < found.count:
                        assert problem.check(found[index]) is None


# -- JSON of the commands, and command lines ----------------------------------------------------------------

_PRINTING = (
    *("tour 3x4 --open --json", "tour 3x4 --open --all --json", "tour 4x4 --json", "walk 3x4 --open --json"),
    *("uncrossed 4x4 --json", "uncrossed 3x5 --open --json", "count 3x4 --open --by endpoints --json"),
    *(
        "count 3x4 --open --by-moves --json",
        "count 3x4 --open --by-steps a1 --json",
        "sample 3x4 --open --json",
    ),
    *("count 3x4 --open --by-uses slopes --json", "survey 3x4 --open --of turns --samples 9 --json"),
    *(
        "tour graph:petersen --open --json",
        "unrank 3x4 0 --open --json",
        "convert graph:complete:4 --format json",
    ),
)


@functools.cache
def _printed() -> tuple[bytes, ...]:
    found = [command(*line.split()).out.encode() for line in _PRINTING]
    return (*found, (ROOT / "tests" / "traces" / "search-5x5.json").read_bytes()[:2000])


def _read_printed(data: bytes) -> None:
    """What commands print as JSON, by everything that reads such files."""
    text = _text(data)
    for read in (read_trace, read_uncrossed, validate_bases, read_tours):
        with contextlib.suppress(KtsolveError):
            read(text)
    for line in ("draw - -o /dev/null --format svg", "play -", "convert - --format csv", "check -"):
        _said(line.split(), data)


_LINES = (
    *("tour 3x4 --open --start a1", "tour 3x4 --open --at 5=c3", "count 3x4 --open --without first:3"),
    *("count 3x3 --leaper 0,1 --wrap xy", "prove 3x4 --argument parts", "prove 3x3 --open --least obtuse=1"),
    *(
        "tour 3x4 --open --range a1=1..3 --order a1,b3",
        "tour 3x4 --open --figure squares=row",
        "walk 3x4 --open",
    ),
    *(
        "tour 1x1 --open --most turns=0",
        "count 3x4 --open --by endpoints",
        "count 3x4 --open --by-uses a1-b3",
    ),
    *(
        "sample 3x4 --open --number 2 --seed 7",
        "unrank 3x4 0 3 --open",
        "sequence 3xN --upto 9",
        "swap guarini",
    ),
    *("survey 3x4 --open --of turns,visit:a1 --samples 9", "draw 3x4 --without a1", "uncrossed 3x3"),
    *(
        "convert 3x4 --format g6",
        "count graph:cycle:5",
        "tour 2x2 --leaper 0,1 --require a1-a2 --forbid b1-b2",
    ),
    *("sudoku count 2x2", "tour 3x4 --open --magic rows --sum a1,b1=9 --run a1,b3 --symmetry rot180"),
)


def _lines() -> list[bytes]:
    return [f"{line} --quiet --timeout 2 --memory 400M".encode() for line in _LINES]


def _said(words: list[str], given: bytes = b"") -> None:
    said = command(*words, given=given)
    assert said.status in (0, 1, 2, 3), said
    assert "Traceback" not in said.err
    assert "internal error" not in said.err
    if said.status == 2:
        assert len(said.complaint) < 2000, said.complaint


def _run_line(data: bytes) -> None:
    """A command line. Options that name files or folders are left out."""
    try:
        words = shlex.split(_text(data).replace("\x00", ""))
    except ValueError:
        return
    banned = (
        "-o",
        "--output",
        "--ledger",
        "--prepared",
        "--certificate",
        "--export",
        "--record",
        "--spill",
        "--dask",
    )
    if any("/" in word or word.startswith(banned) for word in words):
        return
    if words[:1] not in (["census"], ["verify"], ["base"], ["play"]) and "--timeout" in words:
        here = os.getcwd()
        with tempfile.TemporaryDirectory(prefix="ktsolve-fuzz-") as folder:
            os.chdir(folder)
            try:
                _said(words)
            finally:
                os.chdir(here)


# -- all ----------------------------------------------------------------------------------------------------


def _problems() -> list[bytes]:
    return [json.dumps(words).encode() for words in CONSTRAINED if words.get("corners") is not True]


def _read_problem(data: bytes) -> None:
    """A problem from JSON as in certificates, and its parameters again."""
    from ktsolve.problem.parameters import tour_problem

    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return
    if not isinstance(value, dict):
        return
    problem = tour_problem(value)
    if len(problem.ground) <= 400:
        written = Certificate(problem, certificates()[1].argument).to_json()["certificate"]["problem"]
        assert tour_problem(written) == problem, written


TARGETS: tuple[Target, ...] = (
    *(
        Target(f"tour-{form.name}", _tour_seeds(form), _read_tour)
        for form in TOUR_FORMATS
        if form.can("read") or form.can("read_array")
    ),
    Target("tour-of-graph", _graph_tour_seeds, _read_graph_tour),
    *(Target(f"graph-{form.name}", _graph_seeds(form), _read_graph(form)) for form in GRAPH_FORMATS),
    Target("graph-format", _all_graph_seeds, _recognise),
    Target("condition", _conditions, _read_condition),
    Target("board", lambda: [text.encode() for text in _BOARDS], _read_board),
    Target("quantity", _quantities, _read_quantity),
    Target("clues", lambda: [b"1 . .\n. . 4\n. 2 .", b"1 . # 4\n. # . 7"], _read_clue_grid),
    Target("problem", _problems, _read_problem),
    Target("instance", _instances, _read_instance),
    Target("swap", _swaps, _read_swap),
    Target("sudoku", _sudokus, _read_sudoku),
    Target("certificate", _certificate_seeds, _read_certificate, _change_certificate),
    Target("ledger", _ledgers, _read_ledger, _change_ledger, 3),
    Target("tables", _tables, _read_tables, _change_tables, 3),
    Target("printed", _printed, _read_printed, mutated, 2),
    Target("line", _lines, _run_line, mutated, 1),
)
"""All targets."""


def target_named(name: str) -> Target:
    """The target of that name."""
    return next(each for each in TARGETS if each.name == name)
