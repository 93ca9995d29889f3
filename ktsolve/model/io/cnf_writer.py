"""Models as clauses: DIMACS CNF, and WCNF for models with an objective."""

from __future__ import annotations

from ktsolve.base.errors import BadInput
from ktsolve.model.encode import Encoder, encode
from ktsolve.model.io.comments import on_one_line, only_objective, shown_variables, variable_comments
from ktsolve.model.model import Model

__all__ = ["to_dimacs", "to_wcnf"]


def to_dimacs(model: Model, *, circuits: str = "one-hot", cardinality: str = "seqcounter") -> str:
    """Return a complete DIMACS CNF of a model; comments name the variables.

    An integer is stated by variables ``x >= 3``; a comment ``integer x = 1 + 4 + 7`` says that its value is 1
    plus the number of true ones among 4 and 7.

    If the clauses have other variables than the shown Booleans, a comment ``c p show 1 2 0`` lists the
    shown ones, as model counters read it.

    Parameters
    ----------
    circuits, cardinality:
        Encodings by name, as for :func:`ktsolve.model.encode.encode`.

    Raises
    ------
    BadInput
        If the model has an objective, or an encoding is unknown.

    Examples
    --------
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

    Parameters
    ----------
    circuits, cardinality:
        As for :func:`to_dimacs`.

    Examples
    --------
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
    lines = [f"c {on_one_line(model.name)}"]
    lines += [f"c {each}" for each in variable_comments(model, encoder)]
    shown = shown_variables(model, encoder)
    if len(shown) < encoder.variables:
        lines.append(f"c p show {' '.join(map(str, [*shown, 0]))}")
    return lines
