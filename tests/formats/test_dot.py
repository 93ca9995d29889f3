"""DOT: edges of subgraphs, ports, default weights and labels are read; the rest is refused with its line."""

from __future__ import annotations

import pytest
from short_graphs import in_short
from strategies import refusal

from ktsolve.formats.graphs.files import read_graph

DOT = [
    ("digraph { a -> b -> c }", "a>b b>c"),
    ("strict graph G { a -- {b; c} -- d; }", "ab ac bd cd"),
    ("graph { subgraph cluster_0 { a -- b; subgraph { c } } b -- subgraph x { d c } }", "ab bc bd"),
    ("graph { { { { { { { { { { { { { { { a -- b } } } } } } } } } } } } } } }", "ab"),
    ('graph { node [shape=circle]; rankdir = LR; a:n -- b:"p":sw; "a:n" -- c; }', "a:nc ab"),
    ("graph { edge [weight=2]; a -- b; b -- c [weight=5, color=red][style=dotted] }", "ab=2 bc=5"),
    ('graph { 1 [label="x"]; 2 [label=<<b>y</b>>]; 1 -- 2 }', "<<b>y</b>>x"),
    ('graph { "a" + "b" -- "say \\"no\\"" }', 'absay "no"'),
    ('graph { "graph" -- "Node"; /* edge -- x */ "edge" -- Graphs // c\n # d\n }', "Graphsedge Nodegraph"),
    ("graph { -1 -- .5\n .5 -- é_2 }", "-1.5 .5é_2"),
]
"""Texts in DOT, and their edges."""


@pytest.mark.parametrize(("text", "edges"), DOT)
def test_dot_is_read(text: str, edges: str) -> None:
    assert in_short(read_graph(text)) == in_short(read_graph(text, "dot")) == edges


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("graph { a -- ", "line 1: the end is not DOT"),
        ("graph { a -> b }", "line 1: '-> b }' has another arrow than the graph: write --"),
        ("graph {\n a -- b }\ngraph { c }", "line 3: 'graph { c }' follows the graph: give one graph"),
        ("graph { edge -- a }", "follows edge, a word of DOT: write such a name in double quotes"),
        ("graph { a -- node }", "begins with node, a word of DOT"),
        ("graph { a -- 12bc }", "'12bc }' is not DOT"),
        ('graph { a -- "b }', "is not DOT"),
        ("graph { a -- <b }", "has no closing >"),
        ("graph { a -- b [weight=x] }", "'x' is not a weight"),
        ("graph { a -- b [weight=2]; b -- c }", "an edge has no weight, and others have one"),
        ("graph {" + 100 * "{", "lies in more than 50 subgraphs"),
        (
            f"graph {{ {{ {(chars := ' '.join(map(str, range(9999))))} }} -- {{ {chars} }} }}",
            "99,980,001 edges",
        ),
    ],
)
def test_what_is_not_dot_is_refused(text: str, said: str) -> None:
    assert said in refusal(read_graph, text, "dot")
