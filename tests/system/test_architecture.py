"""The house: imports point down, there are no cycles, and nothing names engines outside the registry."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import networkx
import pytest
from site_tools import site_tool

from ktsolve.engines.registry import ENGINES
from ktsolve.wings import WINGS, load

ROOT = Path(__file__).parents[2]

FLOORS = (
    {"base", "data", "_native"},
    {"graphs"},
    {"grids", "model"},
    {"problem"},
    {"models"},
    {"engines"},
    {"proof", "formats"},
    {"render"},
    {"tasks"},
    {"verify"},
    {"cli", "__main__", "cpmpy"},
    {"wings"},
)
"""From the lowest floor up. Within a floor the packages may import each other, but no file itself."""

TABLE = "ktsolve.wings"
"""The table of wings: it imports none of them, and the floors below read it."""

ABOVE_ALL = {""}
"""The package itself, which re-exports names."""


class Module:
    """What the tests ask about a file, from one walk through its tree."""

    def __init__(self, name: str, path: Path) -> None:
        self.text = path.read_text("utf-8")
        self._all_lines = self.text.splitlines()
        self.imports: list[tuple[ast.Import | ast.ImportFrom, bool]] = []
        """Every import, and whether it is made at run time."""
        self.functions: list[tuple[str, int, int]] = []
        """The full name of every function, its lines of code, and its parameters."""
        self.classes: list[str] = []
        self.texts: set[str] = set()
        """All texts but the names that the module exports."""
        self._walk(ast.parse(self.text), name, at_run_time=True)

    def _walk(self, node: ast.AST, name: str, *, at_run_time: bool) -> None:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            name = f"{name}.{node.name}"
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                self.texts.add(node.value)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            self.imports.append((node, at_run_time))
        elif isinstance(node, ast.FunctionDef):
            self.functions.append((name, self._lines(node), self._parameters(node)))
        elif isinstance(node, ast.ClassDef):
            self.classes.append(node.name)
        elif isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            at_run_time = False
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return
        for each in ast.iter_child_nodes(node):
            if not isinstance(each, ast.Name | ast.expr_context):  # half of all nodes, and nothing below them
                self._walk(each, name, at_run_time=at_run_time)

    def _lines(self, node: ast.FunctionDef) -> int:
        code = [each for each in node.body if ast.get_docstring(node) is None or each is not node.body[0]]
        if not code:
            return 0
        lines = [line.strip() for line in self._all_lines[code[0].lineno - 1 : node.end_lineno]]
        return sum(bool(line) and not line.startswith("#") for line in lines)

    def _parameters(self, node: ast.FunctionDef) -> int:
        given = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
        given += [each.arg for each in (node.args.vararg, node.args.kwarg) if each is not None]
        return len(given) - (given[:1] in (["self"], ["cls"]))


@cache
def modules() -> dict[str, Module]:
    """The files of the package."""
    found: dict[str, Module] = {}
    for name, folder in {"ktsolve": ROOT / "ktsolve", "ktsolve.models": ROOT / "models"}.items():
        for path in folder.rglob("*.py"):
            parts = [name, *path.relative_to(folder).with_suffix("").parts]
            module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[module] = Module(module, path)
    return found


@cache
def imports() -> networkx.DiGraph[str]:
    """The files of the package as modules, with an arrow from each to every module that it imports."""
    files = modules().keys()
    graph: networkx.DiGraph[str] = networkx.DiGraph()
    graph.add_nodes_from(files)
    for module, parsed in modules().items():
        for node, at_run_time in parsed.imports:
            if isinstance(node, ast.Import):
                found = {each.name for each in node.names} & files
            else:
                named = {f"{node.module}.{each.name}" for each in node.names}
                found = named & files
                if named - files:
                    found |= {str(node.module)} & files
            for other in found - {module}:
                known = graph.get_edge_data(module, other, {}).get("at_run_time", False)
                graph.add_edge(module, other, at_run_time=known or at_run_time)
    return graph


def floor_of(module: str) -> int:
    package = module.split(".")[1] if "." in module else ""
    return next(i for i, floor in enumerate(FLOORS) if package in floor)


def test_every_file_stands_on_a_floor() -> None:
    packages = {module.split(".")[1] if "." in module else "" for module in imports()}
    assert packages - ABOVE_ALL <= set().union(*FLOORS)
    assert len(imports()) > 200


def test_imports_point_down() -> None:
    inner = [module for module in imports() if module != "ktsolve"]
    up = [
        f"{module} imports {other}"
        for module in inner
        for other in imports()[module]
        if other not in ("ktsolve", TABLE) and floor_of(other) > floor_of(module)
    ]
    assert not up
    # The package itself would hide what is imported: only its version and the native core come from it.
    for module in inner:
        for line in modules()[module].text.splitlines():
            if match := re.match(r"\s*from ktsolve import (.*)", line):
                assert match[1] in ("_native", "__version__", "__version__, _native"), (module, line)
            assert not re.match(r"\s*from \.", line), (module, line)


def test_only_the_table_names_wings() -> None:
    assert not list(imports()[TABLE])
    for module in imports():
        of = module.split(".")[2:3] if module.startswith(f"{TABLE}.") else []
        others = {other.split(".")[2] for other in imports()[module] if other.startswith(f"{TABLE}.")}
        assert others <= set(of), (module, others)
        if module.split(".")[1:2] != ["wings"]:
            assert not re.search(r"\bktsolve\.wings\.", modules()[module].text), module
    for wing in WINGS:
        assert (ROOT / "ktsolve" / "wings" / wing.name).is_dir()
        commands = [each.place for each in wing.commands]
        words = [each for each in wing.words.values() if isinstance(each, str)]
        places = (wing.checks, wing.readers, wing.named_subjects, wing.instances.values(), commands, words)
        assert all(load(place) is not None for group in places for place in group)


def test_models_stand_on_the_language_and_problems() -> None:
    allowed = {"base", "graphs", "grids", "model", "problem", "models"}
    for module in imports():
        if module.startswith("ktsolve.models"):
            assert {each.split(".")[1] for each in imports()[module]} <= allowed, module


def test_no_file_imports_itself_through_others() -> None:
    graph = imports().copy()
    graph.remove_node("ktsolve")
    # A class passes itself to functions in files beside it, which name it in annotations only.
    graph.remove_edges_from(
        [
            (module, other)
            for module, other, at_run_time in graph.edges(data="at_run_time")
            if not at_run_time and module.split(".")[:2] == other.split(".")[:2]
        ]
    )
    assert not [sorted(cycle) for cycle in networkx.strongly_connected_components(graph) if len(cycle) > 1]


NAMING = {"engines.registry", "engines.through_model"}
"""The table of engines, and those that have no folder. Checks name the engines that they compare."""

OTHER_MEANINGS = {
    "walk": {"cli", "formats", "render"},  # a mark in JSON, and a command
    "strip": {"cli"},  # a key in JSON
    "search": {"wings"},  # a text of progress
}
"""Packages in which the name of an engine is another word."""


def test_nothing_but_the_registry_names_engines() -> None:
    for module in imports():
        parts = [*module.split("."), ""]
        package, rest = parts[1], parts[2:]
        own = rest[0] if package == "engines" else ""
        if package == "verify" or "checks" in rest or ".".join([package, *rest[:1]]) in NAMING:
            continue
        named = modules()[module].texts & ENGINES.keys() - {own}
        assert not {name for name in named if package not in OTHER_MEANINGS.get(name, ())}, module


@pytest.mark.parametrize("page", ["house.md", "architecture.md"])
def test_pages_name_files_and_folders_that_exist(page: str) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8")
    named = set(re.findall(r"`((?:[\w.]+/)*(?:\w+\.(?:py|hpp|cpp|toml)|(?<=/)))`", text)) - {""}
    assert len(named) > 5
    places = (
        "",
        "ktsolve",
        "native/src",
        "native/include",
        "tools/site",
        "native/src/common",
        "native/src/join",
    )
    assert not [each for each in named if not any((ROOT / place / each).exists() for place in places)]


def test_every_file_opens_with_what_it_does() -> None:
    files = site_tool("files")
    heads = {path: files.head_of(path) for path in files.sources()}
    assert not [path for path, head in heads.items() if not head or head.startswith("See ")]
    assert len(heads) > 400


MOST_LINES, MOST_PARAMETERS = 60, 7

MANY_PARAMETERS = {
    "ktsolve.problem.problem.TourProblem.__init__": "the keywords that state a problem",
    "ktsolve.models._swap_statement.SwapStatement.__init__": "the keywords that state a puzzle",
    "ktsolve.model.constraint_methods.ConstraintMethods.subpath": "two ways to give the ends, and the nodes",
    "ktsolve.tasks.best.best": "the keywords of a public task",
    "ktsolve.tasks.longest.longest": "the keywords of a public task",
    "ktsolve.tasks.survey.survey": "the keywords of a public task",
    "ktsolve.tasks.tours.tours": "the keywords of a public task",
}
"""Functions that may have more parameters, with the reason; commands have one for each option."""


def is_command(name: str) -> bool:
    """Whether a function reads options of the command line."""
    return ".cli." in name or ".commands." in name


def test_no_function_is_long() -> None:
    functions = [each for module in modules().values() for each in module.functions]
    assert not [(name, lines) for name, lines, _ in functions if lines > MOST_LINES]


def test_no_function_has_many_parameters() -> None:
    functions = [each for module in modules().values() for each in module.functions]
    many = {name for name, _, number in functions if number > MOST_PARAMETERS and not is_command(name)}
    assert many <= MANY_PARAMETERS.keys(), many


def test_class_names_occur_once() -> None:
    found: dict[str, list[str]] = {}
    for module, parsed in modules().items():
        for name in parsed.classes:
            found.setdefault(name, []).append(module)
    assert not {name: modules for name, modules in found.items() if len(modules) > 1}
