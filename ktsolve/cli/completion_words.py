"""The words that a shell may complete: commands, options and their values, from the commands themselves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ktsolve.wings import WINGS, load

__all__ = ["Node", "Option", "Value", "model_engines", "nodes"]


@dataclass(frozen=True)
class Value:
    """What may follow an option, or stand for an argument.

    Attributes
    ----------
    words:
        The names that it may have. One that ends in ``=`` or ``:`` goes on.
    files:
        Whether it may be the name of a file, ``file``, or of a folder, ``folder``; else empty.
    several:
        Whether it is several of the words, with commas between them.
    """

    words: tuple[str, ...] = ()
    files: str = ""
    several: bool = False


@dataclass(frozen=True)
class Option:
    """An option: its names, what it does in a few words, and its value, None of a flag."""

    names: tuple[str, ...]
    about: str
    value: Value | None


@dataclass(frozen=True)
class Node:
    """A command: its words after ``ktsolve``, its options, argument and, of a group, commands."""

    path: str
    options: tuple[Option, ...]
    argument: Value
    commands: tuple[tuple[str, str], ...]


def nodes(command: Any, path: str = "") -> Iterator[Node]:
    """Yield all commands, the whole first."""
    commands = dict(getattr(command, "commands", {}))
    # "census BOARD" means "census run BOARD".
    taken = [command, *([commands["run"]] if "run" in commands else [])]
    own = [each for one in taken for each in one.params if not getattr(each, "hidden", False)]
    options: dict[str, Option] = {}
    argument = Value()
    for parameter in own:
        if parameter.param_type_name == "argument":
            found = _value(path, parameter.metavar or "", parameter.metavar or "")
            argument = Value((*argument.words, *found.words), argument.files or found.files)
            continue
        name = max(parameter.opts, key=len)
        value = None if parameter.is_flag else _value(path, name, parameter.metavar or "")
        if name == "--format":
            value = Value(_formats_in(parameter.help or ""))
        options[name] = Option((*parameter.opts, *parameter.secondary_opts), _about(parameter.help), value)
    options["--help"] = Option(("-h", "--help"), "Show the help", None)
    listed = tuple((name, _about(each.help)) for name, each in commands.items())
    yield Node(path, tuple(options.values()), argument, listed)
    for name, each in commands.items():
        yield from nodes(each, f"{path} {name}".strip())


def _formats_in(text: str) -> tuple[str, ...]:
    """The names of formats in the help text of ``--format``, and those of graphs if it speaks of them."""
    from ktsolve.formats.table import formats_of

    named = re.match(r"(?:Format|Of a graph file): ([\w, ]+)", text)
    words = [] if named is None else re.split(r",\s*", named[1])
    graphs = [each.name for each in formats_of("graph")] if "graph read" in text else []
    return tuple(dict.fromkeys([*words, *graphs]))


def _about(text: str | None) -> str:
    """The beginning of a text, up to its first stop."""
    return re.split(r"[.:;](?:\s|$)", " ".join((text or "").split()))[0]


def _value(path: str, name: str, metavar: str) -> Value:
    """The value of an option or argument: from the table, or as its name says."""
    words = _WORDS | {key: partial(_listed, words) for wing in WINGS for key, words in wing.words.items()}
    for key in (f"{path} {name}", name):
        if key in words:
            files = "file" if re.match(r"FILE|BOARD|INSTANCE|\[BOARD\]", metavar) else ""
            return Value(tuple(words[key]()), files, several=metavar == "LIST")
    if re.match(r"FILE|LEDGER|PUZZLE|OTHER|GRID|BOARD", metavar):
        return Value(files="file")
    if metavar == "DIR":
        return Value(files="folder")
    for sign in "|", ",":
        parts = metavar.split(sign)
        if len(parts) > 1 and all(re.fullmatch(r"[a-z0-9][\w-]*", part) for part in parts):
            return Value(tuple(parts), several=sign == ",")
    return Value()


def _listed(words: str | tuple[str, ...]) -> Iterable[str]:
    """The words of a wing: themselves, or what is at their place."""
    found = load(words) if isinstance(words, str) else words
    listed: Iterable[str] = found() if callable(found) else found
    return listed


# -- names ---------------------------------------------------------------------------------------------------


def _engines() -> Iterable[str]:
    from ktsolve.engines.registry import ENGINES

    return ("auto", *ENGINES)


def model_engines() -> Iterable[str]:
    """Return the engines that solve models, and ``auto``."""
    from ktsolve.engines.registry import MODEL_ENGINES

    return ("auto", *MODEL_ENGINES)


def _non_crossing_engines() -> Iterable[str]:
    from ktsolve.tasks.non_crossing import METHODS

    return ("auto", *METHODS)


def _solvers() -> Iterable[str]:
    from pysat.solvers import SolverNames

    return sorted(names[0] for name, names in vars(SolverNames).items() if not name.startswith("_"))


def _encodings() -> Iterable[str]:
    from ktsolve.model.cycle_encodings import ENCODINGS

    return ("lazy", *ENCODINGS)


def _formats(*kinds: str) -> Callable[[], Iterable[str]]:
    def names() -> Iterable[str]:
        from ktsolve.formats.table import formats_of

        return dict.fromkeys(form.name for kind in kinds for form in formats_of(kind))

    return names


def _themes() -> Iterable[str]:
    from ktsolve.render.scene.theme import THEMES

    return THEMES


def _layouts() -> Iterable[str]:
    from ktsolve.render.graphs.positions import LAYOUTS

    return LAYOUTS


def _rules() -> Iterable[str]:
    from ktsolve.engines.walk.rules import RULES

    return RULES


def _statistics() -> Iterable[str]:
    from ktsolve.problem.statistics import UNWEIGHTED

    return (name for name in UNWEIGHTED if name != "moves")


def _figures() -> Iterable[str]:
    return (f"squares={shape}" for shape in ("row", "column", "path", "circuit"))


def _move_sets() -> Iterable[str]:
    from ktsolve.problem.move_sets import MOVE_SETS

    return (name.partition("R,C")[0] for name in MOVE_SETS)


def _graphs() -> Iterable[str]:
    from ktsolve.graphs.named_graphs import PREFIX, graph_names

    return (PREFIX + name for name in graph_names())


def _instances() -> Iterable[str]:
    from ktsolve.tasks.instance import shipped_instances

    return (*(Path(each).stem for each in shipped_instances()), *_graphs())


def _lists() -> Iterable[str]:
    from ktsolve.cli.names import LISTS

    return LISTS


def _bases() -> Iterable[str]:
    from ktsolve.tasks.base_boards import shipped_bases

    return shipped_bases()


_WORDS: dict[str, Callable[[], Iterable[str]]] = {
    "--engine": _engines,
    "base make --engine": lambda: tuple(model_engines())[1:],
    "non-crossing --engine": _non_crossing_engines,
    "--solver": _solvers,
    "tour --encoding": _encodings,
    "convert --format": _formats("tour", "graph", "model"),
    "--theme": _themes,
    "draw --theme": lambda: (*_themes(), "auto"),
    "--layout": _layouts,
    "--rule": _rules,
    "--minimise": _statistics,
    "--maximise": _statistics,
    "--least": lambda: (f"{name}=" for name in _statistics()),
    "--most": lambda: (f"{name}=" for name in _statistics()),
    "--exactly": lambda: (f"{name}=" for name in _statistics()),
    "--of": lambda: (*_statistics(), "uses:", "visit:"),
    "--figure": _figures,
    "--by-uses": _move_sets,
    "--color": lambda: ("auto", "always", "never"),
    "BOARD": _graphs,
    "[BOARD]": _graphs,
    "--board": _graphs,
    "FILE|-|BOARD": _graphs,
    "FILE.toml|FILE.cnf|GRAPH": _instances,
    "[WHAT]": _lists,
    "FILE|-|NAME": _bases,
}
"""The names that options and arguments of the core may have; those of one command come first."""
