"""Console and Python blocks of the site: input and output apart, and what the copy button copies.

A hook of MkDocs. Pygments marks the prompts of a session (``$``, ``>>>``). From these marks each block gets

- lines of input, which wrap, and lines of output, which do not;
- ``data-copy``, the input without prompts: the copy button of the theme copies it instead of the whole block;
- a sign of its own for three dots in output, which say in the sources that something is left out there.

What else pages get here: places that are only referred to are not in the order of the Tab key, long numbers
break between their groups of digits, and options do not break at their hyphens.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from itertools import groupby
from textwrap import shorten
from typing import Any

_BLOCK = re.compile(r"<code>((?:(?!</code>).)*?<span class=\"gp\">.*?)</code>", re.DOTALL)
# Pygments takes other signs for prompts as well, such as the sign before a heading in Markdown.
_PROMPT = re.compile(r"^<span class=\"gp\">(?:\$|&gt;&gt;&gt;|\.\.\.)\s*</span>")
_TAG = re.compile(r"<[^>]+>")
_FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
_PARAGRAPH = re.compile(r"^(?=[A-Z`*\[])(?!\[!).+(?:\n(?!\n).+)*", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])")
_LONG = re.compile(r"(?<![\d,])\d{1,3}(?:,\d{3}){5,}")
_CODE = re.compile(r"(?<!<pre>)(?<!</span>)<code>([^<]*-[^<]*)</code>")
_HYPHENED = re.compile(r"(?<!\S)(?=\S*-)\S{2,28}(?!\S)")

LEFT_OUT = re.compile(r"""(?<![\w."'])\.\.\.(?![\w.])""")
"""Three dots in output that stand for something left out: ``...`` in doctests. ``"...BB"`` is not one."""

_UNBROKEN = r'<span class="kt-word">\g<0></span>'
_DOTS = '<span class="kt-left-out" title="left out: it differs from run to run">…</span>'
_LINES = '<span class="kt-left-out" title="lines left out">⋮</span>'


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Give the page a description, its first sentences, unless it has one; called by MkDocs for each page."""
    if "description" not in page.meta and (found := _PARAGRAPH.search(_FENCED.sub("", markdown))):
        said = _LINK.sub(r"\1", " ".join(found[0].split()))
        said = re.sub(r"[*`]|\{[^}]*\}", "", said)
        page.meta["description"] = shorten(said, 180, placeholder=" ...")
    return markdown


def on_page_content(content: str, **_: Any) -> str:
    """Return the page with its sessions marked; called by MkDocs for each page."""
    # A place that references find is no link: a reader with a keyboard would stop at it.
    content = re.sub(r'<a href="" id="([^"]+)"></a>', r'<span id="\1"></span>', content)
    content = _CODE.sub(lambda found: f"<code>{_HYPHENED.sub(_UNBROKEN, found[1])}</code>", content)
    content = _outside_tags(_LONG, lambda found: found[0].replace(",", ",<wbr>"), content)
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
    return _outside_tags(r"(?<!\S)--?[\w-]+", _UNBROKEN, line)


def _outside_tags(pattern: str | re.Pattern[str], by: str | Callable[[re.Match[str]], str], line: str) -> str:
    parts = re.split(r"(<[^>]+>)", line)
    return "".join(part if part.startswith("<") else re.sub(pattern, by, part) for part in parts)


def _output(line: str) -> str:
    """A line of output, where dots stand for what is left out."""
    if _TAG.sub("", line).strip() == "...":
        return _LINES
    if '<span class="gp">' in line:
        line = f'<span class="go">{_TAG.sub("", line)}</span>'
    return _outside_tags(LEFT_OUT, _DOTS, line)
