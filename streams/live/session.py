"""A session in the making: folded as its events come, and again from the first of them where that is not enough.

A `LiveSession` begins `Phase.LIVE`; one that was taken over from another worker begins `Phase.HELD_BACK`, for what it
says must be compared with the store first. Where an event comes too late to be folded in its place it is set
`Phase.ASIDE`, read again, resumed as held back, compared, and live once more. At its end (`Phase.ENDED`) the store is
asked whether it holds what was said: if so it is done, otherwise it is set aside. `Phase.LOST` has no way out.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from msgspec.structs import replace as raised

from replay.audit import Auditor
from replay.results import Cage, Row
from replay.segment import Said
from replay.session import Session
from replay.told import key_of
from replay.track import Folded
from streams.live.batch import Batch, Comparison, Contents, Digests, Ours, Proof
from streams.live.reading import Reading
from streams.live.registry import EPOCH_BITS, Offsets
from streams.live.settings import Settings

MAX_ASIDE: Final = 20_000
"""Lines of a session that come while it is read again; with more, the reading begins anew."""
MAX_PROOFS: Final = 2
"""So often a session that ends is folded again because the store does not hold what was said."""

log = logging.getLogger(__name__)


class Phase(Enum):
    """What happens to a session's lines and to what it says."""

    LIVE = auto()
    """Folded; said at once."""
    HELD_BACK = auto()
    """Folded; what it says waits to be compared with the store."""
    ASIDE = auto()
    """Collected; it must be read again."""
    ENDED = auto()
    """Collected; what the store holds of it is being proven."""
    LOST = auto()
    """Left alone."""


