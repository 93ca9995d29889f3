"""The Python reference: the names of ``import ktsolve``, a page for each package, and one for each module.

mkdocstrings fills the pages of modules with the docstrings.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from roles import NOT_FOR_PYTHON, Names, first_line, names_of, offered, parsed

PACKAGES = {
    "tasks": "Questions: find, count, list, sample, optimise",
    "graphs": "Graphs, boards, tours, symmetries, notation",
    "problem": "Problems, their conditions, checker and arithmetic",
    "formats": "File formats",
    "model": "The language of models",
    "engines": "Engines",
    "proof": "Certificates that there is no tour",
    "render": "Pictures and the player",
    "wings": "Sudoku, swap puzzles, loop and path puzzles, long counts",
    "grids": "Grids with clues, boxes of sudoku",
    "verify": "The cross-check",
    "base": "Settings, limits, errors",
}
"""The packages in the order of the navigation."""

FIRST = ("find", "count", "Tour", "Board", "TourProblem")
"""The names with which most programs begin."""

START = """# Python interface

The names of `import ktsolve`. Each is imported when it is first used. The classes of answers, such as
[`CountTable`][ktsolve.tasks.count_answer.CountTable], are in the modules of their packages.

```python
>>> import ktsolve
>>> problem = ktsolve.TourProblem(board="6x6", closed=True)
>>> ktsolve.count(problem).count
9862
>>> tour = ktsolve.find(problem).tour
>>> tour.valid, len(tour)
(True, 36)

```

## To begin with
"""


def write(package: Path, folder: Path) -> None:
    """Write all pages: ``index.md``, and for each package a page and a folder with pages of its modules."""
    names = names_of(package)
    modules = _modules(package)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.md").write_text(_start(package, names), "utf-8")
    for name, title in _packages(package).items():
        mine = {module: path for module, path in modules.items() if _package_of(module) == name}
        full = f"ktsolve.{name}"
        file = _page_of(full)
        lines = [
            _head(full),
            f"{title}.\n",
            "| module | contents | names |",
            "| --- | --- | --- |",
        ]
        for module, path in mine.items():
            inside = ", ".join(_link(f"{module}.{each}", each) for each in _own(path, module, names))
            about = _first_line_of(path, module, names)
            lines.append(f"| {_link(module, _short(module, name))} | {about} | {inside} |")
            page = folder / _page_of(module)
            page.parent.mkdir(parents=True, exist_ok=True)
            page.write_text(_module_page(module, _own(path, module, names)), "utf-8")
        (folder / file).write_text("\n".join(lines) + "\n", "utf-8")


def navigation(package: Path) -> list[Any]:
    """The part of the navigation for these pages."""
    modules = _modules(package)
    found: list[Any] = [{"Python interface": "python/index.md"}]
    for name in _packages(package):
        full = f"ktsolve.{name}"
        mine = [module for module in modules if _package_of(module) == name]
        pages = [{_short(module, name): f"python/{_page_of(module)}"} for module in mine]
        found.append({full: [{"Modules": f"python/{_page_of(full)}"}, *pages]})
    return found


def _start(package: Path, names: Names) -> str:
    """The page of the names of ``import ktsolve``."""
    places = {name: names.defined(full) or full for name, full in names.top.items()}
    lines = [START, *_table(package, names, {name: places[name] for name in FIRST})]
    for part, title in _packages(package).items():
        mine = {
            name: full
            for name, full in places.items()
            if _package_of(full.rpartition(".")[0]) == part and name not in FIRST
        }
        if mine:
            # Functions first, then classes.
            ordered = {
                name: mine[name] for name in sorted(mine, key=lambda name: (name[0].isupper(), name.lower()))
            }
            lines += ["", f"## {title}\n", *_table(package, names, ordered)]
    lines += ["", "## Packages\n", "| package | contents |", "| --- | --- |"]
    for part, title in _packages(package).items():
        full = f"ktsolve.{part}"
        lines.append(f"| [`{full}`]({_page_of(full)}) | {title} |")
    return "\n".join(lines) + "\n"


def _table(package: Path, names: Names, places: dict[str, str]) -> Iterable[str]:
    yield from ("| name | meaning |", "| --- | --- |")
    for name, full in places.items():
        module, _, own = full.rpartition(".")
        path = package.joinpath(*module.split(".")[1:]).with_suffix(".py")
        yield f"| {_link(full, name)} | {_summary(path, own, names, module)} |"


def _summary(path: Path, name: str, names: Names, module: str) -> str:
    """The first line of the docstring of a function, class or value of a module; overloads have none."""
    body = parsed(path).body
    for node, following in zip(body, [*body[1:], ast.Pass()], strict=True):
        if (
            isinstance(node, (ast.FunctionDef, ast.ClassDef))
            and node.name == name
            and (text := ast.get_docstring(node))
        ):
            return first_line(text, names, module, f"{module}.{name}" * isinstance(node, ast.ClassDef))
        targets = [
            ast.unparse(each) for each in getattr(node, "targets", [getattr(node, "target", None)]) if each
        ]
        if name in targets and isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
            return first_line(str(following.value.value), names, module)
    return ""


def _own(path: Path, module: str, names: Names) -> list[str]:
    """The names that a module offers and defines itself, in the order of their definition."""
    place = list(names.scopes[module])
    return sorted((each for each in offered(path) if f"{module}.{each}" in names.documented), key=place.index)


def _module_page(module: str, members: list[str]) -> str:
    """A page with the docstring of a module, tables of its members, and their docstrings."""
    # Pages that explain come first in the results of a search.
    head = "---\nsearch:\n  boost: 0.5\n---\n"
    options = f"    options:\n      members: {json.dumps(members)}\n" if members else ""
    return f"{head}{_head(module)}\n::: {module}\n{options}"


def _head(full: str) -> str:
    """The title of a page, which references find by the name of its module."""
    return f"# {full} {{ #{full} }}\n"


def _packages(package: Path) -> dict[str, str]:
    """The packages above, and any others with the first sentence of their docstrings."""
    others = {
        path.parent.name: (ast.get_docstring(parsed(path)) or "").split(".")[0]
        for path in sorted(package.glob("*/__init__.py"))
        if path.parent.name not in NOT_FOR_PYTHON
    }
    return PACKAGES | {name: title for name, title in others.items() if name not in PACKAGES}


def _modules(package: Path) -> dict[str, Path]:
    """The modules with a non-empty ``__all__``."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        if parts[0] not in NOT_FOR_PYTHON and not parts[-1].startswith("_") and offered(path):
            found[".".join(["ktsolve", *parts])] = path
    return found


def _package_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 2 else ""


def _page_of(name: str) -> str:
    """The page of a module or package, within the folder of the reference."""
    parts = name.split(".")[1:]
    return "/".join(parts) + ".md"


def _short(module: str, package: str) -> str:
    return module.removeprefix(f"ktsolve.{package}.")


def _first_line_of(path: Path, module: str, names: Names) -> str:
    return first_line(ast.get_docstring(parsed(path)) or "", names, module)


def _link(full: str, shown: str) -> str:
    return f"[`{shown}`][{full}]"
