"""``ktsolve tour``: what is asked, and how the answer is written."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import OPEN_3X4, Said, answered, refused, tours_in

from ktsolve.formats.tours.files import read_tour
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem

# -- tour: what is asked -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ("6x6", TourProblem(board="6x6", closed=True)),
        ("5x6 --closed --engine cpsat", TourProblem(board="5x6", closed=True)),
        ("3x4 --open --engine search", TourProblem(board="3x4", closed=False)),
        ("5x5 --open --start a1 --end 4,4", TourProblem(board="5x5", closed=False, start="a1", end="e1")),
        ("6x6 --start c3 --engine sat", TourProblem(board="6x6", closed=True, start="c3")),
        ("6x6 --end a1", TourProblem(board="6x6", closed=True, end="a1")),
        (
            "6x6 --require c3-d5 --require c4-d2,d1-f2 --forbid c4-e3",
            TourProblem(board="6x6", closed=True, require=["c3-d5", "c4-d2", "d1-f2"], forbid=["c4-e3"]),
        ),
        (
            "6x6 --require 3,2-1,3",
            TourProblem(board="6x6", closed=True, require=["c3-d5"]),
        ),
        ("4x4 --without a1,a4 --without d1:d1 --without 0,3", None),
        ("3x3 --without b2", TourProblem(board=Board.parse("3x3", without="b2"), closed=True)),
        ("4x4 --leaper 0,1", TourProblem(board=Board.parse("4x4", leaper="0,1"), closed=True)),
        ("4x4 --leaper 1,0", TourProblem(board=Board.parse("4x4", leaper="0,1"), closed=True)),
        ("4x4 --wrap xy", TourProblem(board=Board.parse("4x4", wrap="xy"), closed=True)),
        ("3x6 --wrap x", TourProblem(board=Board.parse("3x6", wrap="x"), closed=True)),
        ("6x6 --symmetry rot90", TourProblem(board="6x6", closed=True, symmetry="rot90")),
        (
            "5x5 --open --at 13=c3 --at 25=e5",
            TourProblem(board="5x5", closed=False, at={13: "c3", 25: "e5"}),
        ),
        ("6x6 --structured", TourProblem(board="6x6", closed=True, structured=True)),
        ("6x6 --corners tl,br", TourProblem(board="6x6", closed=True, corners=["tl", "br"])),
        ("4x6 --open --magic rows", TourProblem(board="4x6", closed=False, magic=["rows"])),
    ],
    ids=str,
)
def test_a_tour_answers_what_is_asked(arguments: str, problem: TourProblem | None) -> None:
    if problem is None:
        problem = TourProblem(board=Board.parse("4x4", without="a1 a4 d1 d4"), closed=True)
    data = answered("tour", *arguments.split(), "--json", "--quiet").json
    assert data["status"] == "found"
    assert data["problem"] == str(problem)
    tour = Tour(problem.board, tuple((r, c) for r, c in data["squares"]), data["closed"])
    assert tour.valid
    assert problem.check(tour) is None


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("4x6", "no closed tour exists on a rectangle with a side of 1, 2 or 4 (Schwenk 1991)"),
        ("4x4 --open", "the engine searched everything"),
        (
            "7x7",
            "a closed tour alternates between the two colours, but the board has 25 cells of one and 24 of",
        ),
        ("5x5 --open --start b5", "b5 cannot be at step 1: cells of its colour, the less frequent one"),
        ("5x6 --forbid a1-b3", "a1 has one move left; a closed tour needs two (degrees)"),
        ("3x10 --magic columns", "10 equal sums of columns cannot add up to 465 = 1 + 2 + ... + 30 (sums)"),
        ("8x8 --symmetry rot90", "a square of side divisible by 4 has no closed tour with a quarter turn"),
    ],
)
def test_no_tour_is_told_with_the_reason(arguments: str, reason: str) -> None:
    said = answered("tour", *arguments.split(), status=1)
    assert said.out.startswith(f"no tour: {reason}")
    assert answered("tour", *arguments.split(), "--quiet", status=1) == Said(1, said.out, "")
    data = answered("tour", *arguments.split(), "--json", status=1).json
    assert data["status"] == "impossible"
    assert data["reason"].startswith(reason)
    assert "squares" not in data
    for many in ("--all", "--number=2"):
        assert answered("tour", *arguments.split(), many, "-q", status=1) == Said(1, said.out, "")
        data = answered("tour", *arguments.split(), many, "--json", status=1).json
        assert (data["status"], data["tours"], data["complete"]) == ("impossible", [], True)
        assert data["reason"].startswith(reason)


def test_no_tour_says_what_to_try_next() -> None:
    advice = "open tours exist: give --open"
    assert answered("tour", "5x5", status=1).err.splitlines()[1:] == [advice]
    assert answered("tour", "5x5", "--json", status=1).json["advice"] == advice
    assert "--open" not in answered("tour", "4x4", status=1).err
    assert answered("walk", "5x5", status=1).err.splitlines() == [advice]
    proof = "ktsolve prove makes a proof that can be checked"
    assert answered("tour", "graph:petersen", status=1).err.splitlines()[1:] == [advice, proof]
    assert proof in answered("tour", "graph:petersen", "--all", status=1).err


# -- tour: how it is written ---------------------------------------------------------------------------------


def test_a_grid() -> None:
    said = answered("tour", "3x4", "--open", "--start", "a3", "--end", "d1")
    assert said.out == " 1  4  7 10\n 8 11  2  5\n 3  6  9 12\n"
    assert re.fullmatch(r"search, \d+\.\d{3} s\n", said.err)
    assert answered("tour", "3x4", "--open", "--start", "a3", "--end", "d1", "-q") == Said(0, said.out, "")


def test_cells() -> None:
    said = answered("tour", "3x4", "--open", "--start=a3", "--end=d1", "--format", "cells", "--quiet")
    assert said == Said(0, OPEN_3X4[0] + "\n", "")


def test_svg() -> None:
    said = answered("tour", "5x6", "--format", "svg", "--quiet")
    assert said.out.startswith("<svg ")
    assert said.out.endswith("</svg>\n")


def test_a_sheet_of_several_tours_and_no_animation() -> None:
    assert answered("tour", "5x6", "--format", "svg", "--number", "1", "-q").out.count("<svg ") == 1
    for many in ("--all", "--number=2"):
        assert ">2 closed tours of 5x6<" in answered("tour", "5x6", "--format", "svg", "-n", "2", "-q").out
        message = refused("tour", "5x6", "--format", "gif", many)
        assert message.startswith("--format gif holds one tour")
        assert len(answered("tour", "5x6", many, "--json").json["tours"]) > 1
        both = refused("tour", "5x6", "--format", "svg", many, "--json")
        assert both == "--json and --format svg exclude each other: leave one out"


def test_the_format_as_the_file_is_named(tmp_path: Path) -> None:
    def written(name: str, *options: str) -> bytes:
        answered("tour", "6x6", "-q", "-o", str(tmp_path / name), *options)
        return (tmp_path / name).read_bytes()

    grid = written("a.txt")
    assert written("a.SVG").startswith(b"<svg ")
    assert written("a.cells").startswith(b"a6 ")
    assert written("a.npy").startswith(b"\x93NUMPY")
    assert written("a.moves").startswith(b"moves 6x6 closed ")
    assert json.loads(written("a.json"))["status"] == "found"
    assert written("a", "--format", "grid") == written("b.svg", "--format", "grid") == grid
    assert json.loads(written("b.npy", "--json"))["status"] == "found"
    assert written("a.png").startswith(b"\x89PNG")
    assert b"2 closed tours" in written("two.svg", "--number", "2")
    two = refused("tour", "6x6", "--number", "2", "-o", str(tmp_path / "two.gif"))
    assert "two.gif holds one tour" in two
    assert ".png, .gif, .apng or .html, not .xyz" in refused("tour", "6x6", "-o", str(tmp_path / "a.xyz"))


def test_json_as_a_format() -> None:
    by_format = answered("tour", "5x6", "--format", "json").json
    by_option = answered("tour", "5x6", "--json").json
    assert {**by_format, "seconds": 0} == {**by_option, "seconds": 0}


@pytest.mark.parametrize("engine", ["auto", "search", "sat", "cpsat"])
def test_all_tours(engine: str) -> None:
    said = answered("tour", "5x6", "--all", "--engine", engine, "--format", "cells")
    tours = tours_in(said.out, "5x6", closed=True)
    assert len({tour.normalised() for tour in tours}) == len(tours) == 8
    assert re.fullmatch(rf"8 tours, {'search' if engine == 'auto' else engine}, \d+\.\d+ s\n", said.err)


@pytest.mark.parametrize("number", [1, 3, 8, 9])
def test_some_tours(number: int) -> None:
    said = answered("tour", "5x6", "--number", str(number), "--format", "cells", "--quiet")
    assert len({t.normalised() for t in tours_in(said.out, "5x6", closed=True)}) == min(number, 8)
    assert answered("tour", "5x6", "-n", str(number), "--format", "cells", "--quiet") == said


def test_grids_of_several_tours_stand_apart() -> None:
    said = answered("tour", "5x6", "--all", "--quiet")
    grids = said.out.split("\n\n")
    assert len(grids) == 8
    assert len({read_tour(grid).normalised() for grid in grids}) == 8


def test_the_seed_decides() -> None:
    def tour(*seed: str) -> str:
        return answered("tour", "8x8", "--format=cells", "-q", *seed).out

    assert tour("--seed", "5") == tour("--seed", "5")
    assert len({tour("--seed", str(seed)) for seed in range(1, 7)}) > 1


def test_boards_leapers_and_times_as_people_write_them() -> None:
    by_numbers = answered("count", "4x4", "--leaper", "1,3", "--wrap", "xy").out
    by_names = answered("count", "4*4", "--leaper", "camel", "--wrap", "torus", "--timeout", "1m30s").out
    assert by_names == by_numbers
    assert refused("tour", "6x6", "--timeout", "1m30").startswith("--timeout '1m30' is not a time: write")


def test_one_tour_of_each_symmetry_class() -> None:
    listed = answered("tour", "5x6", "--all", "--up-to-symmetry", "--format", "cells", "-q").out
    classes = answered("count", "5x6", "--up-to-symmetry", "--json").json["up_to_symmetry"]["classes"]
    assert len(listed.splitlines()) == int(classes)
    tours = [Tour.from_names(Board.parse("5x6"), line, closed=True) for line in listed.splitlines()]
    assert len({tour.canonical() for tour in tours}) == len(tours)
    # Conditions leave fewer symmetries, and more classes.
    few = ("5x5", "--open", "--start", "a1")
    listed = answered("tour", *few, "--all", "--up-to-symmetry", "--format", "cells", "-q").out
    assert len(listed.splitlines()) == 152
    assert answered("count", *few, "--up-to-symmetry", "-q").out.count("152 classes") == 1
    told = "--up-to-symmetry is about all tours: give --all as well"
    assert refused("tour", "5x6", "--up-to-symmetry") == told
    # Tours of a graph are classified under its automorphisms.
    for line in ("graph:dodecahedral", "graph:prism:6", "graph:hypercube:3 --require 000-001"):
        listed = answered("tour", *line.split(), "--all", "--up-to-symmetry", "-q").out
        counted = answered("count", *line.split(), "--up-to-symmetry", "--json").json["up_to_symmetry"]
        assert len(listed.splitlines()) == int(counted["classes"])
    told = refused("tour", "graph:complete:9", "--all", "--up-to-symmetry")
    assert told.startswith("the graph has 362,880 automorphisms")


def test_a_long_make_says_what_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("puzzle", "make", "slitherlink", "5x5")
    assert "since" not in answered(*arguments).err
    monkeypatch.setattr("ktsolve.cli.output._NOTICE", -1)
    said = answered(*arguments).err.splitlines()
    assert said[0].startswith("Slitherlink 5x5, since -1 s: design 1; --timeout TIME ends it")
    assert len(said) == 2
    assert answered(*arguments, "-q").err == ""
