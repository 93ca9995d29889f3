"""``ktsolve completion``: the scripts complete commands, options and their values in bash, zsh and fish."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from command import answered, refused

from ktsolve.cli.app import root
from ktsolve.cli.completion_words import nodes
from ktsolve.engines.registry import ENGINES
from ktsolve.formats.table import formats_of
from ktsolve.problem.conditions import KEYS

NODES = {node.path: node for node in nodes(root())}

LINES = {
    "ktsolve co": {"completion", "convert", "count"},
    "ktsolve sudoku s": {"same", "solve"},
    "ktsolve tour 8x8 --eng": {"--engine"},
    "ktsolve tour 8x8 --engine s": {"search", "strip", "sat"},
    "ktsolve tour 8x8 --engine=s": {"search", "strip", "sat"},
    "ktsolve sudoku solve --engine ": {"auto", "sat", "cpsat"},
    "ktsolve swap --engine b": {"bfs"},
    "ktsolve draw tour.json --theme d": {"dark"},
    "ktsolve count 6x6 --symmetry rot": {"rot90", "rot180"},
    "ktsolve count 6x6 --least tu": {"turns="},
    "ktsolve count 6x6 --magic rows,c": {"rows,columns"},
    "ktsolve survey 6x6 --of turns,v": {"turns,visit:"},
    "ktsolve count graph:tut": {"graph:tutte"},
    "ktsolve swap guarini-d": {"guarini-diagonal"},
    "ktsolve solve closed-6": {"closed-6x6"},
    "ktsolve census report --format m": {"markdown"},
    "ktsolve census --led": {"--ledger"},
    "ktsolve completion z": {"zsh"},
    "ktsolve check some": {"some.txt"},
    "ktsolve count 8x8 --spill fol": {"folder"},
    "ktsolve tour 8x8 --seed ": set(),
    "ktsolve swap --most ": set(),
}
"""Lines, and what they are completed to. In the folder are ``some.txt`` and ``folder``."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for shell in ("bash", "zsh", "fish"):
        (tmp_path / f"script.{shell}").write_text(answered("completion", shell).out)
    (tmp_path / "some.txt").write_text("1")
    (tmp_path / "folder").mkdir()
    return tmp_path


def asked(shell: list[str], script: str, folder: Path) -> list[str]:
    if shutil.which(shell[0]) is None:
        pytest.skip(f"there is no {shell[0]} here")
    home = {"HOME": str(folder), "PATH": "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin", "LC_ALL": "C"}
    done = subprocess.run(
        [*shell, script], cwd=folder, capture_output=True, text=True, timeout=60, env=home, check=True
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def in_order(lines: list[str]) -> list[set[str]]:
    """The answers to all lines, which are separated by a line of signs."""
    parts = "".join(f"{line}\n" for line in lines).split("++++\n")[1:]
    return [{line.partition("\t")[0].rstrip("/") for line in part.splitlines() if line} for part in parts]


def with_options() -> dict[str, set[str]]:
    """What the lines are completed to, with the option where it stands in the same word."""
    return {
        line: {f"--engine={name}" if "--engine=" in line else name for name in names}
        for line, names in LINES.items()
    }


def test_bash(folder: Path) -> None:
    each = "".join(
        f"echo ++++; COMP_LINE='{line}'; COMP_POINT={len(line)}; _ktsolve; "
        "printf '%s\\n' \"${COMPREPLY[@]}\"; "
        for line in LINES
    )
    breaks = "COMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:'; compopt() { :; }; "
    found = in_order(asked(["bash", "--norc", "-c"], f"source ./script.bash; {breaks}{each}", folder))
    # Bash completes what stands behind the last = or : of a word.
    wanted = [
        {name.rpartition(":")[2] if name.startswith("graph:") else name for name in names}
        for names in LINES.values()
    ]
    assert dict(zip(LINES, found, strict=True)) == dict(zip(LINES, wanted, strict=True))


def test_fish(folder: Path) -> None:
    each = "".join(f"echo ++++; complete -C '{line}'; " for line in LINES)
    found = in_order(asked(["fish", "--no-config", "-c"], f"source ./script.fish; {each}", folder))
    assert dict(zip(LINES, found, strict=True)) == with_options()


ZSH = r"""
compdef() { : }
compset() { if [[ $1 == -P ]]; then done=${(M)PREFIX#${~@[-1]}}; PREFIX=${PREFIX#${~@[-1]}}; fi }
keep() { local each; for each; do if [[ $each == $PREFIX* ]]; then print -r -- "$done$each"; fi; done }
compadd() { keep ${(P)@[-1]} }
_describe() { keep ${${(P)@[-1]}%%:*} }
_files() { if [[ $1 == -/ ]]; then keep *(N/); else keep *(N); fi }
source ./script.zsh
ask() {
    local -a words=("${(@s: :)1}")
    local CURRENT=$#words PREFIX=$words[-1] done=""
    print ++++
    _ktsolve
}
"""
"""The functions of zsh's completion that the script calls, as far as it needs them."""


def test_zsh(folder: Path) -> None:
    each = "".join(f"ask '{line}'; " for line in LINES)
    found = in_order(asked(["zsh", "-f", "-c"], f"{ZSH}\n{each} true", folder))
    assert dict(zip(LINES, found, strict=True)) == with_options()


def test_every_option_and_its_names() -> None:
    for path, node in NODES.items():
        options = {option.names[-1]: option for option in node.options}
        for name, option in options.items():
            assert option.about, (path, name)
            assert len(option.about) < 90, (path, name)
        if path in ("tour", "count", "sample"):
            assert set(dict.fromkeys(options["--engine"].value.words)) == {"auto", *ENGINES}  # type: ignore[union-attr]
            assert {f"--{key.flag}" for key, _ in KEYS.values() if key.flag} <= options.keys()
    tour = {name: option.value for option in NODES["tour"].options for name in option.names}
    formats = tour["--format"]
    assert formats is not None
    assert {form.name for form in formats_of("tour", "graph", "picture")} - {"text"} == set(formats.words)


def test_an_unknown_shell_is_refused() -> None:
    assert refused("completion", "tcsh") == "shell 'tcsh' is unknown: use bash, zsh, fish"
