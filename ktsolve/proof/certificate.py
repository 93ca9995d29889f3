"""Certificates, and their JSON format.

A certificate is one JSON object: ``schema``, ``version`` (of ktsolve), ``certificate`` and ``sha256``, a
digest that detects accidental changes. The problem is stated as in instance files (docs/instances.md).
docs/proofs.md describes every key.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ktsolve.base.errors import BadInput
from ktsolve.base.text import check_kind, quoted, shown
from ktsolve.formats.table import JSON_HEAD
from ktsolve.formats.tours.common import parse_json
from ktsolve.graphs.board import Board
from ktsolve.graphs.card import Card, Carded
from ktsolve.graphs.graph import Vertex
from ktsolve.problem.parameters import check_keys, tour_problem
from ktsolve.problem.problem import TourProblem

__all__ = [
    "MOST_DIGITS",
    "OUTSIDE",
    "SCHEMA",
    "Argument",
    "Certificate",
    "Clauses",
    "Count",
    "Degrees",
    "Elimination",
    "Invariance",
    "Multiples",
    "Removal",
    "digest",
    "read_certificate",
]

SCHEMA = JSON_HEAD["schema"]

OUTSIDE = "outside"  # the name of the node that joins the two ends of an open tour

_LARGEST_LITERAL = 2**30

MOST_DIGITS = 4000  # of a count: Python reads and prints whole numbers of 4,300 digits

_NAMES_SHOWN = 40  # names of vertices that a notebook shows


@dataclass(frozen=True)
class Removal:
    """The argument ``parts``: the removal of cells leaves more components than a tour allows."""

    cells: tuple[Vertex, ...]  # removed cells, sorted
    outside: bool  # whether the node that joins the ends of an open tour is removed as well


@dataclass(frozen=True)
class Degrees:
    """The argument ``degrees``: nodes need more edges than they can get (:mod:`ktsolve.proof.arguments`)."""

    needing: tuple[int, ...]
    """Nodes by number: cells in their order, then the node that joins the ends of an open tour."""
    giving: tuple[int, ...]


@dataclass(frozen=True)
class Elimination:
    """The argument ``order``: a sweep over the nodes in this order leaves nothing."""

    order: tuple[int, ...]
    """All nodes by number, as in :class:`Degrees` (see :mod:`ktsolve.proof.elimination`)."""


@dataclass(frozen=True)
class Invariance:
    """The argument ``symmetry``: no tour has the required symmetry. It has no data."""


@dataclass(frozen=True)
class Multiples:
    """The argument ``sums``: a multiple for each required sum (:mod:`ktsolve.proof.arguments`)."""

    multiples: tuple[int, ...]


@dataclass(frozen=True)
class Clauses:
    """The argument ``clauses``: an unsatisfiable set of clauses."""

    variables: tuple[tuple[int, str], ...]  # number and name of each variable that occurs in a clause or cut
    stated: tuple[tuple[int, ...], ...]  # clauses that state the problem
    # Sets of cells. Each represents the clause that some move leaves the set, or that an end of an open tour
    # lies in it.
    cuts: tuple[tuple[Vertex, ...], ...]
    # A refutation of these clauses by reverse unit propagation (DRUP without deletions), ending with the
    # empty clause.
    lemmas: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Count:
    """The argument ``count``: not that there is no tour, but their number (:func:`.elimination.tally`)."""

    count: int
    order: tuple[int, ...]
    layers: tuple[tuple[int, int, str], ...]
    """For each node of the order the number of states, the sum of their ways, and a checksum."""


Argument = Count | Removal | Degrees | Elimination | Invariance | Multiples | Clauses

_NAMES: dict[type[Argument], str] = {
    Removal: "parts",
    Degrees: "degrees",
    Elimination: "order",
    Invariance: "symmetry",
    Multiples: "sums",
    Clauses: "clauses",
    Count: "count",
}

_COUNTED = {
    "needing": "nodes that need edges",
    "giving": "nodes that give them",
    "order": "nodes in order",
    "multiples": "multiples",
    "stated": "clauses",
    "cuts": "cuts",
    "lemmas": "lemmas",
}
"""What the fields of arguments have, for notebooks."""


@dataclass(frozen=True)
class Certificate(Carded):
    """A problem without a tour, or with a number of them, and an argument that needs no solver to be checked.

    >>> problem = TourProblem(board="3x3", closed=True)
    >>> certificate = Certificate(problem, Removal((), outside=False))
    >>> read_certificate(certificate.to_text()) == certificate
    True
    """

    problem: TourProblem
    argument: Argument

    @property
    def claim(self) -> str:
        """What is proved: ``no tour: closed 3x8``, ``16 tours: closed 3x10``."""
        argument = self.argument
        number = f"{argument.count} " if isinstance(argument, Count) else "no "
        return f"{number}{'tours' if number not in ('no ', '1 ') else 'tour'}: {self.problem}"

    def to_json(self) -> dict[str, Any]:
        """The certificate as a JSON value, with its digest."""
        ground = self.problem.ground

        def names(cells: tuple[Vertex, ...]) -> str:
            found = [ground.name(cell) for cell in cells]
            return " ".join(quoted(name) if name == OUTSIDE else name for name in found)

        argument = self.argument
        body: dict[str, Any] = {"claim": self.claim, "problem": _parameters(self.problem)}
        body["argument"] = _NAMES[type(argument)]
        if isinstance(argument, Removal):
            without = [names(argument.cells)] * bool(argument.cells) + [OUTSIDE] * argument.outside
            body["without"] = " ".join(without)
        elif isinstance(argument, Clauses):
            body |= {
                "variables": {str(number): name for number, name in argument.variables},
                "clauses": [list(clause) for clause in argument.stated],
                "cuts": [names(cells) for cells in argument.cuts],
                "lemmas": [list(lemma) for lemma in argument.lemmas],
            }
        elif isinstance(argument, Count):
            # Counts are texts, as everywhere.
            layers = [[states, str(ways), checksum] for states, ways, checksum in argument.layers]
            body |= {"count": str(argument.count), "order": list(argument.order), "layers": layers}
        else:
            body |= {key: list(numbers) for key, numbers in vars(argument).items()}
        return {**JSON_HEAD, "certificate": body, "sha256": digest(body)}

    def _card(self) -> Card:
        """The claim and the parts of the argument. The card does not check them."""
        argument, ground = self.argument, self.problem.ground
        facts = [("argument", _NAMES[type(argument)])]
        if isinstance(argument, Removal):
            named = [ground.name(cell) for cell in argument.cells] + [OUTSIDE] * argument.outside
            facts.append(("without", " ".join(named[:_NAMES_SHOWN])))
            facts += [("and more", f"{len(named) - _NAMES_SHOWN:,}")] if len(named) > _NAMES_SHOWN else []
        else:
            counted = ((_COUNTED.get(key), value) for key, value in vars(argument).items() if key in _COUNTED)
            facts += [(what, f"{len(value):,}") for what, value in counted if what]
        return Card(
            self.claim[:1].upper() + self.claim[1:], (*facts, ("to check", "check_certificate")), (ground,)
        )

    def to_text(self) -> str:
        """The text of the file: one line of JSON, in ASCII."""
        return json.dumps(self.to_json(), separators=(",", ":"))


def _parameters(problem: TourProblem) -> dict[str, Any]:
    """The problem as parameters of an instance file."""
    board = problem.ground
    if isinstance(board, Board):
        parameters: dict[str, Any] = {"board": board.size}
        if board.removed:
            parameters["without"] = [board.name(cell) for cell in sorted(board.removed)]
        if board.leaper != (1, 2):
            parameters["leaper"] = list(board.leaper)
        if board.wrap != "none":
            parameters["wrap"] = board.wrap
    else:
        parameters = {"board": board.to_json()}
    parameters |= {key: value for key, value in problem.to_json().items() if key != "board"}
    # The keys of a JSON object are texts.
    return dict(json.loads(json.dumps(parameters)))


def digest(body: dict[str, Any]) -> str:
    """Return the SHA-256 of a certificate: of its JSON with sorted keys and without spaces."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def read_certificate(text: str) -> Certificate:
    """Read a certificate without checking its argument (:func:`ktsolve.proof.checker.check_certificate`).

    Parameters
    ----------
    text:
        The JSON that ``ktsolve prove --certificate`` or ``ktsolve count --certificate`` writes.

    Returns
    -------
    Certificate
        The problem and the argument.

    Raises
    ------
    BadInput
        If the text is not a certificate, or its digest does not match.

    Examples
    --------
    >>> made = Certificate(tour_problem({"board": "3x3", "closed": False}), Removal((), outside=True))
    >>> read_certificate(json.dumps(made.to_json())) == made
    True
    """
    check_kind(text, str, "the text of a certificate")
    data = parse_json(text, "not a certificate, as ktsolve prove --certificate writes it: not JSON")
    if not isinstance(data, dict) or "certificate" not in data:
        raise BadInput("not a certificate: expected a JSON object with schema, certificate and sha256")
    check_keys(data, {"schema": str, "version": str, "certificate": dict, "sha256": str}, "")
    body = data["certificate"]
    if data.get("schema") != SCHEMA:
        raise BadInput(f"schema must be {SCHEMA!r}, not {shown(data.get('schema'))}")
    try:
        expected = digest(body)
    except (ValueError, RecursionError):  # numbers of thousands of digits, deep nesting
        expected = ""
    if data.get("sha256") != expected:
        raise BadInput("the sha256 does not match: the certificate was changed after it was written")
    types: dict[str, type] = dict.fromkeys(("claim", "argument", "without", "count"), str)
    types |= dict.fromkeys(("problem", "variables"), dict)
    numbers = ("multiples", "needing", "giving", "order", "layers")
    types |= dict.fromkeys((*numbers, "clauses", "cuts", "lemmas"), list)
    check_keys(body, types, "certificate")
    problem = tour_problem(_value(body, "problem"))
    argument = _value(body, "argument")
    readers: dict[str, Callable[[], Argument]] = {
        "parts": lambda: _removal(_value(body, "without"), problem),
        "degrees": lambda: Degrees(*(_nodes(body, key, problem) for key in ("needing", "giving"))),
        "order": lambda: Elimination(_nodes(body, "order", problem)),
        "symmetry": Invariance,
        "sums": lambda: Multiples(_multiples(_value(body, "multiples"))),
        "clauses": lambda: Clauses(
            variables=_variables(_value(body, "variables")),
            stated=_literals(body, "clauses"),
            cuts=_cuts(_value(body, "cuts"), problem),
            lemmas=_literals(body, "lemmas"),
        ),
        "count": lambda: Count(
            _whole(_value(body, "count"), "count"), _nodes(body, "order", problem), _layers(body)
        ),
    }
    if argument not in readers:
        *most, last = readers
        names = f"{', '.join(most)} or {last}"
        raise BadInput(f"certificate.argument must be {names}, not {shown(argument)}")
    certificate = Certificate(problem, readers[argument]())
    if certificate.to_json()["certificate"] != body:
        raise BadInput(
            "the certificate is not in canonical form: it has keys of another argument, or its claim, its "
            "problem or its cells are spelled differently"
        )
    return certificate


