"""What the engine asks of a store, of a real one."""

from __future__ import annotations

from typing import Final, cast

from replay.results import Cage, Finding, Round, Row, SessionSummary, Settlement, Streak
from streams.store import Store
from streams.store.tables import BY_RECORD

_RECORDS: Final = (Settlement, Finding, Round, Cage, Streak, SessionSummary)


class KeptInStore:
    """A store as `streams.live.batch.Kept`. Raises `streams.store.StoreError`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.add = store.extend
        self.flush = store.flush

    def said(self, session: str) -> list[Row]:
        """See `streams.live.batch.Kept.said`. The views of what counts now leave out what was taken back."""
        rows: list[Row] = []
        for record in _RECORDS:
            table = BY_RECORD[record]
            names = ", ".join(f"`{name}`" for name in table.names)
            found = self._store.query_columns(
                f"SELECT {names} FROM {table.name} FINAL WHERE session = {{session:String}}", {"session": session}
            )
            rows += cast("list[Row]", list(table.records(dict(zip(found.names, found.data, strict=True)))))
        return rows

    def highest(self) -> int:
        """See `streams.live.batch.Kept.highest`."""
        highest = 0
        for record in _RECORDS:
            found = self._store.query(f"SELECT max(revision) AS highest FROM {BY_RECORD[record].name}")
            highest = max(highest, int(found[0]["highest"] or 0))
        return highest
