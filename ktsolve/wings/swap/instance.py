"""Files that state a swap puzzle: TOML with its parameters and, for each objective, the expected answer.

The format is described in docs/swap.md. Errors name the file, the key and the values it may have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.graphs.board import Board
from ktsolve.problem.parameters import check_keys
from ktsolve.render.subject import Source
from ktsolve.tasks.instance import read_instance, shipped_instances
from ktsolve.wings.swap.puzzle import SwapPuzzle
from ktsolve.wings.swap.solution import SwapAnswer

__all__ = [
    "ExpectedAnswer",
    "SwapInstance",
    "load_swap_instance",
    "named_subject",
    "read_swap",
    "shipped_names",
    "shipped_swap_instances",
]


@dataclass(frozen=True)
class ExpectedAnswer:
    """The answer that a file expects for one objective and one longest move."""

    puzzle: SwapPuzzle  # the puzzle with that objective and longest move
    length: int | None  # jumps (moves) of the shortest solutions; None if the puzzle has no solution
    solutions: int | None  # number of shortest solutions; None if the file does not give it

    def disagreement(self, answer: SwapAnswer) -> str:
        """The difference between an answer and the expected one; empty if they agree."""
        if answer.length != self.length:
            wanted = "no solution" if self.length is None else f"{self.length} {self.puzzle.objective}"
            return f"expected {wanted}"
        if None not in (answer.count, self.solutions) and answer.count != self.solutions:
            return f"expected {self.solutions} solutions"
        return ""


@dataclass(frozen=True)
class SwapInstance:
    """A loaded file: its puzzle and the answers it expects."""

    path: str
    title: str
    source: str
    puzzle: SwapPuzzle
    answers: tuple[ExpectedAnswer, ...]

    def expected(self, puzzle: SwapPuzzle) -> ExpectedAnswer | None:
        """The answer that the file expects for exactly this puzzle; None if it has none."""
        return next((answer for answer in self.answers if answer.puzzle == puzzle), None)


def shipped_swap_instances() -> list[str]:
    """Paths of the puzzles that are part of ktsolve, sorted."""
    folder = resources.files("ktsolve.instances").joinpath("swap")
    return sorted(str(item) for item in folder.iterdir() if item.name.endswith(".toml"))


def shipped_names() -> tuple[str, ...]:
    """Names of the puzzles that are part of ktsolve.

    >>> shipped_names()[:2]
    ('eight-knights-3x4', 'eight-knights')
    """
    return tuple(Path(each).stem for each in shipped_swap_instances())


def named_subject(file: str, settings: Settings) -> SwapPuzzle | None:
    """Find the picture of a swap puzzle by the name of its file, or of a shipped puzzle.

    The puzzle; None for other files, among them instances of ``ktsolve solve``.

    Raises BadInput if an instance file cannot be read or does not state a swap puzzle.

    >>> named_subject("guarini", Settings()).board
    Board.parse('3x3', without='b2')
    >>> named_subject("8x8", Settings()) is None
    True
    """
    if file.endswith(".toml"):
        found, table = read_instance(file, [*shipped_instances(), *shipped_swap_instances()], settings)
        return None if "model" in table else load_swap_instance(found, settings).puzzle
    if file in shipped_names() and not Path(file).exists():
        return load_swap_instance(file, settings).puzzle
    return None


def read_swap(source: Source) -> SwapPuzzle | None:
    """Read the swap puzzle in the JSON of ``ktsolve swap``.

    The puzzle, without its leapers and conditions; None for anything else.

    Raises BadInput if its pictures do not fit its board.
    """
    given: dict[str, Any] = {key: source.data.get(key) for key in ("start", "goal", "objective")}
    if not all(isinstance(text, str) for text in given.values()):
        return None
    return SwapPuzzle(**given, board=Board.from_json(source.data["board"]))


def load_swap_instance(path: str | Path, settings: Settings | None = None) -> SwapInstance:
    """Read and validate the puzzle of a file; a bare name without such a file means a shipped puzzle.

    Raises BadInput if the file cannot be read or does not state a swap puzzle; the message names file and
    key; OutOfMemory if reading it takes more memory than the settings allow.

    >>> instance = load_swap_instance("guarini")
    >>> [(answer.puzzle.objective, answer.length) for answer in instance.answers]
    [('jumps', 16), ('moves', 7)]
    """
    shipped = shipped_swap_instances()
    file, table = read_instance(str(path), shipped, settings or Settings())
    try:
        check_keys(table, {"title": str, "source": str, "parameters": dict, "answer": list}, "")
        if "parameters" not in table:
            raise BadInput("parameters is missing: write a table [parameters] with start and goal")
        puzzle = SwapPuzzle.of_parameters(table["parameters"])
        entries = enumerate(table.get("answer", []), 1)
        answers = tuple(_answer(entry, number, puzzle) for number, entry in entries)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None
    return SwapInstance(str(file), table.get("title", file.stem), table.get("source", ""), puzzle, answers)


def _answer(entry: Any, number: int, puzzle: SwapPuzzle) -> ExpectedAnswer:
    where = f"answer {number}"
    if not isinstance(entry, Mapping):
        raise BadInput("answer must be tables: write [[answer]]")
    kinds: dict[str, type | tuple[type, ...]] = {
        "objective": str,
        "longest": (int, str),
        "status": str,
        "length": int,
        "solutions": (int, str),
    }
    check_keys(entry, kinds, where)
    try:
        objective = entry.get("objective", puzzle.objective)
        asked = replace(puzzle, objective=objective, longest=entry.get("longest"))
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None
    status = entry.get("status", "found")
    if status not in ("found", "impossible"):
        raise BadInput(f'{where}.status must be "found" or "impossible", not {status!r:.40}')
    length, solutions = entry.get("length"), entry.get("solutions")
    if (length is None) != (status == "impossible"):
        raise BadInput(f'{where}: give either length, or status = "impossible"')
    if status == "impossible" and solutions not in (None, 0):
        raise BadInput(f'{where}.solutions is {solutions}, which contradicts status = "impossible"')
    if isinstance(solutions, str):
        if not (solutions.isascii() and solutions.isdigit() and len(solutions) < 4000):
            raise BadInput(f"{where}.solutions must be a whole number, not {solutions!r:.40}")
        solutions = int(solutions)
    return ExpectedAnswer(asked, length, solutions)
