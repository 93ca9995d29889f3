"""Graphs on the command line: every command that takes a board takes a file, a name or standard input."""

from __future__ import annotations

import json
import resource
import subprocess
from pathlib import Path

import networkx
import pytest
from command import COMMAND, answered, names_in, refused
from command import ktsolve as ktsolve_command
from interrupting import interrupted
from marks import full, slow

import ktsolve
from ktsolve.base.limits import Settings
from ktsolve.formats.graphs.files import graph_file, read_graph
from ktsolve.formats.graphs.lists import graph_line
from ktsolve.formats.table import formats_of
from ktsolve.formats.tours.files import read_tour
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.problem.problem import TourProblem

CITIES = '"New York" "San Jose"\n"San Jose" Bonn\nBonn "New York"\nBonn Rome\nRome "New York"\n'

READ = [each.name for each in formats_of("graph")]

FOUR = "".join(
    graph_file(Graph.from_networkx(g), "g6")
    for g in (
        networkx.cycle_graph(5),
        networkx.path_graph(4),
        networkx.complete_graph(4),
        networkx.petersen_graph(),
    )
)
"""Four graphs: one cycle, none, three, none."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "petersen.g6").write_text(graph_file(named_graph("petersen"), "g6"))
    (tmp_path / "cube.col").write_text(graph_file(named_graph("hypercube:3"), "col"))
    (tmp_path / "cities.edges").write_text(CITIES)
    (tmp_path / "four.g6").write_text(FOUR)
    return tmp_path


@pytest.mark.parametrize("name", READ)
def test_every_format_is_taken_from_a_file_and_from_standard_input(folder: Path, name: str) -> None:
    text = graph_file(named_graph("complete:4"), name)
    # In digraph6 each edge is two arcs, so that each of the three cycles is there in both directions.
    wanted = "6 " if name == "d6" else "3 "
    (folder / f"four.{name}").write_text(text)
    (folder / "unknown").write_text(text)
    for arguments, given in (
        ([f"four.{name}"], b""),
        (["unknown"], b""),
        (["unknown", "--format", name], b""),
        (["-"], text.encode()),
        (["-", "--format", name], text.encode()),
    ):
        said = answered("count", *arguments, given=given)
        if name == "json" and name in arguments:  # then it is the format of the answer
            assert json.loads(said.out)["count"] == "3", (arguments, said)
        else:
            assert said.out.partition(": ")[2].startswith(wanted), (arguments, said)


@pytest.mark.parametrize(
    ("name", "vertices", "edges"),
    [
        ("petersen", 10, 15),
        ("heawood", 14, 21),
        ("hypercube:5", 32, 80),
        ("complete:7", 7, 21),
        ("complete:4,5,6", 15, 74),
        ("grid:10x10", 100, 180),
        ("king:8x8", 64, 210),
        ("knight:5x6", 30, 62),
        ("generalized-petersen:100,2", 200, 300),
        ("cycle:9", 9, 9),
        ("kneser:7,3", 35, 70),
        ("random-regular:3,100,7", 100, 150),
        ("moebius_kantor", 16, 24),
        ("circulant:10,1,5", 10, 15),
        ("grid:2x3x4", 24, 46),
        ("path:1", 1, 0),
        ("generalized-petersen:101,2,3,7", 202, 306),
        ("flower-snark:5,1", 20, 31),
        ("three-cycles:10,15,1", 282, 423),
        ("three-sat:5,10,1", 243, 372),
    ],
)
def test_graphs_by_name(name: str, vertices: int, edges: int) -> None:
    graph = named_graph(name)
    assert (len(graph), len(graph.edges)) == (vertices, edges)


@pytest.mark.parametrize(
    "name",
    [
        *("generalized-petersen:11,2,1,7", "flower-snark:17,1,3", "circulant:66,2,3"),
        *("three-cycles:4,9,1", "three-sat:4,6,1"),
        *map(slow, ("generalized-petersen:4763,2,1,7", "flower-snark:2381,1,7", "circulant:9527,97,512")),
        *map(slow, ("three-cycles:595", "three-cycles:4,279", "three-sat:40,80", "three-sat:40,160,1")),
    ],
)
def test_a_cycle_of_graphs_that_have_few(name: str) -> None:
    """The graphs are like those of the FHCP challenge set: 66 to 9,528 vertices, hard for general methods."""
    problem = TourProblem(board=named_graph(name), closed=True)
    tour = ktsolve.find(problem, settings=Settings(timeout=1800)).tour  # seconds are for benchmarks/graphs.py
    assert tour is not None
    assert problem.check(tour) is None


def test_three_cycles_are_three() -> None:
    graph = named_graph("three-cycles:3,9,5")
    made = graph.to_networkx()
    assert {degree for _, degree in made.degree} == {3}
    assert networkx.node_connectivity(made) == 3
    assert ktsolve.count(graph, closed=True).count == 3


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("hypercube:4", networkx.hypercube_graph(4)),
        ("complete:2,3,4", networkx.complete_multipartite_graph(2, 3, 4)),
        ("complete:6", networkx.complete_graph(6)),
        ("grid:4x5", networkx.grid_2d_graph(4, 5)),
        ("grid:2x3x2", networkx.grid_graph((2, 3, 2))),
        ("king:3x4", networkx.strong_product(networkx.path_graph(3), networkx.path_graph(4))),
        ("generalized-petersen:7,2", networkx.generalized_petersen_graph(7, 2)),
        ("generalized-petersen:6,3", networkx.generalized_petersen_graph(6, 3)),
        ("prism:5", networkx.circular_ladder_graph(5)),
        ("moebius-ladder:4", networkx.circulant_graph(8, [1, 4])),
        ("circulant:9,2,4", networkx.circulant_graph(9, [2, 4])),
        ("cycle:8", networkx.cycle_graph(8)),
        ("path:6", networkx.path_graph(6)),
    ],
)
def test_families_are_those_of_networkx(name: str, same: networkx.Graph[object]) -> None:
    assert networkx.is_isomorphic(named_graph(name).to_networkx(), same)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("petersn", "the name is unknown: did you mean petersen?"),
        ("qqqqqq", "the name is unknown: ktsolve list graphs has all names"),
        ("", "the name is unknown"),
        ("petersen:5", "petersen takes no numbers, and 1 are given"),
        ("kneser:7", "kneser takes n, k, and 1 are given"),
        ("kneser:7,x", "'7,x' is not a list of whole numbers"),
        ("hypercube", "hypercube takes a dimension"),
        ("hypercube:2,3", "hypercube takes a dimension"),
        ("hypercube:64", "has up to more than 10^15"),
        ("complete:999999", "has up to 499,998,500,001 edges: it is made up to 10,000,000"),
        ("grid:999999x4", "has up to 3,999,996 vertices: it is made up to 1,000,000"),
        ("balanced-tree:10,99", "it is made up to 1,000,000"),
        ("kneser:60,30", "it is made up to 1,000,000"),
        ("kneser:520000,200002", "it is made up to 1,000,000"),
        ("kneser:1000000,1", "it is made up to 1,000,000"),
        ("paley:99991", "it is made up to 1,000,000"),
        ("sudoku:99", "it is made up to 1,000,000"),
        ("random-regular:3,7,1", "networkx makes no such graph"),
        ("cycle:2", "2 is too small: it must be 3 or more"),
        ("generalized-petersen:5,5", "takes a step of 1 to 4, not 5"),
        ("generalized-petersen:5,2,11", "a graph of 10 vertices takes up to 10"),
        ("flower-snark:5,999999999999", "chords are too many: a graph of 20 vertices takes up to 20"),
        ("three-cycles:2,11", "a piece of 2*11 vertices has another number of cycles: use 9, 15, 21"),
        ("three-cycles:99999999", "it is made up to 1,000,000"),
        ("three-sat:2,5", "clauses have three variables: 2 are too few"),
        ("three-sat:99999999,5", "it is made up to 1,000,000"),
        ("empty:0", "has no vertices"),
    ],
)
def test_names_that_are_none(name: str, said: str) -> None:
    assert said in refused("count", f"graph:{name}")


def test_tours_of_graphs_in_every_format_are_checked(folder: Path) -> None:
    for name in ("json", "csv", "tsplib", "edges", "cells"):
        for kind in ("--closed", "--open"):
            answered("tour", "cities.edges", kind, "--format", name, "-o", f"tour.{name}")
            said = answered("check", f"tour.{name}", "--board", "cities.edges", kind)
            kind_said = kind.removeprefix("--")
            assert said.out == f"valid {kind_said} tour of graph of 4 vertices and 5 edges\n"
    answered("tour", "cities.edges", "--json", "-o", "tour.json")
    assert answered("check", "tour.json").out.startswith("valid closed tour")
    assert refused("tour", "cities.edges", "--format", "grid").startswith("grid holds tours of boards")
    data = answered("tour", "cities.edges", "--json").json
    assert sorted(data["squares"]) == ["Bonn", "New York", "Rome", "San Jose"]
    assert data["board"]["vertices"] == ["New York", "San Jose", "Bonn", "Rome"]


def test_a_list_of_edges_in_any_order_is_a_tour() -> None:
    graph = named_graph("cycle:5")
    tour = read_tour("3 4\n1 0\n2 1\n3 2\n0 4\n", graph)
    assert tour.valid
    assert tour.closed
    assert read_tour("3 4\n1 0\n2 1\n3 2\n", graph).names() in ("4 3 2 1 0", "0 1 2 3 4")
    for text, said in (
        ("0 1\n1 2\n2 9\n", "line 3: '9' is not a vertex"),
        ("0 1\n2 3\n", "several"),
        ("0 1\n0 2\n0 3\n", "0 has 3 edges"),
    ):
        with pytest.raises(ValueError, match=said):
            read_tour(text, graph).names()


def test_labels_that_need_quotes(folder: Path) -> None:
    said = answered("tour", "cities.edges", "--require", '"New York"-"San Jose"', "--quiet")
    assert '"New York" "San Jose"' in said.out or '"San Jose" "New York"' in said.out
    (folder / "t.cells").write_text(said.out)
    assert answered("check", "t.cells", "--board", "cities.edges").out.startswith("valid closed")
    said = answered("count", "cities.edges", "--open", "--start", '"New York"')
    assert said.out.startswith('open graph of 4 vertices and 5 edges start "New York": 2 undirected tours')
    assert "'Paris' is not a vertex" in refused("count", "cities.edges", "--open", "--start", "Paris")
    assert "is not an edge of the graph" in refused("count", "cities.edges", "--require", '"San Jose"-Rome')


def test_count_and_its_classes(folder: Path) -> None:
    assert answered("count", "cube.col", "--json").json["count"] == "6"
    assert answered("count", "cube.col", "--directed").out.startswith("closed graph of 8 vertices")
    data = answered("count", "petersen.g6", "--open", "--by", "start", "--json").json
    assert data["count"] == "120"
    assert [each["cells"] for each in data["classes"]] == [[str(i)] for i in range(10)]
    assert "search" in answered("count", "cube.col", "--estimate", "--engine", "search").out
    # All vertices of the cube but one.
    assert answered("count", "cube.col", "--open", "--without", "1", "--json").json["count"] != "0"


def test_prove(folder: Path) -> None:
    assert answered("prove", "petersen.g6", "--certificate", "p.json").out.startswith("no tour: ")
    assert answered("prove", "--check", "p.json").out.startswith("valid: no tour of closed graph of 10")
    assert answered("prove", "petersen.g6", "--check", "p.json").out.startswith("valid")
    assert "it is about" in answered("prove", "cube.col", "--check", "p.json", status=1).out
    assert answered("prove", "cube.col", status=1).out.startswith("there is a tour: ")


def test_boards_and_graphs_are_not_played(folder: Path) -> None:
    answered("convert", "petersen.g6", "-o", "graph.json")
    for name, what in {
        "graph.json": "graph",
        "petersen.g6": "graph",
        "graph:petersen": "graph",
        "6x6": "board",
    }.items():
        finds = f"ktsolve tour {name} -o tour.json finds one"
        assert refused("play", name) == f"{name} is a {what}, and a tour is played: {finds}"
    given = (folder / "graph.json").read_bytes()
    assert refused("play", "-", given=given) == (
        "standard input is a graph, and a tour is played: ktsolve tour finds one"
    )


def test_draw_and_play(folder: Path) -> None:
    answered("draw", "petersen.g6", "-o", "graph.svg")
    answered("tour", "petersen.g6", "--open", "-o", "tour.cells")
    answered("draw", "tour.cells", "--board", "petersen.g6", "-o", "tour.svg")
    answered("draw", "graph:petersen", "-o", "named.svg")
    answered("play", "tour.cells", "--board", "petersen.g6", "-o", "tour.html")
    assert (folder / "tour.html").read_text().startswith("<!doctype html>")
    for name in ("graph.svg", "tour.svg", "named.svg"):
        assert "<svg" in (folder / name).read_text()


def test_convert(folder: Path) -> None:
    for name in READ:
        answered("convert", "cities.edges", "--format", name, "-o", f"out.{name}")
        read = read_graph((folder / f"out.{name}").read_text(), name)
        assert len(read) == 4
        assert len(read.edges) == (10 if name == "d6" else 5)
    answered("convert", "cities.edges", "--format", "dot", "-o", "out.dot")
    assert '"New York" -- "San Jose";' in (folder / "out.dot").read_text()
    assert answered("convert", "four.g6", "--format", "s6").out.count("\n") == 4
    assert "four.g6 holds 4 graphs, and col holds one: use g6, s6, d6" in refused(
        "convert", "four.g6", "--format", "col"
    )
    assert answered("convert", "cities.edges", "--format", "cnf").out.startswith("c closed graph of 4")
    answered("tour", "cities.edges", "-o", "tour.cells")
    answered("convert", "tour.cells", "--board", "cities.edges", "-o", "tour.csv")
    assert (folder / "tour.csv").read_text().splitlines()[1] == "step,vertex"
    assert "csv" in refused("convert", "tour.cells", "--board", "cities.edges", "--format", "grid")
    assert answered("convert", "graph:petersen", "--format", "g6").out == "IheA@GUAo\n"


def test_a_file_of_several_graphs_has_an_answer_a_line(folder: Path) -> None:
    counts = answered("count", "four.g6", "--quiet")
    assert [line.split(": ")[1].split()[0] for line in counts.out.splitlines()] == ["1", "0", "3", "0"]
    lines = [json.loads(line) for line in answered("count", "four.g6", "--json").out.splitlines()]
    assert [each["count"] for each in lines] == ["1", "0", "3", "0"]
    assert {each["schema"] for each in lines} == {"ktsolve/1"}
    tours = answered("tour", "-", "--quiet", given=FOUR.encode(), status=1)
    kinds = [line.startswith("no tour: ") for line in tours.out.splitlines()]
    assert kinds == [False, True, False, True]
    proofs = answered("prove", "four.g6", status=1)
    assert [line.startswith("no tour") for line in proofs.out.splitlines()] == kinds
    answered("tour", "four.g6", "--json", "-o", "answers.jsonl", status=1)
    found = [json.loads(line) for line in (folder / "answers.jsonl").read_text().splitlines()]
    assert [each["status"] for each in found] == ["found", "impossible", "found", "impossible"]
    assert "holds several graphs" in refused("prove", "four.g6", "--export", "x.cnf")
    assert "four.g6 holds several graphs" in refused("check", "-", "--board", "four.g6", given=b"0 1 2 3 4\n")


def test_loops_and_parallel_edges(folder: Path) -> None:
    (folder / "multi.edges").write_text("1 1\n1 2\n2 3\n3 1\n2 1\n")
    said = answered("count", "multi.edges")
    assert said.err.startswith("multi.edges: 1 loop and 1 parallel edge dropped\n")
    assert "1 undirected tour" in said.out
    assert "1 loop and 1 parallel edge: --strict takes simple graphs only" in refused(
        "count", "multi.edges", "--strict"
    )
    assert answered("count", "multi.edges", "--quiet").err == ""


def test_directed_graphs(folder: Path) -> None:
    (folder / "ring.edges").write_text("a -> b\nb -> c\nc -> a\na -> c\n")
    assert answered("tour", "ring.edges", "--quiet").out.split() == ["a", "b", "c"]
    assert "1 directed" in answered("count", "ring.edges").out or "1 " in answered("count", "ring.edges").out
    answered("check", "-", "--board", "ring.edges", "--closed", given=b"a c b\n", status=1)


def test_a_weighted_tour(folder: Path) -> None:
    (folder / "w.edges").write_text("a b 1\nb c 5\nc d 1\nd a 5\na c 9\nb d 9\n")
    data = answered("tour", "w.edges", "--minimise", "weight", "--json").json
    assert (data["value"], data["bound"]) == (12, 12)


def test_instances_of_graphs(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "k4.col").write_text(graph_file(named_graph("complete:4"), "col"))
    for value, count in (
        ('"k4.col"', 3),
        ('"graph:hypercube:3"', 6),
        ('[["a", "b"], ["b", "c"], ["c", "a"]]', 1),
        ('"""\na b\nb c\nc a\n"""', 1),
    ):
        text = f'model = "tour"\n[parameters]\ngraph = {value}\nclosed = true\n[expect]\ncount = {count}\n'
        (folder / "sub" / "x.toml").write_text(text)
        assert "as expected" in answered("solve", "sub/x.toml").out
    fixed = graph_file(named_graph("complete:4"), "hcp").replace("EOF", "FIXED_EDGES_SECTION\n1 2\n-1\nEOF")
    (folder / "sub" / "k4.hcp").write_text(fixed)
    text = 'model = "tour"\n[parameters]\ngraph = "k4.hcp"\nclosed = true\n[expect]\ncount = 2\n'
    (folder / "sub" / "x.toml").write_text(text)
    assert "as expected" in answered("solve", "sub/x.toml").out
    assert "2 undirected tours" in answered("count", "sub/k4.hcp").out
    for value, said in (
        ('"none.g6"', "parameters.graph: none.g6: cannot be read"),
        ("5", "parameters.graph: write the name of a file"),
        ('"graph:nothing"', "the name is unknown"),
        ('"k4.col"\nboard = "4x4"', "parameters.graph and parameters.board are both given"),
        ('"k4.col"\nleaper = [1, 2]', "parameters.leaper is about boards"),
        ("[[1]]", "parameters.graph: write the name of a file"),
    ):
        (folder / "x.toml").write_text(f'model = "tour"\n[parameters]\ngraph = {value}\nclosed = true\n')
        (folder / "k4.col").write_text(graph_file(named_graph("complete:4"), "col"))
        assert said in refused("solve", "x.toml")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["non-crossing", "graph:petersen"], "'graph:petersen' is a graph: this needs a board"),
        (["walk", "petersen.g6"], "'petersen.g6' is a graph: this needs a board"),
        (["census", "run", "petersen.g6", "--ledger", "x"], "is a graph: this needs a board"),
        (["base", "make", "petersen.g6"], ""),
        (["count", "petersen.g6", "--symmetry", "rot180"], "a named symmetry needs a board"),
        (["count", "petersen.g6", "--structured"], "needs a board"),
        (["count", "petersen.g6", "--leaper", "1,3"], "--leaper is about boards"),
        (["count", "petersen.g6", "--wrap", "x"], "--wrap is about boards"),
        (["tour", "petersen.g6", "--open", "--minimise", "turns"], "needs a board"),
        (["count", "petersen.g6", "--without", "99"], "'99' is not a vertex"),
        (["count", "petersen.g6", "--without", "0 1 2 3 4 5 6 7 8 9"], "all 10 vertices are removed"),
        (["count", "6x6", "--strict"], "--strict is about a graph file"),
        (["count", "6x6", "--format", "g6"], "--format is about a graph file"),
        (["count", "graph:petersen", "--format", "g6"], "is about a file"),
        (["count", "petersen.g6", "--format", "bmp"], "tikz, png, hcp, col, g6, s6"),
        (["count", "none.g6"], "none.g6: cannot be read: No such file"),
        (["count", "."], ".: cannot be read: Is a directory"),
        (["count", "nothing"], "'nothing' is not a board: write ROWSxCOLUMNS"),
        (["count", "binary"], "binary is not text: a graph is hcp, col, g6"),
        (["count", "empty"], "empty: there is no graph in the input: it is empty"),
        (["count", "list.json"], "list.json: a graph in JSON is an object with vertices and edges, not []"),
        (["tour", "graph:path:3", "--open", "--start", "0", "--end", "0"], "are the same vertex, 0"),
        (["tour", "graph:path:3", "--require", "0-1", "--forbid", "0-1"], "edge 0-1 is both required"),
        (["count", "-"], "standard input: there is no graph in the input"),
        (["check", "-", "--board", "-"], "standard input (-) can be read once"),
        (["count", "cut.col"], "announces 12 edges, and the file has 11 edges: it is cut off"),
        (["check", "petersen.g6", "--board", "petersen.g6"], "is not a vertex"),
        (["tour", "four.g6", "--format", "g6", "--clues", "x"], "--clues"),
    ],
)
def test_what_is_no_graph_or_no_board(folder: Path, arguments: list[str], said: str) -> None:
    (folder / "binary").write_bytes(bytes(range(256)))
    (folder / "empty").write_text("\n")
    (folder / "list.json").write_text("[]\n")
    (folder / "cut.col").write_text((folder / "cube.col").read_text().rpartition("e ")[0])
    before = names_in(folder)
    assert said in refused(*arguments)
    assert names_in(folder) == before


@pytest.mark.parametrize(
    "text",
    [
        "p edge 900000000 1\ne 1 2\n",
        full("~~~~~~~~"),
        full(":~~?^zzzz"),
        full("*Vertices 900000000\n*Edges\n1 2\n"),
    ],
)
def test_an_announced_size_takes_no_memory(tmp_path: Path, text: str) -> None:
    """With 3 GB of address space, which the libraries alone take a good part of."""
    (tmp_path / "giant").write_text(text)
    ended = subprocess.run(
        [*COMMAND, "count", str(tmp_path / "giant")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30)),
    )
    assert ended.returncode == 2, ended
    assert ended.stderr.count("\n") == 1


def test_graphs_are_called_graphs_and_their_vertices_vertices(folder: Path) -> None:
    assert "22 + 20 + 22 vertices" in answered("count", "graph:hypercube:6", "--estimate").out
    assert "the graph has no such tour" in answered("tour", "graph:petersen", "--at", "1=0", status=1).out
    (folder / "arcs.txt").write_text("0 1 0\n0 0 1\n1 0 0\n")
    assert ": 1 directed tour, 1 class" in answered("count", "arcs.txt", "--up-to-symmetry").out


def test_a_tour_of_a_graph_without_its_graph_gets_a_hint() -> None:
    said = answered("check", "-", status=1, given=b"3 4 0 1 2\n")
    assert said.out.startswith("not a tour: ")
    assert "--board" in said.err


# -- lists of graphs -----------------------------------------------------------------------------------------


def test_a_list_is_filtered(folder: Path) -> None:
    (folder / "list.g6").write_text(f">>graph6<<{FOUR}")
    cycle, path, complete, petersen = FOUR.splitlines()
    assert answered("graphs", "list.g6", "--where", "hamiltonian").out == f"{cycle}\n{complete}\n"
    said = answered("graphs", "-", "--where", "hamiltonian", "-v", given=FOUR.encode())
    assert said.out == f"{path}\n{petersen}\n"
    assert said.err.startswith("2 of 4 graphs, ")
    both = answered("graphs", "list.g6", "--where", "traceable,hypohamiltonian", "-o", "hits.g6", "--quiet")
    assert (both.out, both.err) == ("", "")
    assert (folder / "hits.g6").read_text() == f"{petersen}\n"
    assert answered("graphs", "list.g6", "--where", "traceable", "-c").out == "4\n"
    assert answered("graphs", "list.g6", "--where", "hypotraceable").out == ""
    assert answered("graphs", "-", "--where", "traceable", "-c").out == "0\n"
    planar = b">>planar_code<<\3\2\3\0\1\3\0\1\2\0"
    assert answered("graphs", "-", "--where", "hamiltonian", given=planar).out == "Bw\n"
    assert "1 undirected tour" in answered("count", "-", given=planar).out


def test_a_list_has_a_table(folder: Path) -> None:
    table = answered("graphs", "four.g6", "--columns", "hamiltonian,cycles,paths", "--csv", "--check")
    assert table.out.splitlines() == [
        "graph,vertices,edges,hamiltonian,cycles,paths",
        "1,5,5,yes,1,5",
        "2,4,3,no,0,1",
        "3,4,6,yes,3,12",
        "4,10,15,no,0,120",
    ]
    assert "10 answers confirmed" in table.err
    text = answered("graphs", "four.g6").out.splitlines()
    assert [line.split() for line in text][:3] == [
        ["graph", "vertices", "edges", "hamiltonian"],
        ["1", "5", "5", "yes"],
        ["2", "4", "3", "no"],
    ]
    data = answered("graphs", "four.g6", "--where", "hamiltonian", "-v", "--columns", "paths", "--json").json
    assert data["graphs"][1] == {"graph": 4, "vertices": 10, "edges": 15, "paths": "120", "line": "IheA@GUAo"}
    assert data["complete"] is True
    assert answered("graphs", "four.g6", "--where", "hypotraceable", "--json").json["graphs"] == []


def test_bad_lines_of_a_list(folder: Path) -> None:
    (folder / "bad.g6").write_text("Bw\n\nC\nC~\nB\x7f\n")
    said = answered("graphs", "bad.g6", "--where", "hamiltonian", status=2)
    assert said.out == "Bw\n"
    assert said.complaint.startswith(
        "bad.g6: line 3, graph 2: a graph6 line of 4 vertices has 1 character after"
    )
    end = answered("graphs", "bad.g6", "--where", "hamiltonian", "--keep-going", status=2)
    assert end.out == "Bw\nC~\n"
    lines = end.err.splitlines()
    assert [line.split(": ")[2] for line in lines[:2]] == ["line 3, graph 2", "line 5, graph 4"]
    assert "2 of 2 graphs, 2 bad lines" in lines[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--where hamiltonion", "--where 'hamiltonion' is unknown: did you mean hamiltonian or"),
        ("--where cycles", "--where 'cycles' is unknown"),
        ("--where ,", "--where has no names"),
        ("--columns edges", "--columns 'edges' is unknown"),
        ("-v", "--invert is about the graphs of --where"),
        ("-c --csv", "--count prints one number"),
        ("--columns cycles -o x.g6", "-o x.g6 holds graphs without columns"),
        ("-o x.svg", "a list of graphs is written as"),
    ],
)
def test_options_of_lists_that_do_not_go_together(folder: Path, words: str, said: str) -> None:
    assert said in refused("graphs", "four.g6", *words.split())


def test_files_that_are_not_lists(folder: Path) -> None:
    assert "none.g6: there is no such file" in refused("graphs", "none.g6")
    assert "cannot be read" in refused("graphs", ".")


@pytest.mark.parametrize("command", ["count", "tour", "prove"])
@pytest.mark.parametrize("kind", ["--closed", "--open"])
def test_a_list_is_answered_as_its_graphs_one_by_one(folder: Path, command: str, kind: str) -> None:
    """Also with loops, directed graphs, one vertex, and more vertices than the native core takes."""
    more = [networkx.cycle_graph(70), networkx.empty_graph(1), networkx.DiGraph([(0, 1), (1, 2), (2, 0)])]
    lines = [*FOUR.splitlines(), ":An", *(graph_line(Graph.of(each)).strip() for each in more)]
    single = []
    for number, line in enumerate(lines, 1):
        (folder / f"{number}.g6").write_text(line)
        if command == "prove" and number == 6:
            continue  # an engine of its own
        single.append((line, ktsolve_command(command, kind, f"{number}.g6", "--quiet")))
    said = ktsolve_command(
        command, kind, "-", "--quiet", given="".join(f"{line}\n" for line, _ in single).encode()
    )
    assert said.status == max(each.status for _, each in single), said
    for (line, each), text in zip(single, said.out.splitlines(), strict=True):
        expected = each.out.strip().splitlines()[-1]
        yes = command != "count" and not text.startswith(("no tour", "proof"))
        assert text == expected or yes, line
        if yes:
            ground = read_graph(line)
            names = text.removeprefix("there is a tour: ")
            assert read_tour(names, ground, kind == "--closed").valid, line


@pytest.mark.parametrize("command", ["count", "prove", *map(full, ("tour", "longest", "properties"))])
def test_other_commands_go_on_after_bad_lines(folder: Path, command: str) -> None:
    (folder / "bad.g6").write_text("Bw\n\nC\nC~\nB\x7f\n")
    of = ["--of", "pancyclic"] if command == "properties" else []
    said = answered(command, "bad.g6", *of, status=2)
    assert said.complaint.startswith("bad.g6: line 3, graph 2: a graph6 line of 4 vertices has 1 character")
    end = answered(command, "bad.g6", *of, "--keep-going", status=2)
    assert len(end.out.splitlines()) == 2
    assert [line.split(": ")[2] for line in end.err.splitlines()] == ["line 3, graph 2", "line 5, graph 4"]
    both = answered(command, "bad.g6", *of, "--keep-going", "--json", status=2)
    assert [len(json.loads(line)["schema"]) for line in both.out.splitlines()] == [9, 9]


def test_certificates_of_a_list(folder: Path) -> None:
    made = answered("prove", "four.g6", "--certificate", "proofs.json", status=1)
    lines = (folder / "proofs.json").read_text().splitlines()
    assert len(lines) == len(made.out.splitlines()) == 4
    checked = answered("prove", "--check", "proofs.json").out.splitlines()
    kinds = ["a tour", "no tour", "a tour", "no tour"]
    assert [line.partition(" of ")[0] for line in checked] == [f"valid: {kind}" for kind in kinds]
    assert answered("prove", "four.g6", "--check", "proofs.json").out.splitlines() == checked
    each = answered("prove", "--check", "-", "--json", given="\n".join(lines).encode()).out.splitlines()
    assert [json.loads(line)["status"] for line in each] == ["valid"] * 4
    # Certificates in another order are about other graphs; one is missing; one has a wrong tour.
    (folder / "proofs.json").write_text("\n".join(reversed(lines)))
    other = answered("prove", "four.g6", "--check", "proofs.json", status=1).out.splitlines()
    assert all(line.startswith("not valid: ") for line in other)
    (folder / "proofs.json").write_text("\n".join(lines[:3]))
    fewer = answered("prove", "four.g6", "--check", "proofs.json", status=2)
    assert fewer.complaint == "four.g6 has more graphs than proofs.json certificates, 3"
    wrong = json.loads(lines[0])
    wrong["squares"][0] = wrong["squares"][2]
    (folder / "proofs.json").write_text("\n".join([lines[1], json.dumps(wrong)]))
    assert "not valid: " in answered("prove", "--check", "proofs.json", status=1).out
    (folder / "proofs.json").write_text("\n".join([lines[1], lines[3].replace("order", "ordre", 1)]))
    ended = answered("prove", "--check", "proofs.json", status=2)
    assert ended.complaint.startswith("proofs.json: line 2: ")


def test_conditions_hold_for_each_graph_of_a_list(folder: Path) -> None:
    (folder / "two.g6").write_text("Dhc\nC~\nEhEG\n")
    said = answered("count", "two.g6", "--require", "0-2", status=2)
    assert said.complaint == (
        "two.g6: line 1, graph 1: --require: 0-2 is not an edge of the graph of 5 vertices and 5 edges"
    )
    end = answered("count", "two.g6", "--require", "0-2", "--keep-going", status=2)
    assert end.out == "closed graph of 4 vertices and 6 edges require 0-2: 2 undirected tours\n"
    assert [line.split(": ")[2] for line in end.err.splitlines()] == ["line 1, graph 1", "line 3, graph 3"]
    fewer = answered("tour", "two.g6", "--without", "3", status=1).out.splitlines()
    assert [line.startswith("no tour") for line in fewer] == [True, False, True]


@pytest.mark.parametrize(
    "conditions",
    [
        "--closed",
        "--closed --require 0-4 --forbid 1-4,2-5",
        *map(full, ("--open --start 1", "--open --end 2 --forbid 0-3")),
        "--open --start 0 --end 3 --require 2-5",
        full("--open --start 0,2 --end 1,4,5"),
    ],
)
@pytest.mark.parametrize("command", ["count", "tour", "prove"])
def test_a_list_with_conditions_is_answered_as_its_graphs_one_by_one(
    folder: Path, command: str, conditions: str
) -> None:
    graphs = [networkx.gnp_random_graph(8, 0.6, seed, directed=seed == 3) for seed in range(4)]
    graphs.append(networkx.star_graph(7))
    for each in graphs:
        each.add_edges_from([(0, 4), (1, 4), (2, 5), (0, 3)])
    single = []
    for number, graph in enumerate(graphs):
        (folder / f"{number}.g6").write_text(graph_line(Graph.of(graph)))
        said = ktsolve_command(command, *conditions.split(), f"{number}.g6", "--json")
        single.append(json.loads(said.out))
    (folder / "all.g6").write_text("".join(graph_line(Graph.of(each)) for each in graphs))
    said = ktsolve_command(command, *conditions.split(), "all.g6", "--json")
    listed = [json.loads(line) for line in said.out.splitlines()]
    varying = {"engine", "seconds", "peak_bytes", "details", "advice", "conflict"}
    engines = set()
    for one, other in zip(single, listed, strict=True):
        engines.add(other.get("engine"))
        assert one.keys() - varying == other.keys() - varying
        same = one.keys() - varying - {"squares"}
        assert {key: one[key] for key in same} == {key: other[key] for key in same}
        if "squares" in other:
            check = ktsolve_command("check", "-", given=json.dumps(other).encode())
            assert check.out.startswith("valid"), check
    assert command == "prove" or "lists" in engines


@pytest.mark.full
@pytest.mark.parametrize(
    "words", [["count"], ["tour"], ["tour", "--json"], ["graphs", "--columns", "paths"], ["properties"]]
)
def test_an_interrupted_list_keeps_the_answers_so_far(folder: Path, words: list[str]) -> None:
    snarks = [graph_line(named_graph(f"flower-snark:{7 - 2 * (n == 0)}")) for n in range(3000)]
    (folder / "list.g6").write_text("".join(snarks))
    # A table is printed after every some thousand graphs, and at the end.
    said, _ = interrupted([words[0], "list.g6", *words[1:]], busy=2.0, first_line=words[0] != "graphs")
    assert (said.status, said.complaint.partition(",")[0]) == (3, "interrupted")
    assert said.out.endswith("\n")
    lines = said.out.splitlines()
    assert 1 <= len(lines) < 3000
    if words[0] == "graphs":
        assert said.complaint == f"interrupted, {len(lines) - 1} graphs done"
        assert [int(line.split()[0]) for line in lines[1:]] == list(range(1, len(lines)))
    if "--json" in words:
        statuses = [json.loads(line)["status"] for line in lines]
        assert set(statuses[:-1]) <= {"impossible"}
        assert statuses[-1] in ("impossible", "unknown")
