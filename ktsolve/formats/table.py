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

from ktsolve import __version__
from ktsolve.base.text import unknown

__all__ = [
    "FORMATS",
    "GRAPH_TOUR_FORMATS",
    "JSON_HEAD",
    "Format",
    "format_named",
    "format_of_suffix",
    "formats_of",
    "listed",
    "uncompressed",
]

JSON_HEAD: dict[str, str] = {"schema": "ktsolve/1", "version": __version__}
"""The first keys of all JSON that ktsolve prints."""

_COMPRESSED = {".gz", ".xz", ".bz2", ".lzma"}

_AS_BYTES = 8  # bytes of memory for a byte of a file that is kept as bytes, as text, or as an array


@dataclass(frozen=True)
class Format:
    """One format of one kind of contents."""

    name: str  # the value of ``--format``
    holds: str  # the contents: ``tour``, ``graph``, ``model``, ``picture`` or ``answer``
    summary: str  # a phrase for lists of formats
    # Names of the functions of the format. Tours: ``write`` gives text (of ``npy``: bytes), ``read`` takes
    # text, a board and ``closed``; ``write_array`` gives pieces of bytes for a tour that is an array,
    # ``read_array`` such a tour of bytes; ``write_several`` writes several tours where no separator does;
    # ``comment`` gives the comment that a tour needs, or nothing. Graphs are written from a graph and read
    # from text. Models are written, some read from text. Pictures are written by
    # :mod:`ktsolve.render.subject`, answers by commands.
    roles: str = "write"
    aliases: tuple[str, ...] = ()  # other values of ``--format`` that mean the same
    suffixes: tuple[str, ...] = ()  # suffixes of file names, without the dot; by default the name
    # A regular expression that is found in a text of this format, and in no text of a format further down the
    # table. Empty where the contents do not show the format.
    opening: str = ""
    separator: str | None = None  # the text between several tours or graphs, None if a file holds one
    # Bytes of memory that reading takes for a byte of a file, at most: a list of an empty list in JSON is 3
    # bytes, a complete graph in graph6 has 6 edges in a byte.
    expansion: int = 100
    options: tuple[str, ...] = ()
    """Options of commands that belong to this format: ``encoding``, ``pixels``, ``frames``, ``speed``."""
    binary: bool = False  # whether files of this format are not text
    bare: bool = False  # whether tours of bare graphs, which have no rows and columns, have this format
    module: str = ""  # the module in ``ktsolve/formats/graphs/`` with the functions of a format of graphs

    def __post_init__(self) -> None:
        object.__setattr__(self, "suffixes", self.suffixes or (self.name,))

    def can(self, role: str) -> bool:
        """Whether the format has a function of that role."""
        return role in self.roles.split()

    def function(self, role: str) -> Any:
        """The function of a role, imported now: ``json.read`` of a tour, ``dimacs.read_col`` of a graph."""
        if self.holds == "tour":
            return getattr(import_module(f"ktsolve.formats.tours.{self.name}"), role)
        if self.holds == "graph":
            return getattr(import_module(f"ktsolve.formats.graphs.{self.module}"), f"{role}_{self.name}")
        return import_module("ktsolve.formats.models").FUNCTIONS[role][self.name]

    @property
    def several(self) -> bool:
        """Whether a file may hold several tours or graphs."""
        return self.separator is not None or self.can("write_several")

    @property
    def read_expansion(self) -> int:
        """The same before a format of several graphs, or of arrays, makes objects of the data read."""
        streamed = self.can("read_array") or (self.holds == "graph" and self.several)
        return _AS_BYTES if streamed else self.expansion

    def opens(self, text: str) -> bool:
        """Whether a text, or its beginning, shows this format."""
        return bool(self.opening) and re.search(self.opening, text) is not None


