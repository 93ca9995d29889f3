"""Widths of text, and captions in lines: no font is embedded, so widths are estimates, rather too large."""

from __future__ import annotations

from unicodedata import east_asian_width

__all__ = ["caption_lines", "fitting", "text_width"]

_NARROW = frozenset("fijlrtI.,:;'!|()[]{} -/\\`\"")
_BROAD = frozenset("mwMW@%—…")

_SIZES = (1.0, 0.92, 0.85, 0.78, 0.7)
"""Sizes of a caption that are tried, as shares of the requested one."""

_MOST_LINES = 3
"""Lines of a caption for which it is not made smaller."""


def text_width(text: str, *, bold: bool = False) -> float:
    """Return the width of a text in a sans-serif font of size 1.

    >>> round(text_width("tour of 8x8"), 2), round(text_width("WWW"), 2), round(text_width("騎士"), 2)
    (5.28, 2.82, 2.0)
    """
    width = 0.0
    for letter in text:
        if letter in _NARROW:
            width += 0.36
        elif letter in _BROAD:
            width += 0.94
        elif east_asian_width(letter) in "WF":
            width += 1.0
        else:
            width += 0.72 if letter.isupper() else 0.58
    return width * (1.06 if bold else 1.0)


def fitting(text: str, size: float, width: float, *, bold: bool = False) -> float:
    """Return the font size, at most ``size``, at which a text is at most ``width`` wide.

    >>> fitting("abc", 10, 100), round(fitting("abc" * 10, 10, 87), 2)
    (10, 5.0)
    """
    return min(size, width / max(text_width(text, bold=bold), 1e-9))


def caption_lines(text: str, size: float, width: float) -> tuple[list[str], float]:
    """Return a bold caption as lines of at most ``width``, and its font size, at most ``size``.

    The caption is broken between words. It becomes smaller if it has more than three lines, or a word is too
    long for a line.

    >>> caption_lines("Closed tours of 8x8 with a quarter turn", 10, 120)
    (['Closed tours of 8x8', 'with a quarter turn'], 10.0)
    """
    words = text.split()
    lines, letters = [text], size
    for share in _SIZES:
        letters = share * size
        lines = _broken(words, width / letters)
        if len(lines) <= _MOST_LINES and all(
            text_width(line, bold=True) * letters <= width for line in lines
        ):
            return lines, letters
    return lines, min(fitting(line, letters, width, bold=True) for line in lines)


def _broken(words: list[str], width: float) -> list[str]:
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, bold=True) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines or [""]
