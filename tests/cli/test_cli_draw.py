"""ktsolve draw and convert: what they read, what they write, and what they refuse with one line."""

from __future__ import annotations

import json
import re
import resource
import subprocess
from pathlib import Path

import numpy as np
import pytest
from command import COMMAND, answered, names_in, process, refused
from marks import full
from PIL import Image
from svg_reading import SVG, group, parsed

from ktsolve.engines.divide.construct import tour_steps
from ktsolve.formats.tours.files import read_tour
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour
from ktsolve.render.boards.text import text_drawing
from ktsolve.render.scene.theme import THEMES, blend

RING = "1 6 3\n4 . 8\n7 2 5\n"
QUARTER = ["tour", "6x6", "--symmetry", "rot90", "--all", "-q", "--json"]


@pytest.fixture
def ring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a tour."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ring.txt").write_text(RING)
    return tmp_path


def test_every_format(ring: Path) -> None:
    for ending in ("svg", "png", "gif", "apng"):
        said = answered("draw", "ring.txt", "-o", f"ring.{ending}")
        assert said.out == said.err == ""
    answered("draw", "ring.txt", "-o", "drawn.txt")
    answered("draw", "ring.txt", "-o", "deep.PNG", "--size", "64")
    tour = read_tour(RING)
    assert (ring / "ring.svg").read_text() == tour.svg()
    assert (ring / "drawn.txt").read_text() == text_drawing(tour) + "\n"
    assert Image.open(ring / "deep.PNG").size[1] == 64
    for ending, kind in (("png", "PNG"), ("gif", "GIF"), ("apng", "PNG")):
        assert Image.open(ring / f"ring.{ending}").format == kind


def test_without_a_file_the_drawing_is_text() -> None:
    for arguments in (["-"], ["-", "-o", "-"]):
        assert answered("draw", *arguments, given=RING.encode()).out == text_drawing(read_tour(RING)) + "\n"
    said = answered("draw", "-", "--after", "3", "--accessibility", "--no-coordinates", given=RING.encode())
    drawn = [[mark.strip() for mark in line.split("│")[1:-1]] for line in said.out.splitlines()[1::2]]
    # After a3, b1 and c3 the rest still reach so many of the rest.
    assert drawn == [["1", "(2)", "3"], ["(1)", "░░░░░", "(1)"], ["(2)", "2", "(2)"]]


def test_looks_reach_the_picture(ring: Path) -> None:
    answered("draw", "ring.txt", "-o", "a.svg", "--theme", "dark", "--path", "smooth", "--no-numbers")
    assert (ring / "a.svg").read_text() == read_tour(RING).svg(theme="dark", path="smooth", numbers=False)
    answered("draw", "ring.txt", "-o", "a.svg", "--crossings", "--angles", "--show-symmetry", "--no-ends")
    assert (ring / "a.svg").read_text() == read_tour(RING).svg(
        crossings=True, angles=True, symmetry=True, ends=False
    )
    answered("draw", "ring.txt", "-o", "a.svg", "--heat", "visit", "--caption", "A & B", "--no-gradient")
    assert "<text" in (ring / "a.svg").read_text()
    assert "A &amp; B" in (ring / "a.svg").read_text()


def test_a_board_by_itself_and_its_conditions(ring: Path) -> None:
    answered("draw", "3x4", "--without", "b2", "--at", "5=c3", "--require", "a1-c2", "-o", "b.svg")
    root = parsed((ring / "b.svg").read_text())
    assert root.findtext(f"{SVG}title") == "Board 3x4 without b2"
    assert group(root, "required")
    assert [text.text for text in group(root, "numbers")] == ["5"]
    assert not group(root, "path")
    answered("draw", "8x8", "--heat", "starts", "-o", "h.png")
    assert Image.open(ring / "h.png").size[0] > 300


