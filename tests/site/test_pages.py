"""The manner of all pages: thousands are separated in one way, and numbers of OEIS are links.

What commands print, and what programs read, stands in code and has no separators.
"""

from __future__ import annotations

import re

import pytest
from site_tools import ROOT, site_tool

PAGES = {
    path.relative_to(ROOT).as_posix(): path
    for path in [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]
}
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`|^    [^|\n]*$", re.MULTILINE)
ADDRESS = re.compile(r"\]\([^)]*\)|https?://\S+")
LONG = re.compile(r"(?<![\w.,/:#^-])\d{4,}(?!\w|\.\d|-\d)")

# Years have four digits. These other numbers are names, or have four digits and may be years.
NAMES = {
    "docs/swap.md": {"10422"},  # a problem of UVa
    "docs/proofs.md": {"1001"},  # generalized Petersen graphs
    "docs/warnsdorff.md": {"1001"},
}
FOUR_DIGITS_ELSEWHERE = {"docs/benchmarks.md"}
"""Its tables are written by the programs that measure, with memory in MB."""


def text_of(page: str) -> str:
    """The page without code."""
    return CODE.sub("", FENCE.sub("", PAGES[page].read_text("utf-8")))


def unseparated(text: str) -> list[str]:
    """The long numbers without separators; what may be a year is none."""
    found = LONG.findall(ADDRESS.sub("](", text))
    return [number for number in found if len(number) > 4 or not 1500 <= int(number) < 2100]


def test_there_are_pages() -> None:
    assert {"README.md", "docs/counting.md", "docs/census/open-8x9.md"} <= PAGES.keys()


@pytest.mark.parametrize("page", PAGES)
def test_thousands_are_separated(page: str) -> None:
    found = set(unseparated(text_of(page))) - NAMES.get(page, set())
    if page in FOUR_DIGITS_ELSEWHERE:
        found = {number for number in found if len(number) > 4}
    assert not found


@pytest.mark.parametrize("page", PAGES)
def test_numbers_of_oeis_are_links(page: str) -> None:
    text = text_of(page)
    for number in re.findall(r"\bA\d{6}\b", ADDRESS.sub("](", text)):
        assert f"[{number}](https://oeis.org/{number})" in text, number
    without = re.sub(r"\[(A\d{6})\]\(https://oeis\.org/\1\)", "", text)
    assert not re.findall(r"\bA\d{6}\b", without)


def test_the_page_of_published_values_too() -> None:
    page = site_tool("catalogue").page()
    assert not unseparated(CODE.sub("", page))
    assert not re.findall(r"\bA\d{6}\b", re.sub(r"\[(A\d{6})\]\(https://oeis\.org/\1\)", "", page))
    assert page.count("https://oeis.org/") > 50


def test_the_rules_find_what_they_should() -> None:
    assert unseparated("9862 tours of 1997, 13267364410532, 12,345 and 0.0001 on 1000x1000") == [
        "9862",
        "13267364410532",
    ]
