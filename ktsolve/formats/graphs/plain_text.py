"""Plain texts of graphs: their lines as labels, and whether they are lists of edges or of neighbours.

No text is a list of edges only because it is nothing else: what does not look like one is refused with its
line, and so is a text that may be read in two ways.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput
from ktsolve.base.integers import Numbers, as_bytes, is_numbers, read_numbers
from ktsolve.base.text import shown, small_number, split_outside_quotes, unquoted
from ktsolve.formats.graphs.data import is_number, words
from ktsolve.formats.tours.common import COMMENT

EDGE = "an edge: write two labels, and perhaps a weight"

_LABEL = r'"(?:[^"\\\n]|\\.)*"'

_COMMENT = re.compile(rf"(?<![^\s,;:>(\[]){_LABEL}|(?m:^[ \t]*//[^\n]*)|(?<!\S)[#%][^\n]*")
"""A comment: ``#`` or ``%`` at the beginning of a line or after white space, or a line after ``//``; or a
label in quotes, in which no comment begins."""

_MARKED = re.compile(rf"(?:[ \t]*(?:[#%].*)?\n)*?[ \t]*# {COMMENT} (?:edges\s|\{{)")
"""The beginning of a list of edges that ktsolve wrote and that might look like something else."""

_PADDED = re.compile(rb"(?<![^\s,;])(?:[+-]?0\d|\+|-0(?!\d))")
"""A label that is not a spelling of a whole number as Python writes it: 01 and 1 are two vertices."""

_ARROW = r"->|(?<!\S)--(?!\S)"

_HEADINGS = ({"source", "target"}, {"from", "to"})
"""First words of a line of headings, as tables of Gephi have it."""

_ATTRIBUTES = re.compile(r"(?<![\s,;])[\s,;]+\{(|'.*)\}\s*$")
"""A dictionary at the end of a line, as networkx writes it after each edge."""

_MARK_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", " ": "blanks"}

NEIGHBOURS = re.compile(rf'\s*({_LABEL}(?=\s*:)|[^:"{{]+(?=:(?:\s|$))|\d+(?=\s*:))\s*:(.*)', re.DOTALL)
"""A line of a vertex and its neighbours, as ``a: b c``."""


class LabelRow(NamedTuple):
    """A line with its labels."""

    line: int  # its number, from 1
    labels: list[str]  # with the weight
    arrow: str  # ``->`` or ``--`` after the first label, or nothing


def without_comments(text: str) -> str:
    r"""The text without comments; its lines keep their numbers.

    >>> without_comments('% sizes\n1 2 # "\n"#3" 4\n')
    '\n1 2 \n"#3" 4\n'
    """
    if not any(mark in text for mark in ("#", "%", "//")):
        return text
    return _COMMENT.sub(lambda match: match[0] if match[0].startswith('"') else "", text)


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines without comments that are not blank, with their numbers from 1."""
    for at, line in enumerate(io.StringIO(without_comments(text)), 1):
        if line.strip():
            yield at, line


def is_marked(text: str) -> bool:
    """Whether a comment of ktsolve says that the text is a list of edges."""
    return _MARKED.match(text) is not None


def rows(text: str) -> list[LabelRow]:
    """The lines of a text, without one of headings."""
    found = []
    separator, since = "", 0  # of the file, and the first line that shows it
    whole = text.split("\n") if without_comments(text) is not text else None
    for at, line in lines_of(text):
        mark = _mark(line, separator)
        if mark not in ("", "->", separator):
            if (separator, mark) == (" ", "\t"):
                mark = separator
            elif separator:
                raise BadInput(
                    f"line {at}: {shown(line.strip(), 30)} has {_MARK_NAMES[mark]} between labels, and line "
                    f"{since} has {_MARK_NAMES[separator]}: separate all labels in the same way"
                )
            separator, since = separator or mark, at
        labels, arrow = _fields(line, at, mark)
        if not labels or not all(labels[:2]):
            raise BadInput(f"line {at}: {shown(line.strip(), 30)} has an empty label")
        if whole is not None:
            _check_comment(whole[at - 1].removeprefix(line.rstrip("\n")).strip(), at, labels, mark)
        found.append(LabelRow(at, labels, arrow))
    return found if is_marked(text) else _without_headings(found)


