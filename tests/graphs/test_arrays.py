"""Tours as arrays: .npy, move strings, streamed text, the check of large tours, and the commands for them."""

from __future__ import annotations

import io
import itertools
import pickle
from pathlib import Path

import numpy as np
import pytest
from command import answered, refused
from hypothesis import given
from hypothesis import strategies as st
from marks import full
from strategies import examples

from ktsolve.base.errors import BadInput, LimitReached, NotATour
from ktsolve.base.limits import Settings
from ktsolve.engines.divide.construct import tour_steps
from ktsolve.formats.table import format_named
from ktsolve.formats.tours import cells, grid, json, moves, npy
from ktsolve.formats.tours.files import read_tour, tour_file
from ktsolve.formats.tours.recognition import TOUR_FORMATS
from ktsolve.graphs.tour import Tour
from ktsolve.graphs.tour_arrays import Steps
from ktsolve.problem.problem import TourProblem


def built(rows: int, columns: int) -> tuple[Steps, bool]:
    closed = rows * columns % 2 == 0
    return tour_steps(rows, columns, closed=closed), closed


# -- there and back ------------------------------------------------------------------------------------------


@given(st.integers(5, 30), st.integers(5, 30))
@examples(40)
def test_every_form_is_read_back(rows: int, columns: int) -> None:
    steps, closed = built(rows, columns)
    array = Tour.from_steps(steps, closed=closed)
    text = b"".join(grid.write_array(array))
    tour = Tour(array.board, array.squares, closed)
    assert text.decode() == tour.grid() + "\n"
    assert (grid.read_array(text).steps == steps).all()
    line = b"".join(moves.write_array(array))
    again = moves.read_array(line)
    assert (again.steps == steps).all()
    assert again.closed is closed
    assert read_tour(line.decode()) == tour
    assert b"".join(cells.write_array(array)).decode() == tour.names() + "\n"
    assert read_tour(b"".join(json.write_array(array)).decode()) == tour
    assert (tour.steps == steps).all()
    assert (str(tour.steps.dtype), tour.is_array, array.is_array) == ("int32", False, True)
    assert (npy.read_array(b"".join(npy.write_array(array))).steps == steps).all()
    for dtype in (np.int32, np.int64, np.uint16, ">i4"):
        stream = io.BytesIO()
        np.save(stream, steps.astype(dtype))
        assert (npy.read_array(stream.getvalue()).steps == steps).all()
    assert (grid.read_array(text.replace(b"\n", b"\r\n\n")).steps == steps).all()


def test_text_comes_in_pieces() -> None:
    array = Tour.from_steps(*built(20, 30))
    for form in (grid, cells, json):
        whole = b"".join(form.write_array(array))
        assert len(list(form.write_array(array, cells=70))) >= 9
        assert b"".join(form.write_array(array, cells=70)) == whole


def test_the_array_is_not_copied() -> None:
    steps, _ = built(12, 12)
    assert steps.dtype == np.int32
    assert steps.flags.c_contiguous
    assert steps.flags.writeable
    tour = Tour.from_steps(steps, closed=True)
    assert tour.steps is tour.as_closed(False).steps is steps


# -- faults --------------------------------------------------------------------------------------------------


@given(st.data())
@examples(200)
def test_the_check_agrees_with_the_judge_of_objects(data: st.DataObject) -> None:
    size = data.draw(st.sampled_from([(5, 6), (6, 6), (7, 7), (3, 10)]))
    steps, _ = built(*size)
    cell = st.tuples(st.integers(0, size[0] - 1), st.integers(0, size[1] - 1))
    for _ in range(data.draw(st.integers(0, 2))):
        a, b = data.draw(cell), data.draw(cell)
        if data.draw(st.booleans()):
            steps[a], steps[b] = steps[b], steps[a]
        else:
            steps[a] = data.draw(st.integers(-1, steps.size + 1))
    closed = data.draw(st.booleans())
    tour = Tour.from_steps(steps, closed=closed)
    violation = tour.first_violation(Settings(threads=data.draw(st.integers(1, 3))))
    assert violation == tour.violation
    ends = [cell for step in (1, steps.size) for cell in zip(*np.nonzero(steps == step), strict=True)]
    try:
        same = Tour(tour.board, tour.squares, closed)
    except BadInput:
        assert violation is not None
        assert violation.step == 0
    else:
        assert violation == same.violation
        assert tour == same
        assert (tour[0], tour[-1]) == (same[0], same[-1]) == tuple(ends)
        assert tour.closes == same.closes


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("moves 3x4 open 0,0 2502", "4 moves where an open tour makes 11"),
        ("moves 3x4 open 0,0 25025052053", "move 11: 3 leads off the board or to a cell visited before"),
        ("moves 3x4 open 0,0 25x", "move 3: x is not a digit 0 to 7"),
        ("moves 3x4 closed 0,0 25025052052", "11 moves where a closed tour makes 12"),
        ("moves 3x4 open 0,0 250250520521", "move 12: 1 leads off the board or to a cell visited before"),
    ],
)
def test_moves_that_make_no_tour(text: str, message: str) -> None:
    with pytest.raises(NotATour) as caught:
        read_tour(text)
    assert str(caught.value) == message
    assert answered("check", "-", given=text.encode(), status=1).out == f"not a tour: {message}\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("moves 3x4", "'moves 3x4' is not a move string: write moves ROWSxCOLUMNS"),
        ("moves 3x4 half 0,0 2", "'moves 3x4 half 0,0 2' is not a move string"),
        ("moves 0x4 open 0,0 2", "a board needs at least one row and one column"),
        ("moves 3x4 open 5,0 2", "cell '5,0' is off the 3x4 board"),
    ],
)
def test_what_is_no_move_string(text: str, message: str) -> None:
    assert refused("check", "-", given=text.encode()).startswith(message)


