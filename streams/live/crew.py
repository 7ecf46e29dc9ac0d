"""A worker of several processes, for one process uses one processor.

Each is a whole worker (`streams.live.member`), a member of the consumer group like any other, so all that is said of
several workers holds of them. This one process does no work of its own: it starts them, starts again what ends by
itself, answers for all over HTTP, and has all stop when it is told to. When it is killed they notice, and stop too.
"""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from streams.key_files import read_key_file, unscoped_notice
from streams.live import creation
from streams.live.config import LiveSettings, shown
from streams.live.health import Health
from streams.live.member import Task
from streams.live.metrics import CrewMetrics, Endpoint, Later, listen, log_as_json

COMMAND: Final = (sys.executable, "-m", "streams.live.member")
STOP_S: Final = 40.0
"""So long a process that is told to stop may take; then it is killed."""
SILENT_S: Final = 15.0
"""A process that has not been heard of for so long is not well: its event loop does not come round."""
LINE_BYTES: Final = 1 << 22
"""The longest line that a process may tell."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Patience:
    """How often a process may end by itself."""

    pauses_s: Sequence[float] = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
    """Before it is started again after its first end, its second, ...; the last one again and again."""
    well_s: float = 120.0
    """After so long a life its ends are counted anew."""
    often: int = 5
    within_s: float = 60.0
    """A process that has ended so often within this time will not do better."""
    hung_s: float = 60.0
    """A process that has not been heard of for so long is killed."""
    begins_s: float = 600.0
    """The same of one that has not been heard of yet."""


@dataclass
class Process:
    """A place in the crew, whoever has it."""

    number: int
    running: asyncio.subprocess.Process | None = None
    started: float = 0.0
    heard: float | None = None
    """When it last said how it stands; None: not yet."""
    said: dict[str, Any] = field(default_factory=dict)
    """What it last said."""
    ends: list[float] = field(default_factory=list)
    """When it ended by itself, since it was last well."""

    def stands(self, now: float) -> dict[str, Any]:
        """How it stands, as ``/healthz`` says it."""
        if self.running is None:
            state = "ended"
        elif self.heard is None:
            state = "starting"
        else:
            state = "working" if now - self.heard < SILENT_S else "silent"
        nothing: dict[str, Any] = {"partitions": [], "caught_up": [], "degraded": [], "away": ""}
        said = {**nothing, **(self.said if self.running is not None else {})}
        ok = state == "working" and bool(said.get("ok"))
        ready = ok and bool(said.get("ready", ok))
        pid = None if self.running is None else self.running.pid
        return {"process": self.number, "pid": pid, "state": state, **said, "ok": ok, "ready": ready}


class Crew:
    """So many processes as the settings say, from `work` to its end."""

    def __init__(
        self,
        settings: LiveSettings,
        partitions: int,
        folder: Path,
        *,
        command: Sequence[str] = COMMAND,
        patience: Patience | None = None,
    ) -> None:
        """``folder``: an empty one, for the processes' figures; ``command`` is followed by a process's number."""
        self.processes = [Process(number) for number in range(1, settings.processes + 1)]
        self.metrics = CrewMetrics(folder)
        self.endpoint = Endpoint(self.metrics, self.health)
        self._settings = settings
        self._partitions = partitions
        self._folder = folder
        self._command = command
        self._patience = patience or Patience()
        self._stopping = asyncio.Event()
        self._failed = False

    async def work(self) -> int:
        """Keep all at work until `stop`, or until one ends again and again; 0: all have ended as they were told to.

        Raises:
            ConfigError: nothing can listen on the HTTP port.
        """
        listen(self.endpoint, self._settings)
        try:
            await asyncio.gather(*map(self._keep, self.processes))
        finally:
            self.endpoint.stop()
        return int(self._failed)

    def stop(self) -> None:
        """Have all stop."""
        if not self._stopping.is_set():
            log.info("the processes are told to stop")
            self._stopping.set()

    async def _keep(self, process: Process) -> None:
        """Have this process at work until the crew stops."""
        patience = self._patience
        while not self._stopping.is_set():
            status = await self._live(process)
            if self._stopping.is_set():
                return
            now = time.monotonic()
            if now - process.started >= patience.well_s:
                process.ends.clear()
            process.ends.append(now)
            if len([at for at in process.ends if now - at < patience.within_s]) >= patience.often:
                log.error("process %d has ended %d times in a row: all stop", process.number, len(process.ends))
                self._failed = True
                self.stop()
                return
            pause_s = patience.pauses_s[min(len(process.ends), len(patience.pauses_s)) - 1]
            log.error("process %d %s, and is started again in %.1f s", process.number, _ended(status), pause_s)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), pause_s)
                return
            self.metrics.restarts.inc()

    async def _live(self, process: Process) -> int:
        """From its start to its end; gives the exit status, a signal's number as a negative one."""
        process.started, process.heard, process.said = time.monotonic(), None, {}
        try:
            running = await asyncio.create_subprocess_exec(
                *self._command,
                str(process.number),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LINE_BYTES,
                process_group=0,  # a terminal's Ctrl-C is for the crew as a whole: we pass it on
            )
        except OSError as error:
            log.error("process %d cannot be started: %s", process.number, error)
            return 1
        process.running = running
        assert running.stdin is not None
        settings = self._settings.model_copy(update={"http_port": 0})
        running.stdin.write(Task(process.number, self._partitions, self._folder, settings).line())
        hearing = asyncio.create_task(self._hear(process, running))
        ending = asyncio.create_task(running.wait())
        stopping = asyncio.create_task(self._stopping.wait())
        while not (await asyncio.wait([ending, stopping], timeout=1.0, return_when=asyncio.FIRST_COMPLETED))[0]:
            self._kill_if_hung(process, running)
        stopping.cancel()
        if not ending.done():
            await self._end(process.number, running)
        status = await ending
        if self._stopping.is_set() and status not in (0, -signal.SIGTERM):  # the latter: it had not begun yet
            log.error("process %d %s when it was told to stop", process.number, _ended(status))
            self._failed = True
        hearing.cancel()
        process.running = None
        self.metrics.ended(process.number)
        return status

    def _kill_if_hung(self, process: Process, running: asyncio.subprocess.Process) -> None:
        """One that hangs would keep its partitions from all others for ever."""
        now = time.monotonic()
        silent_s = now - (process.started if process.heard is None else process.heard)
        if silent_s < (self._patience.hung_s if process.heard is not None else self._patience.begins_s):
            return
        log.error("process %d has not been heard of for %.0f s, and is killed", process.number, silent_s)
        with suppress(ProcessLookupError):
            running.kill()

    async def _hear(self, process: Process, running: asyncio.subprocess.Process) -> None:
        assert running.stdout is not None
        async for line in running.stdout:
            process.said, process.heard = json.loads(line), time.monotonic()

    async def _end(self, number: int, running: asyncio.subprocess.Process) -> None:
        with suppress(ProcessLookupError):
            running.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(running.wait(), STOP_S)
        except TimeoutError:
            log.error("process %d does not stop, and is killed", number)
            with suppress(ProcessLookupError):
                running.kill()

    def health(self) -> dict[str, Any]:
        """How all stand, as `streams.live.health.Health.tell` has it: this process is alive while it answers, for it
        kills and starts again what hangs; it is ready when each is."""
        now = time.monotonic()
        stand = [process.stands(now) for process in self.processes]
        degraded = [{**each, "process": process["process"]} for process in stand for each in process["degraded"]]
        return {
            "ok": True,
            "alive": True,
            "ready": all(each["ready"] for each in stand),
            "degraded": degraded,
            "partitions": _together(each["partitions"] for each in stand),
            "caught_up": _together(each["caught_up"] for each in stand),
            "away": next((each["away"] for each in stand if each["away"]), ""),
            "processes": stand,
        }


