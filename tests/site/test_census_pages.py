"""The reports of docs/census: pages, heat maps and tables in CSV, which must agree with each other."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command import answered, refused
from site_tools import site_tool

from ktsolve.verify.published import published_value
from ktsolve.wings.census.report import as_csv, heat_map

pages = site_tool("census_pages")
HOME = pages.HOME
KEPT = sorted(path.stem for path in HOME.glob("*.md"))
SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: str) -> list[str | None]:
    return [each.text for each in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_there_are_reports() -> None:
    assert KEPT == ["open-8x8", "open-8x9"]


@pytest.mark.parametrize("name", KEPT)
def test_pages_and_pictures_are_those_of_the_kept_tables(name: str) -> None:
    page, picture = pages.page_and_picture(name)
    assert (HOME / f"{name}.csv").read_text("utf-8") == as_csv(pages.kept(name))
    assert (HOME / f"{name}.md").read_text("utf-8") == page, "make pictures"
    # Other lines and colours do not make a kept picture wrong; other numbers do.
    assert texts((HOME / f"{name}.svg").read_text("utf-8")) == texts(picture.decode()), "make pictures"


@pytest.mark.parametrize("name", KEPT)
def test_tables_add_up_to_the_published_total(name: str) -> None:
    page = (HOME / f"{name}.md").read_text("utf-8")
    rows = re.findall(r"^\| \w+-\w+ \| (\d+) \| ([\d,]+) \|", page, re.MULTILINE)
    total = sum(int(times) * int(count.replace(",", "")) for times, count in rows)
    found = pages.kept(name)
    published = published_value(found.census.problem)
    assert published is not None
    assert total == published.count == found.total
    assert f": {total:,} undirected tours\n" in page
    # Every tour has two ends.
    assert sum(heat_map(found).heat.values.values()) == 2 * total
    assert not found.failed
    assert len(found.checks) == 3


@pytest.mark.full
def test_a_page_has_links_and_separated_thousands(tmp_path: Path) -> None:
    ledger, page = str(tmp_path / "tours.db"), tmp_path / "page.md"
    answered("census", "5x6", "--open", "--ledger", ledger, "-q")
    picture = tmp_path / "drawn here" / "ends.svg"
    picture.parent.mkdir()
    more = ["--picture", str(picture), "-o", str(page)]
    answered("census", "report", "--ledger", ledger, "--format", "markdown", *more)
    text = page.read_text("utf-8")
    assert text.splitlines()[2].endswith("](drawn%20here/ends.svg)")
    assert "published: 18,784 = 18,784 (OEIS [A083386](https://oeis.org/A083386)), holds" in text
    assert "peak states" not in text
    drawn = tmp_path / "drawn.svg"
    told = tmp_path / "report.json"
    answered("census", "report", "--ledger", ledger, "--format", "json", "-o", str(told))
    answered("draw", str(told), "--theme", "auto", "-o", str(drawn))
    assert drawn.read_bytes() == picture.read_bytes()
    # What programs read has no separators.
    assert "18,784" not in told.read_text("utf-8")
    assert "18784" in answered("census", "report", "--ledger", ledger).out


@pytest.mark.full
def test_a_heat_map_needs_all_pairs_of_ends(tmp_path: Path) -> None:
    ledger, picture = str(tmp_path / "tours.db"), str(tmp_path / "ends.svg")
    answered("census", "5x6", "--ledger", ledger, "-q")
    assert refused("census", "report", "--ledger", ledger, "--picture", picture) == (
        "a heat map needs the tours of all pairs of ends, and this is a census of closed 5x6"
    )
    some = str(tmp_path / "some.db")
    answered("census", "5x5", "--open", "--ends", "a1-c1", "--ledger", some, "-q")
    assert "all pairs of ends" in refused("census", "report", "--ledger", some, "--picture", picture)
    assert not Path(picture).exists()
    whole, named = str(tmp_path / "whole.db"), str(tmp_path / "ends.doc")
    answered("census", "5x5", "--open", "--ledger", whole, "-q")
    assert "this picture is written as .svg" in refused(
        "census", "report", "--ledger", whole, "--picture", named
    )
