"""Conditions and objectives of tour problems as constraints, on top of the moves and steps of ``tour.py``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ktsolve.ground.board import Board, Move
from ktsolve.ground.geometry import bends, crossing_pairs
from ktsolve.ground.notation import Cell
from ktsolve.model.constraints import Literal
from ktsolve.model.model import Model
from ktsolve.problem.conditions import Bound, CellSum, Condition, Order, StepRange
from ktsolve.problem.figured import Figure
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistic import Objective, Quantity

__all__ = ["Stated", "state_conditions", "state_ends", "state_objective"]


@dataclass
class Stated:
    """What ``tour.py`` has stated so far: the Booleans that conditions speak of.

    Attributes
    ----------
    moves:
        The Boolean of each move that is not forbidden, by cell numbers: ``u < v``, or both ways if numbered.
    steps:
        For each cell the Booleans of its possible steps; empty unless numbered.
    """

    problem: TourProblem
    model: Model
    moves: Mapping[tuple[int, int], Literal]
    steps: list[dict[int, Literal]]
    _edges: dict[tuple[int, int], Literal] = field(default_factory=dict)

    @property
    def board(self) -> Board:
        """The board."""
        return self.problem.board

    def edge(self, move: Move) -> Literal | None:
        """The Boolean that tells whether a move is made in either direction; None if it is forbidden."""
        index = self.board.index
        u, v = sorted((index[move[0]], index[move[1]]))
        if not self.steps:
            return self.moves.get((u, v))
        if (u, v) not in self.moves:
            return None
        if (u, v) not in self._edges:
            there, back = self.moves[u, v], self.moves[v, u]
            made = self.model.boolean(self.board.move_name(move))
            self.model.implies(there, made)
            self.model.implies(back, made)
            self.model.clause(~made, there, back)
            self._edges[u, v] = made
        return self._edges[u, v]

    def ends(self, cell: Cell) -> list[Literal]:
        """The Booleans of which one is true if the tour ends at a cell, or begins there."""
        if self.problem.closed:
            return []
        if not self.steps:
            return [self.model[f"end[{self.board.name(cell)}]"]]
        at = self.steps[self.board.index[cell]]
        return [at[step] for step in {1, len(self.board)} if step in at]

    def at(self, cell: Cell) -> dict[int, Literal]:
        """The Booleans of a cell's possible steps."""
        return self.steps[self.board.index[cell]]

    def standing(self, step: int) -> dict[Cell, Literal]:
        """The Booleans of the cells that may be at a step."""
        return {
            cell: steps[step]
            for cell, steps in zip(self.board.cells, self.steps, strict=True)
            if step in steps
        }


def state_conditions(stated: Stated) -> None:
    """Add all conditions of the problem."""
    for condition in sorted(stated.problem.conditions, key=repr):
        _STATERS[type(condition)](stated, condition)


def state_ends(stated: Stated) -> None:
    """One end of the tour is among the starts, the other among the ends, where only moves are told.

    With step numbers the first and the last step say the same.
    """
    problem, model, board = stated.problem, stated.model, stated.board
    if not (problem.starts or problem.ends):
        return
    everywhere = frozenset(board.cells)
    starts = problem.starts or frozenset({problem.start} if problem.start else everywhere)
    ends = problem.ends or frozenset({problem.end} if problem.end else everywhere)
    if len(board) == 1:
        if not starts & ends:
            model.clause()
        return
    if problem.closed:  # the move from the last cell to the first
        between = [
            (a, b) for a, b in board.moves if (a in starts and b in ends) or (b in starts and a in ends)
        ]
        model.clause(*_known(stated.edge(move) for move in between))
        return
    for cell in board.cells:
        # Of the two ends one is a start and the other an end: what this one is not, the other must be.
        other = starts | ends
        if cell not in starts and cell not in ends:
            other = frozenset()
        elif cell not in starts:
            other = starts
        elif cell not in ends:
            other = ends
        if other != everywhere:
            (here,) = stated.ends(cell)
            model.clause(~here, *(stated.ends(each)[0] for each in sorted(other - {cell})))


def _known(literals: Iterable[Literal | None]) -> list[Literal]:
    return [literal for literal in literals if literal is not None]


# -- step numbers --------------------------------------------------------------------------------------------


def _state_range(stated: Stated, condition: StepRange) -> None:
    for step, literal in stated.at(condition.cell).items():
        if not condition.least <= step <= condition.most:
            stated.model.fix(~literal)


