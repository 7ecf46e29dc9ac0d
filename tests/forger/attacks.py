"""Strategies before there is any bundle: against what the house seals, and what the witness signs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from replay.bundle import leaves, sealing, witness
from replay.bundle.floor_log import NightError
from replay.bundle.house_log import FloorLog, SealedNight
from replay.bundle.leaves import Night, Session, roster_text
from replay.bundle.witness import Alarm
from replay.order import Ordered
from streams.logs import LogLine
from streams.sources import LogSource
from tests.forger.floor import BEFORE, DAY, KEY, TABLES, Floor, Lines, place_of, sealed_by
from tests.forger.strategies_events import BO01, BO02
from tests.forger.strategy import Has
from tests.installed import judged
from tests.replay import logs
from tests.replay.bundle import floors

NEXT: Final = "2026-11-30"


@dataclass(frozen=True)
class Attack:
    """One way to have something else sealed or signed than what happened."""

    name: str
    has: tuple[Has, ...]
    wants: str
    attempt: Callable[[Floor], str]
    """What is said to him, or comes of it."""
    told: str
    """A part of it, by which he fails."""


# --- the house, before the witness ----------------------------------------------------------------------------------


def _to_the_witness(night: SealedNight, *accepted: SealedNight, **other: Any) -> str:
    """What the witness says who has accepted these nights."""
    roster = roster_text(night.roster)
    state = witness.new_state(floors.KEY, floors.WITNESS_KEY)
    for one in accepted:
        state = witness.check(state, floors.handed(one, roster=roster_text(one.roster))).state
    try:
        witness.check(state, floors.handed(night, roster=roster, **other.pop("handed", {})), **other)
    except Alarm as alarm:
        return f"{alarm.code}: {alarm}"
    return "signed"


def _anew(
    floor: Floor, change: Callable[[list[bytes]], Sequence[bytes]], *, roster: Sequence[str] = TABLES
) -> SealedNight:
    """The night with other leaves, which the house signs although none of its programs would."""
    log = FloorLog(floors.KEY)
    log.add(floor.log.nights[0])
    made = floors.signed_anyway(log, change(list(floor.log.nights[1].leaves)))
    return msgspec.structs.replace(made, roster=sorted(roster))


def _of(found: list[bytes], session: str) -> int:
    return next(
        place
        for place, leaf in enumerate(found)
        if isinstance(entry := leaves.read(leaf), Session) and entry.session == session
    )


def _counted(found: list[bytes], **other: Any) -> list[bytes]:
    night = leaves.read(found[-1])
    assert isinstance(night, Night)
    return [*found[:-1], bytes(msgspec.structs.replace(night, count=len(found) - 1, **other))]


def _left_out(found: list[bytes]) -> list[bytes]:
    del found[_of(found, BO02)]
    return _counted(found)


def _left_out_with_its_table(found: list[bytes]) -> list[bytes]:
    kept = [table for table in TABLES if table != "BO02"]
    digest = hashlib.sha256(roster_text(kept)).hexdigest()
    del found[_of(found, BO02)]
    return _counted(found, tables=len(kept), roster=digest)


def _of_another_day(found: list[bytes]) -> list[bytes]:
    place = _of(found, BO02)
    entry = leaves.read(found[place])
    found[place] = bytes(msgspec.structs.replace(entry, date=BEFORE))
    return found


def _skipped_ordinal(found: list[bytes]) -> list[bytes]:
    place = _of(found, BO02)
    found[place] = bytes(msgspec.structs.replace(leaves.read(found[place]), ordinal=3))
    return found


def _without_the_night_before(found: list[bytes]) -> list[bytes]:
    return _counted(found, first=0, previous_size=0)


def _hidden_before(floor: Floor) -> str:
    """BO02's session is told in a night between, of which nobody hears."""
    log = FloorLog(floors.KEY)
    log.add(floor.log.nights[0])
    hidden = _anew(floor, lambda found: [found[_of(found, BO02)], *_counted(found[-1:])])
    tree = hidden.tree
    night = list(floor.log.nights[1].leaves)
    del night[_of(night, BO02)]
    own = _counted(night, first=tree.size, previous_size=tree.size, previous_root=tree.root().hex())
    state = log.state
    log.state = msgspec.structs.replace(
        state, size=tree.size, root=tree.root().hex(), peaks=[peak.hex() for peak in tree.peaks()]
    )
    made = msgspec.structs.replace(floors.signed_anyway(log, own), roster=list(TABLES))
    return _to_the_witness(made, floor.log.nights[0])


def _another_night(floor: Floor) -> SealedNight:
    """The same night, in which the 900.00 were not paid."""
    lines = sealed_by(KEY, [line.replace(b'"paid":90000', b'"paid":0') for line in floor.lines(BO02)])
    log = FloorLog(floors.KEY)
    log.add(floor.log.nights[0])
    floor.seal(log, DAY, {name: lines if name == BO02 else each.lines for name, each in floor.night.items()})
    return log.nights[1]


