"""Traces: recorded searches, with every move and every backtracking step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.formats.tours.common import json_object
from ktsolve.graphs.board import Board

__all__ = ["TAKEN_BACK", "Trace", "read_trace"]

TAKEN_BACK = -1  # the event that takes back the last cell. Any other event is the number of a cell


@dataclass(frozen=True)
class Trace:
    """The record of a search.

    Raises BadInput if an event is impossible: no such cell, no move, a cell visited before, nothing to take
    back. The message names the first one.

    >>> trace = Trace(Board.parse("3x4"), (0, 6, -1, 9), rule="warnsdorff")
    >>> trace.path
    (0, 9)
    """

    board: Board  # the board
    events: tuple[int, ...]
    """For a move the number of its cell (the index in :attr:`Board.cells`); -1 takes back the last cell."""
    closed: bool = False  # whether the search is for a closed tour
    rule: str = ""  # the rule by which the search chooses moves, as text

    def __post_init__(self) -> None:
        object.__setattr__(self, "events", tuple(self.events))
        self._replay()

    @property
    def path(self) -> tuple[int, ...]:
        """The cells that are not taken back, in order. Linear in the events."""
        return tuple(self._replay())

    def _replay(self) -> list[int]:
        board, size = self.board, len(self.board)
        for number, event in enumerate(self.events, 1):
            if isinstance(event, bool) or not isinstance(event, int) or not -1 <= event < size:
                raise BadInput(
                    f"event {number} of the trace is {shown(event)}: it must be the number of a cell, 0 to "
                    f"{size - 1}, or {TAKEN_BACK} to take back the last cell"
                )
        entered = [event for event in self.events if event != TAKEN_BACK]
        cell_of = dict(zip(entered, board.cells_of(entered), strict=True))
        path: list[int] = []
        visited: set[int] = set()
        for number, event in enumerate(self.events, 1):
            if event == TAKEN_BACK:
                if not path:
                    raise BadInput(f"event {number} of the trace takes back a cell, and the path is empty")
                visited.remove(path.pop())
                continue
            name = board.name(cell_of[event])
            if event in visited:
                raise BadInput(f"event {number} of the trace goes to {name}, which was visited before")
            if path and not board.adjacent(cell_of[path[-1]], cell_of[event]):
                before = board.name(cell_of[path[-1]])
                raise BadInput(f"event {number} of the trace, {before} to {name}, is not a move of the piece")
            path.append(event)
            visited.add(event)
        return path

    def to_json(self) -> dict[str, Any]:
        """Return the trace as a JSON value with ``board``, ``closed``, ``rule``, ``start`` and ``events``."""
        start = list(self.board.cells_of(self.events[:1])[0]) if self.events else None
        return {
            "board": self.board.to_json(),
            "closed": self.closed,
            "rule": self.rule,
            "start": start,
            "events": list(self.events),
        }

    @classmethod
    def from_json(cls, data: Any) -> Trace:
        """Read the value of :meth:`to_json`.

        >>> trace = Trace(Board.parse("3x4"), (0, 6, -1))
        >>> Trace.from_json(trace.to_json()) == trace
        True
        """
        if not isinstance(data, dict) or not isinstance(data.get("events"), list) or "board" not in data:
            raise BadInput("a trace must be a JSON object with a board and a list of events")
        rule, closed = data.get("rule", ""), data.get("closed", False)
        if not isinstance(rule, str) or not isinstance(closed, bool):
            raise BadInput("the rule of a trace must be a text, and closed must be true or false")
        # The constructor checks the types of the events.
        return cls(Board.from_json(data["board"]), tuple(data["events"]), closed, rule)


def read_trace(text: str) -> Trace | None:
    """Return the trace in a text, or None if the text is not a JSON object with a trace.

    Raises BadInput if the trace is invalid.

    >>> read_trace("a1 b3") is None
    True
    >>> read_trace('{"trace": {"board": {"rows": 3, "columns": 4}, "events": [0, 6]}}').events
    (0, 6)
    """
    data = json_object(text)
    return Trace.from_json(data["trace"]) if "trace" in data else None
