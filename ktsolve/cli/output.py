"""Answers go to standard output or a file, as text or one JSON object; remarks go to standard error."""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from ktsolve.base.errors import BadInput
from ktsolve.base.files import new_file
from ktsolve.base.guard import standing_down, uninterrupted
from ktsolve.base.text import unknown
from ktsolve.formats.table import JSON_HEAD
from ktsolve.render.text_table import Column, cut, cut_left, fitted, wrapped_lines

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings
    from ktsolve.proof.clause_proof import ClauseProof

_TIMES = 24  # columns that the times of a progress bar take, with the spaces around them
COLOUR: ContextVar[str] = ContextVar("colour", default="auto")  # the value of ``--color``
COMPLETE = "_KTSOLVE_COMPLETE"  # the environment variable in which a shell says which completions it asks for

COLOURS = ("auto", "always", "never")


def check_colour(choice: str) -> str:
    """Return the value of ``--color``. Raises BadInput for an unknown value."""
    if choice not in COLOURS:
        raise unknown("--color", choice, COLOURS)
    return choice


def columns() -> int:
    """Return the columns of the terminal, 80 without a terminal."""
    return shutil.get_terminal_size().columns


def width_of(output: str | None) -> int | None:
    """Return the columns of the terminal that the output goes to, None if it goes to a file or a pipe."""
    return columns() if output in (None, "-") and sys.stdout.isatty() else None


def colour_depth(output: str | None = None, stream: TextIO | None = None) -> int:
    """Return how many colours the output can have: 0, 16, 256 or 2**24.

    A file has none. Standard output, or the stream, has colours if it is a terminal, unless ``NO_COLOR`` is
    set (https://no-color.org) or the terminal has none; ``--color`` overrides all this.
    """
    choice = COLOUR.get()
    if output not in (None, "-") or choice == "never":
        return 0
    stream = stream or sys.stdout
    terminal = os.environ.get("TERM", "" if sys.platform != "win32" else "windows")
    plain = os.environ.get("NO_COLOR") or terminal in ("", "dumb", "unknown")
    if choice == "auto" and (plain or not stream.isatty()):
        return 0
    if os.environ.get("COLORTERM", "") in ("truecolor", "24bit") or "direct" in terminal:
        return 2**24
    named = os.environ.get("WT_SESSION") or "256" in terminal or choice == "always"
    return 256 if named else 16


def styled(text: str, codes: str) -> str:
    """Return the text in a style of ANSI codes, such as ``1`` for bold; without codes as it is."""
    return f"\033[{codes}m{text}\033[0m" if text and codes else text


def emit_json(data: dict[str, Any], output: str | None) -> None:
    """Print one JSON object that begins with :data:`JSON_HEAD`, in ASCII, which every terminal can show."""
    emit(json.dumps({**JSON_HEAD, **data}), output)


class JsonWithList:
    """One JSON object that is printed while the entries of a list in it come: they take no memory.

    The text is that of :func:`emit_json`. ``before`` are the values before the list, ``name`` is its key.
    Nothing is printed before the first entry, and without entries nothing at all. A limit or Ctrl-C comes
    before or after the text of an entry, not within it.
    """

    def __init__(self, before: Mapping[str, Any], name: str, output: str | None) -> None:
        self._head = json.dumps({**JSON_HEAD, **before, name: []}).removesuffix("]}")
        self._output = None if output == "-" else output
        self._stack = contextlib.ExitStack()
        self._stream: TextIO | None = None
        self.entries = 0

    def __enter__(self) -> JsonWithList:
        return self

    def __exit__(self, *error: Any) -> None:
        self._stack.__exit__(*error)

    def add(self, entry: Any) -> None:
        """Print an entry of the list."""
        text = (", " if self.entries else self._head) + json.dumps(entry)
        if self._stream is None:
            self._stream = sys.stdout
            if self._output is not None:
                self._stream = self._stack.enter_context(_opened_text(self._output, keep=False))
        with uninterrupted():
            self._stream.write(text)
            self.entries += 1

    def end(self, after: Mapping[str, Any]) -> None:
        """Print the values after the list."""
        assert self._stream is not None
        self._stream.write("]" + json.dumps({"": 0, **after}).removeprefix('{"": 0') + "\n")
        self._stream.flush()


