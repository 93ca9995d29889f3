"""The benchmarks run end to end, count correctly, and show missing contenders and wrong answers."""

from __future__ import annotations

import importlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ktsolve.engines.registry import ENGINES
from ktsolve.problem.conditions import KEYS

RUN = Path(__file__).resolve().parents[2] / "benchmarks" / "run.py"

pytestmark = pytest.mark.skipif(not RUN.exists(), reason="not in a checkout")


def run(
    *arguments: str, path: Path | None = None, script: Path = RUN, programs: str = "/usr/bin:/bin"
) -> subprocess.CompletedProcess[str]:
    """Run the benchmarks, with a folder in front of everything that is installed."""
    # Some hundred processes: the threads of numpy's linear algebra would wait by spinning in each.
    environment = {"PATH": programs, "OPENBLAS_NUM_THREADS": "1"}
    environment |= {"PYTHONPATH": str(path)} if path else {}
    return subprocess.run(
        [sys.executable, str(script), *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )


def rows(output: str) -> dict[tuple[str, str], dict[str, str]]:
    """Rows of all tables, by their first two cells."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    head: list[str] = []
    for line in output.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            head = []
        elif not head:
            head = cells
        elif not cells[0].startswith("-"):
            found[cells[0], cells[1]] = dict(zip(head, cells, strict=True))
    return found


def test_list_names_every_case_and_who_is_available() -> None:
    done = run("--list")
    assert done.returncode == 0, done.stderr
    names = done.stdout.splitlines()
    assert "counting/closed-6x6/graphillion" in names
    assert "construction/closed-100x100/sat" in names
    for engine in ENGINES:
        assert f"{engine}: ktsolve " in done.stdout
    assert re.search(r"^graphillion: (graphillion \d|not installed)", done.stdout, re.MULTILINE)


@pytest.mark.full
def test_a_small_selection(tmp_path: Path) -> None:
    # A Graphillion that cannot be imported replaces a missing one.
    (tmp_path / "graphillion.py").write_text("raise ImportError('no such library here')\n")
    report = tmp_path / "report.md"
    report.write_text(
        "kept before\n<!-- begin: output of benchmarks/run.py -->\nearlier tables\n"
        "<!-- end: output of benchmarks/run.py -->\nkept after\n"
    )
    names = ["counting/closed-5x6", "enumeration/closed-5x6/search", "construction/closed-8x8/warnsdorff"]
    names += ["startup/commands/ktsolve --help", "orders/closed-4x8-wrap-y"]
    done = run("--only", *names, "--runs", "1", "--limit", "60", "--markdown", str(report), path=tmp_path)
    assert done.returncode == 0, done.stderr
    table = rows(done.stdout)

    assert table["closed 5x6", "frontier"]["answer"] == "8"
    assert table["closed 5x6", "frontier"]["ratio"] == "1"
    assert int(table["closed 5x6", "frontier"]["states"].replace(",", "")) > 0
    assert table["closed 5x6", "search"]["listed"] == "8"
    missing = table["closed 5x6", "graphillion"]
    assert missing["answer"].startswith("**unavailable**: does not load: ImportError")
    assert missing["work s"] == ""
    assert table["closed 8x8", "warnsdorff"]["answer"] == "valid"
    assert (
        table["closed 4x8 wrap y", "row sweep"]["answer"]
        == "4,357,888 (nothing published; all contenders agree)"
    )
    assert "### Targets" not in done.stdout

    written = report.read_text()
    assert written.startswith("kept before\n")
    assert written.endswith("kept after\n")
    assert done.stdout.strip() in written
    assert "earlier tables" not in written


@pytest.mark.full
def test_a_limit_is_shown_as_a_limit() -> None:
    done = run("--only", "counting/open-6x7/search", "--runs", "2", "--limit", "0.5")
    assert done.returncode == 0, done.stderr
    row = rows(done.stdout)["open 6x7", "search"]
    assert row["answer"] == "**time limit**: killed after 0.5 s"
    assert row["runs"] == "1"


@pytest.mark.full
def test_a_wrong_answer_is_shown_and_makes_the_run_fail(tmp_path: Path) -> None:
    (tmp_path / "graphillion.py").write_text(
        "class GraphSet:\n"
        "    set_universe = staticmethod(lambda edges: None)\n"
        "    cycles = classmethod(lambda cls, is_hamilton: cls())\n"
        "    len = lambda self: 7\n"
    )
    done = run("--only", "counting/closed-5x6/graphillion", "--runs", "1", path=tmp_path)
    assert done.returncode == 1, done.stderr
    answer = rows(done.stdout)["closed 5x6", "graphillion"]["answer"]
    assert answer == "**wrong**: 7 tours; published: 8 (OEIS A175855)"


def test_an_unknown_name() -> None:
    done = run("--only", "counting/closed-9x9")
    assert done.returncode == 2
    assert done.stderr.startswith("run.py: ")
    assert "counting/closed-9x9" in done.stderr


def test_sudoku_takes_one_option() -> None:
    script = RUN.with_name("sudoku.py")
    done = subprocess.run(
        [sys.executable, str(script), "--short"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (2, "sudoku.py: the only option is --long\n")


@pytest.mark.slow
def test_sudoku_counts_alike() -> None:
    script = RUN.with_name("sudoku.py")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "| total 3x3 | 44 classes by column sets |" in done.stdout


@pytest.mark.full
def test_large_boards_are_measured() -> None:
    def large(*arguments: str) -> subprocess.CompletedProcess[str]:
        script = str(RUN.with_name("large.py"))
        return subprocess.run(
            [sys.executable, script, *arguments], capture_output=True, text=True, check=False
        )

    done = large("--sides", "8", "10")
    assert (done.returncode, done.stderr) == (0, "")
    head, _, *table = done.stdout.splitlines()
    assert head == "| | 8x8 | 10x10 |"
    assert len(table) == 6
    for row in table:
        assert re.fullmatch(r"\| .+ \| [\d.e-]+ s \| [\d.e-]+ s \|", row)
    assert large("--sides", "7").returncode == 2


@pytest.mark.full
def test_encodings_are_measured_and_failures_shown() -> None:
    def encodings(*arguments: str) -> subprocess.CompletedProcess[str]:
        script = str(RUN.parent / "encodings.py")
        return subprocess.run(
            [sys.executable, script, *arguments], capture_output=True, text=True, check=False
        )

    done = encodings("--sides", "6")
    assert done.returncode == 0, done.stderr
    table = rows(done.stdout)
    assert {way for _, way in table} == {"lazy", "cuts", "one-hot", "binary", "remainder", "elimination"}
    for row in table.values():
        assert int(row["variables"].replace(",", "")) >= 80  # the moves
        assert float(row["ratio"]) > 0
        assert re.fullmatch(r"found|\d+ cuts", row[""])
    done = encodings("--sides", "6", "8", "--limit", "0.01")
    assert done.returncode == 0
    table = rows(done.stdout)
    assert {row[""] for (board, _), row in table.items() if board == "6x6"} == {"time limit"}
    assert {row[""] for (board, _), row in table.items() if board == "8x8"} == {"failed before"}
    assert encodings("--sides", "7").returncode == 2


# -- Hamiltonian cycles of graphs ---------------------------------------------------------------------------

GRAPHS = RUN.with_name("graphs.py")


SMALL = {
    "random-regular:3,20": "cycle",
    "grid:6,6": "cycle",
    "generalized-petersen:10,2": "30",
    "generalized-petersen:11,2": "0",
    "hypercube:3": "6",
    "flower-snark:5": "none",
    "grid:3,5": "none",
    "cubic:10": "17" if shutil.which("nauty-geng") else "",
    "cubic:8": "24" if shutil.which("nauty-geng") else "",
}
"""The small graphs, and the answer to the question about each; none about lists that nothing here makes."""


# One graph for each task, and all.
@pytest.mark.slow
@pytest.mark.parametrize(
    "only",
    [
        ["find/grid:6,6", "count/hypercube:3", "refute/grid:3,5"],
        pytest.param([], marks=pytest.mark.slow),
    ],
    ids=["three", "all"],
)
def test_small_graphs(only: list[str], tmp_path: Path) -> None:
    (tmp_path / "elkai.py").write_text("raise ImportError('no such library here')\n")
    report = tmp_path / "report.md"
    report.write_text(
        "before\n<!-- begin: output of benchmarks/graphs.py -->\nearlier\n"
        "<!-- end: output of benchmarks/graphs.py -->\nafter\n"
    )
    names = ["auto", "search", "networkx", "ortools", "elkai"]
    done = run(
        *("--small", *(["--only", *only] if only else []), "--contenders", *names),
        *("--limit", "60", "--markdown", str(report)),
        path=tmp_path,
        script=GRAPHS,
    )
    assert done.returncode == 0, done.stderr
    table = {graph: row for (graph, _), row in rows(done.stdout).items()}
    asked = {name.split("/")[1] for name in only} or SMALL.keys()
    assert {graph: row["answer"] for graph, row in table.items()} == {each: SMALL[each] for each in asked}
    for row in table.values():
        if not row["answer"]:
            assert {row[name] for name in {"auto", "networkx"} & row.keys()} == {"**unavailable**"}
            continue
        for name in {"auto", "search", "networkx"} & row.keys():
            assert re.fullmatch(r"(\*\*)?[\d.]+(\*\*)?", row[name]), row
        assert sum(cell.startswith("**") for cell in row.values() if cell != "**unavailable**") >= 1
    assert table["grid:6,6"]["elkai"] == "**unavailable**"
    assert "- elkai unavailable: does not load: ImportError" in done.stdout
    assert re.search(r"^- limits: 60 s and 4 GiB", done.stdout, re.MULTILINE)
    graphs = sum(not each.startswith("cubic:") for each in asked)  # the others are lists
    assert re.search(
        rf"^`auto` is within twice the best single engine .* on \d of {graphs} rows",
        done.stdout,
        re.MULTILINE,
    )
    written = report.read_text()
    assert written.startswith("before\n")
    assert written.endswith("after\n")
    assert "earlier" not in written


@pytest.mark.full
@pytest.mark.skipif(shutil.which("nauty-geng") is None, reason="nauty is not installed (apt install nauty)")
def test_lists_beside_nauty() -> None:
    names = ["auto", "cubhamg", "networkx", "simple_cycles"]
    done = run("--small", "--only", "decide", "count-each", "--contenders", *names, script=GRAPHS)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^- nauty: \d", done.stdout, re.MULTILINE)
    table = {graph: row for (graph, _), row in rows(done.stdout).items()}
    assert {graph: row["answer"] for graph, row in table.items()} == {"cubic:10": "17", "cubic:8": "24"}
    for row in table.values():
        assert all(re.fullmatch(r"(\*\*)?[\d.]+(\*\*)?", row[name]) for name in names if name in row)


@pytest.mark.full
def test_lists_without_nauty() -> None:
    names = ["auto", "cubhamg"]
    done = run("--small", "--only", "decide", "--contenders", *names, script=GRAPHS, programs="/nowhere")
    assert done.returncode == 0, done.stderr
    assert "- nauty: not installed" in done.stdout
    assert "- cubhamg unavailable: geng, which makes the list, is not installed" in done.stdout


@pytest.mark.full
def test_wrong_answers_about_graphs_are_shown(tmp_path: Path) -> None:
    # A networkx that joins all vertices: its backtracker answers other graphs.
    (tmp_path / "networkx.py").write_text(
        "class Graph(dict):\n"
        "    def __init__(self, edges):\n"
        "        vertices = sorted({v for edge in edges for v in edge})\n"
        "        self.update({v: [u for u in vertices if u != v] for v in vertices})\n"
        "    def degree(self, vertex):\n"
        "        return len(self[vertex])\n"
    )
    cases = ["count/hypercube:3", "find/grid:6,6", "refute/grid:3,5"]
    done = run("--small", "--only", *cases, "--contenders", "networkx", path=tmp_path, script=GRAPHS)
    assert done.returncode == 1, done.stderr
    assert [row["networkx"] for row in rows(done.stdout).values()] == ["**wrong**"] * 3
    assert "- networkx wrong: 2520 cycles, known: 6 (count/hypercube:3)" in done.stdout
    assert "- networkx wrong: a step is not an edge (find/grid:6,6)" in done.stdout
    assert "- networkx wrong: answered with a cycle (refute/grid:3,5)" in done.stdout


@pytest.mark.full
def test_limits_and_unknown_names_of_graphs() -> None:
    done = run("--only", "count/knight:6,6", "--contenders", "networkx", "--limit", "1", script=GRAPHS)
    assert done.returncode == 0, done.stderr
    assert rows(done.stdout)["knight:6,6", "36"]["networkx"] == "time"
    assert run("--only", "count/none", script=GRAPHS).returncode == 2
    assert "no contender nobody: see --list" in run("--contenders", "nobody", script=GRAPHS).stderr
    listed = run("--list", script=GRAPHS).stdout
    assert "refute/flower-snark:25" in listed
    assert re.search(r"^clingo: (clingo \d|not installed)", listed, re.MULTILINE)


# -- tours by number ----------------------------------------------------------------------------------------

SEQUENCE = RUN.with_name("sequence.py")


@pytest.mark.slow
def test_samples_are_compared_with_the_exact_numbers(tmp_path: Path) -> None:
    (tmp_path / "graphillion.py").write_text("raise ImportError('no such library here')\n")
    report = tmp_path / "report.md"
    report.write_text(
        "before\n<!-- begin: output of benchmarks/sequence.py -->\nearlier\n"
        "<!-- end: output of benchmarks/sequence.py -->\nafter\n"
    )
    done = run(
        *("--only", "uniform/6x6", "listed", "--draw", "2", "--limit", "60", "--markdown", str(report)),
        path=tmp_path,
        script=SEQUENCE,
    )
    assert done.returncode == 0, done.stderr
    table = rows(done.stdout)
    listed = table["all tours of 6x6 in order, prepared and listed", "under 0.3 s"]
    assert re.fullmatch(r"[\d.]+ s", listed["measured"])
    ours, walks = table["closed 6x6", "ktsolve"], table["closed 6x6", "warnsdorff"]
    assert (ours["drawn"], ours["different"]) == ("100,000", "9,862")
    assert 0.93 < float(ours["chi-square/df"]) < 1.07
    assert 0.4 < float(ours["moves"]) < 2
    assert float(walks["chi-square/df"]) > 2
    assert float(walks["moves"]) > 5
    assert table["closed 6x6", "graphillion-1"]["drawn"] == "**unavailable**"
    assert "- uniform/6x6/graphillion-1 unavailable: does not load: ImportError" in done.stdout
    written = report.read_text()
    assert written.startswith("before\n")
    assert written.endswith("after\n")
    assert "earlier" not in written


@pytest.mark.full
def test_wrong_samples_are_shown(tmp_path: Path) -> None:
    (tmp_path / "graphillion.py").write_text(
        "class GraphSet:\n"
        "    set_universe = staticmethod(lambda edges: None)\n"
        "    cycles = classmethod(lambda cls, is_hamilton: cls())\n"
        "    rand_iter = lambda self: iter([[(u, u % 36 + 1) for u in range(1, 37)]])\n"
    )
    asked = ("--only", "uniform/6x6", "--contenders", "graphillion-1", "--draw", "0.5", "--limit", "60")
    done = run(*asked, path=tmp_path, script=SEQUENCE)
    assert done.returncode == 1, done.stderr
    assert rows(done.stdout)["closed 6x6", "graphillion-1"]["drawn"] == "**wrong**"
    assert "- uniform/6x6/graphillion-1 wrong: a tour does not answer the problem" in done.stdout


@pytest.mark.full
def test_limits_and_unknown_names_of_tours_by_number() -> None:
    done = run("--only", "strips/6xN", "--limit", "0.05", script=SEQUENCE)
    assert done.returncode == 0, done.stderr
    assert "- strips/6xN/ktsolve time limit: killed after 0.05 s" in done.stdout
    assert run("--only", "strips/none", script=SEQUENCE).stderr == (
        "sequence.py: no case strips/none: see --list\n"
    )
    assert "no contender nobody: see --list" in run("--contenders", "nobody", script=SEQUENCE).stderr
    listed = run("--list", "--long", script=SEQUENCE).stdout
    assert "uses/8x8  (--long)" in listed
    assert re.search(r"^graphillion-1: (graphillion \d|not installed)", listed, re.MULTILINE)


AUTO = RUN.with_name("auto.py")


@pytest.mark.slow
def test_the_choice_of_auto(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "before\n<!-- begin: output of benchmarks/auto.py -->\n<!-- end: output of benchmarks/auto.py -->\n"
    )
    chosen = ["tour 5x6 --all --range", "count graph:petersen", "tour 6x6 --run"]
    how = ("--engines", "search", "cpsat", "--limit", "60", "--full", "--markdown", str(page))
    done = run("--only", *chosen, *how, script=AUTO)
    assert done.returncode == 0, done.stderr
    lines = {line.split("`")[1]: line for line in done.stdout.splitlines() if line.startswith("| `")}
    assert set(lines) == {
        "tour 5x6 --all --range c3=10..12 --start a1",
        "count graph:petersen --open",
        "tour 6x6 --run a1,b3,c5,d3",
    }
    assert "cpsat" in lines["tour 6x6 --run a1,b3,c5,d3"]
    assert re.search(r"`auto` is within 3 times the best \(or 0.3 s\) on \d of 3 questions", done.stdout)
    assert "Failures" not in done.stdout
    assert "| `count graph:petersen --open`" in page.read_text()


@pytest.mark.full
def test_questions_of_auto_are_varied_and_can_be_read() -> None:
    listed = run("--list", script=AUTO).stdout.splitlines()
    assert len(listed) == len(set(listed)) >= 100
    tasks = {line.split(":")[0] for line in listed}
    assert tasks == {"construct", "enumerate", "count", "optimise", "rank", "tally"}
    for option in (key.flag for key, _ in KEYS.values() if key.flag not in (None, "corners")):
        assert any(f"--{option} " in f"{line} " for line in listed), option
    assert run("--only", "count 99x99", script=AUTO).returncode == 2


def test_different_answers_make_the_run_of_auto_fail() -> None:
    """An answer is compared with that of every other engine."""
    sys.path.insert(0, str(AUTO.parent))
    try:
        auto = importlib.import_module("auto")
    finally:
        sys.path.remove(str(AUTO.parent))
    row = auto.Row("count 5x6", "count", auto.Run("ok", 1.0, "8", "join"))
    row.others = {"search": auto.Run("ok", 0.1, "8"), "sat": auto.Run("ok", 9.0, "7")}
    assert row.answers == {"8": ["auto", "search"], "7": ["sat"]}
    assert row.best == ("search", 0.1)
    assert not row.near
    assert "Answers differ" in auto._summary([row])


@pytest.mark.full
def test_languages_are_compared(tmp_path: Path) -> None:
    # Without CPMpy: its import takes a second.
    (tmp_path / "cpmpy.py").write_text("raise ImportError('no such library here')\n")
    report = tmp_path / "report.md"
    report.write_text(
        "before\n<!-- begin: output of benchmarks/language.py -->\n"
        "<!-- end: output of benchmarks/language.py -->\nafter\n"
    )
    script = RUN.with_name("language.py")
    sides = ("ktsolve", "by cpsat", "CPMpy", "OR-Tools", "python-sat")
    problems = ("la05", "all queens", "pigeons")
    asked = ("--only", *problems, "--sides", *sides, "--runs", "1", "--markdown", str(report))
    done = run(*asked, path=tmp_path, script=script)
    assert done.returncode == 0, done.stderr
    assert "without CPMpy: no such library here" in done.stderr
    assert "la05, ktsolve: 593: " in done.stderr
    # Without CPMpy and, for job shops, python-sat; all others agree.
    assert re.search(r"\| job shop la05, shortest plan +\| 593 +(\| +[\d.]+ ){3}\| +- \|", done.stdout)
    assert re.search(r"\| 8 queens: all solutions +\| 92 +\|", done.stdout)
    assert re.search(r"\| 9 pigeons in 8 holes \(no solution\) +\| none +\|", done.stdout)
    assert re.search(r"\| ktsolve / python-sat \| +2 \|", done.stdout)
    assert re.search(r"within 1.5 times the better one on \d of 3", done.stdout)
    assert report.read_text().startswith("before\n")
    assert run("--only", "chess", path=tmp_path, script=script).returncode == 2


@pytest.mark.full
def test_problems_of_languages_are_checked() -> None:
    """Fifty problems; the published optima of Lawrence; an answer that is changed is refused."""
    sys.path.insert(0, str(RUN.parent))
    try:
        cases, checks, stated = map(
            importlib.import_module, ("language_cases", "language_checks", "language_ktsolve")
        )
    finally:
        sys.path.remove(str(RUN.parent))
    assert len(cases.PROBLEMS) == 50
    optima = {"la01": "666", "la05": "593", "la06": "926", "la09": "951"}
    for name, optimum in optima.items():
        problem = cases.PROBLEMS[name]
        starts = stated.answer(*stated.jobshop(*problem.data))
        assert checks.jobshop(starts, *problem.data) == optimum
        starts[0][-1] = 0
        with pytest.raises(AssertionError):
            checks.jobshop(starts, *problem.data)
    for name in ("letters", "nonogram", "steiner", "partition", "slitherlink"):
        problem = cases.PROBLEMS[name]
        found = stated.answer(*getattr(stated, problem.model)(*problem.data))
        assert getattr(checks, problem.model)(found, *problem.data) == "valid"
        row = found if isinstance(found[0], int) else found[0]
        row[0] = (1 - row[0]) if row[0] in (0, 1) else 0
        with pytest.raises(AssertionError):
            getattr(checks, problem.model)(found, *problem.data)


@pytest.mark.full
@pytest.mark.full
def test_estimates_are_compared_with_counts() -> None:
    done = run("--only", "search 5x8", script=RUN.parent / "estimates.py")
    assert done.returncode == 0
    ((engine, question, said, taken, ratio, _),) = re.findall(
        r"^\| (\w+) \| (5x8) \| ([\d.]+) \| ([\d.]+) \| ([\d.e+-]+) \| (.*) \|$", done.stdout, re.MULTILINE
    )
    assert (engine, question) == ("search", "5x8")
    assert float(said) > 0
    assert float(taken) > 0
    assert float(ratio) > 0
    assert re.search(r"^[01] of 1 within a factor of 3", done.stdout, re.MULTILINE)


@pytest.mark.full
def test_speed_beside_another_version() -> None:
    """Here the rival is the same version; a wrong answer would be named."""
    own = str(Path(sys.executable).with_name("ktsolve"))
    script = RUN.with_name("speed.py")
    done = run("--only", "count 6x6", "--runs", "1", "--rival", own, script=script)
    assert done.returncode == 0, done.stderr
    (row,) = rows(done.stdout).values()
    assert row["command"] == "`ktsolve count 6x6 --quiet`"
    assert float(row["s"]) > 0
    assert float(row["CPU ratio"]) > 0
    refused = run("--only", "nothing", script=script)
    assert refused.returncode == 2
    assert "no command begins so" in refused.stderr
    assert "count 8x16 --memory 16G --quiet (--long)" in run("--list", script=script).stdout.splitlines()


# -- Gray codes ---------------------------------------------------------------------------------------------


def test_strips_are_counted_twice() -> None:
    done = run("twice", "--board", "5xN", "--upto", "12", script=RUN.with_name("join.py"))
    assert done.returncode == 0, done.stderr
    title, *lines = done.stdout.splitlines()
    assert title == "length,tours,modulo 2147483647 by another cut"
    assert lines[7:] == [
        "8,44202,44202",
        "9,0,0",
        "10,13311268,13311268",
        "11,0,0",
        f"12,4557702762,{4557702762 % (2**31 - 1)}",
    ]


def test_a_board_is_counted_twice_in_other_blocks(tmp_path: Path) -> None:
    script = RUN.with_name("join.py")
    done = run("twice", "--board", "6x8", "--spill", str(tmp_path), "--modulus", "1000003", script=script)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["count"] == "55488142"
    assert said["residue"] == 55488142 % 1000003
    assert said["confirmed_by"] == f"{said['by']}, blocks by 1 of the separator's sets of cells"


# OEIS A091299 has twice these numbers, 144 and 91392: a code and its reverse are two there.
@pytest.mark.parametrize(("dimensions", "number"), [(3, 72), (4, 45696)])
def test_gray_codes_of_few_bits(dimensions: int, number: int, tmp_path: Path) -> None:
    done = run(str(dimensions), "--spill", str(tmp_path), script=RUN.with_name("gray_codes.py"))
    assert done.returncode == 0, done.stderr
    assert f'"undirected Gray codes": "{number}"' in done.stdout
