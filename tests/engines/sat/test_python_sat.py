"""python-sat: Ctrl-C is handled between steps, and solvers without steps run in a worker process."""

from __future__ import annotations

import _thread
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import pytest
from interrupting import interrupted_calls
from marks import full, quick, slow
from pysat.solvers import SolverNames

import ktsolve
from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Clock, Settings
from ktsolve.base.sat_solvers import offered_solvers
from ktsolve.engines.sat import python_sat
from ktsolve.engines.sat.python_sat import RESUMABLE, decide
from ktsolve.model.clauses import free, suppress_sigint
from ktsolve.model.encode import Encoder
from ktsolve.model.model import Model
from ktsolve.problem.problem import TourProblem
from ktsolve.proof.loop import ClauseProblem, refute_within
from ktsolve.proof.maker import prove
from ktsolve.tasks.find import find, find_all

INTERRUPTED = """
import os, signal, sys, threading, time
from itertools import combinations
from pysat.solvers import Solver
from ktsolve.engines.sat import python_sat

python_sat._STEP = 2000  # so that there are many steps within a quarter of a second
holes = 8
clauses = [[holes * i + j + 1 for j in range(holes)] for i in range(holes + 1)]
clauses += [[-a, -b] for hole in zip(*clauses) for a, b in combinations(hole, 2)]
solver = Solver(name=sys.argv[1], bootstrap_with=clauses)
stops = 0
while True:
    began = time.monotonic()
    try:
        if not stops:
            threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT)).start()
        print(stops, python_sat.decide(solver, sys.argv[1], []))
        break
    except KeyboardInterrupt:
        assert time.monotonic() - began < 3
        stops += 1
"""


@pytest.mark.full
@pytest.mark.parametrize("name", RESUMABLE)
def test_ctrl_c_acts_between_steps_and_the_solver_resumes(name: str) -> None:
    said = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, name], capture_output=True, text=True, check=False, timeout=120
    )
    assert (said.returncode, said.stdout, said.stderr) == (0, "1 False\n", "")


def test_ctrl_c_at_any_moment_leaves_no_thread_that_frees_a_solver() -> None:
    class Solver:
        deletions = 0

        def delete(self) -> None:
            self.deletions += 1

    running = _thread._count()  # with those that `threading` does not know
    assert interrupted_calls(lambda: free(Solver()), 3000, 2e-4) > 0
    while _thread._count() > running:  # one that hangs does for ever; one that just begins may not count yet
        time.sleep(0.01)
    free(last := Solver())
    assert last.deletions == 1


def test_python_sat_takes_the_main_thread_for_another_thread() -> None:
    from pysat import card, solvers

    assert solvers.MainThread.check()
    with suppress_sigint():
        assert not solvers.MainThread.check()
        assert not card.MainThread.check()
    assert solvers.MainThread.check()
    assert card.MainThread.check()
    with pytest.raises(ZeroDivisionError), suppress_sigint():
        _ = 1 / 0
    assert solvers.MainThread.check()


def test_all_calls_of_python_sat_suppress_sigint(monkeypatch: pytest.MonkeyPatch) -> None:
    """One tour, several and all, refutations, and cardinalities stated for it."""
    from pysat import card, solvers

    calls: list[bool] = []

    def watch(owner: Any, name: str, module: Any) -> None:
        before = getattr(owner, name)

        def watched(*args: Any, **options: Any) -> Any:
            calls.append(module.MainThread.check())
            return before(*args, **options)

        monkeypatch.setattr(owner, name, watched)

    watch(solvers.Solver, "solve", solvers)
    watch(solvers.Solver, "solve_limited", solvers)
    watch(card.CardEnc, "atleast", card)

    def made() -> int:
        number = len(calls)
        assert not any(calls)
        calls.clear()
        return number

    problem = TourProblem(board="5x6", closed=True)
    assert find(problem, "sat").tour is not None
    assert made()
    assert len(list(find_all(problem, "sat", None, 3))) == 3
    assert made()
    assert len(list(find_all(problem, "sat"))) == 8
    assert made()
    assert prove(TourProblem(board="4x5", closed=True), argument="clauses") is not None
    assert made()
    model = Model("half of many")
    model.at_least(10, [model.boolean(str(number)) for number in range(20)])
    encoder = Encoder(model)
    for constraint in model.constraints:
        encoder.add(constraint)
    assert made() == 1


