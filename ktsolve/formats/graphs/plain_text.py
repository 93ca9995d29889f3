"""Plain texts of graphs: their lines as labels, and whether they are lists of edges or of neighbours.

No text is a list of edges only because it is nothing else: what does not look like one is refused with its
line, and so is a text that may be read in two ways.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput
from ktsolve.base.integers import Numbers, as_bytes, is_numbers, read_numbers
from ktsolve.base.text import shown
from ktsolve.formats.graphs.data import is_number, words

EDGE = "an edge: write two labels, and perhaps a weight"

_COMMENT = re.compile(rb"[#%][^\n]*")

_PADDED = re.compile(rb"(?<![^\s,;])(?:[+-]?0\d|\+|-0(?!\d))")
"""A label that is not a spelling of a whole number as Python writes it: 01 and 1 are two vertices."""

_HEADING = ({"source", "target"}, {"from", "to"})
"""First words of a line of headings, as tables of Gephi have it."""

_LABEL = r'"(?:[^"\\]|\\.)*"'

NEIGHBOURS = re.compile(rf'\s*({_LABEL}(?=\s*:)|[^:"{{]+(?=:(?:\s|$))|\d+(?=\s*:))\s*:(.*)', re.DOTALL)
"""A line of a vertex and its neighbours, as ``a: b c``."""


class LabelRow(NamedTuple):
    """A line with its labels."""

    line: int  # its number, from 1
    labels: list[str]  # with the weight
    arrow: str  # ``->`` or ``--`` after the first label, or nothing


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are neither blank nor comments, with their numbers from 1."""
    for at, line in enumerate(io.StringIO(text), 1):
        stripped = line.strip()
        if stripped and stripped[0] not in "#%" and not stripped.startswith("//"):
            yield at, line


def rows(text: str) -> Iterator[LabelRow]:
    """The lines of a text, without one of headings."""
    separator = _separator(text)
    first = True
    for at, line in lines_of(text):
        labels, arrow = _fields(line, at, separator)
        if not labels or not all(labels[:2]):
            raise BadInput(f"line {at}: {shown(line.strip(), 30)} has an empty label")
        if not first or {word.lower() for word in labels[:2]} not in _HEADING:
            yield LabelRow(at, labels, arrow)
        first = False


def numbers_of(text: str) -> tuple[Numbers | None, bool]:
    """The numbers of a text, None if it has other labels; and whether it has an arrow in each line."""
    data = as_bytes(text)
    plain = data if b'"' in data else _COMMENT.sub(b"", data)
    directed = False
    if b"->" in plain and plain.count(b"->") == len(re.findall(rb"(?m)^[^\n]*\S", plain)):
        plain, directed = plain.replace(b"->", b"  "), True
    if not is_numbers(plain) or _PADDED.search(plain):
        return None, directed
    return read_numbers(plain, EDGE), directed


def _separator(text: str) -> str:
    """The character between fields that may hold spaces; empty for white space."""
    for _, line in lines_of(text):
        outside = re.sub(_LABEL, "", line.strip())
        return next((mark for mark in ",;\t" if mark in outside), "")
    return ""


def _fields(line: str, at: int, separator: str) -> tuple[list[str], str]:
    """The labels and the weight of a line, and its arrow."""
    if separator and separator in line.strip() and not re.search(r"\s--|->", re.sub(_LABEL, "", line)):
        split = map(str.strip, _split(line, separator))
        fields = [" ".join(words(field, at)) if '"' in field else field for field in split]
        while fields and not fields[-1]:
            fields.pop()
        return fields, ""
    body, brace, attributes = line.partition(" {")  # networkx writes a dictionary after each edge
    plain = not {'"', ",", ";"}.intersection(body)
    found = body.split() if plain else words(body, at)
    if plain and len(found) == 1 and all(sides := found[0].split("->")) and len(sides) == 2:
        found = [sides[0], "->", sides[1]]
    arrow = found.pop(1) if len(found) > 2 and found[1] in ("->", "--") else ""
    comment = next((i for i, word in enumerate(found) if word.startswith(("#", "%"))), None)
    if comment is not None:
        found = found[:comment] if '"' not in body else found
    if brace and len(found) == 1:
        raise BadInput(
            f"line {at}: {shown(line.strip(), 30)} seems to be a line of networkx.write_multiline_adjlist: "
            "networkx.write_adjlist is read"
        )
    if brace and (weight := re.search(r"'weight': ([^,}]+)", attributes)):
        found.append(weight[1])
    return found, arrow


