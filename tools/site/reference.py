"""The Python reference: a page for each package, which mkdocstrings fills with the docstrings."""

from __future__ import annotations

import ast
from pathlib import Path

PACKAGES = {
    "ktsolve": "The names of `import ktsolve`",
    "ground": "Boards, moves, tours, notation, formats",
    "problem": "Problems, their conditions, checker and arithmetic",
    "model": "The language of models",
    "symmetry": "Orbits, groups, canonical forms",
    "engines": "Engines",
    "census": "Long counts",
    "sudoku": "Sudoku",
    "swap": "Swap puzzles",
    "render": "Pictures and the player",
    "verify": "The cross-check",
}


def write(package: Path, folder: Path) -> None:
    """Write a page for each package; it lists the modules with a non-empty ``__all__``."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, (name, title) in enumerate(_packages(package).items()):
        modules = _top(package) if name == "ktsolve" else _modules(package / name, f"ktsolve.{name}")
        if not modules:
            continue
        full = name if name == "ktsolve" else f"ktsolve.{name}"
        parts = [f"# {full}\n", f"{title}.\n"]
        parts += [f"::: {module}\n" + _members(names) for module, names in modules.items()]
        (folder / f"{number:02}-{name}.md").write_text("\n".join(parts), "utf-8")


def _packages(package: Path) -> dict[str, str]:
    """The packages above, and any others with the first sentence of their docstrings."""
    others = {
        path.parent.name: (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split(".")[0]
        for path in sorted(package.glob("*/__init__.py"))
        if path.parent.name not in {"cli", "data"}
    }
    return PACKAGES | {name: title for name, title in others.items() if name not in PACKAGES}


def _members(names: list[str]) -> str:
    return "    options:\n      members: [" + ", ".join(names) + "]\n" if names else ""


def _top(package: Path) -> dict[str, list[str]]:
    """The modules at the top of the package with a non-empty ``__all__``."""
    return {
        f"ktsolve.{path.stem}": names
        for path in sorted(package.glob("*.py"))
        if path.stem not in {"__init__", "__main__"} and (names := _offered(path))
    }


def _modules(package: Path, name: str) -> dict[str, list[str]]:
    found = {}
    for path in sorted(package.rglob("*.py")):
        if path.stem != "__init__" and (names := _offered(path)):
            found[".".join([name, *path.relative_to(package).with_suffix("").parts])] = names
    return found


def _offered(path: Path) -> list[str]:
    """The names in ``__all__``, read without importing the module."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Assign) and [ast.unparse(t) for t in node.targets] == ["__all__"]:
            return [str(name) for name in ast.literal_eval(node.value)]
    return []
