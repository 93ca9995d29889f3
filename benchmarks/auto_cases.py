"""The questions of ``auto.py``: commands as a user types them, of every task, condition and kind of board."""

from __future__ import annotations

from itertools import pairwise

__all__ = ["LINES", "TASKS"]

TASKS = ("construct", "enumerate", "count", "optimise", "rank", "tally")
"""What a line asks for, in the order of the tables."""

_TOUR_10 = """
    a10 c9 e10 f8 g10 h8 i10 j8 i6 j4 i2 g1 h3 g5 f3 d4 e6 f4 d5 e7 g6 i5 j7 i9 g8 h10 j9 i7 h5 f6 h7 j6 i4
    j2 h1 i3 j1 h2 f1 d2 b1 a3 c4 e3 g4 f2 d1 b2 a4 b6 a8 b10 c8 a9 b7 a5 b3 a1 c2 b4 a2 c3 e2 c1 d3 e1 g2
    i1 j3 h4 j5 h6 f7 e5 c6 a7 b5 d6 e4 g3 f5 g7 f9 d10 e8 g9 i8 j10 h9 f10 d9 c7 b9 d8 c10 e9 d7 c5 a6 b8
"""
_TOUR_12 = """
    a12 c11 e12 f10 h9 i7 j9 i11 g12 h10 f9 g11 e10 d12 f11 e9 d11 f12 h11 i9 k10 l12 j11 h12 g10 e11 c12
    d10 b11 a9 b7 c5 e4 d6 b5 a7 c6 b8 a6 c7 a8 b6 c8 e7 g8 h6 j5 l4 k6 l8 j7 h8 f7 g5 h3 j4 k2 i3 g4 e3 g2
    i1 j3 i5 h7 j8 i6 h4 g6 f4 e6 d8 b9 a11 c10 b12 a10 c9 e8 g7 i8 g9 i10 j12 l11 k9 l7 k5 l3 k1 i2 g1 f3
    d4 f5 g3 h5 f6 d5 b4 a2 c1 e2 c3 a4 b2 d1 f2 h1 j2 l1 k3 j1 l2 k4 l6 k8 l10 k12 j10 i12 k11 l9 k7 l5 j6
    i4 h2 f1 d2 b1 a3 c4 a5 b3 a1 c2 e1 d3 e5 d7 f8 d9 b10
"""
"""Tours from which required moves are taken, so that there is an answer."""


def _required(tour: str, number: int, every: int = 1) -> str:
    """Return options that require so many of each ``every`` moves of a tour."""
    cells = tour.split()
    moves = [f"{a}-{b}" for a, b in pairwise(cells)][::every][:number]
    return " ".join(f"--require {move}" for move in moves)


