"""Symmetries of boards: groups, named symmetries, and orbits under them."""

from __future__ import annotations

import csv
from collections import Counter
from importlib.resources import files
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import answer_or_refusal, boards, closure, examples, permutations_of, refusal

from ktsolve.graphs.board import Board
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.symmetry import (
    SYMMETRIES,
    Orbit,
    Symmetry,
    cell_orbits,
    move_orbits,
    named_symmetry,
    orbits,
    pair_orbits,
    symmetry_group,
)

SMALL = boards(largest=5)


def rigid_motions(board: Board) -> set[tuple[int, ...]]:
    """All maps (row, column) -> signs and perhaps an exchange, then a shift, that keep the set of cells.

    Along a side that is not wrapped the shift must bring the whole side back to its place; an exchange needs
    a square whose sides are wrapped alike.
    """
    sides = (board.rows, board.columns)
    wrapped = ("y" in board.wrap, "x" in board.wrap)
    found = set()
    exchanges = [False, True] if board.rows == board.columns and wrapped[0] == wrapped[1] else [False]
    for exchange, signs in product(exchanges, product((1, -1), repeat=2)):
        ranges = [
            range(side) if around else [0 if sign == 1 else side - 1]
            for side, around, sign in zip(sides, wrapped, signs, strict=True)
        ]
        for shifts in product(*ranges):
            images = []
            for cell in board.cells:
                turned = cell[::-1] if exchange else cell
                moved = [sign * x + shift for sign, x, shift in zip(signs, turned, shifts, strict=True)]
                images.append((moved[0] % board.rows, moved[1] % board.columns))
            if set(images) == set(board.cells):
                found.add(tuple(board.index[image] for image in images))
    return found


# -- the group ----------------------------------------------------------------------------------------------


@given(SMALL)
@examples(150)
def test_the_group_is_all_rigid_motions(board: Board) -> None:
    group = symmetry_group(board)
    images = [symmetry.images for symmetry in group]
    assert images[0] == tuple(range(len(board)))
    assert group[0].name == "identity"
    assert len(set(images)) == len(images)
    assert set(images) == rigid_motions(board)
    assert len({symmetry.name for symmetry in group}) == len(group)


@given(boards(largest=4))
@examples(100)
def test_the_group_is_a_group(board: Board) -> None:
    group = symmetry_group(board)
    images = {symmetry.images for symmetry in group}
    identity = group[0]
    for one in group:
        assert sorted(one.images) == list(range(len(board)))
        assert one.inverse().images in images
        assert one.after(one.inverse()).images == one.inverse().after(one).images == identity.images
        for other in group:
            both = one.after(other)
            assert both.images in images
            assert [both(i) for i in range(len(board))] == [one(other(i)) for i in range(len(board))]


@given(SMALL)
@examples(80)
def test_every_symmetry_maps_moves_to_moves(board: Board) -> None:
    edges = {(u, v) for u, v in board.edges.tolist()}
    for symmetry in symmetry_group(board):
        assert {tuple(sorted((symmetry(u), symmetry(v)))) for u, v in edges} == edges


@pytest.mark.parametrize(
    ("board", "order"),
    [
        (Board(8, 8), 8),
        (Board(5, 5), 8),
        (Board(3, 4), 4),
        (Board(1, 1), 1),
        (Board(1, 5), 2),
        (Board(5, 5, wrap="xy"), 200),
        (Board(8, 8, wrap="xy"), 512),
        (Board(5, 5, leaper=(1, 3), wrap="xy"), 200),
        (Board(3, 5, wrap="xy"), 60),
        (Board(3, 5, wrap="x"), 20),
        (Board(3, 5, wrap="y"), 12),
        (Board(5, 5, wrap="x"), 20),  # the sides differ: no quarter turn
        (Board(2, 2, wrap="xy"), 8),  # flips are shifts
        (Board(1, 4, wrap="x"), 8),
        (Board.parse("8x8", without="a1"), 2),
        (Board.parse("8x8", without="a1 h8"), 4),
        (Board.parse("8x8", without="a1 b1"), 1),
        (Board.parse("8x8", without="d4:e5"), 8),
        (Board.parse("3x4", without="b2"), 2),
        (Board.parse("4x4", without="b2"), 2),
        (Board.parse("3x4", without="b1"), 1),
        (Board.parse("5x5", without="a1", wrap="xy"), 8),
    ],
    ids=str,
)
def test_known_orders(board: Board, order: int) -> None:
    assert len(symmetry_group(board)) == order


