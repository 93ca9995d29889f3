"""Targets: certificates, and the problems that they state."""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Sequence
from typing import Any

from proof_cases import CONSTRAINED, asked

from fuzz.mutation import changed_json, mutated
from fuzz.target import SECONDS, Target, text_of
from ktsolve.base.limits import Settings
from ktsolve.graphs.graph import Graph
from ktsolve.problem.problem import TourProblem
from ktsolve.proof.certificate import Certificate, digest, read_certificate
from ktsolve.proof.checker import check_certificate, summary
from ktsolve.proof.maker import prove

__all__ = ["TARGETS", "certificates", "with_digest"]


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
    certificate = read_certificate(text_of(data))
    assert read_certificate(certificate.to_text()) == certificate
    if check_certificate(certificate, Settings(timeout=SECONDS, memory=1 << 28)) is None:
        summary(certificate)


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
    Target("certificate", _certificate_seeds, _read_certificate, _change_certificate),
    Target("problem", _problems, _read_problem),
)
"""The targets of this file."""
