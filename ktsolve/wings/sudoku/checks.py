"""Jobs of the cross-check: published values (``ktsolve/data``), native lists and those of model solvers."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ktsolve.engines.auto import model_solver
from ktsolve.engines.registry import MODEL_ENGINES
from ktsolve.grids.box import Box, Grid
from ktsolve.models.sudoku_grid import SudokuGridModel
from ktsolve.verify.jobs import Context, Job, Sides
from ktsolve.verify.published import data_lines, data_tables
from ktsolve.wings.sudoku.bands import complete, complete_by_search, reduced_bands
from ktsolve.wings.sudoku.grid_order import Grids
from ktsolve.wings.sudoku.grids import count_grids
from ktsolve.wings.sudoku.puzzle import Puzzle, count_solutions
from ktsolve.wings.sudoku.stages import (
    bands_by_model,
    check_completions,
    representatives,
    run_chain,
    run_stage,
)
from ktsolve.wings.sudoku.symmetries import essentially_different

__all__ = ["sudoku_band_classes", "sudoku_class_sizes", "sudoku_jobs", "sudoku_values"]


@dataclass(frozen=True)
class PublishedSudoku:
    """Published numbers of the grids of a shape; None where none exists."""

    box: str
    grids: int
    source: str
    different: int | None = None
    without_transposition: int | None = None
    stages: tuple[int, ...] = ()


def sudoku_values(box: str) -> PublishedSudoku:
    """The published numbers of the grids of a shape.

    >>> sudoku_values("2x3").different
    49
    """
    entry = next(entry for entry in data_tables()["sudoku"] if entry["box"] == box)
    numbers = {
        key: int(entry[key]) for key in ("grids", "different", "without_transposition") if key in entry
    }
    return PublishedSudoku(box, source=entry["source"], stages=tuple(entry.get("stages", ())), **numbers)


def sudoku_class_sizes() -> list[int]:
    """Sizes of the 416 classes of 3x3 bands under permutations, in the order of their first bands."""
    return [int(size) for line in data_lines("sudoku-416-class-sizes.txt") for size in line.split()]


def sudoku_band_classes() -> list[tuple[int, int]]:
    """Bands, and completions of each, of the 71 classes of 3x3 bands, in the order of their first bands.

    >>> sudoku_band_classes()[0]
    (4, 7802998272)
    """
    rows = csv.DictReader(data_lines("sudoku-71-band-classes.csv"))
    return [(int(row["bands"]), 72 * int(row["completions_over_72"])) for row in rows]


def _listed(context: Context, engine: str, found: Iterable[Grid]) -> list[Grid]:
    """The grids that an engine lists, without the first if it has an injected fault."""
    return list(found)[context.faulty == engine :]


def _solved(context: Context, engine: str, compiled: SudokuGridModel) -> list[Grid]:
    solver = model_solver(engine, compiled.model)
    return _listed(context, engine, map(compiled.grid, solver.solutions(compiled.model, context.settings)))


def _total(context: Context, box: Box, engine: str) -> Sides:
    return Sides(str(count_grids(box, context.settings).total), str(sudoku_values(str(box)).grids))


def _chain(context: Context, box: Box, engine: str) -> Sides:
    found = [result.count for result in run_chain(box, context.settings)]
    return Sides(_text(found), _text(sudoku_values(str(box)).stages))


def _classes(context: Context, box: Box, engine: str) -> Sides:
    """Sizes of the 416 classes; sizes and completions of the 71; each of the 416 counted by itself."""
    finer, coarser = (run_stage(box, name, context.settings) for name in ("permutations", "subsets"))
    counts = check_completions(finer, coarser, context.settings)
    sizes, lines = sudoku_class_sizes(), sudoku_band_classes()
    same = sum(one == other for one, other in zip(finer.sizes, sizes, strict=False))
    alike = sum(
        one == other for one, other in zip(zip(coarser.sizes, counts, strict=True), lines, strict=False)
    )
    return Sides(
        f"{same} of {len(finer.sizes)} sizes, {alike} of {len(counts)} lines",
        f"{len(sizes)} of {len(sizes)} sizes, {len(lines)} of {len(lines)} lines",
    )


def _grids(context: Context, box: Box, engine: str) -> Sides:
    """All grids with box 1 in order, listed by a solver, against the native search."""
    whole = box.side == 4
    found = _solved(context, engine, SudokuGridModel(box, ordered_box=not whole))
    start = [0] * box.cells
    if not whole:
        for digit in range(box.side):
            start[digit // box.columns * box.side + digit % box.columns] = digit + 1
    native = count_solutions(Puzzle(box, tuple(start)), 10**6, context.settings, keep=10**6)
    return _same_sets(found, native.grids)


def _bands(context: Context, box: Box, engine: str) -> Sides:
    """Reduced bands listed by a solver, against the native list."""
    native = reduced_bands(box, context.settings)
    found = _listed(context, engine, bands_by_model(box, engine, settings=context.settings))
    return _same_sets(found, [native[number] for number in range(len(native))])


def _representatives(context: Context, box: Box, engine: str) -> Sides:
    """One band of each class by column sets, found by a solver."""
    result = run_stage(box, "column-sets", context.settings)
    found = _listed(context, engine, representatives(result, context.settings))
    return Sides(f"{len(set(found))} classes", f"{result.count} classes")


def _completions(context: Context, box: Box, engine: str) -> Sides:
    """Bands completed by column sets and by plain search; of 3x3 only the first one."""
    native = reduced_bands(box, context.settings)
    number = 1 if str(box) == "3x3" else len(native)
    bands = [native[i] for i in range(number)]
    searched = [complete_by_search(box, band, context.settings) for band in bands]
    counted = complete(box, bands, context.settings)
    alike = sum(one == other for one, other in zip(counted, searched, strict=True))
    return Sides(f"{alike} of {number} bands", f"{number} of {number} bands")


def _completions_listed(context: Context, box: Box, engine: str) -> Sides:
    """Completions of every reduced band listed by a solver, against the number by column sets."""
    native = reduced_bands(box, context.settings)
    numbers = []
    for band in (native[i] for i in range(len(native))):
        clues = band + (0,) * (box.cells - len(band))
        numbers.append(len(set(_solved(context, engine, SudokuGridModel(box, clues=clues)))))
    return Sides(_text(numbers), _text(complete(box, native, context.settings)))


def _different(context: Context, box: Box, engine: str) -> Sides:
    found, published = essentially_different(box, context.settings), sudoku_values(str(box))
    if published.without_transposition is None:
        return Sides(str(found.count), str(published.different))
    return Sides(
        _text([found.count, found.without_transposition]),
        _text([published.different or 0, published.without_transposition]),
    )


def _order(context: Context, box: Box, engine: str) -> Sides:
    """Indices through grids and back: all of them, or some hundred; grids that a search finds among them."""
    grids = Grids(box, context.settings)
    whole = grids.count <= 10**4
    places = list(range(grids.count)) if whole else grids.sample_places(200, seed=1)
    listed = grids.at(places)
    searched = count_solutions(Puzzle(box, (0,) * box.cells), 10**4, context.settings, keep=10**4).grids
    same = sum(one == other for one, other in zip(grids.indices(listed), places, strict=True))
    back = sum(map(tuple.__eq__, grids.at(grids.indices(searched[:200])), searched[:200]))
    number = len(set(searched) & set(listed)) if whole else back
    return Sides(
        f"{same} indices, {number} grids of {grids.count}",
        f"{len(places)} indices, {len(searched) if whole else 200} grids of {count_grids(box).total}",
    )


def _text(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _same_sets(found: list[Grid], native: Iterable[Grid]) -> Sides:
    one, other = set(found), set(native)
    left = f"{len(found)} listed"
    if one != other:
        left += f", {len(other - one)} missing, {len(one - other)} more"
    return Sides(left, f"{len(other)} listed")


_JOBS = (
    *((_total, box, "", "quick") for box in ("2x2", "2x3", "2x4", "3x3")),
    (_chain, "3x3", "", "quick"),
    (_classes, "3x3", "", "quick"),
    (_completions, "3x2", "", "quick"),
    *((_order, box, "", "quick") for box in ("2x2", "2x3", "3x3")),
    (_different, "2x2", "", "quick"),
    (_different, "2x3", "", "quick"),
    *((_grids, "2x2", engine, "quick") for engine in MODEL_ENGINES),
    *((_bands, "3x2", engine, "quick") for engine in MODEL_ENGINES),
    *((_completions_listed, box, engine, "quick") for box in ("2x2", "2x3") for engine in MODEL_ENGINES),
    *((_bands, "3x3", engine, "standard") for engine in MODEL_ENGINES),
    (_different, "3x3", "", "full"),
    (_completions, "3x3", "", "full"),
    (_representatives, "3x3", "sat", "full"),
    *((_grids, "2x3", engine, "full") for engine in MODEL_ENGINES),
)


def sudoku_jobs(_level: str) -> Iterator[Job]:
    """Jobs of sudoku."""
    for sides, box, engine, level in _JOBS:
        kind = sides.__name__.strip("_").replace("_", " ")
        name = f"sudoku {kind} {box}{f' ({engine})' if engine else ''}"
        yield Job(name, sides, (Box.parse(box), engine), level, seconds=5.0)
