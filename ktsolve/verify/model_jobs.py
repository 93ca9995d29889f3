"""Jobs of the cross-check about models: random small ones with every kind of constraint.

Both engines list the solutions, which are compared with all assignments that every constraint's ``holds``
accepts. So are their number, the best values of two objectives, and conflicts of constraints: none may have a
solution, and without any one of its members it must have one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations, product
from random import Random
from typing import Any

from ktsolve.model.constraints import Constraint
from ktsolve.model.model import Model
from ktsolve.tasks.cores import unsat_core
from ktsolve.tasks.count_models import count_solutions
from ktsolve.tasks.solve import solutions, solve
from ktsolve.verify.jobs import Context, Job, Sides

_NODES = 4


def random_model(seed: int) -> Model:
    """A model of three integers, five Booleans and some constraints of random kinds.

    >>> print(random_model(3).name, len(random_model(3)))
    random 3 8
    """
    random = Random(seed)
    model = Model(f"random {seed}")
    x = list(model.integers(3, 0, 2))
    b = model.booleans(f"b{i}" for i in range(5))
    for _ in range(random.randint(2, 4)):
        state = random.choice(_STATED)
        if random.random() < 0.3:
            with model.when(random.choice([b[0], x[0] <= 1])):
                state(random, model, x, b)
        else:
            state(random, model, x, b)
    return model


def _literals(random: Random, b: Sequence[Any], most: int = 4) -> list[Any]:
    return [random.choice([each, ~each]) for each in random.sample(list(b), random.randint(1, most))]


def _clauses(random: Random, model: Model, x: Sequence[Any], b: Sequence[Any]) -> None:
    model.clause(*_literals(random, b))
    model.implies(_literals(random, b, 2), random.choice(b))
    if random.random() < 0.3:
        model.add((x[0] <= 1) & (b[0] | ~b[1]))


def _sums(random: Random, model: Model, x: Sequence[Any], b: Sequence[Any]) -> None:
    members = _literals(random, b)
    random.choice([model.exactly, model.at_least, model.at_most])(random.randint(0, 2), members)
    model.linear({each: random.randint(-3, 4) for each in members}, least=random.randint(-3, 1))
    model.add_cardinalities([_literals(random, b), _literals(random, b)], most=3)


def _compared(random: Random, model: Model, x: Sequence[Any], b: Sequence[Any]) -> None:
    left = x[0] + 2 * x[1] - random.randint(0, 2) * b[1] + abs(x[2] - 1)
    right = random.choice([random.randint(0, 5), x[2] + 1, model.max(x), model.count(x, 1), x[1] * x[0]])
    model.add(random.choice([left <= right, left != right, left == right, (left > right) | b[3]]))


def _listed(random: Random, model: Model, x: Sequence[Any], b: Sequence[Any]) -> None:
    rows = [[random.randint(0, 2) for _ in x] for _ in range(random.randint(1, 6))]
    match random.randrange(5):
        case 0:
            model.all_different(x[: random.randint(2, 3)])
        case 1:
            model.table(x, rows)
        case 2:
            model.table(x, forbidden=rows)
        case 3:
            model.inverse(x[:2], [x[2], 1 - b[4]])
        case 4:
            model.lex_less(x[:2], x[1:], strict=random.random() < 0.5)
            model.add(model.element([1, x[1], 2], x[0]) >= random.randint(0, 2))


def _ordered(random: Random, model: Model, x: Sequence[Any], b: Sequence[Any]) -> None:
    match random.randrange(4):
        case 0:
            model.increasing([x[0], x[1] + b[0], 2 * x[2]])
            model.xor([b[1], x[0] == 1, b[2] | b[3]])
        case 1:
            model.precedence(x, [1, 2])
            model.global_cardinality(x, {0: x[0] * x[1], 2: random.randint(0, 2)})
        case 2:
            after = {(state, value): random.randint(0, 2) for state in range(2) for value in range(3)}
            model.regular(x, [(*each, state) for each, state in after.items()], 0, [1])
        case 3:
            model.no_overlap(x[:2], [b[0], x[2]])
            model.cumulative([0, *x], [2, 1, 1, 2], [1, b[1], 1, 1], random.choice([2, 1 + b[2]]))


def _looped(random: Random, model: Model, x: Sequence[Any], b: Sequence[Any]) -> None:
    edges = random.sample(list(combinations(range(_NODES), 2)), len(b))
    arcs = [(u, v, literal) for (u, v), literal in zip(edges, b, strict=True)]
    number = len(model.names)
    if number > 8:  # nodes of an earlier loop have Booleans: keep the assignments few
        model.circuit(_NODES, arcs)
        return
    present = [x[0] >= 1, b[0] | b[1], x[1] <= 1, b[2] | b[4]]
    marks = model.booleans(f"node {v}" for v in range(_NODES))
    for mark, condition in zip(marks, present, strict=True):
        model.equal(mark, condition)
    match random.randrange(5):
        case 0:
            model.path(_NODES, arcs, marks)
        case 1:
            model.subcircuit(_NODES, arcs, marks)
        case 2:
            model.connected(_NODES, arcs, marks)
        case 3:
            model.tree(_NODES, arcs, marks)
        case 4:
            model.subpath(_NODES, arcs, start=0, end=random.randint(1, 3), present=marks)


_STATED: tuple[Callable[[Random, Model, Sequence[Any], Sequence[Any]], None], ...] = (
    _clauses,
    _sums,
    _compared,
    _listed,
    _ordered,
    _looped,
)


def _assignments(model: Model) -> Iterator[tuple[int, ...]]:
    """All assignments of a model."""
    bounds = (model.variable(number).bounds for number in range(len(model)))
    return product(*(range(low, high + 1) for low, high in bounds))


def _accepted(model: Model, constraints: Sequence[Constraint]) -> Iterator[tuple[int, ...]]:
    return (each for each in _assignments(model) if all(one.holds(each) for one in constraints))


def solutions_agree(context: Context, engine: str, seeds: Sequence[int]) -> Sides:
    """The solutions and their number by an engine, and by trying every assignment."""
    wrong, total = [], 0
    for seed in seeds:
        model = random_model(seed)
        expected = set(_accepted(model, model.constraints))
        listed = [tuple(each.assignment) for each in solutions(model, engine, context.settings)]
        total += len(expected)
        if len(listed) != len(expected) or {tuple(map(int, each)) for each in listed} != expected:
            wrong.append(f"{model.name}: {len(listed)} solutions, not {len(expected)}")
        counted = count_solutions(model, engine, context.settings).count
        if counted != len(expected):
            wrong.append(f"{model.name}: counts {counted} solutions, not {len(expected)}")
    return Sides.unless(wrong, f"{total} solutions of {len(seeds)} models")


def optima_agree(context: Context, engine: str, seeds: Sequence[int]) -> Sides:
    """The best values of two objectives, one after the other, and by trying every assignment."""
    wrong, found = [], 0
    for seed in seeds:
        model, random = random_model(seed), Random(seed)
        atoms = [model.variable(number) for number in range(len(model))]
        first, second = (
            sum((random.randint(-3, 3) * atom for atom in atoms), atoms[0] * random.randint(1, 9))
            for _ in range(2)
        )
        model.minimise(first)
        model.then_maximise(second)
        every = _accepted(model, model.constraints)
        best = min(((first.value(each), -second.value(each)) for each in every), default=None)
        answer = solve(model, engine, context.settings)
        expected = () if best is None else (best[0], -best[1])
        found += best is not None
        if answer.values != expected or answer.bounds != expected:
            wrong.append(f"{model.name}: values {answer.values}, bounds {answer.bounds}, not {expected}")
    return Sides.unless(wrong, f"{found} optima of {len(seeds)} models")


def conflicts_are_minimal(context: Context, engine: str, seeds: Sequence[int]) -> Sides:
    """Conflicts of constraints: no assignment keeps them all, and some keeps all but any one."""
    wrong, found = [], 0
    for seed in seeds:
        model = random_model(seed)
        for number in range(3):  # so that few models have a solution
            model.add(model.variable(number) == (seed + number) % 3)
        core = unsat_core(model, engine, context.settings)
        possible = any(True for _ in _accepted(model, model.constraints))
        if core is None:
            wrong += [f"{model.name}: no conflict found"] * (not possible)
            continue
        found += 1
        members = list(core.constraints)
        if any(True for _ in _accepted(model, members)):
            wrong.append(f"{model.name}: the conflict has a solution")
        for left_out in members:
            if not any(True for _ in _accepted(model, [each for each in members if each is not left_out])):
                wrong.append(f"{model.name}: the conflict is not minimal")
    return Sides.unless(wrong, f"{found} minimal conflicts of {len(seeds)} models")


_job = partial(Job, section="models", seconds=1.0)


def model_jobs(level: str) -> Iterator[Job]:
    """Random models: few at the default level, many at the others."""
    levels = (("quick", range(4), range(3)), ("standard", range(4, 60), range(3, 36)))
    for at, many, few in levels:
        for engine in ("sat", "cpsat"):
            seeds, fewer = tuple(many), tuple(few)
            yield _job(f"solutions of models {many.start}+: {engine}", solutions_agree, (engine, seeds), at)
            yield _job(f"optima of models {few.start}+: {engine}", optima_agree, (engine, fewer), at)
        yield _job(f"conflicts in models {few.start}+", conflicts_are_minimal, ("sat", fewer), at)
