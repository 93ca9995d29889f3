"""Models in the file formats of other solvers: DIMACS CNF, OPB and TSPLIB HCP."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ktsolve.errors import BadInput
from ktsolve.model.constraints import Cardinality, Circuit, Clause, Linear, Literal, Path, Subcircuit
from ktsolve.model.encode import Encoder, as_circuit, encode
from ktsolve.model.loops.cycle import add_single_cycle, cycle_form
from ktsolve.model.model import Model

__all__ = ["hcp_file", "to_dimacs", "to_opb", "to_tsplib"]


def to_dimacs(model: Model, *, circuits: str = "onehot", cardinality: str = "seqcounter") -> str:
    """Return a complete DIMACS CNF of a model; comments name the Booleans.

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
        raise BadInput(
            "DIMACS CNF has no objective, but the model has one: export to OPB, or remove the objective"
        )
    encoder = encode(model, circuits=circuits, cardinality=cardinality)
    lines = [f"c {_line(model.name)}", *(f"c {i} {_line(name)}" for i, name in enumerate(model.names, 1))]
    lines.append(f"p cnf {encoder.variables} {len(encoder.clauses)}")
    lines.extend(" ".join(map(str, [*clause, 0])) for clause in encoder.clauses)
    return "\n".join(lines) + "\n"


def to_opb(model: Model, *, circuits: str = "onehot") -> str:
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
            case Subcircuit():
                add_single_cycle(encoder, cycle_form(constraint, encoder), circuits)
            case _ if circuit := as_circuit(constraint):
                encoder.circuit(circuit, circuits)
            case _:
                encoder.add(constraint)
    for clause in encoder.clauses:
        row([(1, Literal(abs(x) - 1, x > 0)) for x in clause], 1)
    # An empty sum is written as +0 x1, so that x1 must exist.
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


def _line(text: str) -> str:
    """Return a name on one line, for use in a comment."""
    return " ".join(text.split())


def to_tsplib(model: Model) -> str:
    """Return the TSPLIB Hamiltonian cycle problem (HCP) of a model with one undirected circuit or path.

    A path becomes the cycle through one extra node. Edges that are fixed to true are written as
    ``FIXED_EDGES_SECTION``; edges that are fixed to false are left out.

    Raises
    ------
    BadInput
        If the model has a constraint that HCP cannot express; the message names it.

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
        raise BadInput(f"the model has {len(circuits)} circuits and paths: TSPLIB HCP expresses exactly one")
    if circuits[0].directed:
        raise BadInput("TSPLIB HCP cannot express a directed circuit: its edges are undirected")
    circuit = as_circuit(circuits[0])
    if circuit is None or circuit.nodes < 3:
        raise BadInput(
            f"TSPLIB HCP needs at least 3 nodes, not {circuits[0].nodes + isinstance(circuits[0], Path)}"
        )
    used_by: dict[int, str] = {}
    for u, v, literal in circuit.arcs:
        edge = f"{u}-{v}"
        if used_by.setdefault(literal.number, edge) != edge:
            raise BadInput(
                f"TSPLIB HCP cannot express a {circuits[0].kind} whose edges depend on each other: "
                f"{used_by[literal.number]} and {edge} share the Boolean {model.names[literal.number]}"
            )
    fixed: dict[int, bool] = {}
    for constraint in model.constraints:
        if isinstance(constraint, Clause) and len(constraint.members) == 1:
            literal = constraint.members[0]
            if fixed.setdefault(literal.number, literal.positive) != literal.positive:
                name = model.names[literal.number]
                raise BadInput(f"{name} is fixed to true and to false: remove one of the two")
        elif not isinstance(constraint, Circuit | Path):
            article = "an" if constraint.kind[0] in "aeiou" else "a"
            text = constraint.text(model.name_of)
            raise BadInput(f"TSPLIB HCP cannot express {article} {constraint.kind}: {text:.80}")
    if model.objective is not None:
        raise BadInput("TSPLIB HCP has no objective, but the model has one: remove it")
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
    """Return a TSPLIB Hamiltonian cycle problem; each edge is a line of two node numbers from 1.

    >>> hcp_file("triangle", 3, ["1 2", "2 3", "1 3"]).splitlines()[2:5]
    ['DIMENSION : 3', 'EDGE_DATA_FORMAT : EDGE_LIST', 'EDGE_DATA_SECTION']
    """
    lines = [f"NAME : {_line(name)}", *([f"COMMENT : {_line(comment)}"] if comment else []), "TYPE : HCP"]
    lines += [f"DIMENSION : {nodes}", "EDGE_DATA_FORMAT : EDGE_LIST", "EDGE_DATA_SECTION", *edges, "-1"]
    if fixed:
        lines += ["FIXED_EDGES_SECTION", *fixed, "-1"]
    return "\n".join([*lines, "EOF"]) + "\n"
