"""What a fetch brings of one topic and partition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Run(NamedTuple):
    """All that lies between two offsets."""

    first: int
    """The first offset that was asked for."""
    records: Sequence[Any]
    """aiokafka's, in the order of offsets."""
    after: int
    """All records before this offset are in it, or lie before ``first``."""
