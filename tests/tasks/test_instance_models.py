"""Instance files with models that users bring."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from instance_files import complaint, written

from ktsolve.base.errors import BadInput, LimitReached
from ktsolve.tasks.instance import load_instance, solve_instance

COLOURING = '''
    """Colour the nodes of a graph; neighbours differ."""

    from __future__ import annotations

    from dataclasses import dataclass

    from ktsolve.base.errors import BadInput
    from ktsolve.model.model import Model
    from ktsolve.models import Built


    @dataclass(frozen=True)
    class Colouring:
        colours: tuple[str, ...]

        def __str__(self) -> str:
            return " ".join(f"{node}={colour}" for node, colour in enumerate(self.colours))


    def build(parameters):
        nodes, names = parameters["nodes"], parameters["colours"]
        if not names:
            raise BadInput("parameters.colours is empty: name at least one colour")
        model = Model("colouring")
        has = [[model.boolean(f"{node}:{name}") for name in names] for node in range(nodes)]
        for node in has:
            model.exactly(1, node)
        for u, v in parameters["edges"]:
            for first, second in zip(has[u], has[v]):
                model.at_most(1, [first, second])
        if parameters.get("sparing", False):
            model.minimise({node[-1]: 1 for node in has})

        def decode(assignment):
            worn = [name for node in has for name, x in zip(names, node) if x.holds(assignment)]
            return Colouring(tuple(worn))

        return Built(model, decode)
'''


PENTAGON = """
    model = "colouring.py"
    [parameters]
    nodes = 5
    edges = [[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]]
    colours = {colours}
    {more}
    [expect]
    {expect}
