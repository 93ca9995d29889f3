"""Loops on random small graphs: SAT by cuts and eagerly, CP-SAT, and brute force by the definition."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from marks import full
from pysat.solvers import Solver

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.engines.registry import solver_named
from ktsolve.model.constraints import Literal
from ktsolve.model.encode import EAGER, encode
from ktsolve.model.model import Model


def some_arcs(chance: random.Random, nodes: int, most: int, directed: bool) -> list[tuple[int, int]]:
    """Return random arcs, in a random order."""
    pairs = [(u, v) for u, v in product(range(nodes), repeat=2) if u != v and (directed or u < v)]
    chosen = chance.sample(pairs, min(len(pairs), most))
    return [pair if directed or chance.random() < 0.5 else pair[::-1] for pair in chosen]


def marks(chance: random.Random, model: Model, nodes: int, name: str = "p") -> list[Literal | bool]:
    """Return literals of nodes, new ones and old ones, or truth values."""
    return [mark(chance, model, f"{name}{v}") for v in range(nodes)]


def mark(chance: random.Random, model: Model, name: str) -> Literal | bool:
    kind = chance.random()
    if kind < 0.15:
        return kind < 0.12
    if kind < 0.25:
        return Literal(chance.randrange(len(model)), chance.random() < 0.7)
    literal = model.boolean(name)
    return literal if kind < 0.9 else ~literal


def arcs_of(
    chance: random.Random, model: Model, nodes: int, directed: bool, most: int = 9
) -> list[tuple[int, int, Literal]]:
    """Return random arcs with literals, mostly of their own."""
    pairs = some_arcs(chance, nodes, most, directed)
    arcs = [(u, v, model.boolean(f"{u}-{v}")) for u, v in pairs]
    model.boolean("other")
    arcs = [(u, v, x if chance.random() < 0.9 else ~x) for u, v, x in arcs]
    if arcs and chance.random() < 0.2:
        arcs[-1] = (*arcs[-1][:2], arcs[0][2])
    return arcs


def more(chance: random.Random, model: Model) -> None:
    """Add other constraints."""
    for _ in range(chance.randrange(3)):
        some = [
            Literal(i, chance.random() < 0.6) for i in chance.sample(range(len(model)), min(3, len(model)))
        ]
        if chance.random() < 0.5:
            model.clause(*some[: chance.randrange(1, 4)])
        else:
            model.exactly(1, some)


def circuit(chance: random.Random, model: Model) -> None:
    directed, nodes = chance.random() < 0.5, chance.randrange(1, 6)
    model.circuit(nodes, arcs_of(chance, model, nodes, directed, 12), directed=directed)


def subcircuit(chance: random.Random, model: Model) -> None:
    directed, nodes, kind = chance.random() < 0.5, chance.randrange(1, 7), chance.random()
    arcs = arcs_of(chance, model, nodes, directed)
    present = marks(chance, model, nodes) if kind < 0.6 else None
    if kind > 0.9:
        arcs += [(v, v, model.boolean(f"without {v}")) for v in range(nodes) if chance.random() < 0.5]
    model.subcircuit(nodes, arcs, present, directed=directed, empty=chance.random() < 0.3)


def path(chance: random.Random, model: Model) -> None:
    directed, nodes = chance.random() < 0.5, chance.randrange(1, 6)
    model.path(nodes, arcs_of(chance, model, nodes, directed, 7), **ends_of(chance, model, nodes, directed))


def subpath(chance: random.Random, model: Model) -> None:
    directed, nodes = chance.random() < 0.5, chance.randrange(1, 6)
    arcs = arcs_of(chance, model, nodes, directed, 7)
    present = marks(chance, model, nodes) if chance.random() < 0.5 else None
    model.subpath(nodes, arcs, present=present, **ends_of(chance, model, nodes, directed))


def ends_of(chance: random.Random, model: Model, nodes: int, directed: bool) -> dict[str, Any]:
    """Return chosen ends in one of the ways of stating them."""
    kind = chance.random()
    if kind < 0.2:
        return {"directed": directed}
    if kind < 0.5 and nodes > 1:
        start, end = chance.sample(range(nodes), 2)
        return {"start": start, "directed": directed} | ({"end": end} if kind < 0.4 else {})
    if not directed:
        return {"ends": marks(chance, model, nodes, "e")}
    return {"start": chance.randrange(nodes), "end": marks(chance, model, nodes, "e"), "directed": True}


def connected(chance: random.Random, model: Model) -> None:
    nodes = chance.randrange(1, 7)
    edges: list[Any] = list(arcs_of(chance, model, nodes, False, 8))
    edges = [(u, v) if chance.random() < 0.4 else (u, v, x) for u, v, x in edges]
    model.connected(nodes, edges, marks(chance, model, nodes) if chance.random() < 0.8 else None)


def tree(chance: random.Random, model: Model) -> None:
    nodes = chance.randrange(1, 7)
    edges: list[Any] = list(arcs_of(chance, model, nodes, False, 8))
    edges = [(u, v) if chance.random() < 0.1 else (u, v, x) for u, v, x in edges]
    model.tree(nodes, edges, marks(chance, model, nodes) if chance.random() < 0.6 else None)


MAKERS = [circuit, subcircuit, path, subpath, connected, tree]


def by_definition(model: Model) -> set[tuple[bool, ...]]:
    return {values for values in product((False, True), repeat=len(model)) if model.holds(values)}


def listed(model: Model, engine: str, settings: Settings) -> Iterator[tuple[bool, ...]]:
    for assignment in solver_named(engine).solutions(model, settings):
        yield tuple(map(bool, assignment))


def of_clauses(model: Model, encoding: str) -> set[tuple[bool, ...]]:
    """Return the solutions of the complete clauses, cut down to the model's Booleans."""
    encoder = encode(model, circuits=encoding)
    found: set[tuple[bool, ...]] = set()
    if any(not clause for clause in encoder.clauses):
        return found
    with Solver(name="cadical195", bootstrap_with=encoder.clauses) as solver:
        while solver.solve():
            values = {abs(x): x > 0 for x in solver.get_model()}
            solution = tuple(values.get(i, False) for i in range(1, len(model) + 1))
            assert solution not in found
            found.add(solution)
            if not solution:
                break
            solver.add_clause([-i if value else i for i, value in enumerate(solution, 1)])
    return found


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("number", [5, full(60)])
def test_all_engines_agree_with_the_definition(
    make: Callable[[random.Random, Model], None], number: int
) -> None:
    satisfiable = 0
    for seed in range(number):
        chance = random.Random(seed)
        model = Model(make.__name__)
        if seed % 3:
            make(chance, model)
        else:
            first, second = model.boolean("if"), model.boolean("and if")
            with model.when(first & ~second if chance.random() < 0.3 else first):
                make(chance, model)
        if len(model) > 13:
            continue
        more(chance, model)
        expected = by_definition(model)
        satisfiable += bool(expected)
        lazy = list(listed(model, "sat", Settings()))
        assert len(lazy) == len(set(lazy)), seed
        assert set(lazy) == expected, seed
        solved = solver_named("sat").solve(model, Settings()).assignment
        assert (solved is not None) == bool(expected)
        assert solved is None or tuple(solved) in expected
        assert of_clauses(model, EAGER[seed % len(EAGER)]) == expected, seed
        if seed % 4 == 0:
            found = solver_named("cpsat").solve(model, Settings(threads=1)).assignment
            assert found is None if not expected else tuple(map(bool, found or ())) in expected, seed
            assert set(listed(model, "cpsat", Settings())) == expected, seed
    assert satisfiable > number // 4


