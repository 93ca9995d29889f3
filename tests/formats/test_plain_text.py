"""Texts of graphs that name no format: read as what they are, or refused if they may be two things."""

from __future__ import annotations

from pathlib import Path

import pytest
from command import answered, refused
from short_graphs import in_short
from strategies import refusal

import ktsolve
from ktsolve.formats.graphs.files import graph_format, read_graph

K3, K4 = "01 02 12", "01 02 03 12 13 23"
C4, PATH = "12 14 23 34", "12 23"

MEANT = [
    ("6 9\n1 2\n2 3\n3 4\n4 5\n5 6\n6 1\n1 4\n2 5\n3 6\n", "nm", "12 14 16 23 25 34 36 45 56"),
    ("6 9\n0 1\n1 2\n2 3\n3 4\n4 5\n5 0\n0 3\n1 4\n2 5\n", "nm", "01 03 05 12 14 23 25 34 45"),
    ("# two sizes\n4 5\n1 2\n2 3\n3 4\n4 1\n1 3\n", "nm", "12 13 14 23 34"),
    ("3 3\n1 2 5\n2 3 6\n1 3 7\n", "nm", "12=5 13=7 23=6"),
    ("2 1\n1 2 2\n", "nm", "12=2"),
    ("3 2\n1 -> 2\n2 -> 3\n", "nm", "1>2 2>3"),
    ("1: 2 4\n2: 1 3\n3: 2 4\n4: 1 3\n", "adjlist", C4),
    ("1:2,4\n2:1,3\n3:2,4\n4:1,3\n", "adjlist", C4),
    ("1: [2, 4]\n2: [1, 3]\n3: [2, 4]\n4: [1, 3]\n", "adjlist", C4),
    ("a: b\n%x\nb: a c\nc: b\n", "adjlist", "ab bc"),
    ("#adjlist\n0 1 2\n1 2\n2\n", "adjlist", K3),
    ("0 1 2 3\n1 0 2 3\n2 0 1 3\n3 0 1 2\n", "adjlist", K4),
    ("a -> b c\nb -> c a\nc -> a\n", "adjlist", "a>b a>c b>a b>c c>a"),
    ('{"a": ["b", "c"], "b": ["a", "c"], "c": ["a", "b"]}', "json", "ab ac bc"),
    ('[["a", "b"], ["b", "c"]]', "json", "ab bc"),
    ("[[1], [0, 2, 3], [1], [1]]", "json", "01 12 13"),
    ("[[0, 1, 1], [1, 0, 1], [1, 1, 0]]", "json", K3),
    ("%%MatrixMarket matrix coordinate pattern symmetric\n% c\n3 3 2\n2 1\n3 2\n", "mtx", PATH),
    (
        "%%MatrixMarket matrix coordinate real general\n3 3 3\n2 1 2.0\n1 2 2\n1 3 1\n",
        "mtx",
        "1>2=2 1>3=1 2>1=2",
    ),
    ("%%MatrixMarket matrix array integer symmetric\n3 3\n0\n1\n0\n0\n1\n0\n", "mtx", PATH),
    (">>graph6<<\nC~\n", "g6", K4),
    (">>sparse6<<\r\n:Bc\r\n", "g6", "01 02"),
    (">>digraph6<<\n&B_?\n", "g6", None),
    ("3\n0 1 1\n1 0 1\n1 1 0\n", "matrix", K3),
    ("3 3\n0 1 1\n1 0 1\n1 1 0\n", "matrix", K3),
    ("4\n0111\n1011\n1101\n1110\n", "matrix", K4),
    ("0.0e+00\t1.0e+00\t0\n1 0 1\n0 1 0\n", "matrix", "01 12"),
    ("1 -- 2;\n2 -- 3;\n", "edges", PATH),
    ("1 2 \t\n2 3 \t\n", "edges", PATH),
    ("a -> b, 5\nb -> c, 6\n", "edges", "a>b=5 b>c=6"),
    ("source;target\n(2, 1);(1, 1)\n(1, 1);(2, 0)\n", "edges", None),
    # Comments do not count, whatever is in them.
    (
        '6 9\n1 2\n2 3\n# "\n3 4\n4 5\n5 6\n6 1\n1 4\n// 7 8\n2 5 % 9\n3 6\n',
        "nm",
        "12 14 16 23 25 34 36 45 56",
    ),
    ('a "b # c" # "d\n"b # c" e\n', "edges", None),
    ("1: 2 3 # 4\n2: 1\n3: 1\n", "adjlist", "12 13"),
    ("% 1 2\n%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n", "mtx", PATH),
    ('# "\n0 1 1\n1 0 1\n1 1 0\n', "matrix", K3),
    ("# note\n# ktsolve edges\n3 2\n2 1\n1 0\n", "edges", "01 12 23"),
    ("# ktsolve edges\n0 1\n1 0\n", "edges", "01"),
    # Arrows, headers and headings.
    ("2 -> 1\n1 -> 2\n", "edges", "1>2 2>1"),
    ("a->b 5\nb->a 6\n", "edges", "a>b=5 b>a=6"),
    ("target -> source\nedge -> target\n", "edges", "edge>target target>source"),
    ("source -- target\n", "edges", "sourcetarget"),
    ("6,9\n1,2\n2,3\n3,4\n4,5\n5,6\n6,1\n1,4\n2,5\n3,6\n", "nm", "12 14 16 23 25 34 36 45 56"),
    ("a -> b c\nb ->\nc -> a\n", "adjlist", "a>b a>c c>a"),
    ("a\tb\t{}\nb\tc\t{}\n", "edges", "ab bc"),
    ("a\tb\t{'weight':\t5}\nb\tc\t{'weight':\t7}\n", "edges", "ab=5 bc=7"),
    ("a b\nc\td\nb\tc\n", "edges", "ab bc cd"),
]
"""Texts, the format that their contents show, and the edges."""


