"""What somebody types first in a notebook works, or says what is right in one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import ktsolve
from ktsolve.base.errors import BadInput

LINES = r"""
ktsolve.__version__
ktsolve.find("6x6")
ktsolve.find("6x6").tour
ktsolve.find("5x5", closed=False).tour.valid
ktsolve.find("5x5", closed=False, start="a1").tour[0]
ktsolve.find("6x6", start="a1", at={5: "c3"}, settings=ktsolve.Settings(seed=1)).tour.step_of[3, 2]
ktsolve.find("6x6", symmetry="rot180", structured=True)
ktsolve.find("6x6", require=["a1-b3"], forbid=["c3-d5"])
ktsolve.find("6x6", most={"obtuse": 9}).tour is not None
ktsolve.find("6x6", order="a1,f6", start="a1")
ktsolve.find("4x6", leaper="1,4").reason
ktsolve.find("3x3", without="b2").tour.names()
ktsolve.find((6, 6)).found
ktsolve.find("graph:petersen", closed=False).tour.labels
ktsolve.find(nx.cycle_graph(5)).tour.labels
ktsolve.find("4x4").reason
ktsolve.find("8x8", settings=ktsolve.Settings(timeout="5m", memory="2G"))
ktsolve.best("5x6", minimise="crossings").value
ktsolve.count("6x6").count
ktsolve.count("5x5", closed=False).records()
ktsolve.count("6x6", symmetry="rot90").count
ktsolve.count(nx.petersen_graph()).count
ktsolve.count("6x6", by="symmetry").classes
ktsolve.count("5x5", by="start", closed=False).records()
ktsolve.count("6x6", by="uses:c3-d5").records()
ktsolve.count("6x6", by="moves").records()
ktsolve.count("5x5", by="steps:c3", closed=False, start="a1").records()
ktsolve.estimate("8x8")[1].seconds
[tour.names() for tour in ktsolve.find_all("5x6")]
len(list(ktsolve.find_all("6x6", number=3)))
ktsolve.tours("6x6")[1234]
ktsolve.tours("6x6").sample(2, seed=1)
ktsolve.survey("6x6", "turns", samples=100, seed=1).records()
ktsolve.strip_counts("5xN", 8)
ktsolve.prove("4x6")
ktsolve.hamiltonian_cycle(nx.cycle_graph("abcd"))
ktsolve.is_hamiltonian(nx.petersen_graph())
ktsolve.read_tour("1 4 7 10\n8 11 2 5\n3 6 9 12").valid
ktsolve.read_tour("tour.txt") == ktsolve.read_tour(Path("tour.txt")) == tour
ktsolve.read_tours("tour.txt")
ktsolve.read_tours(Path("tour.json"))
ktsolve.read_tour(open("tour.csv")) == tour
ktsolve.read_tour("tour.npy") == tour
ktsolve.read_graph("petersen.g6")
len(tour), tour[0], tour[-1], tour[:3], tour[::6]
[cell for cell in tour][:2], list(tour)[-1], tuple(reversed(tour))[0]
"a1" in tour, (0, 0) in tour, (9, 9) in tour, "z9" in tour
tour.index("a1"), tour.index(tour[5])
np.asarray(tour)
np.array(tour).shape, np.asarray(tour, dtype=float).max()
tour.array()[0, 0]
tour.to_networkx().number_of_edges()
tour.records()[0]
ktsolve.Tour.from_array(tour.array()) == tour
ktsolve.TourProblem("6x6").check(tour)
ktsolve.Board.parse("8x8")
str(tour), repr(tour), tour.grid(), tour.svg()
tour.save("picture.svg"), tour.save("picture.png"), tour.save("again.csv")
tour.play()
"""


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the lines find: a tour, its files in the current folder, and modules."""
    folder = tmp_path_factory.mktemp("notebook")
    tour = ktsolve.find("6x6", settings=ktsolve.Settings(seed=3)).tour
    assert tour is not None
    for suffix in ("txt", "json", "csv", "npy"):
        tour.save(folder / f"tour.{suffix}")
    (folder / "petersen.g6").write_text(ktsolve.graph_file(ktsolve.named_graph("petersen"), "g6"))
    return {"ktsolve": ktsolve, "nx": nx, "np": np, "Path": Path, "tour": tour, "folder": folder}


