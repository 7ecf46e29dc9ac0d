"""What the engine asks of a store, of a real one."""

from __future__ import annotations

from typing import Final

from replay.results import Cage, Finding, Round, Row, SessionSummary, Settlement
from streams.store import Store

_TABLES: Final = ("settlements", "findings", "rounds", "cage", "sessions")
_RECORDS: Final = (Settlement, Finding, Round, Cage, SessionSummary)
_OF_SESSION: Final = "session = {session:String}"
_HIGHEST: Final = " UNION ALL ".join(
    f"SELECT max(revision) AS revision FROM {table} WHERE {_OF_SESSION}" for table in _TABLES
)


class KeptInStore:
    """A store as `streams.live.batch.Kept`. Raises `streams.store.StoreError`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.add = store.add
        self.flush = store.flush

    def said(self, session: str) -> list[Row]:
        """See `streams.live.batch.Kept.said`."""
        rows: list[Row] = []
        for record in _RECORDS:
            rows += self._store.read(record, _OF_SESSION, {"session": session})
        return rows

    def highest_revision(self, session: str) -> int:
        """See `streams.live.batch.Kept.highest_revision`."""
        return max(int(row["revision"]) for row in self._store.query(_HIGHEST, {"session": session}))
