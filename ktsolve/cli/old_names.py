"""Former spellings of options, which commands still take: they are in no help text and in no completion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["OLD_OPTIONS", "renamed"]

OLD_OPTIONS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "count": {"--classes": ("--up-to-symmetry",)},
    "sudoku count": {"--classes": ("--up-to-symmetry",)},
    "draw": {"--classes": ("--up-to-symmetry",)},
    "census run": {"--classes": ("--ends",)},
    "base make": {"--symmetric": ("--symmetry", "rot180")},
    "sudoku random": {"--clues": ("--givens",)},
    "solve": {"--export": ("--format",)},
}
"""For each command its former options, and what stands for them now."""


def renamed(command: str, arguments: Sequence[str]) -> list[str]:
    """The arguments of a command with the present names of its options.

    >>> renamed("base make", ["6x6", "--symmetric"]), renamed("census run", ["6x6", "--classes=a1-b3"])
    (['6x6', '--symmetry', 'rot180'], ['6x6', '--ends=a1-b3'])
    """
    old = OLD_OPTIONS.get(command, {})
    found: list[str] = []
    for place, argument in enumerate(arguments):
        if argument == "--":
            return [*found, *arguments[place:]]
        name, equals, value = argument.partition("=")
        if name in old:
            *before, last = old[name]
            found += [*before, f"{last}{equals}{value}"]
        else:
            found.append(argument)
    return found
