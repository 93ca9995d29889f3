"""Labels of vertices in lines of text: bare, or in double quotes with a backslash before ``"`` and itself."""

from __future__ import annotations

import re

from ktsolve.base.errors import BadInput
from ktsolve.base.text import quoted as quoted_name
from ktsolve.base.text import shown, unquoted

__all__ = ["quoted", "words"]

_WORD = re.compile(r'"(?:[^"\\]|\\.)*"(?=[\s,;]|$)|[^\s,;"][^\s,;]*|(")')

_BARE = re.compile(r'(?!->$|--$|//|\{)[^\s,;"#%*\\]+')


def words(line: str, number: int) -> list[str]:
    r"""The words of a line, separated by white space, commas or semicolons.

    >>> words('"New York" "San \\"J\\" Jose", 5', 1)
    ['New York', 'San "J" Jose', '5']
    """
    found = []
    for match in _WORD.finditer(line):
        if match[1]:
            raise BadInput(f"line {number}: {shown(line[match.start() :], 24)} has no closing quote")
        name = unquoted(match[0])
        found.append(match[0] if name is None else name)
    return found


def quoted(label: str) -> str:
    r"""A label as :func:`words` reads it back.

    >>> print(quoted("a1"), quoted("New York"), quoted('say "no"'))
    a1 "New York" "say \"no\""
    """
    return label if _BARE.fullmatch(label) else quoted_name(label)