# -- named symmetries ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "picture"),
    [
        ("rot180", ["ihg", "fed", "cba"]),
        ("rot90", ["gda", "heb", "ifc"]),
        ("flip-h", ["cba", "fed", "ihg"]),
        ("flip-v", ["ghi", "def", "abc"]),
    ],
)
def test_named_symmetries_turn_a_picture(name: str, picture: list[str]) -> None:
    symmetry = named_symmetry(Board(3, 3), name)
    turned = [""] * 9
    for i, letter in enumerate("abcdefghi"):
        turned[symmetry(i)] = letter
    assert "".join(turned) == "".join(picture)
    assert symmetry.name == name


def test_named_symmetries_of_a_rectangle_move_its_corners() -> None:
    board = Board(2, 3)
    corners: dict[str, Cell] = {"rot180": (1, 2), "flip-h": (0, 2), "flip-v": (1, 0)}
    for name, corner in corners.items():
        assert board.cells[named_symmetry(board, name)(0)] == corner


@given(SMALL, st.sampled_from(SYMMETRIES))
@examples(120)
def test_a_named_symmetry_is_in_the_group_or_refused(board: Board, name: str) -> None:
    group = {symmetry.images for symmetry in symmetry_group(board)}
    symmetry = answer_or_refusal(named_symmetry, board, name)
    if symmetry is None:
        message = refusal(named_symmetry, board, name)
        assert name in message
        assert str(board) in message
        assert name == "rot90" or board.removed
        return
    assert symmetry.images in group
    order, power = 1, symmetry
    while power.images != tuple(range(len(board))):
        order, power = order + 1, power.after(symmetry)
    assert order in ((1, 4) if name == "rot90" else (1, 2))
    if name == "rot90":
        assert symmetry.after(symmetry).images == named_symmetry(board, "rot180").images


@pytest.mark.parametrize(
    ("board", "name", "said"),
    [
        (Board(3, 3), "rot45", "use rot180, rot90, flip-h, flip-v"),
        (Board(3, 3), "identity", "use rot180, rot90, flip-h, flip-v"),
        (Board(3, 4), "rot90", "rot90 needs a square board"),
        (Board(3, 3, wrap="x"), "rot90", "wrapped both ways or not at all"),
        (Board.parse("3x3", without="a1"), "rot90", "a cell falls into a hole"),
        (Board.parse("3x3", without="a1"), "flip-v", "a cell falls into a hole"),
    ],
)
def test_a_symmetry_that_the_board_lacks_is_refused(board: Board, name: str, said: str) -> None:
    assert said in refusal(named_symmetry, board, name)


# -- orbits -------------------------------------------------------------------------------------------------


@given(st.data(), st.integers(1, 6))
@examples(80)
def test_orbits_of_any_group_partition_in_order(data: st.DataObject, size: int) -> None:
    group = closure(data.draw(st.lists(permutations_of(size), max_size=2)), size)
    assume(len(group) <= 120)
    order = data.draw(st.permutations(range(size)))
    found = orbits(order, lambda i: [images[i] for images in group])
    assert sorted(i for orbit in found for i in orbit) == list(range(size))
    for orbit in found:
        assert set(orbit) == {images[orbit[0]] for images in group}
        assert orbit == sorted(orbit, key=order.index)
        # Orbit-stabiliser.
        assert len(orbit) * sum(1 for images in group if images[orbit[0]] == orbit[0]) == len(group)
    assert [orbit[0] for orbit in found] == sorted((orbit[0] for orbit in found), key=order.index)


