"""Recorded searches: every cell that a backtracking search went to, and every one that it took back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ktsolve.errors import BadInput
from ktsolve.ground.board import Board
from ktsolve.ground.notation import shown

__all__ = ["TAKEN_BACK", "Trace", "read_trace"]

TAKEN_BACK = -1
"""The event that takes the last cell back; any other is the number of the cell gone to."""


@dataclass(frozen=True)
class Trace:
    """A search as it went.

    Parameters
    ----------
    board:
        The board.
    events:
        The number of a cell (its place in :attr:`Board.cells`) to go there, -1 to take the last cell back.
    closed:
        Whether a closed tour was looked for.
    rule:
        How the search chose its moves, in words.

    Raises
    ------
    BadInput
        Naming the first event that cannot be: no such cell, no move, a cell visited already, nothing to
        take back.

    Examples
    --------
    >>> trace = Trace(Board.parse("3x4"), (0, 6, -1, 9), rule="warnsdorff")
    >>> trace.left
    (0, 9)
    """

    board: Board
    events: tuple[int, ...]
    closed: bool = False
    rule: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "events", tuple(self.events))
        self._replay()

    @property
    def left(self) -> tuple[int, ...]:
        """The cells that are not taken back, in order. Linear in the number of events."""
        return tuple(self._replay())

    def _replay(self) -> list[int]:
        board, cells = self.board, self.board.cells
        path: list[int] = []
        visited: set[int] = set()
        for number, event in enumerate(self.events, 1):
            if isinstance(event, bool) or not isinstance(event, int) or not -1 <= event < len(cells):
                raise BadInput(
                    f"event {number} of the trace is {shown(event)}: give the number of a cell, 0 to "
                    f"{len(cells) - 1}, or {TAKEN_BACK} to take the last one back"
                )
            if event == TAKEN_BACK:
                if not path:
                    raise BadInput(f"event {number} of the trace takes a cell back where none is left")
                visited.remove(path.pop())
                continue
            name = board.name(cells[event])
            if event in visited:
                raise BadInput(f"event {number} of the trace goes to {name}, which is visited already")
            if path and not board.adjacent(cells[path[-1]], cells[event]):
                before = board.name(cells[path[-1]])
                raise BadInput(f"event {number} of the trace, {before} to {name}, is no move of the piece")
            path.append(event)
            visited.add(event)
        return path

    def to_json(self) -> dict[str, Any]:
        """The trace in terms of JSON: ``board``, ``closed``, ``rule``, ``start``, ``events``."""
        start = list(self.board.cells[self.events[0]]) if self.events else None
        return {
            "board": self.board.to_json(),
            "closed": self.closed,
            "rule": self.rule,
            "start": start,
            "events": list(self.events),
        }

    @classmethod
    def from_json(cls, data: Any) -> Trace:
        """Read what :meth:`to_json` wrote.

        >>> trace = Trace(Board.parse("3x4"), (0, 6, -1))
        >>> Trace.from_json(trace.to_json()) == trace
        True
        """
        if not isinstance(data, dict) or not isinstance(data.get("events"), list) or "board" not in data:
            raise BadInput("a trace in JSON is an object with a board and a list of events")
        rule, closed = data.get("rule", ""), data.get("closed", False)
        if not isinstance(rule, str) or not isinstance(closed, bool):
            raise BadInput("a trace in JSON has a text as its rule, and true or false for closed")
        return cls(Board.from_json(data["board"]), _whole(data["events"]), closed, rule)


def _whole(events: Sequence[object]) -> tuple[int, ...]:
    # Anything else is named, with its number, by the trace itself.
    return tuple(events)  # type: ignore[arg-type]


def read_trace(text: str) -> Trace | None:
    """The trace in a text, or None if the text is something else (a tour, perhaps).

    Raises
    ------
    BadInput
        If it says that it is a trace and is none.

    Examples
    --------
    >>> read_trace("a1 b3") is None
    True
    >>> read_trace('{"trace": {"board": {"rows": 3, "columns": 4}, "events": [0, 6]}}').events
    (0, 6)
    """
    if not text.lstrip("\ufeff \t\r\n").startswith("{"):
        return None
    try:
        data = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or "trace" not in data:
        return None
    return Trace.from_json(data["trace"])
