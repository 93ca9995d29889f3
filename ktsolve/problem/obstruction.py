"""Reasons, found by arithmetic alone, why a tour cannot exist.

These are proofs: each names the theorem or the count that rules the tour out. Finding none proves nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise, product
from typing import TYPE_CHECKING

from ktsolve.base.text import plural
from ktsolve.graphs.board import Board
from ktsolve.graphs.components import components
from ktsolve.graphs.graph import Nouns, Vertex
from ktsolve.graphs.groups import order_of
from ktsolve.graphs.symmetry import Symmetry, named_symmetry
from ktsolve.problem.conditions import CellSum, EqualSums, Order, StepRange
from ktsolve.problem.rectangles import schwenk, why_none

if TYPE_CHECKING:
    from ktsolve.problem.problem import TourProblem

__all__ = ["Obstruction", "find_obstruction"]


@dataclass(frozen=True)
class Obstruction:
    """Why there is no such tour: the name of the argument, and the argument in words.

    Names are ``size``, ``colours``, ``degrees``, ``connectivity``, ``required moves``, ``steps``, ``orders``,
    ``sums``, ``bounds``, ``symmetry``, ``quarter-turn theorem`` and ``Schwenk 1991``.
    """

    theorem: str
    reason: str

    def __str__(self) -> str:
        return f"{self.reason} ({self.theorem})"


def find_obstruction(problem: TourProblem) -> Obstruction | None:
    """The first argument that applies, or None. Linear in cells and moves, but for large full boards.

    >>> from ktsolve import TourProblem
    >>> str(find_obstruction(TourProblem(board="4x6", closed=True)))
    'no closed tour exists on a rectangle with a side of 1, 2 or 4 (Schwenk 1991)'
    """
    found = (Obstruction(theorem, reason) for theorem, reason in _arguments(problem) if reason is not None)
    return next(found, None)


def _arguments(problem: TourProblem) -> Iterator[tuple[str, str | None]]:
    ground, closed = problem.ground, problem.closed
    if problem.is_large_rectangle:
        yield from _rectangle(problem)
        return
    if closed and len(ground) < 3:
        yield "size", f"a closed tour needs at least 3 {ground.nouns.cells}, not {len(ground)}"
    apart = _why_not_connected(problem)
    if apart is None and ground.colours is not None:
        yield "colours", _colours(problem)
    if closed and isinstance(ground, Board) and ground.plain:
        yield "Schwenk 1991", schwenk(ground.rows, ground.columns)
    if len(ground) > 1:
        yield "degrees", _why_no_degrees(problem)
    yield "connectivity", apart
    yield "required moves", _required_moves(problem)
    yield "steps", _steps(problem)
    yield "orders", _why_no_steps(problem)
    for condition in problem.listed_conditions:
        yield condition.theorem, condition.refuted(ground, closed)
    yield "sums", _sums_refuted(problem)
    if problem.symmetry is not None:
        yield from _symmetry(problem, problem.symmetry)


def _rectangle(problem: TourProblem) -> Iterator[tuple[str, str | None]]:
    """The theorems on the two sides of a full board, and the closing move between given ends."""
    board, closed, start, end = problem.board, problem.closed, problem.start, problem.end
    found = why_none(board.rows, board.columns, closed=closed, start=start, end=end)
    if found is not None:
        reason, _, theorem = found.removesuffix(")").rpartition(" (")
        yield theorem, reason
    if closed and start is not None and end is not None and not board.adjacent(end, start):
        first, last = board.name(start), board.name(end)
        yield "steps", f"{first} cannot be reached from {last} in 1 move, as steps {len(board)} and 1 require"


def _colours(problem: TourProblem) -> str | None:
    board, known = problem.ground, problem.known_steps
    colours = board.colours
    assert colours is not None
    colour = {cell: int(colours[board.place(cell)]) for _, cell in known}
    ones = int(colours.sum())
    counts = [len(colours) - ones, ones]
    more, fewer = max(counts), min(counts)
    if more - fewer > (0 if problem.closed else 1):
        return unequal_colours(board.nouns, more, fewer, closed=problem.closed)
    # If the counts differ, the odd steps have the more frequent colour.
    if more > fewer:
        first = counts.index(more)
        for step, cell in known:
            if (colour[cell] == first) != (step % 2 == 1):
                parity, which = ("odd", "more") if colour[cell] == first else ("even", "less")
                return (
                    f"{board.title(cell)} cannot be at step {step}: {board.nouns.cells} of its colour, "
                    f"the {which} frequent one, are at {parity} steps only"
                )
    for (step, cell), (other_step, other) in product(known[:1], known[1:]):
        same = colour[cell] == colour[other]
        if same != ((other_step - step) % 2 == 0):
            return (
                f"{board.title(cell)} at step {step} and {board.title(other)} at step {other_step} do not "
                f"fit: they have {'the same colour' if same else 'different colours'}"
            )
    return None


def unequal_colours(nouns: Nouns, more: int, fewer: int, *, closed: bool) -> str:
    """The reason that there are more cells of one colour."""
    cells = plural(more, nouns.cell, nouns.cells)
    return (
        f"{'a closed' if closed else 'an open'} tour alternates between the two colours, "
        f"but the {nouns.ground} has {more} {cells} of one and {fewer} of the other"
    )


def _required_moves(problem: TourProblem) -> str | None:
    board, nouns = problem.ground, problem.ground.nouns
    if board.directed and (reason := _required_arcs(problem)) is not None:
        return reason
    around: dict[Vertex, list[Vertex]] = {}
    for first, second in board.moves_in_order(problem.required_moves):
        around.setdefault(first, []).append(second)
        around.setdefault(second, []).append(first)
    ends = () if problem.closed else (problem.start, problem.end)
    for cell, others in around.items():
        most = 1 if cell in ends else 2
        if len(others) > most:
            what = "an end of the tour" if most == 1 else f"a {nouns.cell}"
            return f"{len(others)} required {nouns.moves} meet at {board.title(cell)}; {what} has {most}"
    # Every component is now a path or a cycle; a cycle must be the whole closed tour.
    for part in components(around):
        if all(len(around[cell]) == 2 for cell in part) and (not problem.closed or len(part) < len(board)):
            root = next(cell for cell in around if cell in part)
            where = f"the required {nouns.moves} through {board.title(root)}"
            return f"{where} close a cycle of {len(part)} {nouns.cells}"
    return None


def _required_arcs(problem: TourProblem) -> str | None:
    """One arc enters and one leaves a vertex, none the first and the last of an open tour."""
    board = problem.ground
    for column, end, which, verb in ((1, problem.start, "first", "into"), (0, problem.end, "last", "out of")):
        counts = Counter(move[column] for move in problem.required_moves)
        for cell in board.in_order(counts):
            number = counts[cell]
            if number > 1:
                return f"{number} required arcs lead {verb} {board.title(cell)}; a tour has one"
            if not problem.closed and cell == end:
                return f"a required arc leads {verb} {board.title(cell)}, the {which} one"
    return None


def _steps(problem: TourProblem) -> str | None:
    """Cells at neighbouring steps must be a move apart, and no two cells closer in steps than in moves."""
    board, known = problem.ground, problem.known_steps
    pairs = list(pairwise(known))
    if problem.closed and len(known) > 1:
        (step, cell), last = known[0], known[-1]
        pairs.append((last, (step + len(board), cell)))
    for (step, cell), (later, other) in pairs:
        if later - step > 6:
            continue
        reached = {cell}
        for _ in range(later - step):
            reached = {other for each in reached for other in problem.neighbours[each]}
        if other not in reached:
            return (
                f"{board.title(other)} cannot be reached from {board.title(cell)} in {later - step} "
                f"{board.nouns.move if later - step == 1 else board.nouns.moves}, as steps {step} and "
                f"{(later - 1) % len(board) + 1} require"
            )
    return None


def _symmetry(problem: TourProblem, name: str) -> Iterator[tuple[str, str | None]]:
    """The arguments from a symmetry; the quarter turn is after G. P. Jelliss, Symmetry in knight's tours."""
    board = problem.board
    symmetry = named_symmetry(board, name)
    fixed = sum(1 for i in range(len(board)) if symmetry(i) == i)
    if fixed == len(board):
        return
    if not problem.closed and name == "rot90":
        yield "symmetry", "a path has no symmetry of order 4: its ends can only be exchanged"
    # A symmetry other than the identity turns a cycle, fixing no cell, or reflects it, fixing at most two; it
    # can only reverse a path, fixing at most the middle cell.
    kind, most = ("a closed tour", "2 cells") if problem.closed else ("an open tour", "1 cell")
    if fixed > (2 if problem.closed else 1):
        yield "symmetry", f"a symmetry of {kind} fixes at most {most}; {name} fixes {fixed} of this board"
    if name == "rot90" and board.plain and board.rows % 4 == 0:
        reason = "a square of side divisible by 4 has no closed tour with a quarter turn"
        yield "quarter-turn theorem", reason
    yield "symmetry", _why_not_symmetric(problem, symmetry)


