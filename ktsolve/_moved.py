"""Old names of documented modules: importing one gives the module under its new name, and says so."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
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
    "ktsolve.ground.accessibility": "ktsolve.render.accessibility",
    "ktsolve.problem.quantity": "ktsolve.problem.statistic",
    "ktsolve.render.look": "ktsolve.render.style",
    "ktsolve.render.walk": "ktsolve.render.animation",
}
"""Old name of each module that documents or examples have named, and where its contents are now.

The contents of a module that was split are in several: the old name gives a module with the names of all."""


class _Moved(MetaPathFinder, Loader):
    _own: ModuleSpec | None = None

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name in MOVED else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        new = MOVED[spec.name]
        names = new if isinstance(new, str) else ", ".join(new)
        warnings.warn(f"{spec.name} is now {names}", DeprecationWarning, stacklevel=2)
        if isinstance(new, str):
            module = importlib.import_module(new)
            self._own = module.__spec__
            return module
        module = ModuleType(spec.name, f"Names of {names}.")
        for part in map(importlib.import_module, new):
            vars(module).update({name: getattr(part, name) for name in part.__all__})
        self._own = spec
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its own specification back; it was executed under its new name."""
        module.__spec__ = self._own


def install() -> None:
    """Let the old names be imported; called once, by ``import ktsolve``."""
    if not any(isinstance(each, _Moved) for each in sys.meta_path):
        sys.meta_path.append(_Moved())
