"""Every command that reads tours reads every format that a command writes, from files and standard input."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command import answered, ktsolve, refused
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


GRAPHS = {
    "g6": "C~\n",
    "col": "p edge 4 5\ne 1 2\ne 2 3\ne 3 4\ne 4 1\ne 1 3\n",
    "edges": "a b\nb c\nc d\nd a\na c\n",
    "matrix": "0 1 1 1\n1 0 1 1\n1 1 0 1\n1 1 1 0\n",
    "net": "*Vertices 4\n1 a\n2 b\n3 c\n4 d\n*Edges\n1 2\n2 3\n3 4\n4 1\n",
    "gml": "graph [\n node [ id 1 ]\n node [ id 2 ]\n node [ id 3 ]\n edge [ source 1 target 2 ]\n"
    " edge [ source 2 target 3 ]\n edge [ source 3 target 1 ]\n]\n",
    "json": '{"vertices": ["a", "b", "c"], "edges": [["a", "b"], ["b", "c"], ["c", "a"]]}\n',
    "hcp": "NAME : x\nTYPE : HCP\nDIMENSION : 3\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n1 2\n"
    "2 3\n3 1\n-1\nEOF\n",
}
SUDOKU = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n"
MOVES = "moves 3x4 open 0,0 25025052052\n"
WRONG = ("txt", "cnf", "opb", "toml", "json", "g6", "csv")
CNF = "p cnf 2 2\n1 2 0\n-1 -2 0\n"
WCNF = "c x\n5 -2 0\nh 1 2 0\n3 -1 0\n"
OPB = "min: +3 x1 -1 x2 ;\n+1 x1 +1 ~x2 >= 1 ;\n"
GRID = "1 4 7 10\n8 11 2 5\n3 6 9 12\n"
CELLS = "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1\n"
INSTANCE = 'model = "tour"\n[parameters]\nboard = "3x4"\nclosed = false\n'
CLUES = "1 . . .\n. . . .\n. . . 12\n"
SLITHERLINK = "https://puzz.link/p?slither/2/2/3d"
SAME = [
    *(("solve FILE -q", text, f"{form}") for form, text in (("cnf", CNF), ("wcnf", WCNF), ("opb", OPB))),
    *(
        ("convert FILE --format opb", text, form)
        for form, text in (("cnf", CNF), ("wcnf", WCNF), ("opb", OPB))
    ),
    ("solve FILE -q", "1 2 0\n2 1 0\n", "cnf"),
    ("solve FILE -q", "1 2 0\n-1 -2 0\n", "cnf"),
    ("solve FILE -q", "constraint x + y >= 1;\nsolve satisfy;\n", "mzn"),
    ("solve FILE -q", INSTANCE, "toml"),
    ("count FILE -q", INSTANCE, "toml"),
    *(("check FILE", text, form) for form, text in (("txt", GRID), ("cells", CELLS), ("moves", MOVES))),
    *(("convert FILE --format csv", text, form) for form, text in (("txt", GRID), ("cells", CELLS))),
    ("rank 3x4 FILE --open -q", GRID, "txt"),
    ("draw FILE", GRID, "txt"),
    *(("count FILE -q", text, form) for form, text in GRAPHS.items()),
    *(("convert FILE --format g6", text, form) for form, text in GRAPHS.items()),
    ("clues solve FILE -q", CLUES, "txt"),
    ("puzzle solve FILE -q", SLITHERLINK, "txt"),
    ("sudoku solve FILE -q", SUDOKU, "txt"),
]


@pytest.mark.parametrize(
    ("command", "text", "suffix"),
    quick(SAME, lambda case: case[0].startswith(("solve", "check", "convert FILE --format opb"))),
)
def test_contents_have_one_answer_by_name_and_by_pipe(
    command: str, text: str, suffix: str, tmp_path: Path
) -> None:
    """By its suffix, by another, by none and by pipe: the answer is the same, or there is none."""
    answers = {}
    for name in (f"x.{suffix}", *(f"x.{other}" for other in WRONG if other != suffix), "x", "-"):
        given = text.encode()
        if name != "-":
            (tmp_path / name).write_bytes(given)
        file = name if name == "-" else str(tmp_path / name)
        said = ktsolve(*(file if word == "FILE" else word for word in command.split()), given=given)
        assert said.status in (0, 1, 2), said
        if said.status != 2:
            answers[name] = re.sub(r"(?m)^(?:\S*\bx(?:\.\w+)?|-):", "FILE:", said.out)
    assert len(set(answers.values())) <= 1, answers
    if not text.startswith(("1 2 0", "constraint")):
        # An instance is a file, and two names in a line are a move as well as an edge.
        piped = set() if suffix == "toml" or (command[:4], suffix) == ("conv", "edges") else {"-"}
        assert answers.keys() >= {f"x.{suffix}"} | piped
    else:
        assert not answers


def test_aliases_name_the_same_format() -> None:
    for alias, name in (("txt", "grid"), ("tour", "tsplib")):
        written = [answered("tour", "5x6", "--format", each, "-q").out for each in (alias, name)]
        assert written[0] == written[1]
    assert "unknown: use grid, npy, moves, json" in refused("tour", "5x6", "--format", "bmp")


def test_graphs_are_recognised_without_a_name() -> None:
    wanted = answered("convert", "3x4", "--format", "g6").out
    for form in formats_of("graph"):
        if form.name in ("g6", "d6"):  # d6 holds arcs
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