def _why_not_symmetric(problem: TourProblem, symmetry: Symmetry) -> str | None:
    """Why no tour of the problem is symmetric, or None if this argument does not apply. Linear in the moves.

    A symmetry of a closed tour turns it, moving every cell on by the same number of steps, or reverses it;
    then two places stay, cells or moves that change direction. A symmetry of an open tour reverses it, and
    its middle stays. So much is known of moves along any cycle or path. On boards that have colours it is
    known as well which symmetries can turn: a step changes the colour.

    Source: G. P. Jelliss, Symmetry in knight's tours, for the knight on rectangles.

    >>> from ktsolve import TourProblem
    >>> from ktsolve.graphs.symmetry import named_symmetry
    >>> def why(size, name, closed=True):
    ...     problem = TourProblem(board=size, closed=closed, symmetry=name)
    ...     return _why_not_symmetric(problem, named_symmetry(problem.board, name))
    >>> print(why("6x6", "flip-h"))
    flip-h would move every cell by 18 steps of a closed tour, an even number, but exchanges the colours
    >>> print(why("6x6", "rot180", closed=False))
    the middle of an open tour stays in place, a cell or a move; rot180 leaves none
    """
    board = problem.board
    n, order = len(board), order_of(symmetry.images)
    if order == 1 or n < 3:
        return None
    cells = sum(1 for i in range(n) if symmetry(i) == i)
    stays = 0
    if order == 2:
        edges = zip(board.edges.tolist(), board.moves, strict=True)
        stays = cells + sum(symmetry(u) == v and move not in problem.forbid for (u, v), move in edges)
    if not problem.closed:
        if stays:
            return None
        return f"the middle of an open tour stays in place, a cell or a move; {symmetry.name} leaves none"
    if stays >= 2:
        return None
    if cells:
        but = "but leaves no other" if order == 2 else "but has order 4"
        return f"{symmetry.name} leaves a cell in place, so it would reverse a closed tour, {but}"
    colour, steps = board.colouring, n // order
    if colour is None:
        return None
    exchanged = colour[board.cells[0]] != colour[board.cells[symmetry(0)]]
    if exchanged == (steps % 2 == 1):
        return None
    multiple = "" if order == 2 else " or an odd multiple of that"
    return (
        f"{symmetry.name} would move every cell by {steps} steps{multiple} of a closed tour, "
        f"an {'odd' if steps % 2 else 'even'} number, but {'exchanges' if exchanged else 'keeps'} the colours"
    )


