"""The pictures of the site, one function each, drawn when the site is built."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path

import arguments
import networkx
import unranking
from drawing import CELL, COLOURS, FAINT, along, board_svg, centre, dot, drawing, found, line, shade, text

from ktsolve.formats.tours import read_tour
from ktsolve.ground.board import Board
from ktsolve.render.heat import published_starts
from ktsolve.render.knight import icon_svg
from ktsolve.render.theme import THEMES
from ktsolve.tasks.survey import survey as survey_of

HOME = Path(__file__).resolve().parents[2] / "docs" / "pictures"

# -- tours ------------------------------------------------------------------------------------------------


def symmetric() -> str:
    """A tour with a half turn."""
    return found("8x8", symmetry="rot180").svg()


def quarter() -> str:
    """A tour with a quarter turn."""
    return found("6x6", symmetry="rot90").svg()


def ring() -> str:
    """A tour of a board with a hole."""
    return found(Board.parse("8x8", without="d4:e5")).svg()


def structured() -> str:
    """A base board of a divide-and-conquer construction."""
    return found("6x6", corners=True).svg()


# -- frontier and join ------------------------------------------------------------------------------------


def frontier() -> str:
    """A frontier sweep after fourteen cells: eliminated cells, the frontier, and its matching."""
    tour = found("6x6")
    board = tour.board
    done = set(board.cells[:14])
    ahead = {cell for one in done for cell in board.neighbours[one]} - done
    made = sorted(move for move in tour.moves if done & set(move))
    graph = networkx.Graph(made)
    ends = [cell for cell in sorted(ahead) if cell in graph and graph.degree(cell) == 1]
    assert len(ends) % 2 == 0
    lines = [*board_svg(board), *shade(sorted(done), "#1f4e79", 0.25)]
    lines += [line(move, "#1f4e79") for move in made]
    lines += [dot(cell, "#be123c", 11, fill=False) for cell in sorted(ahead)]
    for cell in ends:
        for mate in (other for other in ends if other > cell and networkx.has_path(graph, cell, other)):
            (x1, y1), (x2, y2) = centre(cell), centre(mate)
            bow = max(y1, y2) + 26
            lines.append(
                f'<path d="M{x1:g} {y1:g}C{x1:g} {bow:g} {x2:g} {bow:g} {x2:g} {y2:g}" fill="none" '
                'stroke="#be123c" stroke-width="1.6" stroke-dasharray="4 3"/>'
            )
        lines.append(dot(cell, "#be123c", 4.5))
    return drawing(6, 6, "A frontier sweep of 6x6 after fourteen cells", lines)


def join() -> str:
    """A tour of 8x8 in the three parts of a join."""
    tour = found("8x8")
    top, bottom = set(range(3)), set(range(5, 8))
    lines = board_svg(tour.board)
    lines += shade([c for c in tour.board.cells if c[0] in top], "#1f4e79", 0.22)
    lines += shade([c for c in tour.board.cells if c[0] in bottom], "#b45309", 0.22)
    for move in sorted(tour.moves):
        rows = {cell[0] for cell in move}
        colour = "#1f4e79" if rows & top else "#b45309" if rows & bottom else "#333333"
        lines.append(line(move, colour, 2.2 if rows & (top | bottom) else 3.4))
    return drawing(
        8, 8, "The moves of a tour of 8x8 counted from the top, from the bottom, and in the middle", lines
    )


# -- cuts -------------------------------------------------------------------------------------------------


def cuts() -> str:
    """Two moves at every cell that form several cycles, and the cut of one of them."""
    board = Board.parse("6x6")
    flow = networkx.DiGraph()
    for cell in board.cells:
        source = sum(cell) % 2 == 0
        flow.add_edge(*(("s", cell) if source else (cell, "t")), capacity=2)
    for first, second in board.moves:
        pair = (first, second) if sum(first) % 2 == 0 else (second, first)
        flow.add_edge(*pair, capacity=1)
    _, sent = networkx.maximum_flow(flow, "s", "t")
    kept = [move for move in board.moves if any(sent[a].get(b) for a, b in (move, move[::-1]))]
    cycles = sorted((sorted(part) for part in networkx.connected_components(networkx.Graph(kept))), key=len)
    assert len(cycles) > 1
    cut = [move for move in board.moves if len(set(move) & set(cycles[0])) == 1]
    lines = [*board_svg(board), *[line(move, FAINT, 0.9, 'stroke-dasharray="3 3"') for move in cut]]
    for number, cells in enumerate(cycles):
        colour = COLOURS[(number + 3) % len(COLOURS)]
        lines += [line(move, colour, 2.6) for move in kept if move[0] in cells]
        lines += [dot(cell, colour, 3) for cell in cells]
    return drawing(6, 6, f"{len(cycles)} cycles that cover 6x6, and the moves that leave the smallest", lines)


# -- census, sudoku, swap ---------------------------------------------------------------------------------


def census() -> str:
    """The number of open tours of 8x8 with an end in each cell, from the published table."""
    tours = published_starts(Board.parse("8x8")).values
    least, most = min(tours.values()), max(tours.values())
    lines = []
    for (r, c), count in tours.items():
        part = (count - least) / (most - least)
        light = 92 - 52 * part
        ink = "#fff" if light < 62 else "#333"
        lines += shade([(r, c)], f"hsl(205 60% {light:.0f}%)", 1)
        lines.append(
            f'<text x="{(c + 0.5) * CELL:g}" y="{(r + 0.5) * CELL:g}" font-family="sans-serif" font-size="9" '
            f'fill="{ink}" text-anchor="middle" dominant-baseline="central">{count / 1e14:.1f}</text>'
        )
    return drawing(8, 8, "Open tours of 8x8 by their ends, in units of 10^14", lines)


def sudoku() -> str:
    """A band of sudoku and its nine column sets."""
    band = ("123456789", "456789123", "789123456")
    sets = [frozenset(row[c] for row in band) for c in range(9)]
    kinds = sorted(set(sets), key=sorted)
    lines = []
    for r in range(3):
        for c in range(9):
            colour = COLOURS[kinds.index(sets[c])]
            lines += shade([(r, c)], colour, 0.28)
            lines.append(text(c + 0.5, r + 0.52, band[r][c], 15))
    for c in range(10):
        lines.append(
            f'<path d="M{c * CELL} 0V{3 * CELL}" stroke="#333" stroke-width="{2.4 if c % 3 == 0 else 0.5}"/>'
        )
    for r in range(4):
        lines.append(
            f'<path d="M0 {r * CELL}H{9 * CELL}" stroke="#333" stroke-width="{2.4 if r % 3 == 0 else 0.5}"/>'
        )
    for c in range(9):
        lines.append(text(c + 0.5, 3.5, "{" + "".join(sorted(sets[c])) + "}", 9))
    return drawing(
        9, 4, "A band of sudoku; its completions depend on the nine sets below its columns only", lines
    )


def swap() -> str:
    """The shortest solutions of Guarini's puzzle as a network in layers."""
    from ktsolve.swap.drawing import layers_svg
    from ktsolve.swap.instance import load_swap_instance
    from ktsolve.swap.network import shortest_network

    puzzle = load_swap_instance("guarini").puzzle
    return layers_svg(shortest_network(puzzle), "The shortest solutions of Guarini's puzzle")


