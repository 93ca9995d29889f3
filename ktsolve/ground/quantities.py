"""Sizes and times for people."""

from __future__ import annotations

__all__ = ["shown_bytes", "shown_seconds"]


def shown_bytes(number: float) -> str:
    """A size for people.

    >>> shown_bytes(5 << 20), shown_bytes(3 << 34), shown_bytes(1e30)
    ('5 MiB', '48 GiB', '9e+17 TiB')
    """
    for unit, name in ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB")):
        if number >= unit or unit == 2**20:
            size = number / unit
            return f"{size:.0e} {name}" if size >= 1e4 else f"{size:.3g} {name}"
    raise AssertionError


def shown_seconds(seconds: float) -> str:
    """A time for people.

    >>> [shown_seconds(s) for s in (0.0421, 7, 184, 7300, 400_000, 1e9, 1e18)]
    ['0.042 s', '7.0 s', '3 min 4 s', '2 h 1 min', '4 d 15 h', '32 years', '3e+10 years']
    """
    years = seconds / 31557600
    if years >= 2:
        return f"{years:.0f} years" if years < 1e5 else f"{years:.0e} years"
    if seconds < 60:
        return f"{seconds:.1f} s" if seconds >= 1 else f"{seconds:.3f} s"
    whole = round(seconds)
    units = ((86400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s"))
    for unit, name, smaller, its_name in units:
        if whole >= unit:
            return f"{whole // unit} {name} {whole % unit // smaller} {its_name}"
    raise AssertionError
