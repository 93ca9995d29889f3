"""graph6, sparse6 and digraph6, the formats of nauty (McKay): a graph in a line of printable characters.

A character holds six bits, as its code minus 63. graph6 has a bit for every pair of vertices, digraph6 for
every ordered pair, sparse6 a list of edges. The first character tells them apart, so that all three are read
under each of their names. The bits are unpacked by numpy. The length of a line follows from its number of
vertices and is compared first, so that no memory is taken that the line does not have.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of, shown
from ktsolve.formats.graphs.data import GraphData, check_announced
from ktsolve.graphs.graph import Graph

_MOST_FOR_GRAPH6 = 4096  # vertices of a graph that is written with a bit for every pair: 1 MB

HEADER = re.compile(r"\A\s*>>(?:graph6|sparse6|digraph6)<<\s*")
"""The header of a file, before its first graph or in a line of its own."""


def read_g6(text: str) -> GraphData:
    """The graph of a line of graph6, sparse6 or digraph6.

    >>> read_g6("Bw").edges.tolist(), read_g6(":Bc").edges.tolist()
    ([[0, 1], [0, 2], [1, 2]], [[0, 1], [0, 2]])
    """
    line = HEADER.sub("", text).strip()
    mark = line[:1] if line[:1] in (":", "&") else ""
    body = line[len(mark) :]
    for place, character in enumerate(body, len(mark) + 1):
        if not "?" <= character <= "~":
            raise BadInput(
                f"character {place} of the graph6 line is {shown(character)}: the characters are ? to ~"
            )
    codes = np.frombuffer(body.encode("ascii"), dtype=np.uint8) - 63
    vertices, used = _number(codes, line)
    if mark == ":":
        return _sparse(vertices, codes[used:], line)
    pairs = vertices * vertices if mark == "&" else vertices * (vertices - 1) // 2
    wanted = (pairs + 5) // 6
    if len(codes) - used != wanted:
        raise BadInput(
            f"a graph6 line of {number_of(vertices, 'vertex')} has {number_of(wanted, 'character')} after "
            f"its number of vertices, this one {len(codes) - used:,}: it is "
            f"{'cut off' if len(codes) - used < wanted else 'too long'}"
        )
    ones = np.flatnonzero(_bits(codes[used:])[:pairs])
    if mark == "&":
        return GraphData(vertices, np.stack(np.divmod(ones, max(vertices, 1)), axis=1), directed=True)
    # Bit k is the pair (k - v(v-1)/2, v): the pairs with second vertex v follow those with v - 1.
    second = ((1 + np.sqrt(1 + 8 * ones.astype(np.float64))) / 2).astype(np.int64)
    second -= second * (second - 1) // 2 > ones
    second += second * (second + 1) // 2 <= ones
    first = ones - second * (second - 1) // 2
    return GraphData(vertices, np.stack((first, second), axis=1))


read_s6 = read_d6 = read_g6


def _number(codes: NDArray[np.uint8], line: str) -> tuple[int, int]:
    """The number of vertices, and the characters that it takes: 1, 4 or 8."""
    if not len(codes):
        raise BadInput("the graph6 line is empty")
    if codes[0] < 63:
        return int(codes[0]), 1
    at, size = (2, 6) if len(codes) > 1 and codes[1] == 63 else (1, 3)
    digits = codes[at : at + size].tolist()
    if len(digits) < size:
        raise BadInput(f"the graph6 line {shown(line)} ends within its number of vertices: it is cut off")
    number = 0
    for digit in digits:
        number = number << 6 | digit
    return number, at + size


def _bits(codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Six bits of each character, the highest first."""
    return np.unpackbits(codes[:, None], axis=1)[:, 2:].ravel()


