"""No false certificate: arguments that must be rejected, and changed certificates that may be true.

Two kinds. An argument on a problem that *has a tour* must be rejected, whatever it says: arguments of
problems without a tour on the same board are transplanted, with the numbers of their variables adapted, and
changed.
A certificate whose JSON was changed, with a digest made right, may be accepted if its problem has no tour:
a search by the definition, of all sequences of moves, decides that, or an engine where they are too many.
"""

from __future__ import annotations

import argparse
import functools
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from random_graphs import random_conditions
from strategies import random_problem

from fuzz.certificate_files import certificates, with_digest
from fuzz.mutation import changed_json
from ktsolve.base.errors import BadInput, KtsolveError, LimitReached, Refused
from ktsolve.base.limits import Limit, Settings
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.named_graphs import named_graph
from ktsolve.graphs.tour import Tour
from ktsolve.problem.conditions import parse_condition
from ktsolve.problem.problem import TourProblem
from ktsolve.proof.certificate import (
    Argument,
    Certificate,
    Clauses,
    Degrees,
    Elimination,
    Invariance,
    Multiples,
    Removal,
    read_certificate,
)
from ktsolve.proof.checker import check_argument, check_certificate
from ktsolve.proof.maker import ARGUMENTS, prove
from ktsolve.proof.problem_graph import STATABLE, ProblemGraph, read_problem
from ktsolve.proof.statement import Statement, state_graph
from ktsolve.tasks.find import find

__all__ = ["Forger", "Rejections", "count_forged"]

_SECONDS = 5.0
"""Time of a check; a forger who makes it longer has proved nothing."""

_MEMORY = Limit(0, 1 << 28)
"""Memory of a check."""

_MOST_STEPS = 200_000
"""Moves tried in the search by the definition; what takes more is left to an engine."""


@dataclass
class Rejections:
    """What became of forged certificates."""

    rejected: Counter[str] = field(default_factory=Counter)
    true: int = 0
    undecided: int = 0
    false: list[tuple[TourProblem, Argument]] = field(default_factory=list)

    @property
    def total(self) -> int:
        """Number of certificates that were checked."""
        return self.rejected.total() + self.true + self.undecided + len(self.false)


@dataclass(frozen=True)
class _Solvable:
    """A problem with a tour, as the checker has it."""

    problem: TourProblem
    tour: Tour
    graph: ProblemGraph
    statement: Statement

    @functools.cached_property
    def number(self) -> dict[str, int]:
        """The number of each variable by its name."""
        return {name: number for number, name in enumerate(self.statement.names, 1)}


@dataclass(frozen=True)
class _Ground:
    """A board or graph with problems that have tours and arguments that refute others."""

    solvable: Sequence[_Solvable]
    arguments: Sequence[Argument]


def walks(ground: Graph, closed: bool, most: int = _MOST_STEPS) -> Iterator[tuple[Any, ...]]:
    """All tours as sequences of cells from any first cell, by trying all moves. Raises LimitReached."""
    cells = ground.cells
    after = {
        cell: [other for other in cells if other != cell and ground.adjacent(cell, other)] for cell in cells
    }
    tried = 0
    for first in cells:
        walk, unused = [first], [iter(after[first])]
        if len(cells) == 1 and not closed:
            yield (first,)
        while unused:
            tried += 1
            if tried > most:
                raise LimitReached("too many moves were tried")
            following = next(unused[-1], None)
            if following is None:
                unused.pop()
                walk.pop()
            elif following not in walk:
                walk.append(following)
                if len(walk) == len(cells) and (not closed or (len(walk) > 2 and first in after[following])):
                    yield tuple(walk)
                unused.append(iter(after[following]))


@functools.lru_cache(20_000)
def has_tour(problem: TourProblem) -> bool | None:
    """Whether a problem has a tour, by trying all moves or by an engine; None if it is not known."""
    if len(problem.ground) > 400:
        return None
    try:
        return any(
            problem.check(Tour(problem.ground, walk, problem.closed)) is None
            for walk in walks(problem.ground, problem.closed)
        )
    except LimitReached:
        pass
    try:
        return find(problem, settings=Settings(timeout=2 * _SECONDS)).tour is not None
    except (LimitReached, Refused):
        return None


