"""Jobs of the cross-check about swap puzzles: search, planning, layers and networks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from ktsolve.base.limits import Settings
from ktsolve.base.text import plural
from ktsolve.verify.jobs import Context, Job, Sides
from ktsolve.wings.swap.answer import SWAP_ENGINES, all_shortest, solve_swap
from ktsolve.wings.swap.instance import load_swap_instance, shipped_swap_instances
from ktsolve.wings.swap.network import count_shortest, swap_network
from ktsolve.wings.swap.planning import obstruction
from ktsolve.wings.swap.puzzle import SwapPuzzle, count_by_layers
from ktsolve.wings.swap.search import search
from ktsolve.wings.swap.solution import SwapSolution

__all__ = ["swap_jobs"]

_MOST_LISTED = 500
"""Number of shortest solutions up to which every engine lists them; the lists are compared as sets."""

_MOST_LAYERED = 20_000  # positions up to which plain Python counts by layers too

_LATER = {
    "eight-knights, moves": "standard",
    "eight-knights, moves of at most 2": "standard",
    "eight-knights, moves of at most 3": "standard",
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
"""First level of the shipped puzzles, or of one measure of them, that the quick level leaves out."""

_AS_NETWORKS = ("eight-knights, jumps", "eight-knights, moves of at most 3", "guarini, moves")


def _shortest(context: Context, path: str, number: int) -> Sides:
    """The shortest solutions of a puzzle by every engine, and the answer that its file expects."""
    expected = load_swap_instance(path).answers[number]
    puzzle = expected.puzzle
    lengths: dict[str, int | None] = {}
    counts: dict[str, int | None] = {}
    if expected.solutions is not None:
        counts["file"] = expected.solutions
    for engine in SWAP_ENGINES:
        asked = puzzle
        if engine != "bfs" and expected.length is None and obstruction(puzzle) is None:
            # Planning has no bound of its own on the distance of the farthest position; search finds it.
            far = len(search(puzzle, context.settings, whole=True).layers) - 1
            asked = replace(puzzle, most=far if puzzle.most is None else min(far, puzzle.most))
        answer = solve_swap(asked, engine, _settings(context, engine), count=engine == "bfs")
        lengths[engine] = answer.length
        if engine == "bfs" and answer.length is not None:
            counts[engine] = answer.count
        if engine == context.faulty:
            lengths[engine] = 1 + (answer.length or 0)
    if puzzle.positions <= _MOST_LAYERED:
        layered = count_by_layers(puzzle, context.settings)
        lengths["layers"] = layered.length
        if layered.length is not None:
            counts["layers"] = layered.count
    right = _text(puzzle, expected.length, expected.solutions)
    wrong = [f"{name} {length}" for name, length in lengths.items() if length != expected.length]
    wrong += [f"{name} counts {count}" for name, count in counts.items() if count != expected.solutions]
    wrong += _wrong_lists(context, puzzle, expected.length, expected.solutions)
    return Sides.unless(wrong, right)


def _wrong_lists(context: Context, puzzle: SwapPuzzle, length: int | None, number: int | None) -> list[str]:
    """The engines whose lists of solutions differ from that of search."""
    if number is None or not 0 < number <= _MOST_LISTED:
        return []
    lists: dict[str, frozenset[SwapSolution]] = {}
    wrong = []
    for engine in SWAP_ENGINES:
        listed = list(all_shortest(puzzle, engine, _settings(context, engine), length=length))
        lists[engine] = frozenset(listed[engine == context.faulty :])
        if len(listed) != number or lists[engine] != lists["bfs"]:
            wrong.append(f"{engine} lists others")
    return wrong


def _settings(context: Context, engine: str) -> Settings:
    """Settings for an engine: those of the job, for models without its memory limit.

    Models take little memory, and with a limit each would get a process of its own.
    """
    return context.settings if engine == "bfs" else replace(context.settings, memory=None)


def _network(context: Context, path: str, number: int) -> Sides:
    """Length and number of the shortest paths through the network of all moves, and as the file expects."""
    expected = load_swap_instance(path).answers[number]
    puzzle = expected.puzzle
    length, paths = count_shortest(swap_network(puzzle, context.settings), puzzle)
    return Sides(_text(puzzle, length, paths), _text(puzzle, expected.length, expected.solutions))


def _text(puzzle: SwapPuzzle, length: int | None, number: int | None) -> str:
    if length is None:
        return "impossible"
    return f"{length} {puzzle.objective}" + ("" if number is None else f", {number} {plural(number, 'way')}")


_job = partial(Job, section="puzzles", seconds=2.0, limited=True)


def swap_jobs(_level: str) -> Iterator[Job]:
    """Jobs of swap puzzles: those of the shipped files."""
    for path in shipped_swap_instances():
        stem = Path(path).stem
        for number, answer in enumerate(load_swap_instance(path).answers):
            puzzle = answer.puzzle
            measure = puzzle.objective + ("" if puzzle.longest is None else f" of at most {puzzle.longest}")
            name = f"{stem}, {measure}"
            level = _LATER.get(name, _LATER.get(stem, "quick"))
            yield _job(f"swap {name}", _shortest, (path, number), level)
            if name in _AS_NETWORKS:
                yield _job(f"network {name}", _network, (path, number), level)
