"""JSON of every command: its keys and their types."""

from __future__ import annotations

import re
from typing import Any

import pytest
from command import OPEN_3X4, SOLVE_KEYS, answered, keys_of, ktsolve
from marks import full

# -- JSON ----------------------------------------------------------------------------------------------------


TOUR_KEYS = {"schema": str, "status": str, "board": dict, "problem": str, "closed": bool, "engine": str} | {
    "seconds": float
}


COUNT_KEYS = {
    "schema": str,
    "board": str,
    "kind": str,
    "problem": dict,
    "count": str,
    "directed": bool,
    "engine": str,
    "seconds": float,
    "peak_bytes": int,
}


CHECK_KEYS = {"schema": str, "status": str, "board": dict, "closed": bool}


def is_cell(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(x) is int for x in value)


def test_json_of_a_tour() -> None:
    data = answered("tour", "3x4", "--open", "--json").json
    assert keys_of(data) == {**TOUR_KEYS, "squares": list}
    board = {"rows": 3, "columns": 4, "without": [], "leaper": [1, 2], "wrap": "none"}
    assert (data["board"], data["closed"], data["problem"]) == (board, False, "open 3x4")
    assert len(data["squares"]) == 12
    assert all(is_cell(cell) for cell in data["squares"])


def test_json_of_tours() -> None:
    data = answered("tour", "3x3", "--without", "b2", "--all", "--json").json
    assert keys_of(data) == {**TOUR_KEYS, "tours": list, "complete": bool}
    assert (data["status"], data["complete"], len(data["tours"])) == ("found", True, 1)
    assert all(is_cell(cell) for cell in data["tours"][0])
    assert data["board"]["without"] == [[1, 1]]


def test_json_of_no_tour() -> None:
    data = answered("tour", "4x4", "--json", status=1).json
    assert keys_of(data) == {**TOUR_KEYS, "reason": str}
    assert data["engine"] == "arithmetic"


def test_json_of_a_count() -> None:
    data = answered("count", "5x6", "--json").json
    assert {key: data[key] for key in ("board", "kind", "count", "directed", "engine")} == {
        "board": "5x6",
        "kind": "closed",
        "count": "8",
        "directed": False,
        "engine": "search",
    }
    assert keys_of(data) == {**COUNT_KEYS, "details": dict}
    data = answered("count", "5x6", "--directed", "--json", "--engine", "sat").json
    assert (data["count"], data["directed"], data["peak_bytes"]) == ("16", True, None)
    data = answered("count", "4x4", "--json").json
    assert keys_of(data) == {**COUNT_KEYS, "peak_bytes": type(None), "reason": str}
    assert data["count"] == "0"


def test_json_of_a_count_beyond_64_bits() -> None:
    data = answered("count", "3x200", "--json").json
    assert re.fullmatch(r"[1-9]\d{40,}", data["count"])


def test_json_of_a_check() -> None:
    data = answered("check", "-", "--json", given=b"1 4 7 10\n8 11 2 5\n3 6 9 12\n").json
    assert keys_of(data) == CHECK_KEYS
    assert (data["status"], data["closed"]) == ("valid", False)
    data = answered("check", "-", "--json", "--closed", status=1, given=OPEN_3X4[0].encode()).json
    assert keys_of(data) == {**CHECK_KEYS, "fault": dict}
    assert data["fault"] == {
        "step": 12,
        "reason": "step 12: the last cell d1 is not a move from the first a3",
    }
    data = answered("check", "-", "--json", status=1, given=b"1 2\n3").json
    assert (data["status"], data["board"], data["closed"], data["fault"]["step"]) == ("invalid", *[None] * 3)


def test_json_of_an_instance() -> None:
    data = answered("solve", "guarini-ring", "--json").json
    assert keys_of(data) == {**SOLVE_KEYS, "closed": bool, "squares": list, "count": str}
    assert (data["status"], data["agrees"], data["count"], data["model"]) == ("found", True, "1", "tour")
    data = answered("solve", "schwenk-4x6", "--json").json
    assert keys_of(data) == {**SOLVE_KEYS, "reason": str}
    assert (data["status"], data["agrees"]) == ("impossible", True)


# -- limits --------------------------------------------------------------------------------------------------


@pytest.mark.full
def test_json_tells_what_was_reached() -> None:
    data = ktsolve("tour", "8x8", "--all", "--timeout", "0.5", "--json")
    assert data.status == 3
    assert data.complaint.startswith("stopped at the time limit of 0.5 s")
    found = data.json
    assert keys_of(found) == {**TOUR_KEYS, "tours": list, "complete": bool, "reason": str}
    assert (found["status"], found["complete"], found["reason"]) == ("found", False, data.complaint)
    assert len(found["tours"]) > 10


@pytest.mark.parametrize(
    ("arguments", "keys"),
    [
        full("tour 300x300 --engine sat", {**TOUR_KEYS, "reason": str}),
        ("count 8x8", {**COUNT_KEYS, "count": type(None), "peak_bytes": type(None), "reason": str}),
        ("solve closed-6x6 --engine cpsat", {**SOLVE_KEYS, "agrees": type(None), "reason": str}),
    ],
)
def test_json_of_an_answer_that_is_not_known(arguments: str, keys: dict[str, type]) -> None:
    said = ktsolve(*arguments.split(), "--timeout", "0.1", "--json")
    assert said.status == 3
    assert keys_of(said.json) == keys
    assert said.json["reason"] == said.complaint
    assert said.json.get("status", "unknown") == "unknown"
