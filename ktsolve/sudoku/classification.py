"""The bands of a shape classified in stages, with the completions of each class."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from ktsolve.ground.box import Box
from ktsolve.render.text_table import aligned
from ktsolve.settings import Clock, Settings
from ktsolve.sudoku.bands import can_complete
from ktsolve.sudoku.stages import BandClass, StageResult, check_completions, run_chain, run_stage, total_of

__all__ = ["Classification"]


@dataclass
class Classification:
    """The stages that are done, and the classes of the last one; a limit keeps what was found before it.

    Attributes
    ----------
    box:
        The shape.
    stages:
        The result of each stage that is done.
    classes:
        The classes of the last stage.
    completion_seconds:
        Time for the completions of the classes; None if they were not counted to the end.

    Examples
    --------
    >>> found = Classification(Box(3, 2))
    >>> found.run("column-sets")
    >>> print(found.csv())
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
        """Run all stages, or the named one alone, and complete the classes of the last.

        Raises
        ------
        BadInput
            If there is no stage of that name.
        Refused
            If there are too many bands.
        LimitReached
            At the time limit.
        """
        settings = settings or Settings()
        clock = Clock(settings.timeout)
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
        lines = ["class,representative,bands,completions"]
        for number, each in enumerate(self.classes):
            completions = "" if each.completions is None else each.completions
            lines.append(f"{number},{self.box.line(each.representative)},{each.bands},{completions}")
        return "\n".join(lines)

    def __str__(self) -> str:
        rows = [
            (each.stage.name, str(each.count), f"{each.seconds:.3f}", each.stage.title)
            for each in self.stages
        ]
        lines = aligned(("stage", "count", "seconds", ""), rows, "lrrl")
        if self.classes and self.classes[0].completions is not None:
            total, number = total_of(self.classes, self.box), len(self.classes)
            took = f"{self.completion_seconds:.3f} s"
            lines += ["", f"completions of {number} classes in {took}: sudoku {self.box}: {total} grids"]
        return "\n".join(lines)
