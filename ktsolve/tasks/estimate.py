"""Predict the cost of a count before it begins."""

from __future__ import annotations

from ktsolve.engines.interface import Estimate
from ktsolve.engines.protocols import EstimatesPairs
from ktsolve.engines.registry import choose
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Settings
from ktsolve.tasks.count import ends_to_count
from ktsolve.tasks.endpoint_classes import endpoint_classes

__all__ = ["estimate"]


def estimate(
    problem: TourProblem, engine: str = "auto", settings: Settings | None = None, by: str | None = None
) -> tuple[str, Estimate | None]:
    """The engine that would count, and the predicted cost; None if the engine makes no prediction.

    With ``by``, the cost of all classes that :func:`ktsolve.count_classes` counts.

    Examples
    --------
    >>> engine, expected = estimate(TourProblem(board="8x8", closed=True))
    >>> engine, expected.plan
    ('join', 'rows 3+2+3: 24 + 16 + 24 cells, one table for both sides, mirrored, separator moves 6 + 6')
    """
    settings = settings or Settings()
    if by is None:
        chosen = choose(engine, "count", problem)
        return chosen.name, chosen.estimate(problem, settings)
    questions = {ends: each for ends, (each, _) in endpoint_classes(problem, by).items()}
    chosen = choose(engine, "count", next(iter(questions.values()), problem))
    together = None
    if isinstance(chosen, EstimatesPairs) and (pairs := ends_to_count(questions)):
        together = chosen.estimate_pairs(problem, pairs, settings)
    return chosen.name, together
