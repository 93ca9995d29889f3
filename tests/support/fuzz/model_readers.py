"""Targets: the readers of models."""

from __future__ import annotations

from collections.abc import Callable

from fuzz.target import Target, text_of
from ktsolve.base.errors import KtsolveError
from ktsolve.formats.models import MODEL_FILES, model_file, read_model
from ktsolve.formats.table import Format
from ktsolve.model.model import Model

__all__ = ["OWN_FILES", "TARGETS"]


def _models() -> list[Model]:
    model = Model("fuzzed")
    a, b, c, d = model.booleans(["a", "b c", "x3", "d"])
    model.clause(a, ~b)
    model.exactly(2, [a, b, c, d])
    model.linear({a: 3, ~c: -2, d: 5}, least=1, most=6)
    wanted = Model("wanted")
    a, b = wanted.booleans(["a", "b"])
    wanted.at_most(1, [a, b])
    wanted.maximise({a: 2, ~b: -3})
    return [model, wanted]


OWN_FILES = [form for form in MODEL_FILES if form.name != "xcsp3"]
"""The formats that ktsolve reads itself; XCSP3 is read by pycsp3."""

_WRITTEN_BY_HAND = {
    "cnf": [b"c x\np cnf 3 2\n1 -3 0 2\n0\n%\n0\n", b"c p show 1 0\np cnf 2 1\n1 2 0\n"],
    "wcnf": [b"p wcnf 3 3 10\n10 1 -2 0\n3 2 3 0\n4 -1 0\n", b"c a\nh 1 2 0\n3 0\n2 -1 3 0\n"],
    "opb": [
        b"* #variable= 3 #constraint= 2\nmin: 2 x1 -3 ~x2 ;\n1 x1 2 x2 >= 2;\n-1 x1 x3 +2 x2 = 1 ;\n",
        b"soft: 9 ;\n[3] 1 x1 1 x2 >= 2 ;\n[2] 1 x1 = 1 ;\n",
    ],
    "fzn": [
        b"array [1..2] of int: w = [1,-2];\nvar bool: a:: output_var;\nvar 1..3: x:: output_var;\n"
        b"constraint int_lin_le(w,[x,y],2); % a comment\nvar -2..2: y;\nsolve minimize x;\n",
        b"var bool: b; var bool: c; constraint bool_clause([b],[c]); constraint bool_xor(b,c,true);\n"
        b"array [1..2] of var bool: l:: output_array([1..2]) = [b,c]; solve satisfy;\n",
        b"var {1,3,5}: x; var 0..2: y; constraint fzn_table_int([x,y],[1,2,3,0]);\n"
        b"constraint int_times(x,y,2) :: domain; solve :: int_search([x],input_order) maximize y;\n",
    ],
}


def _seeds(form: Format) -> Callable[[], list[bytes]]:
    def seeds() -> list[bytes]:
        models = [model for model in _models() if model.objective is None or form.name != "cnf"]
        models = models if form.can("write") else []
        return [*_WRITTEN_BY_HAND[form.name], *(model_file(model, form.name).encode() for model in models)]

    return seeds


def _read(form: Format) -> Callable[[bytes], None]:
    def run(data: bytes) -> None:
        text = text_of(data)
        model = read_model(text, form.name)
        if not form.can("write") or len(model) > 200 or len(str(model)) > 5000:
            return
        try:
            written = model_file(model, form.name)
        except KtsolveError:
            return
        again = read_model(written, form.name)
        assert again.holds([True] * len(again)) == model.holds([True] * len(model)) or len(again) > len(model)
        assert model_file(again, form.name).count("\n") >= written.count("\n") - 1

    return run


def _recognise(data: bytes) -> None:
    """Recognition of the format of a model, and reading in that format."""
    read_model(text_of(data))


def _all_seeds() -> list[bytes]:
    return [seed for form in OWN_FILES for seed in _seeds(form)()]


TARGETS: tuple[Target, ...] = (
    *(Target(f"model-{form.name}", _seeds(form), _read(form)) for form in OWN_FILES),
    Target("model-format", _all_seeds, _recognise),
)
"""The targets of this file."""
