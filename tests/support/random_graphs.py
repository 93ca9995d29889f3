"""Small random graphs and digraphs with conditions, and their tours by the definition."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise, permutations

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Settings
from ktsolve.engines.registry import engine_named, engines_for
from ktsolve.graphs.graph import Graph, Vertex
from ktsolve.graphs.tour import Tour
from ktsolve.problem.conditions import Condition, parse_condition
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.count import count
from ktsolve.tasks.find import find_all

NAMES = ("a", "b c", "c-d", '"', "1", "a->b", "x=3", "path", "rows", "é", "u,v", ";", "w<2")
"""Names that need quotes, or that look like something else."""


def random_graph(chance: random.Random, most: int = 6, *, weighted: bool = False) -> Graph:
    """A graph or digraph of up to so many vertices."""
    n, directed = chance.randint(1, most), chance.random() < 0.5
    share = chance.choice([0.3, 0.5, 0.8, 1.0]) if directed else chance.choice([0.5, 0.7, 0.9, 1.0])
    edges = [
        (a, b)
        for a in range(n)
        for b in range(n)
        if a != b and (directed or a < b) and chance.random() < share
    ]
    names = chance.sample(NAMES, n)
    weights = [chance.randint(-5, 20) for _ in edges] if weighted else None
    return Graph(names, edges, directed=directed, weights=weights)


def random_conditions(chance: random.Random, graph: Graph) -> dict[str, list[str]]:
    """Texts of up to three kinds of conditions by key."""
    n = len(graph)
    few = [" ".join(map(graph.name, chance.sample(graph.cells, min(n, size)))) for size in (1, 2, 3)]
    moves = list(graph.move_names)
    chance.shuffle(moves)
    texts = {
        "start": few[:1],
        "end": few[:1],
        "starts": few[1:2],
        "ends": few[1:2],
        "order": [few[2]] if n > 2 else [],
        "range": [f"{few[0]}=..{max(1, n - 1)}"],
        "sum": [f"{few[1]}={chance.randint(3, 2 * n + 1)}"],
        "figure": [chance.choice(["1+2=path", "1+2=circuit", f"1={few[1]}"])],
        "require": moves[:1],
        "forbid": moves[1:3],
        "least": [f"moves:{','.join(moves[:3])}=1"] if moves else [],
        "most": [f"moves:{','.join(moves[3:6])}=1"] if moves[3:] else [],
        "at": [f"{chance.randint(1, n)}={few[0]}"],
        "run": few[2:] if n > 2 else [],
    }
    chosen = chance.sample(sorted(texts), chance.choice([0, 1, 1, 2, 3]))
    return {key: texts[key] for key in chosen}


def random_question(chance: random.Random) -> TourProblem:
    """A problem on a random graph whose conditions do not contradict each other in their plain text."""
    while True:
        graph = random_graph(chance)
        conditions: list[Condition] = []
        try:
            for key, texts in random_conditions(chance, graph).items():
                for text in texts:
                    conditions += parse_condition(key, text, graph)
            return TourProblem(board=graph, closed=chance.random() < 0.5, conditions=conditions)
        except BadInput:
            continue


def orders(graph: Graph, closed: bool) -> Iterator[tuple[Vertex, ...]]:
    """The orders of all vertices along edges, by trying all."""
    pairs = set(graph.moves)
    if not graph.directed:
        pairs |= {(b, a) for a, b in pairs}
    if closed and len(graph) < 3:
        return
    for order in permutations(graph.cells):
        steps = [*pairwise(order), *([(order[-1], order[0])] if closed else [])]
        if pairs.issuperset(steps):
            yield order


def tours_by_definition(problem: TourProblem) -> set[tuple[Vertex, ...]]:
    """All tours that answer a problem, each in its normal numbering."""
    found = set()
    for order in orders(problem.ground, problem.closed):
        tour = Tour(problem.ground, order, problem.closed)
        assert tour.valid
        if problem.check(tour) is None:
            found.add(tour.normalised().squares)
    return found


def compare_engines(problem: TourProblem) -> int:
    """Hold every engine and arithmetic to the definition; the number of tours."""
    right = tours_by_definition(problem)
    if problem.obstruction() is not None:
        assert not right, (problem, problem.obstruction())
    for engine in engines_for("enumerate", problem):
        listed = [tour.normalised().squares for tour in find_all(problem, engine)]
        assert len(listed) == len(set(listed)), (engine, problem)
        assert set(listed) == right, (engine, problem)
    for engine in engines_for("construct", problem):
        # Without the arithmetic that the task applies first.
        try:
            tour = engine_named(engine).construct(problem, Settings())
        except LimitReached:
            assert engine == "walk", engine  # local search may fail, and proves little
            continue
        assert (tour is not None) == bool(right), (engine, problem)
        assert tour is None or problem.check(tour) is None, (engine, problem)
    for engine in engines_for("count", problem):
        if not problem.step_indexed or problem.ground.directed:
            answer = count(problem, engine)
            assert answer.count == len(right), (engine, problem)
            assert not problem.ground.directed or answer.directed == len(right), (engine, problem)
    return len(right)
