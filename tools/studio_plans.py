"""Plans of the two-sided join for plain boards, and graphs by name, for the page of ``ktsolve studio``.

The page has no planner: it takes these plans, and makes one for a board with holes or conditions by leaving
out what is missing. ``make wasm`` writes both into the package; to make them takes some seconds.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ktsolve.base.errors import Refused
from ktsolve.engines.join.plan import JoinPlan
from ktsolve.engines.join.planning import best_plan
from ktsolve.engines.join.ranking import order_name
from ktsolve.formats.graphs.files import graph_file
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.problem.cycle_graph import CycleGraph
from ktsolve.problem.problem import TourProblem

SIDES = range(3, 9)
"""Rows and columns of the boards that have plans."""

GRAPHS = [
    "petersen",
    "dodecahedral",
    "icosahedral",
    "cubical",
    "octahedral",
    "truncated-cube",
    "tutte",
    "herschel",
    "heawood",
    "pappus",
    "desargues",
    "moebius-kantor",
    "coxeter",
    "frucht",
    "chvatal",
    "hoffman-singleton",
    "karate-club",
    "flower-snark:5",
    "generalized-petersen:11,2",
    "hypercube:4",
    "hypercube:5",
    "king:6x6",
    "grid:6x6",
    "kneser:7,2",
]
"""Graphs of ``ktsolve list graphs`` that the page has by name."""

_PARTS = (
    *("top", "bottom", "separator", "top_deferred", "bottom_deferred", "top_preapplied", "bottom_preapplied"),
    *("top_mirror", "bottom_mirror", "flip", "mirror_joins", "split", "turned", "colour"),
)


def plans() -> Iterator[tuple[str, dict[str, Any]]]:
    """The plans by board and kind of tour, ``8x8 closed``: to ``count``, and to ``rank`` with its ``order``.

    ``ends`` are the cells where an open tour may end.
    """
    for rows in SIDES:
        for columns in SIDES:
            for closed in (True, False):
                problem = TourProblem(board=f"{rows}x{columns}", closed=closed)
                graph = CycleGraph.of(problem)
                try:
                    count = best_plan(problem, graph)
                    rank = best_plan(problem, graph, outside_in=True)
                except Refused:
                    continue
                extra = count.graph.extra
                yield (
                    f"{rows}x{columns} {'closed' if closed else 'open'}",
                    {
                        "count": _parts(count),
                        "rank": _parts(rank),
                        "order": order_name(rank),
                        "ends": [] if extra is None else list(count.graph.around[extra]),
                    },
                )


def graphs() -> dict[str, str]:
    """The graphs in graph6, by name."""
    return {name: graph_file(named_graph(f"graph:{name}"), "g6").strip() for name in GRAPHS}


def _parts(plan: JoinPlan) -> dict[str, Any]:
    return {name: getattr(plan, name) for name in _PARTS}


def main() -> None:
    """Write the plans and graphs, compressed, to the file that is named."""
    text = json.dumps({**dict(plans()), "graphs": graphs()}, separators=(",", ":"))
    Path(sys.argv[1]).write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main()
