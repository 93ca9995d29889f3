"""The problems of ``language.py`` in CPMpy.

Each function returns a model, and what to read from a solution.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import cpmpy as cp
import language_cases as data
import numpy as np

__all__ = ["answer"]


def answer(model: Any, wanted: Any) -> Any:
    """Solve a model by OR-Tools with one thread; return the values of what is wanted."""
    return _values(wanted) if model.solve(solver="ortools", num_workers=1) else None


def _values(wanted: Any) -> Any:
    if isinstance(wanted, list | np.ndarray):
        return [_values(each) for each in wanted]
    return int(wanted.value())


def queens() -> Any:
    column = cp.intvar(0, data.QUEENS - 1, shape=data.QUEENS)
    model = cp.Model()
    for slope in (-1, 0, 1):
        model += cp.AllDifferent(column + slope * np.arange(data.QUEENS))
    return model, column


def magic() -> Any:
    square = cp.intvar(1, data.MAGIC**2, shape=(data.MAGIC, data.MAGIC))
    model = cp.Model(cp.AllDifferent(square))
    model += [cp.sum(line) == data.MAGIC_SUM for line in (*square, *square.T)]
    model += cp.sum(square.diagonal()) == data.MAGIC_SUM
    model += cp.sum(square[::-1].diagonal()) == data.MAGIC_SUM
    return model, square


def golomb() -> Any:
    mark = cp.intvar(0, data.GOLOMB**2, shape=data.GOLOMB)
    model = cp.Model(mark[0] == 0, mark[:-1] < mark[1:])
    model += cp.AllDifferent([b - a for a, b in combinations(mark, 2)])
    model.minimize(mark[-1])
    return model, mark


def golfers() -> Any:
    group = cp.intvar(0, data.GROUPS - 1, shape=(data.WEEKS, data.PLAYERS))
    model = cp.Model([cp.Count(week, g) == data.SIZE for week in group for g in range(data.GROUPS)])
    for a, b in combinations(range(data.PLAYERS), 2):
        model += cp.sum(group[:, a] == group[:, b]) <= 1
    return model, group


def colouring() -> Any:
    colour = cp.intvar(1, 8, shape=data.COUNTRIES)
    model = cp.Model([colour[a] != colour[b] for a, b in data.BORDERS])
    model.minimize(cp.max(colour))
    return model, colour


def latin() -> Any:
    given = np.array(data.LATIN)
    square = cp.intvar(1, len(given), shape=given.shape)
    model = cp.Model(square[given > 0] == given[given > 0])
    for line in (*square, *square.T):
        model += cp.AllDifferent(line)
    return model, square


def sudoku() -> Any:
    given = np.array(data.SUDOKU)
    cell = cp.intvar(1, 9, shape=(9, 9))
    model = cp.Model(cell[given > 0] == given[given > 0])
    for i in range(9):
        model += cp.AllDifferent(cell[i])
        model += cp.AllDifferent(cell[:, i])
        model += cp.AllDifferent(cell[i // 3 * 3 : i // 3 * 3 + 3, i % 3 * 3 : i % 3 * 3 + 3])
    return model, cell


def langford() -> Any:
    n = data.LANGFORD
    first = {(k, i): cp.boolvar() for k in range(1, n + 1) for i in range(2 * n - k - 1)}
    model = cp.Model()
    for k in range(1, n + 1):
        model += cp.sum(x for (j, _), x in first.items() if j == k) == 1
    for place in range(2 * n):
        model += cp.sum(x for (k, i), x in first.items() if place in (i, i + k + 1)) == 1
    return model, [cp.sum(k * x for (k, i), x in first.items() if p in (i, i + k + 1)) for p in range(2 * n)]


def slitherlink() -> Any:
    # There is no constraint for a loop through some points: arcs, and an order from the root.
    arcs = [arc for a, b in data.LINES for arc in ((a, b), (b, a))]
    goes = dict(zip(arcs, cp.boolvar(shape=len(arcs)), strict=True))
    used = [cp.sum([goes[a, b], goes[b, a]]) for a, b in data.LINES]
    root = cp.boolvar(shape=data.POINTS)
    place = cp.intvar(0, data.POINTS - 1, shape=data.POINTS)
    model = cp.Model(cp.sum(root) == 1, [line <= 1 for line in used])
    for v in range(data.POINTS):
        into = [x for (_, b), x in goes.items() if b == v]
        out = [x for (a, _), x in goes.items() if a == v]
        model += [cp.sum(into) <= 1, cp.sum(into) == cp.sum(out), root[v].implies(cp.any(out))]
    for (a, b), x in goes.items():
        model += (x & ~root[b]).implies(place[b] == place[a] + 1)
    for cell, clue in data.CLUES.items():
        model += cp.sum(used[line] for line in data.AT_CELL[cell]) == clue
    return model, used


def subset() -> Any:
    taken = cp.boolvar(shape=len(data.NUMBERS))
    model = cp.Model(cp.sum(data.NUMBERS * taken) == data.TARGET)
    return model, taken


def tour() -> Any:
    after = cp.intvar(0, data.SIDE**2 - 1, shape=data.SIDE**2)
    used = [(after[a] == b) | (after[b] == a) for a, b in data.MOVES]
    move = dict(zip(data.MOVES, used, strict=True))
    model = cp.Model(cp.Circuit(after))
    for a in range(data.SIDE**2):
        model += cp.InDomain(after[a], [x + y - a for x, y in data.MOVES if a in (x, y)])
    model += [move[pair] for pair in data.REQUIRED]
    model += [~move[pair] for pair in data.FORBIDDEN]
    return model, used


def knapsack() -> Any:
    taken = cp.boolvar(shape=data.ITEMS)
    model = cp.Model(cp.sum(data.WEIGHTS * taken) <= data.CAPACITY)
    model.maximize(cp.sum(data.VALUES * taken))
    return model, taken


def money() -> Any:
    digit = {letter: cp.intvar(0, 9, name=letter) for letter in "SENDMORY"}
    send, more, money = (
        cp.sum(10**i * digit[x] for i, x in enumerate(w[::-1])) for w in ("SEND", "MORE", "MONEY")
    )
    model = cp.Model(cp.AllDifferent(list(digit.values())))
    model += [digit["S"] >= 1, digit["M"] >= 1, send + more == money]
    return model, list(digit.values())


def pigeons() -> Any:
    sits = cp.boolvar(shape=(data.PIGEONS, data.PIGEONS - 1))
    model = cp.Model([cp.any(pigeon) for pigeon in sits], [cp.sum(hole) <= 1 for hole in sits.T])
    return model, sits


def jobshop() -> Any:
    jobs = np.array(data.JOBS)
    machine, length = jobs[..., 0], jobs[..., 1]
    start = cp.intvar(0, data.HORIZON, shape=jobs.shape[:2])
    end = start + length
    model = cp.Model(end[:, :-1] <= start[:, 1:])
    for a, b in combinations(np.ndindex(machine.shape), 2):
        if machine[a] == machine[b] and a[0] != b[0]:
            model += (end[a] <= start[b]) | (end[b] <= start[a])
    model.minimize(cp.max(end[:, -1]))
    return model, start


def domination() -> Any:
    queen = cp.boolvar(shape=data.BOARD**2)
    model = cp.Model([cp.any(queen[squares]) for squares in data.ATTACKED])
    model.minimize(cp.sum(queen))
    return model, queen


def zebra() -> Any:
    kinds = cp.intvar(1, 5, shape=(5, 5))
    model = cp.Model([cp.AllDifferent(kind) for kind in kinds])
    red, green, ivory, yellow, blue = kinds[0]
    english, spaniard, ukrainian, norwegian, japanese = kinds[1]
    coffee, tea, milk, juice, water = kinds[2]
    dog, snails, fox, horse, zebra = kinds[3]
    gold, kools, chesterfield, lucky, parliament = kinds[4]
    model += [english == red, spaniard == dog, coffee == green, ukrainian == tea, green == ivory + 1]
    model += [gold == snails, kools == yellow, milk == 3, norwegian == 1, abs(chesterfield - fox) == 1]
    model += [abs(kools - horse) == 1, lucky == juice, japanese == parliament, abs(norwegian - blue) == 1]
    return model, [water, zebra]


def independent() -> Any:
    invited = cp.boolvar(shape=data.FRIENDS)
    model = cp.Model([~invited[a] | ~invited[b] for a, b in data.QUARRELS])
    model.maximize(cp.sum(invited))
    return model, invited


def intervals() -> Any:
    tone = cp.intvar(0, data.TONES - 1, shape=data.TONES)
    step = cp.intvar(1, data.TONES - 1, shape=data.TONES - 1)
    model = cp.Model(cp.AllDifferent(tone), cp.AllDifferent(step))
    model += step == abs(tone[1:] - tone[:-1])
    return model, tone


def salesman() -> Any:
    after = cp.intvar(0, data.CITIES - 1, shape=data.CITIES)
    model = cp.Model(cp.Circuit(after))
    distance = [cp.cpm_array(row) for row in data.DISTANCE]
    model.minimize(cp.sum(distance[a][after[a]] for a in range(data.CITIES)))
    return model, after