_BOARDS: tuple[tuple[str, dict[str, str], bool], ...] = (
    *(
        ("1x1", {}, False),
        ("3x4", {}, False),
        ("3x3", {"without": "b2"}, True),
        ("4x4", {"without": "a1 a4"}, True),
    ),
    *(("3x3", {"without": "b2"}, False), ("3x4", {"wrap": "x"}, True), ("4x4", {"leaper": "0,1"}, True)),
    *(("3x3", {"leaper": "0,1"}, False), ("3x4", {"wrap": "x"}, False), ("2x4", {"leaper": "0,1"}, False)),
)


def _grounds() -> Iterator[tuple[Graph, bool]]:
    for size, words, closed in _BOARDS:
        yield Board.parse(size, **words), closed
    for name, closed in (
        ("petersen", False),
        ("complete:5", True),
        ("hypercube:3", True),
        ("complete:3,3", True),
    ):
        yield named_graph(name), closed
    arcs = [(a, b) for a in range(6) for b in range(6) if a != b and (b - a) % 6 in (1, 2, 5)]
    for closed in (True, False):
        yield Graph([f"v{i}" for i in range(6)], arcs, directed=True), closed


def _asked(chance: random.Random, ground: Graph, closed: bool, model: Tour | None) -> TourProblem | None:
    """A random problem, some of whose conditions hold for the model."""
    if isinstance(ground, Board):
        return random_problem(chance, ground, closed, model)
    try:
        texts = random_conditions(chance, ground)
        listed = [each for key in texts for text in texts[key] for each in parse_condition(key, text, ground)]
        return TourProblem(board=ground, closed=closed, conditions=listed)
    except (BadInput, Refused):
        return None


class Forger:
    """Makes false certificates from a seed."""

    def __init__(self, seed: int, tries: int = 60) -> None:
        self._seed = seed
        chance = random.Random(seed)
        self._grounds = [_pool(chance, ground, closed, tries) for ground, closed in _grounds()]
        self._bodies = [json.loads(each.to_text())["certificate"] for each in certificates()]

    @property
    def sources(self) -> tuple[int, int]:
        """The numbers of problems with tours and of arguments."""
        return sum(len(g.solvable) for g in self._grounds), sum(len(g.arguments) for g in self._grounds)

    def transplanted(self, number: int) -> tuple[_Solvable, Argument]:
        """An argument on a problem that has a tour."""
        chance = random.Random(f"{self._seed} {number}")
        ground = chance.choice(self._grounds)
        problem = chance.choice(ground.solvable)
        argument = chance.choice(ground.arguments)
        if isinstance(argument, Clauses) and chance.random() < 0.8:
            argument = _adapted(argument, problem, chance.random() < 0.8)
        for _ in range(chance.choice((0, 1, 1, 2, 4))):
            argument = _changed(chance, argument, problem)
        return problem, argument

    def changed(self, number: int) -> str:
        """The text of a certificate with some changes and a right digest."""
        chance = random.Random(f"{self._seed} text {number}")
        body = chance.choice(self._bodies)
        for _ in range(chance.choice((1, 1, 2, 3))):
            part = "problem" if chance.random() < 0.4 else None
            if part and isinstance(body, dict) and isinstance(body.get(part), dict):
                body = {**body, part: changed_json(chance, body[part])}
            else:
                body = changed_json(chance, body)
        if isinstance(body, dict) and chance.random() < 0.9:
            body = {**body, "claim": _claim(body)}
        try:
            return with_digest(body)
        except ValueError:
            return "{}"


def _claim(body: dict[str, Any]) -> Any:
    """The claim as it must be for the problem of a certificate, if that can be read."""
    from ktsolve.problem.parameters import tour_problem

    try:
        return f"no tour: {tour_problem(body['problem'])}"
    except (KtsolveError, KeyError, TypeError, AttributeError):
        return body.get("claim")


