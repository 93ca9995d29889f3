"""What the site shows and copies of sessions: the commands of each page, and nothing of their output."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from site_tools import ROOT, site_tool

blocks, build = site_tool("blocks"), site_tool("build")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(console|pycon)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def made(kind: str, source: str) -> str:
    """The code element of a session as it is on the site."""
    marked = highlight(source, get_lexer_by_name(kind), HtmlFormatter(nowrap=True))
    return str(blocks.on_page_content(f"<pre><span></span><code>{marked}</code></pre>"))


def copied(code: str) -> str:
    return html.unescape(re.findall(r'data-copy="([^"]*)"', code)[0])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_copied_text_is_the_input(page: Path) -> None:
    for kind, source in BLOCK.findall(build.sessions_named(page.read_text("utf-8"))):
        prompts = (">>> ", "... ", "...\n") if kind == "pycon" else ("$ ",)
        lines = [line + "\n" for line in source.splitlines()]
        wanted = [line[4 if kind == "pycon" else 2 :].rstrip() for line in lines if line.startswith(prompts)]
        code = made(kind, source)
        assert copied(code).split("\n") == wanted, source
        shown = html.unescape(re.sub(r"<[^>]+>", "", code))
        for line in wanted:
            assert line in shown


def test_dots_are_shown_as_something_left_out() -> None:
    code = made("console", '$ verify ...\na,... 7\n...\n{"s": ..., "x": "...B"}\nsfj.tac..\n')
    assert code.count("kt-left-out") == 3
    assert '"...B"' in code
    assert "sfj.tac.." in code
    assert copied(code) == "verify ..."


def test_a_block_without_input_stays() -> None:
    plain = "<pre><code>x <b>1</b>\n</code></pre>"
    assert blocks.on_page_content(plain) == plain


def test_input_and_output_are_apart() -> None:
    code = made("console", "$ echo '<1>'\n<1>\n\n$ echo 2\n2\n")
    assert re.findall(r'class="kt-(\w+)"', code) == ["input", "output", "input", "output"]
    assert "&lt;1&gt;</span>\n</span>" in code
    assert copied(code) == "echo '<1>'\necho 2"


def test_a_place_that_is_referred_to_is_no_link() -> None:
    assert blocks.on_page_content('<p><a href="" id="a.b"></a></p>') == '<p><span id="a.b"></span></p>'
    link = '<a href="#a">A</a>'
    assert blocks.on_page_content(link) == link
