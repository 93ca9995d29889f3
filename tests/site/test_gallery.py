"""The commands of docs/gallery.md make its pictures, which are whole and small. Runs each command once."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from marks import quick
from PIL import Image
from site_tools import site_tool

gallery = site_tool("gallery")
EXAMPLES = gallery.examples(gallery.PAGE.read_text("utf-8"))


@pytest.mark.parametrize("example", quick(EXAMPLES, EXAMPLES[::9].__contains__), ids=lambda each: each.title)
def test_a_command_makes_its_picture(
    example: gallery.Example,  # type: ignore[name-defined]
    tmp_path: Path,
    forked: str,
) -> None:
    gallery.make(example, tmp_path, forked)
    if example.player is not None:
        player = (tmp_path / example.player).read_text("utf-8")
        assert f"<title>{html.escape(example.title)}</title>" in player
        assert len(player) < 500_000
    if example.file is None:
        assert example.output
        return
    made = tmp_path / example.file
    assert len(example.text) > 30
    kept = gallery.KEPT / example.file
    # Compressed pixels depend on the version of a library.
    assert kept.read_bytes() == made.read_bytes() or made.suffix != ".svg", "make pictures"
    if made.suffix == ".svg":
        root = ElementTree.parse(made).getroot()
        assert root.findtext("{http://www.w3.org/2000/svg}title")
        assert len(list(root.iter())) > 10
    else:
        with Image.open(made) as picture:
            assert max(picture.size) <= 800
            assert (getattr(picture, "n_frames", 1) > 1) == (made.suffix == ".gif")


def test_the_gallery_has_what_ktsolve_can_draw() -> None:
    commands = " ".join(each.command for each in EXAMPLES)
    for what in (
        *("tour 100x100", "1000x1000", "--heat visit", "--symmetry rot90", "tour 30x30", "--path smooth"),
        *(
            "--angles",
            ".gif",
            "--up-to-symmetry",
            "| ktsolve draw -",
            "graph:",
            "swap",
            "--heat starts",
            "--wrap",
        ),
    ):
        assert what in commands, what
    assert len({each.file for each in EXAMPLES}) == len(EXAMPLES)
    assert {each.file for each in EXAMPLES} > set(site_tool("build").THUMBNAILS)


def test_a_command_that_goes_wrong_stops_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forked: str
) -> None:
    good = next(each for each in EXAMPLES if each.file == "ends-8x8.svg")
    for wrong, why in (
        (replace(good, command="ktsolve draw 9x9 --heat starts -o ends-8x8.svg"), "exit status 2"),
        (replace(good, command="ktsolve draw 9x9 --heat starts -o a.svg | cat"), "exit status 2"),
        (replace(good, output="something\n"), "exit status 0"),
    ):
        with pytest.raises(SystemExit, match=why):
            gallery.make(wrong, tmp_path, forked)
    monkeypatch.setattr(gallery, "LARGEST", 1000)
    with pytest.raises(SystemExit, match=r"ends-8x8.svg has [\d,]+ bytes, more than 1,000"):
        gallery.make(good, tmp_path, forked)


def test_a_section_has_one_command_that_writes_its_picture() -> None:
    page = "### One\n\n![A picture](gallery/a.svg)\n\n```console\n$ ktsolve draw 8x8 -o b.svg\n```\n"
    with pytest.raises(SystemExit, match="One: there must be one command"):
        gallery.examples(page)
    assert gallery.examples(page.replace("b.svg", "a.svg"))[0].file == "a.svg"


def test_thumbnails_lead_to_sections() -> None:
    lines = gallery.thumbnails(["ends-8x8.svg", "dodecahedron.svg"]).splitlines()
    assert [re.findall(r"\]\((\S+)\)$", line)[0] for line in lines] == [
        "gallery.md#where-open-tours-end",
        "gallery.md#hamiltons-dodecahedron",
    ]
    assert "<span>Hamilton's dodecahedron</span>" in lines[1]


def test_the_page_gets_its_pictures() -> None:
    page = gallery.as_cards(gallery.PAGE.read_text("utf-8"))
    assert "](gallery/quarter-turn.svg)" in page
    assert page.count('<div class="kt-card" markdown>') == len(EXAMPLES)
    assert page.count("<div") == page.count("</div>")
    for each in EXAMPLES:
        assert each.file is None or f"[![{each.text}](gallery/{each.file})" in page
    # Pictures of tours open in the player.
    assert "](gallery/quarter-turn.html)" in page
    assert sum(each.player is not None for each in EXAMPLES) >= 8
    assert "](gallery/ends-8x8.svg)" in page
