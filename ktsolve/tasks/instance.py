"""Read instance files: TOML that names a model and gives its parameters and, often, the expected answer.

The format is described in docs/instances.md. Errors name the file, the key, and the values allowed. A graph
in the place of an instance file is the question of a closed tour.
"""

from __future__ import annotations

import contextlib
import difflib
import importlib
import importlib.util
import os
import re
import sys
import tomllib
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import resources
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from ktsolve.base.errors import BadInput, KtsolveError, WrongAnswer
from ktsolve.base.limits import Clock, Settings, takes_settings
from ktsolve.engines.auto import model_solver
from ktsolve.engines.registry import engine_named
from ktsolve.formats.files import EXPANSION, as_text, check_is_text, read_path
from ktsolve.formats.graphs.files import GRAPH_FORMATS, format_of_start, graph_format, graphs_in
from ktsolve.formats.graphs.given import ReadGraph
from ktsolve.formats.models import is_model_file, read_model_file
from ktsolve.formats.table import format_of_suffix, formats_of, uncompressed
from ktsolve.graphs.board import check_cells
from ktsolve.graphs.graph import Graph
from ktsolve.graphs.named_graphs import PREFIX, named_graph
from ktsolve.graphs.notation import parse_size
from ktsolve.graphs.tour import Tour
from ktsolve.model.constraints import Assignment, Literal
from ktsolve.model.io.solution import FileSolution
from ktsolve.model.model import Model
from ktsolve.models import Built
from ktsolve.problem.parameters import MOST_CELLS, check_keys
from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.answer import BaseAnswer, timed
from ktsolve.tasks.best import best
from ktsolve.tasks.cores import Core, unsat_core, unsat_cores
from ktsolve.tasks.count import count
from ktsolve.tasks.count_models import count_solutions
from ktsolve.tasks.explain import find_conflict
from ktsolve.tasks.find import find, find_all
from ktsolve.tasks.solve import solutions, solve
from ktsolve.tasks.steps import Consequence, explain_steps

__all__ = [
    "Expectation",
    "Instance",
    "InstanceAnswer",
    "Wanted",
    "load_instance",
    "solve_instance",
]

_BYTES_PER_CELL = 20_000  # of the model of a board, as Python objects
_NAMED = 20  # most shipped files that a message names


@dataclass(frozen=True)
class Expectation:
    """The answer that an instance file expects."""

    status: str | None = None  # ``found`` or ``impossible``
    count: int | None = None  # number of (undirected) solutions
    value: int | None = None  # value of the best solution, for a model with an objective


@dataclass(frozen=True)
class Instance:
    """A loaded instance file."""

    path: str
    title: str
    source: str
    model_name: str
    built: Built
    expect: Expectation = field(default_factory=Expectation)
    is_model_file: bool = False
    parameters: Mapping[str, Any] = field(default_factory=dict)


def _load_model(name: str, folder: Path) -> Callable[[Mapping[str, Any]], Built]:
    if name.endswith(".py"):
        module = _user_module(name, folder / name)
    elif name in shipped_models():
        module = importlib.import_module(f"ktsolve.models.{name}")
    else:
        raise BadInput(
            f"model {name!r:.40} is unknown: use {', '.join(shipped_models())}, "
            "or the name of a .py file beside the instance"
        )
    build = getattr(module, "build", None)
    if not callable(build):
        raise BadInput(f"model {name} has no function build(parameters)")
    return build  # type: ignore[no-any-return]


