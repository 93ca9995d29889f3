"""``ktsolve sample``, ``unrank`` and ``rank``: answers, formats, prepared files, bad input, limits."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import Said, answered, keys_of, ktsolve, names_in, refused
from listed_ranking import ListedEngine

from ktsolve.engines import auto, registry
from ktsolve.formats.table import formats_of
from ktsolve.formats.tours.files import read_tours
from ktsolve.graphs.board import Board
from ktsolve.tasks.tours import Tours, tours

ORDER = r"listed:1:[0-9a-f]{8}"


@pytest.fixture(autouse=True)
def _listed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The engine of tests is the first choice of auto: the door does not depend on others."""
    monkeypatch.setitem(registry.ENGINES, "listed", "listed_ranking:ListedEngine")
    monkeypatch.setattr(auto, "AUTO", ("listed", *registry.AUTO))
    yield
    registry.engine_named.cache_clear()


def on(size: str, **more: Any) -> Tours:
    return tours(size, engine="listed", **more)


# -- answers -------------------------------------------------------------------------------------------------


def test_the_tour_of_an_index_and_back() -> None:
    said = answered("unrank", "5x6", "3")
    assert said.out == on("5x6")[3].grid() + "\n"
    assert re.fullmatch(rf"1 tour of 8, order {ORDER}, listed, \d+\.\d{{3}} s\n", said.err)
    back = answered("rank", "5x6", "-", given=said.out.encode())
    assert back.out == "3\n"
    assert re.fullmatch(rf"1 tour of 8, order {ORDER}, listed, \d+\.\d{{3}} s\n", back.err)
    assert answered("unrank", "5x6", "3", "-q") == Said(0, said.out, "")
    assert answered("rank", "5x6", "-", "-q", given=said.out.encode()) == Said(0, "3\n", "")


def test_all_tours_by_ranges_and_lists(tmp_path: Path) -> None:
    everything = [tour.names() for tour in on("5x6")]
    for indices, given in (
        (["0:8"], b""),
        (list("01234567"), b""),
        (["0:3", "3", "4:8", "2:2"], b""),
        (["-"], b"0 1 2\n3:7\n\n7\n"),
        (["000", "1:8"], b""),
    ):
        said = answered("unrank", "5x6", *indices, "--format", "cells", "-q", given=given)
        assert said.out.splitlines() == everything
    file = tmp_path / "all.cells"
    assert answered("unrank", "5x6", "0:8", "-o", str(file), "--check", "-q") == Said(0, "", "")
    assert answered("rank", "5x6", str(file), "-q", "--check").out.split() == list("01234567")
    assert answered("unrank", "5x6", "4:4", "-q").out == ""


@pytest.mark.parametrize("name", [form.name for form in formats_of("tour")])
def test_every_format_of_tours(name: str, tmp_path: Path) -> None:
    file = tmp_path / "tours"
    several = next(form for form in formats_of("tour") if form.name == name).several
    drawn = ["sample", "5x6", "--seed", "3", "--format", name, "-o", str(file)]
    if several:
        drawn += ["--number", "9"]
    answered(*drawn, "-q")
    places = list(on("5x6").sample_places(9 if several else 1, seed=3))
    assert answered("rank", "5x6", str(file), "-q").out.split() == list(map(str, places))
    if not several:
        message = refused("sample", "5x6", "--number", "2", "--format", name)
        assert message == f"--format {name} holds one tour: leave out --number"
        assert refused("unrank", "5x6", "1", "2", "--format", name).endswith("one tour: give one index")


def test_samples() -> None:
    found = on("5x6")
    said = answered("sample", "5x6", "--number", "12", "--seed", "7", "--format", "cells")
    assert said.out.splitlines() == [tour.names() for tour in found.sample(12, seed=7)]
    assert re.fullmatch(rf"12 tours of 8, seed 7, order {ORDER}, listed, \d+\.\d{{3}} s\n", said.err)
    assert answered("sample", "5x6", "--seed", "7", "-q").out == found.sample(1, seed=7)[0].grid() + "\n"
    said = answered("sample", "5x6", "-n", "8", "--distinct", "--format", "cells")
    assert sorted(said.out.splitlines()) == sorted(tour.names() for tour in found)
    assert "seed" not in said.err
    grids = answered("sample", "5x6", "-n", "12", "-q").out
    assert len(read_tours(grids, Board.parse("5x6"), closed=True)) == 12


