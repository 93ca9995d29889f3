"""Move graphs of boards as files: TSPLIB HCP, DIMACS edges, graph6, GraphML and Pajek.

Cells are numbered row by row. All formats but graph6 carry the board in a comment, so that :func:`board_of`
finds it.
"""

from __future__ import annotations

import re

import networkx as nx

from ktsolve.errors import BadInput
from ktsolve.formats.common import board_comment, read_board_comment
from ktsolve.formats.table import Format, format_named, formats_of
from ktsolve.ground.board import Board
from ktsolve.ground.notation import shown
from ktsolve.model.export import hcp_file

__all__ = ["GRAPH_FORMATS", "board_of", "graph_file", "graph_format", "read_graph"]

GRAPH_FORMATS = formats_of("graph")

_MOST_FOR_GRAPH6 = 4096
"""Cells of a board in graph6, which has a bit for every pair: 1 MB."""

_MOST_NODES = 10**8
"""Nodes of a graph that is read."""


def graph_file(board: Board, name: str) -> str:
    r"""The move graph of a board in a format. Linear in the number of moves, for graph6 in that of pairs.

    Raises
    ------
    BadInput
        For a format that holds no graphs, or cannot hold this board.

    Examples
    --------
    >>> print(graph_file(Board.parse("3x3", without="b2"), "g6"), end="")
    G@`LA_
    >>> print(graph_file(Board.parse("1x3", leaper=(0, 1)), "col").split("\n", 2)[2], end="")
    p edge 3 2
    e 1 2
    e 2 3
    """
    text: str = format_named(name, GRAPH_FORMATS).function("write")(board)
    return text


def read_graph(text: str, name: str) -> nx.Graph[int]:
    r"""The graph of a text in a format; nodes are numbered from 0 in the order of the file.

    Raises
    ------
    BadInput
        If the text is no such file.

    Examples
    --------
    >>> graph = read_graph("p edge 3 2\ne 1 2\ne 2 3\n", "col")
    >>> sorted(graph.edges)
    [(0, 1), (1, 2)]
    """
    form = format_named(name, GRAPH_FORMATS)
    try:
        found: nx.Graph[object] = form.function("read")(text)
    except BadInput:
        raise
    except Exception as error:  # the parsers of networkx raise exceptions of many classes
        raise BadInput(f"this is no {name}: {type(error).__name__}: {shown(str(error), 80)}") from None
    if found.is_directed():
        raise BadInput("the graph is directed: moves of a leaper go both ways")
    return nx.convert_node_labels_to_integers(nx.Graph(found))


def board_of(text: str, name: str) -> Board:
    """The board whose move graph a file holds, as the file states; the graph must be that board's.

    Raises
    ------
    BadInput
        If the file states no board, or its graph is another.

    Examples
    --------
    >>> board = Board.parse("4x5", without="a1", wrap="y")
    >>> board_of(graph_file(board, "net"), "net") == board
    True
    """
    graph = read_graph(text, name)
    board, _ = read_board_comment(text.replace("&quot;", '"'))
    if board is None:
        raise BadInput(f"the graph in {name} does not state its board: give its size, such as 8x8, instead")
    edges = {(u, v) for u, v in board.edges.tolist()}
    if len(graph) != len(board) or {(min(e), max(e)) for e in graph.edges} != edges:
        raise BadInput(f"the graph is not that of {board}, which the file names: it was changed")
    return board


def graph_format(text: str) -> Format | None:
    """The format of a text that holds a graph; None if it shows none."""
    return next((each for each in GRAPH_FORMATS if each.opens(text)), None)


def write_hcp(board: Board) -> str:
    """The problem of a Hamiltonian cycle of the board's graph."""
    if len(board) < 3:
        raise BadInput(f"TSPLIB HCP needs at least 3 nodes, not {len(board)}")
    return hcp_file(str(board), len(board), _edge_lines(board), comment=board_comment(board))