@pytest.mark.full
def test_results_of_other_commands_have_pictures(ring: Path) -> None:
    found = answered(*QUARTER).out.encode()
    assert len(json.loads(found)["tours"]) == 10
    answered("draw", "-", "--up-to-symmetry", "--show-symmetry", "-o", "classes.svg", given=found)
    text = (ring / "classes.svg").read_text()
    assert parsed(text).findtext(f"{SVG}title") == "5 closed tours of 6x6"
    assert text.count("<title>Closed tour of 6x6</title>") == 5
    assert text.count("symmetric under the quarter turn") == 5
    counted = answered("count", "5x5", "--open", "--by", "start", "--json", "-q").out.encode()
    answered("draw", "-", "-o", "starts.svg", given=counted)
    values = {text.text for text in group(parsed((ring / "starts.svg").read_text()), "numbers")}
    assert values == {"304", "56", "64"}
    by_ends = answered("count", "5x5", "--open", "--by", "endpoints", "--json", "-q").out.encode()
    answered("draw", "-", "-o", "ends.svg", given=by_ends)
    assert (ring / "ends.svg").read_bytes() == (ring / "starts.svg").read_bytes()
    answered("census", "5x5", "--open", "--ledger", "l.db", "-q")
    reported = answered("census", "report", "--ledger", "l.db", "--format", "json").out
    answered("draw", "-", "-o", "census.svg", given=reported.encode())
    assert (ring / "census.svg").read_bytes() == (ring / "starts.svg").read_bytes()
    cut = json.dumps({**json.loads(reported), "complete": False, "counted": 3})
    assert refused("draw", "-", given=cut.encode()) == "the census is not done: 3 of 16 jobs are counted"
    bands = answered("sudoku", "bands", "--box", "2x3", "--json", "-q").out.encode()
    answered("draw", "-", "-o", "bands.svg", given=bands)
    titles = [title.text for title in parsed((ring / "bands.svg").read_text()).iter(f"{SVG}title")]
    assert titles[0] == "3 classes of bands, boxes 2x3"
    assert titles[1] == "Sudoku 2x6: 0: 1 bands, 1408 completions"


def test_counts_with_conditions_are_spread_by_their_own_symmetries(ring: Path) -> None:
    said = answered("count", "3x4", "--open", "--require", "a1-c2", "--by", "start", "--json", "-q")
    answered("draw", "-", "-o", "c.svg", given=said.out.encode())
    starts = {(each["cells"][0][0], each["cells"][0][1]): int(each["count"]) for each in said.json["classes"]}
    assert sum(starts.values()) == 2 * int(said.json["count"])
    numbers = group(parsed((ring / "c.svg").read_text()), "numbers")
    assert sorted(int(text.text or "") for text in numbers) == sorted(v for v in starts.values() if v)


