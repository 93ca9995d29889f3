"""The WebAssembly module of the studio and its plans, against the engines."""

from __future__ import annotations

import gzip
import importlib
import json
import random
import sys
from importlib import resources
from typing import Any

import networkx as nx
import pytest
from site_tools import ROOT
from studio_tasks import answers, needs_node

import ktsolve
from ktsolve.graphs.board import Board
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
    ({"board": "4x4", "tours": "open"}, "all"),
]


@pytest.mark.full
def test_reasons_are_given_where_there_is_no_tour() -> None:
    found = answers(*({"task": "find", "fields": fields, "seed": 1} for fields, _ in REASONS))
    for (fields, words), each in zip(REASONS, found, strict=True):
        assert words in each["none"], (fields, each)
        assert counted(fields) == 0


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
    return {
        "board": f"{rows}x{columns}",
        "tours": tours,
        "without": " ".join(holes),
        "require": " ".join(chosen[:2]),
        "forbid": " ".join(chosen[2:]),
        "start": ends[0] if given else "",
        "end": ends[1] if given == 2 else "",
    }


@pytest.mark.full
def test_two_hundred_random_problems() -> None:
    draw = random.Random(3810)
    problems = [random_fields(draw) for _ in range(200)]
    tasks: list[dict[str, Any]] = [{"task": "count", "fields": fields} for fields in problems]
    found = answers(*tasks)
    for fields, each in zip(problems, found, strict=True):
        assert int(each["count"]) == counted(fields), fields


@pytest.mark.full
def test_plans_are_those_of_the_planner() -> None:
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        studio_plans = importlib.import_module("studio_plans")
    finally:
        sys.path.remove(str(ROOT / "tools"))
    kept = resources.files("ktsolve.wings.studio").joinpath("plans.json.gz").read_bytes()
    assert json.loads(gzip.decompress(kept)) == json.loads(json.dumps(dict(studio_plans.plans())))
