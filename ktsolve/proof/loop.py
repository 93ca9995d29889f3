"""The loop that refutes: solve the clauses, cut off the subtours that come out, and again, with a proof.

It is the loop of engine ``sat`` (:mod:`ktsolve.engines.sat.lazy`) on clauses that are not its own: a
certificate may only start from those that its checker states. Lemmas that the solver wrote down before a cut
was added follow afterwards all the more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ktsolve.engines.sat.conflict_budget import Report, decide, unheeded

__all__ = ["PROVERS", "Question", "Refuted", "refute"]

PROVERS = ("cadical153", "cadical195", "glucose4", "lingeling")
"""Solvers of python-sat whose proofs consist of lemmas that follow by unit propagation; the first is used."""


@dataclass(frozen=True)
class Question:
    """Clauses to refute, perhaps with a cycle in them.

    Attributes
    ----------
    clauses:
        In the numbering of DIMACS.
    nodes, edges:
        The graph whose edge number i is chosen by variable i + 1; no nodes if there is none.
    free:
        For each edge: may it be exchanged to join subtours, because no clause but those of degrees tells of
        it?
    """

    clauses: Sequence[Sequence[int]]
    nodes: int = 0
    edges: Sequence[tuple[int, int]] = ()
    free: Sequence[bool] = ()


@dataclass(frozen=True)
class Refuted:
    """How it ended.

    Attributes
    ----------
    chosen:
        None, or a solution: the numbers of the edges that are chosen; empty without a graph.
    cuts:
        Sets of nodes that were cut off, in that order.
    lemmas:
        The refutation of clauses and cuts, deletions left out.
    """

    chosen: tuple[int, ...] | None
    cuts: tuple[tuple[int, ...], ...] = ()
    lemmas: tuple[tuple[int, ...], ...] = ()


def refute(question: Question, solver: str = PROVERS[0], report: Report = unheeded) -> Refuted:
    """Refute clauses and cuts, or find a solution. Nothing but a signal stops it."""
    from pysat.solvers import Solver

    if any(not clause for clause in question.clauses):
        return Refuted(None, (), ((),))
    cuts: list[tuple[int, ...]] = []
    cycle = _Cycle(question)
    with Solver(name=solver, bootstrap_with=question.clauses, with_proof=True) as running:
        while decide(running, solver, [], report, len(cuts)):
            chosen, parts = cycle.parts(running.get_model())
            if len(parts) < 2:
                return Refuted(tuple(chosen.tolist()))
            # An edge that leaves the one of two parts leaves the other.
            for part in parts if len(parts) > 2 else parts[:1]:
                cuts.append(part)
                leaving = cycle.leaving(part)
                if not leaving:
                    return Refuted(None, tuple(cuts), ((),))
                running.add_clause(leaving)
        return Refuted(None, tuple(cuts), tuple(_lemmas(running.get_proof())))


def _lemmas(lines: list[Any]) -> list[tuple[int, ...]]:
    """The lemmas of a proof; deletions, which only help a checker to be fast, are left out."""
    added = (line for line in map(str, lines) if not line.startswith("d"))
    lemmas = [tuple(int(word) for word in line.split()[:-1]) for line in added]
    # Where clauses contradict each other at once some solvers write nothing.
    return lemmas if lemmas[-1:] == [()] else [*lemmas, ()]


class _Cycle:
    """The graph of a question: what a solution chooses of it, and what that falls into."""

    def __init__(self, question: Question) -> None:
        self._nodes = question.nodes
        self._edges = np.array(question.edges, dtype=np.int32).reshape(-1, 2)
        self._free = np.array(question.free, dtype=np.uint8)

    def parts(self, model: list[int]) -> tuple[np.ndarray[Any, Any], list[tuple[int, ...]]]:
        """The edges chosen, after joining subtours, and the nodes of each subtour left."""
        from ktsolve import _native

        if self._nodes < 3:
            return np.zeros(0, dtype=np.int64), []
        values = np.array(model, dtype=np.int64)
        used = np.zeros(len(self._edges) + 1, dtype=np.uint8)
        used[values[(values > 0) & (values <= len(self._edges))]] = 1
        part, toggled = _native.find_subtours(self._nodes, self._edges, used[1:], self._free)
        used[1:][toggled] ^= 1
        parts = [tuple(np.flatnonzero(part == i).tolist()) for i in range(int(part.max()) + 1)]
        return np.flatnonzero(used[1:]), parts

    def leaving(self, part: tuple[int, ...]) -> list[int]:
        """The clause that some edge leaves this part."""
        inside = np.zeros(self._nodes, dtype=np.bool_)
        inside[list(part)] = True
        leaving = inside[self._edges[:, 0]] != inside[self._edges[:, 1]]
        found: list[int] = (np.flatnonzero(leaving) + 1).tolist()
        return found
