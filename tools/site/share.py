"""Pictures of the site that no page of ``docs/`` has: for links, for phones, for addresses without a page."""

from __future__ import annotations

from pathlib import Path

from drawing import found
from PIL import Image, ImageDraw, ImageFont

from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour
from ktsolve.render.picture import tour_scene
from ktsolve.render.scene.knight import knight
from ktsolve.render.scene.raster import rasterise
from ktsolve.render.scene.shapes import Rect, Scene
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.svg import scene_svg
from ktsolve.render.scene.theme import THEMES

WORDS = ("Knight's tours:", "constructed, listed,", "counted exactly, or", "proved impossible.")

WIDTH, HEIGHT = 1200, 630
"""The size that sites expect of the picture of a link, in pixels."""


def social() -> Image.Image:
    """The picture of a link: the name, what it does, and a tour with a quarter turn."""
    colours = THEMES["light"]
    board = 550
    style = Style(path="smooth", numbers=False, coordinates=False)
    tour = rasterise(tour_scene(found("10x10", symmetry="rot90"), style), board)
    picture = Image.new("RGB", (WIDTH, HEIGHT), colours.background)
    edge = (HEIGHT - board) // 2
    picture.paste(tour, (WIDTH - board - edge, edge))
    pen = ImageDraw.Draw(picture)
    pen.text((70, 170), "ktsolve", colours.ink, ImageFont.load_default(110))
    for number, line in enumerate(WORDS):
        pen.text((74, 315 + 46 * number), line, colours.faint, ImageFont.load_default(38))
    return picture


def icon() -> Image.Image:
    """The icon of the site on a phone: the knight on a cell."""
    colours = THEMES["light"]
    shapes = (Rect(0, 0, 100, 100, colours.light), *knight(50, 50, 74, colours.line, colours.light))
    return rasterise(Scene(100, 100, "ktsolve", "", colours.light, shapes, 180), 180)


def lost() -> str:
    """A board without a tour, and a knight in its corner."""
    board = Board.parse("4x4")
    return scene_svg(tour_scene(Tour(board, [(3, 0)]), Style(numbers=False, coordinates=False, knight=True)))


def write(folder: Path) -> None:
    """Write all of them into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    social().save(folder / "social.png", optimize=True)
    icon().save(folder / "icon.png", optimize=True)
    (folder / "lost.svg").write_text(lost(), "utf-8")
