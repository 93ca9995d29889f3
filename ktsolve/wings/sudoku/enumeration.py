"""Bands by solvers of models, to compare with the native list: all bands, or one band of each class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.registry import MODEL_ENGINES
from ktsolve.grids.box import Box, Grid
from ktsolve.wings.sudoku.stages import StageResult

__all__ = ["bands_by_model", "representatives"]


def bands_by_model(
    box: Box,
    engine: str = MODEL_ENGINES[0],
    reductions: Sequence[str] | None = None,
    settings: Settings | None = None,
) -> set[Grid]:
    """All bands that satisfy some reductions, by default those of reduced bands, by a solver of models.

    Examples
    --------
    >>> from ktsolve.wings.sudoku.bands import reduced_bands
    >>> native = reduced_bands(Box(2, 3))
    >>> bands_by_model(Box(2, 3)) == {native[i] for i in range(len(native))}
    True
    """
    from ktsolve.engines.auto import model_solver
    from ktsolve.models.sudoku_band import LEXICOGRAPHIC, BandModel

    compiled = BandModel(box, LEXICOGRAPHIC if reductions is None else reductions)
    solver = model_solver(engine, compiled.model)
    return {compiled.band(found) for found in solver.solutions(compiled.model, settings or Settings())}


def representatives(result: StageResult, settings: Settings | None = None) -> Iterator[Grid]:
    """One band of each class of a stage, found by an incremental SAT solver.

    Symmetry breaking by dominance: after each solution its whole class is ruled out, until the solver proves
    that no band is left. If the classes cover all bands, the number of solutions is the number of classes.

    >>> from ktsolve.wings.sudoku.stages import run_stage
    >>> len(list(representatives(run_stage(Box(3, 2), "permutations"))))
    11
    """
    from ktsolve.engines.sat.lazy import LazySolver
    from ktsolve.models.sudoku_band import BandModel

    if result.bands is None or result.labels is None:
        raise BadInput(f"stage {result.stage.name} has no classes of bands: use reduced or a later stage")
    clock = Clock(settings or Settings())
    bands = result.bands
    classes: dict[int, list[Grid]] = {}
    label_of: dict[Grid, int] = {}
    for number, label in enumerate(result.labels.tolist()):
        classes.setdefault(label, []).append(bands[number])
        label_of[bands[number]] = label
    compiled = BandModel(bands.box)
    solver = LazySolver(compiled.model, "cadical195")
    done = 0
    try:
        while (found := solver.next_solution()) is not None:
            band = compiled.band(found)
            yield band
            done += 1
            for member in classes[label_of[band]]:
                solver.block(compiled.assignment(member))
            clock.check(f"{done} classes found")
    finally:
        solver.close()