def _value(body: dict[str, Any], key: str) -> Any:
    if key not in body:
        raise BadInput(f"certificate.{key} is missing")
    return body[key]


def _whole(text: Any, key: str) -> int:
    if not (isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise BadInput(f"certificate.{key} must be a number of up to {MOST_DIGITS:,} digits as text")
    return int(text)


def _layers(body: dict[str, Any]) -> tuple[tuple[int, int, str], ...]:
    rows = _value(body, "layers")
    if not all(isinstance(row, list) and list(map(type, row)) == [int, str, str] for row in rows):
        raise BadInput("certificate.layers must be a list of rows: states, their ways as text, a checksum")
    return tuple((states, _whole(ways, "layers"), checksum) for states, ways, checksum in rows)


def _variables(table: dict[str, Any]) -> tuple[tuple[int, str], ...]:
    for number, name in table.items():
        if not (number.isascii() and number.isdigit() and len(number) < 10 and isinstance(name, str)):
            raise BadInput(
                f"certificate.variables: expected numbers as keys and names as values, not {shown(number)}"
            )
    return tuple((int(number), name) for number, name in table.items())


def _multiples(numbers: list[Any]) -> tuple[int, ...]:
    if not all(type(number) is int and 0 <= number < 4 for number in numbers):
        raise BadInput("certificate.multiples must be a list of numbers from 0 to 3")
    return tuple(numbers)


def _nodes(body: dict[str, Any], key: str, problem: TourProblem) -> tuple[int, ...]:
    numbers, nodes = _value(body, key), len(problem.ground) + (not problem.closed)
    if not all(type(number) is int and 0 <= number < nodes for number in numbers):
        raise BadInput(f"certificate.{key} must be a list of numbers from 0 to {nodes - 1}")
    if len(numbers) > nodes or len(set(numbers)) < len(numbers):
        raise BadInput(f"certificate.{key} must be a list of different numbers, and has {len(numbers):,}")
    return tuple(numbers)


def _cuts(texts: list[Any], problem: TourProblem) -> tuple[tuple[Vertex, ...], ...]:
    if not all(isinstance(text, str) for text in texts):
        raise BadInput("certificate.cuts must be a list of texts")
    return tuple(
        _cells(problem.ground.split_list(text), problem, f"cuts[{i}]") for i, text in enumerate(texts)
    )


def _literals(body: dict[str, Any], key: str) -> tuple[tuple[int, ...], ...]:
    def literal(value: object) -> bool:
        return type(value) is int and value != 0 and abs(value) < _LARGEST_LITERAL

    found = _value(body, key)
    for number, clause in enumerate(found):
        if not (isinstance(clause, list) and all(map(literal, clause))):
            raise BadInput(f"certificate.{key}[{number}] must be a list of nonzero integers")
    return tuple(tuple(clause) for clause in found)


def _removal(text: str, problem: TourProblem) -> Removal:
    names = problem.ground.split_list(text)
    outside = OUTSIDE in names[-1:]
    if outside and problem.closed:
        raise BadInput(f"certificate.without: only open tours have a node {OUTSIDE!r}")
    return Removal(_cells(names[: len(names) - outside], problem, "without"), outside)


def _cells(names: list[str], problem: TourProblem, where: str) -> tuple[Vertex, ...]:
    try:
        return tuple(problem.ground.cell(name) for name in names)
    except BadInput as error:
        raise BadInput(f"certificate.{where}: {error}") from None
