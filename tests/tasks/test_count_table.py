"""``count(by=...)``: one table for all kinds of counts, the same in Python as on the command line."""

from __future__ import annotations

import csv
import io
import json

import networkx
import pytest
from command import answered
from strategies import refusal

import ktsolve
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.count_answer import CountTable

TABLES = {
    "start": ["--by", "start"],
    "ends": ["--by", "endpoints"],
    "moves": ["--by-moves"],
    "uses:slopes": ["--by-uses", "slopes"],
    "steps:c3": ["--by-steps", "c3"],
    "symmetry": ["--up-to-symmetry"],
}
"""What a table is by, and the options for it."""


@pytest.fixture(scope="module", params=TABLES)
def table(request: pytest.FixtureRequest) -> CountTable:
    by: str = request.param
    return ktsolve.count("5x5", by=by, closed=False)


@pytest.fixture
def options(table: CountTable) -> list[str]:
    return next(options for by, options in TABLES.items() if by.split(":")[0] == table.by)


def test_json_is_that_of_the_command(table: CountTable, options: list[str]) -> None:
    printed = answered("count", "5x5", "--open", *options, "--json").json
    own = json.loads(json.dumps(table.to_json()))
    for each in (printed, own):
        del each["seconds"]
        each.pop("peak_bytes", None)
        each.pop("schema", None)
    assert own == printed


def test_csv_is_that_of_the_command(table: CountTable, options: list[str]) -> None:
    assert answered("count", "5x5", "--open", *options, "--csv").out == table.to_csv()
    heads, *rows = csv.reader(io.StringIO(table.to_csv()))
    assert "tours" in heads or table.by == "uses"
    assert {len(row) for row in rows} == {len(heads)}


def test_rows_and_records_agree(table: CountTable) -> None:
    records = table.records()
    assert table.count == 864
    assert len(records) == len(table.counts if table.by == "moves" else table.rows)
    assert sorted(record["count"] for record in records) == sorted(
        row.count for row in table.rows for _ in row.members or [row]
    )
    heads, rows = table.table()
    assert all(len(row) == len(heads) for row in rows)


def test_the_card_has_the_first_rows(table: CountTable) -> None:
    card = table._card()
    heads, rows = table.table()
    assert card.head == heads
    assert len(card.rows) + card.more == len(rows)
    assert bool(card.pictures) == (table.by in ("start", "ends", "moves"))
    assert table._repr_html_()


def test_vertices_of_a_graph_are_known_by_their_labels() -> None:
    ring = networkx.cycle_graph(["Rome", "Oslo", "Bonn", "Bern"])
    assert ktsolve.count(ring, by="start", closed=False).counts == dict.fromkeys(ring, 2)
    ends = ktsolve.count(ring, by="ends", closed=False).counts
    assert ends["Rome", "Oslo"] == ends["Rome", "Bern"] == 1
    assert ("Rome", "Bonn") not in ends  # the colours rule it out
    assert set(ktsolve.count(ring, by="moves").counts.values()) == {1}
    assert ktsolve.count(ring, by=("steps", "Oslo"), closed=False).directed == 8
    by_edges = ktsolve.count(ring, by=("uses", [("Rome", "Oslo")]))
    assert [row.count for row in by_edges.rows] == [0, 1]


@pytest.mark.parametrize(
    ("by", "right"),
    [
        ("endpoints", "use start, ends, moves, uses:MOVES, steps:CELL, length or symmetry"),
        ("uses", "use start, ends, moves, uses:MOVES"),
        ("start:a1", "are unknown"),
        (("moves", "a1-b3"), "are unknown"),
        ("uses:", "names no moves"),
        ("steps:z9", "z9"),
        ("ends", "those of open tours"),
    ],
)
def test_refused_tables(by: str | tuple[str, str], right: str) -> None:
    assert right in refusal(ktsolve.count, TourProblem(board="6x6", closed=True), by=by)


def test_the_solutions_of_a_model_have_no_table() -> None:
    assert "leave out by" in refusal(ktsolve.count, ktsolve.Model(), by="start")
