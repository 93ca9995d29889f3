"""The jobs of the cross-check about swap puzzles: search, planning, layers and networks compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ktsolve.problem.swap import SwapPuzzle
from ktsolve.problem.swap_bounds import obstruction
from ktsolve.problem.swap_solution import SwapSolution
from ktsolve.settings import Settings
from ktsolve.swap.answer import SWAP_ENGINES, all_shortest, solve_swap
from ktsolve.swap.instance import load_swap_instance, shipped_swap_instances
from ktsolve.swap.layers import count_by_layers
from ktsolve.swap.network import count_shortest, swap_network
from ktsolve.swap.search import search
from ktsolve.verify.jobs import IdentitySays

__all__ = ["SwapJob", "SwapNetworkJob", "swap_jobs"]

_MOST_LISTED = 500
"""Puzzles with no more shortest solutions have them listed by every engine, and compared as sets."""

_MOST_LAYERED = 20_000
"""Positions up to which layers are counted in plain Python too."""

_LATER = {
    "eight-knights, moves": "standard",
    "eight-knights, moves of at most 2": "standard",
    "eight-knights-3x4": "standard",
    "guarini-turns": "standard",
    "knights-in-fen-1": "standard",
    "single-file": "standard",
    "six-knights-4x3": "standard",
    "six-knights-4x3-turns, jumps": "standard",
    "six-knights-4x3-turns, moves": "full",
    "six-knights-4x4": "full",
    "six-knights-5x3": "full",
}
"""Shipped puzzles, or one measure of them, that the quick level leaves out."""

_AS_NETWORKS = ("eight-knights, jumps", "eight-knights, moves of at most 3", "guarini, moves")


@dataclass(frozen=True)
class SwapJob:
    """Ask every engine for the shortest solutions of a puzzle, and hold them against each other and the file.

    Attributes
    ----------
    path, number:
        A file, and which of the answers it expects.
    sabotaged:
        The engine to break on purpose: it says one step more, and one solution.
    """

    path: str
    number: int
    settings: Settings
    sabotaged: str | None = None

    def __call__(self) -> IdentitySays:
        """The length and number of solutions that the file expects, and what does not agree."""
        expected = load_swap_instance(self.path).answers[self.number]
        puzzle = expected.puzzle
        lengths: dict[str, int | None] = {}
        counts: dict[str, int | None] = {}
        if expected.solutions is not None:
            counts["file"] = expected.solutions
        for engine in SWAP_ENGINES:
            asked = puzzle
            if engine != "bfs" and expected.length is None and obstruction(puzzle) is None:
                # Planning cannot know that nothing is further away than search has been.
                far = len(search(puzzle, self.settings, whole=True).layers) - 1
                asked = replace(puzzle, most=far if puzzle.most is None else min(far, puzzle.most))
            answer = solve_swap(asked, engine, self.settings, count=engine == "bfs")
            lengths[engine] = answer.length
            if engine == "bfs" and answer.length is not None:
                counts[engine] = answer.count
            if engine == self.sabotaged:
                lengths[engine] = 1 + (answer.length or 0)
        if puzzle.positions <= _MOST_LAYERED:
            layered = count_by_layers(puzzle, self.settings)
            lengths["layers"] = layered.length
            if layered.length is not None:
                counts["layers"] = layered.count
        said = _said(puzzle, expected.length, expected.solutions)
        wrong = [f"{who} {length}" for who, length in lengths.items() if length != expected.length]
        wrong += [f"{who} counts {number}" for who, number in counts.items() if number != expected.solutions]
        wrong += self._lists(puzzle, expected.length, expected.solutions)
        return IdentitySays(f"{said}: {', '.join(wrong)}" if wrong else said, said)

    def _lists(self, puzzle: SwapPuzzle, length: int | None, number: int | None) -> list[str]:
        """Engines whose lists of solutions are not that of search."""
        if number is None or not 0 < number <= _MOST_LISTED:
            return []
        lists: dict[str, frozenset[SwapSolution]] = {}
        wrong = []
        for engine in SWAP_ENGINES:
            listed = list(all_shortest(puzzle, engine, self.settings, length=length))
            lists[engine] = frozenset(listed[1:] if engine == self.sabotaged else listed)
            if len(listed) != number or lists[engine] != lists["bfs"]:
                wrong.append(f"{engine} lists others")
        return wrong


@dataclass(frozen=True)
class SwapNetworkJob:
    """The network of all moves: its size, and the shortest ways through it, against what the file expects."""

    path: str
    number: int
    settings: Settings

    def __call__(self) -> IdentitySays:
        """Length and number of shortest ways, as the network and as the file says."""
        expected = load_swap_instance(self.path).answers[self.number]
        network = swap_network(expected.puzzle, self.settings)
        length, number = count_shortest(network, expected.puzzle)
        return IdentitySays(
            _said(expected.puzzle, length, number),
            _said(expected.puzzle, expected.length, expected.solutions),
        )


def _said(puzzle: SwapPuzzle, length: int | None, number: int | None) -> str:
    if length is None:
        return "impossible"
    return f"{length} {puzzle.objective}" + (
        "" if number is None else f", {number} way{'' if number == 1 else 's'}"
    )


def swap_jobs(
    level: str, settings: Settings, sabotaged: str | None
) -> Iterator[tuple[str, Callable[[], IdentitySays]]]:
    """Names and jobs of a level and of those below it."""
    levels = ("quick", "standard", "full")
    for path in shipped_swap_instances():
        stem = Path(path).stem
        for number, answer in enumerate(load_swap_instance(path).answers):
            puzzle = answer.puzzle
            measure = puzzle.objective + ("" if puzzle.longest is None else f" of at most {puzzle.longest}")
            name = f"{stem}, {measure}"
            if levels.index(_LATER.get(name, _LATER.get(stem, "quick"))) > levels.index(level):
                continue
            yield f"swap {name}", SwapJob(path, number, settings, sabotaged)
            if name in _AS_NETWORKS:
                yield f"network {name}", SwapNetworkJob(path, number, settings)
