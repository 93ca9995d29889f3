"""The wings: subjects that are complete in one folder each, and the one table that names them.

A wing may use everything below it and no other wing. The command line and the cross-check read this table; no
other file outside a wing names one. The table holds places, ``module:name``, and imports none of them: a
module is imported when something in it is needed. Its classes are named tuples, because every start of
``ktsolve`` makes them, and dataclasses take three times as long.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, NamedTuple

__all__ = ["WINGS", "Command", "Wing", "load", "loaded"]


class Command(NamedTuple):
    """A command: its name, the heading above it in ``ktsolve --help``, and its place.

    The place is the function of the command, or a function ``register`` that adds a group of commands.
    """

    name: str
    heading: str
    place: str


class Wing(NamedTuple):
    """What a wing adds to the core, as places in its modules; its name is that of its folder."""

    name: str
    commands: tuple[Command, ...]
    checks: tuple[str, ...] = ()
    """Functions that yield the jobs of ``ktsolve verify``, given the level."""
    engines: tuple[str, ...] = ()
    """Names of engines that the wing alone has, for the test of the cross-check."""
    readers: tuple[str, ...] = ()
    """Functions that read the subject of a picture: see :data:`ktsolve.render.subjects.Reader`."""
    named_subjects: tuple[str, ...] = ()
    """Functions of the name of a file, or of an instance, and of settings: the subject of the picture, None
    if the name is not one of theirs."""
    drawn_steps: tuple[str, ...] = ()
    """Functions of the name of a model, the parameters of an instance, settings and a number: the subject of
    pictures of at most so many of the steps that solve it, None for a model that is not one of theirs."""
    instances: Mapping[str, str] = {}
    """Functions that list the paths of shipped instances, by the command that takes them."""
    words: Mapping[str, str | tuple[str, ...]] = {}
    """The values of an option or argument, for completion in a shell, or the place of a list of them or of a
    function that lists them. Keys are the name of an option, after the command where commands differ
    (``swap --engine``), or the name of an argument in the help."""


_NUMBERS, _TOURS, _OTHER = "Numbers", "Tours", "Other puzzles and models"
_FILES = "Pictures and files"
_MODEL_ENGINES = "ktsolve.cli.names:MODEL_WORDS"

WINGS = (
    Wing(name="census", commands=(Command("census", _NUMBERS, "ktsolve.wings.census.commands:register"),)),
    Wing(
        name="swap",
        commands=(Command("swap", _OTHER, "ktsolve.wings.swap.commands:swap"),),
        checks=("ktsolve.wings.swap.checks:swap_jobs",),
        engines=("bfs",),
        readers=("ktsolve.wings.swap.instance:read_swap",),
        named_subjects=("ktsolve.wings.swap.instance:named_subject",),
        instances={"swap": "ktsolve.wings.swap.instance:shipped_swap_instances"},
        words={
            "INSTANCE": "ktsolve.wings.swap.instance:shipped_names",
            "swap --engine": "ktsolve.wings.swap.answer:SWAP_ENGINES",
            "swap --most": (),
        },
    ),
    Wing(
        name="sudoku",
        commands=(Command("sudoku", _OTHER, "ktsolve.wings.sudoku.commands:register"),),
        checks=("ktsolve.wings.sudoku.checks:sudoku_jobs",),
        readers=("ktsolve.wings.sudoku.picture:read_sudoku",),
        drawn_steps=("ktsolve.wings.sudoku.hints:drawn_steps",),
        words={
            "--stage": "ktsolve.wings.sudoku.stages:stage_names",
            "sudoku solve --engine": _MODEL_ENGINES,
            "sudoku unique --engine": _MODEL_ENGINES,
        },
    ),
    Wing(
        name="puzzles",
        commands=(
            Command("clues", _TOURS, "ktsolve.wings.puzzles.clue_commands:register"),
            Command("puzzle", _OTHER, "ktsolve.wings.puzzles.commands:register"),
        ),
        checks=("ktsolve.wings.puzzles.checks:clue_jobs",),
        readers=(
            "ktsolve.wings.puzzles.pictures:read_grid_puzzles",
            "ktsolve.wings.puzzles.pictures:read_clue_puzzles",
        ),
        drawn_steps=("ktsolve.wings.puzzles.hints:drawn_steps",),
        words={
            "--kind": "ktsolve.wings.puzzles.kinds:KINDS",
            "KIND": "ktsolve.wings.puzzles.kinds:KINDS",
            "--difficulty": "ktsolve.wings.puzzles.kind:LEVELS",
            "puzzle solve --engine": _MODEL_ENGINES,
            "puzzle unique --engine": _MODEL_ENGINES,
        },
    ),
    Wing(name="studio", commands=(Command("studio", _FILES, "ktsolve.wings.studio.commands:studio"),)),
)
"""The wings, in the order in which ``ktsolve --help`` lists their commands."""


def load(place: str) -> Any:
    """Import and return the object at a place of the table, ``module:name``.

    >>> load("ktsolve.wings.sudoku.bands:count_bands").__name__
    'count_bands'
    """
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def loaded(attribute: str) -> Iterator[Any]:
    """The objects at the places of all wings in an attribute, such as ``checks``, imported.

    >>> len(list(loaded("checks"))) >= 3
    True
    """
    for wing in WINGS:
        yield from map(load, getattr(wing, attribute))