# fmt: off
FORMATS: tuple[Format, ...] = (
    Format("npy", "tour", "step numbers as an array of NumPy, 0 for holes", "write read_array write_array",
           opening=r"\A\x93NUMPY", binary=True, expansion=12),
    Format("moves", "tour", "a knight's tour of a whole board in a line, a digit for each move",
           "read write read_array write_array", opening=r"\Amoves ", separator="", expansion=12),
    Format("json", "tour", "cells as [row, column] with the board", "read write write_array write_several",
           opening=r"\A(?:[{\[]|(?:np\.|numpy\.)?array\()", bare=True),
    Format("tsplib", "tour", "TSPLIB tour: Concorde, LKH", "read write", aliases=("tour",),
           suffixes=("tour",), opening=r"(?m)\A\s*(?:(?:NAME|TYPE|COMMENT|DIMENSION)\s*:|TOUR_SECTION\s*$)",
           bare=True, expansion=60),
    Format("csv", "tour", "step,row,column,cell", "read write",
           opening=r"(?i)\A(?:#.*\r?\n)*(?:[^\n,;\t]*[,;\t])*\s*\"?step\"?\s*[,;\t\r\n]", bare=True,
           expansion=60),
    Format("edges", "tour", "a line of two cells for each move", "read write",
           opening=r"\A# ktsolve \{.*\"closed\".*\}\r?\n[a-z]+\d+ [a-z]+\d+\s*(?:\n|\Z)", bare=True,
           expansion=60),
    Format("cells", "tour", "names of cells in the order of the tour, in a line",
           "read write comment write_array", separator="", bare=True),
    Format("grid", "tour", "step numbers row by row, . for holes",
           "read write comment read_array write_array",
           aliases=("txt",), suffixes=("txt", "grid"), separator="\n", expansion=200),
    Format("hcp", "graph", "TSPLIB graph: LKH, solvers of Hamiltonian cycles", "read write",
           suffixes=("hcp", "tsp", "atsp"), module="hcp",
           opening=r"(?m)^[ \t]*(?:TYPE\s*:\s*(?:HCP|TSP|ATSP|HPP|SOP)\b|"
           r"EDGE_(?:DATA|WEIGHT)_SECTION)", expansion=40),
    Format("col", "graph", "DIMACS edges", "read write", aliases=("dimacs",), suffixes=("col", "dimacs"),
           module="dimacs", opening=r"(?m)^p\s+(?:edges?|col)\s", expansion=40),
    Format("g6", "graph", "graph6: nauty, geng, House of Graphs", "read write", aliases=("graph6",),
           suffixes=("g6", "graph6"), separator="", module="graph6",
           opening=r"\A(?:>>(?:graph|sparse|digraph)6<<\s*)?"
           r"[:&]?[?-~]+[ \t]*(?:\r?\n[:&]?[?-~]+[ \t]*)*\s*\Z",
           expansion=700),
    Format("s6", "graph", "sparse6: nauty", "read write", aliases=("sparse6",), suffixes=("s6", "sparse6"),
           separator="", module="graph6", expansion=700),
    Format("d6", "graph", "digraph6: directed graphs of nauty", "read write", aliases=("digraph6",),
           suffixes=("d6", "digraph6"), separator="", module="graph6", expansion=700),
    Format("edges", "graph", "a line of two labels for each edge", "read write", aliases=("edgelist",),
           suffixes=("edges", "edgelist", "el", "ncol"), module="edge_list",
           opening=r"\A# ktsolve (?:edges\r?\n|"
           r"\{(?!.*\"closed\").*\}\r?\n[a-z]+\d+ [a-z]+\d+\s*(?:\n|\Z))", expansion=100),
    Format("nm", "graph", "numbers of vertices and edges, then the edges", "read write",
           module="edge_list", expansion=150,
           opening=r"\A# ktsolve \{(?!.*\"closed\").*\}\r?\n\d+ \d+\s*(?:\n|\Z)"),
    Format("adjlist", "graph", "a line of a vertex and its neighbours", "read write", module="adjacency",
           opening=r"\A# ktsolve \{(?!.*\"closed\").*\}\r?\n[a-z]+\d+:", expansion=200),
    Format("matrix", "graph", "adjacency matrix", "read write", suffixes=("matrix", "adj", "mat"),
           module="matrix", expansion=40),
    Format("graphml", "graph", "GraphML: yEd, Gephi", "read write", module="through_networkx",
           opening=r"<graphml\b"),
    Format("gml", "graph", "GML", "read write", module="through_networkx",
           opening=r"(?i)\A(?:\s*(?:#|creator\b|version\b|comment\b).*\n)*\s*graph\s*\[", expansion=150),
    Format("gexf", "graph", "GEXF: Gephi", "read write", module="through_networkx", opening=r"<gexf\b"),
    Format("mtx", "graph", "sparse matrix of Matrix Market", "read write", module="matrix_market",
           opening=r"(?i)\A(?:\s*%(?!%).*\n)*\s*%%MatrixMarket\b", expansion=150),
    Format("net", "graph", "Pajek", "read write", module="pajek",
           opening=r"(?i)\A(?:\s*%.*\n)*\s*\*(?:Network|Vertices)\b", expansion=40),
    Format("dot", "graph", "Graphviz", "read write", suffixes=("dot", "gv"), module="dot",
           opening=r"\A(?:\s*(?://.*\n|#.*\n|/\*(?s:.*?)\*/))*\s*(?:strict\s+)?(?:di)?graph\b[^\[{\n]*\{",
           expansion=1500),
    Format("json", "graph", "vertices and edges, or nodes and links of networkx", "read write",
           module="node_link",
           opening=r'\A\s*\{\s*"(?:vertices|nodes|directed|multigraph|graph|links|edges)"\s*:'),
    Format("cnf", "model", "DIMACS clauses for SAT solvers", "read write",
           opening=r"(?m)^[ \t]*p[ \t]+cnf[ \t]", expansion=60, options=("encoding",)),
    Format("wcnf", "model", "weighted clauses for MaxSAT solvers", "read write",
           opening=r"(?m)^[ \t]*p[ \t]+wcnf[ \t]"
           r"|^c (?:min|max)imise = -?1 \* cost|"
           r"\A(?:[ \t\r]*(?:c.*|\d+(?:[ \t]+-?\d+)*[ \t\r]*)?\n)*[ \t]*h(?:[ \t]+-?\d+)*[ \t]+0[ \t\r]*$",
           expansion=200, options=("encoding",)),
    Format("opb", "model", "pseudo-Boolean constraints", "read write", suffixes=("opb", "wbo"),
           opening=r"\A\*[ \t]*#variable=|\A(?:[ \t\r]*(?:\*.*)?\n)*[ \t]*"
           r"(?:(?:min|max|soft):|(?:\[\d+\][ \t]*)?[+-]?\d+[ \t]+~?x\d)",
           expansion=200, options=("encoding",)),
    Format("fzn", "model", "FlatZinc: models that MiniZinc has compiled", "read", expansion=200,
           opening=r"(?m)^\s*solve\b[^;]*\b(?:satisfy|minimize|maximize)\b|"
           r"\A(?:\s*%.*\n)*\s*(?:predicate\b|array\s*\[|var\s+(?:bool|int|-?\d+\.\.|\{)[^:]*:)"),
    Format("xcsp3", "model", "XCSP3, read by CPMpy", "read", suffixes=("xml", "xcsp3"), expansion=400,
           opening=r"<instance\b[^>]*\bformat\s*=\s*[\"']XCSP3"),
    Format("mzn", "model", "MiniZinc"),
    Format("hcp", "model", "TSPLIB graph"),
    Format("listing", "model", "constraints in words"),
    Format("svg", "picture", "vector graphics", ""),
    Format("pdf", "picture", "vector graphics for print", "", binary=True),
    Format("tikz", "picture", "drawing commands for LaTeX", "", suffixes=("tikz", "tex")),
    Format("png", "picture", "pixels", "", options=("pixels",), binary=True),
    Format("gif", "picture", "moving picture of 256 colours", "", options=("pixels", "frames", "speed"),
           binary=True),
    Format("apng", "picture", "moving picture", "", options=("pixels", "frames", "speed"), binary=True),
    Format("html", "picture", "page that plays tours", ""),
    Format("text", "picture", "characters", "", aliases=("txt",), suffixes=("txt",)),
    Format("text", "answer", "lines of text", "", aliases=("txt", "table"), suffixes=("txt",)),
    Format("json", "answer", "one JSON object", ""),
    Format("sol", "answer", "lines s, o and v of the solver competitions", "", aliases=("solution",)),
    Format("csv", "answer", "a table with a line of names", ""),
    Format("url", "answer", "addresses of puzz.link, one a line", ""),
    Format("id", "answer", "game ids of Loopy or Pearl, one a line", ""),
    Format("bfile", "answer", "a line of index and number, as OEIS has them", ""),
    Format("markdown", "answer", "a page", "", aliases=("md",), suffixes=("md", "markdown")),
)
"""All formats. Those of tours are in the order in which their openings are tried."""
# fmt: on


