"""Programs that find, count or refute Hamiltonian cycles of graphs, as contenders (see ``contract.py``)."""

from __future__ import annotations

import importlib
import subprocess
from collections.abc import Mapping
from typing import Any, ClassVar

from contract import Contender, Walk, unavailable
from graph_families import EdgeList, GraphQuestion, ListQuestion, nauty

__all__ = ["GRAPH_CONTENDERS", "OURS", "RIVALS", "TASKS", "GraphContender"]


class GraphContender(Contender):
    """A contender whose questions are graphs.

    Attributes
    ----------
    tasks:
        What it answers: ``find`` a cycle, ``count`` all, ``refute``; for lists ``decide``, ``count-each``.
    reads_lists:
        Whether it takes the file of a list, not graph by graph.
    """

    tasks: ClassVar[frozenset[str]]
    reads_lists: ClassVar[bool] = False

    def construct(self, question: Any) -> Walk | None:
        """Return a Hamiltonian cycle."""
        raise NotImplementedError(f"{self.name} does not construct")

    def count(self, question: Any) -> tuple[int, dict[str, int]]:
        """Return the number of Hamiltonian cycles, and the contender's statistics."""
        raise NotImplementedError(f"{self.name} does not count")

    def decide(self, question: ListQuestion) -> int:
        """Return how many graphs of a list have a cycle."""
        return len([graph for graph in question.graphs if self.construct(graph) is not None])

    def count_each(self, question: ListQuestion) -> int:
        """Return the sum of the numbers of cycles of the graphs of a list."""
        return sum(self.count(graph)[0] for graph in question.graphs)


class OursOnGraphs(GraphContender):
    """ktsolve with one engine, or with ``auto``, called as a user calls it: reduced before, checked after."""

    package = "ktsolve"

    def load(self, action: str) -> None:
        """Import what the tasks import."""
        for module in ("numpy", "networkx", "ktsolve._native", "ktsolve.tasks.find", "ktsolve.tasks.count"):
            importlib.import_module(module)
        if self.name in ("sat", "auto"):
            importlib.import_module("pysat.solvers")
        if self.name == "cpsat":
            importlib.import_module("ortools.sat.python.cp_model")

    def _problem(self, question: GraphQuestion) -> Any:
        from ktsolve.graphs.graph import Graph
        from ktsolve.problem.problem import TourProblem

        return TourProblem(board=Graph.from_arrays(question.vertices, question.edges), closed=True)

    def _settings(self) -> Any:
        from ktsolve.base.limits import Settings

        return Settings(memory=self.memory)

    def construct(self, question: Any) -> Walk | None:
        """Call ``ktsolve.find``."""
        from ktsolve.tasks.find import find

        tour = find(self._problem(question), self.name, self._settings()).tour
        return None if tour is None else list(tour.indices)

    def count(self, question: Any) -> tuple[int, dict[str, int]]:
        """Call ``ktsolve.count``."""
        from ktsolve.tasks.count import count

        return count(self._problem(question), self.name, self._settings()).count, {}


class OursOnLists(OursOnGraphs):
    """ktsolve with ``auto``, which answers lists in one native call for many graphs."""

    reads_lists = True

    def load(self, action: str) -> None:
        """Import what the tasks import."""
        super().load(action)
        for module in ("ktsolve.tasks.graph_list", "ktsolve.formats.sources"):
            importlib.import_module(module)

    def decide(self, question: ListQuestion) -> int:
        """Call ``ktsolve.graph_table``."""
        from ktsolve.tasks.graph_list import graph_table

        return int(graph_table(question.file, "hamiltonian")["hamiltonian"].sum())

    def count_each(self, question: ListQuestion) -> int:
        """Call ``ktsolve.graph_table``."""
        from ktsolve.tasks.graph_list import graph_table

        return int(graph_table(question.file, "cycles")["cycles"].sum())


TASKS: dict[str, frozenset[str]] = {
    "auto": frozenset({"find", "count", "refute", "decide", "count-each"}),
    "frontier": frozenset({"find", "count", "refute"}),
    "search": frozenset({"find", "count", "refute"}),
    "join": frozenset({"count"}),
    "sat": frozenset({"find", "refute"}),
    "cpsat": frozenset({"find", "refute"}),
    "walk": frozenset({"find"}),
}
"""The engines of ktsolve that are measured, and for what."""


class CountingDiagrams(GraphContender):
    """Graphillion as in its documentation: a decision diagram of all Hamiltonian cycles, and its count."""

    name = "graphillion"
    package = "graphillion"
    tasks = frozenset({"count", "count-each"})

    def available(self) -> str:
        """Return why it cannot be used: it belongs to the extra ``bench``."""
        return unavailable("graphillion", "'ktsolve[bench]'")

    def count(self, question: Any) -> tuple[int, dict[str, int]]:
        """Return the number of Hamiltonian cycles."""
        from graphillion import GraphSet

        # Graphillion numbers vertices from 1.
        GraphSet.set_universe([(u + 1, v + 1) for u, v in question.edges])
        return int(GraphSet.cycles(is_hamilton=True).len()), {}


