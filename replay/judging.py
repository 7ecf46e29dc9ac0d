"""How a session is judged: one value that everything that folds events is given."""

from __future__ import annotations

import msgspec

from replay.evidence import Keys
from replay.packs import Packs
from replay.streaks.watch import WatchSettings


class Judging(msgspec.Struct, frozen=True, kw_only=True):
    """By which law, and what besides the settlements is looked at."""

    packs: Packs
    """The regulations that there are."""
    keys: Keys | None = None
    """The gateways' public keys; without any, signatures are not looked at."""
    rules: str | None = None
    """Judge by this pack instead of the one that the table was opened under."""
    watching: WatchSettings | None = None
    """How streaks are watched for; None: not at all."""
