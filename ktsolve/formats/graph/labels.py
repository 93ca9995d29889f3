"""Labels of vertices in lines of text: bare, or in double quotes with a backslash before ``"`` and itself."""

from __future__ import annotations

import re

from ktsolve.errors import BadInput
from ktsolve.ground.notation import shown

__all__ = ["quoted", "words"]

_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"(?=[\s,;]|$)|([^\s,;"][^\s,;]*)|(")')

_BARE = re.compile(r'(?!->$|--$|//|\{)[^\s,;"#%*\\]+')


def words(line: str, number: int) -> list[str]:
    r"""The words of a line, separated by white space, commas or semicolons.

    >>> words('"New York" "San \\"J\\" Jose", 5', 1)
    ['New York', 'San "J" Jose', '5']
    """
    found = []
    for match in _WORD.finditer(line):
        if match[3]:
            raise BadInput(f"line {number}: {shown(line[match.start() :], 24)} has no closing quote")
        found.append(match[2] if match[2] is not None else re.sub(r"\\(.)", r"\1", match[1]))
    return found


def quoted(label: str) -> str:
    r"""A label as :func:`words` reads it back.

    >>> print(quoted("a1"), quoted("New York"), quoted('say "no"'))
    a1 "New York" "say \"no\""
    """
    if _BARE.fullmatch(label):
        return label
    escaped = label.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
