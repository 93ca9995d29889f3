"""Declarative models, one file each: parameters in, a Model and a decoder out.

How to write a model (docs/models.md has an example):

1. Write a file with a function ``build(parameters)``; ``parameters`` is the table ``[parameters]`` of an
   instance file.
2. Check the parameters; raise BadInput, naming the key, for a wrong one.
3. Add Booleans and constraints to a :class:`~ktsolve.model.model.Model`.
4. Write a decoder from an assignment to anything that prints.
5. Return :class:`Built`.

A user's model file works in the same way. A file in this folder becomes a shipped model, named like the file;
files whose names begin with an underscore do not. A shipped model also needs an instance file in
``instances/`` and a section in docs/instances.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ktsolve.model.constraints import Assignment
from ktsolve.model.model import Model
from ktsolve.problem.problem import TourProblem
from ktsolve.problem.statistics import TourObjective

__all__ = ["Built"]


@dataclass(frozen=True)
class Built:
    """The result of a model file's ``build``.

    Attributes
    ----------
    model:
        The model.
    decode:
        Converts a solution of the model into the answer: a tour, or any other object that prints.
    problem:
        The tour problem that the model states, if there is one. ``ktsolve solve`` then solves this problem,
        with any engine, and uses the model for exports only.
    objective:
        The statistic of the problem's tours that is to be minimised or maximised, if there is one.
    """

    model: Model
    decode: Callable[[Assignment], Any]
    problem: TourProblem | None = None
    objective: TourObjective | None = None
