"""Names that options and arguments may have: ``ktsolve list``, and completion in a shell.

The script by which a shell asks for completions, and the form of the answers, are typer's. The values are
those of the tables here and of the table of wings, and choices that a help text lists.
"""

from __future__ import annotations

import importlib
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from ktsolve.base.text import csv_text, first_paragraph, unknown
from ktsolve.cli import options as opt
from ktsolve.cli.output import COLOURS, COMPLETE, emit
from ktsolve.cli.output_format import TABLE
from ktsolve.engines.registry import ENGINES, MODEL_ENGINES, engine_named
from ktsolve.formats.table import FORMATS, formats_of
from ktsolve.graphs.named_graphs import PREFIX, graph_names, wanted_by
from ktsolve.graphs.notation import LEAPERS
from ktsolve.graphs.properties import COLUMNS, COUNTS
from ktsolve.model.cycle_encodings import ENCODINGS
from ktsolve.problem.conditions import KEYS
from ktsolve.problem.move_sets import MOVE_SETS
from ktsolve.problem.statistics import STATISTICS, UNWEIGHTED
from ktsolve.render.text_table import Column
from ktsolve.wings import WINGS, load

Entry = Mapping[str, str]


def _described(pairs: Iterable[tuple[str, str]]) -> Iterator[Entry]:
    return ({"name": name, "about": about} for name, about in pairs)


def _engines() -> Iterator[Entry]:
    for name in ENGINES:
        engine = engine_named(name)
        tasks = ", ".join(engine.capabilities)
        yield {"name": name, "about": first_paragraph(type(engine).__doc__), "tasks": tasks}


def _instances() -> Iterator[Entry]:
    wings = {command: place for wing in WINGS for command, place in wing.instances.items()}
    for command, place in {"solve": "ktsolve.tasks.instance:shipped_instances", **wings}.items():
        for path in load(place)():
            table = tomllib.loads(Path(path).read_text("utf-8"))
            yield {"name": Path(path).stem, "about": str(table.get("title", "")), "command": command}
    for name in load("ktsolve.tasks.base_boards:shipped_bases")():
        yield {"name": name, "about": "Base boards of divide-and-conquer", "command": "base validate"}


def _conditions() -> Iterator[Entry]:
    for key, condition in KEYS.values():
        about = key.help.rstrip(".") or first_paragraph(condition.__doc__)
        option = "" if key.flag is None else f"--{key.flag} {key.metavar}".strip()
        yield {"name": key.name, "about": about, "option": option, "example": key.example}


def _formats() -> Iterator[Entry]:
    for each in FORMATS:
        suffixes = " ".join(f".{suffix}" for suffix in each.suffixes)
        yield {"name": each.name, "about": each.summary, "of": each.holds, "suffixes": suffixes}


def _models() -> Iterator[Entry]:
    for name in load("ktsolve.tasks.instance:shipped_models")():
        about = first_paragraph(importlib.import_module(f"ktsolve.models.{name}").__doc__)
        yield {"name": name, "about": about}


_RULES = "ktsolve.engines.walk.rules:RULES"

