"""Cycles, connected nodes and trees in CP-SAT.

A cycle becomes ``AddCircuit``, in which a node that is not visited has a loop. An undirected edge becomes two
arcs; where a node is always visited, its successor has a smaller number than its predecessor, so that each
cycle is one solution. Connected nodes have distances from the first present one, and each other one has a
neighbour whose distance is smaller by one; in a tree this neighbour is its only parent. All of these
variables are determined by those of the model. Where one solution is wanted, any order in which each node has
an earlier neighbour takes the place of the distances.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ktsolve.model.loop_forms import ALWAYS, ConnectionForm, CycleForm, Form

__all__ = ["add_loop", "all_of"]

Arcs = list[tuple[int, int, Any]]


def add_loop(
    cp: Any, literal: Callable[[int], Any], form: Form, when: Sequence[Any] = (), *, listing: bool = False
) -> bool:
    """Add a loop constraint; return whether each solution of the model is a single one of CP-SAT.

    The function ``literal`` returns the literal of CP-SAT for one in DIMACS numbering. The constraint must
    hold where all literals of ``when`` are true. If all solutions are wanted (``listing``), the variables of
    connected nodes are determined by those of the model.
    """
    condition = all_of(cp, *when)
    if isinstance(form, ConnectionForm):
        _Connection(cp, literal, form, condition, listing).add()
        return True
    return _add_cycle(cp, literal, form, condition)


def _add_cycle(cp: Any, literal: Callable[[int], Any], form: CycleForm, condition: Any) -> bool:
    given = [(u, v, literal(x)) for u, v, x in form.arcs]
    if form.directed:
        arcs = [(u, v, all_of(cp, arc, condition)) for u, v, arc in given]
    else:
        arcs = _both_ways(cp, given, condition)
    loops: Arcs = []
    for v, present in enumerate(form.present):
        if present is None:
            loops.append((v, v, cp.new_bool_var("")))
        elif present != ALWAYS:
            loops.append((v, v, all_of(cp, literal(present), condition).negated()))
        elif condition is not None:
            loops.append((v, v, condition.negated()))
    # AddCircuit ignores nodes without arcs.
    if len({v for u, w, _ in (*arcs, *loops) for v in (u, w)}) < form.nodes:
        _clause(cp, [], condition)
        return True
    cp.add_circuit([*arcs, *loops])
    for first, second in form.apart:
        _clause(cp, [literal(-first), literal(-second)], condition)
    if ALWAYS not in form.present:
        if not form.empty:
            _clause(cp, [arc for _, _, arc in given], condition)
        # The cycle is found in both directions.
        return form.directed
    if not form.directed:
        root = list(form.present).index(ALWAYS)
        into = {u: arc for u, v, arc in arcs if v == root}
        for successor, arc in [(v, arc) for u, v, arc in arcs if u == root]:
            larger = [each for predecessor, each in into.items() if predecessor > successor]
            cp.add_bool_or([arc.negated(), *larger])
    return True


def _both_ways(cp: Any, edges: Arcs, condition: Any) -> Arcs:
    """Return two arcs for each edge, of which a used edge uses one; none where the condition is false."""
    arcs = []
    for u, v, edge in edges:
        there, back = cp.new_bool_var(""), cp.new_bool_var("")
        cp.add(there + back == all_of(cp, edge, condition))
        arcs += [(u, v, there), (v, u, back)]
    return arcs


def all_of(cp: Any, *literals: Any) -> Any:
    """Return a literal that is true exactly if all are; None is true."""
    if not any(each is not None for each in literals):
        return None
    members = list({each.index: each for each in literals if each is not None}.values())
    if len(members) <= 1:
        return members[0] if members else None
    result = cp.new_bool_var("")
    for each in members:
        cp.add_implication(result, each)
    cp.add_bool_or([result, *(each.negated() for each in members)])
    return result


def _clause(cp: Any, literals: Sequence[Any], condition: Any) -> None:
    cp.add_bool_or([*literals, *([] if condition is None else [condition.negated()])])


class _Connection:
    """The variables of connected nodes or of a tree."""

    def __init__(
        self, cp: Any, literal: Callable[[int], Any], form: ConnectionForm, condition: Any, listing: bool
    ) -> None:
        self.cp, self.form, self.listing = cp, form, listing
        self.yes = cp.new_constant(1)
        self.condition = self.yes if condition is None else condition
        self.edges = [(u, v, self._known(literal, x)) for u, v, x in form.edges]
        self.given = [self._known(literal, x) for x in form.present]
        # Where the condition is false no node is present.
        self.present = [self._all(present, self.condition) for present in self.given]

    def _known(self, literal: Callable[[int], Any], number: int) -> Any:
        return self.yes if number == ALWAYS else literal(number)

    def _all(self, *literals: Any) -> Any:
        """Return a literal that is true exactly if all are."""
        found = all_of(self.cp, *(each for each in literals if each.index != self.yes.index))
        return self.yes if found is None else found

    def add(self) -> None:
        """Add the constraint."""
        cp, form = self.cp, self.form
        distance = [cp.new_int_var(0, max(0, form.nodes - 1), "") for _ in range(form.nodes)]
        roots = self._roots()
        below: list[list[Any]] = [[] for _ in range(form.nodes)]
        for u, v, edge in self.edges:
            if form.tree:
                for node in (self.given[u], self.given[v]):
                    cp.add_bool_or([edge.negated(), node, self.condition.negated()])
            used = self._all(edge, self.present[u], self.present[v])
            nearer = {}
            for tail, head in ((u, v), (v, u)):
                nearer[head] = cp.new_bool_var("")
                below[head].append(nearer[head])
                cp.add_implication(nearer[head], used)
                # Any order is enough to solve, and much faster to find. Distances are unique.
                above, below_it = distance[head], distance[tail] + 1
                order = above == below_it if form.tree or self.listing else above >= below_it
                cp.add(order).only_enforce_if(nearer[head])
            if form.tree:
                cp.add(nearer[u] + nearer[v] == used)
            elif not self.listing:
                cp.add_at_most_one(nearer.values())
            else:
                level = cp.new_bool_var("")
                cp.add(nearer[u] + nearer[v] + level == used)
                cp.add(distance[u] == distance[v]).only_enforce_if(level)
        for v, (present, root, parents) in enumerate(zip(self.present, roots, below, strict=True)):
            cp.add(distance[v] == 0).only_enforce_if(present.negated())
            cp.add(distance[v] == 0).only_enforce_if(root)
            if form.tree:
                cp.add(sum(parents) == present - root)
            else:
                cp.add_bool_or([present.negated(), root, *parents])
        if form.tree:
            cp.add_bool_or([*self.given, self.condition.negated()])

    def _roots(self) -> list[Any]:
        """Return a literal for each node that is true exactly if it is the first present one."""
        earlier = self.present[0]
        roots = [earlier]
        for present in self.present[1:]:
            roots.append(self._all(present, earlier.negated()))
            earlier = self._all(earlier.negated(), present.negated()).negated()
        return roots