@pytest.mark.parametrize("name", [full("minisat22"), "lingeling"])
def test_other_solvers_run_in_a_worker_process(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from pysat import solvers

    def here(*_: Any, **__: Any) -> None:
        raise AssertionError("a long call within this process")

    monkeypatch.setattr(solvers.Solver, "solve", here)
    assert find(TourProblem(board="5x6", closed=True), "sat", Settings(solver=name)).tour is not None


def test_steps_change_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    from pysat.solvers import Solver

    monkeypatch.setattr(python_sat, "_STEP", 100)
    holes = 7
    clauses = [[holes * i + j + 1 for j in range(holes)] for i in range(holes + 1)]
    clauses += [[-a, -b] for hole in zip(*clauses, strict=True) for a, b in combinations(hole, 2)]
    for name in (*RESUMABLE, "glucose4"):
        with Solver(name=name, bootstrap_with=clauses) as solver:
            assert not decide(solver, name, [])
        with Solver(name=name, bootstrap_with=clauses[1:]) as solver:
            assert decide(solver, name, [])
            assert not decide(solver, name, clauses[0][:1] + clauses[1][:1])


@pytest.mark.full
def test_a_long_job_reaches_a_worker_that_is_slow_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    start = subprocess.Popen

    def slowly(command: list[str], **how: Any) -> subprocess.Popen[bytes]:
        return start([*command[:-1], f"import time; time.sleep(1); {command[-1]}"], **how)

    monkeypatch.setattr(subprocess, "Popen", slowly)
    variables = range(1, 20_001)
    clauses = [*([a, -b] for a, b in pairwise(variables)), [20_000], [-1]]
    assert len(pickle.dumps(clauses)) > 1 << 17  # a pipe holds half of that
    refuted = refute_within(ClauseProblem(clauses), Settings(timeout=60), Clock(60))
    assert refuted.lemmas[-1] == ()
    problem = TourProblem(board="30x30", closed=True, require=["a1-b3"])
    assert find(problem, "sat", Settings(memory=2 << 30)).tour is not None


# -- every name of python-sat -----------------------------------------------------------------------------

SMALL = TourProblem(board="5x6", closed=True)


def a_model() -> Model:
    model = Model("at least two of three")
    x = model.booleans("abc")
    model.at_least(2, x)
    model.minimise({x[0]: 3, x[1]: 1, x[2]: 2})
    return model


def asked_again(settings: Settings) -> tuple[bool, int, bool]:
    with ktsolve.Solver(model := a_model(), settings) as solver:
        a, b, c = model.shown
        refuted = solver.solve([~a, ~b])
        return refuted.found, len(refuted.core), bool(solver.solve([~a])[c])


TASKS_BY_SAT: dict[str, tuple[Callable[[Settings], Any], Any]] = {
    "tour": (lambda settings: find(SMALL, "sat", settings).tour is not None, True),
    "open tour": (lambda settings: find(SMALL.replace(closed=False), "sat", settings).found, True),
    "steps": (lambda settings: find("5x5", "sat", settings, closed=False, at={13: "c3"}).found, True),
    "list": (lambda settings: len(list(find_all(SMALL, "sat", settings, 3))), 3),
    "count": (lambda settings: ktsolve.count(SMALL, "sat", settings).count, 8),
    "solve": (lambda settings: ktsolve.solve(a_model(), "sat", settings).value, 3),
    "solutions": (lambda settings: len(list(ktsolve.solutions(a_model(), "sat", settings))), 4),
    "solver": (asked_again, (False, 2, True)),
    "prove": (
        lambda settings: type(prove(SMALL.replace(board="4x5"), settings, argument="clauses")).__name__,
        "Certificate",
    ),
}


@pytest.mark.parametrize(
    "task", [task if task in ("tour", "solve", "solver", "prove") else slow(task) for task in TASKS_BY_SAT]
)
@pytest.mark.parametrize(
    "name",
    quick(
        (name for name in vars(SolverNames) if not name.startswith("_")),
        lambda name: name in ("cryptosat", "kissat404"),
        lambda number: number % 3 == 0,
    ),
)
def test_a_solver_does_what_it_is_offered_for_or_is_refused(name: str, task: str) -> None:
    answered, expected = TASKS_BY_SAT[task]
    for spelling in {name, getattr(SolverNames, name)[-1] if task == "solve" else name}:
        try:
            assert answered(Settings(solver=spelling)) == expected
        except BadInput as refusal:
            said, _, instead = str(refusal).partition(": use ")
            assert said.startswith("SAT solver ")
            assert {name, *getattr(SolverNames, name)} & set(said.replace("'", " ").split())
            assert name not in instead.split(", ")
            assert spelling not in instead.split(", ")
            assert task in ("solve", "prove") or spelling not in offered_solvers()


def test_what_is_offered_is_taken_and_its_short_names_too() -> None:
    for name in offered_solvers():
        assert ktsolve.Solver(a_model(), Settings(solver=name)).solve().found
        # The alarm of MapleCM ends the program, whatever it does by then.
        assert not hasattr(signal, "getitimer") or signal.getitimer(signal.ITIMER_REAL) == (0, 0), name
    assert asked_again(Settings(solver="cd15")) == (False, 2, True)
    assert {"cryptosat", "kissat404", "maplechrono", "maplecm", "minisatgh"}.isdisjoint(offered_solvers())
    with pytest.raises(BadInput, match="maplecm sets an alarm of the system, which ends the program 2,500 s"):
        Settings(solver="maplecm")
    with pytest.raises(BadInput, match="SAT solver 'turbo' is unknown: use cadical103, ") as refused:
        Settings(solver="turbo")
    assert "crypto" not in str(refused.value)
