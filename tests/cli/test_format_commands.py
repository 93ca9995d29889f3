"""Every command that reads tours reads every format that a command writes, from files and standard input."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import answered, refused
from marks import full, quick

from ktsolve.formats.table import FORMATS, Format, format_named, format_of_suffix, formats_of
from ktsolve.formats.tours.recognition import TOUR_FORMATS
from ktsolve.wings.swap.commands import NETWORK_FORMATS

PAGE = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "form",
    quick(TOUR_FORMATS, lambda form: form.name in ("grid", "json", "npy")),
    ids=lambda form: form.name,
)
@pytest.mark.parametrize("writer", ["tour", full("convert")])
def test_what_one_command_writes_the_others_read(form: Format, writer: str, tmp_path: Path) -> None:
    path = tmp_path / f"tour.{form.suffixes[0]}"
    if writer == "tour":
        answered("tour", "6x6", "--structured", "--engine", "sat", "-q", "-o", str(path))
    else:
        grid = answered("tour", "6x6", "--structured", "--engine", "sat", "-q").out
        answered("convert", "-", "-o", str(path), given=grid.encode())
    for source, given in ((str(path), b""), ("-", path.read_bytes())):
        assert answered("check", source, given=given).out == "valid closed tour of 6x6\n"
        assert "┌" in answered("draw", source, given=given).out
        assert "<svg" in answered("play", source, given=given).out
        assert "any quarter" in answered("base", "validate", source, given=given).out
        for other in TOUR_FORMATS:
            again = tmp_path / f"again.{other.suffixes[0]}"
            answered("convert", source, "-o", str(again), given=given)
            assert answered("check", str(again), "--closed").out == "valid closed tour of 6x6\n"


@pytest.mark.parametrize(
    "form",
    quick(
        (each for each in TOUR_FORMATS if each.can("write_array")), lambda form: form.name in ("grid", "npy")
    ),
    ids=lambda form: form.name,
)
def test_large_tours_are_written_and_read(form: Format, tmp_path: Path) -> None:
    path = tmp_path / f"tour.{form.suffixes[0]}"
    answered("tour", "110x100", "--start", "c3", "-q", "-o", str(path))
    assert answered("check", str(path), "--start", "c3").out == "valid closed tour of 110x100\n"
    moves = answered("convert", str(path), "--format", "moves").out
    assert answered("check", "-", "--start", "c3", given=moves.encode()).out.startswith("valid closed")


def test_aliases_name_the_same_format() -> None:
    for alias, name in (("txt", "grid"), ("tour", "tsplib")):
        written = [answered("tour", "5x6", "--format", each, "-q").out for each in (alias, name)]
        assert written[0] == written[1]
    assert "unknown: use grid, npy, moves, json" in refused("tour", "5x6", "--format", "bmp")


def test_graphs_are_recognised_without_a_name() -> None:
    wanted = answered("convert", "3x4", "--format", "g6").out
    for form in formats_of("graph"):
        if form.name in ("g6", "d6", "dot"):  # d6 holds arcs, readers of dot are optional
            continue
        graph = answered("convert", "3x4", "--format", form.name).out
        assert answered("convert", "-", "--format", "g6", given=graph.encode()).out == wanted


def test_names_and_suffixes_lead_to_one_format_of_each_kind() -> None:
    for form in FORMATS:
        kind = formats_of(form.holds)
        for name in (form.name, *form.aliases):
            assert format_named(name, kind) is form
        for suffix in form.suffixes:
            assert format_of_suffix(f"folder.x/FILE.{suffix.upper()}", kind) is form
        assert all(callable(form.function(role)) for role in form.roles.split())


def test_the_page_has_every_format() -> None:
    rows = set(re.findall(r"^\| `(\w+)`", PAGE, re.MULTILINE))
    assert rows == {each.name for each in formats_of("tour", "graph", "model")}
    assert all(f"`{each.name}`" in PAGE for each in NETWORK_FORMATS)
