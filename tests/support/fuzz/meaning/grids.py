"""Sudokus and other puzzles: as ktsolve writes them, and as other programs and sites do."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

from fuzz.meaning.writers import Kind, Writer, Written
from ktsolve.base.errors import BadInput, KtsolveError
from ktsolve.grids.box import Box
from ktsolve.grids.puzzle import GridPuzzle
from ktsolve.wings.puzzles.files import FORMATS, puzzle_json, read_puzzles, write_puzzle
from ktsolve.wings.puzzles.kinds import KINDS
from ktsolve.wings.sudoku.files import read_sudokus

__all__ = ["PUZZLES", "SUDOKUS"]

# -- sudokus ----------------------------------------------------------------------------------------------


def _draw_sudoku(chance: random.Random) -> list[dict[str, Any]]:
    """A puzzle or several of one size: rows of digits, 0 for an empty cell."""
    k = chance.choice((2, 3, 3, 3, 4))
    found = []
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        n = k * k
        digits = chance.sample(range(1, n + 1), n)
        rows = [k * band + row for band in chance.sample(range(k), k) for row in chance.sample(range(k), k)]
        columns = [k * stack + c for stack in chance.sample(range(k), k) for c in chance.sample(range(k), k)]
        share = chance.choice((0.2, 0.4, 0.7, 1.0))
        found.append(
            {
                "side": n,
                "cells": [
                    digits[(k * (r % k) + r // k + c) % n] if chance.random() < share else 0
                    for r in rows
                    for c in columns
                ],
            }
        )
    return found


_DIGITS = "123456789ABCDEFG"


def _rows(puzzle: dict[str, Any], empty: str = ".", digits: str = _DIGITS) -> list[str]:
    n = puzzle["side"]
    letters = [digits[digit - 1] if digit else empty for digit in puzzle["cells"]]
    return ["".join(letters[at : at + n]) for at in range(0, n * n, n)]


def _meant(puzzles: Sequence[dict[str, Any]], *, letters: bool = False) -> dict[str, Any]:
    return {"puzzles": list(puzzles), "up to names": letters}


def _same_sudoku(found: list[dict[str, Any]], meant: dict[str, Any]) -> bool:
    if not meant["up to names"]:
        return bool(found == meant["puzzles"])
    for left, right in zip(found, meant["puzzles"], strict=True):
        pairs = set(zip(left["cells"], right["cells"], strict=True))
        if len(pairs) != len({a for a, _ in pairs}) or len(pairs) != len({b for _, b in pairs}):
            return False
        if any((a == 0) != (b == 0) for a, b in pairs):
            return False
    return len(found) == len(meant["puzzles"])


def _read_sudoku(data: bytes, _form: str, _way: str, packed: str, _: Any) -> list[dict[str, Any]]:
    if packed:
        raise BadInput("a text is read")
    found = [each.puzzle for each in read_sudokus(data.decode())]
    return [{"side": each.box.side, "cells": list(each.clues)} for each in found]


def _sudoku(
    form: str,
    by: str,
    write: Callable[[random.Random, dict[str, Any]], str],
    *,
    sides: tuple[int, ...] = (4, 9, 16),
    between: str | None = None,
    sure: bool = True,
    letters: bool = False,
) -> Writer:
    """A writer of one puzzle, or of several with a text between them."""

    def made(chance: random.Random, puzzles: list[dict[str, Any]]) -> Written | None:
        if puzzles[0]["side"] not in sides:
            return None
        chosen = puzzles if between is not None else puzzles[:1]
        text = (between or "").join(write(chance, puzzle) for puzzle in chosen)
        return text, _meant(chosen, letters=letters)

    return Writer(form, by, made, sure)


def _framed(chance: random.Random, puzzle: dict[str, Any], corner: str, first: str = "") -> str:
    k = int(puzzle["side"] ** 0.5)
    rows = _rows(puzzle, chance.choice((".", ".", "0")))
    blank = chance.choice(("", " "))
    rule = corner.join(["-" * (len(blank.join("x" * k)) + 2 * len(blank))] * k)
    lines = []
    for number, row in enumerate(rows):
        if number and number % k == 0:
            lines.append(f"{first}{rule}{first}")
        parts = [blank.join(row[at : at + k]) for at in range(0, k * k, k)]
        side = "|" if first else ""
        lines.append(side + "|".join(f"{blank}{part}{blank}" for part in parts) + side)
    if first:
        lines = [f"{first}{rule}{first}", *lines, f"{first}{rule}{first}"]
    return "\n".join(lines) + "\n"


def _numbers(chance: random.Random, puzzle: dict[str, Any]) -> str:
    n = puzzle["side"]
    empty = chance.choice((".", "0"))
    words = [f"{digit or empty!s:>2}" for digit in puzzle["cells"]]
    return "".join(" ".join(words[at : at + n]) + "\n" for at in range(0, n * n, n))


def _table(chance: random.Random, puzzle: dict[str, Any]) -> str:
    n = puzzle["side"]
    mark = chance.choice((",", ";", "\t"))
    words = [str(digit or chance.choice(("",))) for digit in puzzle["cells"]]
    return "".join(mark.join(words[at : at + n]) + "\n" for at in range(0, n * n, n))


def _json_rows(chance: random.Random, puzzle: dict[str, Any]) -> str:
    n = puzzle["side"]
    rows = [puzzle["cells"][at : at + n] for at in range(0, n * n, n)]
    return json.dumps(rows, indent=chance.choice((None, 1))) + "\n"


SUDOKUS = Kind(
    name="sudoku",
    formats=("line", "rows", "frame", "numbers", "table", "sdk", "section", "pair", "json"),
    draw=_draw_sudoku,
    writers=(
        _sudoku("rows", "ktsolve", lambda _, p: f"{Box(*[int(p['side'] ** 0.5)] * 2).draw(p['cells'])}\n"),
        _sudoku("line", "81 characters", lambda c, p: "".join(_rows(p, c.choice(".0"))) + "\n", between=""),
        _sudoku("line", "several lines", lambda c, p: "".join(_rows(p, c.choice(".0"))) + "\n", between=""),
        _sudoku("rows", "rows", lambda c, p: "\n".join(_rows(p, c.choice(".0_*"))) + "\n"),
        _sudoku("rows", "several", lambda _, p: "\n".join(_rows(p)) + "\n", between="\n"),
        _sudoku("rows", "characters with blanks",
                lambda c, p: "\n".join(" ".join(row) for row in _rows(p, c.choice(".0"))) + "\n"),
        _sudoku("rows", "hexadecimal digits",
                lambda _, p: "\n".join(_rows(p, ".", "0123456789ABCDEF")) + "\n", sides=(16,),
                letters=True),
        _sudoku("frame", "+---+", lambda c, p: _framed(c, p, "+", "+")),
        _sudoku("frame", "*---*", lambda c, p: _framed(c, p, "+", "*")),
        _sudoku("frame", "---+---", lambda c, p: _framed(c, p, "+")),
        _sudoku("numbers", "1 to 16", _numbers, sides=(16,)),
        _sudoku("table", "csv", _table, sure=False),
        _sudoku("sdk", "SadMan", lambda _, p: "\n".join(("#Asomebody", "#D2020", *_rows(p), "")), sides=(9,)),
        _sudoku("section", "SadMan", lambda _, p: "[Puzzle]\n" + "\n".join(_rows(p)) + "\n", sides=(9,)),
        _sudoku("pair", "puzzle,solution",
                lambda _, p: "puzzle,solution\n" + "".join(_rows(p, "0")) + "," + "123456789" * 9 + "\n",
                sides=(9,)),
        _sudoku("json", "rows", _json_rows),
    ),
    ways=("text",),
    read=_read_sudoku,
    same=_same_sudoku,
    comments=dict.fromkeys(("line", "rows", "frame", "numbers", "table", "sdk", "section"), ("# {}", "#{}")),
    variants={
        "rows": ((r"(?m)$", " "), (r"\A", "\n")),
        "line": ((r"(?m)$", " ; some text"), (r"(?m)$", "  # 26 clues"), (r"(?m)$", " 1.5")),
        "table": ((r"(?m)$", ","),),
    },
)  # fmt: skip
"""Sudokus with square boxes."""

# -- puzzles ----------------------------------------------------------------------------------------------

Clues = dict[tuple[int, int], str]


def _draw_puzzle(chance: random.Random) -> list[dict[str, Any]]:
    """A puzzle or several, as rows of clues; they need no solution."""
    return [_one_puzzle(chance) for _ in range(chance.choice((1, 1, 1, 2)))]


def _one_puzzle(chance: random.Random) -> dict[str, Any]:
    kind = chance.choice(("slitherlink", "masyu", "numberlink", "yajilin", "hidato", "numbrix"))
    rows, columns = chance.randint(2, 7), chance.randint(2, 7)
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    chosen = chance.sample(cells, chance.randint(1, max(1, len(cells) // chance.choice((1, 2, 5)))))
    marks: list[str]
    if kind == "slitherlink":
        marks = [chance.choice("0123") for _ in chosen]
    elif kind == "masyu":
        marks = [chance.choice("o*") for _ in chosen]
    elif kind == "numberlink":
        chosen = chosen[: len(chosen) // 2 * 2] or cells[:2]
        most = chance.choice((9, 30))
        names = [str(i) for i in chance.sample(range(1, max(most, len(chosen)) + 1), len(chosen) // 2)]
        if chance.random() < 0.2 and len(names) <= 20:
            names = list("ABCDEFGHIJKLMNOPQRST"[: len(names)])
        marks = [*names, *names]
    elif kind == "yajilin":
        marks = [
            chance.choice(("?", f"{chance.choice((0, 1, 2, 3, 17))}{chance.choice('<>^v')}")) for _ in chosen
        ]
    else:
        marks = [str(i) for i in chance.sample(range(1, len(cells) + 1), len(chosen))]
    grid = [["."] * columns for _ in range(rows)]
    for (r, c), mark in zip(chosen, marks, strict=True):
        grid[r][c] = mark
    return {"kind": kind, "rows": grid}


def _puzzle(puzzle: dict[str, Any]) -> GridPuzzle:
    clues = {
        (r, c): mark for r, row in enumerate(puzzle["rows"]) for c, mark in enumerate(row) if mark != "."
    }
    return GridPuzzle.of(len(puzzle["rows"]), len(puzzle["rows"][0]), clues)


def _read_puzzle(data: bytes, _form: str, _way: str, packed: str, _meant: Any) -> list[dict[str, Any]]:
    if packed:
        raise BadInput("a puzzle is text")
    found = []
    for each in read_puzzles(io.StringIO(data.decode()).read()):
        rows = [
            [each.puzzle.clue.get((r, c), ".") for c in range(each.puzzle.columns)]
            for r in range(each.puzzle.rows)
        ]
        found.append({"kind": each.kind.name, "rows": rows})
    return found


def _ours_puzzle(form: str) -> Writer:
    def write(_: random.Random, puzzles: list[dict[str, Any]]) -> Written | None:
        try:
            if form == "json":
                texts = [json.dumps(puzzle_json(KINDS[p["kind"]], _puzzle(p))) for p in puzzles[:1]]
                return "\n".join(texts) + "\n", puzzles[:1]
            texts = [write_puzzle(KINDS[p["kind"]], _puzzle(p), form) for p in puzzles]
        except KtsolveError:
            return None
        return "\n".join(texts) + "\n", puzzles

    return Writer(form, "ktsolve", write)


def _text(chance: random.Random, puzzles: list[dict[str, Any]]) -> Written | None:
    """Without blanks where each clue is a character, or aligned, under the name of the kind."""
    lines: list[str] = []
    for puzzle in puzzles:
        short = all(len(mark) == 1 for row in puzzle["rows"] for mark in row)
        mark = (
            ""
            if short and len(puzzle["rows"][0]) > 1 and chance.random() < 0.4
            else chance.choice((" ", "  "))
        )
        width = 3 if mark and chance.random() < 0.3 else 1
        empty = chance.choice((".", "_", "-"))
        name = chance.choice((puzzle["kind"], puzzle["kind"].capitalize()))
        lines += [
            name,
            *(mark.join(f"{empty if m == '.' else m:>{width}}" for m in row) for row in puzzle["rows"]),
        ]
    return "\n".join(lines) + "\n", puzzles


_BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"


def _runs(marks: list[str], first: int, longest: int, encode: Callable[[str], str]) -> str:
    """Clues, and letters for runs of empty cells (Encode.js of pzpr)."""
    text, run = "", 0
    for mark in [*marks, ""]:
        if mark == ".":
            run += 1
            if run < longest:
                continue
        if run:
            text += _BASE36[first + run - 1]
            run = 0
        if mark not in (".", ""):
            text += encode(mark)
    return text


def _number16(mark: str) -> str:
    number = int(mark)
    return f"{number:x}" if number < 16 else f"-{number:02x}"


def _arrow16(mark: str) -> str:
    if mark == "?":
        return "0."
    number, direction = int(mark[:-1]), ".^v<>".index(mark[-1])
    return f"{direction}{number:x}" if number < 16 else f"{direction + 5}{number:02x}"


def _body(puzzle: dict[str, Any]) -> tuple[str, str] | None:
    """The letters of the kind in addresses, and the clues."""
    marks = [mark for row in puzzle["rows"] for mark in row]
    kind = puzzle["kind"]
    if kind == "numberlink" and all(mark.isdigit() or mark == "." for mark in marks):
        return "numlin", _runs(marks, 16, 20, _number16)
    if kind == "yajilin":
        return "yajilin", _runs(marks, 10, 26, _arrow16)
    if kind == "masyu":
        values = [".o*".index(mark) for mark in marks]
        values += [0] * (-len(values) % 3)
        return "mashu", "".join(
            _BASE36[9 * values[at] + 3 * values[at + 1] + values[at + 2]] for at in range(0, len(values), 3)
        )
    if kind == "slitherlink":  # four-cell encoding without the shorter forms: 0 to 4, and runs
        return "slither", _runs(marks, 16, 20, lambda mark: mark)
    return None


_SITES = (
    *("https://puzz.link/p?", "http://pzv.jp/p.html?", "https://puzz.link/p.html?", "p?"),
    *("https://pzprxs.vercel.app/p?", "https://pzplus.tck.mn/p?", "https://puzz.link/p?type=editor&"),
)


def _address(chance: random.Random, puzzles: list[dict[str, Any]]) -> Written | None:
    lines = []
    for puzzle in puzzles:
        body = _body(puzzle)
        if body is None:
            return None
        variant = chance.choice(("", "", "_edit"))
        site = chance.choice(_SITES)
        around = chance.choice(("{}", "{}", "<{}>", "{}/", "{}#"))
        size = f"{len(puzzle['rows'][0])}/{len(puzzle['rows'])}"
        lines.append(around.format(f"{site}{body[0]}{variant}/{size}/{body[1]}"))
    return "\n".join(lines) + "\n", puzzles


def _plain_address(_: random.Random, puzzles: list[dict[str, Any]]) -> Written | None:
    body = _body(puzzles[0])
    if body is None:
        return None
    size = f"{len(puzzles[0]['rows'][0])}/{len(puzzles[0]['rows'])}"
    return f"https://puzz.link/p?{body[0]}/{size}/{body[1]}\n", puzzles[:1]


def _game_id(chance: random.Random, puzzles: list[dict[str, Any]]) -> Written | None:
    """As Loopy and Pearl of Tatham's collection print them."""
    puzzle = puzzles[0]
    marks = [mark for row in puzzle["rows"] for mark in row]
    size = f"{len(puzzle['rows'][0])}x{len(puzzle['rows'])}"
    if puzzle["kind"] == "slitherlink":
        return f"{size}t0{chance.choice(('', 'de', 'dn'))}:{_runs(marks, 10, 26, lambda mark: mark)}\n", [
            puzzle
        ]
    if puzzle["kind"] == "masyu":
        letters = {"o": "W", "*": "B"}
        return f"{size}de:{_runs(marks, 10, 26, letters.__getitem__)}\n", [puzzle]
    return None


