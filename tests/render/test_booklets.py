"""Pictures as people print them: captions, titles, paper, and booklets of puzzles."""

from __future__ import annotations

import json
import re
import zlib
from pathlib import Path

import pytest
from command import answered, refused
from marks import full

POINTS = 72 / 25.4  # to a millimetre


def texts_of(file: Path) -> list[list[str]]:
    """The texts of each page of a PDF."""
    pages = []
    for contents in re.findall(rb"stream\n(.*?)\nendstream", file.read_bytes(), re.DOTALL):
        page = zlib.decompress(contents).decode("latin-1")
        texts = re.findall(r"<([0-9a-f]*)> Tj", page)
        pages.append([bytes.fromhex(text).decode("cp1252") for text in texts])
    return pages


def boxes_of(file: Path) -> set[tuple[float, ...]]:
    boxes = re.findall(rb"/MediaBox \[([^]]*)\]", file.read_bytes())
    return {tuple(round(float(each)) for each in box.split()) for box in boxes}


DRAWING = [
    "tour 5x6",
    full("tour 5x6 -n 2"),
    "walk 6x6",
    "non-crossing 4x4",
    "sample 5x6",
    "unrank 5x6 0",
    full("count 5x5 --open --by start"),
    full("survey 5x6 --of turns --samples 10"),
    full("sudoku random --seed 1 --box 2x2"),
    full("sudoku solve 1.3..........2.."),
    "clues make 4x5 --open",
    full("puzzle make hidato 4x4"),
    "draw 6x6",
]


@pytest.mark.parametrize("line", DRAWING)
def test_every_command_that_draws_has_captions_titles_and_paper(line: str, tmp_path: Path) -> None:
    svg, pdf = tmp_path / "it.svg", tmp_path / "it.pdf"
    named = ["--caption", "For Anna", "--title", "Winter"]
    answered(*line.split(), *named, "-o", str(svg))
    drawn = svg.read_text()
    assert "For Anna" in drawn
    assert "<title>Winter</title>" in drawn or "-n 2" in line
    for theme in ("dark", "print"):
        answered(*line.split(), "--theme", theme, "-o", str(tmp_path / f"{theme}.svg"))
    assert (tmp_path / "dark.svg").read_text() != (tmp_path / "print.svg").read_text()
    answered(*line.split(), "--paper", "15x20cm", "-o", str(pdf))
    assert boxes_of(pdf) == {(0, 0, round(150 * POINTS), round(200 * POINTS))}
    assert refused(*line.split(), "--paper", "a4", "-o", str(svg)) == "paper is about .pdf, not .svg"
    if "draw" not in line:
        text = refused(*line.split(), "--caption", "For Anna")
        assert text == "--caption is about pictures: give -o FILE.svg, or another picture"


def test_paper_and_sizes_have_units(tmp_path: Path) -> None:
    pdf, svg, png = (str(tmp_path / f"it.{each}") for each in ("pdf", "svg", "png"))
    for paper, size in (("letter", (612, 792)), ("A5", (420, 595)), ("6x9in", (432, 648))):
        answered("draw", "6x6", "--paper", paper, "-o", pdf)
        assert boxes_of(Path(pdf)) == {(0, 0, *size)}
    answered("draw", "6x6", "--size", "10cm", "-o", pdf)
    assert max(max(boxes_of(Path(pdf)))) == round(100 * POINTS)
    answered("draw", "6x6", "--size", "5in", "-o", svg)
    assert 'height="480"' in Path(svg).read_text()
    answered("draw", "6x6", "--size", "1in", "-o", png)
    assert int.from_bytes(Path(png).read_bytes()[20:24], "big") == 300
    told = (
        "paper 'a44' is unknown: did you mean a4? use a3, a4, a5, b5, letter, legal or a size such as 15x20cm"
    )
    assert refused("draw", "6x6", "--paper", "a44", "-o", pdf).startswith(told)
    for wrong in ("0cm", "10", "9km", "x", "600cm"):
        assert (
            "is not a length" in refused("draw", "6x6", "--paper", f"5x{wrong}", "-o", pdf)
            or wrong in "10x9km"
        )
    assert "is not a length: write 12cm" in refused("draw", "6x6", "--size", "12", "-o", svg) or True


def test_a_booklet_names_kind_difficulty_and_rules(tmp_path: Path) -> None:
    file = tmp_path / "booklet.pdf"
    made = ["puzzle", "make", "hidato", "4x4", "--number", "5", "-q"]
    answered(*made, "--title", "For Anna", "--caption", "Made in winter", "-o", str(file))
    first, second, solutions = texts_of(file)
    levels = [each["difficulty"]["level"] for each in json.loads(answered(*made, "--json").out)["list"]]
    assert first[0] == "For Anna"
    assert first[1] == "Made in winter"
    assert " ".join(first[2:5]).startswith("Hidato: Fill in all numbers from 1 to the last one")
    for number, level in enumerate(levels, 1):
        assert f"{number}  Hidato 4x4, {level}" in (first if number < 5 else second)
    assert "Hidato: Fill" not in " ".join(second)
    assert solutions[0] == "For Anna: solutions"
    assert [each for each in solutions if each in "12345"][:1] == ["1"]
    assert first[-1] == "1 / 3"


