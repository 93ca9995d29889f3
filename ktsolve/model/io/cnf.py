"""Clauses in DIMACS CNF; weighted clauses in WCNF, as in `p wcnf` or with `h` as since 2022."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput
from ktsolve.base.integers import Numbers, as_bytes, read_numbers
from ktsolve.base.text import number_of, shown, small_number
from ktsolve.model.constraints import Literal
from ktsolve.model.encode import Encoder, encode
from ktsolve.model.io.comments import (
    last_named,
    names_of,
    only_objective,
    shown_variables,
    title,
    title_comment,
    variable_comments,
)
from ktsolve.model.io.solution import ReadModel, check_announced
from ktsolve.model.model import Model

__all__ = ["read_cnf", "read_wcnf", "to_dimacs", "to_wcnf"]


_HEADER = re.compile(rb"^[ \t]*p[ \t]+(\S+)[ \t]+(\d+)[ \t]+(\d+)(?:[ \t]+(\d+))?[ \t]*\r?$", re.MULTILINE)

_BEGUN = re.compile(rb"^[ \t]*p\b[^\n]*$", re.MULTILINE)

_COMMENT = re.compile(rb"^[ \t]*c[^\n]*$", re.MULTILINE)

_COMMENTS = re.compile(rb"\A(?:[ \t]*(?:c[^\n]*|\r)?\n)*")

_HARD = re.compile(rb"^[ \t]*h(?=[ \t])", re.MULTILINE)

_END = re.compile(rb"^[ \t]*%[^\n]*$", re.MULTILINE)
"""The line that ends the clauses in the files of SATLIB; a line ``0`` follows."""

_SHOWN = re.compile(rb"^c[ \t]+(?:p[ \t]+show|ind)[ \t]+([\d \t]+?)[ \t]*\r?$", re.MULTILINE)
"""The variables that distinguish solutions, as model counters read them."""

_WEIGHTS = re.compile(rb"^c[ \t]+(?:p[ \t]+weight[ \t]|t[ \t]+p?w?p?mc[ \t]*\r?$)[^\r\n]*", re.MULTILINE)
"""The type of a count, and weights of literals, in the files of the model counting competition."""

_LITERAL = "a literal such as 3 or -3; a clause ends in 0"

_WEIGHTED = "a clause such as 5 1 -2 0, with its weight first, or h 1 -2 0"


def read_cnf(text: str) -> ReadModel:
    r"""The model of a DIMACS CNF.

    Comments ``c 1 a`` before the clauses name the variables; others are named ``x1``, ``x2``. A comment
    ``c p show 1 2 0`` gives the variables that distinguish solutions. Weights of literals are refused.

    Raises BadInput with the line if the text is not CNF.

    >>> print(read_cnf("c pair\nc 1 a\nc 2 b\np cnf 2 2\n1 -2 0\n1 2 0\n").model)
    model pair: 2 Booleans, 1 constraint
      2 clauses: a or not b; a or b
    """
    data = as_bytes(text)
    head, body, found = _split(data, "cnf")
    if found is None:
        raise BadInput("the file has no line p: a DIMACS CNF begins with p cnf VARIABLES CLAUSES")
    if (end := _END.search(body)) is not None:
        body = body[: end.start()]
    variables = check_announced(small_number(found[2].decode()), data)
    numbers = _numbers(body, _LITERAL, head.count(b"\n"))
    literals, offsets = _clauses(numbers, np.zeros(len(numbers.values), dtype=np.bool_))
    _check_number(len(offsets) - 1, found)
    _check_literals(numbers, numbers.values, variables)
    model = _model(data, head, variables, "cnf")
    model.add_clauses((literals, offsets))
    return ReadModel(model, variables)


def read_wcnf(text: str) -> ReadModel:
    r"""The model of a WCNF: hard clauses are constraints, the objective is the weight of violated soft ones.

    Comments are read as by :func:`read_cnf`.

    Raises BadInput with the line if the text is not WCNF.

    >>> print(read_wcnf("h 1 2 0\n3 -1 0\n2 -2 0\n").model)
    model wcnf: 2 Booleans, 1 constraint
      minimise 3*x1 + 2*x2
      1 clause: x1 or x2
    """
    data = as_bytes(text)
    head, body, found = _split(data, "wcnf")
    first_line = head.count(b"\n")
    top = found[4] if found is not None else None
    if top is not None and len(top) > 17:
        # More than 64 bits, which hard clauses only have.
        body = re.sub(rb"(?m)^[ \t]*" + top + rb"(?=[ \t\r\n])", b"h", body)
    body, hard_lines = _without_h(body, first_line)
    if found is not None and top is None and len(hard_lines):
        raise BadInput(f"line {int(hard_lines[0]) + 1}: h marks hard clauses in files without a line p")
    numbers = _numbers(body, _WEIGHTED, first_line)
    values, lines = numbers.values, numbers.lines
    begins = np.concatenate(([True], values[:-1] == 0)) if len(values) else np.zeros(0, dtype=np.bool_)
    flat, offsets = _clauses(numbers, begins)
    weights, at = values[begins], lines[begins]
    if (wrong := weights < 1).any():
        line = int(at[int(np.argmax(wrong))]) + 1
        given = int(weights[int(np.argmax(wrong))])
        raise BadInput(f"line {line}: the weight {given} is not positive: write {_WEIGHTED}")
    if not np.isin(hard_lines, at).all() or (found is None and len(np.unique(at)) < len(at)):
        raise BadInput(_misplaced(hard_lines, at))
    hard = np.isin(at, hard_lines)
    if top is not None and len(top) <= 17:
        hard |= weights >= int(top)
    literals = np.where(begins, 0, values)
    if found is not None:
        variables = check_announced(small_number(found[2].decode()), data)
        _check_number(len(offsets) - 1, found)
    else:
        used = int(np.abs(literals).max(initial=0))
        variables = check_announced(max(used, last_named(head)), data)
    _check_literals(numbers, literals, variables)
    model = _model(data, head, variables, "wcnf")
    rows = [flat[a:b].tolist() for a, b in pairwise(offsets.tolist())]
    marked = list(zip(rows, weights.tolist(), hard.tolist(), strict=True))
    if hard.any():
        model.add_clauses([row for row, _, is_hard in marked if is_hard])
    _add_soft(model, [(row, weight) for row, weight, is_hard in marked if not is_hard])
    return ReadModel(model, variables)


def _split(data: bytes, kind: str) -> tuple[bytes, bytes, re.Match[bytes] | None]:
    """The lines before the first clause, the rest without comments, and the line p if there is one."""
    found = _HEADER.search(data)
    begun = _BEGUN.search(data)
    if begun is not None and (found is None or begun.start() < found.start()):
        raise BadInput(f"{_quoted(data, begun)} is not a line p: write p {kind} VARIABLES CLAUSES")
    if found is None:
        comments = _COMMENTS.match(data)
        assert comments is not None
        return comments[0], _COMMENT.sub(b"", data[comments.end() :]), None
    if found[1].decode("utf-8", "replace") != kind or (kind == "cnf" and found[4] is not None):
        raise BadInput(f"{_quoted(data, found)} is not p {kind} VARIABLES CLAUSES")
    head = data[: found.start()]
    if (before := _COMMENT.sub(b"", head)).strip():
        number = before.count(b"\n", 0, len(before) - len(before.lstrip())) + 1
        raise BadInput(f"line {number} comes before the line p, but is not a comment")
    return head, _COMMENT.sub(b"", data[found.end() :]), found


def _quoted(data: bytes, found: re.Match[bytes]) -> str:
    line = data.count(b"\n", 0, found.start()) + 1
    return f"line {line}: {shown(found[0].decode('utf-8', 'replace').strip(), 40)}"


def _without_h(body: bytes, first_line: int) -> tuple[bytes, NDArray[np.int64]]:
    """The text with the weight 1 for each h that begins a line, and these lines, from 0."""
    if b"h" not in body:
        return body, np.empty(0, dtype=np.int64)
    array = np.frombuffer(b"\n" + body, dtype=np.uint8).copy()
    places = np.array([match.end() for match in _HARD.finditer(body)], dtype=np.int64)
    newlines = np.flatnonzero(array[1:] == 10)
    array[places] = ord("1")
    return array[1:].tobytes(), np.searchsorted(newlines, places - 1) + first_line


def _numbers(body: bytes, what: str, first_line: int) -> Numbers:
    numbers = read_numbers(body, what, signed=True, first_line=first_line)
    if len(numbers.values) and numbers.values[-1] != 0:
        raise BadInput(
            f"line {int(numbers.lines[-1]) + 1}: the last clause does not end in 0: the file is cut off, or "
            "wrong there"
        )
    return numbers


def _clauses(numbers: Numbers, weights: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The literals between the zeros that are not weights; where each clause begins, and the end."""
    inside = (numbers.values != 0) & ~weights
    ends = np.flatnonzero((numbers.values == 0) & ~weights)
    offsets = np.concatenate(([0], np.cumsum(inside)[ends])) if len(ends) else np.zeros(1, dtype=np.int64)
    return numbers.values[inside], offsets


