"""Predict the cost of a count before it begins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ktsolve.base.limits import Settings
from ktsolve.engines.auto import choose, engine_for_pairs
from ktsolve.engines.interface import Estimate
from ktsolve.engines.protocols import EstimatesPairs
from ktsolve.graphs.graph import Graph
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import simplified_for
from ktsolve.tasks.counting.total import endpoint_classes, ends_to_count
from ktsolve.tasks.graph_parts import Parts, joined_names

__all__ = ["estimate"]


def estimate(
    problem: TourProblem | Graph | str | Any,
    engine: str = "auto",
    settings: Settings | None = None,
    by: str | None = None,
    **conditions: Any,
) -> tuple[str, Estimate | None]:
    """Predict the cost of a count, and the engine that would count.

    A bare graph is reduced first, and ``auto`` may run several engines side by side: this is the one that it
    would take alone.

    Parameters
    ----------
    problem:
        A problem; or a board, its size such as ``"8x8"``, a graph, or its name: see :meth:`TourProblem.of`.
    engine:
        Name of the engine, or ``auto``.
    settings:
        Limits and threads, on which the plan depends; the defaults if None.
    by:
        ``start`` or ``ends``: the cost of all classes of :func:`ktsolve.count`; None for the number alone.
    **conditions:
        Where no problem is given, ``closed`` and conditions, as for :class:`TourProblem`.

    Returns
    -------
    engine : str
        The engine that would count.
    cost : Estimate or None
        The predicted cost, None if the engine makes no prediction.

    Raises
    ------
    BadInput
        For an unknown ``by``, or a problem without such classes.
    Refused
        If the engine cannot take the problem.

    Examples
    --------
    >>> engine, expected = estimate(TourProblem(board="8x8", closed=True))
    >>> engine, expected.plan
    ('join', 'rows 3+2+3: 24 + 16 + 24 cells, one table for both sides, mirrored, separator moves 6 + 6')
    """
    problem = TourProblem.of(problem, **conditions)
    settings = Settings.of(settings)
    if by is None:
        # Of the parts of a reduced graph the one of most time.
        quiet = replace(settings, remark=None)
        question, _ = simplified_for("count", problem, engine, quiet)
        parts = Parts(question, "count", engine, quiet).questions
        engines = [choose(engine, "count", part) for part in parts]
        costs = [chosen.estimate(part, quiet) for chosen, part in zip(engines, parts, strict=True)]
        most = max((cost for cost in costs if cost is not None), key=lambda cost: cost.seconds, default=None)
        return joined_names(chosen.name for chosen in engines), most
    questions = {ends: each for ends, (each, _) in endpoint_classes(problem, by).items()}
    if not (pairs := ends_to_count(questions)):
        return choose(engine, "count", next(iter(questions.values()), problem)).name, None
    chosen = engine_for_pairs(engine, problem, questions[pairs[0]], pairs, settings)
    together = chosen.estimate_pairs(problem, pairs, settings) if isinstance(chosen, EstimatesPairs) else None
    return chosen.name, together
