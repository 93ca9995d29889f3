"""Base boards: validated, made, damaged; and files of many tours."""

from __future__ import annotations

import itertools
import re
import time
from pathlib import Path

import numpy as np
import pytest
from command import answered, refused
from hypothesis import given
from hypothesis import strategies as st
from marks import full, quick
from strategies import examples

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.divide.bases import Bases
from ktsolve.engines.divide.joining import bands
from ktsolve.engines.registry import MODEL_ENGINES, engine_named
from ktsolve.formats.tours.csv import write as write_csv
from ktsolve.formats.tours.files import read_tour
from ktsolve.formats.tours.recognition import split_tours
from ktsolve.formats.tours.tsplib import write as write_tsplib
from ktsolve.graphs.tour import Tour
from ktsolve.tasks.base_boards import base_problem, make_base, shipped_bases, validate_bases
from ktsolve.tasks.find import find

NINE = Path(shipped_bases()["nine-boards"]).read_text()

TWICE = "occurs twice (also in line 5, entry 1)"


def test_closed_bases_of_all_sizes_have_what_joins_them() -> None:
    sizes = {part for side in range(5, 200) for part in bands(side)}
    assert sizes <= set(range(5, 12))
    bases = Bases(Settings(), Clock(None))
    for rows, columns in itertools.product(range(5, 12), repeat=2):
        if rows * columns % 2 == 0:
            problem = base_problem(f"{rows}x{columns}", joints=True)
            assert bases.closed(rows, columns).shape == (rows, columns, 2)
            assert find(problem, "search").tour is not None


@pytest.mark.parametrize("size", ["5x6", "6x6", full("6x7"), full("7x8"), full("9x10"), full("12x12")])
def test_a_base_is_made_by_one_and_confirmed_by_the_other(size: str) -> None:
    for engine, symmetry in (("sat", None), ("cpsat", "rot180" if size == "6x6" else None)):
        made = make_base(base_problem(size, symmetry=symmetry), engine, Settings(seed=1))
        assert made.tour is not None
        assert {made.engine, made.confirmed} == {"sat", "cpsat"}
        [verdict] = validate_bases(made.tour.grid())
        assert verdict.usable


@pytest.mark.parametrize("maker", MODEL_ENGINES)
@pytest.mark.parametrize(
    ("rows", "columns"),
    quick(itertools.combinations_with_replacement(range(6, 13), 2), lambda size: sum(size) < 14),
)
def test_structured_boards_of_all_sizes_from_6_to_12(rows: int, columns: int, maker: str) -> None:
    """By each of the two from nothing, and confirmed by the other; odd sides refused by a named theorem."""
    made = make_base(base_problem(f"{rows}x{columns}"), maker)
    if rows * columns % 2:
        assert (made.tour, made.engine) == (None, "arithmetic")
        assert made.reason.endswith("(colours)")
    else:
        assert made.tour is not None
        assert (made.engine, {made.engine, made.confirmed}) == (maker, set(MODEL_ENGINES))
        assert validate_bases(made.tour.grid())[0].usable


@pytest.mark.parametrize("size", ["5x5", full("5x7"), "4x6", full("3x8")])
def test_both_makers_refute_what_arithmetic_does(size: str) -> None:
    """Past the theorem: the solvers are asked themselves, on boards so small that they need no colours."""
    for maker in MODEL_ENGINES:
        assert engine_named(maker).construct(base_problem(size), Settings(threads=1)) is None


def test_sizes_without_a_structured_tour() -> None:
    made = make_base(base_problem("4x6"))
    assert (made.tour, made.engine) == (None, "arithmetic")
    made = make_base(base_problem("3x12", symmetry="rot180"))
    assert made.tour is None or validate_bases(made.tour.grid())[0].usable
    with pytest.raises(BadInput, match="engine 'search' makes no bases: use sat or cpsat"):
        make_base(base_problem("6x6"), "search")


def test_the_nine_boards_are_usable() -> None:
    verdicts = validate_bases(NINE)
    assert [(v.line, v.usable, v.fault) for v in verdicts] == [
        (line, True, "") for line in (4, 12, 20, 30, 40, 50, 62, 74, 86)
    ]
    assert all(v.quarters == ("tl", "tr", "bl", "br") for v in verdicts)


