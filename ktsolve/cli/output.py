"""Where answers go: standard output or a file, text or one JSON object; remarks go to standard error."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ktsolve.errors import BadInput

if TYPE_CHECKING:
    from ktsolve.engines.base import Settings

__all__ = ["SCHEMA", "emit", "emit_json", "remark", "with_progress", "writing"]

SCHEMA = "ktsolve/1"


def emit_json(data: dict[str, Any], output: str | None) -> None:
    """Print one JSON object that begins with the schema."""
    emit(json.dumps({"schema": SCHEMA, **data}, ensure_ascii=False), output)


def emit(text: str, output: str | None) -> None:
    """Print a text with a final newline, or write it to a file."""
    with writing(output) as write:
        write(text)


@contextlib.contextmanager
def writing(output: str | None) -> Iterator[Any]:
    """A function that writes lines, to standard output at once or to a file that appears whole at the end.

    When the body fails the file is written with what came before the failure, so that nothing found is lost;
    a file with nothing in it is not made.
    """
    if output is None or output == "-":

        def to_stdout(text: str) -> None:
            sys.stdout.write(text.rstrip("\n") + "\n")
            sys.stdout.flush()

        yield to_stdout
        return
    target = Path(output)
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise BadInput(f"cannot write {output}: {error.strerror}") from None
    written = False
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:

            def to_file(text: str) -> None:
                nonlocal written
                written = True
                stream.write(text.rstrip("\n") + "\n")

            try:
                yield to_file
            finally:
                stream.flush()
                if written:
                    os.chmod(name, 0o666 & ~_umask())
                    os.replace(name, target)
    except OSError as error:
        raise BadInput(f"cannot write {output}: {error.strerror}") from None
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def remark(text: str, *, quiet: bool) -> None:
    """Say something beside the answer."""
    if not quiet:
        print(text, file=sys.stderr)


@contextlib.contextmanager
def with_progress(settings: Settings, title: str, *, quiet: bool) -> Iterator[Settings]:
    """Settings that show a progress bar on standard error, if that is a terminal and quiet is not asked."""
    if quiet or not sys.stderr.isatty():
        yield settings
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None, note="")

        def report(fraction: float | None, note: str) -> None:
            if fraction is None:
                bar.update(task, note=note)
            else:
                bar.update(task, total=1.0, completed=fraction, note=note)

        yield replace(settings, progress=report)
