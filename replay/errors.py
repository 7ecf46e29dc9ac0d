"""The one error of ours that is told to whoever gave the input, and how others' errors are told."""

from __future__ import annotations


class RetallyError(ValueError):
    """A problem with what was given, told in one clear line.

    Every error of ours that a person at the terminal can put right derives from it; the command line prints its text
    and ends with status 2.
    """


def told(error: Exception) -> str:
    """What another's code has raised, in words that stand on one line: ``KeyError: 'x'``."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