SUFFIXES = "a picture is written as .txt, .svg, .pdf, .tikz, .tex, .png, .gif, .apng or .html"
BAD = {
    "draw none.txt -o x.svg": "none.txt: cannot be read: No such file or directory",
    "draw ring.txt -o x.bmp": SUFFIXES,
    "draw ring.txt -o x": SUFFIXES,
    "draw ring.txt -o ring.txt": "ring.txt is the input itself: give the picture another name",
    "draw ring.txt -o no/x.svg": "cannot write no/x.svg: No such file or directory",
    "draw 1000x1000 -o x.gif": "shows boards up to 64x64, and this is 1000x1000",
    "draw 8x8 -o x.gif": "an animation needs a tour",
    "draw 8x8 -o x.html": "give a file with one",
    "draw bad.txt -o x.svg": "not a tour: step 2: a2 to b2 is not a move of the piece",
    "draw text.txt -o x.svg": "the input is not a tour: it is neither a grid of numbers, nor a list of cells",
    "draw none.json": "there is no tour in the input: no closed tour exists on a rectangle with a side of",
    "draw number.json": "the input is one number, which has no picture: count with --by start or",
    "draw several.txt -o x.gif": "an animation shows one tour, and the input holds 2",
    "draw many.txt --board 3x3 --without b2 -o x.svg": "a sheet has 1 to 1000 pictures, not 1,001",
    "draw spoilt.txt -o x.svg": "tour 2, in line 5, is not a tour: step 2: ",
    "draw ring.txt -o x.svg --size 90": "png or gif or apng, not of svg",
    "draw ring.txt -o x.png --frames 9": "gif or apng, not of png",
    "draw ring.txt -o x.png --size 10001": "an image has 16 to 10,000 pixels on its longer side, not 10,001",
    "draw ring.txt -o x.svg --columns 0": "a sheet has at least 1 picture in a row, not 0",
    "draw ring.txt --theme blue": "theme 'blue' is unknown: use light, dark, print, safe",
    "draw ring.txt --heat love": "heat 'love' is unknown: use visit, accessibility, starts",
    "draw 5x5 --heat starts": "counts by start are shipped for 6x6, 7x7, 8x8, not 5x5: count them by ktsolve",
    "draw 8x8 --heat visit": "heat visit needs a tour",
    "draw 8x8 --board 7x7": "8x8 is a board or graph, and so is --board 7x7: give one of them",
    "draw ring.txt --without a1": "step 7: cell 2,0 is removed from the board 3x3 without a1",
    "draw 1000x1000 --numbers -o x.svg": "numbers are drawn on at most 10,000 cells, and this board has",
    "draw 1000x1000": "cells in characters are drawn on at most 10,000 cells, and this board has 1,000,000",
    "draw 1000000000x2 -o x.svg": "a side is at most 999999999",
    "convert ring.txt": "add --format NAME, or -o FILE",
    "convert ring.txt -o x.bmp": "-o x.bmp: the suffix is unknown",
    "convert ring.txt -o x.g6": "g6 holds a board or a problem, and ring.txt is neither",
    "convert 6x6 -o x.csv": "csv holds a tour, and a board or graph is given",
    "convert 6x6 --require a1-b3 -o x.g6": "g6 does not hold require, only a graph",
    "convert 2x1 -o x.hcp": "TSPLIB HCP needs at least 3 nodes, not 2",
    "convert several.txt -o x.tour": "a file of tsplib holds one tour, and there are 2",
    "convert several.txt -o x.npy": "a file of npy holds one tour, and there are 2",
    "convert ring.txt -o x.moves": "a move string is a knight's tour of a whole board, not 3x3 without b2",
    "convert wrong.npy -o x.csv": "wrong.npy: not a tour: step 4: ",
    "draw wrong.npy -o x.svg": "wrong.npy: not a tour: step 4: ",
    "draw large.npy --board 3x3 -o x.svg": "large.npy: the tour has 200x200 cells, the board is 3x3",
    "draw large.npy --board 200x200 --leaper 1,3 -o x.svg": "large.npy: a tour of 40,000 cells",
    "draw huge.npy -o x.svg": "huge.npy is a tour of 3000x3000: lines are drawn on at most 4,000,000 cells;",
    "play huge.npy -o x.html": "huge.npy is a tour of 3000x3000: at most 1,000,000 cells can be played",
    "convert huge.npy -o x.csv": "huge.npy: not a tour: step 2: ",
    "draw huge.npy --heat visit -o x.png": "huge.npy: not a tour: step 2: ",
    "draw large.npy --heat visit -o x.svg": "values are drawn on at most 10,000 cells, and this board",
    "draw large.npy --heat visit --numbers -o x.png": "numbers are drawn on at most 10,000 cells",
    "draw large.npy --heat visit --caption a -o x.png": "the visits of 200x200 are drawn without captions",
    "draw large.npy --heat visit --size 5 -o x.png": "an image has 16 to 10,000 pixels on its longer side",
    "draw crossed.json -o x.svg": "not a non-crossing walk: a1-b3 crosses a2-c3",
    "play crossed.json -o x.html": "crossed.json: not a non-crossing walk: a1-b3 crosses a2-c3",
    "convert walk.json -o x.moves": "moves holds tours of all cells, and a non-crossing walk leaves some out",
    "convert bad.g6 -o x.col": "bad.g6: a graph6 line of 8 vertices has 5 characters",
}


@pytest.mark.parametrize("command", BAD)
def test_bad_input_is_one_line_and_leaves_nothing(ring: Path, command: str) -> None:
    (ring / "bad.txt").write_text("5 6\n1 2\n3 4\n")
    (ring / "text.txt").write_text("hello\n")
    (ring / "several.txt").write_text(f"{RING}\n{RING}")
    (ring / "many.txt").write_text("a3 b1 c3 a2 c1 b3 a1 c2\n" * 1001)
    (ring / "spoilt.txt").write_text(f"{RING}\n1 2 3\n4 . 8\n7 6 5\n")
    if "none.json" in command:
        (ring / "none.json").write_text(answered("tour", "4x4", "--json", status=1).out)
    if "number.json" in command:
        (ring / "number.json").write_text(answered("count", "3x4", "--open", "--json", "-q").out)
    (ring / "bad.g6").write_text("G@`LA\n")
    if ".npy" in command.split()[1]:
        _large_arrays(ring)
    crossed = {
        "walk": "non-crossing",
        "board": "3x3",
        "closed": False,
        "squares": ["a1", "b3", "c1", "a2", "c3"],
    }
    (ring / "crossed.json").write_text(json.dumps(crossed))
    (ring / "walk.json").write_text(json.dumps({**crossed, "squares": ["a1", "b3", "c1"]}))
    before = names_in(ring)
    assert BAD[command] in refused(*command.split())
    assert names_in(ring) == before
    assert (ring / "ring.txt").read_text() == RING


