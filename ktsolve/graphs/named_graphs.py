"""Graphs by name, without a file: ``petersen``, ``hypercube:5``, ``complete:4,5,6``, ``grid:10x10``.

Families that are large are made here as arrays of edges. Every other name is that of a generator of
networkx whose parameters are whole numbers: ``heawood`` is ``heawood_graph()``, ``kneser:7,3`` is
``kneser_graph(7, 3)``, and ``random-regular:3,100,1`` has the seed 1. A size is computed from the parameters
and refused before anything is made; a generator whose size is not in the table is taken to join all pairs of
as many vertices as the product of its parameters.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations, pairwise, product
from math import comb, prod
from typing import TYPE_CHECKING, Any, NamedTuple

from ktsolve.base.errors import BadInput
from ktsolve.base.text import check_kind, near, shown, small_number
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.notation import cell_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PREFIX", "graph_names", "named_graph", "wanted_by"]

PREFIX = "graph:"
"""The prefix of a name where a board or a file could be given as well."""

_MOST_EDGES = 10_000_000
"""Edges of a graph that is made as an array: a few of these, of 160 MB, are there at once."""

_MOST_VERTICES = 1_000_000  # of a graph that is made as an array: naming them takes some seconds

_MOST_OBJECTS = 1_000_000  # vertices and edges of a graph that networkx makes, with an object for each: 1 GB

_Names = list[str] | None


class _Family(NamedTuple):
    """A family made as an array: numbers of vertices and edges, and edges with names, by its parameters.

    ``wanted`` are the parameters in a sentence; the first of them, or as many as are ``checked``, must not be
    below ``least``.
    """

    size: Callable[..., tuple[int, int]]
    make: Callable[..., tuple[NDArray[np.int64], _Names]]
    wanted: str = "a number, such as 9"
    least: int = 1
    checked: int | None = 1
    directed: bool = False


def named_graph(name: str) -> Graph:
    """Return the graph of a name and its parameters.

    Parameters
    ----------
    name:
        Such as ``petersen``, ``hypercube:5``, ``complete:4,5,6``, ``grid:10x10`` or
        ``random-regular:3,100,1``; a prefix ``graph:`` is allowed.

    Returns
    -------
    Graph
        The graph.

    Raises
    ------
    BadInput
        For an unknown name, with names like it; for other parameters, or a graph that is too large.

    Examples
    --------
    >>> print(named_graph("petersen"))
    graph of 10 vertices and 15 edges
    >>> named_graph("grid:2x2").names, len(named_graph("complete:4,5,6").edges)
    (('a2', 'b2', 'a1', 'b1'), 74)
    """
    check_kind(name, str, "the name of a graph, such as 'petersen' or 'grid:4x5'")
    base, _, text = name.strip().removeprefix(PREFIX).partition(":")
    base = base.strip().lower().replace("_", "-")
    given = _numbers(text, name)
    family = _FAMILIES.get(base)
    if family is None:
        graph = _by_networkx(base, given, name)
        graph.known_as = _known_as(base, given)
        return graph
    try:
        inspect.signature(family.size).bind(*given)
    except TypeError:
        raise BadInput(f"graph {shown(name)}: {base} takes {family.wanted}") from None
    if (smallest := min(given[: family.checked], default=family.least)) < family.least:
        raise BadInput(f"graph {shown(name)}: {smallest} is too small: it must be {family.least} or more")
    vertices, edges = family.size(*given)
    _check_size(name, "vertices", vertices, _MOST_VERTICES)
    _check_size(name, "edges", edges, _MOST_EDGES)
    pairs, names = family.make(*given)
    graph = Graph.from_arrays(vertices, pairs, names, directed=family.directed)
    graph.known_as = _known_as(base, given)
    return graph


def _known_as(base: str, given: Iterable[int]) -> str:
    numbers = ("x" if base in ("grid", "king", "knight", "directed-torus") else ",").join(map(str, given))
    return f"{base}:{numbers}" if numbers else base


def graph_names() -> list[str]:
    """All names, sorted.

    >>> {"petersen", "hypercube", "king", "kneser", "random-regular"} <= set(graph_names())
    True
    """
    return sorted({*_FAMILIES, *_generators()})


def wanted_by(name: str) -> str:
    """The parameters of a name, as a phrase.

    >>> wanted_by("hypercube"), wanted_by("petersen"), wanted_by("kneser")
    ('a dimension, such as 5', 'no numbers', 'n, k')
    """
    if name in _FAMILIES:
        return _FAMILIES[name].wanted
    return ", ".join(_parameter_names(_generators()[name])) or "no numbers"


def _parameter_names(function: Callable[..., Any]) -> list[str]:
    """The names of the parameters of a generator that a name may give."""
    random = "seed" in inspect.signature(function).parameters
    return [*(parameter.name for parameter in _whole_parameters(function) or []), *["seed"] * random]


def _numbers(text: str, name: str) -> tuple[int, ...]:
    if not text.strip():
        return ()
    words = re.split(r"\s*[,x×:]\s*", text.strip())
    if not all(word.isascii() and word.isdigit() for word in words):
        example = "graph:kneser:7,3 or graph:grid:4x5"
        raise BadInput(f"graph {shown(name)}: {shown(text)} is not a list of whole numbers: write {example}")
    return tuple(map(small_number, words))


def _check_size(name: str, which: str, number: int, most: int) -> None:
    if number > most:
        size = f"{number:,}" if number < 10**15 else "more than 10^15"
        raise BadInput(f"graph {shown(name)} has up to {size} {which}: it is made up to {most:,}")


# -- families made as arrays --------------------------------------------------------------------------------


def _lattice(lengths: Callable[[list[int]], bool]) -> _Family:
    """Boxes of cells, joined by steps; a step is chosen by its lengths other than 0 in ascending order."""

    def steps(dimensions: int) -> list[tuple[int, ...]]:  # one of each and its opposite
        every = product(range(-2, 3), repeat=dimensions)
        ahead = (step for step in every if step > tuple(-each for each in step))
        return [step for step in ahead if lengths(sorted(abs(each) for each in step if each))]

    def size(first: int, *others: int) -> tuple[int, int]:
        sides = (first, *others)
        if len(sides) > 6:
            raise BadInput(f"the box has {len(sides)} dimensions: it has at most 6")
        return prod(sides), sum(
            prod(max(0, side - abs(step)) for side, step in zip(sides, each, strict=True))
            for each in steps(len(sides))
        )

    def make(*sides: int) -> tuple[NDArray[np.int64], _Names]:
        import numpy as np

        number = np.arange(prod(sides)).reshape(sides)
        pairs = [np.empty((0, 2), dtype=np.int64)]
        for each in steps(len(sides)):
            if any(abs(step) >= side for side, step in zip(sides, each, strict=True)):
                continue
            ends = [
                number[
                    tuple(
                        slice(max(0, sign * step), side + min(0, sign * step))
                        for side, step in zip(sides, each, strict=True)
                    )
                ]
                for sign in (-1, 1)
            ]
            pairs.append(np.stack([end.ravel() for end in ends], axis=1))
        cells = product(*map(range, sides))
        if len(sides) == 2:
            names = [cell_name((row, column), sides[0]) for row, column in cells]
        else:
            names = [".".join(map(str, cell)) for cell in cells]
        return np.concatenate(pairs), names

    return _Family(size, make, "the sides of a box, such as 4x5 or 3x4x5", checked=None)


def _multipartite_size(first: int, *others: int) -> tuple[int, int]:
    parts = (first, *others)
    n = sum(parts)
    return n, (n * (n - 1) if len(parts) == 1 else n * n - sum(part * part for part in parts)) // 2


def _multipartite(*parts: int) -> tuple[NDArray[np.int64], _Names]:
    import numpy as np

    part = np.arange(parts[0]) if len(parts) == 1 else np.repeat(np.arange(len(parts)), parts)
    after = np.searchsorted(part, part, side="right")  # the first vertex of the next part
    counts = len(part) - after
    first = np.repeat(np.arange(len(part)), counts)
    within = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.stack((first, after[first] + within), axis=1), None


def _hypercube(n: int) -> tuple[NDArray[np.int64], _Names]:
    import numpy as np

    corners = np.arange(2**n)
    pairs = [
        np.stack((corners[corners >> bit & 1 == 0], corners[corners >> bit & 1 == 1]), axis=1)
        for bit in range(n)
    ]
    return np.concatenate(pairs), [format(corner, f"0{n}b") for corner in range(2**n)]


def _ring(n: int, step: int = 1, base: int = 0) -> NDArray[np.int64]:
    """Vertices ``base`` to ``base + n - 1`` in a circle, each joined to the one ``step`` places on."""
    import numpy as np

    here = np.arange(n)
    return np.stack((base + here, base + (here + step) % n), axis=1)


def _petersen_size(n: int, k: int, chords: int = 0, seed: int = 0) -> tuple[int, int]:
    if not 1 <= k < n:
        raise BadInput(f"the generalized Petersen graph of {n} takes a step of 1 to {n - 1}, not {k}")
    return _chorded_size(2 * n, 3 * n, chords)


def _petersen(n: int, k: int, chords: int = 0, seed: int = 0) -> tuple[NDArray[np.int64], _Names]:
    import numpy as np

    spokes = np.stack((np.arange(n), n + np.arange(n)), axis=1)
    return _chorded(np.concatenate((_ring(n), spokes, _ring(n, k, n))), 2 * n, chords, seed), None


def _chorded_size(vertices: int, edges: int, chords: int) -> tuple[int, int]:
    if chords > vertices:
        raise BadInput(f"{chords} chords are too many: a graph of {vertices} vertices takes up to {vertices}")
    return vertices, edges + chords


def _chorded(edges: NDArray[np.int64], n: int, chords: int, seed: int) -> NDArray[np.int64]:
    """The edges, and as many random ones between vertices that are not yet adjacent."""
    import numpy as np

    chance, found = np.random.default_rng(seed), {(min(u, v), max(u, v)) for u, v in edges.tolist()}
    added: list[tuple[int, int]] = []
    while len(added) < chords:
        u, v = sorted(chance.integers(n, size=2).tolist())
        if u != v and (u, v) not in found:
            found.add((u, v))
            added.append((u, v))
    return np.concatenate((edges, np.array(added, dtype=np.int64).reshape(-1, 2)))


def _three_cycles_size(pieces: int, n: int = 9, seed: int = 0) -> tuple[int, int]:
    if n % 6 != 3 or n < 9:
        raise BadInput(f"a piece of 2*{n} vertices has another number of cycles: use 9, 15, 21, ...")
    vertices = 2 * n + (pieces - 1) * (2 * n - 2)
    return vertices, 3 * vertices // 2


def _three_cycles(pieces: int, n: int = 9, seed: int = 0) -> tuple[NDArray[np.int64], _Names]:
    """A cubic graph with exactly three Hamiltonian cycles, each of which avoids another third of the edges.

    So is the generalized Petersen graph of n and 2 (Schwenk 1989). A piece without a vertex takes the place
    of a random vertex; a cycle goes on in one way, by the edge of the three that it avoids.
    """
    import numpy as np

    chance, (piece, _) = np.random.default_rng(seed), _petersen(n, 2)
    edges = piece.tolist()
    at: list[list[tuple[int, int]]] = [[] for _ in range(2 * n)]  # edges and sides
    for place, (u, v) in enumerate(edges):
        at[u].append((place, 0))
        at[v].append((place, 1))
    for _ in range(pieces - 1):
        gone, base = int(chance.integers(len(at))), len(at)
        # Vertex 0 of the new piece is left out: `gone` becomes vertex 1, the others get new numbers.
        number = [-1, gone, *range(base, base + 2 * n - 2)]
        loose, ends = at[gone], [number[v if u == 0 else u] for u, v in piece.tolist() if 0 in (u, v)]
        at[gone] = []
        at += [[] for _ in range(2 * n - 2)]
        for (place, side), end in zip(loose, chance.permutation(ends).tolist(), strict=True):
            edges[place][side] = end
            at[end].append((place, side))
        for u, v in piece.tolist():
            if u and v:
                at[number[u]].append((len(edges), 0))
                at[number[v]].append((len(edges), 1))
                edges.append([number[u], number[v]])
    return np.array(edges, dtype=np.int64), None


def _three_sat_size(variables: int, clauses: int, seed: int = 0) -> tuple[int, int]:
    if variables < 3:
        raise BadInput(f"clauses have three variables: {variables} are too few")
    # As made below: a row has two vertices for each of its clauses, and its two ends.
    vertices = 3 * (2 * variables + 6 * clauses + 1 + clauses)
    return vertices, 2 * vertices + 12 * clauses


def _three_sat(variables: int, clauses: int, seed: int = 0) -> tuple[NDArray[np.int64], _Names]:
    """The textbook reduction of a random 3-SAT formula that has a solution to a Hamiltonian cycle.

    The cycle goes through the row of each variable to the right, or to the left, and visits a clause from a
    row of one of its literals in its direction. Three vertices in a path stand for a vertex with arcs.
    """
    import numpy as np

    chance = np.random.default_rng(seed)
    solution = chance.integers(2, size=variables)
    rows: list[list[tuple[int, bool]]] = [[] for _ in range(variables)]
    for clause in range(clauses):
        chosen = chance.choice(variables, 3, replace=False)
        signs = chance.integers(2, size=3)
        if (signs != solution[chosen]).all():
            signs[0] ^= 1
        for variable, sign in zip(chosen.tolist(), signs.tolist(), strict=True):
            rows[variable].append((clause, bool(sign)))
    arcs: list[tuple[int, int]] = []
    number, ends = clauses + 1, [clauses]  # after the clauses a vertex from which the first row is entered
    for row in rows:
        places = range(number, number := number + 2 * len(row) + 2)
        for here, after in pairwise(places):
            arcs += [(here, after), (after, here)]
        for at, (clause, sign) in enumerate(row):
            left, right = places[2 * at + 1 :][:2] if sign else places[2 * at + 1 :][:2][::-1]
            arcs += [(left, clause), (clause, right)]
        arcs += [(end, entry) for end in ends for entry in (places[0], places[-1])]
        ends = [places[0], places[-1]]
    arcs += [(end, clauses) for end in ends]
    inner = [(3 * v + side, 3 * v + side + 1) for v in range(number) for side in (0, 1)]
    return np.array(inner + [(3 * u + 2, 3 * v) for u, v in arcs], dtype=np.int64), None


def _moebius_ladder(n: int) -> tuple[NDArray[np.int64], _Names]:
    import numpy as np

    return np.concatenate((_ring(2 * n), _ring(2 * n, n)[:n])), None


def _circulant(n: int, *steps: int) -> tuple[NDArray[np.int64], _Names]:
    import numpy as np

    # A step of half a circle and its opposite are one edge; so are steps that are equal around the circle.
    folded = {min(step % n, -step % n) for step in steps} - {0}
    rings = [np.unique(np.sort(_ring(n, step), axis=1), axis=0) for step in sorted(folded)]
    return np.concatenate([np.empty((0, 2), dtype=np.int64), *rings]), None


def _directed_torus(rows: int, columns: int) -> tuple[NDArray[np.int64], _Names]:
    """Steps down, to the right, and both, at the last row to the first and at the last column likewise."""
    import numpy as np

    number = np.arange(rows * columns).reshape(rows, columns)
    arcs = [
        np.stack((number.ravel(), np.roll(number, (-down, -right), axis=(0, 1)).ravel()), axis=1)
        for down, right in ((1, 0), (0, 1), (1, 1))
    ]
    names = [cell_name((row, column), rows) for row in range(rows) for column in range(columns)]
    return np.concatenate(arcs), names


def _herschel() -> tuple[NDArray[np.int64], _Names]:
    import numpy as np

    later = ((1, 3, 4), (2, 5, 6), (3, 7), (8, 9), (5, 9), (10,), (7, 10), (8,), (10,), (10,))
    return np.array([(u, v) for u, others in enumerate(later) for v in others], dtype=np.int64), None


def _coxeter() -> tuple[NDArray[np.int64], _Names]:
    """Triples of seven points that are not lines of the Fano plane; disjoint ones are joined."""
    import numpy as np

    lines = [{i, (i + 1) % 7, (i + 3) % 7} for i in range(7)]
    triples = [set(each) for each in combinations(range(7), 3) if set(each) not in lines]
    pairs = [(u, v) for u, v in combinations(range(28), 2) if not triples[u] & triples[v]]
    return np.array(pairs, dtype=np.int64), None


def _snark(n: int, chords: int = 0, seed: int = 0) -> tuple[NDArray[np.int64], _Names]:
    """Stars of three leaves: the first leaves in a ring, the others in a ring that goes round twice."""
    import numpy as np

    here = np.arange(n)
    stars = [np.stack((here, here + leaf * n), axis=1) for leaf in (1, 2, 3)]
    edges = np.concatenate((*stars, _ring(n, 1, n), _ring(2 * n, 1, 2 * n)))
    return _chorded(edges, 4 * n, chords, seed), None


_FAMILIES: Mapping[str, _Family] = {
    **{
        name: _Family(_multipartite_size, _multipartite, wanted, checked=None)
        for name, wanted in (
            ("complete", "a number, or the sizes of parts, such as 4,5,6"),
            ("complete-bipartite", "the sizes of parts, such as 4,5"),
            ("complete-multipartite", "the sizes of parts, such as 4,5,6"),
        )
    },
    "hypercube": _Family(
        lambda n: (2 ** min(n, 64), n * 2 ** (min(n, 64) - 1)), _hypercube, "a dimension, such as 5"
    ),
    "grid": _lattice(lambda lengths: lengths == [1]),
    "king": _lattice(lambda lengths: set(lengths) == {1}),
    "knight": _lattice(lambda lengths: lengths == [1, 2]),
    "directed-torus": _Family(
        lambda rows, columns: (rows * columns, 3 * rows * columns),
        _directed_torus,
        "rows and columns, such as 4x5",
        least=2,
        checked=2,
        directed=True,
    ),
    "cycle": _Family(lambda n: (n, n), lambda n: (_ring(n), None), least=3),
    "path": _Family(lambda n: (n, n - 1), lambda n: (_ring(n)[:-1], None)),
    "generalized-petersen": _Family(
        _petersen_size,
        _petersen,
        "a number and a step, such as 100,2, then chords and a seed: 101,2,1,7",
        least=3,
    ),
    "prism": _Family(lambda n: (2 * n, 3 * n), lambda n: _petersen(n, 1), least=3),
    "moebius-ladder": _Family(lambda n: (2 * n, 3 * n), _moebius_ladder, least=3),
    "herschel": _Family(lambda: (11, 18), _herschel, "no numbers"),
    "coxeter": _Family(lambda: (28, 42), _coxeter, "no numbers"),
    "flower-snark": _Family(
        lambda n, chords=0, seed=0: _chorded_size(4 * n, 6 * n, chords),
        _snark,
        "a number, such as 9, then chords and a seed: 9,1,7",
        least=3,
    ),
    "three-cycles": _Family(
        _three_cycles_size, _three_cycles, "pieces, then their size and a seed, such as 10,9,1"
    ),
    "three-sat": _Family(
        _three_sat_size, _three_sat, "variables, clauses, and a seed, such as 20,40,1", checked=2
    ),
    "circulant": _Family(
        lambda n, first, *others: (n, n * (1 + len(others))),
        _circulant,
        "a number and steps around the circle, such as 10,1,2",
    ),
}


# -- generators of networkx ---------------------------------------------------------------------------------


def _subsets(n: int, k: int) -> int:
    """The number of choices of k of n, or a smaller one that is too large for a graph anyway."""
    fewer = min(k, n - k)
    return 0 if fewer < 0 else comb(n, min(fewer, 50))


_OBJECTS: Mapping[str, Callable[..., int]] = {
    "balanced-tree": lambda r, h: (h + 1) * r**h if h < 64 else 2**64,
    "barabasi-albert": lambda n, m: n * (m + 1),
    "binomial-tree": lambda n: 2 ** min(n, 64),
    "caveman": lambda n, k: n * k * k,
    "circular-ladder": lambda n: 5 * n,
    "connected-caveman": lambda n, k: n * k * k,
    "dorogovtsev-goltsev-mendes": lambda n: 3 ** min(n, 40),
    "empty": lambda n=0: n,
    "full-rary-tree": lambda r, n: 2 * n,
    "gnm-random": lambda n, m: n + m,
    "hexagonal-lattice": lambda m, n: 8 * (m + 1) * (n + 1),
    "hkn-harary": lambda k, n: k * n,
    "hnm-harary": lambda n, m: n + m,
    "kneser": lambda n, k: _subsets(n, k) * (1 + _subsets(n - k, k)),
    "ladder": lambda n: 5 * n,
    "margulis-gabber-galil": lambda n: 9 * n * n,
    "mycielski": lambda n: 3 ** min(n, 40),
    "random-labeled-tree": lambda n: 2 * n,
    "random-regular": lambda d, n: n + n * d // 2,
    "ring-of-cliques": lambda n, k: n * k * k,
    "star": lambda n: 2 * n,
    "sudoku": lambda n=3: 4 * n**6,
    "tadpole": lambda m, n: 2 * (m + n),
    "triangular-lattice": lambda m, n: 4 * (m + 1) * (n + 1),
    "wheel": lambda n: 3 * n,
    "windmill": lambda n, k: n * k * k,
}
"""Vertices and edges, or more, of generators that do not join all pairs."""

_LEFT_OUT = ("geometric-soft-configuration", "navigable-small-world", "null")
"""Generators that need other parameters, whose defaults make them large, or whose graph has no vertices."""

_MARKS = ("create_using", "seed", "backend", "backend_kwargs")
"""Parameters of generators that are not about the graph's size."""


