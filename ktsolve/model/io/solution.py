"""Models of files and their solutions: names to read, or the output lines of the solver competitions."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10

from ktsolve.base.errors import BadInput
from ktsolve.base.text import separated
from ktsolve.model.constraints import Assignment
from ktsolve.model.model import Model

__all__ = ["ANNOUNCED", "FileSolution", "ReadModel", "check_announced", "competition_lines"]

ANNOUNCED = 100_000
"""Variables that a file may announce without any text for them."""

_WIDTH = 78  # most characters of a line ``v``


@dataclass(frozen=True)
class ReadModel:
    """A model of a file, and the number of its variables: the first Booleans of the model"""

    model: Model
    variables: int


def check_announced(variables: int, text: bytes) -> int:
    """The number of variables of a file, if the text is long enough for that number.

    A variable has a digit or more in the text, except those without a constraint. So a much larger number is
    a mistake, and no memory is spent on it: BadInput.
    """
    if variables > max(ANNOUNCED, 10 * len(text)):
        raise BadInput(
            f"the file states {separated(variables)} variables, and its text of {separated(len(text))} "
            "characters is too short for that number"
        )
    return variables


@dataclass(frozen=True)
class FileSolution:
    r"""An assignment to the variables of a model file.

    The form is the name of the file's format. The assignment has the values of all Booleans of the model.

    >>> from ktsolve.model.io.cnf import read_cnf
    >>> solution = FileSolution(read_cnf("c 1 a\np cnf 2 1\n1 -2 0\n"), "cnf", [True, False])
    >>> print(solution)
    a
    not x2
    >>> solution.lines()
    ['v 1 -2 0']
    """

    read: ReadModel
    form: str
    assignment: Assignment

    @property
    def values(self) -> dict[str, int]:
        """The value of each shown variable of the file, by its name."""
        names, shown = self.read.model.names, {literal.number for literal in self.read.model.shown}
        integers = self.read.model.integers_by_number
        return {
            names[number]: self.assignment[number] if number in integers else bool(self.assignment[number])
            for number in range(self.read.variables)
            if number in shown
        }

    def __str__(self) -> str:
        return "\n".join(
            f"{'' if value else 'not '}{name}" if isinstance(value, bool) else f"{name} = {value}"
            for name, value in self.values.items()
        )

    def lines(self) -> list[str]:
        """Return the lines ``v``: literals of CNF and OPB, digits 0 and 1 of WCNF, lists of XCSP3."""
        if self.form == "xcsp3":
            numbers = " ".join(str(int(value)) for value in self.values.values())
            lists = f"<list> {' '.join(self.values)} </list> <values> {numbers} </values>"
            return [f"v <instantiation> {lists} </instantiation>"]
        values = [bool(value) for value in self.assignment[: self.read.variables]]
        if self.form == "wcnf":
            return [f"v {''.join(str(int(value)) for value in values)}"]
        x = "x" if self.form == "opb" else ""
        words = [f"{'' if value else '-'}{x}{number}" for number, value in enumerate(values, 1)]
        lines = ["v"]
        for word in [*words, "0"] if self.form == "cnf" else words:
            if len(lines[-1]) + 1 + len(word) > _WIDTH:
                lines.append("v")
            lines[-1] += f" {word}"
        return lines


def competition_lines(
    solution: FileSolution | None, *, optimal: bool = False, count: int | None = None
) -> list[str]:
    r"""Return the lines ``s`` (status) and ``v`` (values) of an answer.

    The solution is None if none exists. With the number of solutions, the lines are those of the model
    counting competition, without values.

    >>> from ktsolve.model.io.opb import read_opb
    >>> solution = FileSolution(read_opb("min: 2 x1 ;\n1 x1 1 x2 >= 1 ;"), "opb", [False, True])
    >>> competition_lines(solution, optimal=True)
    ['s OPTIMUM FOUND', 'v -x1 x2']
    >>> competition_lines(None)
    ['s UNSATISFIABLE']
    >>> competition_lines(solution, count=3)
    ['s SATISFIABLE', 'c s type mc', 'c s log10-estimate 0.47712125', 'c s exact arb int 3']
    """
    status = "s UNSATISFIABLE" if solution is None else "s SATISFIABLE"
    if count is not None:
        projected = solution is not None and len(solution.values) < solution.read.variables
        digits = f"{log10(count):.8f}" if count else "-inf"
        kind = "pmc" if projected else "mc"
        return [status, f"c s type {kind}", f"c s log10-estimate {digits}", f"c s exact arb int {count}"]
    values = [] if solution is None else solution.lines()
    return ["s OPTIMUM FOUND" if optimal else status, *values]
