"""The cross-check: it agrees, and it reports every fault that is injected."""

from __future__ import annotations

import csv
import json
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from marks import full, slow

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.base.limits import Settings
from ktsolve.cli.app import run
from ktsolve.engines.registry import ENGINES as REGISTRY
from ktsolve.engines.search.engine import SearchEngine
from ktsolve.formats.table import Format
from ktsolve.formats.tours.files import read_tour, tour_file
from ktsolve.graphs.tour import Tour
from ktsolve.problem.problem import TourProblem
from ktsolve.verify.cases import Case, cases
from ktsolve.verify.engine_jobs import EngineAnswer, answer, encoding_jobs
from ktsolve.verify.existence_jobs import boards, certified, walk_jobs
from ktsolve.verify.graph_jobs import atlas, graph_jobs
from ktsolve.verify.identity_jobs import adjacent_ends, condition_jobs
from ktsolve.verify.jobs import LEVELS, Context, Job, Outcome, Sides, run_all
from ktsolve.verify.picture_jobs import cells_of_numbers, cells_of_path, picture_jobs
from ktsolve.verify.published import endpoint_table, known_value, published
from ktsolve.verify.report import as_csv, as_lines, letters
from ktsolve.verify.run import CaseResult, LineResult, Report, case_jobs, verify
from ktsolve.verify.sequence_jobs import chi_square_bound, sequence_jobs
from ktsolve.wings.puzzles.checks import clue_jobs
from ktsolve.wings.sudoku.checks import sudoku_jobs

ENGINES = ("search", "frontier", "join", "strip", "sat", "cpsat")

# A short list, so that the check can be run many times.
FEW = [
    Case(TourProblem(board="5x6", closed=True)),
    Case(TourProblem(board="3x4", closed=False)),
    Case(TourProblem(board="4x4", closed=False)),
]


def few_jobs(_level: str) -> Iterator[Job]:
    yield Job("adjacent ends 5x6 (frontier)", adjacent_ends, ("5x6", "frontier"))
    yield next(job for job in sudoku_jobs("quick") if job.name == "sudoku bands 3x2 (sat)")


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ktsolve.verify.run.cases", lambda _level: FEW)
    monkeypatch.setattr("ktsolve.verify.run.checks", lambda: (few_jobs,))


def quick(jobs: Iterator[Job]) -> list[Job]:
    return [job for job in jobs if job.level == "quick"]


@pytest.mark.usefixtures("short")
def test_agreement() -> None:
    report = verify(settings=Settings(threads=2))
    assert report.disagreements == []
    assert [set(case.answers) for case in report.cases] == [set(ENGINES)] * 3
    assert [{each.value.count for each in case.answers.values()} for case in report.cases] == [{8}, {8}, {0}]
    identities = report.section("identities")
    assert identities[0].detail == "240"
    assert (identities[1].name, identities[1].detail) == ("sudoku bands 3x2 (sat)", "80 listed")


@pytest.mark.full
def test_sudoku_checks_hold_and_notice() -> None:
    jobs = quick(sudoku_jobs("quick"))
    assert [job.name for job in jobs if job(Context()).disagreement] == []
    assert len({job.name for job in jobs}) == len(jobs)
    for faulty in ("sat", "cpsat"):
        for name in ("sudoku grids 2x2", "sudoku bands 3x2", "sudoku completions listed 2x2"):
            (job,) = (job for job in jobs if job.name == f"{name} ({faulty})")
            assert job(Context(faulty=faulty)).disagreement
    levels = {job.name: job.level for job in sudoku_jobs("full")}
    assert levels["sudoku different 3x3"] == "full"
    assert set(levels.values()) == set(LEVELS)


def test_proofs_hold_and_wrong_theorems_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert boards(Context(), True, 12, "auto").left == "19 of 19 boards without tours certified"
    assert not boards(Context(), False, 12, "clauses").disagreement
    monkeypatch.setattr("ktsolve.verify.existence_jobs._has_tour", lambda *asked: asked[:2] == (3, 3))
    sides = boards(Context(), False, 12, "auto")
    assert sides.left == "18 of 19 boards without tours certified; wrong: 1x1, 3x3, 3x4"
    assert sides.disagreement
    sides = certified(Context(), TourProblem(board="5x6", closed=True), "auto")
    assert sides.disagreement == "there is a tour is not certified"