class _Uncached(SourceFileLoader):
    """Compiles the file itself: the folder of the user gets no ``__pycache__``."""

    def get_code(self, fullname: str) -> Any:
        """Compile the file."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def _user_module(name: str, path: Path) -> ModuleType:
    if not os.path.isfile(path):
        raise BadInput(f"model: there is no file {name!r:.60} beside the instance")
    module_name = f"ktsolve_user_model_{path.stem}"
    loader = _Uncached(module_name, str(path))
    spec = importlib.util.spec_from_file_location(module_name, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    # Where dataclasses look for the names that annotations use.
    sys.modules[module.__name__] = module
    with users_code(f"model {name}", path):
        loader.exec_module(module)
    return module


@contextlib.contextmanager
def users_code(what: str, file: Path) -> Iterator[None]:
    """Run code of a user's model file, named ``what`` in messages.

    Its exceptions become BadInput with the line of that file, except those of ktsolve, Ctrl-C and
    MemoryError.
    """
    try:
        yield
    except (KtsolveError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        own = os.path.abspath(file)
        text = str(error)
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == own]
        if isinstance(error, SyntaxError) and error.filename == own:
            lines, text = [error.lineno], error.msg
        where = f", line {lines[-1]}" if lines and lines[-1] else ""
        raise BadInput(f"{what}{where}: {type(error).__name__}{': ' if text else ''}{text}") from error


def _well_built(built: object, name: str, file: Path) -> Built:
    """Return the result of ``build``, checked, and with guards around its functions."""
    if not isinstance(built, Built):
        raise BadInput(f"model {name}: build must return a ktsolve.models.Built, not {type(built).__name__}")
    if not isinstance(built.model, Model):
        raise BadInput(f"model {name}: Built.model must be a Model, not {type(built.model).__name__}")
    if not callable(built.decode):
        raise BadInput(f"model {name}: Built.decode must be a function, not {type(built.decode).__name__}")
    if not isinstance(built.problem, TourProblem | None):
        given = type(built.problem).__name__
        raise BadInput(f"model {name}: Built.problem must be a TourProblem, not {given}")
    decode = built.decode

    def guarded(assignment: Assignment) -> Any:
        with users_code(f"{file}: model {name}: decode", file.parent / name):
            return decode(assignment)

    return replace(built, decode=guarded)


def shipped_models() -> list[str]:
    """Names of the models that come with ktsolve, sorted.

    >>> "knight_swap" in shipped_models()
    True
    """
    folder = resources.files("ktsolve.models")
    names = (item.name for item in folder.iterdir())
    return sorted(name[:-3] for name in names if name.endswith(".py") and not name.startswith("_"))


def shipped_instances() -> list[str]:
    """Paths of the instance files that come with ktsolve, sorted."""
    folder = resources.files("ktsolve.instances")
    return sorted(str(item) for item in folder.iterdir() if item.name.endswith(".toml"))


@takes_settings
def load_instance(path: str | Path, settings: Settings | None = None) -> Instance:
    """Load and validate an instance file, and build its model.

    A bare name such as ``closed-6x6`` or ``closed-6x6.toml`` is a shipped instance unless that file exists. A
    name such as ``graph:petersen``, or a file with the suffix of a graph format, is the question of a closed
    tour of this graph, without an expected answer. A file in CNF, WCNF, OPB or FlatZinc is a
    model, and so is standard input, ``-``.

    Parameters
    ----------
    path:
        The file, or one of these names.
    settings:
        Whose memory limit holds for the file, and for the model of the board that it states.

    Returns
    -------
    Instance
        The parameters, the built model and the expected answer.

    Raises
    ------
    BadInput
        If the file cannot be read or is not a valid instance; the message names file and key.
    OutOfMemory
        If the file, or the model of its board, takes more memory than there may be.

    Examples
    --------
    >>> load_instance("closed-6x6").expect.count
    9862
    >>> str(load_instance("graph:petersen").built.problem)
    'closed graph of 10 vertices and 15 edges'
    """
    settings = Settings.of(settings)
    if str(path) == "-" or is_model_file(str(path)):
        return _from_model_file(str(path), settings)
    if str(path).startswith(PREFIX) or format_of_suffix(uncompressed(str(path)), GRAPH_FORMATS):
        return _from_graph(str(path), settings)
    file, table = read_instance(str(path), shipped_instances(), settings)
    try:
        return _from_table(table, file, settings)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None


def read_instance(path: str, shipped: Sequence[str], settings: Settings) -> tuple[Path, dict[str, Any]]:
    """Read a TOML file: that of the path, else the shipped one if the path is its bare name.

    Raises BadInput if it cannot be read, or is not TOML, with the name of the file as it was given;
    OutOfMemory if reading takes more memory than the settings allow.
    """
    file, bare = Path(path), Path(path).name == path
    if bare and not os.path.exists(file):
        file = {Path(p).stem: Path(p) for p in shipped}.get(path.removesuffix(".toml"), file)
    try:
        return file, tomllib.loads(_text_of(file, path, settings, f"{path}: not TOML: not text"))
    except BadInput:
        raise
    except OSError as error:
        missing = bare and isinstance(error, FileNotFoundError)
        hint = f"; shipped instances are {_some_names(path, shipped)}" if missing else ""
        raise BadInput(f"{path}: cannot be read: {error.strerror}{hint}") from None
    except tomllib.TOMLDecodeError as error:
        raise BadInput(f"{path}: {_not_toml(path, str(error))}") from None
    except ValueError as error:  # a NUL in the path, or a number of too many digits
        why = f"cannot be read: {error}" if "\0" in path else "not TOML: it has a number of too many digits"
        raise BadInput(f"{path}: {why}") from None
    except RecursionError:
        raise BadInput(f"{path}: not TOML: nested too deeply") from None


def _not_toml(path: str, fault: str) -> str:
    """What a file is not; with another suffix than .toml, also what would be right."""
    if Path(path).suffix in ("", ".toml"):
        return f"not TOML: {fault}"
    form = format_of_suffix(path, formats_of("model"))
    if form is not None and not form.can("read"):
        return (
            f"{form.name} is written, not read: give an instance (.toml) or a model (.cnf, .wcnf, .opb, .fzn)"
        )
    others = "ktsolve check reads tours, and ktsolve puzzle solve puzzles"
    return f"not an instance (.toml), nor a model or a graph by its suffix: {others}"


def _some_names(path: str, shipped: Sequence[str]) -> str:
    """Names of shipped files, those most similar to ``path`` if there are too many for a line."""
    names = [Path(each).stem for each in shipped]
    if len(names) <= _NAMED:
        return ", ".join(names)
    close = difflib.get_close_matches(Path(path).stem, names, _NAMED // 2, 0.3) or names[: _NAMED // 2]
    return f"{', '.join(sorted(close))} and {len(names) - len(close)} others"


def _from_table(table: Mapping[str, Any], file: Path, settings: Settings) -> Instance:
    check_keys(table, {"model": str, "title": str, "source": str, "parameters": dict, "expect": dict}, "")
    if "model" not in table:
        known = " or ".join(shipped_models())
        raise BadInput(f"model is missing: write the name of a model, {known}, or of a .py file")
    if "parameters" not in table:
        raise BadInput("parameters is missing: write a table [parameters]")
    expect = _expectation(table.get("expect", {}))
    name = table["model"]
    build = _load_model(name, file.parent)
    if name.endswith(".py"):
        with users_code(f"model {name}: build", file.parent / name):
            built = build(table["parameters"])
        built = _well_built(built, name, file)
    else:
        parameters = _with_graph(table["parameters"], file.parent, settings)
        check_cells(_cells_of(parameters), _BYTES_PER_CELL, settings)
        built = build(parameters)
    title, source = table.get("title", file.stem), table.get("source", "")
    made = Instance(str(file), title, source, model_name=name, built=built, expect=expect)
    return replace(made, parameters=table["parameters"])


def _cells_of(parameters: Mapping[str, Any]) -> int:
    """The cells of the rectangle that parameters state; 0 where they state none, or a graph."""
    drawn = [parameters[key] for key in ("shape", "clues") if isinstance(parameters.get(key), str)]
    if drawn:
        return len(re.findall(r"\.|\d+", drawn[0]))
    size = parameters.get("board")
    try:
        rows, columns = parse_size(size) if isinstance(size, str) else (0, 0)
    except BadInput:  # of which the model gives the key
        return 0
    return rows * columns if rows * columns <= MOST_CELLS else 0  # more are refused by their key


def _from_model_file(path: str, settings: Settings) -> Instance:
    read, form = read_model_file(path, settings)
    built = Built(model=read.model, decode=partial(FileSolution, read, form.name))
    return Instance(path, Path(path).name, "", form.name, built, is_model_file=True)


def _from_graph(path: str, settings: Settings) -> Instance:
    try:
        parameters = _on_graph({"closed": True}, _graph(path, Path(), settings))
        return Instance(path, path, "", "tour", _load_model("tour", Path())(parameters))
    except BadInput as error:
        text = str(error).removeprefix(f"{Path(path).name}: ")
        raise BadInput(text if path.startswith(PREFIX) else f"{path}: {text}") from None


def _with_graph(parameters: Mapping[str, Any], folder: Path, settings: Settings) -> Mapping[str, Any]:
    """The parameters with the graph of the key ``graph`` as their board.

    The key is the name of a file beside the instance, a name after ``graph:``, the text of a file in several
    lines, or a list of edges. Edges that the file requires join ``require``.
    """
    if "graph" not in parameters:
        return parameters
    if "board" in parameters:
        raise BadInput("parameters.graph and parameters.board are both given: write one of them")
    others = {key: value for key, value in parameters.items() if key != "graph"}
    try:
        read = _graph(parameters["graph"], folder, settings)
    except BadInput as error:
        raise BadInput(f"parameters.graph: {error}") from None
    return _on_graph(others, read)


def _on_graph(parameters: Mapping[str, Any], read: ReadGraph) -> Mapping[str, Any]:
    """The parameters with this graph as their board, and the edges that its file requires."""
    stated = parameters.get("require", [])
    others = dict(parameters)
    if read.required and isinstance(stated, list):
        others["require"] = [*stated, *map(read.ground.move_name, read.required)]
    return {**others, "board": read.ground}


def _graph(given: object, folder: Path, settings: Settings) -> ReadGraph:
    if isinstance(given, list) and all(isinstance(edge, list) and len(edge) in (2, 3) for edge in given):
        return ReadGraph(Graph.from_edges(given))
    if not isinstance(given, str):
        raise BadInput('write the name of a file, or a list of edges such as [["a", "b"], ["b", "c"]]')
    if given.startswith(PREFIX):
        return ReadGraph(named_graph(given))
    inline = "\n" in given
    text = given if inline else _graph_text(folder / given, settings)
    form = graph_format(text, "" if inline else given, guess=True)
    assert form is not None
    graphs = list(graphs_in(text, form))
    if len(graphs) != 1:
        raise BadInput(f"the file holds {len(graphs)} graphs: an instance is about one")
    return graphs[0]


def _text_of(
    file: Path,
    name: str,
    settings: Settings,
    refusal: str,
    expansion: Callable[[bytes], int] = lambda _: EXPANSION,
) -> str:
    """The text of a file; ``refusal`` is the error for anything but text. OSError is left to the caller."""

    def factor(head: bytes) -> int:
        check_is_text(head, refusal)
        return expansion(head)

    return as_text(read_path(str(file), name, settings, factor), refusal)


def _graph_text(file: Path, settings: Settings) -> str:
    def expansion(head: bytes) -> int:
        return format_of_start(head.decode("utf-8", "replace"), file.name).expansion

    try:
        return _text_of(file, file.name, settings, f"{file.name}: not text", expansion)
    except BadInput:
        raise
    except OSError as error:
        raise BadInput(f"{file.name}: cannot be read: {error.strerror}") from None
    except ValueError as error:  # a NUL in the name
        raise BadInput(f"the name of the file: {error}") from None


def _expectation(table: Mapping[str, Any]) -> Expectation:
    check_keys(table, {"status": str, "count": (int, str), "value": int}, "expect")
    status, count = table.get("status"), table.get("count")
    if status not in (None, "found", "impossible"):
        raise BadInput(f'expect.status must be "found" or "impossible", not {status!r:.40}')
    if isinstance(count, str):
        if not (count.isascii() and count.isdigit() and len(count) < 4000):
            raise BadInput(f"expect.count must be a whole number, not {count!r:.40}")
        count = int(count)
    if count is not None and count < 0:
        raise BadInput(f"expect.count must be a whole number, not {count}")
    if count is not None and status is not None and (count == 0) != (status == "impossible"):
        raise BadInput(f"expect.count = {count} contradicts expect.status = {status!r}")
    if status is None and count is not None:
        status = "found" if count else "impossible"
    value = table.get("value")
    if value is not None and (count is not None or status == "impossible"):
        raise BadInput("expect.value is that of a best solution: it goes with neither count nor impossible")
    return Expectation("found" if value is not None else status, count, value)


@dataclass(frozen=True)
class InstanceAnswer(BaseAnswer):
    """The answer to an instance.

    Attributes
    ----------
    solved:
        Whether there is a solution.
    solution:
        The solution as the model decodes it; None if none exists or it was only counted.
    count:
        Number of solutions, where the file expects one.
    disagreement:
        The difference from the answer that the file expects; empty if none exists.
    value, bound:
        For a model with an objective: the value of the solution and the best bound proved. If they are equal,
        the solution is proved to be best.
    values, bounds:
        The same of all objectives, if there are several.
    solutions:
        The solutions that were asked for, as the model decodes them.
    core:
        Without a solution, if it was asked for: names of constraints that conflict.
    core_text:
        The same as a sentence.
    """

    solved: bool
    solution: Any
    count: int | None = None
    disagreement: str = ""
    value: int | None = None
    bound: int | None = None
    values: tuple[int, ...] = ()
    bounds: tuple[int | None, ...] = ()
    solutions: tuple[Any, ...] = ()
    core: tuple[str, ...] | None = None
    core_text: str = ""

    @property
    def found(self) -> bool:
        """Whether there is a solution."""
        return self.solved


@dataclass(frozen=True)
class Wanted:
    """What is asked of an instance besides one solution."""

    count: bool = False  # the number of solutions
    number: int | None = None  # that many solutions
    core: bool = False  # constraints that conflict, if there is no solution
    smallest: bool = False  # as few of them as possible
    assume: tuple[str, ...] = ()  # values of variables: ``name``, ``not name`` or ``name=value``
    on_value: Callable[[int], object] | None = None  # called with each better value of a model's objective


@timed
def solve_instance(
    instance: Instance, engine: str = "auto", settings: Settings | None = None, wanted: Wanted | None = None
) -> InstanceAnswer:
    """Solve an instance, and count its solutions if the file states their number.

    Parameters
    ----------
    instance:
        The instance.
    engine:
        Name of the engine, or ``auto``.
    settings:
        Limits and threads; the defaults if None.
    wanted:
        What is wanted besides one solution.

    Returns
    -------
    InstanceAnswer
        The answer.

    Raises
    ------
    Refused
        If the engine cannot take the instance.
    LimitReached
        If time or memory ran out first.

    Examples
    --------
    >>> from ktsolve.tasks.instance import load_instance
    >>> answer = solve_instance(load_instance("closed-6x6"))
    >>> answer.status, answer.count, answer.disagreement
    ('found', 9862, '')
    """
    answered = _solve_model if instance.built.problem is None else _solve_tour_problem
    answer = answered(instance, engine, Settings.of(settings), wanted or Wanted())
    return replace(answer, disagreement=_difference(instance, answer))


def _solve_tour_problem(
    instance: Instance, engine: str, settings: Settings, wanted: Wanted
) -> InstanceAnswer:
    problem, objective = instance.built.problem, instance.built.objective
    assert problem is not None
    clock = Clock(settings)
    if wanted.assume:
        raise BadInput(
            f"--assume is for models, but {Path(instance.path).name} asks for tours: state conditions there"
        )
    if objective is not None:
        if instance.expect.count is not None:
            raise BadInput(f"{instance.path}: expect.count makes no sense with an objective")
        found = best(problem, objective, engine, settings, keep=True)
        answer = InstanceAnswer(found.found, found.tour, engine=found.engine, reason=found.reason)
        return replace(answer, value=found.value, bound=found.bound)
    tour, number, reason, names = None, None, "", []
    if engine == "auto" or "construct" in engine_named(engine).capabilities:
        one = find(problem, engine, settings)
        tour, reason = one.tour, one.reason
        names.append(one.engine)
    if not names or wanted.count or instance.expect.count is not None:
        counted = count(problem, engine, settings)
        number = counted.count
        names.append(counted.engine)
    solved = tour is not None or bool(number)
    listed: tuple[Tour, ...] = ()
    if wanted.number is not None and solved:
        listed = tuple(find_all(problem, engine, clock.within(settings), number=wanted.number))
    conflict = None
    if wanted.core and not solved:
        conflict = find_conflict(problem, settings=clock.within(settings))
    return InstanceAnswer(
        solved,
        tour,
        number,
        solutions=listed,
        core=None if conflict is None else conflict.texts,
        core_text="" if conflict is None else str(conflict),
        engine=", ".join(dict.fromkeys(names)),
        reason=reason,
    )


def _solve_model(instance: Instance, engine: str, settings: Settings, wanted: Wanted) -> InstanceAnswer:
    model, decode = _assuming(instance.built.model, wanted.assume), instance.built.decode
    clock = Clock(settings)
    if model.objective is not None and (instance.expect.count is not None or wanted.number):
        what = "--number" if wanted.number else "expect.count"
        raise BadInput(f"{instance.path}: {what} makes no sense for a model with an objective")
    number, names = None, []
    best_found: dict[str, Any] = {}
    if wanted.number is not None:
        found = [decode(each.assignment) for each in solutions(model, engine, settings, number=wanted.number)]
        names.append(model_solver(engine, model).name)
    else:
        on_value = wanted.on_value
        answer = solve(
            model,
            "auto" if engine == "sharpsat" else engine,
            settings,
            keep=True,
            on_solution=None
            if on_value is None
            else lambda better: better.values and on_value(better.values[0]),
        )
        found = [] if answer.assignment is None else [decode(answer.assignment)]
        names.append(answer.engine)
        best_found = {"value": answer.value, "bound": answer.bound}
        if len(answer.values) > 1:
            best_found |= {"values": answer.values, "bounds": answer.bounds}
    if wanted.count or instance.expect.count is not None:
        number = 0
        if found:
            counted = count_solutions(model, engine, clock.within(settings))
            number = counted.count
            names.append(counted.engine)
    made = InstanceAnswer(
        bool(found),
        found[0] if found else None,
        number,
        solutions=() if wanted.number is None else tuple(found),
        engine=", ".join(dict.fromkeys(names)),
        **best_found,
    )
    if wanted.core and not found:
        solver = "auto" if engine == "sharpsat" else engine
        core = unsat_core(model, solver, clock.within(settings), smallest=wanted.smallest)
        if core is None:
            raise WrongAnswer(f"engine sat finds a solution of {model.name}, {made.engine} none")
        made = replace(made, core=core.names, core_text=str(core))
    return made


def conflicts(instance: Instance, engine: str, settings: Settings, wanted: Wanted) -> Iterator[Core]:
    """All minimal conflicts of a model without a solution, each as it is found. Raises as unsat_cores."""
    model = _assuming(instance.built.model, wanted.assume)
    return unsat_cores(model, "auto" if engine == "sharpsat" else engine, settings)


def steps(instance: Instance, settings: Settings, wanted: Wanted) -> Iterator[Consequence]:
    """The steps that explain what all solutions of a model share. Raises as explain_steps."""
    return explain_steps(_assuming(instance.built.model, wanted.assume), settings)


def _assuming(model: Model, texts: Sequence[str]) -> Model:
    """The model with values of variables as further constraints."""
    if texts:
        model = model.copy()
        for text in texts:
            model.add(assumed(model, text), name=f"assume {text}")
    return model


def assumed(model: Model, text: str) -> Any:
    """The condition that a text such as ``a``, ``not a`` or ``x=3`` states: a literal or a comparison.

    >>> model = Model()
    >>> a, x = model.boolean("a"), model.integer("x", 0, 9)
    >>> assumed(model, "not a") == ~a, assumed(model, "x = 3")
    (True, x = 3)
    """
    name, negated = text.strip(), False
    if not model.has(name) and name.startswith("not "):
        name, negated = name[4:].strip(), True
    value = ""
    if not model.has(name) and "=" in name:
        name, _, value = (part.strip() for part in name.rpartition("="))
    if not model.has(name):
        close = difflib.get_close_matches(name, model.names, 1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise BadInput(f"--assume {text}: the model has no variable {name!r:.40}{hint}")
    variable = model[name]
    if isinstance(variable, Literal):
        truth = {"": True, "1": True, "true": True, "0": False, "false": False}.get(value.lower())
        if truth is None:
            raise BadInput(f"--assume {text}: {name} is a Boolean: give {name}, or not {name}")
        return variable if truth != negated else ~variable
    if negated or not re.fullmatch(r"[-+]?\d{1,18}", value):
        raise BadInput(
            f"--assume {text}: {name} is an integer: give {name}=VALUE, such as {name}={variable.low}"
        )
    return variable == int(value)


def _difference(instance: Instance, answer: InstanceAnswer) -> str:
    expect = instance.expect
    compared = (
        ("{}", expect.status, answer.status),
        ("{} solutions", expect.count, answer.count),
        ("the value {}", expect.value, answer.value),
    )
    return "; ".join(
        f"expected {what.format(wanted)}, got {given}"
        for what, wanted, given in compared
        if wanted is not None and given != wanted
    )