def _split(line: str, separator: str) -> list[str]:
    return re.findall(rf'((?:{_LABEL}|[^"{separator}])*)(?:{separator}|$)', line.strip())


# -- recognition --------------------------------------------------------------------------------------------


def plain_format(text: str) -> str:
    r"""The name of the format of a text that shows none of the others: ``edges``, ``nm`` or ``adjlist``.

    Raises BadInput, with the line, for a text that looks like none of them, or like two.

    >>> plain_format("a b\nb c\n"), plain_format("3 3\n1 2\n1 3\n2 3\n"), plain_format("a: b c\nb: a\nc: a\n")
    ('edges', 'nm', 'adjlist')
    """
    numbers, _ = numbers_of(text)
    columns = 0 if numbers is None else numbers.columns()
    if numbers is not None and columns == 2:
        listed, line = numbers.rows(2, EDGE), int(numbers.lines[0]) + 1
        if listed.shape == (2, 2) and not listed.diagonal().any():
            raise BadInput(
                f"line {line}: the text may be a matrix of two rows, or two edges: --format matrix or "
                "--format edges decides"
            )
        return "nm" if _is_headed(listed, line) else "edges"
    if numbers is not None and columns == 3 and len(numbers.values) > _MOST_COMPARED:
        return "edges"
    if any(NEIGHBOURS.match(line) for _, line in lines_of(text)):
        return "adjlist"
    found = list(rows(text))
    if not found:
        return "edges"
    if _is_neighbours(found):
        return "adjlist"
    if _has_header(found):
        return "nm"
    check_labels(found, text)
    if all(len(row.labels) == 1 for row in found):
        label = shown(found[0].labels[0], 30)
        raise BadInput(f"line {found[0].line}: {label} is not {EDGE}; no line has two labels")
    return "edges"


_MOST_COMPARED = 300_000  # numbers of a list of edges with weights that may be lists of neighbours


def may_be_neighbours(text: str) -> bool:
    """Whether a matrix of weights may be a list of neighbours of vertices that are all adjacent."""
    heads = [line.split(maxsplit=1)[0] for _, line in lines_of(text)]
    if len(known := set(heads)) < len(heads):
        return False
    return all(set(line.split()) == known for _, line in lines_of(text))


def _is_neighbours(found: list[LabelRow]) -> bool:
    """Whether each line may be a vertex and its neighbours, each of which has a line; and not an edge."""
    heads = {row.labels[0] for row in found}
    lengths = {len(row.labels) for row in found}
    if len(heads) != len(found) or not all(heads.issuperset(row.labels) for row in found):
        return False
    listed = {label for row in found for label in row.labels[1:]}
    alone = any(len(row.labels) == 1 and row.labels[0] in listed for row in found)
    if alone or not lengths <= {1, 2, 3} or lengths == {2, 3}:
        return True
    if 3 in lengths and all(is_number(row.labels[2]) for row in found if len(row.labels) == 3):
        row = next(row for row in found if len(row.labels) == 3)
        raise BadInput(
            f"line {row.line}: {shown(' '.join(row.labels), 30)} may be an edge with its weight, or a vertex "
            "and its two neighbours: --format edges or --format adjlist decides"
        )
    return 3 in lengths


def _has_header(found: list[LabelRow]) -> bool:
    """Whether the first line states the numbers of vertices and of edges, before edges with weights."""
    first, rest = found[0], found[1:]
    if len(first.labels) == 1 and rest and all(len(row.labels) > 1 for row in rest):
        raise BadInput(
            f"line {first.line}: {shown(first.labels[0], 30)} is one label before the edges: leave out the "
            "number of vertices, or name --format edges for a vertex without edges"
        )
    if len(first.labels) != 2 or first.arrow or not all(len(row.labels) == 3 or row.arrow for row in rest):
        return False
    if not all(label.isascii() and label.isdigit() for row in found for label in row.labels[:2]):
        return False
    n, m = map(int, first.labels)
    ends = [int(label) for row in rest for label in row.labels[:2]]
    return m == len(rest) > 0 and max(ends) - min(*ends, 1) < n