def _without_headings(found: list[LabelRow]) -> list[LabelRow]:
    """The rows without a first one of headings. Raises BadInput for one that may be an edge as well."""
    if not found or found[0].arrow or len(found[0].labels) not in (2, 3):
        return found
    first, rest = found[0], found[1:]
    if {label.lower() for label in first.labels[:2]} not in _HEADINGS or is_number(first.labels[-1]):
        return found
    heads, *others = ({label.lower() for label in row.labels[:2]} for row in found)
    if not rest or any(heads & other or other in _HEADINGS for other in others):
        line = shown(" ".join(first.labels), 30)
        raise BadInput(
            f"line {first.line}: {line} may be a line of headings, or an edge: leave it out, or write "
            f"{' -- '.join(first.labels[:2])} if it is an edge"
        )
    return rest


def numbers_of(text: str) -> tuple[Numbers | None, bool]:
    """The numbers of a text, None if it has other labels; and whether it has an arrow in each line."""
    plain = as_bytes(without_comments(text))
    directed = False
    if arrows := plain.count(b"->"):
        heads = len(re.findall(rb"(?m)^[ \t]*\d+[ \t]*->", plain))
        if arrows == heads == len(re.findall(rb"(?m)^[^\n]*\S", plain)):
            plain, directed = plain.replace(b"->", b"  "), True
    if not is_numbers(plain) or _PADDED.search(plain):
        return None, directed
    return read_numbers(plain, EDGE), directed


def _mark(line: str, separator: str) -> str:
    """What separates the labels of a line: an arrow, a character, or nothing in a line of one label."""
    line = line.strip()
    line = _ATTRIBUTES.sub("", line) if line.endswith("}") else line
    outside = re.sub(_LABEL, "", line) if '"' in line else line
    if "-" in outside and re.search(_ARROW, outside):
        return "->"
    marks = (*separator.strip(" "), ",", ";", "\t")
    return next((mark for mark in marks if mark in outside), " " if re.search(r"\s", outside) else "")


def _check_comment(comment: str, at: int, labels: list[str], mark: str) -> None:
    """Raise BadInput for a comment behind labels that may belong to a label, or be one."""
    in_label = mark in (",", ";", "\t") and not is_number(labels[-1])
    if comment and (in_label or (len(labels) == 1 and mark != "->" and not comment[1:2].isspace())):
        raise BadInput(
            f"line {at}: {shown(comment, 30)} may be a comment or part of a label: write a comment in a line "
            "of its own, and such a label in double quotes"
        )


def _fields(line: str, at: int, mark: str) -> tuple[list[str], str]:
    """The labels and the weight of a line, and its arrow."""
    line = line.strip()
    attributes = _ATTRIBUTES.search(line) if line.endswith("}") else None
    body = line[: attributes.start()] if attributes else line
    arrow = ""
    if mark == "->":
        parts = split_outside_quotes(body, _ARROW)
        labels = [words(part, at) for part in parts]
        if len(parts) != 2 or len(labels[0]) != 1:
            raise BadInput(f"line {at}: {shown(line, 30)} has an arrow elsewhere than after its first label")
        found = labels[0] + labels[1]
        arrow = "->" if "->" in re.sub(_LABEL, "", body) else "--"
    elif mark in (",", ";", "\t"):
        found = split_outside_quotes(body, mark) if '"' in body else [*map(str.strip, body.split(mark))]
        while found and not found[-1]:
            found.pop()
        found = [_unquoted(field, at) if '"' in field else field for field in found]
    else:
        found = words(body, at) if '"' in body else body.split()
    if attributes and len(found) == 1:
        raise BadInput(
            f"line {at}: {shown(line, 30)} seems to be a line of networkx.write_multiline_adjlist: "
            "networkx.write_adjlist is read"
        )
    if attributes and (weight := re.search(r"'weight':\s*([^,}]+)", attributes[1])):
        found.append(weight[1])
    return found, arrow


def _unquoted(field: str, at: int) -> str:
    name = unquoted(field)
    if name is None:
        raise BadInput(f'line {at}: {shown(field, 30)} has a quote within: write "..." with \\" in it')
    return name


# -- recognition --------------------------------------------------------------------------------------------