@pytest.mark.parametrize(
    ("old", "new", "line", "fault"),
    [
        ("  1  30  33", " 30   1  33", 4, "step 2: b6 to c5 is not a move of the piece"),
        (
            " 10  19   8  27  12  21\n",
            "",
            4,
            "step 8 is missing from the grid, of 30 steps (line 1, entry 3 is 33)",
        ),
        (
            " 10  19   8  27  12  21",
            " 10  19   8  27  12",
            4,
            "line 6 of the grid has 5 entries where line 1 has 6",
        ),
        (
            " 45   8   5  34",
            " 45   8  45  34",
            12,
            "line 5, entry 3: step 45 occurs twice (also in line 5, entry 1), and step 5 is missing",
        ),
        (" 29  10  55", " 10  29  55", 30, "step 10: d3 to d5 is not a move of the piece"),
        (
            "  8  69   6  33",
            "  8  69   6  81",
            50,
            "step 33 is missing from the grid, of 80 steps (line 10, entry 4 is 81)",
        ),
    ],
)
def test_a_damaged_board_is_rejected_with_the_place(old: str, new: str, line: int, fault: str) -> None:
    assert old in NINE
    verdicts = validate_bases(NINE.replace(old, new, 1))
    bad = [v for v in verdicts if not v.usable]
    assert [(v.line, v.fault) for v in bad] == [(line, fault)]


@given(st.sampled_from(validate_bases(NINE)), st.data())
@examples(60)
def test_two_numbers_exchanged_are_never_missed(verdict: object, data: st.DataObject) -> None:
    tour = verdict.tour  # type: ignore[attr-defined]
    steps = [[tour.step_of[r, c] for c in range(tour.board.columns)] for r in range(tour.board.rows)]
    cells = st.sampled_from(tour.board.cells)
    (a, b), (c, d) = data.draw(cells), data.draw(cells)
    steps[a][b], steps[c][d] = steps[c][d], steps[a][b]
    [judged_again] = validate_bases("\n".join(" ".join(map(str, row)) for row in steps))
    # Exchanging two cells may leave a tour, if both have the same two neighbours; numbers tell.
    assert bool(judged_again.fault) == (not Tour.from_steps(np.array(steps), closed=True).valid)
    assert (a, b) == (c, d) or judged_again.fault or Tour.from_steps(np.array(steps), closed=True).valid


def test_files_of_many_tours() -> None:
    parts = split_tours(f"{NINE}\n\na1 b3 c1\n" + '{"board": "3x4", "squares": [[0, 0]]}')
    assert parts[0].title.endswith("Step 1 is top left. 6 rows, 6 columns")
    assert [part.title for part in parts[1:3]] == ["6 rows, 8 columns", "8 rows, 6 columns"]
    assert [part.line for part in parts[-2:]] == [100, 101]
    listed = split_tours('{"tours": [[[0, 0]], [[1, 1]]], "closed": true, "board": "6x6"}')
    assert [read_tour(part.text).squares for part in listed] == [((0, 0),), ((1, 1),)]
    tour = read_tour(NINE.split("\n\n")[1])
    csv, tsplib = write_csv(tour), write_tsplib(tour)
    ring = write_csv(read_tour("1 6 3\n4 . 8\n7 2 5"))
    several = [csv, tsplib, tsplib.replace("EOF\n", "\n"), f"{tour.grid()}\n{csv}", f"# a ring\n{ring}", csv]
    parts = split_tours("".join(several))
    assert [read_tour(part.text) for part in parts[:5]] == [tour] * 5
    assert (parts[5].title, read_tour(parts[5].text).board.size) == ("a ring", "3x3")
    assert read_tour(parts[6].text) == tour
    length = len(tour) + 1
    assert [part.line for part in parts[:2]] == [1, length + 1]
    damaged = validate_bases(csv.replace("7,", "6,", 1) + tsplib)
    assert [(v.line, v.fault) for v in damaged] == [
        (1, "line 8 of the CSV: step 6 occurs twice (also in line 7)"),
        (length + 1, ""),
    ]
    with pytest.raises(BadInput, match="there is no board in the input"):
        validate_bases("# nothing\n\n")
    with pytest.raises(BadInput, match="the board in line 3: "):
        validate_bases("\n\n1 x 3\n")


# -- the command ---------------------------------------------------------------------------------------------


