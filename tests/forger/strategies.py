"""Every strategy of the forger against a verifier of bundles."""

from __future__ import annotations

from typing import Final

from tests.forger import strategies_events
from tests.forger.strategy import Strategy

ALL: Final[tuple[Strategy, ...]] = (*strategies_events.STRATEGIES,)
