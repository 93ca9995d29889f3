"""Models in the exchange formats of other solvers: DIMACS CNF, OPB and TSPLIB HCP."""

from __future__ import annotations

from ktsolve.errors import BadInput
from ktsolve.model.constraints import Cardinality, Circuit, Clause, Linear, Literal, Path
from ktsolve.model.encode import Encoder, as_circuit, encode
from ktsolve.model.model import Model

__all__ = ["to_dimacs", "to_opb", "to_tsplib"]


def to_dimacs(model: Model, *, circuits: str = "onehot", cardinality: str = "seqcounter") -> str:
    """The model as DIMACS CNF, complete; comments name the Booleans.

    Parameters
    ----------
    circuits, cardinality:
        Encodings by name, as for :func:`ktsolve.model.encode.encode`.

    Raises
    ------
    BadInput
        If the model has an objective, which CNF cannot say, or an encoding is unknown.

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
        raise BadInput("DIMACS CNF has no objective: export to OPB, or leave the objective out")
    encoder = encode(model, circuits=circuits, cardinality=cardinality)
    lines = [f"c {model.name}", *(f"c {i} {name}" for i, name in enumerate(model.names, 1))]
    lines.append(f"p cnf {encoder.variables} {len(encoder.clauses)}")
    lines.extend(" ".join(map(str, [*clause, 0])) for clause in encoder.clauses)
    return "\n".join(lines) + "\n"


def to_opb(model: Model, *, circuits: str = "onehot") -> str:
    """The model in the OPB format of the pseudo-Boolean competitions; circuits by an eager encoding.

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
    min: -1 x2 ;
    +2 x1 -1 x2 >= 0 ;
    -2 x1 +1 x2 >= -1 ;
    """
    rows: list[str] = []
    encoder = Encoder(model)

    def row(terms: list[tuple[int, Literal]], least: int) -> None:
        # OPB of old has no negated literals: w * (1 - x) is w - w * x.
        parts, bound = [], least
        for weight, literal in terms:
            if literal.positive:
                parts.append(f"{weight:+d} x{literal.number + 1}")
            else:
                parts.append(f"{-weight:+d} x{literal.number + 1}")
                bound -= weight
        if parts:
            rows.append(f"{' '.join(parts)} >= {bound} ;")
        elif bound > 0:
            rows.append(f"+0 x1 >= {bound} ;")

    for constraint in model.constraints:
        match constraint:
            case Circuit() | Path():
                if isinstance(constraint, Path) and constraint.nodes == 1:
                    row([(1, constraint.ends[0])], 1)
                else:
                    encoder.circuit(as_circuit(constraint), circuits)
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
            case _:
                encoder.add(constraint)
    for clause in encoder.clauses:
        row([(1, Literal(abs(x) - 1, x > 0)) for x in clause], 1)
    lines = [f"* #variable= {encoder.variables} #constraint= {len(rows)}", f"* {model.name}"]
    lines.extend(f"* x{i} {name}" for i, name in enumerate(model.names, 1))
    if model.objective is not None:
        sign = 1 if model.objective.sense == "minimise" else -1
        parts = [
            f"{sign * (w if lit.positive else -w):+d} x{lit.number + 1}"
            for w, lit in model.objective.total.terms
        ]
        lines.append(f"min: {' '.join(parts)} ;")
    return "\n".join([*lines, *rows]) + "\n"


def to_tsplib(model: Model) -> str:
    """A model that is one undirected circuit (or path) as a TSPLIB Hamiltonian cycle problem.

    A path becomes the cycle through one extra node. Edges that single literals fix are written as
    ``FIXED_EDGES_SECTION``, or left out when they are fixed to false.

    Raises
    ------
    BadInput
        If the model says more than HCP can, naming the constraint.

    Examples
    --------
    >>> model = Model("triangle")
    >>> a, b, c = (model.boolean(name) for name in "abc")
    >>> model.circuit(3, [(0, 1, a), (1, 2, b), (0, 2, c)])
    >>> model.fix(b)
    >>> print(to_tsplib(model), end="")
    NAME : triangle
    TYPE : HCP
    DIMENSION : 3
    EDGE_DATA_FORMAT : EDGE_LIST
    EDGE_DATA_SECTION
    1 2
    2 3
    1 3
    -1
    FIXED_EDGES_SECTION
    2 3
    -1
    EOF
    """
    circuits = [c for c in model.constraints if isinstance(c, Circuit | Path)]
    if len(circuits) != 1 or circuits[0].directed:
        raise BadInput("TSPLIB HCP says one undirected circuit or path, no more and no less")
    circuit = as_circuit(circuits[0])
    fixed: dict[int, bool] = {}
    for constraint in model.constraints:
        if isinstance(constraint, Clause) and len(constraint.members) == 1:
            literal = constraint.members[0]
            if fixed.setdefault(literal.number, literal.positive) != literal.positive:
                raise BadInput(f"{model.name_of(Literal(literal.number))} is fixed both ways: there is no solution")
        elif not isinstance(constraint, Circuit | Path):
            raise BadInput(f"TSPLIB HCP cannot say a {constraint.kind}: {constraint.say(model.name_of):.80}")
    if model.objective is not None:
        raise BadInput("TSPLIB HCP has no objective")
    edges, required = [], []
    for u, v, literal in circuit.arcs:
        value = fixed.get(literal.number)
        used = None if value is None else value == literal.positive
        if used is not False:
            edges.append(f"{u + 1} {v + 1}")
        if used:
            required.append(f"{u + 1} {v + 1}")
    lines = [
        f"NAME : {model.name}",
        "TYPE : HCP",
        f"DIMENSION : {circuit.nodes}",
        "EDGE_DATA_FORMAT : EDGE_LIST",
        "EDGE_DATA_SECTION",
        *edges,
        "-1",
    ]
    if required:
        lines += ["FIXED_EDGES_SECTION", *required, "-1"]
    return "\n".join([*lines, "EOF"]) + "\n"
