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

    @classmethod
    def fetched(cls, before: int, records: Sequence[Any], after: int) -> Run:
        """What came of a fetch whose position was ``before`` and then ``after``. Where the topic ends before that, for
        it was made anew, the client goes on where it begins."""
        return cls(min(before, after, records[0].offset if records else after), records, after)
