"""Loop and path puzzles: models against brute force from the definitions, difficulty, making."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from itertools import combinations, permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import answered, refused
from hypothesis import given
from hypothesis import strategies as st
from marks import full, quick
from strategies import examples
from svg_reading import SVG, parsed, strands

from ktsolve.base.errors import BadInput
from ktsolve.grids.puzzle import GridPuzzle, GridSolution, grid_edges
from ktsolve.render.scene.theme import named_theme
from ktsolve.wings.puzzles.clue_tasks import NoSolution
from ktsolve.wings.puzzles.deduction import LEVELS, Deduction, Rating, rate
from ktsolve.wings.puzzles.hints import GridHint, Marks, hints
from ktsolve.wings.puzzles.kinds import KINDS
from ktsolve.wings.puzzles.kinds.slitherlink import prime_clauses
from ktsolve.wings.puzzles.loops import border, improve, inside_of, random_region
from ktsolve.wings.puzzles.making import Made, confirm, make
from ktsolve.wings.puzzles.solving import differences, solutions
from ktsolve.wings.puzzles.step_deduction import StepDeduction

FEW = examples(12)


# -- all solutions, by brute force ---------------------------------------------------------------------------


@cache
def drawings(rows: int, columns: int) -> list[frozenset[tuple[tuple[int, int], tuple[int, int]]]]:
    """All sets of edges of a grid in which no place has more than two."""
    edges = grid_edges(rows, columns)
    found = []
    for number in range(len(edges) + 1):
        for chosen in combinations(edges, number):
            drawn = GridSolution(frozenset(chosen))
            if max(drawn.degrees.values(), default=0) <= 2:
                found.append(drawn.lines)
    return found


def candidates(kind: str, puzzle: GridPuzzle) -> Iterator[GridSolution]:
    """Everything that might be a solution of a tiny puzzle."""
    if kind == "slitherlink":
        yield from map(GridSolution, drawings(puzzle.rows + 1, puzzle.columns + 1))
    elif kind in ("masyu", "numberlink"):
        yield from map(GridSolution, drawings(puzzle.rows, puzzle.columns))
    elif kind == "yajilin":
        for lines in drawings(puzzle.rows, puzzle.columns):
            degrees = GridSolution(lines).degrees
            rest = [cell for cell in puzzle.cells if cell not in puzzle.clue and cell not in degrees]
            yield GridSolution(lines, frozenset(rest))
    else:
        cells = [cell for cell in puzzle.cells if puzzle.clue.get(cell) != "#"]
        for numbers in permutations(range(1, len(cells) + 1)):
            yield GridSolution(numbers=tuple(zip(cells, numbers, strict=True)))


TINY = [
    ("slitherlink", "2 .\n. ."),
    ("slitherlink", ". 2\n3 ."),
    ("slitherlink", "1 . 2"),
    ("slitherlink", ". .\n. ."),
    ("masyu", ". . .\n. . .\n. . ."),
    ("masyu", "* . .\n. . .\n. . ."),
    ("masyu", ". o .\n. . .\n. . ."),
    full("masyu", ". o . .\n. . . .\n. . o ."),
    full("masyu", "* . . *\n. . . .\n. . o ."),
    ("masyu", ". . o . .\n. . . . ."),
    ("masyu", ". .\n. .\no .\n. .\n. ."),
    ("yajilin", ". . .\n. . .\n. . ."),
    ("yajilin", ". . .\n. 0> .\n. . ."),
    full("yajilin", ". . . .\n. . . .\n1> . . 0^"),
    ("yajilin", "? . .\n. . .\n. . ."),
    ("numberlink", "1 . 2\n. . .\n2 . 1"),
    ("numberlink", "1 . .\n2 . 1\n. . 2"),
    ("numberlink", "a . a\n. . .\n. . ."),
    ("hidato", "1 . .\n. . 6"),
    ("hidato", ". . #\n. . ."),
    ("numbrix", ". . .\n. 3 ."),
    ("numbrix", "1 . .\n. # .\n. . ."),
    ("knight", ". # .\n. # .\n. # ."),
    ("knight", ". . .\n. # #\n. . 4"),
]


@pytest.mark.parametrize(("name", "text"), TINY)
def test_both_engines_find_what_the_definition_allows(name: str, text: str) -> None:
    kind, puzzle = KINDS[name], GridPuzzle.read(text)
    wanted = {each for each in candidates(name, puzzle) if not kind.violation(puzzle, each)}
    for engine in ("sat", "cpsat"):
        found = list(solutions(kind, puzzle, engine=engine))
        assert len(set(found)) == len(found)
        assert set(found) == wanted


def test_loops_of_an_empty_grid_are_those_that_are_published() -> None:
    """OEIS A140517: the cycles of the grid graph."""
    for side, number in ((2, 13), (3, 213)):
        empty = GridPuzzle(side, side)
        assert sum(1 for _ in solutions(KINDS["slitherlink"], empty, engine="sat")) == number
        assert (
            sum(1 for _ in solutions(KINDS["masyu"], GridPuzzle(side + 1, side + 1), engine="sat")) == number
        )


# -- symmetry ------------------------------------------------------------------------------------------------

TURNED = {">": "v", "v": "<", "<": "^", "^": ">"}


def quarter_turned(name: str, puzzle: GridPuzzle) -> GridPuzzle:
    """The puzzle turned clockwise."""
    clues = {}
    for (r, c), mark in puzzle.clues:
        turned = mark[:-1] + TURNED[mark[-1]] if name == "yajilin" else mark
        clues[c, puzzle.rows - 1 - r] = turned
    return GridPuzzle.of(puzzle.columns, puzzle.rows, clues)


@FEW
@given(st.sampled_from(["slitherlink", "masyu", "yajilin"]), st.integers(0, 10**6))
def test_a_turned_puzzle_has_as_many_solutions(name: str, seed: int) -> None:
    chooser = random.Random(seed)
    marks = {"slitherlink": ["1", "2", "3"], "masyu": ["o", "*"], "yajilin": ["0>", "1v", "1<", "0^"]}[name]
    cells = GridPuzzle(3, 4).cells
    puzzle = GridPuzzle.of(3, 4, {cell: chooser.choice(marks) for cell in chooser.sample(cells, 2)})
    turned = quarter_turned(name, puzzle)
    numbers = [sum(1 for _ in solutions(KINDS[name], each, engine="sat")) for each in (puzzle, turned)]
    assert numbers[0] == numbers[1]


# -- loops, propagation --------------------------------------------------------------------------------------


@FEW
@given(st.integers(2, 9), st.integers(2, 9), st.integers(0, 10**6))
def test_random_loops_are_loops(rows: int, columns: int, seed: int) -> None:
    chooser = random.Random(seed)
    region = random_region(rows, columns, chooser)
    improve(region, [(r, c) for r in range(rows) for c in range(columns)], 200, chooser)
    lines = border(region)
    assert not KINDS["slitherlink"].violation(GridPuzzle(rows, columns), GridSolution(frozenset(lines)))
    assert inside_of(lines, rows, columns) == region


@pytest.mark.parametrize(
    ("name", "rows", "columns"), [("slitherlink", 1, 3), ("masyu", 2, 4), ("yajilin", 2, 4)]
)
def test_two_loops_are_not_one(name: str, rows: int, columns: int) -> None:
    two = GridSolution(frozenset(border({(0, 0), (0, 2)})))
    assert KINDS[name].violation(GridPuzzle(rows, columns), two) == "there are 2 loops instead of one"


def test_loops_are_spread_over_the_grid() -> None:
    """In each quarter of 20x20 the loop has at least a third of the lines that it could have."""
    for seed in range(5):
        lines = border(random_region(20, 20, random.Random(seed)))
        for top, left in product((0, 10), repeat=2):
            here = [1 for (r, c), _ in lines if top <= r < top + 10 and left <= c < left + 10]
            assert len(here) > 65


@FEW
@given(st.lists(st.booleans(), min_size=8, max_size=8))
def test_prime_clauses_say_what_the_table_says(values: list[bool]) -> None:
    clauses = prime_clauses(np.array(values).reshape(2, 2, 2))
    for row, allowed in zip(product((False, True), repeat=3), values, strict=True):
        assert all(any(row[abs(x) - 1] == (x > 0) for x in clause) for clause in clauses) == allowed
    for one, other in permutations(clauses, 2):
        assert not set(one) <= set(other)


@cache
def made(name: str, difficulty: str, seed: int = 1) -> Made:
    side = 5 if name in ("hidato", "numbrix", "knight") else 6
    return make(KINDS[name], side, side, seed, difficulty, confirmed=False)


MADE = [
    *product(("slitherlink", "masyu", "hidato", "numbrix", "knight"), ("easy", "medium")),
    *(("slitherlink", "hard"), ("masyu", "hard"), ("knight", "hard")),
    *(("yajilin", "medium"), ("numberlink", "medium"), ("numberlink", "easy"), ("knight-maze", "medium")),
]


@pytest.mark.parametrize(("name", "difficulty"), quick(MADE, lambda case: case[1] == "easy"))
def test_what_is_made_has_one_solution_and_the_difficulty(name: str, difficulty: str) -> None:
    one = made(name, difficulty)
    assert one.rating.level == rate(one.kind, one.puzzle).level == difficulty
    assert not one.kind.violation(one.puzzle, one.solution)
    for engine in ("sat", "cpsat"):
        assert list(solutions(one.kind, one.puzzle, 2, engine)) == [one.solution]
    assert confirm(one).confirmed_by == "cpsat"


def test_the_same_seed_makes_the_same_puzzle() -> None:
    first, again, other = (made.__wrapped__("masyu", "medium", seed) for seed in (1, 1, 2))
    assert first.puzzle == again.puzzle != other.puzzle


@pytest.mark.full
@pytest.mark.parametrize("name", ["slitherlink", "masyu"])
def test_every_clue_of_a_hard_puzzle_is_needed(name: str) -> None:
    one = made(name, "hard")
    for cell, _ in one.puzzle.clues:
        first, second = solutions(one.kind, one.puzzle.without([cell]), 2, "sat")
        assert differences(first, second).only_second.marks


@pytest.mark.parametrize("difficulty", ["easy", full("medium")])
@pytest.mark.parametrize("name", ["slitherlink", "masyu", "numberlink"])
def test_rules_decide_what_the_solution_has(name: str, difficulty: str) -> None:
    """Propagation is sound: the decided marks of a puzzle with one solution are those of the solution."""
    one = made(name, difficulty)
    compiled = one.kind.compile(one.puzzle)
    with closing(Deduction(one.kind, compiled)) as deduction:
        true = {x.number + 1 if x.positive else -x.number - 1 for x in compiled.literals(one.solution)}
        for most in ("easy", "medium"):
            rating = deduction.rate(most=most)
            assert rating.by_rules + rating.by_assumptions + rating.left == len(true)
        known = deduction._close([deduction._rules])
        assert known is not None
        marks = {abs(x) for x in true}
        assert {x for x in known if abs(x) in marks} <= true


@pytest.mark.parametrize("difficulty", ["easy", "medium"])
@pytest.mark.parametrize("name", ["hidato", "numbrix", "knight"])
def test_steps_that_rules_find_are_those_of_the_solution(name: str, difficulty: str) -> None:
    one = made(name, difficulty)
    numbered = one.kind.tours(one.puzzle)
    assert numbered is not None
    steps = [step for _, step in one.solution.numbers]
    for moves in (False, True):
        table = StepDeduction(numbered)
        assert table.settle(moves=moves)
        assert all(possible >> step - 1 & 1 for possible, step in zip(table.steps, steps, strict=True))
        assert (len(table.known()) == len(steps)) == (moves or difficulty == "easy")


def test_levels_are_ordered() -> None:
    """A puzzle that rules solve is solved with assumptions, too, and has one solution."""
    easy = made("slitherlink", "easy")
    rating = rate(easy.kind, easy.puzzle)
    assert isinstance(rating, Rating)
    assert rating.by_assumptions == 0
    assert LEVELS == ("easy", "medium", "hard")


def test_sizes_and_levels_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadInput, match="3x3 or more"):
        make(KINDS["masyu"], 2, 9)
    with pytest.raises(BadInput, match="easy, medium, hard"):
        make(KINDS["masyu"], 5, 5, difficulty="harder")
    with pytest.raises(BadInput, match="medium or hard"):
        make(KINDS["yajilin"], 6, 6, difficulty="easy")
    with pytest.raises(BadInput, match="no open knight's tour of 4x4"):
        make(KINDS["knight"], 4, 4)
    with pytest.raises(BadInput, match="10,000 cells"):
        make(KINDS["slitherlink"], 1000, 1000)


# -- many, and large -----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_hundred_puzzles_are_unique() -> None:
    """Made with sat, confirmed by cpsat and the checkers."""
    kinds = [*product(["slitherlink"], LEVELS), ("masyu", "easy"), ("masyu", "medium")]
    for seed in range(100):
        name, difficulty = kinds[seed % len(kinds)]
        assert make(KINDS[name], 7, 7, seed, difficulty).confirmed_by == "cpsat"


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", LEVELS)
@pytest.mark.parametrize("name", ["slitherlink", "masyu"])
def test_large_puzzles(name: str, difficulty: str) -> None:
    one = make(KINDS[name], 20, 20, 1, difficulty)
    assert one.rating.level == difficulty
    assert list(solutions(one.kind, one.puzzle, 2, "sat")) == [one.solution]


@pytest.mark.parametrize(
    ("kind", "pattern"),
    [
        ("slitherlink", "rot180"),
        full("hidato", "flip-h"),
        full("masyu", "rot180"),
        full("knight", "transpose"),
    ],
)
def test_clues_have_a_symmetry(kind: str, pattern: str) -> None:
    arguments = ("puzzle", "make", kind, "6x6", "--pattern", pattern)
    text = answered(*arguments, "-q").out.split("\n", 1)[1]
    rows = [line.split() for line in text.splitlines()]
    marked = {(r, c) for r in range(6) for c in range(6) if rows[r][c] != "."}
    images = {"rot180": {(5 - r, 5 - c) for r, c in marked}, "flip-h": {(r, 5 - c) for r, c in marked}}
    assert images.get(pattern, {(c, r) for r, c in marked}) == marked
    assert answered("puzzle", "unique", "-", given=answered(*arguments, "-q").out.encode()).status == 0


@pytest.mark.parametrize(("kind", "givens"), [("hidato", 9), full("slitherlink", 14), full("masyu", 7)])
def test_puzzles_have_a_number_of_clues(kind: str, givens: int) -> None:
    data = answered("puzzle", "make", kind, "5x5", "--givens", str(givens), "--json").json
    assert data["clues"] == givens


def test_clues_that_cannot_be_chosen() -> None:
    told = "the clues of Yajilin are those of its solution: leave out --givens and --pattern"
    assert refused("puzzle", "make", "yajilin", "5x5", "--givens", "3") == told
    told = "--pattern of 5x6 'rot90' is unknown: did you mean rot180? use rot180, flip-h, flip-v"
    assert refused("puzzle", "make", "slitherlink", "5x6", "--pattern", "rot90") == told


# -- hints ---------------------------------------------------------------------------------------------------


def _agrees(solution: GridSolution, marks: Marks) -> bool:
    return all((mark in solution.marks) is made for mark, made in marks.items() if mark[0] != "number")


def _with_reason_alone(hint: GridHint) -> GridPuzzle:
    """The puzzle with the clues of the reason of a hint, and no others."""
    named = {place for place, corner in hint.places if not corner}
    clues = {cell: mark for cell, mark in hint.puzzle.clues if cell in named}
    if hint.kind.name == "yajilin":
        # No cell with a clue is visited.
        clues = {cell: clues.get(cell, "?") for cell, _ in hint.puzzle.clues}
    return GridPuzzle.of(hint.puzzle.rows, hint.puzzle.columns, clues)


NUMBERED = ("hidato", "numbrix", "knight")
PLACES = [getattr(case, "values", case) for case in TINY]
HINTED = quick([each for each in PLACES if each[0] not in NUMBERED], lambda each: len(each[1]) < 12)


@pytest.mark.parametrize(("name", "text"), HINTED)
def test_hints_follow_from_their_reasons_and_say_what_all_solutions_share(name: str, text: str) -> None:
    kind, puzzle = KINDS[name], GridPuzzle.read(text)
    every = list(candidates(name, puzzle))
    wanted = [each for each in every if not kind.violation(puzzle, each)]
    if not wanted:
        with pytest.raises(NoSolution, match="no solution"):
            list(hints(kind, puzzle))
        return
    known: dict[Any, bool] = {}
    for hint in hints(kind, puzzle):
        assert hint.earlier.items() >= known.items()
        assert hint.given.items() <= hint.earlier.items()
        assert str(hint).count(":") == 1
        if name != "numberlink":  # the numbers are the ends of the lines, and stay
            less = _with_reason_alone(hint)
            near = [each for each in every if not kind.violation(less, each)]
            near = [each for each in near if _agrees(each, hint.given)]
            assert near
            assert all(_agrees(each, hint.marks) for each in near), str(hint)
        known |= hint.marks
    for mark, made in known.items():
        assert mark[0] == "number" or {mark in each.marks for each in wanted} == {made}
    shared = frozenset.intersection(*(each.marks for each in wanted))
    assert shared == {mark for mark, made in known.items() if made and mark[0] != "number"}


def test_hints_of_a_numbered_board_lead_to_its_solution() -> None:
    kind, puzzle = KINDS["hidato"], GridPuzzle.read("1 . .\n. 9 .\n. 5 .")
    (solution,) = solutions(kind, puzzle)
    found = {mark[1]: mark[2] for hint in hints(kind, puzzle) for mark in hint.marks}
    assert found == {cell: step for cell, step in solution.numbers if cell not in puzzle.clue}


def test_hints_are_printed_and_drawn(tmp_path: Path) -> None:
    name, drawn = tmp_path / "loop.txt", tmp_path / "hints.svg"
    name.write_text("slitherlink\n3 . .\n. . .\n. . 0\n")
    first, second, third = answered("puzzle", "hint", str(name), "-n", "3").out.splitlines()
    assert first == (
        "no line above r3c3, no line left of r3c3, no line right of r3c3, no line below r3c3: the 0 in r3c3"
    )
    assert (
        second
        == "no line right of r2c3: the dot upper right of r3c3, as no line right of r3c3, no line above r3c3"
    )
    listed = answered("puzzle", "hint", str(name), "-n", "3", "--json").json["hints"]
    assert [each["text"] for each in listed] == [first, second, third]
    assert listed[1]["marks"] == {"no_lines": [[[1, 3], [2, 3]]]}
    assert listed[1]["given"] == {"no_lines": [[[2, 2], [2, 3]], [[2, 3], [3, 3]]]}
    answered("puzzle", "hint", str(name), "-n", "3", "-o", str(drawn))
    # What follows is red: four crosses, which are known from then on, one and one.
    end, faint = named_theme("light").end, named_theme("light").faint
    paths = parsed(drawn.read_text()).iter(f"{SVG}path")
    crosses = [(each.get("stroke"), len(strands(each.get("d", ""))) // 2) for each in paths]
    assert [each for each in crosses if each[0] in (end, faint)] == [
        (end, 4),
        (faint, 4),
        (end, 1),
        (faint, 5),
        (end, 1),
    ]
    name.write_text("slitherlink\n3 0\n0 3\n")
    assert answered("puzzle", "hint", str(name), status=1).out == "the puzzle has no solution\n"
