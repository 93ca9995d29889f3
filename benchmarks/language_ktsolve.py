"""The problems of ``language.py`` in ktsolve.

Each function returns a model, and what to read from a solution.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import language_cases as data
import numpy as np

from ktsolve import Model, Settings, solve

__all__ = ["answer"]


def answer(model: Model, wanted: Any) -> Any:
    """Solve a model by one thread; return the values of what is wanted, None without a solution."""
    found = solve(model, settings=Settings(threads=1))
    if found.assignment is None:
        return None
    return _values(found, wanted)


def _values(found: Any, wanted: Any) -> Any:
    if isinstance(wanted, list | np.ndarray):
        return [_values(found, each) for each in wanted]
    return int(found[wanted])


def queens() -> Any:
    model = Model()
    column = model.integers(data.QUEENS, 0, data.QUEENS - 1)
    for slope in (-1, 0, 1):
        model.all_different(column + slope * np.arange(data.QUEENS))
    return model, column


def magic() -> Any:
    model = Model()
    square = model.integers((data.MAGIC, data.MAGIC), 1, data.MAGIC**2)
    model.all_different(square.flat)
    model.add(square.sum(axis=0) == data.MAGIC_SUM, square.sum(axis=1) == data.MAGIC_SUM)
    model.add(square.diagonal().sum() == data.MAGIC_SUM, square[::-1].diagonal().sum() == data.MAGIC_SUM)
    return model, square


def golomb() -> Any:
    model = Model()
    mark = model.integers(data.GOLOMB, 0, data.GOLOMB**2)
    model.add(mark[0] == 0, mark[:-1] < mark[1:])
    model.all_different(b - a for a, b in combinations(mark, 2))
    model.minimise(mark[-1])
    return model, mark


def golfers() -> Any:
    model = Model()
    group = model.integers((data.WEEKS, data.PLAYERS), 0, data.GROUPS - 1)
    model.add(model.count(week, g) == data.SIZE for week in group for g in range(data.GROUPS))
    for a, b in combinations(range(data.PLAYERS), 2):
        model.add(sum(week[a] == week[b] for week in group) <= 1)
    return model, group


def colouring() -> Any:
    model = Model()
    colour = model.integers(data.COUNTRIES, 1, 8)
    model.add(colour[a] != colour[b] for a, b in data.BORDERS)
    model.minimise(model.max(colour))
    return model, colour


def latin() -> Any:
    model, given = Model(), np.array(data.LATIN)
    square = model.integers(given.shape, 1, len(given))
    model.add(square[given > 0] == given[given > 0])
    for line in (*square, *square.T):
        model.all_different(line)
    return model, square


def sudoku() -> Any:
    model, given = Model(), np.array(data.SUDOKU)
    cell = model.integers((9, 9), 1, 9)
    model.add(cell[given > 0] == given[given > 0])
    for i in range(9):
        model.all_different(cell[i])
        model.all_different(cell[:, i])
        model.all_different(cell[i // 3 * 3 : i // 3 * 3 + 3, i % 3 * 3 : i % 3 * 3 + 3].flat)
    return model, cell


def langford() -> Any:
    model, n = Model(), data.LANGFORD
    first = {(k, i): model.boolean(f"{k} at {i}") for k in range(1, n + 1) for i in range(2 * n - k - 1)}
    for k in range(1, n + 1):
        model.exactly_one(x for (j, _), x in first.items() if j == k)
    for place in range(2 * n):
        model.exactly_one(x for (k, i), x in first.items() if place in (i, i + k + 1))
    return model, [sum(k * x for (k, i), x in first.items() if p in (i, i + k + 1)) for p in range(2 * n)]


def slitherlink() -> Any:
    model = Model()
    used = model.booleans(len(data.LINES))
    model.subcircuit(data.POINTS, [(*line, x) for line, x in zip(data.LINES, used, strict=True)])
    for cell, clue in data.CLUES.items():
        model.exactly(clue, used[data.AT_CELL[cell]])
    return model, used


def subset() -> Any:
    model = Model()
    taken = model.booleans(len(data.NUMBERS))
    model.add(data.NUMBERS @ taken == data.TARGET)
    return model, taken


def tour() -> Any:
    model = Model()
    used = model.booleans(len(data.MOVES))
    move = dict(zip(data.MOVES, used, strict=True))
    model.circuit(data.SIDE**2, [(*pair, x) for pair, x in move.items()])
    model.add([move[pair] for pair in data.REQUIRED], [~move[pair] for pair in data.FORBIDDEN])
    return model, used


def knapsack() -> Any:
    model = Model()
    taken = model.booleans(data.ITEMS)
    model.add(data.WEIGHTS @ taken <= data.CAPACITY)
    model.maximise(data.VALUES @ taken)
    return model, taken


def money() -> Any:
    model = Model()
    digit = {letter: model.integer(letter, 0, 9) for letter in "SENDMORY"}
    send, more, money = (
        sum(10**i * digit[x] for i, x in enumerate(w[::-1])) for w in ("SEND", "MORE", "MONEY")
    )
    model.all_different(digit.values())
    model.add(digit["S"] >= 1, digit["M"] >= 1, send + more == money)
    return model, list(digit.values())


def pigeons() -> Any:
    model = Model()
    sits = model.booleans((data.PIGEONS, data.PIGEONS - 1))
    model.add(sits.any(axis=1), sits.sum(axis=0) <= 1)
    return model, sits


def jobshop() -> Any:
    model, jobs = Model(), np.array(data.JOBS)
    start, machine, length = model.integers(jobs.shape[:2], 0, data.HORIZON), jobs[..., 0], jobs[..., 1]
    end = start + length
    model.add(end[:, :-1] <= start[:, 1:])
    for a, b in combinations(np.ndindex(machine.shape), 2):
        if machine[a] == machine[b] and a[0] != b[0]:
            model.add((end[a] <= start[b]) | (end[b] <= start[a]))
    model.minimise(model.max(end[:, -1]))
    return model, start


def domination() -> Any:
    model = Model()
    queen = model.booleans(data.BOARD**2)
    model.add(queen[squares].any() for squares in data.ATTACKED)
    model.minimise(queen.sum())
    return model, queen


def zebra() -> Any:
    model = Model()
    kinds = model.integers((5, 5), 1, 5)
    for kind in kinds:
        model.all_different(kind)
    red, green, ivory, yellow, blue = kinds[0]
    english, spaniard, ukrainian, norwegian, japanese = kinds[1]
    coffee, tea, milk, juice, water = kinds[2]
    dog, snails, fox, horse, zebra = kinds[3]
    gold, kools, chesterfield, lucky, parliament = kinds[4]
    model.add(english == red, spaniard == dog, coffee == green, ukrainian == tea, green == ivory + 1)
    model.add(gold == snails, kools == yellow, milk == 3, norwegian == 1, abs(chesterfield - fox) == 1)
    model.add(abs(kools - horse) == 1, lucky == juice, japanese == parliament, abs(norwegian - blue) == 1)
    return model, [water, zebra]


def independent() -> Any:
    model = Model()
    invited = model.booleans(data.FRIENDS)
    model.add(~invited[a] | ~invited[b] for a, b in data.QUARRELS)
    model.maximise(invited.sum())
    return model, invited


def intervals() -> Any:
    model = Model()
    tone = model.integers(data.TONES, 0, data.TONES - 1, "tone")
    step = model.integers(data.TONES - 1, 1, data.TONES - 1, "step")
    model.all_different(tone)
    model.all_different(step)
    model.add(step == abs(tone[1:] - tone[:-1]))
    return model, tone


def salesman() -> Any:
    model, n = Model(), data.CITIES
    goes = {(a, b): model.boolean(f"{a}-{b}") for a in range(n) for b in range(n) if a != b}
    model.circuit(n, [(*pair, x) for pair, x in goes.items()], directed=True)
    model.minimise({x: data.DISTANCE[a][b] for (a, b), x in goes.items()})
    return model, [sum(b * goes[a, b] for b in range(n) if a != b) for a in range(n)]
