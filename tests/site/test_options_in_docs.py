"""Commands and options that docs, docstrings and messages name are those of the parser, and conversely."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from command import commands

from ktsolve.cli.flatzinc import parser

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").glob("*.md")),
]
SOURCES = sorted((*(ROOT / "ktsolve").rglob("*.py"), *(ROOT / "models").glob("*.py")))
OPTION = re.compile(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*(?![\w-])")
SPAN = re.compile(r"`([^`]+)`")
COMMANDS = commands()


def own_options(words: str) -> Iterator[str]:
    for each in COMMANDS[words].params:
        if each.param_type_name == "option":
            yield from (*each.opts, *each.secondary_opts)


@cache
def options_of(words: str) -> frozenset[str]:
    """The options of a command; of a group, those of all its commands."""
    inner = (options_of(name) for name in COMMANDS if words and name.startswith(f"{words} "))
    return frozenset({"--help"}.union(own_options(words), *inner))


OPTIONS = frozenset(re.findall(r"--[a-z]+", parser().format_usage())).union(*map(options_of, COMMANDS))
OF_SCRIPTS = {
    name for each in (ROOT / "benchmarks").glob("*.py") for name in OPTION.findall(each.read_text("utf-8"))
}


def named(words: list[str]) -> str:
    """The command that the words begin with, or an empty text."""
    found = ""
    for word in words:
        longer = f"{found} {word}".strip()
        if longer not in COMMANDS:
            break
        found = longer
    return found


def unknown_in(code: str) -> Iterator[str]:
    """What the parser does not take in a command line, or in several of a pipe."""
    for line in re.split(r"\||&&|;|\n|\$\(", re.sub(r"\s+# .*", "", code)):
        words = line.split()
        if "ktsolve" in words:
            words = words[words.index("ktsolve") + 1 :]
            if re.fullmatch(r"[a-z][a-z-]+", words[0] if words else "") and not named(words):
                yield f"ktsolve {words[0]}"
        if command := named(words):
            shown = " ".join(words)[:70]  # tables of measurements cut long lines
            cut = shown.endswith("...") or len(shown) == 70
            given = OPTION.findall(shown.rpartition(" ")[0] if cut else shown)
            yield from (f"{command} {each}" for each in given if each not in options_of(command))


def passages(text: str) -> Iterator[str]:
    """Rows of tables and sentences, without blocks of code."""
    text = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for paragraph in re.split(r"\n\s*\n|\n(?=\||#|- |\d+\. )", text):
        line = " ".join(paragraph.split())
        yield from [line] if line.startswith("|") else re.split(r"(?<=[.;:?])\s", line)


def unknown_beside(passage: str, section: str) -> Iterator[str]:
    """Options by themselves that no command has which the section, the row or the sentence names."""
    spans = SPAN.findall(passage)
    words = [each.removeprefix("ktsolve ").split() for each in spans if not OPTION.search(each)]
    beside = [each for each in map(named, words) if " " in each or f"`ktsolve {each}`" in passage]
    of_section = [each for each in [named(section.split()[1:])] if each]
    known = OPTIONS | OF_SCRIPTS
    if beside or of_section:
        known = frozenset().union(
            *map(options_of, beside + of_section + [each for each in map(named, words) if each])
        )
    for span in spans:
        if span.startswith("--"):
            yield from (f"{each}: {passage}" for each in OPTION.findall(span) if each not in known)


def sections(page: Path) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^(?=## )", page.read_text("utf-8"), flags=re.MULTILINE):
        yield part.partition("\n")[0].removeprefix("## "), part


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_options_of_docs_exist(page: Path) -> None:
    unknown: list[str] = []
    for heading, text in sections(page):
        for block in re.findall(r"^ *```console\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL):
            for line in re.findall(r"^ *\$ (.*)", block, re.MULTILINE):
                unknown += unknown_in(line)
        for passage in passages(text):
            for span in SPAN.findall(passage):
                unknown += unknown_in(span)
            unknown += unknown_beside(passage, heading)
    assert unknown == []


def test_commands_and_options_of_docstrings_and_messages_exist() -> None:
    unknown = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
                continue
            lines = [line for line in re.findall(r"ktsolve [a-z][^`\"\n]*", node.value) if "--" in line]
            wrong = [each for line in lines for each in unknown_in(line)]
            wrong += [each for each in OPTION.findall(node.value) if each not in OPTIONS]
            unknown += [f"{path.relative_to(ROOT)}:{node.lineno}: {each}" for each in wrong]
    assert [each for each in unknown if ": --kt-" not in each] == []  # variables of style sheets


TEXTS = dict(sections(ROOT / "docs" / "commands.md"))
SHARED = "".join(TEXTS[each] for each in ("On a terminal", "Problem options", "Engine and limits", "Output"))


@pytest.mark.parametrize("words", [each for each in COMMANDS if not hasattr(COMMANDS[each], "commands")])
def test_every_option_is_on_the_page_of_commands(words: str) -> None:
    """In the section of its command, or in the tables of several; and so is every value of a choice."""
    text = TEXTS.get(f"ktsolve {words.split()[0]}", "") + SHARED
    missing = []
    for option in COMMANDS[words].params:
        if option.param_type_name != "option" or option.hidden:
            continue
        choice = option.metavar if "|" in (option.metavar or "") else ""
        stated = [*option.opts, *option.secondary_opts, *re.findall(r"[a-z][a-z0-9-]*", choice)]
        missing += [each for each in stated if not re.search(rf"(?<![\w-]){each}(?![\w-])", text)]
    assert missing == []


@pytest.mark.parametrize(
    ("code", "unknown"),
    [
        ("ktsolve tour 6x6 --open | ktsolve chek -", ["ktsolve chek"]),
        ("sudoku random --clues 30", ["sudoku random --clues"]),
        ("ktsolve census 6x6 --ledger x.db", []),
        ("tour 6x6 --opne", ["tour --opne"]),
    ],
)
def test_the_reader_of_docs_finds_what_is_unknown(code: str, unknown: list[str]) -> None:
    assert list(unknown_in(code)) == unknown
    row = "| `sudoku random` | a grid; `--clues K` |"
    assert list(unknown_beside(row, "ktsolve sudoku")) == [f"--clues: {row}"]
