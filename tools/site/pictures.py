"""The pictures of the pages, a function each: kept in ``docs/drawn``, drawn again when the site is built."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path as File

import arguments
import census_pages
import charts
import gallery
import networkx
import unranking
from drawing import (
    CELL,
    COLOURS,
    FAINT,
    FIRST,
    INK,
    SECOND,
    THEME,
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

from ktsolve.formats.tours.files import read_tour
from ktsolve.graphs.board import Board
from ktsolve.render.boards.heat import published_starts
from ktsolve.render.picture import tour_scene
from ktsolve.render.scene.knight import icon_svg
from ktsolve.render.scene.shapes import PathShape, Placed, Rect, Scene, Shape, Strand
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.svg import scene_svg
from ktsolve.render.scene.theme import THEMES, blend, legible
from ktsolve.tasks.survey import survey as survey_of

HOME = File(__file__).resolve().parents[2] / "docs" / "pictures"

DRAWN = HOME.parent / "drawn"
"""The pictures that pages show. The others are for the site alone."""

# -- tours ------------------------------------------------------------------------------------------------


def symmetric() -> str:
    """A tour with a half turn."""
    return found("8x8", symmetry="rot180").svg(theme="auto")


def quarter() -> str:
    """A tour with a quarter turn."""
    return found("6x6", symmetry="rot90").svg(theme="auto")


def ring() -> str:
    """A tour of a board with a hole."""
    return found(Board.parse("8x8", without="d4:e5")).svg(theme="auto")


def structured() -> str:
    """A base board of a divide-and-conquer construction."""
    return found("6x6", structured=True).svg(theme="auto")


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
    lines = [*board_shapes_at(board), *shade(sorted(done), FIRST, 0.25)]
    lines += [line(move, FIRST) for move in made]
    lines += [dot(cell, SECOND, 11, fill=False) for cell in sorted(ahead)]
    for cell in ends:
        for mate in (other for other in ends if other > cell and networkx.has_path(graph, cell, other)):
            (x1, y1), (x2, y2) = centre(cell), centre(mate)
            bow = max(y1, y2) + 26
            curve = Strand((x1, y1), (((x1, bow), (x2, bow), (x2, y2)),))
            lines.append(PathShape((curve,), stroke=SECOND, stroke_width=1.6, dash=(4, 3)))
        lines.append(dot(cell, SECOND, 4.5))
    return drawing(6, 6, "A frontier sweep of 6x6 after fourteen cells", lines)


def join() -> str:
    """A tour of 8x8 in the three parts of a join."""
    tour = found("8x8")
    top, bottom = set(range(3)), set(range(5, 8))
    lines = board_shapes_at(tour.board)
    lines += shade([c for c in tour.board.cells if c[0] in top], FIRST, 0.22)
    lines += shade([c for c in tour.board.cells if c[0] in bottom], SECOND, 0.22)
    for move in sorted(tour.moves):
        rows = {cell[0] for cell in move}
        colour = FIRST if rows & top else SECOND if rows & bottom else INK
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
    lines = [*board_shapes_at(board), *[line(move, FAINT, 0.9, (3, 3)) for move in cut]]
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
    lines: list[Shape] = []
    for (r, c), count in tours.items():
        colour = blend(THEME.heat, 0.85 * (count - least) / (most - least))
        lines += shade([(r, c)], colour, 1)
        lines.append(text(c + 0.5, r + 0.5, f"{count / 1e14:.1f}", 9, legible(colour)))
    return drawing(8, 8, "Open tours of 8x8 by their ends, in units of 10^14", lines)


def sudoku() -> str:
    """A band of sudoku and its nine column sets."""
    band = ("123456789", "456789123", "789123456")
    sets = [frozenset(row[c] for row in band) for c in range(9)]
    kinds = sorted(set(sets), key=sorted)
    lines: list[Shape] = []
    for r in range(3):
        for c in range(9):
            colour = COLOURS[kinds.index(sets[c])]
            x, y = at(c, r)
            lines.append(Rect(x, y, CELL, CELL, blend((THEME.background, colour), 0.28)))
            lines.append(text(c + 0.5, r + 0.5, band[r][c], 15))
    lines += [stroke([at(c, 0), at(c, 3)], INK, 2.4 if c % 3 == 0 else 0.5) for c in range(10)]
    lines += [stroke([at(0, r), at(9, r)], INK, 2.4 if r % 3 == 0 else 0.5) for r in range(4)]
    lines += [text(c + 0.5, 3.5, "{" + "".join(sorted(sets[c])) + "}", 9) for c in range(9)]
    return drawing(
        9, 4, "A band of sudoku; its completions depend on the nine sets below its columns only", lines
    )


def swap() -> str:
    """The shortest solutions of Guarini's puzzle as a network in layers."""
    from ktsolve.wings.swap.instance import load_swap_instance
    from ktsolve.wings.swap.network import shortest_network
    from ktsolve.wings.swap.picture import layers_scene

    puzzle = load_swap_instance("guarini").puzzle
    network = shortest_network(puzzle)
    return scene_svg(layers_scene(network, "The shortest solutions of Guarini's puzzle", Style(theme="auto")))