def _sparse(vertices: int, codes: NDArray[np.uint8], line: str) -> GraphData:
    """The edges of sparse6: pairs of a bit b and a number x of k bits.

    The current vertex v grows by b; if x is larger it becomes x, else x-v is an edge. So after each pair
    v = max(v + b, x), and without the running sum of the bits b that is a running maximum.
    """
    check_announced(vertices, line)
    k = max(1, (vertices - 1).bit_length())
    bits = _bits(codes)
    pairs = bits[: len(bits) // (k + 1) * (k + 1)].reshape(-1, k + 1).astype(np.int64)
    steps = np.cumsum(pairs[:, 0])
    x = pairs[:, 1:] @ (1 << np.arange(k - 1, -1, -1, dtype=np.int64))
    current = np.maximum(np.maximum.accumulate(x - steps), 0) + steps
    before = np.concatenate(([0], current[:-1])) + pairs[:, 0]
    # Bits that fill up the last character may spell pairs past the last vertex.
    edge = (x <= before) & (before < vertices)
    return GraphData(vertices, np.stack((x[edge], before[edge]), axis=1))


def write_g6(graph: Graph) -> str:
    """The graph in graph6; names are not stated."""
    _check_size(graph, "pair of vertices")
    _undirected(graph, "graph6")
    edges = graph.edges.astype(np.int64)
    n = len(graph)
    bits = np.zeros(n * (n - 1) // 2, dtype=np.uint8)
    bits[edges[:, 1] * (edges[:, 1] - 1) // 2 + edges[:, 0]] = 1
    return _text("", n, bits)


def write_d6(graph: Graph) -> str:
    """The graph in digraph6, an undirected edge as two arcs; names are not stated."""
    _check_size(graph, "ordered pair of vertices")
    n = len(graph)
    bits = np.zeros(n * n, dtype=np.uint8)
    edges = graph.edges.astype(np.int64)
    bits[edges[:, 0] * n + edges[:, 1]] = 1
    if not graph.directed:
        bits[edges[:, 1] * n + edges[:, 0]] = 1
    return _text("&", n, bits)


def write_s6(graph: Graph) -> str:
    """The graph in sparse6, linear in its edges; names are not stated."""
    _undirected(graph, "sparse6")
    n = len(graph)
    k = max(1, (n - 1).bit_length())
    edges = graph.edges[np.lexsort((graph.edges[:, 0], graph.edges[:, 1]))]
    pairs: list[int] = []  # the bit b and the number x, in k + 1 bits
    current = 0
    for first, second in edges.tolist():
        if second == current + 1:
            pairs.append(1 << k | first)
        elif second == current:
            pairs.append(first)
        else:
            pairs += [1 << k | second, first]
        current = second
    shifts = np.arange(k, -1, -1, dtype=np.int64)
    bits = ((np.array(pairs, dtype=np.int64)[:, None] >> shifts) & 1).astype(np.uint8).ravel()
    spare = -len(bits) % 6
    fill = np.ones(spare, dtype=np.uint8)
    # The one case in which ones would spell a loop at the last vertex (formats.txt of nauty).
    if k < 6 and n == 1 << k and spare > k and current < n - 1:
        fill[0] = 0
    return _text(":", n, np.concatenate((bits, fill)))


def _undirected(graph: Graph, name: str) -> None:
    if graph.directed:
        raise BadInput(f"{name} holds undirected graphs, and this one is directed: use d6, edges or graphml")


def _check_size(graph: Graph, pair: str) -> None:
    if len(graph) > _MOST_FOR_GRAPH6:
        raise BadInput(
            f"graph6 has a bit for every {pair}: it is written for up to {_MOST_FOR_GRAPH6:,}, "
            f"and there are {len(graph):,}; use s6, col or edges"
        )


def _text(mark: str, n: int, bits: NDArray[np.uint8]) -> str:
    if n < 63:
        head = [n]
    elif n < 1 << 18:
        head = [63, *(n >> shift & 63 for shift in (12, 6, 0))]
    else:
        head = [63, 63, *(n >> shift & 63 for shift in range(30, -6, -6))]
    padded = np.concatenate((bits, np.zeros(-len(bits) % 6, dtype=np.uint8))).reshape(-1, 6)
    codes = padded @ np.array([32, 16, 8, 4, 2, 1], dtype=np.uint8)
    return f"{mark}{bytes(code + 63 for code in head).decode()}{(codes + 63).tobytes().decode()}\n"
