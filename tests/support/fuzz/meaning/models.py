"""Models: written by ktsolve, by PySAT, and after the descriptions of DIMACS, WCNF and OPB.

A model is read rightly if it has the same solutions with the same costs, up to a constant: all assignments
are tried.
"""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

from pysat.formula import CNF, WCNF

from fuzz.meaning.writers import Kind, Writer, Written
from fuzz.model_readers import OWN_FILES
from fuzz.target import file_of
from ktsolve.base.errors import KtsolveError
from ktsolve.formats.models import model_file
from ktsolve.formats.sources import read_model
from ktsolve.model.model import Model

__all__ = ["MODELS"]

Plain = dict[str, Any]
"""``variables``; ``clauses``; ``soft``: pairs of a weight and a clause; ``rows``: terms, relation, bound;
``costs``: terms. A term is a weight and a literal."""

_MOST = 14
"""Variables of a model whose assignments are all tried."""


def _draw(chance: random.Random) -> Plain:
    """A model in which the last variable occurs in every part: some formats do not state their number."""
    n = chance.randint(1, 5)

    def literals(most: int) -> list[int]:
        chosen = [*chance.sample(range(1, n), chance.randint(0, min(n, most) - 1)), n]
        chance.shuffle(chosen)
        return [x if chance.random() < 0.6 else -x for x in chosen]

    def terms() -> list[list[int]]:
        return [[chance.choice((1, 1, 2, 3, -1, -2, 5)), x] for x in literals(5)]

    return {
        "variables": n,
        "clauses": [literals(4) for _ in range(chance.randint(0, 4))],
        "soft": [[chance.randint(1, 6), literals(3)] for _ in range(chance.randint(0, 4))],
        "rows": [
            [terms(), chance.choice((">=", "<=", "=", ">=")), chance.randint(-2, 5)]
            for _ in range(chance.randint(0, 3))
        ],
        "costs": terms() if chance.random() < 0.5 else [],
    }


def _table(
    variables: int, holds: Callable[[Sequence[int]], bool], cost: Callable[[Sequence[int]], int] | None
) -> list[int | None]:
    """The cost of each assignment to the first variables, above the least; None where a constraint fails."""
    found: list[int | None] = [
        (cost(values) if cost is not None else 0) if holds(values) else None
        for values in product((0, 1), repeat=variables)
    ]
    least = min((each for each in found if each is not None), default=0)
    return [None if each is None else each - least for each in found]


def _true(literal: int, values: Sequence[int]) -> int:
    return int(values[abs(literal) - 1] == (literal > 0))


def _meant(model: Plain, *parts: str) -> dict[str, Any]:
    """The table of the parts of a model that a format holds."""

    def holds(values: Sequence[int]) -> bool:
        for clause in model["clauses"] if "clauses" in parts else ():
            if not any(_true(x, values) for x in clause):
                return False
        for terms, relation, bound in model["rows"] if "rows" in parts else ():
            total = sum(weight * _true(x, values) for weight, x in terms)
            if not {">=": total >= bound, "<=": total <= bound, "=": total == bound}[relation]:
                return False
        return True

    def cost(values: Sequence[int]) -> int:
        soft = model["soft"] if "soft" in parts else ()
        violated: int = sum(weight for weight, clause in soft if not any(_true(x, values) for x in clause))
        costs = model["costs"] if "costs" in parts else ()
        cost_of: int = sum(weight * _true(x, values) for weight, x in costs)
        return violated + cost_of

    return {"variables": model["variables"], "table": _table(model["variables"], holds, cost)}


def _found(model: Model, variables: int) -> dict[str, Any]:
    """The table of a model that was read; what it adds to the variables is free."""
    total = len(model)
    if not variables <= total <= _MOST:
        return {"variables": total, "table": []}
    best: dict[tuple[int, ...], int] = {}
    objective = model.objective
    sign = -1 if objective is not None and objective.sense == "maximise" else 1
    for values in product((False, True), repeat=total):
        if model.holds(values):
            cost = sign * objective.total.value(values) if objective is not None else 0
            key = values[:variables]
            best[key] = min(cost, best.get(key, cost))
    table = [best.get(values) for values in product((False, True), repeat=variables)]
    least = min(best.values(), default=0)
    return {"variables": variables, "table": [None if each is None else each - least for each in table]}


