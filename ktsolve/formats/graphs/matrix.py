"""Adjacency matrices as text: rows of 0 and 1, with or without blanks, or of weights; 0 is not an edge.

A matrix that is not symmetric is a directed graph. Its size may stand before it.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput
from ktsolve.base.integers import as_bytes, is_numbers, read_numbers
from ktsolve.base.text import number_of, plural, shown
from ktsolve.formats.graphs.data import GraphData, is_number, whole_weights
from ktsolve.formats.graphs.plain_text import without_comments
from ktsolve.graphs.graph import Graph

_MOST_WRITTEN = 4096  # vertices of a matrix that is written: 32 MB


def read_matrix(text: str) -> GraphData:
    r"""The graph of a matrix.

    >>> read_matrix("011\n100\n100\n").edges.tolist()
    [[0, 1], [0, 2]]
    """
    data = re.sub(rb"[,;\t\[\]]", b" ", as_bytes(without_comments(text)))
    if not data.strip():
        raise BadInput("the matrix is empty")
    matrix = _dense(data)
    size = len(matrix)
    if matrix.shape != (size, size):
        raise BadInput(
            f"the matrix has {number_of(size, 'row')} and {matrix.shape[1]:,} "
            f"{plural(matrix.shape[1], 'column')}: "
            "an adjacency matrix is square, so the file is cut off, or no matrix"
        )
    directed = not bool((matrix == matrix.T).all())
    edges = np.argwhere(matrix if directed else np.triu(matrix))
    values = matrix[edges[:, 0], edges[:, 1]]
    weights = None if bool((values == 1).all()) else whole_weights(values.astype(np.float64))
    return GraphData(size, edges, None, directed, weights, comment=text[:4096])


def _dense(data: bytes) -> NDArray[np.int64] | NDArray[np.uint8] | NDArray[np.float64]:
    rows = [row.strip() for row in data.split(b"\n") if row.strip()]
    if rows[0].split()[:2] in ([size := b"%d" % (len(rows) - 1)], [size, size]) and len(rows) > 1:
        data, rows = b"\n".join(rows[1:]), rows[1:]
    if len(rows) > 1 and all(len(row) == len(rows) for row in rows) and b" " not in rows[0]:
        bits = np.frombuffer(b"".join(rows), dtype=np.uint8) - ord("0")
        if int(bits.max()) <= 1:
            return bits.reshape(len(rows), len(rows))
    if is_numbers(data):
        numbers = read_numbers(data, "a number of the matrix")
        columns = len(rows[0].split())
        return numbers.rows(columns, f"{columns} as the first")
    table = [row.split() for row in rows]
    for at, row in enumerate(table, 1):
        if len(row) != len(table[0]):
            raise BadInput(
                f"row {at} of the matrix has {number_of(len(row), 'number')}, the first {len(table[0])}"
            )
    try:
        return np.array(table, dtype=np.float64)
    except ValueError:
        wrong = next(word for row in table for word in row if not is_number(word))
        raise BadInput(f"{shown(wrong.decode(), 24)} is not a number of a matrix") from None


def looks_like_a_matrix(text: str) -> bool:
    r"""Whether a text is a square of numbers, three or more to a side, with 0 in its diagonal.

    >>> looks_like_a_matrix("0 1 1\n1 0 0\n1 0 0\n"), looks_like_a_matrix("0 1\n1 2\n")
    (True, False)
    """
    text = without_comments(text).strip()
    if re.match(r"(?:(\d+)(?:[ \t,;]+\1)?[ \t\r]*\n\s*)?0", text) is None:
        return False
    text = re.sub(r"[,;\t]", " ", text)
    first = text.partition("\n")[0].split()
    if len(set(first)) == 1 and first[0] == str(text.count("\n")):  # its size
        text = text.partition("\n")[2]
        first = text.partition("\n")[0].split()
    size = len(first[0]) if len(first) == 1 else len(first)
    # The count of lines refutes long lists of edges before they are split.
    if size < 3 or text.count("\n") < size - 1 or text.count("\n") > 2 * size:
        return False
    rows = [row.split() if len(first) > 1 else list(row.strip()) for row in text.split("\n") if row.strip()]
    if len(rows) != size or any(len(row) != size for row in rows):
        return False
    return all(is_number(row[i]) and float(row[i]) == 0 for i, row in enumerate(rows))


def write_matrix(graph: Graph) -> str:
    """Rows of 0 and 1, or of weights; names are not stated."""
    n = len(graph)
    if n > _MOST_WRITTEN:
        raise BadInput(
            f"a matrix has a number for every pair: it is written for up to {_MOST_WRITTEN:,} vertices, "
            f"and there are {n:,}; use edges, col or s6"
        )
    weights = graph.weights
    if weights is not None and not bool((weights != 0).all()):
        raise BadInput("a matrix cannot hold an edge of weight 0: use edges or graphml")
    matrix = np.zeros((n, n), dtype=np.int64)
    u, v = graph.edges[:, 0], graph.edges[:, 1]
    matrix[u, v] = 1 if weights is None else weights
    if not graph.directed:
        matrix[v, u] = matrix[u, v]
    return "".join(" ".join(map(str, row)) + "\n" for row in matrix.tolist())
