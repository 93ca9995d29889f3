"""Puzzles as text, addresses, game ids, files of other programs and JSON; the commands ``ktsolve puzzle``."""

from __future__ import annotations

import importlib
import json
import zlib
from base64 import b64encode
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import quote

import pytest
from command import answered, ktsolve
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import examples

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.grids.puzzle import GridPuzzle
from ktsolve.wings.puzzles import clue_tasks, making, solving
from ktsolve.wings.puzzles.files import Named, puzzle_json, read_puzzles, write_puzzle
from ktsolve.wings.puzzles.kinds import KINDS
from ktsolve.wings.puzzles.solving import solutions

REFERENCES = {
    "slitherlink": ("slither/5/5/cbcbcddad", "2..1.\n.2..1\n..2..\n3..3.\n.0..3"),
    "masyu": ("mashu/6/6/1063000i3000", "..o...\n.*..o.\n......\n...*..\n.o....\n......"),
    "numberlink": ("numlin/5/5/1j2h3m1h2j3", "1....\n2..3.\n.....\n.1..2\n....3"),
    "yajilin": (
        "yajilin/5/5/m32j10",
        ". . . . .\n. . . . .\n. . . 2< .\n. . . . .\n. . . . 0^",
    ),
}
"""The examples in the tests of pzprjs, each as an address and as it looks there."""

MARKS = {
    "slitherlink": st.sampled_from("0123"),
    "masyu": st.sampled_from("o*"),
    "numberlink": st.integers(1, 12287).map(str),
    "yajilin": st.one_of(
        st.just("?"), st.tuples(st.integers(0, 999), st.sampled_from("<>^v")).map(lambda x: f"{x[0]}{x[1]}")
    ),
}


@st.composite
def puzzles(draw: st.DrawFn, name: str) -> GridPuzzle:
    rows, columns = draw(st.integers(1, 8)), draw(st.integers(1, 40))
    cells = draw(st.lists(st.integers(0, rows * columns - 1), max_size=30, unique=True))
    return GridPuzzle.of(rows, columns, {divmod(cell, columns): draw(MARKS[name]) for cell in cells})


@pytest.mark.parametrize("name", REFERENCES)
def test_addresses_of_the_program_itself(name: str) -> None:
    address, text = REFERENCES[name]
    kind, puzzle = KINDS[name], GridPuzzle.read(text)
    assert write_puzzle(kind, puzzle, "url") == f"https://puzz.link/p?{address}"
    for site in ("", "https://puzz.link/p?", "http://pzv.jp/p.html?", "https://pzprxs.vercel.app/p?"):
        assert read_puzzles(site + address) == [Named(kind, puzzle)]
    assert len(list(solutions(kind, puzzle, 2, "sat"))) == 1


@pytest.mark.parametrize("name", MARKS)
def test_addresses_and_texts_are_read_back(name: str) -> None:
    kind = KINDS[name]

    @examples(25)
    @given(puzzles(name))
    def there_and_back(puzzle: GridPuzzle) -> None:
        assert kind.address is not None
        assert kind.address.read(puzzle.rows, puzzle.columns, kind.address.write(puzzle)) == puzzle
        assert GridPuzzle.read(str(puzzle)) == puzzle
        if name in ("slitherlink", "masyu"):
            assert read_puzzles(write_puzzle(kind, puzzle, "id")) == [Named(kind, puzzle)]
            assert read_puzzles(json.dumps(puzzle_json(kind, puzzle))) == [Named(kind, puzzle)]

    there_and_back()


# -- one meaning ---------------------------------------------------------------------------------------------