def _read(data: bytes, form: str, way: str, packed: str, meant: Any) -> dict[str, Any]:
    suffix = next(each.suffixes[0] for each in OWN_FILES if each.name == form)
    if way == "name of the format" and not packed:
        return _found(read_model(io.StringIO(data.decode()), form), meant["variables"])
    if way == "contents" and not packed:
        return _found(read_model(data), meant["variables"])
    with file_of(data, f".{suffix if way == 'suffix' else 'dat'}{packed}") as path:
        return _found(read_model(path), meant["variables"])


_PARTS: dict[str, tuple[str, ...]] = {
    "cnf": ("clauses",),
    "wcnf": ("clauses", "costs"),
    "opb": ("clauses", "rows", "costs"),
}
"""What the formats hold that ktsolve writes and reads."""


def _ours(form: str) -> Writer:
    parts = _PARTS[form]

    def write(_: random.Random, model: Plain) -> Written | None:
        if not model["clauses"]:
            return None
        stated = Model("some")
        x = stated.booleans([f"v{i}" for i in range(model["variables"])])

        def literal(number: int) -> Any:
            return x[number - 1] if number > 0 else ~x[-number - 1]

        for clause in model["clauses"]:
            stated.clause(*map(literal, clause))
        for terms, relation, bound in model["rows"] if "rows" in parts else ():
            stated.linear(
                {literal(number): weight for weight, number in terms},
                least=None if relation == "<=" else bound,
                most=None if relation == ">=" else bound,
            )
        if "costs" in parts and model["costs"]:
            stated.minimise({literal(number): weight for weight, number in model["costs"]})
        try:
            return model_file(stated, form), _meant(model, *parts)
        except KtsolveError:
            return None

    return Writer(form, "ktsolve", write)


def _pysat_cnf(_: random.Random, model: Plain) -> Written | None:
    formula = CNF(from_clauses=model["clauses"])
    formula.nv = model["variables"]
    return str(formula.to_dimacs()) + "\n", _meant(model, "clauses")


def _pysat_wcnf(_: random.Random, model: Plain) -> Written | None:
    formula = WCNF()
    for clause in model["clauses"]:
        formula.append(clause)
    for weight, clause in model["soft"]:
        formula.append(clause, weight=weight)
    formula.nv = model["variables"]
    if not model["soft"]:
        return None
    return str(formula.to_dimacs()) + "\n", _meant(model, "clauses", "soft")


