"""Pictures, generated pages and notebooks of the site. ``make docs`` builds it."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from marks import full, slow
from site_tools import ROOT, site_tool

from ktsolve.cli.app import root
from ktsolve.formats.tours.files import read_tour
from ktsolve.verify.published import published

SVG = "{http://www.w3.org/2000/svg}"
PAGES = sorted((ROOT / "docs").rglob("*.md"))
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))

pictures = site_tool("pictures")


def test_the_picture_of_the_readme_is_up_to_date() -> None:
    kept = (ROOT / "docs" / "pictures" / "hero.svg").read_text("utf-8")
    assert kept == pictures.hero(), "make pictures"
    tours = [read_tour(line) for line in (ROOT / "docs/pictures/hero.jsonl").read_text("utf-8").splitlines()]
    assert all(tour.valid and tour.closed for tour in tours)
    # Each is closed, smooth, and has a quarter turn.
    assert all("rot90" in {each.name for each in tour.stabiliser()} for tour in tours)
    paths = [each for each in ElementTree.fromstring(kept).iter(f"{SVG}g") if each.get("class") == "path"]
    data = ["".join(line.get("d", "") for line in path if line.get("stroke")) for path in paths]
    assert [each.count("c") for each in data] == list(map(len, tours))
    assert (ROOT / "README.md").read_text("utf-8").startswith("# ktsolve\n\n![")


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(pictures.PICTURES))
def test_pictures_are_whole_and_the_same_every_time(name: str) -> None:
    text = pictures.PICTURES[name]()
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root.findtext(f"{SVG}title")
    assert text == pictures.PICTURES[name]()
    if name in pictures.shown():
        assert (pictures.DRAWN / f"{name}.svg").read_text("utf-8") == text, "make pictures"


def test_the_census_picture_adds_up() -> None:
    texts = [float(text.text or "") for text in ElementTree.fromstring(pictures.census()).iter(f"{SVG}text")]
    assert len(texts) == 64
    # Each tour has two ends; the shown values are rounded.
    assert sum(texts) == pytest.approx(2 * 97.95914085489952, abs=64 * 0.05)


def test_the_cycles_that_are_cut_are_no_tour() -> None:
    paths = list(ElementTree.fromstring(pictures.cuts()).iter(f"{SVG}path"))
    lines = [path for path in paths if path.get("d", "").count("M") == 1 and "l" in path.get("d", "")]
    dashed = [line for line in lines if line.get("stroke-dasharray")]
    assert len(lines) - len(dashed) == 36
    assert len({line.get("stroke") for line in lines} - {pictures.FAINT}) > 1
    assert dashed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_name_known_pictures(page: Path) -> None:
    text = page.read_text("utf-8")
    assert set(re.findall(r"<!-- player: ([\w-]+) ", text)) <= set(site_tool("players").PLAYERS)
    assert set(re.findall(r"\(drawn/([\w-]+)\.svg\)", text)) <= set(pictures.PICTURES)
    assert "<!-- picture:" not in text, "a picture is in the checkout: ![text](drawn/NAME.svg)"


@pytest.mark.parametrize(
    "page",
    [
        *("counting.md", "frontier.md", "cuts.md", "proofs.md", "divide.md", "warnsdorff.md", "symmetry.md"),
        *("census.md", "sudoku.md", "swap.md", "ten-minutes.md"),
    ],
)
def test_mathematics_comes_with_a_picture(page: str) -> None:
    assert "](drawn/" in (ROOT / "docs" / page).read_text("utf-8")


def test_every_option_is_on_the_page_of_its_command() -> None:
    pages = site_tool("commands").pages((ROOT / "docs" / "commands.md").read_text("utf-8"))

    def within(command: Any, name: str) -> None:
        if name != "ktsolve":
            top = name.split()[1]
            own = pages[f"commands/{top}.md"]
            assert own.startswith(f"# ktsolve {top}\n")
            if name.count(" ") > 1:
                own = own.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
            assert f"```text\n{name} " in own
            for option in command.params:
                if option.param_type_name == "option" and not option.hidden and option.name != "help":
                    for word in [*option.opts, *option.secondary_opts]:
                        assert re.search(rf"^\| `[^`]*{word}\b", own, re.MULTILINE), (name, word)
        for word, inner in getattr(command, "commands", {}).items():
            if not inner.hidden:
                within(inner, f"{name} {word}")

    within(root(), "ktsolve")
    listed = {f"commands/{name}.md" for name, command in root().commands.items() if not command.hidden}
    assert set(pages) == {"commands.md", *listed}
    assert all(f"]({name})" in pages["commands.md"] for name in listed)
    for name, text in pages.items():
        # The headings of docstrings are headings, and what the guide says is said once.
        assert not re.search(r"^-{3,}$|Examples -", text, re.MULTILINE), name
        assert "\n## ktsolve " not in text or name != "commands.md"


def test_a_section_of_an_unknown_command_is_refused() -> None:
    with pytest.raises(SystemExit, match="do not exist: fly"):
        site_tool("commands").pages("# Commands\n\n## ktsolve fly\n\nFlies.\n")


def test_every_published_value_is_on_its_page() -> None:
    page = site_tool("catalogue").page()
    tours, _, others = page.partition("\n## Closed tours up to symmetry\n")
    rows = [re.sub(r"\[(A\d+)\]\(\S+?\)", r"\1", line) for line in tours.splitlines()]
    assert sum(bool(re.match(r"\| (closed.*|open.*|\d+x\d+) \|", row)) for row in rows) == len(published())
    for entry in published():
        source = re.sub(r"\b\d{5,}", lambda found: f"{int(found[0]):,}", entry.source).replace(
            "1245", "1,245"
        )
        wanted = f"| {entry.problem.board.size} | {entry.count:,} | {source}"
        assert any(wanted in row for row in rows), entry
    data = tomllib.loads((ROOT / "ktsolve/data/published.toml").read_text("utf-8"))
    assert others.count("\n## ") + 1 == len(data) - 1
    for entry in data["graph"]:
        for name, number in entry["cycles"].items():
            assert f"| `graph:{name}` | {int(number):,} |" in others
    assert "6,670,903,752,021,072,936,960 | 5,472,730,538 | 10,945,437,157" in others


@pytest.mark.parametrize(
    "path",
    [slow(path) if path.stem == "tours" else full(path) for path in NOTEBOOKS],
    ids=[path.name for path in NOTEBOOKS],
)
def test_notebooks_run(path: Path) -> None:
    notebook = json.loads(path.read_text("utf-8"))
    names: dict[str, Any] = {}
    shown = []
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [], "kept without outputs, which would go out of date"
        body = ast.parse("".join(cell["source"])).body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), path.name, "exec"), names)
        if last is not None:
            shown.append(eval(compile(ast.Expression(last.value), path.name, "eval"), names))  # type: ignore[attr-defined]
    assert any(hasattr(value, "_repr_svg_") for value in shown)
    assert not any(isinstance(value, dict) for value in shown), "a dictionary is not a picture of an answer"
    assert names["tour"].valid
    expected = {"tours": (8, 3), "graphs": [0, 6, 7, 12, 3, 30, 0, 34, 13, 56, 3, 108]}
    # An array among them has no truth value when it is compared.
    assert repr(expected.get(path.stem, shown[0])) in map(repr, shown)


def test_pages_of_notebooks_set_input_and_output_apart() -> None:
    class Output(dict[str, Any]):
        __getattr__ = dict.__getitem__

    def output(kind: str, **data: str) -> Output:
        return Output(output_type=kind, data=data, text=data.get("text", ""))

    cells = [
        SimpleNamespace(cell_type="markdown", source="# A notebook"),
        SimpleNamespace(
            cell_type="code",
            source="print(1)\nanswer",
            outputs=[
                output("stream", text="1\x1b[0m\n"),
                output("execute_result", **{"text/html": "<div>\n\n2</div>", "text/plain": "raw"}),
            ],
        ),
        SimpleNamespace(
            cell_type="code",
            source="tour",
            outputs=[output("execute_result", **{"image/svg+xml": "<svg><title>A &amp; B</title></svg>"})],
        ),
        SimpleNamespace(cell_type="code", source="x = 1", outputs=[]),
    ]
    page, files = site_tool("notebooks").page_of(SimpleNamespace(cells=cells), "some.ipynb")
    assert page.startswith("# A notebook\n\n[Download this notebook](some.ipynb)\n\n")
    boxes = re.findall(
        r'<div class="notebook-(\w+)"(?: markdown="1")?>\n+(.*?)\n+</div>(?=\n\n|$)', page, re.DOTALL
    )
    assert boxes == [
        ("input", "```python\nprint(1)\nanswer\n```"),
        ("output", "```text\n1\n```"),
        ("output", "<div>\n\n2</div>"),
        ("input", "```python\ntour\n```"),
        ("output", '<img src="some_files/2-0.svg" alt="A &amp; B">'),
        ("input", "```python\nx = 1\n```"),
    ]
    assert list(files) == ["some_files/2-0.svg"]


def test_links_of_the_readme_lead_to_pages_of_the_site() -> None:
    written = site_tool("build").install_page((ROOT / "README.md").read_text("utf-8"))
    assert written.startswith("# Install\n")
    beside = set(site_tool("build").BESIDE.values())
    targets = re.findall(r"\[([^\]]*)\]\(([^)#:]+)(?:#[^)]*)?\)", written)
    assert len(targets) >= 2
    for text, target in targets:
        assert target in beside or (ROOT / "docs" / target).exists(), target
        assert not text.startswith("docs/"), "on the site a link has the name of its page"


def test_figures_of_the_start_page_are_those_of_other_pages() -> None:
    page = (ROOT / "tools/site/landing.md").read_text("utf-8")
    chessboard = next(each.count for each in published() if str(each.problem) == "closed 8x8")
    assert set(re.findall(r"\b13,\d{3},\d{3},\d{3},\d{3}\b", page)) == {f"{chessboard:,}"}
    answers = re.search(r"\*\*(\d+) answers\*\*", page)
    assert answers
    assert f"all {answers[1]} answers agree" in (ROOT / "README.md").read_text("utf-8")
    benchmarks = (ROOT / "docs/benchmarks.md").read_text("utf-8")
    measured = re.search(r"^\| `ktsolve count 8x8 --quiet` \| ([\d.]+) \|", benchmarks, re.MULTILINE)
    assert measured
    assert f"**{float(measured[1]):.1f} seconds**" in page
    largest = re.search(r"\*\*(43,[\d,]+)\*\*", page)
    assert largest
    assert f"\n*new* {largest[1]}\n" in (ROOT / "docs/results.md").read_text("utf-8")


def test_results_have_a_state_a_number_and_runs() -> None:
    page = (ROOT / "docs/results.md").read_text("utf-8")
    states = set(re.findall(r"^\| \*([a-z ]+)\* \|", page, re.MULTILINE))
    cards = re.split(r"^### ", page, flags=re.MULTILINE)[1:]
    assert len(cards) >= 10
    for card in cards:
        found = re.match(r"[^\n]+\n\n\*([a-z ]+)\* ([\d,]+)\n\n[^\n<]+\n\n<details", card)
        assert found, card
        assert found[1] in states, card
        number = int(found[2].replace(",", ""))
        assert f"{number:,}" == found[2]
        for run in re.split(r"\n\d\. ", card)[1:]:
            if said := re.search(r"modulo ([\d,]*\d)\b.*the residue ([\d,]+) of this", run, re.DOTALL):
                modulus, residue = (int(each.replace(",", "")) for each in said.groups())
                assert number % modulus == residue, run
    assert {card.partition("*")[2].partition("*")[0] for card in cards} == states


def test_bars_have_the_numbers_of_their_tables() -> None:
    charts = site_tool("charts")
    rows = {row.case: row for row in charts._wide("Counting all cycles")}
    assert len(rows) == 11
    assert rows["grid:10,10"] == ("grid:10,10", 0.014, "graphillion", 1.81)
    assert rows["halin:1000"].theirs is None
    boards = {row.case: row for row in charts._long("Constructing one tour")}
    assert boards["open 30x30"] == ("open 30x30", 0.049, "warnsdorff", 0.0028)
    for draw in charts.CHARTS.values():
        texts = [each.text for each in ElementTree.fromstring(draw()).iter(f"{SVG}text")]
        assert "best rival" in texts


def test_options_are_words_of_the_search() -> None:
    made = site_tool("search").entry(
        {
            "location": "commands/count.html#o",
            "title": "<code>--up-to-symmetry</code>",
            "text": "<p>a&lt;b --by-moves</p>",
        }
    )
    assert made == {
        "location": "commands/count.html#o",
        "title": "--up\u2011to\u2011symmetry",
        "text": "<p>a&lt;b --by\u2011moves</p>",
        "boost": 2,
    }
    pages = {
        f"docs/{name}.md" for name in site_tool("search").WORDS if not name.startswith(("python/", "install"))
    }
    assert not [page for page in pages if not (ROOT / page).exists()]


def test_no_page_names_files_that_readers_do_not_have() -> None:
    public = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *PAGES, *NOTEBOOKS]
    public += [
        *(ROOT / "ktsolve").rglob("*.py"),
        *(ROOT / "models").glob("*.py"),
        *(ROOT / "tools/site").glob("*.*"),
    ]
    public += [path for folder in ("ktsolve/data", "instances") for path in (ROOT / folder).rglob("*.*")]
    for path in public:
        if path.is_file() and path.suffix != ".pyc":
            assert "seeds/0" not in path.read_text("utf-8"), path


def test_the_style_sheet_has_no_colours_of_its_own() -> None:
    own = (ROOT / "tools/site/site.css").read_text("utf-8")
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(", own)
    sheet = site_tool("build").stylesheet()
    for name in set(re.findall(r"var\(--kt-([\w-]+)", own)) - {"hairline"}:
        assert sheet.count(f"--kt-{name}: ") == 3, f"one of each theme, and of paper: {name}"


def test_pages_for_links_and_phones_are_there(tmp_path: Path) -> None:
    share = site_tool("share")
    share.write(tmp_path)
    assert share.social().size == (1200, 630)
    assert (tmp_path / "social.png").stat().st_size < 300_000
    assert {path.name for path in tmp_path.iterdir()} == {"social.png", "icon.png", "lost.svg"}