def _generators() -> dict[str, Callable[..., Any]]:
    """The generators of networkx by name: public functions that end in ``graph`` or ``tree``."""
    import networkx
    from networkx import generators

    found = {}
    for name in dir(networkx):
        function = getattr(networkx, name)
        base = re.fullmatch(r"([a-z0-9_]*?)(?:_graph|(_tree))?", name)
        if (
            base is None
            or not name.endswith(("_graph", "_tree"))
            or not callable(function)
            or not str(getattr(function, "__module__", "")).startswith(generators.__name__)
        ):
            continue
        key = (base[1] + (base[2] or "")).replace("_", "-")
        if _whole_parameters(function) is not None and key not in _LEFT_OUT:
            found[key] = function
    return found


def _whole_parameters(function: Callable[..., Any]) -> list[inspect.Parameter] | None:
    """The parameters that are numbers, by their names and defaults; None if some are not numbers."""
    taken = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name in _MARKS or parameter.kind in (parameter.VAR_KEYWORD, parameter.KEYWORD_ONLY):
            continue
        if parameter.kind is parameter.VAR_POSITIONAL:
            return None
        if parameter.default is not parameter.empty:
            if isinstance(parameter.default, int) and not isinstance(parameter.default, bool):
                taken.append(parameter)
            continue
        prime = parameter.name == "p" and not taken  # later it is a probability
        if not prime and not re.fullmatch(r"[dhklmnr]\d?|num_cliques|clique_size", parameter.name):
            return None
        taken.append(parameter)
    return taken


