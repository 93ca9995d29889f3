"""Refuting within limits: the SAT solvers hear neither of time nor of memory, so they run by themselves."""

from __future__ import annotations

import contextlib
import pickle
import subprocess
import sys

from ktsolve.engines.base import Clock, Settings
from ktsolve.engines.sat.lazy import check_solver_name
from ktsolve.engines.sat.patience import STEPPED
from ktsolve.errors import BadInput, LimitReached
from ktsolve.ground.quantities import shown_bytes
from ktsolve.proof.loop import PROVERS, Question, Refuted, refute

__all__ = ["refute_within"]

_UNFINISHED = "the refutation is not complete"


def refute_within(question: Question, settings: Settings, clock: Clock) -> Refuted:
    """Refute, or find a solution, within the time and the memory of the settings.

    Raises
    ------
    LimitReached
        When either runs out.
    BadInput
        For a solver that there is not, or that writes no proofs.
    """
    name = settings.solver or PROVERS[0]
    check_solver_name(name)
    if name not in PROVERS:
        raise BadInput(f"SAT solver {name!r} writes no proof that can be followed: use {', '.join(PROVERS)}")
    if settings.timeout is None and settings.memory is None and name in STEPPED:
        return refute(question, name)
    clock.check(_UNFINISHED)
    child = subprocess.Popen(
        [sys.executable, "-m", "ktsolve.proof.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        # Short of memory a process may end anywhere, and not quietly.
        stderr=None if settings.memory is None else subprocess.DEVNULL,
    )
    assert child.stdin is not None
    try:
        # Not by communicate(), which after a timeout forgets what it has not written yet.
        with contextlib.suppress(BrokenPipeError):
            child.stdin.write(pickle.dumps((question, name, settings.memory)))
        while True:
            try:
                left = clock.left
                out, _ = child.communicate(timeout=0.1 if left is None else min(left, 0.1) + 1e-3)
                break
            except subprocess.TimeoutExpired:
                clock.check(_UNFINISHED)
    finally:
        child.kill()
        child.wait()
    if child.returncode != 0:
        if settings.memory is None:
            raise LimitReached("the SAT solver's process ended by itself")
        raise LimitReached(
            f"the SAT solver stopped at the memory limit of {shown_bytes(settings.memory)}, {_UNFINISHED}"
        )
    found = pickle.loads(out)
    assert isinstance(found, Refuted)
    return found
