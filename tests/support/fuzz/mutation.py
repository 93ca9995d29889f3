"""Changes of valid inputs: of bytes, lines, numbers and words, and of the values in JSON."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["changed_json", "mutated"]

NUMBERS = (
    *("0", "1", "-1", "2", "3", "7", "12", "13", "63", "64", "255", "256", "4096", "20000", "20001", "65536"),
    *("999999", "2147483647", "2147483648", "4294967296", "9223372036854775807", "18446744073709551616"),
    *("1e9", "1e400", "-0", "+5", "007", "1_000", "0x10", "1.5", ".5", "NaN", "Infinity", "9" * 400),
    "9" * 5000,
    "\u0663",
)
"""Numbers at the edge of a range, and spellings that readers take for numbers or not."""

WORDS = (
    *("a1", "b3", "h8", "a0", "aa27", "zz99", "0,0", "2,1", "-1,0", "a1-b3", "a1-a1", "a1->b3", "a1:c3"),
    *("first:3", "first:0", "first:", "3x4", "1x1", "20000x20000", "0x5", "3x4x5", "path", "row", "squares"),
    *("rows", "closed", "open", "x", "xy", "none", "true", "null", "[]", "{}", "[[]]", '""', "''", "..", "="),
    *(",", ";", ":", "-", "#", "|", "\n", "\n\n", "\r", "\t", "\x00", "\x1f", "\u2028", "\ufeff", "\u00d7"),
    *(
        "\u20ac",
        "e\u0301",
        "EOF",
        "-1",
        "graph:petersen",
        "outside",
        "end a1",
        "<",
        "&",
        "%s",
        "\\",
        "\\u0000",
    ),
)
"""Words of the notations, marks that separate them, and characters that print badly or not at all."""

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2**31, 2**63, 2**64, 10**400, 0.5, 1e300, float("nan"), "", "a1", "3x4"),
    *("20000x20000", "xy", [], {}, [[]], [0], [0, 0], [-1, 0], [[0, 0]], {"": 0}, ["a1"], [None], "\u2028"),
)
"""Values of JSON of every type."""

_TOKEN = re.compile(rb"-?\d+|[A-Za-z_]+|[^\sA-Za-z_\d]")


def mutated(chance: random.Random, seeds: Sequence[bytes]) -> bytes:
    """Return one of the seeds with a few changes; most are small, so that much of a reader is reached."""
    data = chance.choice(seeds)
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 5, 9))):
        if data.lstrip()[:1] in (b"{", b"[") and chance.random() < 0.6:
            data = _structure(chance, data)
        else:
            data = chance.choice(_CHANGES)(chance, data, seeds)
    return data[: 1 << 20]


def changed_json(chance: random.Random, value: Any) -> Any:
    """Return a value of JSON with one change somewhere inside."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(list(value))
        kind = chance.random()
        if kind < 0.75:
            return {**value, key: changed_json(chance, value[key])}
        if kind < 0.85:
            return {name: each for name, each in value.items() if name != key}
        other = chance.choice([*value, *map(str, WORDS)])
        return {**value, other: value[key]}
    if isinstance(value, list) and value and chance.random() < 0.9:
        at = chance.randrange(len(value))
        kind = chance.random()
        if kind < 0.7:
            return [*value[:at], changed_json(chance, value[at]), *value[at + 1 :]]
        if kind < 0.8:
            return value[:at] + value[at + 1 :]
        if kind < 0.9:
            return [*value[:at], value[at], *value[at:]]
        other = chance.randrange(len(value))
        swapped = list(value)
        swapped[at], swapped[other] = value[other], value[at]
        return swapped
    return _near(chance, value) if chance.random() < 0.7 else chance.choice(VALUES)


def _near(chance: random.Random, value: Any) -> Any:
    """A value of the same type, mostly close by."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return chance.choice((-value, value + 1, value - 1, value * 2, chance.randint(-3, 70)))
    if isinstance(value, float):
        return chance.choice((-value, value * 1e9, 0.0))
    if isinstance(value, str):
        data = chance.choice(_CHANGES)(chance, value.encode("utf-8", "replace"), (b"a1 b3",))
        return data.decode("utf-8", "replace")
    return chance.choice(VALUES)


def _structure(chance: random.Random, data: bytes) -> bytes:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return _bytes(chance, data, ())
    if len(data) > 1 << 16 or chance.random() < 0.01:
        return b"[" * chance.randint(1, 3000) + data
    try:
        return json.dumps(changed_json(chance, value), ensure_ascii=chance.random() < 0.5).encode(
            "utf-8", "replace"
        )
    except ValueError:  # a number of more digits than Python writes
        return data


def _bytes(chance: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """A byte changed, lost or added; or a stretch doubled, lost or moved."""
    at = chance.randint(0, len(data))
    end = min(len(data), at + chance.choice((1, 1, 1, 2, 4, 16, 100)))
    match chance.randrange(6):
        case 0 if data:
            at = chance.randrange(len(data))
            return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
        case 1:
            return data[:at] + data[end:]
        case 2:
            return data[:end] + data[at:end] * chance.choice((1, 1, 1, 3, 50)) + data[end:]
        case 3:
            place = chance.randint(0, len(data))
            return data[:place] + data[at:end] + data[place:]
        case 4:
            return data[:at]
        case _:
            return (
                data[:at] + bytes([chance.choice((0, 9, 10, 13, 32, 34, 44, 45, 127, 128, 255))]) + data[at:]
            )


def _token(chance: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """A number or word replaced by another, or exchanged with one of the same text."""
    found = list(_TOKEN.finditer(data))
    if not found:
        return data + chance.choice(WORDS).encode()
    one = chance.choice(found)
    if chance.random() < 0.3:
        new = chance.choice(found)[0]
    elif one[0].lstrip(b"-").isdigit() and chance.random() < 0.8:
        small = int(one[0][:9] or b"0") if one[0][:9] not in (b"-", b"") else 0
        new = chance.choice([*NUMBERS, str(small + 1), str(small - 1)]).encode()
    else:
        new = chance.choice(WORDS).encode()
    return data[: one.start()] + new + data[one.end() :]


def _line(chance: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """A line doubled, lost, moved, cut or joined with the next."""
    lines = data.split(b"\n")
    at, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            lines.insert(other, lines[at])
        case 1:
            del lines[at]
        case 2:
            lines[at], lines[other] = lines[other], lines[at]
        case 3:
            lines[at] = lines[at][: chance.randint(0, len(lines[at]))]
        case _:
            lines[at : at + 2] = [b" ".join(lines[at : at + 2])]
    return b"\n".join(lines)


def _splice(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """The beginning of one input and the end of another."""
    other = chance.choice(seeds) if seeds else data
    return data[: chance.randint(0, len(data))] + other[chance.randint(0, len(other)) :]


def _word(chance: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """A word or mark somewhere."""
    at = chance.randint(0, len(data))
    return data[:at] + chance.choice(chance.choice((WORDS, NUMBERS))).encode() + data[at:]


_CHANGES: tuple[Callable[[random.Random, bytes, Sequence[bytes]], bytes], ...] = (
    *(_bytes, _bytes, _token, _token, _token, _line, _splice, _word),
)
