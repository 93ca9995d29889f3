"""The data of the twenty problems of ``language.py``, and the checks of their answers.

Each check takes the numbers that a side reads from its solution, as nested lists, and returns a text: the
optimum, or ``valid``. It raises AssertionError for a wrong answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, pairwise, product
from typing import Any

__all__ = ["CHECKS", "PROBLEMS"]

QUEENS = 30

MAGIC = 4
MAGIC_SUM = MAGIC * (MAGIC * MAGIC + 1) // 2

GOLOMB = 7

WEEKS, GROUPS, SIZE = 3, 4, 3
PLAYERS = GROUPS * SIZE


def _random_graph(nodes: int, share: float, seed: int) -> list[tuple[int, int]]:
    chance = random.Random(seed)
    return [pair for pair in combinations(range(nodes), 2) if chance.random() < share]


COUNTRIES = 40
BORDERS = _random_graph(COUNTRIES, 0.2, 1)


def _latin_square(n: int, holes: float, seed: int) -> list[list[int]]:
    """Return a Latin square of 1 to n, with 0 in some cells."""
    chance = random.Random(seed)
    rows, columns, values = (chance.sample(range(n), n) for _ in range(3))
    return [[values[(r + c) % n] + 1 if chance.random() > holes else 0 for c in columns] for r in rows]


LATIN = _latin_square(15, 0.45, 2)

SUDOKU = [
    [int(mark) for mark in row]
    for row in (
        *("100007090", "030020008", "009600500"),
        *("005300900", "010080002", "600004000"),
        *("300000010", "040000007", "007000300"),
    )
]

LANGFORD = 12


def _region(n: int, seed: int) -> set[tuple[int, int]]:
    """Return random cells of a grid whose border is one loop."""
    chance = random.Random(seed)
    inside = {(n // 2, n // 2)}
    for _ in range(40 * n * n):
        r, c = chance.randrange(n), chance.randrange(n)
        around = [(r - 1, c - 1), (r - 1, c), (r - 1, c + 1), (r, c + 1)]
        around += [(r + 1, c + 1), (r + 1, c), (r + 1, c - 1), (r, c - 1)]
        there = [cell in inside for cell in around]
        changes = sum(there[i] != there[i - 1] for i in range(8))
        if changes == 2 and any(there[1::2]):
            inside.add((r, c))
    return inside


LOOP = 10
"""Cells at each side of the Slitherlink."""


def _clues(n: int, share: float, seed: int) -> dict[tuple[int, int], int]:
    inside, chance = _region(n, seed), random.Random(seed)
    return {
        (r, c): sum(
            ((r, c) in inside) != (other in inside)
            for other in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))
        )
        for r, c in product(range(n), repeat=2)
        if chance.random() < share
    }


CLUES = _clues(LOOP, 0.6, 3)
POINTS = (LOOP + 1) ** 2
LINES = [
    (r * (LOOP + 1) + c, r * (LOOP + 1) + c + step)
    for r, c, step in product(range(LOOP + 1), range(LOOP + 1), (1, LOOP + 1))
    if (c < LOOP if step == 1 else r < LOOP)
]
"""Pairs of neighbouring points; the point in row r and column c is r * (LOOP + 1) + c."""

AT_CELL = {
    (r, c): [
        LINES.index((p, p + step))
        for p, step in (
            (r * (LOOP + 1) + c, 1),
            (r * (LOOP + 1) + c, LOOP + 1),
            (r * (LOOP + 1) + c + 1, LOOP + 1),
            ((r + 1) * (LOOP + 1) + c, 1),
        )
    ]
    for r, c in CLUES
}
"""The four lines at each cell with a clue."""

NUMBERS = random.Random(4).sample(range(10_000, 100_000), 30)
TARGET = sum(NUMBERS[::3])

SIDE = 6
MOVES = [
    (a, b)
    for a, b in combinations(range(SIDE * SIDE), 2)
    if sorted((abs(a // SIDE - b // SIDE), abs(a % SIDE - b % SIDE))) == [1, 2]
]
REQUIRED = [(14, 18), (15, 23), (20, 31)]
FORBIDDEN = [(7, 18), (10, 23)]

ITEMS = 40
_chance = random.Random(5)
WEIGHTS = [_chance.randrange(10, 100) for _ in range(ITEMS)]
VALUES = [weight + _chance.randrange(-9, 10) for weight in WEIGHTS]
CAPACITY = sum(WEIGHTS) // 2

PIGEONS = 8

JOBS = [
    [(2, 1), (0, 3), (1, 6), (3, 7), (5, 3), (4, 6)],
    [(1, 8), (2, 5), (4, 10), (5, 10), (0, 10), (3, 4)],
    [(2, 5), (3, 4), (5, 8), (0, 9), (1, 1), (4, 7)],
    [(1, 5), (0, 5), (2, 5), (3, 3), (4, 8), (5, 9)],
    [(2, 9), (1, 3), (4, 5), (5, 4), (0, 3), (3, 1)],
    [(1, 3), (3, 3), (5, 9), (0, 10), (4, 4), (2, 1)],
]
"""The instance ft06 of Fisher and Thompson (1963): machine and duration of each step of each job."""
HORIZON = 100

BOARD = 7
ATTACKED = [
    [
        b
        for b in range(BOARD * BOARD)
        if a // BOARD == b // BOARD
        or a % BOARD == b % BOARD
        or abs(a // BOARD - b // BOARD) == abs(a % BOARD - b % BOARD)
    ]
    for a in range(BOARD * BOARD)
]
"""The squares that a queen on each square attacks, with its own."""

FRIENDS = 50
QUARRELS = _random_graph(FRIENDS, 0.15, 6)

TONES = 12

CITIES = 12
_places = [(_chance.randrange(1000), _chance.randrange(1000)) for _ in range(CITIES)]
DISTANCE = [[round(((a - c) ** 2 + (b - d) ** 2) ** 0.5) for c, d in _places] for a, b in _places]


def _check(held: bool) -> str:
    assert held
    return "valid"


def _distinct(values: Iterable[Any]) -> bool:
    listed = list(values)
    return len(set(listed)) == len(listed)


def _queens(columns: Sequence[int]) -> str:
    return _check(
        len(columns) == QUEENS
        and all(_distinct(c + slope * r for r, c in enumerate(columns)) for slope in (-1, 0, 1))
    )


def _magic(rows: Sequence[Sequence[int]]) -> str:
    lines = [*rows, *zip(*rows, strict=True), [rows[i][i] for i in range(MAGIC)]]
    lines.append([rows[i][-1 - i] for i in range(MAGIC)])
    values = sorted(v for row in rows for v in row)
    return _check(values == list(range(1, MAGIC**2 + 1)) and all(sum(line) == MAGIC_SUM for line in lines))


def _golomb(marks: Sequence[int]) -> str:
    assert _distinct(b - a for a, b in combinations(sorted(marks), 2))
    return str(max(marks) - min(marks))


def _golfers(weeks: Sequence[Sequence[int]]) -> str:
    met = [
        pair for week in weeks for pair in combinations(range(PLAYERS), 2) if week[pair[0]] == week[pair[1]]
    ]
    return _check(_distinct(met) and all(week.count(g) == SIZE for week in weeks for g in set(week)))


def _colouring(colours: Sequence[int]) -> str:
    assert all(colours[a] != colours[b] for a, b in BORDERS)
    return str(len(set(colours)))


def _latin(rows: Sequence[Sequence[int]]) -> str:
    given = all(value in (0, rows[r][c]) for r, row in enumerate(LATIN) for c, value in enumerate(row))
    return _check(given and all(map(_distinct, [*rows, *zip(*rows, strict=True)])))


def _sudoku(rows: Sequence[Sequence[int]]) -> str:
    return "".join(str(value) for row in rows for value in row)


def _langford(values: Sequence[int]) -> str:
    places = [[i for i, value in enumerate(values) if value == k] for k in range(1, LANGFORD + 1)]
    return _check(all(len(two) == 2 and two[1] - two[0] == k + 1 for k, two in enumerate(places, 1)))


def _is_loop(edges: Sequence[tuple[int, int]]) -> bool:
    around: dict[int, list[int]] = {}
    for a, b in edges:
        around.setdefault(a, []).append(b)
        around.setdefault(b, []).append(a)
    if not edges or any(len(others) != 2 for others in around.values()):
        return False
    start = edges[0][0]
    before, here, length = start, around[start][0], 1
    while here != start:
        before, here, length = here, next(v for v in around[here] if v != before), length + 1
    return length == len(edges)


def _slitherlink(used: Sequence[int]) -> str:
    clues = all(sum(used[line] for line in AT_CELL[cell]) == clue for cell, clue in CLUES.items())
    return _check(clues and _is_loop([line for line, each in zip(LINES, used, strict=True) if each]))


def _subset(taken: Sequence[int]) -> str:
    return _check(sum(number for number, each in zip(NUMBERS, taken, strict=True) if each) == TARGET)


def _tour(used: Sequence[int]) -> str:
    moves = [move for move, each in zip(MOVES, used, strict=True) if each]
    kept = set(REQUIRED) <= set(moves) and not set(FORBIDDEN) & set(moves)
    return _check(kept and len(moves) == SIDE * SIDE and _is_loop(moves))


def _knapsack(taken: Sequence[int]) -> str:
    assert sum(weight for weight, each in zip(WEIGHTS, taken, strict=True) if each) <= CAPACITY
    return str(sum(value for value, each in zip(VALUES, taken, strict=True) if each))


def _money(digits: Sequence[int]) -> str:
    return "".join(map(str, digits))


def _pigeons(_: object) -> str:
    raise AssertionError("there is no solution")


def _jobshop(starts: Sequence[Sequence[int]]) -> str:
    steps = [
        (machine, start, start + duration)
        for job, times in zip(JOBS, starts, strict=True)
        for (machine, duration), start in zip(job, times, strict=True)
    ]
    for job, times in zip(JOBS, starts, strict=True):
        assert all(a + job[i][1] <= b for i, (a, b) in enumerate(pairwise(times)))
    assert all(m != n or a >= d or c >= b for (m, a, b), (n, c, d) in combinations(steps, 2))
    return str(max(end for _, _, end in steps))


def _domination(queens: Sequence[int]) -> str:
    assert all(any(queens[b] for b in squares) for squares in ATTACKED)
    return str(sum(map(bool, queens)))


def _zebra(houses: Sequence[int]) -> str:
    return f"water {houses[0]}, zebra {houses[1]}"


def _independent(invited: Sequence[int]) -> str:
    assert not any(invited[a] and invited[b] for a, b in QUARRELS)
    return str(sum(map(bool, invited)))


def _intervals(tones: Sequence[int]) -> str:
    return _check(sorted(tones) == list(range(TONES)) and _distinct(abs(a - b) for a, b in pairwise(tones)))


def _salesman(successors: Sequence[int]) -> str:
    arcs = list(enumerate(successors))
    assert _is_loop(arcs)
    assert len(arcs) == CITIES
    return str(sum(DISTANCE[a][b] for a, b in arcs))


CHECKS: dict[str, Callable[[Any], str]] = {
    "queens": _queens,
    "magic": _magic,
    "golomb": _golomb,
    "golfers": _golfers,
    "colouring": _colouring,
    "latin": _latin,
    "sudoku": _sudoku,
    "langford": _langford,
    "slitherlink": _slitherlink,
    "subset": _subset,
    "tour": _tour,
    "knapsack": _knapsack,
    "money": _money,
    "pigeons": _pigeons,
    "jobshop": _jobshop,
    "domination": _domination,
    "zebra": _zebra,
    "independent": _independent,
    "intervals": _intervals,
    "salesman": _salesman,
}
"""The check of each problem."""

PROBLEMS = {
    "queens": f"{QUEENS} queens that do not attack each other",
    "magic": f"magic square of order {MAGIC}",
    "golomb": f"shortest Golomb ruler of {GOLOMB} marks",
    "golfers": f"social golfers: {WEEKS} weeks, {GROUPS} groups of {SIZE}",
    "colouring": f"fewest colours of a random map of {COUNTRIES} countries",
    "latin": f"Latin square of order {len(LATIN)} with holes",
    "sudoku": "a sudoku",
    "langford": f"Langford's problem, n = {LANGFORD}",
    "slitherlink": f"Slitherlink {LOOP}x{LOOP}",
    "subset": f"{len(NUMBERS)} numbers, some of them with a given sum",
    "tour": f"closed knight's tour of {SIDE}x{SIDE} with required and forbidden moves",
    "knapsack": f"knapsack of {ITEMS} items",
    "money": "SEND + MORE = MONEY",
    "pigeons": f"{PIGEONS} pigeons in {PIGEONS - 1} holes (no solution)",
    "jobshop": "job shop ft06, shortest plan",
    "domination": f"fewest queens that attack every square of {BOARD}x{BOARD}",
    "zebra": "the zebra puzzle",
    "independent": f"largest independent set of a random graph of {FRIENDS} vertices",
    "intervals": f"all-interval row of {TONES} tones",
    "salesman": f"shortest round trip of {CITIES} cities",
}
"""What each problem asks."""
