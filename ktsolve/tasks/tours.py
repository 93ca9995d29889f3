"""All tours of a problem as one sequence: the k-th tour, the place of a tour, uniform samples.

An engine numbers the tours (:class:`ktsolve.engines.protocols.Ranking`). Every tour that is given out is
checked against the problem, and some are ranked back; every tour that comes in is checked before it is
ranked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from numbers import Integral
from operator import index as whole_number
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from ktsolve.base.errors import BadInput, IndexOutOfRange, LimitReached, OutOfMemory, WrongAnswer
from ktsolve.base.limits import Settings, takes_settings
from ktsolve.base.text import separated, shown, shown_count
from ktsolve.base.uniform import uniform_stream
from ktsolve.base.units import shown_bytes
from ktsolve.engines.interface import refuse_wrong
from ktsolve.engines.prepared import damaged
from ktsolve.engines.registry import ENGINES
from ktsolve.graphs.card import Card, Carded
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour, Violation
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.ranking import NoTours, Ranked, prepare

__all__ = ["Tours", "tours"]

_MOST_CELLS = 1 << 22  # cells of the tours that are made together while iterating: many are cheaper together
_LISTED_AT_ONCE = 4096  # tours that are turned into objects together
_BYTES_DRAWN = 130  # memory for each number that is remembered, so that it is not drawn again
_MOST_DRAWN = 10**18  # largest size of a sample: the time suffices for none that is larger
_LARGEST_DRAWN = 400  # cells up to which a notebook shows some of the tours
_RANKED_BACK = 2  # tours of each request whose index is computed again from the tour


class Tours(Carded, Sequence[Tour]):
    """All undirected tours of a problem in a fixed order, numbered from 0; made by :func:`tours`.

    It has what every sequence has: ``tours[k]`` (also from the end, by a negative k), slices, ``in``,
    ``index``, ``iter``, ``reversed``. Nothing is listed: each tour is made from its number. A slice is a view
    of the same kind. Two differences: :attr:`count` is the number of tours, not a method, and ``len`` raises
    OverflowError for numbers beyond ``sys.maxsize``, as it does for :class:`range`.

    Attributes
    ----------
    problem:
        The problem.
    count:
        Number of tours; of a slice, of those in it.
    order:
        Name of the order (:attr:`Ranking.order <ktsolve.engines.protocols.Ranking.order>`): the same name
        means the same order, on every machine. Write it down beside an index.
    engine:
        Name of the engine that numbers the tours, or ``arithmetic`` if it proves that none exist.
    reason:
        Why there are no tours, if arithmetic proves that; else empty.
    restored:
        Whether the tables were read from a prepared file.
    """

    count: int  # type: ignore[assignment]

    def __init__(
        self, ranked: Ranked, settings: Settings, *, check: bool = False, places: range | None = None
    ) -> None:
        ranking = ranked.ranking
        self._ranked, self._ranking, self._settings, self._check = ranked, ranking, settings, check
        self._places = range(ranking.count) if places is None else places
        self.problem: TourProblem = ranking.problem
        self.count = _length(self._places)
        self.order: str = ranking.order
        self.engine: str = ranked.engine
        self.restored: bool = ranked.file is not None
        self.reason: str = ranking.reason if isinstance(ranking, NoTours) else ""

    @property
    def settings(self) -> Settings:
        """The limits of each request."""
        return self._settings

    @property
    def peak_bytes(self) -> int:
        """Most memory held for tables while preparing."""
        return self._ranking.peak_bytes

    def __repr__(self) -> str:
        return f"<{shown_count(self.count)} tours of {self.problem}, order {self.order}>"

    def _card(self) -> Card:
        title = f"{separated(self.count)} {'tour' if self.count == 1 else 'tours'}: {self.problem}"
        facts = [("reason", self.reason) if self.reason else ("order", self.order), ("engine", self.engine)]
        places = sorted({0, self.count // 2, self.count - 1}) if self.count else []
        drawn: list[Tour] = []
        if len(self.problem.ground) <= _LARGEST_DRAWN:
            with suppress(LimitReached):
                drawn = list(self.at(places))
        if drawn:
            facts.append(("drawn", f"numbers {', '.join(map(separated, places))}"))
        return Card(title, tuple(facts), tuple(drawn))

    def save(self, path: str | Path) -> None:
        """Write the tables to a file that ``prepared`` of :func:`tours` reads."""
        self._ranking.save(Path(path))

    # -- from numbers to tours ----------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._places)

    def __bool__(self) -> bool:
        return self.count > 0

    @overload
    def __getitem__(self, index: int) -> Tour: ...
    @overload
    def __getitem__(self, index: slice) -> Tours: ...
    def __getitem__(self, index: int | slice) -> Tour | Tours:
        """The tour at a place, or a view of a slice.

        Raises
        ------
        IndexOutOfRange
            If there is no such place; it is an IndexError.
        """
        if isinstance(index, slice):
            places = self._places[index]
            return Tours(self._ranked, self._settings, check=self._check, places=places)
        (row,) = self.arrays([whole_number(index)]).tolist()
        return Tour.from_indices(self.problem.ground, row, self.problem.closed)

    def __iter__(self) -> Iterator[Tour]:
        return self._listed(self._places)

    def __reversed__(self) -> Iterator[Tour]:
        return self._listed(self._places[::-1])

    def at(self, indices: Iterable[int]) -> Iterator[Tour]:
        """The tours at many places, one by one, as :meth:`arrays` answers them: in batches."""
        return self._listed(map(self._place, indices))

    def _listed(self, places: Iterable[int]) -> Iterator[Tour]:
        ground, closed = self.problem.ground, self.problem.closed
        cells = max(1, len(ground))
        batch, rest = 1, iter(places)
        while indices := list(islice(rest, batch)):
            rows = self._unranked(indices)
            for first in range(0, len(rows), _LISTED_AT_ONCE):
                for row in rows[first : first + _LISTED_AT_ONCE].tolist():
                    yield Tour.from_indices(ground, row, closed)
            batch = min(8 * batch, max(1, _MOST_CELLS // cells))

    def arrays(self, indices: Iterable[int]) -> NDArray[np.int32]:
        """The tours at many places, as rows of cell numbers in the order of each tour.

        Parameters
        ----------
        indices:
            Places in any order, with repetitions; negative ones count from the end. They are answered
            together, at a lower cost for each than one by one.

        Raises
        ------
        IndexOutOfRange
            If there is no such place.
        LimitReached
            If time or memory runs out.
        """
        return self._unranked([self._place(index) for index in indices])

    def _place(self, index: int) -> int:
        if isinstance(index, bool) or not isinstance(index, (int, Integral)):
            raise BadInput(f"{shown(index)} is not a whole number: the index of a tour is one, such as 5")
        try:
            return self._places[int(index)]
        except IndexError:
            which = f"0 to {shown_count(self.count - 1)}" if self.count else "none"
            raise IndexOutOfRange(
                f"index {shown_count(int(index))} is out of range: {self.problem} has {which}"
            ) from None

    def _unranked(self, places: Sequence[int]) -> NDArray[np.int32]:
        """The tours at places in the whole sequence, checked."""
        if not places:
            return np.empty((0, len(self.problem.ground)), dtype=np.int32)
        with self._blamed_on_file():
            rows = self._ranking.unrank(places, self._settings)
            self._check_rows(rows, len(places))
            again = _some(len(places), all_of_them=self._check)
            ranks = self._ranking.rank(np.ascontiguousarray(rows[again]), self._settings)
            for place, rank in zip(again, ranks, strict=True):
                if rank != places[place]:
                    raise WrongAnswer(
                        f"engine {self.engine} gave tour {shown_count(places[place])} of {self.problem}, and "
                        f"ranks it {shown_count(rank)}"
                    )
        return rows

    @contextmanager
    def _blamed_on_file(self) -> Iterator[None]:
        """Turn a wrong answer from tables that were read into the error of a damaged file."""
        try:
            yield
        except WrongAnswer:
            if self._ranked.file is None:
                raise
            raise damaged(self._ranked.file) from None

    def _check_rows(self, rows: NDArray[np.int32], number: int) -> None:
        problem = self.problem
        if rows.shape != (number, len(problem.ground)):
            raise WrongAnswer(
                f"engine {self.engine} gave an array of shape {rows.shape} for {number} tours of {problem}"
            )
        answers = problem.check_rows(rows)
        if not answers.all():
            row = rows[int(np.argmin(answers))].tolist()
            violation = _violation(problem, row) or Violation(0, "the check in arrays refuses it")
            refuse_wrong(self.engine, "tour for", problem, violation)

    # -- samples ------------------------------------------------------------------------------------------

    def sample(self, number: int, seed: int | None = None, *, distinct: bool = False) -> list[Tour]:
        """Tours drawn with equal chances, independently of each other.

        Parameters
        ----------
        number:
            Number of tours.
        seed:
            The same seed gives the same tours of the same order, on every machine; the first ones of a longer
            sample are the shorter one. By default the operating system gives the random bytes.
        distinct:
            Draw without replacement: no tour twice.

        Raises
        ------
        BadInput
            If no tours exist, or fewer distinct ones than the number.

        Notes
        -----
        Each tour is the one at a uniform whole number below :attr:`count`
        (:mod:`ktsolve.base.uniform`). No floating point number is used.
        """
        return list(self.at(self.sample_places(number, seed, distinct=distinct)))

    def sample_arrays(
        self, number: int, seed: int | None = None, *, distinct: bool = False
    ) -> NDArray[np.int32]:
        """The tours of :meth:`sample` as rows of cell numbers, all unranked together."""
        return self.arrays(self.sample_places(number, seed, distinct=distinct))

    def sample_places(self, number: int, seed: int | None = None, *, distinct: bool = False) -> Iterator[int]:
        """The places of the tours of :meth:`sample`, one by one."""
        for name, value in (("number of tours", number), ("seed", 0 if seed is None else seed)):
            if isinstance(value, bool) or not isinstance(value, (int, Integral)) or value < 0:
                raise BadInput(f"the {name} must be a whole number from 0, not {shown(value)}")
        if number > _MOST_DRAWN:
            raise BadInput(f"{shown_count(int(number))} tours cannot be drawn: give at most {_MOST_DRAWN}")
        if number and not self.count:
            raise BadInput(f"{self.problem} has no tours to draw from{': ' * bool(self.reason)}{self.reason}")
        if not distinct:
            return islice(uniform_stream(max(1, self.count), seed), number)
        if number > self.count:
            raise BadInput(
                f"{self.problem} has {self.count} tours, and {shown_count(int(number))} distinct ones were "
                "asked for"
            )
        if number * _BYTES_DRAWN > self._settings.memory_budget:
            limit = shown_bytes(self._settings.memory_limit)
            needed = shown_bytes(number * _BYTES_DRAWN)
            raise OutOfMemory(f"{number} distinct tours take {needed} to draw; the memory limit is {limit}")
        return islice(_different(self.count, seed), number)

    # -- from tours to numbers ----------------------------------------------------------------------------

    def index(self, tour: Any, start: int = 0, stop: int | None = None) -> int:
        """The place of a tour; its direction, and the start of a closed one, do not matter.

        Raises
        ------
        BadInput
            If it is not a tour, or does not answer the problem, with the first violation; or if its place
            is not in the slice, or not from ``start`` to ``stop``. It is a ValueError.
        """
        (place,) = self.ranks([tour])
        from_, to, _ = slice(start, stop).indices(self.count)
        if not from_ <= place < to:
            raise BadInput(
                f"the tour is at place {shown_count(place)}, which is not from {shown_count(from_)} to "
                f"{shown_count(to - 1)}"
            )
        return place

    def ranks(self, tours: Iterable[Tour] | NDArray[np.integer]) -> list[int]:
        """The places of many tours, answered together.

        Parameters
        ----------
        tours:
            Tours, or rows of cell numbers as :meth:`arrays` gives them.

        Raises
        ------
        BadInput
            As :meth:`index`, with the number of the tour, from 1.
        LimitReached
            If time or memory runs out.
        """
        rows = labeled_rows(self.problem, tours)
        if not len(rows):
            return []
        if isinstance(self._ranking, NoTours):
            raise WrongAnswer(f"arithmetic refutes {self.problem}, which has a tour: {self.reason}")
        with self._blamed_on_file():
            places = self._ranking.rank(rows, self._settings)
            self._check_places(rows, places)
        if self._places == range(self._ranking.count):
            return places
        for number, place in enumerate(places, 1):
            if place not in self._places:
                raise BadInput(
                    f"tour {number} is tour {shown_count(place)} of {self.problem}, which is not in the slice"
                )
        return [self._places.index(place) for place in places]

    def _check_places(self, rows: NDArray[np.int32], places: Sequence[int]) -> None:
        """Raise WrongAnswer for an impossible place, or for a tour that is not the one at its place."""
        for place in places:
            if not 0 <= place < self._ranking.count:
                raise WrongAnswer(f"engine {self.engine} ranks a tour of {self.problem} {shown_count(place)}")
        again = _some(len(places), all_of_them=self._check)
        there = self._ranking.unrank([places[place] for place in again], self._settings)
        for place, row in zip(again, there.tolist(), strict=True):
            ground, closed = self.problem.ground, self.problem.closed
            given, back = (Tour.from_indices(ground, each, closed) for each in (rows[place].tolist(), row))
            if given.normalised() != back.normalised():
                raise WrongAnswer(
                    f"engine {self.engine} ranks a tour of {self.problem} {shown_count(places[place])}, and "
                    "gives another there"
                )

    def __contains__(self, tour: object) -> bool:
        if not isinstance(tour, Tour) or tour.ground != self.problem.ground:
            return False
        if next(self.problem.labelings(tour), None) is None:
            return False
        whole = Tours(self._ranked, self._settings, check=self._check)
        return self.count == whole.count or whole.index(tour) in self._places


def labeled_rows(problem: TourProblem, tours: Iterable[Tour] | NDArray[np.integer]) -> NDArray[np.int32]:
    """Tours as rows of cell numbers, each with a labeling that satisfies the problem.

    Raises BadInput for a tour that does not answer it, with its number, from 1, and the first violation.

    >>> ring = TourProblem(board="3x3", closed=False, end="b2")
    >>> labeled_rows(  # doctest: +ELLIPSIS
    ...     ring, [Tour.from_names(ring.ground, "b2 a1 a2 a3 b1 b3 c1 c2 c3")]
    ... )
    Traceback (most recent call last):
    ...
    ktsolve.base.errors.BadInput: the tour is not one of open 3x3 end b2: step 2: b2 to a1 is not a ...
    """
    n = len(problem.ground)
    if isinstance(tours, np.ndarray):
        if tours.ndim != 2 or tours.shape[1] != n or tours.dtype.kind not in "iu":
            raise BadInput(
                f"tours are rows of {n} cell numbers, not of {tours.dtype} in the shape {tours.shape}"
            )
        given: NDArray[np.integer] = tours
    else:
        listed = list(tours)
        for number, tour in enumerate(listed, 1):
            if not isinstance(tour, Tour):
                raise BadInput(f"{shown(tour)} is not a Tour: read one by ktsolve.read_tour")
            if tour.ground != problem.ground or len(tour) != n:
                raise _none_of(problem, number, len(listed), problem.check(tour))
        given = np.array([tour.indices for tour in listed], dtype=np.int32).reshape(len(listed), n)
    answers = problem.check_rows(given)
    rows: NDArray[np.int32] = given.astype(np.int32)
    for place in np.flatnonzero(~answers).tolist():
        row = rows[place].tolist()
        violation = _violation(problem, row)
        on_ground = all(0 <= cell < n for cell in row)
        tour = Tour.from_indices(problem.ground, row if on_ground else (), problem.closed)
        fitting = next(problem.labelings(tour), None) if tour.violation is None else None
        if fitting is None:
            raise _none_of(problem, place + 1, len(rows), violation)
        rows[place] = fitting.indices
    return rows


def _none_of(problem: TourProblem, number: int, of: int, violation: Violation | None) -> BadInput:
    return BadInput(f"{f'tour {number}' if of > 1 else 'the tour'} is not one of {problem}: {violation}")


def _violation(problem: TourProblem, row: Sequence[int]) -> Violation | None:
    """The first violation in a row of cell numbers."""
    n = len(problem.ground)
    for step, cell in enumerate(row, 1):
        if not 0 <= cell < n:
            return Violation(step, f"step {step}: there is no cell {cell}")
    return problem.check(Tour.from_indices(problem.ground, row, problem.closed))


def _length(places: range) -> int:
    """The length of a range, also beyond ``sys.maxsize``."""
    step = places.step
    return max(0, (places.stop - places.start + step - (1 if step > 0 else -1)) // step)


def _some(number: int, *, all_of_them: bool) -> list[int]:
    """The places of some of a number of things: the first and the last ones."""
    if all_of_them or number <= _RANKED_BACK:
        return list(range(number))
    return sorted({i * (number - 1) // (_RANKED_BACK - 1) for i in range(_RANKED_BACK)})


def _different(below: int, seed: int | None) -> Iterator[int]:
    """All whole numbers below a bound in random order, each order with equal chances.

    Until half of them are drawn, a number that was drawn before is drawn again; then the rest is shuffled.
    """
    stream = uniform_stream(below, seed)
    drawn: set[int] = set()
    while 2 * len(drawn) < below:
        number = next(stream)
        if number not in drawn:
            drawn.add(number)
            yield number
    rest = [number for number in range(below) if number not in drawn]
    if not rest:
        return
    for left in range(len(rest), 0, -1):
        # A uniform number below a smaller bound, from the same stream.
        at = next(number for number in stream if number < below - below % left) % left
        yield rest[at]
        rest[at] = rest[left - 1]


@takes_settings
def tours(
    problem: TourProblem | Graph | str | Any,
    *,
    engine: str = "auto",
    prepared: str | Path | None = None,
    order: str | None = None,
    check: bool = False,
    settings: Settings | None = None,
    **conditions: Any,
) -> Tours:
    """Return all undirected tours as one sequence: the k-th, the place of one, slices, uniform samples.

    The tours are counted once, and the tables of the count are kept. No tour is listed.

    Parameters
    ----------
    problem:
        A problem; or a board, its size such as ``"8x8"``, a graph, its name such as ``"graph:petersen"``, or
        a graph as :func:`ktsolve.hamiltonian_cycle` takes it, of networkx for example.
    engine:
        Name of an engine that ranks: the order of the tours depends on it. By default it is chosen, by the
        problem alone.
    prepared:
        A file that keeps the tables: it is made if it is not there, and read if it is.
    order:
        Name of an order, as :attr:`Tours.order` gives it: any other is refused. Where no engine is named, the
        engine of this order is taken.
    check:
        Rank every tour that is given out, and unrank every one that is ranked, not only a few.
    settings:
        Limits of time, for each call, and memory; threads; ``spill``.
    **conditions:
        Where no problem is given, ``closed`` and conditions, as for :class:`TourProblem`.

    Returns
    -------
    Tours
        A sequence, whose tours are made when they are asked for.

    Raises
    ------
    Refused
        If no engine ranks the tours of such problems.
    BadInput
        If the prepared file is damaged, or belongs to another problem, engine, plan or version; or if the
        order is another one.
    LimitReached
        If time or memory runs out.

    Notes
    -----
    A count is a sum over states, and the count of a state a sum over its predecessors: with a fixed order of
    the summands, this is a mixed-radix number system (docs/sequence.md). The cost is that of a count that
    keeps all its tables, then a small one for each tour.

    Examples
    --------
    >>> found = tours("6x6")
    >>> found.count
    9862
    >>> found.index(found[1234]), found[1234] in found
    (1234, True)
    >>> [found.index(tour) for tour in found[-3:]]
    [9859, 9860, 9861]
    >>> len(found.sample(3, seed=7))
    3
    """
    settings = Settings.of(settings)
    problem = TourProblem.of(problem, **conditions)
    if order is not None and engine == "auto":
        name = order.partition(":")[0]
        engine = name if name in ENGINES else engine
    path = None if prepared is None else Path(prepared)
    found = Tours(prepare(problem, engine, settings, path), settings, check=check)
    if order is not None and found.order != order:
        raise BadInput(
            f"the order of {problem} is {found.order}, not {shown(order)}: "
            "indices of different orders do not correspond"
        )
    return found
