"""An audit of whole logs: the pure auditor between files and a sink, spread over processes for more than one core."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any
from zlib import crc32

from replay.audit import Auditor
from replay.errors import RetallyError
from replay.judging import Judging
from replay.line import session_of
from replay.refold import Refold
from replay.results import Finding, Round, Row, SessionSummary, Settlement
from streams import logs

_LINES_A_BATCH = 5_000


@dataclass
class Tally:
    """What an audit came to, in numbers; ``findings`` by code, ``verdicts`` by their name."""

    lines: int = 0
    events: int = 0
    rejected: int = 0
    sessions: int = 0
    open: int = 0
    """Sessions of which the table has not been closed."""
    seals_good: int = 0
    """Checkpoints that hold: their chain, and where there were keys to look with, their signature and its scope."""
    seals_bad: int = 0
    verdicts: dict[str, int] = field(default_factory=dict)
    findings: dict[str, int] = field(default_factory=dict)
    unreadable: list[str] = field(default_factory=list)
    """Files that could not be read, or not to their end, in one sentence each; all that could be read was audited."""

    @property
    def settlements(self) -> int:
        """Bets told of."""
        return sum(self.verdicts.values())

    @property
    def clean(self) -> bool:
        """Nothing was found, and nothing was rejected."""
        return not self.findings and not self.rejected


def audit(
    paths: Iterable[logs.Log],
    take: Callable[[Row], None],
    judging: Judging,
    *,
    raw: bool = False,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Tally:
    """Audit logs and give every row to ``take``, a later row under an identity superseding the earlier one.

    ``raw``: also give every event's bytes; ``workers``: processes, each with a share of the sessions. The tally counts
    what is finally said.

    Raises:
        AuditError: a worker has ended before its share was done.
    """
    paths = list(paths)
    tally = _Count()
    settings = _Settings(paths, judging, raw)
    if workers == 1:
        source = _share(settings, 0, 1, progress)
    else:
        source = _spread(settings, workers, progress)
    result = Tally()
    still_open: set[str] = set()
    seals: dict[str, tuple[int, int]] = {}
    """By session: how many hold, and how many do not."""
    for part in source:
        if isinstance(part, Tally):
            result.lines += part.lines
            result.events += part.events
            result.rejected += part.rejected
            result.sessions += part.sessions
            result.unreadable += [text for text in part.unreadable if text not in result.unreadable]
            continue
        if isinstance(part, _Superseded):
            for row in part.rows:
                tally.unsay(row)
            continue
        for row in part:
            tally.row(row)
            if type(row) is SessionSummary:
                (still_open.add if row.state == "open" else still_open.discard)(row.session)
                seals[row.session] = row.checkpoints_good, row.checkpoints_bad
            take(row)
    result.open = len(still_open)
    result.seals_good, result.seals_bad = (sum(pair[which] for pair in seals.values()) for which in (0, 1))
    result.verdicts, result.findings = tally.totals()
    return result


@dataclass(frozen=True)
class _Superseded:
    """Rows of the first reading that the next ones supersede."""

    rows: list[Row]


_UNCLAIMED = "unclaimed"
_MAY_CHANGE = frozenset({"unsettled", "open"})
"""Verdicts that a later claim changes; the others are final once they are sealed."""


class _Count:
    """Counts what is finally said without holding on to the rows: a settlement's or finding's last word counts."""

    def __init__(self) -> None:
        self._verdicts: dict[str, int] = {}
        self._findings: dict[str, int] = {}
        self._open: dict[tuple[Any, ...], str] = {}
        """What may still be superseded: settlements that are not settled, findings."""
        self._unclaimed: dict[str, dict[tuple[Any, ...], str]] = {}
        """By session: bets of the round at hand on which no claim is due, and chips may yet come back."""

    def row(self, row: Row) -> None:
        if type(row) is Settlement:
            verdict = row.verdict.value
            key: tuple[Any, ...] = (row.session, row.round, row.bet)
            before = self._open.pop(key, None) if self._open else None
            if before is None and row.session in self._unclaimed:
                before = self._unclaimed[row.session].pop(key, None)
            if before is not None:
                self._verdicts[before] -= 1
            self._verdicts[verdict] = self._verdicts.get(verdict, 0) + 1
            if verdict in _MAY_CHANGE:
                self._open[key] = verdict
            elif verdict == _UNCLAIMED:
                self._unclaimed.setdefault(row.session, {})[key] = verdict
        elif type(row) is Round:
            self._unclaimed.pop(row.session, None)
        elif type(row) is Finding:
            key = (row.session, row.seq, row.code, row.subject)
            if self._open.pop(key, None) is not None:
                self._findings[row.code] -= 1
            if not row.withdrawn:
                self._open[key] = row.code
                self._findings[row.code] = self._findings.get(row.code, 0) + 1

    def unsay(self, row: Row) -> None:
        """This row is superseded by one that follows."""
        if isinstance(row, Settlement):
            self._verdicts[row.verdict.value] -= 1
            self._open.pop((row.session, row.round, row.bet), None)
        elif isinstance(row, Finding):
            self._findings[row.code] -= 1
            self._open.pop((row.session, row.seq, row.code, row.subject), None)

    def totals(self) -> tuple[dict[str, int], dict[str, int]]:
        return (
            {name: count for name, count in sorted(self._verdicts.items()) if count},
            {name: count for name, count in sorted(self._findings.items()) if count},
        )


@dataclass(frozen=True)
class _Settings:
    paths: list[logs.Log]
    judging: Judging
    raw: bool


def _share(
    settings: _Settings, worker: int, workers: int, progress: Callable[[int], None] | None = None
) -> Iterator[list[Row] | _Superseded | Tally]:
    """One worker's share of the sessions: batches of rows, its tally last."""
    auditor = Auditor(settings.judging, raw=settings.raw)
    feed = auditor.feed
    count = 0
    unreadable: list[str] = []

    def failed(error: logs.LogError) -> None:
        unreadable.append(str(error))

    for source, place, line, length in logs.read(settings.paths, progress, failed):
        if workers > 1 and crc32(session_of(line)) % workers != worker:
            continue
        feed(line, source, place, length)
        count += 1
        if count % _LINES_A_BATCH == 0:
            yield auditor.drain(sealed=True)
    yield from _in_batches(auditor.finish())
    late = auditor.late()
    if late:
        refold = Refold(late, settings.judging)
        for again in logs.read(settings.paths, failed=lambda _: None):  # it has been told
            refold.feed(again.text)
        rows = refold.rows()
        yield _Superseded(refold.superseded)
        yield from _in_batches(rows)
    yield Tally(
        lines=auditor.lines,
        events=auditor.events,
        rejected=auditor.rejected,
        sessions=auditor.session_count(),
        unreadable=unreadable,
    )


