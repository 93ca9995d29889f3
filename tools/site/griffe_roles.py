"""An extension of griffe, which reads the package for mkdocstrings: its docstrings become Markdown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import griffe
from roles import markdown, names_of


class Roles(griffe.Extension):
    """Turns the roles in all docstrings into links or code (``roles.py``)."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Change the docstrings of a package that has been read."""
        if pkg.name == "ktsolve" and isinstance(pkg.filepath, Path):
            self._names = names_of(pkg.filepath.parent)
            for full in self._names.top.values():
                if (each := pkg[full.removeprefix("ktsolve.")]).is_class:
                    _inherit(each)
            self._change(pkg)

    def _change(self, each: Any) -> None:
        if each.docstring is not None:
            owner = each if each.is_class else each.parent
            within = owner.path if owner is not None and owner.is_class else ""
            each.docstring.value = markdown(each.docstring.value, self._names, each.module.path, within)
        for member in each.members.values():
            if not member.is_alias:
                self._change(member)


def _inherit(each: Any) -> None:
    """Give the methods of a class that have no docstring that of a base class."""
    for name, member in each.members.items():
        found = [base.members[name] for base in each.mro() if name in base.members]
        if not member.is_alias and member.docstring is None and found and found[0].docstring is not None:
            member.docstring = griffe.Docstring(found[0].docstring.value, parent=member)