def _pool(chance: random.Random, ground: Graph, closed: bool, tries: int) -> _Ground:
    tours = [
        Tour(ground, walk, closed) for walk, _ in zip(walks(ground, closed, 10**6), range(400), strict=False)
    ]
    solvable: dict[TourProblem, _Solvable] = {}
    arguments: list[Argument] = [
        Invariance(),
        Removal((), outside=False),
        Elimination(tuple(range(len(ground)))),
    ]
    arguments.append(Clauses((), (), (), ((),)))
    for attempt in range(tries):
        model = chance.choice(tours)
        problem = (
            _asked(chance, ground, closed, model) if attempt else TourProblem(board=ground, closed=closed)
        )
        if problem is None or not problem.features <= STATABLE:
            continue
        if (tour := next((each for each in tours if problem.check(each) is None), None)) is not None:
            graph = read_problem(problem)
            solvable.setdefault(problem, _Solvable(problem, tour, graph, state_graph(graph)))
        elif len(arguments) < tries // 2:
            for kind in ARGUMENTS[1:]:
                try:
                    found = prove(problem, Settings(timeout=_SECONDS), argument=kind)
                except (Refused, LimitReached):
                    continue
                if isinstance(found, Certificate):
                    arguments.append(found.argument)
    assert solvable, ground
    return _Ground(list(solvable.values()), list(dict.fromkeys(arguments)))


def _adapted(argument: Clauses, problem: _Solvable, kept: bool) -> Clauses:
    """The argument in the numbers that the variables have in another problem, perhaps only what it states."""
    number = dict(argument.variables)
    to = {old: problem.number[name] for old, name in number.items() if name in problem.number}
    spare = len(problem.number)

    def renamed(clause: Sequence[int]) -> tuple[int, ...]:
        return tuple((1 if x > 0 else -1) * to.get(abs(x), spare + abs(x)) for x in clause)

    stated = [tuple(sorted(renamed(clause))) for clause in argument.stated]
    if kept:
        stated = [clause for clause in stated if clause in problem.statement.clauses]
    return replace(
        argument,
        variables=tuple((to[old], name) for old, name in argument.variables if old in to),
        stated=tuple(stated),
        lemmas=tuple(map(renamed, argument.lemmas)),
    )


def _changed(chance: random.Random, argument: Argument, problem: _Solvable) -> Argument:
    cells, nodes = problem.graph.cells, problem.graph.nodes
    match argument:
        case Removal(gone, outside):
            return Removal(
                _subset(chance, gone, cells), outside != (chance.random() < 0.2 and nodes > len(cells))
            )
        case Degrees(needing, giving):
            if chance.random() < 0.5:
                return Degrees(_subset(chance, needing, range(nodes)), giving)
            return Degrees(needing, _subset(chance, giving, range(nodes)))
        case Elimination(order):
            return Elimination(_reordered(chance, order))
        case Multiples(numbers):
            lines = len(problem.graph.sums) + sum(1 for _ in problem.problem.conditions)
            some = [chance.randrange(4) for _ in range(chance.choice((len(numbers), lines)))]
            return Multiples(tuple(some))
        case Clauses():
            return _changed_clauses(chance, argument, problem)
        case _:
            return Removal(tuple(chance.sample(cells, chance.randint(0, len(cells)))), outside=False)


def _subset(chance: random.Random, some: Sequence[Any], whole: Sequence[Any]) -> tuple[Any, ...]:
    if chance.random() < 0.2:
        return tuple(sorted(chance.sample(whole, chance.randint(0, len(whole)))))
    return tuple(sorted({*some} ^ {chance.choice(whole)}))


def _reordered(chance: random.Random, order: Sequence[int]) -> tuple[int, ...]:
    found = list(order)
    at, other = chance.randrange(len(found)), chance.randrange(len(found))
    match chance.randrange(6):
        case 0:
            chance.shuffle(found)
        case 1:
            found[at] = found[other]
        case 2:
            del found[at]
        case 3:
            found.append(len(found))
        case _:
            found[at], found[other] = found[other], found[at]
    return tuple(found) or (0,)


