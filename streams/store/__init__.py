"""The store: verdicts, findings and raw events in ClickHouse, on a server or in this process, behind one interface.

>>> with open_store("floor-store") as store:  # doctest: +SKIP
...     store.migrate()
...     store.add(finding)
...     store.flush()
...     store.query("SELECT code, seq FROM findings_current WHERE session = {s:String}", {"s": "CR01-2026-11-29"})
"""

from streams.store.engine import Columns
from streams.store.errors import StoreError
from streams.store.migrations import Migrated
from streams.store.store import Sink, Store, open_store

__all__ = ["Columns", "Migrated", "Sink", "Store", "StoreError", "open_store"]
