"""Names of the properties and numbers that are answered about the graphs of a list."""

COLUMNS = {
    "hamiltonian": "has a cycle through all vertices",
    "traceable": "has a path through all vertices",
    "hypohamiltonian": "not Hamiltonian, but without any one vertex it is",
    "hypotraceable": "not traceable, but without any one vertex it is",
    "hamilton-connected": "has such a path between any two vertices",
    "homogeneously-traceable": "has such a path from every vertex",
    "uniquely-hamiltonian": "has exactly one Hamiltonian cycle",
    "pancyclic": "has cycles of all lengths from 3 on",
    "cycles": "number of Hamiltonian cycles",
    "paths": "number of Hamiltonian paths",
}
"""What is answered about each graph, in the order of the native core: properties, then counts."""

COUNTS = ("cycles", "paths")

PROPERTIES = (
    *(name for name in COLUMNS if name not in COUNTS),
    "edges-in-every-cycle",
    "edges-in-no-cycle",
    "path-cover-number",
    "cycle-cover-number",
    "edge-disjoint-cycles",
    "edge-disjoint-paths",
    "toughness-bound",
)
"""What a report about one graph has."""
