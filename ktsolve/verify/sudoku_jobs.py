"""The cross-check of sudoku: published values, and the native lists beside those of the solvers of models."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ktsolve.ground.box import Box, Grid
from ktsolve.settings import Settings
from ktsolve.verify.catalogue import sudoku_band_classes, sudoku_class_sizes, sudoku_values
from ktsolve.verify.jobs import IdentitySays

__all__ = ["SudokuJob", "sudoku_jobs"]


@dataclass(frozen=True)
class SudokuJob:
    """Compute something about the grids of a shape in one way, and what it should be.

    Attributes
    ----------
    kind:
        One of the keys of the table below.
    box:
        The shape.
    engine:
        The solver of models that lists, empty if none does.
    sabotaged:
        If this is the engine, it loses what it lists first.
    """

    kind: str
    box: str
    engine: str
    settings: Settings
    sabotaged: str | None = None

    def __call__(self) -> IdentitySays:
        """Both sides. Raises LimitReached."""
        return _KINDS[self.kind](self)

    @property
    def name(self) -> str:
        """As shown in the report."""
        return f"sudoku {self.kind} {self.box}{f' ({self.engine})' if self.engine else ''}"

    @property
    def shape(self) -> Box:
        """The box."""
        return Box.parse(self.box)

    def listed(self, found: Iterable[Grid]) -> list[Grid]:
        """What an engine lists, less the first if it is sabotaged."""
        grids = list(found)
        return grids[1:] if self.sabotaged == self.engine else grids


def _total(job: SudokuJob) -> IdentitySays:
    from ktsolve.sudoku.grids import count_grids

    return IdentitySays(str(count_grids(job.shape, job.settings).total), str(sudoku_values(job.box).grids))


def _chain(job: SudokuJob) -> IdentitySays:
    from ktsolve.sudoku.stages import run_chain

    found = [result.count for result in run_chain(job.shape, job.settings)]
    return IdentitySays(_words(found), _words(sudoku_values(job.box).stages))


def _classes(job: SudokuJob) -> IdentitySays:
    """Sizes of the 416 classes; sizes and completions of the 71; each of the 416 counted by itself."""
    from ktsolve.sudoku.stages import check_completions, run_stage

    finer, coarser = (run_stage(job.shape, name, job.settings) for name in ("permutations", "subsets"))
    counts = check_completions(finer, coarser, job.settings)
    sizes, lines = sudoku_class_sizes(), sudoku_band_classes()
    same = sum(one == other for one, other in zip(finer.sizes, sizes, strict=False))
    alike = sum(
        one == other for one, other in zip(zip(coarser.sizes, counts, strict=True), lines, strict=False)
    )
    return IdentitySays(
        f"{same} of {len(finer.sizes)} sizes, {alike} of {len(counts)} lines",
        f"{len(sizes)} of {len(sizes)} sizes, {len(lines)} of {len(lines)} lines",
    )


def _grids(job: SudokuJob) -> IdentitySays:
    """All grids with box 1 in order, listed by a solver, against the native search."""
    from ktsolve.engines.registry import model_solver
    from ktsolve.models.sudoku_grid import GridModel
    from ktsolve.sudoku.puzzle import Puzzle, count_solutions

    box = job.shape
    whole = box.side == 4
    compiled = GridModel(box, ordered_box=not whole)
    solver = model_solver(job.engine, compiled.model)
    found = job.listed(compiled.grid(each) for each in solver.solutions(compiled.model, job.settings))
    start = [0] * box.cells
    if not whole:
        for digit in range(box.side):
            start[digit // box.columns * box.side + digit % box.columns] = digit + 1
    native = count_solutions(Puzzle(box, tuple(start)), 10**6, job.settings, keep=10**6)
    return _same_sets(found, native.grids)


def _bands(job: SudokuJob) -> IdentitySays:
    """Reduced bands listed by a solver, against the native list."""
    from ktsolve.sudoku.bands import reduced_bands
    from ktsolve.sudoku.enumeration import bands_by_model

    native = reduced_bands(job.shape, job.settings)
    found = job.listed(bands_by_model(job.shape, job.engine, settings=job.settings))
    return _same_sets(found, [native[number] for number in range(len(native))])


def _representatives(job: SudokuJob) -> IdentitySays:
    """One band of each class by column sets, found by a solver."""
    from ktsolve.sudoku.enumeration import representatives
    from ktsolve.sudoku.stages import run_stage

    result = run_stage(job.shape, "column-sets", job.settings)
    found = job.listed(representatives(result, job.engine, job.settings))
    return IdentitySays(f"{len(set(found))} classes", f"{result.count} classes")


def _completions(job: SudokuJob) -> IdentitySays:
    """Bands completed by column sets and by plain search; of 3x3 only the first one."""
    from ktsolve.sudoku.bands import complete, complete_by_search, reduced_bands

    native = reduced_bands(job.shape, job.settings)
    number = 1 if job.box == "3x3" else len(native)
    bands = [native[i] for i in range(number)]
    searched = [complete_by_search(job.shape, band, job.settings) for band in bands]
    counted = complete(job.shape, bands, job.settings)
    alike = sum(one == other for one, other in zip(counted, searched, strict=True))
    return IdentitySays(f"{alike} of {number} bands", f"{number} of {number} bands")


def _listed_completions(job: SudokuJob) -> IdentitySays:
    """Completions of every reduced band listed by a solver, against the number by column sets."""
    from ktsolve.engines.registry import model_solver
    from ktsolve.models.sudoku_grid import GridModel
    from ktsolve.sudoku.bands import complete, reduced_bands

    box, native = job.shape, reduced_bands(job.shape, job.settings)
    numbers = []
    for band in (native[i] for i in range(len(native))):
        compiled = GridModel(box, clues=band + (0,) * (box.cells - len(band)))
        solver = model_solver(job.engine, compiled.model)
        found = job.listed(compiled.grid(each) for each in solver.solutions(compiled.model, job.settings))
        numbers.append(len(set(found)))
    return IdentitySays(_words(numbers), _words(complete(box, native, job.settings)))


def _different(job: SudokuJob) -> IdentitySays:
    from ktsolve.sudoku.symmetries import essentially_different

    found, published = essentially_different(job.shape, job.settings), sudoku_values(job.box)
    if published.without_transposition is None:
        return IdentitySays(str(found.count), str(published.different))
    return IdentitySays(
        _words([found.count, found.without_transposition]),
        _words([published.different or 0, published.without_transposition]),
    )


_KINDS: dict[str, Callable[[SudokuJob], IdentitySays]] = {
    "total": _total,
    "chain": _chain,
    "classes": _classes,
    "grids": _grids,
    "bands": _bands,
    "representatives": _representatives,
    "completions": _completions,
    "completions listed": _listed_completions,
    "different": _different,
}


def _words(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _same_sets(found: list[Grid], native: Iterable[Grid]) -> IdentitySays:
    one, other = set(found), set(native)
    left = f"{len(found)} listed"
    if one != other:
        left += f", {len(other - one)} missing, {len(one - other)} more"
    return IdentitySays(left, f"{len(other)} listed")


_QUICK = (
    *(("total", box, "") for box in ("2x2", "2x3", "2x4", "3x3")),
    ("chain", "3x3", ""),
    ("classes", "3x3", ""),
    ("completions", "3x2", ""),
    ("different", "2x2", ""),
    ("different", "2x3", ""),
    *(("grids", "2x2", engine) for engine in ("sat", "cpsat")),
    *(("bands", "3x2", engine) for engine in ("sat", "cpsat")),
    *(("completions listed", box, engine) for box in ("2x2", "2x3") for engine in ("sat", "cpsat")),
)
_STANDARD = (("bands", "3x3", "sat"), ("bands", "3x3", "cpsat"))
_FULL = (
    ("different", "3x3", ""),
    ("completions", "3x3", ""),
    ("representatives", "3x3", "sat"),
    ("grids", "2x3", "sat"),
    ("grids", "2x3", "cpsat"),
)


def sudoku_jobs(level: str, settings: Settings, sabotaged: str | None) -> list[SudokuJob]:
    """The checks of a level and of those below it."""
    chosen = [*_QUICK]
    if level != "quick":
        chosen += _STANDARD
    if level == "full":
        chosen += _FULL
    return [SudokuJob(kind, box, engine, settings, sabotaged) for kind, box, engine in chosen]