def test_a_sheet_of_samples(tmp_path: Path) -> None:
    grids = answered("sample", "5x6", "-n", "12", "--seed", "1", "-q").out
    sheet = tmp_path / "sheet.svg"
    answered("draw", "-", "-o", str(sheet), given=grids.encode())
    assert sheet.read_text().count("<svg") >= 1
    drawn = answered("draw", "-", given=grids.encode()).out
    assert drawn.count("\n") > 12
    lines = answered("sample", "5x6", "-n", "3", "--seed", "1", "--json").out
    answered("draw", "-", "-o", str(sheet), given=lines.encode())
    assert answered("rank", "5x6", "-", "-q", given=lines.encode()).out.count("\n") == 3


def test_problems_of_every_kind() -> None:
    for options in (
        ["3x4", "--open"],
        ["3x4", "--open", "--start", "a1"],
        ["3x4", "--open", "--start", "a1,d3", "--end", "a2,d2,d1"],
        ["3x10", "--require", "a1-b3"],
        ["3x3", "--without", "b2"],
        ["6x6", "--symmetry", "rot90"],
        ["4x4", "--leaper", "0,1"],
        ["graph:petersen", "--open"],
        ["graph:cubical"],
    ):
        count = int(answered("count", *options, "--json").json["count"])
        made = answered("unrank", *options, f"0:{count}", "--format", "cells", "-q").out
        assert len({line for line in made.splitlines() if not line.startswith("# ")}) == count
        ranked = answered("rank", *options, "-", "-q", given=made.encode()).out
        assert ranked.split() == [str(index) for index in range(count)]
        refused("unrank", *options, str(count))


# -- JSON ----------------------------------------------------------------------------------------------------


KEYS = {"schema": str, "status": str, "board": dict, "problem": str, "closed": bool, "count": str} | {
    "order": str,
    "indices": list,
    "engine": str,
    "seconds": float,
}


def test_json() -> None:
    data = answered("sample", "5x6", "-n", "3", "--seed", "7", "--json").json
    assert keys_of(data) == {**KEYS, "seed": int, "distinct": bool, "tours": list, "complete": bool}
    places = list(on("5x6").sample_places(3, seed=7))
    assert (data["status"], data["count"], data["indices"]) == ("found", "8", list(map(str, places)))
    assert (data["seed"], data["distinct"], data["engine"]) == (7, False, "listed")
    assert [tuple(map(tuple, each)) for each in data["tours"]] == [
        tour.squares for tour in on("5x6").sample(3, seed=7)
    ]
    data = answered("unrank", "5x6", "3", "--json").json
    assert keys_of(data) == {**KEYS, "tours": list, "complete": bool}
    assert data["indices"] == ["3"]
    data = answered("rank", "5x6", "-", "--json", given=json.dumps(data).encode()).json
    assert keys_of(data) == KEYS
    assert (data["indices"], data["order"]) == (["3"], on("5x6").order)


def test_no_tours() -> None:
    reason = "no closed tour exists on a rectangle with a side of 1, 2 or 4 (Schwenk 1991)"
    for command in (["sample", "4x6"], ["unrank", "4x6", "0"]):
        assert answered(*command, status=1).out == f"no tour: {reason}\n"
        data = answered(*command, "--json", status=1).json
        assert (data["status"], data["count"], data["reason"]) == ("impossible", "0", reason)
    nothing = answered("sample", "4x4", "--without", "a1", "--closed", status=1)
    assert nothing.out.startswith("no tour: ")
    # No arithmetic refutes it: the engine does.
    assert answered("sample", "3x7", "--without", "a1", status=1).out.startswith("no tour: ")


# -- the order -----------------------------------------------------------------------------------------------


