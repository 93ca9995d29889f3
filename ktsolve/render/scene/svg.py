"""Scenes as SVG files. The same scene gives the same bytes; text stays text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr
from zlib import crc32

from ktsolve.render.scene.shapes import (
    Circle,
    Group,
    Motion,
    PathShape,
    Placed,
    Point,
    Polyline,
    Rect,
    Scene,
    Shape,
    Strand,
    Text,
)
from ktsolve.render.scene.theme import TwoColours

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FONT", "legal", "scene_svg"]

FONT = "system-ui,-apple-system,Segoe UI,Helvetica,Arial,sans-serif"
"""The font family of all text. No font is embedded."""

_BASELINE = 0.355  # half the height of digits as a share of the font size
_FACTOR = 1 << 24  # more than twice the largest coordinate

Attributes = dict[str, str]
Element = tuple[str, Attributes, str | list["Element"]]
"""A tag, its attributes, and its content: text or elements."""


def scene_svg(scene: Scene) -> str:
    """Return the SVG file of a scene. Linear in its shapes.

    >>> dots = Circle(5, 5, 3, "#c00"), Circle(15, 5, 3, "#c00")
    >>> scene = Scene(20, 10, "A & B", "Two.", "#fff", dots, 20)
    >>> print(scene_svg(scene), end="")
    <svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" viewBox="0 0 20 10" role="img">
    <title>A &amp; B</title>
    <desc>Two.</desc>
    <rect width="20" height="10" fill="#fff"/>
    <circle cx="5" cy="5" r="3" fill="#c00"/>
    <circle cx="15" cy="5" r="3" fill="#c00"/>
    </svg>
    """
    width, height = scene.screen
    tree = [_element(shape) for shape in scene.page]
    name, style = _dark_style(tree)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(width)}" height="{number(height)}" '
        f'viewBox="0 0 {number(scene.width)} {number(scene.height)}"{name} role="img">',
        f"<title>{escape(legal(scene.title))}</title>",
        *([f"<desc>{escape(legal(scene.description))}</desc>"] if scene.description else []),
        *style,
        *(line for each in tree for line in _lines(each)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _dark_style(tree: Sequence[Element]) -> tuple[str, list[str]]:
    """The class of a picture with two colours for a shape, and the rules for readers of a dark scheme.

    A rule is about all shapes with one colour. Two shapes with one light colour and different dark ones would
    share a rule: the light colour of one is changed by the least step there is, here in ``tree``.
    """
    written: dict[tuple[str, str], str] = {}
    rules: dict[str, None] = {}
    stack = list(reversed(tree))
    while stack:
        _, attributes, inside = stack.pop()
        for key in ("fill", "stroke"):
            light = attributes.get(key, "none")
            if light == "none" or len(light) != 7:
                continue
            pair = str(light), light.dark if isinstance(light, TwoColours) else str(light)
            if pair not in written:
                written[pair] = _unused(pair[0], set(written.values()))
            attributes[key] = written[pair]
            if pair[0] != pair[1]:
                rules[f'[{key}="{written[pair]}"]{{{key}:{pair[1]}}}'] = None
        if isinstance(inside, list):
            stack.extend(reversed(inside))
    if not rules:
        return "", []
    # Several pictures can be parts of one page: the rules of each are about its own class.
    name = f"kt-{crc32(''.join(rules).encode()):08x}"
    text = "".join(f".{name} {rule}" for rule in rules)
    return f' class="{name}"', [f"<style>@media (prefers-color-scheme:dark){{{text}}}</style>"]


def _unused(colour: str, taken: Collection[str]) -> str:
    """The colour, or the nearest one by the blue channel that is not taken."""
    value = int(colour[1:], 16)
    step = -1 if value & 128 else 1
    while f"#{value:06x}" in taken:
        value += step
    return f"#{value:06x}"


def legal(text: str) -> str:
    r"""Return the text with a replacement character for each character that XML does not allow.

    >>> ascii(legal("a\x1bb \udcff & c"))
    "'a\\ufffdb \\ufffd & c'"
    """
    return _ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", text)


_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def number(value: float) -> str:
    """Return a coordinate rounded to a hundredth.

    >>> number(20), number(2.5), number(1/3), number(-0.001)
    ('20', '2.5', '.33', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    if text in ("-0", "0"):
        return "0"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def _lines(element: Element) -> Iterator[str]:
    tag, attributes, inside = element
    opening = "".join([tag, *(f" {key}={quoteattr(value)}" for key, value in attributes.items())])
    if not inside:
        yield f"<{opening}/>"
    elif isinstance(inside, str):
        yield f"<{opening}>{escape(legal(inside))}</{tag}>"
    else:
        yield f"<{opening}>"
        for each in inside:
            yield from _lines(each)
        yield f"</{tag}>"


def _element(shape: Shape) -> Element:
    match shape:
        case Rect():
            places = {"x": shape.x, "y": shape.y, "rx": shape.radius}
            sized = {key: number(value) for key, value in places.items() if value}
            size = {"width": number(shape.width), "height": number(shape.height)}
            return "rect", {**sized, **size, **_paint(shape)}, ""
        case Circle():
            place = {"cx": number(shape.x), "cy": number(shape.y), "r": number(shape.radius)}
            return "circle", {**place, **_paint(shape)}, [("title", {}, shape.title)] if shape.title else ""
        case PathShape():
            data = "".join(_strand(strand) for strand in shape.strands)
            rounded = _ROUND if shape.stroke is not None else {}
            dash = {"stroke-dasharray": " ".join(map(number, shape.dash))} if shape.dash is not None else {}
            return "path", {"d": data, **_paint(shape), **rounded, **dash}, ""
        case Polyline():
            return "path", {"d": _polyline(shape.points), **_paint(shape), **_ROUND}, ""
        case Text():
            place = {"x": number(shape.x), "y": number(shape.y + _BASELINE * shape.size)}
            face = {"font-size": number(shape.size), "fill": shape.fill, "text-anchor": shape.anchor}
            weight = {"font-weight": "bold"} if shape.bold else {}
            return "text", {**place, "font-family": FONT, **face, **weight}, shape.text
        case Group():
            tag, attributes, inside = _group(shape.name, shape.shapes)
            if shape.motion is None:
                return tag, attributes, inside
            x, y = shape.motion.points[0]
            moved = {**attributes, "transform": f"translate({number(x)} {number(y)})"}
            still = len(shape.motion.points) == 1
            return tag, moved, inside if still else [*inside, _animation(shape.motion)]
        case Placed():
            place = {"transform": f"translate({number(shape.x)} {number(shape.y)})scale({shape.scale:.4g})"}
            inner: list[Element] = [("title", {}, shape.scene.title)]
            inner += [_element(each) for each in shape.scene.page]
            return "g", place, inner


def _animation(motion: Motion) -> Element:
    """The motion of the group that contains the element, by SMIL."""
    seconds = motion.times[-1]
    places = ";".join(f"{number(x)} {number(y)}" for x, y in motion.points)
    times = ";".join(f"{time / seconds:.5f}" for time in motion.times)
    kind = {"attributeName": "transform", "type": "translate", "repeatCount": "indefinite"}
    return "animateTransform", {**kind, "dur": f"{seconds:g}s", "values": places, "keyTimes": times}, ""


_ROUND = {"stroke-linecap": "round", "stroke-linejoin": "round"}
_OWN = frozenset({"x", "y", "width", "height", "rx", "cx", "cy", "r", "d", "transform", "class"})
"""Attributes that a group does not pass to its members."""


_LINE = frozenset({"stroke-width", "stroke-linecap", "stroke-linejoin"})
"""Attributes without a meaning for shapes without a stroke."""


def _group(name: str, shapes: Sequence[Shape]) -> tuple[str, Attributes, list[Element]]:
    inner = [_element(shape) for shape in shapes]
    shared = _shared([(each, tag != "g" and "stroke" not in each) for tag, each, _ in inner])
    members: list[Element] = [
        (tag, {key: value for key, value in attributes.items() if shared.get(key) != value}, inside)
        for tag, attributes, inside in inner
    ]
    return "g", {"class": name, **shared}, members


def _shared(members: Sequence[tuple[Attributes, bool]]) -> Attributes:
    """What a group passes to its members, given their attributes, and whether they have no stroke.

    That is what all of them have, what all lines among them have, and the fill of most of them.
    """
    if not members:
        return {}
    lines = [attributes for attributes, bare in members if not bare]
    shared: Attributes = {}
    for key, value in (lines or [members[0][0]])[0].items():
        among = lines if key in _LINE else [attributes for attributes, _ in members]
        equal = sum(attributes.get(key) == value for attributes in among)
        most = key == "fill" and all(key in attributes for attributes in among) and 2 * equal > len(among)
        if key not in _OWN and (most or equal == len(among)):
            shared[key] = value
    return shared


def _paint(shape: Rect | Circle | PathShape | Polyline) -> Attributes:
    paint = {"fill": getattr(shape, "fill", None) or "none"}
    if shape.stroke is not None:
        paint |= {"stroke": shape.stroke, "stroke-width": number(shape.stroke_width)}
    return paint


def _strand(strand: Strand) -> str:
    """The path data of a strand: an absolute start and relative steps."""
    x, y = strand.start
    parts = [f"M{_joined((x, y))}"]
    for step in strand.steps:
        points = step if len(step) == 3 else (step,)
        vectors = [(px - x, py - y) for px, py in points]
        x, y = points[-1]
        if len(vectors) == 3:
            parts.append("c" + _joined(*vectors))
        elif vectors[0][1] == 0:
            parts.append("h" + number(vectors[0][0]))
        elif vectors[0][0] == 0:
            parts.append("v" + number(vectors[0][1]))
        else:
            parts.append("l" + _joined(*vectors))
    return "".join(parts) + ("z" if strand.closed else "")


def _joined(*points: Point) -> str:
    """Numbers with a space between two only where the grammar of SVG needs one."""
    texts = [number(value) for point in points for value in point]
    return "".join(text if text.startswith("-") else " " + text for text in texts).lstrip(" ")


def _polyline(points: NDArray[np.int64]) -> str:
    """The path data of a polyline: relative steps, each a few characters, for up to a million points."""
    import numpy as np

    start = f"M{points[0, 0]} {points[0, 1]}"
    if len(points) == 1:
        return start + "l0 0"
    steps = np.diff(points, axis=0)
    # A step as one number: sorting numbers is faster than sorting pairs.
    _, first, which = np.unique(steps[:, 0] * _FACTOR + steps[:, 1], return_index=True, return_inverse=True)
    texts = [_joined((float(x), float(y))) for x, y in steps[first].tolist()]
    texts = [text if text.startswith("-") else " " + text for text in texts]
    return start + "l" + "".join([texts[i] for i in which.tolist()]).lstrip(" ")
