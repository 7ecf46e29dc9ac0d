"""Faust with an agent that does nothing: ``python -m tests.bench.faust_alone BROKERS PARTITIONS RECORDS [lean]``.

Prints how many records a second of wall time and of processor time went through, from the first to the last of them.
``lean``: with what a worker of retally leaves out of Faust (`streams.live.lean`).
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from uuid import uuid4

import faust
from faust.types import StreamT

from streams.live import lean
from streams.live.config import load
from streams.live.topics import IN
from streams.live.worker import make_app


def main() -> None:
    """Read the topics once."""
    brokers, partitions, records = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    settings = load(kafka=brokers, partitions=partitions, group=f"alone-{uuid4()}", http_port=0)
    asyncio.set_event_loop(asyncio.new_event_loop())
    app = make_app(settings, partitions)
    taken, began, used = 0, 0.0, 0.0

    def count(found: int) -> None:
        nonlocal taken, began, used
        if not taken:
            began, used = time.perf_counter(), time.process_time()
        taken += found
        if taken >= records:
            took, of_processor = time.perf_counter() - began, time.process_time() - used
            print(records / took, records / of_processor, flush=True)
            os._exit(0)  # an agent that raises is started again

    if sys.argv[4:] == ["lean"]:

        async def take_all(found: lean.Runs) -> None:
            count(sum(sum(len(record.topic) > 0 for record in run.records) for run in found.values()))

        lean.read(app, IN, lean.Taker(lambda _: True, take_all))
    else:

        @app.agent(app.topic(*IN, value_type=bytes, key_type=bytes), concurrency=1)
        async def take(stream: StreamT[bytes]) -> None:
            async for event in stream.events():
                count(len(event.message.topic) > 0)

    worker = faust.Worker(app, quiet=True, override_logging=False, redirect_stdouts=False)
    worker.spinner = None
    worker.execute_from_commandline()


if __name__ == "__main__":
    main()
