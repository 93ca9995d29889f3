"""Every command and example in the README and in docs/ does what it says there."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import NamedTuple

import pytest
from marks import quick
from site_tools import site_tool

from ktsolve.problem.problem import TourProblem
from ktsolve.tasks.count import count

ROOT = Path(__file__).resolve().parents[2]
LANDING = ROOT / "tools" / "site" / "landing.md"
BESIDE = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md"]
PAGES = [*BESIDE, *sorted((ROOT / "docs").glob("*.md"))]
LEFT_OUT = site_tool("blocks").LEFT_OUT
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# Run by other tests, or not to be run inside a test.
ELSEWHERE = re.compile(r"make ([\w-]+)|ktsolve verify|python (benchmarks/\w+\.py).*")


class Command(NamedTuple):
    """A line of a console block, and the files of its page; pages and outputs wherever it stands."""

    line: str
    files: dict[str, str]
    places: list[tuple[str, str]]


def commands() -> list[Command]:
    """Every command in a console block; one that several pages have is run once."""
    found: dict[tuple[str, str], Command] = {}
    for page in [*PAGES, LANDING]:
        if page.name == "gallery.md":
            continue  # test_gallery.py runs these
        blocks = BLOCK.findall(page.read_text("utf-8"))
        named = ((re.match(r"# file (\S+)\n", body), body) for _, body in blocks)
        files = {name[1]: body for name, body in named if name}
        for kind, body in blocks:
            if kind != "console":
                continue
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                line, _, output = part.partition("\n")
                command = found.setdefault((line, str(files)), Command(line, files, []))
                command.places.append((page.name, output))
    return list(found.values())


def by_themselves() -> set[str]:
    """The first line with each command, and all with limits: these run with imports of their own."""
    found: dict[str, str] = {}
    for line, *_ in COMMANDS:
        for name in re.findall(r"\bktsolve ([a-z]+)", line):
            found.setdefault(name, line)
        if "--memory" in line or "--timeout" in line:
            found[line] = line
    return set(found.values())


COMMANDS = commands()
OWN_IMPORTS = by_themselves()


def test_there_are_commands() -> None:
    assert len(COMMANDS) > 20


def test_pages_for_newcomers_do_not_repeat_each_other() -> None:
    pages = {"landing.md", "ten-minutes.md", "recipes.md", "faq.md"}
    for command in COMMANDS:
        assert len(pages & {name for name, _ in command.places}) <= 1, command.line


LONG = re.compile("8x8|--structured")


def first_pages(given: Command) -> bool:
    """Whether a newcomer meets the command, and it takes less than a second."""
    return given.places[0][0] in ("README.md", "ten-minutes.md") and not LONG.search(given.line)


@pytest.mark.parametrize(
    "given", quick(COMMANDS, first_pages), ids=lambda each: f"{each.places[0][0]}-{each.line[:40]}"
)
def test_command(given: Command, tmp_path: Path, forked: str) -> None:
    command, files, places = given
    if elsewhere := ELSEWHERE.fullmatch(command):
        target, script = elsewhere.groups()
        if target:
            assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE), places
        if script:
            assert (ROOT / script).exists(), places
        return
    for name, body in files.items():
        (tmp_path / name).write_text(body)
    binaries = [sysconfig.get_path("scripts"), str(Path(sys.executable).parent)]
    assert any(shutil.which("ktsolve", path=folder) for folder in binaries)
    if command not in OWN_IMPORTS:
        binaries.insert(0, forked)
    environment = {**os.environ, "PATH": os.pathsep.join([*binaries, os.environ["PATH"]])}
    done = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
    )
    assert "Traceback" not in done.stderr
    # A command that is not there says nothing that is compared below.
    assert done.returncode in (0, 1, 2, 3), done.stderr
    # Remarks about engines and times go to standard error; an error line is part of what is shown.
    errors = "".join(line + "\n" for line in done.stderr.splitlines() if line.startswith("ktsolve: "))
    got = "\n".join(line.rstrip() for line in (done.stdout + errors).splitlines())
    assert done.returncode == 0 or got, done.stderr
    checker = doctest.OutputChecker()
    for page, expected in places:
        wanted = "\n".join(line.rstrip() for line in expected.splitlines())
        # The site shows dots as something left out, so no output may have dots of its own.
        assert not (LEFT_OUT.search(wanted) and LEFT_OUT.search(got)), f"{page}: {command}\n{got}"
        assert checker.check_output(wanted + "\n", got + "\n", doctest.ELLIPSIS), f"{page}: {command}\n{got}"


@pytest.mark.parametrize(
    "page",
    quick([*PAGES, LANDING], lambda page: page.name not in ("cuts.md", "landing.md")),
    ids=lambda page: page.name,
)
def test_python_examples(page: Path) -> None:
    text = page.read_text("utf-8")
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for number, (kind, body) in enumerate(BLOCK.findall(text)):
        if kind == "python" and ">>>" in body:
            test = parser.get_doctest(body, {}, f"{page.name}[{number}]", str(page), 0)
            runner.run(test)
    assert runner.failures == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_toml_examples_load(page: Path, tmp_path: Path) -> None:
    from ktsolve.tasks.instance import load_instance

    for kind, body in BLOCK.findall(page.read_text("utf-8")):
        if kind == "toml" and not body.startswith("# file"):
            file = tmp_path / "example.toml"
            file.write_text(body)
            load_instance(file)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", BLOCK.sub("", page.read_text("utf-8"))):
        assert (page.parent / target).exists(), target


@pytest.mark.full
def test_the_table_of_the_frontier_sweep() -> None:
    page = (ROOT / "docs" / "frontier.md").read_text("utf-8")
    table = re.findall(r"^\| `(graph:\S+)` \| ([\d,]+)( digits)? \| ([\d,]+) \|$", page, re.MULTILINE)
    assert len(table) == 10
    for name, number, digits, states in table:
        answer = count(TourProblem(board=name, closed=True), "frontier")
        shown = len(str(answer.count)) if digits else answer.count
        assert f"{shown:,}" == number, name
        # Orders compare floating-point numbers, so another machine may sweep along another one.
        assert 0.5 < answer.details["peak_states"] / int(states.replace(",", "")) < 2, name


def test_the_table_of_engines_is_that_of_the_registry() -> None:
    from ktsolve.engines.registry import ENGINES, engine_named

    rows = re.findall(
        r"^\| `(\w+)` \| ([a-z, ]+) \|", (ROOT / "docs/commands.md").read_text("utf-8"), re.MULTILINE
    )
    does = {name: set(tasks.replace("list", "enumerate").split(", ")) for name, tasks in rows}
    assert does == {name: set(engine_named(name).capabilities) - {"diversify"} for name in ENGINES}


def test_the_table_of_commands_has_every_command() -> None:
    from ktsolve.cli.app import root

    commands = root().commands
    table = re.findall(r"^\| `ktsolve ([\w-]+)", (ROOT / "docs/commands.md").read_text("utf-8"), re.MULTILINE)
    assert set(table) == {name for name, command in commands.items() if not command.hidden}


def test_make_targets_that_pages_name_exist() -> None:
    targets = set(re.findall(r"^([\w-]+)(?: [\w-]+)*:", (ROOT / "Makefile").read_text(), re.MULTILINE))
    targets |= {"test-native", "test-native-threads"}
    for page in PAGES:
        named = set(re.findall(r"`make ([a-z][a-z-]*)", page.read_text("utf-8")))
        assert named <= targets, (page.name, named - targets)
