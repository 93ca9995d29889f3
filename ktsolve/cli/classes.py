"""``ktsolve count --up-to-symmetry``: the number of tours up to symmetry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ktsolve.base.text import plural
from ktsolve.render.text_table import Column, fitted, wrapped

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.cli.options import OutputOptions
    from ktsolve.problem.problem import TourProblem
    from ktsolve.tasks.counting.symmetry import SymmetryClasses


def emit_classes(
    problem: TourProblem, question: dict[str, Any], engine: str, settings: Settings, out: OutputOptions
) -> None:
    """Count and print; the JSON begins with ``question``."""
    from ktsolve.tasks.counting.symmetry import count_up_to_symmetry

    unknown = {**question, "count": None, "directed": problem.ground.directed, "engine": engine}
    with out.reporting(settings, str(problem), unknown) as watched:
        found = count_up_to_symmetry(problem, engine, watched)
    names = dict.fromkeys((found.engine, *(each.engine for each in found.invariant)))
    engines = ", ".join(name for name in names if name != "arithmetic") or "arithmetic"
    note = f"{engines}, {found.seconds:.3f} s"
    out.emit({**question, **_as_json(problem, found)}, _as_text(problem, found, out.width), note)


def _as_json(problem: TourProblem, found: SymmetryClasses) -> dict[str, Any]:
    invariant = [{**vars(each), "count": str(each.count)} for each in found.invariant]
    return {
        "count": str(found.count),
        "directed": problem.ground.directed,
        **found.work,
        "up_to_symmetry": {"classes": str(found.classes), "group": found.order, "invariant": invariant},
    }


def _as_text(problem: TourProblem, found: SymmetryClasses, width: int | None) -> str:
    columns = [
        Column("symmetry", text=True),
        Column("elements", "r", dropped=1),
        Column("invariant tours", "r"),
    ]
    rows = [(each.symmetry, str(each.elements), str(each.count)) for each in found.invariant]
    total = sum(each.elements * each.count for each in found.invariant)
    sums = f"{found.classes} {plural(found.classes, 'class')} = {total} / {found.order}"
    way = "directed" if problem.ground.directed else "undirected"
    tours = plural(found.count, "tour")
    conclusion = f"{problem}: {found.count} {way} {tours}, {sums}"
    return "\n".join([*fitted(columns, rows, width), "", *wrapped(conclusion, width)])