def read_hcp(text: str) -> nx.Graph[int]:
    """The graph of a problem."""
    return _from_lines(text, r"^\s*DIMENSION\s*:\s*(\d+)", r"^[ \t]*(\d+)[ \t]+(\d+)[ \t]*$")


def write_col(board: Board) -> str:
    """The graph as DIMACS edges."""
    head = f"c {board}\nc {board_comment(board)}\np edge {len(board)} {len(board.edges)}\n"
    return head + "".join(f"e {edge}\n" for edge in _edge_lines(board))


def read_col(text: str) -> nx.Graph[int]:
    """The graph of DIMACS edges."""
    return _from_lines(text, r"^p\s+(?:edge|col)\s+(\d+)\s+\d+", r"^e\s+(\d+)\s+(\d+)[ \t]*$")


def _edge_lines(board: Board) -> list[str]:
    return [f"{u + 1} {v + 1}" for u, v in board.edges.tolist()]


def _from_lines(text: str, head: str, edge: str) -> nx.Graph[int]:
    size = re.search(head, text, re.MULTILINE)
    if size is None:
        raise BadInput("the file does not state its number of nodes")
    nodes = int(size[1])
    if nodes > _MOST_NODES:
        raise BadInput(f"a graph of {nodes:,} nodes has more than {_MOST_NODES:,}")
    graph: nx.Graph[int] = nx.empty_graph(nodes)
    # Fixed edges of a Hamiltonian cycle problem are listed a second time.
    body = text[size.end() :].split("FIXED_EDGES_SECTION")[0]
    for match in re.finditer(edge, body, re.MULTILINE):
        u, v = int(match[1]), int(match[2])
        if not (1 <= u <= nodes and 1 <= v <= nodes):
            raise BadInput(f"edge {u} {v} ends in no node: they are numbered 1 to {nodes}")
        graph.add_edge(u - 1, v - 1)
    return graph


def write_g6(board: Board) -> str:
    """The graph in graph6, which does not state the board."""
    if len(board) > _MOST_FOR_GRAPH6:
        raise BadInput(
            f"graph6 has a bit for every pair of cells: it is written for up to {_MOST_FOR_GRAPH6:,} cells, "
            f"and {board.size} has {len(board):,}; use col or graphml"
        )
    data: bytes = nx.to_graph6_bytes(_numbered(board), header=False)
    return data.decode("ascii")


def read_g6(text: str) -> nx.Graph[int]:
    """The graph of a line of graph6."""
    return nx.from_graph6_bytes(text.strip().encode("ascii"))


def _numbered(board: Board) -> nx.Graph[int]:
    graph: nx.Graph[int] = nx.empty_graph(len(board))
    graph.add_edges_from(board.edges.tolist())
    return graph


def write_graphml(board: Board) -> str:
    """The graph with names and places of the cells."""
    graph = _numbered(board)
    graph.graph["board"] = board_comment(board)
    for number, (row, column) in enumerate(board.cells):
        graph.nodes[number].update(name=board.name((row, column)), row=row, column=column)
    return "\n".join(nx.generate_graphml(graph)) + "\n"


read_graphml = nx.parse_graphml
"""The graph of a text in GraphML."""


def write_net(board: Board) -> str:
    """The graph for Pajek, with names of the cells, and their places as shares of the longer side."""
    longest = max(board.rows, board.columns)
    lines = [f"*Network {board_comment(board)}", f"*Vertices {len(board)}"]
    for number, (row, column) in enumerate(board.cells, 1):
        x, y = (column + 0.5) / longest, (row + 0.5) / longest
        lines.append(f'{number} "{board.name((row, column))}" {x:.6f} {y:.6f} ellipse')
    return "\n".join([*lines, "*Edges", *(f"{edge} 1" for edge in _edge_lines(board))]) + "\n"


read_net = nx.parse_pajek
"""The graph of a network of Pajek."""
