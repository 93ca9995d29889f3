r"""Scenes as drawing commands of TikZ, for documents in LaTeX: ``\input{tour.tikz}``.

The preamble of the document needs ``\usepackage{tikz}``. Lengths are points of TeX. Text is set
in the document's sans-serif font.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ktsolve.render.scene.shapes import Circle, Drawn, PathShape, Point, Polyline, Rect, Scene, Strand, Text
from ktsolve.render.scene.svg import number

__all__ = ["tikz"]

_POINTS_PER_PIXEL = 0.75

_IN_LINE = 6  # points of a path in a line of the file; TeX reads a line at a time

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    **{letter: f"\\{letter}" for letter in "{}$&#_%"},
}


def tikz(scene: Scene) -> str:
    r"""Return a scene as a ``tikzpicture``. Linear in its shapes.

    >>> shapes = Circle(5, 5, 3, "#cc0000"), Text(9, 5, "A_1", 8, "#000000")
    >>> print(tikz(Scene(20, 10, "Dot", "", "#ffffff", shapes, 20)), end="")
    % Dot
    % In the preamble: \usepackage{tikz}
    \begin{tikzpicture}[x=1pt,y=-1pt,line cap=round,line join=round]
    \definecolor{kt1}{HTML}{FFFFFF}
    \definecolor{kt2}{HTML}{CC0000}
    \definecolor{kt3}{HTML}{000000}
    \useasboundingbox (0,0) rectangle (15,7.5);
    \path[fill=kt1] (0,0) rectangle (15,7.5);
    \path[fill=kt2] (3.75,3.75) circle[radius=2.25];
    \node[anchor=base,inner sep=0pt,text=kt3,
      font=\fontsize{6}{7.2}\selectfont\sffamily] at (6.75,5.88) {A\_1};
    \end{tikzpicture}
    """
    width, height = (side * _POINTS_PER_PIXEL for side in scene.screen)
    shapes = list(scene.drawn(scale=width / scene.width))
    colours: dict[str, str] = {}
    for shape, *_ in shapes:
        for key in ("fill", "stroke"):
            if (value := getattr(shape, key, None)) is not None:
                colours.setdefault(value, f"kt{len(colours) + 1}")
    lines = [
        "% " + " ".join(scene.title.split()),
        r"% In the preamble: \usepackage{tikz}",
        r"\begin{tikzpicture}[x=1pt,y=-1pt,line cap=round,line join=round]",
        *(rf"\definecolor{{{name}}}{{HTML}}{{{colour[1:].upper()}}}" for colour, name in colours.items()),
        rf"\useasboundingbox (0,0) rectangle ({number(width)},{number(height)});",
    ]
    for shape, left, top, scale in shapes:
        lines += _commands(shape, _Pen(left, top, scale), colours)
    return "\n".join([*lines, r"\end{tikzpicture}"]) + "\n"


class _Pen:
    """Points and lengths of a shape in the picture."""

    def __init__(self, left: float, top: float, scale: float) -> None:
        self.left, self.top, self.scale = left, top, scale

    def at(self, point: Point) -> str:
        x, y = self.left + point[0] * self.scale, self.top + point[1] * self.scale
        return f"({number(x)},{number(y)})"

    def long(self, length: float) -> str:
        return number(length * self.scale)


def _commands(shape: Drawn, pen: _Pen, colours: dict[str, str]) -> Iterator[str]:
    """The commands of a shape."""
    match shape:
        case Text():
            anchor = {"start": "base west", "middle": "base", "end": "base east"}[shape.anchor]
            size = pen.scale * shape.size
            font = rf"\fontsize{{{number(size)}}}{{{number(1.2 * size)}}}\selectfont\sffamily"
            font += r"\bfseries" if shape.bold else ""
            place = pen.at((shape.x, shape.y + 0.355 * shape.size))
            text = re.sub(r"[\\^~{}$&#_%]", lambda found: _SPECIAL[found[0]], " ".join(shape.text.split()))
            yield (
                rf"\node[anchor={anchor},inner sep=0pt,text={colours[shape.fill]},"
                f"\n  font={font}] at {place} {{{text}}};"
            )
            return
        case Rect():
            paint = _paint(shape, pen, colours)
            far = pen.at((shape.x + shape.width, shape.y + shape.height))
            options = f"{paint},rounded corners={pen.long(shape.radius)}pt" if shape.radius else paint
            yield rf"\path[{options}] {pen.at((shape.x, shape.y))} rectangle {far};"
        case Circle():
            paint, middle = _paint(shape, pen, colours), pen.at((shape.x, shape.y))
            yield rf"\path[{paint}] {middle} circle[radius={pen.long(shape.radius)}];"
        case Polyline():
            points = [(float(x), float(y)) for x, y in shape.points.tolist()]
            line = Strand(points[0], tuple(points[1:] or points))
            yield from _path([line], _paint(shape, pen, colours), pen)
        case PathShape():
            yield from _path(shape.strands, _paint(shape, pen, colours), pen)


def _paint(shape: Rect | Circle | PathShape | Polyline, pen: _Pen, colours: dict[str, str]) -> str:
    """Options for fill and line."""
    options = []
    if (fill := getattr(shape, "fill", None)) is not None:
        options.append(f"fill={colours[fill]}")
    if shape.stroke is not None:
        options.append(f"draw={colours[shape.stroke]},line width={pen.long(shape.stroke_width)}pt")
        if isinstance(shape, PathShape) and shape.dash is not None:
            on, off = (pen.long(length) for length in shape.dash)
            options.append(f"dash pattern=on {on}pt off {off}pt")
    return ",".join(options)


def _path(strands: Iterable[Strand], paint: str, pen: _Pen) -> Iterator[str]:
    """A path, several points in a line."""
    parts = []
    for strand in strands:
        parts.append(pen.at(strand.start))
        for step in strand.steps:
            if len(step) == 3:
                first, second, end = (pen.at(point) for point in step)
                parts.append(f".. controls {first} and {second} .. {end}")
            else:
                parts.append(f"-- {pen.at(step)}")
        if strand.closed:
            parts.append("-- cycle")
    lines = [" ".join(parts[i : i + _IN_LINE]) for i in range(0, len(parts), _IN_LINE)]
    yield "\n  ".join([rf"\path[{paint}]", *lines]) + ";"
