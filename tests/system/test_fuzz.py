"""A short deterministic part of the fuzzing of ``tests/support/fuzz``, and every input that once failed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from fuzz.meaning.graphs import GRAPHS
from fuzz.meaning.targets import KINDS, target_of
from fuzz.meaning.writers import Kind
from fuzz.run import CORPUS, fuzz, violation
from fuzz.target import Target
from fuzz.targets import TARGETS, target_named
from marks import full, quick

from ktsolve.base.errors import BadInput
from ktsolve.formats.graphs.data import GraphData
from ktsolve.formats.table import FORMATS

_INPUTS = [5, full(30)]
"""Inputs of the heaviest targets' weight 8; the others have fewer."""

FAILED = sorted(path for path in CORPUS.glob("*/*") if path.is_file())


@pytest.mark.parametrize("number", _INPUTS)
@pytest.mark.parametrize(
    "target",
    quick(TARGETS, lambda target: target.name != "ledger"),
    ids=lambda target: target.name,
)
def test_changed_inputs_are_read_or_refused(target: Target, number: int) -> None:
    inputs = number * target.weight // 8
    done = fuzz([target], seed=18, inputs=inputs)
    assert not done.failures, done.failures
    assert done.inputs.total() == inputs


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_valid_inputs_are_read(target: Target) -> None:
    seeds = target.seeds()
    assert seeds
    assert {seed: why for seed in seeds if (why := violation(target, seed)) is not None} == {}


@pytest.mark.parametrize("path", FAILED, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_once_failed(path: Path) -> None:
    assert not violation(target_named(path.parent.name), path.read_bytes())


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_format_that_is_read_is_written_by_another_program(kind: Kind) -> None:
    others = {writer.form for writer in kind.writers if not writer.by.startswith("ktsolve")}
    assert set(kind.formats) - others == set()


def test_every_format_of_the_table_has_files_of_known_meaning() -> None:
    written = {(kind.name, form) for kind in KINDS for form in kind.formats}
    read = {(form.holds, form.name) for form in FORMATS if form.can("read") or form.can("read_array")}
    assert read - written == {("model", "xcsp3")}  # read by pycsp3


def _numbers_from_zero(data: GraphData) -> GraphData:
    return replace(data, edges=np.maximum(data.edges - 1, 0))


def _without_weights(data: GraphData) -> GraphData:
    return replace(data, weights=None)


def _against_arrows(data: GraphData) -> GraphData:
    return replace(data, edges=data.edges[:, ::-1])


def _without_last_edge(data: GraphData) -> GraphData:
    weights = None if data.weights is None else data.weights[:-1]
    return replace(data, edges=data.edges[:-1], weights=weights)


def _with_swapped_names(data: GraphData) -> GraphData:
    names = data.names if data.names is None else [*data.names[1:], data.names[0]]
    return replace(data, names=names)


@pytest.mark.parametrize(
    ("place", "fault"),
    [
        ("dimacs.read_col", _numbers_from_zero),
        ("matrix.read_matrix", _against_arrows),
        ("matrix.read_matrix", _without_weights),
        ("edge_list.read_edges", _without_weights),
        ("edge_list.read_edges", _without_last_edge),
        ("pajek.read_net", _with_swapped_names),
        ("node_link.read_json", _against_arrows),
        ("hcp.read_hcp", _without_weights),
        ("graph6.read_g6", _without_last_edge),
        ("through_networkx.read_gml", _with_swapped_names),
    ],
)
def test_readers_of_another_meaning_are_found(
    place: str, fault: Callable[[GraphData], GraphData], monkeypatch: pytest.MonkeyPatch
) -> None:
    module, _, name = place.partition(".")
    module = f"ktsolve.formats.graphs.{module}"
    read = getattr(import_module(module), name)
    monkeypatch.setattr(f"{module}.{name}", lambda text: fault(read(text)))
    form = name.removeprefix("read_")
    graphs = replace(
        GRAPHS, writers=tuple(each for each in GRAPHS.writers if each.form == form and each.sure)
    )
    assert fuzz([target_of(graphs)], seed=36, inputs=25).failures


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
