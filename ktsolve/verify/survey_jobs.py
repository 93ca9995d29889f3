"""Jobs of the cross-check about surveys: samples of statistics against all tours, listed by search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ktsolve.engines.registry import engines_for
from ktsolve.graphs.tour_rows import TourRows
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.distribution import Number
from ktsolve.tasks.find import find_all
from ktsolve.tasks.survey import read_measures, survey
from ktsolve.tasks.tours import labeled_rows, tours
from ktsolve.verify.jobs import Context, Job, Sides
from ktsolve.verify.sequence_jobs import chi_square_bound

__all__ = ["survey_jobs"]

_SEED = 7
_RARE = 5
"""Values expected less often than this in a sample are one class: chi-square is rough for them."""

_PROBLEMS = (
    (TourProblem(board="6x6", closed=True), "turns,crossings,obtuse,uses:corners"),
    (TourProblem(board="5x5", closed=False, start="a1"), "turns,visit:c3"),
)


def _survey(context: Context, problem: TourProblem, of: str, engine: str) -> Sides:
    """Chi-square of a sample, and the exact numbers beside it, against the statistics of a list by search."""
    found = survey(
        tours(problem, engine=engine, settings=context.settings),
        of,
        10_000,
        seed=_SEED,
        settings=context.settings,
    )
    listed = find_all(problem, "search", context.settings)
    rows = TourRows(problem.ground, labeled_rows(problem, listed), closed=problem.closed)
    wrong = []
    for measure, each in zip(read_measures(of, problem), found.distributions, strict=True):
        exact: Counter[Number] = Counter(measure.values(rows).tolist())
        if each.exact != exact:
            wrong.append(f"{each.name} differs from the list")
        expected = {value: each.number * count / exact.total() for value, count in exact.items()}
        seen: dict[Number | None, int] = {}
        due: dict[Number | None, float] = {}
        for value, one in expected.items():
            place = value if one >= _RARE else None
            due[place] = due.get(place, 0.0) + one
            seen[place] = seen.get(place, 0) + each.samples.get(value, 0)
        square = sum((seen[place] - one) ** 2 / one for place, one in due.items())
        if square > chi_square_bound(max(1, len(due) - 1)) or each.samples.keys() - exact.keys():
            wrong.append(f"chi-square {square:.1f} of {each.name} is over the bound")
    return Sides.unless(wrong, f"{len(found.distributions)} statistics of {found.number} samples")


def survey_jobs(_level: str) -> Iterator[Job]:
    """Each problem by each engine that ranks its tours."""
    for problem, of in _PROBLEMS:
        for engine in engines_for("rank", problem):
            yield Job(f"survey {problem} ({engine})", _survey, (problem, of, engine), section="sequence")
