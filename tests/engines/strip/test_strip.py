"""Strips: counts of all lengths, recurrences with proof, far terms, and the command."""

from __future__ import annotations

import json
from functools import cache
from itertools import islice
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command import answered, refused
from hypothesis import given
from hypothesis import strategies as st
from marks import full
from strategies import examples

from ktsolve import _native
from ktsolve.base.errors import BadInput, InternalError, LimitReached, Refused
from ktsolve.base.limits import Settings
from ktsolve.engines import integer_sequences as recurrence
from ktsolve.engines.auto import choose, ranked
from ktsolve.engines.integer_sequences import primes_below
from ktsolve.engines.registry import engine_named
from ktsolve.engines.strip.joined import JoinedStrip
from ktsolve.engines.strip.shape import StripShape, shape_of
from ktsolve.engines.strip.transfer import Transfer
from ktsolve.graphs.board import Board
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.count import count, generating_function, strip_counts
from ktsolve.verify.published import known_value, published

PLAIN = Settings(threads=1)


def by_engine(shape: StripShape, length: int, engine: str = "frontier") -> int:
    return engine_named(engine).count(shape.problem(length), PLAIN).count


# -- counts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("width", [1, 2, 3, 4, full(5)])
def test_short_strips_are_those_of_the_sweep(width: int, closed: bool) -> None:
    upto = 12 if width < 5 else 8
    shape = StripShape(width, closed)
    assert strip_counts(shape, upto) == [by_engine(shape, n) for n in range(1, upto + 1)]


@pytest.mark.parametrize("engine", ["search", "join"])
def test_other_engines_agree(engine: str) -> None:
    for width, closed, length in ((5, True, 6), (4, False, 6), (3, True, 10), (3, False, 8)):
        shape = StripShape(width, closed)
        assert strip_counts(shape, length)[-1] == by_engine(shape, length, engine)


@pytest.mark.parametrize(
    ("width", "leaper", "wrap", "upto"),
    [
        (3, (1, 2), "none", 30),
        (4, (1, 2), "none", 12),
        (5, (1, 2), "none", 60),
        (4, (1, 3), "none", 14),
        (4, (2, 3), "none", 16),
        (5, (1, 2), "y", 12),
        full(6, (1, 2), "none", 24),
    ],
)
def test_half_tables_of_all_lengths(width: int, leaper: tuple[int, int], wrap: str, upto: int) -> None:
    strip = StripShape.parse(f"{width}xN", closed=True, leaper=leaper, wrap=wrap)
    expected = strip_counts(strip, upto)
    joined = JoinedStrip(strip)
    assert list(joined.counts(upto, PLAIN)) == expected
    # Other cuts, and modulo a prime.
    for apart, modulus in ((2, 0), (1, 1021), (3, 1021)):
        swept = list(joined.sweep(min(upto, 16), PLAIN, modulus, apart=apart))
        assert [length for length, *_ in swept] == list(range(joined.reach + 2 + apart, min(upto, 16) + 1))
        for length, number, divisor in swept:
            count = expected[length - 1]
            assert number == (count * divisor % modulus if modulus else count * divisor)


def test_wide_strips_are_counted_by_half_tables() -> None:
    known = {6: 1067638, 8: 34524432316, 10: 1250063279938854}
    assert strip_counts("Nx7", 10) == [known.get(length, 0) for length in range(1, 11)]
    said: list[tuple[int, int]] = []
    assert strip_counts("8xN", 6, known=lambda *each: said.append(each)) == [0, 0, 0, 0, 44202, 55488142]
    assert said[3:] == [(4, 0), (5, 44202), (6, 55488142)]
    assert strip_counts("7xN", 2) == [0, 0]
    data = json.loads(answered("sequence", "8xN", "--upto", "5", "--json").out)
    assert data["engine"] == "join"
    assert data["counts"] == ["0", "0", "0", "0", "44202"]
    for strip, leaper in (("4xN", (0, 1)), ("6xN", (1, 4))):  # nothing to exchange; too wide
        with pytest.raises(Refused, match="has no halves that are joined over"):
            JoinedStrip(StripShape.parse(strip, closed=True, leaper=leaper))


