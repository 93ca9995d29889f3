"""Pictures of proofs and constructions, made from the results of the code itself."""

from __future__ import annotations

import itertools
from math import cos, pi, sin

import networkx
import numpy as np
from drawing import (
    COLOURS,
    FAINT,
    FIRST,
    INK,
    THEME,
    along,
    at,
    board_shapes_at,
    centre,
    dot,
    drawing,
    found,
    line,
    shade,
    stroke,
    text,
)

import ktsolve
from ktsolve.engines.divide.joining import bands
from ktsolve.engines.walk.walk import walk
from ktsolve.graphs.board import Board, Move
from ktsolve.graphs.notation import Cell
from ktsolve.graphs.symmetry import named_symmetry
from ktsolve.graphs.tour import Tour
from ktsolve.proof.certificate import Certificate, Removal
from ktsolve.render.scene.shapes import Circle, Shape
from ktsolve.render.scene.theme import legible


def components() -> str:
    """Why 4x6 has no closed tour: the cells that its certificate removes, and the components that remain."""
    certificate = ktsolve.prove(ktsolve.TourProblem(board="4x6", closed=True))
    assert isinstance(certificate, Certificate)
    argument = certificate.argument
    assert isinstance(argument, Removal)
    board, removed = certificate.problem.board, set(argument.cells)
    graph = networkx.Graph(list(board.moves))
    graph.remove_nodes_from(removed)
    rest = sorted((sorted(part) for part in networkx.connected_components(graph)), key=len)
    assert len(rest) > len(removed)
    lines = board_shapes_at(board)
    lines += [line(move, FAINT, 0.7, (2, 3)) for move in board.moves if removed & set(move)]
    for number, cells in enumerate(rest):
        colour = COLOURS[number % len(COLOURS)]
        lines += shade(cells, colour, 0.35)
        lines += [line(move, colour) for move in board.moves if set(move) <= set(cells)]
        lines += [dot(cell, colour, 5) for cell in cells]
    for cell in sorted(removed):
        x, y = centre(cell)
        lines += shade([cell], THEME.background, 0.75)
        lines.append(stroke([(x - 7, y - 7), (x + 7, y + 7)], INK, 2.4))
        lines.append(stroke([(x + 7, y - 7), (x - 7, y + 7)], INK, 2.4))
    return drawing(6, 4, f"4x6 without {len(removed)} cells: {len(rest)} components", lines)


