"""The Python reference of the site: every module and name has its place, and no role of Sphinx is left."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from site_tools import ROOT, site_tool

import ktsolve

PACKAGE = ROOT / "ktsolve"
TARGET = re.compile(r"\[`[^`\]]+`\]\[(ktsolve[\w.]*)\]")

reference, roles = site_tool("reference"), site_tool("roles")


@pytest.fixture(scope="module")
def names() -> Any:
    """The names of the package, read when a test needs them: not by each process that collects tests."""
    return roles.names_of(PACKAGE)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pages by their names."""
    folder = tmp_path_factory.mktemp("python")
    reference.write(PACKAGE, folder)
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in sorted(folder.rglob("*.md"))
    }


@cache
def docstrings() -> list[tuple[str, str, str]]:
    """(module, class or nothing, docstring) of everything in the package that the reference shows."""
    found: list[tuple[str, str, str]] = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts[0] in roles.NOT_FOR_PYTHON:
            continue
        module = ".".join(["ktsolve", *(parts[:-1] if parts[-1] == "__init__" else parts)])
        found += _within(ast.parse(path.read_text("utf-8")), module, "")
    return found


def _within(node: Any, module: str, owner: str) -> Iterator[tuple[str, str, str]]:
    for each in node.body:
        inner = f"{module}.{each.name}" if isinstance(each, ast.ClassDef) else owner
        if isinstance(each, (ast.ClassDef, ast.FunctionDef)):
            if text := ast.get_docstring(each):
                yield module, inner, text
            yield from _within(each, module, inner)
        elif (
            isinstance(each, ast.Expr)
            and isinstance(each.value, ast.Constant)
            and isinstance(each.value.value, str)
        ):
            yield module, owner, each.value.value


@pytest.mark.full
def test_every_package_and_module_has_a_page(pages: dict[str, str]) -> None:
    written = "".join(pages.values())
    for name in (
        "ktsolve.graphs.tour",
        "ktsolve.tasks.find",
        "ktsolve.model.model",
        "ktsolve.problem.conditions.moves",
    ):
        assert f"::: {name}\n" in written
        assert f"# {name} {{ #{name} }}\n" in written
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")} - set(roles.NOT_FOR_PYTHON)
    assert {page.removesuffix(".md") for page in pages if page.count("/") < 2} >= {
        f"inside/{each}" for each in folders
    }
    # The search finds public names, each once, and nothing else.
    inside = {page for page in pages if page.startswith("inside/")}
    assert all(pages[page].startswith("---\nsearch:\n  exclude: true\n---\n# ktsolve.") for page in inside)
    documented = re.findall(
        r"^::: (\S+)$", "".join(pages[page] for page in pages.keys() - inside), re.MULTILINE
    )
    assert len(documented) == len(set(documented))
    public = {roles.names_of(PACKAGE).defined(full) or full for full in roles.names_of(PACKAGE).top.values()}
    assert public < set(documented)
    assert "ktsolve.tasks.count_answer.CountTable" in documented
    shown = set(re.findall(r"^::: (\S+)$", written, re.MULTILINE))
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts[0] not in roles.NOT_FOR_PYTHON and not parts[-1].startswith("_") and roles.offered(path):
            assert ".".join(["ktsolve", *parts]) in shown


@pytest.mark.full
def test_the_first_page_begins_with_what_most_programs_use(pages: dict[str, str]) -> None:
    first = re.findall(r"^\| \[`(\w+)`\]\[", pages["index.md"], re.MULTILINE)
    assert first[:5] == ["find", "count", "Tour", "Board", "TourProblem"]
    assert set(first) == set(vars(ktsolve)["__all__"]) - {"__version__"}
    assert not re.findall(r"^\| .* \|  \|$", pages["index.md"], re.MULTILINE), "a name without a summary"


@pytest.mark.full
def test_the_navigation_lists_every_page(pages: dict[str, str]) -> None:
    def listed(entries: list[Any]) -> Iterator[str]:
        for entry in entries:
            for value in entry.values():
                if isinstance(value, str):
                    yield value
                else:
                    yield from listed(value)

    found = list(listed(reference.navigation(PACKAGE)))
    assert sorted(found) == sorted(f"python/{page}" for page in pages)


@pytest.mark.full
def test_no_role_is_left(pages: dict[str, str], names: Any) -> None:
    found = list(docstrings())
    assert sum(bool(roles.ROLE.search(text)) for _, _, text in found) > 100
    assert len(found) > 2000
    for module, owner, text in found:
        shown = roles.markdown(text, names, module, owner)
        assert not re.search(r":[\w:]+:`", shown), (module, shown)
        assert set(TARGET.findall(shown)) <= names.documented, (module, shown)
    for page, text in pages.items():
        assert not re.search(r":[\w:]+:`", text), page
        assert set(TARGET.findall(text)) <= names.documented, page


@pytest.mark.full
def test_most_roles_are_links(names: Any) -> None:
    """Names of other packages and private names are code; the rest has a place."""
    total = linked = 0
    for module, owner, text in docstrings():
        total += len(roles.ROLE.findall(text))
        linked += len(TARGET.findall(roles.markdown(text, names, module, owner)))
    assert linked > 0.9 * total


TOURS, RANKING = "ktsolve.tasks.tours", "ktsolve.engines.protocols.Ranking"


@pytest.mark.parametrize(
    ("text", "module", "owner", "shown"),
    [
        (":func:`tours`", TOURS, f"{TOURS}.Tours", f"[`tours`][{TOURS}.tours]"),
        (":meth:`arrays`", TOURS, f"{TOURS}.Tours", f"[`arrays`][{TOURS}.Tours.arrays]"),
        (":class:`~ktsolve.graphs.graph.Graph`", TOURS, "", "[`Graph`][ktsolve.graphs.graph.Graph]"),
        (":func:`ktsolve.find`", "ktsolve.base.errors", "", "[`find`][ktsolve.tasks.find.find]"),
        (f":attr:`Ranking.order <{RANKING}.order>`", TOURS, "", f"[`Ranking.order`][{RANKING}]"),
        (":mod:`pickle`", "ktsolve.graphs.graph", "", "`pickle`"),
        (":data:`_IN_X`", "ktsolve.engines.divide.joining", "", "`_IN_X`"),
    ],
)
def test_roles_become_links_or_code(names: Any, text: str, module: str, owner: str, shown: str) -> None:
    assert roles.markdown(text, names, module, owner) == shown


@pytest.mark.full
def test_mkdocstrings_takes_the_docstrings_as_markdown() -> None:
    """The extension of griffe is named in the settings of the site, and changes every docstring."""
    griffe = pytest.importorskip("griffe")
    assert "extensions: [griffe_roles]" in (ROOT / "mkdocs.yml").read_text("utf-8")
    extensions = griffe.load_extensions(site_tool("griffe_roles").Roles)
    loaded = griffe.load("ktsolve", search_paths=[ROOT], extensions=extensions)

    def walk(each: Any) -> Iterator[str]:
        if each.is_alias:
            return
        if each.docstring is not None:
            yield each.docstring.value
        for member in each.members.values():
            yield from walk(member)

    texts = [
        text
        for name, module in loaded.members.items()
        if name not in roles.NOT_FOR_PYTHON
        for text in walk(module)
    ]
    assert len(texts) > 2000
    assert not [text for text in texts if re.search(r":[\w:]+:`", text)]
    assert sum("][ktsolve." in text for text in texts) > 100
