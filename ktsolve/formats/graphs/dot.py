"""Graphs of Graphviz in DOT: nodes, chains of edges, subgraphs, attributes ``weight`` and ``label``.

A vertex is named by the label of its node if all nodes have different ones, else by the node itself.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.formats.graphs.data import GraphData, comment_of, weight_of, weighted_edges, whole_weights
from ktsolve.formats.tours.common import ground_comment
from ktsolve.graphs.graph import Graph

_TOKEN = re.compile(
    r"\s+|//[^\n]*|/\*(?s:.*?)\*/|#[^\n]*"
    r'|(?P<text>"(?:[^"\\]|\\(?s:.))*")'
    r"|(?P<word>(?:[A-Za-z_]|[^\x00-\x9f])(?:\w|[^\x00-\x9f])*|-?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?![\w.]))"
    r"|(?P<mark>->|--|[{}\[\];,=:+<])"
)

_KEYWORDS = ("strict", "graph", "digraph", "subgraph", "node", "edge")

_DEEPEST = 50  # subgraphs within each other
_MOST = 10  # edges for a character of the text, where there are more than _MANY
_MANY = 200_000

_Token = tuple[str, str, int]
"""The kind (text, word, mark, keyword or end), the value and the place in the text."""


def read_dot(text: str) -> GraphData:
    r"""The graph of a text in DOT.

    >>> data = read_dot('graph { a -- {b "c d"} -- e; subgraph x { e -- f } }')
    >>> data.names, data.edges.tolist()
    (['a', 'b', 'c d', 'e', 'f'], [[0, 1], [0, 2], [1, 3], [2, 3], [3, 4]])
    """
    return _Reader(text).graph()


class _Reader:
    """The tokens of a text one after the other, and the graph that was read so far."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = self._tokens()
        self.next = next(self.tokens)
        self.number: dict[str, int] = {}
        self.labels: dict[int, str] = {}
        self.ends = array("q")
        self.weights: list[str | None] = []

    def graph(self) -> GraphData:
        """The whole text."""
        self.take("keyword", "strict")
        kind = self.take("keyword", "graph", "digraph")
        self.arrow = "->" if kind == "digraph" else "--"
        if kind and self.next[1] != "{":
            self.identifier()
        if not kind or not self.take("mark", "{"):
            raise self.refusal()
        self.statements(None, 0)
        if self.next[0] != "end":
            raise self.refusal("follows the graph: give one graph at a time")
        names = list(self.number)
        if len(set(self.labels.values())) == len(self.labels) == len(names) and all(self.labels.values()):
            names = [self.labels[i] for i in range(len(names))]
        weights = None
        if any(weight is not None for weight in self.weights):
            weights = whole_weights(np.array([*map(weight_of, self.weights)]))
        edges = np.array(self.ends, dtype=np.int64).reshape(-1, 2)
        return GraphData(len(names), edges, names, kind == "digraph", weights, comment=comment_of(self.text))

    def statements(self, weight: str | None, depth: int) -> list[int]:
        """The nodes of a graph or subgraph, after its opening brace; ``weight`` is that of its edges."""
        nodes: dict[int, None] = {}
        while not self.take("mark", "}"):
            if self.take("mark", ";"):
                continue
            if word := self.take("keyword", "graph", "node", "edge"):
                if self.next[:2] != ("mark", "["):
                    raise self.refusal(f"follows {word}, a word of DOT: write such a name in double quotes")
                given = self.attributes()
                weight = given.get("weight", weight) if word == "edge" else weight
                continue
            group = self.subgraph(weight, depth)
            name = "" if group is not None else self.identifier()
            if name and self.take("mark", "="):
                self.identifier()  # an attribute of the graph
                continue
            parts = [self.node(name) if group is None else group]
            while self.next[:2] in (("mark", "->"), ("mark", "--")):
                if not self.take("mark", self.arrow):
                    raise self.refusal(f"has another arrow than the graph: write {self.arrow}")
                group = self.subgraph(weight, depth)
                parts.append(self.node(self.identifier()) if group is None else group)
            given = self.attributes()
            if len(parts) == 1 and name and "label" in given:
                self.labels[parts[0][0]] = given["label"]
            for tails, heads in pairwise(parts):
                self.join(tails, heads, given.get("weight", weight))
            nodes |= dict.fromkeys(node for part in parts for node in part)
        return list(nodes)

    def join(self, tails: list[int], heads: list[int], weight: str | None) -> None:
        """Add an edge from each of some nodes to each of others."""
        if len(self.weights) + len(tails) * len(heads) > max(_MOST * len(self.text), _MANY):
            raise BadInput(
                f"an edge between subgraphs of {len(tails):,} and {len(heads):,} nodes stands for "
                f"{len(tails) * len(heads):,} edges: write them one by one"
            )
        for tail in tails:
            for head in heads:
                self.ends.extend((tail, head))
        self.weights += [weight] * (len(tails) * len(heads))

    def subgraph(self, weight: str | None, depth: int) -> list[int] | None:
        """The nodes of a subgraph; None if none begins here."""
        if self.take("keyword", "subgraph") and self.next[:2] != ("mark", "{"):
            self.identifier()
            if self.next[:2] != ("mark", "{"):
                raise self.refusal("follows the name of a subgraph: write its nodes in braces")
        if not self.take("mark", "{"):
            return None
        if depth == _DEEPEST:
            raise self.refusal(f"lies in more than {_DEEPEST} subgraphs")
        return self.statements(weight, depth + 1)

    def node(self, name: str) -> list[int]:
        """The node of a name, with a port behind it or without."""
        for _ in range(2):
            if self.take("mark", ":"):
                self.identifier()
        return [self.number.setdefault(name, len(self.number))]

    def attributes(self) -> dict[str, str]:
        """The attributes in brackets, if some follow."""
        found = {}
        while self.take("mark", "["):
            while not self.take("mark", "]"):
                key = self.identifier()
                found[key] = self.identifier() if self.take("mark", "=") else "true"
                self.take("mark", ",", ";")
        return found

    def identifier(self) -> str:
        """The next token, a name."""
        kind, value, _ = self.next
        if kind == "keyword":
            raise self.refusal(f"begins with {value}, a word of DOT: write such a name in double quotes")
        if kind not in ("text", "word"):
            raise self.refusal()
        self.next = next(self.tokens)
        while kind == "text" and self.take("mark", "+"):
            if self.next[0] != "text":
                raise self.refusal()
            value += self.next[1]
            self.next = next(self.tokens)
        return value

    def take(self, kind: str, *values: str) -> str:
        """Pass the next token if it is one of these; its value, or nothing."""
        if self.next[0] != kind or self.next[1] not in values:
            return ""
        value = self.next[1]
        self.next = next(self.tokens)
        return value

    def refusal(
        self, what: str = "is not DOT: write graph { a -- b } or digraph { a -> b }", at: int = -1
    ) -> BadInput:
        """The error of the next token, or of another place."""
        at = self.next[2] if at < 0 else at
        line = self.text.count("\n", 0, at) + 1
        found = self.text[at : at + 100].partition("\n")[0].strip()
        return BadInput(f"line {line}: {shown(found, 24) if found else 'the end'} {what}")

    def _tokens(self) -> Iterator[_Token]:
        at = 0
        while at < len(self.text):
            match = _TOKEN.match(self.text, at)
            if match is None:
                raise self.refusal(at=at)
            kind, value, end = match.lastgroup, match[0], match.end()
            if value == "<":  # HTML, up to its partner
                kind, end = "text", self._end_of_html(at)
                value = self.text[at:end]
            elif kind == "text":
                value = re.sub(
                    r'\\(?:(["])|\n|(\\))', lambda pair: pair[1] or 2 * (pair[2] or ""), value[1:-1]
                )
            elif kind == "word" and value.lower() in _KEYWORDS:
                kind, value = "keyword", value.lower()
            if kind is not None:
                yield kind, value, at
            at = end
        yield "end", "", at

    def _end_of_html(self, at: int) -> int:
        depth, end = 0, at
        while end < len(self.text):
            depth += {"<": 1, ">": -1}.get(self.text[end], 0)
            end += 1
            if not depth:
                return end
        raise self.refusal("has no closing >", at)


def write_dot(graph: Graph) -> str:
    """The graph for Graphviz, with names and weights; a board is stated in a comment."""
    names = [_quoted(name) for name in graph.names]
    arrow = "->" if graph.directed else "--"
    lines = [f"{'digraph' if graph.directed else 'graph'} {{"]
    lines += [f"  {name};" for name in names]
    lines += [
        f"  {names[u]} {arrow} {names[v]}{weight};" for u, v, weight in weighted_edges(graph, " [weight={}]")
    ]
    return ground_comment(graph, "// ") + "\n".join([*lines, "}"]) + "\n"


def _quoted(name: str) -> str:
    """A name in quotes: DOT escapes quotes and nothing else."""
    if re.search(r'(?<!\\)(?:\\\\)*\\(?:"|$)', name):
        raise BadInput(f"DOT cannot hold the name {shown(name)}, with a backslash before a quote: use edges")
    escaped = name.replace('"', '\\"')
    return f'"{escaped}"'
