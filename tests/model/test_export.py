"""Exported models, read back by readers of this file, have the same solutions."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ktsolve.models.tour import TourModel
from pysat.formula import CNF
from random_models import PLAIN, Clauses, Parity, assignments, empty_model, literals, models, solutions
from strategies import examples

from ktsolve.base.errors import BadInput
from ktsolve.graphs.board import Board
from ktsolve.model.constraints import Literal
from ktsolve.model.encode import EAGER
from ktsolve.model.io import to_dimacs, to_minizinc, to_opb, to_tsplib, to_wcnf
from ktsolve.model.model import Model
from ktsolve.problem.problem import TourProblem

ROUNDABOUT = "a\nname  with\tbreaks"


def triangle() -> Model:
    model = Model("triangle")
    a, b, c = (model.boolean(name) for name in "abc")
    model.circuit(3, [(0, 1, a), (1, 2, b), (2, 0, c)])
    return model


# -- DIMACS CNF -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("circuits", EAGER)
@examples(60)
@given(model=models())
def test_dimacs_has_the_solutions_of_the_model(circuits: str, model: Model) -> None:
    text = to_dimacs(model, circuits=circuits)
    lines = text.splitlines()
    assert lines[0] == "c random"
    assert lines[1 : 1 + len(model)] == [f"c {i} x{i - 1}" for i in range(1, len(model) + 1)]
    rest = lines[1 + len(model) :]
    if rest[0].startswith("c"):
        assert rest.pop(0) == " ".join(["c p show", *map(str, range(1, len(model) + 1)), "0"])
    header = re.fullmatch(r"p cnf (\d+) (\d+)", rest[0])
    assert header is not None
    rows = [[int(word) for word in line.split()] for line in rest[1:]]
    assert (int(header[1]) > len(model)) == (rest != lines[1 + len(model) :])
    assert len(rows) == int(header[2])
    assert all(row[-1] == 0 and 0 not in row[:-1] for row in rows)
    assert all(abs(x) <= int(header[1]) for row in rows for x in row)
    with Clauses([row[:-1] for row in rows]) as clauses:
        assert clauses.solutions(len(model)) == solutions(model)


def test_dimacs_is_read_by_others() -> None:
    problem = TourProblem(board="3x4", closed=False)
    model = TourModel(problem).model
    formula = CNF(from_string=to_dimacs(model, circuits="binary"))
    shown = [literal.number + 1 for literal in model.shown]
    with Clauses(formula.clauses) as clauses:
        assert len(list(clauses.enumerate(len(model), shown))) == 8


def test_dimacs_has_no_objective() -> None:
    model = triangle()
    model.maximise({Literal(0): 1})
    with pytest.raises(BadInput, match="DIMACS CNF has no objective"):
        to_dimacs(model)


# -- OPB --------------------------------------------------------------------------------------------------


@dataclass
class Opb:
    """An OPB file as read by the rules of the pseudo-Boolean competitions."""

    variables: int
    goal: dict[int, int] | None
    rows: list[tuple[dict[int, int], int]]
    comments: list[str]

    @classmethod
    def read(cls, text: str) -> Opb:
        lines = text.splitlines()
        header = re.fullmatch(r"\* #variable= (\d+) #constraint= (\d+)", lines[0])
        assert header is not None
        goal: dict[int, int] | None = None
        rows: list[tuple[dict[int, int], int]] = []
        comments = []
        for line in lines[1:]:
            if line.startswith("*"):
                assert not rows
                assert goal is None
                comments.append(line[1:].strip())
            elif line.startswith("min: "):
                assert not rows
                assert goal is None
                goal = cls.terms(line.removeprefix("min: ").removesuffix(" ;"))
            else:
                match = re.fullmatch(r"(.+) >= (-?\d+) ;", line)
                assert match is not None, line
                rows.append((cls.terms(match[1]), int(match[2])))
        assert len(rows) == int(header[2])
        number = int(header[1])
        assert all(1 <= v <= number for terms, _ in [*rows, (goal or {}, 0)] for v in terms)
        return cls(number, goal, rows, comments)

    @staticmethod
    def terms(text: str) -> dict[int, int]:
        words = text.split()
        assert len(words) % 2 == 0
        found: dict[int, int] = {}
        for weight, variable in zip(words[::2], words[1::2], strict=True):
            assert re.fullmatch(r"[+-]\d+", weight)
            assert re.fullmatch(r"x[1-9]\d*", variable)
            assert int(variable[1:]) not in found, "a variable stands twice in a sum"
            found[int(variable[1:])] = int(weight)
        return found

    @staticmethod
    def total(terms: dict[int, int], assignment: tuple[bool, ...]) -> int:
        return sum(weight for variable, weight in terms.items() if assignment[variable - 1])

    def solutions(self, number: int) -> set[tuple[bool, ...]]:
        """Solutions cut down to the first variables: rows with others must be clauses in disguise."""
        own = [(terms, least) for terms, least in self.rows if max(terms) <= number]
        clauses = []
        for terms, least in self.rows:
            if max(terms) > number:
                assert set(terms.values()) <= {1, -1}
                assert least == 1 - list(terms.values()).count(-1)
                clauses.append([variable * weight for variable, weight in terms.items()])
        with Clauses(clauses) as rest:
            return {
                assignment
                for assignment in assignments(number)
                if all(self.total(terms, assignment) >= least for terms, least in own)
                and rest.allow(assignment)
            }


@pytest.mark.parametrize("circuits", EAGER)
@examples(60)
@given(model=models())
def test_opb_has_the_solutions_of_the_model(circuits: str, model: Model) -> None:
    read = Opb.read(to_opb(model, circuits=circuits))
    assert read.comments == ["random", *(f"x{i} x{i - 1}" for i in range(1, len(model) + 1))]
    assert read.goal is None
    assert read.solutions(len(model)) == solutions(model)


@examples(80)
@given(models(PLAIN), st.data())
def test_opb_has_the_objective_of_the_model(model: Model, data: st.DataObject) -> None:
    weights = data.draw(st.dictionaries(literals(len(model)), st.integers(-9, 9)))
    maximise = data.draw(st.booleans())
    (model.maximise if maximise else model.minimise)(weights)
    read = Opb.read(to_opb(model))
    assert read.goal is not None
    note = re.fullmatch(r"(maximise|minimise) = (-?1) \* min(?: ([+-]\d+))?", read.comments[-1])
    assert note is not None
    assert (note[1], int(note[2])) == (("maximise", -1) if maximise else ("minimise", 1))
    for assignment in assignments(len(model)):
        value = sum(weight for literal, weight in weights.items() if literal.holds(assignment))
        assert value == int(note[2]) * read.total(read.goal, assignment) + int(note[3] or 0)


def test_opb_of_a_board_by_either_encoding() -> None:
    model = TourModel(TourProblem(board=Board.parse("3x3", without="b2"), closed=True)).model
    for circuits in EAGER:
        assert Opb.read(to_opb(model, circuits=circuits)).solutions(len(model)) == {(True,) * 8}


def test_opb_of_nothing_and_of_the_impossible() -> None:
    assert to_opb(Model("empty")) == "* #variable= 0 #constraint= 0\n* empty\n"
    never = Model("never")
    never.clause()
    assert Opb.read(to_opb(never)).rows == [({1: 0}, 1)]
    aimless = Model("aimless")
    aimless.minimise({})
    assert Opb.read(to_opb(aimless)).goal == {1: 0}


def test_opb_of_a_path_through_one_node() -> None:
    model = empty_model(1)
    model.path(1, [], [~Literal(0)])
    assert Opb.read(to_opb(model)).solutions(1) == {(False,)}


def test_formats_have_one_objective() -> None:
    model = triangle()
    model.soft(model["a"], 2)
    assert "2 1 0" in to_wcnf(model)
    model.then_maximise(model["b"])
    for write in (to_wcnf, to_opb, to_minizinc):
        with pytest.raises(BadInput, match="has one objective, but the model has 2"):
            write(model)


# -- TSPLIB HCP -------------------------------------------------------------------------------------------


@dataclass
class Hcp:
    """A TSPLIB file of type HCP; nodes are numbered from 1."""

    fields: dict[str, str]
    edges: list[tuple[int, int]]
    fixed: list[tuple[int, int]]

    @classmethod
    def read(cls, text: str) -> Hcp:
        lines = text.splitlines()
        assert lines[-1] == "EOF"
        assert text.endswith("\n")
        fields: dict[str, str] = {}
        sections: dict[str, list[tuple[int, int]]] = {}
        here: list[tuple[int, int]] | None = None
        for line in lines[:-1]:
            if here is not None:
                if line == "-1":
                    here = None
                else:
                    u, v = line.split()
                    here.append((int(u), int(v)))
            elif line.endswith("_SECTION"):
                assert line not in sections
                here = sections.setdefault(line, [])
            else:
                key, _, value = line.partition(" : ")
                assert key not in fields
                fields[key] = value
        assert here is None
        assert fields["TYPE"] == "HCP"
        assert fields["EDGE_DATA_FORMAT"] == "EDGE_LIST"
        read = cls(fields, sections["EDGE_DATA_SECTION"], sections.get("FIXED_EDGES_SECTION", []))
        nodes = range(1, int(fields["DIMENSION"]) + 1)
        assert all(u in nodes and v in nodes for u, v in read.edges)
        assert set(read.fixed) <= set(read.edges)
        return read

    def cycles(self) -> set[frozenset[tuple[int, int]]]:
        """The cycles through all nodes that use the fixed edges, by trying."""
        number = int(self.fields["DIMENSION"])
        around: dict[int, list[int]] = {v: [] for v in range(1, number + 1)}
        for u, v in self.edges:
            around[u].append(v)
            around[v].append(u)
        found: set[frozenset[tuple[int, int]]] = set()
        waiting = [[1]]
        while waiting:
            walk = waiting.pop()
            if len(walk) == number and 1 in around[walk[-1]] and number > 2:
                steps = zip(walk, [*walk[1:], 1], strict=True)
                found.add(frozenset((min(s), max(s)) for s in steps))
            waiting.extend([*walk, v] for v in around[walk[-1]] if v not in walk)
        required = {(min(e), max(e)) for e in self.fixed}
        return {cycle for cycle in found if required <= cycle}


@pytest.mark.parametrize("words", [{}, {"wrap": "x"}, {"leaper": "0,1"}, {"without": "a1 c2"}], ids=str)
@pytest.mark.parametrize("size", ["3x4", "6x6", "5x3"])
def test_the_edges_are_the_moves_of_the_board(size: str, words: dict[str, str]) -> None:
    board = Board.parse(size, **words)
    problem = TourProblem(board=board, closed=True)
    read = Hcp.read(to_tsplib(TourModel(problem).model))
    assert read.fields["NAME"] == str(problem)
    assert read.fields["DIMENSION"] == str(len(board))
    assert read.edges == [(u + 1, v + 1) for u, v in board.edges.tolist()]
    assert read.fixed == []


def test_required_moves_are_fixed_and_forbidden_ones_are_left_out() -> None:
    problem = TourProblem(board="6x6", closed=True, require=["c3-d5", "a1-b3"], forbid=["c4-e3"])
    board = problem.board
    read = Hcp.read(to_tsplib(TourModel(problem).model))

    def edge(move: str) -> tuple[int, int]:
        first, second = board.move(move)
        return board.index[first] + 1, board.index[second] + 1

    assert set(read.fixed) == {edge("c3-d5"), edge("a1-b3")}
    everything = {(u + 1, v + 1) for u, v in board.edges.tolist()}
    assert everything - set(read.edges) == {edge("c4-e3")}


@pytest.mark.parametrize(
    ("asked", "number"), [({}, 8), ({"start": "a3"}, 2), ({"require": ["a1-c2", "b1-d2"]}, 6)], ids=str
)
def test_a_path_is_a_cycle_through_one_more_node(asked: dict[str, str], number: int) -> None:
    problem = TourProblem(board="3x4", closed=False, **asked)  # type: ignore[arg-type]
    read = Hcp.read(to_tsplib(TourModel(problem).model))
    assert read.fields["DIMENSION"] == "13"
    outside = [(v, 13) for v in range(1, 13)]
    assert read.edges[-12:] == outside
    cycles = read.cycles()
    assert len(cycles) == number
    if "start" in asked:
        assert read.fixed == [(1, 13)]
        assert all((1, 13) in cycle for cycle in cycles)


@examples(60)
@given(st.integers(3, 5), st.data())
def test_hcp_has_the_solutions_of_the_model(nodes: int, data: st.DataObject) -> None:
    """Random graphs with own Booleans, of either sign, some of them fixed."""
    pairs = [(u, v) for u, v in permutations(range(nodes), 2) if u < v]
    kept = data.draw(st.lists(st.sampled_from(pairs), unique=True, min_size=nodes - 1))
    model = empty_model(len(kept))
    signs = data.draw(st.lists(st.booleans(), min_size=len(kept), max_size=len(kept)))
    model.circuit(
        nodes, [(u, v, Literal(i, s)) for i, ((u, v), s) in enumerate(zip(kept, signs, strict=True))]
    )
    for number, value in data.draw(
        st.dictionaries(st.integers(0, len(kept) - 1), st.booleans(), max_size=2)
    ).items():
        model.fix(Literal(number, value))
    expected = {
        frozenset(
            (u + 1, v + 1)
            for (u, v), sign, value in zip(kept, signs, assignment, strict=True)
            if value == sign
        )
        for assignment in solutions(model)
    }
    assert Hcp.read(to_tsplib(model)).cycles() == expected


def no_circuit() -> Model:
    return empty_model(2)


def two_circuits() -> Model:
    model = triangle()
    model.path(2, [(0, 1, model["a"])])
    return model


def directed() -> Model:
    model = empty_model(2)
    model.circuit(2, [(0, 1, Literal(0)), (1, 0, Literal(1))], directed=True)
    return model


def shared() -> Model:
    model = empty_model(2)
    model.circuit(3, [(0, 1, Literal(0)), (1, 2, Literal(1)), (2, 0, ~Literal(0))])
    return model


def with_more(add: Callable[[Model, Literal, Literal], None]) -> Model:
    model = triangle()
    add(model, model["a"], model["b"])
    return model


def fixed_both_ways() -> Model:
    model = triangle()
    model.fix(model["a"])
    model.fix(~model["a"])
    return model


def one_node() -> Model:
    model = empty_model(1)
    model.path(1, [], [Literal(0)])
    return model


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (no_circuit(), "has 0 circuits and paths"),
        (two_circuits(), "has 2 circuits and paths"),
        (directed(), "directed circuit"),
        (
            shared(),
            "0-1 and 2-0 share the Boolean x0",
        ),
        (one_node(), "at least 3 nodes, not 2"),
        (with_more(lambda m, a, b: m.clause(a, ~b)), "express a clause: a or not b"),
        (with_more(lambda m, a, b: m.clause()), "express a clause: false"),
        (with_more(lambda m, a, b: m.implies(a, b)), "express an implication: a => b"),
        (
            with_more(lambda m, a, b: m.exactly(1, [a, b])),
            "express a cardinality: exactly 1 of {a, b}",
        ),
        (with_more(lambda m, a, b: m.linear({a: 2}, most=1)), "express a linear: 2*a <= 1"),
        (
            with_more(lambda m, a, b: m.add(Parity((a, b)))),
            "express a parity: an odd number of {a, b}",
        ),
        (with_more(lambda m, a, b: m.minimise({a: 1})), "objective"),
        (
            fixed_both_ways(),
            "a is fixed to true and to false",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_hcp_refuses_by_naming_the_constraint(model: Model, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        to_tsplib(model)
    assert message in str(caught.value)


def test_cnf_and_opb_refuse_other_constraints() -> None:
    model = with_more(lambda m, a, b: m.add(Parity((a, b))))
    for export in (to_dimacs, to_opb):
        with pytest.raises(BadInput, match="a parity has no plain encoding as clauses"):
            export(model)


def test_unknown_circuit_encodings_are_refused() -> None:
    for export in (to_dimacs, to_opb):
        with pytest.raises(BadInput, match="circuit encoding 'chinese' is unknown: use one-hot, binary"):
            export(triangle(), circuits="chinese")


def test_names_with_line_breaks_stay_on_one_line() -> None:
    model = Model(ROUNDABOUT)
    a, b, c = (model.boolean(f"{name}\n{name}") for name in "abc")
    model.circuit(3, [(0, 1, a), (1, 2, b), (2, 0, c)])
    told = "a name with breaks"
    assert to_dimacs(model).splitlines()[:2] == [f"c {told}", "c 1 a a"]
    assert Opb.read(to_opb(model)).comments == [told, "x1 a a", "x2 b b", "x3 c c"]
    assert Hcp.read(to_tsplib(model)).fields["NAME"] == told
