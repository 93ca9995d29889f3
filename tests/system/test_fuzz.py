"""A short deterministic part of the fuzzing of ``tests/support/fuzz``, and every input that once failed."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz.run import CORPUS, fuzz, violation
from fuzz.target import Target
from fuzz.targets import TARGETS, target_named
from marks import full, quick

from ktsolve.base.errors import BadInput

_INPUTS = [5, full(30)]
"""Inputs of the heaviest targets' weight 8; the others have fewer."""

FAILED = sorted(path for path in CORPUS.glob("*/*") if path.is_file())


@pytest.mark.parametrize("number", _INPUTS)
@pytest.mark.parametrize(
    "target",
    quick(TARGETS, lambda target: target.name not in ("ledger", "graph-dot")),
    ids=lambda target: target.name,
)
def test_changed_inputs_are_read_or_refused(target: Target, number: int) -> None:
    inputs = number * target.weight // 8
    done = fuzz([target], seed=18, inputs=inputs)
    assert not done.failures, done.failures
    assert done.inputs.total() == inputs


@pytest.mark.parametrize(
    "target",
    quick(TARGETS, lambda target: target.name not in ("graph-dot", "graph-format")),
    ids=lambda target: target.name,
)
def test_valid_inputs_are_read(target: Target) -> None:
    seeds = target.seeds()
    assert seeds
    assert {seed: why for seed in seeds if (why := violation(target, seed)) is not None} == {}


@pytest.mark.parametrize("path", FAILED, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_once_failed(path: Path) -> None:
    assert not violation(target_named(path.parent.name), path.read_bytes())


def test_faults_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a reader must not do is reported: another exception, a message of two lines, no end, too much."""

    def of(run: object) -> str | None:
        assert callable(run)
        return violation(Target("planted", list, lambda _: run()), b"")

    def raises(error: Exception) -> object:
        def run() -> None:
            raise error

        return run

    def endless() -> None:
        while True:
            pass

    assert str(of(raises(KeyError("rows")))).startswith("KeyError: 'rows' in test_fuzz.py")
    assert str(of(raises(AssertionError("other edges")))).startswith("AssertionError: other edges")
    assert str(of(raises(BadInput("one\ntwo")))).startswith("the message is not one printable line")
    assert str(of(raises(BadInput("no board: KeyError: 'rows'")))).startswith(
        "the message names an exception"
    )
    assert str(of(raises(BadInput("x" * 999)))).startswith("the message has 999 characters")
    assert of(raises(BadInput("write 3x4"))) == ""
    assert of(lambda: None) is None
    monkeypatch.setattr("fuzz.run._SECONDS", 0.5)
    assert str(of(endless)).startswith("takes more than 0.5 s")
    monkeypatch.undo()
    assert str(of(lambda: bytearray(1 << 33))).startswith("MemoryError")
