"""What is written next, and how: the registry's new sessions first, then rows, then results, then how far we are.

A session's start is in the registry before its first row is in the store, and a position only after the rows of all
that it claims. So whoever takes over knows of every session of which rows may be stored, and misses none.

What a fold of a session that was read again says is compared with what the store holds of it (`Comparison`): what the
store has and the fold does not say is taken back, what differs is said again, under revisions above the stored ones.
Where the store has words of a higher epoch, or words that rest on events which are no longer there, nothing is said.
A session that ends is compared once more (`Proof`), by eight bytes a row, before it is called done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeGuard, get_args

import msgspec

from replay.results import Finding, Kind, Rejected, Round, Row, SessionSummary, Settlement
from replay.revisions import take_back, taken_back
from replay.segment import Said
from replay.told import Key, content_of, final_rows, key_of, stands, take_back_own
from streams.live import topics
from streams.live.registry import EPOCH_BITS, SESSION, Position, SessionEntry, encode, epoch_of
from streams.live.rejected import told

Digests = dict[int, int]
"""Of what a session says: digest of the key -> digest of the content. Both live as long as the process."""
Contents = Mapping[Key, tuple[Any, ...]]
"""What is said: key -> content."""
_NOTHING: Final[Contents] = {}
Ours = Callable[[str], bool]
"""Whether a table's events come by the partition that asks: what is said of others is not its business."""


class Kept(Protocol):
    """What the store does for a floor; `streams.live.kept.KeptInStore` does it with a `streams.store.Store`.

    All belongs to the thread that writes batches. Errors pass through `Batch.write`.
    """

    def add(self, rows: Sequence[Row]) -> None:
        """Take rows; after an error none was taken."""
        ...

    def flush(self) -> None:
        """Write all that was taken. After an error the rows are kept and the next flush writes them."""
        ...

    def said(self, session: str) -> list[Row]:
        """The session's settlements, findings, rounds, cage movements, streaks, and its own row: of each identity the
        row with the highest revision, those that were taken back too."""
        ...

    def highest(self) -> int:
        """The highest revision of all rows; 0: there is none."""
        ...


class Outlet(Protocol):
    """Where results and the registry are published. Belongs to the thread that writes batches."""

    def send(self, topic: str, key: bytes, value: bytes) -> None:
        """Results of one table, a line each, keyed by the table; partitioned by the key."""
        ...

    def register(self, partition: int, key: bytes, value: bytes | None) -> None:
        """A record for this partition of the registry; without value: what stood under the key is taken back."""
        ...

    def sent(self) -> None:
        """Return when the results are told, or soon: the store has them, and nothing waits for a topic that is away."""
        ...

    def flush(self) -> None:
        """Return when everything registered so far is acknowledged; raise whatever error otherwise."""
        ...


def note(digests: Digests, said: Iterable[Row]) -> None:
    """Bring ``digests`` up to what is said now."""
    for row in said:
        key = hash(key_of(row))
        if _is_said(row) and taken_back(row):
            digests.pop(key, None)
        else:
            digests[key] = hash(content_of(row))


def _all_ours(_: str) -> bool:
    return True


