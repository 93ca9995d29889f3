"""Paths of a hypercube by the distance of their ends, and Gray codes: ``python benchmarks/gray_codes.py 5``.

P_d is the number of undirected Hamiltonian paths between two vertices at distance d of a hypercube of n
dimensions. The cycles give P_1, as each of the edges is in equally many of them. For the others one vertex
is added that is joined to the vertex of weight 0 and to all of weight d: the cycles through the first edge
are the paths from 0 to all at that distance. That keeps all permutations of the dimensions, which the engine
``join`` uses; its separator has the vertices of the middle weight and the added one. Six dimensions take
hours.

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


def cycles_problem(dimensions: int, distance: int) -> TourProblem:
    """Cycles of the hypercube for distance 1; else with the vertex for the paths to all at a distance."""
    cube = range(1 << dimensions)
    names = [f"{v:0{dimensions}b}" for v in cube]
    edges = [(names[v], names[v | 1 << bit]) for v in cube for bit in range(dimensions) if not v >> bit & 1]
    if distance == 1:
        return TourProblem(board=Graph(names, edges), closed=True)
    edges += [(names[v], "end") for v in cube if v.bit_count() in (0, distance)]
    return TourProblem(board=Graph([*names, "end"], edges), closed=True, require=[(names[0], "end")])


def paths_by_distance(dimensions: int, settings: Settings) -> dict[int, int]:
    """P_d for each odd d; prints each count."""
    join = engine_named("join")
    known = {}
    for distance in range(1, dimensions + 1, 2):
        started = time.process_time()
        found = join.count(cycles_problem(dimensions, distance), settings)
        said = {"distance": distance, "count": str(found.count), "peak_bytes": found.peak_bytes}
        print(json.dumps(said | {"cpu_s": round(time.process_time() - started, 1)}), flush=True)
        # A cycle has 2^n of the n 2^(n-1) edges.
        known[distance], left = (
            divmod(2 * found.count, dimensions)
            if distance == 1
            else divmod(found.count, math.comb(dimensions, distance))
        )
        if left:
            raise SystemExit(f"distance {distance}: {found.count} is not divisible by the number of ends")
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
