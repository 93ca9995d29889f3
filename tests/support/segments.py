"""Straight lines between lattice points, by exact fractions: how tests tell whether two moves cross."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

Point = tuple[int, int]


@cache
def meet(first: tuple[Point, Point], second: tuple[Point, Point]) -> bool:
    """Do two lines share a point that is not an end of both? By solving for the point."""
    (a, b), (c, d) = first, second
    if {a, b} == {c, d}:
        return False
    r, s = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
    w = (c[0] - a[0], c[1] - a[1])
    det = r[0] * s[1] - r[1] * s[0]
    if det:
        t = Fraction(w[0] * s[1] - w[1] * s[0], det)
        u = Fraction(w[0] * r[1] - w[1] * r[0], det)
        return 0 <= t <= 1 and 0 <= u <= 1 and not (t in (0, 1) and u in (0, 1))
    if w[0] * r[1] - w[1] * r[0]:
        return False

    def along(p: Point) -> Fraction:
        return Fraction((p[0] - a[0]) * r[0] + (p[1] - a[1]) * r[1], r[0] ** 2 + r[1] ** 2)

    low, high = sorted((along(c), along(d)))
    return max(low, Fraction(0)) < min(high, Fraction(1))
