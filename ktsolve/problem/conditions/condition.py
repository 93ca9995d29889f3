"""The interface of conditions: validation, check, image, arithmetic, text, and statement on Booleans.

A condition is one class. Everything else that names conditions is derived from the classes: keyword arguments
and keys of instance files, options of commands, features that engines declare, JSON, ``repr``, the table in
docs/conditions.md, and cases of ``ktsolve verify``.

A condition on step numbers is *step-indexed*: whether a tour satisfies it depends on where the labeling
begins and on its direction. The others depend on the moves made only.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown, split_outside_quotes
from ktsolve.graphs.board import Board, needs_board
from ktsolve.graphs.graph import Graph, Move, Vertex
from ktsolve.graphs.symmetry import Symmetry
from ktsolve.graphs.tour import Tour, Violation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ktsolve.graphs.tour_rows import TourRows
    from ktsolve.model.constraints import Literal
    from ktsolve.model.model import Model
    from ktsolve.problem.step_table import StepTable

__all__ = [
    "CLASSES",
    "EXAMPLE_BOARD",
    "Condition",
    "Contradiction",
    "Key",
    "Known",
    "TourBooleans",
    "moved_cell",
    "moved_move",
    "number_in",
    "split_text",
]

EXAMPLE_BOARD = "4x5"
"""The board of the examples of keys."""

CLASSES: list[type[Condition]] = []
"""The classes of conditions, in the order in which they are imported."""


@dataclass(frozen=True)
class Key:
    """One way to state a condition: a key of instance files and of JSON, and an option of commands.

    - ``name``: The key, and the keyword argument of :class:`~ktsolve.problem.problem.TourProblem` where there
      is one.
    - ``help``: A phrase for the help text of the option.
    - ``metavar``: How the help text shows the option's value; empty for an option without a value.
    - ``example``: A value, as the option takes it, for open tours of :data:`EXAMPLE_BOARD`.
    - ``kind``: Type of the value in an instance file: text, a list of texts, a table, or true and false.
    - ``option``: The option's name without hyphens, if it is not the key; None if there is no option.
    - ``cells``: Which side of the text is a list of cells, left or right of its equals sign, or all of it. In
      Python these cells may be given as such.
    """

    name: str
    help: str = ""
    metavar: str = ""
    example: str = ""
    kind: type = list
    option: str | None = ""
    cells: str = ""

    @property
    def flag(self) -> str | None:
        """The option's name, without hyphens."""
        return self.name if self.option == "" else self.option


