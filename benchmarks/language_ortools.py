"""The problems of ``language.py`` in plain OR-Tools. Each function returns a model, and what to read."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import language_cases as data
from ortools.sat.python import cp_model

__all__ = ["answer"]


def answer(model: Any, wanted: Any) -> Any:
    """Solve a model by one thread; return the values of what is wanted, None without a solution."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    return _values(solver, wanted) if status in (cp_model.OPTIMAL, cp_model.FEASIBLE) else None


def _values(solver: Any, wanted: Any) -> Any:
    if isinstance(wanted, list):
        return [_values(solver, each) for each in wanted]
    return int(solver.value(wanted))


def queens() -> Any:
    model, n = cp_model.CpModel(), data.QUEENS
    column = [model.new_int_var(0, n - 1, f"c{r}") for r in range(n)]
    for slope in (-1, 0, 1):
        model.add_all_different([column[r] + slope * r for r in range(n)])
    return model, column


def magic() -> Any:
    model, n = cp_model.CpModel(), data.MAGIC
    square = [[model.new_int_var(1, n * n, f"{r},{c}") for c in range(n)] for r in range(n)]
    model.add_all_different([x for row in square for x in row])
    for i in range(n):
        model.add(sum(square[i]) == data.MAGIC_SUM)
        model.add(sum(row[i] for row in square) == data.MAGIC_SUM)
    model.add(sum(square[i][i] for i in range(n)) == data.MAGIC_SUM)
    model.add(sum(square[i][n - 1 - i] for i in range(n)) == data.MAGIC_SUM)
    return model, square


def golomb() -> Any:
    model, n = cp_model.CpModel(), data.GOLOMB
    mark = [model.new_int_var(0, n * n, f"m{i}") for i in range(n)]
    model.add(mark[0] == 0)
    for a, b in pairwise(mark):
        model.add(a < b)
    apart = []
    for a, b in combinations(mark, 2):
        difference = model.new_int_var(1, n * n, "")
        model.add(difference == b - a)
        apart.append(difference)
    model.add_all_different(apart)
    model.minimize(mark[-1])
    return model, mark


def golfers() -> Any:
    model, groups, players = cp_model.CpModel(), range(data.GROUPS), range(data.PLAYERS)
    plays = [[[model.new_bool_var("") for _ in groups] for _ in players] for _ in range(data.WEEKS)]
    for week in plays:
        for player in week:
            model.add_exactly_one(player)
        for g in groups:
            model.add(sum(player[g] for player in week) == data.SIZE)
    for a, b in combinations(players, 2):
        together = []
        for week in plays:
            for g in groups:
                both = model.new_bool_var("")
                model.add_bool_or([~week[a][g], ~week[b][g], both])
                together.append(both)
        model.add(sum(together) <= 1)
    return model, [[sum(g * player[g] for g in groups) for player in week] for week in plays]


def colouring() -> Any:
    model = cp_model.CpModel()
    colour = [model.new_int_var(1, 8, f"c{i}") for i in range(data.COUNTRIES)]
    for a, b in data.BORDERS:
        model.add(colour[a] != colour[b])
    most = model.new_int_var(1, 8, "most")
    model.add_max_equality(most, colour)
    model.minimize(most)
    return model, colour


def latin() -> Any:
    model, n = cp_model.CpModel(), len(data.LATIN)
    square = [
        [model.new_int_var(given or 1, given or n, f"{r},{c}") for c, given in enumerate(row)]
        for r, row in enumerate(data.LATIN)
    ]
    for i in range(n):
        model.add_all_different(square[i])
        model.add_all_different([row[i] for row in square])
    return model, square