def test_the_table_of_closed_8xn() -> None:
    """docs/counts/closed-8xN.csv: its residues are of another cut; known numbers are as published."""
    path = Path(__file__).parents[3] / "docs/counts/closed-8xN.csv"
    title, *lines = path.read_text("utf-8").splitlines()
    modulus = int(title.split()[1])
    rows = [line.split(",") for line in lines]
    counts = {int(length): int(count) for length, count, _ in rows}
    assert list(counts) == list(range(1, 32))
    assert all(counts[int(length)] % modulus == int(residue) for length, _, residue in rows if residue)
    assert [length for length, _, residue in rows if not residue] == ["1", "2", "3", "4", "5"]
    known = {n: known_value(StripShape(8).problem(n)) for n in counts if n >= 5}
    assert all(entry is not None and entry.count == counts[n] for n, entry in known.items())
    # The growth that Knuth found.
    assert all(abs(counts[n] / (2.465e-9 * 526.46**n) - 1) < 0.02 for n in range(13, 32))


def test_half_tables_stop_at_limits() -> None:
    counts = JoinedStrip(StripShape(8)).counts(60, Settings(timeout=1.0, threads=1))
    assert next(counts) == 0
    with pytest.raises(LimitReached, match="time limit"):
        list(counts)
    with pytest.raises(LimitReached, match="memory"):
        list(JoinedStrip(StripShape(8)).counts(12, Settings(memory="120M", threads=1)))


@cache
def six_wide(upto: int) -> list[int]:
    return strip_counts("6xN", upto)


@pytest.mark.full
def test_published_values() -> None:
    checked = 0
    shapes: dict[StripShape, int] = {}
    known = []
    for value in published():
        problem = value.problem
        if problem.conditions or not problem.features <= {"closed", "open"}:
            continue
        shape, length = shape_of(problem)
        if shape.width > (6 if shape.closed else 5):
            continue
        shapes[shape] = max(shapes.get(shape, 0), length)
        known.append((shape, length, value.count))
    counts = {
        shape: six_wide(20) if shape == StripShape(6, closed=True) else strip_counts(shape, most)
        for shape, most in shapes.items()
    }
    for shape, length, expected in known:
        assert counts[shape][length - 1] == expected, (str(shape), length)
        checked += 1
    assert checked >= 40


@pytest.mark.full
def test_six_wide_goes_on_after_the_published_terms() -> None:
    counts = six_wide(20)
    assert counts[5:10] == [9862, 1067638, 55488142, 3374967940, 239187240144]
    assert counts[11] == count(TourProblem(board="6x12", closed=True), engine="join").count


@given(
    width=st.integers(1, 4),
    length=st.integers(1, 7),
    leaper=st.sampled_from([(0, 1), (1, 1), (1, 2), (0, 2), (2, 2), (1, 3), (0, 3)]),
    closed=st.booleans(),
    wrapped=st.booleans(),
    turned=st.booleans(),
)
@examples(100)
def test_any_leaper_and_wrap(
    width: int, length: int, leaper: tuple[int, int], closed: bool, wrapped: bool, turned: bool
) -> None:
    if max(leaper) * width > 9:
        return
    shape = StripShape(width, closed, leaper, wrapped, None, turned)
    expected = by_engine(shape, length)
    assert strip_counts(shape, length)[-1] == expected
    transfer = Transfer(shape, PLAIN)
    assert transfer.count(length, PLAIN) == expected
    assert expected < 2 ** transfer.bits(length)


@given(width=st.integers(2, 4), length=st.integers(8, 40), closed=st.booleans(), threads=st.integers(1, 3))
@examples(15)
def test_counts_from_both_ends(width: int, length: int, closed: bool, threads: int) -> None:
    transfer = Transfer(StripShape(width, closed, (0, 1)), PLAIN)
    *_, last = transfer.counts(length, PLAIN)
    assert transfer.count(length, Settings(threads=threads)) == last


