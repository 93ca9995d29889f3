"""The reports of docs/census: pages, heat maps and tables in CSV, which must agree with each other."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from command import answered, refused

from ktsolve.census.checks import checks
from ktsolve.census.jobs import Census, make_census
from ktsolve.census.report import Report, as_csv, as_markdown, heat_map
from ktsolve.census.rows import Row, result_of
from ktsolve.problem.problem import TourProblem
from ktsolve.render.files import PictureOptions, picture_file, picture_format
from ktsolve.render.style import Style
from ktsolve.tasks.published import published_value

HOME = Path(__file__).resolve().parent.parent / "docs" / "census"
KEPT = sorted(path.stem for path in HOME.glob("*.md"))


def kept(name: str) -> Report:
    """The report whose CSV is kept."""
    problem = TourProblem(board=name.removeprefix("open-"), closed=False)
    census: Census = make_census(problem)
    rows = []
    with (HOME / f"{name}.csv").open(encoding="utf-8") as lines:
        for line in csv.DictReader(lines):
            fields = [line[key] for key in ("count", "engine", "version", "plan")]
            result = result_of([*fields, float(line["seconds"]), int(line["peak_bytes"])])
            number, times = int(line["number"]), int(line["multiplicity"])
            rows.append(Row(number, line["job"], times, 1, None, result, None, True))
    assert [row.name for row in rows] == [job.name for job in census.jobs]
    return Report(census, tuple(rows), 0, 0, tuple(checks(census, rows)), 0.0)


def test_there_are_reports() -> None:
    assert KEPT == ["open-8x8", "open-8x9"]


@pytest.mark.parametrize("name", KEPT)
def test_pages_and_pictures_are_those_of_the_kept_tables(name: str) -> None:
    found = kept(name)
    assert (HOME / f"{name}.csv").read_text("utf-8") == as_csv(found)
    assert (HOME / f"{name}.md").read_text("utf-8") == as_markdown(found, f"{name}.svg") + "\n"
    options = PictureOptions(form=picture_format(f"{name}.svg"))
    assert (HOME / f"{name}.svg").read_bytes() == picture_file(heat_map(found), Style(theme="auto"), options)


@pytest.mark.parametrize("name", KEPT)
def test_tables_add_up_to_the_published_total(name: str) -> None:
    page = (HOME / f"{name}.md").read_text("utf-8")
    rows = re.findall(r"^\| \w+-\w+ \| (\d+) \| ([\d,]+) \|", page, re.MULTILINE)
    total = sum(int(times) * int(count.replace(",", "")) for times, count in rows)
    found = kept(name)
    published = published_value(found.census.problem)
    assert published is not None
    assert total == published.count == found.total
    assert f": {total:,} undirected tours\n" in page
    # Every tour has two ends.
    assert sum(heat_map(found).heat.values.values()) == 2 * total
    assert not found.failed
    assert len(found.checks) == 3


def test_a_page_has_links_and_separated_thousands(tmp_path: Path) -> None:
    ledger, page = str(tmp_path / "tours.db"), tmp_path / "page.md"
    answered("census", "5x6", "--open", "--ledger", ledger, "-q")
    picture = tmp_path / "drawn here" / "ends.svg"
    picture.parent.mkdir()
    more = ["--picture", str(picture), "-o", str(page)]
    answered("census", "report", ledger, "--format", "markdown", *more)
    text = page.read_text("utf-8")
    assert text.splitlines()[2].endswith("](drawn%20here/ends.svg)")
    assert "published: 18,784 = 18,784 (OEIS [A083386](https://oeis.org/A083386)), holds" in text
    assert "peak states" not in text
    drawn = tmp_path / "drawn.svg"
    told = tmp_path / "report.json"
    answered("census", "report", ledger, "--format", "json", "-o", str(told))
    answered("draw", str(told), "--theme", "auto", "-o", str(drawn))
    assert drawn.read_bytes() == picture.read_bytes()
    # What programs read has no separators.
    assert "18,784" not in told.read_text("utf-8")
    assert "18784" in answered("census", "report", ledger).out


def test_a_heat_map_needs_all_pairs_of_ends(tmp_path: Path) -> None:
    ledger, picture = str(tmp_path / "tours.db"), str(tmp_path / "ends.svg")
    answered("census", "5x6", "--ledger", ledger, "-q")
    assert refused("census", "report", ledger, "--picture", picture) == (
        "a heat map needs the tours of all pairs of ends, and this is a census of closed 5x6"
    )
    some = str(tmp_path / "some.db")
    answered("census", "5x5", "--open", "--classes", "a1-c1", "--ledger", some, "-q")
    assert "all pairs of ends" in refused("census", "report", some, "--picture", picture)
    assert not Path(picture).exists()
    whole, named = str(tmp_path / "whole.db"), str(tmp_path / "ends.doc")
    answered("census", "5x5", "--open", "--ledger", whole, "-q")
    assert "suffix of a picture" in refused("census", "report", whole, "--picture", named)
