"""The worker process of ``sequence.py``: runs a contender, or checks answers (see ``worker.py``)."""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from contract import Question
from samplers import SAMPLERS, Draw, slope
from worker import contend, machine_facts, serve

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.problem.problem import TourProblem

_FEW = 100_000
"""Tours up to which all are listed, so that the shares of single tours are compared."""

_LONG = 120.0
"""Seconds after which the exact frequencies of moves are given up."""


def _contend(job: dict[str, Any]) -> list[Any]:
    return contend(SAMPLERS, job, Draw(Question(**job["question"]), job["number"], job["seconds"]))


def _check(job: dict[str, Any]) -> list[Any]:
    """Return ``ok`` or ``wrong``, a remark, and what the answer says, for each file."""
    problem = Question(**job["question"]).problem()
    check = {
        "numbered": _check_numbered,
        "listed": _check_listed,
        "moves": _check_moves,
        "uses": _check_uses,
        "sample": _check_sample,
        "command": _check_command,
    }[job["task"]]
    verdicts = []
    for file in job["files"]:
        with open(file, encoding="utf-8") as stream:
            if job["task"] == "command":
                answer = stream.read()
            else:
                stream.readline()
                answer = json.loads(stream.readline())
        verdicts.append(check(problem, answer, job))
    return [verdicts]


_Verdict = tuple[str, str, dict[str, Any]]


def _known(problem: TourProblem) -> int:
    """Return the published number of tours, or what another engine counts."""
    from ktsolve.base.limits import Settings
    from ktsolve.engines.registry import engine_named
    from ktsolve.verify.published import published_value

    known = published_value(problem)
    return known.count if known is not None else engine_named("frontier").count(problem, Settings()).count


def _rows(problem: TourProblem, walks: list[list[int]]) -> NDArray[np.int32]:
    """Return walks as an array. Raises ValueError if one of them does not answer the problem."""
    import numpy as np

    rows = np.array(walks, dtype=np.int32).reshape(len(walks), -1)
    if not len(rows) or not problem.check_rows(rows).all():
        raise ValueError("a tour does not answer the problem" if len(rows) else "no tour was drawn")
    return rows


def _check_numbered(problem: TourProblem, answer: Any, _job: dict[str, Any]) -> _Verdict:
    known = _known(problem)
    if answer["count"] != str(known):
        return "wrong", f"{answer['count']} tours, known: {known}", {}
    if not answer["agree"]:
        return "wrong", "ranks differ from the indices drawn", {}
    try:
        _rows(problem, answer["tours"])
    except ValueError as error:
        return "wrong", str(error), {}
    return "ok", "", {"count": known, "order": answer["order"], "bytes": answer["bytes"]}


def _check_listed(problem: TourProblem, answer: Any, _job: dict[str, Any]) -> _Verdict:
    import numpy as np

    known = _known(problem)
    try:
        rows = _rows(problem, answer["tours"])
    except ValueError as error:
        return "wrong", str(error), {}
    different = len(np.unique(_normal(rows), axis=0))
    if not different == len(rows) == known:
        return "wrong", f"{len(rows)} tours, {different} different, known: {known}", {}
    return "ok", "", {"count": known}


def _check_moves(problem: TourProblem, answer: Any, _job: dict[str, Any]) -> _Verdict:
    # A closed tour has a move for each cell, and both moves of a corner.
    counts, known = list(map(int, answer)), _known(problem)
    if sum(counts) != known * len(problem.ground):
        return "wrong", "the counts do not add up to the moves of all tours", {}
    for (u, v), count in zip(problem.ground.edges.tolist(), counts, strict=True):
        if (u == 0 or v == 0) and count != known:
            return "wrong", "a tour has both moves of a corner", {}
    return "ok", "", {"count": known}


def _check_uses(problem: TourProblem, answer: Any, _job: dict[str, Any]) -> _Verdict:
    # On a square board all slopes are alike: a tour has a quarter of its moves in each on average.
    counts, known = list(map(int, answer)), _known(problem)
    moves = sum(number * count for number, count in enumerate(counts))
    if sum(counts) != known or 4 * moves != known * len(problem.ground):
        return "wrong", "the counts do not add up to the tours and their moves", {}
    if len(counts) > len(slope(problem)) + 1:
        return "wrong", "a tour has more moves of the slope than there are", {}
    return "ok", "", {"count": known}