"""


def colouring(folder: Path, colours: int, expect: str = "", more: str = "") -> Path:
    (folder / "colouring.py").write_text(dedent(COLOURING), encoding="utf-8")
    names = ["red", "green", "blue", "white"][:colours]
    return written(folder, dedent(PENTAGON).format(colours=names, expect=expect, more=more))


@pytest.mark.parametrize("engine", ["auto", "sat", "cpsat"])
@pytest.mark.parametrize(("colours", "number"), [(1, 0), (2, 0), (3, 30), (4, 240)])
def test_a_model_of_ones_own(tmp_path: Path, engine: str, colours: int, number: int) -> None:
    """The chromatic polynomial of the pentagon: (k - 1)^5 - (k - 1)."""
    instance = load_instance(colouring(tmp_path, colours, f"count = {number}"))
    answer = solve_instance(instance, engine)
    assert (answer.count, answer.disagreement) == (number, "")
    assert answer.status == ("found" if number else "impossible")
    if number:
        worn = str(answer.solution).split()
        assert all(
            a.split("=")[1] != b.split("=")[1] for a, b in zip(worn, [*worn[1:], worn[0]], strict=True)
        )


def test_a_model_of_ones_own_without_a_count(tmp_path: Path) -> None:
    answer = solve_instance(load_instance(colouring(tmp_path, 2, 'status = "found"')))
    assert (answer.status, answer.solution, answer.count) == ("impossible", None, None)
    assert answer.disagreement == "expected found, got impossible"


def test_a_model_of_ones_own_with_an_objective(tmp_path: Path) -> None:
    """Some node of a pentagon wears the third colour, and one is enough."""
    answer = solve_instance(load_instance(colouring(tmp_path, 3, more="sparing = true")))
    assert answer.engine == "sat"  # it counts literals
    assert str(answer.solution).count("blue") == 1
    asked = load_instance(colouring(tmp_path, 3, "count = 30", more="sparing = true"))
    with pytest.raises(BadInput, match=r"expect\.count makes no sense for a model with an objective"):
        solve_instance(asked)


def test_engines_that_read_no_models_refuse_ones_own(tmp_path: Path) -> None:
    instance = load_instance(colouring(tmp_path, 3))
    for engine in ("search", "frontier"):
        with pytest.raises(BadInput, match=f"engine {engine} .* not models: use sat, cpsat"):
            solve_instance(instance, engine)


def test_a_model_of_ones_own_may_be_a_tour_problem(tmp_path: Path) -> None:
    (tmp_path / "corner.py").write_text(
        dedent(
            """
            from ktsolve import TourProblem
            from ktsolve.models import Built
            from ktsolve.models.tour import TourModel

            def build(parameters):
                problem = TourProblem(board=parameters["board"], closed=False, start="a1")
                compiled = TourModel(problem)
                return Built(compiled.model, compiled.decode, problem)
            """
        )
    )
    path = written(tmp_path, 'model = "corner.py"\n[parameters]\nboard = "5x5"\n[expect]\ncount = 304')
    for engine in ("auto", "search", "frontier", "sat"):
        assert solve_instance(load_instance(path), engine).disagreement == ""


def test_an_own_error_of_ktsolve_is_passed_on(tmp_path: Path) -> None:
    assert complaint(colouring(tmp_path, 0)) == "parameters.colours is empty: name at least one colour"


def test_a_model_in_a_folder_below(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    path = colouring(tmp_path, 3, "count = 30")
    (tmp_path / "colouring.py").rename(tmp_path / "models" / "colouring.py")
    path.write_text(path.read_text().replace('"colouring.py"', '"models/colouring.py"'))
    assert solve_instance(load_instance(path)).disagreement == ""


BROKEN = [
    ("x = 1\n", "model own.py has no function build(parameters)"),
    ("build = 3\n", "model own.py has no function build(parameters)"),
    ("def build(parameters)\n    pass\n", "model own.py, line 1: SyntaxError: expected ':'"),
    (
        "\n\nimport nothing_like_this\n",
        "model own.py, line 3: ModuleNotFoundError: No module named 'nothing_like",
    ),
    ("import sys\nsys.exit('stop')\n", "model own.py, line 2: SystemExit: stop"),
    ("1 / 0\n", "model own.py, line 1: ZeroDivisionError: division by zero"),
    ("def build(parameters):\n    return parameters['n']\n", "model own.py: build, line 2: KeyError: 'n'"),
    (
        "def build():\n    pass\n",
        "model own.py: build: TypeError: build() takes 0 positional arguments but 1 ",
    ),
    (
        "def help_me():\n    raise ValueError\n\ndef build(parameters):\n    help_me()\n",
        "model own.py: build, line 2: ValueError",
    ),
    (
        "def build(parameters):\n    raise ValueError('two\\nlines')\n",
        "model own.py: build, line 2: ValueError: two\nlines",
    ),
    (
        "def build(parameters):\n    return build(parameters)\n",
        "model own.py: build, line 2: RecursionError: max",
    ),
    (
        "def build(parameters):\n    pass\n",
        "model own.py: build must return a ktsolve.models.Built, not NoneType",
    ),
    (
        "from ktsolve.models import Built\ndef build(parameters):\n    return Built(1, print)\n",
        "model own.py: Built.model must be a Model, not int",
    ),
    (
        "from ktsolve import Model\nfrom ktsolve.models import Built\n"
        "def build(parameters):\n    return Built(Model(), None)\n",
        "model own.py: Built.decode must be a function, not NoneType",
    ),
    (
        "from ktsolve import Model\nfrom ktsolve.models import Built\n"
        "def build(parameters):\n    return Built(Model(), print, 'tour')\n",
        "model own.py: Built.problem must be a TourProblem, not str",
    ),
    (
        "from ktsolve import Model\ndef build(parameters):\n    m = Model()\n"
        "    m.boolean('a')\n    m.boolean('a')\n",
        "the model already has a Boolean named 'a'",
    ),
    ("\x00", "model own.py"),
]


@pytest.mark.parametrize(("code", "message"), BROKEN, ids=[message for _, message in BROKEN])
def test_a_broken_model_is_bad_input(tmp_path: Path, code: str, message: str) -> None:
    (tmp_path / "own.py").write_text(code)
    path = written(tmp_path, 'model = "own.py"\n[parameters]')
    with pytest.raises(BadInput) as caught:
        load_instance(path)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_a_model_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_bytes(b"\xff\xfe\x00\x01")
    path = written(tmp_path, 'model = "own.py"\n[parameters]')
    assert complaint(path).startswith("model own.py: ")


def test_a_model_that_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "own.py").mkdir()
    path = written(tmp_path, 'model = "own.py"\n[parameters]')
    assert complaint(path) == "model: there is no file 'own.py' beside the instance"


def test_a_decoder_that_raises_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(
        dedent(
            """
            from ktsolve import Model
            from ktsolve.models import Built

            def decode(assignment):
                return assignment[7]

            def build(parameters):
                return Built(Model(), decode)
            """
        )
    )
    path = written(tmp_path, 'model = "own.py"\n[parameters]')
    with pytest.raises(BadInput) as caught:
        solve_instance(load_instance(path))
    assert str(caught.value) == f"{path}: model own.py: decode, line 6: IndexError: list index out of range"


def test_limits_and_ctrl_c_in_a_model_stay_what_they_are(tmp_path: Path) -> None:
    for raised, kind in (
        ("KeyboardInterrupt", KeyboardInterrupt),
        ("MemoryError", MemoryError),
        ("__import__('ktsolve').LimitReached('enough')", LimitReached),
    ):
        (tmp_path / "own.py").write_text(f"raise {raised}\n")
        path = written(tmp_path, 'model = "own.py"\n[parameters]')
        with pytest.raises(kind):
            load_instance(path)
