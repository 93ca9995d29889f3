"""Targets: instances of models and of swaps, Sudokus and other puzzles."""

from __future__ import annotations

import json
import re

from fuzz.target import ROOT, SECONDS, Target, file_of, text_of
from ktsolve.base.errors import BadInput
from ktsolve.base.limits import Settings
from ktsolve.tasks.instance import load_instance
from ktsolve.wings.puzzles.files import puzzle_json, read_puzzles, write_puzzle
from ktsolve.wings.sudoku.files import read_sudokus
from ktsolve.wings.sudoku.puzzle import Puzzle
from ktsolve.wings.swap.instance import load_swap_instance

__all__ = ["TARGETS"]


def _instances() -> list[bytes]:
    small = (
        "clues-6x6",
        "ends-6x6",
        "sums-5x5",
        "order-5x5",
        "torus-4x4",
        "closed-octagon",
        "fewest-turns-6x6",
    )
    names = [
        *small,
        "sudoku-bands-2x3",
        "guarini-ring",
        "non-crossing-cycle-5x5",
        "required-forbidden-6x6",
        "wazir-6x6",
    ]
    inline = 'model = "tour"\n[parameters]\ngraph = [["a", "b"], ["b", "c"], ["c", "a"]]\nclosed = true\n'
    return [*((ROOT / "instances" / f"{name}.toml").read_bytes() for name in names), inline.encode()]


def _read_instance(data: bytes) -> None:
    """Instances whose board has few cells are built as models; the others are stopped before."""
    with file_of(data, ".toml") as path:
        load_instance(path, Settings(timeout=SECONDS))


def _swaps() -> list[bytes]:
    return [path.read_bytes() for path in sorted((ROOT / "instances" / "swap").glob("*.toml"))]


def _read_swap(data: bytes) -> None:
    with file_of(data, ".toml") as path:
        load_swap_instance(path)


def _sudokus() -> list[bytes]:
    puzzle = "1... ..2. .3.. ...4"
    large = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    texts = (
        puzzle,
        large,
        f"# a remark\n[Puzzle]\n{large}\n[State]\n1",
        "*-----*\n|1.|..|\n|..|2.|\n|--+--|\n|.3|..|\n|..|.4|\n*-----*",
        "id,puzzle,solution\n1,1.....2..3.....4,1243342143122134\n",
        "1,,,\n,,2,\n,3,,\n,,,4\n",
        "[[1, 0, 0, 0], [0, 0, 2, 0], [0, 3, 0, 0], [0, 0, 0, 4]]",
        '{"puzzle": "1.....2..3.....4", "solution": "1243342143122134"}\n' * 2,
        "Grid 01\n" + "\n".join(["0123456789ABCDEF", *["." * 16] * 15]),
    )
    return [text.encode() for text in texts]


def _read_sudoku(data: bytes) -> None:
    for given in read_sudokus(text_of(data)):
        puzzle = given.puzzle
        signs = puzzle.digits[: puzzle.box.side]
        assert Puzzle.read(str(puzzle), puzzle.box, f"{signs[0]}-{signs[-1]}") == puzzle
        given.fault()


_PENPA = (
    "https://swaroopg92.github.io/penpa-edit/#m=edit&p="
    "Ky4sTSxK1THWMdExttAx0DEEQhNTMzC2MAEirmgjsLBBLFd1LVd1VZCVQnVVvJVCdGytjkJVMJAHokNAAkDaD8hXMjZUAnKVDJV0"
    "FAx1FIA0UEbJ2AgsaIQqaIFNpSW6SpANkSCbarkqcMJopbzS3KTUopzMvGylWAA="
)
"""A drawing of penpa-edit: a Numberlink of 2x2 with its genre tag."""

_PUZZLES = (
    "slitherlink\n3 . 2\n. 0 .",
    "masyu\n..o...\n.*..o.\n\n# open\n1 . # 7\n. . . .",
    "yajilin\n. 2> ?\n. . 0^",
    "numberlink\nA 12 .\n12 . A\n\nhidato\n# 1 .\n| 4 | . | . |",
    "numberlink\n|12|\n|12|\n| .|\n",
    "https://puzz.link/p?slither/5/5/cbcbcddad#top <http://pzv.jp/p.html?mashu_edit/6/6/1063000i3000>",
    "https://puzz.link/p?numlin/3/2/-10-10%2b100%2B100h",
    "yajilin/b/5/5/m32j10/",
    "pzprv3/yajilin/2/3/. 4,2 . /0,- . 1,0 /. . . /",
    "pzprv3.1\nmashu\n1\n3\n1 . 2 \n0 0 \nhistory:{}",
    "https://puzz.link/p?type=editor&pzprv3/slither/1/2/3%20./",
    "3x2t0:3b0b\nhttps://a.org/js/pearl.html#3x2de:BWd",
    "SAVEFILE:41:Simon Tatham's Portable Puzzle Collection\nVERSION :1:1\nGAME    :5:Loopy\n"
    "CPARAMS :5:3x2t0\nDESC    :4:3b0b\nMOVE    :3:1y2",
    '{"kind": "masyu", "rows": 1, "puzzle": ["..o"]}\n{"kind": "numbrix", "puzzle": ["1 ."]}',
    '{"list": [{"kind": "masyu", "puzzle": ["..o"]}]}',
    _PENPA,
)


def _read_puzzles(data: bytes) -> None:
    """Puzzles of any kind: each is read again from every form in which it is written."""
    for named in read_puzzles(text_of(data)):
        assert read_puzzles(json.dumps(puzzle_json(named.kind, named.puzzle))) == [named]
        for form in ("text", "url", "id"):
            try:
                text = write_puzzle(named.kind, named.puzzle, form)
            except BadInput:
                continue
            # Addresses have the number of an arrow without zeros before it.
            zeros = form == "url" and any(re.match(r"0\d+[<>^v]", mark) for _, mark in named.puzzle.clues)
            assert zeros or read_puzzles(text) == [named], text


TARGETS: tuple[Target, ...] = (
    Target("instance", _instances, _read_instance),
    Target("swap", _swaps, _read_swap),
    Target("sudoku", _sudokus, _read_sudoku),
    Target("puzzle", lambda: [text.encode() for text in _PUZZLES], _read_puzzles),
)
"""The targets of this file."""
