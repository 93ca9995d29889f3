"""Old names of documented modules still import, with a notice."""

from __future__ import annotations

import importlib
import sys

import pytest

import ktsolve
from ktsolve._moved import MOVED


@pytest.mark.parametrize("old", MOVED)
def test_an_old_name_gives_the_names_of_the_new_modules(old: str, monkeypatch: pytest.MonkeyPatch) -> None:
    new = MOVED[old]
    parts = [importlib.import_module(each) for each in ((new,) if isinstance(new, str) else new)]
    monkeypatch.delitem(sys.modules, old, raising=False)
    with pytest.warns(DeprecationWarning, match=old):
        module = importlib.import_module(old)
    for part in parts:
        for name in part.__all__:
            assert getattr(module, name) is getattr(part, name)
    assert all(sys.modules[part.__name__] is part for part in parts)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_split_module_keeps_the_names_it_had() -> None:
    dispatch = importlib.import_module("ktsolve.dispatch")
    for name in ("Answer", "ClassCount", "CountAnswer", "Tours", "WrongAnswer", "find", "find_all"):
        assert hasattr(dispatch, name)
    for name in ("count", "count_classes", "estimate", "find"):
        assert getattr(dispatch, name) is getattr(ktsolve, name)


def test_names_from_before_bare_graphs_are_still_there() -> None:
    from ktsolve.errors import BadInput
    from ktsolve.formats.graphs import board_of, graph_file
    from ktsolve.ground.board import Board
    from ktsolve.render.picture import board_scene, ground_scene

    board = Board.parse("4x5", without="a1")
    assert board_scene is ground_scene
    assert board_of(graph_file(board, "col"), "col") == board
    with pytest.raises(BadInput, match="does not state its board"):
        board_of("p edge 3 2\ne 1 2\ne 2 3\n", "col")