@pytest.mark.parametrize(("text", "name", "edges"), MEANT)
def test_a_text_is_read_by_what_it_is(text: str, name: str, edges: str | None) -> None:
    shown = graph_format(text, guess=True)
    assert shown is not None
    assert shown.name == name
    for spelled in (text, "\ufeff" + text, text.replace("\n", "\r\n")):
        read = read_graph(spelled)
        assert edges is None or in_short(read) == edges
    assert answered("count", "-", "--open", given=text.encode()).out.startswith("open ")


EDGES = "1 2\n2 3\n3 4\n4 5\n5 6\n6 1\n1 4\n2 5\n"

REFUSED = [
    ("6 9\n" + EDGES, "line 1: 6 9 seems to be the numbers of vertices and of edges, and 8 edges follow"),
    ("3 2\n2 1\n1 0\n", "line 1: 3 2 may be the numbers of vertices and of edges before the edges"),
    ("4 4\n2 4\n1 3\n2 4\n1 3\n", "or the neighbours of each vertex follow"),
    ("7\n" + EDGES, "line 1: '7' is one label before the edges: leave out the number of vertices"),
    ("6\n" + EDGES, "line 1: '6' is one label before the edges"),
    ("1 2 4\n2 1 3\n3 2 4\n4 1 3\n", "line 1: '1 2 4' may be an edge with its weight"),
    ("0 1 2 3\n1 0 2 3\n2 1 0 3\n3 1 2 0\n", "a matrix or lists of neighbours: --format matrix or adjlist"),
    ("0 1\n1 0\n", "may be a matrix of two rows, or edges"),
    ("1: 2 4\n2: 3\n3: 4\n4:\n", "line 1: '1' lists '2', which does not list '1'"),
    ("3 5 7\n5 3 7\n7 3 5\n1 3\n", "line 4: '1' lists '3', which does not list '1'"),
    ("a: b\na: c\n", "line 2: the neighbours of 'a' stand in a line before"),
    ("1-2\n2-3\n3-1\n", "line 1: '1-2' seems to be an edge in one word"),
    ("# c\n(0,1)\n(1,2)\n(2,0)\n", "line 2: '(0,1)' seems to be a tuple or a list"),
    ("edge(a,b).\nedge(b,c).\nedge(c,a).\n", "line 1: 'edge(a,b).' seems to be a fact or a call"),
    ("edge(a, b).\nedge(b, c).\n", "seems to be a fact or a call"),
    ("Hello world.\nThis is\n", "line 1: 'Hello world.' seems to be a text"),
    ("node1,node2\na,b\nb,c\nc,a\n", "line 1: 'node1,node2' has no label of another line"),
    ("u v\n1 2\n2 3\n3 1\n", "line 1: 'u v' has no label of another line: leave out a line of headings"),
    ("e 1 2\ne 2 3\ne 3 1\n", "an edge of DIMACS, and the line p edge is missing"),
    ("2 1\n3 {}\n3 0\n", "networkx.write_multiline_adjlist"),
    ("[[1, 3], [0, 2], [1, 3], [0, 2]]", "may be edges, neighbours or a matrix"),
    ("%%MatrixMarket matrix coordinate complex general\n1 1 0\n", "'complex' is not read of Matrix Market"),
    ("%%MatrixMarket matrix coordinate pattern general\n2 3 0\n", "an adjacency matrix is square"),
    ("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n", "the file has 1: it is cut off"),
    ("a b 2.5\nb c 1\n", "line 1: the weight '2.5' is not a whole number of up to 15 digits"),
    ("a b nan\nb c 1\n", "line 1: the weight 'nan' is not a whole number"),
    ("0 1 {'weight': 0.5}\n1 2 {'weight': 2}\n", "line 1: the weight '0.5' is not a whole number"),
    ("0 1.5 1\n1.5 0 1\n1 1 0\n", "the weight 1.5 is not a whole number"),
    ("graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 weight 1.5 ] ]", "the weight 1.5 is not"),
    ("graph [ node [ id 1 ] node [ id 2 ] node [ id 3 ] edge [ source 1 target 2 ] "
     "edge [ source 2 target 3 weight 4 ] ]", "an edge has no weight, and others have one"),
    ('{"vertices": ["a", "b"], "edges": [["a", "b", 0.1]]}', "the weight 0.1 is not a whole number"),
    ("*Vertices 2\n*Edges\n1 2 0.5\n", "line 3: the weight '0.5' is not a whole number"),
    ("source,target\nSource,Target\na,b\n", "line 1: 'source target' may be a line of headings, or an edge"),
    ("from to\nSource\tTarget\na\tb\n", "line 1: 'from to' may be a line of headings, or an edge"),
    ("source target\n", "may be a line of headings, or an edge: leave it out, or write source -- target"),
    ("from to\nto a\na from\n", "line 1: 'from to' may be a line of headings, or an edge"),
    ("a b\nc;d\n", "line 2: 'c;d' has semicolons between labels, and line 1 has blanks"),
    ("Rome\tNew York\nOslo\tRome\nSan Jose\n", "line 3: 'San Jose' has blanks between labels, and line 1"),
    ("2 1\n1 20,0\n", "line 2: '1 20,0' has commas between labels, and line 1 has blanks"),
    ("4 2\n1 2,\n1 4\n", "line 2: '1 2,' has commas between labels, and line 1 has blanks"),
    ("Oslo;Track #5\nOslo;Rome\n", "line 1: '#5' may be a comment or part of a label"),
    ("a b\nb %f\n", "line 2: '%f' may be a comment or part of a label"),
    ('a,5"\nb,a\n', "line 1: '5\"' has a quote within"),
    ("a -> b -> c\n", "line 1: 'a -> b -> c' has an arrow elsewhere than after its first label"),
    ("a b -> c\nb c -> a\n", "has an arrow elsewhere than after its first label"),
    ("1 2 ->\n-> 2 3\n", "line 1: '1 2 ->' has an arrow elsewhere than after its first label"),
    ("a -> b\nc ->\n", "line 2 has 1 word: 'c' is not an edge"),
    ("3 4\n1--2\n", "line 2: '1--2' seems to be an edge in one word"),
    ("# a1 b2\n0 1\n-4 0\n", "line 2: the text may be a matrix of two rows, or edges"),
    ("1 1 0\n1 1 1\n0 1 1\n", "line 1: the text may be a matrix of three rows, or edges"),
    ("3 3 3\n2 1 5\n3 1 4\n3 2 2\n", "line 1: 3 3 3 seems to be the sizes of a graph or"),
    ("4 3 1\n1 2 5\n2 3 6\n3 4 7\n", "line 1: 4 3 1 seems to be the sizes of a graph or"),
    ("3 1\n1 3\n", "line 1: 3 1 may be the numbers of vertices and of edges before the edges, or it is"),
    ("0 0\n", "has no vertices"),
    ("7\t{}\n7\t1\n1\t{}\n", "networkx.write_multiline_adjlist"),
    ("TYPE : HPP\nDIMENSION : 3\nEDGE_DATA_SECTION\n1 2\n-1\n", "it is about a path; write TYPE : HCP"),
    ("TYPE : SOP\nDIMENSION : 3\n", "of type 'SOP': it has an order of vertices"),
]  # fmt: skip
"""Texts, and what their refusal says."""


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_what_is_not_a_graph_or_may_be_two_is_refused(text: str, said: str) -> None:
    assert said in refusal(read_graph, text)
    assert said in refused("count", "-", given=text.encode())