def _together(numbers: Iterable[Iterable[int]]) -> list[int]:
    return sorted({number for each in numbers for number in each})


def _ended(status: int) -> str:
    return f"ended with status {status}" if status >= 0 else f"was ended by {signal.Signals(-status).name}"


def run(settings: LiveSettings) -> None:
    """Have several processes work until this one is told to stop (SIGTERM, SIGINT), then exit with status 0.

    The status is 1 where a process ended again and again, or did not end as it should.

    Raises:
        streams.live.errors.TopicError: the topics cannot be made.
        streams.live.errors.ConfigError: nothing can listen on the HTTP port.
        streams.keys.KeyFileError, streams.store.StoreError: keys or store cannot be used.
    """
    log_as_json(settings.log_level, sys.stderr)
    if settings.keys is not None:
        notice = unscoped_notice(settings.keys, read_key_file(settings.keys))
        if notice:
            log.warning("%s", notice)
    health = Health()
    endpoint = Endpoint(Later(), health.tell)
    listen(endpoint, settings)
    try:
        partitions = creation.prepare(settings, health)
    finally:
        endpoint.stop()
    where = f"kafka://{settings.kafka}, {partitions} partitions, {shown(settings)['store']}"
    log.info("worker of group %s with %d processes: %s", settings.group, settings.processes, where)
    if settings.processes > partitions:
        log.warning("%d processes for %d partitions: the rest stand by", settings.processes, partitions)
    folder = Path(tempfile.mkdtemp(prefix="retally-crew-"))
    try:
        status = asyncio.run(_work(settings, partitions, folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    raise SystemExit(status)


async def _work(settings: LiveSettings, partitions: int, folder: Path) -> int:
    crew = Crew(settings, partitions, folder)
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, crew.stop)
    return await crew.work()
