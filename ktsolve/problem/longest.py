"""Longest cycles and paths, which need not visit all vertices; also induced and non-crossing ones.

Non-crossing walks of a leaper: L. D. Yarbrough, Uncrossed knight's tours, J. Recreational Math. 1 (1968);
OEIS A003192 (paths) and A157416 (cycles).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ktsolve.base.errors import BadInput
from ktsolve.graphs.board import Board, needs_board
from ktsolve.graphs.components import components
from ktsolve.graphs.geometry import crossings, needs_plane
from ktsolve.graphs.graph import Graph, Vertex
from ktsolve.graphs.tour import Tour, Violation
from ktsolve.problem.problem import TourProblem

__all__ = ["LongestProblem"]


@dataclass(frozen=True)
class LongestProblem:
    """The question for a longest path, or cycle, of a board or a graph.

    - ``start``, ``end``: Given ends of a path, or None.
    - ``induced``: No edge joins two vertices of the walk that do not follow each other.
    - ``non_crossing``: No two moves cross; for boards that are not wrapped.
    - ``weighted``: The length is the sum of the weights, not the number of edges.

    >>> problem = LongestProblem(Board.parse("3x3"), closed=False, non_crossing=True)
    >>> print(problem.check(Tour.from_names(problem.ground, "a1 b3 c1 a2 c3")))
    a1-b3 crosses a2-c3
    """

    ground: Graph
    closed: bool
    start: Vertex | None = None
    end: Vertex | None = None
    induced: bool = False
    non_crossing: bool = False
    weighted: bool = False

    def __post_init__(self) -> None:
        if self.non_crossing:
            needs_plane(self.board)
        if self.closed and (self.start is not None or self.end is not None):
            raise BadInput("a cycle has neither start nor end: ask for a path, or leave them out")
        if self.weighted and self.ground.weights is None:
            raise BadInput(f"{self.ground} has no weights, and the length is to be their sum")
        _ = self.spanning  # the ends are those of a path

    @property
    def board(self) -> Board:
        """The board. Raises Refused for a bare graph."""
        return needs_board(self.ground, "a non-crossing walk")

    @cached_property
    def spanning(self) -> TourProblem:
        """The question for a walk through all vertices, without the conditions on edges."""
        return TourProblem(board=self.ground, closed=self.closed, start=self.start, end=self.end)

    def check(self, walk: Tour) -> Violation | None:
        """The first violation in a walk over some of the vertices, or None. Shares no code with engines."""
        ground, name = self.ground, self.ground.name
        if walk.ground != ground:
            return Violation(0, f"the walk is on {walk.ground}, the problem on {ground}")
        if walk.step_violation is not None:
            return walk.step_violation
        if self.closed and not walk.closes:
            start, end = (name(walk.squares[at]) for at in (0, -1))
            return Violation(len(walk), f"{end} is not a move from {start}")
        for what, given, at in (("start", self.start, 0), ("end", self.end, -1)):
            if given is not None and walk.squares[at] != given:
                return Violation(len(walk) if at else 1, f"the {what} is {name(walk.squares[at])}")
        moves = walk.as_closed(self.closed).moves
        if self.induced:
            on = set(walk.squares)
            for move in ground.moves:
                if on.issuperset(move) and move not in moves:
                    return Violation(
                        0, f"{ground.move_name(move)} joins two {ground.nouns.cells} of the walk"
                    )
        if self.non_crossing:
            for first, second in crossings(walk.as_closed(self.closed)):
                return Violation(0, f"{ground.move_name(first)} crosses {ground.move_name(second)}")
        return None

    @cached_property
    def most(self) -> tuple[int, str]:
        """A number of edges that no walk exceeds, with the reason; of weights as of edges."""
        ground, closed = self.ground, self.closed
        whole = len(ground) - (not closed), "each vertex is visited at most once"
        best = (0, "without cycles") if closed else (0, "without edges")
        colour, cells = ground.colouring, ground.nouns.cells
        for part in () if ground.directed else _blocks(ground) if closed else components(ground.neighbours):
            what = f"the largest {'part without cut vertices' if closed else 'component'}"
            bound = len(part) - (not closed), f"{what} has {len(part)} {cells} (connectivity)"
            if colour is not None:
                fewer = min(sum(colour[v] == c for v in part) for c in (0, 1))
                if 2 * fewer < bound[0]:
                    bound = 2 * fewer, f"colours alternate, and of one there are {fewer} {cells} (colours)"
            best = max(best, bound, key=lambda each: each[0])
        if not ground.directed and best[0] < whole[0]:
            return best
        obstruction = self.spanning.obstruction()
        return whole if obstruction is None else (max(0, whole[0] - 1), str(obstruction))

    def length(self, walk: Tour) -> int:
        """Number of moves, or the sum of their weights."""
        moves = walk.as_closed(self.closed).moves
        if not self.weighted:
            return len(moves)
        ground = self.ground
        assert ground.weights is not None
        places = ground.places_of([tuple(map(ground.place, move)) for move in moves])
        return int(ground.weights[places].sum()) if moves else 0

    @property
    def kind(self) -> str:
        """What kind of cycle or path this is, in words."""
        return " ".join([*self._adjectives, "cycle" if self.closed else "path"])

    @property
    def noun(self) -> str:
        """What kind of walk this is, with an article: ``an induced walk``."""
        article = "an" if self._adjectives[:1] == ["induced"] else "a"
        return f"{' '.join([article, *self._adjectives])} walk"

    @property
    def _adjectives(self) -> list[str]:
        return ["non-crossing"] * self.non_crossing + ["induced"] * self.induced

    def __str__(self) -> str:
        return f"{self.kind} on {self.ground}"


def _blocks(graph: Graph) -> list[set[Vertex]]:
    """The vertices of each part without a cut vertex."""
    import networkx

    return [each for each in networkx.biconnected_components(graph.graph) if len(each) > 2]
