#!/usr/bin/env python3
"""Print requirements of pyproject.toml, one to a line: requirements.py [--lowest] NAME...

A NAME is an extra, ``build`` (what a build needs) or ``project`` (what the installed package needs). An extra
that names other extras has theirs too. With ``--lowest`` each lower bound is the exact version.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"

BUILDERS = ["cmake>=3.26", "ninja>=1.11.1"]
"""A build in an environment of its own gets these from scikit-build-core where the system lacks them."""


def requirements(names: list[str]) -> list[str]:
    """Return the requirements of some extras, sorted, each once."""
    given = tomllib.loads(PYPROJECT.read_text("utf-8"))
    groups: dict[str, list[str]] = {
        **given["project"]["optional-dependencies"],
        "project": given["project"]["dependencies"],
        "build": [*given["build-system"]["requires"], *BUILDERS],
    }
    found = set()
    for name in names:
        if name not in groups:
            raise SystemExit(f"requirements.py: extra {name!r} is unknown: use {', '.join(sorted(groups))}")
        for requirement in groups[name]:
            if extras := re.fullmatch(r"ktsolve\[([\w,-]+)\]", requirement):
                found |= set(requirements(extras[1].split(",")))
            else:
                found.add(requirement)
    return sorted(found, key=str.lower)


def lowest(requirement: str) -> str:
    """Return a requirement with its lower bound as the exact version."""
    return re.sub(r">=([\w.]+).*", r"==\1", requirement)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    lines = requirements([name for name in arguments if name != "--lowest"])
    print(*(lowest(line) if "--lowest" in arguments else line for line in lines), sep="\n")
