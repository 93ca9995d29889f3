"""Directed tori by sums of powers: against permutations, the sweep, symmetry, and the table of the docs."""

from __future__ import annotations

import csv
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ktsolve import Settings, TourProblem
from ktsolve.engines.registry import engine_named
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.verify.directed_tori import covers_of_torus, cycles_of_torus


def covers_by_definition(rows: int, columns: int) -> tuple[Counter[tuple[int, int]], int]:
    """The covers by cycles of a directed torus by their turns, and the number of those of one cycle."""
    cells = list(product(range(rows), range(columns)))
    found: Counter[tuple[int, int]] = Counter()
    whole = 0
    for steps in product(((1, 0), (0, 1), (1, 1)), repeat=len(cells)):
        ahead = {
            (row, column): ((row + down) % rows, (column + right) % columns)
            for (row, column), (down, right) in zip(cells, steps, strict=True)
        }
        if len(set(ahead.values())) < len(cells):
            continue
        found[sum(down for down, _ in steps) // rows, sum(right for _, right in steps) // columns] += 1
        here, length = ahead[0, 0], 1
        while here != (0, 0):
            here, length = ahead[here], length + 1
        whole += length == len(cells)
    return found, whole


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)])
def test_covers_and_cycles_are_those_of_the_definition(rows: int, columns: int) -> None:
    covers, cycles = covers_by_definition(rows, columns)
    assert covers_of_torus(rows, columns) == covers
    assert cycles_of_torus(rows, columns) == cycles > 0


@given(st.integers(2, 12), st.integers(2, 12))
def test_rows_and_columns_may_be_exchanged(rows: int, columns: int) -> None:
    covers = covers_of_torus(rows, columns)
    assert covers == {turns[::-1]: number for turns, number in covers_of_torus(columns, rows).items()}
    cells = rows * columns  # each with a step that leads down, to the right, or both
    assert all(cells <= down * rows + right * columns <= 2 * cells for down, right in covers)


@pytest.mark.parametrize(("rows", "columns"), [(2, 9), (5, 5), (7, 4), (6, 8)])
def test_cycles_are_those_of_the_sweep(rows: int, columns: int) -> None:
    problem = TourProblem(board=named_graph(f"directed-torus:{rows}x{columns}"), closed=True)
    assert engine_named("frontier").count(problem, Settings()).count == cycles_of_torus(rows, columns)


def test_the_table_of_the_docs() -> None:
    with (Path(__file__).parents[2] / "docs/counts/directed-torus.csv").open(encoding="utf-8") as table:
        rows = [(int(row["n"]), int(row["k"]), int(row["cycles"])) for row in csv.DictReader(table)]
    assert [row[:2] for row in rows] == [(n, k) for n in range(2, 21) for k in range(2, n + 1)]
    assert [cycles_of_torus(n, k) for n, k, _ in rows] == [number for *_, number in rows]