@contextlib.contextmanager
def long_numbers() -> Iterator[None]:
    """Let Python print whole numbers of any length, for counts. Numbers that are read keep their limit."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


def emit(text: str, output: str | None) -> None:
    """Print a text with a final newline, or write it to a file."""
    with standing_down(), writing(output) as write:
        write(text)


def emit_proof(proof: ClauseProof, file: str) -> str:
    """Write clauses to a file, and their refutation beside it as DRUP and LRAT; returns a line about them."""
    drup, lrat = (check_writable(str(Path(file).with_suffix(suffix))) for suffix in (".drup", ".lrat"))
    emit(proof.dimacs, file)
    emit(proof.drup, drup)
    emit(proof.lrat(), lrat)
    return f"clauses in {file}, their refutation in {drup} and {lrat}"


@contextlib.contextmanager
def writing(output: str | None) -> Iterator[Callable[[str], None]]:
    """A function that writes lines, to standard output at once or to a file that appears whole at the end.

    If the body fails, the file has the lines written before the failure. An empty file is not made. A target
    that is not an ordinary file (a pipe, a device) is opened and written directly.
    """
    with contextlib.ExitStack() as stack:
        named = output is not None and output != "-"
        stream = stack.enter_context(_opened_text(str(output))) if named else sys.stdout

        def write(text: str) -> None:
            stream.write(text.rstrip("\n") + "\n")
            if not named:
                stream.flush()

        yield write


@contextlib.contextmanager
def writing_stdout_to(output: str | None) -> Iterator[None]:
    """Send what the body prints to a file, if one is named; the file appears whole at the end."""
    if output is None or output == "-":
        yield
        return
    with _opened_text(output) as stream, contextlib.redirect_stdout(stream):
        yield


def emit_chunks(chunks: Iterable[bytes], output: str | None, *, text: bool = True) -> None:
    """Write pieces of a file, to standard output or to a file that appears whole or not at all."""
    if output is not None and output != "-":
        with _opened(output, keep=False) as stream:
            for chunk in chunks:
                with standing_down():
                    stream.write(chunk)
        return
    if not text and sys.stdout.isatty():
        raise BadInput("this format is not text: give -o FILE, or a pipe")
    for chunk in chunks:
        with standing_down():
            if text:
                sys.stdout.write(chunk.decode())
            else:
                sys.stdout.buffer.write(chunk)
    with standing_down():
        (sys.stdout if text else sys.stdout.buffer).flush()


def check_writable(output: str | None) -> str | None:
    """The file name; raises BadInput before the work if writing to it would fail."""
    if output is None or output == "-":
        return output
    try:
        target = os.path.realpath(output)
        folder = os.path.dirname(target)
        if os.path.isdir(target) or output.endswith("/"):
            raise _failure(errno.EISDIR)
        with contextlib.suppress(FileNotFoundError):
            os.lstat(target)  # raises, for example, if the name is too long
        if not os.path.isdir(folder):
            raise _failure(errno.ENOENT)
        if not os.access(target if os.path.exists(target) else folder, os.W_OK):
            raise _failure(errno.EACCES)
    except (OSError, ValueError) as error:
        raise _unwritable(output, error) from None
    return output


def _failure(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@contextlib.contextmanager
def _opened(output: str, *, keep: bool = True) -> Iterator[BinaryIO]:
    try:
        with new_file(output, keep=keep) as stream:
            yield stream
    except BrokenPipeError:  # of standard output, or of a pipe: the reader has enough
        raise
    except OSError as error:
        raise _unwritable(output, error) from None


@contextlib.contextmanager
def _opened_text(output: str, *, keep: bool = True) -> Iterator[TextIO]:
    with _opened(output, keep=keep) as stream:
        text = TextIOWrapper(stream, encoding="utf-8", write_through=True)
        try:
            yield text
        finally:
            text.detach()


def _unwritable(output: str, error: OSError | ValueError) -> BadInput:
    return BadInput(f"cannot write {output}: {getattr(error, 'strerror', None) or error}")


def remark(text: str, *, quiet: bool = False) -> None:
    """Print a line on standard error, unless quiet; a terminal gets it broken between words."""
    if not quiet:
        print(wrapped_lines(text, columns() if sys.stderr.isatty() else None), file=sys.stderr)


def table_text(table: Sequence[Column], rows: Sequence[Sequence[str]], output: str | None = None) -> str:
    """Return a table that fits where the output goes, with its heads in bold where it has colours."""
    head, *lines = fitted(table, rows, width_of(output))
    return "\n".join([styled(head, "1" if colour_depth(output) else ""), *lines])


_NOTICE = 10.0  # seconds after which a long make says what it does


class _Notice:
    """Progress where no bar can be drawn: one line, once the work takes long."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._due = time.monotonic() + _NOTICE

    def __call__(self, _fraction: float | None, note: str) -> None:
        if time.monotonic() > self._due:
            self._due = math.inf
            remark(f"{self._title}, since {_NOTICE:g} s: {note}; --timeout TIME ends it, --quiet hides this")


@contextlib.contextmanager
def with_progress(settings: Settings, title: str, *, quiet: bool, notice: bool = False) -> Iterator[Settings]:
    """Settings with a progress bar on standard error, if that is a terminal, unless quiet.

    Elsewhere, with a ``notice``, one line says after some seconds what is done.
    """
    if quiet or not sys.stderr.isatty():
        yield replace(settings, progress=_Notice(title)) if notice and not quiet else settings
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.table import Column

    # In narrow terminals the times stay: the note is cut, then the title, then the bar.
    console = Console(stderr=True, no_color=COLOUR.get() == "never" or None)
    room = console.width - _TIMES
    bar_width = max(4, min(20, room // 3))
    columns = (
        TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True)),
        BarColumn(bar_width),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}", markup=False, table_column=Column(no_wrap=True, ratio=1)),
    )
    title = cut(title, max(8, (room - bar_width) * 2 // 3))
    with Progress(*columns, console=console, transient=True, expand=True) as bar:
        task = bar.add_task(title, total=None, note="")

        def report(fraction: float | None, note: str) -> None:
            note = cut_left(note, max(0, room - bar_width - len(title)))
            if fraction is None:
                bar.update(task, note=note)
            else:
                bar.update(task, total=1.0, completed=fraction, note=note)

        yield replace(settings, progress=report)
