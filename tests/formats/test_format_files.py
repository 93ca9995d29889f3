"""Files in every format: there and back, read by networkx or by the letter, refused where wrong."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import re
from pathlib import Path
from unittest.mock import patch

import networkx
import pytest
from command import answered, refused
from hypothesis import assume, given
from hypothesis import strategies as st
from ktsolve.models.tour import TourModel
from marks import full
from strategies import answer_or_refusal, boards, examples, hostile_text, real_tours, refusal, walks

import ktsolve
from ktsolve.base.errors import BadInput
from ktsolve.formats.graphs.files import graph_file, read_graph
from ktsolve.formats.models import MODEL_FORMATS, problem_file
from ktsolve.formats.table import Format, format_named
from ktsolve.formats.tours import grid
from ktsolve.formats.tours.files import load, read_tour, read_tours, tour_file
from ktsolve.formats.tours.recognition import TOUR_FORMATS
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour
from ktsolve.model.io import to_tsplib
from ktsolve.problem.problem import TourProblem


def test_the_suffix_of_a_graph_counts_for_python_as_for_commands(tmp_path: Path) -> None:
    """A matrix of two weights would also be a list of edges, of the vertices 0 and 5."""
    path = tmp_path / "two.matrix"
    path.write_text("0 5\n5 0\n")
    graph = ktsolve.read_graph(path)
    assert (len(graph), graph.weights.tolist() if graph.weights is not None else None) == (2, [5])
    assert answered("convert", str(path), "--format", "edges").out == "0 1 5\n"


# -- compressed files ---------------------------------------------------------------------------------------

PACKED = {".gz": gzip.compress, ".xz": lzma.compress, ".bz2": bz2.compress}


@pytest.mark.parametrize("suffix", [".gz", full(".xz"), full(".bz2")])
def test_compressed_files_of_every_kind(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tour = read_tour("1 4 7 10\n8 11 2 5\n3 6 9 12")
    tours = {form.name: tour_file([tour], form) for form in TOUR_FORMATS}
    contents = {
        **{f"check tour.{name}": data for name, data in tours.items()},
        "count two.g6": b"C~\nDhc\n",
        "count edges.txt": b"a b\nb c\nc a\n",
        "count board.graphml": graph_file(Board(3, 4), "graphml").encode(),
        "solve m.cnf": b"p cnf 1 1\n1 0\n",
        "sudoku solve s.txt": b"12..34..21..43..",
        "puzzle solve p.txt": b"https://puzz.link/p?masyu/4/4/000000",
    }
    said = {"check": "valid open tour of 3x4", "count": "closed ", "sudoku": "12|34", "solve": "x1"}
    for command, data in contents.items():
        *words, name = command.split()
        Path(packed := name + suffix).write_bytes(PACKED[suffix](data))
        Path("unnamed").write_bytes(PACKED[suffix](data))
        for file in (packed, "unnamed") if words != ["solve"] else (packed,):
            assert said.get(words[0], "") in answered(*words, file).out, command
    assert answered("check", "-", given=PACKED[suffix](tours["grid"])).out == "valid open tour of 3x4\n"
    Path("bomb").write_bytes(PACKED[suffix](b" " * (1 << 24)))
    assert "memory limit" in refused("count", "bomb", "--memory", "300M", status=3)
    Path("cut").write_bytes(PACKED[suffix](tours["grid"])[:-9])
    assert "cut: cannot be decompressed" in refused("check", "cut")
    with Path(f"tour.cells{suffix}").open("rb") as file:
        assert ktsolve.read_tour(file) == ktsolve.read_tour(file.name) == tour


# -- tours --------------------------------------------------------------------------------------------------


def named(name: str) -> Format:
    return format_named(name, TOUR_FORMATS)


def text_of(tour: Tour, name: str) -> str:
    return tour_file([tour], named(name)).decode()


@given(walks(), st.sampled_from([each for each in TOUR_FORMATS if not each.binary]))
@examples(70)
def test_a_tour_is_read_back(walk: Tour, form: Format) -> None:
    assume(walk.squares)
    if form.name == "moves" and not (walk.board.plain and walk.valid):
        assert "a move string is a knight's tour of a whole board" in refusal(tour_file, [walk], form)
        return
    text = text_of(walk, form.name)
    if form.name == "grid":
        assume(len(set(walk.squares)) == len(walk.squares))  # a grid has one number in a cell
    assert read_tour(text, walk.board, walk.closed) == walk
    if form.name in ("json", "csv", "tsplib", "moves"):
        # These state their board, and whether the tour is closed.
        assert read_tour(text) == walk
        assert read_tour(text, closed=not walk.closed) == walk.as_closed(not walk.closed)


@given(real_tours(), st.sampled_from(TOUR_FORMATS))
@examples(60)
def test_bytes_of_every_format_are_read_back(tour: Tour, form: Format) -> None:
    if form.name == "moves" and not tour.board.plain:
        return
    data = tour_file([tour], form)
    text = load(data)
    assert isinstance(text, str)
    assert read_tour(text, tour.board, tour.closed) == tour
    assert tour_file([tour], form) == data


def test_npy_holds_one_tour_and_one_number_for_a_cell() -> None:
    ring = read_tour("1 6 3\n4 . 8\n7 2 5")
    assert "npy holds one tour, and there are 2" in refusal(tour_file, [ring, ring], named("npy"))
    twice = Tour(ring.board, (ring.squares[0], ring.squares[0]))
    assert "the walk visits one twice" in refusal(tour_file, [twice], named("npy"))


@given(real_tours(), st.data())
@examples(40)
def test_csv_is_read_as_spreadsheets_write_it(tour: Tour, data: st.DataObject) -> None:
    rows = list(csv.DictReader(line for line in io.StringIO(text_of(tour, "csv")) if line[0] != "#"))
    assert [(int(row["row"]), int(row["column"])) for row in rows] == list(tour.squares)
    assert [row["cell"] for row in rows] == tour.names().split()
    first = data.draw(st.sampled_from([0, 1]))
    rows = [row | {"step": str(int(row["step"]) - 1 + first)} for row in rows]
    columns = data.draw(st.permutations(["step", "row", "column", "cell"]))
    assume(columns[0] == "step")
    file = io.StringIO()
    writer = csv.DictWriter(
        file,
        columns,
        delimiter=data.draw(st.sampled_from(",;\t")),
        lineterminator=data.draw(st.sampled_from(["\n", "\r\n"])),
    )
    writer.writeheader()
    writer.writerows(data.draw(st.permutations(rows)))
    text = data.draw(st.sampled_from(["", "\ufeff"])) + file.getvalue()
    assert read_tour(text, tour.board, tour.closed) == tour


def test_lines_may_end_in_carriage_returns() -> None:
    """Of old spreadsheets: by every reader of text."""
    tour = Tour.from_names(Board(3, 4), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    for form in TOUR_FORMATS:
        if not form.binary:
            text = tour_file([tour], form).replace(b"\n", b"\r")
            assert ktsolve.read_tour(text) == tour, form.name
    assert "field larger than" in refusal(read_tour, f"step,row,column\n1,0,{'1' * 200_000}")


def test_an_array_with_one_hole_is_read_back(tmp_path: Path) -> None:
    """The hole is not step 0, although a move leads from it to the first step."""
    file = str(tmp_path / "tour.npy")
    answered("tour", "5x5", "--without", "c3", "--open", "--start", "a2", "-q", "-o", file)
    assert answered("check", file).out == "valid open tour of 5x5 without c3\n"


def test_tsplib_by_the_letter() -> None:
    tour = Tour.from_names(Board(3, 4), "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1")
    lines = text_of(tour, "tour").splitlines()
    assert [line.split(" : ")[0] for line in lines[:5]] == [
        "NAME",
        "COMMENT",
        "TYPE",
        "DIMENSION",
        "TOUR_SECTION",
    ]
    assert lines[5:] == ["1", "7", "9", "2", "8", "10", "3", "5", "11", "4", "6", "12", "-1", "EOF"]


def test_tours_of_other_programs() -> None:
    # As LKH writes them: no word of the board; several numbers in a line; nodes from 1.
    ring = read_tour("1 6 3\n4 . 8\n7 2 5")
    text = "NAME : x.8.tour\nTYPE : TOUR\nDIMENSION : 8\nTOUR_SECTION\n1 7 3 4\n8 2 6 5\n-1\nEOF\n"
    read = read_tour(text, ring.board)
    assert read.moves == ring.moves
    assert read.closed
    assert "does not state its board: give --board" in refusal(read_tour, text)
    # An open tour is a cycle through one node more.
    board = Board(3, 4)
    numbers = [9, 2, 8, 10, 3, 5, 11, 4, 6, 12, 13, 1, 7]
    text = f"TYPE: TOUR\nTOUR_SECTION\n{' '.join(map(str, numbers))}\n-1\n"
    opened = read_tour(text, board)
    assert opened.names() == "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1"
    assert not opened.closed
    assert opened.valid


HEAD = 'COMMENT : ktsolve {"rows": 3, "columns": 4}\nTYPE : TOUR\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("NAME : x\nTYPE : TOUR\n", "has no TOUR_SECTION"),
        ("TYPE : TSP\nTOUR_SECTION\n1\n-1\n", "of type 'TSP', not TOUR"),
        (HEAD + "TOUR_SECTION\n1\n13\n-1\n", "step 2: 13 is not a cell of 3x4: they are numbered 1 to 12"),
        (HEAD + "TOUR_SECTION\n0\n-1\n", "step 1: 0 is not a cell"),
        (HEAD + "TOUR_SECTION\n1 x\n-1\n", "'x' where the number of a node is expected"),
        (HEAD + "TOUR_SECTION\n-1\n", "the TSPLIB tour is empty"),
        (HEAD + "TOUR_SECTION\n1 2\n-1\n3 4\n-1\nEOF\n", "several tours: give one at a time"),
        (
            'COMMENT : ktsolve {"rows": }\nTYPE : TOUR\nTOUR_SECTION\n1\n-1',
            "the comment '{\"rows\": }' is not JSON",
        ),
        ("step,row\n1,0\n", "the CSV has 0 columns column: write step,row,column"),
        ("step,row,row,column\n1,0,0,0\n", "the CSV has 2 columns row"),
        ("step,row,column\n1,0,0\n1,1,2\n", "line 3 of the CSV: step 1 occurs twice"),
        ("step,row,column\n1,0,0\n3,1,2\n", "step 2 is missing from the CSV"),
        ("step,row,column\n1,0\n", "line 2 of the CSV: '' is not a column"),
        ("step,row,column\n1,-1,0\n", "line 2 of the CSV: '-1' is not a row"),
        ("step,row,column\n1,0,20000\n", "column 20000 is on no board"),
        ("step,row,column\n", "the CSV has no steps"),
    ],
)
def test_damaged_tours_are_refused_with_the_place(text: str, said: str) -> None:
    assert said in refusal(read_tour, text)


@given(
    hostile_text(),
    st.sampled_from(["NAME : ", HEAD + "TOUR_SECTION\n", "step,row,column\n", "step;row;column\n1;0;0\n"]),
)
@examples(80)
def test_no_text_makes_the_readers_fall_over(text: str, head: str) -> None:
    tour = answer_or_refusal(read_tour, head + text)
    assert tour is None or all(cell in tour.board for cell in tour.squares)


@given(st.lists(real_tours(), min_size=2, max_size=4), st.sampled_from(["grid", "cells", "json"]))
@examples(40)
def test_several_tours_are_read_back(tours: list[Tour], name: str) -> None:
    board, closed = tours[0].board, tours[0].closed
    same = [tour for tour in tours if (tour.board, tour.closed) == (board, closed)]
    if len(same) < len(tours):
        if name == "json":
            assert "several boards or kinds" in refusal(tour_file, tours, named(name))
        return
    assert read_tours(tour_file(tours, named(name)).decode(), board, closed) == tours
    for single in ("csv", "tsplib"):
        assert "holds one tour" in refusal(tour_file, tours, named(single))


@given(real_tours(), st.data())
@examples(40)
def test_large_grids_are_read_like_small_ones(tour: Tour, data: st.DataObject) -> None:
    marks = tour.grid().split(" ")
    if data.draw(st.booleans()):
        marks[data.draw(st.integers(0, len(marks) - 1))] = data.draw(
            st.sampled_from(["1", "2", "0", ".", "+1", "1_0", "x", "9" * 30, "\u0663", "99", ""])
        )
    text = " ".join(marks)
    board = data.draw(st.sampled_from([None, tour.board]))
    closed = data.draw(st.sampled_from([None, True, False]))
    said = []
    for large in (1, 10**9):
        with patch.object(grid, "_LARGE", large):
            try:
                said.append(repr(read_tour(text, board, closed)))
            except BadInput as error:
                said.append(str(error))
    assert said[0] == said[1]


# -- graphs -------------------------------------------------------------------------------------------------


def by_networkx(text: str, ending: str) -> networkx.Graph[int]:
    """The graph as networkx reads it, or as the definition of the format says, nodes numbered from 0."""
    graph: networkx.Graph[int] = networkx.Graph()
    match ending:
        case "g6":
            return networkx.from_graph6_bytes(text.strip().encode())
        case "graphml":
            return networkx.parse_graphml(text, node_type=int)
        case "net":
            found = networkx.Graph(networkx.parse_pajek(text.splitlines()))
            return networkx.convert_node_labels_to_integers(found)
        case "col":
            problem = re.findall(r"^p edge (\d+) (\d+)$", text, re.MULTILINE)
            assert len(problem) == 1
            edges = re.findall(r"^e (\d+) (\d+)$", text, re.MULTILINE)
            assert len(edges) == int(problem[0][1])
            graph.add_nodes_from(range(int(problem[0][0])))
        case _:
            head, _, body = text.partition("EDGE_DATA_SECTION\n")
            edges = [tuple(line.split()) for line in body.split("-1\n")[0].splitlines()]
            graph.add_nodes_from(range(int(re.findall(r"DIMENSION : (\d+)", head)[0])))
    graph.add_edges_from((int(u) - 1, int(v) - 1) for u, v in edges)
    return graph


GRAPHS = ["hcp", "col", "g6", "graphml", "net"]
"""Those with a reader of another program; all are in test_graph_files.py."""


@given(boards(largest=6), st.sampled_from(GRAPHS))
@examples(70)
def test_a_graph_is_read_back(board: Board, ending: str) -> None:
    if ending == "hcp" and len(board) < 3:
        assert "at least 3 nodes" in refusal(graph_file, board, ending)
        return
    text = graph_file(board, ending)
    wanted = {(u, v) for u, v in board.edges.tolist()}
    graph = by_networkx(text, ending)
    assert sorted(graph) == list(range(len(board)))
    assert {(min(edge), max(edge)) for edge in graph.edges} == wanted
    read = read_graph(text, ending)
    assert {(u, v) for u, v in read.edges.tolist()} == wanted
    assert (read == board) == (ending != "g6")


def test_cells_keep_their_names_and_places() -> None:
    board = Board.parse("3x4", without="b2")
    graph = networkx.parse_graphml(graph_file(board, "graphml"), node_type=int)
    cells = [(data["row"], data["column"], data["name"]) for _, data in sorted(graph.nodes(data=True))]
    assert cells == [(r, c, board.name((r, c))) for r, c in board.cells]
    pajek = networkx.parse_pajek(graph_file(board, "net").splitlines())
    places = {name: (data["x"] * 4 - 0.5, data["y"] * 4 - 0.5) for name, data in pajek.nodes(data=True)}
    assert {name: (round(y), round(x)) for name, (x, y) in places.items()} == {
        board.name(cell): cell for cell in board.cells
    }


@pytest.mark.parametrize("ending", [e for e in GRAPHS if e != "g6"])
def test_a_changed_graph_is_noticed(ending: str) -> None:
    board = Board(4, 5)
    text = graph_file(board, ending)
    lines = text.splitlines()
    edge = {"hcp": "1 8", "col": "e 1 8", "net": "1 8 1"}.get(ending)
    at = lines.index(edge) if edge else next(i for i, line in enumerate(lines) if "<edge " in line)
    lines = [line.replace("p edge 20 34", "p edge 20 33") for line in lines]
    assert "is not that of '4x5'" in refusal(read_graph, "\n".join(lines[:at] + lines[at + 1 :]), ending)


def test_graph6_is_refused_where_it_would_be_huge() -> None:
    assert "up to 4,096, and there are 4,160" in refusal(graph_file, Board(65, 64), "g6")
    assert "format 'bmp' is unknown" in refusal(graph_file, Board(3, 3), "bmp")


# -- problems -----------------------------------------------------------------------------------------------


@given(boards(largest=5))
@examples(40)
def test_the_graph_and_the_model_write_the_same_hcp(board: Board) -> None:
    assume(len(board) >= 3)
    problem = TourProblem(board=board, closed=True)
    short = [
        line for line in problem_file(problem, "hcp").splitlines() if not line.startswith(("NAME", "COMMENT"))
    ]
    model = to_tsplib(TourModel(problem).model).splitlines()
    assert short == [line for line in model if not line.startswith("NAME")]


def test_problems_keep_their_conditions() -> None:
    problem = TourProblem(board="5x6", closed=True, require=["a1-b3"], forbid=["c3-d5"])
    text = problem_file(problem, "hcp")
    board = problem.board
    numbers = [board.index[cell] + 1 for cell in board.move("a1-b3")]
    assert f"FIXED_EDGES_SECTION\n{numbers[0]} {numbers[1]}\n-1" in text
    u, v = (board.index[cell] + 1 for cell in board.move("c3-d5"))
    assert f"\n{u} {v}\n" not in text
    for form in MODEL_FORMATS:
        assert problem_file(problem, form.name) != problem_file(problem.replace(require=()), form.name)
    assert problem_file(problem, "cnf").startswith("c closed 5x6 require a1-b3")
    with pytest.raises(BadInput, match="format 'col' is unknown"):
        problem_file(problem, "col")


@pytest.mark.parametrize("closed", [True, False])
def test_a_solver_finds_the_tours_of_an_exported_cnf(closed: bool) -> None:
    from pysat.formula import CNF
    from pysat.solvers import Solver

    problem = TourProblem(board=Board.parse("3x3", without="b2"), closed=closed)
    formula = CNF(from_string=problem_file(problem, "cnf"))
    moves = len(problem.board.moves)
    found = set()
    with Solver("cadical153", bootstrap_with=formula) as solver:
        for model in solver.enum_models():
            found.add(frozenset(x for x in model if 0 < x <= moves))
    assert len(found) == (1 if closed else 8)


def test_json_has_the_schema() -> None:
    ring = read_tour("1 6 3\n4 . 8\n7 2 5")
    for tours in ([ring], [ring, ring.reversed()]):
        assert json.loads(tour_file(tours, named("json")))["schema"] == "ktsolve/1"
