"""Count tours or the solutions of a model exactly: the number, or a table of numbers by something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.base.text import shown
from ktsolve.graphs.graph import Graph
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.counting.answer import CountAnswer, CountRow, CountTable
from ktsolve.tasks.counting.total import count_by_ends, count_tours

if TYPE_CHECKING:
    from ktsolve.model.model import Model
    from ktsolve.tasks.counting.models import ModelCount

__all__ = ["CountAnswer", "CountRow", "CountTable", "count"]

_BY = "start, ends, moves, uses:MOVES, steps:CELL or symmetry"


@overload
def count(problem: Model, engine: str = "auto", settings: Settings | None = None) -> ModelCount: ...


@overload
def count(
    problem: TourProblem | Graph | str | Any,
    engine: str = "auto",
    settings: Settings | None = None,
    *,
    by: str | tuple[str, Any],
    **conditions: Any,
) -> CountTable: ...


@overload
def count(
    problem: TourProblem | Graph | str | Any,
    engine: str = "auto",
    settings: Settings | None = None,
    **conditions: Any,
) -> CountAnswer: ...


def count(
    problem: Any,
    engine: str = "auto",
    settings: Settings | None = None,
    *,
    by: str | tuple[str, Any] | None = None,
    **conditions: Any,
) -> CountAnswer | CountTable | ModelCount:
    """Count tours, or the solutions of a model, exactly.

    Parameters
    ----------
    problem:
        A problem; or a board, its size such as ``"8x8"``, a graph, or its name: see :meth:`TourProblem.of`.
        Or a :class:`ktsolve.Model`, whose solutions are counted.
    engine:
        Name of the engine, or ``auto``.
    settings:
        Limits and threads; the defaults if None.
    by:
        What a table of numbers is ordered by; None for the number alone.

        - ``"start"``, ``"ends"``: open tours by the class of their start, or of both ends.
        - ``"moves"``: the tours through each move.
        - ``"uses:MOVES"``: by how many moves of a set a tour uses, such as ``"uses:slopes"`` or
          ``"uses:a1-b3,c2-d4"`` (:data:`ktsolve.problem.move_sets.MOVE_SETS`); or ``("uses", moves)``.
        - ``"steps:CELL"``: by the step at which a tour visits the cell; or ``("steps", cell)``.
        - ``"symmetry"``: tours up to symmetry, by Burnside's lemma.
    **conditions:
        Where no problem is given, ``closed`` and conditions, as for :class:`TourProblem`. For a model,
        ``assumptions``.

    Returns
    -------
    CountAnswer or CountTable or ModelCount
        The number of tours; the table, if ``by`` is given; the number of solutions of a model.

    Raises
    ------
    BadInput
        For an unknown ``by``, and a table that the problem does not have.
    Refused
        If the engine cannot take the problem.
    LimitReached
        If time or memory runs out first.
    WrongAnswer
        If the numbers of a table do not add up.

    Examples
    --------
    >>> answer = count("6x6")
    >>> answer.count, answer.directed
    (9862, 19724)
    >>> table = count("5x5", by="start", closed=False)
    >>> table.count, table.counts[0, 0]
    (864, 304)
    >>> count("6x6", by="symmetry").classes
    1245
    """
    if not isinstance(problem, TourProblem | Graph | str):
        from ktsolve.model.model import Model

        if isinstance(problem, Model):
            from ktsolve.tasks.counting.models import count_solutions

            if by is not None:
                raise BadInput("the solutions of a model are one number: leave out by")
            return count_solutions(problem, engine, settings, **conditions)
    problem = TourProblem.of(problem, **conditions)
    settings = Settings.of(settings)
    if by is None:
        return count_tours(problem, engine, settings)
    return _table(problem, by, engine, settings)


def _table(problem: TourProblem, by: str | tuple[str, Any], engine: str, settings: Settings) -> CountTable:
    of: Any = None
    if isinstance(by, str):
        name, colon, text = by.partition(":")
        of = text if colon else None
    else:
        name, of = by
    if (of is None) == (name in ("uses", "steps")):
        raise BadInput(f"counts by {shown(str(by))} are unknown: use {_BY}")
    if name in ("start", "ends"):
        return count_by_ends(problem, name, engine, settings)
    if name == "moves":
        from ktsolve.tasks.counting.moves import count_by_moves

        return count_by_moves(problem, engine, settings)
    if name == "uses":
        from ktsolve.tasks.counting.moves import count_by_uses

        return count_by_uses(problem, of, engine, settings)
    if name == "steps":
        from ktsolve.tasks.counting.steps import count_by_steps

        return count_by_steps(problem, of, engine, settings)
    if name == "symmetry":
        from ktsolve.tasks.counting.symmetry import count_by_symmetry

        return count_by_symmetry(problem, engine, settings)
    raise BadInput(f"counts by {shown(str(by))} are unknown: use {_BY}")