class LiveSession:
    """A session of ours that is not done."""

    def __init__(
        self,
        name: str,
        start: Offsets,
        auditor: Auditor,
        settings: Settings,
        now: float,
        phase: Phase = Phase.LIVE,
        *,
        epoch: int = 0,
        doubted: bool = False,
    ) -> None:
        """``start``: every event of it lies at these offsets or after them; a topic not named: anywhere. ``auditor``:
        its partition's, which folds it. ``epoch``: of whoever has the partition. ``doubted``: the topics may have let
        go of some of its events."""
        self.name = name
        self.start = start
        self.phase = phase
        self.epoch = epoch
        self.doubted = doubted
        self.table = ""
        """Whose it is, as the registry was told."""
        self.touched = now
        """When something was last said of it."""
        self.aside: list[bytes] = []
        """Lines that have come since it was set aside, or since it ended."""
        self.reading: Reading | None = None
        """Set aside: by which it is read again."""
        self.may_have_ended = False
        """Whether the store may have what it says at its end."""
        self.comparison: Comparison | None = None
        self.proof: Proof | None = None
        self._auditor = auditor
        self._settings = settings
        self._patience_s = settings.hole_patience_s
        self._hole = (0, now)
        """The event that it waits for, and since when."""
        self._held_back: list[Said] = []
        self._ended: tuple[int, Contents] | None = None
        """What it would say if it ended after so many events, where that was asked."""
        self._spared: list[Said] = []
        """See `Comparison.spared`."""
        self._spared_at = 0
        """As long as no more events than that are known."""
        self._base = epoch << EPOCH_BITS
        """What is added to its revisions: the epoch, and what makes them higher than stored ones of the same."""
        self._digests: Digests = {}
        self._dropped = False
        """Whether its drop was counted."""
        self._told = -math.inf
        """When its own row was last written."""
        self._disproved = 0

    @property
    def fold(self) -> Session | None:
        """What its events have come to; None where none has been seen."""
        return self._auditor.session(self.name)

    @property
    def round_opened_us(self) -> int | None:
        """When its open round was opened, by that event's own time: microseconds since 1970-01-01 UTC. None where no
        round is open, or what is known of it is not the present."""
        fold = self.fold
        return fold.round_opened_us if fold is not None and self.phase is Phase.LIVE else None

    # --- time -----------------------------------------------------------------------------------------------------

    def waits_in_vain(self, seq: int, now: float, read: float) -> bool:
        """It waits for event ``seq``: whether it has for long enough. ``read``: what was in the topics by then has been
        read. Only that counts as waiting: not what was slept, nor what the topics held unread."""
        if self._hole[0] != seq:
            self._hole = (seq, now)
            return False
        return read - self._hole[1] >= self._patience_s

    def is_over(self, read: float) -> bool:
        """Whether nothing has come for so long that nothing more will; ``read`` as above."""
        settings, fold = self._settings, self.fold
        if fold is None or not fold.closed:
            quiet_s = settings.abandoned_s
        else:
            quiet_s = settings.quiet_s if self._dropped else settings.drop_wait_s
        return read - self.touched >= quiet_s

    def bound(self) -> None:
        """Hold no more lines than may be: those of a lost session are of no use, those of one that is read again lie in
        the topics."""
        if self.phase is Phase.LOST:
            self.aside.clear()
        elif self.phase is Phase.ASIDE and len(self.aside) > MAX_ASIDE:
            self.reading = None
            self.aside.clear()

    # --- what it says ---------------------------------------------------------------------------------------------

    def heard(self, said: list[Said], batch: Batch, now: float) -> None:
        """It has said this since the last time, or has had a line at least."""
        self.touched = now
        if self.phase is Phase.HELD_BACK:
            self._held_back += said
        elif self.phase is Phase.LIVE:
            self._say(said, batch, now, told=now - self._told >= self._settings.summary_every_s)

    def _say(self, said: Sequence[Said], batch: Batch, now: float, *, told: bool, ended: bool = False) -> None:
        """Hand on what it says, with its own row if that is due. Before the table is opened the gaming day is not
        known, under which that row belongs: it is due then only when the session has ``ended`` so."""
        fold = self.fold
        rows: list[Row] = [*self._no_longer_right(said), *said]
        if fold is not None and (ended or (told and fold.opened)):
            self._told = now
            rows.append(self._auditor.summary(self.name))
        if not rows:
            return
        self._dropped = self._dropped or _drop_counted(said)
        if self._base:
            base = self._base
            rows = [raised(row, revision=row.revision + base) for row in rows]  # type: ignore[union-attr]
        batch.rows += rows
        batch.noted.append((self._digests, rows))

    def _no_longer_right(self, said: Sequence[Said]) -> list[Said]:
        """What corrects words of its end that were spared, where ``said`` shows that it has not ended."""
        if not self._spared:
            return []
        fold, keys = self.fold, {key_of(row) for row in said}
        self._spared = [row for row in self._spared if key_of(row) not in keys]
        if fold is None or fold.count <= self._spared_at:
            return []
        spared, self._spared = self._spared, []
        return [raised(row, revision=fold.count) for row in spared]

    # --- read again, and compared ---------------------------------------------------------------------------------

    def set_aside(self) -> None:
        """It must be folded anew; nothing that the old fold has said and that is not on its way is said any more."""
        self.phase = Phase.ASIDE
        self.aside = self._auditor.set_aside(self.name)
        self._held_back = []
        self._digests = {}
        self.comparison = self.proof = self.reading = self._ended = None
        self._spared = []
        self._base = self.epoch << EPOCH_BITS

    def came_late(self) -> None:
        """An event came that was given up: it waits longer from now on, and must be folded anew."""
        self._patience_s = min(2 * self._patience_s, self._settings.longest_patience_s)
        self.set_aside()

    def read_by(self, reading: Reading) -> None:
        """``reading`` goes up to where the stream has come: all that was collected is in it."""
        self.reading = reading
        self.aside.clear()

    def resume(self, folded: Folded, ended: Contents | None) -> None:
        """It was read again: go on from there, with what has come since. ``ended``: what it would say if it ended
        there; None: that was not asked."""
        self._ended = None if ended is None else (folded.events, ended)
        self._auditor.resume(self.name, folded)
        self.reading = None
        self.aside = []
        self.phase = Phase.HELD_BACK

    def compare(self, batch: Batch, ours: Ours) -> None:
        """Have all that was held back held against the store; ``ours``: see `streams.live.batch.Ours`."""
        fold = self.fold
        assert fold is not None
        ended: Contents | None = {}
        if self.may_have_ended:
            ended = None if self._ended is None else self._ended[1] if self._ended[0] == fold.count else {}
        self.comparison = Comparison(
            self.name,
            self._held_back,
            fold.count,
            self._digests,
            ours,
            epoch=self.epoch,
            doubted=self.doubted,
            last_seq=fold.next_seq - 1,
            ended=ended,
        )
        self._held_back = []
        batch.comparisons.append(self.comparison)

    def compared(self, comparison: Comparison, batch: Batch, now: float) -> None:
        """The store says what it has said: go on, with what it has said in between."""
        self.comparison = None
        self._base = comparison.base
        self._spared, self._spared_at = comparison.spared, comparison.count
        self._dropped = self._dropped or _drop_counted(comparison.said)
        self.phase = Phase.LIVE
        said, self._held_back = self._held_back, []
        self._say(said, batch, now, told=True)

    # --- its end --------------------------------------------------------------------------------------------------

    def end(self, said: Sequence[Said], batch: Batch, ours: Ours, now: float) -> None:
        """Nothing more is to come: ``said`` is what was left to say, and the store is asked whether it holds it all."""
        self._say(said, batch, now, told=True, ended=True)
        self.phase = Phase.ENDED
        self.may_have_ended = True
        self.aside = self._auditor.set_aside(self.name)
        self.proof = Proof(self.name, self._digests, ours)
        batch.proofs.append(self.proof)

    def proven(self, proof: Proof) -> bool:
        """The store has been asked: whether the session is done. If not it is folded anew."""
        self.proof = None
        if self.aside:
            self.set_aside()
            return False
        if proof.holds:
            return True
        self._disproved += 1
        if self._disproved <= MAX_PROOFS:
            log.warning("session %s: the store does not hold what was said; it is folded again", self.name)
            self.set_aside()
            return False
        log.error("session %s: the store holds something else than what was said, again and again", self.name)
        return True

    def lose(self) -> None:
        """Leave it alone: what the store holds of it stays as it is."""
        self.set_aside()
        self.phase = Phase.LOST


def _drop_counted(said: Sequence[Said]) -> bool:
    return any(type(row) is Cage and row.movement == "drop_counted" for row in said)
