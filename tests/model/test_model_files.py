"""Models in CNF, WCNF and OPB: what is read is what was written, by us and by python-sat."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import re
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import pytest
from command import answered, refused
from hypothesis import given
from hypothesis import strategies as st
from integer_models import assignments as every
from integer_models import random_model
from pysat.examples.rc2 import RC2
from pysat.formula import CNF, WCNF
from random_models import PLAIN, Clauses, assignments, literals, models, solutions
from strategies import examples, refusal

from ktsolve.base.errors import BadInput, OutOfMemory
from ktsolve.base.limits import Settings
from ktsolve.formats.models import load_model, model_file, read_model
from ktsolve.model.constraints import Literal
from ktsolve.model.encode import encode
from ktsolve.model.model import Model
from ktsolve.tasks.solve import solve


def listed(text: str, name: str | None = None) -> list[str]:
    """The lines of a model that a text states, without the title."""
    return [line.strip() for line in str(read_model(text, name)).splitlines()[1:]]


def projected(model: Model, number: int) -> set[tuple[bool, ...]]:
    """The solutions cut down to the first variables, by brute force."""
    return {assignment[:number] for assignment in solutions(model)}


# -- what is written is read again ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cnf", "wcnf", "opb"])
@examples(40)
@given(model=models(PLAIN, most=3, booleans=4))
def test_a_written_model_is_read_as_the_same(name: str, model: Model) -> None:
    read = read_model(model_file(model, name), name)
    assert (read.name, read.names[:4]) == (model.name, model.names)
    assert read.objective is None
    if len(read) <= 14:
        assert projected(read, 4) == solutions(model)
        number = sum(1 for _ in solutions(read))
        assert number == len(solutions(model)), "auxiliary variables have other values"
    assert {literal.number for literal in read.shown} == set(range(4))


@pytest.mark.parametrize("name", ["wcnf", "opb"])
@examples(40)
@given(models(PLAIN, most=2, booleans=4), st.data())
def test_a_written_objective_is_read_as_the_same(name: str, model: Model, data: st.DataObject) -> None:
    weights = data.draw(st.dictionaries(literals(4), st.integers(-9, 9), min_size=1))
    maximise = data.draw(st.booleans())
    (model.maximise if maximise else model.minimise)(weights)
    read = read_model(model_file(model, name), name)
    if not any(weights.values()):
        return
    assert model.objective is not None
    costs = set()
    for assignment in solutions(model):
        value = model.objective.total.value(assignment)
        ours = (
            0 if read.objective is None else read.objective.total.value([*assignment, *([False] * len(read))])
        )
        costs.add((value if not maximise else -value) - ours)
    assert len(costs) <= 1


@examples(25)
@given(
    st.lists(st.lists(st.integers(1, 4).flatmap(lambda i: st.sampled_from((i, -i))), max_size=3), max_size=4),
    st.lists(
        st.tuples(
            st.lists(st.integers(1, 4).flatmap(lambda i: st.sampled_from((i, -i))), min_size=1, max_size=3),
            st.integers(1, 9),
        ),
        max_size=5,
    ),
)
def test_wcnf_of_python_sat_has_the_same_best_cost(
    hard: list[list[int]], soft: list[tuple[list[int], int]]
) -> None:
    formula = WCNF()
    formula.extend([clause for clause in hard if clause])
    formula.extend([clause for clause, _ in soft], [weight for _, weight in soft])
    stream = io.StringIO()
    formula.to_fp(stream)
    cost = None
    for values in product((False, True), repeat=4):

        def violated(clause: list[int], values: tuple[bool, ...] = values) -> bool:
            return not any(values[abs(x) - 1] == (x > 0) for x in clause)

        if not any(violated(clause) for clause in hard if clause):
            here = sum(weight for clause, weight in soft if violated(clause))
            cost = here if cost is None else min(cost, here)
    model = read_model(stream.getvalue(), "wcnf")
    best = None
    for assignment in solutions(model):
        here = 0 if model.objective is None else model.objective.total.value(assignment)
        best = here if best is None else min(best, here)
    assert best == cost
    if cost is not None and soft:
        again = WCNF(from_string=model_file(model, "wcnf"))
        with RC2(again) as rc2:
            assert rc2.compute() is not None
            assert rc2.cost == cost


def test_python_sat_reads_what_we_write() -> None:
    model = read_model("c 1 a\np cnf 3 3\n1 -2 0\n3 0\n-1 2 -3 0\n")
    assert CNF(from_string=model_file(model, "cnf")).clauses == [[1, -2], [3], [-1, 2, -3]]
    assert model.names == ["a", "x2", "x3"]


# -- forms ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c x\np cnf 3 2\n1 -3\n0 c is no comment here\n", "line 4: 'c' is not a literal"),
        ("p cnf 3 2\n 1 -3\n 0\nc inside\n2 0", ["2 clauses: x1 or not x3; x2"]),
        ("p cnf 2 1\r\n1 2 0\r\n", ["1 clause: x1 or x2"]),
        ("p cnf 2 1\n1 2 0\n%\n0\n", ["1 clause: x1 or x2"]),
        ("\ufeffp cnf 1 1\n0\n", ["1 clause: false"]),
        ("p cnf 1 0\n", ["0 clauses"]),
        ("h 1 2 0\n7 1 0\n2 -2 1 0\n", [
            "minimise 7*not x1 + 2*violated[2]",
            "1 clause: x1 or x2",
            "3 clauses: violated[2] or not x2 or x1; not violated[2] or x2; not violated[2] or not x1",
        ]),
        ("p wcnf 2 2 9\n9 1 2 0\n8 -1 0\n", ["minimise 8*x1", "1 clause: x1 or x2"]),
        ("p wcnf 2 2 18446744073709551615\n18446744073709551615 1 2 0\n8 -1 0\n",
         ["minimise 8*x1", "1 clause: x1 or x2"]),
        ("p wcnf 2 1\n9 1 0\n", ["minimise 9*not x1"]),
        ("5 0\n3 1 0\n2 1 0\n", ["minimise 5*violated[1] + 5*not x1", "1 clause: violated[1]"]),
        ("+1 x1 +1 ~x2 >= 1;", ["x1 or not x2"]),
        ("+3 x1 -3 x2 >= -2 ;", ["x1 or not x2"]),
        ("-1 x1 -1 x2 >= -1 ;", ["not x1 or not x2"]),
        ("1 x1\n1 x2 1 x3\n= 2\n;", ["exactly 2 of {x1, x2, x3}"]),
        ("2 x1 3 x2 <= 4 ; 2 x1 = 1 ;", ["2*x1 + 3*x2 <= 4", "2*x1 = 1"]),
        ("max: 2 x1 ;\n", ["maximise 2*x1"]),
        ("* a\n>= 1 ;", ["1 <= 0"]),
    ],
)  # fmt: skip
def test_forms_of_files(text: str, expected: list[str] | str) -> None:
    name = "opb" if "=" in text or "x" in text.split("\n", 1)[1] else None
    if text.startswith("5 0"):  # without line p, and no clause is hard: it could be a CNF without its line
        assert refusal(read_model, text).startswith("clauses without a line p: write p cnf")
        name = "wcnf"
    if isinstance(expected, str):
        with pytest.raises(BadInput, match=expected):
            read_model(text, "cnf")
    else:
        assert listed(text, name) == expected


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("cnf", "", "has no line p"),
        ("cnf", "1 2 0\n", "has no line p"),
        ("cnf", "p cnf 2\n", "line 1: 'p cnf 2' is not a line p"),
        ("cnf", "p wcnf 2 1 5\n", "line 1: 'p wcnf 2 1 5' is not p cnf"),
        ("cnf", "c\nhello\np cnf 1 0\n", "line 2 comes before the line p, but is not a comment"),
        ("cnf", "p cnf 2 1\n1 3 0\n", "line 2: the literal 3 has no variable"),
        ("cnf", "p cnf 2 1\n1 2\n", "line 2: the last clause does not end in 0"),
        ("cnf", "p cnf 2 2\n1 2 0\n", "announces 2 clauses, and the file has 1 clause: it is cut off"),
        ("cnf", "p cnf 2 0\n1 2 0\n", "announces 0 clauses, and the file has 1 clause: it is wrong"),
        ("cnf", "p cnf 2 1\n1 --2 0\n", "line 2: '--2' is not a literal"),
        ("cnf", "p cnf 2 1\n1 2- 0\n", "line 2: '2-' is not a literal"),
        ("cnf", "p cnf 2 1\nc\n1 - 0\n", "line 3: '-' is not a literal"),
        ("cnf", f"p cnf 2 1\n{'9' * 30} 0\n", "line 2: '99999"),
        ("cnf", "p cnf 999999999999 0\n", "states 1,000,000,000 variables, and its text of 21 characters"),
        ("cnf", "c p show 3 0\np cnf 2 0\n", "shows variable 3"),
        ("wcnf", "h 1 2 0 3 1 0\n", "line 1: without a line p each line is one clause"),
        ("wcnf", "1 2 h 0\n", "'h' is not a clause"),
        ("wcnf", "h 1\nh 2 0\n", "line 2: without a line p"),
        ("wcnf", "0 1 0\n", "line 1: the weight 0 is not positive"),
        ("wcnf", "c\n-3 1 0\n", "line 2: the weight -3 is not positive"),
        ("wcnf", "1.5 1 0\n", "line 1: '1.5' is not a clause"),
        ("wcnf", "p wcnf 1 1\nh 1 0\n", "line 2: h marks hard clauses in files without a line p"),
        ("wcnf", "h 123456789 0\n", "states 123,456,789 variables"),
        ("opb", "1 x1 >= 1", "line 1: the last statement does not end in a semicolon"),
        ("opb", "\n1 x1 > 1 ;", "line 2: '>' is not OPB"),
        ("opb", "1 x1\n1 >= 2 ;", "line 2: '1' is not expected here"),
        ("opb", "x1 >= 2 ;", "line 1: 'x1' is not expected here"),
        ("opb", "1 x0 >= 2 ;", "x0 is not a variable"),
        ("opb", ";", "';' is not expected here"),
        ("opb", "[0] 1 x1 >= 1 ;", "is not expected here"),
        ("opb", "min: 1 x1 ; min: 1 x2 ;", "two objectives"),
        ("opb", "* #variable= 1 #constraint= 1\n1 x2 >= 1 ;", "line 2: there is no variable x2"),
        ("opb", "* #variable= 1 #constraint= 2\n1 x1 >= 1 ;", "announces 2 constraints, and the file has 1"),
        ("opb", "1 x123456789 >= 1 ;", "states 123,456,789 variables"),
        ("opb", f"1 x1 >= {'9' * 5000} ;", "more than 4,300 digits"),
        (None, "hello world\n", "show none of the formats of models"),
    ],
)  # fmt: skip
def test_errors_are_one_line_with_the_line(name: str | None, text: str, message: str) -> None:
    with pytest.raises(BadInput) as refused:
        read_model(text, name)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@examples(30)
@given(st.data())
def test_soft_constraints_cost_their_weight_just_where_violated(data: st.DataObject) -> None:
    sums = st.lists(st.tuples(st.integers(-4, 4), st.integers(1, 3)), max_size=3)
    relation = st.sampled_from([">=", "<=", "="])
    rows = data.draw(st.lists(st.tuples(st.integers(1, 5), sums, relation, st.integers(-5, 5)), max_size=3))
    top = data.draw(st.one_of(st.none(), st.integers(1, 9)))
    text = f"soft: {'' if top is None else top} ;\n1 x1 1 x2 1 x3 >= 0 ;\n" + "".join(
        f"[{weight}] {' '.join(f'{w:+d} x{v}' for w, v in terms)} {sign} {bound} ;\n"
        for weight, terms, sign, bound in rows
    )
    model = read_model(text, "opb")
    found = {}
    for assignment in solutions(model):
        assert assignment[:3] not in found, "two solutions of one"
        value = model.objective.total.value(assignment) if model.objective else 0
        found[assignment[:3]] = value
    expected = {}
    for assignment in assignments(3):
        cost = 0
        for weight, terms, sign, bound in rows:
            total = sum(w for w, v in terms if assignment[v - 1])
            kept = {">=": total >= bound, "<=": total <= bound, "=": total == bound}[sign]
            cost += 0 if kept else weight
        if top is None or cost < top:
            expected[assignment] = cost
    assert found == expected


def test_products_are_booleans_with_their_value() -> None:
    model = read_model("1 x1 ~x2 x3 +2 x1 x3 >= 2 ;")
    expected = {(a, b, c) for a, b, c in assignments(3) if (a and not b and c) + 2 * (a and c) >= 2}
    assert [assignment[:3] for assignment in sorted(solutions(model))] == sorted(expected)


# -- names, shown variables, files ------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cnf", "opb"])
@pytest.mark.parametrize("title", ["3 coins", "x1 a", "coins"])
def test_the_name_of_a_model_is_not_the_name_of_a_variable(name: str, title: str) -> None:
    model = Model(title)
    model.clause(*model.booleans(["a", "b", "c"]))
    again = read_model(model_file(model, name), name)
    assert (again.names, again.name) == (model.names, title if title == "coins" else f"model {title}")


def test_names_come_back() -> None:
    model = Model("two words")
    a, b = model.boolean("first name"), model.boolean("b")
    model.exactly(1, [a, b])
    model.minimise({a: 1})
    for name in ("wcnf", "opb"):
        read = read_model(model_file(model, name))
        assert (read.name, read.names) == ("two words", ["first name", "b"])
    assert read_model("c 2 a\nc 1 b\np cnf 2 0\n").names == ["x1", "x2"]
    assert read_model("c 1 x2\np cnf 2 0\n").names == ["x1", "x2"]
    assert read_model("c p show 2 0\nc p show 1 0\np cnf 3 0\n").shown == (Literal(1), Literal(0))


def test_compressed_files_and_limits(tmp_path: Path) -> None:
    data = b"c pair\np cnf 2 1\n1 2 0\n"
    packed = {"gz": gzip.compress(data), "xz": lzma.compress(data), "bz2": bz2.compress(data), "": data}
    for suffix, content in packed.items():
        path = tmp_path / f"a.cnf{'.' if suffix else ''}{suffix}"
        path.write_bytes(content)
        assert load_model(path).name == "pair"
        (tmp_path / "model").write_bytes(content)
        assert load_model(tmp_path / "model").name == "pair"
        if suffix:
            path.write_bytes(content[:-9])
            with pytest.raises(BadInput, match="cannot be decompressed"):
                load_model(path)
    (tmp_path / "bomb.cnf.xz").write_bytes(lzma.compress(bytes([32]) * (1 << 24)))
    with pytest.raises(OutOfMemory, match="memory limit"):
        load_model(tmp_path / "bomb.cnf.xz", Settings(memory=64 << 20))
    (tmp_path / "utf16.cnf").write_text("p cnf 1 0\n", "utf-16")
    with pytest.raises(BadInput, match="UTF-16"):
        load_model(tmp_path / "utf16.cnf")
    with pytest.raises(BadInput, match="cannot be read"):
        load_model(tmp_path / "none.cnf")


# -- commands ---------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "f.cnf").write_text("c 1 a\nc 2 b\np cnf 2 2\n1 2 0\n-2 0\n")
    (tmp_path / "u.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    (tmp_path / "f.wcnf").write_text("h 1 2 0\n3 -1 0\n2 -2 0\n")
    (tmp_path / "f.opb").write_text("min: 2 x1 3 x2;\n1 x1 1 x2 >= 1;\n")
    return tmp_path


def test_solve_answers_model_files(folder: Path) -> None:
    assert answered("solve", "f.cnf").out == "a\nnot b\n\nf.cnf: found\n"
    assert answered("solve", "f.cnf", "--format", "sol").out == "s SATISFIABLE\nv 1 -2 0\n"
    assert answered("solve", "f.cnf", "--json").json["variables"] == {"a": True, "b": False}
    assert answered("solve", "f.wcnf", "--format", "sol").out.endswith("o 2\ns OPTIMUM FOUND\nv 01\n")
    answered("solve", "f.opb", "-o", "f.sol")
    assert (folder / "f.sol").read_text().endswith("o 2\ns OPTIMUM FOUND\nv x1 -x2\n")
    counted = answered("solve", "f.cnf", "--format", "sol", "--count").out
    assert counted.splitlines()[1:] == ["c s type mc", "c s log10-estimate 0.00000000", "c s exact arb int 1"]
    (folder / "p.cnf").write_text("c t pmc\np cnf 3 1\nc p show 1 2 0\n1 2 3 0\n")
    assert "type pmc\nc s log10-estimate 0.60205999\nc s exact arb int 4\n" in (
        answered("solve", "p.cnf", "--format", "sol", "--count").out
    )
    none = answered("solve", "u.cnf", "--format", "sol", "--count", status=1).out
    assert none.endswith("c s type mc\nc s log10-estimate -inf\nc s exact arb int 0\n")
    (folder / "w.cnf").write_text("p cnf 2 1\nc p weight 1 0.4 0\n1 2 0\n")
    assert "line 2: 'c p weight 1 0.4 0' is about weights of literals" in (
        answered("solve", "w.cnf", "--count", status=2).err
    )
    said = answered("solve", "u.cnf", "--format", "sol", status=1)
    assert said.out == "s UNSATISFIABLE\n"
    chance = random.Random(5)
    rows = [f"1 -{chance.randrange(1, 61)} {chance.randrange(1, 61)} 0" for _ in range(60)]
    clauses = [f"h {' '.join(map(str, chance.sample(range(1, 61), 6)))} 0" for _ in range(80)]
    costs = [f"{chance.randrange(1, 50)} -{number} 0" for number in range(1, 61)]
    (folder / "many.wcnf").write_text("\n".join([*clauses, *costs, *rows]))
    told = answered("solve", "many.wcnf", "--format", "sol").out.splitlines()
    values = [int(line[2:]) for line in told if line.startswith("o ")]
    assert values == sorted(set(values), reverse=True)
    assert told[len(values)] == "s OPTIMUM FOUND"
    assert answered("solve", "u.cnf", status=1).out == "u.cnf: impossible\n"
    assert "not a model file" in answered("solve", "closed-6x6", "--format", "sol", status=2).err
    assert answered("solve", "-", "--count", given=b"p cnf 2 2\n1 2 0\n-1 0\n").out.endswith(
        "-: found, 1 solution\n"
    )
    assert "standard input: the contents show" in answered("solve", "-", status=2, given=b"hello\n").err
    (folder / "bad.cnf").write_text("p cnf 1 1\n1\n")
    assert answered("solve", "bad.cnf", status=2).err.startswith("ktsolve: bad.cnf: line 2: ")


def test_convert_goes_between_model_formats(folder: Path) -> None:
    answered("convert", "f.wcnf", "-o", "g.opb")
    assert load_model(folder / "g.opb").objective is not None
    assert solve(load_model(folder / "g.opb")).value == 2
    assert "p cnf 2 2" in answered("convert", "f.cnf", "--format", "cnf").out
    assert "does not hold a model" in answered("convert", "f.cnf", "--format", "g6", status=2).err
    assert "no objective" in answered("convert", "f.opb", "--format", "cnf", status=2).err
    assert "boards and tours" in answered("convert", "f.cnf", "--format", "opb", "--open", status=2).err


# -- integers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["cnf", "opb"])
def test_comments_say_how_to_read_integers(name: str) -> None:
    """The values that the comments give, for all solutions that another solver finds, are the model's."""
    for seed in range(25):
        model, _ = random_model(seed)
        text = model_file(model, name)
        read = read_model(text, name)
        mark = "c" if name == "cnf" else r"\*"
        formulas = {}
        for found in re.finditer(rf"^{mark} integer (\S+) = (-?\d+)(.*)$", text, re.MULTILINE):
            formulas[found[1]] = int(found[2]), [int(x) for x in re.findall(r"\d+", found[3])]
        shown = [literal.number + 1 for literal in read.shown] if name == "cnf" else range(1, len(read) + 1)
        encoder = encode(read)
        solutions_read = []
        with Clauses([*encoder.clauses, *([v, -v] for v in range(1, len(read) + 1))]) as clauses:
            for values in clauses.enumerate(len(read), list(shown)):
                whole = []
                for i, own in enumerate(model.names):
                    low, counted = formulas.get(own, (0, [i + 1]))
                    whole.append(low + sum(values[x - 1] for x in counted))
                solutions_read.append(tuple(whole))
        expected = [tuple(map(int, each)) for each in every(model) if model.holds(each)]
        assert sorted(solutions_read) == sorted(expected), (seed, text)


