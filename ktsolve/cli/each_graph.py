"""One answer for a board or a graph, or one for each graph of a file."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from ktsolve.base.errors import LimitReached
from ktsolve.cli.output import writing_stdout_to

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.cli.options import OutputOptions
    from ktsolve.cli.problem_options import ProblemSpec
    from ktsolve.problem.problem import TourProblem

__all__ = ["answer_each"]

_Out = TypeVar("_Out", bound="OutputOptions")


def answer_each(
    spec: ProblemSpec,
    settings: Settings,
    out: _Out,
    answer: Callable[[TourProblem, Settings, _Out], int],
    *,
    any_size: bool = False,
) -> int:
    """Answer the problem on its board or graph, or on each graph of a file of several.

    Several answers are lines of text, or of JSON, in the order of the graphs. The time limit is that of all
    together.

    Parameters
    ----------
    answer:
        Writes one answer and returns its exit status.
    any_size:
        As for :meth:`ProblemSpec.make_board`.

    Returns
    -------
    int
        The largest of the exit statuses.
    """
    problems = spec.problems(settings, quiet=out.quiet, any_size=any_size)
    first = next(problems)
    second = next(problems, None)
    if second is None:
        return answer(first, settings, out)
    started = time.perf_counter()
    status = 0
    with writing_stdout_to(out.output):
        for problem in chain((first, second), problems):
            left = None
            if settings.timeout is not None:
                left = settings.timeout - (time.perf_counter() - started)
                if left <= 0:
                    raise LimitReached(f"stopped at the time limit of {settings.timeout:g} s")
            here = replace(out, output=None, quiet=True, one_line=True)
            status = max(status, answer(problem, replace(settings, timeout=left), here))
    return status
