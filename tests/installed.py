"""The regulations that come with retally, and a session judged by them: what most tests need, read once."""

from __future__ import annotations

from typing import Final

from replay.evidence import Keys
from replay.judging import Judging
from replay.regulations import installed
from replay.streaks.watch import WatchSettings

PACKS: Final = installed()
JUDGING: Final = Judging(packs=PACKS)
"""No keys, no streaks, each table under its own rules."""


def judged(*, keys: Keys | None = None, rules: str | None = None, watching: WatchSettings | None = None) -> Judging:
    """By the installed regulations, with these keys, under this pack, watched so."""
    return Judging(packs=PACKS, keys=keys, rules=rules, watching=watching)
