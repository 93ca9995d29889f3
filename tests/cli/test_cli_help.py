"""``--help``: of every command it fits 80 columns, names every value, and has examples that run."""

from __future__ import annotations

import gzip
import lzma
import re
import shlex
from pathlib import Path

import pytest
from command import Said, answered, commands, process
from marks import full, quick

from ktsolve.cli.help import examples_of
from ktsolve.engines.registry import ENGINES, MODEL_ENGINES
from ktsolve.formats.table import formats_of

COMMANDS = commands()

MADE = {
    "tour.json": "tour 6x6 -o tour.json",
    "tours.txt": "tour 6x6 -n 5 -o tours.txt",
    "walk.json": "walk 8x8 --record walk.json",
    "clues.txt": "clues make 6x6 -o clues.txt",
    "loop.txt": "puzzle make slitherlink 5x5 -o loop.txt",
    "loop.json": "puzzle make slitherlink 5x5 -o loop.json",
    "sudoku.json": "sudoku random --puzzle --seed 1 --json -o sudoku.json",
    "list.g6": "convert graph:petersen -o list.g6",
    "puzzle.txt": "sudoku random --puzzle --seed 1 -o puzzle.txt",
    "base.txt": "base make 6x6 -o base.txt",
    "clauses.cnf": "convert 5x6 -o clauses.cnf",
    "none.cnf": "convert 4x6 -o none.cnf",
    "soft.wcnf": "convert 5x5 --open --start a1 -o soft.wcnf",
    "6x6.db": "census 6x6 --open --ledger 6x6.db",
}
"""Files that examples read, and how they are made."""


def help_of(words: str) -> str:
    said = answered(*words.split(), "--help")
    assert said.err == ""
    return said.out


@pytest.mark.parametrize("columns", [full(70), 80, full(120)])
@pytest.mark.parametrize("words", COMMANDS)
def test_help_fits_the_terminal(words: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    text = help_of(words)
    assert max(map(len, text.splitlines())) <= min(columns, 100)
    assert "\033" not in text
    assert re.match(rf"Usage: ktsolve {words}", text)
    assert not re.search(r"<(?:bool|str|int|float|list)|list\[", text)


@pytest.mark.parametrize("words", COMMANDS)
def test_every_value_has_a_name(words: str) -> None:
    for parameter in COMMANDS[words].params:
        if parameter.param_type_name == "option" and not parameter.hidden:
            assert parameter.help, parameter.name
            assert parameter.is_flag or parameter.metavar, parameter.name


def test_engines_and_formats_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for words, command in COMMANDS.items():
        text = " ".join(help_of(words).split())
        names = {name for each in command.params for name in each.opts}
        if "--engine" in names and words not in ("swap", "longest", "non-crossing"):
            of_models = words == "base make" or words.startswith(("sudoku ", "puzzle "))
            engines = MODEL_ENGINES if of_models else ENGINES
            engine = text.partition("--engine NAME")[2].partition("--")[0]
            assert all(re.search(rf"\b{name}\b", engine) for name in engines), words
    text = " ".join(help_of("draw").split())
    assert all(re.search(rf"\b{form.name}\b", text) for form in formats_of("picture"))


def test_help_is_bold_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    context = COMMANDS["tour"].make_context("ktsolve tour", [], resilient_parsing=True)
    plain = context.get_help()
    monkeypatch.setattr("ktsolve.cli.help.colour_depth", lambda: 256)
    bold = context.get_help()
    assert "\033[1m--engine NAME\033[0m" in bold
    assert re.sub("\033\\[[0-9;]*m", "", bold) == plain


def ran(line: str) -> Said:
    """What the last command of a pipe says; each must succeed."""
    said = Said(0, "", "")
    for part in line.split(" | "):
        name, *arguments = shlex.split(part)
        assert name == "ktsolve"
        said = answered(*arguments, given=said.out.encode())
    return said


FEW = (
    "",
    "base validate",
    "check",
    "list",
    "sequence",
    "sample",
    "solve",
    "swap",
    "sudoku count",
    "puzzle list",
)
"""Commands whose examples take little time, one or two of each kind."""


@pytest.mark.parametrize("words", quick((words for words in COMMANDS if words != "census"), FEW.__contains__))
def test_examples_run(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = examples_of(COMMANDS[words])
    assert examples
    monkeypatch.chdir(tmp_path)
    lines = " ".join(line for line, _ in examples)
    for name, command in MADE.items():
        if name in lines and f"-o {name}" not in lines and words != "census run":
            answered(*command.split(), *["-q"] * (not command.startswith("convert")))
            for suffix, compress in ((".xz", lzma.compress), (".gz", gzip.compress)):
                if name + suffix in lines:
                    Path(name + suffix).write_bytes(compress(Path(name).read_bytes()))
    elsewhere = {
        line for name in COMMANDS if name and name != words for line, _ in examples_of(COMMANDS[name])
    }
    for line, does in examples:
        assert f"ktsolve {words}".removesuffix(" run").strip() in line
        if words == "verify":
            continue  # it takes a minute
        if line in elsewhere and not words:
            continue  # an example of its command as well
        said = ran(line)
        number = re.match(r"(?:all )?(\d{3,})", does)
        assert number is None or number[1] in said.out + said.err or "--all" in line, line
        written = re.search(r"(?:-o|--certificate|--animate|--record|--picture) (\S+)", line)
        if written is not None:
            assert (tmp_path / written[1]).stat().st_size > 100
        assert said.out or written, line


def test_help_as_a_process() -> None:
    assert process("count", "--help").out.startswith("Usage: ktsolve count BOARD [OPTIONS]")