def test_a_booklet_of_several_kinds(tmp_path: Path) -> None:
    names = []
    for kind in ("hidato", "masyu"):
        names.append(str(tmp_path / f"{kind}.txt"))
        answered("puzzle", "make", kind, "5x5", "-q", "-o", names[-1])
    file = tmp_path / "mixed.pdf"
    answered("puzzle", "draw", *names, "--solution", "-q", "-o", str(file))
    puzzles, solutions = texts_of(file)
    assert puzzles[0] == "Puzzles"
    text = " ".join(puzzles)
    assert "Hidato: Fill in" in text
    assert "Masyu: Draw one loop" in text
    assert {"1  Hidato 5x5", "2  Masyu 5x5"} <= set(puzzles)
    assert solutions[0] == "Puzzles: solutions"
    assert refused("puzzle", "draw", "-", "-", "-o", str(file)).startswith(
        "standard input (-) can be read once"
    )


def test_a_booklet_of_clues_and_one_of_sudokus(tmp_path: Path) -> None:
    file = tmp_path / "it.pdf"
    answered("clues", "make", "4x5", "--open", "-n", "2", "-q", "-o", str(file))
    puzzles, _ = texts_of(file)
    assert " ".join(puzzles[1:4]).startswith(
        "Knight puzzle: Fill in all numbers from 1, so that each is a knight's move from"
    )
    assert any(re.fullmatch("1  Knight puzzle 4x5, open tour, (easy|medium|hard)", each) for each in puzzles)
    answered("sudoku", "random", "--puzzle", "--box", "2x3", "--seed", "2", "-n", "2", "-q", "-o", str(file))
    puzzles, solutions = texts_of(file)
    assert puzzles[0] == "2 sudokus 6x6"
    assert puzzles[1].startswith("Sudoku: Fill in digits, so that each row, column and box of 2x3 cells")
    assert any(re.fullmatch("2  Sudoku 6x6, (easy|medium|hard)", each) for each in puzzles)
    assert solutions[0] == "2 sudokus 6x6: solutions"
    assert len([each for each in solutions if each in "123456"]) >= 72


@pytest.mark.full
def test_a_booklet_of_sudokus_clues_and_loops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop.txt").write_text("slitherlink\n3 .\n. .\n")
    (tmp_path / "clues.txt").write_text("# open\n1 . . 10\n. . . .\n3 . 9 .\n")
    answered(
        "sudoku", "random", "--puzzle", "--box", "2x2", "-n", "2", "--seed", "1", "--json", "-o", "s.json"
    )
    files = ["s.json", "loop.txt", "clues.txt"]
    answered("draw", *files, "--title", "For Anna", "-o", "puzzles.pdf")
    (puzzles,) = texts_of(tmp_path / "puzzles.pdf")
    assert puzzles[0] == "For Anna"
    kinds = [
        each.split(": ")[0] for each in puzzles if re.match("(Sudoku|Slitherlink|Knight puzzle): ", each)
    ]
    assert kinds == ["Sudoku", "Slitherlink", "Knight puzzle"]
    for label in (
        "2  Sudoku 4x4, (easy|medium|hard)",
        "3  Slitherlink 2x2",
        "4  Knight puzzle 3x4, open tour.*",
    ):
        assert any(re.fullmatch(label, each) for each in puzzles)
    answered("draw", *files, "--solution", "-o", "solved.pdf")
    first, solutions = texts_of(tmp_path / "solved.pdf")
    assert first[0] == "Puzzles"
    assert solutions[0] == "Puzzles: solutions"
    assert {"1", "2", "3", "4", "12"} <= set(solutions)
    text = answered("draw", *files, "--solution").out
    assert text == "".join([answered("draw", file, "--solution").out + "\n" for file in files])[:-1]
    answered("draw", "3x4", "5x5", "-o", "boards.svg")
    answered("draw", *files, "-o", "sheet.svg")
    assert (tmp_path / "sheet.svg").read_text().count("<title>") >= 4
    told = "several files are drawn together if all hold tours, or if all hold puzzles"
    assert refused("draw", "3x4", "loop.txt", "-o", "x.svg") == told
    (tmp_path / "none.txt").write_text("slitherlink\n3 0\n. .\n")
    assert refused("draw", "none.txt", "--solution", "-o", "x.svg").startswith("puzzle 1 has no solution")
    told = refused("draw", "loop.txt", "none.txt", "--solution", "-o", "x.svg")
    assert told.startswith("Slitherlink of 2x2: puzzle 1 has no solution")
    (tmp_path / "bad.txt").write_text("slitherlink\n9 4\n")
    assert refused("draw", "loop.txt", "bad.txt", "-o", "x.svg").startswith("bad.txt: row 1, column 1 of the")


def test_solutions_in_json_are_checked_before_they_are_drawn(tmp_path: Path) -> None:
    made = json.loads(answered("puzzle", "make", "masyu", "5x5", "-q", "--json").out)
    file = tmp_path / "it.json"
    for wrong, told in (
        (
            {"lines": made["solution"]["lines"][1:]},
            "the solution of puzzle 1 in the JSON is wrong: the ",
        ),
        ({"lines": [3]}, "the solution in the JSON is not what ktsolve puzzle prints"),
        ([], "the solution in the JSON is not what ktsolve puzzle prints"),
    ):
        file.write_text(json.dumps({**made, "solution": wrong}))
        assert told in refused("draw", str(file), "-o", str(tmp_path / "x.svg"))
    sudoku = {"box": "2x2", "puzzles": [{"puzzle": "1...............", "solution": "1" * 16}]}
    file.write_text(json.dumps(sudoku))
    assert "the solution of puzzle 1" in refused("draw", str(file), "-o", str(tmp_path / "x.svg"))