def _check_number(clauses: int, header: re.Match[bytes]) -> None:
    announced = small_number(header[3].decode())
    if clauses != announced:
        raise BadInput(
            f"the line p announces {number_of(announced, 'clause')}, and the file has "
            f"{number_of(clauses, 'clause')}: it is "
            f"{'cut off, or ' if clauses < announced else ''}wrong in its line p"
        )


def _check_literals(numbers: Numbers, literals: NDArray[np.int64], variables: int) -> None:
    wrong = np.abs(literals) > variables
    if wrong.any():
        at = int(np.argmax(wrong))
        raise BadInput(
            f"line {int(numbers.lines[at]) + 1}: the literal {int(literals[at])} has no variable: "
            f"the line p announces {number_of(variables, 'variable')}"
        )


def _misplaced(hard_lines: NDArray[np.int64], begins: NDArray[np.int64]) -> str:
    """The message about clauses that are not one to a line."""
    twice = begins[1:][np.diff(begins) == 0]
    first = min([*hard_lines[~np.isin(hard_lines, begins)].tolist(), *twice.tolist()])
    return f"line {first + 1}: without a line p each line is one clause, such as h 1 -2 0"


def _model(data: bytes, head: bytes, variables: int, kind: str) -> Model:
    model = Model(title(head, kind))
    model.add_booleans(names_of(head, variables))
    for stated in _WEIGHTS.finditer(data):
        if b"w" in stated[0].lower():
            line = data.count(b"\n", 0, stated.start()) + 1
            text = shown(stated[0].decode("utf-8", "replace"), 40)
            raise BadInput(
                f"line {line}: {text} is about weights of literals, "
                "and solutions are counted without weights: leave these lines out"
            )
    shown_lines = _SHOWN.findall(data)
    if shown_lines:
        numbers = [small_number(word.decode()) for line in shown_lines for word in line.split()]
        if wrong := [number for number in numbers if number > variables]:
            raise BadInput(f"a comment shows variable {wrong[0]}: the file has {variables} variables")
        model.show([Literal(number - 1) for number in dict.fromkeys(numbers) if number])
    return model