def _lines(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _dimacs(chance: random.Random, model: Plain) -> Written | None:
    """Clauses over several lines, or several in a line."""
    text = " ".join(" ".join(map(str, [*clause, 0])) for clause in model["clauses"])
    words = text.split(" ") if text else []
    width = chance.choice((1, 3, 100))
    body = [" ".join(words[at : at + width]) for at in range(0, len(words), width)]
    head = f"p cnf {model['variables']} {len(model['clauses'])}"
    return _lines(["c some formula", head, *body]), _meant(model, "clauses")


def _wcnf(kind: str) -> Writer:
    """Soft clauses with the weight of hard ones in the line p, or with h as since 2022; in any order."""

    def write(chance: random.Random, model: Plain) -> Written | None:
        if not model["soft"]:
            return None
        top = sum(weight for weight, _ in model["soft"]) + chance.randint(1, 3)
        hard = "h" if kind == "2022" else str(top)
        rows = [f"{hard} {' '.join(map(str, clause))} 0" for clause in model["clauses"]]
        rows += [f"{weight} {' '.join(map(str, clause))} 0" for weight, clause in model["soft"]]
        chance.shuffle(rows)
        variables = model["variables"]
        if kind == "2022":
            return _lines(rows), _meant(model, "clauses", "soft")
        return _lines([f"p wcnf {variables} {len(rows)} {top}", *rows]), _meant(model, "clauses", "soft")

    return Writer("wcnf", f"WCNF of {kind}", write)


def _opb(chance: random.Random, model: Plain) -> Written | None:
    """Rows and an objective, with signs and blanks as the competitions have them, or few."""
    if not model["rows"]:
        return None

    def name(x: int) -> str:
        return f"{'~' if x < 0 else ''}x{abs(x)}"

    plus = chance.choice(("+", ""))

    def total(terms: list[list[int]]) -> str:
        return " ".join(f"{plus if weight > 0 else ''}{weight} {name(x)}" for weight, x in terms)

    lines = [f"{total(terms)} {relation} {bound} ;" for terms, relation, bound in model["rows"]]
    chance.shuffle(lines)
    if model["costs"]:
        lines.insert(0, f"min: {total(model['costs'])} ;")
    if chance.random() < 0.7:
        lines.insert(0, f"* #variable= {model['variables']} #constraint= {len(model['rows'])}")
    return _lines(lines), _meant(model, "rows", "costs")


def _wbo(_: random.Random, model: Plain) -> Written | None:
    """Soft constraints: the weight of those that are violated."""
    if not model["soft"]:
        return None

    def row(clause: list[int]) -> str:
        return " ".join(f"+1 {'~' if x < 0 else ''}x{abs(x)}" for x in clause) + " >= 1 ;"

    lines = [
        f"* #variable= {model['variables']} #constraint= {len(model['soft']) + len(model['clauses'])}",
        "soft: ;",
    ]
    lines += [row(clause) for clause in model["clauses"]]
    lines += [f"[{weight}] {row(clause)}" for weight, clause in model["soft"]]
    return _lines(lines), _meant(model, "clauses", "soft")


def _flatzinc(chance: random.Random, model: Plain) -> Written | None:
    """Clauses, and rows over the Booleans themselves."""
    names = [f"v{i}" for i in range(1, model["variables"] + 1)]

    def ones(literals: Sequence[int], sign: int) -> str:
        return f"[{', '.join(names[abs(x) - 1] for x in literals if x * sign > 0)}]"

    stated = [f"constraint bool_clause({ones(each, 1)}, {ones(each, -1)});" for each in model["clauses"]]
    for terms, relation, bound in model["rows"]:
        # A negated variable is 1 less the variable.
        weights = [weight if x > 0 else -weight for weight, x in terms]
        rest = bound - sum(weight for weight, x in terms if x < 0)
        if relation == ">=":
            weights, rest = [-weight for weight in weights], -rest
        members = ", ".join(names[abs(x) - 1] for _, x in terms)
        what = "bool_lin_eq" if relation == "=" else "bool_lin_le"
        stated.append(f"constraint {what}({weights}, [{members}], {rest});")
    chance.shuffle(stated)
    lines = [*(f"var bool: {name}:: output_var;" for name in names), *stated, "solve satisfy;"]
    return _lines(lines), _meant(model, "clauses", "rows")


MODELS = Kind(
    name="model",
    formats=tuple(form.name for form in OWN_FILES),
    draw=_draw,
    writers=(
        *map(_ours, _PARTS),
        Writer("cnf", "PySAT", _pysat_cnf),
        Writer("wcnf", "PySAT", _pysat_wcnf),
        Writer("cnf", "DIMACS", _dimacs),
        _wcnf("2006"),
        _wcnf("2022"),
        Writer("opb", "OPB", _opb),
        Writer("opb", "WBO", _wbo),
        Writer("fzn", "FlatZinc", _flatzinc),
    ),
    ways=("suffix", "name of the format", "other suffix", "contents"),
    read=_read,
    same=lambda found, meant: bool(found == meant),
    comments={"cnf": ("c {}", "c"), "wcnf": ("c {}", "c"), "opb": ("* {}", "*"), "fzn": ("% {}", "%")},
    variants={
        "cnf": ((r"(?m)^p cnf ", "p  cnf   "), (r"\Z", "%\n0\n"), (r"(?m)^(?=-?\d)", " ")),
        "wcnf": ((r"(?m)^p wcnf ", "p  wcnf   "), (r"(?m)^(?=-?\d)", " ")),
        "opb": ((r" ;", ";"), (r"(?m)(?<=\d) (?=[+-])", "\n"), (r" >= ", "  >=  ")),
        "fzn": ((r", ", ","), (r":: ", " :: "), (r";\n", "; "), (r"\(", " (")),
    },
)
"""Models of few Booleans."""
