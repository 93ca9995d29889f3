"""Files of half tables: what is damaged or forged is noticed."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from ktsolve import TourProblem
from ktsolve.base.errors import LimitReached
from ktsolve.base.limits import Clock, Settings
from ktsolve.engines.join.passes import with_blocks
from ktsolve.engines.join.planning import best_plan
from ktsolve.engines.join.run import count_along
from ktsolve.problem.cycle_graph import CycleGraph

QUICK = Settings(timeout=60, threads=2)


@pytest.mark.parametrize("shared", [False, True])
def test_damaged_half_tables_are_noticed(shared: bool, tmp_path: Path) -> None:
    problem = TourProblem(board="6x6", closed=True)
    plan = with_blocks(best_plan(problem, CycleGraph.of(problem)), 1)
    assert plan is not None
    kept = replace(QUICK, spill=str(tmp_path))
    count_along(problem, plan, kept, Clock(60))
    chosen = [path for path in tmp_path.glob("*.layer") if ("-first-" in path.name) == shared]
    file = max(chosen, key=lambda path: path.stat().st_size)
    (sums,) = tmp_path.glob("*.sums")
    for path in [sums, *(tmp_path.glob("*.layer") if shared else [])]:
        if path != file:
            path.unlink()
    whole = file.read_bytes()
    middle = len(whole) // 2
    file.write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
    with pytest.raises(LimitReached, match=r"half table on disk: .*\.layer: is damaged; remove it"):
        count_along(problem, plan, kept, Clock(60))
    file.write_bytes(whole[:1000])
    with pytest.raises(LimitReached, match=r"is damaged; remove it"):
        count_along(problem, plan, kept, Clock(60))
    file.write_bytes(b"x" * 5000)
    with pytest.raises(LimitReached, match=r"is not a half table of this version of ktsolve; remove it"):
        count_along(problem, plan, kept, Clock(60))
    file.write_bytes(whole)
    assert count_along(problem, plan, kept, Clock(60)).count == 9862
    with pytest.raises(LimitReached, match="No such file or directory"):
        count_along(problem, plan, replace(QUICK, spill=str(tmp_path / "absent")), Clock(60))


def _mixed(total: int, data: bytes) -> int:
    """The checksum of native/src/join/spill.cpp."""
    full = (1 << 64) - 1

    def rotl(x: int, by: int) -> int:
        return ((x << by) | (x >> (64 - by))) & full

    lanes = [total, total ^ 1, total ^ 2, total ^ 3]
    whole = len(data) // 32 * 32
    for n, word in enumerate(struct.unpack(f"<{whole // 8}Q", data[:whole])):
        lanes[n % 4] = (rotl(lanes[n % 4], 23) ^ word) * 0x9E3779B97F4A7C15 & full
    for byte in data[whole:]:
        lanes[0] = (rotl(lanes[0], 23) ^ byte) * 0x9E3779B97F4A7C15 & full
    first = lanes[0] ^ rotl(lanes[1], 17)
    return (first + (lanes[2] ^ rotl(lanes[3], 41)) + len(data)) & full


@dataclass
class _Group:
    """A group of a half table: the step from the pattern before, bits of its sum, and its entries."""

    step: int
    width: int
    sum_bits: int
    entries: list[tuple[int, int]]


def _read_groups(data: bytes, groups: int) -> list[_Group]:
    """The groups of a segment, as native/src/join/compressed_groups.hpp describes them."""
    stream, at = int.from_bytes(data, "little"), 0

    def take(bits: int) -> int:
        nonlocal at
        at += bits
        return stream >> (at - bits) & ((1 << bits) - 1)

    read = []
    for _ in range(groups):
        step, many = take(take(6)), take(take(6))
        group = _Group(step, take(4), take(6), [])
        rank = -1
        for n in range(many):
            if n % 64 == 0:
                step_bits, count_bits = take(6), take(6)
            rank += 1 + take(step_bits)
            group.entries.append((rank, take(count_bits)))
        read.append(group)
    assert 0 <= 8 * len(data) - at < 8
    return read


def _written_groups(groups: list[_Group]) -> bytes:
    stream, at = 0, 0

    def put(value: int, bits: int) -> None:
        nonlocal stream, at
        stream |= value << at
        at += bits

    def put_number(value: int) -> None:
        put(value.bit_length(), 6)
        put(value, value.bit_length())

    for group in groups:
        put_number(group.step)
        put_number(len(group.entries))
        put(group.width, 4)
        put(group.sum_bits, 6)
        last = -1
        for first in range(0, len(group.entries), 64):
            block = []
            for rank, count in group.entries[first : first + 64]:
                block.append((rank - last - 1, count))
                last = rank
            bits = [max(value.bit_length() for value in column) for column in zip(*block, strict=True)]
            put(bits[0], 6)
            put(bits[1], 6)
            for entry in block:
                put(entry[0], bits[0])
                put(entry[1], bits[1])
    return stream.to_bytes((at + 7) // 8, "little")


def _rewritten(file: Path, change: Callable[[list[_Group]], None]) -> bytes:
    """A half table on disk, changed behind the engine's back with a checksum that fits."""
    data = file.read_bytes()
    magic, segments, folded, _ = struct.unpack_from("<4Q", data)
    assert segments == 1
    place, _, many, _ = struct.unpack_from("<4Q", data, 32)
    groups = _read_groups(data[place:], many)
    change(groups)
    stream = _written_groups(groups)
    described = struct.pack("<3Q", place, len(stream), len(groups))
    described += struct.pack("<Q", _mixed(_mixed(0, described), stream))
    changed = struct.pack("<4Q", magic, segments, folded, _mixed(0, described)) + described + stream
    file.write_bytes(changed)
    return changed


