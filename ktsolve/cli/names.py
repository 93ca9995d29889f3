"""``ktsolve list``: the names that options and arguments may have, with a line about each."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from ktsolve.base.errors import BadInput
from ktsolve.base.text import csv_text, shown
from ktsolve.cli import options as opt
from ktsolve.cli.output import emit
from ktsolve.cli.output_format import TABLE
from ktsolve.render.text_table import Column, fitted

__all__ = ["LISTS", "names"]

Entry = Mapping[str, str]


def _first_line(text: str | None) -> str:
    return " ".join(inspect.cleandoc(text or "").partition("\n\n")[0].split()).rstrip(".")


def _engines() -> Iterable[Entry]:
    from ktsolve.engines.registry import ENGINES, engine_named

    for name in ENGINES:
        engine = engine_named(name)
        tasks = ", ".join(engine.capabilities)
        yield {"name": name, "about": _first_line(type(engine).__doc__), "tasks": tasks}


def _instances() -> Iterable[Entry]:
    import tomllib

    from ktsolve.tasks.base_boards import shipped_bases
    from ktsolve.tasks.instance import shipped_instances
    from ktsolve.wings import WINGS, load

    listed = {command: load(place) for wing in WINGS for command, place in wing.instances.items()}
    for command, paths in {"solve": shipped_instances, **listed}.items():
        for path in paths():
            table = tomllib.loads(Path(path).read_text("utf-8"))
            yield {"name": Path(path).stem, "about": str(table.get("title", "")), "command": command}
    for name in shipped_bases():
        yield {"name": name, "about": "Base boards of divide-and-conquer", "command": "base validate"}


def _conditions() -> Iterable[Entry]:
    from ktsolve.problem.conditions import KEYS

    for key, condition in KEYS.values():
        about = key.help.rstrip(".") or _first_line(condition.__doc__)
        option = "" if key.flag is None else f"--{key.flag} {key.metavar}".strip()
        yield {"name": key.name, "about": about, "option": option, "example": key.example}


def _formats() -> Iterable[Entry]:
    from ktsolve.formats.table import FORMATS

    for each in FORMATS:
        suffixes = " ".join(f".{suffix}" for suffix in each.suffixes)
        yield {"name": each.name, "about": each.summary, "of": each.holds, "suffixes": suffixes}


def _statistics() -> Iterable[Entry]:
    from ktsolve.problem.statistics import STATISTICS

    for name, kind in STATISTICS.items():
        yield {"name": name, "about": kind.about}


def _models() -> Iterable[Entry]:
    from ktsolve.tasks.instance import shipped_models

    for name in shipped_models():
        yield {"name": name, "about": _first_line(importlib.import_module(f"ktsolve.models.{name}").__doc__)}


def _graphs() -> Iterable[Entry]:
    from ktsolve.graphs.named_graphs import PREFIX, graph_names, wanted_by

    for name in graph_names():
        yield {"name": PREFIX + name, "about": wanted_by(name)}


def _moves() -> Iterable[Entry]:
    from ktsolve.problem.move_sets import MOVE_SETS

    for name, about in MOVE_SETS.items():
        yield {"name": name, "about": about}


def _rules() -> Iterable[Entry]:
    from ktsolve.engines.walk.rules import RULES

    for name, about in RULES.items():
        yield {"name": name, "about": about}


LISTS: dict[str, tuple[str, Callable[[], Iterable[Entry]]]] = {
    "engines": ("--engine", _engines),
    "instances": ("shipped files of solve, swap and base validate", _instances),
    "conditions": ("options and keys of instance files", _conditions),
    "formats": ("--format, and suffixes of files", _formats),
    "statistics": ("--minimise, --maximise, --least, --most, --of", _statistics),
    "models": ("model = NAME in instance files", _models),
    "graphs": ("graph:NAME in the place of a board", _graphs),
    "moves": ("sets of moves for --by-uses and uses:", _moves),
    "rules": ("--rule of walk", _rules),
}
"""What can be listed: where its names are used, and the function that lists them from their table."""


@opt.takes_output("json", "output", writes=TABLE)
def names(
    what: Annotated[str, typer.Argument(metavar="[WHAT]", help=f"Which names: {', '.join(LISTS)}.")] = "",
    *,
    out: opt.OutputOptions,
) -> int:
    """List engines, instances, conditions, formats, statistics and other names.

    Without an argument it lists what can be listed.

    Examples
    --------
    ktsolve list                   # what can be listed
    ktsolve list engines           # a line about each engine
    ktsolve list formats -o f.csv  # as a table
    """
    if what and what not in LISTS:
        raise BadInput(f"{shown(what)} cannot be listed: use {', '.join(LISTS)}")
    if what:
        entries = list(LISTS[what][1]())
    else:
        entries = [{"name": name, "about": about} for name, (about, _) in LISTS.items()]
    heads = list(entries[0])
    rows = [[entry[head] for head in heads] for entry in entries]
    if out.form.name == "csv":
        emit(csv_text(heads, rows), out.output)
        return 0
    columns = [
        Column(head, text=head != "name", dropped=max(0, place - 1)) for place, head in enumerate(heads)
    ]
    out.emit({"list": what or "lists", "entries": entries}, "\n".join(fitted(columns, rows, out.width)))
    return 0
