"""Docstrings of the public names: every parameter, the result, the exceptions raised.

Public are the names of ``import ktsolve`` with their methods, and those that files of ``tasks/`` list in
``__all__``. The functions of ``import ktsolve`` have an example, too. A method without parameters
says in its first line what it returns, as a property does. A method without a docstring of its own has that
of a base class.
"""

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path

import ktsolve
from ktsolve.model.constraint_methods import ConstraintMethods
from ktsolve.model.expression_methods import ExpressionMethods

PACKAGE = Path(ktsolve.__file__).parent

INHERITING = {"Model": (ConstraintMethods, ExpressionMethods)}
"""Public classes whose methods are those of bases, too."""


def _imported() -> Iterator[tuple[Path, str]]:
    for node in ast.parse((PACKAGE / "__init__.pyi").read_text()).body:
        if isinstance(node, ast.ImportFrom):
            assert node.module is not None
            for each in node.names:
                yield PACKAGE.joinpath(*node.module.split(".")).with_suffix(".py"), each.name


def _listed() -> Iterator[tuple[Path, str]]:
    for file in sorted([*PACKAGE.glob("tasks/**/*.py"), PACKAGE / "cpmpy.py"]):
        for node in ast.parse(file.read_text()).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
                yield from ((file, name) for name in ast.literal_eval(node.value))


def _functions(file: Path, name: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The function of that name, or the public methods of the class."""
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            yield name, node
        if isinstance(node, ast.ClassDef) and node.name == name:
            for each in node.body:
                if isinstance(each, ast.FunctionDef) and not each.name.startswith("_"):
                    yield f"{name}.{each.name}", each
            own = {getattr(each, "name", "") for each in node.body}
            for base in INHERITING.get(name, ()):
                file = PACKAGE.joinpath(*base.__module__.split(".")[1:]).with_suffix(".py")
                for title, each in _functions(file, base.__name__):
                    if each.name not in own:
                        yield title.replace(base.__name__, name), each


def _sections(docstring: str) -> dict[str, list[str]]:
    """The names that each section of a numpy docstring describes."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}$", docstring, flags=re.MULTILINE)
    return {
        title: [
            name.strip()
            for line in text.splitlines()
            if line[:1].strip()
            for name in line.split(" : ")[0].rstrip(":").split(",")
        ]
        for title, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def _parameters(function: ast.FunctionDef) -> list[str]:
    given = function.args
    plain = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    stars = [f"*{given.vararg.arg}"] if given.vararg else []
    stars += [f"**{given.kwarg.arg}"] if given.kwarg else []
    return [name for name in (*plain, *stars) if name not in ("self", "cls")]


def _raised(function: ast.FunctionDef) -> set[str]:
    raised = [node.exc for node in ast.walk(function) if isinstance(node, ast.Raise) and node.exc is not None]
    names = [ast.unparse(each.func if isinstance(each, ast.Call) else each) for each in raised]
    return {name for name in names if name[0].isupper()}


def _docstring(file: Path, title: str) -> str:
    """The docstring of a function or method, which a method may inherit."""
    module = importlib.import_module(".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts))
    return inspect.getdoc(attrgetter(title)(module)) or ""


def _incomplete(function: ast.FunctionDef, docstring: str, *, method: bool, example: bool) -> Iterator[str]:
    sections = _sections(docstring)
    parameters, described = _parameters(function), sections.get("Parameters", [])
    yield from (f"parameter {name} is missing" for name in parameters if name not in described)
    yield from (f"parameter {name} is unknown" for name in described if name not in parameters)
    returns = "None" if function.returns is None else ast.unparse(function.returns)
    if returns != "None" and "Returns" not in sections and (parameters or not method):
        yield "Returns is missing"
    yield from (f"{name} is missing" for name in _raised(function) - set(sections.get("Raises", [])))
    if example and ">>>" not in docstring:
        yield "an example is missing"


def test_public_docstrings_are_complete() -> None:
    imported = set(_imported())
    found = []
    for file, name in sorted(imported.union(_listed())):
        for title, function in _functions(file, name):
            method = title != name
            public = (file, name) in imported
            marks = {ast.unparse(each) for each in function.decorator_list}
            if marks & {"property", "cached_property", "overload"} or (method and not public):
                continue
            docstring = ast.get_docstring(function) or _docstring(file, title)
            places = _incomplete(function, docstring, method=method, example=public and not method)
            found += [f"{file.name}: {title}: {each}" for each in places]
    assert not found, "\n".join(found)


def test_incomplete_docstrings_are_noticed() -> None:
    text = "Sum.\n\nParameters\n----------\na, c:\n    It."
    [function] = ast.parse("def f(a, b) -> int:\n    raise BadInput(a)\n").body
    assert isinstance(function, ast.FunctionDef)
    assert list(_incomplete(function, text, method=False, example=True)) == [
        "parameter b is missing",
        "parameter c is unknown",
        "Returns is missing",
        "BadInput is missing",
        "an example is missing",
    ]
