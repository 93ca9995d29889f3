"""``ktsolve completion``: a script by which a shell completes commands, options and their values.

The script holds all names, so that no completion starts Python.
"""

from __future__ import annotations

from typing import Annotated

import typer

from ktsolve.base.errors import BadInput
from ktsolve.base.text import shown
from ktsolve.cli import options as opt
from ktsolve.cli.completion_scripts import SCRIPTS
from ktsolve.cli.completion_words import nodes
from ktsolve.cli.output import emit

__all__ = ["completion"]


def completion(
    context: typer.Context,
    shell: Annotated[str, typer.Argument(metavar="bash|zsh|fish", help="The shell.")],
    output: opt.OutputOption = None,
) -> int:
    """Print a script that completes commands, options and their values in a shell.

    Write it where the shell looks for completions, and again after an update of ktsolve. For bash that is
    ~/.local/share/bash-completion/completions/ktsolve, for fish ~/.config/fish/completions/ktsolve.fish, for
    zsh a file _ktsolve in a folder of $fpath.

    Examples
    --------
    ktsolve completion bash -o ktsolve.sh     # to source in ~/.bashrc
    ktsolve completion zsh -o _ktsolve        # to move into a folder of $fpath
    ktsolve completion fish -o ktsolve.fish   # to move into its folder
    """
    if shell not in SCRIPTS:
        raise BadInput(f"shell {shown(shell)} is unknown: use {', '.join(SCRIPTS)}")
    emit(SCRIPTS[shell](list(nodes(context.find_root().command))), output)
    return 0
