"""The problems of ``language.py`` in plain python-sat, where a person would reasonably use it.

Each function returns a formula, and a function from the set of true variables to the numbers of the answer.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import language_cases as data
from pysat.card import CardEnc
from pysat.examples.rc2 import RC2
from pysat.formula import CNF, WCNF, IDPool
from pysat.solvers import Solver

__all__ = ["answer"]


def answer(formula: Any, wanted: Any) -> Any:
    """Solve a formula by CaDiCaL, or RC2 if it has soft clauses."""
    if isinstance(formula, WCNF):
        with RC2(formula) as optimiser:
            values = optimiser.compute()
    else:
        with Solver(name="cadical153", bootstrap_with=formula) as solver:
            values = solver.get_model() if solver.solve() else None
    return None if values is None else wanted({x for x in values if x > 0})


def queens() -> Any:
    n, formula = data.QUEENS, CNF()
    var = {(r, c): r * n + c + 1 for r in range(n) for c in range(n)}
    lines = [[var[i, c] for c in range(n)] for i in range(n)] + [
        [var[r, i] for r in range(n)] for i in range(n)
    ]
    lines += [[x for (r, c), x in var.items() if r - c == d] for d in range(1 - n, n)]
    lines += [[x for (r, c), x in var.items() if r + c == d] for d in range(2 * n - 1)]
    for line in lines[:n]:
        formula.append(line)
    for line in lines:
        formula.extend([-a, -b] for a, b in combinations(line, 2))
    return formula, lambda true: [next(c for c in range(n) if var[r, c] in true) for r in range(n)]


def colouring() -> Any:
    n, colours, formula = data.COUNTRIES, range(1, 9), WCNF()
    var = {(v, c): v * 8 + c for v in range(n) for c in colours}
    for v in range(n):
        formula.append([var[v, c] for c in colours])
    for a, b in data.BORDERS:
        formula.extend([-var[a, c], -var[b, c]] for c in colours)
    for c in colours:
        formula.append([-(8 * n + c)], weight=1)
        formula.extend([-var[v, c], 8 * n + c] for v in range(n))
    return formula, lambda true: [next(c for c in colours if var[v, c] in true) for v in range(n)]


def latin() -> Any:
    n, formula = len(data.LATIN), CNF()
    var = {(r, c, k): (r * n + c) * n + k for r in range(n) for c in range(n) for k in range(1, n + 1)}
    blocks = [[(i, c) for c in range(n)] for i in range(n)] + [[(r, i) for r in range(n)] for i in range(n)]
    for (r, c), k in ((cell, data.LATIN[cell[0]][cell[1]]) for block in blocks[:n] for cell in block):
        formula.append([var[r, c, k]] if k else [var[r, c, j] for j in range(1, n + 1)])
    for block in blocks:
        for k in range(1, n + 1):
            formula.append([var[r, c, k] for r, c in block])
            formula.extend([-var[*a, k], -var[*b, k]] for a, b in combinations(block, 2))
    return formula, lambda true: [
        [next(k for k in range(1, n + 1) if var[r, c, k] in true) for c in range(n)] for r in range(n)
    ]


def sudoku() -> Any:
    n, formula = 9, CNF()
    var = {(r, c, k): (r * n + c) * n + k for r in range(n) for c in range(n) for k in range(1, n + 1)}
    blocks = [[(i, c) for c in range(n)] for i in range(n)] + [[(r, i) for r in range(n)] for i in range(n)]
    blocks += [[(i // 3 * 3 + j // 3, i % 3 * 3 + j % 3) for j in range(n)] for i in range(n)]
    for (r, c), k in ((cell, data.SUDOKU[cell[0]][cell[1]]) for block in blocks[:n] for cell in block):
        formula.append([var[r, c, k]] if k else [var[r, c, j] for j in range(1, n + 1)])
    for block in blocks:
        for k in range(1, n + 1):
            formula.append([var[r, c, k] for r, c in block])
            formula.extend([-var[*a, k], -var[*b, k]] for a, b in combinations(block, 2))
    return formula, lambda true: [
        [next(k for k in range(1, n + 1) if var[r, c, k] in true) for c in range(n)] for r in range(n)
    ]


def langford() -> Any:
    n, formula, pool = data.LANGFORD, CNF(), IDPool()
    first = {(k, i): pool.id((k, i)) for k in range(1, n + 1) for i in range(2 * n - k - 1)}
    groups = [[x for (j, _), x in first.items() if j == k] for k in range(1, n + 1)]
    groups += [[x for (k, i), x in first.items() if p in (i, i + k + 1)] for p in range(2 * n)]
    for group in groups:
        formula.append(group)
        formula.extend([-a, -b] for a, b in combinations(group, 2))
    return formula, lambda true: [
        sum(k for (k, i), x in first.items() if x in true and p in (i, i + k + 1)) for p in range(2 * n)
    ]


def golfers() -> Any:
    groups, players, formula, pool = range(data.GROUPS), range(data.PLAYERS), CNF(), IDPool()
    plays = {(w, p, g): pool.id((w, p, g)) for w in range(data.WEEKS) for p in players for g in groups}
    for w in range(data.WEEKS):
        for p in players:
            formula.extend(CardEnc.equals([plays[w, p, g] for g in groups], 1, vpool=pool).clauses)
        for g in groups:
            formula.extend(CardEnc.equals([plays[w, p, g] for p in players], data.SIZE, vpool=pool).clauses)
    for a, b in combinations(players, 2):
        met = [pool.id(("met", w, a, b)) for w in range(data.WEEKS)]
        formula.extend([-x, -y] for x, y in combinations(met, 2))
        for w, both in enumerate(met):
            formula.extend([-plays[w, a, g], -plays[w, b, g], both] for g in groups)
    return formula, lambda true: [
        [next(g for g in groups if plays[w, p, g] in true) for p in players] for w in range(data.WEEKS)
    ]


def pigeons() -> Any:
    n, formula = data.PIGEONS, CNF()
    sits = [[p * (n - 1) + h + 1 for h in range(n - 1)] for p in range(n)]
    formula.extend(sits)
    for hole in zip(*sits, strict=True):
        formula.extend([-a, -b] for a, b in combinations(hole, 2))
    return formula, lambda true: [[int(x in true) for x in pigeon] for pigeon in sits]


def domination() -> Any:
    formula = WCNF()
    for square, squares in enumerate(data.ATTACKED, 1):
        formula.append([b + 1 for b in squares])
        formula.append([-square], weight=1)
    return formula, lambda true: [int(square + 1 in true) for square in range(data.BOARD**2)]


def independent() -> Any:
    formula = WCNF()
    for a, b in data.QUARRELS:
        formula.append([-a - 1, -b - 1])
    for friend in range(1, data.FRIENDS + 1):
        formula.append([friend], weight=1)
    return formula, lambda true: [int(friend + 1 in true) for friend in range(data.FRIENDS)]