def _one_more(groups: list[_Group]) -> None:
    """Adds one to the first count of the largest group."""
    group = max(groups, key=lambda group: len(group.entries))
    rank, count = group.entries[0]
    group.entries[0] = rank, count + 1


def _one_group_less(groups: list[_Group]) -> None:
    """Loses the largest group."""
    lost = max(range(len(groups) - 1), key=lambda n: len(groups[n].entries))
    groups[lost + 1].step += groups[lost].step
    del groups[lost]


def _count_with_table_in(folder: Path) -> Callable[[], int]:
    """Counts closed 6x6 by a table in the folder, which is made unless it is there."""
    problem = TourProblem(board="6x6", closed=True)
    plan = best_plan(problem, CycleGraph.of(problem))
    kept = replace(QUICK, spill=str(folder))
    return lambda: count_along(problem, plan, kept, Clock(60)).count


@pytest.mark.parametrize("change", [_one_more, _one_group_less])
def test_planted_faults_change_the_count(change: Callable[[list[_Group]], None], tmp_path: Path) -> None:
    """A wrong count in a table, or a lost group, shows in the result, which other engines then contradict."""
    count = _count_with_table_in(tmp_path)
    assert count() == 9862
    (file,) = tmp_path.iterdir()
    made = file.read_bytes()
    assert _rewritten(file, lambda groups: None) == made
    assert count() == 9862
    _rewritten(file, change)
    assert count() != 9862


def _rank_of_no_matching(groups: list[_Group]) -> None:
    groups[0].entries[-1] = 1 << 40, 1


def _sum_too_large(groups: list[_Group]) -> None:
    groups[-1].sum_bits = 0


def _same_pattern_twice(groups: list[_Group]) -> None:
    groups[1].step = 0


def _odd_number_of_ends(groups: list[_Group]) -> None:
    groups[-1].step += 1 << 40


def _entries_of_no_bytes(groups: list[_Group]) -> None:
    groups[0].width = 0


def _entries_of_fifteen_bytes(groups: list[_Group]) -> None:
    groups[0].width = 15


@pytest.mark.parametrize(
    "change",
    [
        _rank_of_no_matching,
        _sum_too_large,
        _same_pattern_twice,
        _odd_number_of_ends,
        _entries_of_no_bytes,
        _entries_of_fifteen_bytes,
    ],
)
def test_tables_that_cannot_be_are_damaged(change: Callable[[list[_Group]], None], tmp_path: Path) -> None:
    """Whatever a file holds, with checksums that fit, is refused or is a table."""
    count = _count_with_table_in(tmp_path)
    assert count() == 9862
    (file,) = tmp_path.iterdir()
    _rewritten(file, change)
    with pytest.raises(LimitReached, match="is damaged; remove it and it will be made again"):
        count()
