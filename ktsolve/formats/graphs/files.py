"""Reading and writing of graph files for all commands, in every format.

A format is known by the suffix of the file's name, or by its contents. Files in graph6, sparse6 and digraph6
hold several graphs, one to a line. A file that ktsolve wrote of a board states the board in a comment, and is
read as that board. Sizes are bounded by the length of the text: a header takes no memory by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.formats.graphs.data import GraphData
from ktsolve.formats.graphs.given import ReadGraph
from ktsolve.formats.graphs.graph6 import HEADER, read_g6
from ktsolve.formats.graphs.matrix import looks_like_a_matrix
from ktsolve.formats.graphs.plain_text import is_marked, may_be_neighbours, plain_format
from ktsolve.formats.table import Format, format_named, format_of_suffix, formats_of, uncompressed
from ktsolve.formats.tours.common import is_read, read_board_comment
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph

__all__ = ["GRAPH_FORMATS", "graph_file", "graph_format", "graphs_in", "read_graph"]

GRAPH_FORMATS = formats_of("graph")

_HEAD = 1 << 16  # characters of a text that show its format


def graph_file(graph: Graph | Any, name: str) -> str:
    r"""Write a graph, or the move graph of a board, in a format.

    Linear in the number of edges, for graph6 and matrices in that of pairs.

    Parameters
    ----------
    graph:
        The graph, as :meth:`Graph.of` takes it, or a board.
    name:
        Name of the format, such as ``g6``.

    Returns
    -------
    str
        The text of the file.

    Raises
    ------
    BadInput
        For a format that holds no graphs, or cannot hold this one.

    Examples
    --------
    >>> print(graph_file(Board.parse("3x3", without="b2"), "g6"), end="")
    G@`LA_
    >>> print(graph_file(Graph("abc", ["ab", "bc"]), "col"), end="")
    c graph of 3 vertices and 2 edges
    p edge 3 2
    e 1 2
    e 2 3
    """
    text: str = format_named(name, GRAPH_FORMATS).function("write")(Graph.of(graph))
    return text


def read_graph(text: str, name: str | None = None, file: str = "") -> Graph:
    r"""The graph of a text; the board, if the text states one.

    The format is the one named, or that of the suffix of its file, or that of the contents. Raises BadInput
    if the text is not such a file, or holds several graphs.

    >>> read_graph("p edge 3 2\ne 1 2\ne 2 3\n").moves
    (('1', '2'), ('2', '3'))
    >>> read_graph('Rome "New York"\nRome Oslo\n').names
    ('Rome', 'New York', 'Oslo')
    """
    form = graph_format(text, file, guess=True) if name is None else format_named(name, GRAPH_FORMATS)
    assert form is not None
    found = list(graphs_in(text, form))
    if len(found) != 1:
        raise BadInput(f"the text holds {len(found)} graphs: give one at a time")
    return found[0].ground


def graphs_in(text: str, form: Format, line: int = 0) -> Iterator[ReadGraph]:
    r"""The graphs of a text, one after the other.

    Raises BadInput if the text is not such a file; for one of several graphs the message names its line. With
    ``line`` the text is that line of a list.

    >>> [len(each.ground) for each in graphs_in("Bw\nC~\n", format_named("g6", GRAPH_FORMATS))]
    [3, 4]
    """
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise BadInput("there is no graph in the input: it is empty")
    read = form.function("read")
    if form.separator is None:
        yield _made(read(text), form)
        return
    lines = [
        (number, each)
        for number, each in enumerate(text.split("\n"), line or 1)
        if HEADER.sub("", each).strip()
    ]
    for number, each in lines:
        try:
            made = _made(read(each), form)
        except BadInput as error:
            where = f"line {number}: " if line or len(lines) > 1 else ""
            raise BadInput(f"{where}{error}") from None
        yield made


def graph_format(text: str, file: str = "", *, guess: bool = False) -> Format | None:
    r"""The format of a graph by the suffix of its file, or by its contents.

    - ``guess``: whether a text that shows no format may be a list of edges or of neighbours; else the result
      is None. Raises BadInput, with the line, for a text that is neither, or may be both

    >>> graph_format("", "a.s6").name, graph_format("Bw\n").name, graph_format("a b", guess=True).name
    ('s6', 'g6', 'edges')
    """
    file, text = uncompressed(file), text.removeprefix("\ufeff")
    by_suffix = format_of_suffix(file, GRAPH_FORMATS)
    edges = format_named("edges", GRAPH_FORMATS)
    tours = format_of_suffix(file, formats_of("tour"))  # json and edges hold tours as well
    sure = tours is None or (tours.name != "json" and not tours.opens(text))
    if by_suffix is not None and sure and not (by_suffix is edges and guess):
        return by_suffix
    head = text[:_HEAD].lstrip()
    if len(text) > _HEAD:
        head = head[: head.rfind("\n") + 1] or head
    found = next((each for each in GRAPH_FORMATS if each.opens(head)), None)
    if by_suffix is not None and by_suffix.name == "json" and (found is None or found.several):
        return by_suffix if guess else None  # [] is JSON, and might open a line of graph6
    if by_suffix is edges and found is not None and (found.several or found.name == "dot"):
        found = None  # a vertex without edges, or graph a {}
    first = HEADER.sub("", head).partition("\n")[0]
    if found is not None and found.several and not guess and not is_read(lambda: read_g6(first)):
        return None  # some word
    if found is None and looks_like_a_matrix(text) and not is_marked(text):  # no step of a tour is 0
        if guess and may_be_neighbours(text):
            raise BadInput(
                "the text may be a matrix or lists of neighbours: --format matrix or adjlist decides"
            )
        return format_named("matrix", GRAPH_FORMATS)
    if found is None and guess:
        return format_named("json" if head[:1] in ("{", "[") else plain_format(text), GRAPH_FORMATS)
    return found


def format_of_start(text: str, file: str = "") -> Format:
    """The format that the beginning of a text shows, which may end within a line; a list of edges if none."""
    return graph_format(text, file) or format_named("edges", GRAPH_FORMATS)


def _made(data: GraphData, form: Format) -> ReadGraph:
    if not data.vertices:
        raise BadInput(f"the graph in {form.name} has no vertices: a graph needs one or more")
    graph = data.graph()
    required = []
    for u, v in data.required.tolist():
        move = graph.edge(*graph.cells_of((u, v)))
        if not graph.adjacent(*move):
            raise BadInput(f"the fixed edge {u + 1} {v + 1} is not an edge of the graph")
        required.append(move)
    board, _ = read_board_comment(data.comment.replace("&quot;", '"'))
    if board is None:
        return ReadGraph(graph, tuple(dict.fromkeys(required)))
    if not _is_of(board, graph):
        raise BadInput(
            f"the graph is not that of {shown(str(board), 60)}, which the comment of the file names: it was "
            "changed; remove the comment to take it as a graph"
        )
    cells = board.cells
    by_name = dict(zip(board.names, cells, strict=True))
    named = zip(graph.cells, graph.names, cells, strict=True)
    own = {vertex: by_name.get(name, cell) for vertex, name, cell in named}
    moves = [(own[u], own[v]) for u, v in required]
    return ReadGraph(board, tuple(board.move(move) for move in dict.fromkeys(moves)))


def _is_of(board: Board, graph: Graph) -> bool:
    """Whether a graph is the move graph of a board, by the names of its cells or else by their numbers."""
    if len(board) != len(graph) or len(board.edges) != len(graph.edges) or graph.directed:
        return False
    import numpy as np

    edges = graph.edges
    number = {name: i for i, name in enumerate(board.names)}
    if number.keys() == set(graph.names):
        places = np.array([number[name] for name in graph.names], dtype=np.int32)
        edges = np.sort(places[edges], axis=1)
        edges = edges[np.lexsort((edges[:, 1], edges[:, 0]))]
    return bool(np.array_equal(edges, board.edges))
