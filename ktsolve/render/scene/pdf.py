"""Scenes as PDF files, a page for each, with lines and text and no pixels.

The operators of PDF are those of a scene: lines, Bézier curves, fills and strokes. Pillow writes pixels only,
and a library of vectors would be a further dependency in place of few lines here. Text has the font
Helvetica. Viewers have it, and the file does not contain it (ISO 32000-1, 9.6.2.2). Letters outside
Windows-1252 become question marks.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence

from ktsolve.render.scene.lettering import helvetica_width
from ktsolve.render.scene.shapes import Circle, Drawn, PathShape, Point, Polyline, Rect, Scene, Strand, Text
from ktsolve.render.scene.svg import number
from ktsolve.render.scene.theme import channels

__all__ = ["pdf", "pdf_pages"]

_POINTS_PER_PIXEL = 0.75

_ARC = 0.5523  # distance of the control points of a quarter of a circle, as a share of the radius


def pdf(scene: Scene) -> bytes:
    """Return the PDF file of a scene, of its size on a screen. Linear in its shapes.

    >>> scene = Scene(20, 10, "Dot", "", "#ffffff", (Circle(5, 5, 3, "#cc0000"),), 20)
    >>> pdf(scene).startswith(b"%PDF-1.4"), b"/MediaBox [0 0 15 7.5]" in pdf(scene)
    (True, True)
    """
    return pdf_pages([scene])


def pdf_pages(scenes: Sequence[Scene]) -> bytes:
    """Return a PDF file with a page for each scene; its title is that of the first.

    >>> scene = Scene(20, 10, "Dot", "", "#ffffff", (Circle(5, 5, 3, "#cc0000"),), 20)
    >>> b"/Count 2" in pdf_pages([scene, scene])
    True
    """
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding /WinAnsiEncoding >>"
    # The first page comes before the fonts, the others after the names.
    places = [3, *range(8, 6 + 2 * len(scenes), 2)]
    pages = [_page(scene, place + 1) for scene, place in zip(scenes, places, strict=True)]
    kids = " ".join(f"{place} 0 R" for place in places)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /DisplayDocTitle true >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(scenes)} >>".encode(),
        *pages[0],
        font.format("Helvetica").encode(),
        font.format("Helvetica-Bold").encode(),
        b"<< /Title <feff%b> /Subject <feff%b> /Creator (ktsolve) >>"
        % (_utf16(scenes[0].title), _utf16(scenes[0].description)),
        *(each for page in pages[1:] for each in page),
    ]
    file = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for i, each in enumerate(objects, 1):
        offsets.append(len(file))
        file += b"%d 0 obj\n%b\nendobj\n" % (i, each)
    table = len(file)
    file += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    file += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    file += b"trailer\n<< /Size %d /Root 1 0 R /Info 7 0 R >>\n" % (len(objects) + 1)
    file += b"startxref\n%d\n%%%%EOF\n" % table
    return bytes(file)


def _page(scene: Scene, contents_object: int) -> tuple[bytes, bytes]:
    """The object of a page, and that of its contents, which follows it."""
    width, height = (side * _POINTS_PER_PIXEL for side in scene.screen)
    scale = width / scene.width
    # The axis of y points upwards in PDF.
    start = f"{scale:.6f} 0 0 {-scale:.6f} 0 {number(height)} cm\n1 J 1 j\n"
    page = start + "".join(
        line + "\n" for shape, left, top, zoom in scene.drawn() for line in _operators(shape, left, top, zoom)
    )
    contents = zlib.compress(page.encode("ascii"), 9)
    described = (
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {number(width)} {number(height)}] "
        f"/Resources << /Font << /F1 5 0 R /F2 6 0 R >> >> /Contents {contents_object} 0 R >>"
    ).encode()
    stream = b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(contents), contents)
    return described, stream


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-be", "replace").hex().encode()


def _operators(shape: Drawn, left: float, top: float, scale: float) -> Iterator[str]:
    """The operators of a shape, each a line."""

    def at(*points: Point) -> str:
        return " ".join(f"{number(left + x * scale)} {number(top + y * scale)}" for x, y in points)

    match shape:
        case Text():
            yield from _text(shape, left, top, scale)
            return
        case Polyline():
            (first, *others) = ((float(x), float(y)) for x, y in shape.points.tolist())
            yield _colour(shape.stroke, "RG") + f" {number(shape.stroke_width * scale)} w [] 0 d"
            yield f"{at(first)} m"
            # A line without a length is a dot.
            yield from (f"{at(point)} l" for point in others or [first])
            yield "S"
            return
        case Rect():
            strands: tuple[Strand, ...] = (_rectangle(shape),)
        case Circle():
            strands = (_disc(shape),)
        case PathShape():
            strands = shape.strands
    if shape.fill is not None:
        yield _colour(shape.fill, "rg")
    if shape.stroke is not None:
        dash = shape.dash if isinstance(shape, PathShape) else None
        lengths = "" if dash is None else " ".join(number(each * scale) for each in dash)
        width = number(shape.stroke_width * scale)
        yield _colour(shape.stroke, "RG") + f" {width} w [{lengths}] 0 d"
    for strand in strands:
        yield f"{at(strand.start)} m"
        for step in strand.steps:
            yield f"{at(*step)} c" if len(step) == 3 else f"{at(step)} l"
        if strand.closed:
            yield "h"
    yield {(True, True): "B", (True, False): "f", (False, True): "S", (False, False): "n"}[
        shape.fill is not None, shape.stroke is not None
    ]


def _colour(colour: str, operator: str) -> str:
    shares = (f"{value / 255:.3f}".rstrip("0").rstrip(".") for value in channels(colour))
    return " ".join(shares) + f" {operator}"


def _rectangle(shape: Rect) -> Strand:
    x, y, u, v = shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
    r = min(shape.radius, shape.width / 2, shape.height / 2)
    if r <= 0:
        return Strand((x, y), ((u, y), (u, v), (x, v)), closed=True)
    k = r * (1 - _ARC)
    return Strand(
        (x + r, y),
        (
            (u - r, y),
            ((u - k, y), (u, y + k), (u, y + r)),
            (u, v - r),
            ((u, v - k), (u - k, v), (u - r, v)),
            (x + r, v),
            ((x + k, v), (x, v - k), (x, v - r)),
            (x, y + r),
            ((x, y + k), (x + k, y), (x + r, y)),
        ),
        closed=True,
    )


def _disc(shape: Circle) -> Strand:
    r = shape.radius
    return _rectangle(Rect(shape.x - r, shape.y - r, 2 * r, 2 * r, radius=r))


def _text(shape: Text, left: float, top: float, scale: float) -> Iterator[str]:
    code = shape.text.encode("cp1252", "replace")
    size = shape.size * scale
    wide = helvetica_width(code.decode("cp1252", "replace"), bold=shape.bold) * size
    before = {"start": 0.0, "middle": wide / 2, "end": wide}[shape.anchor]
    x, y = left + shape.x * scale - before, top + (shape.y + 0.355 * shape.size) * scale
    yield f"{_colour(shape.fill, 'rg')} BT /F{2 if shape.bold else 1} {number(size)} Tf"
    yield f"1 0 0 -1 {number(x)} {number(y)} Tm <{code.hex()}> Tj ET"
