"""PDF and TikZ files show what the SVG shows: structure, shapes, colours, text."""

from __future__ import annotations

import re
import zlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, real_tours, refusal
from svg_reading import SVG, parsed
from test_pictures import snake

import ktsolve
from ktsolve.base.limits import Settings
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.render.picture import tour_scene
from ktsolve.render.scene.pdf import pdf
from ktsolve.render.scene.shapes import Circle, PathShape, Rect, Scene, Text
from ktsolve.render.scene.style import Style
from ktsolve.render.scene.svg import scene_svg
from ktsolve.render.scene.tikz import tikz
from ktsolve.render.subject import PictureOptions, Subject, picture_file, picture_format
from ktsolve.render.subjects import DrawnTours


def objects_of(data: bytes) -> list[bytes]:
    """The objects of a PDF file, found by its table of places, which must be right."""
    assert data.startswith(b"%PDF-1.4\n")
    assert data.endswith(b"%%EOF\n")
    found = re.search(rb"startxref\n(\d+)\n", data)
    assert found
    table = data[int(found[1]) :]
    head = re.match(rb"xref\n0 (\d+)\n0000000000 65535 f \n", table)
    assert head
    places = [int(each) for each in re.findall(rb"(\d{10}) 00000 n \n", table)]
    assert len(places) + 1 == int(head[1])
    objects = []
    for number, place in enumerate(places, 1):
        body = re.match(rb"%d 0 obj\n(.*?)\nendobj\n" % number, data[place:], re.DOTALL)
        assert body, number
        objects.append(body[1])
    return objects


def page_of(data: bytes) -> list[str]:
    """The operators of the page."""
    stream = objects_of(data)[3]
    head, _, rest = stream.partition(b"\nstream\n")
    length = re.search(rb"/Length (\d+)", head)
    assert length
    body = rest.removesuffix(b"\nendstream")
    assert len(body) == int(length[1])
    return zlib.decompress(body).decode("ascii").splitlines()


@given(
    real_tours(), st.sampled_from(["straight", "smooth"]), st.sampled_from(["light", "dark", "print", "safe"])
)
@examples(30)
def test_a_pdf_has_every_shape_in_its_place(tour: Tour, path: str, theme: str) -> None:
    style = Style(
        path=path, theme=theme, accessibility=True, after=len(tour) // 2, caption="a (b) \\ é 騎 100%"
    )
    scene = tour_scene(tour, style)
    data = pdf(scene)
    assert data == pdf(scene)
    page = page_of(data)
    shapes = [shape for shape, *_ in scene.drawn()]
    kinds = Counter(
        "text"
        if isinstance(shape, Text)
        else ("B" if shape.stroke is not None else "f")
        if getattr(shape, "fill", None)
        else "S"
        for shape in shapes
    )
    operators = Counter(line.split()[-1] for line in page)
    assert {key: operators[key] for key in "BSf"} == {key: kinds[key] for key in "BSf"}
    texts = [
        bytes.fromhex(found[1]).decode("cp1252") for line in page if (found := re.search("<(.*)> Tj", line))
    ]
    wanted = [shape.text for shape in shapes if isinstance(shape, Text)]
    assert texts == [text.encode("cp1252", "replace").decode("cp1252") for text in wanted]
    # Pairs of BT and ET, and operators with as many numbers as they take.
    for line in page:
        numbers = {"m": 2, "l": 2, "c": 6, "h": 0, "B": 0, "S": 0, "f": 0, "cm": 6}.get(line.split()[-1])
        if numbers is not None:
            *values, _ = line.split()
            assert len(values) == numbers
            assert all(re.fullmatch(r"-?(\d+\.?\d*|\.\d+)", value) for value in values), line
    # Points are on the page.
    points = [tuple(map(float, line.split()[:2])) for line in page if line.endswith((" m", " l"))]
    assert all(-1 <= x <= scene.width + 1 and -1 <= y <= scene.height + 1 for x, y in points)
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", data)
    assert box
    assert [float(each) for each in box.groups()] == pytest.approx(
        [0.75 * side for side in scene.screen], abs=0.01
    )


