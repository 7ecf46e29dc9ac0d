"""How fast records get into a store: rows a second on each engine, beside what cutting them into columns alone costs.

Absolute figures belong to the machine; the ratios, measured in one run, are what may be compared.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

from replay.results import RawEvent, Settlement
from streams.store import Store, open_store
from streams.store.store import BLOCK_ROWS
from streams.store.tables import BY_RECORD
from tests.servers import ClickHouseServer, clickhouse_command
from tests.streams.store_rows import AT_US, row

ROWS: Final = 200_000
LINE: Final = (
    b'{"v":1,"type":"bet_placed","session":"CR01-2026-11-29","seq":1841,"at":"2026-11-29T21:03:11.250000Z",'
    b'"table":"CR01","device":"CR01-bets","round":412,"bet":"b17","seat":3,"wager":"pass_line","amount":1000}'
)


def examples(record: type[Any], count: int) -> list[Any]:
    """``count`` records of one session, no two equal."""
    if record is RawEvent:
        return [row(RawEvent, seq=seq, digest=f"{seq:064x}", at_us=AT_US + seq, raw=LINE) for seq in range(count)]
    return [
        row(
            Settlement, bet=f"b{seq}", round=seq // 8, player=f"p{seq % 50}", seqs=(seq, seq + 9), paid=1000, stake=1000
        )
        for seq in range(count)
    ]


def seconds(work: Callable[[], object]) -> float:
    """How long ``work`` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def fill(store: Store, rows: list[Any]) -> None:
    """Put ``rows`` into ``store``."""
    for each in rows:
        store.add(each)
    store.flush()


def stores(folder: Path, stack: ExitStack) -> Iterator[tuple[str, Store]]:
    """An empty store on each engine that is installed here."""
    yield "embedded", stack.enter_context(open_store(str(folder / "embedded")))
    command = clickhouse_command()
    if command is not None:
        server = ClickHouseServer(folder / "server", command)
        server.start()
        stack.callback(server.stop)
        yield "server", stack.enter_context(open_store(server.url()))


def measure(count: int = ROWS) -> dict[str, float]:
    """Rows a second by engine and table, and each one's ratio to cutting alone; keys such as ``embedded/events``."""
    figures: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        opened = list(stores(Path(name), stack))
        for _, store in opened:
            store.migrate()
        for record in (RawEvent, Settlement):
            rows, table = examples(record, count), BY_RECORD[record]
            starts = range(0, count, BLOCK_ROWS)
            cutting = seconds(lambda: [table.block(rows[at : at + BLOCK_ROWS]) for at in starts])  # noqa: B023
            figures[f"columns/{table.name}"] = count / cutting
            for engine, store in opened:
                taken = seconds(lambda: fill(store, rows))  # noqa: B023
                figures[f"{engine}/{table.name}"] = count / taken
                figures[f"{engine}/{table.name}/to columns"] = cutting / taken
                back = seconds(lambda: sum(1 for _ in store.read(record)))  # noqa: B023
                figures[f"{engine}/{table.name}/read"] = count / back
    return figures


def store() -> list[str]:
    """Rows a second into and out of each engine, and the rate in beside cutting rows into columns alone."""
    figures = measure()
    report = []
    for name, rate in figures.items():
        if name.count("/") == 1 and not name.startswith("columns"):
            share = figures[f"{name}/to columns"]
            back = figures[f"{name}/read"]
            report.append(f"{name}: {rate:,.0f} rows/s in, {share:.2f} of cutting alone; {back:,.0f} rows/s back")
    return report