def quarters() -> str:
    """A tour of 16x16 from four tours of 8x8: the removed moves, and those that replace them."""
    tour = Tour.from_steps(ktsolve.tour_steps(16, 16), closed=True)
    quarter = {cell: (cell[0] // 8, cell[1] // 8) for cell in tour.board.cells}
    made = [move for move in sorted(tour.moves) if quarter[move[0]] != quarter[move[1]]]
    kept = [move for move in sorted(tour.moves) if quarter[move[0]] == quarter[move[1]]]
    graph = networkx.Graph(kept)
    ends = sorted(cell for cell in graph if graph.degree(cell) == 1)
    # Each quarter is a path now. Its tour had the move between the ends.
    removed = [(a, b) for a, b in itertools.combinations(ends, 2) if quarter[a] == quarter[b]]
    assert len(made) == len(removed) == 4
    lines = board_shapes_at(tour.board)
    order = [(0, 0), (0, 1), (1, 1), (1, 0)]
    for move in kept:
        lines.append(line(move, COLOURS[order.index(quarter[move[0]])], 1.1))
    lines += _joints(made, removed)
    lines += [stroke([at(8, 0), at(8, 16)], INK), stroke([at(0, 8), at(16, 8)], INK)]
    return drawing(16, 16, "A tour of 16x16 from four of 8x8: four moves removed, four added", lines)


def comb() -> str:
    """A rectangle of closed tours, joined along a spine and, away from it, along the rows."""
    rows, columns = 14, 20
    tour = Tour.from_steps(ktsolve.tour_steps(rows, columns), closed=True)
    down, right = bands(rows), bands(columns)
    assert (len(down), len(right)) == (2, 3)
    tall = [i for i, size in enumerate(down) for _ in range(size)]
    wide = [j for j, size in enumerate(right) for _ in range(size)]
    block = {cell: (tall[cell[0]], wide[cell[1]]) for cell in tour.board.cells}
    made = [move for move in sorted(tour.moves) if block[move[0]] != block[move[1]]]
    kept = [move for move in sorted(tour.moves) if block[move[0]] == block[move[1]]]
    assert len(made) == 2 * (len(down) * len(right) - 1)
    lines = board_shapes_at(tour.board)
    for move in kept:
        i, j = block[move[0]]
        lines.append(line(move, COLOURS[i * len(right) + j], 1.1))
    lines += _joints(made, [])
    for r in np.cumsum(down)[:-1].tolist():
        lines.append(stroke([at(0, r), at(columns, r)], INK))
    for c in np.cumsum(right)[:-1].tolist():
        lines.append(stroke([at(c, 0), at(c, rows)], INK))
    title = f"A tour of {rows}x{columns} from {len(down) * len(right)} tours, two moves at each joint"
    return drawing(columns, rows, title, lines)


def _joints(made: list[Move], removed: list[Move]) -> list[Shape]:
    shapes: list[Shape] = [line(move, THEME.end, 2.4, (3, 5)) for move in removed]
    shapes += [line(move, INK, 4) for move in made]
    return shapes + [dot(cell, INK, 5) for move in made for cell in move]


def warnsdorff() -> str:
    """Two walks by one rule, from the middle and from the edge: when each cell is visited, and the ends."""
    gap, lines = 2, list[Shape]()
    board = Board.parse("20x20")
    captions = ("from the middle: a closed tour", "from the edge: the walk ends in the middle")
    for number, begin in enumerate(((9, 9), (12, 0))):
        problem = ktsolve.TourProblem(board=board, closed=number == 0, start=begin)
        tour = walk(problem, "centre", begin=begin).tour
        assert tour is not None
        first, last = tour.squares[0], tour.squares[-1]
        assert first == begin
        assert all(abs(at - 9.5) < 3 for at in last)
        left = number * (20 + gap)
        lines += board_shapes_at(board, left)
        for i, cell in enumerate(tour.squares):
            lines += shade([cell], along(i / len(tour)), 0.85, left)
        if tour.closed:
            lines.append(line((last, first), THEME.background, 5, left=left))
        for cell, colour in ((first, along(0)), (last, along(1))):
            lines += [dot(cell, THEME.background, 12, left=left), dot(cell, colour, 8, left=left)]
        lines.append(text(left + 10, 20.9, captions[number], 27))
    title = "Cells of 20x20 from the first visited (blue) to the last (red), by Warnsdorff's rule"
    return drawing(40 + gap, 22, title, lines)


def folded() -> str:
    """A tour of 6x6 with a quarter turn, and its quotient: a cycle on nine points with voltages."""
    tour = found("6x6", symmetry="rot90")
    board = tour.board
    turn = named_symmetry(board, "rot90")
    # Each cell as the image, under a power of the turn, of a cell in the upper left quarter.
    above: dict[Cell, tuple[Cell, int]] = {}
    for cell in board.cells:
        if cell[0] < 3 and cell[1] < 3:
            image = board.index[cell]
            for power in range(4):
                above[board.cells[image]] = cell, power
                image = turn(image)
    lines = board_shapes_at(board)
    lines += shade([cell for cell in board.cells if max(cell) < 3], FIRST, 0.2)
    steps = itertools.pairwise([*tour.squares, tour.squares[0]])
    drawn = []
    for number, (here, there) in enumerate(steps):
        lines.append(line((here, there), COLOURS[number // 9]))
        (x, i), (y, j) = above[here], above[there]
        drawn.append((x, y, (j - i) % 4))
    # The tour runs four times around its image in the quotient.
    assert drawn[:9] == drawn[9:18] == drawn[18:27] == drawn[27:]
    cycle = drawn[:9]
    total = sum(power for _, _, power in cycle)
    assert total % 2 == 1
    ring = [(10.5 + 2.5 * sin(2 * pi * k / 9), 3.3 - 2.5 * cos(2 * pi * k / 9)) for k in range(10)]
    for k, (_, _, power) in enumerate(cycle):
        (x1, y1), (x2, y2) = ring[k], ring[k + 1]
        lines.append(stroke([at(x1, y1), at(x2, y2)], FIRST, 4 if power % 2 else 2))
        px, py = 10.5 + 2.8 * sin(2 * pi * (k + 0.5) / 9), 3.3 - 2.8 * cos(2 * pi * (k + 0.5) / 9)
        lines.append(text(px, py, str(power), 14))
    for (x, _, _), (px, py) in zip(cycle, ring, strict=False):
        lines.append(Circle(*at(px, py), 11, FIRST))
        lines.append(text(px, py, board.name(x), 10, legible(FIRST)))
    lines.append(text(10.5, 3.3, f"sum {total}, odd", 13))
    title = f"A tour of 6x6 with a quarter turn, and its quotient: nine points, voltages with the sum {total}"
    return drawing(14, 6.6, title, lines)
