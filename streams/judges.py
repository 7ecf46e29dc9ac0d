"""Sessions folded one by one, in this process or in several."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from replay.errors import RetallyError
from replay.judging import Judging
from replay.refold import fold
from replay.results import SessionSummary
from replay.segment import Said

Session = tuple[str, list[bytes]]
"""A session's name, and all of its lines."""
Folded = tuple[str, tuple[list[Said], SessionSummary]]
"""A session's name, and what `replay.refold.fold` makes of it."""


class JudgeError(RetallyError):
    """A process that judges has ended before it was told to: one clear line."""


class Judges:
    """Folds sessions. Close it: the processes end then, and they end with the one that has started them."""

    def __init__(self, judging: Judging, count: int = 1) -> None:
        """``count``: processes; 1: this one."""
        self.count = count
        self._judging = judging
        self._running: dict[Connection, BaseProcess] = {}

    def judge(self, sessions: Iterable[Session]) -> Iterator[Folded]:
        """What each of ``sessions`` says, in whatever order. Raises `JudgeError`."""
        if self.count == 1:
            for name, lines in sessions:
                yield name, fold(name, lines, self._judging)
            return
        if not self._running:
            self._start()
        waiting = iter(sessions)
        busy: set[Connection] = set()
        for connection in self._running:
            self._give(connection, waiting, busy)
        while busy:
            ready = [connection for connection in wait(list(busy)) if isinstance(connection, Connection)]
            for connection in ready:
                busy.discard(connection)
                try:
                    done = connection.recv()
                except (EOFError, OSError):
                    raise self._lost(connection) from None
                if isinstance(done, RetallyError):
                    raise done
                self._give(connection, waiting, busy)
                yield done

    def _give(self, connection: Connection, waiting: Iterator[Session], busy: set[Connection]) -> None:
        session = next(waiting, None)
        if session is None:
            return
        try:
            connection.send(session)
        except OSError:
            raise self._lost(connection) from None
        busy.add(connection)

    def _lost(self, connection: Connection) -> JudgeError:
        process = self._running[connection]
        process.join()
        return JudgeError(f"{process.name} has ended (status {process.exitcode}) before all sessions were judged")

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        for number in range(self.count):
            ours, theirs = context.Pipe()
            name = f"worker {number + 1} of {self.count}"
            process = context.Process(target=_work, args=(theirs, self._judging), name=name, daemon=True)
            process.start()
            theirs.close()
            self._running[ours] = process

    def close(self) -> None:
        """End the processes."""
        for connection, process in self._running.items():
            connection.close()
            process.terminate()
            process.join()
        self._running = {}


def _work(connection: Connection, judging: Judging) -> None:
    try:
        while True:
            name, lines = connection.recv()
            try:
                connection.send((name, fold(name, lines, judging)))
            except MemoryError:
                connection.send(JudgeError(f"session {name}: there is not enough memory to judge it"))
    except (EOFError, OSError):
        return  # nobody asks any more