def _changed_clauses(chance: random.Random, argument: Clauses, problem: _Solvable) -> Clauses:
    names, stated = problem.statement.names, tuple(problem.statement.clauses)

    def literal() -> int:
        return chance.choice((1, -1)) * chance.randint(1, max(1, len(names)))

    def lines(given: Sequence[tuple[int, ...]]) -> tuple[tuple[int, ...], ...]:
        """A clause lost, doubled, moved, or with another literal; or a new one."""
        found = list(given)
        if not found or chance.random() < 0.3:
            found.insert(
                chance.randint(0, len(found)), tuple(literal() for _ in range(chance.choice((1, 1, 2, 3))))
            )
            return tuple(found)
        at, other = chance.randrange(len(found)), chance.randrange(len(found))
        match chance.randrange(5):
            case 0:
                del found[at]
            case 1 if found[at]:
                clause = list(found[at])
                del clause[chance.randrange(len(clause))]
                found[at] = tuple(clause)
            case 2 if found[at]:
                clause = list(found[at])
                clause[chance.randrange(len(clause))] *= -1
                found[at] = tuple(clause)
            case 3:
                found[at], found[other] = found[other], found[at]
            case _:
                found.append(())
        return tuple(found)

    kind = chance.random()
    if kind < 0.5:
        return replace(argument, lemmas=lines(argument.lemmas))
    if kind < 0.6:
        return replace(argument, stated=lines(argument.stated))
    if kind < 0.7:
        return replace(argument, lemmas=(*argument.lemmas, ()))
    if kind < 0.8 and stated:
        return replace(argument, stated=(*argument.stated, *chance.sample(stated, min(len(stated), 20))))
    if kind < 0.9:
        return replace(argument, stated=stated)
    cells = problem.graph.cells
    cut = tuple(sorted(chance.sample(cells, chance.randint(0, len(cells)))))
    return replace(argument, cuts=(*argument.cuts, cut))


def count_forged(
    forger: Forger,
    numbers: range,
    texts: float = 0.1,
    progress: Callable[[Rejections], None] | None = None,
    seconds: float | None = None,
) -> Rejections:
    """Check forged certificates of these numbers, or as many as the time suffices for.

    A share of them are changed texts.
    """
    found = Rejections()
    ends = None if seconds is None else time.monotonic() + seconds
    for number in numbers:
        if ends is not None and time.monotonic() > ends:
            break
        try:
            if number % 1000 < 1000 * texts:
                read = read_certificate(forger.changed(number))
                problem, argument = read.problem, read.argument
                reason = check_certificate(read, Settings(timeout=_SECONDS, memory=_MEMORY))
                has = has_tour(problem) if reason is None else None
            else:
                host, argument = forger.transplanted(number)
                problem, has = host.problem, True
                reason = check_argument(argument, host.graph, _SECONDS, _MEMORY, host.statement)
        except KtsolveError as error:
            found.rejected[type(error).__name__] += 1
            continue
        if reason is not None:
            found.rejected[type(argument).__name__] += 1
        elif has is None:
            found.undecided += 1
        elif has:
            found.false.append((problem, argument))
        else:
            found.true += 1
        if progress is not None and number % 10_000 == 0:
            progress(found)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Forge from the command line; 1 if a false certificate was accepted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=1_000_000, help="certificates (default: a million)")
    parser.add_argument("--seconds", type=float, help="stop after this time")
    parser.add_argument("--seed", type=int, default=18, help="the same seed makes the same certificates")
    parser.add_argument("--texts", type=float, default=0.1, help="share of changed texts")
    given = parser.parse_args(arguments)
    started, spent = time.monotonic(), time.process_time()
    forger = Forger(given.seed)
    print("{} problems with tours, {} arguments".format(*forger.sources), file=sys.stderr)

    def tell(found: Rejections) -> None:
        print(f"{found.total:,} checked, {len(found.false)} false", file=sys.stderr)

    found = count_forged(forger, range(given.number), given.texts, tell, given.seconds)
    took = f"{time.monotonic() - started:.0f} s, {time.process_time() - spent:.0f} s of one core"
    print(f"{found.total:,} certificates: {len(found.false)} false ones accepted; {took}")
    print(f"rejected {dict(found.rejected)}; accepted and true {found.true}; undecided {found.undecided}")
    for problem, argument in found.false[:9]:
        print(problem, argument)
    return 1 if found.false else 0


if __name__ == "__main__":
    raise SystemExit(main())
