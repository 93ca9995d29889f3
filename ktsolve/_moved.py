"""Old names of documented modules: importing one warns, and gives the names of the new module."""

from __future__ import annotations

import importlib
import sys
import warnings
from importlib.machinery import ModuleSpec
from types import ModuleType

__all__ = ["MOVED", "install"]

MOVED: dict[str, str | tuple[str, ...]] = {
    "ktsolve.classes": "ktsolve.tasks.symmetry_classes",
    "ktsolve.clues": "ktsolve.tasks.clues",
    "ktsolve.conflict": "ktsolve.tasks.conflict",
    "ktsolve.dispatch": (
        "ktsolve.errors",
        "ktsolve.tasks.find",
        "ktsolve.tasks.enumerate",
        "ktsolve.tasks.count",
        "ktsolve.tasks.endpoint_classes",
        "ktsolve.tasks.estimate",
    ),
    "ktsolve.instance": "ktsolve.tasks.instance",
    "ktsolve.optimise": "ktsolve.tasks.optimise",
    "ktsolve.solving": "ktsolve.tasks.solve",
    "ktsolve.walking": "ktsolve.tasks.walk",
    "ktsolve.engines.cycle_graph": "ktsolve.problem.cycle_graph",
    "ktsolve.engines.reduction": "ktsolve.problem.reduction",
    "ktsolve.ground.accessibility": "ktsolve.render.accessibility",
    "ktsolve.problem.quantity": "ktsolve.problem.statistic",
    "ktsolve.render.look": "ktsolve.render.style",
    "ktsolve.render.walk": "ktsolve.render.animation",
}
"""Old name of each module that documents or examples have named, and where its contents are now.

The contents of a module that was split are in several: the old name gives a module with the names of all."""


class _Moved:
    """Finder and loader of the old names; without their base classes, whose import takes time."""

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name in MOVED else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        new = MOVED[module.__name__]
        parts = (new,) if isinstance(new, str) else new
        warnings.warn(f"{module.__name__} is now {', '.join(parts)}", DeprecationWarning, stacklevel=2)
        for part in map(importlib.import_module, parts):
            names = {name: value for name, value in vars(part).items() if not name.startswith("__")}
            vars(module).update(names)


def install() -> None:
    """Let the old names be imported; called once, by ``import ktsolve``."""
    if not any(isinstance(each, _Moved) for each in sys.meta_path):
        sys.meta_path.append(_Moved())