class Condition(ABC):
    """One condition on a tour: a frozen dataclass with these members.

    - ``place``: Conditions are listed by ascending place.
    - ``features``: Names and descriptions of what an engine has to take; most conditions have one.
    - ``graph_features``: Those of them that a search over vertices and edges can take without a model.
    - ``keys``: How the condition is stated.
    - ``step_indexed``: Whether step numbers other than those of the ends matter.
    - ``geometry``: What of a board the condition needs, empty if vertices and edges suffice.
    - ``theorem``: Name of the arithmetical argument of :meth:`refuted`.
    """

    place: ClassVar[int]
    features: ClassVar[Mapping[str, str]]
    graph_features: ClassVar[frozenset[str]] = frozenset()
    keys: ClassVar[tuple[Key, ...]]
    theorem: ClassVar[str] = "bounds"
    step_indexed: ClassVar[bool] = True
    geometry: str = ""

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        if "place" in cls.__dict__:
            CLASSES.append(cls)

    @property
    def feature(self) -> str:
        """Its name among the features."""
        return next(iter(self.features))

    @property
    def key(self) -> str:
        """Name of the key that states it."""
        return self.keys[0].name

    @classmethod
    @abstractmethod
    def parse(cls, key: str, text: str, ground: Graph) -> Iterator[Condition]:
        """The conditions that a text states under a key. Raises BadInput."""

    @abstractmethod
    def text(self, ground: Graph) -> str:
        """The text that :meth:`parse` reads."""

    def values(self, ground: Graph) -> list[str]:
        """The text, or the texts that an instance file lists for it."""
        return [self.text(ground)]

    def label(self, ground: Graph) -> str:
        """The condition as the user states it: option and text."""
        return f"{self.keys[0].flag} {self.text(ground)}"

    def sort_key(self, ground: Graph) -> Any:
        """The sort key of conditions of one class."""
        return self.text(ground)

    def validate(self, ground: Graph) -> None:
        """Raise BadInput if the condition makes no sense on this ground, Refused if it needs a board."""
        if self.geometry:
            self.board(ground)

    def on(self, ground: Graph) -> Self:
        """The condition with its cells and moves as the ground has them. Raises as :meth:`validate` does."""
        own = self._mapped(ground.cell, ground.move)
        own.validate(ground)
        return own

    def _mapped(self, cell: Callable[[Vertex], Vertex], move: Callable[[Move], Move]) -> Self:
        """The condition with other cells and moves: those of the fields ``cell``, ``cells`` and ``move``."""
        carried: dict[str, Any] = {}
        for name, value in vars(self).items():
            if name == "cell":
                carried[name] = cell(value)
            elif name == "cells":
                carried[name] = type(value)(map(cell, value))
            elif name == "move":
                carried[name] = move(value)
        return replace(self, **carried) if carried else self  # type: ignore[type-var]

    def board(self, ground: Graph) -> Board:
        """The ground as a board. Raises Refused for a bare graph, naming the geometry."""
        return needs_board(ground, self.geometry)

    @abstractmethod
    def violation(self, tour: Tour) -> Violation | None:
        """The first reason why a valid tour does not satisfy it, or None."""

    def holds(self, tour: Tour) -> bool:
        """Whether a valid tour satisfies it."""
        return self.violation(tour) is None

    def holds_in(self, rows: TourRows) -> NDArray[np.bool_]:
        """Of each of many valid tours whether it satisfies the condition.

        By default each is checked by itself. A class for which that is too slow does it in whole arrays.
        """
        import numpy as np

        return np.fromiter(map(self.holds, rows.tours()), dtype=np.bool_, count=len(rows))

    def image(self, ground: Graph, symmetry: Symmetry) -> Condition | None:
        """The condition that the image of a tour satisfies; None if no condition of this class states it.

        By default, the fields ``cell``, ``cells`` and ``move`` go along.
        """
        return self._mapped(partial(moved_cell, ground, symmetry), partial(moved_move, ground, symmetry))

    def refuted(self, ground: Graph, closed: bool) -> str | None:
        """Why no tour satisfies it, if arithmetic on this condition alone shows that."""
        return None

    def simplified(self, known: Known) -> Iterable[Condition]:
        """Conditions that say the same, given what is known; none if every tour satisfies it.

        By default the condition itself. Raises Contradiction if no tour satisfies it.
        """
        return (self,)

    def narrow(self, table: StepTable) -> None:  # noqa: B027
        """Remove steps that the condition excludes from the table of possible steps; by default none."""

    @abstractmethod
    def state(self, booleans: TourBooleans) -> None:
        """State it on a model whose Booleans describe a tour."""


def split_text(text: str, example: str) -> tuple[str, str]:
    """Both sides of the last ``=`` of a text that is not in quotes. Raises BadInput, showing the example."""
    *before, right = split_outside_quotes(text, "=")
    left = "=".join(before)
    if not (left and right):
        raise BadInput(f"{shown(text)} is not understood: write {example}")
    return left, right


def number_in(text: str, whole: str, example: str) -> int:
    """A part of a text as a number. Raises BadInput, showing the whole text and the example."""
    if not re.fullmatch(r"\d{1,12}", text.strip(), re.ASCII):
        raise BadInput(f"{shown(whole)} is not understood: write {example}")
    return int(text)


def moved_cell(ground: Graph, symmetry: Symmetry, cell: Vertex) -> Vertex:
    """The image of a vertex."""
    return ground.cells[symmetry(ground.index[cell])]


def moved_move(ground: Graph, symmetry: Symmetry, move: Move) -> Move:
    """The image of an edge."""
    return ground.move((moved_cell(ground, symmetry, move[0]), moved_cell(ground, symmetry, move[1])))


class Contradiction(Exception):
    """No tour satisfies all conditions; the argument is the reason."""