def grid(n: int) -> list[tuple[int, int]]:
    """Return the edges of an n x n grid of nodes."""
    across = [(v, v + 1) for v in range(n * n) if (v + 1) % n]
    return across + [(v, v + n) for v in range(n * n - n)]


# OEIS A140517 (cycles), A007764 (paths between opposite corners), A007341 (spanning trees), A059525
# (connected sets of nodes, here with the empty one).
KNOWN = {"subcircuit": {3: 13, 4: 213}, "subpath": {3: 12, 4: 184}, "tree": {3: 192}, "connected": {3: 219}}


@pytest.mark.parametrize(
    ("kind", "n", "engine"),
    [(kind, n, "sat") for kind, numbers in KNOWN.items() for n in numbers]
    + [(kind, 3, "cpsat") for kind in KNOWN],
)
def test_known_numbers_on_grids(kind: str, n: int, engine: str) -> None:
    model, edges = Model(kind), grid(n)
    if kind == "connected":
        model.connected(n * n, edges, model.booleans([str(v) for v in range(n * n)]))
    else:
        arcs = [(u, v, model.boolean(f"{u}-{v}")) for u, v in edges]
        ends = {"start": 0, "end": n * n - 1} if kind == "subpath" else {}
        getattr(model, kind)(n * n, arcs, **ends)
    assert len(list(listed(model, engine, Settings()))) == KNOWN[kind][n]


def test_bad_loops() -> None:
    model = Model()
    x, y = model.booleans(["x", "y"])
    arcs = [(0, 1, x), (1, 2, y)]
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: model.subcircuit(3, [*arcs, (1, 1, x)], [True] * 3), "loop 1-1 and present= are two ways"),
        (lambda: model.subcircuit(3, arcs, [x, y]), "needs one literal for each node, not 2"),
        (lambda: model.path(3, arcs, start=3), "3 is not a node of the path: give a node from 0 to 2"),
        (lambda: model.path(3, arcs, start=1, end=1), "starts and ends at node 1"),
        (lambda: model.path(3, arcs, [x, y, x], start=0), "ends= marks both ends of an undirected path"),
        (lambda: model.subpath(3, arcs, start=[x, y, x]), "marked together: use ends="),
        (lambda: model.connected(3, [(0, 3)]), "edge 0-3 is invalid: it must join two different nodes"),
        (lambda: model.tree(3, [(0, 1), (1, 0, x)]), "edge 1-0 is given twice"),
        (lambda: model.tree(0, []), "the number of nodes must be a whole number from 1, not 0"),
    ]
    for state, message in cases:
        with pytest.raises(BadInput, match=re.escape(message)):
            state()
    assert not model.constraints


def test_text_of_loops() -> None:
    model = Model()
    x, y, p = model.booleans(["x", "y", "p"])
    arcs = [(0, 1, x), (1, 2, y)]
    model.subcircuit(3, arcs, [True, p, False], directed=True, empty=True, labels="abc")
    model.subpath(3, arcs, start=0, end=2, present=[True, ~p, True])
    model.connected(3, [(0, 1), (1, 2, y)], [p, True, True])
    model.tree(3, arcs)
    assert [constraint.text(model.name_of) for constraint in model.constraints] == [
        "subcircuit through some of 3 nodes: a>b if x, b>c if y; visits a, b if p; or empty",
        "subpath through some of 3 nodes: 0-1 if x, 1-2 if y; ends at 0, 2; visits 0, 1 if not p, 2",
        "connected: nodes 0 if p, 1, 2; edges 0-1, 1-2 if y",
        "tree: nodes 0, 1, 2; edges 0-1 if x, 1-2 if y",
    ]