class Circuit(GraphContender):
    """OR-Tools as in a textbook: one Boolean per arc, ``AddCircuit``, default parameters."""

    name = "ortools"
    package = "ortools"
    tasks = frozenset({"find", "refute", "decide"})

    def available(self) -> str:
        """Return why it cannot be used; ktsolve itself depends on ortools."""
        return unavailable("ortools", "ortools")

    def load(self, action: str) -> None:
        """Import the Python interface of CP-SAT."""
        importlib.import_module("ortools.sat.python.cp_model")

    def construct(self, question: Any) -> Walk | None:
        """Return the circuit of a solution."""
        from ortools.sat.python import cp_model

        model = cp_model.CpModel()
        arcs = [(a, b, model.new_bool_var("")) for u, v in question.edges for a, b in ((u, v), (v, u))]
        model.add_circuit(arcs)
        solver = cp_model.CpSolver()
        status = solver.solve(model)
        if status == cp_model.INFEASIBLE:
            return None
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            raise RuntimeError(f"CP-SAT answers {solver.status_name(status)}")
        return _followed({u: v for u, v, arc in arcs if solver.boolean_value(arc)})


class LinKernighan(GraphContender):
    """LKH by ``elkai``: a travelling salesman with distance 1 along edges and 2 elsewhere.

    It takes a full matrix, and proves nothing: a tour longer than the number of vertices is no answer.
    """

    name = "elkai"
    package = "elkai"
    tasks = frozenset({"find"})

    def available(self) -> str:
        """Return why it cannot be used: it belongs to the extra ``bench``."""
        return unavailable("elkai", "'ktsolve[bench]'")

    def load(self, action: str) -> None:
        """Import elkai."""
        importlib.import_module("elkai")

    def construct(self, question: Any) -> Walk | None:
        """Return the best tour if it uses edges only."""
        import elkai

        n = question.vertices
        row = [2] * n
        matrix = [row.copy() for _ in range(n)]
        for u, v in question.edges:
            matrix[u][v] = matrix[v][u] = 1
        walk: Walk = elkai.DistanceMatrix(matrix).solve_tsp()[:n]
        if missing := sum(matrix[a][b] == 2 for a, b in zip(walk, [*walk[1:], walk[0]], strict=True)):
            raise RuntimeError(f"the best tour lacks {missing} edges")
        return walk


_PROGRAM = """
{ go(X,Y) : edge(X,Y) } = 1 :- node(X).
:- node(Y), not 1 { go(X,Y) : edge(X,Y) } 1.
seen(Y) :- go(0,Y).
seen(Y) :- seen(X), go(X,Y).
:- node(X), not seen(X).
#show go/2.
"""


class AnswerSets(GraphContender):
    """``clingo`` with the program of its guide: one arc out of and into each vertex, all reached from one."""

    name = "clingo"
    package = "clingo"
    tasks = frozenset({"find", "refute", "decide"})

    def available(self) -> str:
        """Return why it cannot be used: it belongs to the extra ``bench``."""
        return unavailable("clingo", "'ktsolve[bench]'")

    def load(self, action: str) -> None:
        """Import clingo."""
        importlib.import_module("clingo")

    def construct(self, question: Any) -> Walk | None:
        """Return the cycle of the first answer set."""
        import clingo

        control = clingo.Control(["--warn=none"])
        facts = [f"node(0..{question.vertices - 1})."]
        facts += [f"edge({u},{v}). edge({v},{u})." for u, v in question.edges]
        control.add("base", [], _PROGRAM + "\n".join(facts))
        control.ground([("base", [])])
        following: dict[int, int] = {}

        def collect(model: Any) -> None:
            following.update(
                (s.arguments[0].number, s.arguments[1].number) for s in model.symbols(shown=True)
            )

        found = control.solve(on_model=collect)
        return _followed(following) if found.satisfiable else None