def _pzpr_file(_: random.Random, puzzles: list[dict[str, Any]]) -> Written | None:
    """A file of pzpr: kind, rows, columns, and a line for each row."""
    puzzle = puzzles[0]
    body = _body(puzzle)
    if body is None:
        return None
    marks = {"o": "1", "*": "2"} if puzzle["kind"] == "masyu" else {}
    directions = {"^": "1", "v": "2", "<": "3", ">": "4"}

    def word(mark: str) -> str:
        if puzzle["kind"] == "yajilin" and mark != ".":
            return "0,-" if mark == "?" else f"{directions[mark[-1]]},{mark[:-1]}"
        return marks.get(mark, mark)

    rows = [" ".join(map(word, row)) + " " for row in puzzle["rows"]]
    head = ["pzprv3", body[0], str(len(rows)), str(len(puzzle["rows"][0]))]
    return "\n".join([*head, *rows]) + "\n", [puzzle]


PUZZLES = Kind(
    name="puzzle",
    formats=FORMATS,
    draw=_draw_puzzle,
    writers=(
        *(_ours_puzzle(form) for form in ("text", "url", "id", "json")),
        Writer("text", "text", _text),
        Writer("url", "pzpr", _plain_address),
        Writer("url", "pzpr, variants of addresses", _address, sure=False),
        Writer("url", "pzpr, file", _pzpr_file),
        Writer("id", "Tatham", _game_id),
        Writer("json", "rows", lambda c, p: (
            json.dumps({"puzzle": [" ".join(row) for row in p[0]["rows"]], "kind": p[0]["kind"]},
                       indent=c.choice((None, 1))) + "\n", p[:1])),
    ),
    ways=("text",),
    read=_read_puzzle,
    same=lambda found, meant: bool(found == meant),
    comments={"text": ("# {}", "// {}")},
    variants={
        "text": ((r"\A", "\n"), (r"(?m)^([a-z]+)$", r"\1:")),
        "url": ((r"https://puzz.link/p\?", "http://puzz.link/p.html?"), (r"(?m)$", " ")),
        "id": ((r"\A", "loopy:"), (r"\A", "#"), (r"(?m)$", "#123456")),
    },
)  # fmt: skip
"""Loop and path puzzles."""
