"""Sparse matrices in the format of Matrix Market (NIST), as adjacency matrices: 0 is not an edge.

A matrix that is stated as general is a directed graph, unless it is symmetric.
"""

from __future__ import annotations

import io

import numpy as np

from ktsolve.base.errors import BadInput
from ktsolve.base.text import number_of, shown, small_number
from ktsolve.formats.graphs.data import (
    GraphData,
    check_announced,
    check_ends,
    numbered,
    weight_read,
    weighted_edges,
)
from ktsolve.formats.tours.common import ground_comment
from ktsolve.graphs.graph import Graph

_WORDS = (
    ("%%matrixmarket",),
    ("matrix",),
    ("coordinate", "array"),
    ("pattern", "integer", "real"),
    ("symmetric", "general"),
)


def read_mtx(text: str) -> GraphData:
    r"""The graph of a sparse matrix, or of one with all its entries.

    >>> data = read_mtx("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 1\n")
    >>> data.edges.tolist(), data.directed
    ([[1, 0], [2, 0]], False)
    """
    lines = enumerate(io.StringIO(text), 1)
    ahead = (line for line in lines if line[1].strip()[:1] != "%" or line[1].lstrip().startswith("%%"))
    opens_at, stated = next(((at, line) for at, line in ahead if line.strip()), (1, ""))
    kind = stated.lower().split()
    for word, known in zip([*kind, *[""] * 5], _WORDS, strict=False):
        if word not in known:
            raise BadInput(
                f"line {opens_at}: {shown(word, 24)} is not read of Matrix Market: write {' or '.join(known)}"
            )
    entries = [(at, line.split()) for at, line in lines if line.strip() and line.lstrip()[0] != "%"]
    sparse, pattern, symmetric = kind[2] == "coordinate", kind[3] == "pattern", kind[4] == "symmetric"
    sizes = entries[0][1] if entries else []
    if len(sizes) != 2 + sparse or not all(word.isascii() and word.isdigit() for word in sizes):
        place = entries[0][0] if entries else opens_at + 1
        raise BadInput(f"line {place}: Matrix Market states rows, columns and entries first")
    rows, columns, *count = map(small_number, sizes)
    if rows != columns:
        raise BadInput(
            f"the matrix has {number_of(rows, 'row')} and {columns:,} columns: an adjacency matrix is square"
        )
    vertices = check_announced(rows, text)
    half = vertices * (vertices + 1) // 2 if symmetric else vertices * vertices
    wanted = count[0] if sparse else half
    if len(entries) - 1 != wanted:
        raise BadInput(
            f"the header announces {number_of(wanted, 'entry', 'entries')}, and the file has "
            f"{len(entries) - 1:,}: it is {'cut off' if len(entries) - 1 < wanted else 'wrong in its header'}"
        )
    words = 2 * sparse + (not pattern)
    for at, line in entries[1:]:
        if len(line) != words or not all(word.isascii() and word.isdigit() for word in line[: 2 * sparse]):
            raise BadInput(f"line {at}: {shown(' '.join(line), 24)} is not an entry of the matrix")
    weights = np.array(
        [1 if pattern else weight_read(line[-1], at) for at, line in entries[1:]], dtype=np.int64
    )
    if sparse:
        edges = np.array(
            [[small_number(word) for word in line[:2]] for _, line in entries[1:]], dtype=np.int64
        )
        edges = edges.reshape(-1, 2)
        check_ends(edges, vertices, 1)
        edges -= 1
    else:  # column by column, of a symmetric matrix from the diagonal down
        first, second = np.triu_indices(vertices) if symmetric else np.divmod(np.arange(half), vertices)
        edges = np.stack((second, first), axis=1)
    edges, weights = edges[weights != 0], weights[weights != 0]
    if not symmetric:
        pairs = {(u, v): weight for (u, v), weight in zip(edges.tolist(), weights.tolist(), strict=True)}
        symmetric = all(pairs.get((v, u)) == weight for (u, v), weight in pairs.items())
        kept = edges[:, 0] >= edges[:, 1] if symmetric else np.full(len(edges), fill_value=True)
        edges, weights = edges[kept], weights[kept]
    weighted = not bool((weights == 1).all())
    return GraphData(
        vertices, edges, numbered(vertices), not symmetric, weights if weighted else None, comment=text[:4096]
    )


def write_mtx(graph: Graph) -> str:
    """The lower half of the matrix, or all arcs; a board is stated, names of other vertices are not."""
    if graph.weights is not None and not bool((graph.weights != 0).all()):
        raise BadInput("a matrix cannot hold an edge of weight 0: use edges or graphml")
    kind = (
        f"{'pattern' if graph.weights is None else 'integer'} {'general' if graph.directed else 'symmetric'}"
    )
    entries = [
        f"{u + 1} {v + 1}{weight}" if graph.directed else f"{v + 1} {u + 1}{weight}"
        for u, v, weight in weighted_edges(graph, " {}")
    ]
    n = len(graph)
    head = f"%%MatrixMarket matrix coordinate {kind}\n{ground_comment(graph, '% ')}{n} {n} {len(entries)}\n"
    return head + "".join(f"{entry}\n" for entry in entries)