def test_base_validate(tmp_path: Path) -> None:
    said = answered("base", "validate", "nine-boards")
    assert said.out.splitlines()[0].split() == ["line", "board", "structured", "usable", "as"]
    assert said.out.count("any quarter") == 9
    data = answered("base", "validate", "nine-boards", "--json").json
    assert data["status"] == "usable"
    assert [board["usable"] for board in data["boards"]] == [True] * 9
    path = tmp_path / "damaged.txt"
    path.write_text(NINE.replace("  1  30  33", " 30   1  33", 1))
    said = answered("base", "validate", str(path), status=1)
    assert "not a closed tour: step 2: b6 to c5 is not a move of the piece" in said.out
    data = answered("base", "validate", str(path), "--json", status=1).json
    assert data["boards"][0]["fault"] == "step 2: b6 to c5 is not a move of the piece"
    assert (data["status"], data["boards"][1]["usable"]) == ("unusable", True)


def test_base_validate_names_what_is_lacking() -> None:
    plain = answered("tour", "6x6", "--corners", "br", "--forbid", "b6-a4", "-q").out
    line = answered("base", "validate", "-", status=1, given=plain.encode()).out.splitlines()[1]
    assert re.search(r"\bbr +tl quarter; tl lacks .*b6-a4", line) or re.search(r"tl lacks .*a4-b6", line), (
        line
    )


def test_base_make() -> None:
    for words in (
        ["6x7"],
        ["6x6", "--symmetry", "rot180", "--engine", "cpsat"],
        ["8x7", "--joints", "--seed", "3"],
    ):
        said = answered("base", "make", *words)
        assert validate_bases(said.out)[0].usable
        assert "confirmed by" in said.err
    data = answered("base", "make", "5x5", "--open", "--joints", "--json").json
    assert (data["status"], data["confirmed"], data["closed"]) == ("found", "cpsat", False)
    said = answered("base", "make", "4x5", status=1)
    assert said.out.startswith("no base: no closed tour exists on a rectangle with a side of 1, 2 or 4")
    only = answered("base", "make", "6x6", "--corners", "tl,br", "-q").out
    assert {"tl", "br"} <= set(validate_bases(only)[0].corners)


def test_base_validate_reads_every_format(tmp_path: Path) -> None:
    for form in ("grid", "cells", "moves", "npy", "json"):
        path = tmp_path / f"base.{form}"
        answered("tour", "6x8", "--structured", "--format", form, "-o", str(path), "-q")
        assert answered("base", "validate", str(path)).out.count("any quarter") == 1
    for form in ("csv", "tour"):
        converted = str(tmp_path / f"converted.{form}")
        answered("convert", str(tmp_path / "base.npy"), "-o", converted)
        assert answered("base", "validate", converted).out.count("any quarter") == 1


def test_a_base_that_was_not_confirmed_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> None:
        time.sleep(0.3)
        raise LimitReached("stopped at the time limit of 0.123 s")

    monkeypatch.setattr(engine_named("cpsat"), "construct", late)
    wanted = "^stopped at the time limit of 0.3 s, sat made a base, cpsat did not confirm it$"
    with pytest.raises(LimitReached, match=wanted):
        make_base(base_problem("6x6"), "sat", Settings(timeout=0.3))


@pytest.mark.parametrize(
    ("stop", "reason"),
    [
        (LimitReached("stopped at the memory limit of 1 GiB"), "stopped at the memory limit of 1 GiB"),
        (KeyboardInterrupt(), "interrupted, sat made a base, cpsat did not confirm it"),
    ],
)
def test_a_base_that_was_not_confirmed_is_printed(
    monkeypatch: pytest.MonkeyPatch, stop: BaseException, reason: str
) -> None:
    def stopped(*_: object) -> None:
        raise stop

    monkeypatch.setattr(engine_named("cpsat"), "construct", stopped)
    said = answered("base", "make", "6x6", "--json", status=3)
    assert (said.complaint, said.json["reason"], said.json["confirmed"]) == (reason, reason, None)
    assert (said.json["status"], len(said.json["squares"])) == ("found", 36)
    said = answered("base", "make", "6x6", status=3)
    assert "sat, not confirmed, " in said.err
    assert answered("base", "validate", "-", given=said.out.encode()).out.count("any quarter") == 1


def test_base_refuses(tmp_path: Path) -> None:
    needed = "the moves of --joints need at least 4 rows and columns, not 3x10"
    assert refused("base", "make", "3x10", "--joints") == needed
    assert refused("base", "validate", str(tmp_path / "none")).endswith(
        "cannot be read: No such file or directory"
    )
    assert "there is no board in the input" in refused("base", "validate", "-", given=b"# nothing\n")
    assert "use sat or cpsat" in refused("base", "make", "6x6", "--engine", "search")
    assert "corner 'xx' is unknown" in refused("base", "make", "6x6", "--corners", "xx")
    assert "those of closed bases" in refused("base", "make", "7x7", "--open", "--corners", "tl")
