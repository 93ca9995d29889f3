"""Move graphs of boards as files: TSPLIB HCP, DIMACS edges, graph6, GraphML and Pajek."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ktsolve.errors import BadInput
from ktsolve.formats.tsplib import board_mark, read_mark
from ktsolve.ground.board import Board
from ktsolve.ground.notation import shown
from ktsolve.model.export import hcp_file

if TYPE_CHECKING:
    import networkx

__all__ = ["GRAPH_FORMATS", "board_of", "graph_file", "read_graph"]

GRAPH_FORMATS = ("hcp", "col", "g6", "graphml", "net")
"""Endings of files, each of which names a format."""

_MOST_FOR_GRAPH6 = 4096
"""Cells of a board in graph6, which has a bit for every pair: 1 MB."""


def graph_file(board: Board, ending: str) -> str:
    r"""The move graph of a board in the format of that file ending; cells are numbered row by row.

    All but graph6 carry the board itself, so that :func:`board_of` finds it. Linear in the number of moves,
    for graph6 in that of pairs.

    Raises
    ------
    BadInput
        For another ending, or a board that the format cannot hold.

    Examples
    --------
    >>> print(graph_file(Board.parse("3x3", without="b2"), "g6"), end="")
    G@`LA_
    >>> print(graph_file(Board.parse("1x3", leaper=(0, 1)), "col").split("\n", 2)[2], end="")
    p edge 3 2
    e 1 2
    e 2 3
    """
    match ending:
        case "hcp":
            if len(board) < 3:
                raise BadInput(f"TSPLIB HCP needs at least 3 nodes, not {len(board)}")
            edges = [f"{u + 1} {v + 1}" for u, v in board.edges.tolist()]
            return hcp_file(str(board), len(board), edges, comment=board_mark(board))
        case "col":
            return "\n".join(_dimacs(board)) + "\n"
        case "g6":
            return _graph6(board)
        case "graphml":
            import networkx

            graph = _numbered(board)
            graph.graph["board"] = board_mark(board)
            for number, (row, column) in enumerate(board.cells):
                graph.nodes[number].update(name=board.name((row, column)), row=row, column=column)
            return "\n".join(networkx.generate_graphml(graph)) + "\n"
        case "net":
            return "\n".join(_pajek(board)) + "\n"
    raise BadInput(f"a graph is written as {_listed()}, not .{ending}")


def _listed() -> str:
    return ", ".join(f".{each}" for each in GRAPH_FORMATS)


def _numbered(board: Board) -> networkx.Graph[int]:
    import networkx

    graph: networkx.Graph[int] = networkx.Graph()
    graph.add_nodes_from(range(len(board)))
    graph.add_edges_from(board.edges.tolist())
    return graph


def _dimacs(board: Board) -> Iterator[str]:
    yield f"c {board}"
    yield f"c {board_mark(board)}"
    yield f"p edge {len(board)} {len(board.edges)}"
    for u, v in board.edges.tolist():
        yield f"e {u + 1} {v + 1}"


def _graph6(board: Board) -> str:
    import networkx

    if len(board) > _MOST_FOR_GRAPH6:
        raise BadInput(
            f"graph6 has a bit for every pair of cells: it is written for up to {_MOST_FOR_GRAPH6:,} cells, "
            f"and {board.size} has {len(board):,}; use .col or .graphml"
        )
    data: bytes = networkx.to_graph6_bytes(_numbered(board), header=False)
    return data.decode("ascii")


def _pajek(board: Board) -> Iterator[str]:
    """Vertices have the names of cells and their places, as shares of the longer side."""
    longest = max(board.rows, board.columns)
    yield f"*Network {board_mark(board)}"
    yield f"*Vertices {len(board)}"
    for number, (row, column) in enumerate(board.cells, 1):
        x, y = (column + 0.5) / longest, (row + 0.5) / longest
        yield f'{number} "{board.name((row, column))}" {x:.6f} {y:.6f} ellipse'
    yield "*Edges"
    for u, v in board.edges.tolist():
        yield f"{u + 1} {v + 1} 1"


def read_graph(text: str, ending: str) -> networkx.Graph[int]:
    r"""Read a graph in one of the formats: nodes are numbered from 0 in the order of the file.

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
    import networkx

    if ending not in GRAPH_FORMATS:
        raise BadInput(f"a graph is read from {_listed()}, not .{ending}")
    try:
        match ending:
            case "hcp":
                return _from_lines(text, r"^\s*DIMENSION\s*:\s*(\d+)", r"^[ \t]*(\d+)[ \t]+(\d+)[ \t]*$")
            case "col":
                return _from_lines(text, r"^p\s+(?:edge|col)\s+(\d+)\s+\d+", r"^e\s+(\d+)\s+(\d+)[ \t]*$")
            case "g6":
                found = networkx.from_graph6_bytes(text.strip().encode("ascii"))
            case "graphml":
                found = networkx.parse_graphml(text)
            case _:
                found = networkx.parse_pajek(text)
    except BadInput:
        raise
    except Exception as error:  # parsers of networkx raise whatever befalls them
        raise BadInput(f"this is no .{ending}: {type(error).__name__}: {shown(str(error), 80)}") from None
    if found.is_directed():
        raise BadInput("the graph is directed: moves of a leaper go both ways")
    return _renumbered(found)


def _renumbered(graph: networkx.Graph[object]) -> networkx.Graph[int]:
    import networkx

    plain: networkx.Graph[int] = networkx.Graph()
    number = {node: i for i, node in enumerate(graph)}
    plain.add_nodes_from(number.values())
    plain.add_edges_from((number[u], number[v]) for u, v in graph.edges())
    return plain


def _from_lines(text: str, head: str, edge: str) -> networkx.Graph[int]:
    import networkx

    size = re.search(head, text, re.MULTILINE)
    if size is None:
        raise BadInput("the file does not say how many nodes there are")
    nodes = int(size[1])
    graph: networkx.Graph[int] = networkx.Graph()
    if nodes > 10**8:
        raise BadInput(f"a graph of {nodes:,} nodes is larger than any board")
    # What is fixed in a Hamiltonian cycle problem is listed once more.
    body = text[size.end() :].split("FIXED_EDGES_SECTION")[0]
    graph.add_nodes_from(range(nodes))
    for match in re.finditer(edge, body, re.MULTILINE):
        u, v = int(match[1]), int(match[2])
        if not (1 <= u <= nodes and 1 <= v <= nodes):
            raise BadInput(f"edge {u} {v} goes to a node that is not there: they are numbered 1 to {nodes}")
        graph.add_edge(u - 1, v - 1)
    return graph


def board_of(text: str, ending: str) -> Board:
    """The board whose move graph a file holds, as the file tells; the graph must be that board's.

    Raises
    ------
    BadInput
        If the file tells no board, or its graph is another.

    Examples
    --------
    >>> board = Board.parse("4x5", without="a1", wrap="y")
    >>> board_of(graph_file(board, "net"), "net") == board
    True
    """
    graph = read_graph(text, ending)
    board, _ = read_mark(text.replace("&quot;", '"'))
    if board is None:
        raise BadInput(f"the .{ending} does not tell its board, and a graph may belong to many")
    edges = {(u, v) for u, v in board.edges.tolist()}
    if len(graph) != len(board) or {(min(e), max(e)) for e in graph.edges} != edges:
        raise BadInput(f"the graph is not that of {board}, which the file names: it was changed")
    return board