class Comparison:
    """What a session that was read again says, to be held against what the store has of it."""

    def __init__(
        self,
        session: str,
        said: list[Said],
        count: int,
        digests: Digests,
        ours: Ours = _all_ours,
        *,
        epoch: int = 0,
        doubted: bool = False,
        last_seq: int = 1 << 62,
        ended: Contents | None = _NOTHING,
    ) -> None:
        """``said``: all of it, in order; ``count``: distinct events folded, the last of which is ``last_seq``;
        ``digests``: of this fold, still empty; ``ours``: whose rows of that name are looked at; ``doubted``: the topics
        may have let go of events since something was said of them; ``ended``: what it would say besides if it ended
        here, as it may have done once; None: that is not known, and must be where the store says more or something
        else."""
        self.session = session
        self.said = said
        self.count = count
        self.digests = digests
        self.ours = ours
        self.epoch = epoch
        self.doubted = doubted
        self.last_seq = last_seq
        self.ended = ended
        self.base = 0
        """To be added to the revisions of what this fold says from now on, so that they are above the stored ones."""
        self.outranked = 0
        """The higher epoch of which the store has rows; 0: it has none."""
        self.lacking = False
        """The store's words rest on events that are no longer there: they stand."""
        self.hesitates = False
        """It must be known what the session would say if it ended here."""
        self.spared: list[Said] = []
        """What corrects words of its end, which are right as long as no further event comes."""

    def corrections(self, kept: Kept) -> list[Said | SessionSummary]:
        """What must be written so that the store says what the fold says."""
        now = final_rows(self.said)
        rows = kept.said(self.session)
        revisions = [row.revision for row in rows if isinstance(row, Said | SessionSummary)]
        highest = max(revisions, default=0)
        if epoch_of(highest) > self.epoch:
            self.outranked = epoch_of(highest)
            return []
        stored = {key_of(row): row for row in rows if _is_said(row) and not taken_back(row) and self.ours(row.table)}
        own = [row for row in rows if isinstance(row, SessionSummary) and stands(row) and self.ours(row.table)]
        if self._lacks(now, stored, own):
            self.lacking = True
            return []
        if self.ended is None and any(not _says(now, row) for row in stored.values()):
            self.hesitates = True
            return []
        lowest = self.epoch << EPOCH_BITS
        count = lowest + self.count
        above = max(highest + 1, count)
        ended = self.ended or {}
        right = {key for key, row in stored.items() if ended.get(key) == content_of(row) and not _says(now, row)}
        self.spared = [now[key] if key in now else take_back(stored[key], above) for key in right]
        changed = [
            row for key, row in now.items() if key not in right and not (key in stored and _says(now, stored[key]))
        ]
        gone = [row for key, row in stored.items() if key not in now and key not in right]
        if gone or any(lowest + row.revision <= highest for row in changed):
            self.base = above - self.count
        else:
            self.base = lowest + max(0, highest - count)
        note(self.digests, now.values())
        day = self.said[0].gaming_day if self.said else ""
        return [
            *(take_back(row, above) for row in gone),
            *(take_back_own(row, above) for row in own if day and row.gaming_day not in ("", day)),
            *(
                msgspec.structs.replace(
                    row, revision=lowest + row.revision if lowest + row.revision > highest else above
                )
                for row in changed
            ),
        ]

    def _lacks(self, now: Mapping[Key, Said], stored: Mapping[Key, Said], own: Sequence[SessionSummary]) -> bool:
        """Whether the store knows of events that the fold has not: it must not unsay what rests on them. Events are
        folded in their order, so whatever rests on one was said when all before it were known, or known to be missing.
        """
        new_gaps = {row.seq for key, row in now.items() if key not in stored and _is_gap(row)}
        rested_on = {seq for row in stored.values() for seq in _rests_on(row)}
        if not new_gaps.isdisjoint(rested_on):
            return True
        if not self.doubted or not (own or stored):
            return False
        events, seq = max((row.events for row in own), default=0), max(rested_on, default=0)
        if events > self.count or seq > self.last_seq:
            return True
        return any(not own or gap <= max(events, seq) for gap in new_gaps)


def _says(now: Mapping[Key, Said], row: Said) -> bool:
    said = now.get(key_of(row))
    return said is not None and content_of(said) == content_of(row)


def _rests_on(row: Said) -> set[int]:
    """Events of which a row is certain to have been made."""
    if isinstance(row, Settlement):
        return set(row.seqs)
    if isinstance(row, Round):
        return {row.opened_seq, row.closed_seq} - {0}
    if isinstance(row, Finding) and row.kind is Kind.EVIDENCE:
        return set()
    return {row.seq}


class Torn:
    """A session of which only a part comes here: what was made of its holes, before that was known, is taken back."""

    def __init__(self, session: str, epoch: int, ours: Ours = _all_ours) -> None:
        self.session = session
        self.epoch = epoch
        self.ours = ours

    def corrections(self, kept: Kept) -> list[Said | SessionSummary]:
        """See `Comparison.corrections`."""
        rows = kept.said(self.session)
        highest = max((row.revision for row in rows if isinstance(row, Said | SessionSummary)), default=0)
        if epoch_of(highest) > self.epoch:
            return []
        found = [row for row in rows if isinstance(row, Finding) and not row.withdrawn and self.ours(row.table)]
        first = min((row.seq for row in found if _is_gap(row)), default=None)
        above = max(highest + 1, self.epoch << EPOCH_BITS)
        return [] if first is None else [take_back(row, above) for row in found if row.seq >= first]


class Proof:
    """Whether the store holds of a session that has ended what was said of it, no more, no less, nothing else."""

    def __init__(self, session: str, digests: Digests, ours: Ours = _all_ours) -> None:
        self.session = session
        self.digests = digests
        self.ours = ours
        self.holds = False

    def look(self, kept: Kept) -> None:
        """Compare; ``holds`` tells."""
        stored = {}  # the session's own row of another day cannot be taken back, and is left out
        for row in kept.said(self.session):
            key = hash(key_of(row))
            if key in self.digests or (_is_said(row) and not taken_back(row) and self.ours(row.table)):
                stored[key] = hash(content_of(row))
        self.holds = stored == self.digests


