"""The cross-check: it agrees as things are, and notices when they are not."""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import time
from dataclasses import replace
from typing import Any

import pytest

from ktsolve.cli.app import run
from ktsolve.errors import BadInput
from ktsolve.formats.reading import read_tour
from ktsolve.formats.writing import tours_bytes
from ktsolve.ground.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.settings import Settings
from ktsolve.verify.cases import LEVELS, Case, cases
from ktsolve.verify.catalogue import endpoint_table, published
from ktsolve.verify.condition_jobs import condition_jobs
from ktsolve.verify.encoding_jobs import encoding_jobs
from ktsolve.verify.jobs import EngineJob, EngineSays
from ktsolve.verify.picture_jobs import cells_of_numbers, cells_of_path, picture_jobs
from ktsolve.verify.pool import Outcome, run_all
from ktsolve.verify.proof_jobs import BoardsJob, ProofJob
from ktsolve.verify.run import CaseResult, verify
from ktsolve.verify.sudoku_jobs import SudokuJob, sudoku_jobs
from ktsolve.verify.walk_jobs import walk_jobs

ENGINES = ("search", "frontier", "join", "sat", "cpsat")

# A short list, so that the check can be run many times.
FEW = [
    Case(TourProblem(board="5x6", closed=True)),
    Case(TourProblem(board="3x4", closed=False)),
    Case(TourProblem(board="4x4", closed=False)),
]


def few_sudoku_jobs(_level: str, settings: Settings, sabotaged: str | None) -> list[SudokuJob]:
    return [SudokuJob("bands", "3x2", "sat", settings, sabotaged)]


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ktsolve.verify.run.cases", lambda _level: FEW)
    monkeypatch.setattr(
        "ktsolve.verify.run._identities", lambda _level: [("adjacent ends", "5x6", "frontier")]
    )
    monkeypatch.setattr("ktsolve.verify.run.shipped_instances", list)
    monkeypatch.setattr("ktsolve.verify.run.swap_jobs", lambda *_: iter(()))
    monkeypatch.setattr("ktsolve.verify.run.sudoku_jobs", few_sudoku_jobs)
    monkeypatch.setattr("ktsolve.verify.run.proof_jobs", lambda *_: iter(()))
    monkeypatch.setattr("ktsolve.verify.run.walk_jobs", lambda *_: iter(()))
    monkeypatch.setattr("ktsolve.verify.run.condition_jobs", lambda *_: iter(()))
    monkeypatch.setattr("ktsolve.verify.run.picture_jobs", lambda *_: iter(()))
    monkeypatch.setattr("ktsolve.verify.run.encoding_jobs", lambda *_: iter(()))


@pytest.mark.usefixtures("short")
def test_agreement() -> None:
    report = verify(settings=Settings(threads=2))
    assert report.disagreements == []
    assert [set(case.says) for case in report.cases] == [set(ENGINES)] * 3
    assert [{says.value.count for says in case.says.values()} for case in report.cases] == [{8}, {8}, {0}]
    assert report.identities[0].detail == "240"
    assert (report.identities[1].name, report.identities[1].detail) == ("sudoku bands 3x2 (sat)", "80 listed")


def test_sudoku_checks_hold_and_notice() -> None:
    jobs = sudoku_jobs("quick", Settings(threads=1), None)
    for job in jobs:
        said = job()
        assert said.holds, (job.name, said)
    assert len({job.name for job in jobs}) == len(jobs)
    for sabotaged in ("sat", "cpsat"):
        wrong = [job for job in sudoku_jobs("quick", Settings(threads=1), sabotaged) if not job().holds]
        assert {job.engine for job in wrong} == {sabotaged}
        assert {job.kind for job in wrong} == {"grids", "bands", "completions listed"}
    names = [job.name for job in sudoku_jobs("full", Settings(), None)]
    assert "sudoku different 3x3" in names
    assert len(names) > len(sudoku_jobs("standard", Settings(), None)) > len(jobs)


def test_proofs_hold_and_wrong_theorems_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert BoardsJob(True, 12, "auto", Settings())().left == "19 of 19 boards without tours certified"
    assert BoardsJob(False, 12, "clauses", Settings())().holds
    monkeypatch.setattr("ktsolve.verify.proof_jobs._has_tour", lambda *asked: asked[:2] == (3, 3))
    said = BoardsJob(False, 12, "auto", Settings())()
    assert said.left == "18 of 19 boards without tours certified, but 1x1, 3x3, 3x4 wrong"
    assert not said.holds
    wrong = ProofJob(TourProblem(board="5x6", closed=True), "auto", Settings())()
    assert (wrong.left, wrong.holds) == ("there is a tour", False)


