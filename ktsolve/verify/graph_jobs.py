"""Jobs of the cross-check about bare graphs: known numbers, all small graphs, random ones, refutations."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations

from ktsolve.engines.registry import engines_for
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.count import count
from ktsolve.verify.directed_tori import cycles_of_torus
from ktsolve.verify.engine_jobs import answer, engine_for
from ktsolve.verify.existence_jobs import settled
from ktsolve.verify.jobs import Context, Job, Sides
from ktsolve.verify.published import graph_values

_LISTED = ("search", "sat")  # the engines whose lists of tours of all small graphs are compared as sets


def _known(context: Context, name: str, count: int, engines: Sequence[str]) -> Sides:
    """The Hamiltonian cycles of a graph by engines, and the known number."""
    problem = TourProblem(board=named_graph(name), closed=True)
    found = {}
    for engine in engines or engines_for("count", problem):
        counting = engine_for(context, engine, "count", problem)
        found[engine] = counting.count(problem, context.settings).count
    wrong = [f"{engine} counts {number}" for engine, number in found.items() if number != count]
    return Sides.unless(wrong, f"{count} cycles by {', '.join(found)}")


def _compared(context: Context, problems: Iterable[TourProblem], engines: Sequence[str]) -> Sides:
    """The tours of many problems by engines, or by each one that takes them if none is named."""
    wrong: list[str] = []
    number = total = some = 0
    for problem in problems:
        number += 1
        answers = {
            engine: answer(context, problem, engine) for engine in engines or engines_for("count", problem)
        }
        counts = {engine: each.count for engine, each in answers.items()}
        lists = {each.tours for each in answers.values() if each.tours is not None}
        mistakes = [f"{engine} has {each.mistake}" for engine, each in answers.items() if each.mistake]
        total += max(counts.values())
        some += any(counts.values())
        if len(set(counts.values())) > 1 or len(lists) > 1 or mistakes:
            said = ", ".join([f"{engine} {count}" for engine, count in counts.items()] + mistakes)
            wrong.append(f"{problem.ground!r}: {said}")
    return Sides.unless(wrong, f"{total} tours of {some} of {number} graphs")


def atlas(context: Context, closed: bool, step: int) -> Sides:
    """Every graph of up to seven vertices (the atlas of Read and Wilson), or every few of them.

    1 + 3 + 8 + 48 + 383 of them have a Hamiltonian cycle (OEIS A003216), 1 + 1 + 2 + 5 + 18 + 91 + 734 a path
    (A057864).
    """
    from networkx.generators.atlas import graph_atlas_g

    graphs = (Graph.from_networkx(each) for each in graph_atlas_g()[1::step])
    sides = _compared(context, (TourProblem(board=each, closed=closed) for each in graphs), _LISTED)
    expected = f"of {443 if closed else 852} of 1252 graphs"
    if step == 1 and not sides.disagreement and not sides.left.endswith(expected):
        return Sides(sides.left, expected)
    return sides


def _random(context: Context, number: int, vertices: int, directed: bool) -> Sides:
    """Random graphs, some moves of which are required or forbidden, by every engine."""
    return _compared(context, _random_problems(number, vertices, directed), ())


def _random_problems(number: int, vertices: int, directed: bool) -> Iterator[TourProblem]:
    chance = random.Random(f"{number} {vertices} {directed}")
    pairs = list(combinations(range(vertices), 2))
    for _ in range(number):
        if directed:
            arcs = [*pairs, *(pair[::-1] for pair in pairs)]
            edges = chance.sample(arcs, chance.randrange(2 * vertices, 4 * vertices))
        else:
            edges = chance.sample(pairs, chance.randrange(vertices, len(pairs) * 2 // 3))
        graph = Graph.from_arrays(vertices, edges, directed=directed)
        given = chance.sample(graph.moves, 2)
        closed = chance.random() < 0.5
        yield TourProblem(
            board=graph,
            closed=closed,
            require=given[:1] if chance.random() < 0.4 else [],
            forbid=given[1:] if chance.random() < 0.4 else [],
            start=None if closed or chance.random() < 0.5 else chance.choice(graph.names),
        )


_WITHOUT = (
    ("generalized-petersen:5,2", "order"),
    ("generalized-petersen:17,2", "order"),
    ("tutte", "order"),
    ("complete:1,2,5", "parts"),
    ("complete:10,12", "parts"),
    ("grid:5x7", "parts"),
    ("generalized-petersen:11,2", "clauses"),
)


def _refuted(context: Context, names: tuple[tuple[str, str], ...]) -> Sides:
    """Graphs without a Hamiltonian cycle: certificates of several kinds, made and checked."""
    wrong = [
        name
        for name, argument in names
        if settled(TourProblem(board=named_graph(name), closed=True), argument, context.settings) is not False
    ]
    return Sides.unless(wrong, f"{len(names)} graphs without a cycle certified")


def _classes(context: Context, name: str, classes: int) -> Sides:
    """The Hamiltonian cycles of a graph up to automorphism, and the published number."""
    found = count(named_graph(name), settings=context.settings, by="symmetry", closed=True).classes
    return Sides(f"{found} classes", f"{classes} classes")


# Rows, columns, the engines that are fast enough, level.
_DIRECTED_TORI: tuple[tuple[int, int, tuple[str, ...], str], ...] = (
    (5, 4, (), "quick"),
    (8, 9, ("frontier",), "quick"),
    (12, 9, ("frontier",), "standard"),
)

_job = partial(Job, section="graphs")


def graph_jobs(level: str) -> Iterator[Job]:
    """Jobs of bare graphs."""
    for value in graph_values():
        yield _job(f"cycles of {value.name}", _known, (value.name, value.cycles, value.engines), value.level)
        if value.classes is not None:
            name = f"cycles of {value.name} up to automorphism"
            yield _job(name, _classes, (value.name, value.classes), value.level)
    for rows, columns, engines, first in _DIRECTED_TORI:
        name = f"directed-torus:{rows}x{columns}"
        yield _job(f"cycles of {name}", _known, (name, cycles_of_torus(rows, columns), engines), first)
    step = 10 if level == "quick" else 1
    for closed in (True, False):
        kind = "cycles" if closed else "paths"
        which = "every tenth graph" if step > 1 else "all graphs"
        yield _job(f"{kind} of {which} of up to 7 vertices", atlas, (closed, step), seconds=5.0)
    for directed in (False, True):
        kind = "directed graphs" if directed else "graphs"
        yield _job(f"random {kind} of 7 vertices", _random, (25, 7, directed), seconds=5.0)
        yield _job(f"random {kind} of 9 vertices", _random, (60, 9, directed), "standard", seconds=20.0)
    yield _job("graphs without cycles, certified", _refuted, (_WITHOUT,))
