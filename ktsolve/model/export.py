"""Models in the exchange formats of other solvers: DIMACS CNF, OPB and TSPLIB HCP."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ktsolve.errors import BadInput
from ktsolve.model.constraints import Cardinality, Circuit, Clause, Linear, Literal, Path
from ktsolve.model.encode import Encoder, as_circuit, encode
from ktsolve.model.model import Model

__all__ = ["hcp_file", "to_dimacs", "to_opb", "to_tsplib"]


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
        raise BadInput("DIMACS CNF cannot say an objective: export to OPB, or leave the objective out")
    encoder = encode(model, circuits=circuits, cardinality=cardinality)
    lines = [f"c {_line(model.name)}", *(f"c {i} {_line(name)}" for i, name in enumerate(model.names, 1))]
    lines.append(f"p cnf {encoder.variables} {len(encoder.clauses)}")
    lines.extend(" ".join(map(str, [*clause, 0])) for clause in encoder.clauses)
    return "\n".join(lines) + "\n"


def to_opb(model: Model, *, circuits: str = "onehot") -> str:
    """The model in the OPB format of the pseudo-Boolean competitions; circuits by an eager encoding.

    OPB minimises, and has neither negated Booleans nor constants in a sum: a comment tells how the objective
    follows from the value that OPB speaks of.

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
    encoder = Encoder(model)

    def row(terms: list[tuple[int, Literal]], least: int) -> None:
        total, constant = _plain_sum(terms)
        if total:
            rows.append(f"{total} >= {least - constant} ;")
        elif least > constant:  # never
            rows.append(f"+0 x1 >= {least - constant} ;")

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
    # An empty sum is written with x1, which then has to be there.
    variables = max(encoder.variables, 1 if rows or model.objective is not None else 0)
    lines = [f"* #variable= {variables} #constraint= {len(rows)}", f"* {_line(model.name)}"]
    lines.extend(f"* x{i} {_line(name)}" for i, name in enumerate(model.names, 1))
    if model.objective is not None:
        sense, wanted = model.objective.sense, model.objective.total
        sign = 1 if sense == "minimise" else -1
        total, constant = _plain_sum([(sign * weight, literal) for weight, literal in wanted.terms])
        lines.append(f"* {sense} = {sign} * min{f' {sign * constant:+d}' if constant else ''}")
        lines.append(f"min: {total or '+0 x1'} ;")
    return "\n".join([*lines, *rows]) + "\n"


def _plain_sum(terms: Iterable[tuple[int, Literal]]) -> tuple[str, int]:
    """A weighted sum without negated literals, each variable once, and the constant that is left over.

    Since ``w * (1 - x)`` is ``w - w * x``.
    """
    weights: dict[int, int] = {}
    constant = 0
    for weight, literal in terms:
        if not literal.positive:
            constant, weight = constant + weight, -weight
        weights[literal.number] = weights.get(literal.number, 0) + weight
    return " ".join(f"{weight:+d} x{number + 1}" for number, weight in weights.items() if weight), constant


def _line(text: str) -> str:
    """A name as it may stand in a comment: on one line."""
    return " ".join(text.split())


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
    if len(circuits) != 1:
        raise BadInput(f"TSPLIB HCP says one circuit or path, not {len(circuits)}")
    if circuits[0].directed:
        raise BadInput("TSPLIB HCP cannot say a directed circuit: its edges are undirected")
    circuit = as_circuit(circuits[0])
    if circuit.nodes < 3:
        raise BadInput(f"TSPLIB HCP needs at least 3 nodes, not {circuit.nodes}")
    used_by: dict[int, str] = {}
    for u, v, literal in circuit.arcs:
        edge = f"{u}-{v}"
        if used_by.setdefault(literal.number, edge) != edge:
            raise BadInput(
                f"TSPLIB HCP cannot say a {circuits[0].kind} whose edges depend on each other: "
                f"{used_by[literal.number]} and {edge} share the Boolean {model.names[literal.number]}"
            )
    fixed: dict[int, bool] = {}
    for constraint in model.constraints:
        if isinstance(constraint, Clause) and len(constraint.members) == 1:
            literal = constraint.members[0]
            if fixed.setdefault(literal.number, literal.positive) != literal.positive:
                raise BadInput(
                    f"{model.name_of(Literal(literal.number))} is fixed both ways: there is no solution"
                )
        elif not isinstance(constraint, Circuit | Path):
            article = "an" if constraint.kind[0] in "aeiou" else "a"
            said = constraint.say(model.name_of)
            raise BadInput(f"TSPLIB HCP cannot say {article} {constraint.kind}: {said:.80}")
    if model.objective is not None:
        raise BadInput("TSPLIB HCP cannot say an objective: leave it out")
    edges, required = [], []
    for u, v, literal in circuit.arcs:
        value = fixed.get(literal.number)
        used = None if value is None else value == literal.positive
        if used is not False:
            edges.append(f"{u + 1} {v + 1}")
        if used:
            required.append(f"{u + 1} {v + 1}")
    return hcp_file(model.name, circuit.nodes, edges, required)


def hcp_file(
    name: str, nodes: int, edges: Sequence[str], fixed: Sequence[str] = (), comment: str = ""
) -> str:
    """A Hamiltonian cycle problem as TSPLIB writes it; edges are lines of two numbers from 1.

    >>> hcp_file("triangle", 3, ["1 2", "2 3", "1 3"]).splitlines()[2:5]
    ['DIMENSION : 3', 'EDGE_DATA_FORMAT : EDGE_LIST', 'EDGE_DATA_SECTION']
    """
    lines = [f"NAME : {_line(name)}", *([f"COMMENT : {_line(comment)}"] if comment else []), "TYPE : HCP"]
    lines += [f"DIMENSION : {nodes}", "EDGE_DATA_FORMAT : EDGE_LIST", "EDGE_DATA_SECTION", *edges, "-1"]
    if fixed:
        lines += ["FIXED_EDGES_SECTION", *fixed, "-1"]
    return "\n".join([*lines, "EOF"]) + "\n"
