"""What the tests of certificates share: boards without tours, and questions that are hard in other ways."""

from __future__ import annotations

from typing import Any

from strategies import answer_or_refusal

from ktsolve.base.errors import Refused
from ktsolve.graphs.board import Board
from ktsolve.problem.conditions import parse_condition
from ktsolve.problem.problem import TourProblem
from ktsolve.proof.certificate import Certificate, read_certificate
from ktsolve.proof.checker import check_certificate


def _sizes(most: int) -> list[tuple[int, int]]:
    return [(a, b) for a in range(1, most + 1) for b in range(a, most // a + 1)]


def excluded_closed(most: int) -> list[str]:
    """Boards that Schwenk's theorem (1991) excludes."""
    return [
        f"{a}x{b}"
        for a, b in _sizes(most)
        if a * b % 2 == 1 or a in (1, 2, 4) or (a, b) in ((3, 4), (3, 6), (3, 8))
    ]


def excluded_open(most: int) -> list[str]:
    """Boards without open tours (Conrad, Hindrichs, Morsy & Wegener 1994, and smaller ones)."""
    return [
        f"{a}x{b}"
        for a, b in _sizes(most)
        if (a <= 2 and (a, b) != (1, 1)) or (a, b) in ((3, 3), (3, 5), (3, 6), (4, 4))
    ]


def asked(words: dict[str, Any]) -> TourProblem:
    """A problem from words; conditions are given as lists of texts under their options' names."""
    words = dict(words)
    board = Board.parse(
        words.pop("board"),
        without=words.pop("without", ""),
        leaper=words.pop("leaper", (1, 2)),
        wrap=words.pop("wrap", "none"),
    )
    fields = [
        "closed",
        "start",
        "end",
        "starts",
        "ends",
        "require",
        "forbid",
        "at",
        "symmetry",
        "structured",
        "corners",
        "magic",
    ]
    given = {key: words.pop(key) for key in fields if key in words}
    conditions = [
        each for key, texts in words.items() for text in texts for each in parse_condition(key, text, board)
    ]
    return TourProblem(board=board, conditions=conditions, **given)


CONSTRAINED: tuple[dict[str, Any], ...] = (
    {"board": "5x5", "closed": False, "start": "b5"},
    {"board": "6x6", "closed": False, "start": "a1", "end": "c3"},
    {"board": "3x4", "closed": False, "start": "a1", "end": "b3"},
    {"board": "4x5", "closed": False, "require": ["b2-d3", "b3-d4", "c1-d3"]},
    {"board": "5x6", "closed": True, "require": ["a2-c3", "c1-d3", "b4-d5"]},
    {"board": "5x6", "closed": True, "require": ["c3-e4"], "structured": True},
    {"board": "6x6", "closed": True, "without": "a1 f6"},
    {"board": "5x5", "closed": True, "without": "b1"},
    {"board": "4x6", "closed": False, "without": "b2 c2 b3 c3"},
    {"board": "4x4", "closed": True, "leaper": (1, 3)},
    {"board": "3x4", "closed": True, "wrap": "x", "forbid": ["a1-b3", "a1-d3"]},
    {"board": "5x5", "closed": True, "wrap": "xy", "require": ["a1-b3", "a1-c2", "a1-d2"]},
    {"board": "8x8", "closed": True, "symmetry": "rot90"},
    {"board": "12x12", "closed": True, "symmetry": "rot90"},
    {"board": "6x6", "closed": True, "symmetry": "flip-h"},
    {"board": "8x8", "closed": True, "symmetry": "flip-v"},
    {"board": "8x8", "closed": False, "symmetry": "flip-h"},
    {"board": "6x6", "closed": False, "symmetry": "rot90"},
    {"board": "5x6", "closed": True, "symmetry": "rot180", "require": ["a2-c3"]},
    {"board": "5x5", "closed": False, "start": "a1", "at": {13: "b3"}},
    {"board": "3x10", "closed": True, "at": {1: "a1", 2: "b3", 4: "c2"}},
    {"board": "5x5", "closed": False, "starts": ["a1", "e5"], "ends": ["a2", "c3"], "at": {3: "c3"}},
    {"board": "3x4", "closed": False, "starts": ["a3", "b2"], "ends": ["d1"], "order": ["a1,b2,c3"]},
    {"board": "5x5", "closed": False, "range": ["c3=2..3"], "start": "a1"},
    {"board": "5x5", "closed": False, "figure": ["squares=row"]},
    {"board": "3x4", "closed": False, "figure": ["1+4=circuit"]},
    {"board": "3x4", "closed": False, "figure": ["1,2,3=a1,b1,c1,d1"]},
    {"board": "3x4", "closed": False, "magic": ["rows"]},
    {"board": "3x4", "closed": False, "magic": ["columns"]},
    {"board": "4x4", "closed": False, "leaper": (0, 1), "magic": ["rows", "columns", "diagonals"]},
    {"board": "3x10", "closed": True, "sum": ["a1,b1,a2=6"]},
    {"board": "5x5", "closed": False, "sum": ["a1:e1=20"], "start": "c3"},
    {"board": "6x6", "closed": True, "most": ["obtuse=5"]},
    {"board": "5x6", "closed": True, "least": ["turns=31"]},
    {"board": "3x10", "closed": True, "least": ["straight=9"]},
    {"board": "5x5", "closed": False, "most": ["crossings=20"]},
    {"board": "5x6", "closed": True, "exactly": ["moves:a1-b3,a1-c2,f5-e3=2"]},
)
"""Questions without an answer, of every kind that certificates speak of."""


def verdict(text: str) -> Certificate | None:
    """The certificate if it is accepted; every refusal is one line."""
    certificate = answer_or_refusal(read_certificate, text)
    if certificate is None:
        return None
    try:
        return certificate if check_certificate(certificate) is None else None
    except Refused:
        return None
