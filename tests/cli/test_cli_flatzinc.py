"""``fzn-ktsolve``: FlatZinc as MiniZinc calls it; the answers to models in MiniZinc are those of Gecode."""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise, product
from pathlib import Path

import pytest
from command import answered, refused
from marks import quick
from minizinc_models import MODELS

from ktsolve.cli import flatzinc
from ktsolve.model.io.fzn import read_fzn

MINIZINC = shutil.which("minizinc") or ""

needs_minizinc = pytest.mark.skipif(not MINIZINC, reason="Debian's package minizinc is not installed")

SQUARES = """% x * x = y
var 1..5: x:: output_var;
var 0..30: y:: output_var;
constraint int_times(x, x, y):: defines_var(y);
"""


def called(*arguments: str) -> tuple[int, str, str]:
    """The exit status, the output and the errors of a call in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = flatzinc.run(list(arguments))
    return status, out.getvalue(), err.getvalue()


@pytest.fixture
def squares(tmp_path: Path) -> str:
    path = tmp_path / "squares.fzn"
    path.write_text(SQUARES + "solve satisfy;\n")
    return str(path)


def test_one_solution_some_and_all(squares: str) -> None:
    status, out, err = called(squares)
    assert (status, err) == (0, "")
    assert out.splitlines()[2:] == ["----------"]
    assert called("-n", "3", squares)[1].count("----------\n") == 3
    assert "==========" not in called("-n", "3", squares)[1]
    for arguments in (["-a"], ["-n", "9"], ["-a", "-f", "-r", "1", "-p", "1", "--engine", "sat"]):
        _, out, _ = called(*arguments, squares)
        *solutions, end = out.split("----------\n")
        assert end == "==========\n"
        assert set(solutions) == {f"x = {x};\ny = {x * x};\n" for x in range(1, 6)}
        assert len(solutions) == 5


def test_better_and_better_solutions_and_statistics(tmp_path: Path) -> None:
    path = tmp_path / "best.fzn"
    path.write_text(SQUARES + "constraint int_ne(x, 4); solve maximize y;\n")
    assert called(str(path))[1] == "x = 5;\ny = 25;\n----------\n==========\n"
    _, out, _ = called("-i", "-s", str(path))
    *solutions, end = out.split("----------\n")
    values = [int(each.split()[-1][:-1]) for each in solutions]
    assert values == sorted(set(values))
    assert values[-1] == 25
    lines = end.splitlines()
    assert lines[0] == "=========="
    assert "%%%mzn-stat: objective=25" in lines
    assert f"%%%mzn-stat: nSolutions={len(values)}" in lines
    assert lines[-1] == "%%%mzn-stat-end"
    path.write_text(SQUARES + "constraint int_lt(y, x); solve minimize y;\n")
    assert called(str(path))[1] == "=====UNSATISFIABLE=====\n"


def test_solutions_of_the_best_value(tmp_path: Path) -> None:
    path = tmp_path / "best.fzn"
    text = "var 1..9: x:: output_var; var 0..1: odd; constraint int_mod(x, 2, odd); solve maximize odd;"
    path.write_text(text)
    every = {f"x = {x};\n" for x in range(1, 10, 2)}
    for arguments, number in (
        (["-a-o"], 5),
        (["-n-o", "3"], 3),
        (["-n-o", "9"], 5),
        (["-n-o", "1"], 1),
        (["-n", "3"], 1),
    ):
        for engine in ("sat", "cpsat"):
            *found, end = called(*arguments, "--engine", engine, str(path))[1].split("----------\n")
            assert end == "==========\n"
            assert len(found) == len(set(found)) == number
            assert every.issuperset(found)
    assert "-n-o 0: give a number of solutions from 1" in called("-n-o", "0", str(path))[2]
    path.write_text(text.replace("solve", "constraint int_lt(x, odd); solve"))
    assert called("-a-o", str(path))[1] == "=====UNSATISFIABLE=====\n"


def test_a_time_limit_ends_with_unknown(tmp_path: Path) -> None:
    path = tmp_path / "pigeons.fzn"
    lines = [f"var 1..30: x{i};" for i in range(31)]
    lines += [f"constraint int_ne(x{i}, x{j});" for i in range(31) for j in range(i)]
    path.write_text("\n".join([*lines, "solve satisfy;"]))
    assert called("-t", "300", "-s", "--engine", "sat", str(path))[1].startswith("=====UNKNOWN=====\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("var int: x; solve satisfy;", "line 1: x has no bounds: declare it with its least and greatest"),
        ("var 1..2: x;\nvar 0.0..1.0: f; solve satisfy;", "line 2: f is a decimal: ktsolve has variables of"),
        ("var float: f; solve satisfy;", "line 1: f is a decimal"),
        ("var set of 1..3: s; solve satisfy;", "line 1: s is a set: ktsolve has variables of whole numbers"),
        ("var 3..1: x; solve satisfy;", "line 1: x has no values"),
        ("\n\nconstraint fzn_diffn([1], [2]); solve satisfy;", "line 3: ktsolve has no constraint fzn_diffn"),
        ("constraint float_eq(x, y); solve satisfy;", "line 1: x is not declared"),
        ("constraint set_card({1}, 1); solve satisfy;", "no constraint set_card: it has no variables that"),
        (
            "var 1..2: x; constraint int_eq(x); solve satisfy;",
            "line 1: the arguments of int_eq do not fit: give those of FlatZinc",
        ),
        (
            "var 1..2: x;\nconstraint int_lin_le([1, 2], [x], 3); solve satisfy;",
            "line 2: the arguments of int_lin_le do not fit",
        ),
        ("var 1..2: x; constraint int_eq(x 1); solve satisfy;", "line 1: '1' is in the place of , or )"),
        ("var 1..2: x; constraint int_eq(x", "line 1: the end of the file is in the place of"),
        ("var 1..2: x; var 1..2: x; solve satisfy;", "line 1: x is declared twice"),
        ("solve satisfy", "line 1: the end of the file is in the place of ;"),
        ("var 1..2: x;", "line 1: it has no item solve"),
        ("constraint int_eq(" + "[" * 9999 + ", 1); solve satisfy;", "line 1: the text is not FlatZinc"),
        (f"var 1..{10**30}: x; solve satisfy;", "line 1: x has values of more than 62 bits"),
        ("var 1..2: x; constraint int_pow(x, 9999999, x); solve satisfy;", "line 1: a power of up to"),
    ],
)
def test_what_cannot_be_is_named_with_its_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.fzn"
    path.write_text(text)
    status, out, err = called(str(path))
    assert (status, out) == (2, "")
    assert err.startswith(f"ktsolve: {path}: line ")
    assert message in err
    assert err.count("\n") == 1


def test_arguments_are_checked(squares: str, tmp_path: Path) -> None:
    assert called()[0] == 2
    assert "give one FlatZinc file" in called("--install", squares)[2]
    assert "-n 0: give a number of solutions from 1" in called("-n", "0", squares)[2]
    assert "cannot be read" in called(str(tmp_path / "none.fzn"))[2]


@pytest.mark.parametrize(
    ("platform", "name", "value", "below"),
    [
        ("linux", "HOME", "home", "home/.minizinc/solvers"),
        ("darwin", "HOME", "home", "home/.minizinc/solvers"),
        ("win32", "APPDATA", "roaming", "roaming/MiniZinc/solvers"),
        ("win32", "HOME", "home", "home/AppData/Roaming/MiniZinc/solvers"),
    ],
)
def test_the_solver_is_installed_where_minizinc_looks(
    platform: str, name: str, value: str, below: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in ("HOME", "APPDATA"):
        monkeypatch.delenv(each, raising=False)
    monkeypatch.setenv(name, str(tmp_path / value))
    monkeypatch.setattr(sys, "platform", platform)
    status, out, _ = called("--install")
    written = tmp_path / below / "ktsolve.msc"
    assert (status, out.startswith(f"wrote {written}: minizinc --solver ktsolve")) == (0, True)
    data = json.loads(written.read_text())
    assert Path(data["executable"]).stem == "fzn-ktsolve"
    assert (Path(data["mznlib"]) / "fzn_table_int.mzn").is_file()
    assert {"-a", "-n", "-n-o", "-a-o"} <= {*data["stdFlags"]}


def test_flatzinc_is_a_format_of_models(squares: str) -> None:
    said = answered("solve", squares, "--count", "-q")
    assert said.out.endswith("squares.fzn: found, 5 solutions\n")
    assert answered("solve", squares, "--assume", "x=3", "-q").out == "x = 3\ny = 9\n\nsquares.fzn: found\n"
    assert answered("solve", squares, "--assume", "x=3", "--json").json["variables"] == {"x": 3, "y": 9}
    assert "x*x = y" in answered("convert", squares, "--format", "listing").out
    assert "--format sol" in refused("solve", squares, "--format", "sol")


def test_shown_arrays_and_booleans() -> None:
    read = read_fzn(
        "var bool: b :: output_var; var 0..1: X_INTRODUCED_1_; var 3..3: X_INTRODUCED_2_;"
        "array [1..2] of var int: xs :: output_array([0..1, 5..5]) = [X_INTRODUCED_1_, X_INTRODUCED_2_];"
        "array [1..0] of var int: none :: output_array([1..0]) = [];"
        'constraint bool2int(b, X_INTRODUCED_1_) :: mzn_path("a;b"); solve :: bool_search([b]) satisfy;'
    )
    assert read.model.names == ["b", "xs[1,5]"]
    assert read.text([True, 3]).splitlines() == [
        "b = true;",
        "xs = array2d(0..1, 5..5, [1, 3]);",
        "none = array1d(1..0, []);",
        "----------",
    ]


def _precede(values: Sequence[int], row: Sequence[int]) -> bool:
    return all(b not in row or a in row[: row.index(b)] for a, b in pairwise(values))


@pytest.mark.parametrize(
    ("name", "arguments", "values"),
    [("int", "1, 3", (1, 3)), ("chain_int", "[2, 1, 3]", (2, 1, 3)), ("chain_int", "[2]", (2,))],
)
def test_truth_of_a_precedence(name: str, arguments: str, values: Sequence[int], tmp_path: Path) -> None:
    path = tmp_path / "precede.fzn"
    path.write_text(
        "var 1..3: x:: output_var; var 1..3: y:: output_var; var 1..3: z:: output_var;"
        "var bool: b:: output_var;"
        f"constraint fzn_value_precede_{name}_reif({arguments}, [x, y, z], b); solve satisfy;"
    )
    every = {
        f"x = {row[0]};\ny = {row[1]};\nz = {row[2]};\nb = {str(_precede(values, row)).lower()};\n"
        for row in product((1, 2, 3), repeat=3)
    }
    for engine in ("sat", "cpsat"):
        *found, end = called("-a", "--engine", engine, str(path))[1].split("----------\n")
        assert (set(found), len(found), end) == (every, 27, "==========\n")


# -- with MiniZinc ------------------------------------------------------------------------------------------


def minizinc(*arguments: str, home: Path, given: str | None = None) -> str:
    """The output of minizinc for which ktsolve is installed in this home."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(home)}
    ended = subprocess.run(
        [MINIZINC, *arguments], capture_output=True, text=True, check=False, env=environment, input=given
    )
    assert ended.returncode == 0, ended
    assert "rror" not in ended.stderr, ended
    return ended.stdout


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("HOME", str(folder))
        assert called("--install")[0] == 0
    return folder


