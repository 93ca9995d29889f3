"""Drawing of boards and tours, by a module that registers itself: the ground imports no pictures."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["register", "renderer"]

_registered: list[str] = []


def register(module: str) -> None:
    """Name the module whose functions ``svg`` and ``plot`` draw boards and tours; done by ``ktsolve``."""
    _registered[:] = [module]


def renderer() -> Any:
    """The registered module, imported at the first drawing.

    >>> renderer().__name__
    'ktsolve.render.values'
    """
    return import_module(_registered[0])
