"""Every strategy of the forger against a verifier of bundles."""

from __future__ import annotations

from typing import Final

from tests.forger import (
    strategies_events,
    strategies_file,
    strategies_keys,
    strategies_law,
    strategies_log,
    strategies_old,
)
from tests.forger.strategy import Strategy

ALL: Final[tuple[Strategy, ...]] = (
    *strategies_events.STRATEGIES,
    *strategies_keys.STRATEGIES,
    *strategies_log.STRATEGIES,
    *strategies_old.STRATEGIES,
    *strategies_law.STRATEGIES,
    *strategies_file.STRATEGIES,
)
