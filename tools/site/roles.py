"""Docstrings as Markdown: roles of Sphinx become links, or code where there is nothing to link to."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path

from ktsolve.verify.published import linked

__all__ = ["NOT_FOR_PYTHON", "ROLE", "Names", "first_line", "markdown", "names_of", "offered", "parsed"]

NOT_FOR_PYTHON = ("cli", "data")
"""Packages that are no part of the Python interface."""

ROLE = re.compile(r":(?:attr|class|const|data|exc|func|meth|mod|obj|py:\w+):`([^`]+)`")
"""A role, with its text: a name, ``~name``, or ``text <name>``."""

_CODE = re.compile(r"(``.+?``|`[^`]+`)", re.DOTALL)
"""Code within a paragraph."""

_EXAMPLE = re.compile(r"^( *)>>> .*(?:\n *\S.*)*", re.MULTILINE)
"""An example: it ends at an empty line."""

_FLAGS = re.compile(r" *# doctest:.*$", re.MULTILINE)

_TITLED = re.compile(r"(.+?)\s*<(.+)>", re.DOTALL)


@dataclass
class Names:
    """The names of a package, read without importing it.

    Attributes
    ----------
    documented:
        Full names with a place in the reference: modules, their members, and members of classes.
    scopes:
        For each module, the full names of what it defines and imports.
    bases:
        For each class, the full names of its bases.
    top:
        The names of ``import ktsolve``, with their full names.
    """

    documented: set[str] = field(default_factory=set)
    scopes: dict[str, dict[str, str]] = field(default_factory=dict)
    bases: dict[str, list[str]] = field(default_factory=dict)
    top: dict[str, str] = field(default_factory=dict)

    def find(self, name: str, module: str, within: str = "") -> str | None:
        """The documented full name that a text in a docstring means, or None.

        Parameters
        ----------
        module, within:
            The module of the docstring, and the class if it is one of a class or its members.
        """
        if name.startswith("."):
            return self.defined(f"{module.rpartition('.')[0]}{name}")
        places = self._candidates(name, module, within)
        exact = (self.defined(place) for place in places)
        # A field of a class has no place of its own; that of the class describes it.
        classes = (self._class_of(place) for place in places if "." in name)
        return next((place for place in (*exact, *classes) if place is not None), None)

    def _candidates(self, name: str, module: str, within: str) -> list[str]:
        head, _, rest = name.partition(".")
        tail = f".{rest}" if rest else ""
        found = [f"{each}.{name}" for each in self._line(within)] if within else []
        scope = self.scopes.get(module, {})
        if head in scope:
            found.append(scope[head] + tail)
        found.append(f"{module}.{name}")
        if head == "ktsolve":
            # A name of ``import ktsolve``, or a full name.
            first, _, more = rest.partition(".")
            if first in self.top:
                found.append(self.top[first] + (f".{more}" if more else ""))
            found.append(name)
        return found

    def _line(self, within: str) -> list[str]:
        """The class and its bases, the nearest first."""
        line = [within]
        for each in line:
            line += [base for base in self.bases.get(each, []) if base not in line]
        return line

    def defined(self, name: str) -> str | None:
        """The documented name, or what it is an import of, or inherits; else None."""
        for _ in range(4):
            if name in self.documented:
                return name
            owner, _, own = name.rpartition(".")
            for base in self._line(owner)[1:]:
                if f"{base}.{own}" in self.documented:
                    return f"{base}.{own}"
            name = self.scopes.get(owner, {}).get(own, "")
        return None

    def _class_of(self, name: str) -> str | None:
        owner = self.defined(name.rpartition(".")[0])
        return owner if owner in self.bases else None


@cache
def names_of(package: Path) -> Names:
    """The names of a package and of the packages in it."""
    names = Names()
    # What ``import ktsolve`` offers is listed where type checkers look.
    for node in ast.parse((package / "__init__.pyi").read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            names.top |= {each.name: f"{package.name}.{node.module}.{each.name}" for each in node.names}
    for path in sorted(package.rglob("*.py")):
        parts = [package.name, *path.relative_to(package).with_suffix("").parts]
        if parts[1] in NOT_FOR_PYTHON:
            continue
        is_package = parts[-1] == "__init__"
        module = ".".join(parts[:-1] if is_package else parts)
        _read(path, module, names, is_package=is_package)
        if is_package and len(parts) == 3:
            names.documented.add(module)
    return names


@cache
def parsed(path: Path) -> ast.Module:
    """A file without the bodies of its functions, whose docstrings stay.

    All files take a second, and each is read several times. The bodies are three quarters of the memory.
    """
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            del node.body[int(_is_text(node.body[0])) :]
    return tree


def _read(path: Path, module: str, names: Names, *, is_package: bool) -> None:
    scope = names.scopes.setdefault(module, {})
    body = parsed(path).body
    mine = [] if is_package else _offered(body)
    if mine:
        names.documented.add(module)
    for node in _statements(body):
        if isinstance(node, ast.ImportFrom):
            base = module if is_package else module.rpartition(".")[0]
            source = f"{base}.{node.module}" if node.level else str(node.module)
            scope.update({each.asname or each.name: f"{source}.{each.name}" for each in node.names})
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            scope[node.name] = f"{module}.{node.name}"
            if isinstance(node, ast.ClassDef):
                bases = [ast.unparse(base).partition("[")[0] for base in node.bases]
                names.bases[f"{module}.{node.name}"] = [scope.get(base, f"{module}.{base}") for base in bases]
            if node.name in mine:
                names.documented.add(f"{module}.{node.name}")
                if isinstance(node, ast.ClassDef):
                    names.documented |= {f"{module}.{node.name}.{each}" for each in _members(node)}
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in (each.id for each in targets if isinstance(each, ast.Name)):
                scope[target] = f"{module}.{target}"
    for one, following in pairwise(body):
        if isinstance(one, (ast.Assign, ast.AnnAssign)) and _is_text(following):
            targets = one.targets if isinstance(one, ast.Assign) else [one.target]
            found = {each.id for each in targets if isinstance(each, ast.Name)}
            names.documented |= {f"{module}.{name}" for name in found & set(mine)}


def _statements(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of a module, with those below ``if TYPE_CHECKING``."""
    found = []
    for node in body:
        found.append(node)
        if isinstance(node, ast.If):
            found += _statements(node.body)
    return found