def test_graphs_are_boards_by_another_name() -> None:
    assert strip_counts("graph:knight:4xN", 8, closed=False) == strip_counts("4xN", 8, closed=False)
    assert strip_counts("graph:grid:Nx4", 8) == strip_counts("4xN", 8, leaper=(0, 1))
    kings = [count(TourProblem(board=f"graph:king:3x{n}", closed=True)).count for n in range(1, 7)]
    assert strip_counts("graph:king:3xN", 6) == kings


def test_counts_go_on_after_a_limit() -> None:
    transfer = Transfer(StripShape(4, False), PLAIN)
    first = list(transfer.counts(6, PLAIN))
    with pytest.raises(LimitReached, match="length 7 of 9"):
        list(transfer.counts(9, Settings(threads=1, memory=1 << 20, timeout=1e-9)))
    assert list(transfer.counts(9, PLAIN)) == [*first, 6378, 31088, 189688]


def test_limits_of_the_transfer() -> None:
    with pytest.raises(LimitReached, match="memory limit of 1 MiB"):
        Transfer(StripShape(6), Settings(memory=1 << 20))
    with pytest.raises(LimitReached, match="time limit"):
        Transfer(StripShape(6), Settings(timeout=0.01))
    with pytest.raises(LimitReached, match="slots"):
        Transfer(StripShape(30), Settings(timeout=5))


# -- shapes --------------------------------------------------------------------------------------------------


