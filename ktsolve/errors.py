"""What can go wrong, by what the caller can do about it.

The command line turns these into one line on standard error and an exit status: :class:`BadInput` 2,
:class:`LimitReached` 3. Anything else that escapes is a bug.
"""

from __future__ import annotations

__all__ = ["BadInput", "KtsolveError", "LimitReached", "NotATour", "Refused"]


class KtsolveError(Exception):
    """Base of all errors that ktsolve raises on purpose."""


class BadInput(KtsolveError, ValueError):
    """The request makes no sense; the message says what was wrong and what would be right."""


class NotATour(BadInput):
    """Numbers that are no numbering of steps: one stands twice or is missing, or a row is cut."""


class Refused(BadInput):
    """The engine asked for cannot do this; the message names the constraint and the engines that can."""


class LimitReached(KtsolveError):
    """Stopped by a time or memory limit, or by Ctrl-C, before the answer was known."""
