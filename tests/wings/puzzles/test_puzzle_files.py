"""Puzzles as text, addresses, game ids, files of pzpr and JSON; the commands ``ktsolve puzzle``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import answered, ktsolve
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ktsolve.base.errors import BadInput
from ktsolve.grids.puzzle import GridPuzzle
from ktsolve.wings.puzzles.files import Named, puzzle_json, read_puzzles, write_puzzle
from ktsolve.wings.puzzles.kinds import KINDS
from ktsolve.wings.puzzles.solving import solutions

REFERENCES = {
    "slitherlink": ("slither/5/5/cbcbcddad", "2..1.\n.2..1\n..2..\n3..3.\n.0..3"),
    "masyu": ("mashu/6/6/1063000i3000", "..o...\n.*..o.\n......\n...*..\n.o....\n......"),
    "numberlink": ("numlin/5/5/1j2h3m1h2j3", "1....\n2..3.\n.....\n.1..2\n....3"),
    "yajilin": (
        "yajilin/5/5/m32j10",
        ". . . . .\n. . . . .\n. . . 2< .\n. . . . .\n. . . . 0^",
    ),
}
"""The examples in the tests of pzprjs, each as an address and as it looks there."""

MARKS = {
    "slitherlink": st.sampled_from("0123"),
    "masyu": st.sampled_from("o*"),
    "numberlink": st.integers(1, 12287).map(str),
    "yajilin": st.one_of(
        st.just("?"), st.tuples(st.integers(0, 999), st.sampled_from("<>^v")).map(lambda x: f"{x[0]}{x[1]}")
    ),
}


@st.composite
def puzzles(draw: st.DrawFn, name: str) -> GridPuzzle:
    rows, columns = draw(st.integers(1, 8)), draw(st.integers(1, 40))
    cells = draw(st.lists(st.integers(0, rows * columns - 1), max_size=30, unique=True))
    return GridPuzzle.of(rows, columns, {divmod(cell, columns): draw(MARKS[name]) for cell in cells})


@pytest.mark.parametrize("name", REFERENCES)
def test_addresses_of_the_program_itself(name: str) -> None:
    address, text = REFERENCES[name]
    kind, puzzle = KINDS[name], GridPuzzle.read(text)
    assert write_puzzle(kind, puzzle, "url") == f"https://puzz.link/p?{address}"
    for site in ("", "https://puzz.link/p?", "http://pzv.jp/p.html?", "https://pzprxs.vercel.app/p?"):
        assert read_puzzles(site + address) == [Named(kind, puzzle)]
    assert len(list(solutions(kind, puzzle, 2, "sat"))) == 1


@pytest.mark.parametrize("name", MARKS)
def test_addresses_and_texts_are_read_back(name: str) -> None:
    kind = KINDS[name]

    @examples(25)
    @given(puzzles(name))
    def there_and_back(puzzle: GridPuzzle) -> None:
        assert kind.address is not None
        assert kind.address.read(puzzle.rows, puzzle.columns, kind.address.write(puzzle)) == puzzle
        assert puzzle.columns == 1 or GridPuzzle.read(str(puzzle)) == puzzle
        if name in ("slitherlink", "masyu"):
            assert read_puzzles(write_puzzle(kind, puzzle, "id")) == [Named(kind, puzzle)]
            assert read_puzzles(json.dumps(puzzle_json(kind, puzzle))) == [Named(kind, puzzle)]

    there_and_back()


def test_files_of_pzpr() -> None:
    text = "pzprv3/slither/2/3/2 . . /. 0 . /1 1 0 0 /1 0 0 0 /1 0 0 /1 0 0 /0 0 0 /"
    assert str(read_puzzles(text)[0].puzzle) == "2 . .\n. 0 ."
    assert str(read_puzzles(text.replace("/", "\n"))[0].puzzle) == "2 . .\n. 0 ."
    arrows = read_puzzles("pzprv3/yajilin/2/3/. 4,2 . /0,- . 1,0 /. . . /")[0].puzzle
    assert arrows.clue == {(0, 1): "2>", (1, 0): "?", (1, 2): "0^"}
    pearls = read_puzzles("pzprv3/mashu/1/3/1 . 2 /0 0 /")[0].puzzle
    assert pearls.clue == {(0, 0): "o", (0, 2): "*"}


def test_several_puzzles_in_one_text() -> None:
    found = read_puzzles("masyu\n..o\n...\n...\n\nslitherlink\n3 2\n1 .\n")
    assert [(each.kind.name, each.puzzle.size) for each in found] == [
        ("masyu", "3x3"),
        ("slitherlink", "2x2"),
    ]
    assert read_puzzles("3 2\n1 .", KINDS["slitherlink"])[0].puzzle.size == "2x2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("3 2\n1 .", "does not name its kind"),
        ("slitherlink\n3 2\n1", "row 2 of the puzzle has 1 cells"),
        ("slitherlink\n3 5", "row 1, column 2 .* '5' is not a clue"),
        ("numberlink\n1 2 1", "2 is in 1 cells|'2' is in 1 cells"),
        ("yajilin\n. 2x", "a number and an arrow"),
        ("hidato\n1 9", "from 1 to 2"),
        ("hidato\n1 1", "1 is given in row 1, column 1 and in row 1, column 2"),
        ("https://puzz.link/p?sudoku/9/9/a", "slither, mashu, yajilin, numlin"),
        ("https://puzz.link/p?slither/99999/99999/a", "at most 10,000 cells"),
        ("https://puzz.link/p?slither/2/2/zzz0", "more clues than 2x2"),
        ("https://puzz.link/p?slither/2/2/.", "without a number"),
        ("5x5t3:a", "only squares"),
        ("2x2t0:aa", "describes 2 cells"),
        ("pzprv3/slither/2", "ends early|no size"),
        ("pzprv3/slither/9/9/. ./", "has 0 rows"),
        ('{"kind": "masyu"}', '"puzzle", a list'),
        ("{", "cannot be read"),
    ],
)
def test_what_is_at_fault_is_named(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        read_puzzles(text)


# -- commands ------------------------------------------------------------------------------------------------


def test_commands(tmp_path: Path) -> None:
    file, picture = str(tmp_path / "loop.txt"), tmp_path / "loop.svg"
    made = answered("puzzle", "make", "slitherlink", "5x5", "--seed", "4", "-o", file)
    assert "one solution (sat, cpsat), medium" in made.err
    assert answered("puzzle", "solve", file).out.count("\n") == 11
    assert "the only solution" in answered("puzzle", "unique", file).out
    answered("puzzle", "draw", file, "--solution", "-o", str(picture))
    assert "<title>Slitherlink of 5x5</title>" in picture.read_text("utf-8")
    data = json.loads(answered("puzzle", "unique", file, "--json").out)
    assert data["unique"] is True
    assert data["difficulty"]["level"] == "medium"
    assert data["url"].startswith("https://puzz.link/p?slither/5/5/")
    again = json.loads(answered("puzzle", "make", "slitherlink", "5x5", "--seed", "4", "--json").out)
    assert again["puzzle"] == data["puzzle"]
    assert again["confirmed_by"] == "cpsat"
    assert "knight-maze" in answered("puzzle", "list").out


def test_answers_no() -> None:
    several = ktsolve("puzzle", "unique", "-", given=b"slitherlink\n2 .\n. .")
    assert several.status == 1
    assert "not the only solution: another differs in" in several.out
    none = ktsolve("puzzle", "solve", "-", given=b"slitherlink\n0 0\n0 0")
    assert (none.status, none.out) == (1, "no solution\n")
    for arguments in (
        ("make", "nothing", "5x5"),
        ("make", "masyu", "5"),
        ("make", "hidato", "5x5", "--format", "url"),
        ("make", "masyu", "5x5", "--difficulty", "extreme"),
        ("solve", "missing.txt"),
        ("solve", "https://puzz.link/p?slither/5/5/!!"),
    ):
        said = ktsolve("puzzle", *arguments)
        assert (said.status, said.out) == (2, ""), arguments
        assert said.err.startswith("ktsolve: ")
        assert said.err.count("\n") == 1
