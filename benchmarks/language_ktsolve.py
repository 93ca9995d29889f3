"""The problems of ``language.py`` in ktsolve.

Each function returns a model, and what to read from a solution.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
from language_cases import Loop, Tour, automaton

from ktsolve import Model, Settings, solutions, solve
from ktsolve.model.constraints import AllDifferent
from ktsolve.model.io.cnf import read_wcnf
from ktsolve.model.io.opb import read_opb

__all__ = ["answer", "every"]


def answer(model: Model, wanted: Any, engine: str = "auto") -> Any:
    """Solve a model by one thread; return the values of what is wanted, None without a solution."""
    found = solve(model, engine, Settings(threads=1))
    return None if found.assignment is None else _values(found, wanted)


def every(model: Model, wanted: Any, engine: str = "auto") -> list[Any]:
    """Return the values of what is wanted in each solution."""
    return [_values(found, wanted) for found in solutions(model, engine, Settings(threads=1))]


def _values(found: Any, wanted: Any) -> Any:
    values = found[wanted]
    return values.tolist() if isinstance(values, np.ndarray) else _listed(values)


def _listed(values: Any) -> Any:
    return [_listed(each) for each in values] if isinstance(values, list) else int(values)


def queens(n: int) -> Any:
    model = Model()
    column = model.integers(n, 0, n - 1)
    model.add(AllDifferent(column + slope * np.arange(n)) for slope in (-1, 0, 1))
    return model, column


def magic(n: int) -> Any:
    model, total = Model(), n * (n * n + 1) // 2
    square = model.integers((n, n), 1, n * n)
    model.all_different(square.flat)
    model.add(square.sum(axis=0) == total, square.sum(axis=1) == total)
    model.add(square.diagonal().sum() == total, square[::-1].diagonal().sum() == total)
    return model, square


def golomb(n: int) -> Any:
    model = Model()
    mark = model.integers(n, 0, n * n)
    model.add(mark[0] == 0, mark[:-1] < mark[1:])
    model.all_different(b - a for a, b in combinations(mark, 2))
    model.minimise(mark[-1])
    return model, mark


def golfers(weeks: int, groups: int, size: int) -> Any:
    model = Model()
    group = model.integers((weeks, groups * size), 0, groups - 1)
    model.add(model.count(week, g) == size for week in group for g in range(groups))
    for a, b in combinations(range(groups * size), 2):
        model.add(sum(week[a] == week[b] for week in group) <= 1)
    return model, group


def colouring(nodes: int, borders: Any) -> Any:
    model = Model()
    colour = model.integers(nodes, 1, 8)
    model.add(colour[a] != colour[b] for a, b in borders)
    model.minimise(model.max(colour))
    return model, colour


def latin(rows: Any) -> Any:
    model, given = Model(), np.array(rows)
    square = model.integers(given.shape, 1, len(given))
    model.add(square[given > 0] == given[given > 0])
    model.add(AllDifferent(line) for line in (*square, *square.T))
    return model, square


def sudoku(box: int, rows: Any) -> Any:
    model, cell = latin(rows)
    for r, c in np.ndindex(box, box):
        model.all_different(cell[r * box : (r + 1) * box, c * box : (c + 1) * box])
    return model, cell


def langford(n: int) -> Any:
    model = Model()
    first = {(k, i): model.boolean(f"{k} at {i}") for k in range(1, n + 1) for i in range(2 * n - k - 1)}
    for k in range(1, n + 1):
        model.exactly_one(x for (j, _), x in first.items() if j == k)
    for place in range(2 * n):
        model.exactly_one(x for (k, i), x in first.items() if place in (i, i + k + 1))
    return model, [sum(k * x for (k, i), x in first.items() if p in (i, i + k + 1)) for p in range(2 * n)]


def slitherlink(loop: Loop) -> Any:
    model = Model()
    used = model.booleans(len(loop.lines))
    model.subcircuit(loop.points, [(*line, x) for line, x in zip(loop.lines, used, strict=True)])
    for clue, around in loop.clues:
        model.exactly(clue, used[around])
    return model, used


def subset(numbers: Any, target: int) -> Any:
    model = Model()
    taken = model.booleans(len(numbers))
    model.add(numbers @ taken == target)
    return model, taken


def tour(board: Tour) -> Any:
    model = Model()
    used = model.booleans(len(board.moves))
    move = dict(zip(board.moves, used, strict=True))
    model.circuit(board.cells, [(*pair, x) for pair, x in move.items()])
    model.add([move[pair] for pair in board.required], [~move[pair] for pair in board.forbidden])
    return model, used


def knapsack(weights: Any, capacities: Any, values: Any) -> Any:
    model = Model()
    taken = model.booleans(len(values))
    model.add(np.array(weights) @ taken <= capacities)
    model.maximise(values @ taken)
    return model, taken


def letters(words: Any) -> Any:
    model = Model()
    digit = {letter: model.integer(letter, 0, 9) for letter in sorted(set("".join(words)))}
    *others, total = (sum(10**i * digit[x] for i, x in enumerate(word[::-1])) for word in words)
    model.all_different(digit.values())
    model.add(sum(others) == total, [digit[word[0]] >= 1 for word in words])
    return model, list(digit.values())


def pigeons(n: int) -> Any:
    model = Model()
    sits = model.booleans((n, n - 1))
    model.add(sits.any(axis=1), sits.sum(axis=0) <= 1)
    return model, sits


def domination(attacked: Any) -> Any:
    model = Model()
    queen = model.booleans(len(attacked))
    model.add(queen[squares].any() for squares in attacked)
    model.minimise(queen.sum())
    return model, queen


def independent(nodes: int, quarrels: Any) -> Any:
    model = Model()
    invited = model.booleans(nodes)
    model.add(~invited[a] | ~invited[b] for a, b in quarrels)
    model.maximise(invited.sum())
    return model, invited


def intervals(n: int) -> Any:
    model = Model()
    tone = model.integers(n, 0, n - 1, "tone")
    step = model.integers(n - 1, 1, n - 1, "step")
    model.add(AllDifferent(tone), AllDifferent(step), step == abs(tone[1:] - tone[:-1]))
    return model, tone


def salesman(distance: Any) -> Any:
    model, n = Model(), len(distance)
    goes = {(a, b): model.boolean(f"{a}-{b}") for a in range(n) for b in range(n) if a != b}
    model.circuit(n, [(*pair, x) for pair, x in goes.items()], directed=True)
    model.minimise({x: distance[a][b] for (a, b), x in goes.items()})
    return model, [sum(b * goes[a, b] for b in range(n) if a != b) for a in range(n)]


def jobshop(jobs: Any) -> Any:
    model, steps = Model(), np.array(jobs)
    machine, length, horizon = steps[..., 0], steps[..., 1], int(steps[..., 1].sum())
    start, end = model.integers(machine.shape, 0, horizon), model.integer("end", 0, horizon)
    model.add(start[:, :-1] + length[:, :-1] <= start[:, 1:], start[:, -1] + length[:, -1] <= end)
    for each in np.unique(machine):
        model.no_overlap(start[machine == each], length[machine == each])
    model.minimise(end)
    return model, start


def cars(demand: Any, options: Any) -> Any:
    model, number = Model(), sum(demand)
    slot = model.booleans((number, len(demand)))
    model.add(slot.sum(axis=1) == 1, slot.sum(axis=0) == demand)
    for p, q, needing in options:
        model.add(slot[i : i + q, needing].sum() <= p for i in range(number - q + 1))
    return model, slot


def party(spare: Any, crews: Any, periods: int) -> Any:
    model, hosts = Model(), len(spare)
    visit = model.integers((len(crews), periods), 0, hosts - 1)
    model.add(AllDifferent(guest) for guest in visit)
    for host in range(hosts):
        model.add(np.array(crews) @ (period == host) <= spare[host] for period in visit.T)
    model.add((a == b).sum() <= 1 for a, b in combinations(visit, 2))
    return model, visit


def vessel(width: int, height: int, sides: Any, apart: Any) -> Any:
    model, (short, long) = Model(), np.array(sides).T
    x, y = model.integers(len(sides), 0, width, "x"), model.integers(len(sides), 0, height, "y")
    turned = model.booleans(len(sides))
    right, top = x + short + (long - short) * turned, y + long - (long - short) * turned
    model.add(right <= width, top <= height)
    for a, b in combinations(range(len(sides)), 2):
        gap = int((a, b) in apart)
        across = (right[a] + gap <= x[b]) | (right[b] + gap <= x[a])
        model.add(across | (top[a] + gap <= y[b]) | (top[b] + gap <= y[a]))
    return model, [list(place) for place in zip(x, y, turned, strict=True)]


def steiner(n: int) -> Any:
    model = Model()
    inside = model.booleans((n * (n - 1) // 6, n))
    model.add(inside.sum(axis=1) == 3)
    model.add((a & b).sum() <= 1 for a, b in combinations(inside, 2))
    return model, inside


def costas(n: int) -> Any:
    model = Model()
    row = model.integers(n, 0, n - 1)
    model.all_different(row)
    model.add(AllDifferent(row[d:] - row[:-d]) for d in range(1, n - 1))
    return model, row


def graceful(nodes: int, edges: Any) -> Any:
    model = Model()
    label = model.integers(nodes, 0, len(edges))
    difference = model.integers(len(edges), 1, len(edges), "difference")
    model.add(AllDifferent(label), AllDifferent(difference))
    model.add(d == abs(label[a] - label[b]) for d, (a, b) in zip(difference, edges, strict=True))
    return model, label


def bibd(v: int, b: int, r: int, k: int, shared: int) -> Any:
    model = Model()
    block = model.booleans((v, b))
    model.add(block.sum(axis=1) == r, block.sum(axis=0) == k)
    model.add((one & other).sum() == shared for one, other in combinations(block, 2))
    return model, block


def nonogram(rows: Any, columns: Any) -> Any:
    model = Model()
    black = model.booleans((len(rows), len(columns)))
    for line, clue in (*zip(black, rows, strict=True), *zip(black.T, columns, strict=True)):
        model.regular(line, *automaton(clue))
    return model, black


def packing(sizes: Any, capacity: int, bins: int) -> Any:
    model = Model()
    inside, used = model.booleans((len(sizes), bins), "inside"), model.booleans(bins, "used")
    model.add(inside.sum(axis=1) == 1, sizes @ inside <= capacity * used)
    model.minimise(used.sum())
    return model, list(inside @ np.arange(bins))


def project(durations: Any, demands: Any, capacities: Any, order: Any) -> Any:
    model = Model()
    start = model.integers(len(durations), 0, sum(durations))
    model.add(start[a] + durations[a] <= start[b] for a, b in order)
    for needs, capacity in zip(demands, capacities, strict=True):
        model.cumulative(start, durations, needs, capacity)
    model.minimise(model.max(start + durations))
    return model, start


def program(text: str) -> Any:
    model = read_opb(text).model
    return model, [model[f"x{i}"] for i in range(1, len(model) + 1)]


def maxsat(text: str) -> Any:
    read = read_wcnf(text)
    return read.model, [read.model.variable(i) for i in range(read.variables)]


def schur(n: int, number: int) -> Any:
    model = Model()
    box = model.booleans((n + 1, number))
    model.add(box[1:].sum(axis=1) == 1)
    for a in range(1, n):
        for b in range(a, n - a + 1):
            model.add(~box[a] | ~box[b] | ~box[a + b])
    return model, list(box[1:] @ np.arange(number))


def assignment(flow: Any, distance: Any) -> Any:
    model, n = Model(), len(flow)
    place = model.integers(n, 0, n - 1)
    model.all_different(place)
    flat = [d for row in distance for d in row]
    pairs = [(i, j) for i in range(n) for j in range(n) if flow[i][j]]
    model.minimise(sum(flow[i][j] * model.element(flat, n * place[i] + place[j]) for i, j in pairs))
    return model, place


def warehouse(capacities: Any, opening: Any, costs: Any) -> Any:
    model = Model()
    serves, opened = model.booleans(np.shape(costs), "serves"), model.booleans(len(opening), "opened")
    model.add(serves.sum(axis=1) == 1, serves.sum(axis=0) <= capacities * opened)
    model.minimise((serves * costs).sum() + opening @ opened)
    return model, list(serves @ np.arange(len(opening)))


def sequence(n: int) -> Any:
    model = Model()
    number = model.integers(n, 0, n - 1)
    model.global_cardinality(number, dict(enumerate(number)))
    return model, number


def cover(items: int, costs: Any, members: Any) -> Any:
    model = Model()
    chosen = model.booleans(len(costs))
    model.add(chosen[[item in row for row in members]].any() for item in range(items))
    model.minimise(costs @ chosen)
    return model, chosen


def partition(n: int) -> Any:
    model, number = Model(), np.arange(1, n + 1)
    first = model.booleans(n)
    for power in range(3):
        model.add(2 * (number**power @ first) == int((number**power).sum()))
    return model, first
