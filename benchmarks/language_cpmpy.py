"""The problems of ``language.py`` in CPMpy.

Each function returns a model, and what to read from a solution.
"""

from __future__ import annotations

import io
from itertools import combinations
from typing import Any

import cpmpy as cp
import numpy as np
from cpmpy.tools.io.opb import load_opb
from cpmpy.tools.io.wcnf import load_wcnf
from cpmpy.transformations.get_variables import get_variables_model
from language_cases import Loop, Tour, automaton

__all__ = ["answer", "every"]


def answer(model: Any, wanted: Any) -> Any:
    """Solve a model by OR-Tools with one thread; return the values of what is wanted."""
    return _values(wanted) if model.solve(solver="ortools", num_workers=1) else None


def every(model: Any, wanted: Any) -> list[Any]:
    """Return the values of what is wanted in each solution."""
    found: list[Any] = []
    model.solveAll(solver="ortools", display=lambda: found.append(_values(wanted)))
    return found


def _values(wanted: Any) -> Any:
    if isinstance(wanted, list | np.ndarray):
        return [_values(each) for each in wanted]
    return int(wanted.value())


def queens(n: int) -> Any:
    column = cp.intvar(0, n - 1, shape=n)
    model = cp.Model()
    for slope in (-1, 0, 1):
        model += cp.AllDifferent(column + slope * np.arange(n))
    return model, column


def magic(n: int) -> Any:
    square, total = cp.intvar(1, n * n, shape=(n, n)), n * (n * n + 1) // 2
    model = cp.Model(cp.AllDifferent(square))
    model += [cp.sum(line) == total for line in (*square, *square.T)]
    model += cp.sum(square.diagonal()) == total
    model += cp.sum(square[::-1].diagonal()) == total
    return model, square


def golomb(n: int) -> Any:
    mark = cp.intvar(0, n * n, shape=n)
    model = cp.Model(mark[0] == 0, mark[:-1] < mark[1:])
    model += cp.AllDifferent([b - a for a, b in combinations(mark, 2)])
    model.minimize(mark[-1])
    return model, mark


def golfers(weeks: int, groups: int, size: int) -> Any:
    group = cp.intvar(0, groups - 1, shape=(weeks, groups * size))
    model = cp.Model([cp.Count(week, g) == size for week in group for g in range(groups)])
    for a, b in combinations(range(groups * size), 2):
        model += cp.sum(group[:, a] == group[:, b]) <= 1
    return model, group


def colouring(nodes: int, borders: Any) -> Any:
    colour = cp.intvar(1, 8, shape=nodes)
    model = cp.Model([colour[a] != colour[b] for a, b in borders])
    model.minimize(cp.max(colour))
    return model, colour


def latin(rows: Any) -> Any:
    given = np.array(rows)
    square = cp.intvar(1, len(given), shape=given.shape)
    model = cp.Model(square[given > 0] == given[given > 0])
    for line in (*square, *square.T):
        model += cp.AllDifferent(line)
    return model, square


def sudoku(box: int, rows: Any) -> Any:
    model, cell = latin(rows)
    for r, c in np.ndindex(box, box):
        model += cp.AllDifferent(cell[r * box : (r + 1) * box, c * box : (c + 1) * box])
    return model, cell


def langford(n: int) -> Any:
    first = {(k, i): cp.boolvar() for k in range(1, n + 1) for i in range(2 * n - k - 1)}
    model = cp.Model()
    for k in range(1, n + 1):
        model += cp.sum(x for (j, _), x in first.items() if j == k) == 1
    for place in range(2 * n):
        model += cp.sum(x for (k, i), x in first.items() if place in (i, i + k + 1)) == 1
    return model, [cp.sum(k * x for (k, i), x in first.items() if p in (i, i + k + 1)) for p in range(2 * n)]


def slitherlink(loop: Loop) -> Any:
    # There is no constraint for a loop through some points: arcs, and an order from the root.
    arcs = [arc for a, b in loop.lines for arc in ((a, b), (b, a))]
    goes = dict(zip(arcs, cp.boolvar(shape=len(arcs)), strict=True))
    used = [cp.sum([goes[a, b], goes[b, a]]) for a, b in loop.lines]
    root = cp.boolvar(shape=loop.points)
    place = cp.intvar(0, loop.points - 1, shape=loop.points)
    model = cp.Model(cp.sum(root) == 1, [line <= 1 for line in used])
    for v in range(loop.points):
        into = [x for (_, b), x in goes.items() if b == v]
        out = [x for (a, _), x in goes.items() if a == v]
        model += [cp.sum(into) <= 1, cp.sum(into) == cp.sum(out), root[v].implies(cp.any(out))]
    for (a, b), x in goes.items():
        model += (x & ~root[b]).implies(place[b] == place[a] + 1)
    for clue, around in loop.clues:
        model += cp.sum(used[line] for line in around) == clue
    return model, used