def test_encodings_list_what_search_lists_and_a_broken_one_is_noticed() -> None:
    for sabotaged in (None, "sat"):
        names, jobs = zip(*encoding_jobs("quick", Settings(threads=1), sabotaged), strict=True)
        assert names == ("encoding onehot", "encoding binary", "encoding remainder", "encoding elimination")
        job = replace(jobs[3], problems=jobs[3].problems[:3])
        said = job()
        assert said.right == "16, 8, 0 tours"
        assert said.holds == (sabotaged is None)


def test_condition_checks_hold_and_notice() -> None:
    settings = Settings(threads=1)
    for name, job in condition_jobs("quick", settings, None):
        said = job()
        assert said.holds, (name, said)
    for sabotaged, kinds in (
        ("sat", {"minimise", "fewest"}),
        ("cpsat", {"maximise"}),
        ("search", {"uncrossed", "clues"}),
    ):
        jobs = condition_jobs("quick", settings, sabotaged)
        noticed = {name.split()[0] for name, job in jobs if name.split()[0] in kinds and not job().holds}
        assert noticed == kinds
    assert len(list(condition_jobs("full", settings, None))) > len(
        list(condition_jobs("quick", settings, None))
    )


def test_walk_checks_hold_and_notice() -> None:
    jobs = dict(walk_jobs("quick", Settings(threads=1), None))
    for name, job in jobs.items():
        said = job()
        assert said.holds, (name, said)
    for name, job in walk_jobs("quick", Settings(threads=1), "walk"):
        assert name.endswith("(walk)")
        assert not job().holds, name
    assert len(list(walk_jobs("full", Settings(), None))) > len(jobs) > 6


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("broken", ENGINES)
def test_a_broken_engine_is_noticed_and_named(broken: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "--sabotage", broken, "--quiet"]) == 1
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("DISAGREEMENT")]
    for line in lines:
        assert f" {broken} " in line.replace(f"({broken})", f" {broken} "), line
    # Noticed in every case, also where there are no tours.
    for problem in ("closed 5x6", "open 3x4", "open 4x4"):
        assert any(line.startswith(f"DISAGREEMENT  {problem}: ") for line in lines), problem


@pytest.mark.usefixtures("short")
def test_report_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "--json", "--sabotage", "sat"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["schema"], data["level"], data["agree"]) == ("ktsolve/1", "quick", False)
    first = data["cases"][0]
    assert first["published"] == {"count": "8", "source": "OEIS A175855"}
    assert first["engines"]["frontier"]["count"] == "8"
    assert first["engines"]["sat"]["count"] == "7"
    assert not first["agree"]


@pytest.mark.usefixtures("short")
def test_nothing_is_verified_in_no_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "--timeout", "0.001"]) == 3
    out = capsys.readouterr().out
    assert "NOT ANSWERED  closed 5x6: search: out of time" in out
    assert "DISAGREEMENT" not in out


def test_bad_requests() -> None:
    with pytest.raises(BadInput, match="level 'deep' is unknown: use quick, standard, full"):
        verify("deep")
    with pytest.raises(BadInput, match="engine 'nobody' is unknown"):
        verify(sabotaged="nobody")


def result_with(says: dict[str, EngineSays], published_count: int | None = None) -> CaseResult:
    problem = TourProblem(board="5x6", closed=True)
    entry = next(e for e in published() if e.problem == problem) if published_count is not None else None
    return CaseResult(problem, entry, {name: Outcome(value, 0.1) for name, value in says.items()})


def test_every_kind_of_disagreement() -> None:
    good = EngineSays(8, frozenset("abcdefgh"))
    assert result_with({"a": good, "b": good, "c": EngineSays(8, None)}, 8).disagreements() == []
    # The same number, but another tour.
    other = EngineSays(8, frozenset("abcdefgx"))
    assert (
        "c lacks 1 tours that others list and has 1 more"
        in result_with({"a": good, "b": good, "c": other}).disagreements()[0]
    )
    # All engines alike, and all wrong.
    seven = EngineSays(7, None)
    assert len(result_with({"a": seven, "b": seven}, 8).disagreements()) == 2
    # A tour that is none; a crash.
    lies = EngineSays(8, frozenset("abcdefgh"), "a tour that is none: step 3")
    assert "b lists a tour that is none" in result_with({"a": good, "b": lies}).disagreements()[0]
    barren = EngineSays(8, frozenset("abcdefgh"), "tours, but constructs none")
    assert "b lists tours, but constructs none" in result_with({"a": good, "b": barren}).disagreements()[0]
    crashed = result_with({"a": good})
    crashed.says["b"] = Outcome(None, 0.0, "crashed: ZeroDivisionError")
    assert "b: crashed" in crashed.disagreements()[0]