def test_the_name_of_the_order() -> None:
    order = on("5x6").order
    for command in (["sample", "5x6"], ["unrank", "5x6", "3"]):
        answered(*command, "--order-name", order)
        message = refused(*command, "--order-name", "join:1:rows-3+2+3:9f3c21ab", "--engine", "listed")
        assert message == (
            f"the order of closed 5x6 is {order}, not 'join:1:rows-3+2+3:9f3c21ab': "
            "indices of different orders do not correspond"
        )
    tour = on("5x6")[3].grid().encode()
    assert answered("rank", "5x6", "-", "--order-name", order, "-q", given=tour).out == "3\n"
    assert refused("rank", "5x6", "-", "--order-name", "old", given=tour).startswith(
        "the order of closed 5x6"
    )


def test_prepared_files(tmp_path: Path) -> None:
    file = str(tmp_path / "tables")
    made = answered("unrank", "5x6", "3", "--prepared", file)
    assert made.err.startswith(f"tables written to {file}\n")
    read = answered("unrank", "5x6", "3", "--prepared", file)
    assert read.err.startswith(f"tables read from {file}\n")
    assert (read.out, answered("unrank", "5x6", "3", "--prepared", file, "-q").err) == (made.out, "")
    before = Path(file).read_bytes()
    assert refused("sample", "3x10", "--prepared", file) == f"{file}: prepared for another problem"
    Path(file).write_bytes(before[:5])
    assert refused("sample", "5x6", "--prepared", file) == f"{file}: not a prepared file of engine listed"
    assert Path(file).read_bytes() == before[:5]
    assert refused("sample", "5x6", "--prepared", str(tmp_path)).endswith("this is not an ordinary file")
    missing = str(tmp_path / "none" / "tables")
    assert refused("sample", "5x6", "--prepared", missing).endswith("No such file or directory")
    same = refused("sample", "5x6", "--prepared", file, "-o", file)
    assert same == f"-o {file} is the prepared file: give another name"
    assert names_in(tmp_path) == ["tables"]
    answered("sample", "4x6", "--prepared", str(tmp_path / "no"), status=1)
    assert names_in(tmp_path) == ["tables"]


# -- bad input -----------------------------------------------------------------------------------------------


AN_INDEX = "an index is a whole number such as 5, or a range such as 0:10"


@pytest.mark.parametrize(
    ("indices", "message"),
    [
        (["8"], "index '8' is out of range: closed 5x6 has 0 to 7"),
        (["-1"], "index '-1' is out of range: indices count from 0"),
        (["3", "-12"], "index '-12' is out of range: indices count from 0"),
        (["0:9"], "index '0:9' is out of range: closed 5x6 has 0 to 7"),
        (["9:9"], "index '9' is out of range: closed 5x6 has 0 to 7"),
        (["5:2"], "'5:2' is not a range: its first index is past its last"),
        (["9" * 5000], "index '9999"),
        (["1.5"], f"'1.5' is not a whole number: {AN_INDEX}"),
        (["1e3"], f"'1e3' is not a whole number: {AN_INDEX}"),
        (["a1"], f"'a1' is not a whole number: {AN_INDEX}"),
        ([""], f"'' is not a whole number: {AN_INDEX}"),
        (["٣"], f"'٣' is not a whole number: {AN_INDEX}"),
        (["1_000"], f"'1_000' is not a whole number: {AN_INDEX}"),
        (["0:-1"], f"'0:-1' is not a whole number: {AN_INDEX}"),
        (["--jsn"], "No such option: --jsn"),
        (["-x"], "No such option: -x"),
        (["-", "3"], "- reads all indices from standard input: leave out the others"),
        (["-"], f"there is no index in the input: it is empty; {AN_INDEX}"),
    ],
)
def test_bad_indices(indices: list[str], message: str) -> None:
    said = refused("unrank", "5x6", *indices)
    assert said.startswith(message)
    assert len(said) < 200


