"""Bands: the stages, their operations, and completions by three methods."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise, permutations, product
from math import factorial

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from marks import quick, slow
from strategies import examples

from ktsolve.base.errors import BadInput, KtsolveError, LimitReached, Refused
from ktsolve.base.limits import Settings
from ktsolve.grids.box import Box, Grid
from ktsolve.wings.sudoku import operations
from ktsolve.wings.sudoku.bands import (
    Bands,
    bands_each,
    complete,
    complete_by_search,
    count_bands,
    number_of_bands,
    reduced_bands,
)
from ktsolve.wings.sudoku.checks import sudoku_band_classes, sudoku_class_sizes, sudoku_values
from ktsolve.wings.sudoku.operations import Operation
from ktsolve.wings.sudoku.stages import StageResult, check_completions, run_chain, run_stage, total_of

THREE = Box(3, 3)
SMALL = [Box(2, 2), Box(2, 3), Box(3, 2), Box(2, 4), Box(1, 4), Box(4, 1)]


@cache
def chain(box: Box) -> dict[str, StageResult]:
    return {result.stage.name: result for result in run_chain(box)}


@cache
def bands() -> Bands:
    return reduced_bands(THREE)


# -- the chain ----------------------------------------------------------------------------------------------


def test_the_stages_are_those_published() -> None:
    assert [result.count for result in chain(THREE).values()] == list(sudoku_values("3x3").stages)


@pytest.mark.full
def test_each_stage_alone_gives_the_same() -> None:
    for name, result in chain(THREE).items():
        alone = run_stage(THREE, name)
        assert alone.count == result.count
        assert alone.sizes == result.sizes


def test_sizes_of_the_416_and_the_71() -> None:
    assert chain(THREE)["permutations"].sizes == sudoku_class_sizes()
    table = sudoku_band_classes()
    assert len(table) == 71
    assert chain(THREE)["subsets"].sizes == [size for size, _ in table]


def test_all_71_completions() -> None:
    found = check_completions(chain(THREE)["permutations"], chain(THREE)["subsets"])
    assert found == [completions for _, completions in sudoku_band_classes()]


@pytest.mark.full
def test_moves_on_first_bands_reach_as_far_as_moves_on_all() -> None:
    for name in ("rectangles", "subsets"):
        everywhere, first = run_stage(THREE, name, everywhere=True).labels, chain(THREE)[name].labels
        assert everywhere is not None
        assert first is not None
        assert np.array_equal(everywhere, first)


def test_each_stage_joins_classes_of_the_one_before() -> None:
    results = list(chain(THREE).values())[1:]
    for finer, coarser in pairwise(results):
        assert finer.labels is not None
        assert coarser.labels is not None
        assert np.array_equal(coarser.labels[finer.labels], coarser.labels)


@pytest.mark.parametrize("box", quick(SMALL, lambda box: box != Box(2, 4)), ids=str)
def test_chains_of_other_shapes_lead_to_all_grids(box: Box) -> None:
    results = chain(box)
    assert results["bands"].count == number_of_bands(box) == count_bands(box)
    assert results["reduced"].count * bands_each(box) == results["bands"].count
    last = results["column-sets"]
    classes = last.classes(check_completions(results["reduced"], last))
    known = {"2x2": 288, "2x3": 28200960, "3x2": 28200960, "2x4": 29136487207403520}
    assert total_of(classes, box) == known.get(str(box), 576)  # latin squares of order 4


@pytest.mark.slow
def test_the_chain_of_4x2() -> None:
    results = chain(Box(4, 2))
    assert [result.count for result in results.values()] == [20545536, 428032, 2783, 335, 31, 26]
    classes = results["column-sets"].classes(
        check_completions(results["permutations"], results["column-sets"])
    )
    assert total_of(classes, Box(4, 2)) == 29136487207403520


# -- operations ---------------------------------------------------------------------------------------------


def as_matrix(box: Box, band: Grid) -> list[list[int]]:
    return [list(band[row * box.side : (row + 1) * box.side]) for row in range(box.rows)]


def normalised(box: Box, rows: list[list[int]]) -> Grid:
    """Rename by box 1, then sort columns and boxes: written again from the definition of a reduced band."""
    first = [rows[r][c] for r in range(box.rows) for c in range(box.columns)]
    name = {digit: number for number, digit in enumerate(first, 1)}
    named = [[name[digit] for digit in row] for row in rows]
    boxes = []
    for start in range(box.columns, box.side, box.columns):
        columns = sorted(
            tuple(named[r][c] for r in range(box.rows)) for c in range(start, start + box.columns)
        )
        boxes.append(columns)
    columns = [tuple(named[r][c] for r in range(box.rows)) for c in range(box.columns)]
    columns += [column for each in sorted(boxes) for column in each]
    return tuple(column[r] for r in range(box.rows) for column in columns)


@given(st.integers(0, 36287), st.randoms())
@examples(60)
def test_any_permutation_stays_in_its_class(number: int, chance: random.Random) -> None:
    matrix = as_matrix(THREE, bands()[number])
    chance.shuffle(matrix)
    boxes = [[list(column) for column in zip(*matrix, strict=True)][i : i + 3] for i in (0, 3, 6)]
    chance.shuffle(boxes)
    for each in boxes:
        chance.shuffle(each)
    rows = [list(row) for row in zip(*(column for each in boxes for column in each), strict=True)]
    image = normalised(THREE, rows)
    labels = chain(THREE)["permutations"].labels
    assert labels is not None
    assert labels[number_of()[image]] == labels[number]


@cache
def number_of() -> dict[Grid, int]:
    return {tuple(band): number for number, band in enumerate(bands().rows.tolist())}


def is_band(box: Box, rows: list[list[int]]) -> bool:
    flat = [digit for row in rows for digit in row]
    return all(
        sorted(flat[cell] for cell in cells) == list(range(1, box.side + 1)) for cells in box.groups(box.rows)
    )


CONDITIONAL: list[Operation] = [operations.rectangles, operations.row_subsets, operations.column_subsets]


@pytest.mark.parametrize("operation", CONDITIONAL, ids=lambda o: o.__name__)
@given(number=st.integers(0, 36287))
@examples(15)
def test_conditional_moves_lead_to_bands_with_the_same_columns(operation: Operation, number: int) -> None:
    band = bands()[number]
    applied = 0
    for move in operation(THREE):
        assert move.if_same_digits
        rows = as_matrix(THREE, band)
        places = [tuple((cell // 3 % 3, cell // 9 * 3 + cell % 3) for cell in pair) for pair in move.swaps]
        first, second = ({rows[r][c] for r, c in side} for side in zip(*places, strict=True))
        if first != second:
            continue
        applied += 1
        before = [set(column) for column in zip(*rows, strict=True)]
        for (r, c), (s, d) in places:
            rows[r][c], rows[s][d] = rows[s][d], rows[r][c]
        assert is_band(THREE, rows)
        assert [set(column) for column in zip(*rows, strict=True)] == before
        labels = chain(THREE)["subsets"].labels
        assert labels is not None
        assert labels[number_of()[normalised(THREE, rows)]] == labels[number]
    assert applied or operation is not operations.row_subsets


def test_a_wrong_operation_is_an_error() -> None:
    joined = chain(THREE)["column-sets"]
    assert joined.labels is not None
    # Two classes with different completions are claimed to be one.
    wrong = joined.labels.copy()
    wrong[wrong == joined.firsts[1]] = joined.firsts[0]
    with pytest.raises(KtsolveError, match="which have 7802998272 and 7383108096 completions"):
        check_completions(chain(THREE)["permutations"], replace(joined, labels=wrong))


# -- completions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("box", [Box(2, 2), Box(2, 3), Box(3, 2), Box(1, 4), Box(4, 1), Box(1, 5)], ids=str)
def test_column_sets_and_search_give_equal_counts(box: Box) -> None:
    listed = reduced_bands(box)
    assert complete(box, listed) == [
        complete_by_search(box, band) for band in (listed[i] for i in range(len(listed)))
    ]
    # Permutations of the rows below a band map grids to grids, and none to itself.
    below = factorial(box.rows) ** (box.bands - 1) * factorial(box.bands - 1)
    assert all(count % below == 0 for count in complete(box, listed))


@given(st.integers(0, 36287))
@examples(10)
def test_column_sets_decide(number: int) -> None:
    """Completions by the band's own column sets are those of its class under column sets."""
    last = chain(THREE)["column-sets"]
    assert last.labels is not None
    mine, first = complete(THREE, [bands()[number], bands()[int(last.labels[number])]])
    assert mine == first


