"""Networks as files: Pajek, GraphML, DOT and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ktsolve.errors import BadInput

if TYPE_CHECKING:
    import networkx

__all__ = ["NETWORK_FORMATS", "line_colours", "network_format", "written_network"]

NETWORK_FORMATS = ("net", "graphml", "dot", "json")
"""Endings of file names, one for each format."""

_LINE_COLOURS = ("Red", "Blue", "Green", "Orange", "Purple", "Brown", "Cyan", "Magenta")
"""Names of colours in Pajek, Graphviz and SVG."""


def line_colours(network: networkx.Graph[str]) -> dict[str, str]:
    """A colour for the lines of each colour of pieces."""
    colours = sorted({colour for _, _, colour in network.edges(data="colour")})
    return {colour: _LINE_COLOURS[i % len(_LINE_COLOURS)] for i, colour in enumerate(colours)}


def network_format(file: str) -> str:
    """The format of a network for the ending of a file name. Raises BadInput if there is none.

    >>> network_format("knights.net")
    'net'
    """
    ending = Path(file).suffix.removeprefix(".")
    if ending not in NETWORK_FORMATS:
        wanted = ", ".join("." + each for each in NETWORK_FORMATS)
        raise BadInput(f"the name of a network's file must end with one of {wanted}, not {file[-40:]!r}")
    return ending


def written_network(network: networkx.Graph[str], ending: str) -> str:
    r"""The network in the format of that file ending. Linear in its size.

    Pajek lines carry the letter of the piece that jumps as label (``l``), the colour of the pieces as colour
    (``c``); networkx and Pajek read both.

    Raises
    ------
    BadInput
        For another ending.

    Examples
    --------
    >>> from ktsolve.problem.swap import SwapPuzzle
    >>> from ktsolve.swap.network import swap_network
    >>> network = swap_network(SwapPuzzle(start="A./../..", goal="../../.A"))
    >>> print("\n".join(written_network(network, "net").splitlines()[-4:]))
    6 "A....."
    *Edges
    1 6 1 l "A" c Red
    2 5 1 l "A" c Red
    """
    match ending:
        case "net":
            return "\n".join(_pajek(network)) + "\n"
        case "graphml":
            import networkx

            return "\n".join(networkx.generate_graphml(network)) + "\n"
        case "dot":
            return "\n".join(_dot(network)) + "\n"
        case "json":
            return json.dumps(_node_link(network)) + "\n"
    raise BadInput(f"ending {ending!r} names no format of networks: use {', '.join(NETWORK_FORMATS)}")


def _pajek(network: networkx.Graph[str]) -> Iterator[str]:
    numbers = {vertex: number for number, vertex in enumerate(network, 1)}
    colours = line_colours(network)
    yield f"*Vertices {len(network)}"
    for vertex, number in numbers.items():
        yield f'{number} "{vertex}"'
    yield "*Arcs" if network.is_directed() else "*Edges"
    for here, there, data in network.edges(data=True):
        colour = colours[data["colour"]]
        yield f'{numbers[here]} {numbers[there]} {data["weight"]} l "{data["piece"]}" c {colour}'


def _dot(network: networkx.Graph[str]) -> Iterator[str]:
    directed = network.is_directed()
    colours = line_colours(network)
    yield "digraph swap {" if directed else "graph swap {"
    for vertex, kind in network.nodes(data="kind"):
        yield f'  "{vertex}" [shape={"box" if kind == "position" else "point"}];'
    for here, there, data in network.edges(data=True):
        line = f'weight={data["weight"]}, label="{data["piece"]}", color={colours[data["colour"]].lower()}'
        yield f'  "{here}" {"->" if directed else "--"} "{there}" [{line}];'
    yield "}"


def _node_link(network: networkx.Graph[str]) -> dict[str, Any]:
    import networkx

    data: dict[str, Any] = networkx.node_link_data(network, edges="edges")
    return data
