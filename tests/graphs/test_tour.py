"""Tours: what is wrong with them, their labelings, images and words."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import TOUR_BOARDS, all_tours, examples, ordered, real_tours, refusal, walks
from svg_reading import SVG, group, parsed

from ktsolve.graphs.board import Board, Move
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.symmetry import symmetry_group
from ktsolve.graphs.tour import Tour, Violation
from ktsolve.graphs.tour_rows import TourRows

OPEN_3X4 = "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1"
RING = "a3 b1 c3 a2 c1 b3 a1 c2"  # the closed tour of 3x3 without its centre


def expected_fault(tour: Tour) -> int | None:
    """Number of the first bad step by definition; 0 if cells are missing, None if nothing is wrong."""
    board, squares = tour.board, tour.squares
    for step in range(1, len(squares) + 1):
        cell = squares[step - 1]
        if cell in squares[: step - 1]:
            return step
        if step > 1 and cell not in board.neighbours[squares[step - 2]]:
            return step
    if set(squares) != set(board.cells):
        return 0
    if tour.closed and (len(squares) < 3 or squares[0] not in board.neighbours[squares[-1]]):
        return len(squares)
    return None


def undirected_moves(tour: Tour) -> set[Move]:
    """The moves of a tour, from its cells."""
    steps = [*pairwise(tour.squares)]
    if tour.closed and len(tour) > 2:
        steps.append((tour.squares[-1], tour.squares[0]))
    return {ordered(a, b) for a, b in steps}


def count_by_hand(board: Board) -> tuple[int, int]:
    """Undirected open and closed tours, by walking on from every cell."""
    neighbours, size = board.neighbours, len(board)

    def extend(path: list[Cell], seen: set[Cell]) -> tuple[int, int]:
        if len(path) == size:
            return 1, int(path[0] in neighbours[path[-1]])
        ways = [0, 0]
        for cell in neighbours[path[-1]]:
            if cell not in seen:
                more = extend([*path, cell], seen | {cell})
                ways = [ways[0] + more[0], ways[1] + more[1]]
        return ways[0], ways[1]

    walked = [extend([cell], {cell}) for cell in board.cells]
    directed, closing = sum(a for a, _ in walked), sum(b for _, b in walked)
    return (directed // 2 if size > 1 else directed), (closing // 2 // size if size > 2 else 0)


# -- the tours that these tests rest on ---------------------------------------------------------------------


@pytest.mark.parametrize(("board", "closed", "number"), TOUR_BOARDS, ids=str)
def test_the_lists_of_tours_are_complete(board: Board, closed: bool, number: int) -> None:
    tours = all_tours(board, closed)
    assert len(tours) == number
    # Different tours make different moves, and exactly then their normalised labelings differ.
    assert len({frozenset(undirected_moves(tour)) for tour in tours}) == number
    assert len({tour.normalised() for tour in tours}) == number
    if len(board) <= 14 and number <= 200:
        assert count_by_hand(board)[closed] == number


# -- faults -------------------------------------------------------------------------------------------------


@given(real_tours())
@examples(150)
def test_a_tour_is_valid(tour: Tour) -> None:
    assert expected_fault(tour) is None
    assert tour.violation is None
    assert tour.valid
    assert tour.closes == (len(tour) > 2 and tour.squares[0] in tour.board.neighbours[tour.squares[-1]])
    assert tour.closes or not tour.closed
    assert len(tour.moves) == len(tour) - (not tour.closed)
    assert tour.moves == undirected_moves(tour) <= set(tour.board.moves)
    assert [tour.step_of[cell] for cell in tour.squares] == list(range(1, len(tour) + 1))
    assert [tour.board.cells[i] for i in tour.indices] == list(tour.squares)


@given(walks())
@examples(250)
def test_the_first_fault_of_any_walk_is_named(walk: Tour) -> None:
    step = expected_fault(walk)
    assert walk.valid == (step is None)
    assert (walk.violation.step if walk.violation is not None else None) == step
    if walk.violation is not None and step:
        assert walk.violation.reason.startswith(f"step {step}: ")
        assert walk.board.name(walk.squares[step - 1]) in walk.violation.reason


@given(real_tours(), st.data())
@examples(150)
def test_two_cells_exchanged_are_found_where_they_are(tour: Tour, data: st.DataObject) -> None:
    assume(len(tour) > 2)
    first = data.draw(st.integers(0, len(tour) - 2))
    second = data.draw(st.integers(first + 1, len(tour) - 1))
    squares = list(tour.squares)
    squares[first], squares[second] = squares[second], squares[first]
    damaged = Tour(tour.board, tuple(squares), tour.closed)
    step = expected_fault(damaged)
    assert (damaged.violation.step if damaged.violation is not None else None) == step
    if step is not None:
        # Nothing before the first exchanged cell is wrong; a closing move is judged last.
        assert step > first
        assert step <= second + 2 or step == len(tour)


@pytest.mark.parametrize(
    ("names", "closed", "step", "reason"),
    [
        (OPEN_3X4, True, 12, "step 12: the last cell d1 is not a move from the first a3"),
        (OPEN_3X4.replace("a1", "b2"), False, 3, "step 3: c2 to b2 is not a move of the piece"),
        ("a3 c2 a3", False, 3, "step 3: a3 was visited before, at step 1"),
        ("a3 a3", False, 2, "step 2: a3 was visited before, at step 1"),
        (OPEN_3X4.removesuffix(" d1"), False, 0, "d1 never visited"),
        ("a3 c2", False, 0, "b3 and 9 more never visited"),
        ("", False, 0, "a3 and 11 more never visited"),
        ("", True, 0, "a3 and 11 more never visited"),
        ("a3 b3", True, 2, "step 2: a3 to b3 is not a move of the piece"),
    ],
)
def test_a_fault_says_what_is_wrong(names: str, closed: bool, step: int, reason: str) -> None:
    tour = Tour.from_names(Board(3, 4), names.split(), closed)
    assert tour.violation == Violation(step, reason)
    assert str(tour.violation) == reason
    assert not tour.valid


def test_two_cells_make_no_closed_tour() -> None:
    board = Board(1, 2, leaper=(0, 1))
    assert Tour(board, board.cells).valid
    assert not Tour(board, board.cells).closes
    closed = Tour(board, board.cells, closed=True)
    assert not closed.valid
    assert len(closed.moves) == 1


def test_a_single_cell_is_an_open_tour() -> None:
    assert Tour(Board(1, 1), ((0, 0),)).valid
    assert not Tour(Board(1, 1), ((0, 0),), closed=True).valid


def test_moves_across_a_wrapped_edge_count() -> None:
    (tour,) = all_tours(Board.parse("2x5", wrap="x"), True)
    assert tour.valid
    assert not Tour(Board(2, 5), tour.squares, closed=True).valid


@pytest.mark.parametrize(
    ("squares", "said"),
    [
        ([(0, 0), (3, 0)], "step 2: cell 3,0 is off the board 3x4 without b2"),
        ([(0, -1)], "step 1: cell 0,-1 is off the board"),
        ([(0, 0), (2, 1), (1, 1)], "step 3: cell 1,1 is removed from the board"),
    ],
)
def test_cells_of_a_tour_are_on_its_board(squares: list[Cell], said: str) -> None:
    assert said in refusal(Tour, Board.parse("3x4", without="b2"), tuple(squares))


def test_names_of_a_tour_are_on_its_board() -> None:
    board = Board.parse("3x4", without="b2")
    assert "cell b2 is removed" in refusal(Tour.from_names, board, ["a1", "b2"])
    assert "'e1' is off the 3x4 board" in refusal(Tour.from_names, board, ["e1"])
    assert Tour.from_names(board, ["a1", "2,1"]).squares == ((2, 0), (2, 1))


# -- other labelings ---------------------------------------------------------------------------------------


@given(real_tours())
@examples(60)
def test_backwards_is_the_same_tour(tour: Tour) -> None:
    back = tour.reversed()
    assert back.squares == tour.squares[::-1]
    assert back.valid
    assert back.closed == tour.closed
    assert back.moves == tour.moves
    assert back.reversed() == tour


@given(real_tours(closed=True), st.data())
@examples(80)
def test_a_closed_tour_begins_anywhere(tour: Tour, data: st.DataObject) -> None:
    cell = data.draw(st.sampled_from(tour.board.cells))
    turned = tour.starting_at(cell)
    assert turned.squares[0] == cell
    assert turned.valid
    assert turned.closed
    at = tour.squares.index(cell)
    assert turned.squares == tour.squares[at:] + tour.squares[:at]
    assert turned == tour.starting_at(tour.board.name(cell))
    assert turned.starting_at(tour.squares[0]) == tour


def test_where_a_tour_cannot_begin() -> None:
    ring = Tour.from_names(Board.parse("3x3", without="b2"), RING.split(), closed=True)
    assert ring.valid
    assert "cell b2 is removed" in refusal(ring.starting_at, "b2")
    part = Tour.from_names(ring.board, ["a3", "b1"], closed=True)
    assert "does not visit c3" in refusal(part.starting_at, "c3")
    assert "only a closed tour" in refusal(ring.as_closed(False).starting_at, "a3")


@given(walks())
@examples(80)
def test_meant_closed_or_open_changes_nothing_else(walk: Tour) -> None:
    for closed in (True, False):
        other = walk.as_closed(closed)
        assert (other.board, other.squares, other.closed) == (walk.board, walk.squares, closed)
        assert (other == walk) == (closed == walk.closed)
        # Nothing that was computed for one is left over in the other.
        assert other.valid == (expected_fault(other) is None)
        assert other.moves == undirected_moves(other)


@given(real_tours(), st.data())
@examples(150)
def test_the_normalised_numbering_stands_for_all(tour: Tour, data: st.DataObject) -> None:
    normal = tour.normalised()
    assert normal.valid
    assert normal.moves == tour.moves
    assert normal.normalised() == normal == tour.reversed().normalised()
    if tour.closed:
        assert normal == tour.starting_at(data.draw(st.sampled_from(tour.board.cells))).normalised()
        assert normal.squares[0] == tour.board.cells[0]
        assert normal.squares[1] < normal.squares[-1]
    else:
        assert normal.squares[0] <= normal.squares[-1]
    rows = TourRows(tour.board, np.array([tour.indices, tour.reversed().indices]), closed=tour.closed)
    assert rows.normalised.tolist() == [list(normal.indices)] * 2


# -- images -------------------------------------------------------------------------------------------------


@given(real_tours(), st.data())
@examples(100)
def test_images_carry_the_numbering_along(tour: Tour, data: st.DataObject) -> None:
    board = tour.board
    symmetry = data.draw(st.sampled_from(symmetry_group(board)))
    image = tour.transformed(symmetry)
    assert image.valid
    assert image.closed == tour.closed
    assert [board.index[cell] for cell in image.squares] == [symmetry(board.index[c]) for c in tour.squares]
    assert image.transformed(symmetry.inverse()) == tour
    assert image.canonical() == tour.canonical() == tour.reversed().canonical()


@given(real_tours())
@examples(100)
def test_the_canonical_tour_is_the_least_image(tour: Tour) -> None:
    group = symmetry_group(tour.board)
    canonical = tour.canonical()
    images = {tour.transformed(symmetry).normalised().indices for symmetry in group}
    assert canonical.indices == min(images)
    assert canonical.canonical() == canonical
    assert canonical.valid
    stabiliser = tour.stabiliser()
    # Orbit-stabiliser, and the stabiliser is a group.
    assert len(images) * len(stabiliser) == len(group)
    kept = {symmetry.images for symmetry in stabiliser}
    assert stabiliser[0].images == tuple(range(len(tour)))
    assert {a.after(b).images for a in stabiliser for b in stabiliser} == kept
    for symmetry in group:
        assert (symmetry.images in kept) == (tour.transformed(symmetry).moves == tour.moves)


def test_a_smaller_group_joins_fewer_tours() -> None:
    board = Board(5, 6)
    group = symmetry_group(board)
    tours = all_tours(board, True)
    half = [symmetry for symmetry in group if symmetry.name in ("identity", "rot180")]
    assert len({tour.canonical(iter(group)) for tour in tours}) == 3
    assert len({tour.canonical(iter(group[:1])) for tour in tours}) == 8
    for tour in tours:
        assert set(tour.stabiliser(iter(half))) == set(tour.stabiliser()) & set(half)
        assert tour.canonical(half) == min(
            (tour.transformed(symmetry).normalised() for symmetry in half), key=lambda image: image.indices
        )


@pytest.mark.parametrize(
    ("board", "closed", "classes", "symmetric"),
    [
        (Board(5, 6), True, 3, 2),
        (Board(3, 10), True, 6, 4),
        (Board(5, 5), False, 112, 8),
    ],
    ids=str,
)
def test_known_numbers_of_classes(board: Board, closed: bool, classes: int, symmetric: int) -> None:
    sizes = Counter(tour.canonical() for tour in all_tours(board, closed))
    assert len(sizes) == classes
    order = len(symmetry_group(board))
    assert all(len(tour.stabiliser()) * size == order for tour, size in sizes.items())
    assert sum(1 for size in sizes.values() if size < order) == symmetric


@pytest.mark.full
def test_classes_of_closed_6x6_tours_by_symmetry() -> None:
    classes = {tour.canonical() for tour in all_tours(Board(6, 6), True)}
    assert len(classes) == 1245
    kinds = Counter(frozenset(symmetry.name for symmetry in tour.stabiliser()) for tour in classes)
    assert kinds == {
        frozenset({"identity", "rot90", "rot180", "rot270"}): 5,
        frozenset({"identity", "rot180"}): 17,
        frozenset({"identity"}): 1223,
    }


# -- words --------------------------------------------------------------------------------------------------


@given(walks())
@examples(120)
def test_words_lead_back_to_the_tour(walk: Tour) -> None:
    again = eval(repr(walk), {"Board": Board, "Tour": Tour})
    assert again == walk
    assert hash(again) == hash(walk)
    assert Tour.from_names(walk.board, walk.names().split(), walk.closed) == walk
    assert Tour.from_indices(walk.board, walk.indices, walk.closed) == walk
    data: dict[str, Any] = json.loads(json.dumps(walk.to_json()))
    assert data["closed"] is walk.closed
    assert Board.from_json(data["board"]) == walk.board
    assert [tuple(cell) for cell in data["squares"]] == list(walk.squares)


@given(real_tours())
@examples(60)
def test_the_grid_has_each_step_at_its_cell(tour: Tour) -> None:
    lines = tour.grid().split("\n")
    marks = [line.split() for line in lines]
    assert len({len(line) for line in lines}) == 1
    assert str(tour) == tour.grid()
    assert [len(line) for line in marks] == [tour.board.columns] * tour.board.rows
    for r, line in enumerate(marks):
        for c, mark in enumerate(line):
            assert mark == ("." if (r, c) in tour.board.removed else str(tour.squares.index((r, c)) + 1))


@given(walks())
@examples(100)
def test_the_drawing_is_well_formed_and_says_what_it_shows(walk: Tour) -> None:
    drawing = walk._repr_svg_()
    assert drawing == Tour(walk.board, walk.squares, walk.closed).svg(theme="auto")
    root = parsed(drawing)
    kind, cells = "Closed" if walk.closed else "Open", len(walk)
    what = f"walk over {cells} cells" if 0 < cells < len(walk.board) else "tour"
    assert root.findtext(f"{SVG}title") == f"{kind} {what} of {walk.board}"
    numbers = {text.text: text for text in group(root, "numbers")}
    assert [int(number or 0) for number in numbers] == list(range(1, len(walk) + 1))
