"""The symmetry group of a board, and orbits under it.

A symmetry is a permutation of the board's cells: a rotation or reflection of the rectangle and, where the
board is wrapped, a translation along the wrapped sides, or one after the other. Only those that map the
board's cells to themselves and moves to moves belong to its group.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, permutations, product

from ktsolve.base.errors import BadInput
from ktsolve.base.text import check_kind, unknown
from ktsolve.graphs.board import Board, needs_board
from ktsolve.graphs.graph import Graph, Move, Vertex
from ktsolve.graphs.groups import compose, inverse, orbits
from ktsolve.graphs.notation import Cell

__all__ = [
    "SYMMETRIES",
    "Orbit",
    "Symmetry",
    "cell_orbits",
    "move_orbits",
    "named_symmetry",
    "orbits",
    "pair_orbits",
    "symmetry_group",
]

# Each rotation or reflection of a rows x columns rectangle, as (row, column) -> (row, column).
_SHAPES: dict[str, Callable[[int, int, int, int], Cell]] = {
    "identity": lambda r, c, rows, cols: (r, c),
    "rot90": lambda r, c, rows, cols: (c, rows - 1 - r),
    "rot180": lambda r, c, rows, cols: (rows - 1 - r, cols - 1 - c),
    "rot270": lambda r, c, rows, cols: (cols - 1 - c, r),
    "flip-h": lambda r, c, rows, cols: (r, cols - 1 - c),
    "flip-v": lambda r, c, rows, cols: (rows - 1 - r, c),
    "transpose": lambda r, c, rows, cols: (c, r),
    "anti-transpose": lambda r, c, rows, cols: (cols - 1 - c, rows - 1 - r),
}
_SWAPS_SIDES = frozenset({"rot90", "rot270", "transpose", "anti-transpose"})

SYMMETRIES = ("rot180", "rot90", "flip-h", "flip-v")
"""Names of symmetries that a tour can be required to have: the half turn, the quarter turn, the mirror that
exchanges left and right, the mirror that exchanges top and bottom."""


@dataclass(frozen=True)
class Symmetry:
    """A permutation of the cells of a board: cell number i goes to cell number ``images[i]``.

    Examples
    --------
    >>> half = named_symmetry(Board.parse("3x3"), "rot180")
    >>> half.images
    (8, 7, 6, 5, 4, 3, 2, 1, 0)
    >>> half.after(half).name
    'rot180 rot180'
    """

    name: str
    images: tuple[int, ...]

    def __call__(self, index: int) -> int:
        """Number of the cell that cell ``index`` goes to."""
        return self.images[index]

    def after(self, first: Symmetry) -> Symmetry:
        """The symmetry that applies ``first``, then this one.

        Parameters
        ----------
        first:
            The symmetry to apply first.

        Returns
        -------
        Symmetry
            The product.
        """
        return Symmetry(f"{first.name} {self.name}", compose(first.images, self.images))

    def inverse(self) -> Symmetry:
        """The symmetry that undoes this one."""
        return Symmetry(f"inverse {self.name}", inverse(self.images))


@dataclass(frozen=True)
class Orbit:
    """Things that a group carries into each other: the smallest member, and all members, sorted."""

    representative: tuple[Vertex, ...]
    members: tuple[tuple[Vertex, ...], ...]

    @property
    def multiplicity(self) -> int:
        """Number of members."""
        return len(self.members)


def _permutation(board: Board, shape: str, down: int, right: int) -> tuple[int, ...] | None:
    """Images of the cells, or None when a cell would leave the board."""
    place = _SHAPES[shape]
    images = []
    for r, c in board.cells:
        row, column = place(r, c, board.rows, board.columns)
        image = (row + down) % board.rows, (column + right) % board.columns
        if image in board.removed:
            return None
        images.append(board.index[image])
    return tuple(images)


def _fits(board: Board, shape: str) -> bool:
    return shape not in _SWAPS_SIDES or (board.rows == board.columns and board.wrap in ("none", "xy"))


@lru_cache(maxsize=256)
def symmetry_group(board: Board) -> tuple[Symmetry, ...]:
    """All symmetries of a board, the identity first, each permutation once.

    Complexity: at most 8 x rows x columns permutations (that many only on a torus).

    Parameters
    ----------
    board:
        The board.

    Returns
    -------
    tuple[Symmetry, ...]
        The symmetries.

    Examples
    --------
    >>> [s.name for s in symmetry_group(Board.parse("3x4"))]
    ['identity', 'rot180', 'flip-h', 'flip-v']
    >>> len(symmetry_group(Board.parse("8x8"))), len(symmetry_group(Board.parse("5x5", wrap="xy")))
    (8, 200)
    """
    check_kind(board, Board, "a board, such as Board.parse('6x6')")
    found: dict[tuple[int, ...], Symmetry] = {}
    downs = range(board.rows if "y" in board.wrap else 1)
    rights = range(board.columns if "x" in board.wrap else 1)
    for shape, down, right in product(_SHAPES, downs, rights):
        images = _permutation(board, shape, down, right) if _fits(board, shape) else None
        if images is not None and images not in found:
            name = shape if (down, right) == (0, 0) else f"{shape} shift({down},{right})"
            found[images] = Symmetry(name, images)
    return tuple(found.values())


def named_symmetry(board: Board, name: str) -> Symmetry:
    """The rotation or reflection of that name. Raises BadInput for a name that the board does not have."""
    if name not in SYMMETRIES:
        raise unknown("symmetry", name, SYMMETRIES)
    if not _fits(board, name):
        raise BadInput(f"{name} needs a square board, wrapped both ways or not at all; this is {board}")
    images = _permutation(board, name, 0, 0)
    if images is None:
        raise BadInput(f"{name} does not map {board} to itself: a cell falls into a hole")
    return Symmetry(name, images)


def _as_orbits(
    ground: Graph, group: Iterable[Symmetry] | None, items: Iterable[tuple[int, ...]]
) -> tuple[Orbit, ...]:
    group = symmetry_group(needs_board(ground, "the symmetry group")) if group is None else tuple(group)
    arrange = tuple if ground.directed else sorted

    def images(item: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
        return (tuple(arrange([symmetry(i) for i in item])) for symmetry in group)

    cells = ground.cells
    named = [[tuple(cells[i] for i in item) for item in orbit] for orbit in orbits(items, images)]
    return tuple(Orbit(orbit[0], tuple(orbit)) for orbit in named)


def cell_orbits(board: Graph, group: Iterable[Symmetry] | None = None) -> tuple[Orbit, ...]:
    """Orbits of cells; ``group`` defaults to the whole symmetry group of the board.

    >>> [(o.representative, o.multiplicity) for o in cell_orbits(Board.parse("3x3"))]
    [(((0, 0),), 4), (((0, 1),), 4), (((1, 1),), 1)]
    """
    return _as_orbits(board, group, ((i,) for i in range(len(board))))


def move_orbits(board: Graph, group: Iterable[Symmetry] | None = None) -> tuple[Orbit, ...]:
    """Orbits of moves; of a directed graph, of arcs.

    >>> [o.multiplicity for o in move_orbits(Board.parse("3x4"))]
    [4, 4, 4, 2]
    """
    return _as_orbits(board, group, (tuple(edge) for edge in board.edges.tolist()))


def pair_orbits(
    board: Graph, group: Iterable[Symmetry] | None = None, pairs: Iterable[Move] | None = None
) -> tuple[Orbit, ...]:
    """Orbits of unordered pairs of distinct cells, such as the two ends of an open tour.

    On a directed graph the pairs are ordered. ``pairs`` are those to classify, closed under the group; all
    pairs by default.

    >>> sum(o.multiplicity for o in pair_orbits(Board.parse("4x4")))
    120
    """
    if pairs is None:
        choose = permutations if board.directed else combinations
        return _as_orbits(board, group, choose(range(len(board)), 2))
    given = (board.edge(a, b) for a, b in pairs)
    return _as_orbits(board, group, sorted((board.index[a], board.index[b]) for a, b in given))
