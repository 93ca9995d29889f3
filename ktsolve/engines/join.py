"""Engine ``join``: exact counts by a grouped two-sided frontier join, native and threaded.

See native/include/ktsolve/join.hpp for the method and :mod:`ktsolve.engines.join_plan` for how it is planned.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

import networkx as nx
import numpy as np

from ktsolve.engines.base import ALL_FEATURES, Clock, Counted, Engine, Settings, out_of_time, shown_bytes
from ktsolve.engines.cycle_graph import CycleGraph
from ktsolve.engines.join_plan import JoinPlan, best_plan
from ktsolve.errors import LimitReached, Refused
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem

if TYPE_CHECKING:
    from ktsolve import _native

__all__ = ["JoinEngine", "count_along"]


_HOPELESS = 100
"""A count is refused unseen when its estimate is this many times over the memory budget. The estimate is
rough; anything less is tried."""

_BYTES_PER_STATE = 5


class JoinEngine(Engine):
    """Counting from two sides, in C++."""

    name = "join"
    summary = "exact count by a two-sided join of half boards, native, all threads"
    abilities: ClassVar = {"count": ALL_FEATURES - {"steps", "symmetry", "magic"}}

    def construct(self, problem: TourProblem, settings: Settings) -> Tour | None:
        """Not possible: the join merges tours and forgets them."""
        raise Refused("engine join cannot construct tours: use sat, cpsat, search")

    def enumerate(self, problem: TourProblem, settings: Settings) -> Iterator[Tour]:
        """Not possible: the join merges tours and forgets them."""
        raise Refused("engine join cannot enumerate tours: use search, sat, cpsat")

    def count(self, problem: TourProblem, settings: Settings) -> Counted:
        """Number of tours.

        Raises
        ------
        LimitReached
            At the time or memory limit, telling how far it got.
        Refused
            If the board has no cut narrow enough.
        """
        return self.count_part(problem, settings, (0, 1))

    def count_part(self, problem: TourProblem, settings: Settings, part: tuple[int, int]) -> Counted:
        """Summand i of n of the number of tours, for ``part`` = (i, n): they add up to it.

        Raises
        ------
        LimitReached, Refused
            As :meth:`count`.
        """
        if len(problem.board) == 1:
            one = int(not problem.closed and part[0] == 0)
            return Counted(one, one)
        clock = Clock(settings.timeout)
        graph = CycleGraph.of(problem)
        whole = nx.Graph(graph.edges)
        if graph.impossible or len(whole) < max(3, graph.vertices) or not nx.is_connected(whole):
            return Counted(0, 0)  # no cycle reaches all vertices
        if len(graph.edges) == graph.vertices * (graph.vertices - 1) // 2:
            # Every cell is a move from every other: nothing can be cut, but there are ten vertices at most.
            number = _by_definition(graph) if part[0] == 0 else 0
            return Counted(number, number * problem.directions)
        plan = best_plan(problem, graph, clock)
        budget = settings.memory_budget
        if plan.bits > 1000 or 2**plan.bits * _BYTES_PER_STATE > budget * _HOPELESS:
            raise LimitReached(
                f"counting {problem} by halves ({plan.name}) needs about 2^{plan.bits:.0f} states; "
                f"the memory limit is {shown_bytes(budget)}"
            )
        if settings.progress is not None:
            settings.progress(0.0, str(plan))
        return count_along(problem, plan, settings, clock, part)


def count_along(
    problem: TourProblem,
    plan: JoinPlan,
    settings: Settings,
    clock: Clock,
    part: tuple[int, int] = (0, 1),
) -> Counted:
    """The count along a given plan.

    Raises
    ------
    LimitReached
        At the time or memory limit, telling how far it got.
    """
    total, reports = _exact(plan, settings, clock, part)
    last = reports[-1]
    layers = [*last.top, *last.bottom]
    details = {
        "peak_states": max(layer.states for layer in layers),
        "states": sum(half[-1].kept for half in (last.top, last.bottom) if half),
        "groups": sum(half[-1].groups for half in (last.top, last.bottom) if half),
        "table_bytes": sum(half[-1].bytes for half in (last.top, last.bottom) if half),
        "transitions": last.transitions,
        "patterns": last.patterns,
        "extended": last.extended,
        "runs": len(reports),
        "halves_ms": round(1000 * sum(r.seconds_top + r.seconds_bottom for r in reports)),
        "join_ms": round(1000 * sum(r.seconds_join for r in reports)),
    }
    peak = max(report.peak_bytes for report in reports)
    return Counted(total, total * problem.directions, peak, details)


def _exact(
    plan: JoinPlan, settings: Settings, clock: Clock, part: tuple[int, int]
) -> tuple[int, list[_native.JoinReport]]:
    """The count as a whole number: directly if it fits, else from its residues."""
    report = _run(plan, settings, clock, part, 0)
    if not report.overflow:
        quotient, rest = divmod(report.count, report.divisor)
        if part == (0, 1) and rest:
            raise AssertionError(f"a folded count, {report.count}, is not a multiple of {report.divisor}")
        return quotient, [report]
    # A tour is told by its edges: at every vertex one of so many pairs.
    bound = report.divisor
    for others in plan.graph.around:
        bound *= max(1, len(others) * (len(others) - 1) // 2)
    reports, residue, modulus = [], 0, 1
    for prime in _primes_below(1 << 42):
        report = _run(plan, settings, clock, part, prime)
        reports.append(report)
        # Garner's step: the number below modulus * prime with both residues.
        step = (report.count - residue) * pow(modulus, -1, prime) % prime
        residue, modulus = residue + modulus * step, modulus * prime
        if modulus > bound * report.divisor:
            break
    return residue // reports[-1].divisor, reports


def _by_definition(graph: CycleGraph) -> int:
    """Hamiltonian cycles with all required edges, by trying all permutations."""
    required = {edge for edge, needed in zip(graph.edges, graph.required, strict=True) if needed}
    count = 0
    for rest in itertools.permutations(range(1, graph.vertices)):
        if rest[0] < rest[-1]:
            walk = (0, *rest, 0)
            count += required <= {(min(pair), max(pair)) for pair in itertools.pairwise(walk)}
    return count


def _primes_below(most: int) -> Iterator[int]:
    """Primes, largest first.

    >>> from itertools import islice
    >>> list(islice(_primes_below(30), 3))
    [29, 23, 19]
    """
    for candidate in range(most - 1, 2, -1):
        if candidate % 2 and _is_prime(candidate):
            yield candidate


def _is_prime(n: int) -> bool:
    """Miller and Rabin's test; these bases decide all n below 3.3e24 (Sorenson and Webster 2015)."""
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41):
        if n == base:
            return True
        power = pow(base, odd, n)
        if power in (1, n - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % n
            if power == n - 1:
                break
        else:
            return False
    return True


def _run(
    plan: JoinPlan, settings: Settings, clock: Clock, part: tuple[int, int], modulus: int
) -> _native.JoinReport:
    from ktsolve import _native

    budget = settings.memory_budget
    edges = np.array(plan.graph.edges, dtype=np.int32).reshape(-1, 2)
    required = np.array(plan.graph.required, dtype=np.uint8)
    try:
        report = _native.join_count(
            plan.graph.vertices,
            edges,
            required,
            plan.native(),
            threads=settings.thread_budget,
            modulus=modulus,
            part=part,
            seconds=clock.left,
            bytes=budget,
            progress=_reporter(settings, plan),
        )
    except OverflowError as error:  # std::length_error: more slots than the core has
        raise LimitReached(f"the join cannot hold this board: {error}") from None
    if report.status == "done":
        return report
    done = len(report.top) + len(report.bottom)
    steps = len(plan.top) + (0 if plan.flip else len(plan.bottom))
    states = max((layer.states for layer in [*report.top, *report.bottom]), default=0)
    reached = (
        f"{min(done, steps)} of {steps} cells of the half boards done, {states:,} states "
        f"in {shown_bytes(report.peak_bytes)}"
    )
    if report.status == "time":
        raise out_of_time(settings.timeout, reached)
    limit = f"the memory limit of {budget / 2**20:,.0f} MiB" if report.status == "memory" else "request"
    raise LimitReached(f"stopped at {limit}, {reached}")


def _reporter(settings: Settings, plan: JoinPlan) -> object | None:
    if settings.progress is None:
        return None
    progress = settings.progress
    joining = 1000  # steps that the core gives to joining
    sweep = len(plan.top) + (0 if plan.flip else len(plan.bottom))
    # Work at a cell grows geometrically along a half; joining takes about as long as both halves.
    top = [1.35**i for i in range(len(plan.top))]
    bottom = [] if plan.flip else [1.35**i for i in range(len(plan.bottom))]
    weights = top + bottom
    whole = 2 * sum(weights)
    done = [0.0]
    for weight in weights:
        done.append(done[-1] + weight)

    def report(step: int, total: int, states: int) -> None:
        if step < sweep and step < total - joining:
            half = "top" if step < len(top) or not bottom else "bottom"
            progress(done[step] / whole, f"{half}: cell {step + 1} of {sweep}, {states:,} states")
        else:
            share = max(0, step - (total - joining)) / joining
            progress(0.5 + 0.5 * share, f"joining, {states:,} states a side")

    return report
