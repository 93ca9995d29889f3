"""Pages of the player in a browser: what tests of them read and do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ktsolve
from ktsolve.graphs.board import Board
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem

__all__ = [
    "DESKTOP",
    "PHONE",
    "PHONE_ON_ITS_SIDE",
    "Open",
    "centre_of_knight",
    "click",
    "closed",
    "facts",
    "knight",
    "place",
    "saved_picture",
    "scrub",
    "slide",
    "step_of",
    "until",
]

DESKTOP = (1280, 820)
PHONE = (390, 844)
PHONE_ON_ITS_SIDE = (844, 390)
"""Widths and heights of windows, in pixels."""

Open = Callable[..., Any]
"""The type of the fixture ``opened``."""


def closed(size: str, seed: int = 0, **words: Any) -> Tour:
    """A closed tour of a board."""
    problem = TourProblem(board=Board.parse(size, **words), closed=True)
    tour = ktsolve.find(problem, settings=ktsolve.Settings(seed=seed)).tour
    assert tour is not None
    return tour


def slide(page: Any, slider: str, value: int) -> None:
    page.evaluate(
        """([id, value]) => {
            const slider = document.getElementById(id);
            slider.value = value;
            slider.dispatchEvent(new Event('input'));
        }""",
        [slider, value],
    )


def scrub(page: Any, position: int) -> None:
    slide(page, "scrub", position)


def until(page: Any, come: Callable[[], bool]) -> None:
    """Wait at most ten seconds. The policy of the page forbids waiting inside it."""
    for _ in range(200):
        if come():
            return
        page.wait_for_timeout(50)
    pytest.fail("timeout")


def facts(page: Any, panel: int = 0) -> dict[str, str]:
    rows = page.locator(".panel").nth(panel).locator(".facts div")
    return dict(
        zip(rows.locator("dt").all_text_contents(), rows.locator("dd").all_text_contents(), strict=True)
    )


def knight(page: Any, panel: int = 0) -> str:
    return str(page.locator(".knight").nth(panel).get_attribute("data-cell"))


def place(page: Any) -> str:
    return str(page.locator("#place").text_content())


def step_of(page: Any) -> int:
    return int(place(page).split(" / ")[0].replace(",", ""))


def centre_of_knight(page: Any) -> tuple[float, float]:
    """Relative to its board."""
    piece, board = page.locator(".knight").bounding_box(), page.locator(".board").bounding_box()
    return piece["x"] + piece["width"] / 2 - board["x"], piece["y"] + piece["height"] / 2 - board["y"]


def click(page: Any, tour: Tour, name: str, panel: int = 0) -> None:
    """Click a cell of a board with 20 pixels on its left and 4 above it."""
    row, column = tour.board.cell(name)
    board = page.locator(".board").nth(panel)
    side = (board.bounding_box()["width"] - 26) / tour.board.columns
    board.click(position={"x": 20 + (column + 0.5) * side, "y": 4 + (row + 0.5) * side})


def saved_picture(page: Any) -> Path:
    """The file that *Save SVG* writes."""
    with page.expect_download() as saved:
        page.keyboard.press("s")
    return Path(saved.value.path())