@pytest.mark.parametrize("line", LINES.strip().splitlines())
def test_a_line_works(names: dict[str, Any], monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.chdir(names["folder"])
    found = eval(line, dict(names))
    for each in found if isinstance(found, tuple) else [found]:
        shown = getattr(each, "_repr_html_", getattr(each, "_repr_svg_", lambda: None))
        assert each is not False or " in tour" in line, line
        shown()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ktsolve.find(8)", "8 is not a problem: give a TourProblem, a board such as '8x8', or a graph"),
        (
            "ktsolve.count(None)",
            "None is not a problem: give a TourProblem, a board such as '8x8', or a graph",
        ),
        (
            "ktsolve.find(ktsolve.Model())",
            "a value of type Model is not a problem: ktsolve.solve(model) solves it",
        ),
        (
            "ktsolve.find(tour)",
            "a tour is not a problem: give its board, or TourProblem(tour.board).check(tour)",
        ),
        ("ktsolve.find('8+8')", "'8+8' is not a board: write ROWSxCOLUMNS, such as 3x10"),
        ("ktsolve.find('6x6', open=True)", "condition 'open' is unknown: use closed=False"),
        ("ktsolve.find('6x6', strat='a1')", "condition 'strat' is unknown: use start"),
        (
            "ktsolve.find('6x6', timeout=5)",
            "timeout is one of the settings: write settings=Settings(timeout=5)",
        ),
        ("ktsolve.find('6x6', settings=5)", "settings must be Settings, such as Settings(timeout=10), not 5"),
        (
            "ktsolve.find('6x6', order=[1, 2])",
            "1 is not a cell: write b3, or row,column such as 2,1",
        ),
        (
            "ktsolve.find(ktsolve.Board.parse('6x6'), wrap='x')",
            "wrap belongs to the board: Board.parse('6x6', wrap='x')",
        ),
        (
            "ktsolve.find(nx.petersen_graph(), without=[0])",
            "without is about boards, and a graph is given: remove these nodes from the graph",
        ),
        (
            "ktsolve.find('graph:petersen', wrap='x')",
            "wrap is about boards, and 'graph:petersen' is a graph: leave it out",
        ),
        ("ktsolve.find(nx.petersen_graph(), board='6x6')", "board is given twice, as "),
        ("ktsolve.find('6x6', start=5)", "5 is not a cell: write b3, or row,column such as 2,1"),
        ("ktsolve.find('6x6', at=3)", "at must be a list of steps with cells, such as {5: 'c3'}, not 3"),
        ("ktsolve.find('6x6', at=[1])", "at has steps with cells, such as {5: 'c3'}, not 1"),
        ("ktsolve.find('6x6', require=None)", "require must be a list of moves, not None"),
        ("ktsolve.find('6x6', forbid=[7])", "7 is not a move: write two cells, such as a1-b3"),
        ("ktsolve.find('6x6', magic=5)", "magic must be a list of lines, not 5"),
        ("ktsolve.find('6x6', conditions=5)", "conditions must be a list of conditions, not 5"),
        ("ktsolve.count('6x6', by=5)", "counts by '5' are unknown: use start, ends, moves"),
        ("ktsolve.Board.parse(None)", "None is not the size of a board: write '3x10', or (3, 10)"),
        ("ktsolve.Board.parse('6x6', without=5)", "5 is not a text of cells to leave out: write without="),
        ("ktsolve.Board.parse('6x6', leaper=5)", "leaper 5 is not understood: give two whole numbers"),
        ("ktsolve.Graph(None)", "None is not a list of names of vertices"),
        ("ktsolve.solve('6x6')", "'6x6' is not a ktsolve.Model: ktsolve.find and ktsolve.count take boards"),
        ("ktsolve.solutions(None)", "None is not a ktsolve.Model: ktsolve.tours takes boards and graphs"),
        ("ktsolve.unsat_core('6x6')", "'6x6' is not a ktsolve.Model"),
        ("ktsolve.find_conflict('6x6')", "'6x6' is not a TourProblem"),
        ("ktsolve.generating_function(5)", "5 is not a strip: write its width and N for its length"),
        ("ktsolve.named_graph(5)", "5 is not the name of a graph, such as 'petersen'"),
        ("ktsolve.read_certificate(None)", "None is not the text of a certificate"),
        ("ktsolve.check_certificate('x')", "'x' is not a certificate: ktsolve.read_certificate reads one"),
        ("ktsolve.solve_swap('guarini')", "'guarini' is not a SwapPuzzle"),
        ("ktsolve.symmetry_group('6x6')", "'6x6' is not a board, such as Board.parse('6x6')"),
        ("ktsolve.Settings(timeout=int)", "the time limit must be a number of seconds, such as 10"),
        ("ktsolve.best('6x6')", 'best needs one objective: give minimise="turns" or maximise="turns"'),
        (
            "ktsolve.Settings(timeout=[5])",
            'timeout must be seconds, such as 30, or a text such as "5m", not [5]',
        ),
        ("ktsolve.Settings(memory='lots')", "memory: 'lots' is not a size: write 500M or 4G"),
        ("ktsolve.Settings(threads='4')", "threads must be a whole number, such as 2, not '4'"),
        (
            "ktsolve.Settings(progress=True)",
            "progress must be a function that is called, such as print, not True",
        ),
        ("ktsolve.read_tour('nothing.txt')", "nothing.txt: there is no such file"),
        ("ktsolve.read_tour(5)", "a tour is read from a path, an open file or text, not 5"),
        ("ktsolve.Tour.from_array([[1, 2], [3, 3]])", "steps must be 1 to 4, each once: 4 is not so"),
        ("tour.index('z9')", "the tour does not visit 'z9'"),
        ("tour.save('tour.xyz')", "tour.xyz: the suffix of a file is one of npy,"),
    ],
)
def test_an_error_says_what_is_right(names: dict[str, Any], line: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        eval(line, dict(names))
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


def test_a_tour_is_the_sequence_of_its_squares(names: dict[str, Any]) -> None:
    tour = names["tour"]
    assert list(tour) == list(tour.squares) == [tour[i] for i in range(len(tour))]
    assert tour[3:9:2] == tour.squares[3:9:2]
    assert all(tour.index(cell) == tour.step_of[cell] - 1 == tour.squares.index(cell) for cell in tour)
    grid = np.asarray(tour)
    assert all(grid[cell] == step for cell, step in tour.step_of.items())
    assert "\n".join(" ".join(f"{step:2}" for step in row) for row in grid.tolist()) == tour.grid()
    graph = tour.to_networkx()
    assert {frozenset(edge) for edge in graph.edges} == {frozenset(move) for move in tour.moves}
    with pytest.raises(ValueError, match="copy=False"):
        tour.__array__(copy=False)


def test_what_is_not_there_is_0_in_the_array() -> None:
    tour = ktsolve.find("3x3", without="b2").tour
    assert tour is not None
    grid = tour.array()
    assert grid[1, 1] == 0
    assert ktsolve.Tour.from_array(grid) == tour
    graph = ktsolve.named_graph("petersen")
    path = ktsolve.find(graph, closed=False).tour
    assert path is not None
    assert [path.array()[place] for place in path.indices] == list(range(1, 11))
    assert list(path.to_networkx()) == list(path.labels)


def test_tables_go_into_pandas(names: dict[str, Any]) -> None:
    pandas = pytest.importorskip("pandas")
    answer = ktsolve.count("5x5", by="start", closed=False)
    table = pandas.DataFrame(answer.records())
    assert (table["multiplicity"] * table["count"]).sum() == 1728
    assert (pandas.DataFrame(answer.rows)["count"] == table["count"]).all()
    assert pandas.DataFrame(names["tour"].records())["cell"].nunique() == 36


def test_the_import_stays_small() -> None:
    line = "import sys, ktsolve; ktsolve.__version__; print(*sorted(m for m in sys.modules if '.' not in m))"
    done = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=True)
    late = {
        "numpy",
        "scipy",
        "networkx",
        "ortools",
        "pysat",
        "typer",
        "dataclasses",
        "json",
        "subprocess",
        "typing",
    }
    assert not late & set(done.stdout.split())


def test_every_public_name_has_a_type_and_a_docstring() -> None:
    for name in dir(ktsolve):
        found = getattr(ktsolve, name)
        assert not callable(found) or found.__doc__, name