def hero() -> str:
    """The picture at the head of the README: three tours, coloured from their first move to their last."""
    # The tours are kept in a file: the picture must not change when an engine finds another tour.
    tours = [read_tour(text) for text in (HOME / "hero.jsonl").read_text("utf-8").splitlines()]
    gap, lines = 1.0, []
    for number, tour in enumerate(tours):
        lines.append(f'<g transform="translate({number * (8 + gap) * CELL:g} 0)">')
        lines += board_svg(tour.board)
        walk = [*tour.squares, tour.squares[0]]
        for i, move in enumerate(itertools.pairwise(walk)):
            lines.append(line(move, along(i / len(tour)), 2.8))
        lines += [dot(tour.squares[0], along(0), 5), "</g>"]
    return drawing(24 + 2 * gap, 8, "Closed knight's tours of an 8x8 board, whole and with holes", lines)


def icon() -> str:
    """A knight's head, the icon of the site."""
    return icon_svg(THEMES["light"].line, THEMES["dark"].line)


def survey() -> str:
    """Histograms of two statistics: a sample, and all tours."""
    return survey_of("6x6", "crossings,turns", samples=10_000, seed=1).svg()


PICTURES: dict[str, Callable[[], str]] = {
    each.__name__: each
    for each in (
        *(symmetric, quarter, ring, structured, frontier, join, cuts, census, sudoku, swap, hero, icon),
        survey,
        *(arguments.components, arguments.quarters, arguments.comb, arguments.warnsdorff, arguments.folded),
        unranking.numbers,
    )
}


def write(folder: Path) -> None:
    """Draw all pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        (folder / f"{name}.svg").write_text(draw(), "utf-8")


def write_kept() -> None:
    """Draw the pictures that are kept in the checkout: of the README, and of pages by their commands."""
    (HOME / "hero.svg").write_text(hero(), "utf-8")
    pages = "".join(page.read_text("utf-8") for page in sorted(HOME.parent.glob("*.md")))
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    with tempfile.TemporaryDirectory() as folder:
        for name, body in re.findall(r"^```text\n# file (\S+)\n(.*?)^```$", pages, re.MULTILINE | re.DOTALL):
            (Path(folder) / name).write_text(body)
        for picture in sorted(set(re.findall(r"\(pictures/([\w-]+\.svg)\)", pages))):
            for command in re.findall(rf"^\$ (.* -o {picture})$", pages, re.MULTILINE)[:1]:
                environment = {**os.environ, "PATH": path}
                subprocess.run(["bash", "-c", command], cwd=folder, env=environment, check=True)
                shutil.copy(Path(folder) / picture, HOME / picture)


if __name__ == "__main__":
    write_kept()
