"""The one error of ours that is told to whoever gave the input."""

from __future__ import annotations


class RetallyError(ValueError):
    """A problem with what was given, told in one clear line.

    Every error of ours that a person at the terminal can put right derives from it; the command line prints its text
    and ends with status 2.
    """