def _why_no_steps(problem: TourProblem) -> str | None:
    """Why some cell can have no step, or None if windows do not refute. Linear in the conditions.

    Each cell that a condition names has a window. Orders narrow the windows, from the first cells on and from
    the last ones back; on a bipartite graph, cells of one colour are an even number of steps apart.

    >>> from ktsolve.graphs.board import Board
    >>> from ktsolve import TourProblem
    >>> from ktsolve.problem.conditions import parse_condition
    >>> board = Board.parse("6x6")
    >>> stated = [*parse_condition("range", "a1=..8", board), *parse_condition("order", "c3,a1", board)]
    >>> _why_no_steps(TourProblem(board=board, closed=False, at={7: "c3"}, conditions=stated))
    'steps, ranges and orders leave no step for c3'
    """
    named = problem.ground.name
    windows = _windows(problem)
    before: dict[Vertex, set[Vertex]] = {}
    for each in problem.each(Order):
        for cell, other in pairwise(each.cells):
            before.setdefault(other, set()).add(cell)
    try:
        order = list(TopologicalSorter(before).static_order())
    except CycleError as error:
        circle = error.args[1][:-1]
        first = circle.index(problem.ground.in_order(circle)[-1])  # a1 comes after all cells above it
        named_circle = [named(cell) for cell in (*circle[first:], *circle[: first + 1])]
        return f"the orders form a cycle: {', '.join(named_circle)}"
    colour = problem.ground.colouring if order else None

    def gap(cell: Vertex, other: Vertex) -> int:
        return 2 if colour is not None and colour[cell] == colour[other] else 1

    for other in order:
        for cell in before.get(other, ()):
            (a, _), (c, d) = windows[cell], windows[other]
            windows[other] = max(c, a + gap(cell, other)), d
    for other in reversed(order):
        for cell in before.get(other, ()):
            (a, b), (_, d) = windows[cell], windows[other]
            windows[cell] = a, min(b, d - gap(cell, other))
    ordered = [(cell, windows[cell]) for cell in problem.ground.in_order(windows)]
    for cell, (least, most) in ordered:
        if least > most:
            return f"steps, ranges and orders leave no step for {named(cell)}"
    at: dict[int, Vertex] = {}
    for cell, (least, most) in ordered:
        if least == most and at.setdefault(least, cell) != cell:
            return f"step {least} cannot be both {named(at[least])} and {named(cell)}"
    return None