def test_jobs_judge_what_they_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that lists a wrong tour is caught even if the number is right."""
    from ktsolve.engines.search import SearchEngine

    problem = TourProblem(board="5x6", closed=True)
    right = list(SearchEngine().enumerate(problem, Settings()))
    cells = right[0].squares
    wrong = type(right[0])(problem.board, (cells[1], cells[0], *cells[2:]), True)
    monkeypatch.setattr(SearchEngine, "enumerate", lambda *_: iter([wrong, *right[1:]]))
    assert "no move of the piece" in EngineJob(problem, "search", Settings())().fault
    monkeypatch.setattr(SearchEngine, "enumerate", lambda *_: iter([right[0], *right[:7]]))
    assert EngineJob(problem, "search", Settings())().fault == "1 tours twice"


# -- what is promised to be checked ---------------------------------------


def test_the_quick_level_covers_what_it_promises() -> None:
    quick = {str(case.problem): case for case in cases("quick")}
    for name in (
        *("closed 3x10", "closed 5x6", "closed 5x8", "closed 6x6"),
        *("open 3x4", "open 3x7", "open 4x5", "open 5x5", "open 5x6"),
    ):
        assert set(quick[name].engines) == set(ENGINES)
    problems = [case.problem for case in quick.values()]
    for feature in (
        "holes",
        "leaper",
        "wrap",
        "start",
        "end",
        "require",
        "forbid",
        "symmetry",
        "steps",
        "structured",
    ):
        assert any(feature in problem.features for problem in problems), feature
    assert sum(problem.obstruction() is not None for problem in problems) >= 7
    assert [len(cases(level)) for level in LEVELS] == sorted(len(cases(level)) for level in LEVELS)


def test_the_catalogue_names_a_source_for_every_value() -> None:
    assert len(published()) > 60
    assert all(entry.source for entry in published())
    assert len({entry.problem for entry in published()}) == len(published())
    rows = endpoint_table("6x6")
    assert sum(row.multiplicity * row.count for row in rows) == 3318960
    assert sum(row.multiplicity for row in rows) == 18 * 18


# -- the pool ---------------------------------------


def quick_job() -> int:
    return 7


def failing_job() -> int:
    raise ZeroDivisionError("division by zero")


def dying_job() -> int:
    os._exit(5)


def endless_job() -> int:
    time.sleep(600)
    return 0


def test_a_failing_job_ends_alone() -> None:
    outcomes = dict(run_all([quick_job, failing_job, dying_job, quick_job], workers=2))
    assert outcomes[0].value == outcomes[3].value == 7
    assert "ZeroDivisionError" in outcomes[1].error
    assert outcomes[2].error == "the process died with exit code 5"


def test_jobs_are_stopped_in_time() -> None:
    started = time.monotonic()
    outcomes = dict(run_all([endless_job, endless_job, quick_job], workers=1, timeout=1))
    assert time.monotonic() - started < 10
    assert all(outcome.limit for outcome in outcomes.values())
    assert not [process for process in multiprocessing.active_children() if process.is_alive()]


@pytest.mark.slow
def test_the_standard_level() -> None:
    assert verify("standard").disagreements == []


# -- pictures and files -------------------------------------------------------------------------------------


def test_pictures_and_files_are_read_back() -> None:
    for _, job in picture_jobs(Settings(threads=1)):
        assert job().holds


def test_a_wrong_picture_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Tour.svg

    def drawn(tour: Tour, **look: Any) -> str:
        first, second, *rest = tour.squares
        return whole(Tour(tour.board, (second, first, *rest), tour.closed), **look)

    monkeypatch.setattr(Tour, "svg", drawn)
    (_, pictures), (_, files) = picture_jobs(Settings(threads=1))
    assert pictures().left.startswith(
        "0 of 18 pictures read back; not 6x6 light straight; not 6x6 light smooth"
    )
    assert files().holds


def test_a_wrong_file_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def backwards(tours: list[Tour], ending: str) -> bytes:
        return tours_bytes([tours[0].reversed()], ending)

    monkeypatch.setattr("ktsolve.verify.picture_jobs.tours_bytes", backwards)
    _, (_, files) = picture_jobs(Settings(threads=1))
    assert not files().holds
    assert "6x6 .npy" in files().left or "6x6 .txt" in files().left


def test_path_and_numbers_are_read_from_the_drawing_alone() -> None:
    tour = read_tour("1 6 3\n4 . 8\n7 2 5")
    svg = tour.svg()
    assert cells_of_path(svg, tour.board) == [*tour.squares, tour.squares[0]]
    assert cells_of_numbers(svg, tour.board) == list(tour.squares)
    moved = re.sub(r'<path d="M(\d+) ', lambda found: f'<path d="M{int(found[1]) + 40} ', svg)
    assert cells_of_path(moved, tour.board) != [*tour.squares, tour.squares[0]]
    assert cells_of_numbers(svg.replace(">3<", ">9<"), tour.board) != list(tour.squares)