def npy_of(array: object) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.array(array))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (npy_of([1, 2, 3]), "a tour is an array of rows and columns, not of shape (3,)"),
        (npy_of([[1.5]]), "a tour is an array of whole numbers, not of float64"),
        (npy_of([[2**40]]), "1099511627776 is not a step number: they end at 1"),
        (npy_of([[None]]), "a tour is an array of whole numbers, not of object"),
        (npy_of([[1, 2]])[:100], "not an array in NumPy's format: "),
    ],
)
def test_arrays_that_are_no_tour(tmp_path: Path, data: bytes, message: str) -> None:
    assert message in refused("check", "-", given=data)
    path = tmp_path / "tour.npy"
    path.write_bytes(data)
    assert message in refused("check", str(path))


def test_a_small_array_is_read_as_a_grid_with_holes() -> None:
    ring = [[1, 6, 3], [4, 0, 8], [7, 2, 5]]
    assert answered("check", "-", given=npy_of(ring)).out == "valid closed tour of 3x3 without b2\n"


# -- the commands --------------------------------------------------------------------------------------------


def test_tour_writes_every_form_and_check_reads_it(tmp_path: Path) -> None:
    for engine, size in itertools.product(("divide", "sat"), ("10x12", "5x6")):
        for form in ("grid", "cells", "moves", "npy"):
            path = tmp_path / f"{engine}-{size}.{form}"
            answered("tour", size, "--engine", engine, "--format", form, "-o", str(path), "-q")
            said = answered("check", str(path), "--board", size, "--closed")
            assert said.out == f"valid closed tour of {size}\n"
    path = tmp_path / "named.npy"
    answered("tour", "9x9", "--open", "--engine", "divide", "--start", "a1", "--end", "i9", "-o", str(path))
    steps = np.load(path)
    assert (steps.dtype, steps[8, 0], steps[0, 8]) == (np.int32, 1, 81)
    assert refused("tour", "6x6", "--format", "npy", "--all").startswith("--format npy holds one tour")
    assert "a knight's tour of a whole board" in refused(
        "tour", "4x4", "--leaper", "0,1", "--format", "moves"
    )


@pytest.mark.full
def test_a_large_tour_through_files(tmp_path: Path) -> None:
    """Past a million cells nothing is made into objects: neither array, nor grid, nor move string."""
    for form in ("npy", "grid", "moves"):
        path = tmp_path / f"tour.{form}"
        answered("tour", "1100x1000", "--start", "c3", "--format", form, "-o", str(path), "-q")
        assert answered("check", str(path), "--start", "c3").out == "valid closed tour of 1100x1000\n"
        data = answered("check", str(path), "--open", "--json").json
        assert (data["status"], data["closed"], data["board"]["rows"]) == ("valid", False, 1100)
    path = tmp_path / "tour.npy"
    wrong = answered("check", str(path), "--start", "a1", status=1).out
    assert wrong == "condition violated: step 1 is c3, not a1\n"
    assert "is checked with --board" in refused("check", str(path), "--symmetry", "rot180")
    assert "the tour has 1100x1000 cells" in refused("check", str(path), "--board", "9x9")
    steps = np.load(path, mmap_mode="r+")
    steps[7, 9], steps[800, 11] = steps[800, 11], steps[7, 9]
    steps.flush()
    assert answered("check", str(path), status=1).out.startswith("not a tour: step ")
    grid = tmp_path / "tour.grid"
    text = grid.read_bytes()
    grid.write_bytes(text[: text.rindex(b" ")] + b"\n")
    said = answered("check", str(grid), status=1).out
    assert said == "not a tour: line 1100 of the grid has not as many entries as the first\n"
    grid.write_bytes(text + text[:-3] + b"x 1\n" + text * 3)
    assert "not a step number" in refused("check", str(grid))