def _check_command(problem: TourProblem, answer: str, job: dict[str, Any]) -> _Verdict:
    from ktsolve.formats.tours.files import read_tour

    if job["says"]:
        missing = [text for text in job["says"] if not re.search(text, answer)]
        return ("wrong", f"the output has no {missing[0]}", {}) if missing else ("ok", "", {})
    counted = re.search(r": (\d+) undirected tours", answer)
    if counted is not None:
        known = _known(problem)
        right = int(counted[1]) == known
        return ("ok", "", {"count": known}) if right else ("wrong", "another count by frontier", {})
    violation = problem.check(read_tour(answer, problem.board, problem.closed))
    return ("ok", "", {}) if violation is None else ("wrong", str(violation), {})


# -- whether a sample is uniform ----------------------------------------------------------------------------


def _check_sample(problem: TourProblem, answer: Any, _job: dict[str, Any]) -> _Verdict:
    try:
        rows = _rows(problem, answer)
    except ValueError as error:
        return "wrong", str(error), {}
    from ktsolve.base.errors import LimitReached

    found: dict[str, Any] = {"drawn": len(rows)}
    with contextlib.suppress(LimitReached):
        found["moves"] = _of_moves(problem, rows)
    known = _known(problem)
    if known <= _FEW:
        found["tours"], found["different"] = _of_tours(rows, known)
    return "ok", "", found


def _normal(rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return closed tours from cell 0 on, towards the smaller of its neighbours."""
    import numpy as np

    n = rows.shape[1]
    at = np.argmin(rows, axis=1)[:, None]
    ahead = np.take_along_axis(rows, (at + np.arange(n)) % n, axis=1)
    back = np.take_along_axis(rows, (at - np.arange(n)) % n, axis=1)
    return np.where((ahead[:, 1] < back[:, 1])[:, None], ahead, back)


def _of_tours(rows: NDArray[np.int32], known: int) -> tuple[float, int]:
    """Return chi-square over all tours, by its degrees of freedom, and the number of different tours."""
    import numpy as np

    drawn = np.unique(_normal(rows), axis=0, return_counts=True)[1]
    expected = len(rows) / known
    total = float(((drawn - expected) ** 2).sum()) / expected + (known - len(drawn)) * expected
    return total / (known - 1), len(drawn)


def _of_moves(problem: TourProblem, rows: NDArray[np.int32]) -> float:
    """Return the mean square of the deviations of the moves' frequencies, each in standard deviations.

    The expectation is 1 for a uniform sample, whatever the dependence between the moves.
    """
    import numpy as np

    n = rows.shape[1]
    exact = np.array([float(count) for count in _exact(problem)]) / _known(problem)
    codes = rows.astype(np.int64)
    after = np.roll(codes, -1, axis=1)
    keys = np.minimum(codes, after) * n + np.maximum(codes, after)
    edges = problem.ground.edges.astype(np.int64)
    order = edges[:, 0] * n + edges[:, 1]
    seen = np.bincount(np.searchsorted(order, keys.ravel()), minlength=len(order)) / len(rows)
    loose = (exact > 0) & (exact < 1)
    spread = exact[loose] * (1 - exact[loose]) / len(rows)
    return float(np.mean((seen[loose] - exact[loose]) ** 2 / spread))


_EXACT: dict[str, list[int]] = {}


def _exact(problem: TourProblem) -> list[int]:
    """Return how many tours use each move: by listing all tours if there are few."""
    from ktsolve.base.limits import Settings
    from ktsolve.engines.auto import choose
    from ktsolve.engines.registry import engine_named

    if str(problem) in _EXACT:
        return _EXACT[str(problem)]
    if _known(problem) <= _FEW:
        used = Counter(
            move for tour in engine_named("search").enumerate(problem, Settings()) for move in tour.moves
        )
        counts = [used[move] for move in problem.ground.moves]
    else:
        counts = choose("auto", "tally", problem).move_counts(problem, Settings(timeout=_LONG))
    return _EXACT.setdefault(str(problem), counts)


def _facts(job: dict[str, Any]) -> list[Any]:
    return machine_facts(job["packages"])


if __name__ == "__main__":
    serve({"check": _check, "facts": _facts}, _contend)
