"""Puzzles as text, addresses of puzz.link, game ids of Simon Tatham's collection, and JSON.

The text of a puzzle is the name of its kind in a line of its own, and a line for each row. Several puzzles
stand one after the other. What is read besides:

- open boards of ``ktsolve clues``, which are of the kind ``knight``;
- addresses of puzz.link, pzv and pzprxs, such as ``https://puzz.link/p?slither/5/5/cbcbcddad``;
- files of pzpr that begin with ``pzprv3``;
- game ids of Loopy on squares (``5x5t0:2b1b2...``) and of Pearl (``6x6de:bWl...``), which are Slitherlink
  and Masyu, and save files of these games;
- addresses of penpa-edit with numbers or circles (:mod:`.penpa`);
- the JSON of ``ktsolve puzzle``.

What could be one thing or another is refused.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from typing import Any
from urllib.parse import unquote

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.formats.tours.common import parse_json
from ktsolve.graphs.notation import Cell
from ktsolve.grids.puzzle import GridPuzzle, GridSolution, check_size, row_like_comment
from ktsolve.models.hidato import HOLE
from ktsolve.models.masyu import BLACK, WHITE
from ktsolve.wings.puzzles.kind import Kind
from ktsolve.wings.puzzles.kinds import KINDS, kind_named
from ktsolve.wings.puzzles.penpa import DRAWING, read_drawing
from ktsolve.wings.puzzles.pzpr import UNKNOWN, Address, runs

__all__ = ["FORMATS", "Named", "is_address", "puzzle_json", "read_puzzles", "write_puzzle"]

FORMATS = ("text", "url", "id", "json")
"""What :func:`write_puzzle` writes, and JSON."""

_SITE = "https://puzz.link/p?"

_ADDRESS = re.compile(
    r"(?:\w+=\w*&)*(?P<letters>[a-z]+)(?:_(?:edit|play|test))?(?:/(?P<variant>[a-z:]*))?"
    r"/(?P<columns>\d{1,6})/(?P<rows>\d{1,6})/(?P<body>[\w.+=%-]*)/?",
    re.ASCII,
)
"""What an address has after its ``?``; between kind and columns are letters for variants."""

_GAME = re.compile(
    r"(?:(?P<game>[a-z]+):)?(?P<columns>\d{1,6})x(?P<rows>\d{1,6})(?P<parameters>[a-z]\w*)?"
    r"(?P<sort>[:#])(?P<clues>[\w,]*)",
    re.ASCII,
)
"""A game id, or the parameters and the seed of one."""

_SAVED = re.compile(r"([A-Z]+) *:(\d{1,6}):(.*)", re.ASCII)
"""A line of a save file: a name, the length of a value, and the value."""

_FILE = re.compile(r"(?:\S*[?&])?(pzprv3(?:\.\d+)?(/.*)?)")
"""The first line of a file of pzpr, or all of it in an address."""

_HEADER = re.compile(r"#\s*(open|closed)((?:\s+(?:leaper|wrap)\s+\S+)*)", re.IGNORECASE)
"""What ``ktsolve clues`` writes above a board."""

_ROW_WITH_HOLES = re.compile(r"[\d.#_|\s-]+", re.ASCII)

_OLD_NAMES = {"slitherlink": "slither", "masyu": "mashu", "numberlink": "numlin", "yajirin": "yajilin"}
"""Other names of kinds in addresses."""

_ONLY_DRAWN = ("yajilin", "b")  # a variant in addresses that is only about the picture


@dataclass(frozen=True)
class Named:
    """A puzzle and its kind; ``place`` says where the input has it."""

    kind: Kind
    puzzle: GridPuzzle
    place: str = field(default="", compare=False)
    data: Mapping[str, Any] = field(default_factory=dict, compare=False)  # the JSON object that holds it


_Read = Callable[[], Named]
"""What reads a puzzle."""

_Part = tuple[str, _Read]
"""The place of a puzzle in the input, and what reads it."""


def read_puzzles(text: str, kind: Kind | None = None) -> list[Named]:
    r"""The puzzles of a text, of addresses, game ids or JSON; ``kind`` if the text does not name it.

    >>> [named.puzzle.size for named in read_puzzles("slitherlink\n3 . 2\n. 0 .")]
    ['2x3']
    >>> print(read_puzzles("https://puzz.link/p?slither/3/2/da")[0].puzzle)
    3 . .
    0 . .
    >>> read_puzzles("3x2t0:3b0b") == read_puzzles("https://puzz.link/p?slither/3/2/da")
    True
    """
    if not (stripped := text.strip("\ufeff \t\r\n")):
        raise BadInput("the input is empty: give a puzzle")
    parts = list(_of_json(stripped)) if stripped[0] in "{[" else _parts(text.splitlines(), kind)
    if not parts:
        raise BadInput("the input has no puzzle, only comments or an empty list")
    found = []
    for place, read in parts:
        try:
            named = read()
            if kind is not None and named.kind.name != kind.name:
                raise BadInput(f"the puzzle is a {named.kind.title}, not a {kind.title}: leave out the kind")
            named.kind.model.check(named.puzzle)
        except BadInput as error:
            raise BadInput(f"{place}: {error}" if len(parts) > 1 else str(error)) from None
        found.append(replace(named, place=place))
    return found


@dataclass
class _Grid:
    """The rows of a puzzle in a text, and whether an empty line follows them."""

    kind: Kind | None
    rows: list[str] = field(default_factory=list)
    ended: bool = False

    def read(self) -> Named:
        if self.kind is None:
            raise BadInput(
                f"the puzzle does not name its kind: write {', '.join(KINDS)} as its first line, or "
                "give --kind"
            )
        if not self.rows:
            raise BadInput(f"no rows follow the name of the kind {self.kind.name}")
        if (row := row_like_comment(self.rows)) is not None:
            raise BadInput(
                f"the line {shown(row)} is a comment, or a row that begins with a hole: leave the comment "
                "out, or write | in front of the row"
            )
        return Named(self.kind, GridPuzzle.read("\n".join(self.rows)))


def _parts(lines: Sequence[str], kind: Kind | None) -> list[_Part]:
    """The puzzles in the lines of a text."""
    parts: list[_Part] = []
    grid: _Grid | None = None
    after = 0  # lines that belong to a file that was read
    for number, line in enumerate((line.strip("\ufeff \t") for line in lines), 1):
        place = f"line {number}"
        if number <= after:
            continue
        if (heading := _heading(line)) is not None:
            grid = _Grid(heading)
            parts.append((place, grid.read))
        elif (file := _file(lines[number - 1 :])) is not None:
            after, grid = number - 1 + file[0], None
            parts.append((place, file[1]))
        elif words := _words(line, kind):
            grid = None
            parts += [(place, word) for word in words]
        elif not line:
            if grid is not None:
                grid.ended = bool(grid.rows)
        elif not _is_comment(line, grid.kind if grid is not None else kind):
            if grid is None:
                grid = _Grid(kind)
                parts.append((place, grid.read))
            if grid.ended:
                raise BadInput(
                    f"{place}: an empty line is above this row, so that it may belong to another puzzle: "
                    "leave the line out, or write the kind above each puzzle"
                )
            grid.rows.append(line)
    return parts


def _heading(line: str) -> Kind | None:
    """The kind that a line names; None for any other line."""
    if (header := _HEADER.fullmatch(line)) is not None:
        if header[1].lower() == "closed" or header[2]:
            raise BadInput(f"{shown(line)} is the first line of a board that only ktsolve clues solves")
        return KINDS["knight"]
    return KINDS.get(line.lower())


def _is_comment(line: str, kind: Kind | None) -> bool:
    """Whether a line is a comment: ``#`` begins one, unless it can be a row that begins with a hole."""
    holes = kind is not None and HOLE in kind.model.fixed
    return line.startswith("#") and not (holes and _ROW_WITH_HOLES.fullmatch(line))


