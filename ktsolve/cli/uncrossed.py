"""``ktsolve uncrossed``: the longest path or cycle that does not cross itself."""

from __future__ import annotations

from typing import Annotated, Any

from ktsolve.cli import options as opt
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_output import shown_tour
from ktsolve.errors import LimitReached


@takes_problem("board", "closed", "without", "leaper")
@opt.takes_work("timeout", "threads", "memory")
@opt.takes_output()
def uncrossed(
    *,
    spec: ProblemSpec,
    engine: Annotated[str, opt.worked("--engine", "Engine: auto, search or cpsat.", "NAME")] = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Find the longest cycle, or path, that does not cross itself.

    It need not visit all cells.

    Examples
    --------
    ktsolve uncrossed 6x6         # a cycle
    ktsolve uncrossed 5x5 --open  # a path
    """
    from ktsolve.problem.non_crossing import UncrossedProblem
    from ktsolve.tasks.non_crossing import longest_non_crossing

    settings = work.settings
    problem = UncrossedProblem(spec.make_board(settings), spec.closed)
    question: dict[str, Any] = {
        "walk": "uncrossed",
        "board": problem.board.to_json(),
        "closed": problem.closed,
    }
    unknown = {**question, "status": "unknown", "engine": engine}
    with out.reporting(settings, str(problem), unknown) as watched:
        found = longest_non_crossing(problem, engine, watched)
    data = {**question, "status": found.status, "moves": found.length, "bound": found.bound}
    text, note = f"there is no {problem}", ""
    if found.walk is not None:
        data["squares"] = found.walk.squares
        proved = "proved longest" if found.optimal else f"at most {found.bound}"
        text = shown_tour(found.walk, out)
        note = f"{found.length} moves, {proved}; {found.work_text}"
    out.emit(data | found.work, text, note)
    if found.status == "found":
        raise LimitReached("the longest walk found is not proved longest: give more time")
    return 0 if found.found else 1