def _add_soft(model: Model, clauses: Sequence[tuple[list[int], int]]) -> None:
    """Minimise the weight of the violated clauses: as ``Model.soft``, for many clauses at once.

    A clause of one literal is violated if the literal is false. Each other clause gets a Boolean
    ``violated[i]`` that is true exactly if all its literals are false, so that solutions stay as many.
    """
    total: dict[Literal, int] = {}
    hard: list[list[int]] = []
    longer = [(i, clause) for i, (clause, _) in enumerate(clauses, 1) if len(clause) != 1]
    new = iter(model.add_booleans([f"violated[{i}]" for i, _ in longer]).tolist())
    for clause, weight in clauses:
        if len(clause) == 1:
            violated = -clause[0]
        else:
            violated = next(new)
            hard.append([violated, *clause])
            hard += [[-violated, -literal] for literal in clause]
        literal = Literal(abs(violated) - 1, violated > 0)
        total[literal] = total.get(literal, 0) + weight
    if hard:
        model.add_clauses(hard)
    if total:
        model.minimise(total)


def to_dimacs(model: Model, *, circuits: str = "one-hot", cardinality: str = "seqcounter") -> str:
    """Return a complete DIMACS CNF of a model; comments name the variables.

    An integer is stated by variables ``x >= 3``; a comment ``integer x = 1 + 4 + 7`` says that its value is 1
    plus the number of true ones among 4 and 7.

    If the clauses have other variables than the shown Booleans, a comment ``c p show 1 2 0`` lists the
    shown ones, as model counters read it.

    The encodings are named as for :func:`ktsolve.model.encode.encode`. Raises BadInput for a model with an
    objective.

    >>> model = Model("pair")
    >>> model.clause(model.boolean("a"), ~model.boolean("b"))
    >>> print(to_dimacs(model), end="")
    c pair
    c 1 a
    c 2 b
    p cnf 2 1
    1 -2 0
    """
    if model.objective is not None:
        raise BadInput("DIMACS CNF has no objective, but the model has one: write WCNF or OPB, or remove it")
    encoder = encode(model, circuits=circuits, cardinality=cardinality)
    lines = _comments(model, encoder)
    lines.append(f"p cnf {encoder.variables} {len(encoder.clauses)}")
    return "\n".join(lines) + "\n" + _rows(encoder.clauses, "")