# -- files of other programs ---------------------------------------------------------------------------------


def _file(lines: Sequence[str]) -> tuple[int, _Read] | None:
    """The number of lines of the file that begins here, and what reads it; None if no file begins."""
    first = lines[0].strip("\ufeff \t<>")
    if first.startswith("SAVEFILE:"):
        saved = [*takewhile(bool, map(_SAVED.fullmatch, (line.strip("\ufeff\r") for line in lines)))]
        whole = (match for match in saved[::-1] if match and len(match[3].strip()) == int(match[2]))
        fields = {match[1]: match[3].strip() for match in whole}
        return max(1, len(saved)), partial(_of_saved, fields)
    if "pzprv3" not in first or (match := _FILE.fullmatch(unquote(first))) is None:
        return None
    if match[2]:
        return 1, partial(_of_pzpr, match[1].translate({ord("+"): " ", ord("_"): " "}))
    ends = (bool(_heading(line) or _FILE.fullmatch(line)) for line in map(str.strip, lines[2:]))
    length = 2 + next((at for at, end in enumerate(ends) if end), len(lines))
    return length, partial(_of_pzpr, "\n".join([match[1], *lines[1:length]]))


def _of_saved(fields: Mapping[str, str]) -> Named:
    """The puzzle of a save file of Simon Tatham's collection, whatever was drawn in it."""
    game, parameters = fields.get("GAME", ""), fields.get("CPARAMS", fields.get("PARAMS"))
    match = _GAME.fullmatch(f"{parameters}:{fields.get('DESC', '!')}")
    if not game or (game.lower() in _GAMES and match is None):
        raise BadInput("the save file is not complete: it needs whole lines of GAME, CPARAMS and DESC")
    return _of_game(game.lower(), match)


