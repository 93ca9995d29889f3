"""``ktsolve non-crossing``: the longest path or cycle that does not cross itself."""

from __future__ import annotations

from typing import Annotated, Any

from ktsolve.base.errors import LimitReached
from ktsolve.cli import options as opt
from ktsolve.cli.output import remark
from ktsolve.cli.output_format import WALK
from ktsolve.cli.problem_options import ProblemSpec, takes_problem
from ktsolve.cli.tour_output import emit_tour


@takes_problem("board", "closed", "without", "leaper")
@opt.takes_work("timeout", "threads", "memory")
@opt.takes_output(writes=WALK)
def non_crossing(
    *,
    spec: ProblemSpec,
    engine: Annotated[str, opt.engine_option("--engine", "Engine: auto, search or cpsat.", "NAME")] = "auto",
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Find the longest cycle, or path, that does not cross itself.

    It need not visit all cells.

    Examples
    --------
    ktsolve non-crossing 6x6         # a cycle
    ktsolve non-crossing 5x5 --open  # a path
    """
    from ktsolve.problem.non_crossing import NonCrossingProblem
    from ktsolve.tasks.best import longest_non_crossing

    settings = work.settings
    problem = NonCrossingProblem(spec.make_board(settings), spec.closed)
    question: dict[str, Any] = {
        "walk": "non-crossing",
        "board": problem.board.to_json(),
        "closed": problem.closed,
    }
    unknown = {**question, "status": "unknown", "engine": engine}
    with out.reporting(settings, str(problem), unknown) as watched:
        found = longest_non_crossing(problem, engine, watched)
    data = {**question, "status": found.status, "moves": found.length, "bound": found.bound}
    if found.walk is None or out.json:
        squares = {} if found.walk is None else {"squares": found.walk.squares}
        out.emit(data | squares | found.work, f"there is no {problem}")
    else:
        emit_tour(found.walk, out.form, out, non_crossing=True)
        proved = "proved longest" if found.optimal else f"at most {found.bound}"
        remark(f"{found.length} moves, {proved}; {found.work_text}", quiet=out.quiet)
    if found.status == "found":
        raise LimitReached("the longest walk found is not proved longest: give more time")
    return 0 if found.found else 1
