"""Progress of native calls."""

from __future__ import annotations

from collections.abc import Callable

from ktsolve.settings import Settings

__all__ = ["progress_callback"]


def progress_callback(settings: Settings, what: str) -> Callable[[int, int, int], None] | None:
    """The callback of a native call that reports to ``settings.progress``, None without one."""
    if settings.progress is None:
        return None
    progress = settings.progress
    return lambda step, total, states: progress(step / total if total else None, f"{what}, {states:,} steps")