_PZPR_ARROWS = {"1": "^", "2": "v", "3": "<", "4": ">"}


def _of_pzpr(text: str) -> Named:
    """The puzzle of a file of pzpr: four lines of heading, and the clues row by row."""
    fields = re.split(r"[\r\n]+|/", text)
    if len(fields) < 4:
        raise BadInput("the file of pzpr ends early: it has kind, rows, columns, and the rows")
    kind, _ = _addressed(fields[1].strip())
    if (size := re.fullmatch(r"\s*(\d{1,6})\s+(\d{1,6})\s*", " ".join(fields[2:4]), re.ASCII)) is None:
        raise BadInput("the file of pzpr has no size: it has kind, rows, columns, and the rows")
    rows, columns = int(size[1]), int(size[2])
    check_size(rows, columns)
    lines = [field.split() for field in fields[4:] if field.split()][:rows]
    whole = [*takewhile(lambda line: len(line) == columns, lines)]
    if len(whole) != rows:
        raise BadInput(f"the file of pzpr has {len(whole)} rows of {columns} cells, and should have {rows}")
    clues = {
        (r, c): _pzpr_clue(kind, mark)
        for r, line in enumerate(lines)
        for c, mark in enumerate(line)
        if mark != "."
    }
    return Named(kind, GridPuzzle.of(rows, columns, clues))


def _pzpr_clue(kind: Kind, mark: str) -> str:
    """The clue of a mark in a file of pzpr."""
    if kind.name == "masyu":
        return {"1": WHITE, "2": BLACK}.get(mark, mark)
    if kind.name != "yajilin":
        return mark
    direction, _, number = mark.partition(",")
    return UNKNOWN if direction == "0" or number == "-" else number + _PZPR_ARROWS.get(direction, mark)


# -- addresses -----------------------------------------------------------------------------------------------


def _words(line: str, kind: Kind | None) -> list[_Read]:
    """What reads the addresses and game ids in a line; empty if it has anything else."""
    found = [_of_word(word, kind) for word in line.split()] if re.search("[/:#]", line) else []
    return [] if None in found else [word for word in found if word is not None]


def _of_word(word: str, kind: Kind | None) -> _Read | None:
    """What reads the address or game id that a word is; None for another word."""
    word = word.strip("<>")
    if re.search("%(?:2f|3f)", word, re.IGNORECASE):  # also in the clues, where % is a sign of its own
        word = unquote(word)
    before, _, behind = word.partition("#")
    if (drawing := DRAWING.search(word)) is not None:
        return partial(_of_drawing, drawing[1], kind)
    if (match := _GAME.fullmatch(behind)) is not None:
        return partial(_of_game, match["game"] or before.rpartition("/")[2].partition(".")[0], match)
    if (match := _GAME.fullmatch(word)) is not None:
        return partial(_of_game, match["game"] or "", match)
    if (match := _ADDRESS.fullmatch(before.rpartition("?")[2])) is not None:
        return partial(_of_address, match)
    return partial(_refuse, word) if "://" in word else None


def is_address(text: str) -> bool:
    """Whether a text is an address or a game id, and not the name of a file.

    >>> is_address("https://puzz.link/p?slither/3/2/da"), is_address("home/me/puzzles/slither.txt")
    (True, False)
    """
    return _file([text]) is not None or bool(_words(text, None))


def _refuse(word: str) -> Named:
    raise BadInput(
        f"{shown(word, 60)} is not an address that is read: those end with ?KIND/COLUMNS/ROWS/CLUES"
    )


def _of_address(match: re.Match[str]) -> Named:
    """The puzzle of an address of pzpr."""
    kind, address = _addressed(match["letters"])
    rows, columns, variant = int(match["rows"]), int(match["columns"]), match["variant"]
    check_size(rows, columns)
    if variant and (kind.name, variant) != _ONLY_DRAWN:
        raise BadInput(f"the address has a variant of {kind.title}, /{variant}/, with other rules or clues")
    # In numbers % stands for itself, or a program has written + and = with it. Only one reading can have as
    # many cells as the grid: a number that has the % takes fewer characters.
    faults: list[BadInput] = []
    for body in dict.fromkeys((match["body"], unquote(match["body"]))):
        try:
            puzzle = address.read(rows, columns, body)
            kind.model.check(puzzle)
            return Named(kind, puzzle)
        except BadInput as fault:
            faults.append(fault)
    raise faults[0]