def subset(numbers: Any, target: int) -> Any:
    taken = cp.boolvar(shape=len(numbers))
    model = cp.Model(cp.sum(numbers * taken) == target)
    return model, taken


def tour(board: Tour) -> Any:
    after = cp.intvar(0, board.cells - 1, shape=board.cells)
    used = [(after[a] == b) | (after[b] == a) for a, b in board.moves]
    move = dict(zip(board.moves, used, strict=True))
    model = cp.Model(cp.Circuit(after))
    for a in range(board.cells):
        model += cp.InDomain(after[a], [x + y - a for x, y in board.moves if a in (x, y)])
    model += [move[pair] for pair in board.required]
    model += [~move[pair] for pair in board.forbidden]
    return model, used


def knapsack(weights: Any, capacities: Any, values: Any) -> Any:
    taken = cp.boolvar(shape=len(values))
    model = cp.Model([cp.sum(row * taken) <= most for row, most in zip(weights, capacities, strict=True)])
    model.maximize(cp.sum(values * taken))
    return model, taken


def letters(words: Any) -> Any:
    digit = {letter: cp.intvar(0, 9, name=letter) for letter in sorted(set("".join(words)))}
    *others, total = (cp.sum(10**i * digit[x] for i, x in enumerate(word[::-1])) for word in words)
    model = cp.Model(cp.AllDifferent(list(digit.values())))
    model += [sum(others) == total, *(digit[word[0]] >= 1 for word in words)]
    return model, list(digit.values())


def pigeons(n: int) -> Any:
    sits = cp.boolvar(shape=(n, n - 1))
    model = cp.Model([cp.any(pigeon) for pigeon in sits], [cp.sum(hole) <= 1 for hole in sits.T])
    return model, sits


def domination(attacked: Any) -> Any:
    queen = cp.boolvar(shape=len(attacked))
    model = cp.Model([cp.any(queen[squares]) for squares in attacked])
    model.minimize(cp.sum(queen))
    return model, queen


def independent(nodes: int, quarrels: Any) -> Any:
    invited = cp.boolvar(shape=nodes)
    model = cp.Model([~invited[a] | ~invited[b] for a, b in quarrels])
    model.maximize(cp.sum(invited))
    return model, invited


def intervals(n: int) -> Any:
    tone = cp.intvar(0, n - 1, shape=n)
    step = cp.intvar(1, n - 1, shape=n - 1)
    model = cp.Model(cp.AllDifferent(tone), cp.AllDifferent(step))
    model += step == abs(tone[1:] - tone[:-1])
    return model, tone


def salesman(distance: Any) -> Any:
    n = len(distance)
    after = cp.intvar(0, n - 1, shape=n)
    model = cp.Model(cp.Circuit(after))
    model.minimize(cp.sum(cp.cpm_array(distance[a])[after[a]] for a in range(n)))
    return model, after


def jobshop(jobs: Any) -> Any:
    steps = np.array(jobs)
    machine, length, horizon = steps[..., 0], steps[..., 1], int(steps[..., 1].sum())
    start, end = cp.intvar(0, horizon, shape=machine.shape), cp.intvar(0, horizon)
    model = cp.Model(start[:, :-1] + length[:, :-1] <= start[:, 1:], start[:, -1] + length[:, -1] <= end)
    for each in np.unique(machine):
        model += cp.NoOverlap(start[machine == each], length[machine == each])
    model.minimize(end)
    return model, start


def cars(demand: Any, options: Any) -> Any:
    number = sum(demand)
    slot = cp.boolvar(shape=(number, len(demand)))
    model = cp.Model(slot.sum(axis=1) == 1, slot.sum(axis=0) == demand)
    for p, q, needing in options:
        model += [cp.sum(slot[i : i + q, needing]) <= p for i in range(number - q + 1)]
    return model, slot


def party(spare: Any, crews: Any, periods: int) -> Any:
    hosts = len(spare)
    visit = cp.intvar(0, hosts - 1, shape=(len(crews), periods))
    model = cp.Model([cp.AllDifferent(guest) for guest in visit])
    for host in range(hosts):
        model += [cp.sum(crews * (period == host)) <= spare[host] for period in visit.T]
    model += [cp.sum(a == b) <= 1 for a, b in combinations(visit, 2)]
    return model, visit


def vessel(width: int, height: int, sides: Any, apart: Any) -> Any:
    short, long = np.array(sides).T
    x, y = cp.intvar(0, width, shape=len(sides)), cp.intvar(0, height, shape=len(sides))
    turned = cp.boolvar(shape=len(sides))
    right, top = x + short + (long - short) * turned, y + long - (long - short) * turned
    model = cp.Model(right <= width, top <= height)
    for a, b in combinations(range(len(sides)), 2):
        gap = int((a, b) in apart)
        across = (right[a] + gap <= x[b]) | (right[b] + gap <= x[a])
        model += across | (top[a] + gap <= y[b]) | (top[b] + gap <= y[a])
    return model, [list(place) for place in zip(x, y, turned, strict=True)]


