"""The Python reference: the names of ``import ktsolve`` by subject, and the modules behind them.

mkdocstrings fills the pages with the docstrings. The pages of modules are in the folder ``inside``;
the search leaves them out.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Collection, Iterable, Iterator
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

SUBJECTS = {
    "find": ("Find tours", "find", "find_all", "best"),
    "count": ("Count tours", "count", "estimate", "strip_counts", "generating_function"),
    "tours": ("Tours by number, samples, surveys", "tours", "survey"),
    "problem": ("Tour problems", "TourProblem"),
    "tour": ("Tours", "Tour", "tour_steps"),
    "board": ("Boards and symmetries", "Board", "Symmetry", "symmetry_group"),
    "graph": ("Graphs", "Graph", "named_graph"),
    "hamiltonian": (
        "Hamiltonian cycles and paths",
        *("hamiltonian_cycle", "hamiltonian_path", "is_hamiltonian"),
        *("count_hamiltonian_cycles", "count_hamiltonian_paths"),
    ),
    "lists": ("Longest walks, properties, lists of graphs", "longest", "properties", "graph_table"),
    "prove": (
        "Proofs and conflicts",
        *("prove", "read_certificate", "check_certificate", "find_conflict"),
        *("unsat_core", "unsat_cores", "maximal_subsets"),
    ),
    "read": ("Read files", "read_tour", "read_tours", "read_graph", "read_model", "graph_file"),
    "model": ("Models", "Model"),
    "solve": ("Solve models", "solve", "solutions", "Solver", "explain_steps", "load_instance"),
    "swap": ("Swap puzzles", "SwapPuzzle", "solve_swap"),
    "settings": ("Settings and errors", "Settings", "KtsolveError", "BadInput", "Refused", "LimitReached"),
}
"""The pages of public names: the title of each, and its names."""

FIRST = ("find", "count", "Tour", "Board", "TourProblem")
"""The names with which most programs begin."""

START = """# Python interface

The names of `import ktsolve`. Each is imported when it is first used. The classes of answers are on the
pages of their functions. [Inside](inside.md) are the modules behind them.

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
    """Write all pages: ``index.md``, one for each subject, and in ``inside`` those of modules."""
    names = names_of(package)
    modules = _modules(package)
    public = _public(package, names)
    pages = {"index.md": _start(package, names), "inside.md": _inside(package)}
    for subject, (title, *_) in SUBJECTS.items():
        pages[f"{subject}.md"] = f"# {title}\n\n" + "\n".join(map(_member, public[subject]))
    shown = {full for each in public.values() for full in each}
    for name, title in _packages(package).items():
        mine = {module: path for module, path in modules.items() if _package_of(module) == name}
        lines = [
            *_head(f"ktsolve.{name}"),
            f"{title}.\n",
            "| module | contents | names |",
            "| --- | --- | --- |",
        ]
        for module, path in mine.items():
            own = _own(path, module, names)
            inside = ", ".join(_link(f"{module}.{each}", each) for each in own)
            about = _first_line_of(path, module, names)
            lines.append(f"| {_link(module, _short(module, name))} | {about} | {inside} |")
            pages[_page_of(module)] = _module_page(module, own, shown)
        pages[_page_of(f"ktsolve.{name}")] = "\n".join(lines) + "\n"
    for module, path in modules.items():
        if not _package_of(module):
            pages[_page_of(module)] = _module_page(module, _own(path, module, names), shown)
    for page, text in pages.items():
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        (folder / page).write_text(text, "utf-8")


def navigation(package: Path) -> list[Any]:
    """The part of the navigation for these pages."""
    modules = _modules(package)
    found: list[Any] = [{"Python interface": "python/index.md"}]
    found += [{title: f"python/{subject}.md"} for subject, (title, *_) in SUBJECTS.items()]
    inside: list[Any] = [{"Packages": "python/inside.md"}]
    inside += [{module: f"python/{_page_of(module)}"} for module in modules if not _package_of(module)]
    for name in _packages(package):
        full = f"ktsolve.{name}"
        mine = [module for module in modules if _package_of(module) == name]
        pages = [{_short(module, name): f"python/{_page_of(module)}"} for module in mine]
        inside.append({full: [{"Modules": f"python/{_page_of(full)}"}, *pages]})
    return [*found, {"Inside": inside}]


