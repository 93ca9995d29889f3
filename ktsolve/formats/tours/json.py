"""Tours as JSON: an object with ``board``, ``closed`` and ``squares``, or a bare list of cells."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.formats.table import JSON_HEAD
from ktsolve.formats.tours.common import board_of_names, parse_json, smallest_board, tour_read, vertex_of
from ktsolve.formats.tours.rows import Row, tour_of_rows
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph, Vertex
from ktsolve.graphs.notation import LARGEST_SIDE, Cell, parse_cell
from ktsolve.graphs.tour import Tour
from ktsolve.graphs.tour_arrays import order_chunks

_AROUND_ARRAY = re.compile(r"^(?:np\.|numpy\.)?array\(|(?:,\s*dtype=[\w.'\"]+)?\s*\)$")
"""What Python prints around the rows of an array."""

_AS_LISTS = str.maketrans("()", "[]")


def write(tour: Tour) -> str:
    """The tour as one object in a line."""
    return json.dumps({**JSON_HEAD, **tour.to_json()}) + "\n"


def write_several(tours: Sequence[Tour]) -> str:
    """Several tours of one board as one object, with ``tours`` in the place of ``squares``.

    Raises BadInput if boards differ, or some tours are closed and others open.
    """
    if len({(tour.ground, tour.closed) for tour in tours}) != 1:
        raise BadInput("tours of several boards or kinds do not go into one JSON: give one kind")
    each = [tour.to_json() for tour in tours]
    head = {**JSON_HEAD, "board": each[0]["board"], "closed": each[0]["closed"]}
    return json.dumps({**head, "tours": [data["squares"] for data in each]}) + "\n"


def write_array(tour: Tour, data: Mapping[str, Any] | None = None, cells: int = 1 << 22) -> Iterator[bytes]:
    """The object of a large tour in pieces of a given number of cells.

    - ``data``: another object to write, whose ``squares`` are replaced by those of the tour

    >>> tour = Tour.from_steps([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]])
    >>> b"".join(write_array(tour, {"squares": [], "seconds": 0.1}, 5))[:41]
    b'{"squares": [[0, 0], [1, 2], [2, 0], [0, '
    """
    data = data or {**JSON_HEAD, "board": tour.board.to_json(), "closed": tour.closed, "squares": []}
    head, key, tail = json.dumps({**data, "squares": []}).rpartition('"squares": [')
    yield (head + key).encode()
    columns = tour.steps.shape[1]
    between = ""
    for chunk in order_chunks(tour.steps, cells):
        squares = ", ".join(f"[{cell // columns}, {cell % columns}]" for cell in chunk.tolist())
        yield (between + squares).encode()
        between = ", "
    yield (tail + "\n").encode()


def read(text: str, board: Graph | None = None, closed: bool | None = None) -> Tour:
    """Read an object of :meth:`Tour.to_json`, the JSON of any command with a tour, or a list.

    A list has cells as ``[row, column]`` or by name, or rows of step numbers, also as NumPy prints them.
    Raises NotATour if rows of step numbers are not a tour; BadInput if the text is not such a JSON, or holds
    several tours.
    """
    data = value_of(text)
    if isinstance(data, dict):
        if board is None and "board" in data:
            named = data["board"]
            board = _ground(named)
        if closed is None and isinstance(data.get("closed"), bool):
            closed = data["closed"]
        data = _listed(data)
    if not isinstance(data, list) or not data:
        raise BadInput(
            'a tour in JSON is a list of [row, column], or an object with such a list as "squares"'
        )
    if board is not None and not isinstance(board, Board):
        return tour_read(board, [_vertex(step, item, board) for step, item in enumerate(data, 1)], closed)
    if (rows := rows_of_list(data)) is not None:
        return tour_of_rows(rows, board, closed)
    if board is None and all(isinstance(item, str) for item in data):
        board = board_of_names(data)
    squares = [_cell(step, item, board) for step, item in enumerate(data, 1)]
    return tour_read(board or smallest_board(squares), squares, closed)


def value_of(text: str) -> Any:
    r"""The value of a text in JSON, or of an array as NumPy prints it, as nested lists.

    Raises BadInput if it is neither.

    >>> value_of("array([[1, 6],\n       [5, 2]])"), value_of("[[1 6]\n [5 2]]"), value_of("[(0, 1)]")
    ([[1, 6], [5, 2]], [[1, 6], [5, 2]], [[0, 1]])
    """
    try:
        return parse_json(text, "the input looks like JSON but is not")
    except BadInput as refused:
        body = _AROUND_ARRAY.sub("", text.strip()).translate(_AS_LISTS)
        if not body.startswith("[") or re.search(r"[^\d\s.,\[\]-]", body):
            raise
        if "..." in body:
            raise BadInput(
                "the array is abbreviated by ...: print it whole, by numpy.set_printoptions(threshold=10**9)"
            ) from None
        body = re.sub(r"(?<=[\d.\]])\s+(?=[\d\[-])", ",", re.sub(r"(?<=\d)\.(?=[\s,\]])", "", body))
        try:
            return parse_json(re.sub(r",\s*(?=\])", "", body), "")
        except BadInput:
            raise refused from None


def rows_of_list(data: object) -> list[Row] | None:
    """The rows of step numbers in nested lists, None if these are cells or something else.

    >>> rows_of_list([[1, 4, 7], [None, 2, 5.0]])[1], rows_of_list([[0, 0], [1, 2]])
    (Row(line=2, marks=['', '2', '5.0']), None)
    """
    if not isinstance(data, list) or not all(isinstance(row, list) for row in data):
        return None
    numbers = [number for row in data for number in row]
    if not all(
        number is None or (isinstance(number, int | float) and not isinstance(number, bool))
        for number in numbers
    ):
        return None
    if max(map(len, data), default=0) <= 2:  # no tour of a knight has two columns
        return None
    return [
        Row(line, ["" if number is None else str(number) for number in row])
        for line, row in enumerate(data, 1)
    ]


def _listed(data: dict[str, Any]) -> Any:
    """The tour in an object: its cells, or rows of step numbers."""
    for key in ("squares", "solution", "grid", "steps"):
        if isinstance(data.get(key), list):
            return data[key]
    if isinstance(data.get("tours"), list):
        if len(data["tours"]) != 1:
            raise BadInput(f"the input holds {len(data['tours'])} tours: give one at a time")
        tour = data["tours"][0]
        return tour.get("squares") if isinstance(tour, dict) else tour
    if data.get("status") in ("impossible", "unknown"):
        reason = " ".join(str(data.get("reason", data["status"])).split())
        raise BadInput(f"there is no tour in the input: {reason:.200}")
    if "trace" in data:
        raise BadInput("the input is a recorded walk, which ktsolve play shows; it holds no tour")
    if "count" in data or "indices" in data:
        raise BadInput("the JSON is that of a count, and holds no tour")
    return data.get("squares")


def _ground(named: object) -> Graph:
    """The board or the graph of an object of JSON."""
    if isinstance(named, str):
        return Board.parse(named)
    is_graph = isinstance(named, dict) and "vertices" in named
    return Graph.from_json(named) if is_graph else Board.from_json(named)


def _vertex(step: int, item: object, graph: Graph) -> Vertex:
    if isinstance(item, bool) or not isinstance(item, str | int):
        raise BadInput(f"step {step}: {shown(item)} is not a vertex: write its name")
    return vertex_of(graph, str(item))


def _cell(step: int, item: object, board: Board | None) -> Cell:
    match item:
        case [int(r), int(c)] if not isinstance(r, bool) and not isinstance(c, bool):
            if not (0 <= r < LARGEST_SIDE and 0 <= c < LARGEST_SIDE):
                raise BadInput(f"step {step}: {shown(item)} is on no board")
            return r, c
        case str() if board is not None:
            return parse_cell(item, board.rows, board.columns)
    raise BadInput(f"step {step}: {shown(item)} is not a cell: write [row, column]")
