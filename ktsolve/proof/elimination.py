"""The argument by an order: a sweep over the nodes in this order leaves no state that can become a cycle.

The sweep decides the edges of one node after the other. The chosen edges form paths; all that matters about
them later is which undecided nodes have how many chosen edges, and which two ends belong to one path
(Knuth's *simpath*, The Art of Computer Programming 4A, exercise 7.1.4-225, with nodes instead of edges). A
path that closes must contain all nodes. If no state is left, there is no Hamiltonian cycle. The certificate
contains the order only; a good order keeps the states few.

This file is a part of the checker. It shares no code with the engine ``frontier``: here states are byte
strings in a set. To check a count, each has the number of ways in which it is reached.

A state has one byte for each slot. A node has a slot from the time when the first of its edges is decided
until its own turn. The byte of a node without chosen edges is its own slot, that of an end of a path is
the slot of the other end, and that of a node with two edges, like that of an unused slot, is ``_DONE``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Clock, Limit
from ktsolve.base.units import shown_bytes
from ktsolve.proof.problem_graph import Edge, ProblemGraph

__all__ = ["MOST_SLOTS", "MOST_STATES", "Sweep", "Tally", "sweep", "tally"]

_DONE = 255

MOST_SLOTS = 250  # largest number of slots
MOST_STATES = 2_000_000  # largest number of states after a node; Python handles some 300,000 in a second
_BYTES_PER_STATE = 120  # memory for a state besides its slots
_CHECKED_EVERY = 4096  # number of states between two looks at the clock and at the memory


@dataclass(frozen=True)
class Sweep:
    """The result of a sweep."""

    fault: str | None  # why the order proves nothing; None if it refutes
    states: int = 0  # the largest number of states after a node


@dataclass(frozen=True)
class _Step:
    """The turn of a node."""

    slot: int  # the slot of the node
    entering: tuple[int, ...]  # slots that nodes get at this step
    choices: tuple[tuple[tuple[int, ...], ...], ...]
    """For 0, 1 and 2 further edges: the ways to choose them, as slots of the other ends."""
    marks: dict[int, tuple[int, ...]]  # for each other end the bytes that record the use of the edge
    bounds: tuple[tuple[int, int, int], ...]
    """Slots, each with the fewest and the most edges that the node must have now, so that it can get two."""
    whole: bool  # whether every node has got a slot now


def sweep(
    graph: ProblemGraph, order: Sequence[int], seconds: float | None = None, memory: Limit | None = None
) -> Sweep:
    """Return whether the sweep over the nodes in this order refutes a cycle through the needed edges.

    Conditions of the problem other than needed edges and ends are left out: they can only
    exclude cycles.

    Complexity: the time is linear in the states, whose number is exponential in the number of slots. Raises
    LimitReached after ``seconds``, if the states do not fit into ``memory``, or if there are more than
    ``MOST_STATES``.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.problem_graph import read_problem
    >>> sweep(read_problem(TourProblem(board="3x8", closed=True)), range(24)).fault
    >>> sweep(read_problem(TourProblem(board="3x10", closed=True)), range(30)).fault
    'there is a cycle'
    >>> sweep(read_problem(TourProblem(board="3x8", closed=True)), [0, 0]).fault
    'the order does not list each of the 24 nodes once'
    """
    begun = _begun(graph, order)
    if isinstance(begun, str):
        return Sweep(begun)
    clock, size = Clock(seconds), len(begun.first)
    done = bytes([_DONE]) * size
    states = {begun.first}
    largest = 1
    for number, step in enumerate(begun.steps, 1):
        after: set[bytes] = set()
        for seen, state in enumerate(states):
            if seen % _CHECKED_EVERY == 0:
                _check_limits(clock, len(states) + len(after), size, memory, f"{number} of {len(order)}")
            for found in _successors(step, state):
                if found != done:
                    after.add(found)
                elif step.whole:
                    return Sweep("there is a cycle", largest)
        states = after
        largest = max(largest, len(states))
    return Sweep("the sweep does not end" if states else None, largest)


@dataclass(frozen=True)
class Tally:
    """The number of Hamiltonian cycles, and for each node of the order a row about the states after it.

    A row has the number of states, the sum of their numbers of ways, and the first 16 digits of the SHA-256
    of the lines ``STATE WAYS``, sorted, with the bytes of the state in hexadecimal digits.
    """

    count: int
    layers: tuple[tuple[int, int, str], ...]


def tally(
    graph: ProblemGraph, order: Sequence[int], seconds: float | None = None, memory: Limit | None = None
) -> Tally | str:
    """Count the cycles through the needed edges by a sweep over the nodes, or return why it cannot be done.

    Limits are as for :func:`sweep`.

    >>> from ktsolve.problem.problem import TourProblem
    >>> from ktsolve.proof.problem_graph import read_problem
    >>> tally(read_problem(TourProblem(board="3x10", closed=True)), range(30)).count
    16
    """
    if graph.step_indexed or graph.images is not None or graph.sums or graph.conditions or graph.some:
        return "only ends, required and forbidden moves can be stated with a count"
    begun = _begun(graph, order)
    if isinstance(begun, str):
        return begun
    clock, size = Clock(seconds), len(begun.first)
    done, count = bytes([_DONE]) * size, 0
    ways, layers = {begun.first: 1}, []
    for number, step in enumerate(begun.steps, 1):
        after: dict[bytes, int] = {}
        for seen, (state, several) in enumerate(ways.items()):
            if seen % _CHECKED_EVERY == 0:
                _check_limits(clock, len(ways) + len(after), size, memory, f"{number} of {len(order)}")
            for found in _successors(step, state):
                if found != done:
                    after[found] = after.get(found, 0) + several
                elif step.whole:
                    count += several
        ways = after
        text = "".join(sorted(f"{state.hex()} {several}\n" for state, several in ways.items()))
        checksum = hashlib.sha256(text.encode()).hexdigest()[:16]
        layers.append((len(ways), sum(ways.values()), checksum))
    return "the sweep does not end" if ways else Tally(count, tuple(layers))


@dataclass(frozen=True)
class _Begun:
    """A sweep before its first node."""

    steps: Iterator[_Step]
    first: bytes
    """The state; its first bytes record which of the sets of edges have a chosen one."""


def _begun(graph: ProblemGraph, order: Sequence[int]) -> _Begun | str:
    """The beginning of a sweep, or why the order does not allow one."""
    if len(order) != graph.nodes or set(order) != set(range(graph.nodes)):
        return f"the order does not list each of the {graph.nodes:,} nodes once"
    plain, order = _undirected(graph, order)
    if plain.nodes < 3 or (graph.closed and len(graph.cells) < 3):
        return "an order proves nothing about fewer than three nodes"
    around = _neighbours(plain.nodes, plain.edges)
    size = len(plain.some) + _slots(around, order)
    if size > MOST_SLOTS:
        return f"the order needs {size:,} slots at once, and at most {MOST_SLOTS} are checked"
    first = bytes(len(plain.some)) + bytes([_DONE]) * (size - len(plain.some))
    return _Begun(_steps(plain, around, order), first)


def _check_limits(clock: Clock, states: int, size: int, memory: Limit | None, place: str) -> None:
    reached = f"{states:,} states at node {place}"
    clock.check(reached)
    if memory is not None and states * (_BYTES_PER_STATE + size) > memory.left:
        limit = shown_bytes(memory.total)
        raise LimitReached(f"the states do not fit into the memory limit of {limit}: {reached}")
    if states > MOST_STATES:
        raise LimitReached(f"the order has more than {MOST_STATES:,} states: {reached}")


def _successors(step: _Step, state: bytes) -> Iterator[bytes]:
    """The states after the turn of a node; the state in which a cycle has closed is ``_DONE`` everywhere."""
    here = step.slot
    start = bytearray(state)
    for slot in step.entering:
        start[slot] = slot
    degree = 2 if start[here] == _DONE else int(start[here] != here)
    for choice in step.choices[2 - degree]:
        found = bytearray(start)
        closed = False
        for slot in choice:
            one, other = found[here], found[slot]
            if other == _DONE:
                break
            for mark in step.marks[slot]:
                found[mark] = _DONE
            # A node that was an end of a path until now; then the two ends of the joined path.
            found[here] = found[slot] = _DONE
            closed = one == slot
            if not closed:
                found[one], found[other] = other, one
        else:
            # A closed path must contain all nodes.
            if closed and found.count(_DONE) < len(found):
                continue
            for slot, least, most in step.bounds:
                chosen = 2 if found[slot] == _DONE else int(found[slot] != slot)
                if not least <= chosen <= most:
                    break
            else:
                yield bytes(found)


@dataclass(frozen=True)
class _Plain:
    """An undirected graph, its needed edges, and sets of edges each of which has a chosen one."""

    nodes: int
    edges: Collection[Edge]
    needed: Collection[Edge]
    some: Sequence[Collection[Edge]]


def _undirected(graph: ProblemGraph, order: Sequence[int]) -> tuple[_Plain, Sequence[int]]:
    """The graph and the order, with a pair of nodes for each vertex of a directed graph.

    Arcs lead from the second node of a pair to the first node of another; the edge between both is needed.
    """
    if not graph.directed:
        return _Plain(graph.nodes, graph.edges, graph.needed, graph.some), order
    n = len(graph.cells)

    def arc(edge: Edge) -> Edge:
        tail, head = 2 * edge[0] + (edge[0] < n), 2 * edge[1]
        return min(tail, head), max(tail, head)

    pairs = {(2 * v, 2 * v + 1) for v in range(n)}
    nodes = [node for v in order for node in ((2 * v, 2 * v + 1) if v < n else (2 * v,))]
    edges, needed = (pairs.union(map(arc, each)) for each in (graph.edges, graph.needed))
    return _Plain(graph.nodes + n, edges, needed, [set(map(arc, each)) for each in graph.some]), nodes


def _neighbours(nodes: int, edges: Collection[Edge]) -> list[set[int]]:
    around: list[set[int]] = [set() for _ in range(nodes)]
    for u, v in edges:
        around[u].add(v)
        around[v].add(u)
    return around


def _slots(around: Sequence[Collection[int]], order: Sequence[int]) -> int:
    """The largest number of nodes that have a slot at the same time. Linear in nodes and edges."""
    passed: set[int] = set()
    present: set[int] = set()
    most = 0
    for node in order:
        present.add(node)
        present.update(other for other in around[node] if other not in passed)
        most = max(most, len(present))
        present.discard(node)
        passed.add(node)
    return most


def _steps(graph: _Plain, around: list[set[int]], order: Sequence[int]) -> Iterator[_Step]:
    """Yield the turns of the nodes. ``around`` loses the edges of each node that has had its turn."""
    held = _neighbours(graph.nodes, graph.needed)
    marking: dict[Edge, list[int]] = {}
    for number, edges in enumerate(graph.some):
        for edge in edges:
            marking.setdefault(edge, []).append(number)
    size, entered = len(graph.some), 0
    free: list[int] = []
    slots: dict[int, int] = {}
    for node in order:
        entering = []
        for each in sorted({node, *around[node]} - slots.keys()):
            if not free:
                free.append(size)
                size += 1
            slots[each] = free.pop()
            entering.append(slots[each])
        entered += len(entering)
        later = sorted(around[node])
        # A needed edge that is not an edge has no slot here: then there is no choice.
        must = {slots[other] if other in around[node] else -1 for other in held[node]}
        choices = tuple(
            tuple(some for some in combinations([slots[other] for other in later], number) if must <= {*some})
            for number in range(3)
        )
        marks = {
            slots[other]: tuple(marking.get((min(node, other), max(node, other)), ())) for other in later
        }
        bounds = []
        for other in later:
            around[other].discard(node)
            held[other].discard(node)
            least, most = 2 - len(around[other]), 2 - len(held[other])
            if least > 0 or most < 2:
                bounds.append((slots[other], least, most))
        slot = slots.pop(node)
        free.append(slot)
        yield _Step(slot, tuple(entering), choices, marks, tuple(bounds), entered == graph.nodes)