@pytest.mark.parametrize(
    ("size", "ends"),
    [
        full("3x40000", ("--start", "a1")),
        full("30001x6", ("--open",)),
        ("3001x6", ("--open",)),
        ("1x1", ("--open",)),
    ],
)
def test_sides_of_any_length(size: str, ends: tuple[str, ...], tmp_path: Path) -> None:
    for form in ("npy", "grid", "moves"):
        path = str(tmp_path / f"tour.{form}")
        answered("tour", size, *ends, "--format", form, "-o", path, "-q")
        said = answered("check", path, "--board", size, *ends)
        assert said.out == f"valid {'open' if '--open' in ends else 'closed'} tour of {size}\n"
        data = answered("check", path, "--json", *ends).json
        assert data["board"]["rows"] == int(size.partition("x")[0])


def test_long_sides_without_a_tour_or_enough_memory() -> None:
    none = answered("tour", "2x10000000", status=1).out
    assert none.startswith("no tour: no closed tour exists on a rectangle with a side of 1, 2 or 4")
    needed = refused("tour", "1000000x1000000", "--memory", "1G", status=3)
    assert needed == "the step numbers of 1,000,000,000,000 cells take 4.09 TiB; the limit is 1 GiB of memory"
    data = answered("tour", "3x4000", "--json", "-q").json
    assert (data["problem"], len(data["squares"]), data["engine"]) == ("closed 3x4000", 12_000, "divide")
    assert refused("tour", "3x10000000000").endswith("a side is at most 999999999")


@pytest.mark.full
def test_lists_of_cells_state_a_long_board() -> None:
    tour = Tour.from_steps(tour_steps(3, 20_002))
    for name in ("csv", "json"):
        text = tour_file([tour], format_named(name, TOUR_FORMATS)).decode()
        assert read_tour(text) == tour


def test_a_few_letters_do_not_ask_for_gigabytes() -> None:
    said = answered("check", "-", given=b"moves 30000x60000 closed 0,0 123", status=1).out
    assert said == "not a tour: 3 moves where a closed tour makes 1,800,000,000\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device")
def test_a_full_disk_is_named() -> None:
    for form in ("grid", "moves", "npy", "cells"):
        said = refused("tour", "300x200", "--format", form, "-q", "-o", "/dev/full")
        assert said == "cannot write /dev/full: No space left on device"


def test_a_list_of_cells_too_long_to_be_read(tmp_path: Path) -> None:
    path = tmp_path / "tour.cells"
    path.write_bytes(b"a1 b3 " * 6_000_000)
    assert "read up to 32 MiB: write it as npy, moves, grid" in refused("check", str(path))


def test_large_questions_that_have_no_answer() -> None:
    said = answered("tour", "4x20000", "--engine", "divide", status=1)
    assert said.out.startswith("no tour: no closed tour exists on a rectangle with a side of 1, 2 or 4")
    said = answered("tour", "9999x9999", status=1)
    assert "the board has 49990001 cells of one and 49990000 of the other (colours)" in said.out
    said = answered("tour", "10000x10000", "--open", "--start", "0,0", "--end", "9999,9999", status=1)
    assert "an open tour of 100000000 cells ends on the other colour" in said.out
    complaint = refused("tour", "20000x20000", "--memory", "100M", status=3)
    assert complaint == "the step numbers of 400,000,000 cells take 1.68 GiB; the limit is 100 MiB of memory"
    assert refused("tour", "100x100", "--start", "a101").startswith("--start: cell 'a101' is off the 100x100")
    assert refused("tour", "100x100", "--start", "a1", "--end", "a1") == "start and end are the same cell, a1"
    assert refused("count", "6x6", "--engine", "divide").startswith("engine divide cannot count tours: use ")
    structured = refused("tour", "100x100", "--engine", "divide", "--structured", "--start", "a1")
    assert structured.startswith("engine divide cannot construct with ")


def test_rows_as_lists_are_checked_too() -> None:
    assert Tour.from_steps([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]], closed=False).valid
    with pytest.raises(BadInput, match="rows of equal length"):
        Tour.from_steps([[1, 2], [3]])
    with pytest.raises(BadInput, match="rows and columns"):
        Tour.from_steps(None)  # type: ignore[arg-type]


def test_a_time_limit_is_kept() -> None:
    steps, closed = built(3000, 3000)
    with pytest.raises(LimitReached, match="time limit of 1e-06 s"):
        Tour.from_steps(steps, closed=closed).first_violation(Settings(timeout=1e-6))


@pytest.mark.parametrize("size", ["5x6", "40x40"])
def test_a_problem_whose_moves_were_tested_goes_to_other_processes(size: str) -> None:
    problem = TourProblem(board=size)
    cells = np.arange(len(problem.ground))[None, :]
    before = problem.check_rows(cells)
    again = pickle.loads(pickle.dumps(problem))
    assert again == problem
    assert again.check_rows(cells).tolist() == before.tolist()
