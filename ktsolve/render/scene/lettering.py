"""Widths of text, and captions in lines: no font is embedded, so widths are estimates, rather too large."""

from __future__ import annotations

from unicodedata import east_asian_width

__all__ = ["caption_lines", "fitting", "helvetica_width", "text_width"]

# Widths of the letters from space to tilde in Helvetica and Helvetica-Bold, in thousandths of the font size,
# from the metrics of Adobe's core fonts. Arial has the same.
_PLAIN = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
_BOLD = (
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667,
    611, 778, 722, 278, 556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556,
    278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
)  # fmt: skip

_OTHER = 0.66  # width of other letters

_BROADER, _BROADER_BOLD = 1.15, 1.25
"""How much broader than Helvetica the fonts of screens are, at most: DejaVu Sans is."""

_SIZES = (1.0, 0.92, 0.85, 0.78, 0.7)  # sizes of a caption that are tried, as shares of the requested one
_MOST_LINES = 3  # lines of a caption for which it is not made smaller


def helvetica_width(text: str, *, bold: bool = False) -> float:
    """Return the width of a text in Helvetica of size 1.

    >>> round(helvetica_width("tour of 8x8"), 3), round(helvetica_width("tour of 8x8", bold=True), 3)
    (4.725, 5.112)
    """
    widths = _BOLD if bold else _PLAIN
    thousandths = 0.0
    for letter in text:
        if " " <= letter <= "~":
            thousandths += widths[ord(letter) - 32]
        else:
            thousandths += 1000 if east_asian_width(letter) in "WF" else 1000 * _OTHER
    return thousandths / 1000


def text_width(text: str, *, bold: bool = False) -> float:
    """Return an upper estimate of the width of a text of size 1 in any usual sans-serif font.

    >>> round(text_width("tour of 8x8"), 2), round(text_width("騎士"), 2)
    (5.43, 2.3)
    """
    return (_BROADER_BOLD if bold else _BROADER) * helvetica_width(text, bold=bold)


def fitting(text: str, size: float, width: float, *, bold: bool = False) -> float:
    """Return the font size, at most ``size``, at which a text is at most ``width`` wide.

    >>> fitting("abc", 10, 100), round(fitting("abc" * 10, 10, 87), 2)
    (10, 4.69)
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
