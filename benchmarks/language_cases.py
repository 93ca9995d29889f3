"""The fifty problems of ``language.py`` and their data.

A row of :data:`PROBLEMS` has the text of the tables, the function that states the problem on each side, and
its arguments. The instances la01 to la10 are Lawrence's (1984); the others are made here, from fixed seeds.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, groupby, product
from typing import Any, NamedTuple

__all__ = ["PROBLEMS", "Loop", "Problem", "Tour", "automaton"]


@dataclass(frozen=True)
class Problem:
    """A problem: its text, the function that states it, and its arguments.

    With ``every`` all solutions are wanted, and their number is the answer.
    """

    text: str
    model: str
    data: tuple[Any, ...]
    every: bool = False


def _graph(nodes: int, share: float, seed: int) -> tuple[int, list[tuple[int, int]]]:
    chance = random.Random(seed)
    return nodes, [pair for pair in combinations(range(nodes), 2) if chance.random() < share]


def _latin(n: int, holes: float, seed: int) -> list[list[int]]:
    """Return a Latin square of 1 to n, with 0 in some cells."""
    chance = random.Random(seed)
    rows, columns, values = (chance.sample(range(n), n) for _ in range(3))
    return [[values[(r + c) % n] + 1 if chance.random() > holes else 0 for c in columns] for r in rows]


def _sudoku(box: int, holes: float, seed: int) -> tuple[int, list[list[int]]]:
    """Return the side of a box and a sudoku: a solution with rows, columns and values exchanged."""
    n, chance = box * box, random.Random(seed)

    def order() -> list[int]:
        bands = chance.sample(range(box), box)
        return [band * box + i for band in bands for i in chance.sample(range(box), box)]

    rows, columns, values = order(), order(), chance.sample(range(1, n + 1), n)
    whole = [[values[(r % box * box + r // box + c) % n] for c in columns] for r in rows]
    return box, [[value if chance.random() > holes else 0 for value in row] for row in whole]


class Loop(NamedTuple):
    """A Slitherlink: the number of points, lines as pairs of points, clues, each with its four lines."""

    points: int
    lines: list[tuple[int, int]]
    clues: list[tuple[int, list[int]]]


def _inside(n: int, seed: int) -> set[tuple[int, int]]:
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


def _slitherlink(n: int, share: float, seed: int) -> Loop:
    """Return a Slitherlink of n x n cells; the point in row r and column c is r * (n + 1) + c."""
    inside, chance, side = _inside(n, seed), random.Random(seed), n + 1
    lines = [(r * side + c, r * side + c + 1) for r in range(side) for c in range(n)]
    lines += [(r * side + c, (r + 1) * side + c) for r in range(n) for c in range(side)]
    number = {line: i for i, line in enumerate(lines)}
    clues = []
    for r, c in product(range(n), repeat=2):
        p, q = r * side + c, (r + 1) * side + c
        around = [number[line] for line in ((p, p + 1), (p, q), (p + 1, q + 1), (q, q + 1))]
        others = [(r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c)]
        if chance.random() < share:
            clues.append((sum(((r, c) in inside) != (other in inside) for other in others), around))
    return Loop(side * side, lines, clues)


class Tour(NamedTuple):
    """A knight's tour: the number of cells, the moves, those that must be used, and those that must not."""

    cells: int
    moves: list[tuple[int, int]]
    required: list[tuple[int, int]]
    forbidden: list[tuple[int, int]]


