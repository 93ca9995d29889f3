"""Models in TSPLIB HCP: one Hamiltonian cycle problem on a graph."""

from __future__ import annotations

from collections.abc import Sequence

from ktsolve.base.errors import BadInput
from ktsolve.model.constraints import Circuit, Clause, Mark, Path
from ktsolve.model.io.comments import on_one_line
from ktsolve.model.model import Model

__all__ = ["hcp_file", "to_tsplib"]


def to_tsplib(model: Model) -> str:
    """Return the TSPLIB Hamiltonian cycle problem (HCP) of a model with one undirected circuit or path.

    A path becomes the cycle through one extra node. Edges that are fixed to true are written as
    ``FIXED_EDGES_SECTION``; edges that are fixed to false are left out.

    Raises BadInput for a constraint that HCP cannot express; the message names it.

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
    nodes = circuits[0].nodes + isinstance(circuits[0], Path)
    if nodes < 3:
        raise BadInput(f"TSPLIB HCP needs at least 3 nodes, not {nodes}")
    arcs: list[tuple[int, int, Mark]] = list(circuits[0].arcs)
    if isinstance(circuits[0], Path):
        arcs += [(v, nodes - 1, end) for v, end in enumerate(circuits[0].ends)]
    used_by: dict[int, str] = {}
    for u, v, literal in arcs:
        if isinstance(literal, bool):
            continue
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
    for u, v, literal in arcs:
        if isinstance(literal, bool):
            used: bool | None = literal
        else:
            value = fixed.get(literal.number)
            used = None if value is None else value == literal.positive
        if used is not False:
            edges.append(f"{u + 1} {v + 1}")
        if used:
            required.append(f"{u + 1} {v + 1}")
    return hcp_file(model.name, nodes, edges, required)


def hcp_file(
    name: str, nodes: int, edges: Sequence[str], fixed: Sequence[str] = (), comment: str = ""
) -> str:
    """Return a TSPLIB Hamiltonian cycle problem; each edge is a line of two node numbers from 1.

    >>> hcp_file("triangle", 3, ["1 2", "2 3", "1 3"]).splitlines()[2:5]
    ['DIMENSION : 3', 'EDGE_DATA_FORMAT : EDGE_LIST', 'EDGE_DATA_SECTION']
    """
    lines = [
        f"NAME : {on_one_line(name)}",
        *([f"COMMENT : {on_one_line(comment)}"] if comment else []),
        "TYPE : HCP",
    ]
    lines += [f"DIMENSION : {nodes}", "EDGE_DATA_FORMAT : EDGE_LIST", "EDGE_DATA_SECTION", *edges, "-1"]
    if fixed:
        lines += ["FIXED_EDGES_SECTION", *fixed, "-1"]
    return "\n".join([*lines, "EOF"]) + "\n"
