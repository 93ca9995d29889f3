"""Stating and reading in bulk: millions of clauses, rows and literals per second of CPU time.

    python benchmarks/bulk.py [MILLIONS]

Each line says how many clauses (or rows) of three literals there were, and how many of them a second.
The last lines give the same clauses one by one to plain python-sat, and one by one to a model.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import process_time

import numpy as np

from ktsolve.engines.cpsat.translate import Compiled
from ktsolve.formats.models import read_model
from ktsolve.model.constraints import Literal
from ktsolve.model.encode import encode
from ktsolve.model.io import to_dimacs
from ktsolve.model.model import Model


def timed(name: str, number: int, work: Callable[[], object]) -> None:
    """Measure a piece of work and print its speed."""
    start = process_time()
    work()
    seconds = max(process_time() - start, 1e-9)
    print(f"{name:40} {number:>10,} in {seconds:6.2f} s: {number / seconds / 1e6:6.2f} million a second")


def one_by_one(model: Model, clauses: list[list[Literal]]) -> None:
    """State clauses as constraints of their own."""
    for clause in clauses:
        model.clause(*clause)


def main(clauses: int) -> None:
    """Measure everything once."""
    import ortools.sat.python.cp_model  # noqa: F401  # its import is not measured
    from pysat.solvers import Solver

    variables = clauses // 4
    chance = np.random.default_rng(1)
    rows = chance.integers(1, variables + 1, (clauses, 3)) * chance.choice([-1, 1], (clauses, 3))
    model = Model("bulk")
    timed("Model.add_booleans", variables, lambda: model.add_booleans(variables))
    timed("Model.add_clauses, matrix", clauses, lambda: model.add_clauses(rows))
    timed("Model.holds", clauses, lambda: model.holds([True] * variables))
    both: list[list[list[int]]] = []
    timed("clauses as python-sat takes them", clauses, lambda: both.append(encode(model).clauses))
    with Solver("cadical153") as solver:
        timed("python-sat append_formula", clauses, lambda: solver.append_formula(both[0], no_return=True))
    exact = Model("rows")
    exact.add_booleans(variables)
    groups = np.abs(rows[: clauses // 10])
    timed("Model.add_cardinalities", len(groups), lambda: exact.add_cardinalities(groups, least=1, most=1))
    timed("rows for CP-SAT", len(groups), lambda: Compiled(exact))
    texts: list[str] = []
    timed("write CNF", clauses, lambda: texts.append(to_dimacs(model)))
    timed("read CNF", clauses, lambda: read_model(texts[0]))
    few = rows[: clauses // 10].tolist()
    opb = "".join(f"{2:+d} x{abs(a)} {1:+d} x{abs(b)} {-3:+d} x{abs(c)} >= 0 ;\n" for a, b, c in few)
    timed("read OPB", len(few), lambda: read_model(opb, "opb"))
    with Solver("cadical153") as solver:
        timed("plain python-sat, clause by clause", len(few), lambda: [solver.add_clause(row) for row in few])
    single = Model("single")
    single.add_booleans(variables)
    literals = [[Literal(abs(x) - 1, x > 0) for x in row] for row in few]
    timed("Model.clause, one by one", len(few), lambda: one_by_one(single, literals))


if __name__ == "__main__":
    main(int(float(sys.argv[1] if len(sys.argv) > 1 else 1) * 1_000_000))