def _state_order(stated: Stated, condition: Order) -> None:
    model = stated.model
    for first, second in zip(condition.cells, condition.cells[1:], strict=False):
        earlier, later = stated.at(first), stated.at(second)
        for step, here in earlier.items():
            model.clause(~here, *(there for other, there in later.items() if other > step))
        for step, there in later.items():
            model.clause(~there, *(here for other, here in earlier.items() if other < step))


def _state_sum(stated: Stated, condition: CellSum) -> None:
    terms = {literal: step for cell in condition.cells for step, literal in stated.at(cell).items()}
    stated.model.linear(terms, least=condition.total, most=condition.total)


def _state_figure(stated: Stated, condition: Figure) -> None:
    model, board = stated.model, stated.board
    if condition.shape in ("path", "circuit"):
        for step, after in condition.links():
            for one, other in ((step, after), (after, step)):
                there = stated.standing(other)
                for cell, literal in stated.standing(one).items():
                    near = [there[each] for each in board.neighbours[cell] if each in there]
                    model.clause(~literal, *near)
        return
    lines = condition.lines(board)
    chosen = [
        model.boolean(f"figure[{condition.text(board)}/{number}]") for number in range(1, len(lines) + 1)
    ]
    model.at_least(1, chosen)
    for literal, line in zip(chosen, lines, strict=True):
        for step in condition.steps:
            standing = stated.standing(step)
            model.clause(~literal, *(standing[cell] for cell in sorted(line) if cell in standing))


# -- quantities of the drawn tour ----------------------------------------------------------------------------


def _terms(stated: Stated, quantity: Quantity) -> tuple[dict[Literal, int], int]:
    """Weights of Booleans, and a constant, that add up to the quantity for every tour."""
    n = len(stated.board)
    if quantity.name == "moves":
        return dict.fromkeys(_known(stated.edge(move) for move in sorted(quantity.moves)), 1), 0
    if quantity.name == "crossings":
        return dict.fromkeys(_crossings(stated), 1), 0
    if quantity.name == "turns":
        straight = _angles(stated, ("straight",))
        return dict.fromkeys(straight, -1), n if stated.problem.closed else max(n - 2, 0)
    kinds = ("obtuse", "straight") if quantity.name == "obtuse" else (quantity.name,)
    return dict.fromkeys(_angles(stated, kinds), 1), 0


def _angles(stated: Stated, kinds: tuple[str, ...]) -> list[Literal]:
    """For each cell a Boolean that is true exactly if the tour makes an angle of these kinds there.

    Every inner cell has one pair of moves, so that saying for each pair what follows says everything.
    """
    model, board = stated.model, stated.board
    found: dict[Cell, Literal] = {}
    for before, here, after, kind in bends(board):
        first, second = stated.edge((here, before)), stated.edge((here, after))
        if first is None or second is None:
            continue
        if here not in found:
            found[here] = _named(model, f"{'+'.join(kinds)}[{board.name(here)}]")
        model.implies((first, second), found[here] if kind in kinds else ~found[here])
    for cell, literal in found.items():
        for end in stated.ends(cell):
            model.implies(end, ~literal)
    return list(found.values())


def _crossings(stated: Stated) -> list[Literal]:
    """For each pair of moves that cross a Boolean that is true exactly if both are made."""
    model, board = stated.model, stated.board
    found = []
    for first, second in crossing_pairs(board.moves):
        one, other = stated.edge(first), stated.edge(second)
        if one is None or other is None:
            continue
        both = _named(model, f"cross[{board.move_name(first)},{board.move_name(second)}]")
        model.implies((one, other), both)
        model.implies(both, one)
        model.implies(both, other)
        found.append(both)
    return found


def _named(model: Model, name: str) -> Literal:
    """A new Boolean; several conditions may each have their own of one name."""
    number, free = 1, name
    while model.has(free):
        number += 1
        free = f"{name}#{number}"
    return model.boolean(free)


def _state_bound(stated: Stated, condition: Bound) -> None:
    terms, constant = _terms(stated, condition.quantity)
    least, most = (None if bound is None else bound - constant for bound in (condition.least, condition.most))
    stated.model.linear(terms, least=least, most=most)


def state_objective(stated: Stated, objective: Objective) -> int:
    """Add an objective; the quantity is the model's value plus the constant that is returned."""
    terms, constant = _terms(stated, objective.quantity)
    if objective.sense == "minimise":
        stated.model.minimise(terms)
    else:
        stated.model.maximise(terms)
    return constant


_STATERS: Mapping[type[Condition], Callable[[Stated, Any], None]] = {
    StepRange: _state_range,
    Order: _state_order,
    CellSum: _state_sum,
    Figure: _state_figure,
    Bound: _state_bound,
}