@pytest.mark.parametrize("words", ["a\x1b[2Jb", full("a\udcffb"), full("a\ufffeb"), "<&>"])
def test_any_caption_leaves_the_picture_readable(ring: Path, words: str) -> None:
    answered("draw", "ring.txt", "--caption", words, "-o", "x.svg")
    said = "".join(parsed((ring / "x.svg").read_text()).itertext())
    assert re.sub("[\x1b\udcff\ufffe]", "\ufffd", words) in said
    answered("draw", "ring.txt", "--caption", words, "-o", "x.png")
    answered("play", "ring.txt", "--title", words, "-o", "x.html")
    (ring / words.replace("/", "")).write_text(RING)
    answered("play", words, "-o", "x.html")


def _large_arrays(folder: Path) -> None:
    steps = tour_steps(200, 200, closed=True)
    np.save(folder / "large.npy", steps)
    one, other = steps == 4, steps == 9
    steps[one], steps[other] = 9, 4
    np.save(folder / "wrong.npy", steps)
    np.save(folder / "huge.npy", np.arange(1, 9_000_001, dtype=np.int32).reshape(3000, 3000))


@pytest.mark.full
def test_large_arrays_are_drawn_played_and_converted(ring: Path) -> None:
    _large_arrays(ring)
    steps = np.load("large.npy")
    tour = Tour.from_steps(steps, closed=True)
    answered("draw", "large.npy", "-o", "x.svg")
    assert (ring / "x.svg").read_text() == tour.svg()
    page = answered("play", "large.npy").out
    assert f'"cells":[{tour.indices[0]},{tour.indices[1]},{tour.indices[2]},' in page
    for ending in ("txt", "moves", "npy", "tour"):
        answered("convert", "large.npy", "-o", f"y.{ending}")
        answered("convert", f"y.{ending}", "-o", "z.npy")
        assert np.array_equal(np.load("z.npy"), steps), ending
    # Small ones may have holes.
    answered("convert", "ring.txt", "-o", "ring.npy")
    assert answered("draw", "ring.npy").out == text_drawing(read_tour(RING)) + "\n"
    through = (ring / "large.npy").read_bytes()
    assert answered("convert", "-", "--format", "txt", given=through).out == tour.grid() + "\n"


def test_the_visits_of_a_large_tour_are_pixels(ring: Path) -> None:
    _large_arrays(ring)
    steps = np.load("large.npy")
    answered("draw", "large.npy", "--heat", "visit", "-o", "x.png")
    picture = Image.open(ring / "x.png")
    assert picture.size == (200, 200)
    shades = THEMES["light"].heat
    for cell in ((0, 0), (17, 3), (199, 100)):
        wanted = blend(shades, min(256 * int(steps[cell]) // 40_000, 255) / 255)
        found = picture.convert("RGB").getpixel((cell[1], cell[0]))
        assert isinstance(found, tuple)
        assert "#{:02x}{:02x}{:02x}".format(*found) == wanted
    (ring / "large.txt").write_text(Tour.from_steps(steps, closed=True).grid())
    answered("draw", "large.txt", "--heat", "visit", "-o", "y.png")
    assert (ring / "y.png").read_bytes() == (ring / "x.png").read_bytes()
    answered("draw", "large.npy", "--heat", "visit", "-o", "z.png", "--size", "60", "--theme", "dark")
    assert Image.open(ring / "z.png").size == (50, 50)


def test_an_non_crossing_walk_is_drawn_and_played(ring: Path) -> None:
    for kind, cells in (("--open", 11), ("--closed", 8)):
        (ring / "walk.json").write_text(answered("non-crossing", "5x5", kind, "--json", "-q").out)
        answered("draw", "walk.json", "-o", "walk.svg", "--crossings")
        root = parsed((ring / "walk.svg").read_text())
        assert root.findtext(f"{SVG}title") == f"{kind[2:].capitalize()} walk over {cells} cells of 5x5"
        assert [text.text for text in group(root, "numbers")] == [str(step + 1) for step in range(cells)]
        assert str(root.findtext(f"{SVG}desc")).endswith(" 0 crossings.")
        assert '"kind":"walk"' in answered("play", "walk.json").out
        answered("draw", "walk.json", "-o", "walk.html")
        assert '"kind":"walk"' in (ring / "walk.html").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("graph:petersen", "valid closed walk with 9 edges on graph of 10 vertices and 15 edges"),
        ("4x4 --open --induced --end a1", "valid open induced walk with 8 moves on 4x4"),
    ],
)
def test_a_longest_walk_is_drawn_played_and_checked(ring: Path, words: str, said: str) -> None:
    (ring / "walk.json").write_text(answered("longest", *words.split(), "--json", "-q").out)
    assert answered("check", "walk.json").out == f"{said}\n"
    answered("draw", "walk.json", "-o", "walk.svg")
    assert " walk over " in str(parsed((ring / "walk.svg").read_text()).findtext(f"{SVG}title"))
    page = answered("play", "walk.json").out
    assert f'"kind":"walk","what":"{"induced " * ("--induced" in words)}walk"' in page
    answered("convert", "walk.json", "-o", "walk.png")
    assert "the walk leaves some out" in refused("convert", "walk.json", "--format", "csv")
    assert "conditions are about tours" in refused(
        "check", "walk.json", "--symmetry", "rot180", "--start", "a1"
    )
    wrong = json.loads((ring / "walk.json").read_text())
    wrong["squares"][1] = wrong["squares"][4]
    (ring / "wrong.json").write_text(json.dumps(wrong))
    assert answered("check", "wrong.json", status=1).out.startswith(f"not a{'n' * ('--i' in words)} ")
    assert "walk: " in refused("draw", "wrong.json", "-o", "x.svg")
    assert "walk: " in refused("play", "wrong.json", "-o", "x.html")


