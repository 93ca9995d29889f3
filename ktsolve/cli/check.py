"""``ktsolve check``: whether a file is a tour, and answers the question."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ktsolve.base.errors import BadInput, NotATour
from ktsolve.base.text import plural
from ktsolve.cli import options as opt
from ktsolve.cli.output import remark
from ktsolve.cli.problem_options import ProblemSpec, instance_problem, takes_problem
from ktsolve.cli.tour_input import UNSTATED, board_change, given_board, naming, read_tour_file
from ktsolve.formats.table import formats_of, listed

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.formats.tours.files import ReadPart
    from ktsolve.graphs.graph import Graph, Move
    from ktsolve.graphs.tour import Tour, Violation
    from ktsolve.problem.longest import LongestProblem

_MANY_CELLS = 10**6  # cells of a board from which no object is made for each


@takes_problem(without=("format", "keep_going"), **UNSTATED)
@opt.takes_work("timeout", "memory")
@opt.takes_output("json", "output", graphs=True)
def check(
    *,
    file: Annotated[str, typer.Argument(metavar="FILE|-", help=f"A tour: {listed(formats_of('tour'))}.")],
    spec: ProblemSpec,
    work: opt.WorkOptions,
    out: opt.OutputOptions,
) -> int:
    """Check that a file is a tour, or name the first violation.

    Examples
    --------
    ktsolve check tour.json                                       # any format
    ktsolve check tour.json --closed                              # and it is closed
    ktsolve tour 6x6 --structured | ktsolve check - --structured  # with conditions
    """
    from ktsolve.formats.tours.files import counts_from_zero, read_parts, read_walk
    from ktsolve.graphs.tour import Violation

    settings = work.settings
    given: Graph | None = None
    on_graph = bool(spec.board) and spec.is_graph
    if file == "-" and spec.board == "-":
        raise BadInput("standard input (-) can be read once: name a file for the tour or the graph")
    try:
        read = read_tour_file(file, settings, on_graph=on_graph)
    except NotATour as error:
        return _report(_Checked(None, Violation(0, str(error)), False, None), out)
    if not isinstance(read, str):
        return _check_array(spec, read, settings, out)
    required: tuple[Move, ...] = ()
    if on_graph:
        graph = spec.as_usual.graph(settings)
        given, required = graph.ground, graph.required
    else:
        given = given_board(spec, settings)
    if spec.is_instance and spec.closed is None:
        spec = replace(spec, closed=instance_problem(spec.board).closed)
    change = board_change(spec)
    if (walk := read_walk(read, given, spec.closed, change)) is not None:
        return _check_walk(*walk, spec, out)
    parts = read_parts(read, given, spec.closed, change)
    with naming(file, spec.board):
        checked = [
            _checked(part, f"tour {number}" if len(parts) > 1 else "", given, spec, required)
            for number, part in enumerate(parts, 1)
        ]
    for part, each in zip(parts, checked, strict=True):
        if part.tour is not None and each.violation is None and counts_from_zero(part.text, part.tour):
            remark("the steps are numbered from 0", quiet=False)
            break
    if len(checked) > 1:
        return _report_several(checked, parts, out)
    return _report(checked[0], out)


@dataclass(frozen=True)
class _Checked:
    """What the check of one tour found: its violation, and whether it is a tour all the same."""

    closed: bool | None
    violation: Violation | None
    valid: bool
    ground: Graph | None
    what: str = "tour"
    of: str = "of"

    @property
    def article(self) -> str:
        return "an" if self.what.startswith("i") else "a"

    @property
    def text(self) -> str:
        if self.violation is None:
            return f"valid {'closed' if self.closed else 'open'} {self.what} {self.of} {self.ground}"
        return (
            f"{'condition violated' if self.valid else f'not {self.article} {self.what}'}: {self.violation}"
        )


def _checked(
    part: ReadPart, name: str, given: Graph | None, spec: ProblemSpec, required: tuple[Move, ...]
) -> _Checked:
    """The check of one tour. Raises BadInput for a part that is not a tour in any format."""
    from ktsolve.graphs.board import Board
    from ktsolve.graphs.tour import Violation

    if part.tour is None:
        if not isinstance(part.error, NotATour):
            part.require(name)
        return _Checked(None, Violation(0, str(part.error)), False, given)
    tour = part.tour
    ground = tour.ground
    if isinstance(ground, Board) and len(tour) < len(ground) and len(ground) > _MANY_CELLS:
        # A few cells far apart span a board that no memory holds.
        few = Violation(0, f"{len(tour):,} of {len(ground):,} cells visited")
        return _Checked(None, few, False, ground)
    asked = replace(spec.as_usual, closed=tour.closed)
    violation = asked.make(ground, required).check(tour)
    if violation is not None and not spec.board and isinstance(ground, Board) and ground.rows == 1:
        remark("read as a board of one row; a tour of a graph needs --board GRAPH", quiet=False)
    return _Checked(tour.closed, violation, violation is None or tour.valid, ground)


def _check_walk(walk: Tour, problem: LongestProblem, spec: ProblemSpec, out: opt.OutputOptions) -> int:
    """The check of a file that states that it is a walk that leaves vertices out."""
    if spec.conditions or spec.clues:
        raise BadInput(f"the file is {problem.noun}, and conditions are about tours: leave them out")
    violation = problem.check(walk)
    made = len(walk.as_closed(problem.closed).moves)
    what = problem.noun.partition(" ")[2] + (
        "" if violation else f" with {made:,} {plural(made, walk.ground.nouns.move)}"
    )
    return _report(_Checked(walk.closed, violation, False, walk.ground, what, "on"), out)


def _check_array(spec: ProblemSpec, tour: Tour, settings: Settings, out: opt.OutputOptions) -> int:
    """The check of a large tour: on its board, and of its ends."""
    tour = tour if spec.closed is None else tour.as_closed(spec.closed)
    board = spec.board or tour.board.size
    named = replace(spec.as_usual, board=board, closed=tour.closed)
    if not named.is_rectangle:
        taken = "--board, --closed, --open, --start and --end"
        raise BadInput(f"a tour of {len(tour):,} cells is checked with {taken} only")
    if named.make_board(settings, any_size=True) != tour.board:
        raise BadInput(f"the tour has {tour.board} cells, the board is {spec.board}")
    violation = named.make(tour.board).check(tour, settings)
    return _report(_Checked(tour.closed, violation, violation is None or tour.valid, tour.board), out)


def _as_json(checked: _Checked) -> dict[str, Any]:
    data: dict[str, Any] = {
        "status": "valid" if checked.violation is None else "invalid",
        "board": None if checked.ground is None else checked.ground.to_json(),
        "closed": checked.closed,
    }
    if checked.violation is not None:
        data["fault"] = {"step": checked.violation.step or None, "reason": checked.violation.reason}
    return data


def _report(checked: _Checked, out: opt.OutputOptions) -> int:
    out.emit(_as_json(checked), checked.text)
    return 0 if checked.violation is None else 1


def _report_several(checked: list[_Checked], parts: list[ReadPart], out: opt.OutputOptions) -> int:
    """The answer about several tours: how many are valid, and each that is not."""
    wrong = [number for number, each in enumerate(checked) if each.violation is not None]
    kinds = Counter(each.text for each in checked if each.violation is None)
    lines = [
        f"{number} {text.replace(' tour of ', ' tours of ', 1) if number > 1 else text}"
        for text, number in kinds.items()
    ]
    for i in wrong:
        where = "" if checked[i].text.startswith("not a tour: line ") else f", in line {parts[i].line}"
        lines.append(f"tour {i + 1}{where}: {checked[i].text}")
    both = zip(parts, checked, strict=True) if out.json else ()
    listed = [{"line": part.line, **_as_json(each)} for part, each in both]
    data = {"status": "invalid" if wrong else "valid", "number": len(checked), "tours": listed}
    out.emit(data, "\n".join(lines))
    return 1 if wrong else 0
