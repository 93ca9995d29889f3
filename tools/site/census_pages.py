"""The reports of docs/census: pages and heat maps, made from the kept tables (``make pictures``)."""

from __future__ import annotations

import csv
from pathlib import Path

from ktsolve.problem.problem import TourProblem
from ktsolve.render.scene.style import Style
from ktsolve.render.subject import PictureOptions, picture_file, picture_format
from ktsolve.wings.census.checks import checks
from ktsolve.wings.census.jobs import LedgerRow, make_census, result_of
from ktsolve.wings.census.report import CensusReport, as_markdown, heat_map

__all__ = ["HOME", "kept", "page_and_picture", "write"]

HOME = Path(__file__).resolve().parents[2] / "docs" / "census"


def kept(name: str) -> CensusReport:
    """The report whose table is kept in CSV, such as ``open-8x8``."""
    census = make_census(TourProblem(board=name.removeprefix("open-"), closed=False))
    rows = []
    with (HOME / f"{name}.csv").open(encoding="utf-8") as lines:
        for line, job in zip(csv.DictReader(lines), census.jobs, strict=True):
            fields = [line[key] for key in ("count", "engine", "version", "plan")]
            result = result_of([*fields, float(line["seconds"]), int(line["peak_bytes"])])
            if (line["job"], int(line["multiplicity"])) != (job.name, job.multiplicity):
                raise ValueError(f"{name}.csv: {line['job']} is not {job.name}")
            rows.append(LedgerRow(job.number, job.name, job.multiplicity, 1, None, result, None, True))
    return CensusReport(census, tuple(rows), 0, 0, tuple(checks(census, rows)), 0.0)


def page_and_picture(name: str) -> tuple[str, bytes]:
    """The page of a report and its heat map, as ``ktsolve census report --picture`` makes them."""
    found = kept(name)
    options = PictureOptions(form=picture_format(f"{name}.svg"))
    picture = picture_file(heat_map(found), Style(theme="auto"), options)
    return as_markdown(found, f"{name}.svg") + "\n", picture


def write() -> None:
    """Write all pages and pictures again."""
    for table in sorted(HOME.glob("*.csv")):
        page, picture = page_and_picture(table.stem)
        table.with_suffix(".md").write_text(page, "utf-8")
        table.with_suffix(".svg").write_bytes(picture)


if __name__ == "__main__":
    write()
