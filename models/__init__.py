"""Declarative models, one file each: parameters in, a Model and a decoder out.

A model file defines ``build(parameters)``, where ``parameters`` is the mapping of the instance's
``[parameters]`` table, and returns a :class:`Built`. A user's own model file works the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ktsolve.model.constraints import Assignment
from ktsolve.model.model import Model
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistic import Objective

__all__ = ["Built"]


@dataclass(frozen=True)
class Built:
    """What a model file's ``build`` returns.

    Attributes
    ----------
    model:
        The model.
    decode:
        Turns a solution of the model into what the user asked for: a tour, or anything that prints.
    problem:
        The tour problem behind the model, if it is one; the engines that do not read models use it, and
        ``decode`` then gives tours.
    objective:
        What is to be made least or greatest of that problem's tours.
    """

    model: Model
    decode: Callable[[Assignment], Any]
    problem: TourProblem | None = None
    objective: Objective | None = None
