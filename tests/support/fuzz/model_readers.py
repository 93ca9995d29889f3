"""Targets: the readers of models."""

from __future__ import annotations

from collections.abc import Callable

from fuzz.target import Target, text_of
from ktsolve.base.errors import KtsolveError
from ktsolve.formats.models import MODEL_FILES, model_file, read_model
from ktsolve.formats.table import Format
from ktsolve.model.model import Model

__all__ = ["TARGETS"]


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


_WRITTEN_BY_HAND = {
    "cnf": [b"c x\np cnf 3 2\n1 -3 0 2\n0\n%\n0\n", b"c p show 1 0\np cnf 2 1\n1 2 0\n"],
    "wcnf": [b"p wcnf 3 3 10\n10 1 -2 0\n3 2 3 0\n4 -1 0\n", b"c a\nh 1 2 0\n3 0\n2 -1 3 0\n"],
    "opb": [
        b"* #variable= 3 #constraint= 2\nmin: 2 x1 -3 ~x2 ;\n1 x1 2 x2 >= 2;\n-1 x1 x3 +2 x2 = 1 ;\n",
        b"soft: 9 ;\n[3] 1 x1 1 x2 >= 2 ;\n[2] 1 x1 = 1 ;\n",
    ],
}


def _seeds(form: Format) -> Callable[[], list[bytes]]:
    def seeds() -> list[bytes]:
        models = [model for model in _models() if model.objective is None or form.name != "cnf"]
        return [*_WRITTEN_BY_HAND[form.name], *(model_file(model, form.name).encode() for model in models)]

    return seeds


def _read(form: Format) -> Callable[[bytes], None]:
    def run(data: bytes) -> None:
        text = text_of(data)
        model = read_model(text, form.name)
        if len(model) > 200 or len(str(model)) > 5000:
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
    return [seed for form in MODEL_FILES for seed in _seeds(form)()]


TARGETS: tuple[Target, ...] = (
    *(Target(f"model-{form.name}", _seeds(form), _read(form)) for form in MODEL_FILES),
    Target("model-format", _all_seeds, _recognise),
)
"""The targets of this file."""
