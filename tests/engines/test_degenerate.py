"""Boards of one cell, of two, without moves, in pieces: all commands and proofs, against the definition."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from brute_force import answers
from command import Said, ktsolve, refused
from marks import full, quick, slow
from plain_problems import Network, Shape, all_walks, kinds_on
from strategies import answer_or_refusal
from test_brute_force import WAZIR, question, random_network, random_shape

from ktsolve.graphs.tour import Tour
from ktsolve.problem.conditions import Bound
from ktsolve.problem.problem import TourProblem
from ktsolve.proof.certificate import read_certificate
from ktsolve.proof.checker import check_certificate, summary
from ktsolve.proof.maker import ARGUMENTS, prove
from ktsolve.proof.problem_graph import STATABLE

SHAPES = [
    Shape(1, 1),
    Shape(1, 1, WAZIR, wrap="xy"),
    Shape(1, 2),
    Shape(2, 1),
    Shape(1, 2, WAZIR),
    Shape(1, 2, WAZIR, wrap="x"),
    Shape(2, 2),
    Shape(2, 2, WAZIR),
    Shape(2, 2, wrap="xy"),
    Shape(1, 5),
    Shape(1, 3, WAZIR, wrap="x"),
    Shape(1, 4, (0, 3)),
    Shape(3, 3),
    Shape(3, 3, (5, 5)),
    Shape(2, 3, (1, 1)),
    Shape(1, 3, holes=((0, 0), (0, 2))),
    Shape(1, 3, holes=((0, 1),)),
    Shape(2, 2, holes=((0, 1), (1, 0))),
    Shape(3, 4, holes=tuple((r, c) for r in range(3) for c in range(4) if (r, c) != (1, 2))),
    Shape(3, 4, holes=tuple((r, c) for r in range(3) for c in range(4) if (r, c) not in ((0, 0), (2, 1)))),
]
"""One cell, two cells, one row, no moves, two components, all cells removed but one or two."""


def words(shape: Shape) -> list[str]:
    """The board as arguments of a command."""
    name = f"{shape.rows}x{shape.columns}"
    found = [name, "--leaper", f"{shape.leaper[0]},{shape.leaper[1]}", "--wrap", shape.wrap]
    return [*found, "--without", " ".join(f"{r},{c}" for r, c in shape.holes)] if shape.holes else found


def assert_proofs(problem: TourProblem, possible: bool) -> None:
    """Every argument proves nothing false, and the argument by clauses, which is complete, decides."""
    if not problem.features <= STATABLE:
        return
    for argument in ARGUMENTS:
        found = answer_or_refusal(prove, problem, argument=argument)
        if found is None:
            weighed = any(
                isinstance(each, Bound) and each.statistic.name == "weight" for each in problem.conditions
            )
            assert weighed or argument not in ("auto", "clauses"), problem
            continue
        if isinstance(found, Tour):
            assert possible, (problem, argument)
            assert problem.check(found) is None
        else:
            assert not possible, (problem, argument)
            again = read_certificate(found.to_text())
            assert again == found
            assert check_certificate(again) is None
            assert summary(again)


@pytest.mark.parametrize("closed", [full(True), slow(False)], ids=["closed", "open"])
def test_every_condition_is_proved_as_the_definition_says(closed: bool) -> None:
    chance = random.Random(4)
    asked_of = 0
    for shape in SHAPES:
        for kind in [[], *([each] for each in kinds_on(shape.plain()))]:
            asked = question(chance, shape, closed, kind)
            if asked is not None:
                conditions, problem = asked
                assert_proofs(problem, bool(answers(all_walks(shape, closed), conditions).tours))
                asked_of += 1
    assert asked_of > 300


@pytest.mark.parametrize("networks", [False, True], ids=["boards", "graphs"])
@pytest.mark.parametrize("number", [12, full(50)])
def test_random_questions_are_proved_as_the_definition_says(networks: bool, number: int) -> None:
    random_proofs(random.Random(81), number, networks)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_many_random_questions_are_proved_as_the_definition_says(seed: int) -> None:
    random_proofs(random.Random(seed), 700, networks=seed % 2 == 1)


def random_proofs(chance: random.Random, number: int, networks: bool) -> None:
    """Prove that many questions with up to three conditions."""
    while number:
        shape: Shape | Network = random_network(chance) if networks else random_shape(chance)
        plain = shape.plain()
        if sum(map(len, plain.after.values())) > 30 or len(plain.after) > 12:
            continue
        closed = chance.random() < 0.5
        kinds = kinds_on(plain)
        asked = question(chance, shape, closed, chance.sample(kinds, min(len(kinds), chance.randint(0, 3))))
        if asked is not None:
            number -= 1
            assert_proofs(asked[1], bool(answers(all_walks(shape, closed), asked[0]).tours))


def test_bounds_on_angles_of_one_cell() -> None:
    """These crashed: nothing said that an angle needs two moves."""
    for board in (["1x1"], ["1x3", "--without", "a1,c1"]):
        for statistic in ("acute", "right", "obtuse", "straight", "turns", "crossings"):
            assert ktsolve("prove", *board, "--open", "--least", f"{statistic}=1").status == 0
            assert ktsolve("prove", *board, "--open", "--most", f"{statistic}=0").status == 1


# -- commands -----------------------------------------------------------------------------------------------

ANSWERS = (0, 1, 2)


def said(*arguments: str, status: tuple[int, ...] = ANSWERS) -> Said:
    """What a command says: an answer or one line of refusal, never a crash or an endless search."""
    found = ktsolve(*arguments)
    assert found.status in status, (arguments, found)
    assert "Traceback" not in found.err
    if found.status == 2:
        assert found.complaint
    return found


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
@pytest.mark.parametrize("shape", quick(SHAPES, SHAPES[::10].__contains__), ids=str)
@pytest.mark.usefixtures("thread_workers")
def test_every_command(shape: Shape, closed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    plain, kind = words(shape), "--closed" if closed else "--open"
    board = [*plain, kind]
    right = answers(all_walks(shape, closed), [])
    possible = 0 if right.count else 1
    cell = f"{min(shape.plain().after)[0]},{min(shape.plain().after)[1]}"

    counted = said("count", *board, "--json", status=(0,)).json
    assert counted["count"] == str(right.count)
    assert said("count", *board, "--directed", "--json", status=(0,)).json["count"] == str(right.directed)
    for more in ("--up-to-symmetry", "--by-moves", "--by-uses=slopes", f"--by-steps={cell}", "--estimate"):
        said("count", *board, more)
    if not closed:
        for by in ("start", "endpoints"):
            table = said("count", *board, "--by", by, "--json", status=(0,)).json
            total = sum(each["multiplicity"] * int(each["count"]) for each in table["classes"])
            assert total == (
                right.count if by == "endpoints" or len(shape.plain().after) == 1 else right.directed
            )
    said("tour", *board, "-o", "tour.json", "--format", "json", status=(possible,))
    said("tour", *board, "--all", status=(possible,))
    said("prove", *board, "--certificate", "proof.json", status=(1 - possible,))
    if right.count:
        said("check", "tour.json", status=(0,))
        for form in ("csv", "cells", "json", "tsplib", "edges", "grid"):
            said("convert", "tour.json", "--format", form, status=(0,))
        said("convert", "tour.json", "-o", "tour.npy", status=(0,))
        said("draw", "tour.json", "-o", "tour.svg", status=(0,))
        said("play", "tour.json", "-o", "tour.html", status=(0,))
        assert said("unrank", *board, "0", status=(0,)).out
        assert said("rank", "tour.json", *board, "--json").status in (0, 2)
    else:
        said("prove", *board, "--check", "proof.json", status=(0,))
        said("unrank", *board, "0", status=(1, 2))
    said("sample", *board, "--seed", "1", status=(possible,))
    said("survey", *board, "--of", f"visit:{cell}", "--samples", "5")
    said("walk", *board, status=(possible,))
    said("walk", *board, "--repair", status=(possible, 3))
    said("non-crossing", *board)
    said("draw", *plain, status=(0,))
    for form in (
        "cnf",
        "opb",
        "hcp",
        "listing",
        "g6",
        "col",
        "edges",
        "matrix",
        "graphml",
        "gml",
        "net",
        "json",
    ):
        said("convert", *board, "--format", form)
    for statistic in ("turns", "crossings"):
        said("tour", *board, "--minimise", statistic)
    if shape.plain().rows <= 3 and not shape.holes:
        said(
            "sequence",
            f"{shape.rows}xN",
            kind,
            "--upto",
            "4",
            "--leaper",
            f"{shape.leaper[0]},{shape.leaper[1]}",
        )
    said("census", "run", *board, "--ledger", "census.sqlite", "--quiet", status=(0, 2))
    said("base", "make", *plain[:1])


def test_boards_without_a_cell() -> None:
    for command in ("tour", "count", "prove", "walk", "non-crossing", "draw", "sample", "convert"):
        more = ["--format", "cnf"] if command == "convert" else []
        assert refused(command, "1x1", "--without", "a1", *more).startswith(
            "every cell of the board is removed"
        )
        assert "every cell" in refused(command, "2x2", "--without", "first:4", *more)
