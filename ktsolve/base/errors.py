"""Exceptions of ktsolve, by what the caller can do about them.

The command prints each as one line on standard error and ends with its :attr:`~KtsolveError.exit_status`.
Any other exception that escapes is a bug in ktsolve and ends the command as :class:`InternalError` does.
"""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "BadInput",
    "IndexOutOfRange",
    "InternalError",
    "KtsolveError",
    "LimitReached",
    "NotATour",
    "OutOfMemory",
    "Refused",
    "WrongAnswer",
]


class KtsolveError(Exception):
    """Base of all errors that ktsolve raises on purpose.

    Attributes
    ----------
    exit_status:
        Status with which the command ends.
    """

    exit_status: ClassVar[int] = 1


class BadInput(KtsolveError, ValueError):
    """Invalid input; the message says what was given, what is wrong with it and what would be right."""

    exit_status = 2


class IndexOutOfRange(BadInput, IndexError):
    """An index that a sequence does not have; the message says which it has."""


class NotATour(BadInput):
    """Numbers that do not number the cells by steps: one is repeated or missing, or a row is cut off."""


class Refused(BadInput):
    """A request outside an engine's capabilities; the message names engines that take it."""


class LimitReached(KtsolveError):
    """Stopped by a time or memory limit, or by Ctrl-C, before the answer was found."""

    exit_status = 3


class OutOfMemory(LimitReached):
    """Stopped by the memory limit, or because memory is short; a method that needs less may still answer."""


class InternalError(KtsolveError):
    """A bug in ktsolve, such as the crash of a worker process."""

    exit_status = 4


class WrongAnswer(InternalError):
    """An engine gave an answer that a check or another engine refutes."""