def plain_format(text: str) -> str:
    r"""The name of the format of a text that shows none of the others: ``edges``, ``nm`` or ``adjlist``.

    Raises BadInput, with the line, for a text that looks like none of them, or like two.

    >>> plain_format("a b\nb c\n"), plain_format("3 3\n1 2\n1 3\n2 3\n"), plain_format("a: b c\nb: a\nc: a\n")
    ('edges', 'nm', 'adjlist')
    """
    if is_marked(text):
        return "edges"
    numbers, directed = numbers_of(text)
    columns = 0 if numbers is None else numbers.columns()
    if numbers is not None and columns in (2, 3):
        listed, line = numbers.rows(columns, EDGE), int(numbers.lines[0]) + 1
        _check_is_not_a_matrix(listed, line)
        if columns == 2:
            return "nm" if not directed and _is_headed(listed, line) else "edges"
        if len(numbers.values) > _MOST_COMPARED:
            return "edges"
    if any(NEIGHBOURS.match(line) for _, line in lines_of(text)):
        return "adjlist"
    found = rows(text)
    if not found:
        return "edges"
    if (pairs := _pairs(found)) is not None:
        _check_is_not_a_matrix(pairs, found[0].line)
        if (pairs == np.rint(pairs)).all() and _is_headed(pairs.astype(np.int64), found[0].line):
            return "nm"
    if _is_neighbours(found):
        return "adjlist"
    if _has_header(found):
        return "nm"
    check_labels(found, text)
    if all(len(row.labels) == 1 for row in found):
        label = shown(found[0].labels[0], 30)
        raise BadInput(f"line {found[0].line}: {label} is not {EDGE}; no line has two labels")
    return "edges"


def _pairs(found: list[LabelRow]) -> NDArray[np.float64] | None:
    """The numbers of lines with two numbers each; None for other lines, or with arrows between them."""
    if any(row.arrow or len(row.labels) != 2 for row in found):
        return None
    if not all(is_number(label) for row in found for label in row.labels):
        return None
    pairs = np.array([row.labels for row in found], dtype=np.float64)
    return pairs if bool((np.abs(pairs) < 1e15).all()) else None


def _check_is_not_a_matrix(listed: NDArray[Any], line: int) -> None:
    """Raise BadInput for a small square of numbers, or for the sizes of a sparse matrix in the first line."""
    size, columns = listed.shape
    if size == columns and ((size == 2 and not listed.diagonal().any()) or set(listed.ravel()) <= {0, 1}):
        raise BadInput(
            f"line {line}: the text may be a matrix of {'two' if size == 2 else 'three'} rows, or edges: "
            "--format matrix or --format edges decides"
        )
    first = listed[0].tolist()
    stated = columns == 3 and (first[1] == size - 1 or first[1:] == [first[0], size - 1])
    if stated and size > 1 and first[0] >= listed[1:, :2].max():
        raise BadInput(
            f"line {line}: {' '.join(map(str, first))} seems to be the sizes of a graph or of a sparse "
            "matrix: leave it out, write %%MatrixMarket before it, or name --format edges if it is an edge"
        )


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
    if lengths == {2, 3} and _has_header(found):
        return False  # one neighbour of the first vertex and two of each other: an odd number of ends
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
    n, m = map(small_number, first.labels)
    ends = [small_number(label) for row in rest for label in row.labels[:2]]
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
    if again:  # unless all edges stand there twice, as in lists of the neighbours of two vertices
        again = 2 * len(np.unique(np.sort(edges, axis=1), axis=0)) != len(edges)
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
    if len(rest) != n or not len(rest) or int(rest.min()) < 1:
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
        odd = any(map(_is_odd, row.labels)) or (len(row.labels) == 1 and re.search(r"\w-+\w", row.labels[0]))
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
    if _BRACKET.search(label) is None:
        return label[-1:] in _ENDS
    bare = label.replace("->", "")
    return label[-1] in _ENDS or any(bare.count(a) != bare.count(b) for a, b in ("()", "[]", "{}", "<>"))


_BRACKET = re.compile(r"[()\[\]{}<>]")
_ENDS = set(".,:;!?")


def _seems(text: str) -> str:
    if re.match(r"\w+\(", text):
        return "a fact or a call"
    if text[0] in "([{<":
        return "a tuple or a list"
    if re.fullmatch(r"[^\s-]+-+[^\s-]+", text):
        return "an edge in one word"
    return "a text"