def _addressed(letters: str) -> tuple[Kind, Address]:
    """The kind that pzpr writes with these letters."""
    addressed = ((each, each.address) for each in KINDS.values() if each.address is not None)
    known = {address.letters: (kind, address) for kind, address in addressed}
    found = known.get(_OLD_NAMES.get(letters, letters))
    if found is None:
        raise BadInput(f"{shown(letters, 30)} is not a known kind of addresses: use {', '.join(known)}")
    return found


_GAMES = {
    "loopy": ("slitherlink", r"t\d+(?:d\w)?", {str(i): str(i) for i in range(10)}),
    "pearl": ("masyu", r"(?:d\w)?n?", {"B": BLACK, "W": WHITE}),
}
"""The games that are read: their kind, what parameters follow the size, and their clues."""


def _of_game(game: str, match: re.Match[str] | None) -> Named:
    """The puzzle of a game id: letters are runs of empty cells."""
    parameters = (match and match["parameters"]) or ""
    game = game or ("loopy" if parameters.startswith("t") else "pearl")
    if game not in _GAMES or match is None:
        raise BadInput(f"the game {shown(game, 30)} is not read: only {' and '.join(_GAMES)} are")
    name, known, meaning = _GAMES[game]
    if match["sort"] == "#":
        raise BadInput("the game id has a seed, which only the game itself reads: give the id with a colon")
    columns, rows = int(match["columns"]), int(match["rows"])
    check_size(rows, columns)
    if parameters.startswith("t") and not re.match(r"t0(?!\d)", parameters):
        raise BadInput(f"the game id is of Loopy on the grid {shown(parameters)}: only squares, t0, are read")
    if not re.fullmatch(known, parameters):
        raise BadInput(f"the game id has the parameters {shown(parameters)}, which are not those of {game}")
    clues: dict[Cell, str] = {}
    at = 0
    for letter in match["clues"]:
        if "a" <= letter <= "z":
            at += ord(letter) - ord("a") + 1
            continue
        if letter not in meaning:
            raise BadInput(f"the game id has {shown(letter)} in the place of a clue")
        clues[divmod(at, columns)] = meaning[letter]
        at += 1
    if at != rows * columns:
        raise BadInput(f"the game id describes {at} cells, and {columns}x{rows} has {rows * columns}")
    return Named(KINDS[name], GridPuzzle.of(rows, columns, clues))


def _of_drawing(data: str, kind: Kind | None) -> Named:
    """The puzzle of a drawing of penpa-edit."""
    rows, columns, clues, tags = read_drawing(data)
    tagged = [KINDS[tag] for tag in sorted(tags) if tag in KINDS]
    if len(tagged) == 1:
        kind = tagged[0]
    if kind is None:
        raise BadInput("the drawing of penpa-edit does not name its kind by a genre tag: give --kind")
    return Named(kind, GridPuzzle.of(rows, columns, clues))


# -- JSON ----------------------------------------------------------------------------------------------------


def _of_json(text: str) -> Iterator[_Part]:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # One object in each line, as several answers are printed; an object over several lines has others.
    single = all(line.startswith("{") and line.endswith("}") for line in lines)
    number = 0
    for line in lines if single else [text]:
        data = parse_json(line, "the JSON cannot be read")
        if isinstance(data, dict) and not ("kind" in data and "puzzle" in data):
            data = data.get("list", [data])
        for each in data if isinstance(data, list) else [data]:
            number += 1
            yield f"puzzle {number}", partial(_of_object, each)


def _of_object(data: Any) -> Named:
    if not (
        isinstance(data, dict) and isinstance(data.get("kind"), str) and isinstance(data.get("puzzle"), list)
    ):
        raise BadInput('the JSON has no puzzle: it needs "kind" and "puzzle", a list of rows')
    rows = data["puzzle"]
    if not all(isinstance(row, str) for row in rows):
        raise BadInput('the JSON has no puzzle: "puzzle" is a list of rows, each a text')
    puzzle = GridPuzzle.read("\n".join(rows))
    size = data.get("rows", puzzle.rows), data.get("columns", puzzle.columns)
    if len(rows) != puzzle.rows or size != (puzzle.rows, puzzle.columns):
        raise BadInput(f'"puzzle" in the JSON has {puzzle.size} cells, which is not what the rest of it says')
    return Named(kind_named(data["kind"]), puzzle, data=data)


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
        with contextlib.suppress(BadInput):  # addresses have no letters, for example
            data["url"] = write_puzzle(kind, puzzle, "url")
    if solution is not None:
        data["solution"] = solution.to_json()
    return data