def _next_night(floor: Floor, day: str = NEXT) -> SealedNight:
    log = FloorLog(floors.KEY)
    for night in floor.log.nights:
        log.add(night)
    closed = {date: "closed" for date in (NEXT, "2026-12-01") if date <= day}
    return floors.sealed(log, day, [], roster=TABLES, closed_days=closed)


def _rewritten(floor: Floor) -> str:
    """A night more, over another history."""
    log = FloorLog(floors.KEY)
    log.add(floor.log.nights[0])
    log.add(_another_night(floor))
    night = floors.sealed(log, NEXT, [], roster=TABLES, closed_days={NEXT: "closed"})
    return _to_the_witness(night, *floor.log.nights)


def _report(floor: Floor) -> str:
    log = FloorLog(floors.KEY)
    log.add(floor.log.nights[0])
    floor.seal(log, DAY, {name: each.lines for name, each in floor.night.items()}, report=b"overpaid: 900.00")
    return _to_the_witness(log.nights[1], log.nights[0], handed={"report": b"all is well"})


# --- somebody who can append a line to a topic ---------------------------------------------------------------------


class _Held:
    """A log in memory."""

    size = 1

    def __init__(self, lines: Sequence[bytes]) -> None:
        self._lines = lines

    def read(self, progress: Callable[[int], None] | None = None) -> Iterator[LogLine]:
        for place, line in enumerate(self._lines, 1):
            yield LogLine("log", place, line, len(line))


def _leaf_of(floor: Floor, lines: Lines) -> str:
    """What is sealed of BO02's session when its lines are these."""
    found = sealing.judged(BO02, lines, judged(keys=floor.keys))
    assert found is not None
    return f"{found.content} {found.chain} {found.date} {found.state}"


def _appended(line: Callable[[Lines], bytes]) -> Callable[[Floor], str]:
    """The leaf, and the sessions of the night, when this line comes first of all."""

    def attempt(floor: Floor) -> str:
        lines = floor.lines(BO02)
        more = line(lines)
        night = [more, *(each for log in floor.night.values() for each in log.lines)]
        names = [name for name, _ in LogSource(_Held(night)).night(DAY)]
        same = _leaf_of(floor, [more, *lines]) == _leaf_of(floor, lines)
        counted = Ordered(BO02, [more, *lines], floor.keys).counted() == lines
        return f"sealed as it is: {same}; exported as it is: {counted}; of the night: {names == list(floor.night)}"

    return attempt


AS_IT_IS: Final = "sealed as it is: True; exported as it is: True; of the night: True"
POISON: Final = (
    b'{"type":"checkpoint","session":"BO02-2026-11-29","seq":99999999999999999,"chain":"' + b"ab" * 32 + b'"}'
)


def _unsealed(floor: Floor) -> str:
    """A table whose gateway writes no seals."""
    bare = logs.boule([logs.Coup(7, [logs.Stake("straight_up", 3, error=90000)])], session=BO01, sealed=False)
    log = FloorLog(floors.KEY)
    floor.seal(log, DAY, {BO01: bare.lines})
    [entry] = [one for leaf in log.nights[0].leaves if isinstance(one := leaves.read(leaf), Session)]
    return f"{entry.session} is in the night as {entry.state}"


def _sealed_by_the_house_itself(floor: Floor) -> str:
    """The house's own program is asked to seal the night without BO02."""
    log = FloorLog(floors.KEY)
    log.add(floor.log.nights[0])
    kept = {name: each.lines for name, each in floor.night.items() if name != BO02}
    try:
        floor.seal(log, DAY, kept, roster=list(TABLES))
    except NightError as error:
        return f"{error.code}: {error}"
    return "sealed"


