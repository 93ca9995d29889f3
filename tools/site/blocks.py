"""Console and Python blocks of the site: input and output apart, and what the copy button copies.

A hook of MkDocs. Pygments marks the prompts of a session (``$``, ``>>>``). From these marks each block gets

- lines of input, which wrap, and lines of output, which do not;
- ``data-copy``, the input without prompts: the copy button of the theme copies it instead of the whole block;
- a sign of its own for three dots in output, which say in the sources that something is left out there.

The other thing that pages get here: places that are only referred to are not in the order of the Tab key.
"""

from __future__ import annotations

import html
import re
from itertools import groupby
from typing import Any

_BLOCK = re.compile(r"<code>((?:(?!</code>).)*?<span class=\"gp\">.*?)</code>", re.DOTALL)
# Pygments takes other signs for prompts as well, such as the sign before a heading in Markdown.
_PROMPT = re.compile(r"^<span class=\"gp\">(?:\$|&gt;&gt;&gt;|\.\.\.)\s*</span>")
_TAG = re.compile(r"<[^>]+>")

LEFT_OUT = re.compile(r"""(?<![\w."'])\.\.\.(?![\w.])""")
"""Three dots in output that stand for something left out: ``...`` in doctests. ``"...BB"`` is not one."""

_DOTS = '<span class="kt-left-out" title="left out: it differs from run to run">…</span>'
_LINES = '<span class="kt-left-out" title="lines left out">⋮</span>'


def on_page_content(content: str, **_: Any) -> str:
    """Return the page with its sessions marked; called by MkDocs for each page."""
    # A place that references find is no link: a reader with a keyboard would stop at it.
    content = re.sub(r'<a href="" id="([^"]+)"></a>', r'<span id="\1"></span>', content)
    return _BLOCK.sub(lambda found: session(found[1]), content)


def session(highlighted: str) -> str:
    """Return the code element of a session from the lines that Pygments has marked."""
    lines = highlighted.removesuffix("\n").split("\n")
    typed, parts = [], []
    for is_input, group in groupby(lines, lambda line: bool(_PROMPT.match(line))):
        block = list(group)
        if is_input:
            typed += [html.unescape(_TAG.sub("", _PROMPT.sub("", line))) for line in block]
            parts += [f'<span class="kt-input">{_input(line)}\n</span>' for line in block]
        else:
            shown = "\n".join(map(_output, block)).rstrip("\n")
            parts.append(f'<span class="kt-output">{shown}\n</span>')
    copied = html.escape("\n".join(typed).strip("\n")).replace("\n", "&#10;")
    return f'<code data-copy="{copied}">{"".join(parts)}</code>'


def _input(line: str) -> str:
    """A line of input, whose options are not broken after a hyphen."""
    return _outside_tags(r"(?<!\S)--?[\w-]+", r'<span class="kt-word">\g<0></span>', line)


def _outside_tags(pattern: str | re.Pattern[str], by: str, line: str) -> str:
    parts = re.split(r"(<[^>]+>)", line)
    return "".join(part if part.startswith("<") else re.sub(pattern, by, part) for part in parts)


def _output(line: str) -> str:
    """A line of output, where dots stand for what is left out."""
    if _TAG.sub("", line).strip() == "...":
        return _LINES
    if '<span class="gp">' in line:
        line = f'<span class="go">{_TAG.sub("", line)}</span>'
    return _outside_tags(LEFT_OUT, _DOTS, line)