GRAPH_TOUR_FORMATS = tuple(each for each in FORMATS if each.bare)  # the formats of tours of bare graphs


def formats_of(*contents: str, can: str = "") -> tuple[Format, ...]:
    """The formats of one kind of contents or several, in the order of the table; with a role, if it is given.

    >>> [each.name for each in formats_of("model")]
    ['cnf', 'wcnf', 'opb', 'fzn', 'xcsp3', 'mzn', 'hcp', 'listing']
    """
    return tuple(each for each in FORMATS if each.holds in contents and (not can or each.can(can)))


def listed(formats: Iterable[Format]) -> str:
    """Names of formats for help texts and errors, each once.

    >>> listed(formats_of("graph"))
    'hcp, col, g6, s6, d6, edges, nm, adjlist, matrix, graphml, gml, gexf, mtx, net, dot, json'
    """
    return ", ".join(dict.fromkeys(each.name for each in formats))


def format_named(name: str, formats: Sequence[Format]) -> Format:
    """The first of these formats that has the name or alias. Raises BadInput if none has, with all names.

    >>> format_named("txt", formats_of("tour")).name
    'grid'
    """
    for each in formats:
        if name == each.name or name in each.aliases:
            return each
    raise unknown("format", name, dict.fromkeys(each.name for each in formats))


def format_of_suffix(path: str | None, formats: Sequence[Format]) -> Format | None:
    """The first of these formats that has the suffix of a file's name; None if none has.

    >>> format_of_suffix("tours/first.SVG", formats_of("picture")).name
    'svg'
    """
    suffix = PurePath(path or "").suffix.removeprefix(".").lower()
    return next((each for each in formats if suffix in each.suffixes), None)


def uncompressed(path: str) -> str:
    """The name of a file that is read, without a suffix of compression.

    >>> uncompressed("graphs/cubic.g6.gz"), uncompressed("cubic.g6")
    ('graphs/cubic.g6', 'cubic.g6')
    """
    name = PurePath(path)
    return str(name.with_suffix("")) if name.suffix.lower() in _COMPRESSED else path
