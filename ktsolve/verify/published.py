"""Known values, each with its source, as data (``ktsolve/data``)."""

from __future__ import annotations

import csv
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from ktsolve.graphs.board import Board
from ktsolve.graphs.notation import Cell
from ktsolve.problem.parameters import tour_problem
from ktsolve.problem.problem import TourProblem


@dataclass(frozen=True)
class Published:
    """A published number of undirected tours and its source; ktsolve is one of them."""

    problem: TourProblem
    count: int
    source: str


@dataclass(frozen=True)
class EndpointClass:
    """A row of a table of open tours by pairs of ends.

    It has a pair that stands for its class, the number of pairs in the class, and the number of undirected
    tours with exactly these ends.
    """

    cells: tuple[Cell, Cell]
    multiplicity: int
    count: int


@dataclass(frozen=True)
class PublishedGraph:
    """Published numbers of the Hamiltonian cycles of a graph, which is named as on the command line."""

    name: str
    cycles: int
    source: str
    classes: int | None = None  # the number up to automorphism, if it is published
    engines: tuple[str, ...] = ()  # the engines that are fast enough, empty for all that count
    level: str = "quick"  # the first level of the cross-check that counts them


def graph_values() -> tuple[PublishedGraph, ...]:
    """The published numbers of Hamiltonian cycles of graphs.

    >>> next(each.cycles for each in graph_values() if each.name == "dodecahedral")
    30
    """
    found = []
    for entry in data_tables()["graph"]:
        classes = {name: int(number) for name, number in entry.get("classes", {}).items()}
        more = {"engines": tuple(entry.get("engines", ())), "level": entry.get("level", "quick")}
        for name, cycles in entry["cycles"].items():
            found.append(PublishedGraph(name, int(cycles), entry["source"], classes.get(name), **more))
    return tuple(found)


def data_lines(name: str) -> list[str]:
    """Return the lines of a file of published data, without its comments."""
    text = resources.files("ktsolve.data").joinpath(name).read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


def data_tables(name: str = "published") -> dict[str, Any]:
    """Return the published values, or those of another file, as tables, each with a list of entries."""
    return tomllib.loads(resources.files("ktsolve.data").joinpath(f"{name}.toml").read_text("utf-8"))


def class_sizes(size: str) -> dict[int, int]:
    """Closed tours of a square up to symmetry: number of classes by their size.

    >>> class_sizes("6x6")
    {2: 5, 4: 17, 8: 1223}
    """
    sizes = next(entry["sizes"] for entry in data_tables()["classes"] if entry["board"] == size)
    return {int(members): number for members, number in sizes.items()}


def published() -> tuple[Published, ...]:
    """All published numbers of tours.

    >>> next(p.source for p in published() if str(p.problem) == "closed 6x6")
    'OEIS A175881'
    """
    return _values("published")


def published_value(problem: TourProblem) -> Published | None:
    """The published value of a problem, if it has one."""
    return next((entry for entry in published() if entry.problem == problem), None)


def known_value(problem: TourProblem) -> Published | None:
    """The published value of a problem, or the one that ktsolve counted before; also of the board turned.

    >>> known_value(TourProblem("12x9")).count
    43783970468643651861665708432
    """
    asked = [problem]
    if isinstance(problem.ground, Board):
        turned = tour_problem(
            {"board": f"{problem.ground.columns}x{problem.ground.rows}", "closed": problem.closed}
        )
        plain = tour_problem({"board": problem.ground.size, "closed": problem.closed})
        asked += [turned] if problem == plain else []
    values = (*published(), *_values("counted"))
    return next((entry for entry in values if entry.problem in asked), None)


@cache
def _values(name: str) -> tuple[Published, ...]:
    return tuple(
        Published(tour_problem({**entry["problem"], "board": board}), int(count), entry["source"])
        for entry in data_tables(name)["value"]
        for board, count in entry["counts"].items()
    )


def linked(text: str) -> str:
    """The text as Markdown, in which each number of a sequence of OEIS is a link.

    >>> linked("OEIS A175881")
    'OEIS [A175881](https://oeis.org/A175881)'
    """
    return re.sub(r"\bA\d{6}\b", r"[\g<0>](https://oeis.org/\g<0>)", text)


def endpoint_table(size: str) -> tuple[EndpointClass, ...]:
    """The published table of open tours by classes of ends, such as that of ``6x6``."""
    rows = csv.DictReader(data_lines(f"open-tours-{size}-by-endpoints.csv"))
    return tuple(
        EndpointClass(
            ((int(row["row1"]), int(row["col1"])), (int(row["row2"]), int(row["col2"]))),
            int(row["multiplicity"]),
            int(row["undirected_tours"]),
        )
        for row in rows
    )