@pytest.mark.full
@pytest.mark.parametrize(
    "command", [full("draw ring.txt -o ring.png"), "convert 30x30 -o ring.png --format col"]
)
def test_a_disk_that_is_full_leaves_the_old_file(ring: Path, command: str) -> None:
    (ring / "ring.png").write_bytes(b"old")
    ended = subprocess.run(
        [*COMMAND, *command.split()],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )
    assert ended.returncode == 2
    assert ended.stderr == "ktsolve: cannot write ring.png: File too large\n"
    assert (ring / "ring.png").read_bytes() == b"old"
    assert names_in(ring) == ["ring.png", "ring.txt"]


@pytest.mark.full
def test_without_pillow_one_line_says_what_to_install(ring: Path) -> None:
    (ring / "PIL").mkdir()
    (ring / "PIL" / "__init__.py").write_text("raise ImportError\n")
    said = process(
        "draw", "ring.txt", "-o", "x.png", cwd=ring, env={"PYTHONPATH": str(ring), "PATH": "/usr/bin"}
    )
    assert said.status == 2
    assert said.complaint.startswith("PNG and GIF need Pillow: ")
    assert "-m pip install pillow; or write .svg" in said.complaint
    assert process("draw", "ring.txt", "-o", "x.svg", cwd=ring, env={"PYTHONPATH": str(ring)}).status == 0


def test_conversions_there_and_back(ring: Path) -> None:
    for ending in ("cells", "json", "csv", "tour", "txt"):
        answered("convert", "ring.txt", "-o", f"out.{ending}")
        said = answered("convert", f"out.{ending}", "--board", "3x3", "--without", "b2", "--format", "txt")
        assert said.out == RING
        assert answered("check", f"out.{ending}", "--board", "3x3", "--without", "b2").out.startswith(
            "valid closed"
        )
    for ending in ("hcp", "col", "graphml", "net"):
        answered("convert", "4x5", "--wrap", "y", "-o", f"board.{ending}")
        assert (
            answered("convert", f"board.{ending}", "--format", "g6").out
            == answered("convert", "4x5", "--wrap", "y", "--format", "g6").out
        )
    several = answered("convert", "-", "--format", "cells", given=answered(*QUARTER).out.encode()).out
    assert len(several.splitlines()) == 10
    assert all(read_tour(line, Board(6, 6)).valid for line in several.splitlines())


def test_problems_are_what_solve_exports(ring: Path) -> None:
    (ring / "p.toml").write_text(
        'model = "tour"\n[parameters]\nboard = "3x4"\nclosed = false\nstart = "a1"\n'
    )
    for ending in ("cnf", "opb", "hcp"):
        wanted = answered("solve", "p.toml", "--format", ending).out
        asked = ["3x4", "--open", "--start", "a1", "--format", ending]
        assert answered("convert", *asked).out == wanted
    binary = answered("convert", "3x4", "--open", "--format", "cnf", "--encoding", "binary").out
    assert binary != answered("convert", "3x4", "--open", "--format", "cnf").out