ATTACKS: Final = (
    Attack(
        "a_table_left_out_by_the_house",
        (Has.HOUSE_KEY,),
        "The night of a table of the roster is not told.",
        _sealed_by_the_house_itself,
        "table_missing: nothing is said of table 'BO02'",
    ),
    Attack(
        "a_table_left_out",
        (Has.HOUSE_KEY,),
        "The same, signed by hand, before the witness.",
        lambda floor: _to_the_witness(_anew(floor, _left_out), floor.log.nights[0]),
        "table_missing: nothing is said of table 'BO02'",
    ),
    Attack(
        "a_table_left_out_of_the_roster",
        (Has.HOUSE_KEY,),
        "The same, and the roster does not know the table.",
        lambda floor: _to_the_witness(
            _anew(floor, _left_out_with_its_table, roster=[table for table in TABLES if table != "BO02"]),
            floor.log.nights[0],
            roster=TABLES,
        ),
        "roster: table 'BO02' is on your roster, and not on the house's",
    ),
    Attack(
        "a_session_of_another_day",
        (Has.HOUSE_KEY,),
        "BO02's session is one of the night before.",
        lambda floor: _to_the_witness(_anew(floor, _of_another_day), floor.log.nights[0]),
        f"entry: leaf 2 is of {BEFORE}, and stands in the night of {DAY}",
    ),
    Attack(
        "a_night_between_that_nobody_hears_of",
        (Has.HOUSE_KEY,),
        "BO02's session is sealed in a night between, which is never handed over.",
        _hidden_before,
        "missing_night: what was handed over begins after",
    ),
    Attack(
        "an_ordinal_skipped",
        (Has.HOUSE_KEY,),
        "A session of BO02 is hidden for good.",
        lambda floor: _to_the_witness(_anew(floor, _skipped_ordinal), floor.log.nights[0]),
        f"ordinal: session '{BO02}' is number 3 of table 'BO02', and must be number 2",
    ),
    Attack(
        "a_first_night_again",
        (Has.HOUSE_KEY,),
        "The night before is forgotten.",
        lambda floor: _to_the_witness(_anew(floor, _without_the_night_before), floor.log.nights[0]),
        "boundary: the night of 2026-11-29 has first 0",
    ),
    Attack(
        "a_second_view_of_the_night",
        (Has.KEY, Has.HOUSE_KEY),
        "Another night of the same date, when the witness has signed.",
        lambda floor: _to_the_witness(_another_night(floor), *floor.log.nights),
        "split_view: two heads of 13 leaves",
    ),
    Attack(
        "a_history_written_anew",
        (Has.KEY, Has.HOUSE_KEY),
        "A night more, over another night of that date.",
        _rewritten,
        "rewritten: the head of 16 leaves is not proven to extend the last one that was accepted",
    ),
    Attack(
        "a_log_that_shrinks",
        (Has.HOUSE_KEY,),
        "The last night is taken back.",
        lambda floor: _to_the_witness(
            floors.signed_anyway(FloorLog(floors.KEY), floor.log.nights[0].leaves[:3]), *floor.log.nights
        ),
        "shrunk: the log has 3 leaves, and had 13",
    ),
    Attack(
        "a_night_that_is_not_handed_over",
        (Has.HOUSE_KEY,),
        "The witness sees every night but one.",
        lambda floor: _to_the_witness(_next_night(floor), floor.log.nights[0]),
        "missing_night: what was handed over begins after 13 leaves",
    ),
    Attack(
        "a_night_that_has_not_been",
        (Has.HOUSE_KEY,),
        "A night of tomorrow, signed today.",
        lambda floor: _to_the_witness(_next_night(floor), *floor.log.nights, latest=DAY),
        f"future: the night of {NEXT} has not been yet",
    ),
    Attack(
        "other_leaves_than_those_under_the_head",
        (Has.HOUSE_KEY,),
        "The witness reads leaves that are not those that he signs.",
        lambda floor: _to_the_witness(
            floor.log.nights[1],
            floor.log.nights[0],
            handed={"entries": leaves.join(_another_night(floor).leaves)},
        ),
        "leaves_differ: the entries are not the leaves under the head",
    ),
    Attack(
        "another_report",
        (Has.HOUSE_KEY,),
        "The regulator reads a report that says that all is well.",
        _report,
        f"report: the report is not the one of which the night of {DAY} has the digest",
    ),
    Attack(
        "a_second_version_of_a_bet",
        (Has.LINE,),
        "That the overpayment is in doubt, and what is sealed of it.",
        _appended(lambda lines: logs.altered(lines[place_of(lines, "bet_placed")], amount=500)),
        AS_IT_IS,
    ),
    Attack(
        "a_second_version_of_the_opening",
        (Has.LINE,),
        "That the session is of another day, and missing from its night.",
        _appended(lambda lines: logs.altered(lines[0], gaming_day="2020-01-01")),
        AS_IT_IS,
    ),
    Attack(
        "a_second_version_of_the_last_seal",
        (Has.LINE,),
        "That the closing is under no seal.",
        _appended(lambda lines: logs.altered(lines[-1], device="x")),
        AS_IT_IS,
    ),
    Attack(
        "a_seal_of_the_highest_number",
        (Has.LINE,),
        "That the leaf is the chain that he has chosen.",
        _appended(lambda lines: POISON),
        AS_IT_IS,
    ),
    Attack(
        "number_0_on_another_day",
        (Has.LINE,),
        "That the session is missing from its night.",
        _appended(lambda lines: b'{"session":"BO02-2026-11-29","seq":0,"at":"2020-01-01T00:00:00Z"}'),
        AS_IT_IS,
    ),
    Attack(
        "garbage_that_bears_a_used_number",
        (Has.LINE,),
        "That the event of that number is in doubt.",
        _appended(lambda lines: json.dumps({"session": BO02, "seq": 4}).encode()),
        AS_IT_IS,
    ),
    Attack(
        "a_table_without_seals",
        (Has.DEVICE,),
        "That a table whose gateway seals nothing is missing from the night without a word.",
        _unsealed,
        f"{BO01} is in the night as unsealed",
    ),
)