def test_encodings_list_what_search_lists_and_a_broken_one_is_noticed() -> None:
    jobs = quick(encoding_jobs("quick"))
    assert [job.name for job in jobs] == [
        f"encoding {name}" for name in ("one-hot", "binary", "remainder", "elimination")
    ]
    encoding, problems = jobs[3].arguments
    for faulty in (None, "sat"):
        sides = jobs[3].work(Context(faulty=faulty), encoding, problems[:3])
        assert sides.right == "16, 8, 0 tours"
        assert bool(sides.disagreement) == (faulty == "sat")


@pytest.mark.full
def test_condition_checks_hold_and_notice() -> None:
    jobs = quick(condition_jobs("quick")) + list(clue_jobs("quick"))
    assert [job.name for job in jobs if job(Context()).disagreement] == []
    for faulty, kinds in (
        ("sat", {"minimise", "fewest"}),
        ("cpsat", {"maximise"}),
        ("search", {"non-crossing", "clues"}),
        ("frontier", {"longest"}),
    ):
        chosen = [job for job in jobs if job.name.split()[0] in kinds]
        assert {job.name.split()[0] for job in chosen if job(Context(faulty=faulty)).disagreement} == kinds
    assert len(list(condition_jobs("full"))) > len(jobs)


@pytest.mark.full
def test_graph_checks_hold_and_notice() -> None:
    jobs = quick(graph_jobs("quick"))
    assert len({job.name for job in jobs}) == len(jobs)
    few = [job for job in jobs if "hypercube:5" not in job.name and "of every" not in job.name]
    assert [job.name for job in few if job(Context()).disagreement] == []
    # hypercube:4 has 1,344 cycles, and three graphs with fewer show the same.
    known = [job for job in few if job.work is jobs[0].work and "hypercube:4" not in job.name]
    for faulty in ("search", "frontier", "sat", "cpsat"):
        assert {
            job.name for job in few if "random" in job.name and not job(Context(faulty=faulty)).disagreement
        } == set()
        assert [job.name for job in known[:3] if not job(Context(faulty=faulty)).disagreement] == []
    assert {job.level for job in graph_jobs("full")} == {"quick", "standard"}


@pytest.mark.parametrize(
    ("closed", "step", "tours"),
    [full(True, 1, "5309 tours of 443 of 1252 graphs"), slow(False, 3, None)],
)
def test_all_small_graphs_by_two_engines(closed: bool, step: int, tours: str | None) -> None:
    """The atlas of all graphs with up to seven vertices, listed by search and by sat, compared as sets."""
    sides = atlas(Context(), closed, step)
    assert sides.disagreement == ""
    assert tours is None or sides.left == tours
    assert atlas(Context(faulty="sat"), closed, 100).disagreement
    assert atlas(Context(faulty="search"), closed, 100).disagreement


@pytest.mark.slow
def test_sequence_checks_hold_and_notice(monkeypatch: pytest.MonkeyPatch) -> None:
    # The engine of tests stands for those that rank; every job notices that half of the tours are lost.
    monkeypatch.setitem(REGISTRY, "listed", "listed_ranking:ListedEngine")
    jobs = [job for job in quick(sequence_jobs("quick")) if job.name.endswith("(listed)")]
    assert len(jobs) > 10
    assert [job.name for job in jobs if job(Context()).disagreement] == []
    unseen = [job.name for job in jobs if not job(Context(faulty="listed")).disagreement]
    assert unseen == []
    # The lists of search are the other side.
    some = [job for job in jobs if job.work is not jobs[-1].work]
    assert [job.name for job in some if not job(Context(faulty="search")).disagreement] == []
    assert {job.level for job in sequence_jobs("full")} >= {"quick", "standard"}
    # From tables of chi-square: 0.999 quantiles.
    for freedom, bound in ((1, 10.83), (7, 24.32), (100, 149.4)):
        assert abs(chi_square_bound(freedom, 3.0902) - bound) < 0.04 * bound


def test_walk_checks_hold_and_notice() -> None:
    jobs = quick(walk_jobs("quick"))
    assert [job.name for job in jobs if job(Context()).disagreement] == []
    assert [job.name for job in jobs if not job(Context(faulty="walk")).disagreement] == []
    assert all(job.name.endswith("(walk)") for job in jobs)
    assert len(list(walk_jobs("full"))) > len(jobs) > 6


