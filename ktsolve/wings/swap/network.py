"""The networks of a swap puzzle: positions joined by jumps or moves, or shortest solutions only; their files.

After V. Batagelj (2012). A move of i jumps is a path of i edges through vertices of its own. Each edge
has length unit / i, so that all moves have equal length, and two walks with the same ends stay two paths. The
unit is the least common multiple of the numbers of jumps: for moves of up to three jumps it is 6, and the
edges have length 6, 3 and 2.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.text import number_of
from ktsolve.base.units import shown_bytes
from ktsolve.wings.swap.puzzle import Position, State, SwapMove, SwapPuzzle, goals, starts, steps
from ktsolve.wings.swap.search import search

if TYPE_CHECKING:
    import networkx

__all__ = ["count_shortest", "network_file", "shortest_network", "summary", "swap_network", "unit"]

_BYTES_PER_POSITION = 2_000
"""A lower estimate of the memory of a position and the jumps from it, as Python objects."""

_BYTES_PER_LINE = 800
"""A lower estimate of the memory of a line and the vertex within a move at its end. Measured: 1.6 kB for a
position with its jumps, and 17 kB where six cells are empty and moves have any number of jumps."""


def unit(puzzle: SwapPuzzle) -> int:
    """The length of a move in the network, divisible by every number of jumps.

    >>> puzzle = SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W", objective="moves", longest=3)
    >>> unit(puzzle)
    6
    """
    return lcm(*range(1, puzzle.reach + 1))


def swap_network(puzzle: SwapPuzzle, settings: Settings | None = None) -> networkx.Graph[str]:
    """All positions of the pieces, reachable or not, and all jumps (moves) between them.

    Edges are undirected, as every move can be taken back; where colours alternate they are arcs, and a vertex
    is a position with the colour that moved last. Vertices have ``kind`` (``position`` or ``between``), edges
    ``weight`` (see :func:`unit`), ``piece`` and ``colour``. Raises LimitReached if the network does not fit
    into memory, or at the time limit.

    >>> network = swap_network(SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W"))
    >>> len(network), network.number_of_edges()
    (420, 960)
    """
    import networkx

    settings = settings or Settings()
    needed = puzzle.positions * _BYTES_PER_POSITION * len(starts(puzzle))
    budget = settings.memory_budget
    if needed > budget:
        raise LimitReached(
            f"a network of {puzzle.positions:,} positions takes about {shown_bytes(needed)}; "
            f"the memory limit is {shown_bytes(settings.memory_limit)}"
        )
    clock = Clock(settings)
    lines = 0
    network: networkx.Graph[str] = networkx.DiGraph() if puzzle.alternate else networkx.Graph()
    for state in _states(puzzle):
        network.add_node(_label(state), kind="position")
    for state in _states(puzzle):
        clock.check(f"{len(network):,} vertices made")
        for walk, reached in steps(puzzle, state):
            if puzzle.alternate or state < reached:
                _add_walk(network, puzzle, state, walk, reached)
                lines += len(walk) - 1
        if lines * _BYTES_PER_LINE > budget:
            raise LimitReached(
                f"stopped at the memory limit of {shown_bytes(settings.memory_limit)}, "
                f"{len(network):,} vertices and {lines:,} lines made"
            )
    return network


def shortest_network(puzzle: SwapPuzzle, settings: Settings | None = None) -> networkx.DiGraph[str]:
    """The positions and moves of all shortest solutions, as arcs from the start towards the goal.

    Vertices of kind ``position`` have their ``layer`` as well. Raises BadInput if the puzzle has no solution;
    LimitReached at a limit.

    >>> puzzle = SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W", objective="moves", longest=2)
    >>> network = shortest_network(puzzle)
    >>> sum(1 for _, kind in network.nodes(data="kind") if kind == "position")
    66
    """
    import networkx

    settings = settings or Settings()
    clock = Clock(settings)
    found = search(puzzle, settings, keep=True)
    if found.solution is None:
        raise BadInput("there is no solution, and so no network of shortest ones")
    layers = _states_on_shortest(puzzle, found.on_shortest, clock)
    network: networkx.DiGraph[str] = networkx.DiGraph()
    for number, layer in enumerate(layers):
        for state in sorted(layer):
            network.add_node(_label(state), kind="position", layer=number)
    for layer, following in pairwise(layers):
        for state in sorted(layer):
            clock.check()
            for walk, reached in steps(puzzle, state):
                if reached in following:
                    _add_walk(network, puzzle, state, walk, reached)
    return network


def _states_on_shortest(
    puzzle: SwapPuzzle, positions: tuple[frozenset[Position], ...], clock: Clock
) -> list[set[State]]:
    """The states on shortest solutions, by layer: those on a path of moves from start to goal."""
    layers = [set(starts(puzzle))]
    for here in positions[1:]:
        clock.check()
        layers.append({s for state in layers[-1] for _, s in steps(puzzle, state) if s[0] in here})
    layers[-1] &= set(goals(puzzle))
    for number in range(len(layers) - 2, -1, -1):
        clock.check()
        layers[number] = {
            s for s in layers[number] if any(t in layers[number + 1] for _, t in steps(puzzle, s))
        }
    return layers


def _states(puzzle: SwapPuzzle) -> Iterator[State]:
    for position in _arrangements(Counter(puzzle.first)):
        if not puzzle.peaceful or puzzle.attack(position) is None:
            for _, colour in starts(puzzle):
                yield position, colour


def _arrangements(marks: Counter[str]) -> Iterable[Position]:
    """Every arrangement of a multiset once, in alphabetical order."""
    line = sorted(marks.elements())
    while True:
        yield "".join(line)
        rises = (place for place in range(len(line) - 2, -1, -1) if line[place] < line[place + 1])
        at = next(rises, None)
        if at is None:
            return
        # The last greater mark takes the place of the one at the last rise; what follows is then sorted.
        other = next(place for place in range(len(line) - 1, at, -1) if line[place] > line[at])
        line[at], line[other] = line[other], line[at]
        line[at + 1 :] = line[:at:-1]


def _label(state: State) -> str:
    position, colour = state
    return f"{position} {colour}" if colour else position


def _add_walk(
    network: networkx.Graph[str], puzzle: SwapPuzzle, state: State, walk: SwapMove, reached: State
) -> None:
    letter = state[0][walk[0]]
    jumps = len(walk) - 1
    name = f"{_label(state)} {puzzle.move_name(walk)}"
    path = [_label(state), *(f"{name} {jump}" for jump in range(1, jumps)), _label(reached)]
    for between in path[1:-1]:
        network.add_node(between, kind="between")
    for here, there in pairwise(path):
        network.add_edge(
            here, there, weight=unit(puzzle) // jumps, piece=letter, colour=puzzle.colour_of[letter]
        )


def count_shortest(network: networkx.Graph[str], puzzle: SwapPuzzle) -> tuple[int | None, int]:
    """The moves of a shortest path through a network from start to goal, and the number of shortest paths.

    Distances are those of Dijkstra's algorithm over the edges' weights. The number of paths to a vertex is
    the sum over its predecessors on shortest paths. None and 0 if no path joins them.

    >>> puzzle = SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W", objective="moves", longest=2)
    >>> count_shortest(swap_network(puzzle), puzzle)
    (9, 8)
    """
    import networkx

    sources = {_label(state) for state in starts(puzzle)}
    targets = {_label(state) for state in goals(puzzle)}
    distance = networkx.multi_source_dijkstra_path_length(network, sources)
    near = [distance[target] for target in targets if target in distance]
    if not near:
        return None, 0
    paths = dict.fromkeys(distance, 0)
    paths.update(dict.fromkeys(sources, 1))
    for here in distance:  # in order of distance
        for there, data in network[here].items():
            if distance[here] + data["weight"] == distance[there]:
                paths[there] += paths[here]
    length = min(near)
    number = sum(paths[target] for target in targets if distance.get(target) == length)
    return length // unit(puzzle), number if length else 1


def summary(network: networkx.Graph[str]) -> str:
    """The size of a network as text.

    >>> summary(swap_network(SwapPuzzle(start="W.W/.x./B.B", goal="B.B/.x./W.W")))
    '420 positions, 960 edges, 2 components'
    """
    import networkx

    inner = sum(1 for _, kind in network.nodes(data="kind") if kind == "between")
    lines, kind = ("arcs", "weakly_connected") if network.is_directed() else ("edges", "connected")
    components = getattr(networkx, f"number_{kind}_components")(network)
    between = f", {inner:,} vertices within moves" if inner else ""
    return (
        f"{len(network) - inner:,} positions{between}, {network.number_of_edges():,} {lines}, "
        f"{number_of(components, 'component')}"
    )


# -- files ---------------------------------------------------------------------------------------------------

_LINE_COLOURS = ("Red", "Blue", "Green", "Orange", "Purple", "Brown", "Cyan", "Magenta")
"""Names of colours in Pajek, Graphviz and SVG."""


def _line_colours(network: networkx.Graph[str]) -> dict[str, str]:
    """A colour for the lines of each colour of pieces."""
    colours = sorted({colour for _, _, colour in network.edges(data="colour")})
    return {colour: _LINE_COLOURS[i % len(_LINE_COLOURS)] for i, colour in enumerate(colours)}


def _write_net(network: networkx.Graph[str]) -> str:
    """The network for Pajek: lines carry the letter of the piece as label, the colour of pieces as colour."""
    numbers = {vertex: number for number, vertex in enumerate(network, 1)}
    colours = _line_colours(network)
    lines = [f"*Vertices {len(network)}", *(f'{number} "{vertex}"' for vertex, number in numbers.items())]
    lines.append("*Arcs" if network.is_directed() else "*Edges")
    for here, there, data in network.edges(data=True):
        colour = colours[data["colour"]]
        lines.append(f'{numbers[here]} {numbers[there]} {data["weight"]} l "{data["piece"]}" c {colour}')
    return "\n".join(lines) + "\n"


def _write_dot(network: networkx.Graph[str]) -> str:
    kind, arrow = ("digraph", "->") if network.is_directed() else ("graph", "--")
    colours = _line_colours(network)
    lines = [f"{kind} swap {{"]
    for vertex, role in network.nodes(data="kind"):
        lines.append(f'  "{vertex}" [shape={"box" if role == "position" else "point"}];')
    for here, there, data in network.edges(data=True):
        line = f'weight={data["weight"]}, label="{data["piece"]}", color={colours[data["colour"]].lower()}'
        lines.append(f'  "{here}" {arrow} "{there}" [{line}];')
    return "\n".join([*lines, "}"]) + "\n"


def network_file(network: networkx.Graph[str], name: str) -> str:
    r"""The network in a format by name: Pajek, GraphML, DOT or JSON. Linear in its size.

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
    import networkx

    if name == "graphml":
        return "\n".join(networkx.generate_graphml(network)) + "\n"
    if name == "json":
        return json.dumps(networkx.node_link_data(network, edges="edges")) + "\n"
    return (_write_net if name == "net" else _write_dot)(network)
