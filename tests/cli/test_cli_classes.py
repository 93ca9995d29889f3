"""``ktsolve count --up-to-symmetry``, and symmetric tours on the command line."""

from __future__ import annotations

import pytest
from command import answered, refused


def test_classes_as_text_and_as_json() -> None:
    said = answered("count", "6x6", "--up-to-symmetry")
    assert said.out.splitlines()[-1] == "closed 6x6: 9862 undirected tours, 1245 classes = 9960 / 8"
    data = answered("count", "6x6", "--up-to-symmetry", "--json").json
    assert (data["count"], data["directed"]) == ("9862", False)
    found = data["up_to_symmetry"]
    assert (found["classes"], found["group"]) == ("1245", 8)
    assert sum(each["elements"] for each in found["invariant"]) == 8
    counts = {each["symmetry"]: each["count"] for each in found["invariant"]}
    assert counts == {"identity": "9862", "rot90": "10", "rot180": "78", "flip-h": "0", "transpose": "0"}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("6x6 --up-to-symmetry --directed", "leave out --directed and --by"),
        ("5x5 --open --up-to-symmetry --by start", "leave out --directed and --by"),
        ("6x6 --up-to-symmetry --symmetry rot90", "leave out symmetry"),
        ("5x5 --open --up-to-symmetry --at 13=c3", "leave out steps"),
        ("6x6 --engine quotient", "engine quotient takes only problems with symmetry of the tour"),
        ("6x6 --engine quotient --symmetry rot90 --at 3=c3", "quotient cannot count with a cell at a given"),
    ],
)
def test_what_classes_cannot_be_counted_of(arguments: str, complaint: str) -> None:
    assert complaint in refused("count", *arguments.split())


def test_a_limit_is_told_in_json() -> None:
    said = answered("count", "10x10", "--up-to-symmetry", "--timeout", "0.3", "--json", status=3)
    assert (said.json["count"], said.json["directed"]) == (None, False)
    assert "time limit" in said.json["reason"]


def test_symmetric_tours_are_printed_and_checked() -> None:
    made = answered("tour", "10x10", "--symmetry", "rot90", "--format", "cells")
    answered("check", "-", "--board", "10x10", "--symmetry", "rot90", given=made.out.encode())