def _public(package: Path, names: Names) -> dict[str, list[str]]:
    """For each subject the full names on its page: public ones, each with the classes that it returns."""
    top = {name: names.defined(full) or full for name, full in names.top.items()}
    placed = set(top.values())
    found: dict[str, list[str]] = {}
    for subject, (_, *mine) in SUBJECTS.items():
        found[subject] = []
        for full in (top[name] for name in mine):
            returned = [each for each in dict.fromkeys(_returned(package, full, names)) if each not in placed]
            placed.update(returned)
            found[subject] += [full, *returned]
    return found


def _returned(package: Path, full: str, names: Names) -> Iterator[str]:
    """The full names in what a function returns."""
    module, _, own = full.rpartition(".")
    for node in parsed(_path_of(package, module)).body:
        if isinstance(node, ast.FunctionDef) and node.name == own and node.returns is not None:
            for each in ast.walk(node.returns):
                if isinstance(each, ast.Name) and (place := names.find(each.id, module)) is not None:
                    yield place


def _path_of(package: Path, module: str) -> Path:
    return package.joinpath(*module.split(".")[1:]).with_suffix(".py")


_INHERITING = ("ktsolve.model.model.Model",)
"""Public classes that show the methods of their bases as their own."""


def _member(full: str) -> str:
    options = ["show_root_heading: true", "show_root_toc_entry: true", "heading_level: 2"]
    options += ["inherited_members: true"] * (full in _INHERITING)
    return "\n".join([f"::: {full}", "    options:", *(f"      {option}" for option in options)]) + "\n"


def _inside(package: Path) -> str:
    lines = [
        "# Inside\n",
        "The modules behind the public names, for those who change ktsolve.\n",
        "| package | contents |",
        "| --- | --- |",
    ]
    lines += [
        f"| {_link(f'ktsolve.{part}', f'ktsolve.{part}')} | {title} |"
        for part, title in _packages(package).items()
    ]
    return "\n".join(lines) + "\n"


def _start(package: Path, names: Names) -> str:
    """The page of the names of ``import ktsolve``."""
    places = {name: names.defined(full) or full for name, full in names.top.items()}
    lines = [START, *_table(package, names, {name: places[name] for name in FIRST})]
    for subject, (title, *mine) in SUBJECTS.items():
        if later := {name: places[name] for name in mine if name not in FIRST}:
            lines += ["", f"## [{title}]({subject}.md)\n", *_table(package, names, later)]
    return "\n".join(lines) + "\n"


def _table(package: Path, names: Names, places: dict[str, str]) -> Iterable[str]:
    yield from ("| name | meaning |", "| --- | --- |")
    for name, full in places.items():
        module, _, own = full.rpartition(".")
        path = _path_of(package, module)
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


def _module_page(module: str, own: list[str], public: Collection[str]) -> str:
    """A page with the docstrings of a module and its members, but for those on pages of public names."""
    here = [f"{module}.{each}" for each in own if f"{module}.{each}" in public]
    members = [each for each in own if f"{module}.{each}" not in here]
    lines = [*_head(module)]
    if here:
        links = ", ".join(_link(full, full.rpartition(".")[2]) for full in here)
        lines.append(f"Public names, described on their own page: {links}.\n")
    return (
        "\n".join([*lines, f"::: {module}", "    options:", f"      members: {json.dumps(members or False)}"])
        + "\n"
    )


def _head(full: str) -> Iterator[str]:
    """The title of a page of modules, which references find by its name, and the search does not."""
    yield "---\nsearch:\n  exclude: true\n---"
    yield f"# {full} {{ #{full} }}\n"


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
    return "/".join(["inside", *name.split(".")[1:]]) + ".md"


def _short(module: str, package: str) -> str:
    return module.removeprefix(f"ktsolve.{package}.")


def _first_line_of(path: Path, module: str, names: Names) -> str:
    return first_line(ast.get_docstring(parsed(path)) or "", names, module)


def _link(full: str, shown: str) -> str:
    return f"[`{shown}`][{full}]"
