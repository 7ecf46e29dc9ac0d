"""The number of the rules engine: by which retally a verdict was reached, beside by which law (`replay.packs`)."""

from __future__ import annotations

from typing import Final

ENGINE: Final = 2
"""It changes whenever the same events, under the same law, would give another verdict than before, or the same one in
other words: a fault of a game's code that was put right, a finding more, another column of a row. Evidence bears it
(`replay.bundle`), so that what a later engine says otherwise is never taken for something that was altered."""