@dataclass(frozen=True)
class Known:
    """What the other conditions of a problem imply.

    - ``ground``, ``closed``: As in the problem.
    - ``required``, ``excluded``: For each edge of the ground whether every tour makes it, and whether none
      does.
    - ``always``, ``never``: The same, without the conditions on moves and inner steps.
    - ``steps``: The step of each vertex that has a known one.
    - ``table``: The possible steps without ranges, orders and figures; None if they are not known.
    - ``first``, ``last``: The vertices that may be first and last; None for any.
    """

    ground: Graph
    closed: bool
    required: NDArray[np.bool_]
    excluded: NDArray[np.bool_]
    always: NDArray[np.bool_]
    never: NDArray[np.bool_]
    steps: dict[Vertex, int]
    table: StepTable | None
    first: frozenset[Vertex] | None
    last: frozenset[Vertex] | None

    def place(self, move: Move) -> int:
        """The place of a move among the edges of the ground."""
        index = self.ground.index
        return int(self.ground.places_of([(index[move[0]], index[move[1]])])[0])

    def window(self, cell: Vertex) -> tuple[int, int]:
        """The first and the last step that a vertex can have."""
        if cell in self.steps:
            return self.steps[cell], self.steps[cell]
        return (1, len(self.ground)) if self.table is None else self.table.window(self.ground.index[cell])

    def cells_at(self, step: int) -> frozenset[Vertex] | None:
        """The vertices that can have a step; None for any."""
        if self.table is None:
            found = {cell for cell, known in self.steps.items() if known == step}
            return frozenset(found) or None
        places = self.table.possible[step - 1].nonzero()[0].tolist()
        return frozenset(self.ground.cells_of(places))


@dataclass
class TourBooleans:
    """The Booleans of moves and steps, as :mod:`ktsolve.problem.tour_booleans` makes them.

    - ``ground``, ``closed``: As in the problem.
    - ``first``, ``last``: The vertices that may be first and last; None for any.
    - ``model``: The model that they belong to.
    - ``moves``: The Boolean of each edge that is not forbidden, by places of vertices: ``u < v``, or both
      directions if there are steps; of each arc of a directed graph.
    - ``end``: Of an open tour without a direction: of each vertex whether it is an end.
    - ``starts``, ``stops``: Of an open tour with a direction: of each vertex whether it is the first, and the
      last.
    - ``steps``: For each vertex the Booleans of its possible steps; empty if no step numbers are stated.
    """

    ground: Graph
    closed: bool
    first: frozenset[Vertex] | None
    last: frozenset[Vertex] | None
    model: Model
    moves: Mapping[tuple[int, int], Literal]
    end: Sequence[Literal] = ()
    starts: Sequence[Literal] = ()
    stops: Sequence[Literal] = ()
    steps: list[dict[int, Literal]] = field(default_factory=list)
    _edges: dict[tuple[int, int], Literal] = field(default_factory=dict)

    @property
    def has_direction(self) -> bool:
        """Whether a Boolean of a move states its direction."""
        return self.ground.directed or bool(self.steps)

    def made(self, move: Move) -> tuple[Literal, ...]:
        """The Booleans of which one is true if a move is made; none if it is forbidden or no edge."""
        u, v = self.ground.place(move[0]), self.ground.place(move[1])
        if self.ground.directed:
            pairs: tuple[tuple[int, int], ...] = ((u, v),)
        else:
            pairs = ((u, v), (v, u)) if self.steps else ((min(u, v), max(u, v)),)
        return tuple(self.moves[pair] for pair in pairs if pair in self.moves)

    def edge(self, move: Move) -> Literal | None:
        """One Boolean that is true exactly if a move is made; None if it is forbidden."""
        made = self.made(move)
        if len(made) < 2:
            return made[0] if made else None
        u, v = sorted((self.ground.place(move[0]), self.ground.place(move[1])))
        if (u, v) not in self._edges:
            either = self.model.boolean(self.ground.move_name(move))
            for literal in made:
                self.model.implies(literal, either)
            self.model.clause(~either, *made)
            self._edges[u, v] = either
        return self._edges[u, v]

    def ends(self, cell: Vertex) -> list[Literal]:
        """The Booleans of which one is true if the tour begins or ends at a vertex."""
        if self.closed:
            return []
        number = self.ground.place(cell)
        if self.steps:
            at = self.steps[number]
            return [at[step] for step in {1, len(self.ground)} if step in at]
        return [self.starts[number], self.stops[number]] if self.ground.directed else [self.end[number]]

    def at(self, cell: Vertex) -> dict[int, Literal]:
        """The Booleans of a vertex's possible steps."""
        return self.steps[self.ground.place(cell)]

    def visited_at(self, step: int) -> dict[Vertex, Literal]:
        """The Booleans of the vertices that may be at a step."""
        places = zip(self.ground.cells, self.steps, strict=True)
        return {cell: steps[step] for cell, steps in places if step in steps}

    def named(self, name: str) -> Literal:
        """A new Boolean of that name, numbered if conditions before have one of this name."""
        number, free = 1, name
        while self.model.has(free):
            number += 1
            free = f"{name}#{number}"
        return self.model.boolean(free)