def column_graph(box: Box, band: Grid) -> networkx.Graph[tuple[str, int]]:
    """Boxes, columns and digits as vertices."""
    n = box.side
    graph: networkx.Graph[tuple[str, int]] = networkx.Graph()
    graph.add_edges_from((("column", c), ("box", c // box.columns)) for c in range(n))
    graph.add_edges_from((("column", cell % n), ("digit", digit)) for cell, digit in enumerate(band))
    networkx.set_node_attributes(graph, {vertex: vertex[0] for vertex in graph}, "kind")
    return graph


def plain_form(box: Box, band: Grid) -> bytes:
    """The same for two bands exactly if their column graphs are isomorphic: the least of all drawings.

    A digit is in one column of each box. Boxes and the columns of a box are put in all orders; the digits,
    without their names, are then a multiset of columns.
    """
    places = [
        [next(c for c in range(box.columns) if digit in _column(box, band, b, c)) for b in range(box.rows)]
        for digit in range(1, box.side + 1)
    ]
    drawn = np.array(places)[:, list(permutations(range(box.rows)))]  # digit, order of boxes, box
    orders = np.array(list(permutations(range(box.columns))))
    each = np.array(list(product(range(len(orders)), repeat=box.rows)))
    codes = sum(
        orders[each[:, b]][:, drawn[:, :, b]] * box.columns ** (box.rows - 1 - b) for b in range(box.rows)
    )  # order of columns, digit, order of boxes
    rows = np.sort(codes, axis=1).transpose(0, 2, 1).reshape(-1, box.side).astype(">u2")
    return min(row.tobytes() for row in rows)


def _column(box: Box, band: Grid, of_box: int, column: int) -> tuple[int, ...]:
    return band[of_box * box.columns + column :: box.side]


@pytest.mark.parametrize(
    ("box", "every"),
    [(THREE, 150), (Box(2, 4), 40), (Box(3, 2), 1), slow(Box(2, 4), 1), slow(THREE, 1)],
    ids=str,
)
def test_classes_by_column_sets_are_those_of_graphs(box: Box, every: int) -> None:
    listed = chain(box)["permutations"]
    labels = chain(box)["column-sets"].labels
    assert labels is not None
    assert listed.bands is not None
    graphs = {first: column_graph(box, listed.bands[first]) for first in chain(box)["column-sets"].firsts}
    # networkx takes 7 s to see that 44 graphs of 3x3 differ.
    assert len({plain_form(box, listed.bands[first]) for first in graphs}) == len(graphs)
    for first in listed.firsts[::every]:
        graph = column_graph(box, listed.bands[first])
        assert networkx.vf2pp_is_isomorphic(graph, graphs[int(labels[first])], node_label="kind")


@pytest.mark.parametrize("box", [Box(2, 3), Box(3, 2), Box(2, 4)], ids=str)
def test_plain_forms_are_equal_where_networkx_finds_an_isomorphism(box: Box) -> None:
    listed = chain(box)["permutations"].bands
    assert listed is not None
    chance, seen = random.Random(8), set()
    for one, other in ((chance.randrange(len(listed)), chance.randrange(len(listed))) for _ in range(40)):
        alike = networkx.vf2pp_is_isomorphic(
            column_graph(box, listed[one]), column_graph(box, listed[other]), node_label="kind"
        )
        assert alike == (plain_form(box, listed[one]) == plain_form(box, listed[other]))
        seen.add(alike)
    assert seen == {True, False}


@pytest.mark.slow
@pytest.mark.parametrize("number", range(0, 71, 10))
def test_plain_search_gives_every_tenth_line_of_the_71(number: int) -> None:
    first = chain(THREE)["subsets"].firsts[number]
    assert complete_by_search(THREE, bands()[first]) == sudoku_band_classes()[number][1]


@pytest.mark.slow
def test_every_reduced_band_by_its_own_column_sets() -> None:
    found = check_completions(chain(THREE)["reduced"], chain(THREE)["column-sets"])
    assert total_of(chain(THREE)["column-sets"].classes(found), THREE) == sudoku_values("3x3").grids


# -- bad input and limits -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error", "named"),
    [
        (
            lambda: run_stage(THREE, "triangles"),
            BadInput,
            "stage 'triangles' is unknown: did you mean rectangles? use bands, reduced,",
        ),
        (lambda: reduced_bands(Box(3, 4)), Refused, "bands of 3x4 boxes have about 1e+08 tables"),
        (lambda: number_of_bands(Box(4, 3)), Refused, "bands of 4x3 boxes have about 4e+09 tables"),
        (lambda: complete(Box(2, 5), [tuple(range(1, 11)) * 2]), Refused, "would take too long"),
        (lambda: complete(THREE, [(1,) * 27]), BadInput, "this is not a band of 3x3 boxes"),
        (lambda: complete(THREE, [(1, 2)]), BadInput, "has 27 digits, not 2"),
        (lambda: count_bands(THREE, Settings(timeout=1e-9)), LimitReached, "stopped at the time limit"),
        (
            lambda: complete_by_search(THREE, bands()[0], Settings(timeout=0.1)),
            LimitReached,
            "stopped at the time limit",
        ),
        (lambda: list(run_chain(THREE, Settings(timeout=0.01))), LimitReached, "stopped at the time limit"),
    ],
)
def test_errors_and_limits(call: Callable[[], object], error: type[KtsolveError], named: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_bands_no_completions() -> None:
    assert complete(THREE, []) == []