def test_spellings_of_strips() -> None:
    shape = StripShape.parse("5xN", closed=True)
    assert shape == StripShape.parse(" 5 X ? ", closed=True) == StripShape(5)
    turned = StripShape.parse("nx5", closed=True)
    assert (str(shape), str(turned)) == ("closed 5xN", "closed Nx5")
    assert turned.board(7) == Board(7, 5)
    assert shape.board(7) == Board(5, 7)
    cylinder = StripShape.parse("Nx4", closed=False, leaper="1,3", wrap="x")
    assert str(cylinder) == "open Nx4 leaper 1,3 wrap x"
    assert cylinder.board(6) == Board(6, 4, leaper=(1, 3), wrap="x")
    assert shape_of(cylinder.problem(9)) == (cylinder, 9)
    assert shape_of(TourProblem(board=Board.parse("6x3", wrap="y"), closed=True))[0].width == 6


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("5x6", {}, "is not a strip: write its width and N"),
        ("NxN", {}, "is not a strip"),
        ("5", {}, "is not a strip"),
        ("graph:petersen:5xN", {}, "is not a strip"),
        ("0xN", {}, "write a width from 1 to 40"),
        ("41xN", {}, "is 41 wide"),
        ("99999999999999999999xN", {}, "write a width"),
        ("5xN", {"wrap": "x"}, "--wrap y joins its long sides"),
        ("Nx5", {"wrap": "xy"}, "--wrap x joins its long sides"),
        ("5xN", {"leaper": "0,0"}, "does not move"),
        ("graph:king:5xN", {"wrap": "y"}, "are about boards"),
    ],
)
def test_texts_that_are_no_strip(text: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        StripShape.parse(text, closed=True, **options)


@pytest.mark.parametrize("wrapped", [False, True])
def test_symmetries_keep_the_edges(wrapped: bool) -> None:
    for width in range(1, 8):
        shape = StripShape(width, leaper=(1, 2), wrapped=wrapped)
        edges = {tuple(edge) for edge in shape.edges().tolist()}
        for images in shape.symmetries():
            assert sorted(images) == list(range(width))
            for row, other, ahead in edges:
                image = (images[row], images[other], ahead)
                assert image in edges or (ahead == 0 and (image[1], image[0], 0) in edges)


# -- recurrences ---------------------------------------------------------------------------------------------


def test_three_rows_satisfy_the_recurrence_of_knuth_and_elkies() -> None:
    function = generating_function("3xN")
    published_order = [6, 64, -200, -1000, 3016, 3488, -24256, 23776, 104168, -203408, -184704, 443392]
    published_order += [14336, -151296, 145920, -263424, 317440, 36864, -966656, 573440, 131072]
    assert [-each for each in function.denominator[2::2]] == published_order  # OEIS A070030
    assert function.step == 2
    assert function.order == 42
    assert set(function.denominator[1::2]) == {0}


@pytest.mark.parametrize(
    ("strip", "options", "order"),
    [
        ("3xN", {"closed": True}, 42),
        full("3xN", {"closed": False}, 172),
        full("4xN", {"closed": False}, 240),
        ("4xN", {"leaper": (0, 1)}, 4),
        ("6xN", {"leaper": (0, 1)}, 14),
        ("4xN", {"wrap": "y"}, 105),
        ("graph:king:4xN", {}, 16),
        ("1xN", {"closed": False, "leaper": (0, 1)}, 1),
        ("4xN", {"closed": True}, 0),
    ],
)
def test_recurrences_against_the_sweep(strip: str, options: dict[str, Any], order: int) -> None:
    function = generating_function(strip, **options)
    assert function.order == order
    upto = 3 * order + 40
    counts = strip_counts(strip, upto, **options)
    assert function.terms(upto) == counts
    shape = StripShape.parse(strip, **({"closed": True} | options))
    bits = Transfer(shape, PLAIN).bits(upto)
    assert function.term(upto, bits, PLAIN) == counts[-1]
    assert counts[-1] < 1 << bits
    # A shorter recurrence would make the series equal to a quotient of smaller degree.
    assert function.checked >= function.dimension + function.order


def test_far_terms_of_grids_have_closed_forms() -> None:
    # Hamiltonian cycles of the grid 3x2k: 2^(k - 1).
    function = generating_function("3xN", leaper=(0, 1))
    assert function.term(20_000, 10_010, PLAIN) == 2**9999
    assert function.term(19_999, 10_010, PLAIN) == 0
    # Paths of 2xN: N^2 - N + 2, undirected.
    paths = generating_function("2xN", closed=False, leaper=(0, 1))
    assert paths.term(10**9, 70, PLAIN) == 10**18 - 10**9 + 2


@given(
    numerator=st.lists(st.integers(-50, 50), min_size=1, max_size=6),
    tail=st.lists(st.integers(-9, 9), max_size=6),
    n=st.integers(0, 60),
)
def test_far_terms_of_any_quotient(numerator: list[int], tail: list[int], n: int) -> None:
    function = recurrence.GeneratingFunction(tuple(numerator), (1, *tail), 0, 0)
    series = [numerator[0], *function.terms(60)]
    prime = next(primes_below(_native.LARGEST_PRIME))
    status, found = _native.far_terms(
        np.array([[each % prime for each in numerator]], dtype=np.uint64),
        np.array([[each % prime for each in (1, *tail)]], dtype=np.uint64),
        np.array([prime], dtype=np.uint64),
        n,
        1,
    )
    assert status == "done"
    assert found.tolist() == [series[n] % prime]
    if series[n] >= 0:
        assert function.term(n, max(series[n].bit_length(), 1), PLAIN) == series[n]


@given(
    tail=st.lists(st.integers(-9, 9), min_size=1, max_size=5), start=st.lists(st.integers(-9, 9), max_size=5)
)
def test_shortest_recurrences_explain_their_terms(tail: list[int], start: list[int]) -> None:
    function = recurrence.GeneratingFunction((0, *start), (1, *tail), 0, 0)
    prime = next(primes_below(_native.LARGEST_PRIME))
    terms = np.array([each % prime for each in function.terms(40)], dtype=np.uint64)
    order, coefficients = _native.shortest_recurrence(terms, prime)
    assert order <= max(len(tail), len(start))
    assert len(coefficients) <= order + 1
    for n in range(order, 40):
        assert sum(int(c) * int(terms[n - i]) for i, c in enumerate(coefficients)) % prime == 0


def test_a_wrong_recurrence_is_not_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    lifted = recurrence._lifted

    def wrong(*arguments: Any) -> tuple[int, ...]:
        right = lifted(*arguments)
        return (*right[:-1], right[-1] + 1)

    monkeypatch.setattr(recurrence, "_lifted", wrong)
    with pytest.raises(InternalError, match="does not hold for all terms"):
        generating_function("3xN")


def test_large_primes() -> None:
    assert list(islice(primes_below(50), 20)) == [47, 43, 41, 37, 31, 29, 23, 19, 17, 13, 11, 7, 5, 3]
    # The largest ones below 2^60 (Caldwell, The Prime Pages), and a strong pseudoprime to bases 2, 3, 5, 7.
    assert [2**60 - each for each in islice(primes_below(2**60), 3)] == [93, 107, 173]
    assert next(primes_below(3215031752)) < 3215031751


def test_text_of_a_generating_function() -> None:
    function = recurrence.GeneratingFunction((0, -1, 0, 2), (1, -1, 0, 3), 5, 9)
    assert function.text() == "(-x + 2 x^3) / (1 - x + 3 x^3)"
    assert (function.order, function.step) == (3, 1)
    assert recurrence.GeneratingFunction((0,), (1,), 1, 1).text() == "(0) / (1)"


# -- engine --------------------------------------------------------------------------------------------------


def test_auto_takes_strips_for_long_boards() -> None:
    long = TourProblem(board="3x200", closed=True)
    assert choose("auto", "count", long).name == "strip"
    assert "strip" in list(ranked("count", TourProblem(board="200x4", closed=False)))
    for size in ("6x8", "7x200"):  # its columns have too many states for strip
        assert choose("auto", "count", TourProblem(board=size, closed=True)).name != "strip"


@pytest.mark.parametrize(("size", "closed"), [("3x500", True), ("4x70", False), ("70x4", False)])
def test_engine_agrees_with_the_sweep_on_long_boards(size: str, closed: bool) -> None:
    problem = TourProblem(board=size, closed=closed)
    found = count(problem, engine="strip")
    swept = count(problem, engine="frontier")
    assert (found.count, found.directed) == (swept.count, swept.directed)


def test_engine_refuses_what_is_no_strip() -> None:
    torus = Board.parse("4x30", wrap="xy")
    with pytest.raises(Refused, match=r"strip cannot count with a wrapped board"):
        choose("strip", "count", TourProblem(board=torus, closed=True))
    with pytest.raises(Refused, match=r"strip cannot count with a wrapped board"):
        choose("strip", "count", TourProblem(board=Board.parse("19x1", wrap="y"), closed=False))
    with pytest.raises(Refused, match=r"strip cannot count with a required start|start"):
        choose("strip", "count", TourProblem(board="4x30", closed=False, start="a1"))
    zebra = Board.parse("6x30", leaper="2,3")
    with pytest.raises(Refused, match="a leaper other than the knight"):
        choose("strip", "count", TourProblem(board=zebra, closed=True))


def test_single_cells() -> None:
    one = count(TourProblem(board="1x1", closed=False), engine="strip")
    assert (one.count, one.directed) == (1, 1)
    assert count(TourProblem(board="1x1", closed=True), engine="strip").count == 0


def test_a_first_state_that_leads_nowhere() -> None:
    for size, words in (("1x2", {"leaper": "3,4", "wrap": "x"}), ("2x4", {"leaper": "3,4", "wrap": "y"})):
        problem = TourProblem(board=Board.parse(size, **words), closed=False)
        assert engine_named("strip").count(problem, PLAIN).count == 0


@pytest.mark.full
def test_boards_longer_than_their_cells_are_listed() -> None:
    answer = count("30000x3")
    function = generating_function("3xN")
    assert answer.count % (2**61 - 1) == _series_modulo(function, 30_000, 2**61 - 1)
    assert count("3x30001").engine == "arithmetic"
    brief = Settings(memory="100M")
    assert count("3x60000", settings=brief).engine == "strip"
    for more in ({"start": "a1", "closed": False}, {"engine": "join"}):
        with pytest.raises(LimitReached, match="a board of 180,000 cells takes at least"):
            count("3x60000", settings=brief, **more)


def _series_modulo(function: recurrence.GeneratingFunction, n: int, prime: int) -> int:
    taps = [(i, each) for i, each in enumerate(function.denominator) if each and i]
    found: list[int] = []
    for k in range(n + 1):
        value = function.numerator[k] if k < len(function.numerator) else 0
        found.append((value - sum(each * found[k - i] for i, each in taps if i <= k)) % prime)
    return found[n]


# -- commands ------------------------------------------------------------------------------------------------


def test_command_prints_tables_and_files() -> None:
    table = answered("sequence", "4xN", "--open", "--upto", "10").out
    assert table.splitlines()[4] == " 5  82"
    bfile = answered("sequence", "4xN", "--open", "--upto", "5", "--format", "bfile").out
    assert bfile.splitlines() == ["1 0", "2 0", "3 8", "4 0", "5 82"]
    listed = answered("sequence", "Nx4", "--open", "--upto", "3", "--format", "csv").out
    assert listed.splitlines() == ["length,tours", "1,0", "2,0", "3,8"]
    wide = answered("sequence", "4xN", "--open", "--upto", "200").out
    assert max(map(len, wide.splitlines())) <= 80
    assert "digits)" in wide


def test_command_prints_json() -> None:
    data = json.loads(answered("sequence", "3xN", "--upto", "10", "--generating-function", "--json").out)
    assert data["counts"][-1] == "16"
    assert data["strip"] == "closed 3xN"
    function = data["generating_function"]
    assert (function["order"], function["step"], function["proved"]) == (42, 2, True)
    assert len(function["denominator"]) == 43
    assert data == json.loads(
        answered("sequence", "3xN", "--upto", "10", "--generating-function", "--format", "json").out
    ) | {"seconds": data["seconds"]}


@pytest.mark.full
def test_command_keeps_what_it_counted(tmp_path: Path) -> None:
    target = tmp_path / "b.txt"
    options = ("--upto", "100000000", "--timeout", "1.5")
    answered("sequence", "3xN", *options, "--format", "bfile", "-o", str(target), status=3)
    lines = target.read_text().splitlines()
    assert lines[9] == "10 16"
    assert len(lines) > 20
    said = answered("sequence", "6xN", "--upto", "3000", "--memory", "1M", status=3)
    assert said.out.splitlines()[5].split() == ["6", "9862"]
    assert "memory limit of 1 MiB" in said.complaint


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("5x6", "is not a strip"),
        ("5xN --upto 0", "must be from 1 to"),
        ("5xN --upto -3", "must be from 1 to"),
        ("5xN --start a1", "No such option"),
        ("5xN --wrap x", "--wrap y joins its long sides"),
        ("5xN --wrap z", "wrap 'z' is unknown"),
        ("3xN --generating-function --format csv", "has no place for a generating function"),
        ("3xN --json --format csv", "exclude each other"),
    ],
)
def test_command_refuses(arguments: str, message: str) -> None:
    assert message in refused("sequence", *arguments.split(), status=2)