def to_wcnf(model: Model, *, circuits: str = "one-hot", cardinality: str = "seqcounter") -> str:
    """Return the WCNF of a model, in the format of the MaxSAT evaluations since 2022.

    Constraints are hard clauses, the objective is stated by soft clauses of one literal each. A comment gives
    the formula that converts the weight of the violated clauses into the model's objective.

    >>> model = Model("pair")
    >>> a, b = model.boolean("a"), model.boolean("b")
    >>> model.clause(a, b)
    >>> model.maximise({a: -3, b: 2})
    >>> print(to_wcnf(model), end="")
    c pair
    c 1 a
    c 2 b
    c maximise = -1 * cost +2
    h 1 2 0
    3 -1 0
    2 2 0
    """
    objective = only_objective(model, "WCNF")
    encoder = encode(model, circuits=circuits, cardinality=cardinality)
    weights, constant = ([], 0) if objective is None else encoder.weights(objective.total)
    lines = _comments(model, encoder)
    soft: list[str] = []
    if objective is not None:
        sign = 1 if objective.sense == "minimise" else -1
        constant *= sign
        for weight, literal in weights:
            cost, avoided = sign * weight, literal
            if cost < 0:  # w * x = w + |w| * (not x)
                constant, cost, avoided = constant + cost, -cost, -avoided
            if cost:
                soft.append(f"{cost} {-avoided} 0")
        shift = f" {sign * constant:+d}" if constant else ""
        lines.append(f"c {objective.sense} = {sign} * cost{shift}")
    hard = _rows(encoder.clauses, "h ")
    return "\n".join(lines) + "\n" + hard + "".join(f"{clause}\n" for clause in soft)


def _rows(clauses: list[list[int]], start: str) -> str:
    """Return the lines of the clauses, each with this text before it."""
    if not clauses:
        return ""
    # Three times as fast as to join the numbers of each clause.
    text = str(clauses)[2:-2].replace("], [", f" 0\n{start}").replace(",", "")
    return f"{start}{text} 0\n".replace("  0\n", " 0\n").replace("\n 0\n", "\n0\n").removeprefix(" ")


def _comments(model: Model, encoder: Encoder) -> list[str]:
    """Return comments: the name of the model, the names of the Booleans, and those that matter."""
    lines = [f"c {title_comment(model.name)}"]
    lines += [f"c {each}" for each in variable_comments(model, encoder)]
    shown = shown_variables(model, encoder)
    if len(shown) < encoder.variables:
        lines.append(f"c p show {' '.join(map(str, [*shown, 0]))}")
    return lines
