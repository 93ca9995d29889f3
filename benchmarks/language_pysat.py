"""The problems of ``language.py`` in plain python-sat, where a person would reasonably use it.

Each function returns a formula, and a function from the set of true variables to the numbers of the answer.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

from pysat.card import CardEnc
from pysat.examples.rc2 import RC2
from pysat.formula import CNF, WCNF, IDPool
from pysat.solvers import Solver

__all__ = ["answer", "every"]


def answer(formula: Any, wanted: Any) -> Any:
    """Solve a formula by CaDiCaL, or RC2 if it has soft clauses."""
    if isinstance(formula, WCNF):
        with RC2(formula) as optimiser:
            values = optimiser.compute()
    else:
        with Solver(name="cadical153", bootstrap_with=formula) as solver:
            values = solver.get_model() if solver.solve() else None
    return None if values is None else wanted({x for x in values if x > 0})


def every(formula: Any, wanted: Any) -> list[Any]:
    """Return the numbers of the answer for each solution."""
    with Solver(name="cadical153", bootstrap_with=formula) as solver:
        return [wanted({x for x in values if x > 0}) for values in solver.enum_models()]


def queens(n: int) -> Any:
    formula = CNF()
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


def colouring(nodes: int, borders: Any) -> Any:
    colours, formula = range(1, 9), WCNF()
    var = {(v, c): v * 8 + c for v in range(nodes) for c in colours}
    for v in range(nodes):
        formula.append([var[v, c] for c in colours])
    for a, b in borders:
        formula.extend([-var[a, c], -var[b, c]] for c in colours)
    for c in colours:
        formula.append([-(8 * nodes + c)], weight=1)
        formula.extend([-var[v, c], 8 * nodes + c] for v in range(nodes))
    return formula, lambda true: [next(c for c in colours if var[v, c] in true) for v in range(nodes)]


def latin(rows: Any) -> Any:
    n, formula = len(rows), CNF()
    var = {(r, c, k): (r * n + c) * n + k for r in range(n) for c in range(n) for k in range(1, n + 1)}
    lines = [[(i, c) for c in range(n)] for i in range(n)] + [[(r, i) for r in range(n)] for i in range(n)]
    for (r, c), k in ((cell, rows[cell[0]][cell[1]]) for line in lines[:n] for cell in line):
        formula.append([var[r, c, k]] if k else [var[r, c, j] for j in range(1, n + 1)])
    _each_once(formula, var, lines, n)
    return formula, lambda true: [
        [next(k for k in range(1, n + 1) if var[r, c, k] in true) for c in range(n)] for r in range(n)
    ]


def _each_once(formula: Any, var: Any, lines: Any, n: int) -> None:
    for line in lines:
        for k in range(1, n + 1):
            formula.append([var[r, c, k] for r, c in line])
            formula.extend([-var[*a, k], -var[*b, k]] for a, b in combinations(line, 2))


def sudoku(box: int, rows: Any) -> Any:
    n, (formula, wanted) = len(rows), latin(rows)
    var = {(r, c, k): (r * n + c) * n + k for r in range(n) for c in range(n) for k in range(1, n + 1)}
    corners = [(r, c) for r in range(0, n, box) for c in range(0, n, box)]
    boxes = [[(r + i, c + j) for i in range(box) for j in range(box)] for r, c in corners]
    _each_once(formula, var, boxes, n)
    return formula, wanted


def langford(n: int) -> Any:
    formula, pool = CNF(), IDPool()
    first = {(k, i): pool.id((k, i)) for k in range(1, n + 1) for i in range(2 * n - k - 1)}
    groups = [[x for (j, _), x in first.items() if j == k] for k in range(1, n + 1)]
    groups += [[x for (k, i), x in first.items() if p in (i, i + k + 1)] for p in range(2 * n)]
    for group in groups:
        formula.append(group)
        formula.extend([-a, -b] for a, b in combinations(group, 2))
    return formula, lambda true: [
        sum(k for (k, i), x in first.items() if x in true and p in (i, i + k + 1)) for p in range(2 * n)
    ]


def golfers(weeks: int, number: int, size: int) -> Any:
    groups, players, formula, pool = range(number), range(number * size), CNF(), IDPool()
    plays = {(w, p, g): pool.id((w, p, g)) for w in range(weeks) for p in players for g in groups}
    for w in range(weeks):
        for p in players:
            formula.extend(CardEnc.equals([plays[w, p, g] for g in groups], 1, vpool=pool).clauses)
        for g in groups:
            formula.extend(CardEnc.equals([plays[w, p, g] for p in players], size, vpool=pool).clauses)
    for a, b in combinations(players, 2):
        met = [pool.id(("met", w, a, b)) for w in range(weeks)]
        formula.extend([-x, -y] for x, y in combinations(met, 2))
        for w, both in enumerate(met):
            formula.extend([-plays[w, a, g], -plays[w, b, g], both] for g in groups)
    return formula, lambda true: [
        [next(g for g in groups if plays[w, p, g] in true) for p in players] for w in range(weeks)
    ]


def pigeons(n: int) -> Any:
    formula = CNF()
    sits = [[p * (n - 1) + h + 1 for h in range(n - 1)] for p in range(n)]
    formula.extend(sits)
    for hole in zip(*sits, strict=True):
        formula.extend([-a, -b] for a, b in combinations(hole, 2))
    return formula, lambda true: [[int(x in true) for x in pigeon] for pigeon in sits]


def domination(attacked: Any) -> Any:
    formula = WCNF()
    for square, squares in enumerate(attacked, 1):
        formula.append([b + 1 for b in squares])
        formula.append([-square], weight=1)
    return formula, lambda true: [int(square + 1 in true) for square in range(len(attacked))]


def independent(nodes: int, quarrels: Any) -> Any:
    formula = WCNF()
    for a, b in quarrels:
        formula.append([-a - 1, -b - 1])
    for friend in range(1, nodes + 1):
        formula.append([friend], weight=1)
    return formula, lambda true: [int(friend + 1 in true) for friend in range(nodes)]


def _matrix(rows: int, columns: int, pool: Any) -> list[list[int]]:
    return [[pool.id((r, c)) for c in range(columns)] for r in range(rows)]


def _shared(formula: Any, pool: Any, one: list[int], other: list[int]) -> list[int]:
    """Return a variable for each pair that is true exactly if both are."""
    made = [pool.id(("both", a, b)) for a, b in zip(one, other, strict=True)]
    for a, b, both in zip(one, other, made, strict=True):
        formula.extend([[-a, -b, both], [-both, a], [-both, b]])
    return made


def steiner(n: int) -> Any:
    formula, pool = CNF(), IDPool()
    inside = _matrix(n * (n - 1) // 6, n, pool)
    for row in inside:
        formula.extend(CardEnc.equals(row, 3, vpool=pool).clauses)
    for one, other in combinations(inside, 2):
        formula.extend(CardEnc.atmost(_shared(formula, pool, one, other), 1, vpool=pool).clauses)
    return formula, lambda true: [[int(x in true) for x in row] for row in inside]


def bibd(v: int, b: int, r: int, k: int, shared: int) -> Any:
    formula, pool = CNF(), IDPool()
    block = _matrix(v, b, pool)
    for line, total in [(row, r) for row in block] + [(list(each), k) for each in zip(*block, strict=True)]:
        formula.extend(CardEnc.equals(line, total, vpool=pool).clauses)
    for one, other in combinations(block, 2):
        formula.extend(CardEnc.equals(_shared(formula, pool, one, other), shared, vpool=pool).clauses)
    return formula, lambda true: [[int(x in true) for x in row] for row in block]


def schur(n: int, number: int) -> Any:
    formula, pool = CNF(), IDPool()
    box = _matrix(n + 1, number, pool)
    for row in box[1:]:
        formula.extend(CardEnc.equals(row, 1, vpool=pool).clauses)
    for a in range(1, n):
        for b in range(a, n - a + 1):
            formula.extend([-x, -y, -z] for x, y, z in zip(box[a], box[b], box[a + b], strict=True))
    return formula, lambda true: [next(i for i, x in enumerate(row) if x in true) for row in box[1:]]


def maxsat(text: str) -> Any:
    formula = WCNF(from_string=text)
    return formula, lambda true: [int(x in true) for x in range(1, formula.nv + 1)]


def cover(items: int, costs: Any, members: Any) -> Any:
    formula = WCNF()
    for item in range(items):
        formula.append([x for x, row in enumerate(members, 1) if item in row])
    for x, cost in enumerate(costs, 1):
        formula.append([-x], weight=cost)
    return formula, lambda true: [int(x in true) for x in range(1, len(costs) + 1)]
