"""The longest non-crossing path or cycle: ``models/longest.py`` where no two moves cross.

Parameters of an instance: ``board``, ``without``, ``leaper``, and ``closed``, for a cycle.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ktsolve.models import Built, longest

__all__ = ["build"]


def build(parameters: Mapping[str, Any]) -> Built:
    """The model of an instance."""
    return longest.build(parameters, non_crossing=True)
