"""``ktsolve count``: numbers, classes, estimates and plans."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import answered
from marks import full

# -- count ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "number"),
    [
        ("5x6", 8),
        ("5x6 --directed", 16),
        ("5x6 --engine search", 8),
        full("5x6 --engine sat --solver glucose4", 8),
        ("5x6 --engine cpsat --threads 1", 8),
        ("6x6", 9862),
        ("6x6 --structured", 2946),
        ("6x6 --symmetry rot180", 78),
        ("3x4 --open", 8),
        ("3x4 --open --directed", 16),
        ("3x4 --open --start a3 --end d1", 1),
        ("5x5 --open --start a1 --at 13=c3", 48),
        ("5x5 --open --at 1=a1,13=c3", 48),
        ("3x4 --open --at 1=2,0;3=0,0", 2),
        ("6x6 --require c3-d5 --forbid c4-e3,d1-e3", 467),
        ("4x4 --wrap xy", 1344),
        ("6x6 --leaper 0,1", 1072),
        ("4x4 --without a1,a4,d1,d4", 2),
        ("1x1 --open", 1),
        ("4x4", 0),
    ],
)
def test_counts(arguments: str, number: int) -> None:
    said = answered("count", *arguments.split())
    way = "directed" if "--directed" in arguments else "undirected"
    assert re.search(rf": {number} {way} {'tour' if number == 1 else 'tours'}(:|\n)", said.out)
    assert said.out.count("\n") == 1
    assert re.fullmatch(r"\w+, \d+\.\d+ s(, \d+\.\d MB of states)?\n", said.err)
    assert answered("count", *arguments.split(), "--quiet").err == ""


def test_classes_by_start() -> None:
    """1728 directed tours of 5x5: 304 from a corner, 64 from the centre, 56 from eight cells between."""
    said = answered("count", "5x5", "--open", "--by", "start", "-q")
    assert said.out.splitlines() == [
        "start  cells  tours each",
        "a5         4         304",
        "c5         4          56",
        "b4         4          56",
        "c3         1          64",
        "",
        "open 5x5: 864 undirected tours, each counted from both its ends above",
    ]
    data = answered("count", "5x5", "--open", "--by", "start", "--json").json
    assert (data["count"], data["directed"]) == ("864", False)
    assert data["classes"][0] == {"cells": [[0, 0]], "multiplicity": 4, "count": "304"}
    assert sum(each["multiplicity"] * int(each["count"]) for each in data["classes"]) == 1728


def test_classes_by_endpoints() -> None:
    data = answered("count", "3x4", "--open", "--by", "endpoints", "--json").json
    found = {
        tuple(map(tuple, each["cells"])): (each["multiplicity"], each["count"]) for each in data["classes"]
    }
    assert {cells: it for cells, it in found.items() if it[1] != "0"} == {
        ((0, 0), (1, 0)): (4, "1"),
        ((0, 0), (2, 3)): (2, "1"),
        ((1, 0), (1, 3)): (1, "2"),
    }
    assert sum(m * int(number) for m, number in found.values()) == int(data["count"]) == 8
    directed = answered("count", "3x4", "--open", "--by", "endpoints", "--directed", "--json").json
    assert (directed["count"], directed["directed"]) == ("16", True)
    assert [int(each["count"]) for each in directed["classes"]] == [2 * int(n) for _, n in found.values()]
    text = answered("count", "3x4", "--open", "--by", "endpoints", "-q").out
    assert text.splitlines()[0] == "ends   pairs  tours each"
    assert "a3 d1      2           1" in text


def test_classes_are_left_out_for_their_colours_only() -> None:
    data = answered("count", "1x2", "--open", "--by", "endpoints", "--json").json
    assert data["count"] == "0"  # the cells are not joined, but nothing is wrong with their colours
    assert data["classes"] == [{"cells": [[0, 0], [0, 1]], "multiplicity": 1, "count": "0"}]
    wazir = answered("count", "1x3", "--open", "--leaper", "0,1", "--by", "endpoints", "--json").json
    assert wazir["classes"] == [{"cells": [[0, 0], [0, 2]], "multiplicity": 1, "count": "1"}]


def test_classes_of_a_single_cell() -> None:
    for by, cells in (("start", [[0, 0]]), ("endpoints", [[0, 0], [0, 0]])):
        data = answered("count", "1x1", "--open", "--by", by, "--json").json
        assert (data["count"], data["classes"]) == ("1", [{"cells": cells, "multiplicity": 1, "count": "1"}])


# -- pipes and signals ---------------------------------------------------------------------------------------


def test_count_says_what_it_would_take() -> None:
    said = answered("count", "8x8", "--estimate")
    assert re.fullmatch(
        r"closed 8x8: engine join\nknown: 13267364410532 undirected tours \(B. D. McKay 1997\)\n"
        r"rows 3\+2\+3: 24 \+ 16 \+ 24 cells, .*\n"
        r"about [\d.e+]+ states at once, [\d.]+ MiB of memory\nabout [\d.]+ s with \d+ threads\n",
        said.out,
    )
    said = answered("count", "9x10", "--estimate", "--memory", "8G", "--threads", "2")
    assert re.search(r", in \d+ passes\n.*\(the limit is 8 GiB\), [\d.]+ GiB of disk\n", said.out)
    assert "0 nodes of the search tree" in answered("count", "3x4", "--estimate").out
    data = answered("count", "6x7", "--estimate", "--json", "--engine", "frontier").json
    assert data["engine"] == "frontier"
    assert data["estimate"]["states"] > 1000
    assert data["known"] == {"count": "1067638", "source": "OEIS A175881"}


@pytest.mark.parametrize("board", ["9x12", "12x9"])
def test_an_estimate_says_what_is_known(board: str) -> None:
    said = answered("count", board, "--estimate").out.splitlines()
    assert said[1] == "known: 43783970468643651861665708432 undirected tours (ktsolve, two ways)"


@pytest.mark.parametrize(
    "more", [["--open"], ["--require", "a1-b3"], ["--leaper", "1,3"], ["--without", "a1,b1"]], ids=str
)
def test_a_known_number_is_of_the_whole_problem(more: list[str]) -> None:
    assert "known: " not in answered("count", "9x12", *more, "--estimate").out
    assert "known: " not in answered("count", "8x8", "--open", "--by", "endpoints", "--estimate").out


def test_a_large_board_is_not_counted_by_a_model() -> None:
    assert answered("count", "100x100", "--estimate").out.startswith("closed 100x100: engine frontier\n")


def test_count_says_how_it_is_planned() -> None:
    said = answered("count", "7x8", "--verbose")
    assert said.out == "closed 7x8: 34524432316 undirected tours\n"
    assert re.search(r"^join: (rows|columns) \d\+2\+\d: ", said.err)
    assert re.search(r"^predicted: join \(.*\), .*search \(", said.err, re.MULTILINE)
    assert "chosen: join\n" in said.err


@pytest.mark.full
def test_count_keeps_tables_where_it_is_told(tmp_path: Path) -> None:
    arguments = ("count", "7x8", "--memory", "16M", "--quiet", "--spill", str(tmp_path))
    assert answered(*arguments).out == "closed 7x8: 34524432316 undirected tours\n"
    assert any(path.suffix == ".layer" for path in tmp_path.iterdir())
    assert answered(*arguments).out == "closed 7x8: 34524432316 undirected tours\n"
