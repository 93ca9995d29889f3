"""Prepared files: what is written is read, and every damage is detected."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

from ktsolve import BadInput, TourProblem, _native, tours
from ktsolve.base.errors import WrongAnswer
from ktsolve.engines.frontier.diagram import FrontierRanking
from ktsolve.engines.prepared import problem_key, read_prepared, write_prepared
from ktsolve.graphs.graph import Graph

PROBLEM = TourProblem(board="6x6", closed=True)


def blobs() -> list[tuple[str, np.ndarray]]:
    rng = np.random.default_rng(5)
    return [
        ("none", np.empty(0, np.uint32)),
        ("words", rng.integers(0, 2**63, 30_000).astype(np.uint64)),
        ("rows", rng.integers(0, 200, (70_001, 1)).astype(np.uint8)),
    ]


def written(path: Path) -> Path:
    write_prepared(path, "frontier", 3, PROBLEM, {"count": "9862"}, blobs())
    return path


def read_all(path: Path) -> None:
    for blob in read_prepared(path, "frontier", 3, PROBLEM).blobs.values():
        blob.checked()


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = written(tmp_path / "t.prepared")
    assert [each.name for each in tmp_path.iterdir()] == ["t.prepared"]
    assert path.stat().st_mode & 0o777 == 0o666 & ~_umask()
    found = read_prepared(path, "frontier", 3, PROBLEM)
    assert found.header["count"] == "9862"
    assert list(found.blobs) == ["none", "words", "rows"]
    for name, array in blobs():
        data = found.blobs[name].checked()
        assert np.array_equal(data.view(array.dtype), array.reshape(-1))
        assert not data.flags.writeable
    # A second file replaces the first one.
    write_prepared(path, "frontier", 3, PROBLEM, {"count": "7"}, [])
    assert read_prepared(path, "frontier", 3, PROBLEM).header["count"] == "7"


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.parametrize(
    ("engine", "version", "problem", "message"),
    [
        ("join", 3, PROBLEM, "was prepared by engine 'frontier', not by join"),
        ("frontier", 4, PROBLEM, "by another version of ktsolve"),
        ("frontier", 3, TourProblem(board="6x6", closed=False), "for closed 6x6, not for open 6x6"),
    ],
)
def test_others_are_refused(
    tmp_path: Path, engine: str, version: int, problem: TourProblem, message: str
) -> None:
    path = written(tmp_path / "t")
    with pytest.raises(BadInput, match=message):
        read_prepared(path, engine, version, problem)


@examples(40)
@given(st.data())
def test_each_changed_byte_is_detected(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = written(tmp_path_factory.mktemp("p") / "t")
    whole = bytearray(path.read_bytes())
    found = read_prepared(path, "frontier", 3, PROBLEM)
    spans = [(int(json.loads(whole[_start(whole) :])["sums"]["start"]), len(whole))]
    spans += [
        (each["start"], each["start"] + each["bytes"]) for each in found.header["blobs"] if each["bytes"]
    ]
    span = data.draw(st.sampled_from([*spans, (0, 20), (24, 48)]))
    at = data.draw(st.integers(span[0], span[1] - 1))
    whole[at] ^= data.draw(st.integers(1, 255))
    path.write_bytes(whole)
    with pytest.raises(BadInput, match=r"damaged|not a prepared file|another version"):
        read_all(path)


def _start(whole: bytearray) -> int:
    return int.from_bytes(whole[24:32], "little")


@examples(40)
@given(st.integers(0, 400_000))
def test_a_file_that_is_cut_off_is_detected(tmp_path_factory: pytest.TempPathFactory, length: int) -> None:
    path = written(tmp_path_factory.mktemp("p") / "t")
    whole = path.read_bytes()
    path.write_bytes(whole[: min(length, len(whole) - 1)])
    with pytest.raises(BadInput, match=r"damaged|not a prepared file"):
        read_prepared(path, "frontier", 3, PROBLEM)


def test_a_damaged_part_names_all_files_that_belong_to_it(tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(b"")
    part = written(tmp_path / "t.1")
    part.write_bytes(part.read_bytes()[:-1])
    with pytest.raises(BadInput, match=r"t\.1 is damaged or cut off: remove \S*t, \S*t\.1, \S*t\.2, \.\.\."):
        read_prepared(part, "frontier", 3, PROBLEM)


def test_tables_that_number_wrongly_are_those_of_a_damaged_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A forged file may have right checksums: only ranking back shows that its numbers are wrong."""
    path = tmp_path / "t.prepared"
    built, restored = (tours(PROBLEM, engine="frontier", prepared=path) for _ in range(2))
    assert (built.restored, restored.restored) == (False, True)
    tour = built[5]
    with monkeypatch.context() as changed:
        right = FrontierRanking.rank
        changed.setattr(FrontierRanking, "rank", lambda *given: [each ^ 1 for each in right(*given)])
        with pytest.raises(WrongAnswer, match=r"gave tour 7 of .*, and ranks it 6"):
            built[7]
        for wrong in (lambda: restored[7], lambda: restored.index(tour)):
            with pytest.raises(BadInput, match=r"t\.prepared is damaged or cut off: remove it"):
                wrong()
    assert restored[5] == tour


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"cannot read .*missing"):
        read_prepared(tmp_path / "missing", "frontier", 3, PROBLEM)
    with pytest.raises(BadInput, match=r"cannot read"):
        read_prepared(tmp_path, "frontier", 3, PROBLEM)
    with pytest.raises(BadInput, match=r"cannot write .*nowhere"):
        written(tmp_path / "nowhere" / "t")
    (tmp_path / "text").write_text("8x8")
    with pytest.raises(BadInput, match=r"not a prepared file of ktsolve"):
        read_prepared(tmp_path / "text", "frontier", 3, PROBLEM)
    # What fails while it is written leaves the old file as it was, and nothing beside it.
    path = written(tmp_path / "t")

    def failing() -> Iterator[tuple[str, np.ndarray]]:
        yield from blobs()
        raise OSError(28, "No space left on device")

    with pytest.raises(BadInput, match=r"No space left"):
        write_prepared(path, "frontier", 3, PROBLEM, {}, failing())
    assert read_prepared(path, "frontier", 3, PROBLEM).header["count"] == "9862"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["t", "text"]


def test_checksums_depend_on_each_word() -> None:
    data = np.zeros(3 * _native.CHECKED_BLOCK - 5, np.uint8)
    before = _native.block_checksums(data)
    assert len(before) == 3
    assert len(set(before.tolist())) == 2  # the last block is shorter
    for at in (0, 31, 40, len(data) - 1, _native.CHECKED_BLOCK):
        data[at] = 1
        after = _native.block_checksums(data)
        changed = np.flatnonzero(before != after).tolist()
        assert changed == [at // _native.CHECKED_BLOCK]
        data[at] = 0


def test_equal_problems_have_equal_keys() -> None:
    one = TourProblem(board="6x6", closed=True, forbid=["a1-b3", "c3-d5"])
    other = TourProblem(board="6x6", closed=True, forbid=["c3-d5", "b3-a1"])
    assert problem_key(one) == problem_key(other) != problem_key(PROBLEM)
    graph = Graph("abc", ["ab", "bc", "ca"])
    placed = Graph("abc", ["ab", "bc", "ca"])
    placed.positions = np.zeros((3, 2))
    keys = {problem_key(TourProblem(board=each, closed=True)) for each in (graph, placed)}
    assert len(keys) == 1
