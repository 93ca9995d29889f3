"""Answers go to standard output or a file, as text or one JSON object; remarks go to standard error."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.files import new_file
from ktsolve.base.guard import standing_down, uninterrupted
from ktsolve.cli.terminal import COLOUR
from ktsolve.render.text_table import cut

if TYPE_CHECKING:
    from ktsolve.base.limits import Settings

__all__ = [
    "SCHEMA",
    "JsonWithList",
    "check_writable",
    "emit",
    "emit_chunks",
    "emit_json",
    "json_when_stopped",
    "long_numbers",
    "remark",
    "with_progress",
    "writing",
    "writing_bytes",
    "writing_stdout_to",
]

SCHEMA = "ktsolve/1"

_TIMES = 24
"""Columns that the times of a progress bar take, with the spaces around them."""


def emit_json(data: dict[str, Any], output: str | None) -> None:
    """Print one JSON object that begins with the schema, in ASCII, which every terminal can show."""
    emit(json.dumps({"schema": SCHEMA, **data}), output)


class JsonWithList:
    """One JSON object that is printed while the entries of a list in it come: they take no memory.

    The text is that of :func:`emit_json`. Nothing is printed before the first entry, and without entries
    nothing at all. A limit or Ctrl-C comes before or after the text of an entry, not within it.

    Parameters
    ----------
    before:
        Returns the values before the list, when the first entry is there.
    name:
        Key of the list.
    output:
        As for :func:`emit_json`.
    """

    def __init__(self, before: Callable[[], Mapping[str, Any]], name: str, output: str | None) -> None:
        self._before, self._name = before, name
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
        text = json.dumps(entry)
        if self._stream is None:
            head = json.dumps({"schema": SCHEMA, **self._before(), self._name: []})
            text = head.removesuffix("]}") + text
            self._stream = sys.stdout
            if self._output is not None:
                self._stream = self._stack.enter_context(_opened_text(self._output, keep=False))
        else:
            text = ", " + text
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


@contextlib.contextmanager
def json_when_stopped(asked: bool, unknown: Mapping[str, Any], output: str | None) -> Iterator[None]:
    """With ``--json``, print at a limit or Ctrl-C the known values, the seconds so far and the reason."""
    started = time.perf_counter()
    try:
        yield
    except (LimitReached, KeyboardInterrupt) as stop:
        if asked:
            seconds = round(time.perf_counter() - started, 6)
            emit_json({**unknown, "seconds": seconds, "reason": str(stop) or "interrupted"}, output)
        raise


def emit(text: str, output: str | None) -> None:
    """Print a text with a final newline, or write it to a file."""
    with standing_down(), writing(output) as write:
        write(text)


@contextlib.contextmanager
def writing(output: str | None) -> Iterator[Callable[[str], None]]:
    """A function that writes lines, to standard output at once or to a file that appears whole at the end.

    If the body fails, the file has the lines written before the failure. An empty file is not made. A target
    that is not an ordinary file (a pipe, a device) is opened and written directly.

    Raises
    ------
    BadInput
        If the file cannot be written.
    """
    if output is None or output == "-":

        def to_stdout(text: str) -> None:
            sys.stdout.write(text.rstrip("\n") + "\n")
            sys.stdout.flush()

        yield to_stdout
        return
    with _opened_text(output) as stream:

        def to_file(text: str) -> None:
            try:
                stream.write(text.rstrip("\n") + "\n")
            except OSError as error:
                raise _unwritable(output, error) from None

        yield to_file


@contextlib.contextmanager
def writing_stdout_to(output: str | None) -> Iterator[None]:
    """Send what the body prints to a file, if one is named; the file appears whole at the end.

    Raises
    ------
    BadInput
        If the file cannot be written.
    """
    if output is None or output == "-":
        yield
        return
    with _opened_text(output) as stream, contextlib.redirect_stdout(stream):
        yield


@contextlib.contextmanager
def writing_bytes(output: str | None) -> Iterator[BinaryIO]:
    """A stream of bytes to standard output, or to a file that appears at the end if nothing failed.

    Raises
    ------
    BadInput
        If the file cannot be written, or standard output is a terminal.
    """
    if output is None or output == "-":
        if sys.stdout.isatty():
            raise BadInput("this format is not text: give -o FILE, or a pipe")
        yield sys.stdout.buffer
        with standing_down():
            sys.stdout.buffer.flush()
        return
    with _opened(output, keep=False) as stream:
        yield stream


def emit_chunks(chunks: Iterable[bytes], output: str | None, *, text: bool = True) -> None:
    """Write pieces of a file, to standard output or to a file that appears whole or not at all.

    Raises
    ------
    BadInput
        If the file cannot be written; an earlier file of that name is then unchanged.
    """
    if text and output in (None, "-"):
        for chunk in chunks:
            with standing_down():
                sys.stdout.write(chunk.decode())
        with standing_down():
            sys.stdout.flush()
        return
    with writing_bytes(output) as stream:
        for chunk in chunks:
            with standing_down():
                stream.write(chunk)


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


def remark(text: str, *, quiet: bool) -> None:
    """Print a line on standard error, unless quiet."""
    if not quiet:
        print(text, file=sys.stderr)


@contextlib.contextmanager
def with_progress(settings: Settings, title: str, *, quiet: bool) -> Iterator[Settings]:
    """Settings with a progress bar on standard error, if that is a terminal, unless quiet."""
    if quiet or not sys.stderr.isatty():
        yield settings
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
    with Progress(*columns, console=console, transient=True, expand=True) as bar:
        task = bar.add_task(cut(title, max(8, (room - bar_width) * 2 // 3)), total=None, note="")

        def report(fraction: float | None, note: str) -> None:
            if fraction is None:
                bar.update(task, note=note)
            else:
                bar.update(task, total=1.0, completed=fraction, note=note)

        yield replace(settings, progress=report)
