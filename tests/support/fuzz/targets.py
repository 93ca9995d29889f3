"""All targets: every reader, with valid inputs to change and what must hold of whatever it accepts."""

from __future__ import annotations

from fuzz import (
    certificate_files,
    command_lines,
    graph_readers,
    instance_files,
    model_readers,
    notations,
    stored_files,
    tour_readers,
)
from fuzz.meaning import targets as meaning
from fuzz.target import Target

__all__ = ["TARGETS", "target_named"]

TARGETS: tuple[Target, ...] = (
    *tour_readers.TARGETS,
    *graph_readers.TARGETS,
    *model_readers.TARGETS,
    *notations.TARGETS,
    *instance_files.TARGETS,
    *certificate_files.TARGETS,
    *stored_files.TARGETS,
    *command_lines.TARGETS,
    *meaning.TARGETS,
)
"""All targets."""


def target_named(name: str) -> Target:
    """The target of that name."""
    return next(each for each in TARGETS if each.name == name)
