"""Targets: instances of models and of swaps, Sudoku puzzles."""

from __future__ import annotations

from fuzz.target import ROOT, Target, file_of, text_of
from ktsolve.tasks.instance import load_instance
from ktsolve.wings.sudoku.puzzle import Puzzle
from ktsolve.wings.swap.instance import load_swap_instance

__all__ = ["TARGETS"]


def _instances() -> list[bytes]:
    small = (
        "clues-6x6",
        "ends-6x6",
        "sums-5x5",
        "order-5x5",
        "torus-4x4",
        "closed-octagon",
        "fewest-turns-6x6",
    )
    names = [
        *small,
        "sudoku-bands-2x3",
        "guarini-ring",
        "non-crossing-cycle-5x5",
        "required-forbidden-6x6",
        "wazir-6x6",
    ]
    inline = 'model = "tour"\n[parameters]\ngraph = [["a", "b"], ["b", "c"], ["c", "a"]]\nclosed = true\n'
    return [*((ROOT / "instances" / f"{name}.toml").read_bytes() for name in names), inline.encode()]


def _read_instance(data: bytes) -> None:
    """Instances whose board has few cells are built as models; the others are stopped before."""
    with file_of(data, ".toml") as path:
        load_instance(path)


def _swaps() -> list[bytes]:
    return [path.read_bytes() for path in sorted((ROOT / "instances" / "swap").glob("*.toml"))]


def _read_swap(data: bytes) -> None:
    with file_of(data, ".toml") as path:
        load_swap_instance(path)


def _sudokus() -> list[bytes]:
    puzzle = "1... ..2. .3.. ...4"
    large = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    return [puzzle.encode(), large.encode(), "|".join(puzzle.split()).encode()]


def _read_sudoku(data: bytes) -> None:
    puzzle = Puzzle.read(text_of(data))
    assert Puzzle.read(str(puzzle)) == puzzle


TARGETS: tuple[Target, ...] = (
    Target("instance", _instances, _read_instance),
    Target("swap", _swaps, _read_swap),
    Target("sudoku", _sudokus, _read_sudoku),
)
"""The targets of this file."""