def _windows(problem: TourProblem) -> dict[Vertex, tuple[int, int]]:
    """The first and the last step that each cell can have by single conditions."""
    n = len(problem.ground)
    windows: dict[Vertex, tuple[int, int]] = {}

    def narrow(cell: Vertex, least: int, most: int) -> None:
        a, b = windows.get(cell, (1, n))
        windows[cell] = max(a, least), min(b, most)

    for step, cell in problem.known_steps:
        narrow(cell, step, step)
    for given in problem.each(StepRange):
        narrow(given.cell, given.least, given.most)
    for order in problem.each(Order):
        for cell in order.cells:
            narrow(cell, 1, n)
    # Only the cells that may be an end can have its step.
    for cell in windows:
        if problem.starts and cell not in problem.starts:
            narrow(cell, 2, n)
        if problem.ends and cell not in problem.ends:
            narrow(cell, 1, n - 1)
    return windows


def _sums_refuted(problem: TourProblem) -> str | None:
    """The reason why the sums of a problem are impossible, or None if parity does not refute them.

    Where moves alternate between two colours, the odd steps are on one colour, so that the parity of a sum of
    steps is known from the colours of its cells alone. Where every move changes either the parity of the row
    or that of the column, more is known:

    Take a tour of a board with both sides even whose rows have equal sums, and its columns too. Let A, B, C,
    D be the cells by parity of row and column: A even and even, B even and odd, C odd and odd, D odd and
    even. The even rows hold half of the sum of everything, and so do the even columns: A + B = A + D, so B =
    D and A = C. One of these pairs has the even steps, 2 + 4 + ... + N = N/2 (N/2 + 1), and each of the two
    half of that, which must be even again. As N/2 is even, N must be divisible by 8: there is no magic tour
    of 6x6, nor of any square whose side is twice an odd number (known; G. P. Jelliss, Existence theorems on
    magic tours).

    >>> from ktsolve import TourProblem
    >>> print(_sums_refuted(TourProblem(board="7x7", closed=False, magic=["rows"])))
    a row has sums of both parities: the odd steps are on one colour
    """
    if not (problem.magic or problem.each(CellSum)):
        return None
    colour = problem.ground.colouring
    if colour is None:
        return None

    def broken(odd: int) -> str | None:  # with the odd steps on this colour
        for why, cells, total in _sums(problem):
            if sum(colour[cell] == odd for cell in cells) % 2 != total % 2:
                return why
        return None

    reasons = [broken(odd) for odd in _colours_of_odd_steps(problem, colour)]
    if None not in reasons:
        return reasons[0]
    if {"rows", "columns"} <= problem.magic:
        board = problem.board
        alternating = sum(board.leaper) % 2 == 1 and board.wrap == "none" and not board.removed
        if alternating and board.rows % 2 == 0 == board.columns % 2 and len(board) % 8:
            return (
                "on a board with even sides rows and columns can both have equal sums only if the number of "
                f"cells, {len(board)}, is divisible by 8"
            )
    return None