def hero() -> str:
    """The picture at the head of the README: six smooth tours with a quarter turn."""
    # The tours are kept in a file: the picture must not change when an engine finds another tour.
    tours = [read_tour(each) for each in (HOME / "hero.jsonl").read_text("utf-8").splitlines()]
    style = Style(theme="auto", path="smooth", numbers=False, coordinates=False, ends=False, dots=False)
    shapes: list[Shape] = []
    left, gap = 0.0, 0.6 * CELL
    scenes = [tour_scene(tour, style) for tour in tours]
    height = scenes[0].height
    for scene in scenes:
        scale = height / scene.height
        shapes.append(Placed(scene, left, 0, scale))
        left += scene.width * scale + gap
    title = "Closed knight's tours with a quarter turn, of boards with and without corners and holes"
    width = left - gap
    return scene_svg(Scene(width, height, title, "", THEME.background, tuple(shapes), 1320))


def icon() -> str:
    """A knight's head, the icon of the site."""
    return icon_svg(THEMES["light"].line, THEMES["dark"].line)


def survey() -> str:
    """Histograms of two statistics: a sample, and all tours."""
    return survey_of("6x6", "crossings,turns", samples=10_000, seed=1).svg(theme="auto")


PICTURES: dict[str, Callable[[], str]] = {
    each.__name__: each
    for each in (
        *(symmetric, quarter, ring, structured, frontier, join, cuts, census, sudoku, swap, hero, icon),
        survey,
        *(arguments.components, arguments.quarters, arguments.comb, arguments.warnsdorff, arguments.folded),
        unranking.numbers,
    )
} | charts.CHARTS


def write(folder: File) -> None:
    """Draw all pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        (folder / f"{name}.svg").write_text(draw(), "utf-8")


def shown() -> list[str]:
    """Return the names of the pictures that pages show."""
    pages = "".join(page.read_text("utf-8") for page in sorted(HOME.parent.glob("*.md")))
    return sorted(set(re.findall(r"\(drawn/([\w-]+)\.svg\)", pages)))


def write_kept() -> None:
    """Draw the pictures that are kept in the checkout: of the README and of pages, also by commands."""
    (HOME / "hero.svg").write_text(hero(), "utf-8")
    DRAWN.mkdir(exist_ok=True)
    for name in shown():
        (DRAWN / f"{name}.svg").write_text(PICTURES[name](), "utf-8")
    gallery.write(gallery.KEPT, gallery.PAGE.parents[1] / "build" / "gallery", players=False)
    census_pages.write()
    pages = "".join(page.read_text("utf-8") for page in sorted(HOME.parent.glob("*.md")))
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    with tempfile.TemporaryDirectory() as folder:
        for name, body in re.findall(r"^```text\n# file (\S+)\n(.*?)^```$", pages, re.MULTILINE | re.DOTALL):
            (File(folder) / name).write_text(body)
        for picture in sorted(set(re.findall(r"\(pictures/([\w-]+\.svg)\)", pages))):
            for command in re.findall(rf"^\$ (.* -o {picture})$", pages, re.MULTILINE)[:1]:
                environment = {**os.environ, "PATH": path}
                subprocess.run(["bash", "-c", command], cwd=folder, env=environment, check=True)
                shutil.copy(File(folder) / picture, HOME / picture)


if __name__ == "__main__":
    write_kept()
