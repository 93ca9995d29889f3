"""Paths of a hypercube by the distance of their ends, and Gray codes: ``python benchmarks/gray_codes.py 5``.

P_d is the number of undirected Hamiltonian paths between two vertices at distance d of a hypercube of n
dimensions. The cycles give P_1, as each of the edges is in equally many of them. For the others one vertex is
added that is joined to all vertices of two weights, i and j: the cycles then are the paths between these
weights, some for each distance. That keeps all permutations of the dimensions, which the engine ``join``
uses, with a separator of the vertices of the middle weight. For distances beyond that the weights are 0 and
the distance: the new vertex is one of the separator. For others both weights lie beyond the middle, and paths
of less distance are subtracted. Six dimensions take hours; of these only the cycles were counted so far.

There are 2^(n-1) times the sum of all P_d, a binomial coefficient of each, undirected Gray codes. With
``--spill`` what is made is kept in a folder, and a count that is stopped goes on from there.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time

from ktsolve import Graph, Settings, TourProblem
from ktsolve.engines.registry import engine_named


def cycles_problem(dimensions: int, weights: tuple[int, ...]) -> TourProblem:
    """Cycles of the hypercube; with weights there is one more vertex, joined to all of these."""
    cube = range(1 << dimensions)
    names = [f"{v:0{dimensions}b}" for v in cube]
    edges = [(names[v], names[v | 1 << bit]) for v in cube for bit in range(dimensions) if not v >> bit & 1]
    if not weights:
        return TourProblem(board=Graph(names, edges), closed=True)
    edges += [(names[v], "end") for v in cube if v.bit_count() in weights]
    # One end is the only vertex of weight 0, as two of the other weight have one colour.
    required = [(names[0], "end")] if 0 in weights else []
    return TourProblem(board=Graph([*names, "end"], edges), closed=True, require=required)


def pairs_at(dimensions: int, weights: tuple[int, int]) -> dict[int, int]:
    """The number of pairs of vertices of two weights at each distance.

    >>> pairs_at(5, (2, 3))
    {1: 30, 3: 60, 5: 10}
    """
    low, high = sorted(weights)
    found = {}
    for lost in range(low + 1):
        gained = high - low + lost
        if number := math.comb(dimensions, low) * math.comb(low, lost) * math.comb(dimensions - low, gained):
            found[lost + gained] = number
    return found


def paths_by_distance(dimensions: int, settings: Settings) -> dict[int, int]:
    """P_d for each odd d; prints each count."""
    middle = dimensions // 2
    join = engine_named("join")

    def counted(weights: tuple[int, ...]) -> int:
        started = time.process_time()
        found = join.count(cycles_problem(dimensions, weights), settings)
        said = {
            "weights": weights,
            "count": str(found.count),
            "cpu_s": round(time.process_time() - started, 1),
        }
        print(json.dumps(said | {"peak_bytes": found.peak_bytes}), flush=True)
        return found.count

    known = {1: counted(()) * 2 // dimensions}
    for distance in range(3, dimensions + 1, 2):
        weights = (0, distance) if distance > middle else (middle + 1, middle + 2)
        pairs = pairs_at(dimensions, weights)
        rest = counted(weights) - sum(pairs[d] * known[d] for d in pairs if d < distance)
        known[distance], left = divmod(rest, pairs[distance])
        if left:
            raise SystemExit(f"weights {weights}: {rest} paths are not a multiple of {pairs[distance]}")
    return known


def main() -> int:
    """Print the numbers; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("dimensions", type=int, choices=range(3, 7), help="of the hypercube")
    parser.add_argument("--spill", help="folder in which tables and sums are kept")
    parser.add_argument("--memory", default="16G", help="memory limit")
    parser.add_argument("--threads", type=int, help="number of threads")
    given = parser.parse_args()
    settings = Settings(memory=given.memory, threads=given.threads, spill=given.spill)
    known = paths_by_distance(given.dimensions, settings)
    print(json.dumps({f"P{distance}": str(number) for distance, number in sorted(known.items())}))
    codes = sum(math.comb(given.dimensions, distance) * number for distance, number in known.items())
    print(json.dumps({"undirected Gray codes": str(codes << given.dimensions - 1)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
