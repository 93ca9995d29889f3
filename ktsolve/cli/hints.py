"""What commands print of hints: a line or a picture for each, or JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ktsolve.cli import options as opt
from ktsolve.cli.tour_output import emit_picture

if TYPE_CHECKING:
    from ktsolve.render.subject import Subject

__all__ = ["emit_hints"]


class _Hint(Protocol):
    def to_json(self) -> Any: ...


_H = TypeVar("_H", bound=_Hint)


def emit_hints(
    found: Sequence[_H],
    number: int,
    pictures: Callable[[tuple[_H, ...]], Subject],
    question: Mapping[str, Any],
    out: opt.OutputOptions,
    last: str = "nothing more follows",
) -> None:
    """Write the hints that were found where ``number`` were asked for; text says if there are no more."""
    if out.form.holds == "picture" and found:
        emit_picture(pictures(tuple(found)), out)
        return
    lines = list(map(str, found))
    if len(found) < number:
        lines.append(last)
    out.emit({**question, "hints": [each.to_json() for each in found]}, "\n".join(lines))
