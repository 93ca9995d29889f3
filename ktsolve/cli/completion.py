"""``ktsolve completion``: a script by which a shell asks ktsolve for commands, options and their values.

The script and the answers are typer's. This file says which values an option or argument may have: names of
the core from their tables, names of wings from the table of wings, and choices from their texts in the help.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.cli import options as opt
from ktsolve.cli.output import emit
from ktsolve.cli.terminal import COMPLETE
from ktsolve.wings import WINGS, load

__all__ = ["answer_shell", "completed", "completion", "model_engines", "words_of"]

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
        raise BadInput(f"shell {shown(shell)} is unknown: use {', '.join(SHELLS)}")
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
    words = _WORDS | {key: partial(_of_wing, words) for wing in WINGS for key, words in wing.words.items()}
    for key in (f"{command} {name}", name):
        if key in words:
            return list(words[key]()), metavar == "LIST"
    for sign in "|", ",":
        parts = metavar.split(sign)
        if len(parts) > 1 and all(re.fullmatch(r"[a-z0-9][\w-]*", part) for part in parts):
            return parts, sign == ","
    return [], False


def _formats_in(text: str) -> Iterator[str]:
    """The names of formats in the help text of ``--format``, and those of graphs if it lists them."""
    from ktsolve.formats.table import formats_of

    if named := re.match(r"(?:Format|Of a graph file): ([\w, ]+)", text):
        yield from re.split(r",\s*", named[1])
    if "graph read" in text:
        yield from (each.name for each in formats_of("graph"))


def _of_wing(words: str | tuple[str, ...]) -> Iterable[str]:
    """The words of a wing: themselves, or what is at their place."""
    found = load(words) if isinstance(words, str) else words
    listed: Iterable[str] = found() if callable(found) else found
    return listed


def _engines() -> Iterable[str]:
    from ktsolve.engines.registry import ENGINES

    return ("auto", *ENGINES)


def model_engines() -> Iterable[str]:
    """Return the engines that solve models, and ``auto``."""
    from ktsolve.engines.registry import MODEL_ENGINES

    return ("auto", *MODEL_ENGINES)


def _non_crossing_engines() -> Iterable[str]:
    from ktsolve.tasks.best import METHODS

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

    return (*THEMES, "auto")


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
