"""Targets: files of known meaning, a target for each kind of objects.

An input is a line of JSON that says what is meant and how the file is read, and the contents of the file.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence

from fuzz.meaning.graphs import GRAPHS
from fuzz.meaning.grids import PUZZLES, SUDOKUS
from fuzz.meaning.models import MODELS
from fuzz.meaning.tours import GRAPH_TOURS, TOURS
from fuzz.meaning.writers import Kind, Writer, changed
from fuzz.target import Target

__all__ = ["KINDS", "TARGETS", "target_of"]

KINDS: tuple[Kind, ...] = (GRAPHS, TOURS, GRAPH_TOURS, SUDOKUS, PUZZLES, MODELS)
"""All kinds of objects."""


def made(chance: random.Random, kind: Kind, writer: Writer, changes: int, way: str) -> bytes:
    """An input: an object that the writer can write, with some changes."""
    while True:
        written = writer.write(chance, kind.draw(chance))
        if written is not None:
            break
    data, names, packed = changed(chance, kind, writer, written, changes)
    head = {"format": writer.form, "by": writer.by, "changes": names, "way": way, "packed": packed}
    return json.dumps({**head, "meant": written[1]}).encode() + b"\n" + data


def _seeds(kind: Kind) -> Callable[[], list[bytes]]:
    """A file of each writer, without changes."""

    def seeds() -> list[bytes]:
        chance = random.Random(36)
        return [made(chance, kind, writer, 0, kind.ways[0]) for writer in kind.writers if writer.sure]

    return seeds


def _change(kind: Kind) -> Callable[[random.Random, Sequence[bytes]], bytes]:
    def change(chance: random.Random, _: Sequence[bytes]) -> bytes:
        writer, changes = chance.choice(kind.writers), chance.choice((0, 1, 1, 1, 2, 2, 3))
        return made(chance, kind, writer, changes, chance.choice(kind.ways))

    return change


def _read(kind: Kind) -> Callable[[bytes], None]:
    """What a file is read as is what was meant. A refusal is an error of ktsolve, and correct as well."""

    def run(data: bytes) -> None:
        head, _, contents = data.partition(b"\n")
        said = json.loads(head)
        found = kind.read(contents, said["format"], said["way"], said["packed"], said["meant"])
        assert kind.same(found, said["meant"]), (
            f"{said['format']} by {said['by']}: another object was read. "
            f"Changes: {', '.join(said['changes'])}; by {said['way']}; contents {contents[:150]!r}; "
            f"meant {json.dumps(said['meant']):.300}; read {json.dumps(found):.300}"
        )

    return run


def target_of(kind: Kind) -> Target:
    """The target of a kind of objects."""
    return Target(f"meaning-{kind.name}", _seeds(kind), _read(kind), _change(kind), 24)


TARGETS: tuple[Target, ...] = tuple(map(target_of, KINDS))
"""The targets of this file."""
