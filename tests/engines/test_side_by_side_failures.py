"""Failures of engines side by side: a wrong answer, limits, lists of an engine that starts again."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from ktsolve.base.errors import LimitReached, Refused, WrongAnswer
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines import race
from ktsolve.engines.race import Listing
from ktsolve.engines.side_by_side import Result, side_by_side
from ktsolve.problem.problem import TourProblem


def fails(error: type[Exception], _settings: Settings) -> Iterator[int]:
    raise error("of a test")
    yield 1


def memory_of(settings: Settings) -> Iterator[Any]:
    yield settings.memory


def results(*names: str, **limits: Any) -> list[Result]:
    errors = {"wrong": WrongAnswer, "limit": LimitReached, "refused": Refused}
    works = {name: partial(fails, errors[name]) if name in errors else memory_of for name in names}
    shares = {name: 4 if name == "join" else 1 for name in names}
    return list(side_by_side(works, Settings(threads=2, **limits), shares))


@pytest.mark.full
def test_a_wrong_answer_ends_the_race() -> None:
    with pytest.raises(WrongAnswer, match="of a test"):
        results("wrong", "search")


@pytest.mark.full
@pytest.mark.parametrize("names", [("limit", "refused"), ("refused", "limit")])
def test_a_limit_precedes_a_refusal(names: tuple[str, str]) -> None:
    with pytest.raises(LimitReached):
        results(*names)


@pytest.mark.full
def test_every_engine_gets_a_share_of_a_limited_memory() -> None:
    shares = {each.name: each.value for each in results("search", "join", memory=5 << 30) if not each.last}
    assert shares == {"search": 1 << 30, "join": 4 << 30}


def test_an_engine_that_starts_again_lists_each_tour_once(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = TourProblem(board="5x6", closed=True)
    rows = [list(each.indices) for each in Listing(problem, "search", Settings(), None)]

    def raced(*_: object, **_options: object) -> Iterator[Result]:
        yield from (Result("search", row) for row in rows[:3] + rows)
        yield Result("search", last=True)

    monkeypatch.setattr(race, "side_by_side", raced)
    listing = Listing(problem, "search", Settings(), None)
    assert len(list(listing._merged(set(), Clock(None)))) == len(rows) == 8