@pytest.mark.full
def test_counts_of_any_size_are_printed() -> None:
    text = answered("count", "3x10000", "--engine", "frontier").out
    data = json.loads(answered("count", "3x10000", "--json").out)
    assert data["engine"] == "strip"
    assert len(data["count"]) > 4300
    assert data["count"] in text
    long = json.loads(answered("count", "3x40000", "--json").out)
    assert long["engine"] == "strip"
    assert len(long["count"]) > 15_000
    assert answered("count", "4x100000").out.strip() == (
        "closed 4x100000: 0 undirected tours: no closed tour exists on a rectangle with a side of 1, 2 or 4 "
        "(Schwenk 1991)"
    )


def test_binomials_by_a_strip_of_width_two() -> None:
    # Open tours of the king on 1xN are 1; of the wazir on 2xN comb(N, 2) * 2 + 2 for N > 1.
    assert strip_counts("graph:king:1xN", 6, closed=False) == [1, 1, 1, 1, 1, 1]
    wazir = strip_counts("2xN", 9, closed=False, leaper=(0, 1))
    assert wazir[1:] == [2 * comb(n, 2) + 2 for n in range(2, 10)]


def test_counts_that_are_kept_take_memory() -> None:
    with pytest.raises(LimitReached, match=r"the counts of [0-9,]+ lengths take|length \d+ of 100000"):
        strip_counts("3xN", 100_000, settings=Settings(memory=1 << 20))
