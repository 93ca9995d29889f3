"""Count open tours by classes of starts or of pairs of ends, with multiplicities."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.symmetry import cell_orbits, pair_orbits
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import timed
from ktsolve.tasks.count import ClassCount, CountAnswer, Ends, count, count_each, summary

__all__ = ["count_classes", "endpoint_classes"]


@timed
def count_classes(
    problem: TourProblem | Graph | str | Any,
    by: str,
    engine: str = "auto",
    settings: Settings | None = None,
    **conditions: Any,
) -> CountAnswer:
    """Open tours by class of start (``by="start"``) or of both ends (``by="endpoints"``).

    Classes are those under the symmetries that map the problem to itself; classes that colours rule out are
    left out. The total follows from multiplicities. Classes of ends are counted together by engines that can
    share work between them (:class:`~ktsolve.engines.protocols.CountsPairs`), others one by one.

    Parameters
    ----------
    problem:
        A problem; or a board, its size such as ``"8x8"``, a graph, or its name: see :meth:`TourProblem.of`.
    **conditions:
        Where no problem is given, ``closed`` and conditions, as for :class:`TourProblem`.

    Examples
    --------
    >>> answer = count_classes(TourProblem(board="3x4", closed=False), by="endpoints")
    >>> [(c.cells, c.multiplicity, c.count) for c in answer.classes if c.count]
    [(((0, 0), (1, 0)), 4, 1), (((0, 0), (2, 3)), 2, 1), (((1, 0), (1, 3)), 1, 2)]
    """
    problem = TourProblem.of(problem, **conditions)
    settings = Settings.of(settings)
    asked = endpoint_classes(problem, by)
    if len(problem.ground) == 1:
        answer = count(problem, engine, settings)
        ends = problem.ground.cells * (1 if by == "start" else 2)
        return replace(answer, classes=(ClassCount(ends, 1, answer.count),))
    questions = {cells: each for cells, (each, _) in asked.items()}
    found = dict(count_each(problem, questions, engine, settings))
    classes = [ClassCount(cells, members, found[cells].count) for cells, (_, members) in asked.items()]
    total = sum(one.multiplicity * one.count for one in classes)
    chosen, peak = summary(found.values())
    if problem.ground.directed:  # a tour has one start, and one pair of ends
        return CountAnswer(total, total, peak, classes=tuple(classes), engine=chosen, problem=problem)
    # A tour has two ends: it is counted under both starts, but under one pair.
    undirected, directed = (total // 2, total) if by == "start" else (total, 2 * total)
    return CountAnswer(undirected, directed, peak, classes=tuple(classes), engine=chosen, problem=problem)


def endpoint_classes(problem: TourProblem, by: str) -> dict[Ends, tuple[TourProblem, int]]:
    """The classes that colours allow, by their smallest start or pair of ends.

    Each has the problem with these ends, and the number of members.
    """
    if by not in ("start", "endpoints"):
        raise BadInput(f"classes by {by!r} are unknown: use start or endpoints")
    if problem.closed:
        raise BadInput("classes by start or endpoints are those of open tours; a closed tour has no ends")
    if problem.start is not None or problem.end is not None:
        raise BadInput(f"classes by {by} need both ends free: leave out start and end")
    if problem.step_indexed:
        raise BadInput(
            f"classes by {by} need conditions that hold in both directions: leave out steps and sums"
        )
    classes = {}
    for orbit in (cell_orbits if by == "start" else pair_orbits)(problem.ground, problem.automorphisms):
        cells = orbit.representative
        each = problem.replace(start=cells[0], end=cells[1] if by == "endpoints" else None)
        obstruction = each.obstruction()
        if obstruction is None or obstruction.theorem != "colours":
            classes[cells] = each, orbit.multiplicity
    return classes