def of_solutions(text: str) -> tuple[list[str], str]:
    *solutions, end = text.split("----------\n")
    return sorted(solutions), end


@needs_minizinc
@pytest.mark.parametrize("name", quick(MODELS, lambda name: name in ("regular", "cumulative", "undefined")))
def test_the_answers_are_those_of_gecode(name: str, home: Path, tmp_path: Path) -> None:
    model, flat, output = tmp_path / "model.mzn", str(tmp_path / "model.fzn"), str(tmp_path / "model.ozn")
    model.write_text(MODELS[name])
    minizinc("-c", "--solver", "ktsolve", str(model), "--fzn", flat, "--ozn", output, home=home)
    theirs, their_end = of_solutions(minizinc("--solver", "gecode", "-a", str(model), home=home))
    for engine in ("sat", "cpsat"):
        status, lines, err = called("-a", "--engine", engine, flat)
        assert (status, err) == (0, "")
        ours, our_end = of_solutions(minizinc("--ozn-file", output, home=home, given=lines))
        assert our_end == their_end
        if "solve satisfy" in MODELS[name]:
            assert ours == sorted(set(theirs))
        else:
            choose = max if "maximize" in MODELS[name] else min
            assert choose(map(int, ours)) == choose(map(int, theirs))


@needs_minizinc
@pytest.mark.full
def test_minizinc_finds_the_solver(home: Path, tmp_path: Path) -> None:
    model = tmp_path / "queens.mzn"
    model.write_text(MODELS["queens"])
    assert "org.ktsolve.ktsolve" in minizinc("--solvers", home=home)
    best = tmp_path / "best.mzn"
    best.write_text(
        'include "value_precede.mzn"; array[1..3] of var 1..3: x;'
        "solve maximize bool2int(not value_precede(1, 2, x)) + bool2int(value_precede(3, 1, x));"
    )
    rows = list(product((1, 2, 3), repeat=3))
    values = [(not _precede((1, 2), row)) + _precede((3, 1), row) for row in rows]
    for option, number in (("-a-o", values.count(2)), ("-n 2", 1)):
        out = minizinc("--solver", "ktsolve", *option.split(), str(best), home=home)
        assert out.count("----------") == number
    out = minizinc("--solver", "ktsolve", "-a", "-p", "1", "-r", "2", "-t", "60000", str(model), home=home)
    assert out.count("----------") == 4
    assert out.endswith("==========\n")