def _tour(side: int, required: int, forbidden: int, seed: int) -> Tour:
    moves = [
        (a, b)
        for a, b in combinations(range(side * side), 2)
        if sorted((abs(a // side - b // side), abs(a % side - b % side))) == [1, 2]
    ]
    chosen: list[tuple[int, int]] = []
    mixed = random.Random(seed).sample(moves, len(moves))
    for move in mixed:
        if len(chosen) < required and not {cell for each in chosen for cell in each} & set(move):
            chosen.append(move)
    return Tour(side * side, moves, chosen, [move for move in mixed if move not in chosen][:forbidden])


def _knapsack(items: int, kinds: int, seed: int) -> tuple[list[list[int]], list[int], list[int]]:
    """Return the weights of each kind, the capacities, and values that are near the weights."""
    chance = random.Random(seed)
    weights = [[chance.randrange(10, 100) for _ in range(items)] for _ in range(kinds)]
    values = [sum(each) // kinds + chance.randrange(-9, 10) for each in zip(*weights, strict=True)]
    return weights, [sum(row) // 2 for row in weights], values


def _subset(count: int, seed: int) -> tuple[list[int], int]:
    numbers = random.Random(seed).sample(range(10_000, 100_000), count)
    return numbers, sum(numbers[::3])


def _attacked(side: int) -> list[list[int]]:
    """Return the squares that a queen on each square attacks, with its own."""
    squares = list(product(range(side), repeat=2))
    return [
        [i for i, (c, d) in enumerate(squares) if a == c or b == d or abs(a - c) == abs(b - d)]
        for a, b in squares
    ]


def _distances(places: int, seed: int) -> list[list[int]]:
    chance = random.Random(seed)
    points = [(chance.randrange(1000), chance.randrange(1000)) for _ in range(places)]
    return [[round(((a - c) ** 2 + (b - d) ** 2) ** 0.5) for c, d in points] for a, b in points]


def _cars(number: int, seed: int) -> tuple[list[int], list[tuple[int, int, list[int]]]]:
    """Return how many cars of each class are wanted, and options: at most p of q cars, for some classes."""
    chance, bounds = random.Random(seed), [(1, 2), (2, 3), (1, 3), (2, 5), (1, 5)]
    line: list[tuple[bool, ...]] = []
    while len(line) < number:
        car = tuple(chance.random() < 0.9 * p / q for p, q in bounds)
        if all(sum(each[o] for each in [*line, car][-q:]) <= p for o, (p, q) in enumerate(bounds)):
            line.append(car)
    classes = sorted(set(line))
    options = [(p, q, [c for c, has in enumerate(classes) if has[o]]) for o, (p, q) in enumerate(bounds)]
    return [line.count(each) for each in classes], options


def _vessel(number: int, deck: tuple[int, int], seed: int) -> tuple[Any, ...]:
    """Return the deck, the sides of containers, and the pairs that must be one place apart."""
    chance = random.Random(seed)
    sides = [(chance.randrange(2, 5), chance.randrange(3, 7)) for _ in range(number)]
    return (*deck, sides, [pair for pair in combinations(range(number), 2) if chance.random() < 0.2])


def automaton(clue: Sequence[int]) -> tuple[list[tuple[int, int, int]], int, list[int]]:
    """Return the transitions, the start and the accepting state of the automaton of a line of a nonogram."""
    marks = [mark for length in clue for mark in (*[1] * length, 0)][:-1]
    stays = [state for state in range(len(marks) + 1) if state in (0, len(marks)) or not marks[state - 1]]
    steps = [(state, mark, state + 1) for state, mark in enumerate(marks)]
    return steps + [(state, 0, state) for state in stays], 0, [len(marks)]


def _nonogram(side: int, seed: int) -> tuple[list[list[int]], list[list[int]]]:
    """Return the clues of the rows and of the columns."""
    black = _inside(side, seed)
    rows = [[int((r, c) in black) for c in range(side)] for r in range(side)]
    read = [
        [[len(list(run)) for mark, run in groupby(line) if mark] for line in lines]
        for lines in (rows, zip(*rows, strict=True))
    ]
    return read[0], read[1]


def _project(tasks: int, seed: int) -> tuple[Any, ...]:
    """Return durations, demands of three resources, their capacities, and pairs in order."""
    chance = random.Random(seed)
    durations = [chance.randrange(2, 11) for _ in range(tasks)]
    demands = [[chance.choice([0, *range(1, 10)]) for _ in range(tasks)] for _ in range(3)]
    order = [(a, b) for a, b in combinations(range(tasks), 2) if b - a < 8 and chance.random() < 0.18]
    return durations, demands, [14, 14, 14], order


def _opb(variables: int, rows: int, seed: int) -> str:
    """Return a pseudo-Boolean program: as dear as possible, with several knapsacks and clauses."""
    chance = random.Random(seed)
    names = [f"x{i}" for i in range(1, variables + 1)]
    lines = [f"* #variable= {variables} #constraint= {2 * rows}"]
    lines.append(f"min: {' '.join(f'-{chance.randrange(1, 50)} {x}' for x in names)} ;")
    for _ in range(rows):
        chosen = chance.sample(names, variables // 3)
        weights = [chance.randrange(1, 30) for _ in chosen]
        lines.append(
            f"{' '.join(f'-{w} {x}' for w, x in zip(weights, chosen, strict=True))} >= -{sum(weights) // 2} ;"
        )
        lines.append(f"{' '.join(f'+1 {x}' for x in chance.sample(names, 3))} >= 1 ;")
    return "\n".join(lines) + "\n"


def _wcnf(variables: int, soft: int, hard: int, most: int, seed: int) -> str:
    """Return hard clauses of three literals and soft ones of two, of weights up to ``most``."""
    chance = random.Random(seed)

    def clause(size: int) -> str:
        return " ".join(str(chance.choice((x, -x))) for x in chance.sample(range(1, variables + 1), size))

    lines = [f"h {clause(3)} 0" for _ in range(hard)]
    lines += [f"{chance.randint(1, most)} {clause(2)} 0" for _ in range(soft)]
    return "\n".join(lines) + "\n"


def _warehouse(houses: int, shops: int, seed: int) -> tuple[list[int], list[int], list[list[int]]]:
    """Return the capacities of the warehouses, the costs to open them, and those to serve each shop."""
    chance = random.Random(seed)
    costs = [[chance.randrange(20, 100) for _ in range(houses)] for _ in range(shops)]
    return [chance.randrange(3, 7) for _ in range(houses)], [60] * houses, costs


def _cover(items: int, sets: int, seed: int) -> tuple[int, list[int], list[list[int]]]:
    """Return the number of items, and the costs and members of the sets that cover them."""
    chance = random.Random(seed)
    members = [chance.sample(range(items), chance.randrange(3, 9)) for _ in range(sets)]
    return items, [len(each) * 10 + chance.randrange(30) for each in members], members


def _matrix(n: int, most: int, seed: int) -> list[list[int]]:
    chance = random.Random(seed)
    return [[0 if i == j else chance.randrange(most) for j in range(n)] for i in range(n)]


_LAWRENCE = """
1 21 0 53 4 95 3 55 2 34, 0 21 3 52 4 16 2 26 1 71, 3 39 4 98 1 42 2 31 0 12, 1 77 0 55 4 79 2 66 3 77
0 83 3 34 2 64 1 19 4 37, 1 54 2 43 4 79 0 92 3 62, 3 69 4 77 1 87 2 87 0 93, 2 38 0 60 1 41 3 24 4 83
3 17 1 49 4 25 0 44 2 98, 4 77 3 79 2 43 1 75 0 96

0 20 3 87 1 31 4 76 2 17, 4 25 2 32 0 24 1 18 3 81, 1 72 2 23 4 28 0 58 3 99, 2 86 1 76 4 97 0 45 3 90
4 27 0 42 3 48 2 17 1 46, 1 67 0 98 4 48 3 27 2 62, 4 28 1 12 3 19 0 80 2 50, 1 63 0 94 2 98 3 50 4 80
4 14 0 75 2 50 1 41 3 55, 4 72 2 18 1 37 3 79 0 61

1 23 2 45 0 82 4 84 3 38, 2 21 1 29 0 18 4 41 3 50, 2 38 3 54 4 16 0 52 1 52, 4 37 0 54 2 74 1 62 3 57
4 57 0 81 1 61 3 68 2 30, 4 81 0 79 1 89 2 89 3 11, 3 33 2 20 0 91 4 20 1 66, 4 24 1 84 0 32 2 55 3 8
4 56 0 7 3 54 2 64 1 39, 4 40 1 83 0 19 2 8 3 7

0 12 2 94 3 92 4 91 1 7, 1 19 3 11 4 66 2 21 0 87, 1 14 0 75 3 13 4 16 2 20, 2 95 4 66 0 7 3 7 1 77
1 45 3 6 4 89 0 15 2 34, 3 77 2 20 0 76 4 88 1 53, 2 74 1 88 0 52 3 27 4 9, 1 88 3 69 0 62 4 98 2 52
2 61 4 9 0 62 1 52 3 90, 2 54 4 5 3 59 1 15 0 88

1 72 0 87 4 95 2 66 3 60, 4 5 3 35 0 48 2 39 1 54, 1 46 3 20 2 21 0 97 4 55, 0 59 3 19 4 46 1 34 2 37
4 23 2 73 3 25 1 24 0 28, 3 28 0 45 4 5 1 78 2 83, 0 53 3 71 1 37 4 29 2 12, 4 12 2 87 3 33 1 55 0 38
2 49 3 83 1 40 0 48 4 7, 2 65 3 17 0 90 4 27 1 23

1 21 2 34 4 95 0 53 3 55, 3 52 4 16 1 71 2 26 0 21, 2 31 0 12 1 42 3 39 4 98, 3 77 1 77 4 79 0 55 2 66
4 37 3 34 2 64 1 19 0 83, 2 43 1 54 0 92 3 62 4 79, 0 93 3 69 1 87 4 77 2 87, 0 60 1 41 2 38 4 83 3 24
2 98 3 17 4 25 0 44 1 49, 0 96 4 77 3 79 1 75 2 43, 4 28 2 35 0 95 3 76 1 7, 0 61 4 10 2 95 1 9 3 35
4 59 3 16 1 91 2 59 0 46, 4 43 1 52 0 28 2 27 3 50, 0 87 1 45 2 39 4 9 3 41

0 47 4 57 1 71 3 96 2 14, 0 75 1 60 4 22 3 79 2 65, 3 32 0 33 2 69 1 31 4 58, 0 44 1 34 4 51 3 58 2 47
3 29 1 44 0 62 2 17 4 8, 1 15 2 40 0 97 4 38 3 66, 2 58 1 39 0 57 4 20 3 50, 2 57 3 32 4 87 0 63 1 21
4 56 0 84 2 90 1 85 3 61, 4 15 0 20 1 67 3 30 2 70, 4 84 0 82 1 23 2 45 3 38, 3 50 2 21 0 18 4 41 1 29
4 16 1 52 0 52 2 38 3 54, 4 37 0 54 3 57 2 74 1 62, 4 57 1 61 0 81 2 30 3 68

3 92 2 94 0 12 4 91 1 7, 2 21 1 19 0 87 3 11 4 66, 1 14 3 13 0 75 4 16 2 20, 2 95 4 66 0 7 1 77 3 7
2 34 4 89 3 6 1 45 0 15, 4 88 3 77 2 20 1 53 0 76, 4 9 3 27 0 52 1 88 2 74, 3 69 2 52 0 62 1 88 4 98
3 90 0 62 4 9 2 61 1 52, 4 5 2 54 3 59 0 88 1 15, 0 41 1 50 4 78 3 53 2 23, 0 38 4 72 2 91 3 68 1 71
0 45 3 95 4 52 2 25 1 6, 3 30 1 66 0 23 4 36 2 17, 2 95 0 71 3 76 1 8 4 88

1 66 3 85 2 84 0 62 4 19, 3 59 1 64 2 46 4 13 0 25, 4 88 3 80 1 73 2 53 0 41, 0 14 1 67 2 57 3 74 4 47
0 84 4 64 2 41 3 84 1 78, 0 63 3 28 1 46 2 26 4 52, 3 10 2 17 4 73 1 11 0 64, 2 67 1 97 3 95 4 38 0 85
2 95 4 46 0 59 1 65 3 93, 2 43 4 85 3 32 1 85 0 60, 4 49 3 41 2 61 0 66 1 90, 1 17 0 23 3 70 4 99 2 49
4 40 3 73 0 73 1 98 2 68, 3 57 1 9 2 7 0 13 4 98, 0 37 1 85 2 17 4 79 3 41

1 58 2 44 3 5 0 9 4 58, 1 89 0 97 4 96 3 77 2 84, 0 77 1 87 2 81 4 39 3 85, 3 57 1 21 2 31 0 15 4 73
2 48 0 40 1 49 3 70 4 71, 3 34 4 82 2 80 0 10 1 22, 1 91 4 75 0 55 2 17 3 7, 2 62 3 47 1 72 4 35 0 11
0 64 3 75 4 50 1 90 2 94, 2 67 4 20 3 15 0 12 1 71, 0 52 4 93 3 68 2 29 1 57, 2 70 0 58 1 93 4 7 3 77
3 27 2 82 1 63 4 6 0 95, 1 87 2 56 4 36 0 26 3 48, 3 76 2 36 0 36 4 15 1 8
"""

"""The instances la01 to la10 of Lawrence (1984): for each job the machine and the duration of each step."""

_JOBSHOPS = [
    [
        [(machine, time) for machine, time in zip(*[iter(map(int, job.split()))] * 2, strict=True)]
        for job in text.replace("\n", ",").split(",")
        if job.strip()
    ]
    for text in _LAWRENCE.split("\n\n")
]

_CLIQUES = [*combinations(range(4), 2), *combinations(range(4, 8), 2), *((i, i + 4) for i in range(4))]
"""Two cliques of four nodes, each node joined with its counterpart."""

PROBLEMS = {
    "queens": Problem("60 queens that do not attack each other", "queens", (60,)),
    "all queens": Problem("8 queens: all solutions", "queens", (8,), every=True),
    "magic": Problem("magic square of order 5", "magic", (5,)),
    "golomb": Problem("shortest Golomb ruler of 8 marks", "golomb", (8,)),
    "golfers": Problem("social golfers: 5 weeks, 5 groups of 3", "golfers", (5, 5, 3)),
    "colouring": Problem("fewest colours of a random map of 60 countries", "colouring", _graph(60, 0.2, 1)),
    "latin": Problem("Latin square of order 30 with holes", "latin", (_latin(30, 0.42, 2),)),
    "sudoku": Problem("a sudoku of 25x25", "sudoku", _sudoku(5, 0.62, 2)),
    "langford": Problem("Langford's problem, n = 24", "langford", (24,)),
    "slitherlink": Problem("Slitherlink 20x20", "slitherlink", (_slitherlink(20, 0.6, 3),)),
    "subset": Problem("30 numbers, some of them with a given sum", "subset", _subset(30, 4)),
    "tour": Problem("knight's tour of 20x20: required, forbidden moves", "tour", (_tour(20, 40, 60, 5),)),
    "no tour": Problem("knight's tour of 7x7 (no solution)", "tour", (_tour(7, 0, 0, 1),)),
    "knapsack": Problem("knapsack of 200 items", "knapsack", _knapsack(200, 1, 5)),
    "knapsacks": Problem("knapsack of 30 items with 5 weights", "knapsack", _knapsack(30, 5, 6)),
    "letters": Problem(
        "SATURN + ... = PLANETS: all solutions",
        "letters",
        (("SATURN", "URANUS", "NEPTUNE", "PLUTO", "PLANETS"),),
        every=True,
    ),
    "pigeons": Problem("9 pigeons in 8 holes (no solution)", "pigeons", (9,)),
    "domination": Problem("fewest queens that attack all of 8x8", "domination", (_attacked(8),)),
    "independent": Problem("largest independent set of a random graph", "independent", _graph(80, 0.15, 6)),
    "intervals": Problem("all-interval row of 16 tones", "intervals", (16,)),
    "salesman": Problem("shortest round trip of 25 cities", "salesman", (_distances(25, 7),)),
    **{
        f"la{i:02}": Problem(f"job shop la{i:02}, shortest plan", "jobshop", (jobs,))
        for i, jobs in enumerate(_JOBSHOPS, 1)
    },
    "cars": Problem("car sequencing of 60 cars, 5 options", "cars", _cars(60, 8)),
    "party": Problem(
        "progressive party: 6 hosts, 12 guests, 5 periods",
        "party",
        ([9, 8, 8, 7, 6, 6], [4, 2, 2, 3, 2, 3, 4, 2, 3, 3, 2, 4], 5),
    ),
    "vessel": Problem("vessel loading: 18 containers", "vessel", _vessel(18, (20, 18), 9)),
    "steiner": Problem("Steiner triples of 13 points", "steiner", (13,)),
    "costas": Problem("Costas arrays of order 8: all solutions", "costas", (8,), every=True),
    "graceful": Problem("graceful labelling of two cliques of 4", "graceful", (8, _CLIQUES)),
    "bibd": Problem("balanced blocks (13, 13, 4, 4, 1)", "bibd", (13, 13, 4, 4, 1)),
    "nonogram": Problem("nonogram of 25x25", "nonogram", _nonogram(25, 10)),
    "packing": Problem(
        "fewest bins for 26 items",
        "packing",
        ([random.Random(11 + i).randrange(20, 60) for i in range(26)], 100, 13),
    ),
    "project": Problem("project of 30 tasks with 3 resources (RCPSP)", "project", _project(30, 12)),
    "program": Problem("pseudo-Boolean program of 50 variables (OPB)", "program", (_opb(50, 20, 13),)),
    "maxsat": Problem("MaxSAT, 50 variables (WCNF)", "maxsat", (_wcnf(50, 160, 50, 1, 14),)),
    "weighted": Problem("weighted MaxSAT, 60 variables (WCNF)", "maxsat", (_wcnf(60, 180, 90, 20, 15),)),
    "schur": Problem("1 to 42 in 4 sum-free boxes (Schur)", "schur", (42, 4)),
    "assignment": Problem("quadratic assignment of 6", "assignment", (_matrix(6, 10, 16), _distances(6, 17))),
    "warehouse": Problem("warehouses: 15 places, 40 shops", "warehouse", _warehouse(15, 40, 18)),
    "sequence": Problem("magic sequence of 40 numbers", "sequence", (40,)),
    "cover": Problem("cheapest sets that cover 30 items", "cover", _cover(30, 45, 19)),
    "partition": Problem("1 to 32 in two sets with equal sums of squares", "partition", (32,)),
}
"""The problems, by their names."""
