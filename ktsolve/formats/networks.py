"""Networks of swap puzzles as files: Pajek, GraphML, DOT and JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ktsolve.formats.table import format_named, formats_of

if TYPE_CHECKING:
    import networkx

__all__ = ["NETWORK_FORMATS", "line_colours", "network_file"]

NETWORK_FORMATS = formats_of("network")

_LINE_COLOURS = ("Red", "Blue", "Green", "Orange", "Purple", "Brown", "Cyan", "Magenta")
"""Names of colours in Pajek, Graphviz and SVG."""


def line_colours(network: networkx.Graph[str]) -> dict[str, str]:
    """A colour for the lines of each colour of pieces."""
    colours = sorted({colour for _, _, colour in network.edges(data="colour")})
    return {colour: _LINE_COLOURS[i % len(_LINE_COLOURS)] for i, colour in enumerate(colours)}


def network_file(network: networkx.Graph[str], name: str) -> str:
    r"""The network in a format. Linear in its size.

    Raises BadInput for a format that holds no networks.

    >>> import networkx
    >>> network = networkx.Graph()
    >>> network.add_edge("A.", ".A", weight=1, piece="A", colour="A")
    >>> print(network_file(network, "net"), end="")
    *Vertices 2
    1 "A."
    2 ".A"
    *Edges
    1 2 1 l "A" c Red
    """
    text: str = format_named(name, NETWORK_FORMATS).function("write")(network)
    return text


def write_net(network: networkx.Graph[str]) -> str:
    """The network for Pajek: lines carry the letter of the piece as label, the colour of pieces as colour."""
    numbers = {vertex: number for number, vertex in enumerate(network, 1)}
    colours = line_colours(network)
    lines = [f"*Vertices {len(network)}", *(f'{number} "{vertex}"' for vertex, number in numbers.items())]
    lines.append("*Arcs" if network.is_directed() else "*Edges")
    for here, there, data in network.edges(data=True):
        colour = colours[data["colour"]]
        lines.append(f'{numbers[here]} {numbers[there]} {data["weight"]} l "{data["piece"]}" c {colour}')
    return "\n".join(lines) + "\n"


def write_graphml(network: networkx.Graph[str]) -> str:
    """The network in GraphML."""
    import networkx

    return "\n".join(networkx.generate_graphml(network)) + "\n"


def write_dot(network: networkx.Graph[str]) -> str:
    """The network for Graphviz."""
    kind, arrow = ("digraph", "->") if network.is_directed() else ("graph", "--")
    colours = line_colours(network)
    lines = [f"{kind} swap {{"]
    for vertex, role in network.nodes(data="kind"):
        lines.append(f'  "{vertex}" [shape={"box" if role == "position" else "point"}];')
    for here, there, data in network.edges(data=True):
        line = f'weight={data["weight"]}, label="{data["piece"]}", color={colours[data["colour"]].lower()}'
        lines.append(f'  "{here}" {arrow} "{there}" [{line}];')
    return "\n".join([*lines, "}"]) + "\n"


def write_json(network: networkx.Graph[str]) -> str:
    """The network as nodes and links."""
    import networkx

    return json.dumps(networkx.node_link_data(network, edges="edges")) + "\n"