def check_orbits(
    board: Board, found: tuple[Orbit, ...], items: list[tuple[Cell, ...]], group: tuple[Symmetry, ...]
) -> None:
    """The orbits partition the items, each is the orbit of its smallest member, and the sizes agree."""
    members = [member for orbit in found for member in orbit.members]
    assert sorted(members) == sorted(items)
    assert len(set(members)) == len(members)
    cells, index = board.cells, board.index
    for orbit in found:
        assert orbit.representative == orbit.members[0] == min(orbit.members)
        assert list(orbit.members) == sorted(orbit.members)
        images = [
            tuple(sorted(cells[symmetry(index[cell])] for cell in orbit.representative)) for symmetry in group
        ]
        assert set(images) == set(orbit.members)
        assert orbit.multiplicity == len(orbit.members)
        assert orbit.multiplicity * images.count(orbit.representative) == len(group)
    representatives = [orbit.representative for orbit in found]
    assert representatives == sorted(representatives)


@given(boards(largest=4), st.data())
@examples(60)
def test_orbits_of_cells_moves_and_pairs(board: Board, data: st.DataObject) -> None:
    whole = symmetry_group(board)
    generators = data.draw(st.lists(st.sampled_from(whole), max_size=2))
    parts = closure([symmetry.images for symmetry in generators], len(board))
    for group in (whole, tuple(symmetry for symmetry in whole if symmetry.images in parts)):
        check_orbits(board, cell_orbits(board, group), [(cell,) for cell in board.cells], group)
        check_orbits(board, move_orbits(board, group), list(board.moves), group)
        check_orbits(board, pair_orbits(board, group), list(combinations(board.cells, 2)), group)
    assert cell_orbits(board) == cell_orbits(board, iter(whole))
    assert move_orbits(board) == move_orbits(board, iter(whole))
    # Pairs may be given in any order and either way round; moves are one set that the group keeps.
    pairs = [move[:: data.draw(st.sampled_from([1, -1]))] for move in data.draw(st.permutations(board.moves))]
    given_pairs: Any = pairs
    assert pair_orbits(board, pairs=given_pairs) == move_orbits(board)


def shipped_classes() -> list[tuple[tuple[Cell, Cell], int]]:
    """Pairs of ends and multiplicities of the table of open tours of 6x6."""
    text = files("ktsolve.data").joinpath("open-tours-6x6-by-endpoints.csv").read_text()
    rows = csv.DictReader(line for line in text.splitlines() if line and not line.startswith("#"))
    return [
        (
            ((int(row["row1"]), int(row["col1"])), (int(row["row2"]), int(row["col2"]))),
            int(row["multiplicity"]),
        )
        for row in rows
    ]


def test_classes_of_ends_of_6x6_are_those_of_the_published_table() -> None:
    board, table = Board(6, 6), shipped_classes()
    pairs = [(a, b) for a, b in combinations(board.cells, 2) if sum(a) % 2 != sum(b) % 2]
    found = pair_orbits(board, pairs=pairs)
    assert len(table) == len(found) == 45
    assert Counter(m for _, m in table) == Counter(orbit.multiplicity for orbit in found)
    assert sum(m for _, m in table) == len(pairs) == 18 * 18
    seen = set()
    for pair, multiplicity in table:
        (orbit,) = [orbit for orbit in found if pair in orbit.members]
        assert orbit.multiplicity == multiplicity
        seen.add(orbit.representative)
    assert len(seen) == len(table)


@pytest.mark.parametrize(
    ("board", "cells", "moves", "pairs"),
    [
        (Board(8, 8), 10, 21, 278),
        (Board(5, 5, wrap="xy"), 1, 1, 5),
        (Board(3, 3), 3, 1, 8),
    ],
    ids=str,
)
def test_known_numbers_of_orbits(board: Board, cells: int, moves: int, pairs: int) -> None:
    assert len(cell_orbits(board)) == cells
    assert len(move_orbits(board)) == moves
    assert len(pair_orbits(board)) == pairs
