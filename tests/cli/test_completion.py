"""``ktsolve completion``: shells complete commands, options and their values."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from command import answered, refused

from ktsolve.cli.app import root, run
from ktsolve.cli.names import words_of
from ktsolve.cli.output import COMPLETE
from ktsolve.engines.registry import ENGINES
from ktsolve.formats.table import formats_of

LINES = {
    "ktsolve co": {"completion", "convert", "count"},
    "ktsolve sudoku s": {"same", "solve"},
    "ktsolve tour 8x8 --eng": {"--engine"},
    "ktsolve tour 8x8 --engine s": {"search", "strip", "sat"},
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
    "ktsolve tour 8x8 --seed ": set(),
    "ktsolve swap --most ": set(),
}
"""Lines, and what they are completed to."""


@pytest.mark.parametrize("line", LINES)
def test_lines_are_completed(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = line.split(" ")
    monkeypatch.setenv(COMPLETE, "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    assert run([]) == 0
    assert set(capsys.readouterr().out.split()) == LINES[line]


SHELLS = {
    "bash": "COMP_WORDS=(ktsolve tour 8x8 --engine se); COMP_CWORD=4; _ktsolve_completion ktsolve; "
    "printf '%s\\n' \"${COMPREPLY[@]}\"",
    "fish": "complete -C 'ktsolve tour 8x8 --engine se'",
}
"""For each shell what asks for a completion once it has read the script."""


@pytest.mark.full
@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_asks_by_the_script(shell: str, tmp_path: Path, forked: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    (tmp_path / "script").write_text(answered("completion", shell).out)
    bare = {"bash": "--norc", "fish": "--no-config"}[shell]
    done = subprocess.run(
        [shell, bare, "-c", f"source ./script; {SHELLS[shell]}"],
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PATH": f"{forked}:/usr/bin:/bin:/usr/local/bin", "LC_ALL": "C"},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert (done.stdout.split()[:1], done.stderr) == (["search"], "")


def test_every_shell_has_a_script() -> None:
    for shell in ("bash", "zsh", "fish", "powershell"):
        assert f"{COMPLETE}" in answered("completion", shell).out
    assert refused("completion", "tcsh") == "shell 'tcsh' is unknown: use bash, zsh, fish, powershell"


def test_options_have_the_names_of_their_tables() -> None:
    def words(command: str, option: str) -> set[str]:
        each: Any = root().commands[command]
        (found,) = (one for one in each.params if option in one.opts)
        return set(words_of(found, command)[0])

    for command in ("tour", "count", "sample"):
        assert words(command, "--engine") == {"auto", *ENGINES}
    assert words("tour", "--format") >= {each.name for each in formats_of("tour", "graph", "picture")} - {
        "text"
    }
