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

from streams.live.config import load
from streams.live.topics import IN
from streams.live.worker import make_app


def main() -> None:
    """Read the topics once."""
    brokers, partitions, records = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    settings = load(kafka=brokers, partitions=partitions, group=f"alone-{uuid4()}", http_port=0)
    asyncio.set_event_loop(asyncio.new_event_loop())
    app = make_app(settings, partitions, lean_reading=sys.argv[4:] == ["lean"])
    topics = app.topic(*IN, value_type=bytes, key_type=bytes)

    @app.agent(topics, concurrency=1)
    async def take(stream: StreamT[bytes]) -> None:
        taken, began, used = 0, 0.0, 0.0
        async for event in stream.events():
            if not taken:
                began, used = time.perf_counter(), time.process_time()
            taken += len(event.message.topic) > 0
            if taken == records:
                took, used = time.perf_counter() - began, time.process_time() - used
                print(records / took, records / used, flush=True)
                os._exit(0)  # an agent that raises is started again

    worker = faust.Worker(app, quiet=True, override_logging=False, redirect_stdouts=False)
    worker.spinner = None
    worker.execute_from_commandline()


if __name__ == "__main__":
    main()
