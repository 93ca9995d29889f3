"""The table of file formats: names, suffixes, contents, and the functions that read and write them.

A new format is a row here and a module with its functions; commands take names, suffixes and help texts from
this table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import Any

from ktsolve.errors import BadInput
from ktsolve.ground.notation import shown

__all__ = ["FORMATS", "Format", "format_named", "format_of_suffix", "formats_of", "listed"]


@dataclass(frozen=True)
class Format:
    """One format of one kind of contents.

    Attributes
    ----------
    name, aliases:
        The value of ``--format``, and other values that mean the same.
    holds:
        The contents: ``tour``, ``graph``, ``model``, ``network`` or ``picture``.
    summary:
        A phrase for lists of formats.
    suffixes:
        Suffixes of file names, without the dot; by default the name.
    opening:
        A regular expression that is found in a text of this format, and in no text of a format further down
        the table. Empty where the contents do not show the format.
    read, write:
        Functions as ``module:function``. A tour is written from a :class:`~ktsolve.ground.tour.Tour` as text
        and read from text, a board and ``closed``; a graph is written from a board and read from text. Models
        and networks are written only. Pictures are written by :mod:`ktsolve.render.files`, and the plain SVG
        of a tour as tours are.
    read_array, write_array:
        The same for tours as arrays: from bytes to an :class:`~ktsolve.ground.arrays.ArrayTour`, and from one
        to pieces of bytes.
    separator:
        The text between several tours, None if a file holds one.
    write_several:
        The function for several tours where no separator does.
    options:
        Options of commands that belong to this format: ``encoding``, ``pixels``, ``frames``, ``speed``.
    binary:
        Whether files of this format are not text.
    """

    name: str
    holds: str
    summary: str
    aliases: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    opening: str = ""
    read: str = ""
    write: str = ""
    read_array: str = ""
    write_array: str = ""
    separator: str | None = None
    write_several: str = ""
    options: tuple[str, ...] = ()
    binary: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "suffixes", self.suffixes or (self.name,))

    def function(self, role: str) -> Any:
        """The function of a role such as ``read``, imported now."""
        module, _, name = getattr(self, role).partition(":")
        return getattr(import_module(f"ktsolve.{module}"), name)

    @property
    def several(self) -> bool:
        """Whether a file may hold several tours."""
        return self.separator is not None or bool(self.write_several)

    def opens(self, text: str) -> bool:
        """Whether a text, or its beginning, shows this format."""
        return bool(self.opening) and re.search(self.opening, text) is not None


# fmt: off
FORMATS: tuple[Format, ...] = (
    Format("npy", "tour", "step numbers as an array of NumPy, 0 for holes", opening=r"\A\x93NUMPY",
           write="formats.npy:write_tour", read_array="formats.npy:read_array",
           write_array="formats.npy:write_array", binary=True),
    Format("moves", "tour", "a knight's tour of a whole board in a line, a digit for each move",
           opening=r"\Amoves ", read="formats.moves:read_tour", write="formats.moves:write_tour",
           read_array="formats.moves:read_array", write_array="formats.moves:write_array", separator=""),
    Format("json", "tour", "cells as [row, column] with the board", opening=r"\A[{\[]",
           read="formats.json:read_tour", write="formats.json:write_tour",
           write_array="formats.json:write_array", write_several="formats.json:write_tours"),
    Format("tsplib", "tour", "TSPLIB tour: Concorde, LKH", aliases=("tour",), suffixes=("tour",),
           opening=r"(?m)\A\s*(?:(?:NAME|TYPE|COMMENT|DIMENSION)\s*:|TOUR_SECTION\s*$)",
           read="formats.tsplib:read_tour", write="formats.tsplib:write_tour"),
    Format("csv", "tour", "step,row,column,cell", opening=r"(?i)\A(?:#.*\r?\n)*\s*\"?step\"?[,;\t]",
           read="formats.csv:read_tour", write="formats.csv:write_tour"),
    Format("cells", "tour", "names of cells in the order of the tour, in a line",
           opening=r"(?im)^(?!# ).*[a-z,]", read="formats.cells:read_tour",
           write="formats.cells:write_tour", write_array="formats.cells:write_array", separator=""),
    Format("grid", "tour", "step numbers row by row, . for holes", aliases=("txt",),
           suffixes=("txt", "grid"), read="formats.grid:read_tour", write="formats.grid:write_tour",
           read_array="formats.grid:read_array", write_array="formats.grid:write_array", separator="\n"),
    Format("hcp", "graph", "TSPLIB graph: LKH, solvers of Hamiltonian cycles",
           opening=r"(?m)^\s*TYPE\s*:\s*HCP\b", read="formats.graphs:read_hcp",
           write="formats.graphs:write_hcp"),
    Format("col", "graph", "DIMACS edges", opening=r"(?m)^p\s+(?:edge|col)\s",
           read="formats.graphs:read_col", write="formats.graphs:write_col"),
    Format("g6", "graph", "graph6: nauty, geng, House of Graphs", read="formats.graphs:read_graph6",
           write="formats.graphs:write_graph6"),
    Format("graphml", "graph", "GraphML: yEd, Gephi", opening=r"<graphml\b",
           read="formats.graphs:read_graphml", write="formats.graphs:write_graphml"),
    Format("net", "graph", "Pajek", opening=r"(?i)\A\s*\*(?:Network|Vertices)\b",
           read="formats.graphs:read_pajek", write="formats.graphs:write_pajek"),
    Format("cnf", "model", "DIMACS clauses for SAT solvers", write="model.export:to_dimacs",
           options=("encoding",)),
    Format("opb", "model", "pseudo-Boolean constraints", write="model.export:to_opb",
           options=("encoding",)),
    Format("hcp", "model", "TSPLIB graph", write="model.export:to_tsplib"),
    Format("listing", "model", "constraints in words", write="formats.models:listing"),
    Format("net", "network", "Pajek", write="formats.networks:write_pajek"),
    Format("graphml", "network", "GraphML", write="formats.networks:write_graphml"),
    Format("dot", "network", "Graphviz", write="formats.networks:write_dot"),
    Format("json", "network", "nodes and links, as networkx writes them",
           write="formats.networks:write_json"),
    Format("svg", "picture", "vector graphics", write="formats.tours:write_svg"),
    Format("png", "picture", "pixels", options=("pixels",), binary=True),
    Format("gif", "picture", "moving picture of 256 colours", options=("pixels", "frames", "speed"),
           binary=True),
    Format("apng", "picture", "moving picture", options=("pixels", "frames", "speed"), binary=True),
    Format("html", "picture", "page that plays tours"),
    Format("text", "picture", "characters", aliases=("txt",), suffixes=("txt",)),
)
"""All formats. Those of tours stand in the order in which their openings are tried."""
# fmt: on


def formats_of(*contents: str) -> tuple[Format, ...]:
    """The formats of one kind of contents or several, in the order of the table.

    >>> [each.name for each in formats_of("network")]
    ['net', 'graphml', 'dot', 'json']
    """
    return tuple(each for each in FORMATS if each.holds in contents)


def listed(formats: Iterable[Format]) -> str:
    """Names of formats for help texts and errors, each once.

    >>> listed(formats_of("graph", "model"))
    'hcp, col, g6, graphml, net, cnf, opb, listing'
    """
    return ", ".join(dict.fromkeys(each.name for each in formats))


def format_named(name: str, formats: Sequence[Format]) -> Format:
    """The first of these formats that has the name or alias.

    Raises
    ------
    BadInput
        If none has, with all names.

    Examples
    --------
    >>> format_named("txt", formats_of("tour")).name
    'grid'
    """
    for each in formats:
        if name == each.name or name in each.aliases:
            return each
    raise BadInput(f"format {shown(name)} is unknown: use {listed(formats)}")


def format_of_suffix(path: str | None, formats: Sequence[Format]) -> Format | None:
    """The first of these formats that has the suffix of a file's name; None if none has.

    >>> format_of_suffix("tours/first.SVG", formats_of("picture")).name
    'svg'
    """
    suffix = PurePath(path or "").suffix.removeprefix(".").lower()
    return next((each for each in formats if suffix in each.suffixes), None)
