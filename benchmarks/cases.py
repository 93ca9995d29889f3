"""The benchmark cases, the contenders of each case, and the targets."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from contract import Question

__all__ = ["CASES", "COMMANDS", "TABLES", "TARGETS", "Case", "Command", "Target", "select"]

TABLES = {
    "counting": "Counting",
    "census": "The census: larger counts",
    "enumeration": "Listing all tours",
    "construction": "Constructing one tour",
    "startup": "Whole commands",
    "orders": "Orders of the frontier sweep",
    "targets": "Targets",
}
"""Titles of the tables, in the order of the output."""


@dataclass(frozen=True)
class Case:
    """One question and its contenders, which take turns; ratios are relative to the first contender.

    Attributes
    ----------
    table:
        Table of the results.
    name:
        The part after the table's name in ``--only``.
    action:
        ``count``, ``enumerate``, ``construct``, or ``command`` for whole commands.
    contenders:
        Names of contenders, or of commands.
    question:
        None for commands, which have their own questions.
    long:
        Whether ``--long`` is needed.
    """

    table: str
    name: str
    action: str
    contenders: tuple[str, ...]
    question: Question | None = None
    long: bool = False

    @property
    def path(self) -> str:
        """``TABLE/CASE``."""
        return f"{self.table}/{self.name}"

    @property
    def title(self) -> str:
        """The question, or the name of the case."""
        return self.name if self.question is None else str(self.question)


@dataclass(frozen=True)
class Command:
    """A command as a user types it. Its output must answer the question, if one is given."""

    arguments: tuple[str, ...]
    question: Question | None = None

    def line(self) -> list[str]:
        """Return the command line: the ``ktsolve`` next to the running Python, or this Python."""
        if self.arguments[0] == "python":
            return [sys.executable, *self.arguments[1:]]
        script = Path(sys.executable).with_name("ktsolve")
        start = [str(script)] if script.exists() else [sys.executable, "-m", "ktsolve"]
        return [*start, *self.arguments[1:]]


# The start-up cost of any command made with Typer.
_EMPTY = "import typer; app = typer.Typer(); app.command()(lambda board: None); app(['6x6'])"

COMMANDS = {
    "python -c pass": Command(("python", "-c", "pass")),
    "an empty command made with Typer": Command(("python", "-c", _EMPTY)),
    "ktsolve --help": Command(("ktsolve", "--help")),
    "ktsolve count 6x6 --quiet": Command(("ktsolve", "count", "6x6", "--quiet"), Question("6x6", True)),
    "ktsolve count 6x6 --quiet --engine frontier": Command(
        ("ktsolve", "count", "6x6", "--quiet", "--engine", "frontier"), Question("6x6", True)
    ),
    "ktsolve count 6x6 --quiet --engine search": Command(
        ("ktsolve", "count", "6x6", "--quiet", "--engine", "search"), Question("6x6", True)
    ),
    "ktsolve tour 8x8 --quiet": Command(("ktsolve", "tour", "8x8", "--quiet"), Question("8x8", True)),
}

_AT_ONCE = tuple(COMMANDS)

# All pairs of ends: with shared half tables (join), and one after the other (frontier).
_BY_ENDS = ("--open", "--by", "endpoints", "--quiet")
COMMANDS |= {
    f"ktsolve count {board} by endpoints, {engine}": Command(
        ("ktsolve", "count", board, *_BY_ENDS, "--engine", engine), Question(board, False)
    )
    for board, engine in (("6x6", "join"), ("6x6", "frontier"), ("7x7", "join"), ("8x8", "join"))
}


def _boards(
    table: str, action: str, contenders: Sequence[str], closed: bool, boards: str, long: str = ""
) -> Iterator[Case]:
    for board in (boards + " " + long).split():
        question = Question(board, closed)
        yield Case(table, question.name, action, tuple(contenders), question, board in long.split())


_COUNTERS = ("frontier", "join", "search", "graphillion", "graphillion-1")
_ORDERS = ("order used", "row sweep")
_ODD_BOARDS = (
    Question("8x8", True, {"leaper": [0, 1]}),
    Question("4x8", True, {"wrap": "y"}),
    Question("6x7", True, {"without": "a1 b1"}),
)

_SYMMETRIC = (
    Question("6x6", True, {"symmetry": "rot180"}),
    Question("10x10", True, {"symmetry": "rot90"}),
    Question("8x8", True, {"symmetry": "rot180"}),
)

CASES: tuple[Case, ...] = (
    *_boards("counting", "count", _COUNTERS, True, "5x6 6x6 6x7 6x8", "7x8"),
    *_boards("counting", "count", _COUNTERS, False, "5x6 6x6 6x7"),
    *(
        Case("counting", question.name, "count", ("quotient", "search"), question, question in _SYMMETRIC[2:])
        for question in _SYMMETRIC
    ),
    *_boards("census", "count", ("join",), True, "7x8 8x8 7x10", "8x9 8x10 8x11 8x12"),
    *_boards("census", "count", ("join",), False, "7x7 7x8", "8x8"),
    *(
        Case("census", question.name, "count", ("join",), question)
        for question in (
            Question("8x8", False, {"start": "a1", "end": "b1"}),
            Question("8x8", False, {"start": "a1", "end": "h8"}),
        )
    ),
    *_boards("enumeration", "enumerate", ("search", "sat", "cpsat", "ortools"), True, "5x6 6x6"),
    *_boards(
        "construction",
        "construct",
        ("divide", "sat", "cpsat", "ortools", "search", "walk", "warnsdorff"),
        True,
        "8x8 30x30 60x60",
    ),
    *_boards("construction", "construct", ("divide", "sat", "search", "walk", "warnsdorff"), True, "100x100"),
    *_boards(
        "construction",
        "construct",
        ("divide", "sat", "cpsat", "ortools", "search", "walk", "warnsdorff"),
        False,
        "30x30",
    ),
    *_boards(
        "construction", "construct", ("divide", "sat", "search", "walk", "warnsdorff"), False, "100x100"
    ),
    Case("startup", "commands", "command", _AT_ONCE),
    *(
        Case(
            "census",
            f"{board}-by-endpoints",
            "command",
            tuple(name for name in COMMANDS if name.startswith(f"ktsolve count {board} by endpoints")),
            long=board == "8x8",
        )
        for board in ("6x6", "7x7", "8x8")
    ),
    *_boards("orders", "count", _ORDERS, True, "3x10 5x6 5x8 5x10 6x6 6x7 6x8", "7x8"),
    *_boards("orders", "count", _ORDERS, False, "5x5 5x6 6x6"),
    *(Case("orders", question.name, "count", _ORDERS, question) for question in _ODD_BOARDS),
)


@dataclass(frozen=True)
class Target:
    """A bound for one measurement of one contender in one case.

    Attributes
    ----------
    text:
        The target as text.
    case, contender:
        The contender and the case where it is measured.
    figure:
        ``work`` (from question to answer), ``solve`` (that phase alone), ``whole`` (the process), ``memory``
        (peak of the process, MB); None if the target is the measurement itself.
    most:
        The bound in seconds or MB.
    """

    text: str
    case: str
    contender: str
    figure: str | None
    most: float = 0.0


TARGETS: tuple[Target, ...] = (
    Target("count closed 6x6 by search", "counting/closed-6x6", "search", "work", 0.2),
    Target("count closed 6x6 by frontier", "counting/closed-6x6", "frontier", "work", 1),
    Target("count closed 6x8 by frontier", "counting/closed-6x8", "frontier", "work", 5),
    Target("count closed 6x8 by frontier", "counting/closed-6x8", "frontier", "memory", 300),
    Target("closed 6x8 by join", "counting/closed-6x8", "join", "work", 0.2),
    Target("closed 7x8 by join", "census/closed-7x8", "join", "work", 0.5),
    Target("closed 8x8 by join, whole process", "census/closed-8x8", "join", "whole", 3),
    Target("closed 8x8 by join", "census/closed-8x8", "join", "memory", 512),
    Target("closed 8x9 by join, whole process", "census/closed-8x9", "join", "whole", 25),
    Target("closed 8x9 by join", "census/closed-8x9", "join", "memory", 4096),
    Target("closed 8x10 by join, whole process", "census/closed-8x10", "join", "whole", 25),
    Target("closed 8x10 by join", "census/closed-8x10", "join", "memory", 4096),
    Target("open 7x7 by join, whole process", "census/open-7x7", "join", "whole", 2),
    Target("open 8x8 by join, whole process", "census/open-8x8", "join", "whole", 40),
    Target("open 8x8 by join", "census/open-8x8", "join", "memory", 4096),
    Target("Graphillion compared, closed 5x6", "counting/closed-5x6", "graphillion", None),
    Target("Graphillion compared, closed 6x6", "counting/closed-6x6", "graphillion", None),
    Target("closed 30x30 by SAT with cuts", "construction/closed-30x30", "sat", "solve", 0.2),
    Target("closed 100x100 by SAT with cuts", "construction/closed-100x100", "sat", "solve", 2),
    Target("closed 30x30 by CP-SAT", "construction/closed-30x30", "cpsat", "solve", 2),
    Target("`ktsolve --help`", "startup/commands", "ktsolve --help", "whole", 0.3),
    # The target names the command, so that it includes the start-up time.
    Target(
        "`ktsolve count 6x6` by search, whole process",
        "startup/commands",
        "ktsolve count 6x6 --quiet --engine search",
        "whole",
        0.2,
    ),
    Target(
        "`ktsolve count 6x6` by frontier, whole process",
        "startup/commands",
        "ktsolve count 6x6 --quiet --engine frontier",
        "whole",
        1,
    ),
)


def select(only: Sequence[str], long: bool) -> list[tuple[Case, list[str]]]:
    """Return the cases to measure, each with its contenders; all of them if ``only`` is empty.

    A name is a table, ``TABLE/CASE``, or ``TABLE/CASE/CONTENDER``; ``targets`` names everything that the
    targets need. A case that is named in full does not need ``--long``.

    Raises
    ------
    ValueError
        For an unknown name.
    """
    wanted = {name: False for name in only if name != "targets"}
    needed = {f"{target.case}/{target.contender}" for target in TARGETS} if "targets" in only else set()
    chosen = []
    for case in CASES:
        contenders = []
        for contender in case.contenders:
            whole = f"{case.path}/{contender}"
            named = [name for name in wanted if whole == name or whole.startswith(name + "/")]
            by_table = all(name == case.table for name in named)
            for name in named:
                wanted[name] = True
            if (case.long and not long and by_table) or not (named or whole in needed or not only):
                continue
            contenders.append(contender)
        if contenders:
            chosen.append((case, contenders))
    unknown = [name for name, used in wanted.items() if not used]
    if unknown:
        raise ValueError(f"name {unknown[0]!r} is unknown: --list prints all names")
    return chosen
