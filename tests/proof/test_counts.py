"""Certificates of counts: the sweep of the checker counts as the definition does, and changes are found."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from command import answered, refused
from marks import full
from random_graphs import random_graph, tours_by_definition

import ktsolve
from ktsolve.base.errors import LimitReached, Refused, WrongAnswer
from ktsolve.base.limits import Settings
from ktsolve.problem.problem import TourProblem
from ktsolve.proof.certificate import digest, read_certificate
from ktsolve.proof.checker import check_certificate
from ktsolve.proof.maker import certify_count


@pytest.mark.parametrize(("seed", "number"), [(1, 60), full(2, 300)])
def test_random_graphs(seed: int, number: int) -> None:
    """Also directed ones, with an end, required and forbidden edges."""
    chance, certified = random.Random(seed), 0
    for _ in range(number):
        graph = random_graph(chance)
        given: dict[str, Any] = {}
        if chance.random() < 0.4:
            given["start"] = graph.name(chance.choice(graph.cells))
        if graph.moves and chance.random() < 0.3:
            given[chance.choice(["require", "forbid"])] = [chance.choice(graph.move_names)]
        problem = TourProblem(board=graph, closed=chance.random() < 0.5, **given)
        count = len(tours_by_definition(problem))
        try:
            made = certify_count(problem, count, Settings())
        except Refused:
            assert len(graph) < 3
            continue
        assert check_certificate(read_certificate(made.to_text())) is None
        with pytest.raises(WrongAnswer, match=f"counts {count} tours"):
            certify_count(problem, count + 1, Settings())
        certified += 1
    assert certified > number // 2


def test_changed_counts_and_layers_are_rejected() -> None:
    text = certify_count(TourProblem("3x10", closed=True), 16, Settings()).to_text()

    def changed(change: Any) -> str | None:
        data = json.loads(text)
        change(data["certificate"])
        data["sha256"] = digest(data["certificate"])
        return check_certificate(read_certificate(json.dumps(data)))

    def more(body: dict[str, Any]) -> None:
        body["count"], body["claim"] = "17", "17 tours: closed 3x10"

    def larger(body: dict[str, Any]) -> None:
        body["layers"][4][1] = "99"

    assert changed(lambda _: None) is None
    assert changed(more) == "the sweep counts 16 tours, not 17"
    assert str(changed(larger)).startswith("layer 5 of the sweep is (")
    assert changed(lambda body: body["layers"].pop()) == "the sweep has 30 layers, the table 29"
    assert str(changed(lambda body: body["order"].pop())).startswith("the order does not list each")
    for key, value in (("count", 16), ("count", "x"), ("layers", [[1, 2, 3]]), ("layers", "")):
        with pytest.raises(ktsolve.BadInput):
            changed(lambda body, key=key, value=value: body.update({key: value}))


def test_limits() -> None:
    wide = TourProblem("graph:king:9x9", closed=True)
    with pytest.raises(LimitReached, match="time limit"):
        certify_count(wide, 1, Settings(timeout=0.2))
    with pytest.raises(LimitReached, match="memory limit"):
        certify_count(wide, 1, Settings(memory=1 << 20))


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = answered("count", "4x5", "--open", "--certificate", "count.json")
    assert said.out == "open 4x5: 82 undirected tours\n"
    assert "bytes, checked, in count.json" in said.err
    checked = answered("prove", "--check", "count.json").out.splitlines()
    assert checked[0] == "valid: 82 tours of open 4x5"
    assert answered("prove", "--check", "count.json", "--json").json["status"] == "valid"
    other = answered("prove", "4x5", "--check", "count.json", status=1)
    assert other.out == "not valid: it is about open 4x5, not closed 4x5\n"
    assert "--argument clauses" in refused("prove", "--check", "count.json", "--export", "x.cnf")
    given = b"C~\nIheA@GUAo\nBw\n"
    answered("count", "-", "--certificate", "list.json", given=given)
    each = answered("prove", "-", "--check", "list.json", given=given).out.splitlines()
    numbers = [line.partition(" tours of ")[0].partition(" tour of ")[0] for line in each]
    assert numbers == ["valid: 3", "valid: 0", "valid: 1"]
    for words in (["--by-moves"], ["--estimate"], ["--up-to-symmetry"]):
        assert "--certificate FILE is about one number" in refused(
            "count", "6x6", "--certificate", "x.json", *words
        )
    assert "written as .json" in refused("count", "6x6", "--certificate", "x.txt")
    steps = refused("count", "5x5", "--open", "--at", "1=a1", "--at", "4=c3", "--certificate", "x.json")
    assert steps.startswith(
        "a certificate of a count states ends, required and forbidden moves, not open 5x5"
    )