class Backtracker(GraphContender):
    """What a user of networkx would write: a depth-first search for a path, fewest free neighbours first.

    It goes back where two vertices have no way on but one, or the start has no free neighbour.
    """

    name = "networkx"
    package = "networkx"
    tasks = frozenset({"find", "count", "refute", "decide", "count-each"})

    def load(self, action: str) -> None:
        """Import networkx."""
        importlib.import_module("networkx")

    def construct(self, question: Any) -> Walk | None:
        """Return the first cycle of the search."""
        found: list[Walk] = []
        self._search(question, found, first=True)
        return found[0] if found else None

    def count(self, question: Any) -> tuple[int, dict[str, int]]:
        """Return half the number of directed cycles from one vertex."""
        return self._search(question, [], first=False) // 2, {}

    def _search(self, question: GraphQuestion | EdgeList, found: list[Walk], *, first: bool) -> int:
        import networkx

        graph: networkx.Graph[int] = networkx.Graph(question.edges)
        start = min(graph, key=graph.degree)
        path, free, number = [start], set(graph) - {start}, 0

        def onward(vertex: int) -> list[int]:
            ways = [other for other in graph[vertex] if other in free]
            left = {other: sum(far in free for far in graph[other]) for other in ways}
            # The last one is taken first.
            return sorted(ways, key=left.__getitem__, reverse=True)

        choices = [onward(start)]
        while choices:
            if not free and start in graph[path[-1]] and len(path) > 2:
                number += 1
                found.append(path.copy()) if first else None
                if first:
                    return number
            if choices[-1] and any(other in free for other in graph[start]):
                step = choices[-1].pop()
                path.append(step)
                free.discard(step)
                choices.append(onward(step))
                continue
            choices.pop()
            free.add(path.pop())
        return number


class SimpleCycles(GraphContender):
    """``networkx.simple_cycles``: all cycles, of which those through all vertices count."""

    name = "simple_cycles"
    package = "networkx"
    tasks = frozenset({"count", "count-each"})

    def load(self, action: str) -> None:
        """Import networkx."""
        importlib.import_module("networkx")

    def count(self, question: Any) -> tuple[int, dict[str, int]]:
        """Return the number of cycles through all vertices."""
        import networkx

        cycles = networkx.simple_cycles(networkx.Graph(question.edges))
        return sum(len(cycle) == question.vertices for cycle in cycles), {}


class Sage(GraphContender):
    """``Graph.hamiltonian_cycle`` of SageMath, with its default algorithm: integer programming."""

    name = "sage"
    package = "passagemath-graphs"
    tasks = frozenset({"find", "refute", "decide"})

    def available(self) -> str:
        """Return why it cannot be used."""
        return unavailable("sage", "passagemath-graphs passagemath-polyhedra passagemath-glpk")

    def load(self, action: str) -> None:
        """Import the graphs of SageMath."""
        for module in ("sage.graphs.graph", "sage.numerical.mip"):
            importlib.import_module(module)

    def construct(self, question: Any) -> Walk | None:
        """Return the cycle."""
        no_cycle = importlib.import_module("sage.categories.sets_cat").EmptySetError
        graph = importlib.import_module("sage.graphs.graph").Graph
        try:
            cycle = graph(question.edges, format="list_of_edges").hamiltonian_cycle()
        except no_cycle:
            return None
        successors = {u: list(cycle.neighbor_iterator(u)) for u in cycle.vertex_iterator()}
        walk = [0, successors[0][0]]
        while (after := next(v for v in successors[walk[-1]] if v != walk[-2])) != 0:
            walk.append(int(after))
        return [int(v) for v in walk]


class CubHamg(GraphContender):
    """``cubhamg`` of nauty, for lists of graphs of degree three: it reads the file, in one thread."""

    name = "cubhamg"
    package = "nauty"
    tasks = frozenset({"decide", "count-each"})
    reads_lists = True

    def available(self) -> str:
        """Return why it cannot be used."""
        return "" if nauty("cubhamg") else "not installed (apt install nauty)"

    def version(self) -> str:
        """Return the version that the program states."""
        said = self._said("--version").stdout
        return said.partition("version ")[2].partition(" ")[0]

    def decide(self, question: ListQuestion) -> int:
        """Return the number of graphs less those that it prints, which have no cycle."""
        listed = len(question.file.read_bytes().split())
        return listed - len(self._said(str(question.file)).stdout.split())

    def count_each(self, question: ListQuestion) -> int:
        """Return the total that it reports."""
        said = self._said("-c", str(question.file)).stderr
        return int(said.partition("total cycles=")[2].partition(";")[0])

    def _said(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        program = nauty("cubhamg")
        assert program is not None
        return subprocess.run([program, *arguments], check=True, capture_output=True, text=True)


def _followed(successor: Mapping[int, int]) -> Walk:
    """Return the walk from vertex 0."""
    walk, here = [0], successor[0]
    while here != 0 and len(walk) <= len(successor):
        walk.append(here)
        here = successor[here]
    return walk


OURS: tuple[type[GraphContender], ...] = tuple(
    type(
        f"Ours_{name}", (OursOnLists if "decide" in tasks else OursOnGraphs,), {"name": name, "tasks": tasks}
    )
    for name, tasks in TASKS.items()
)

RIVALS: tuple[type[GraphContender], ...] = (
    *(CubHamg, CountingDiagrams, Circuit, LinKernighan, AnswerSets, Backtracker, SimpleCycles, Sage),
)

GRAPH_CONTENDERS: dict[str, type[GraphContender]] = {each.name: each for each in (*OURS, *RIVALS)}
