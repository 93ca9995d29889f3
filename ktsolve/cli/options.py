"""Options about work and output that several commands share, and the settings made from them."""

from __future__ import annotations

import contextlib
import inspect
import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import MISSING, dataclass, fields, replace
from functools import partial, wraps
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_type_hints

import typer

from ktsolve.base.errors import BadInput, LimitReached, OutOfMemory
from ktsolve.base.guard import guarded, held_memory
from ktsolve.base.limits import Settings, out_of_time
from ktsolve.base.units import parse_bytes, parse_paper, parse_seconds, shown_bytes
from ktsolve.cli.output import (
    COLOUR,
    check_colour,
    check_writable,
    emit,
    emit_json,
    remark,
    table_text,
    width_of,
    with_progress,
)
from ktsolve.cli.output_format import ANSWER, Writes, names_of
from ktsolve.engines.registry import ENGINES, MODEL_ENGINES
from ktsolve.engines.sat.python_sat import LISTING_SOLVER, MAIN_SOLVER, TRIAL_SOLVER, check_encoding_name
from ktsolve.formats.table import FORMATS, Format, format_named, formats_of, listed
from ktsolve.model.cycle_encodings import ENCODINGS
from ktsolve.render.text_table import Column, wrapped_lines

if TYPE_CHECKING:
    from ktsolve.render.scene.style import Style

_LEAST = 8 << 20  # bytes that a command needs besides what Python and its modules take


def backstop(settings: Settings) -> guarded:
    """Raise LimitReached at the memory limit and after the time limit, at any place in the main thread.

    Engines check the clock and their own memory, and report what they reached. Reading a large board,
    building a model, drawing and running a user's model file check nothing and are stopped here
    (:mod:`ktsolve.base.guard`). Where Python alone takes more than the memory limit, nothing begins.
    """
    limit = settings.memory_limit
    held = held_memory()
    if settings.memory is not None and held and held + _LEAST > limit:
        raise LimitReached(
            f"the memory limit of {shown_bytes(limit)} is too low: Python and its modules alone take "
            f"{shown_bytes(held)}; give --memory 128M or more"
        )

    def error(which: str) -> LimitReached:
        if which == "memory":
            return OutOfMemory(f"stopped at the memory limit of {shown_bytes(limit)}")
        return out_of_time(settings)

    return guarded(settings.timeout, limit, error)


_N = TypeVar("_N", int, float)


def panel(title: str) -> Callable[..., Any]:
    """A function that makes an option of this panel of the help, from its names separated by spaces."""

    def option(names: str, text: str, metavar: str | None = None, **more: Any) -> Any:
        return typer.Option(*names.split(), metavar=metavar, help=text, rich_help_panel=title, **more)

    return option


problem_option, engine_option, output_option = map(panel, ("Problem", "Engine and limits", "Output"))
file_option = partial(output_option, callback=check_writable)  # for options that name a file to write


def one_of(names: Iterable[str]) -> str:
    """The names as a choice.

    >>> one_of(["a", "b", "c"])
    'a, b or c'
    """
    *others, last = names
    return f"{', '.join(others)} or {last}"


THEME = output_option("--theme", "Colours: light, dark, print, safe; auto in SVG.", "NAME")
NUMBER = problem_option("--number -n", "How many, such as 10.", "K", min=1)
LEAPER = problem_option("--leaper", "The piece: 1,2 or knight, camel, zebra, ...", "R,S|NAME")
WRAP = problem_option("--wrap", "Join opposite edges of the board.", "none|x|cylinder|y|xy|torus")
"""Options of several commands, with one name and one text."""


EngineOption = Annotated[str, engine_option("--engine", f"Engine: auto, {one_of(ENGINES)}.", "NAME")]
ModelEngineOption = Annotated[
    str, engine_option("--engine", f"Engine: auto, {one_of(MODEL_ENGINES)}.", "NAME")
]
EstimateOption = Annotated[bool, engine_option("--estimate", "Predict the cost of the count, and stop.")]
ColourOption = Annotated[
    str,
    output_option(
        "--color", "Colours: auto (on a terminal), always or never.", "WHEN", callback=check_colour
    ),
]
VerboseOption = Annotated[
    bool, output_option("--verbose", "Say how it is solved; show the traceback of an internal error.")
]