@st.composite
def valid_puzzles(draw: st.DrawFn) -> Named:
    """A puzzle of any kind with clues that the kind can have; it need not have a solution."""
    kind = KINDS[draw(st.sampled_from(sorted(KINDS)))]
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 12))
    order = draw(st.permutations(range(rows * columns)))
    if kind.name in ("slitherlink", "masyu", "yajilin"):
        some = order[: draw(st.integers(0, 20))]
        marks = [draw(MARKS[kind.name]) for _ in some]
    elif kind.name == "numberlink":
        names = st.integers(1, 12287).map(str) | st.text("ABCabc", min_size=1, max_size=2)
        pairs = draw(st.lists(names, min_size=1, max_size=6, unique=True))[: max(1, len(order) // 2)]
        marks = [mark for mark in pairs for _ in range(2)]
    else:
        holes = draw(st.integers(0, min(5, len(order) - 1)))
        last = len(order) - holes
        marks = ["#"] * holes + list(map(str, draw(st.lists(st.integers(1, last), max_size=9, unique=True))))
    assume(len(marks) <= len(order))
    clues = {divmod(cell, columns): mark for cell, mark in zip(order, marks, strict=False)}
    return Named(kind, GridPuzzle.of(rows, columns, clues))


def mangled_texts(text: str) -> Iterator[str]:
    """A text with what editors, mails and pages do to it, that does not change its meaning."""
    lines = text.split("\n")
    yield text + "\n"
    yield "\ufeff" + text.replace("\n", "\r\n") + "\r\n"
    yield "\n\n" + "  \t\n".join(lines) + "\n\n\n"
    yield "\n".join(["# from a newspaper", lines[0].upper(), "", "# rather easy", *lines[1:]])
    yield "\n".join([lines[0], *(line.replace(" ", "\t") for line in lines[1:])])
    if any(" " in line for line in lines[1:]):
        yield "\n".join([lines[0], *(f"| {' | '.join(line.strip('|').split())} |" for line in lines[1:])])


def mangled_addresses(address: str) -> Iterator[str]:
    """The forms of an address that programs and people write."""
    tail = address.partition("?")[2]
    letters, rest = tail.split("/", 1)
    for site in (
        "",
        "http://pzv.jp/p.html?",
        "https://pzprxs.vercel.app/p?",
        "https://puzz.link/p?type=editor&",
    ):
        yield site + tail
    yield f"http://pzv.jp/p.html?{letters}_edit/{rest}"
    yield from (
        f"<{address}>",
        f"{address}#top",
        f"{address}/",
        f"\ufeff{address}\r\n",
        f"# a\n\n{address} \n",
    )
    yield "https://puzz.link/p?" + quote(tail, safe="")
    head, _, body = address.rpartition("/")
    yield f"{head}/{quote(body, safe='')}"


def pzpr_files(named: Named) -> Iterator[str]:
    """The file that pzpr writes, with lines of a solution, and as an address of its editor."""
    kind, puzzle = named.kind, named.puzzle
    if kind.address is None or any(mark.isalpha() and mark != "o" for _, mark in puzzle.clues):
        return
    arrows = {"^": 1, "v": 2, "<": 3, ">": 4}
    marks = {"o": "1", "*": "2", "?": "0,-"}
    if kind.name == "yajilin":
        marks |= {mark: f"{arrows[mark[-1]]},{mark[:-1]}" for _, mark in puzzle.clues if mark != "?"}
    rows = [
        " ".join(marks.get(mark := puzzle.clue.get((r, c), "."), mark) for c in range(puzzle.columns)) + " "
        for r in range(puzzle.rows)
    ]
    solution = [" ".join("1" * puzzle.columns) + " " for _ in range(puzzle.rows + 1)]
    size = [str(puzzle.rows), str(puzzle.columns)]
    text = "\n".join(["pzprv3.1", kind.address.letters, *size, *rows, *solution]) + "\n"
    yield text
    yield text.replace("\n", "\r\n") + '\r\nhistory:{"a":[]}'
    for address in (text.replace("\n", "/"), quote(text.replace("\n", "/"))):
        yield f"https://puzz.link/p?type=editor&{address}"


def saved_game(name: str, parameters: str, clues: str) -> str:
    """A save file of Simon Tatham's collection, of a game in which a move was made."""
    values = [("GAME", name), ("PARAMS", "7x7dt"), ("CPARAMS", parameters), ("DESC", clues), ("NSTATES", "2")]
    head = "SAVEFILE:41:Simon Tatham's Portable Puzzle Collection\nVERSION :1:1\n"
    return head + "".join(f"{key:8}:{len(value)}:{value}\n" for key, value in values) + "MOVE    :3:1y2\n"


def drawing(named: Named, tags: list[str], more: Mapping[str, Any] = {}) -> str:
    """The address that penpa-edit gives to a puzzle with two rows above it and a column on its left."""
    puzzle = named.puzzle
    numbers: dict[str, Any] = {}
    symbols: dict[str, Any] = {}
    for (r, c), mark in puzzle.clues:
        place = str((r + 4) * (puzzle.columns + 5) + c + 3)
        if named.kind.name == "masyu":
            symbols[place] = [1 if mark == "o" else 2, "circle_L", 1]
        elif named.kind.name == "yajilin" and mark != "?":
            numbers[place] = [f"{mark[:-1]}_{'^<>v'.index(mark[-1])}", 1, "2"]
        else:
            numbers[place] = [mark, 1, "1"]
    drawn = json.dumps({"zR": {"z_": []}, "zS": {}, "zT": [], "zN": numbers, "zY": symbols, **more})
    for name in ("zR", "z_", "zS", "zT", "zN", "zY", *more):
        drawn = drawn.replace(f'"{name}"', name)
    size = f"square,{puzzle.columns + 1},{puzzle.rows + 2},38,0,1,1,456,456,84,84"
    lines = [size, "[2,0,1,0]", "{}", drawn, *["x"] * 13, json.dumps(tags)]
    packer = zlib.compressobj(wbits=-15)
    data = packer.compress("\n".join(lines).encode()) + packer.flush()
    return f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={b64encode(data).decode()}"


@examples(150)
@given(valid_puzzles())
def test_a_puzzle_in_every_form_is_the_same_puzzle(named: Named) -> None:
    kind, puzzle = named.kind, named.puzzle
    text = write_puzzle(kind, puzzle)
    forms = [*mangled_texts(text), *pzpr_files(named)]
    data = dict(puzzle_json(kind, puzzle))
    forms += [json.dumps(data), json.dumps([data]), json.dumps({"list": [data]}), json.dumps(data, indent=1)]
    if "url" in data:
        forms += mangled_addresses(data["url"])
        cut = data["url"][:-1]
        with pytest.raises(BadInput):
            read_puzzles(cut)
    if kind.name in ("slitherlink", "masyu"):
        game, page = {"slitherlink": ("Loopy", "loopy"), "masyu": ("Pearl", "pearl")}[kind.name]
        name = write_puzzle(kind, puzzle, "id")
        forms += [name, f"#{name}", f"{page}:{name}", f"https://a.org/js/{page}.html#{name}"]
        forms.append(saved_game(game, *name.split(":")))
        forms.append(saved_game(game, *name.split(":")).replace("\n", "\r\n"))
    if kind.name in ("slitherlink", "masyu", "yajilin", "numberlink"):
        forms.append(drawing(named, [kind.name, "classic"]))
    for form in forms:
        assert read_puzzles(form) == [named], form
    assert read_puzzles("\n".join([text, "", text])) == [named, named]
    assert read_puzzles("\n".join([json.dumps(data)] * 2)) == [named, named]
    if len(text.split("\n")) > 2:  # a heading and one row: the empty line is not between rows
        with pytest.raises(BadInput, match="an empty line is above this row"):
            read_puzzles(text.replace("\n", "\n\n"))
    if puzzle.columns > 1 and not drawn_alike(puzzle):
        assert read_puzzles("\n".join(text.split("\n")[1:]), kind) == [named]


def drawn_alike(puzzle: GridPuzzle) -> bool:
    """Whether the first row is also the name of a kind or a comment."""
    return str(puzzle).split("\n")[0].strip().lower() in KINDS


def test_files_of_pzpr() -> None:
    text = "pzprv3/slither/2/3/2 . . /. 0 . /1 1 0 0 /1 0 0 0 /1 0 0 /1 0 0 /0 0 0 /"
    assert str(read_puzzles(text)[0].puzzle) == "2 . .\n. 0 ."
    assert str(read_puzzles(text.replace("/", "\n"))[0].puzzle) == "2 . .\n. 0 ."
    arrows = read_puzzles("pzprv3/yajilin/2/3/. 4,2 . /0,- . 1,0 /. . . /")[0].puzzle
    assert arrows.clue == {(0, 1): "2>", (1, 0): "?", (1, 2): "0^"}
    pearls = read_puzzles("pzprv3/mashu/1/3/1 . 2 /0 0 /")[0].puzzle
    assert pearls.clue == {(0, 0): "o", (0, 2): "*"}


def test_several_puzzles_in_one_text() -> None:
    found = read_puzzles("masyu\n..o\n...\n...\n\nslitherlink\n3 2\n1 .\n")
    assert [(each.kind.name, each.puzzle.size) for each in found] == [
        ("masyu", "3x3"),
        ("slitherlink", "2x2"),
    ]
    assert read_puzzles("3 2\n1 .", KINDS["slitherlink"])[0].puzzle.size == "2x2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "empty"),
        ("3 2\n1 .", "does not name its kind"),
        ("slitherlink\n3 2\n1", "line 2 of the puzzle has 1 entries where line 1 has 2"),
        ("slitherlink\n3 5", "row 1, column 2 .* '5' is not a clue"),
        ("numberlink\n1 2 1", "2 is in 1 cells|'2' is in 1 cells"),
        ("yajilin\n. 2x", "a number and an arrow"),
        ("hidato\n1 9", "from 1 to 2"),
        ("hidato\n1 1", "1 is given in row 1, column 1 and in row 1, column 2"),
        ("https://puzz.link/p?sudoku/9/9/a", "slither, mashu, yajilin, numlin"),
        ("https://puzz.link/p?slither/99999/99999/a", "at most 10,000 cells"),
        ("https://puzz.link/p?slither/2/2/zzz0", "more clues than 2x2"),
        ("https://puzz.link/p?slither/2/2/.", "without a number"),
        ("https://puzz.link/p?slither/3/2/d0", "describes 4 cells, and 2x3 has 6"),
        ("https://puzz.link/p?numlin/2/2/1-1", "'1' in the place of a number"),
        ("https://puzz.link/p?mashu/u/6/6/1063000i3000", "variant of Masyu, /u/"),
        ("http://www.kanpen.net/slitherlink.html?problem=5/5/a", "those end with"),
        ("5x5t3:a", "only squares"),
        ("5x5t" + "9" * 5000 + ":a", "only squares"),
        ("loopy:5x5:a", "are not those of loopy"),
        ("https://a.org/js/solo.html#3x3:a1", "'solo' is not read: only loopy and pearl"),
        ("#5x5t0de#123456", "a seed"),
        ("slitherlink\n\nmasyu\n..o\n...\n...", "line 1: no rows follow the name of the kind slitherlink"),
        ("masyu\n..o\n...\n...\n\n..o\n...\n...", "line 6: an empty line is above this row"),
        ("# closed\n1 . .", "that only ktsolve clues solves"),
        ("# open leaper 1,3\n1 . .", "that only ktsolve clues solves"),
        ("# only\n# comments", "only comments"),
        ("numbrix\n# 1 2\n. 6 .\n. . .", "the line '# 1 2' is a comment, or a row that begins with a hole"),
        ("masyu\n..o\n...\n\nslitherlink\n3 9", "line 5: row 1, column 2 .* '9'"),
        ("hidato\n| 1 | |", "line 1 of the puzzle has an empty entry"),
        ("SAVEFILE:41:Simon\nGAME    :4:Solo\nCPARAMS :3:3x3\nDESC    :2:a1", "'solo' is not read"),
        ("SAVEFILE:41:Simon\nGAME    :5:Loopy\nCPARAMS :5:2x2t0\nDESC    :9:a1", "needs whole lines of GAME"),
        ("pzprv3/mashu/2/2/. 1 /. . . /1 . /", "has 1 rows of 2 cells"),
        ('{"kind": "masyu", "rows": 2, "puzzle": ["..o"]}', "not what the rest of it says"),
        ('[{"kind": "masyu", "puzzle": ["..o"]}, 3]', "puzzle 2: the JSON has no puzzle"),
        ("2x2t0:aa", "describes 2 cells"),
        ("pzprv3/slither/2", "ends early|no size"),
        ("pzprv3/slither/9/9/. ./", "has 0 rows"),
        ('{"kind": "masyu"}', '"puzzle", a list'),
        ("{", "cannot be read"),
    ],
)
def test_what_is_at_fault_is_named(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        read_puzzles(text)


def test_rows_that_look_like_comments_are_written_in_a_frame() -> None:
    clues = {(0, 0): "#", (0, 1): "1", (0, 2): "2", (1, 0): "#"}
    puzzle = GridPuzzle.of(2, 3, clues)
    text = write_puzzle(KINDS["hidato"], puzzle)
    assert text == "hidato\n|# 1 2|\n|# . .|"
    assert read_puzzles(text)[0].puzzle == puzzle
    clear = GridPuzzle.of(2, 3, {**clues, (1, 2): "#"})
    text = write_puzzle(KINDS["hidato"], clear)
    assert text == "hidato\n# 1 2\n# . #"
    assert read_puzzles(text)[0].puzzle == clear


def test_drawings_of_penpa_edit() -> None:
    numbers = Named(KINDS["numberlink"], GridPuzzle.read("1 2\n1 2"))
    untagged = drawing(numbers, [])
    assert read_puzzles(untagged, KINDS["numberlink"]) == [numbers]
    assert read_puzzles(untagged.replace("#", "?").replace("edit&p", "solve&p"), KINDS["numberlink"]) == [
        numbers
    ]
    for address, message in (
        (untagged, "give --kind"),
        (drawing(numbers, ["masyu", "numberlink"]), "give --kind"),
        (drawing(numbers, ["numberlink"], {"zL": {"1,2": 3}}), "has lines: only numbers"),
        (drawing(numbers, ["numberlink"], {"zY": {"9": [1, "star", 1]}}), "outside of cells|not a pearl"),
        (untagged[:-9], "is not complete"),
    ):
        with pytest.raises(BadInput, match=message):
            read_puzzles(address)
    packer = zlib.compressobj(wbits=-15)
    bomb = packer.compress(b"square,2,2\n" + bytes(50_000_000)) + packer.flush()
    with pytest.raises(BadInput, match="more than 1,048,576 characters"):
        read_puzzles(f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={b64encode(bomb).decode()}")


# -- commands ------------------------------------------------------------------------------------------------


def test_commands(tmp_path: Path) -> None:
    file, picture = str(tmp_path / "loop.txt"), tmp_path / "loop.svg"
    made = answered("puzzle", "make", "slitherlink", "5x5", "--seed", "4", "-o", file)
    assert "one solution (sat, cpsat), medium" in made.err
    assert answered("puzzle", "solve", file).out.count("\n") == 11
    assert "the only solution" in answered("puzzle", "unique", file).out
    answered("puzzle", "draw", file, "--solution", "-o", str(picture))
    assert "<title>Slitherlink of 5x5</title>" in picture.read_text("utf-8")
    data = json.loads(answered("puzzle", "unique", file, "--json").out)
    assert data["unique"] is True
    assert data["difficulty"]["level"] == "medium"
    assert data["url"].startswith("https://puzz.link/p?slither/5/5/")
    again = json.loads(answered("puzzle", "make", "slitherlink", "5x5", "--seed", "4", "--json").out)
    assert again["puzzle"] == data["puzzle"]
    assert again["confirmed_by"] == "cpsat"
    assert "knight-maze" in answered("puzzle", "list").out


def test_answers_no() -> None:
    several = ktsolve("puzzle", "unique", "-", given=b"slitherlink\n2 .\n. .")
    assert several.status == 1
    assert "not the only solution: another differs in" in several.out
    none = ktsolve("puzzle", "solve", "-", given=b"slitherlink\n0 0\n0 0")
    assert (none.status, none.out) == (1, "no solution\n")
    for arguments in (
        ("make", "nothing", "5x5"),
        ("make", "masyu", "5"),
        ("make", "hidato", "5x5", "--format", "url"),
        ("make", "masyu", "5x5", "--difficulty", "extreme"),
        ("solve", "missing.txt"),
        ("solve", "https://puzz.link/p?slither/5/5/!!"),
    ):
        said = ktsolve("puzzle", *arguments)
        assert (said.status, said.out) == (2, ""), arguments
        assert said.err.startswith("ktsolve: ")
        assert said.err.count("\n") == 1


def test_an_answer_does_not_depend_on_an_address(tmp_path: Path) -> None:
    """Letters have no place in addresses of puzz.link: the JSON has none, and --format url says so."""
    given = b"numberlink\nA..\nB.A\n..B"
    assert answered("puzzle", "solve", "-", given=given).out.startswith("A")
    data = json.loads(answered("puzzle", "solve", "-", "--json", given=given).out)
    assert data["list"]
    assert "url" not in data
    file = tmp_path / "letters.json"
    file.write_text(json.dumps(data))
    assert answered("puzzle", "draw", str(file)).out == "A . .\nB . A\n. . B\n"


def test_several_puzzles_are_answered_each(tmp_path: Path) -> None:
    file, output = tmp_path / "several.txt", tmp_path / "answers.json"
    file.write_text(
        "# three\nslitherlink\n2.\n..\n\nslitherlink\n0 0\n0 0\n\nhttps://puzz.link/p?mashu/6/6/1063000i3000\n"
    )
    said = ktsolve("puzzle", "solve", str(file))
    assert said.status == 1
    heads = [line for line in said.out.splitlines() if line.startswith("line ")]
    assert heads == ["line 2: Slitherlink of 2x2", "line 6: Slitherlink of 2x2", "line 10: Masyu of 6x6"]
    assert "\nno solution\n" in said.out
    said = ktsolve("puzzle", "unique", str(file), "--json", "-o", str(output))
    assert (said.status, said.out) == (1, "")
    lines = [json.loads(line) for line in output.read_text().splitlines()]
    assert [(each["place"], each["status"]) for each in lines] == [
        ("line 2", "several"),
        ("line 6", "impossible"),
        ("line 10", "found"),
    ]
    assert [each.puzzle.size for each in read_puzzles(output.read_text())] == ["2x2", "2x2", "6x6"]
    picture = ktsolve("puzzle", "solve", str(file), "-o", str(tmp_path / "all.svg"))
    assert picture.status == 2
    assert "holds 3 puzzles: ktsolve puzzle draw --solution" in picture.err


def test_a_missing_file_is_a_missing_file() -> None:
    said = ktsolve("puzzle", "solve", "no/such/folder/with:loop.txt")
    assert said.status == 2
    assert "No such file" in said.err


def test_uniqueness_does_not_depend_on_the_rating(monkeypatch: pytest.MonkeyPatch) -> None:
    """When no time is left to rate the difficulty, the proof that there is one solution is printed."""

    def too_late(*_: object) -> NoReturn:
        raise LimitReached("stopped at the time limit")

    monkeypatch.setattr("ktsolve.wings.puzzles.deduction.rate", too_late)
    said = ktsolve("puzzle", "unique", "https://puzz.link/p?slither/5/5/cbcbcddad")
    assert said.status == 0
    assert "the only solution" in said.out
    assert "did not suffice to rate" in said.err


def test_puzzles_that_were_made_are_printed_at_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without time for the second proof, or for the next puzzle, those that are made are not lost."""
    made = importlib.import_module("ktsolve.wings.puzzles.making")

    def too_late(*_: object) -> NoReturn:
        raise LimitReached("stopped at the time limit")

    monkeypatch.setattr(made, "confirmed_by", too_late)
    said = answered("puzzle", "make", "masyu", "5x5", "--seed", "1")
    assert "one solution (sat), medium" in said.err
    one = made.make(KINDS["masyu"], 5, 5, 1)
    answers = iter([one, one])
    monkeypatch.setattr(made, "make", lambda *_: next(answers, None) or too_late())
    said = ktsolve("puzzle", "make", "masyu", "5x5", "--number", "5")
    assert said.status == 3
    assert [each.puzzle for each in read_puzzles(said.out)] == [one.puzzle] * 2
    assert "stopped at the time limit: 2 puzzles of 5" in said.err


# -- stopped -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stop", "said"),
    [(LimitReached("stopped at the limit"), "stopped at the limit"), (KeyboardInterrupt(), "interrupted")],
)
def test_what_is_stopped_prints_what_it_has(
    stop: BaseException, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def few(task: Any, most: int) -> Any:
        calls: list[int] = []

        def stopped(*given: Any, **more: Any) -> Any:
            calls.append(0)
            if len(calls) > most:
                raise stop
            return task(*given, **more)

        return stopped

    found = solving.solutions

    def two(*given: Any) -> Iterator[Any]:
        yield from islice(found(*given), 2)
        raise stop

    (tmp_path / "loop.txt").write_text("slitherlink\n3 .\n. .\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(solving, "solutions", two)
    whole = ktsolve("puzzle", "solve", "loop.txt", "--number", "9")
    assert (whole.status, whole.err) == (3, f"ktsolve: {said}\n")
    assert whole.out.count("│ 3 ") == 2
    data = json.loads(ktsolve("puzzle", "solve", "loop.txt", "--number", "9", "--json").out)
    assert (data["status"], len(data["list"]), data["complete"], data["reason"]) == ("found", 2, False, said)
    assert ktsolve("puzzle", "unique", "loop.txt").out == ""
    monkeypatch.setattr(making, "make", few(making.make, 2))
    made = ktsolve("puzzle", "make", "slitherlink", "4x4", "--number", "5", "-o", "made.txt")
    assert made.status == 3
    assert f"{said}: 2 puzzles of 5" in made.err
    assert (tmp_path / "made.txt").read_text(encoding="utf-8").count("slitherlink") == 2
    monkeypatch.setattr(clue_tasks, "make_puzzle", few(clue_tasks.make_puzzle, 1))
    clues = ktsolve("clues", "make", "5x6", "--number", "5", "-o", "clues.txt")
    assert clues.status == 3
    assert f"{said}: 1 puzzle of 5" in clues.err
    assert (tmp_path / "clues.txt").read_text(encoding="utf-8")
