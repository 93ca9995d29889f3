"""Checks of the answers to the problems of ``language.py``: a function for each model.

Each takes the numbers that a side reads from its solution, as nested lists, and the arguments of the model.
It returns a text: the optimum, or ``valid``. It raises AssertionError for a wrong answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, groupby, pairwise
from typing import Any

from language_cases import Loop, Tour

__all__: list[str] = []  # each is found by the name of its model

Numbers = Sequence[int]
Rows = Sequence[Sequence[int]]


def _check(*held: bool) -> str:
    assert all(held)
    return "valid"


def _distinct(values: Iterable[Any]) -> bool:
    listed = list(values)
    return len(set(listed)) == len(listed)


def _total(weights: Numbers, chosen: Numbers) -> int:
    return sum(weight for weight, each in zip(weights, chosen, strict=True) if each)


def queens(columns: Numbers, n: int) -> str:
    lines = [[c + slope * r for r, c in enumerate(columns)] for slope in (-1, 0, 1)]
    return _check(len(columns) == n, {*columns} <= {*range(n)}, *map(_distinct, lines))


def magic(rows: Rows, n: int) -> str:
    lines = [*rows, *zip(*rows, strict=True), [rows[i][i] for i in range(n)]]
    lines.append([rows[i][-1 - i] for i in range(n)])
    values = sorted(v for row in rows for v in row)
    total = n * (n * n + 1) // 2
    return _check(values == list(range(1, n * n + 1)), all(sum(line) == total for line in lines))


def golomb(marks: Numbers, n: int) -> str:
    _check(len(marks) == n, _distinct(b - a for a, b in combinations(sorted(marks), 2)))
    return str(max(marks) - min(marks))


def golfers(plan: Rows, weeks: int, groups: int, size: int) -> str:
    met = [
        pair
        for week in plan
        for pair in combinations(range(groups * size), 2)
        if week[pair[0]] == week[pair[1]]
    ]
    return _check(len(plan) == weeks, _distinct(met), all(list(week).count(week[0]) == size for week in plan))


def colouring(colours: Numbers, _nodes: int, borders: list[tuple[int, int]]) -> str:
    _check(all(colours[a] != colours[b] for a, b in borders))
    return str(len(set(colours)))


def latin(rows: Rows, given: Rows) -> str:
    kept = all(value in (0, rows[r][c]) for r, row in enumerate(given) for c, value in enumerate(row))
    return _check(kept, *map(_distinct, [*rows, *zip(*rows, strict=True)]))


def sudoku(rows: Rows, box: int, given: Rows) -> str:
    boxes = [
        [rows[r + i][c + j] for i in range(box) for j in range(box)]
        for r in range(0, box * box, box)
        for c in range(0, box * box, box)
    ]
    return _check(*map(_distinct, boxes)) and latin(rows, given)


def langford(values: Numbers, n: int) -> str:
    places = [[i for i, value in enumerate(values) if value == k] for k in range(1, n + 1)]
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


def slitherlink(used: Numbers, loop: Loop) -> str:
    clues = all(sum(used[line] for line in around) == clue for clue, around in loop.clues)
    return _check(clues, _is_loop([line for line, each in zip(loop.lines, used, strict=True) if each]))


def subset(taken: Numbers, numbers: Numbers, target: int) -> str:
    return _check(_total(numbers, taken) == target)


def tour(used: Numbers, board: Tour) -> str:
    moves = [move for move, each in zip(board.moves, used, strict=True) if each]
    kept = set(board.required) <= set(moves) and not set(board.forbidden) & set(moves)
    return _check(kept, len(moves) == board.cells, _is_loop(moves))


def knapsack(taken: Numbers, weights: Rows, capacities: Numbers, values: Numbers) -> str:
    _check(all(_total(row, taken) <= most for row, most in zip(weights, capacities, strict=True)))
    return str(_total(values, taken))


def letters(digits: Numbers, words: Sequence[str]) -> str:
    digit = dict(zip(sorted(set("".join(words))), digits, strict=True))
    *others, total = (int("".join(str(digit[x]) for x in word)) for word in words)
    return _check(_distinct(digits), sum(others) == total, all(digit[word[0]] for word in words))


def domination(chosen: Numbers, attacked: Rows) -> str:
    _check(all(any(chosen[b] for b in squares) for squares in attacked))
    return str(sum(map(bool, chosen)))


def independent(invited: Numbers, _nodes: int, quarrels: list[tuple[int, int]]) -> str:
    _check(not any(invited[a] and invited[b] for a, b in quarrels))
    return str(sum(map(bool, invited)))


def intervals(tones: Numbers, n: int) -> str:
    return _check(sorted(tones) == list(range(n)), _distinct(abs(a - b) for a, b in pairwise(tones)))


def salesman(successors: Numbers, distance: Rows) -> str:
    arcs = list(enumerate(successors))
    _check(_is_loop(arcs), len(arcs) == len(distance))
    return str(sum(distance[a][b] for a, b in arcs))


def jobshop(starts: Rows, jobs: Sequence[Sequence[tuple[int, int]]]) -> str:
    steps = [
        (machine, start, start + duration)
        for job, times in zip(jobs, starts, strict=True)
        for (machine, duration), start in zip(job, times, strict=True)
    ]
    for job, times in zip(jobs, starts, strict=True):
        _check(all(a + job[i][1] <= b for i, (a, b) in enumerate(pairwise(times))))
    _check(all(m != n or a >= d or c >= b for (m, a, b), (n, c, d) in combinations(steps, 2)))
    return str(max(end for _, _, end in steps))


def cars(line: Rows, demand: Numbers, options: Sequence[tuple[int, int, Numbers]]) -> str:
    classes = [row.index(1) for row in line]
    windows = [
        sum(c in needing for c in classes[i : i + q]) <= p
        for p, q, needing in options
        for i in range(len(classes) - q + 1)
    ]
    return _check(
        *windows, all(sum(row) == 1 for row in line), [*map(sum, zip(*line, strict=True))] == demand
    )


def party(visits: Rows, spare: Numbers, crews: Numbers, periods: int) -> str:
    loads = [
        sum(crew for crew, row in zip(crews, visits, strict=True) if row[t] == host) <= room
        for t in range(periods)
        for host, room in enumerate(spare)
    ]
    meetings = (sum(a == b for a, b in zip(*pair, strict=True)) <= 1 for pair in combinations(visits, 2))
    return _check(*loads, *map(_distinct, visits), *meetings)


def vessel(places: Rows, width: int, height: int, sides: Rows, apart: list[tuple[int, int]]) -> str:
    boxes = [
        (x, y, x + (b if turned else a), y + (a if turned else b))
        for (x, y, turned), (a, b) in zip(places, sides, strict=True)
    ]
    inside = all(x >= 0 and y >= 0 and r <= width and t <= height for x, y, r, t in boxes)
    for i, j in combinations(range(len(boxes)), 2):
        (x, y, r, t), (u, v, s, w) = boxes[i], boxes[j]
        gap = int((i, j) in apart)
        _check(r + gap <= u or s + gap <= x or t + gap <= v or w + gap <= y)
    return _check(inside)


def steiner(triples: Rows, n: int) -> str:
    sets = [{i for i, each in enumerate(row) if each} for row in triples]
    shared = all(len(a & b) <= 1 for a, b in combinations(sets, 2))
    return _check(len(sets) == n * (n - 1) // 6, all(len(each) == 3 for each in sets), shared)


def costas(rows: Numbers, n: int) -> str:
    lines = [[rows[i + d] - rows[i] for i in range(n - d)] for d in range(1, n)]
    return _check(sorted(rows) == list(range(n)), *map(_distinct, lines))


def graceful(labels: Numbers, _nodes: int, edges: list[tuple[int, int]]) -> str:
    differences = sorted(abs(labels[a] - labels[b]) for a, b in edges)
    inside = min(labels) >= 0 and max(labels) <= len(edges)
    return _check(inside, _distinct(labels), differences == list(range(1, len(edges) + 1)))


def bibd(rows: Rows, v: int, b: int, r: int, k: int, shared: int) -> str:
    pairs = (sum(x and y for x, y in zip(*two, strict=True)) == shared for two in combinations(rows, 2))
    columns = list(zip(*rows, strict=True))
    sums = all(sum(row) == r for row in rows) and all(sum(column) == k for column in columns)
    return _check((len(rows), len(columns)) == (v, b), sums, *pairs)


def nonogram(black: Rows, rows: Rows, columns: Rows) -> str:
    lines = [*zip(black, rows, strict=True), *zip(zip(*black, strict=True), columns, strict=True)]
    return _check(
        *([len(list(run)) for mark, run in groupby(line) if mark] == list(clue) for line, clue in lines)
    )


def packing(where: Numbers, sizes: Numbers, capacity: int, _bins: int) -> str:
    loads = {b: sum(s for s, w in zip(sizes, where, strict=True) if w == b) for b in where}
    _check(max(loads.values()) <= capacity)
    return str(len(loads))


def project(
    starts: Numbers, durations: Numbers, demands: Rows, capacities: Numbers, order: list[tuple[int, int]]
) -> str:
    _check(all(starts[a] + durations[a] <= starts[b] for a, b in order))
    for needs, capacity in zip(demands, capacities, strict=True):
        tasks = list(zip(starts, durations, needs, strict=True))
        _check(*(sum(r for s, d, r in tasks if s <= time < s + d) <= capacity for time in starts))
    return str(max(s + d for s, d in zip(starts, durations, strict=True)))


def program(values: Numbers, text: str) -> str:
    def total(terms: list[str]) -> int:
        return sum(int(w) * values[int(x[1:]) - 1] for w, x in zip(terms[::2], terms[1::2], strict=True))

    _, objective, *rows = text.splitlines()
    _check(*(total(row.split()[:-3]) >= int(row.split()[-2]) for row in rows))
    return str(total(objective.split()[1:-1]))


def maxsat(values: Numbers, text: str) -> str:
    broken = 0
    for weight, *clause, _ in map(str.split, text.splitlines()):
        held = any(bool(values[abs(int(x)) - 1]) == (int(x) > 0) for x in clause)
        _check(held or weight != "h")
        broken += 0 if held else int(weight)
    return str(broken)


def schur(boxes: Numbers, n: int, number: int) -> str:
    sums = [(a, b, a + b) for a in range(1, n + 1) for b in range(a, n - a + 1)]
    free = all(len({boxes[x - 1] for x in three}) > 1 for three in sums)
    return _check(len(boxes) == n, {*boxes} <= {*range(number)}, free)


def assignment(places: Numbers, flow: Rows, distance: Rows) -> str:
    n = range(len(flow))
    _check(sorted(places) == list(n))
    return str(sum(flow[i][j] * distance[places[i]][places[j]] for i in n for j in n))


def warehouse(served: Numbers, capacities: Numbers, opening: Numbers, costs: Rows) -> str:
    _check(*(served.count(house) <= most for house, most in enumerate(capacities)))
    return str(
        sum(opening[h] for h in set(served)) + sum(row[h] for row, h in zip(costs, served, strict=True))
    )


def sequence(numbers: Numbers, n: int) -> str:
    return _check(len(numbers) == n, *(numbers.count(i) == each for i, each in enumerate(numbers)))


def cover(chosen: Numbers, items: int, costs: Numbers, members: Rows) -> str:
    covered = {item for each, row in zip(chosen, members, strict=True) if each for item in row}
    _check(len(covered) == items)
    return str(_total(costs, chosen))


def partition(first: Numbers, n: int) -> str:
    one = [i for i, each in enumerate(first, 1) if each]
    other = [i for i, each in enumerate(first, 1) if not each]
    squares = sum(i * i for i in one) == sum(i * i for i in other)
    return _check(len(one) == len(other) == n // 2, sum(one) == sum(other), squares)