def _colours_of_odd_steps(problem: TourProblem, colour: dict[Vertex, int]) -> list[int]:
    """The colours that the first step may have."""
    counts = [sum(1 for each in colour.values() if each == which) for which in (0, 1)]
    if counts[0] != counts[1]:
        return [int(counts[1] > counts[0])]
    if problem.known_steps:
        step, cell = problem.known_steps[0]
        return [colour[cell] if step % 2 else 1 - colour[cell]]
    return [0, 1]


def _sums(problem: TourProblem) -> Iterator[tuple[str, list[Vertex], int]]:
    """Cells whose steps must add up to a total, and the message if they cannot."""
    ground = problem.ground
    for equal in problem.each(EqualSums):
        total, rest = equal.total(ground)
        why = f"a {equal.kind[:-1]} has sums of both parities: the odd steps are on one colour"
        for line in () if rest else equal.lines(ground):
            yield why, line, total
    for condition in problem.each(CellSum):
        odd = "an odd" if condition.total % 2 else "an even"
        why = f"sum {condition.text(ground)}: {odd} total does not fit the colours of these cells"
        yield why, ground.in_order(condition.cells), condition.total


# -- degrees and connectivity: of directed graphs too, in whole arrays, linear in the moves -----------------


def _why_no_degrees(problem: TourProblem) -> str | None:
    """Why the numbers of moves at single vertices exclude every tour, or None if they do not.

    >>> from ktsolve import TourProblem
    >>> _why_no_degrees(TourProblem(board="3x4", closed=True, forbid=["a1-b3"]))
    'a1 has one move left; a closed tour needs two'
    """
    import numpy as np

    board, ends, nouns = problem.ground, problem.allowed_edges, problem.ground.nouns
    if board.directed:
        return _one_way_degrees(problem)
    degrees = np.bincount(ends.ravel(), minlength=len(board))
    low = np.flatnonzero(degrees < 2).tolist()
    single: list[Vertex] = []
    for cell in board.cells_of(low):
        degree = int(degrees[board.index[cell]])
        if degree == 0 or problem.closed:
            return few_moves(nouns, board.title(cell), degree)
        single.append(cell)
    if len(single) > 2:
        return many_ends(nouns, len(single), list(map(board.name, single[:3])))
    if problem.start is not None and problem.end is not None:
        for cell in single:
            if cell not in (problem.start, problem.end):
                return f"{board.title(cell)} has one {nouns.move} left but is not an end"
    return None


