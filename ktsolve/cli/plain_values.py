"""Options whose texts and defaults need no parser.

typer from 0.25 on gives every value of an option to pydantic, also a text, a default, and no value at all.
The import of pydantic takes longer than many counts. Here such values are taken as they are, and pydantic is
imported only for numbers and choices that are typed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["plain"]


def plain(parameter: Any) -> Any:
    """Return a parameter of a command, whose plain values need no parser from now on."""
    parser_of = getattr(parameter, "get_runtime_param", None)  # None in earlier versions of typer
    if parser_of is not None and not isinstance(parser_of, _Parser):
        parameter.get_runtime_param = _Parser(parser_of)
    return parameter


class _Parser:
    """The parser of a parameter, made for values that need it."""

    def __init__(self, parser_of: Callable[[], Any]) -> None:
        self._parser_of = parser_of

    def __call__(self) -> _Parser:
        return self

    def coerce(self, value: Any, *, param: Any, ctx: Any) -> Any:
        """Return the value as the command takes it."""
        wanted = param.type_descriptor.annotation
        many = param.multiple or param.nargs == -1
        if value is None:
            return () if many else None
        if type(value) is wanted:
            return value
        if many and wanted == list[str] and not isinstance(value, str):
            return list(value)
        return self._parser_of().coerce(value, param=param, ctx=ctx)
