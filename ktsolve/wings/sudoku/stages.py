"""The stages from all bands to the few classes to complete: 2612736, 36288, 416, 174, 71, 44 for 3x3.

Each stage but the last merges classes of an earlier stage by further operations; the last compares column
sets. A stage can be run alone; it then computes the earlier classes that it needs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput, InternalError
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.text import csv_text, unknown
from ktsolve.engines.registry import MODEL_ENGINES
from ktsolve.grids.box import Box, Grid
from ktsolve.render.text_table import Column, fitted, wrapped
from ktsolve.wings.sudoku.bands import Bands, bands_each, can_complete, complete, count_bands, reduced_bands
from ktsolve.wings.sudoku.operations import (
    Operation,
    boxes,
    column_subsets,
    columns,
    rectangles,
    row_subsets,
    rows,
)

__all__ = [
    "STAGES",
    "BandClass",
    "Classification",
    "Stage",
    "StageResult",
    "bands_by_model",
    "check_completions",
    "representatives",
    "run_chain",
    "run_stage",
    "stage_names",
]


@dataclass(frozen=True)
class Stage:
    """A step of the chain: a name, what it counts, operations that merge classes of the stage before."""

    name: str
    title: str
    operations: tuple[Operation, ...] = ()


STAGES: tuple[Stage, ...] = (
    Stage("bands", "bands with box 1 fixed"),
    Stage("reduced", "lexicographically reduced bands"),
    Stage("permutations", "under permutations of boxes, rows and columns", (boxes, rows, columns)),
    Stage("rectangles", "and under exchanges of rectangles", (rectangles,)),
    Stage("subsets", "and under exchanges of equal subsets", (row_subsets, column_subsets)),
    Stage("column-sets", "classes by column sets"),
)


def stage_names() -> tuple[str, ...]:
    """Return the names of the stages."""
    return tuple(stage.name for stage in STAGES)


@dataclass(frozen=True)
class BandClass:
    """A number of reduced bands with equally many completions, and the first of them."""

    representative: Grid
    bands: int
    completions: int | None = None


@dataclass(frozen=True)
class StageResult:
    """The number of bands or classes of a stage, and its time without earlier stages.

    With the reduced bands goes, for each, the number of the first band of its class; stage ``bands`` has
    none.
    """

    stage: Stage
    count: int
    seconds: float
    bands: Bands | None = None
    labels: NDArray[np.uint32] | None = None

    @cached_property
    def firsts(self) -> list[int]:
        """Number of the first band of each class."""
        return [] if self.labels is None else [int(label) for label in np.unique(self.labels)]

    @cached_property
    def sizes(self) -> list[int]:
        """Number of reduced bands in each class, classes in the order of their first bands."""
        if self.labels is None:
            return []
        return [int(size) for size in np.unique(self.labels, return_counts=True)[1]]

    def classes(self, completions: Sequence[int] | None = None) -> list[BandClass]:
        """The classes, with the given completions of their first bands."""
        if self.bands is None:
            return []
        counts: Sequence[int | None] = completions if completions is not None else [None] * len(self.firsts)
        return [
            BandClass(self.bands[first], size, count)
            for first, size, count in zip(self.firsts, self.sizes, counts, strict=True)
        ]


def run_chain(
    box: Box, settings: Settings | None = None, *, everywhere: bool = False
) -> Iterator[StageResult]:
    """Run all stages in order.

    ``everywhere`` tries the moves of rectangles and subsets on every band. By default they are tried on the
    first band of each class under permutations; that is enough, because permutations map these moves to each
    other.

    >>> [(result.stage.name, result.count) for result in run_chain(Box(2, 3))][:3]
    [('bands', 36), ('reduced', 6), ('permutations', 3)]
    """
    chain = _Chain(box, settings or Settings(), everywhere)
    yield from map(chain.run, STAGES)


def run_stage(
    box: Box, name: str, settings: Settings | None = None, *, everywhere: bool = False
) -> StageResult:
    """The result of one stage, computed from the reduced bands.

    >>> run_stage(Box(3, 3), "rectangles").count
    174
    """
    stage = next((stage for stage in STAGES if stage.name == name), None)
    if stage is None:
        raise unknown("stage", name, stage_names())
    return _Chain(box, settings or Settings(), everywhere).run(stage)


class _Chain:
    """Runs stages and caches the reduced bands and the labels of each stage."""

    def __init__(self, box: Box, settings: Settings, everywhere: bool) -> None:
        self._box, self._settings, self._everywhere = box, settings, everywhere
        self._clock = Clock(settings)
        self._labels: dict[Stage, NDArray[np.uint32]] = {}

    @cached_property
    def _bands(self) -> Bands:
        return reduced_bands(self._box, self._clock.within(self._settings))

    def run(self, stage: Stage) -> StageResult:
        started = time.perf_counter()
        if stage.name == "bands":
            found = count_bands(self._box, self._clock.within(self._settings))
            return StageResult(stage, found, time.perf_counter() - started)
        labels = self._labels_of(stage)
        count = len(np.unique(labels))
        self._clock.check(f"{stage.name}: {count:,}")
        return StageResult(stage, count, time.perf_counter() - started, self._bands, labels)

    def _labels_of(self, stage: Stage) -> NDArray[np.uint32]:
        from ktsolve import _native

        if stage in self._labels:
            return self._labels[stage]
        bands, shape = self._bands, (self._box.rows, self._box.columns)
        labels = np.arange(len(bands), dtype=np.uint32)
        if stage.name == "column-sets":
            classes = _native.sudoku_column_classes(shape, bands.digits)
            _, firsts, number = np.unique(classes, return_index=True, return_inverse=True)
            labels = firsts[number].astype(np.uint32)
        elif stage.operations:
            tried = labels
            if stage is not STAGES[2]:
                labels = self._labels_of(STAGES[STAGES.index(stage) - 1])
                if not self._everywhere:
                    tried = np.unique(self._labels_of(STAGES[2]))
            moves = [(list(m.swaps), m.if_same_digits) for op in stage.operations for m in op(self._box)]
            if moves:
                labels = _native.sudoku_join_classes(shape, bands.digits, moves, tried, labels)
        return self._labels.setdefault(stage, labels)


def check_completions(
    finer: StageResult, coarser: StageResult, settings: Settings | None = None
) -> list[int]:
    """Completions of each class of ``coarser``, after a check that bands of a class have equally many.

    Those of the first band of each class of ``finer``, an earlier stage, are counted.
    """
    assert finer.bands is not None
    assert coarser.labels is not None
    box = finer.bands.box
    firsts = finer.firsts
    counts = complete(box, [finer.bands[first] for first in firsts], settings)
    of_class: dict[int, int] = {}
    for first, count in zip(firsts, counts, strict=True):
        label = int(coarser.labels[first])
        if of_class.setdefault(label, count) != count:
            raise InternalError(
                f"stage {coarser.stage.name} puts bands {label} and {first} into one class, "
                f"which have {of_class[label]} and {count} completions"
            )
    return [of_class[label] for label in coarser.firsts]


def total_of(classes: Sequence[BandClass], box: Box) -> int:
    """All grids, from classes with completions: names of digits x bands x completions.

    >>> total_of([BandClass((), 2, 12), BandClass((), 2, 0)], Box(2, 2)) == 24 * 2 * 2 * 12
    True
    """
    total = sum(each.bands * (each.completions or 0) for each in classes)
    return factorial(box.side) * bands_each(box) * total


@dataclass
class Classification:
    """The finished stages, and the classes of the last one; a limit keeps what was found before it.

    >>> found = Classification(Box(3, 2))
    >>> found.run("column-sets")
    >>> print(found.csv(), end="")
    class,representative,bands,completions
    0,123456345612561234,2,144
    1,123456345612561243,18,48
    2,123456345612562143,36,72
    3,123546341652564213,24,48
    """

    box: Box
    stages: list[StageResult] = field(default_factory=list)
    classes: list[BandClass] = field(default_factory=list)
    completion_seconds: float | None = None

    def run(self, stage: str | None = None, settings: Settings | None = None) -> None:
        """Run all stages, or the named one alone, and complete the classes of the last."""
        settings = settings or Settings()
        clock = Clock(settings)
        if stage is None:
            self.stages.extend(run_chain(self.box, settings))
        else:
            self.stages.append(run_stage(self.box, stage, settings))
        started = time.perf_counter()
        last = self.stages[-1]
        if last.stage.name in ("bands", "reduced") or not can_complete(self.box):
            self.classes = last.classes()
            self.completion_seconds = 0.0
            return
        # In a chain each class under permutations is completed by itself, which checks all later stages.
        finer = last if stage is not None else self.stages[2]
        self.classes = last.classes(check_completions(finer, last, clock.within(settings)))
        self.completion_seconds = time.perf_counter() - started

    def to_json(self) -> dict[str, Any]:
        """The stages and classes as a JSON object."""
        seconds = self.completion_seconds
        return {
            "box": str(self.box),
            "stages": [
                {"name": each.stage.name, "count": each.count, "seconds": round(each.seconds, 6)}
                for each in self.stages
            ],
            "classes": [
                {
                    "representative": self.box.line(each.representative),
                    "bands": each.bands,
                    "completions": None if each.completions is None else str(each.completions),
                }
                for each in self.classes
            ],
            "completions_seconds": None if seconds is None else round(seconds, 6),
        }

    def csv(self) -> str:
        """The classes as CSV."""
        heads = ("class", "representative", "bands", "completions")
        return csv_text(heads, (row.values() for row in self.records()))

    def records(self) -> list[dict[str, Any]]:
        """A row for each class, for tables such as ``pandas.DataFrame``."""
        return [
            {
                "class": number,
                "representative": self.box.line(each.representative),
                "bands": each.bands,
                "completions": each.completions,
            }
            for number, each in enumerate(self.classes)
        ]

    def text(self, width: int | None = None) -> str:
        """The stages as a table, and the total, in lines of limited length."""
        columns = [
            Column("stage"),
            Column("count", "r"),
            Column("seconds", "r", dropped=1),
            Column("", text=True),
        ]
        rows = [
            (each.stage.name, str(each.count), f"{each.seconds:.3f}", each.stage.title)
            for each in self.stages
        ]
        lines = fitted(columns, rows, width)
        if self.classes and self.classes[0].completions is not None:
            total, number = total_of(self.classes, self.box), len(self.classes)
            took = f"{self.completion_seconds:.3f} s"
            said = f"completions of {number} classes in {took}: sudoku {self.box}: {total} grids"
            lines += ["", *wrapped(said, width)]
        return "\n".join(lines)


# -- bands by solvers of models, to compare with the native list ---------------------------------------------


def bands_by_model(
    box: Box,
    engine: str = MODEL_ENGINES[0],
    reductions: Sequence[str] | None = None,
    settings: Settings | None = None,
) -> set[Grid]:
    """All bands that satisfy some reductions, by default those of reduced bands, by a solver of models.

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
