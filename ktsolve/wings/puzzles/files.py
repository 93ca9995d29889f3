"""Puzzles as text, addresses of puzz.link, game ids of Simon Tatham's collection, and JSON.

The text of a puzzle is the name of its kind in a line of its own, and a line for each row. Several puzzles
stand one after the other. What is read besides:

- open boards of ``ktsolve clues``, which are of the kind ``knight``;
- addresses of puzz.link, pzv and pzprxs, such as ``https://puzz.link/p?slither/5/5/cbcbcddad``;
- files of pzpr that begin with ``pzprv3``;
- game ids of Loopy on squares (``5x5t0:2b1b2...``) and of Pearl (``6x6de:bWl...``), which are Slitherlink
  and Masyu;
- the JSON of ``ktsolve puzzle``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.formats.tours.common import parse_json
from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import GridPuzzle, GridSolution, check_size
from ktsolve.models.masyu import BLACK, WHITE
from ktsolve.wings.puzzles.kind import Kind
from ktsolve.wings.puzzles.kinds import KINDS, kind_named
from ktsolve.wings.puzzles.pzpr import UNKNOWN, Address, runs

__all__ = ["FORMATS", "Named", "puzzle_json", "read_puzzles", "write_puzzle"]

FORMATS = ("text", "url", "id", "json")
"""What :func:`write_puzzle` writes, and JSON."""

_SITE = "https://puzz.link/p?"

_ADDRESS = re.compile(r"(?:\S*\?)?([a-z]+)(?:/[a-z]*:?[a-z]*)?/(\d{1,6})/(\d{1,6})/([\w.+=%-]*)/?", re.ASCII)
"""Kind, columns, rows and clues; between kind and columns some kinds have letters for variants."""

_GAME = re.compile(
    r"(?:(?:loopy|pearl|loop|games)[:#])?(\d{1,6})x(\d{1,6})(t\d+)?(?:d\w+)?:([\w,]*)", re.ASCII
)

_OPEN = "# open"
"""What ``ktsolve clues`` writes above a board whose tour is open."""

_OLD_NAMES = {"slitherlink": "slither", "masyu": "mashu", "numberlink": "numlin", "yajirin": "yajilin"}
"""Other names of kinds in addresses."""


@dataclass(frozen=True)
class Named:
    """A puzzle and its kind."""

    kind: Kind
    puzzle: GridPuzzle


def read_puzzles(text: str, kind: Kind | None = None) -> list[Named]:
    r"""The puzzles of a text, of addresses, game ids or JSON; ``kind`` if the text does not name it.

    >>> [named.puzzle.size for named in read_puzzles("slitherlink\n3 . 2\n. 0 .")]
    ['2x3']
    >>> print(read_puzzles("https://puzz.link/p?slither/3/2/d0")[0].puzzle)
    3 . .
    0 . .
    >>> read_puzzles("3x2t0:3b0b") == read_puzzles("https://puzz.link/p?slither/3/2/d0")
    True
    """
    stripped = text.strip("\ufeff \t\r\n")
    if not stripped:
        raise BadInput("the input is empty: give a puzzle")
    if stripped.startswith("{"):
        found = list(_of_json(stripped))
    elif stripped.startswith("pzprv3"):
        found = [_of_file(stripped)]
    elif all(_ADDRESS.fullmatch(line) or _GAME.fullmatch(line) for line in stripped.split()):
        found = [_of_line(line) for line in stripped.split()]
    else:
        found = list(_of_text(stripped, kind))
    for each in found:
        if kind is not None and each.kind.name != kind.name:
            raise BadInput(f"the puzzle is a {each.kind.title}, not a {kind.title}: leave out the kind")
        each.kind.model.check(each.puzzle)
    return found


def _of_text(text: str, kind: Kind | None) -> Iterator[Named]:
    rows: list[str] = []
    named = kind
    for line in [*text.splitlines(), ""]:
        word = "knight" if line.strip().lower() == _OPEN else line.strip().lower()
        if word and word not in KINDS:
            rows.append(line)
            continue
        if rows:
            if named is None:
                raise BadInput(
                    f"the puzzle does not name its kind: write {', '.join(KINDS)} as its first line, or "
                    "give --kind"
                )
            yield Named(named, GridPuzzle.read("\n".join(rows)))
            rows, named = [], kind
        if word:
            named = KINDS[word]


def _of_line(line: str) -> Named:
    if (game := _GAME.fullmatch(line)) is not None:
        return _of_game(game)
    match = _ADDRESS.fullmatch(line)
    assert match is not None
    kind, address = _addressed(match[1])
    columns, rows = int(match[2]), int(match[3])
    check_size(rows, columns)
    return Named(kind, address.read(rows, columns, match[4]))


def _addressed(letters: str) -> tuple[Kind, Address]:
    """The kind that pzpr writes with these letters."""
    addressed = ((each, each.address) for each in KINDS.values() if each.address is not None)
    known = {address.letters: (kind, address) for kind, address in addressed}
    found = known.get(_OLD_NAMES.get(letters, letters))
    if found is None:
        raise BadInput(f"{shown(letters, 30)} is not a known kind of addresses: use {', '.join(known)}")
    return found


def _of_game(match: re.Match[str]) -> Named:
    """The puzzle of a game id: letters are runs of empty cells."""
    columns, rows = int(match[1]), int(match[2])
    check_size(rows, columns)
    if match[3] not in (None, "t0"):
        raise BadInput(f"the game id is of Loopy on the grid {match[3]}, and only squares, t0, are known")
    kind = KINDS["slitherlink"] if match[3] else KINDS["masyu"]
    meaning = {str(i): str(i) for i in range(10)} if match[3] else {"B": BLACK, "W": WHITE}
    clues: dict[Cell, str] = {}
    at = 0
    for letter in match[4]:
        if "a" <= letter <= "z":
            at += ord(letter) - ord("a") + 1
            continue
        if letter not in meaning:
            raise BadInput(f"the game id has {shown(letter)} in the place of a clue")
        clues[divmod(at, columns)] = meaning[letter]
        at += 1
    if at != rows * columns:
        raise BadInput(f"the game id describes {at} cells, and {columns}x{rows} has {rows * columns}")
    return Named(kind, GridPuzzle.of(rows, columns, clues))


_PZPR_ARROWS = {"1": "^", "2": "v", "3": "<", "4": ">"}


def _of_file(text: str) -> Named:
    """The puzzle of a file of pzpr: four lines of heading, and the clues row by row."""
    fields = re.split(r"[\r\n]+|/", text)
    if len(fields) < 4 or not (fields[2].strip().isdigit() and fields[3].split()[:1]):
        raise BadInput("the file of pzpr ends early: it has kind, rows, columns, and the rows")
    kind, _ = _addressed(fields[1].strip())
    if not (fields[3].strip().isdigit() and len(fields[2]) < 7 and len(fields[3]) < 7):
        raise BadInput("the file of pzpr has no size: it has kind, rows, columns, and the rows")
    rows, columns = int(fields[2]), int(fields[3])
    check_size(rows, columns)
    lines = [field.split() for field in fields[4:] if field.split()]
    lines = [line for line in lines if len(line) == columns][:rows]
    if len(lines) != rows:
        raise BadInput(f"the file of pzpr has {len(lines)} rows of {columns} cells, and should have {rows}")
    clues: dict[Cell, str] = {}
    for r, line in enumerate(lines):
        for c, mark in enumerate(line):
            if mark == ".":
                continue
            if kind.name == "masyu":
                mark = {"1": WHITE, "2": BLACK}.get(mark, mark)
            elif kind.name == "yajilin":
                direction, _, number = mark.partition(",")
                mark = (
                    number + _PZPR_ARROWS[direction]
                    if direction in _PZPR_ARROWS and number != "-"
                    else UNKNOWN
                )
            clues[r, c] = mark
    return Named(kind, GridPuzzle.of(rows, columns, clues))


def _of_json(text: str) -> Iterator[Named]:
    data = parse_json(text, "the JSON cannot be read")
    listed = data.get("list", [data]) if isinstance(data, dict) else []
    for each in listed if isinstance(listed, list) else []:
        if not (
            isinstance(each, dict)
            and isinstance(each.get("kind"), str)
            and isinstance(each.get("puzzle"), list)
        ):
            raise BadInput('the JSON has no puzzle: it needs "kind" and "puzzle", a list of rows')
        rows = each["puzzle"]
        if not all(isinstance(row, str) for row in rows):
            raise BadInput('the JSON has no puzzle: "puzzle" is a list of rows, each a text')
        yield Named(kind_named(each["kind"]), GridPuzzle.read("\n".join(rows)))


def write_puzzle(kind: Kind, puzzle: GridPuzzle, form: str = "text") -> str:
    r"""A puzzle as ``text``, ``url`` (puzz.link) or ``id`` (game id of Loopy or Pearl).

    >>> puzzle = GridPuzzle.read("3..\n0..")
    >>> write_puzzle(KINDS["slitherlink"], puzzle, "url"), write_puzzle(KINDS["slitherlink"], puzzle, "id")
    ('https://puzz.link/p?slither/3/2/da', '3x2t0:3b0b')
    """
    if form == "url":
        if kind.address is None:
            raise BadInput(f"{kind.title} has no addresses of puzz.link: write it as text")
        return f"{_SITE}{kind.address.letters}/{puzzle.columns}/{puzzle.rows}/{kind.address.write(puzzle)}"
    if form != "id":
        return f"{kind.name}\n{puzzle}"
    names = {"slitherlink": "t0", "masyu": "dt"}
    if kind.name not in names:
        raise BadInput(f"{kind.title} has no game ids: give --format text")
    body = runs(puzzle, lambda mark, _: ({BLACK: "B", WHITE: "W"}.get(mark, mark), 1), 10, 26)
    return f"{puzzle.columns}x{puzzle.rows}{names[kind.name]}:{body}"


def puzzle_json(kind: Kind, puzzle: GridPuzzle, solution: GridSolution | None = None) -> Mapping[str, Any]:
    """A puzzle, and its solution if there is one, as a JSON object."""
    data: dict[str, Any] = {
        "kind": kind.name,
        "rows": puzzle.rows,
        "columns": puzzle.columns,
        "puzzle": str(puzzle).splitlines(),
    }
    if kind.address is not None:
        data["url"] = write_puzzle(kind, puzzle, "url")
    if solution is not None:
        data["solution"] = solution.to_json()
    return data