def options_of(
    group: type,
    taken: Collection[str],
    without: Collection[str] = (),
    changed: Mapping[str, tuple[Any, Any]] | None = None,
) -> list[inspect.Parameter]:
    """The fields of a dataclass of options as parameters of a command.

    They are those in ``taken`` in that order, all if it is empty, but not those in ``without``. ``changed``
    has another type and default for some of them.
    """
    hints = get_type_hints(group, include_extras=True)
    defaults = {each.name: each.default for each in fields(group)}
    stated = {
        name: (hints[name], inspect.Parameter.empty if defaults[name] is MISSING else defaults[name])
        for name in (taken or defaults)
        if name in defaults and name not in without
    }
    stated |= {name: each for name, each in (changed or {}).items() if name in stated}
    return [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
        for name, (annotation, default) in stated.items()
    ]


def in_place_of(
    name: str, options: list[inspect.Parameter], make: Callable[..., Any]
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """A decorator that replaces a command's parameter ``name`` by options, from which ``make`` makes it."""

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        @wraps(command)
        def wrapped(**given: Any) -> int:
            values = {each.name: given.pop(each.name) for each in options}
            return command(**{name: make(**values)}, **given)

        listed: list[inspect.Parameter] = []
        for each in _parameters(command):
            listed += options if each.name == name else [each]
        return _with_parameters(wrapped, listed)

    return decorate


def _parameters(command: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters of a command, as keywords."""
    own = inspect.signature(command, eval_str=True).parameters.values()
    return [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in own]


def _with_parameters(command: Callable[..., Any], listed: list[inspect.Parameter]) -> Callable[..., Any]:
    """The command, of which typer reads these parameters."""
    command.__signature__ = inspect.Signature(listed)  # type: ignore[attr-defined]
    command.__annotations__ = {each.name: each.annotation for each in listed}
    return command


@dataclass(frozen=True)
class WorkOptions:
    """The options that become settings, as typed."""

    solver: Annotated[
        str | None,
        engine_option(
            "--solver",
            f"SAT solver. Default: {TRIAL_SOLVER}, then {MAIN_SOLVER}; to list {LISTING_SOLVER}.",
            "NAME",
        ),
    ] = None
    encoding: Annotated[
        str,
        engine_option(
            "--encoding", f"Statement of one cycle in engine sat: lazy, {one_of(ENCODINGS)}.", "NAME"
        ),
    ] = "lazy"
    seed: Annotated[int | None, engine_option("--seed", "Seed of random choices, such as 7.", "N")] = None
    timeout: Annotated[str | None, engine_option("--timeout", "Time limit: 30, 5m, 2h or 1m30s.", "TIME")] = (
        None
    )
    threads: Annotated[
        int | None, engine_option("--threads", "Number of threads, such as 4. Default: all cores.", "N")
    ] = None
    memory: Annotated[
        str | None,
        engine_option("--memory", "Limit, such as 4G. Default: 3/4 of the available memory.", "SIZE"),
    ] = None
    spill: Annotated[
        str | None, engine_option("--spill", "Folder of half tables; a later run reuses them.", "DIR")
    ] = None
    disk: Annotated[
        str | None,
        engine_option("--disk", "Limit of their files: 20G. Default: what is free.", "SIZE"),
    ] = None

    @property
    def settings(self) -> Settings:
        """The settings of an engine."""
        check_encoding_name(self.encoding)
        if self.spill is not None and not os.path.isdir(self.spill):
            raise BadInput(f"--spill {self.spill}: no such folder")
        limits = {
            "timeout": _read("--timeout", parse_seconds, self.timeout),
            "memory": _read("--memory", parse_bytes, self.memory),
            "disk": _read("--disk", parse_bytes, self.disk),
        }
        return Settings(
            **vars(self) | limits, remark=partial(remark, quiet=False) if _verbose.get() else None
        )


OutputOption = Annotated[str | None, file_option("-o --output", "Write to this file.", "FILE")]


@dataclass(frozen=True)
class OutputOptions:
    """The options about output, as typed."""

    json: Annotated[bool, output_option("--json", "Print one JSON object: --format json.")] = False
    csv: Annotated[bool, output_option("--csv", "Print a table: --format csv.")] = False
    output: OutputOption = None
    format: str | None = None
    quiet: Annotated[bool, output_option("--quiet -q", "Print neither progress nor remarks.")] = False
    theme: Annotated[str | None, THEME] = None
    caption: Annotated[str, output_option("--caption", "Line of text above the picture.", "TEXT")] = ""
    title: Annotated[
        str, output_option("--title", "Title of the picture, sheet, booklet or page.", "TEXT")
    ] = ""
    paper: Annotated[
        str | None, output_option("--paper", "Pages of a PDF: a4, a5, letter, ... or 15x20cm.", "SIZE")
    ] = None
    form: Format = ANSWER.formats[0]  # the format in which the answer is written; not an option
    graph_format: str | None = None
    """The value of ``--format`` if it is about a graph that is read; not an option."""
    one_line: bool = False  # whether text is one line of several answers; not an option

    @property
    def width(self) -> int | None:
        """Columns of the terminal that tables have to fit; None for a file, a pipe or JSON."""
        return None if self.json else width_of(self.output)

    def style(self, theme: str = "light") -> Style:
        """The style of a picture, whose usual theme is given."""
        from ktsolve.render.scene.style import Style

        return Style(theme=self.theme or theme, caption=self.caption, title=self.title)

    @property
    def page(self) -> tuple[float, float] | None:
        """Width and height of ``--paper``."""
        return None if self.paper is None else parse_paper(self.paper)

    @property
    def given_form(self) -> str:
        """The option that decided the format, as typed: ``-o tour.gif`` or ``--format gif``."""
        return f"--format {self.form.name}" if self.format or not self.output else f"-o {self.output}"

    def table(self, columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> str:
        """A table as text that fits the terminal."""
        return table_text(columns, rows, self.output)

    @contextlib.contextmanager
    def stopping(self, unknown: Mapping[str, Any]) -> Iterator[None]:
        """With ``--json``, print at a limit or Ctrl-C the known values, the seconds so far and the reason."""
        started = time.perf_counter()
        try:
            yield
        except (LimitReached, KeyboardInterrupt) as stop:
            if self.json:
                seconds = round(time.perf_counter() - started, 6)
                emit_json({**unknown, "seconds": seconds, "reason": str(stop) or "interrupted"}, self.output)
            raise

    @contextlib.contextmanager
    def reporting(
        self, settings: Settings, title: str, unknown: Mapping[str, Any], *, notice: bool = False
    ) -> Iterator[Settings]:
        """Settings with a progress bar; ``unknown`` is the JSON if a limit stops the work.

        ``notice`` is as for :func:`~ktsolve.cli.output.with_progress`.
        """
        with self.stopping(unknown), with_progress(settings, title, quiet=self.quiet, notice=notice) as shown:
            yield shown

    def emit(self, data: Mapping[str, Any], text: str, note: str = "") -> None:
        """Print the answer as JSON, or as text with a note on standard error; none goes into a picture."""
        if self.json:
            emit_json(dict(data), self.output)
            return
        text = text.rstrip("\n").rpartition("\n")[2] if self.one_line else text
        drawn = self.form.holds == "picture" and self.form.name != "text"
        emit(wrapped_lines(text, self.width), None if drawn else self.output)
        if note:
            remark(note, quiet=self.quiet)


def takes_work(*taken: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command the named options of :class:`WorkOptions` in place of its parameter ``work``.

    The command runs under the limits of time and memory that they set, or under the default ones.
    """
    place = in_place_of("work", options_of(WorkOptions, taken), WorkOptions)

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        @wraps(command)
        def limited(**given: Any) -> int:
            with backstop(given["work"].settings):
                return command(**given)

        return place(limited)

    return decorate


def format_option(writes: Writes, *, graphs: bool = False) -> Any:
    """The type of a parameter ``--format`` of a command that writes these formats.

    ``graphs`` says that the command reads graphs, too: a name that only these have is the format of a file.
    """
    read = "; or of a graph read" if graphs else ""
    metavar = "NAME" if graphs or len(writes.formats) > 5 else "|".join(each.name for each in writes.formats)
    text = f"Format: {listed(writes.formats)}{read}. Default: by the suffix of -o."
    return Annotated[str | None, output_option("--format", text, metavar)]


def about_pictures(given: Mapping[str, Any]) -> str:
    """The first given option that is only about pictures; empty if none is."""
    return next((each for each in ("caption", "title", "paper") if given.get(each)), "")


def takes_output(
    *taken: str, writes: Writes = ANSWER, graphs: bool = False
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command options of :class:`OutputOptions`, all if none is named, in place of ``out``.

    ``writes`` has the formats of the answer. A file of another suffix is refused before the work. With a
    table as CSV among them the command has ``--csv``, too. ``graphs`` is as for :func:`format_option`; the
    parameter ``spec`` then has the format of a graph file.
    """
    format_type = format_option(writes, graphs=graphs)
    has_csv = any(each.holds == "answer" and each.name == "csv" for each in writes.formats)
    of_pictures = ("theme", "caption", "title", "paper")
    taken = (*taken, "csv", "format", *of_pictures) if taken else ()
    no_options = {"one_line", "form", "graph_format", *(() if has_csv else ("csv",))}
    no_options.update(() if writes.drawn or writes.pictures_beside else of_pictures)
    options = options_of(OutputOptions, taken, no_options, {"format": (format_type, None)})
    written = names_of(writes.formats)
    of_graphs = [each for each in formats_of("graph") if graphs and each.name not in written]

    def made(json: bool = False, csv: bool = False, output: str | None = None, **given: Any) -> OutputOptions:
        named = given.pop("format")
        if json and csv:
            raise BadInput("--json and --csv do not go together: give one of them")
        short = "json" if json else "csv" if csv else None
        if graphs and named is not None and named not in names_of(FORMATS):
            format_named(named, (*writes.formats, *of_graphs))  # names all of both kinds
        of_graph = named if named in names_of(of_graphs) else None
        named = None if of_graph else named
        if short and named not in (None, short):
            raise BadInput(f"--{short} and --format {named} exclude each other: leave one out")
        form = writes.form(output, short or named)
        if given.get("theme") is not None:
            from ktsolve.render.scene.theme import named_theme

            named_theme(given["theme"])
        if form.holds != "picture" and not writes.pictures_beside and (each := about_pictures(given)):
            raise BadInput(f"--{each} is about pictures: give -o FILE.svg, or another picture")
        given |= {"output": output, "format": named, "form": form, "graph_format": of_graph}
        return OutputOptions(json=form.name == "json", csv=form.name == "csv", **given)

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        @wraps(command)
        def of_format(**given: Any) -> int:
            if "spec" in given:
                given["spec"] = replace(given["spec"], format=given["out"].graph_format)
            return command(**given)

        return in_place_of("out", options, made)(of_format if graphs else command)

    return decorate


_verbose: ContextVar[bool] = ContextVar("verbose", default=False)
"""Whether the settings made from options print remarks."""


def takes_common(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with the options of all commands, ``--verbose`` and ``--color``.

    :func:`ktsolve.cli.app.run` reads ``--verbose``, too. With it the settings have a function that prints
    remarks on standard error.
    """
    listed = _parameters(command)
    own = any(each.name == "verbose" for each in listed)

    @wraps(command)
    def wrapped(*, verbose: bool, color: str, **given: Any) -> Any:
        told, shown = _verbose.set(verbose), COLOUR.set(color)
        try:
            return command(**given, **({"verbose": verbose} if own else {}))
        finally:
            _verbose.reset(told)
            COLOUR.reset(shown)

    keyword = inspect.Parameter.KEYWORD_ONLY
    if not own:
        listed.append(inspect.Parameter("verbose", keyword, default=False, annotation=VerboseOption))
    listed.append(inspect.Parameter("color", keyword, default="auto", annotation=ColourOption))
    return _with_parameters(wrapped, listed)


def _read(option: str, read: Callable[[str], _N], text: str | None) -> _N | None:
    try:
        return None if text is None else read(text)
    except BadInput as error:
        raise BadInput(f"{option} {error}") from None