def _in_batches(rows: list[Row]) -> Iterator[list[Row]]:
    for start in range(0, len(rows), _LINES_A_BATCH):
        yield rows[start : start + _LINES_A_BATCH]


# --- several processes --------------------------------------------------------------------------------------------


class AuditError(RetallyError):
    """A worker has ended before its share was done: one clear line."""


def _work(worker: int, workers: int, to: Connection) -> None:
    try:
        settings: _Settings = to.recv()
        for part in _share(settings, worker, workers):
            to.send(part)
        to.send(None)
    except RetallyError as error:
        to.send(AuditError(str(error)))
    except MemoryError:
        to.send(AuditError(f"{_called(worker, workers)} has run out of memory"))
    except (BrokenPipeError, EOFError):
        pass  # nobody listens any more


def _called(worker: int, workers: int) -> str:
    return f"worker {worker + 1} of {workers}"


@contextmanager
def _processes(settings: _Settings, workers: int) -> Iterator[dict[Connection, tuple[str, SpawnProcess]]]:
    """The workers, each by what it sends its share through. What it is to do is sent by the same way: among the
    arguments of a process that dies as it starts, it would be waited with for ever."""
    context = multiprocessing.get_context("spawn")
    running: dict[Connection, tuple[str, SpawnProcess]] = {}
    try:
        for worker in range(workers):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(worker, workers, theirs), daemon=True)
            running[ours] = (_called(worker, workers), process)
            try:
                with _uninterrupted():
                    process.start()
            except OSError as error:
                raise AuditError(f"{_called(worker, workers)} cannot be started ({error.strerror})") from None
            theirs.close()  # so that the pipe ends with the process
        for ours, (name, process) in running.items():
            try:
                ours.send(settings)
            except OSError:
                raise _died(name, process) from None
        yield running
    finally:
        for ours, (_, process) in running.items():
            if process.pid is not None:
                process.terminate()
                process.join()
            ours.close()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """A process that is started in this leaves SIGINT to the one that has started it, which gets it afterwards."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _died(name: str, process: SpawnProcess) -> AuditError:
    process.join()
    return AuditError(f"{name} {_ended(process.exitcode)} before its share was done")


def _spread(
    settings: _Settings, workers: int, progress: Callable[[int], None] | None
) -> Iterator[list[Row] | _Superseded | Tally]:
    with _processes(settings, workers) as running:
        left = dict(running)
        while left:
            for listening in wait(list(left)):
                assert isinstance(listening, Connection)
                name, process = left[listening]
                try:
                    part = listening.recv()
                except (EOFError, OSError):
                    raise _died(name, process) from None
                if isinstance(part, Exception):
                    raise part
                if part is None:
                    del left[listening]
                    if progress is not None:
                        progress(logs.size_of_all(settings.paths) // workers)
                else:
                    yield part


def _ended(status: int | None) -> str:
    """How a process has ended, by its exit status."""
    if status is not None and status < 0:
        try:
            return f"was ended by {signal.Signals(-status).name}"
        except ValueError:
            return f"was ended by signal {-status}"
    return f"has ended with status {status}"