def _is_headed(edges: NDArray[np.int64], at: int) -> bool:
    """Whether the first of the lines states the numbers of vertices and of edges.

    Raises BadInput if it may be an edge as well.
    """
    n, m = edges[0].tolist()
    rest = edges[1:]
    if len(rest) and n < int(rest.max()):
        return False
    if not len(rest) and m != 0:
        return False
    known = np.unique(rest)
    new = [number for number in (n, m) if number not in known]
    if m != len(rest) or (m and n == int(rest.max()) and int(rest.min()) == 0):
        if len(new) == 2 or (new == [m] and m > n + 1):
            raise BadInput(
                f"line {at}: {n} {m} seems to be the numbers of vertices and of edges, and {len(rest):,} "
                "edges follow: correct it, or name --format edges if it is an edge"
            )
        return False
    again = bool(((rest == (n, m)) | (rest == (m, n))).all(axis=1).any())
    # A path from its last vertex to its first begins 4 3, 3 2; before more edges such a line is no accident.
    clear = n == m or again or (m > n and m in new)
    if not clear or _is_metis(rest, n):
        other = "the neighbours of each vertex follow" if clear else "it is an edge"
        raise BadInput(
            f"line {at}: {n} {m} may be the numbers of vertices and of edges before the edges, or {other}: "
            f"--format nm reads edges after it{'' if clear else ', --format edges takes it as one'}"
        )
    return True


def _is_metis(rest: NDArray[np.int64], n: int) -> bool:
    """Whether line k may list the two neighbours of vertex k, as in files of METIS."""
    if len(rest) != n or int(rest.min()) < 1:
        return False
    around = dict(enumerate(map(set, rest.tolist()), 1))
    return all(v != u and u in around[v] for u, others in around.items() for v in others)


def check_labels(found: Sequence[LabelRow], text: str) -> None:
    """Raise BadInput for the first of the lines of a text that does not look like an edge."""

    def line(row: LabelRow) -> str:
        return next(line.strip() for at, line in lines_of(text) if at == row.line)

    def start(row: LabelRow) -> str:
        return f"line {row.line}: {shown(line(row), 30)}"

    for row in found:
        odd = any(map(_is_odd, row.labels)) or (len(row.labels) == 1 and re.search(r"\w-\w", row.labels[0]))
        if odd and '"' not in line(row):
            raise BadInput(
                f"{start(row)} seems to be {_seems(line(row))}, and not {EDGE}; such labels are written in "
                "double quotes"
            )
    edges = [row for row in found if len(row.labels) > 1]
    if not edges:
        return
    first, rest = edges[0], edges[1:]
    head = first.labels[0]
    if head in ("a", "e", "edge") and all(
        len(row.labels) == 3 and row.labels[0] == head and is_number(row.labels[1]) for row in edges
    ):
        raise BadInput(f"{start(first)} seems to be an edge of DIMACS, and the line p edge is missing")
    known = {label for row in rest for label in row.labels[:2]}
    if len(rest) > 1 and known.isdisjoint(first.labels[:2]) and not all(map(is_number, first.labels)):
        raise BadInput(
            f"{start(first)} has no label of another line: leave out a line of headings, or write the line "
            "later if it is an edge"
        )


def _is_odd(label: str) -> bool:
    """Whether a label has a bracket without its partner, or ends with a mark of punctuation."""
    bare = label.replace("->", "")
    return label[-1:] in set(".,:;!?") or any(
        bare.count(a) != bare.count(b) for a, b in ("()", "[]", "{}", "<>")
    )


def _seems(text: str) -> str:
    if re.match(r"\w+\(", text):
        return "a fact or a call"
    if text[0] in "([{<":
        return "a tuple or a list"
    if re.fullmatch(r"[^\s-]+-+[^\s-]+", text):
        return "an edge in one word"
    return "a text"
