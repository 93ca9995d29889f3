"""Check and trimming of refutations by native code (ktsolve/proof/refutation.hpp)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from ktsolve.base.limits import check_status

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["check_lemmas", "trim"]


def check_lemmas(
    clauses: Iterable[Sequence[int]], lemmas: Collection[Sequence[int]], seconds: float | None = None
) -> str | None:
    """Return why lemmas do not refute clauses, or None if they do. Literals are those of DIMACS.

    Every lemma must follow from the clauses and the lemmas before it by reverse unit propagation (Goldberg &
    Novikov 2003), and the last one must be the empty clause. Raises LimitReached after that number of
    seconds.

    >>> check_lemmas([[1, 2], [-1, 2], [-2]], [[2], []])
    >>> check_lemmas([[1, 2], [-1, 2]], [[2], [-1]])
    'lemma 2 does not follow'
    """
    from ktsolve import _native

    given, derived = _flat(clauses, lemmas)
    report = _native.refutation_check(given, derived, seconds)
    check_status(report.status, seconds, f"{report.checked:,} of {len(lemmas):,} lemmas checked")
    if report.unfounded:
        return f"lemma {report.checked + 1} does not follow"
    return None if report.refuted else "the lemmas do not derive the empty clause"


def trim(
    clauses: Sequence[Sequence[int]], lemmas: Sequence[Sequence[int]], seconds: float | None = None
) -> tuple[list[int], list[int]] | None:
    """Return the numbers, from 0, of the clauses and lemmas that a refutation uses; None if it is not valid.

    The final empty clause is not included. The result is a refutation, not necessarily a minimal one. Raises
    LimitReached after that number of seconds.

    >>> trim([[1, 2], [3, 4], [-1, 2], [-2]], [[2], [3, 4, 5], []])
    ([0, 2, 3], [])
    """
    import numpy as np

    from ktsolve import _native

    given, derived = _flat(clauses, lemmas)
    report, of_clauses, of_lemmas = _native.refutation_trim(given, derived, seconds)
    check_status(report.status, seconds, f"{report.checked:,} of {len(lemmas):,} lemmas checked")
    if not report.refuted:
        return None
    return np.flatnonzero(of_clauses).tolist(), np.flatnonzero(of_lemmas).tolist()


def _flat(*texts: Iterable[Sequence[int]]) -> list[NDArray[np.int32]]:
    """Clauses and lemmas as arrays, a 0 after each.

    The checker takes memory for every number up to the largest variable. Where there are fewer literals than
    that, the variables are numbered again.
    """
    import numpy as np

    flat = [np.fromiter(chain.from_iterable([*each, 0] for each in text), np.int32) for text in texts]
    whole = np.concatenate(flat)
    if not len(whole) or int(np.abs(whole).max()) <= len(whole):
        return flat
    known = np.unique(np.abs(np.append(whole, 0)))
    return [np.sign(each) * np.searchsorted(known, np.abs(each)).astype(np.int32) for each in flat]
