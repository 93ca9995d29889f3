"""The sums of passes in the folder of half tables, so that a count that was stopped goes on."""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any, NamedTuple

from ktsolve.engines.join.passes import BlockPair

__all__ = ["PassSum", "PassSums"]


class PassSum(NamedTuple):
    """The sum of a pass: the number, or those of a tally, times ``divisor``, or the residues of these."""

    numbers: list[int]
    divisor: int


class PassSums:
    """A text file with a line for each pass, in JSON; lines with a wrong checksum are passed over.

    >>> import tempfile
    >>> from ktsolve.engines.join.passes import WHOLE
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     PassSums(folder, "9x10").add(WHOLE, PassSum([12], 4))
    ...     PassSums(folder, "9x10").get(WHOLE)
    PassSum(numbers=[12], divisor=4)
    """

    def __init__(self, folder: str, key: str) -> None:
        self.path = os.path.join(folder, f"{key}.sums")
        self._sums: dict[str, PassSum] = {}
        try:
            with open(self.path, "rb") as file:
                lines = file.read().splitlines()
        except FileNotFoundError:
            return
        for line in lines:
            try:
                read = json.loads(line)
                numbers = [int(number) for number in read["numbers"]]
                if read.pop("checksum") == _checksum(read):
                    self._sums[_name(read["top"], read["bottom"])] = PassSum(numbers, read["divisor"])
            except (ValueError, TypeError, KeyError, AttributeError):
                continue  # cut short when the run before was killed

    def get(self, joined: BlockPair) -> PassSum | None:
        """The sum of a pass that was done before."""
        return self._sums.get(_name(joined.top, joined.bottom))

    def add(self, joined: BlockPair, found: PassSum) -> None:
        """Write the sum of a pass to the disk. Raises OSError."""
        written = {
            "top": [list(block) for block in joined.top],
            "bottom": [list(block) for block in joined.bottom],
            "numbers": [str(number) for number in found.numbers],
            "divisor": found.divisor,
        }
        line = json.dumps({**written, "checksum": _checksum(written)}).encode()
        with open(self.path, "ab") as file:
            file.write(b"\n" * (file.tell() > 0) + line)  # an incomplete line ends there
            file.flush()
            os.fsync(file.fileno())
        self._sums[_name(joined.top, joined.bottom)] = found


def _name(top: Any, bottom: Any) -> str:
    return json.dumps([top, bottom])


def _checksum(written: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(written, sort_keys=True).encode()).hexdigest()[:16]