def few_moves(nouns: Nouns, title: str, degree: int) -> str:
    """The reason that a cell has no move, or one move of a closed tour."""
    if degree == 0:
        return f"{title} has no {nouns.move} left"
    return f"{title} has one {nouns.move} left; a closed tour needs two"


def many_ends(nouns: Nouns, number: int, names: Sequence[str]) -> str:
    """The reason that more than two cells have one move."""
    return (
        f"{number} {nouns.cells} have one {nouns.move} left ({', '.join(names)}, ...); only the two ends may"
    )


def _one_way_degrees(problem: TourProblem) -> str | None:
    """Every vertex needs an arc in and one out; at the ends of an open tour one of them is enough."""
    import numpy as np

    board = problem.ground
    for column, end, which, verb in ((1, problem.start, "first", "into"), (0, problem.end, "last", "out of")):
        present = np.bincount(problem.allowed_edges[:, column], minlength=len(board)) > 0
        without = board.cells_of(np.flatnonzero(~present).tolist())
        if without and problem.closed:
            return f"no arc leads {verb} {board.title(without[0])}"
        if len(without) > 1:
            named = " and ".join(map(board.title, without[:2]))
            return f"no arc leads {verb} {named}; only the {which} vertex may have none"
        if without and end is not None and end != without[0]:
            return f"no arc leads {verb} {board.title(without[0])}, which is not the {which} vertex"
    return None


def _why_not_connected(problem: TourProblem) -> str | None:
    """Why some vertex cannot be reached from another, or None if all can.

    >>> from ktsolve import TourProblem
    >>> _why_not_connected(TourProblem(board="3x3", closed=False))
    'no moves lead from a3 to b2'
    """
    import numpy as np

    from ktsolve.graphs.edge_arrays import component_labels

    board = problem.ground
    labels = component_labels(len(board), problem.allowed_edges)
    apart = np.flatnonzero(labels)
    if len(apart):
        first, other = board.cells_of([0, int(apart[0])])
        return not_connected(board.nouns, board.title(first), board.title(other))
    return _one_way_connectivity(problem) if board.directed else None


def not_connected(nouns: Nouns, first: str, other: str) -> str:
    """The reason that no moves lead from one cell to another, by their titles."""
    return f"no {nouns.moves} lead from {first} to {other}"


def _one_way_connectivity(problem: TourProblem) -> str | None:
    """A closed tour needs one strong component; an open one visits them one after the other, each once."""
    import numpy as np

    from ktsolve.graphs.edge_arrays import strong_components

    board, arcs = problem.ground, problem.allowed_edges
    parts = strong_components(len(board), arcs)
    if problem.closed:
        if len(parts) == 1:
            return None
        last, first = board.cells_of([parts[-1][0], parts[0][0]])
        return f"no arcs lead from {board.title(last)} to {board.title(first)}"
    part_of = np.empty(len(board), dtype=np.int64)
    for number, part in enumerate(parts):
        part_of[part] = number
    tails, heads = part_of[arcs[:, 0]], part_of[arcs[:, 1]]
    linked = np.zeros(len(parts), dtype=np.bool_)
    linked[tails[heads == tails + 1]] = True
    broken = np.flatnonzero(~linked[:-1])
    if len(broken):
        at = int(broken[0])
        one, other = board.cells_of([parts[at][0], parts[at + 1][0]])
        return f"no arcs lead from {board.title(one)} to {board.title(other)}, and none back"
    for end, part, what in ((problem.start, parts[0], "begin"), (problem.end, parts[-1], "end")):
        if end is not None and board.index[end] not in part:
            (other,) = board.cells_of(part[:1])
            ways = (end, other) if what == "begin" else (other, end)
            from_, to = map(board.title, ways)
            return f"an open tour cannot {what} at {board.title(end)}: no arcs lead from {from_} to {to}"
    return None
