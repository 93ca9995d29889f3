"""Pseudo-Boolean constraints in OPB, the format of the competitions; soft ones in WBO."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ktsolve.base.errors import BadInput
from ktsolve.base.integers import as_bytes
from ktsolve.base.text import number_of, shown, small_number
from ktsolve.model.constraints import Cardinalities, Cardinality, Clause, Constraint, Linear, Literal
from ktsolve.model.encode import Encoder
from ktsolve.model.io.comments import names_of, only_objective, title, title_comment, variable_comments
from ktsolve.model.io.solution import ReadModel, check_announced
from ktsolve.model.model import Model
from ktsolve.model.variables import number, numbers

__all__ = ["read_opb", "to_opb"]


_TOKEN = re.compile(
    rb"(?P<number>[+-]?\d+)(?![\dx~])|(?P<literal>~?x\d+)(?!\w)|(?P<relation>>=|<=|=)|(?P<goal>min:|max:)"
    rb"|(?P<soft>soft:)|\[(?P<weight>\d+)\]|(?P<blank>\s+)|(?P<wrong>\S+)"
)

_PLAIN = re.compile(rb"\s*(?:[+-]?\d+\s+~?x[1-9]\d{0,8}\s+)*(?:>=|<=|=)\s+[+-]?\d+\s*")
"""A statement without products and weight, whose words are divided by white space."""

_COMMENT = re.compile(rb"^[ \t]*\*[^\n]*$", re.MULTILINE)

_COMMENTS = re.compile(rb"\A(?:[ \t]*(?:\*[^\n]*|\r)?\n)*")

_HEADER = re.compile(rb"^\*[ \t]*#variable=[ \t]*(\d+)[ \t]+#constraint=[ \t]*(\d+)")

_DIGITS = 4300  # most digits of a number: those that Python converts unless it is told to take more

_FORM = "write constraints such as +2 x1 -3 ~x2 >= 1 ;"

Term = tuple[int, Literal]


@dataclass(frozen=True)
class _Statement:
    """The text before a semicolon.

    The head is ``min:``, ``max:``, ``soft:``, the weight of a soft constraint, or empty. Each weight has the
    numbers of its literals: several for a product. Relation and bound are empty and 0 without any.
    """

    line: int
    head: str | int
    terms: list[tuple[int, list[int]]]
    relation: str
    bound: int


def read_opb(text: str) -> ReadModel:
    r"""The model of an OPB or WBO.

    Comments ``* x1 a`` before the constraints name the variables; others are named ``x1``, ``x2``. A row that
    is a clause or a cardinality constraint becomes one. The product of two literals or more is a new Boolean.
    The objective is to violate soft constraints of least weight.

    Raises BadInput with the line if the text is not OPB.

    >>> print(read_opb("min: +3 x1 -1 x2 ;\n+1 x1 +1 ~x2 >= 1 ;\n+2 x1 +3 x2 <= 4 ;\n").model)
    model opb: 2 Booleans, 2 constraints
      minimise 3*x1 - x2
      x1 or not x2
      2*x1 + 3*x2 <= 4
    """
    data = as_bytes(text)
    statements = list(_statements(data))
    header = _HEADER.match(data)
    used = max((abs(x) for each in statements for _, product in each.terms for x in product), default=0)
    announced = small_number(header[1].decode()) if header is not None else 0
    if header is not None and used > announced:
        line = next(
            each.line for each in statements if any(abs(x) > announced for _, p in each.terms for x in p)
        )
        raise BadInput(
            f"line {line}: there is no variable x{used}: the first line announces "
            f"{number_of(announced, 'variable')}"
        )
    variables = check_announced(max(announced, used), data)
    rows = [each for each in statements if each.relation]
    if header is not None and len(rows) != small_number(header[2].decode()):
        raise BadInput(
            f"the first line announces {number_of(small_number(header[2].decode()), 'constraint')}, and the "
            f"file has {number_of(len(rows), 'constraint')}: it is cut off, or wrong there"
        )
    head = data[: match.end()] if (match := _COMMENTS.match(data)) else b""
    model = Model(title(head, "opb"))
    model.add_booleans(names_of(head, variables))
    literal_of = _products(model)
    costs: list[Term] = []
    objectives, tops = 0, []
    for each in statements:
        terms = [(weight, literal_of(product)) for weight, product in each.terms]
        if each.head in ("min:", "max:"):
            objectives += 1
            costs += [(weight if each.head == "min:" else -weight, literal) for weight, literal in terms]
        elif each.head == "soft:":
            tops.append(each.bound)
        elif isinstance(each.head, int):
            costs += _violations(model, terms, each)
        else:
            model.add(_constraint(terms, each.relation, each.bound))
    maximise = any(each.head == "max:" for each in statements)
    if objectives > 1 or len(tops) > 1:
        raise BadInput("the file has two objectives, or two lines soft: there may be one")
    if tops and tops[0]:
        model.add(Linear(tuple(costs), None, tops[0] - 1))
    if objectives or costs:
        total: dict[Literal, int] = {}
        for weight, literal in costs:
            total[literal] = total.get(literal, 0) + weight
        if maximise:
            model.maximise({literal: -weight for literal, weight in total.items()})
        else:
            model.minimise(total)
    return ReadModel(model, variables)


def _statements(data: bytes) -> Iterator[_Statement]:
    """The statements of a file, one after the other."""
    text = _COMMENT.sub(b"", data)
    line = 1
    pieces = text.split(b";")
    for piece in pieces[:-1]:
        begin = line + piece.count(b"\n", 0, len(piece) - len(piece.lstrip()))
        if _PLAIN.fullmatch(piece) and len(piece) < _DIGITS:
            words = piece.split()
            # ~x5 is -5
            products = [[int(word.replace(b"~x", b"-").lstrip(b"x"))] for word in words[1:-2:2]]
            terms = list(zip(map(int, words[:-2:2]), products, strict=True))
            yield _Statement(begin, "", terms, words[-2].decode(), int(words[-1]))
        else:
            yield _statement(_tokens(piece, line), line + piece.count(b"\n"))
        line += piece.count(b"\n")
    if rest := _tokens(pieces[-1], line):
        raise BadInput(
            f"line {rest[0][2]}: the last statement does not end in a semicolon: it is cut off, or wrong"
        )


def _tokens(text: bytes, line: int) -> list[tuple[str, bytes, int]]:
    """The tokens of a statement: kind, text and line."""
    counted, found = 0, []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        assert kind is not None
        if kind == "blank":
            continue
        line, counted = line + text.count(b"\n", counted, match.start()), match.start()
        if kind == "wrong":
            word = shown(match[0].decode("utf-8", "replace"), 24)
            raise BadInput(f"line {line}: {word} is not OPB: {_FORM}")
        if kind in ("number", "weight") and len(match[0]) > _DIGITS:
            raise BadInput(f"line {line}: a number has more than {_DIGITS:,} digits")
        found.append((kind, match[0], line))
    return found


def _statement(tokens: list[tuple[str, bytes, int]], line: int) -> _Statement:
    """The statement of some tokens; ``line`` is that of its semicolon."""
    kinds = [kind for kind, _, _ in tokens]
    first = tokens[0][2] if tokens else line
    head: str | int = ""
    at = 0
    if kinds[:1] in (["goal"], ["soft"]):
        head, at = tokens[0][1].decode(), 1
    elif kinds[:1] == ["weight"]:
        head, at = int(tokens[0][1][1:-1]), 1
    terms: list[tuple[int, list[int]]] = []
    while at + 1 < len(tokens) and kinds[at] == "number" and kinds[at + 1] == "literal":
        weight, product = int(tokens[at][1]), []
        at += 1
        while at < len(tokens) and kinds[at] == "literal":
            product.append(_number(tokens[at][1], tokens[at][2]))
            at += 1
        terms.append((weight, product))
    rest = kinds[at:]
    if head in ("min:", "max:"):
        right = not rest
    elif head == "soft:":
        right = not terms and rest in ([], ["number"])
    else:
        right = rest == ["relation", "number"]
    if not right or head == 0:
        where = tokens[at] if at < len(tokens) else ("", b";", line)
        text = where[1].decode("utf-8", "replace")
        raise BadInput(f"line {where[2]}: {shown(text, 24)} is not expected here: {_FORM}")
    bound = int(tokens[-1][1]) if rest else 0
    return _Statement(first, head, terms, tokens[at][1].decode() if len(rest) == 2 else "", bound)


def _number(word: bytes, line: int) -> int:
    """The number of a literal, negative for ``~x1``."""
    variable = small_number(word.lstrip(b"~x").decode())
    if variable == 0:
        raise BadInput(f"line {line}: x0 is not a variable: they are x1, x2 and so on")
    return -variable if word.startswith(b"~") else variable


def _products(model: Model) -> Callable[[list[int]], Literal]:
    """A function that gives the literal of a product, with a new Boolean for several literals."""
    known: dict[tuple[int, ...], Literal] = {}

    def literal_of(product: list[int]) -> Literal:
        if len(product) == 1:
            return Literal(abs(product[0]) - 1, product[0] > 0)
        key = tuple(sorted(set(product), key=abs))
        if len(key) == 1:
            return literal_of([*key])
        if key not in known:
            literals = [Literal(abs(x) - 1, x > 0) for x in key]
            known[key] = model.boolean(f"({' and '.join(map(model.name_of, literals))})")
            for each in literals:
                model.implies(known[key], each)
            model.implies(literals, known[key])
        return known[key]

    return literal_of


def _constraint(terms: list[Term], relation: str, bound: int) -> Constraint:
    """The constraint of a row: a clause or a cardinality constraint if all weights have one size."""
    least = None if relation == "<=" else bound
    most = None if relation == ">=" else bound
    sizes = {abs(weight) for weight, _ in terms}
    variables = {literal.number for _, literal in terms}
    if len(sizes) != 1 or 0 in sizes or len(variables) < len(terms):
        return Linear(tuple(terms), least, most)
    # -w * x = w * (not x) - w
    size = sizes.pop()
    shift = sum(weight for weight, _ in terms if weight < 0)
    members = tuple([literal if weight > 0 else ~literal for weight, literal in terms])
    if least is not None:
        least = -((shift - least) // size)
    if most is not None:
        most = (most - shift) // size
    if least is not None and most is not None and least > most:
        return Linear(tuple(terms), bound, bound)
    if least == 1 and most is None:
        return Clause(members)
    if most == len(members) - 1 and least is None:
        return Clause(tuple([~literal for literal in members]))
    return Cardinality(members, least, most)


def _violations(model: Model, terms: list[Term], row: _Statement) -> list[Term]:
    """New Booleans that are true exactly if a soft row is violated, each with the weight of the row."""
    assert isinstance(row.head, int)
    found = []
    for relation, sign in ((">=", 1), ("<=", -1)):
        if row.relation in (relation, "="):
            signed = [(sign * weight, literal) for weight, literal in terms]
            least = sign * row.bound
            low = sum(min(0, weight) for weight, _ in signed)
            high = sum(max(0, weight) for weight, _ in signed)
            name = f"violated[line {row.line}, {relation}]"
            violated = model.boolean(name if not model.has(name) else f"{name} {len(model)}")
            # With w = violated: sum >= least unless w, and sum <= least - 1 if w.
            model.add(Linear((*signed, (max(0, least - low), violated)), least, None))
            model.add(Linear((*signed, (max(0, high - least + 1), violated)), None, max(high, least - 1)))
            found.append((row.head, violated))
    return found


def to_opb(model: Model, *, circuits: str = "one-hot") -> str:
    """Return a model in the OPB format of the pseudo-Boolean competitions; circuits use an eager encoding.

    OPB has only minimisation, and sums have neither negated Booleans nor constants. A comment gives the
    formula that converts the minimum into the model's objective.

    >>> model = Model("pair")
    >>> a, b = model.boolean("a"), model.boolean("b")
    >>> model.linear({a: 2, ~b: 1}, least=1, most=2)
    >>> model.maximise({b: 1})
    >>> print(to_opb(model), end="")
    * #variable= 2 #constraint= 2
    * pair
    * x1 a
    * x2 b
    * maximise = -1 * min
    min: -1 x2 ;
    +2 x1 -1 x2 >= 0 ;
    -2 x1 +1 x2 >= -1 ;
    """
    rows: list[str] = []
    objective = only_objective(model, "OPB")
    encoder = Encoder(model)

    def row(terms: Iterable[tuple[int, int]], least: int) -> None:
        total, constant = _plain_sum(terms)
        if total:
            rows.append(f"{total} >= {least - constant} ;")
        elif least > constant:  # an unsatisfiable row
            rows.append(f"+0 x1 >= {least - constant} ;")

    def bounded(terms: list[tuple[int, int]], least: int | None, most: int | None) -> None:
        if least is not None:
            row(terms, least)
        if most is not None:
            row([(-weight, x) for weight, x in terms], -most)

    for constraint in model.constraints:
        match constraint:
            case Cardinality() | Linear():
                terms = [(weight, number(literal)) for weight, literal in constraint.terms]
                bounded(terms, constraint.least, constraint.most)
            case Clause():
                row([(1, x) for x in numbers(constraint.members)], 1)
            case Cardinalities():
                for each in constraint.lists():
                    bounded([(1, x) for x in each], constraint.least, constraint.most)
            case _:
                encoder.add(constraint)
    encoder.complete_loops(circuits)
    weights, shift = ([], 0) if objective is None else encoder.weights(objective.total)
    for clause in encoder.clauses:
        row([(1, x) for x in clause], 1)
    # An empty sum is written as +0 x1, so that x1 must exist.
    variables = max(encoder.variables, 1 if rows or objective is not None else 0)
    lines = [f"* #variable= {variables} #constraint= {len(rows)}", f"* {title_comment(model.name)}"]
    lines.extend(f"* {each}" for each in variable_comments(model, encoder, "x"))
    if objective is not None:
        sense = objective.sense
        sign = 1 if sense == "minimise" else -1
        total, constant = _plain_sum([(sign * weight, x) for weight, x in weights])
        constant += sign * shift
        lines.append(f"* {sense} = {sign} * min{f' {sign * constant:+d}' if constant else ''}")
        lines.append(f"min: {total or '+0 x1'} ;")
    return "\n".join([*lines, *rows]) + "\n"


def _plain_sum(terms: Iterable[tuple[int, int]]) -> tuple[str, int]:
    """Return a weighted sum without negated literals, with each variable once, and the remaining constant.

    A negated literal is replaced by ``w * (1 - x) = w - w * x``.
    """
    weights: dict[int, int] = {}
    constant = 0
    for weight, x in terms:
        if x < 0:
            constant, weight = constant + weight, -weight
        weights[abs(x)] = weights.get(abs(x), 0) + weight
    return " ".join(f"{weight:+d} x{x}" for x, weight in weights.items() if weight), constant