def steiner(n: int) -> Any:
    inside = cp.boolvar(shape=(n * (n - 1) // 6, n))
    model = cp.Model(inside.sum(axis=1) == 3)
    model += [cp.sum(a & b) <= 1 for a, b in combinations(inside, 2)]
    return model, inside


def costas(n: int) -> Any:
    row = cp.intvar(0, n - 1, shape=n)
    model = cp.Model(cp.AllDifferent(row))
    for d in range(1, n - 1):
        model += cp.AllDifferent(row[d:] - row[:-d])
    return model, row


def graceful(nodes: int, edges: Any) -> Any:
    label = cp.intvar(0, len(edges), shape=nodes)
    difference = cp.intvar(1, len(edges), shape=len(edges))
    model = cp.Model(cp.AllDifferent(label), cp.AllDifferent(difference))
    model += [d == abs(label[a] - label[b]) for d, (a, b) in zip(difference, edges, strict=True)]
    return model, label


def bibd(v: int, b: int, r: int, k: int, shared: int) -> Any:
    block = cp.boolvar(shape=(v, b))
    model = cp.Model(block.sum(axis=1) == r, block.sum(axis=0) == k)
    model += [cp.sum(one & other) == shared for one, other in combinations(block, 2)]
    return model, block


def nonogram(rows: Any, columns: Any) -> Any:
    black = cp.boolvar(shape=(len(rows), len(columns)))
    model = cp.Model()
    for line, clue in (*zip(black, rows, strict=True), *zip(black.T, columns, strict=True)):
        model += cp.Regular(line, *automaton(clue))
    return model, black


def packing(sizes: Any, capacity: int, bins: int) -> Any:
    inside, used = cp.boolvar(shape=(len(sizes), bins)), cp.boolvar(shape=bins)
    model = cp.Model(inside.sum(axis=1) == 1)
    model += [cp.sum(sizes * column) <= capacity * use for column, use in zip(inside.T, used, strict=True)]
    model.minimize(cp.sum(used))
    return model, [cp.sum(row * np.arange(bins)) for row in inside]


def project(durations: Any, demands: Any, capacities: Any, order: Any) -> Any:
    start = cp.intvar(0, sum(durations), shape=len(durations))
    model = cp.Model([start[a] + durations[a] <= start[b] for a, b in order])
    for needs, capacity in zip(demands, capacities, strict=True):
        model += cp.Cumulative(start, durations, demand=needs, capacity=capacity)
    model.minimize(cp.max(start + durations))
    return model, start


def program(text: str) -> Any:
    model = load_opb(io.StringIO(text))
    named = {x.name: x for x in get_variables_model(model)}
    return model, [named[f"x{i}"] for i in range(1, len(named) + 1)]


def maxsat(text: str) -> Any:
    model = load_wcnf(io.StringIO(text))
    named = {x.name: x for x in get_variables_model(model)}
    return model, [named[f"x{i}"] for i in range(1, len(named) + 1)]


def schur(n: int, number: int) -> Any:
    box = cp.boolvar(shape=(n + 1, number))
    model = cp.Model(box[1:].sum(axis=1) == 1)
    for a in range(1, n):
        for b in range(a, n - a + 1):
            model += ~box[a] | ~box[b] | ~box[a + b]
    return model, [cp.sum(row * np.arange(number)) for row in box[1:]]


def assignment(flow: Any, distance: Any) -> Any:
    n = len(flow)
    place = cp.intvar(0, n - 1, shape=n)
    flat = cp.cpm_array([d for row in distance for d in row])
    pairs = [(i, j) for i in range(n) for j in range(n) if flow[i][j]]
    model = cp.Model(cp.AllDifferent(place))
    model.minimize(cp.sum(flow[i][j] * flat[n * place[i] + place[j]] for i, j in pairs))
    return model, place


def warehouse(capacities: Any, opening: Any, costs: Any) -> Any:
    serves, opened = cp.boolvar(shape=np.shape(costs)), cp.boolvar(shape=len(opening))
    model = cp.Model(serves.sum(axis=1) == 1, serves.sum(axis=0) <= capacities * opened)
    model.minimize(cp.sum(serves * costs) + cp.sum(opening * opened))
    return model, [cp.sum(row * np.arange(len(opening))) for row in serves]


def sequence(n: int) -> Any:
    number = cp.intvar(0, n - 1, shape=n)
    return cp.Model(cp.GlobalCardinalityCount(number, range(n), number)), number


def cover(items: int, costs: Any, members: Any) -> Any:
    chosen = cp.boolvar(shape=len(costs))
    model = cp.Model([cp.any(chosen[[item in row for row in members]]) for item in range(items)])
    model.minimize(cp.sum(costs * chosen))
    return model, chosen


def partition(n: int) -> Any:
    number = np.arange(1, n + 1)
    first = cp.boolvar(shape=n)
    model = cp.Model()
    for power in range(3):
        model += 2 * cp.sum(number**power * first) == int((number**power).sum())
    return model, first
