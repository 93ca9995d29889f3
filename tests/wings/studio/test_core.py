"""The WebAssembly module of the studio and its plans, against the engines."""

from __future__ import annotations

import gzip
import importlib
import json
import random
import re
import shutil
import subprocess
import sys
from importlib import resources
from typing import Any

import networkx as nx
import pytest
from site_tools import ROOT
from studio_tasks import answers, needs_node

import ktsolve
from ktsolve.graphs.board import Board
from ktsolve.graphs.geometry import crossings
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem

pytestmark = needs_node


def problem_of(fields: dict[str, str]) -> TourProblem:
    """The problem of the fields of the page."""
    board = Board.parse(
        fields["board"],
        without=fields.get("without", "").replace(" ", ","),
        leaper=fields.get("piece", "1,2"),
        wrap=fields.get("wrap", "none"),
    )
    return TourProblem(
        board=board,
        closed=fields.get("tours", "closed") == "closed",
        start=fields.get("start") or None,
        end=fields.get("end") or None,
        require=fields.get("require", "").split(),
        forbid=fields.get("forbid", "").split(),
        at={int(step): cell for step, cell in (each.split("=") for each in fields.get("at", "").split())},
    )


def counted(fields: dict[str, str]) -> int:
    return ktsolve.count(problem_of(fields)).count


PROBLEMS: list[dict[str, str]] = [
    {"board": "1x1", "tours": "open"},
    {"board": "3x10"},
    {"board": "4x5", "tours": "open"},
    {"board": "5x5", "tours": "open"},
    {"board": "5x5", "tours": "open", "start": "a1"},
    {"board": "5x5", "tours": "open", "start": "a1", "end": "e5"},
    {"board": "5x6", "tours": "open", "start": "a1", "end": "b1"},
    {"board": "5x6", "tours": "open", "without": "c3"},
    {"board": "6x6"},
    {"board": "6x6", "without": "a1 b1"},
    {"board": "6x6", "require": "a1-b3 c1-d3", "forbid": "c3-e4"},
    {"board": "5x5", "tours": "open", "at": "13=c3 2=b3"},
    {"board": "6x6", "at": "1=a1 5=c4 20=f6"},
    {"board": "4x4", "wrap": "xy"},
    {"board": "4x6", "piece": "1,3", "wrap": "x"},
    {"board": "4x4", "piece": "0,1"},
]


def test_counts_agree_with_the_engines_and_tours_answer_the_problems() -> None:
    every = answers(
        *({"task": task, "fields": fields, "seed": 7} for task in ("count", "find") for fields in PROBLEMS)
    )
    counts, found = every[: len(PROBLEMS)], every[len(PROBLEMS) :]
    for fields, number, each in zip(PROBLEMS, counts, found, strict=True):
        problem, expected = problem_of(fields), counted(fields)
        assert int(number["count"]) == expected, fields
        if expected:
            assert problem.check(Tour.from_indices(problem.ground, each["tour"], problem.closed)) is None
        else:
            assert each["none"]