LISTS: dict[str, tuple[str, Callable[[], Iterable[Entry]]]] = {
    "engines": ("--engine", _engines),
    "instances": ("shipped files of solve, swap and base validate", _instances),
    "conditions": ("options and keys of instance files", _conditions),
    "formats": ("--format, and suffixes of files", _formats),
    "statistics": (
        "--minimise, --maximise, --least, --most, --of",
        lambda: _described((name, kind.about) for name, kind in STATISTICS.items()),
    ),
    "models": ("model = NAME in instance files", _models),
    "graphs": (
        "graph:NAME in the place of a board",
        lambda: _described((PREFIX + name, wanted_by(name)) for name in graph_names()),
    ),
    "moves": ("sets of moves for --by-uses and uses:", lambda: _described(MOVE_SETS.items())),
    "rules": ("--rule of walk", lambda: _described(load(_RULES).items())),
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
        raise unknown("list", what, LISTS)
    found = LISTS[what][1]() if what else _described((name, about) for name, (about, _) in LISTS.items())
    entries = list(found)
    heads = list(entries[0])
    rows = [[entry[head] for head in heads] for entry in entries]
    if out.form.name == "csv":
        emit(csv_text(heads, rows), out.output)
        return 0
    columns = [Column("name"), Column("about", text=True, wraps=True)]
    columns += [Column(head, dropped=place) for place, head in enumerate(heads[2:], 1)]
    out.emit({"list": what or "lists", "entries": entries}, out.table(columns, rows))
    return 0


# -- completion ----------------------------------------------------------------------------------------------

SHELLS = ("bash", "zsh", "fish", "powershell")


def completion(
    shell: Annotated[str, typer.Argument(metavar="|".join(SHELLS), help="The shell.")],
    output: opt.OutputOption = None,
) -> int:
    """Print a script that completes commands, options and their values in a shell.

    Write it where the shell looks for completions. For bash that is
    ~/.local/share/bash-completion/completions/ktsolve, for fish ~/.config/fish/completions/ktsolve.fish, for
    zsh a file _ktsolve in a folder of $fpath.

    Examples
    --------
    ktsolve completion bash -o ktsolve.sh     # to source in ~/.bashrc
    ktsolve completion zsh -o _ktsolve        # to move into a folder of $fpath
    ktsolve completion fish -o ktsolve.fish   # to move into its folder
    """
    from typer._completion_shared import get_completion_script

    if shell not in SHELLS:
        raise unknown("shell", shell, SHELLS)
    script = get_completion_script(prog_name="ktsolve", complete_var=COMPLETE, shell=shell)
    emit(script + "\n", output)
    return 0


def answer_shell(command: Any) -> int:
    """Print the completions that a shell asks for by :data:`COMPLETE`, and return the exit status."""
    from typer._completion_classes import completion_init
    from typer.completion import shell_complete

    completion_init()
    return shell_complete(command, {}, "ktsolve", COMPLETE, os.environ[COMPLETE])


@dataclass(frozen=True)
class Completion:
    """One completion, as typer writes it."""

    value: str
    help: str | None = None
    type: str = "plain"


def completed(parameter: Any, context: Any, incomplete: str) -> list[Completion]:
    """Return the values of an option or argument that begin with a text; after a comma, those of a list."""
    words, several = words_of(parameter, context.command_path.partition(" ")[2])
    before, comma, last = incomplete.rpartition(",") if several else ("", "", incomplete)
    return [Completion(before + comma + word) for word in words if word.startswith(last)]


def words_of(parameter: Any, command: str) -> tuple[list[str], bool]:
    """Return the values that an option or argument of a command may have, and whether a list may follow."""
    metavar = parameter.metavar or ""
    name = metavar if parameter.param_type_name == "argument" else max(parameter.opts, key=len)
    if name == "--format":
        return list(_formats_in(parameter.help or "")), False
    entries = _WORDS | {key: words for wing in WINGS for key, words in wing.words.items()}
    words = entries.get(f"{command} {name}", entries.get(name))
    if words is not None:
        found: Any = load(words) if isinstance(words, str) else words
        return list(found() if callable(found) else found), metavar == "LIST"
    for sign in "|", ",":
        parts = metavar.split(sign)
        if len(parts) > 1 and all(re.fullmatch(r"[a-z0-9][\w-]*", part) for part in parts):
            return parts, sign == ","
    return [], False


def _formats_in(text: str) -> Iterator[str]:
    """The names of formats in the help text of ``--format``, and those of graphs if it lists them."""
    if named := re.match(r"(?:Format|Of a graph file): ([\w, ]+)", text):
        yield from re.split(r",\s*", named[1])
    if "graph read" in text:
        yield from (each.name for each in formats_of("graph"))


def _instances_and_graphs() -> Iterable[str]:
    paths = load("ktsolve.tasks.instance:shipped_instances")()
    return (*(Path(each).stem for each in paths), *_graphs())


def _graphs() -> Iterable[str]:
    return (PREFIX + name for name in graph_names())  # imports networkx


MODEL_WORDS = ("auto", *MODEL_ENGINES)  # the engines that solve models, and ``auto``

_STATISTICS = tuple(name for name in UNWEIGHTED if name != "moves")
_BOUNDS = tuple(f"{name}=" for name in _STATISTICS)

_WORDS: dict[str, str | tuple[str, ...] | Callable[[], Iterable[str]]] = {
    "--engine": ("auto", *ENGINES),
    "base make --engine": MODEL_ENGINES,
    "longest --engine": lambda: ("auto", *load("ktsolve.tasks.longest:METHODS")[False]),
    "non-crossing --engine": lambda: ("auto", *load("ktsolve.tasks.longest:METHODS")[True]),
    "--solver": "ktsolve.base.sat_solvers:offered_solvers",
    "tour --encoding": ("lazy", *ENCODINGS),
    "--theme": lambda: (*load("ktsolve.render.scene.theme:THEMES"), "auto"),
    "--layout": "ktsolve.render.graphs.positions:LAYOUTS",
    "--rule": _RULES,
    "--leaper": tuple(LEAPERS),
    "--minimise": _STATISTICS,
    "--maximise": _STATISTICS,
    "--least": _BOUNDS,
    "--most": _BOUNDS,
    "--exactly": _BOUNDS,
    "--where": tuple(name for name in COLUMNS if name not in COUNTS),
    "--columns": tuple(COLUMNS),
    "--of": (*_STATISTICS, "uses:", "visit:"),
    "--figure": tuple(f"squares={shape}" for shape in ("row", "column", "path", "circuit")),
    "--by-uses": tuple(name.partition("R,C")[0] for name in MOVE_SETS),
    "--color": COLOURS,
    "BOARD": _graphs,
    "[BOARD]": _graphs,
    "--board": _graphs,
    "FILE|-|BOARD": _graphs,
    "FILE.toml|FILE.cnf|GRAPH": _instances_and_graphs,
    "[WHAT]": tuple(LISTS),
    "FILE|-|NAME": "ktsolve.tasks.base_boards:shipped_bases",
}
"""The names that options and arguments may have; those of one command come first. As in the table of wings, a
text is the place of a list of them, or of a function that lists them."""
