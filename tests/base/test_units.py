"""Times and sizes as text, as options take them."""

from __future__ import annotations

import pytest

from ktsolve.base.errors import BadInput
from ktsolve.base.units import parse_seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30", 30),
        (".5", 0.5),
        ("30s", 30),
        ("5m", 300),
        ("2h", 7200),
        ("1m30s", 90),
        (" 1h 20m ", 4800),
        ("1h1s", 3601),
        ("1h2m3.5s", 3723.5),
    ],
)
def test_times_have_several_units(text: str, seconds: float) -> None:
    assert parse_seconds(text) == seconds


@pytest.mark.parametrize(
    "text", ["", " ", "h", "1m30", "1h30", "30s1m", "1m1m", "1 30", "5d", "-1m", "1m-30s", "nan"]
)
def test_a_time_is_not_guessed(text: str) -> None:
    with pytest.raises(BadInput, match="is not a time: write seconds such as 30"):
        parse_seconds(text)
