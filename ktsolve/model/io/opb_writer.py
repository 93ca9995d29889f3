"""Models in OPB, the format of the pseudo-Boolean competitions."""

from __future__ import annotations

from collections.abc import Iterable

from ktsolve.model.constraints import Cardinalities, Cardinality, Clause, Linear, Literal
from ktsolve.model.encode import Encoder
from ktsolve.model.io.comments import on_one_line, only_objective, variable_comments
from ktsolve.model.model import Model

__all__ = ["to_opb"]


def to_opb(model: Model, *, circuits: str = "one-hot") -> str:
    """Return a model in the OPB format of the pseudo-Boolean competitions; circuits use an eager encoding.

    OPB has only minimisation, and sums have neither negated Booleans nor constants. A comment gives the
    formula that converts the minimum into the model's objective.

    Raises
    ------
    BadInput
        If an encoding is unknown.

    Examples
    --------
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

    def row(terms: list[tuple[int, Literal]], least: int) -> None:
        total, constant = _plain_sum(terms)
        if total:
            rows.append(f"{total} >= {least - constant} ;")
        elif least > constant:  # an unsatisfiable row
            rows.append(f"+0 x1 >= {least - constant} ;")

    for constraint in model.constraints:
        match constraint:
            case Cardinality() | Linear():
                terms = (
                    list(constraint.terms)
                    if isinstance(constraint, Linear)
                    else [(1, literal) for literal in constraint.members]
                )
                if constraint.least is not None:
                    row(terms, constraint.least)
                if constraint.most is not None:
                    row([(-weight, literal) for weight, literal in terms], -constraint.most)
            case Clause():
                row([(1, literal) for literal in constraint.members], 1)
            case Cardinalities():
                for each in constraint.lists():
                    terms = [(1, Literal(abs(x) - 1, x > 0)) for x in each]
                    if constraint.least is not None:
                        row(terms, constraint.least)
                    if constraint.most is not None:
                        row([(-1, literal) for _, literal in terms], -constraint.most)
            case _:
                encoder.add(constraint)
    encoder.complete_loops(circuits)
    weights, shift = ([], 0) if objective is None else encoder.weights(objective.total)
    for clause in encoder.clauses:
        row([(1, Literal(abs(x) - 1, x > 0)) for x in clause], 1)
    # An empty sum is written as +0 x1, so that x1 must exist.
    variables = max(encoder.variables, 1 if rows or objective is not None else 0)
    lines = [f"* #variable= {variables} #constraint= {len(rows)}", f"* {on_one_line(model.name)}"]
    lines.extend(f"* {each}" for each in variable_comments(model, encoder, "x"))
    if objective is not None:
        sense = objective.sense
        sign = 1 if sense == "minimise" else -1
        total, constant = _plain_sum([(sign * w, Literal(abs(x) - 1, x > 0)) for w, x in weights])
        constant += sign * shift
        lines.append(f"* {sense} = {sign} * min{f' {sign * constant:+d}' if constant else ''}")
        lines.append(f"min: {total or '+0 x1'} ;")
    return "\n".join([*lines, *rows]) + "\n"


def _plain_sum(terms: Iterable[tuple[int, Literal]]) -> tuple[str, int]:
    """Return a weighted sum without negated literals, with each variable once, and the remaining constant.

    A negated literal is replaced by ``w * (1 - x) = w - w * x``.
    """
    weights: dict[int, int] = {}
    constant = 0
    for weight, literal in terms:
        if not literal.positive:
            constant, weight = constant + weight, -weight
        weights[literal.number] = weights.get(literal.number, 0) + weight
    return " ".join(f"{weight:+d} x{number + 1}" for number, weight in weights.items() if weight), constant