LINES: tuple[str, ...] = (
    # One tour: sizes, ends, moves.
    "tour 6x6",
    "tour 8x8",
    "tour 20x20",
    "tour 50x50",
    "tour 100x100",
    "tour 30x41",
    "tour 5x5 --open",
    "tour 8x8 --open --start a1 --end b1",
    "tour 21x21 --open --start a1",
    "tour 7x7",
    "tour 3x50",
    "tour 8x8 --require d4-e6 --require e4-f6 --forbid c3-d5",
    "tour 12x12 --start a1 --end b3 --require d4-e6",
    "tour 30x30 --start a1 --end b3",
    "tour 40x40 --require t20-u22 --forbid a2-b4",
    "tour 60x60 --without d4:e5",
    "tour 100x100 --require t20-u22 --forbid a2-b4",
    "tour 200x200 --open --start a1 --end b1",
    "tour 400x400 --require t20-u22",
    # One tour: symmetry, corners, steps, sums, orders, bounds, figures, runs.
    "tour 6x6 --symmetry rot90",
    "tour 10x10 --symmetry rot90",
    "tour 8x8 --symmetry rot180",
    "tour 20x20 --symmetry rot180",
    "tour 8x8 --symmetry flip-h",
    "tour 12x12 --structured",
    "tour 8x8 --at 1=a1 --at 20=e4",
    "tour 8x8 --open --at 1=a1 --at 10=d5 --at 30=h7 --at 64=c2",
    "tour 12x12 --at 1=a1 --at 40=f7",
    "tour 4x4 --wrap xy --open --magic rows",
    "tour 6x6 --magic rows",
    "tour 6x6 --order a1,f6,a6,f1 --start a1",
    "tour 8x8 --open --order a1,h8 --start a1",
    "tour 8x8 --range e4=20..24 --start a1",
    "tour 7x7 --open --sum a1,b1,c1=60",
    "tour 6x6 --figure squares=a1:f1 --open",
    "tour 6x6 --least straight=6",
    "tour 8x8 --most obtuse=12",
    "tour 6x6 --run a1,b3,c5,d3",
    "tour 6x6 --start a1:c3 --end d4:f6 --open",
    # One tour: wraps, leapers, holes, graphs.
    "tour 6x6 --wrap xy",
    "tour 5x7 --wrap x",
    "tour 10x10 --leaper 2,3",
    "tour 12x12 --leaper 1,4",
    "tour 30x30 --leaper 0,1",
    "tour 8x8 --without a1,a8,h1,h8",
    "tour 20x20 --without f6:i9",
    "tour graph:petersen",
    "tour graph:petersen --open",
    "tour graph:hypercube:6",
    "tour graph:grid:20,20",
    "tour graph:knight:9,9",
    # All tours.
    "tour 5x6 --all",
    "tour 6x6 --all",
    "tour 5x5 --open --all",
    "tour 3x12 --all",
    "tour 6x6 --all --symmetry rot90",
    "tour 5x6 --open --start a1 --all",
    "tour 6x6 --all --require a2-c3 --forbid c3-d5",
    "tour 6x6 --all --magic rows",
    "tour 5x5 --open --all --order a1,c3,e5",
    "tour 5x6 --all --range c3=10..12 --start a1",
    "tour 5x5 --open --all --at 13=c3",
    "tour 4x5 --wrap x --all",
    "tour 4x5 --open --all --least turns=17",
    "tour 8x8 --number 200",
    "tour 10x10 --number 50 --symmetry rot180",
    "tour graph:petersen --open --all",
    "tour graph:hypercube:4 --all",
    # Counts: sizes, ends, moves.
    "count 6x6",
    "count 8x8",
    "count 7x8",
    "count 10x6",
    "count 3x40",
    "count 5x20",
    "count 6x6 --open",
    "count 5x7 --open",
    "count 6x7 --open",
    "count 5x5 --open --directed",
    "count 4x20 --open",
    "count 8x8 --open --start a1 --end b1",
    "count 7x7 --open --start d4",
    "count 8x8 --require d4-e6 --require e4-f6",
    "count 8x8 --forbid a2-c3 --forbid h2-f3 --require c3-d5",
    f"count 12x12 {_required(_TOUR_12, 120)}",
    f"count 10x10 {_required(_TOUR_10, 50, 2)}",
    f"tour 12x12 {_required(_TOUR_12, 60, 2)}",
    # Counts: symmetry, corners, steps, sums, orders, bounds, figures, runs, sets of ends.
    "count 8x8 --symmetry rot180",
    "count 10x10 --symmetry rot90",
    "count 6x6 --symmetry rot180",
    "count 5x9 --open --symmetry rot180",
    "count 8x8 --structured",
    "count 6x6 --structured --require c3-d5",
    "count 6x6 --open --at 1=a1 --at 18=d5",
    "count 6x6 --at 5=c3",
    "count 6x6 --start a1 --at 18=d5",
    "count 8x8 --open --at 1=a1 --at 2=b3 --at 3=c5 --at 4=d7",
    "count 8x8 --open --directed --at 1=a1 --at 2=b3 --at 3=a5 --at 4=b7 --at 5=d8 --at 6=f7 --at 7=h8 "
    "--at 8=g6 --at 9=h4 --at 10=g2 --at 40=d5 --at 64=c2",
    "count 6x6 --magic rows",
    "count 4x4 --open --wrap xy --magic rows,columns",
    "count 6x6 --order a1,f6 --start a1",
    "count 6x6 --open --order a1,f6 --start a1",
    "count 5x5 --open --order a1,c3",
    "count 6x6 --range c3=10..12 --start a1",
    "count 6x6 --range c3=1..36",
    "count 5x6 --open --sum a1,f5=31",
    "count 5x5 --open --figure squares=row",
    "count 6x6 --least obtuse=0",
    "count 6x6 --most obtuse=12",
    "count 6x6 --exactly crossings=60",
    "count 6x6 --run a1,b3,c5",
    "count 6x6 --exactly moves:c3-d5,d3-c5=1",
    "count 5x6 --open --start a1:b2 --end e5:f5",
    # Counts: wraps, leapers, holes, graphs.
    "count 6x6 --wrap xy",
    "count 5x6 --wrap xy",
    "count 4x8 --wrap y",
    "count 6x8 --wrap x",
    "count 8x8 --leaper 0,1",
    "count 6x9 --leaper 2,3",
    "count 8x8 --without a1,a8,h1,h8",
    "count 7x7 --without d4",
    "count 6x6 --open --without a1",
    "count graph:hypercube:4",
    "count graph:hypercube:5",
    "count graph:grid:8,8",
    "count graph:knight:6,6",
    "count graph:petersen --open",
    # The best tours.
    "tour 8x8 --minimise turns",
    "tour 8x8 --maximise straight",
    "tour 8x8 --minimise obtuse",
    "tour 7x7 --open --minimise turns",
    "tour 6x6 --minimise crossings",
    "tour 6x6 --maximise crossings",
    "tour 6x6 --minimise turns --symmetry rot90",
    "tour 5x6 --open --start a1 --maximise acute",
    "tour 5x5 --open --minimise turns --order a1,c3",
    "tour 6x6 --maximise moves:c3-d5,d3-c5,c4-d2,d4-c2",
    "tour 10x10 --minimise obtuse --require e5-f7",
    # Tours by number.
    "unrank 6x6 1234",
    "unrank 8x8 123456789",
    "unrank 6x6 12345 --open",
    "unrank 3x20 77",
    "unrank 8x8 1000 --symmetry rot180",
    "unrank graph:hypercube:4 100",
    "unrank 6x8 999 --require a1-b3",
    # Counts by the moves used.
    "count 6x6 --by-uses c3-d5,d3-c5",
    "count 6x7 --by-uses border",
    "count 5x6 --open --by-uses a1-b3",
    "count 6x6 --symmetry rot180 --by-uses c3-d5",
    "count graph:hypercube:4 --by-uses 0000-0001",
)
"""The commands, without ``ktsolve`` and ``--engine``."""