def test_the_format_that_is_named_decides(tmp_path: Path) -> None:
    for text, by_name in (
        ("3 2\n2 1\n1 0\n", {"edges": "01 12 23", "nm": "01 12"}),
        ("1 2 4\n2 1 3\n3 2 4\n4 1 3\n", {"edges": "12=3 14=3 23=4", "adjlist": C4}),
        ("0 1\n1 0\n", {"edges": "01", "matrix": "01"}),
    ):
        for name, edges in by_name.items():
            read = read_graph(text, name)
            assert in_short(read) == edges
            assert answered("count", "-", "--open", "--format", name, given=text.encode()).status == 0
    (tmp_path / "sizes.edges").write_text("6 9\n" + EDGES + "3 6\n")  # a suffix does not
    assert len(ktsolve.read_graph(tmp_path / "sizes.edges").edges) == 9


def test_arrows_need_no_spaces() -> None:
    graph = read_graph("a->b\nb->c\nc->a\n", "edges")
    assert graph.directed
    assert graph.edges.tolist() == [[0, 1], [1, 2], [2, 0]]
    assert read_graph('"a->b"\nc d\n', "edges").names == ("a->b", "c", "d")


def test_blank_lines_take_linear_time() -> None:
    """It was 18 s, and 33 s for the second text."""
    assert len(read_graph("1 2\n" + " \n" * 200_000 + "2 3\n").edges) == 2
    assert "one label before the edges" in refusal(read_graph, "0" + "\n" * 200_000 + "1 2")
