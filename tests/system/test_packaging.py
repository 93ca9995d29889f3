"""Versions, links, the lock file and the tools of set-up agree with pyproject.toml. The workflow is whole."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

import ktsolve

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PYTHONS = ("3.11.2", "3.11.7", "3.12.1", "3.13.0", "3.14.0")
EXTRAS = ("build", "project", "test", "lint", "browser", "docs", "release")


def listed(*arguments: str) -> list[str]:
    """The lines that tools/requirements.py prints."""
    command = [sys.executable, str(ROOT / "tools" / "requirements.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")[:-1]


def locked(python: str) -> dict[str, Version]:
    """The versions of constraints.txt for a version of Python on Linux."""
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    environment = {
        "python_full_version": python,
        "python_version": ".".join(python.split(".")[:2]),
        "sys_platform": "linux",
        "platform_machine": "x86_64",
    }
    found: dict[str, Version] = {}
    for line in lines:
        if line.startswith("#"):
            continue
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate(environment):
            (exact,) = requirement.specifier
            assert exact.operator == "==", line
            assert requirement.name not in found, line
            found[requirement.name] = Version(exact.version)
    return found


def test_the_version_is_in_one_place() -> None:
    assert "version" in PYPROJECT["project"]["dynamic"]
    assert metadata("ktsolve")["Version"] == ktsolve.__version__
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert str(cited["version"]) == ktsolve.__version__
    newest = re.search(r"^## (\S+), (.+)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest
    assert newest[1] == ktsolve.__version__
    assert str(cited.get("date-released", "not released")) == newest[2]


@pytest.mark.parametrize("python", PYTHONS)
def test_the_lock_file_has_a_version_of_each_requirement(python: str) -> None:
    versions = locked(python)
    for line in listed(*EXTRAS):
        requirement = Requirement(line)
        assert requirement.specifier.contains(versions[requirement.name.lower()], prereleases=True), line


def test_the_lock_file_names_no_index() -> None:
    assert not re.search(r"https?:|--|@", (ROOT / "constraints.txt").read_text("utf-8"))


def test_lowest_versions_are_the_lower_bounds() -> None:
    assert listed("--lowest", "pictures") == ["matplotlib==" + listed("pictures")[0].partition(">=")[2]]
    assert all("==" in line for line in listed("--lowest", *EXTRAS))


def test_an_unknown_extra_is_refused() -> None:
    command = [sys.executable, str(ROOT / "tools" / "requirements.py"), "nothing"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("requirements.py: extra 'nothing' is unknown: use bench, browser, build,")


def test_the_page_of_the_package_index_has_absolute_links_to_files_that_exist() -> None:
    address = PYPROJECT["project"]["urls"]["Homepage"]
    assert all(url.startswith(address) for url in PYPROJECT["project"]["urls"].values())
    text = (ROOT / "README.md").read_text("utf-8")
    for each in PYPROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        text = re.sub(each["pattern"], each["replacement"], text)
    links = re.findall(r"(!?)\[[^\]]*\]\(([^)]+)\)", text)
    assert len(links) > 30
    for picture, link in links:
        kind = "raw" if picture else "blob"
        assert link.startswith(f"{address}/{kind}/main/"), link
        assert (ROOT / link.removeprefix(f"{address}/{kind}/main/").partition("#")[0]).exists(), link
    assert metadata("ktsolve")["Description-Content-Type"] == "text/markdown"


def test_the_workflow_builds_for_all_systems() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "wheels.yml").read_text("utf-8"))
    jobs = workflow["jobs"]
    assert set(jobs["check"]["needs"]) < set(jobs)
    systems = {row["system"] for row in jobs["wheels"]["strategy"]["matrix"]["include"]}
    assert systems == {"linux-x86_64", "linux-aarch64", "macos-x86_64", "macos-arm64", "windows-x86_64"}
    assert set(jobs["later"]["strategy"]["matrix"]["system"]) < systems
    text = yaml.safe_dump(workflow) + PYPROJECT["tool"]["cibuildwheel"]["test-command"][1]
    for test in re.findall(r"tests/[\w/]+\.py", text):
        assert (ROOT / test).exists(), test
    # Every package that a step installs has a tested version.
    for step in (step for job in jobs.values() for step in job["steps"]):
        if match := re.search(r"pip install (?:--constraint constraints\.txt) (.*)", step.get("run", "")):
            names = {name for name in match[1].split() if re.fullmatch(r"[\w-]+", name)}
            assert names <= set(locked("3.13.0")), step


def test_progress_of_a_build_is_counted(tmp_path: Path) -> None:
    program = "print('[1/3] one'); print('noise'); print('[3/3] three')"
    tool = [sys.executable, str(ROOT / "tools" / "with_progress.py"), "building"]
    log = tmp_path / "folder" / "build.log"
    done = subprocess.run([*tool, str(log), sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"building: done, \d+ s *\n", done.stdout)
    assert log.read_text() == "[1/3] one\nnoise\n[3/3] three\n"
    failing = [*tool, str(log), sys.executable, "-c", program + "; raise SystemExit(3)"]
    failed = subprocess.run(failing, capture_output=True, text=True)
    assert failed.returncode == 3
    assert failed.stderr.startswith("[1/3] one\nnoise\n[3/3] three\nbuilding: failed after ")
