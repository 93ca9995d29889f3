"""ktsolve as a solver of CPMpy, under the name ``ktsolve``, and exact counts of its models."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Settings
from ktsolve.engines.registry import MODEL_ENGINES
from ktsolve.model.io.cpmpy import CpmpyReader
from ktsolve.model.model import Model
from ktsolve.tasks.count import count as count_model
from ktsolve.tasks.solve import solutions, solve

try:
    from cpmpy.exceptions import NotSupportedError
    from cpmpy.solvers.solver_interface import ExitStatus, SolverInterface, SolverStatus
    from cpmpy.solvers.utils import SolverLookup
    from cpmpy.transformations.get_variables import get_variables
except ImportError:
    raise ImportError("CPMpy is not installed: pip install 'ktsolve[cpmpy]'") from None

__all__ = ["CPM_ktsolve", "count", "register"]

_OPTIONS = ("threads", "seed", "memory", "solver", "encoding")
"""The fields of :class:`ktsolve.Settings` that calls take, beside ``time_limit``."""


def register() -> None:
    """Make ``solver="ktsolve"``, ``"ktsolve:sat"`` and ``"ktsolve:cpsat"`` work in CPMpy.

    It may be called again.

    Examples
    --------
    >>> import cpmpy as cp
    >>> register()
    >>> queens = cp.intvar(0, 5, shape=6)
    >>> differences = [[queens[i] + step * i for i in range(6)] for step in (-1, 0, 1)]
    >>> model = cp.Model([cp.AllDifferent(row) for row in differences])
    >>> model.solve(solver="ktsolve"), model.solveAll(solver="ktsolve:sat")
    (True, 4)
    """
    known = SolverLookup.base_solvers()
    if not any(name == "ktsolve" for name, _ in known):
        SolverLookup.base_solvers = classmethod(lambda _cls: [*known, ("ktsolve", CPM_ktsolve)])


def count(model: Any, settings: Settings | None = None) -> int:
    """The number of solutions of a model of CPMpy, exactly, part by part if it falls into parts.

    Parameters
    ----------
    model:
        The model. Its objective is ignored.
    settings:
        Limits and threads; the defaults if None.

    Returns
    -------
    int
        The number of values of its variables that satisfy it.

    Raises
    ------
    NotSupportedError
        If ktsolve has nothing for one of its constraints.
    LimitReached
        If time or memory ran out first.

    Examples
    --------
    >>> import cpmpy as cp
    >>> x = cp.intvar(1, 12, shape=(6, 2))
    >>> count(cp.Model(x[:, 0] != x[:, 1])) == (12 * 11) ** 6
    True
    """
    return CPM_ktsolve(model).count(settings)


class CPM_ktsolve(SolverInterface):  # noqa: N801 (as CPMpy names its solvers)
    """A model of CPMpy on its way to the engines of ktsolve.

    Parameters
    ----------
    cpm_model:
        The model; constraints may be added later.
    subsolver:
        The engine: ``sat``, ``cpsat``, or ``auto`` by default.
    """

    def __init__(self, cpm_model: Any = None, subsolver: str | None = None) -> None:
        engine = (subsolver or "auto").removeprefix("ktsolve:")
        if engine not in (*self.solvernames(), "auto"):
            raise ValueError(
                f"ktsolve has no engine {engine!r} for models: use {', '.join(self.solvernames())}"
            )
        self._engine, self._model = engine, Model("model of CPMpy")
        self._reader = CpmpyReader(self._model)
        self._core: list[Any] = []
        super().__init__(name="ktsolve", cpm_model=cpm_model)

    @staticmethod
    def supported() -> bool:
        """Whether the solver is installed.

        Returns
        -------
        bool
            True.
        """
        return True

    @classmethod
    def version(cls) -> str:
        """The version of ktsolve.

        Returns
        -------
        str
            The version.
        """
        from ktsolve import __version__

        return __version__

    @staticmethod
    def solvernames(installed: bool = True) -> list[str]:
        """The engines for models.

        Parameters
        ----------
        installed:
            All are.

        Returns
        -------
        list of str
            Their names.
        """
        return list(MODEL_ENGINES)

    @property
    def native_model(self) -> Model:
        """The model of ktsolve."""
        return self._model

    def solver_var(self, cpm_var: Any) -> Any:
        """The variable of ktsolve for one of CPMpy.

        Parameters
        ----------
        cpm_var:
            A variable, the negation of a Boolean, or a number.

        Returns
        -------
        Literal, Integer or int
            The variable; a number as it is.
        """
        if isinstance(cpm_var, int):
            return cpm_var
        inner = getattr(cpm_var, "_bv", None)
        return self._reader.variable(cpm_var) if inner is None else ~self._reader.variable(inner)

    def add(self, cpm_expr: Any) -> CPM_ktsolve:
        """Add constraints.

        Parameters
        ----------
        cpm_expr:
            An expression of CPMpy, or a list of them, nested as they like.

        Returns
        -------
        CPM_ktsolve
            This solver.

        Raises
        ------
        NotSupportedError
            If ktsolve has nothing for one of them.
        """
        with self._supported(cpm_expr):
            self._reader.constraint(cpm_expr)
        return self

    __add__ = add

    def objective(self, expr: Any, minimize: bool) -> None:
        """State the objective, in place of the one before.

        Parameters
        ----------
        expr:
            An expression of CPMpy.
        minimize:
            Whether its least value is wanted.
        """
        with self._supported(expr):
            self._reader.objective(expr, minimise=minimize)

    def has_objective(self) -> bool:
        """Whether an objective is stated.

        Returns
        -------
        bool
            Whether it is.
        """
        return self._model.objective is not None

    def solve(
        self,
        time_limit: float | None = None,
        assumptions: Iterable[Any] | None = None,
        display: Any = None,
        **kwargs: Any,
    ) -> bool:
        """Find a solution, or the best one. It is checked against every constraint.

        Parameters
        ----------
        time_limit:
            Seconds.
        assumptions:
            Booleans or their negations that the solution makes true; :meth:`get_core` has those in conflict.
        display:
            What to print of the solution, or a function to call: once, for the solution that is returned.
        **kwargs:
            Fields of :class:`ktsolve.Settings`, such as ``seed`` or ``threads``.

        Returns
        -------
        bool
            Whether a solution was found; :meth:`status` says whether it is proved best, or that none exists.
        """
        given = {self.solver_var(each): each for each in assumptions or ()}
        self._core = []
        with self._timed(time_limit, kwargs) as settings:
            try:
                answer = solve(self._shown(), self._engine, settings, assumptions=given)
            except LimitReached:
                return self._ended(ExitStatus.UNKNOWN)
            if not answer.found:
                self._core = [given[each] for each in answer.core]
                return self._ended(ExitStatus.UNSATISFIABLE)
            self._put(answer)
            self.objective_value_ = answer.value
            self._ended(ExitStatus.OPTIMAL if answer.optimal else ExitStatus.FEASIBLE)
            self.print_display(display)
            return True

    def solveAll(  # noqa: N802 (as CPMpy names it)
        self,
        display: Any = None,
        time_limit: float | None = None,
        solution_limit: int | None = None,
        call_from_model: bool = False,
        **kwargs: Any,
    ) -> int:
        """List all solutions.

        Parameters
        ----------
        display:
            What to print of each solution, or a function to call.
        time_limit:
            Seconds.
        solution_limit:
            The largest number of solutions.
        call_from_model:
            Whether a model calls; it makes no difference, as no constraint is added.
        **kwargs:
            Fields of :class:`ktsolve.Settings`.

        Returns
        -------
        int
            The number of solutions; :meth:`status` says whether these are all.

        Raises
        ------
        NotSupportedError
            If an objective is stated.
        """
        if self.has_objective():
            raise NotSupportedError("ktsolve lists the solutions of a model without an objective")
        found, status = 0, ExitStatus.OPTIMAL
        with self._timed(time_limit, kwargs) as settings:
            try:
                for found, each in enumerate(solutions(self._shown(), self._engine, settings), 1):
                    self._put(each)
                    self.print_display(display)
                    if found == solution_limit:
                        status = ExitStatus.FEASIBLE
                        break
            except LimitReached:
                status = ExitStatus.FEASIBLE if found else ExitStatus.UNKNOWN
            if not found and status is ExitStatus.OPTIMAL:
                status = ExitStatus.UNSATISFIABLE
            self._ended(status, keep=bool(found))
        return found

    def count(self, settings: Settings | None = None) -> int:
        """The number of solutions, exactly.

        Parameters
        ----------
        settings:
            Limits and threads; the defaults if None.

        Returns
        -------
        int
            The number of values of the variables that satisfy all constraints; the objective is ignored.

        Raises
        ------
        LimitReached
            If time or memory ran out first.
        """
        return count_model(self._shown(), settings=settings).count

    def solution_hint(self, cpm_vars: Sequence[Any], vals: Sequence[int]) -> None:
        """Values at which to begin the search.

        Parameters
        ----------
        cpm_vars:
            Variables.
        vals:
            A value for each.
        """
        self._model.suggest(dict(zip(self.solver_vars(cpm_vars), vals, strict=True)))

    def get_core(self) -> list[Any]:
        """The assumptions of the last :meth:`solve` that no solution satisfies together.

        Returns
        -------
        list
            Booleans of CPMpy, or negations.
        """
        return self._core

    @contextmanager
    def _supported(self, given: Any) -> Iterator[None]:
        get_variables(given, self.user_vars)
        try:
            yield
        except BadInput as error:
            raise NotSupportedError(str(error)) from None

    @contextmanager
    def _timed(self, time_limit: float | None, more: dict[str, Any]) -> Iterator[Settings]:
        if time_limit is not None and time_limit <= 0:
            raise ValueError("Time limit must be positive")
        self.cpm_status, self.objective_value_ = SolverStatus(self.name), None
        if wrong := [name for name in more if name not in _OPTIONS]:
            known = ", ".join(("time_limit", *_OPTIONS))
            raise NotSupportedError(f"ktsolve has no option {wrong[0]}: use {known}")
        started = time.monotonic()
        yield Settings(timeout=time_limit, **more)
        self.cpm_status.solve_time = time.monotonic() - started

    def _shown(self) -> Model:
        """The model, whose shown variables are those of the user: all of them, also without constraints."""
        self._model.show([self._reader.variable(each) for each in self.user_vars])
        return self._model

    def _put(self, answer: Any) -> None:
        for each in self.user_vars:
            each._value = answer[self._reader.variable(each)]

    def _ended(self, status: Any, *, keep: bool = False) -> bool:
        self.cpm_status.exitstatus = status
        has_solution = keep or self._solve_return(self.cpm_status)
        if not has_solution:
            for each in self.user_vars:
                each.clear()
        return has_solution
