"""``ktsolve properties``: properties of one graph about its Hamiltonian cycles and paths, with proofs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ktsolve.cli import options as opt
from ktsolve.cli.graphs import named
from ktsolve.cli.output_format import ANSWER
from ktsolve.cli.problem_options import ProblemSpec, answer_each, takes_problem
from ktsolve.graphs.properties import PROPERTIES

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.problem.problem import TourProblem

_WIDTH = max(map(len, PROPERTIES))


@takes_problem("board", "without", "leaper", "wrap", "strict", "keep_going")
@opt.takes_work("timeout", "threads", "memory")
@opt.takes_output(writes=ANSWER, graphs=True)
def properties(
    *,
    spec: ProblemSpec,
    of: Annotated[
        str | None,
        opt.problem_option("--of", f"Only these: {', '.join(PROPERTIES)}.", "LIST"),
    ] = None,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Decide properties of a graph, each with the cycles or paths that prove it.

    With --json all of these are there, in the text the first. For lists of graphs see ktsolve graphs.

    Examples
    --------
    ktsolve properties graph:petersen                        # all of them
    ktsolve properties graph:petersen --of hypohamiltonian   # one
    ktsolve properties 3x10 --of edges-in-every-cycle,edges-in-no-cycle
    """
    names = named("--of", of, PROPERTIES) or PROPERTIES

    def answer(problem: TourProblem, settings: Settings, out: opt.OutputOptions) -> int:
        from ktsolve.tasks.properties import properties as decide

        ground = problem.ground
        unknown = {"board": ground.to_json(), "properties": None}
        with out.reporting(settings, f"properties of {ground}", unknown) as watched:
            found = decide(ground, names, watched)
        rows = found.lines()
        if out.one_line:
            text = ", ".join(f"{name} {holds}" for name, holds, _ in rows)
        else:
            text = "\n".join(f"{name:{_WIDTH}}  {holds:3}  {proof}".rstrip() for name, holds, proof in rows)
        out.emit(found.to_json(), text, f"{found.seconds:.3f} s")
        return 0

    return answer_each(spec, work.settings, out, answer)