def offered(path: Path) -> list[str]:
    """The names in ``__all__`` of a module, read without importing it."""
    return _offered(parsed(path).body)


def _offered(body: list[ast.stmt]) -> list[str]:
    for node in body:
        if isinstance(node, ast.Assign) and [getattr(each, "id", "") for each in node.targets] == ["__all__"]:
            try:
                return [str(name) for name in ast.literal_eval(node.value)]
            except ValueError:  # made when it is imported
                return []
    return []


def _members(node: ast.ClassDef) -> set[str]:
    """Public members of a class with a docstring, which have a place in the reference."""
    found = {
        each.name
        for each in node.body
        if isinstance(each, ast.FunctionDef) and not each.name.startswith("_") and ast.get_docstring(each)
    }
    for one, following in pairwise(node.body):
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name) and _is_text(following):
            found.add(one.target.id)
    return found


def _is_text(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def markdown(text: str, names: Names, module: str, within: str = "") -> str:
    """Return a docstring as Markdown.

    >>> markdown("See :func:`~ktsolve.tasks.find.find`.", Names({"ktsolve.tasks.find.find"}), "ktsolve")
    'See [`find`][ktsolve.tasks.find.find].'
    >>> markdown("Saved by :mod:`pickle` (OEIS A175881).", Names(), "ktsolve")
    'Saved by `pickle` (OEIS [A175881](https://oeis.org/A175881)).'
    """

    def link(found: re.Match[str]) -> str:
        name = re.sub(r"\s+", " ", found[1])
        titled = _TITLED.fullmatch(name)
        shown, target = titled.groups() if titled else (name, name)
        target = target.removeprefix("~")
        place = names.find(target.removesuffix("()"), module, within)
        if titled is None:
            short = name.startswith("~") or (target.startswith("ktsolve.") and place not in names.scopes)
            shown = target.rpartition(".")[2] if short else target.lstrip(".")
        return f"`{shown}`" if place is None else f"[`{shown}`][{place}]"

    def prose(part: str) -> str:
        part = ROLE.sub(link, part)
        # A paragraph that ends with two colons announces a block of code, in reStructuredText.
        part = re.sub(r"::$", ":", part, flags=re.MULTILINE)
        return "".join(code if place % 2 else linked(code) for place, code in enumerate(_CODE.split(part)))

    parts, end = [], 0
    for example in _EXAMPLE.finditer(text):
        # Without a fence the prompts would be quotations, and lists references.
        code = _FLAGS.sub("", example[0])
        parts += [prose(text[end : example.start()]), f"{example[1]}```pycon\n{code}\n{example[1]}```"]
        end = example.end()
    return "".join([*parts, prose(text[end:])])


def first_line(docstring: str, names: Names, module: str, within: str = "") -> str:
    """Return the first sentence or line of a docstring, for a cell of a table."""
    line = " ".join(docstring.strip().partition("\n\n")[0].split())
    return markdown(line, names, module, within).replace("|", "\\|")
