"""``ktsolve completion``: a script by which a shell asks ktsolve for commands, options and their values.

The script and the answers are typer's; ``completion_values.py`` says which values there are.
"""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.cli import options as opt
from ktsolve.cli.help import COMPLETE
from ktsolve.cli.output import emit

__all__ = ["answer_shell", "completion"]

SHELLS = ("bash", "zsh", "fish", "powershell")


def completion(
    shell: Annotated[str, typer.Argument(metavar="|".join(SHELLS), help="The shell.")],
    output: opt.OutputOption = None,
) -> int:
    """Print a script that completes commands, options and their values in a shell.

    Write it where the shell looks for completions. For bash that is
    ~/.local/share/bash-completion/completions/ktsolve, for fish ~/.config/fish/completions/ktsolve.fish, for
    zsh a file _ktsolve in a folder of $fpath.

    Examples
    --------
    ktsolve completion bash -o ktsolve.sh     # to source in ~/.bashrc
    ktsolve completion zsh -o _ktsolve        # to move into a folder of $fpath
    ktsolve completion fish -o ktsolve.fish   # to move into its folder
    """
    from typer._completion_shared import get_completion_script

    if shell not in SHELLS:
        raise BadInput(f"shell {shown(shell)} is unknown: use {', '.join(SHELLS)}")
    script = get_completion_script(prog_name="ktsolve", complete_var=COMPLETE, shell=shell)
    emit(script + "\n", output)
    return 0


def answer_shell(command: Any) -> int:
    """Print the completions that a shell asks for by :data:`COMPLETE`, and return the exit status."""
    from typer._completion_classes import completion_init
    from typer.completion import shell_complete

    completion_init()
    return shell_complete(command, {}, "ktsolve", COMPLETE, os.environ[COMPLETE])