@given(real_tours(), st.sampled_from(["straight", "smooth"]))
@examples(30)
def test_tikz_has_every_shape_and_defines_every_colour(tour: Tour, path: str) -> None:
    scene = tour_scene(tour, Style(path=path, caption=r"50% of {A_1} \ #~^&$"))
    text = tikz(scene)
    lines = text.splitlines()
    assert lines[0] == f"% {scene.title}"
    assert lines[2].startswith(r"\begin{tikzpicture}")
    assert lines[-1] == r"\end{tikzpicture}"
    commands = text.count("\\path[") + text.count("\\node[")
    shapes = [shape for shape, *_ in scene.drawn()]
    assert commands == len(shapes)
    assert text.count("\\node[") == sum(isinstance(shape, Text) for shape in shapes)
    defined = dict(re.findall(r"\\definecolor\{(kt\d+)\}\{HTML\}\{([0-9A-F]{6})\}", text))
    used = set(re.findall(r"(?:fill|draw|text)=(\w+)", text))
    assert used == set(defined)
    assert len(set(defined.values())) == len(defined)
    # Without what is escaped, braces and brackets are balanced, and nothing has a special meaning.
    bare = re.sub(r"\\[{}$&#_%]", "", text.partition("\n")[2].partition("\n")[2])
    for pair in ("{}", "[]", "()"):
        assert bare.count(pair[0]) == bare.count(pair[1])
    assert not re.search(r"[$&#_%~^]", bare)
    assert max(map(len, lines)) < 400
    points = [
        (float(x), float(y))
        for x, y in re.findall(r"\((-?[\d.]+),(-?[\d.]+)\)", re.sub(r"\{[^{}]*\};", "", text))
    ]
    width, height = (0.75 * side for side in scene.screen)
    assert all(-1 <= x <= width + 1 and -1 <= y <= height + 1 for x, y in points)


def test_all_vector_files_have_the_same_texts_and_sizes() -> None:
    tour = ktsolve.find(TourProblem(board="6x6", closed=True)).tour
    assert tour is not None
    files = {
        suffix: picture_file(
            DrawnTours((tour, tour)), Style(numbers=True), PictureOptions(form=picture_format(f"x.{suffix}"))
        )
        for suffix in ("svg", "pdf", "tikz", "tex")
    }
    assert files["tikz"] == files["tex"]
    texts = [each.text for each in parsed(files["svg"].decode()).iter(f"{SVG}text")]
    page = "".join(page_of(files["pdf"]))
    assert [bytes.fromhex(each).decode("cp1252") for each in re.findall("<(.*?)> Tj", page)] == texts
    assert re.findall(r"at \([^)]*\) \{(.*)\};$", files["tikz"].decode(), re.MULTILINE) == texts


def test_dashes_radii_and_dots_are_kept() -> None:
    rect = Rect(1, 1, 8, 4, "#ff0000", "#00ff00", 2, radius=1)
    scene = Scene(20, 10, "", "", "#ffffff", (rect, Circle(5, 5, 3, None, "#0000ff", 1)), 20)
    assert [line.split()[-1] for line in page_of(pdf(scene))].count("c") == 8
    assert "rounded corners=.75pt" in tikz(scene)
    broken = tour_scene(ktsolve.Tour(ktsolve.Board.parse("4x4", wrap="x"), ()))
    assert any("[" in line and "[] 0 d" not in line for line in page_of(pdf(broken)))
    assert "dash pattern=on" in tikz(broken)
    point = PathShape((), stroke="#000000", stroke_width=1)
    assert pdf(Scene(9, 9, "", "", "#ffffff", (point,), 9))


@pytest.mark.full
def test_a_large_tour_is_a_pdf_in_a_second() -> None:
    scene = tour_scene(snake(200))
    data = pdf(scene)
    assert len(data) < 400_000
    assert sum(line.endswith(" l") for line in page_of(data)) >= 39_999
    assert scene_svg(scene).count("<path") == sum(line == "S" for line in page_of(data))


def test_a_large_tour_is_no_tikz() -> None:
    options = PictureOptions(form=picture_format("x.tikz"))
    said = refusal(picture_file, DrawnTours((snake(101),)), Style(), options)
    assert said == "TikZ files have at most 10,000 cells, and this has 10,201: draw it as .pdf"


class Dots(Subject):
    """A subject that has nothing but scenes."""

    def scenes(self, style: Style) -> list[Scene]:
        fill = style.colours.ink
        return [Scene(20, 10, "Dot", "", "#ffffff", (Circle(5, 5, 3, fill),), 20) for _ in range(2)]


@pytest.mark.parametrize("suffix", ["svg", "pdf", "tikz"])
def test_anything_with_scenes_is_drawn(suffix: str) -> None:
    dark = picture_file(Dots(), Style(theme="dark"), PictureOptions(form=picture_format(f"x.{suffix}")))
    light = picture_file(Dots(), Style(), PictureOptions(form=picture_format(f"x.{suffix}")))
    assert len(light) > 200
    assert dark != light


def test_what_a_subject_does_not_have_is_refused() -> None:
    for suffix in ("txt", "gif", "html"):
        options = PictureOptions(form=picture_format(f"x.{suffix}"))
        assert "drawn as .svg, .pdf, .tikz or .png" in refusal(picture_file, Dots(), Style(), options)
    options = PictureOptions(form=picture_format("x.svg"))
    assert "heat visit is drawn on a tour" in refusal(picture_file, Dots(), Style(), options, heat="visit")
    assert "the input holds other things" in refusal(Dots().solved, Settings())