def _by_networkx(base: str, given: tuple[int, ...], name: str) -> Graph:
    import networkx

    function = _generators().get(base)
    if function is None:
        raise BadInput(
            f"graph {shown(name)}: the name is unknown: {near(base, graph_names())}"
            "ktsolve list graphs has all names, such as petersen and grid:4x5"
        )
    parameters = _whole_parameters(function) or []
    random = "seed" in inspect.signature(function).parameters
    needed = sum(parameter.default is parameter.empty for parameter in parameters)
    if not needed <= len(given) <= len(parameters) + random:
        raise BadInput(f"graph {shown(name)}: {base} takes {wanted_by(base)}, and {len(given)} are given")
    own, seed = given[: len(parameters)], given[len(parameters) :]
    bound = prod(max(1, number) for number in own)
    objects = _OBJECTS[base](*own) if base in _OBJECTS else bound + bound * bound // 2
    _check_size(name, "vertices and edges", objects, _MOST_OBJECTS)
    options = {"seed": seed[0] if seed else 0} if random else {}
    try:
        made = function(*own, **options)
    except (
        networkx.NetworkXException,
        ValueError,
        ArithmeticError,
        LookupError,
        TypeError,
        ImportError,
    ) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        raise BadInput(f"graph {shown(name)}: networkx makes no such graph: {why:.120}") from None
    if not len(made):
        raise BadInput(f"graph {shown(name)} has no vertices: a graph needs one or more")
    return Graph.from_networkx(made)