_SAID: Final = frozenset(get_args(Said))


def _is_said(row: Row) -> TypeGuard[Said]:
    return type(row) in _SAID


def _is_gap(row: Said) -> TypeGuard[Finding]:
    return type(row) is Finding and row.code == "sequence_gap"


_TOPICS: Final[dict[type, str]] = {
    Settlement: topics.SETTLEMENTS,
    Finding: topics.FINDINGS,
    Rejected: topics.REJECTED,
}
_json_lines: Final = msgspec.json.Encoder().encode_lines


class Batch:
    """What is to be written next. Goes on where it stopped when it is written again after an error."""

    def __init__(self) -> None:
        self.opened: list[SessionEntry] = []
        """Sessions that must stand in the registry before their rows in the store."""
        self.rows: list[Row] = []
        """Everything that is said, and raw events and rejected lines."""
        self.noted: list[tuple[Digests, list[Row]]] = []
        """Of sessions whose digests go on: what of ``rows`` they say."""
        self.comparisons: list[Comparison | Torn] = []
        self.proofs: list[Proof] = []
        self.reached: list[SessionEntry | Position] = []
        """What may stand in the registry once all else is safe."""
        self.forgotten: list[tuple[int, str]] = []
        """Sessions (partition, name) that leave the registry."""
        self.corrections = 0
        """Rows that comparisons came to."""
        self._corrections: list[Row] = []
        self._compared = 0
        self._proven = 0
        self._step = 0

    def __bool__(self) -> bool:
        return bool(
            self.opened or self.rows or self.comparisons or self.proofs or self.reached or self.forgotten or self.noted
        )

    @property
    def questions(self) -> int:
        """Sessions that it holds against the store."""
        return len(self.comparisons) + len(self.proofs)

    @property
    def claims(self) -> bool:
        """Whether it claims, or asks, what holds only with all that has been said before in the store."""
        return bool(self.comparisons or self.proofs or self.reached or self.forgotten)

    def write(self, kept: Kept, outlet: Outlet) -> None:
        """Write it: new sessions to the registry, rows to the store, results to their topics, the registry's rest.

        Blocks; for a thread. Raises what ``kept`` and ``outlet`` raise: call it again then.
        """
        steps: tuple[Callable[[Kept, Outlet], None], ...] = (
            self._open,
            self._add,
            self._flush,
            self._note,
            self._compare,
            self._flush,
            self._prove,
            self._publish,
            self._reach,
        )
        while self._step < len(steps):
            steps[self._step](kept, outlet)
            self._step += 1

    def _open(self, _: Kept, outlet: Outlet) -> None:
        if self.opened:
            for entry in self.opened:
                outlet.register(entry.partition, entry.key, encode(entry))
            outlet.flush()

    def _add(self, kept: Kept, _: Outlet) -> None:
        kept.add(self.rows)

    def _flush(self, kept: Kept, _: Outlet) -> None:
        kept.flush()

    def _note(self, _kept: Kept, _outlet: Outlet) -> None:
        for digests, rows in self.noted:
            note(digests, rows)

    def _compare(self, kept: Kept, _: Outlet) -> None:
        while self._compared < len(self.comparisons):
            self._corrections += self.comparisons[self._compared].corrections(kept)
            self._compared += 1
        if self._corrections:
            kept.add(self._corrections)
            self.corrections = len(self._corrections)

    def _prove(self, kept: Kept, _: Outlet) -> None:
        while self._proven < len(self.proofs):
            self.proofs[self._proven].look(kept)
            self._proven += 1

    def _publish(self, _: Kept, outlet: Outlet) -> None:
        of_a_table: dict[tuple[str, str], list[Row]] = {}
        for rows in (self.rows, self._corrections):
            for row in rows:
                topic = _TOPICS.get(type(row))
                if topic is not None:
                    of_a_table.setdefault((topic, getattr(row, "table", "")), []).append(row)
        for (topic, table), rows in of_a_table.items():
            lines = _json_lines([told(row) if type(row) is Rejected else row for row in rows])
            outlet.send(topic, table.encode("utf-8", "surrogatepass"), lines[:-1])
        if of_a_table:
            outlet.sent()

    def _reach(self, _: Kept, outlet: Outlet) -> None:
        if self.reached or self.forgotten:
            for entry in self.reached:
                outlet.register(entry.partition, entry.key, encode(entry))
            for partition, name in self.forgotten:
                outlet.register(partition, SESSION + name.encode("utf-8", "surrogatepass"), None)
            outlet.flush()