@pytest.mark.parametrize("closed", [pytest.param(True, marks=pytest.mark.full), False])
def test_numbers_are_those_of_the_command_line(closed: bool) -> None:
    problem = TourProblem(board="5x6", closed=closed)
    ranked = ktsolve.tours(problem, engine="join")
    last = ranked.count - 1
    numbers = [0, 1, last // 3, last]
    fields = {"board": "5x6", "tours": "closed" if closed else "open"}
    prepared, *tours = answers(
        {"task": "prepare", "fields": fields}, *({"task": "unrank", "index": str(k)} for k in numbers)
    )
    assert (int(prepared["count"]), prepared["order"]) == (last + 1, ranked.order)
    expected = [[*tour.indices] for tour in ranked.at(numbers)]
    assert [each["tour"] for each in tours] == expected
    _, *ranks = answers(
        {"task": "prepare", "fields": fields}, *({"task": "rank", "cells": cells[::-1]} for cells in expected)
    )
    assert [int(each["index"]) for each in ranks] == numbers


BAD_FIELDS: list[tuple[dict[str, str], str]] = [
    ({"board": "8by8"}, "rows x columns"),
    ({"board": "99999x2"}, "rows x columns"),
    ({"board": "61x5"}, "1 to 60"),
    ({"board": "6x6", "without": "a9"}, "no cell a9"),
    ({"board": "6x6", "require": "a1-a2"}, "does not move from a1 to a2"),
    ({"board": "6x6", "require": "a1"}, "not a move"),
    ({"board": "6x6", "wrap": "z"}, "none, x, y or xy"),
    ({"board": "6x6", "piece": "0,0"}, "such as 1,2"),
    ({"board": "2x1", "without": "a1 a2"}, "leave some"),
    ({"board": "6x6", "start": "a1", "end": "a1"}, "give two cells"),
    ({"board": "6x6", "at": "a1"}, "such as 5=d4"),
    ({"board": "6x6", "at": "37=a1"}, "the steps 1 to 36"),
    ({"board": "6x6", "at": "3=a1 4=a1"}, "the cell a1 twice"),
]


def test_bad_fields_are_refused_in_one_sentence() -> None:
    found = answers(*({"task": "count", "fields": fields} for fields, _ in BAD_FIELDS))
    for (_, words), each in zip(BAD_FIELDS, found, strict=True):
        assert words in each["failed"]
        assert "crash" not in each["failed"]


@pytest.mark.full
def test_limits_are_said() -> None:
    small, wide, plain = answers(
        {"task": "count", "fields": {"board": "7x7", "tours": "open"}},
        {"task": "count", "fields": {"board": "12x12"}},
        {"task": "prepare", "fields": {"board": "6x6", "without": "a1 b1"}},
        memory=2e7,
    )
    assert (small["stopped"], wide["stopped"], plain["stopped"]) == ("memory", "size", "plain")


REASONS = [
    ({"board": "5x5"}, "13 cells of one colour"),
    ({"board": "4x6"}, "Schwenk"),
    ({"board": "3x3", "tours": "open"}, "b2"),
    ({"board": "6x6", "without": "b3"}, "a1 has fewer"),
    ({"board": "6x6", "tours": "open", "start": "a1", "end": "c1"}, "differ in colour"),
    ({"board": "3x6", "wrap": "none", "without": "a1 b1"}, "fewer"),
    (
        {"board": "4x4", "tours": "open"},
        "Without these 4 cells the board has 6 components; an open tour allows at most 5.",
    ),
    ({"board": "5x5", "tours": "open", "start": "a1", "at": "3=c3"}, "all"),
]


@pytest.mark.full
def test_reasons_are_given_where_there_is_no_tour() -> None:
    found = answers(*({"task": "find", "fields": fields, "seed": 1} for fields, _ in REASONS))
    for (fields, words), each in zip(REASONS, found, strict=True):
        assert words in each["none"], (fields, each)
        assert counted(fields) == 0


def test_separators_leave_as_many_components_as_they_say() -> None:
    boards = [("3x5", "open"), ("4x4", "open"), ("3x6", "closed"), ("4x7", "closed")]
    fields = [{"board": board, "tours": tours, "without": ""} for board, tours in boards]
    # Without Schwenk's theorem, which is about full boards with no conditions.
    fields = [{**each, "forbid": "a1-b3"} for each in fields]
    found = answers(*({"task": "find", "fields": each, "seed": 5} for each in fields))
    said = 0
    for each, answer in zip(fields, found, strict=True):
        match = re.search(
            r"has (\d+) components(, also when the ends are joined)?; .* at most (\d+)", answer["none"]
        )
        if match is None:
            continue
        problem = problem_of(each)
        graph = nx.Graph(problem.allowed_edges.tolist())
        graph.add_nodes_from(range(len(problem.ground)))
        if match[2]:
            graph.add_edges_from((cell, -1) for cell in range(len(problem.ground)))
        graph.remove_nodes_from(answer["cells"])
        assert nx.number_connected_components(graph) == int(match[1]) > int(match[3])
        assert int(match[3]) == len(answer["cells"]) + (not problem.closed and not match[2])
        said += 1
    assert said > 1


@pytest.mark.full
def test_symmetric_and_smoother_tours() -> None:
    boards = [("6x6", "closed", "rot90"), ("5x6", "closed", "flip-h"), ("5x5", "open", "rot180")]
    fields = [{"board": board, "tours": tours} for board, tours, _ in boards]
    found = answers(*({"task": "symmetric", "fields": each, "seed": 3} for each in fields))
    for each, (_, _, symmetry), answer in zip(fields, boards, found, strict=True):
        assert (answer["symmetries"], answer["areDecided"]) == ([symmetry], True)
        problem = TourProblem(
            board=each["board"], closed=each["tours"] == "closed", symmetry=symmetry if symmetry else None
        )
        assert problem.check(Tour.from_indices(problem.ground, answer["tour"], problem.closed)) is None
    problem = TourProblem(board="6x6", require=["a1-b3"])
    rough = ktsolve.find(problem).tour
    assert rough is not None
    (smooth,) = answers(
        {
            "task": "smoother",
            "fields": {"board": "6x6", "require": "a1-b3"},
            "cells": [*rough.indices],
            "seed": 1,
        }
    )
    tour = Tour.from_indices(problem.ground, smooth["tour"], closed=True)
    assert problem.check(tour) is None
    assert (len(crossings(rough)), len(crossings(tour))) == (smooth["before"], smooth["after"])
    assert smooth["after"] < smooth["before"]


@pytest.mark.full
def test_puzzles_have_one_solution_and_hints_lead_to_it() -> None:
    boards = [("5x5", "open"), ("5x6", "closed")]
    fields = [{"board": board, "tours": tours} for board, tours in boards]
    made = answers(*({"task": "puzzle", "fields": each, "seed": 11} for each in fields))
    again = answers(
        {"task": "puzzle", "fields": fields[0], "seed": 11}, {"task": "puzzle", "fields": {"board": "9x9"}}
    )
    assert (again[0], again[1]) == (made[0], {"stopped": "puzzle"})
    for each, puzzle in zip(fields, made, strict=True):
        clues = puzzle["at"].split()
        problem = problem_of({**each, **puzzle})
        solution = ktsolve.find(problem).tour
        assert solution is not None
        assert ktsolve.count(problem).directed == 1
        for left_out in clues:  # every clue is needed
            fewer = " ".join(clue for clue in clues if clue != left_out)
            assert ktsolve.count(problem_of({**each, "at": fewer})).directed > 1
        given = {**each, **puzzle}
        one, several = answers(
            {"task": "solutions", "fields": given},
            {"task": "solutions", "fields": {**given, "at": " ".join(clues[1:])}},
        )
        assert (one["number"], several["number"]) == (1, 2)
        (hint,) = answers({"task": "hint", "fields": given, "placed": []})
        assert solution.indices[hint["step"] - 1] == hint["cell"]
        assert f"Step {hint['step']}" in hint["why"]
        wrong = [[hint["step"], solution.indices[hint["step"]]]]
        (said,) = answers({"task": "hint", "fields": given, "placed": wrong})
        assert said["why"].startswith(f"Step {hint['step']} is not on")


@pytest.mark.full
def test_bare_graphs() -> None:
    petersen = nx.petersen_graph()
    dodecahedron = nx.dodecahedral_graph()
    grid = "\n".join(f"{a[0]}.{a[1]} {b[0]}.{b[1]}" for a, b in nx.grid_2d_graph(4, 4).edges)
    graphs = [
        "\n".join(f"{u} {v}" for u, v in petersen.edges),
        nx.to_graph6_bytes(dodecahedron, header=False).decode(),
        grid,
    ]
    tasks = [
        {"task": task, "fields": {"graph": graph, "tours": tours}, "seed": 1}
        for graph in graphs
        for task in ("count", "find")
        for tours in ("closed", "open")
    ]
    bad = [
        {"task": "count", "fields": {"graph": graph}} for graph in ("a b c\n", "a a\nb c", "C", "Zx\u00e9")
    ]
    found = answers(*tasks, *bad)
    counts = [int(each["count"]) for each in found[: len(tasks)] if "count" in each]
    assert counts == [0, 120, 30, *[ktsolve.count(dodecahedron, closed=False).count], 6, 276]
    assert "all" in found[2]["none"]
    assert len(found[3]["tour"]) == 10
    for each in found[len(tasks) :]:
        assert "crash" not in each["failed"]


def random_fields(draw: random.Random) -> dict[str, str]:
    """A small board with conditions."""
    rows, columns = draw.choice([(4, 5), (4, 6), (5, 5), (5, 6), (6, 5), (6, 6), (3, 8)])
    tours = draw.choice(["closed", "open"])
    board = Board(rows, columns)
    holes = draw.sample([board.name(cell) for cell in board.cells], draw.choice([0, 0, 1, 2, 3]))
    left = Board.parse(f"{rows}x{columns}", without=",".join(holes))
    names = [left.name(cell) for cell in left.cells]
    moves = ["-".join(names[v] for v in edge) for edge in left.edges.tolist()]
    chosen = draw.sample(moves, min(len(moves), draw.choice([0, 1, 2, 3])))
    ends = draw.sample(names, 2)
    given = draw.choice([0, 0, 1, 2]) if tours == "open" else 0
    is_small = not given and (rows * columns < 30 or tours == "closed")
    number = draw.choice([0, 1, 1, 2]) if is_small else 0
    steps = zip(draw.sample(range(1, len(names) + 1), number), draw.sample(names, number), strict=True)
    return {
        "board": f"{rows}x{columns}",
        "tours": tours,
        "without": " ".join(holes),
        "require": " ".join(chosen[:2]),
        "forbid": " ".join(chosen[2:]),
        "start": ends[0] if given else "",
        "end": ends[1] if given == 2 else "",
        "at": " ".join(f"{step}={cell}" for step, cell in steps),
    }


@pytest.mark.full
def test_two_hundred_random_problems() -> None:
    draw = random.Random(3810)
    problems = [random_fields(draw) for _ in range(200)]
    tasks: list[dict[str, Any]] = [{"task": "count", "fields": fields} for fields in problems]
    found = answers(*tasks)
    for fields, each in zip(problems, found, strict=True):
        assert int(each["count"]) == counted(fields), fields


@pytest.mark.slow
def test_the_kept_module_is_that_of_its_sources() -> None:
    if shutil.which("em++") is None:
        pytest.skip("there is no emscripten")
    version = subprocess.run(["em++", "--version"], capture_output=True, text=True, check=True).stdout
    if " 3.1.6 " not in version.partition("\n")[0]:
        pytest.skip("the kept module was made by emscripten 3.1.6")
    subprocess.run(["make", "--silent", "build/wasm/core.wasm"], cwd=ROOT, check=True)
    kept = resources.files("ktsolve.wings.studio").joinpath("core.wasm.gz").read_bytes()
    first, second = gzip.decompress(kept), (ROOT / "build" / "wasm" / "core.wasm").read_bytes()
    assert len(first) == len(second)
    # The compiler makes one object, of ranking.cpp, in two ways by chance; they differ in eleven bytes.
    assert sum(a != b for a, b in zip(first, second, strict=True)) <= 11


def tool(name: str) -> Any:
    """A module of ``tools/``."""
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(ROOT / "tools"))


def test_no_source_is_newer_than_the_kept_module() -> None:
    digest = tool("studio_sources").digest
    kept = json.loads((ROOT / "tests" / "data" / "studio_sources.json").read_text(encoding="utf-8"))
    assert [name for name, expected in kept.items() if digest(ROOT / name) != expected] == [], "make wasm"


@pytest.mark.full
def test_plans_are_those_of_the_planner() -> None:
    studio_plans = tool("studio_plans")
    kept = resources.files("ktsolve.wings.studio").joinpath("plans.json.gz").read_bytes()
    found = json.loads(gzip.decompress(kept))
    assert found.pop("graphs") == studio_plans.graphs()
    assert found == json.loads(json.dumps(dict(studio_plans.plans())))
