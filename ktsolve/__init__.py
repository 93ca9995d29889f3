"""Knight's tours and their puzzles, stated declaratively and answered by engines that check each other.

>>> import ktsolve
>>> ktsolve.count(ktsolve.TourProblem(board="5x6", closed=True)).count
8
>>> ktsolve.find(ktsolve.TourProblem(board="8x8", closed=True, symmetry="rot180")).tour.closes
True

Names are imported when they are first used, so that ``import ktsolve`` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ktsolve import _moved
from ktsolve.ground import drawing

if TYPE_CHECKING:
    from ktsolve.engines.divide.construct import tour_steps
    from ktsolve.engines.interface import Estimate
    from ktsolve.errors import BadInput, KtsolveError, LimitReached, Refused
    from ktsolve.formats.tours import read_tour
    from ktsolve.ground.arrays import steps_fault
    from ktsolve.ground.board import Board
    from ktsolve.ground.symmetry import Symmetry, symmetry_group
    from ktsolve.ground.tour import Fault, Tour
    from ktsolve.model.constraints import Literal
    from ktsolve.model.model import Model
    from ktsolve.problem.obstruction import Obstruction
    from ktsolve.problem.problem import TourProblem
    from ktsolve.problem.swap import SwapPuzzle
    from ktsolve.proof.certificate import Certificate, read_certificate
    from ktsolve.proof.checker import check_certificate
    from ktsolve.proof.maker import prove
    from ktsolve.settings import Settings
    from ktsolve.swap.answer import solve_swap
    from ktsolve.tasks.count import ClassCount, CountAnswer, count
    from ktsolve.tasks.endpoint_classes import count_classes
    from ktsolve.tasks.enumerate import find_all
    from ktsolve.tasks.estimate import estimate
    from ktsolve.tasks.find import Answer, find
    from ktsolve.tasks.instance import load_instance
    from ktsolve.tasks.symmetry_classes import SymmetryClasses, count_up_to_symmetry

__version__ = "0.1.0"

_HOME = {
    "Answer": "tasks.find",
    "BadInput": "errors",
    "Board": "ground.board",
    "Certificate": "proof.certificate",
    "ClassCount": "tasks.count",
    "CountAnswer": "tasks.count",
    "Estimate": "engines.interface",
    "Fault": "ground.tour",
    "KtsolveError": "errors",
    "LimitReached": "errors",
    "Literal": "model.constraints",
    "Model": "model.model",
    "Obstruction": "problem.obstruction",
    "Refused": "errors",
    "Settings": "settings",
    "SwapPuzzle": "problem.swap",
    "Symmetry": "ground.symmetry",
    "SymmetryClasses": "tasks.symmetry_classes",
    "Tour": "ground.tour",
    "TourProblem": "problem.problem",
    "check_certificate": "proof.checker",
    "count": "tasks.count",
    "count_classes": "tasks.endpoint_classes",
    "count_up_to_symmetry": "tasks.symmetry_classes",
    "estimate": "tasks.estimate",
    "find": "tasks.find",
    "find_all": "tasks.enumerate",
    "load_instance": "tasks.instance",
    "prove": "proof.maker",
    "read_certificate": "proof.certificate",
    "read_tour": "formats.tours",
    "solve_swap": "swap.answer",
    "steps_fault": "ground.arrays",
    "symmetry_group": "ground.symmetry",
    "tour_steps": "engines.divide.construct",
}

__all__ = [
    "Answer",
    "BadInput",
    "Board",
    "Certificate",
    "ClassCount",
    "CountAnswer",
    "Estimate",
    "Fault",
    "KtsolveError",
    "LimitReached",
    "Literal",
    "Model",
    "Obstruction",
    "Refused",
    "Settings",
    "SwapPuzzle",
    "Symmetry",
    "SymmetryClasses",
    "Tour",
    "TourProblem",
    "check_certificate",
    "count",
    "count_classes",
    "count_up_to_symmetry",
    "estimate",
    "find",
    "find_all",
    "load_instance",
    "prove",
    "read_certificate",
    "read_tour",
    "solve_swap",
    "steps_fault",
    "symmetry_group",
    "tour_steps",
]

_moved.install()
drawing.register("ktsolve.render.values")


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f"ktsolve.{_HOME[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'ktsolve' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