def sudoku() -> Any:
    model = cp_model.CpModel()
    cell = [
        [model.new_int_var(given or 1, given or 9, f"{r},{c}") for c, given in enumerate(row)]
        for r, row in enumerate(data.SUDOKU)
    ]
    for i in range(9):
        model.add_all_different(cell[i])
        model.add_all_different([row[i] for row in cell])
        model.add_all_different([cell[i // 3 * 3 + k // 3][i % 3 * 3 + k % 3] for k in range(9)])
    return model, cell


def langford() -> Any:
    model, n = cp_model.CpModel(), data.LANGFORD
    first = {(k, i): model.new_bool_var("") for k in range(1, n + 1) for i in range(2 * n - k - 1)}
    for k in range(1, n + 1):
        model.add_exactly_one(x for (j, _), x in first.items() if j == k)
    for place in range(2 * n):
        model.add_exactly_one(x for (k, i), x in first.items() if place in (i, i + k + 1))
    return model, [sum(k * x for (k, i), x in first.items() if p in (i, i + k + 1)) for p in range(2 * n)]


def slitherlink() -> Any:
    model = cp_model.CpModel()
    used = [model.new_bool_var("") for _ in data.LINES]
    arcs = [(v, v, model.new_bool_var("")) for v in range(data.POINTS)]
    for (a, b), line in zip(data.LINES, used, strict=True):
        there, back = model.new_bool_var(""), model.new_bool_var("")
        model.add(there + back == line)
        arcs += [(a, b, there), (b, a, back)]
    model.add_circuit(arcs)
    for cell, clue in data.CLUES.items():
        model.add(sum(used[line] for line in data.AT_CELL[cell]) == clue)
    return model, used


def subset() -> Any:
    model = cp_model.CpModel()
    taken = [model.new_bool_var("") for _ in data.NUMBERS]
    model.add(cp_model.LinearExpr.weighted_sum(taken, data.NUMBERS) == data.TARGET)
    return model, taken


def tour() -> Any:
    model = cp_model.CpModel()
    used = [model.new_bool_var("") for _ in data.MOVES]
    move = dict(zip(data.MOVES, used, strict=True))
    arcs = []
    for (a, b), line in move.items():
        there, back = model.new_bool_var(""), model.new_bool_var("")
        model.add(there + back == line)
        arcs += [(a, b, there), (b, a, back)]
    model.add_circuit(arcs)
    for pair in data.REQUIRED:
        model.add(move[pair] == 1)
    for pair in data.FORBIDDEN:
        model.add(move[pair] == 0)
    return model, used


def knapsack() -> Any:
    model = cp_model.CpModel()
    taken = [model.new_bool_var("") for _ in range(data.ITEMS)]
    model.add(cp_model.LinearExpr.weighted_sum(taken, data.WEIGHTS) <= data.CAPACITY)
    model.maximize(cp_model.LinearExpr.weighted_sum(taken, data.VALUES))
    return model, taken


def money() -> Any:
    model = cp_model.CpModel()
    digit = {letter: model.new_int_var(letter in "SM", 9, letter) for letter in "SENDMORY"}
    send, more, money = (
        sum(10**i * digit[x] for i, x in enumerate(w[::-1])) for w in ("SEND", "MORE", "MONEY")
    )
    model.add_all_different(digit.values())
    model.add(send + more == money)
    return model, list(digit.values())


def pigeons() -> Any:
    model = cp_model.CpModel()
    sits = [[model.new_bool_var("") for _ in range(data.PIGEONS - 1)] for _ in range(data.PIGEONS)]
    for pigeon in sits:
        model.add_bool_or(pigeon)
    for hole in zip(*sits, strict=True):
        model.add_at_most_one(hole)
    return model, sits


def jobshop() -> Any:
    model = cp_model.CpModel()
    start = [[model.new_int_var(0, data.HORIZON, "") for _ in job] for job in data.JOBS]
    machines: dict[int, list[Any]] = {}
    for job, times in zip(data.JOBS, start, strict=True):
        for (machine, duration), time in zip(job, times, strict=True):
            machines.setdefault(machine, []).append(model.new_fixed_size_interval_var(time, duration, ""))
        for (_, duration), (first, second) in zip(job, pairwise(times), strict=False):
            model.add(first + duration <= second)
    for intervals in machines.values():
        model.add_no_overlap(intervals)
    end = model.new_int_var(0, data.HORIZON, "end")
    for job, times in zip(data.JOBS, start, strict=True):
        model.add(end >= times[-1] + job[-1][1])
    model.minimize(end)
    return model, start


def domination() -> Any:
    model = cp_model.CpModel()
    queen = [model.new_bool_var("") for _ in data.ATTACKED]
    for squares in data.ATTACKED:
        model.add_bool_or(queen[b] for b in squares)
    model.minimize(sum(queen))
    return model, queen


def zebra() -> Any:
    model = cp_model.CpModel()
    kinds = [[model.new_int_var(1, 5, "") for _ in range(5)] for _ in range(5)]
    for kind in kinds:
        model.add_all_different(kind)
    red, green, ivory, yellow, blue = kinds[0]
    english, spaniard, ukrainian, norwegian, japanese = kinds[1]
    coffee, tea, milk, juice, water = kinds[2]
    dog, snails, fox, horse, zebra = kinds[3]
    gold, kools, chesterfield, lucky, parliament = kinds[4]
    model.add(green == ivory + 1)
    for a, b in [(english, red), (spaniard, dog), (coffee, green), (ukrainian, tea), (japanese, parliament)]:
        model.add(a == b)
    for one, house in [(gold, snails), (kools, yellow), (milk, 3), (norwegian, 1), (lucky, juice)]:
        model.add(one == house)
    for c, d in [(chesterfield, fox), (kools, horse), (norwegian, blue)]:
        model.add_abs_equality(1, c - d)
    return model, [water, zebra]


def independent() -> Any:
    model = cp_model.CpModel()
    invited = [model.new_bool_var("") for _ in range(data.FRIENDS)]
    for a, b in data.QUARRELS:
        model.add_bool_or(~invited[a], ~invited[b])
    model.maximize(sum(invited))
    return model, invited


def intervals() -> Any:
    model, n = cp_model.CpModel(), data.TONES
    tone = [model.new_int_var(0, n - 1, "") for _ in range(n)]
    model.add_all_different(tone)
    steps = []
    for a, b in pairwise(tone):
        step = model.new_int_var(1, n - 1, "")
        model.add_abs_equality(step, a - b)
        steps.append(step)
    model.add_all_different(steps)
    return model, tone


def salesman() -> Any:
    model, n = cp_model.CpModel(), data.CITIES
    goes = {(a, b): model.new_bool_var("") for a in range(n) for b in range(n) if a != b}
    model.add_circuit([(a, b, x) for (a, b), x in goes.items()])
    model.minimize(sum(data.DISTANCE[a][b] * x for (a, b), x in goes.items()))
    return model, [sum(b * goes[a, b] for b in range(n) if a != b) for a in range(n)]