@pytest.mark.full
@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("broken", ENGINES)
def test_a_broken_engine_is_noticed_and_named(broken: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "--inject-fault", broken, "--quiet"]) == 1
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("DISAGREEMENT")]
    for line in lines:
        assert f" {broken} " in line.replace(f"({broken})", f" {broken} "), line
    # Noticed in every case, also where there are no tours.
    for problem in ("closed 5x6", "open 3x4", "open 4x4"):
        assert any(line.startswith(f"DISAGREEMENT  {problem}: ") for line in lines), problem


@pytest.mark.full
@pytest.mark.usefixtures("short")
def test_report_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", "--json", "--inject-fault", "sat"]) == 1
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
    said = capsys.readouterr()
    assert re.fullmatch(r"out of time: 0 of 20 answers, 0\.\d s\n", said.out)
    assert said.err == "ktsolve: stopped at the time limit of 0.001 s\n"


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("stop", [KeyboardInterrupt(), LimitReached("interrupted")])
def test_an_interrupted_report_has_what_was_answered(
    stop: BaseException, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def few_and_ctrl_c(
        work: list[Callable[[], Any]], _workers: int, _timeout: float | None
    ) -> Iterator[tuple[int, Outcome]]:
        for number in range(7):
            yield number, Outcome(work[number](), 0.5)
        raise stop

    monkeypatch.setattr("ktsolve.verify.run.run_all", few_and_ctrl_c)
    assert run(["verify"]) == 3
    said = capsys.readouterr()
    assert said.err == "ktsolve: interrupted\n"
    lines = said.out.splitlines()
    assert lines[-1].startswith("interrupted: 7 of 20 answers, which agree, ")
    assert "NOT ANSWERED" not in said.out
    # Rows with an answer, and no others.
    rows = [line.split() for line in lines if line.startswith(("closed", "open"))]
    assert 1 <= len(rows) <= sum(sign.isalpha() for row in rows for sign in row[3]) <= 7
    assert any(re.fullmatch(r"\d of 3 problems, \d answers, [\d.]+ s of work", line) for line in lines)
    assert run(["verify", "--json"]) == 3
    data = json.loads(capsys.readouterr().out)
    assert len(data["unanswered"]) == 13
    assert not data["agree"]


def test_bad_requests() -> None:
    with pytest.raises(BadInput, match="level 'deep' is unknown: use quick, standard, full"):
        verify("deep")
    with pytest.raises(BadInput, match="engine 'nobody' is unknown"):
        verify(faulty="nobody")


_EIGHT = frozenset(bytes([each]) for each in b"abcdefgh")


def result_with(answers: dict[str, EngineAnswer], published_count: int | None = None) -> CaseResult:
    problem = TourProblem(board="5x6", closed=True)
    entry = next(e for e in published() if e.problem == problem) if published_count is not None else None
    return CaseResult(problem, entry, {name: Outcome(value, 0.1) for name, value in answers.items()})


def test_every_kind_of_disagreement() -> None:
    good = EngineAnswer(8, _EIGHT)
    assert result_with({"a": good, "b": good, "c": EngineAnswer(8, None)}, 8).disagreements() == []
    # The same number, but another tour.
    other = EngineAnswer(8, frozenset({*_EIGHT, b"x"} - {b"h"}))
    assert (
        "c misses 1 tour of the others and has 1 more"
        in result_with({"a": good, "b": good, "c": other}).disagreements()[0]
    )
    # All engines alike, and all wrong.
    seven = EngineAnswer(7, None)
    assert len(result_with({"a": seven, "b": seven}, 8).disagreements()) == 2
    # An invalid tour; no tour; an error.
    wrong = EngineAnswer(8, _EIGHT, "an invalid tour: step 3")
    assert "b lists an invalid tour" in result_with({"a": good, "b": wrong}).disagreements()[0]
    barren = EngineAnswer(8, _EIGHT, "tours, but constructs none")
    assert "b lists tours, but constructs none" in result_with({"a": good, "b": barren}).disagreements()[0]
    refused = result_with({"a": good})
    refused.answers["b"] = Outcome(None, 0.0, BadInput("not this"))
    assert refused.disagreements() == ["closed 5x6: b: not this"]


def test_jobs_judge_what_they_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that lists a wrong tour is caught even if the number is right."""
    problem = TourProblem(board="5x6", closed=True)
    right = list(SearchEngine().enumerate(problem, Settings()))
    cells = right[0].squares
    wrong = type(right[0])(problem.board, (cells[1], cells[0], *cells[2:]), True)
    monkeypatch.setattr(SearchEngine, "enumerate", lambda *_: iter([wrong, *right[1:]]))
    assert "not a move of the piece" in answer(Context(), problem, "search").mistake
    monkeypatch.setattr(SearchEngine, "enumerate", lambda *_: iter([right[0], *right[:7]]))
    assert answer(Context(), problem, "search").mistake == "1 tour twice"


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


def test_the_cards_of_whole_boards_have_the_numbers_in_the_data() -> None:
    """docs/results.md, and what `--estimate` says."""
    text = (Path(__file__).parents[2] / "docs/results.md").read_text("utf-8")
    compared = {}
    for closed, part in ((True, text.split("\n## ")[1]), (False, text.split("\n## ")[2])):
        for board, number in re.findall(r"\n### (\d+x\d+)(?:, .*)?\n\n\*[a-z ]+\* ([\d,]+)\n", part):
            entry = known_value(TourProblem(board, closed=closed))
            assert entry is not None
            compared[board, closed] = entry.count
            assert entry.count == int(number.replace(",", ""))
    assert compared.keys() >= {("9x12", True), ("9x14", True), ("9x16", True), ("8x32", True), ("9x9", False)}
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


@pytest.mark.full
def test_a_failing_job_ends_alone() -> None:
    outcomes = dict(run_all([quick_job, failing_job, dying_job, quick_job], workers=2))
    assert outcomes[0].value == outcomes[3].value == 7
    assert "ZeroDivisionError: division by zero (test_verify.py" in str(outcomes[1].error)
    assert "exit status 5" in str(outcomes[2].error)
    assert all(outcomes[number].crash for number in (1, 2))


@pytest.mark.full
def test_jobs_are_stopped_in_time() -> None:
    started = time.monotonic()
    outcomes = dict(run_all([endless_job, endless_job, quick_job], workers=1, timeout=1))
    assert time.monotonic() - started < 10
    assert len(outcomes) == 3
    assert all(outcome.limit for outcome in outcomes.values())


def crashing_jobs(_level: str) -> Iterator[Job]:
    yield Job("a job that crashes", crashing_work)


def crashing_work(_context: Context) -> None:
    raise ZeroDivisionError("fault injected")


@pytest.mark.full
@pytest.mark.usefixtures("short")
def test_a_crash_is_reported_as_a_crash(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ktsolve.verify.run.checks", lambda: (crashing_jobs,))
    assert run(["verify", "-q"]) == 4
    said = capsys.readouterr()
    assert "CRASH  a job that crashes: a worker process crashed: ZeroDivisionError: fault" in said.out
    assert "DISAGREEMENT" not in said.out
    assert "a job that crashes: a worker process crashed: ZeroDivisionError" in said.err
    assert run(["verify", "-q", "--json", "--verbose"]) == 4
    said = capsys.readouterr()
    assert "in crashing_work" in said.err
    data = json.loads(said.out)
    assert (data["agree"], data["disagreements"], len(data["crashes"])) == (False, [], 1)


class AnotherEngine(SearchEngine):
    """A new engine of the registry."""

    name = "another"


def test_a_new_engine_of_the_registry_appears_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REGISTRY, "another", "test_verify:AnotherEngine")
    for case in FEW:
        jobs = dict(case_jobs(case))
        assert set(jobs) == {*ENGINES, "another"}
        assert jobs["another"](Context()) == jobs["search"](Context())
    with_symmetry = Case(TourProblem(board="6x6", closed=True, symmetry="rot90"))
    assert {"quotient", "another"} <= set(with_symmetry.engines)
    assert letters()["another"] == "n"
    assert "n=another" in next(as_lines(Report("quick", [CaseResult(FEW[0].problem, None)], [])))


# -- the report ---------------------------------------------------------------------------------------------


def long_report() -> Report:
    """A report with answers of all kinds and texts and numbers of all lengths."""
    problem = TourProblem(board="6x6", closed=True, require=["c3-d5", "d4-f3", "a1-b3"], symmetry="rot180")
    wordy = CaseResult(problem, None, {name: Outcome(EngineAnswer(9862, None), 0.1) for name in ENGINES})
    wordy.answers["sat"] = Outcome(EngineAnswer(9861, None), 0.1)
    wordy.answers["cpsat"] = Outcome(None, 0.1, LimitReached("out of time"))
    known = result_with({"search": EngineAnswer(8, None)}, 8)
    lines = [
        LineResult("recurrence 3x120", "identities", Outcome(Sides("7" * 56, "7" * 56), 12.5)),
        LineResult(
            "order of " + "a long name " * 9 + "(join)", "sequence", Outcome(Sides("1 2", "1 3"), 0.1)
        ),
    ]
    return Report("quick", [wordy, known], lines)


def test_the_report_is_a_table() -> None:
    head, *rows = csv.reader(as_csv(long_report()).splitlines())
    assert head == ["section", "name", "found", "engines", "published", "seconds", "agrees"]
    assert [(row[0], row[-1]) for row in rows] == [
        *(("problems", "NO"), ("problems", "ok"), ("identities", "ok"), ("sequence", "NO"))
    ]
    assert (rows[0][2], rows[1][2:4]) == ("9862", ["8", "search"])
    assert "cpsat" not in rows[0][3].split()
    assert rows[2][1:3] == ["recurrence 3x120", "7" * 56]


def test_the_report_fits_the_terminal() -> None:
    for width in (40, 60, 80, 120):
        for verbose in (False, True):
            lines = list(as_lines(long_report(), width, verbose=verbose))
            assert max(map(len, lines)) <= width
            # A line for each, however narrow, and its verdict.
            assert [line.rsplit(maxsplit=1)[-1] for line in lines if line.endswith(("ok", "NO", " ?"))] == [
                *("NO", "ok", "ok", "NO")
            ]
    full = "\n".join(as_lines(long_report()))
    assert "7" * 56 in full
    assert str(long_report().cases[0].problem) in full


def test_the_report_at_80_columns() -> None:
    first, _, _, head, wordy, known, totals, _, _, number, *_ = as_lines(long_report(), 80)
    assert first.startswith("Engines: s=search, f=frontier, j=join, q=quotient, t=strip, a=sat, c=cpsat,")
    assert head.split() == ["problem", "answer", "engines", "published"]
    assert wordy.split()[-3:] == ["9862", "sfj.tX?..", "NO"]
    assert known.split() == ["closed", "5x6", "8", "s........", "yes", "ok"]
    assert totals == "2 problems, 7 answers, 0.7 s of work"
    assert number.split("  ")[0] == "recurrence 3x120"
    assert "777777...777 (56 digits)" in number
    verbose = list(as_lines(long_report(), 100, verbose=True))
    assert "OEIS A175855" in verbose[5]
    assert "0.10  NO" in verbose[4]


@pytest.mark.slow
def test_the_standard_level() -> None:
    assert verify("standard").disagreements == []


# -- pictures and files -------------------------------------------------------------------------------------


@pytest.mark.full
def test_pictures_and_files_are_read_back() -> None:
    assert [job(Context()).disagreement for job in picture_jobs("quick")] == ["", ""]


@pytest.mark.full
def test_a_wrong_picture_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Tour.svg

    def drawn(tour: Tour, **look: Any) -> str:
        first, second, *rest = tour.squares
        return whole(Tour(tour.board, (second, first, *rest), tour.closed), **look)

    monkeypatch.setattr(Tour, "svg", drawn)
    pictures, files = picture_jobs("quick")
    assert pictures(Context()).left.startswith(
        "18 pictures read back; wrong: 6x6 light straight, 6x6 light smooth"
    )
    assert not files(Context()).disagreement


def test_a_wrong_file_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def backwards(tours: list[Tour], form: Format) -> bytes:
        return tour_file([tours[0].reversed()], form)

    monkeypatch.setattr("ktsolve.verify.picture_jobs.tour_file", backwards)
    _, files = picture_jobs("quick")
    sides = files(Context())
    assert sides.disagreement
    assert "6x6 npy" in sides.left


def test_path_and_numbers_are_read_from_the_drawing_alone() -> None:
    tour = read_tour("1 6 3\n4 . 8\n7 2 5")
    svg = tour.svg()
    assert cells_of_path(svg, tour.board) == [*tour.squares, tour.squares[0]]
    assert cells_of_numbers(svg, tour.board) == list(tour.squares)
    moved = re.sub(r'<path d="M(\d+) ', lambda found: f'<path d="M{int(found[1]) + 40} ', svg)
    assert cells_of_path(moved, tour.board) != [*tour.squares, tour.squares[0]]
    assert cells_of_numbers(svg.replace(">3<", ">9<"), tour.board) != list(tour.squares)