XCSP3 = """<instance format="XCSP3" type="COP">
<variables> <var id="x"> 0..5 </var> <array id="y" size="[3]"> 1..4 </array> </variables>
<constraints>
  <allDifferent> y[0] y[1] y[2] </allDifferent>
  <intension> gt(add(y[0],x),mul(y[1],2)) </intension>
  <sum> <list> y[] </list> <condition> (le,6) </condition> </sum>
</constraints>
<objectives> <maximize> sub(x,y[0]) </maximize> </objectives>
</instance>
"""


def test_xcsp3_is_read_where_pycsp3_is_installed(tmp_path: Path) -> None:
    file = tmp_path / "model.xml"
    file.write_text(XCSP3)
    if find_spec("pycsp3") is None:
        assert refused("solve", str(file)).endswith("pip install 'ktsolve[cpmpy]' pycsp3")
        return
    said = answered("solve", str(file), "--format", "sol", "--engine", "cpsat")
    best, status, values = said.out.splitlines()[-3:]
    assert (best, status) == ("o 4", "s OPTIMUM FOUND")
    assert re.fullmatch(
        r"v <instantiation> <list> y\[0\] y\[1\] y\[2\] x </list> <values> 1 [23] [32] 5 </values> "
        "</instantiation>",
        values,
    )
    file.write_text(XCSP3.replace("allDifferent", "allStrange"))
    assert "cannot read this XCSP3" in refused("solve", str(file))
