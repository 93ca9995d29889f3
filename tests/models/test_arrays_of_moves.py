"""Tours stated as arrays of moves mean the same as tours stated by an object for each move."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from ktsolve.models.tour import TourModel
from random_graphs import random_graph
from strategies import all_tours, boards, examples, random_problem, real_tours, walks

from ktsolve import TourProblem
from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.engines.cpsat import CpSatSolver
from ktsolve.engines.sat.cuts import LazyCircuit
from ktsolve.engines.sat.lazy import LazySolver
from ktsolve.engines.sat.python_sat import BudgetExhausted, ConflictBudget
from ktsolve.engines.sat.solver import SatSolver
from ktsolve.engines.solver import ModelSolver
from ktsolve.engines.walk.engine import WalkEngine
from ktsolve.graphs.board import Board
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.tour import Tour
from ktsolve.model.constraints import Arcs, Circuit, Deferred, Literal, Literals, Path
from ktsolve.model.encode import encode
from ktsolve.model.loop_forms import CycleForm
from ktsolve.model.model import Model
from ktsolve.problem.conditions.condition import TourBooleans
from ktsolve.problem.problem import CONDITIONS
from ktsolve.tasks.find import find


def stated_singly(problem: TourProblem) -> Model:
    """The model of a problem about moves, with a Python object for each move."""
    ground, model = problem.ground, Model(str(problem))
    moves = [move for move in ground.moves if move not in problem.forbid]
    pairs = [(ground.index[a], ground.index[b]) for a, b in moves]
    literals = {pair: model.boolean(ground.move_name(move)) for pair, move in zip(pairs, moves, strict=True)}
    model.show(literals.values())
    arcs = [(u, v, literal) for (u, v), literal in literals.items()]
    names = list(map(ground.name, ground.cells))
    ends: list[Literal] = []
    if problem.closed:
        model.circuit(len(ground), arcs, labels=names)
    else:
        model.path(len(ground), arcs, labels=names)
        ends = [model[f"end[{name}]"] for name in names]
    booleans = TourBooleans(ground, problem.closed, problem.first, problem.last, model, literals, ends)
    for condition in problem.listed_conditions:
        condition.state(booleans)
    return model


@st.composite
def problems_about_moves(draw: st.DrawFn, largest: int = 5) -> TourProblem:
    """Problems with ends, and with required and forbidden moves, on boards of any kind and on graphs."""
    chance = random.Random(draw(st.integers(0, 2**32)))
    closed = draw(st.booleans())
    if draw(st.integers(0, 3)):
        tour = draw(real_tours(closed)) if draw(st.booleans()) else None
        ground: Graph = draw(boards(largest)) if tour is None else tour.board
    else:
        tour, ground = None, random_graph(chance, chance.randint(1, 8))
    if isinstance(ground, Board):
        problem = random_problem(chance, ground, closed, tour)
        assume(problem is not None)
        assert problem is not None
    else:
        problem = TourProblem(ground, closed=closed)
    assume(not problem.step_indexed and not ground.directed)
    return problem


@examples(150)
@given(problems_about_moves())
def test_both_statements_are_equal(problem: TourProblem) -> None:
    in_arrays, singly = TourModel(problem).model, stated_singly(problem)
    assert in_arrays.constraints == singly.constraints
    assert hash(in_arrays.constraints[0]) == hash(singly.constraints[0])
    assert in_arrays.names == singly.names
    assert list(in_arrays.shown) == list(singly.shown)
    assert str(in_arrays) == str(singly)
    for circuits in ("binary", "elimination"):
        assert encode(in_arrays, circuits=circuits).clauses == encode(singly, circuits=circuits).clauses


def tours_of(model: Model, problem: TourProblem, solver: ModelSolver) -> set[frozenset[object]]:
    """The sets of moves of all tours that a solver lists, each once."""
    compiled = TourModel(problem)
    found = [compiled.decode(solution).moves for solution in solver.solutions(model, Settings(threads=1))]
    assert len(found) == len(set(found)) or len(problem.ground) < 3
    return set(found)


@examples(60)
@given(problems_about_moves(4))
def test_both_statements_have_the_same_tours(problem: TourProblem) -> None:
    known = all_tours(problem.ground, problem.closed)
    assume(len(known) <= 300)
    answers = {tour.moves for tour in known if next(problem.labelings(tour), None) is not None}
    for model in (TourModel(problem).model, stated_singly(problem)):
        assert tours_of(model, problem, SatSolver()) == answers


@examples(10)
@given(problems_about_moves(4))
def test_cpsat_lists_the_same_tours(problem: TourProblem) -> None:
    known = all_tours(problem.ground, problem.closed)
    assume(len(known) <= 50)
    solver = CpSatSolver()
    in_arrays, singly = (
        tours_of(model, problem, solver) for model in (TourModel(problem).model, stated_singly(problem))
    )
    assert in_arrays == singly


@examples(100)
@given(problems_about_moves())
def test_the_trial_finds_the_same_tour(problem: TourProblem) -> None:
    """The bounds reach the solver in the same order: it takes the same steps."""
    assume(not problem.features & CONDITIONS)
    found = []
    for model in (TourModel(problem).model, stated_singly(problem)):
        with closing(LazySolver(model, "minicard", 1, join=True)) as solver:
            try:
                solution: object = solver.next_solution(ConflictBudget(200, at_once=100))
            except BudgetExhausted:
                solution = "exhausted"
            found.append((solution, solver.clauses, solver.variables, solver.cuts, solver.rounds))
    assert found[0] == found[1]


@examples(100)
@given(st.integers(0, 2**32), st.integers(3, 30))
def test_bounds_of_degrees(seed: int, nodes: int) -> None:
    chance = random.Random(seed)
    pairs = [(u, v) for v in range(nodes) for u in range(v) if chance.random() < 0.4]
    chance.shuffle(pairs)
    numbers = [chance.choice((1, -1)) * number for number in range(1, len(pairs) + 1)]
    form = CycleForm(
        nodes,
        np.array(pairs, dtype=np.int32).reshape(-1, 2),
        np.array(numbers, dtype=np.int64),
        directed=False,
        present=[0] * nodes,
    )
    expected = []
    for node in range(nodes):
        around = [number for pair, number in zip(pairs, numbers, strict=True) if node in pair]
        expected += [(around, 2), ([-number for number in around], len(around) - 2)]
    circuit = LazyCircuit(form)
    assert list(circuit.degrees()) == expected
    assert circuit.least_degree == min(len(members) for members, _ in expected)


def test_bounds_of_degrees_in_several_pieces() -> None:
    ground = Board(100, 100)
    form = CycleForm(
        len(ground),
        ground.edges,
        np.arange(1, len(ground.edges) + 1),
        directed=False,
        present=[0] * len(ground),
    )
    around: list[list[int]] = [[] for _ in range(len(ground))]
    for number, (u, v) in enumerate(ground.edges.tolist(), 1):
        around[u].append(number)
        around[v].append(number)
    bounds = list(LazyCircuit(form).degrees())
    assert [members for members, _ in bounds[::2]] == around
    assert [members for members, _ in bounds[1::2]] == [[-number for number in row] for row in around]
    assert [most for _, most in bounds[:4]] == [2, 0, 2, 1]


# -- tuples that are made when they are needed ---------------------------------------------------------------


def test_deferred_tuples_are_made_once_and_equal_tuples() -> None:
    made = []

    def names() -> Iterator[str]:
        made.append(1)
        return iter("abc")

    deferred = Deferred(3, names)
    assert len(deferred) == 3
    assert not made
    assert deferred == ("a", "b", "c")
    assert [deferred] == [("a", "b", "c")]
    assert deferred != ("a", "b")
    assert deferred != ["a", "b", "c"]
    assert hash(deferred) == hash(("a", "b", "c"))
    assert (deferred[1], deferred[1:], list(deferred)) == ("b", ("b", "c"), ["a", "b", "c"])
    assert made == [1]
    assert pickle.loads(pickle.dumps(Deferred(2, lambda: "ab"))) == ("a", "b")
    with pytest.raises(AssertionError, match="3 members are made, not 4"):
        list(Deferred(4, names))


def test_arcs_are_pickled_as_arrays() -> None:
    arcs = Arcs([(0, 1), (1, 2)], [4, -2])
    other = pickle.loads(pickle.dumps(arcs))
    assert isinstance(other, Arcs)
    assert other == arcs == ((0, 1, Literal(3)), (1, 2, Literal(1, positive=False)))
    assert pickle.loads(pickle.dumps(arcs.literals)) == (Literal(3), ~Literal(1))


@pytest.mark.parametrize(
    ("ends", "message"),
    [
        ([(0, 1), (1, 0)], "arc 1-0 is given twice"),
        ([(0, 1), (2, 2)], "arc 2-2 is invalid"),
        ([(0, 1), (1, 3)], "arc 1-3 is invalid"),
        ([(0, 1), (-1, 2)], "arc -1-2 is invalid"),
    ],
)
def test_arcs_in_arrays_are_checked(ends: list[tuple[int, int]], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        Circuit(3, Arcs(ends, [1, 2]))
    if message.endswith("twice"):
        assert Circuit(3, Arcs(ends, [1, 2]), directed=True).arcs[1] == (1, 0, Literal(1))


def test_literals_in_arrays_must_be_of_the_model() -> None:
    model = Model()
    model.add_booleans(2)
    with pytest.raises(BadInput, match="the arcs have a literal of number 3, but the model has 2"):
        model.circuit(3, Arcs([(0, 1), (1, 2), (0, 2)], [1, 2, 3]))
    model.integer("n", 0, 3)
    with pytest.raises(
        BadInput, match="the arcs have literals of variable number 2, but it is the integer n"
    ):
        model.circuit(3, Arcs([(0, 1), (1, 2), (0, 2)], [1, 2, 3]))
    with pytest.raises(BadInput, match="the literals have a literal of number 4"):
        model.show(Literals([1, 4]))


@examples(200)
@given(st.integers(0, 2**32), st.booleans())
def test_arcs_in_arrays_hold_as_arcs_do(seed: int, closed: bool) -> None:
    chance = random.Random(seed)
    nodes = chance.randint(1, 5)
    pairs = [(u, v) for v in range(nodes) for u in range(v)]
    numbers = [chance.choice((1, -1)) * number for number in range(1, len(pairs) + 1)]
    marks = list(range(len(pairs) + 1, len(pairs) + nodes + 1))
    arcs, ends = Arcs(pairs, numbers), Literals(marks)
    values = [chance.random() < 0.5 for _ in range(len(pairs) + nodes)]
    if closed:
        assert Circuit(nodes, arcs).holds(values) == Circuit(nodes, tuple(arcs)).holds(values)
    else:
        assert Path(nodes, arcs, ends).holds(values) == Path(nodes, tuple(arcs), tuple(ends)).holds(values)


def test_deferred_names() -> None:
    made = []

    def names() -> Iterator[str]:
        made.append(1)
        return iter("ab")

    model = Model()
    first = model.add_booleans(Deferred(2, names))
    assert (first.tolist(), len(model), made) == ([1, 2], 2, [])
    other = model.copy()
    assert model.boolean("c") == Literal(2)
    assert (model.names, made) == (["a", "b", "c"], [1])
    assert other.names == ["a", "b"]
    assert copy.deepcopy(model).names == ["a", "b", "c"]
    with pytest.raises(BadInput, match="already has a Boolean named 'a'"):
        model.boolean("a")
    assert model["b"] == Literal(1)
    assert pickle.loads(pickle.dumps(TourModel(TourProblem("3x4", closed=False)).model)).has("end[a1]")


# -- decoding, tours by the places of their cells, cells by place --------------------------------------------


@examples(200)
@given(real_tours())
def test_decoded_tours_make_the_moves_of_the_solution(tour: Tour) -> None:
    compiled = TourModel(TourProblem(tour.board, closed=tour.closed))
    model, degree = compiled.model, dict.fromkeys(tour.board.cells, 0)
    for cell in (cell for move in tour.moves for cell in move):
        degree[cell] += 1
    true = {tour.board.move_name(move) for move in tour.moves}
    # A path of one cell has both of its ends there.
    true |= {f"end[{tour.board.name(cell)}]" for cell, moves in degree.items() if moves < 2}
    assignment = [name in true for name in model.names]
    assert model.holds(assignment)
    found = compiled.decode(assignment)
    assert found.moves == tour.moves
    assert found.valid


@examples(200)
@given(walks())
def test_tours_by_places_are_tours_by_indices(walk: Tour) -> None:
    places = np.array(walk.indices, dtype=np.int64)
    tour = Tour.from_indices(walk.board, places, walk.closed)
    assert len(tour) == len(walk)
    assert tour.closes == walk.closes
    assert tour.array().tolist() == walk.array().tolist()
    assert (tour.indices, tour.violation) == (walk.indices, walk.violation)
    assert "squares" not in Tour.from_indices(walk.board, places).__dict__
    assert (tour, hash(tour), tour.squares) == (walk, hash(walk), walk.squares)
    assert walk.places.tolist() == places.tolist()
    for same in (
        pickle.loads(pickle.dumps(tour)),
        copy.copy(Tour.from_indices(walk.board, places, walk.closed)),
    ):
        assert same == walk
    with pytest.raises(AttributeError, match="a tour has no attribute 'square'"):
        _ = getattr(tour, "square")  # noqa: B009


@examples(300)
@given(walks())
def test_moves_that_are_made(walk: Tour) -> None:
    assume(len(set(walk.squares)) == len(walk))
    for move in walk.board.moves:
        assert walk.makes(move) == (move in walk.moves), move


def test_moves_that_are_made_in_a_directed_graph() -> None:
    graph = Graph("abc", ["ab", "bc", "ca", "cb"], directed=True)
    tour = Tour.from_names(graph, "a b c", closed=True)
    assert [tour.makes(graph.move(arc)) for arc in ("a->b", "b->c", "c->a", "c->b")] == [True] * 3 + [False]
    assert not tour.as_closed(False).makes(graph.move("c->a"))


@examples(300)
@given(boards())
def test_places_of_cells(board: Board) -> None:
    assert [board.place(cell) for cell in board.cells] == list(range(len(board)))
    assert list(zip(*(each.tolist() for each in board.coordinates), strict=True)) == list(board.cells)
    assert Board(board.rows, board.columns, board.removed).cells_of([len(board) - 1]) == board.cells[-1:]


@pytest.mark.parametrize("text", ["50x50", "50x50 without k10 k11", "48x50 leaper 2,3", "50x50 wrap xy"])
@pytest.mark.parametrize("closed", [True, False])
def test_faults_of_large_tours(text: str, closed: bool) -> None:
    size, _, rest = text.partition(" ")
    key, _, value = rest.partition(" ")
    problem = TourProblem(Board.parse(size, **({key: value} if key else {})), closed=closed)
    tour = find(problem, "sat").tour
    assert tour is not None
    assert tour.violation is None
    places = tour.places.copy()
    places[[700, 1700]] = places[[1700, 700]]
    exchanged = Tour.from_indices(tour.board, places, closed)
    assert str(exchanged.violation).startswith("step 701: ")
    places = tour.places.copy()
    places[1500] = places[3]
    assert str(Tour.from_indices(tour.board, places, closed).violation).endswith(
        "was visited before, at step 4"
    )
    assert str(Tour.from_indices(tour.board, tour.places[:-1], closed).violation).endswith("never visited")
    to_and_fro = np.resize(tour.places[:2], len(tour))
    assert str(Tour.from_indices(tour.board, to_and_fro, closed).violation).endswith(
        "visited before, at step 1"
    )


# -- the choice on large boards ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "conditions",
    [{"require": ["c3-d5"]}, {"without": "k10 k11"}, {"closed": False, "start": "a1", "forbid": ["c3-d5"]}],
)
def test_auto_walks_on_large_boards_with_conditions(
    conditions: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    patient = tuple(replace(trial, seconds=300.0) for trial in WalkEngine.trials)
    monkeypatch.setattr(WalkEngine, "trials", patient)
    problem = TourProblem.of("40x40", **conditions)
    answer = find(problem)
    assert answer.engine == "walk"
    assert answer.tour is not None
    assert problem.check(answer.tour) is None


def test_auto_with_a_seed_states_a_large_board() -> None:
    problem = TourProblem("40x40", require=["c3-d5"])
    first, second = (find(problem, settings=Settings(seed=4)) for _ in range(2))
    assert first.engine == "sat"
    assert first.tour == second.tour