def test_bad_numbers() -> None:
    assert "Missing argument" in refused("unrank", "5x6")
    assert "'0' is out of range: write 1 or more" in refused("sample", "5x6", "--number", "0")
    said = refused("sample", "5x6", "--number", "x")
    assert said == "--number 'x' is not a whole number: write one such as 5"
    assert refused("tour", "5x6", "-n=1e3").endswith("is not a whole number: write one such as 5")
    assert "Usage" in answered("count", "5x6", "--by-uses", "--help").out
    assert "the seed must be a number from 0" in refused("sample", "5x6", "--seed", "-1")
    message = refused("sample", "5x6", "--number", "9", "--distinct")
    assert message == "closed 5x6 has 8 tours, and 9 distinct ones were asked for"
    assert "is not text" in refused("unrank", "5x6", "-", given=b"\xff\xfe")


def test_bad_tours(tmp_path: Path) -> None:
    grid = on("5x6")[3].grid()
    for text, message in (
        ("", "standard input: there is no tour in the input: it is empty"),
        ("hello", "standard input: "),
        (grid.replace(" 1 ", " 2 ", 1), "standard input: "),
        (on("3x10")[0].grid(), "standard input: "),
        (f"{grid}\n\n1 2\n3", "standard input: tour 2"),
        (tours("5x6", closed=False, engine="listed", start="a1")[0].grid(), "standard input: not a tour"),
    ):
        assert refused("rank", "5x6", "-", given=text.encode()).startswith(message)
    missing = str(tmp_path / "missing")
    assert refused("rank", "5x6", missing) == f"{missing}: cannot be read: No such file or directory"
    two = "\n\n".join(tour.grid() for tour in on("5x6")[:2])
    move = next(iter(on("5x6")[1].moves - on("5x6")[0].moves))
    name = on("5x6").problem.ground.move_name(move)
    message = refused("rank", "5x6", "-", "--forbid", name, given=two.encode())
    assert message == (
        f"standard input: tour 2 is not one of closed 5x6 forbid {name}: the forbidden move {name} is made"
    )
    assert "can be read once" in refused("rank", "-", "-")
    assert "can be read once" in refused("unrank", "-", "-")


def test_what_no_engine_ranks() -> None:
    message = refused("sample", "6x6", "--magic", "rows")
    assert message == "no engine can rank tours with equal sums of lines (magic)"
    assert refused("unrank", "6x6", "0", "--engine", "walk").startswith("engine walk cannot rank tours: use ")


def test_a_wrong_engine_ends_with_status_4(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = on("5x6")[3].grid()
    monkeypatch.setattr(ListedEngine, "fault", "off by one")
    said = ktsolve("unrank", "5x6", "3")
    assert (said.status, said.out) == (4, "")
    assert said.complaint == "engine listed gave tour 3 of closed 5x6, and ranks it 4"
    said = ktsolve("rank", "5x6", "-", given=grid.encode())
    assert (said.status, said.out) == (4, "")


# -- limits --------------------------------------------------------------------------------------------------


def test_no_memory_for_numbers_that_are_only_announced() -> None:
    said = answered("sample", "5x6", "-n", "1000000000000", "--json", status=3)
    assert said.complaint.startswith("1000000000000 tours in one JSON object take ")
    message = refused("sample", "5x6", "-n", str(10**20))
    assert message == f"{10**20} tours cannot be drawn: give at most {10**18}"
    said = answered("sample", "6x6", "-n", "9000", "--distinct", "--memory", "1M", status=3)
    assert said.complaint == "9000 distinct tours take 1.12 MiB to draw; the memory limit is 1 MiB"


@pytest.mark.parametrize("more", [["--format", "cells"], ["--json"]])
def test_a_time_limit_keeps_what_was_written(more: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    # Each batch has the whole time limit, and a fast machine draws 100,000 tours within 0.4 s.
    monkeypatch.setattr("ktsolve.base.guard._GRACE", 0.0)
    said = ktsolve("sample", "5x6", "-n", "1000000", "--timeout", "0.3", *more)
    assert said.status == 3
    assert said.complaint.startswith("stopped at the time limit of 0.3 s")
