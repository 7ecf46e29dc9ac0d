"""One process of a crew: a whole worker, started and watched over by `streams.live.crew`.

Standard input has one line, what it is to do (`Task`), and ends when whoever started it is no more: then it stops in
peace, as after SIGTERM. Standard output gets a JSON line every second: how it stands.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any, Final

from streams.live import creation
from streams.live.config import LiveSettings, with_passwords
from streams.live.metrics import keep_in, log_as_json

ALONE_S: Final = 60.0
"""So long a process that is left alone may take to stop."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Task:
    """What a process of a crew is to do."""

    process: int
    """Its number in the crew, from 1."""
    partitions: int
    """How many the topics have."""
    figures: Path
    """The folder in which its figures are to be kept."""
    settings: LiveSettings

    def line(self) -> bytes:
        """This as one line; passwords are in it."""
        what = {"process": self.process, "partitions": self.partitions, "figures": str(self.figures)}
        return json.dumps({**what, "settings": with_passwords(self.settings)}).encode() + b"\n"

    @classmethod
    def of_line(cls, line: bytes) -> Task:
        """What `line` was."""
        what = json.loads(line)
        return cls(what["process"], what["partitions"], Path(what["figures"]), LiveSettings(**what["settings"]))


def main() -> None:
    """Do what standard input says, to the end."""
    given = FileIO(0)  # without a buffer, whose lock a thread that waits would hold to the end
    line = given.readline()
    if not line:
        return
    task = Task.of_line(line)
    told = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever is printed goes to the log
    keep_in(task.figures, task.process)
    log_as_json(task.settings.log_level, sys.stderr, task.process)
    alone = threading.Event()
    threading.Thread(target=_stop_when_alone, args=(given, alone), daemon=True).start()

    def tell(health: Mapping[str, Any]) -> None:
        try:
            told.write(json.dumps(health).encode() + b"\n")
            told.flush()
        except OSError:
            return  # nobody listens any more, which standard input says as well

    from streams.live.worker import work

    try:
        work(task.settings, wait_for_kafka(task.settings), tell)
    finally:
        if alone.is_set():
            shutil.rmtree(task.figures, ignore_errors=True)  # nobody else will


def wait_for_kafka(settings: LiveSettings) -> int:
    """How many partitions the topics have, once Kafka is there: one that is started again while it is away would else
    end again and again."""
    return creation.when_there(lambda: creation.ensure(settings), "kafka", f"Kafka at {settings.kafka}")


def _stop_when_alone(given: FileIO, alone: threading.Event) -> None:
    while given.read(4096):
        continue
    alone.set()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(ALONE_S)
    os._exit(1)


if __name__ == "__main__":
    main()
