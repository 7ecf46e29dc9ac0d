"""The whole floor: which of a night's processes stand out together, and which people and tables do over many days.

Pure functions over the readings (`replay.results.Streak`) that sessions have said. A single process alarms by itself,
at its table (`replay.streaks.watch`). Two things can only be seen from above:

- *Many together* (`night`). Weighted e-BH (R. Wang and A. Ramdas, "False discovery rate control with e-values", JRSS B
  2022): of processes with parts s of the level that add up to 1 at most, raise the k that have the most ``s x e``, for
  the greatest k at which each of them has ``s x e >= 1 / (level x k)``. Whatever hangs on whatever, at most ``level``
  of what is raised is false in the mean. With k = 1 that is the alarm of the table itself; a night in which five
  processes stand high together needs a fifth of the wealth of each.
- *The same again* (`over_days`). A player at other tables and on other days, a dealer, a table's hold: e-values of
  sessions that follow each other, or are disjoint, multiply (each is fair given all others). A product that began on
  the first day would forget a cheat who begins on the thirtieth: half of the stake is on the first day, half is spread
  over the days, the k-th getting 1/(k(k+1)) of it. All such products are raised by e-BH, with parts of the level in the
  order in which they were first seen (`replay.streaks.process.spread`): who comes later changes nothing for those who
  were there before, so that the level holds for all nights on which one looks together.

One level stands for the whole of it: half for the night, its tables' alarms among it, half for the days. Each casino is
a floor of its own.

The e-value of a process is its wealth when it alarmed (its own stopping time), else when it ended. While it runs, its
wealth may have fallen since the last reading, by no more than would have been said again (`SAID_WITHIN`): that much is
taken off, for the last time that something was said is no stopping time, and readings by themselves may be more than 1
in the mean. A reading is rounded to a thousandth of a power of ten: that much is taken off too, so that no rounding
raises anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import floor as down
from math import log10
from typing import Final

import msgspec

from replay.results import Streak
from replay.streaks.process import SAID_WITHIN, milli, spread
from replay.streaks.watch import OF_THE_NIGHT

POOLED_BY_TABLE: Final = frozenset({"hold_off", "ball_biased"})
"""What is of the table itself, and the same on the next day."""
MAX_MILLI: Final = 300_000
UNSAID_MILLI: Final = milli(SAID_WITHIN)
"""So much a running process may have lost since its last reading."""
POOLS: Final = 64
"""So many people and tables get equal parts of the level, together half of it; those after them ever smaller ones."""
HEAVIEST: Final = 5


class Raised(msgspec.Struct, frozen=True, kw_only=True):
    """One process, or product of processes, that stands out on the floor."""

    code: str
    process: str
    casino: str
    table: str
    """Empty where it is of several."""
    dealer: str
    player: str
    sessions: tuple[str, ...]
    """Those that it was watched in; of many, the ones that weigh most, in order of time."""
    days: int
    """Gaming days."""
    since_day: str
    since_us: int
    """The first reading of it."""
    log10_wealth_milli: int
    """Thousandths of the decimal logarithm of its e-value."""
    needed_milli: int
    """What it had to reach, being raised together with the others."""
    rank: int
    """1: it stands out most, of its casino's."""
    raised: int
    """So many of the casino's are raised together."""
    level: Fraction
    """Of what is raised together, at most this part is false in the mean."""
    text: str
    """For a pit boss."""


def urgency(row: Streak) -> tuple[int, str, str]:
    """Sorts readings: the one that lacks least to its alarm, or is most beyond it, first."""
    return row.log10_alarm_milli - row.log10_wealth_milli, row.session, row.process


def night(readings: Iterable[Streak], level: Fraction, *, said_at: Fraction = Fraction(1, 100)) -> list[Raised]:
    """What stands out among all processes of one gaming day, at ``level``; by casino, the most telling first.

    ``level`` is that of the whole report, of which half is for the night. ``said_at``: the level that the readings' own
    ``log10_alarm_milli`` is meant for (`replay.streaks.watch.WatchSettings`). Raises ValueError for a level out of
    bounds.
    """
    _check(level)
    shift = down(1000 * log10(said_at / level))
    firsts, values = _stand(readings)
    return [
        raised
        for casino in sorted({row.casino for row in values})
        for raised in _night([row for row in values if row.casino == casino], firsts, level, shift)
    ]


def _night(values: list[Streak], firsts: dict[tuple[str, str], Streak], level: Fraction, shift: int) -> list[Raised]:
    order = sorted(values, key=urgency)
    raised = e_bh([row.log10_wealth_milli - 1 - row.log10_alarm_milli - shift for row in order])
    return [
        Raised(
            code=row.code,
            process=row.process,
            casino=row.casino,
            table=row.table,
            dealer=row.dealer,
            player=row.player,
            sessions=(row.session,),
            days=1,
            since_day=row.gaming_day,
            since_us=firsts[row.session, row.process].at_us,
            log10_wealth_milli=row.log10_wealth_milli,
            needed_milli=row.log10_alarm_milli + shift - down(1000 * log10(raised)),
            rank=rank,
            raised=raised,
            level=level,
            text=(
                f"{row.process} at table {row.table} ({row.code.replace('_', ' ')}): the odds against it if all is well"
                f" are {_odds(row.log10_wealth_milli)} to 1, in {row.observations:,} observations."
                f" {_bound(raised, level)}"
            ),
        )
        for rank, row in enumerate(order[:raised], 1)
    ]


def over_days(readings: Iterable[Streak], level: Fraction) -> list[Raised]:
    """Which players, dealers and tables stand out over all sessions of ``readings``; by casino, the most telling first.
    ``level`` is that of the whole report, of which half is for the days. Raises ValueError for a level out of bounds.
    """
    _check(level)
    firsts, values = _stand(readings)
    pools: dict[str, dict[Pool, list[Streak]]] = {}
    for row in sorted(values, key=lambda row: (*_time(firsts[row.session, row.process]), row.process)):
        key = _pool(row)
        if key is not None:
            pools.setdefault(row.casino, {}).setdefault(key, []).append(row)
    return [raised for casino in sorted(pools) for raised in _over_days(pools[casino], firsts, level)]


def _over_days(pools: dict[Pool, list[Streak]], firsts: dict[tuple[str, str], Streak], level: Fraction) -> list[Raised]:
    """``pools``: in the order in which they were first seen."""
    products = []
    for number, (key, rows) in enumerate(pools.items()):
        needed = down(1000 * log10(1 / (float(level * (1 - OF_THE_NIGHT)) * spread(number, POOLS)))) + 1
        products.append((_product(rows), needed, key, rows))
    products.sort(key=lambda entry: (entry[1] - entry[0], entry[2]))
    raised = e_bh([value - needed for value, needed, _, _ in products])
    found = []
    for rank, (value, needed, (casino, code, process, table), rows) in enumerate(products[:raised], 1):
        rows.sort(key=_time)
        weighty = sorted(sorted(rows, key=lambda row: (-row.log10_wealth_milli, _time(row)))[:HEAVIEST], key=_time)
        sessions = tuple(row.session for row in weighty)
        days = len({row.gaming_day for row in rows})
        found.append(
            Raised(
                code=code,
                process=process,
                casino=casino,
                table=table,
                dealer=rows[0].dealer,
                player=rows[0].player,
                sessions=sessions,
                days=days,
                since_day=rows[0].gaming_day,
                since_us=firsts[rows[0].session, rows[0].process].at_us,
                log10_wealth_milli=value,
                needed_milli=needed - down(1000 * log10(raised)),
                rank=rank,
                raised=raised,
                level=level,
                text=(
                    f"{process} ({code.replace('_', ' ')}), {_counted(len(rows), 'session')} on"
                    f" {_counted(days, 'day')} since {rows[0].gaming_day}: the odds against it if all is well are"
                    f" {_odds(value)} to 1. {_bound(raised, level)} The sessions that weigh most:"
                    f" {', '.join(sessions)}."
                ),
            )
        )
    return found


def e_bh(margins: Sequence[int]) -> int:
    """How many of the processes are raised. ``margins``, falling: thousandths of a power of ten by which each one's
    weighted e-value is above what it needs alone, negative where it is below.

    >>> e_bh([10, -300, -478]), e_bh([-301]), e_bh([-400, -400, -401])
    (2, 0, 3)
    """
    raised = 0
    for number, margin in enumerate(margins, 1):
        if margin + down(1000 * log10(number)) >= 0:
            raised = number
    return raised


def _check(level: Fraction) -> None:
    if not 0 < level <= 1:
        raise ValueError(f"the level is above 0 and at most 1, not {level}")


def _time(row: Streak) -> tuple[str, int, str]:
    return row.gaming_day, row.at_us, row.session


def _stand(readings: Iterable[Streak]) -> tuple[dict[tuple[str, str], Streak], list[Streak]]:
    """By process the first reading, and of all processes the reading that gives their e-value: the one at which it
    alarmed, else the last, less what may have been lost since. Of readings said again the last revision counts; what
    was taken back does not."""
    current: dict[tuple[str, str, int], Streak] = {}
    for row in readings:
        key = row.session, row.process, row.seq
        known = current.get(key)
        if known is None or row.revision >= known.revision:
            current[key] = row
    firsts: dict[tuple[str, str], Streak] = {}
    values: dict[tuple[str, str], Streak] = {}
    for (session, process, _), row in sorted(current.items()):
        if row.at_us:
            firsts.setdefault((session, process), row)
            known = values.get((session, process))
            if known is None or known.state != "alarmed":
                values[session, process] = row
    return firsts, [
        msgspec.structs.replace(row, log10_wealth_milli=row.log10_wealth_milli - UNSAID_MILLI)
        if row.state == "running"
        else row
        for row in values.values()
    ]


Pool = tuple[str, str, str, str]
"""Casino, code, process, and the table where it is the table's own."""


def _pool(row: Streak) -> Pool | None:
    """What a process is a part of: casino, code, process, and the table where it is the table's own. None: of nothing
    that is there on the next day (a shoe, a pair of dice, whoever sits on a seat)."""
    if row.player or row.dealer:
        return row.casino, row.code, row.process, ""
    return (row.casino, row.code, row.process, row.table) if row.code in POOLED_BY_TABLE else None


def _product(rows: list[Streak]) -> int:
    """Thousandths of the decimal logarithm of the product, half of it from the first session on, half with fresh
    starts; powers of ten above 300 are cut off."""
    steady, fresh, pocket = 0.5, 0.0, 0.5
    for number, row in enumerate(sorted(rows, key=_time), 1):
        start = 0.5 / (number * (number + 1))
        pocket -= start
        factor = 10.0 ** (min(row.log10_wealth_milli - 1, MAX_MILLI) / 1000)
        steady = min(steady * factor, 1e300)
        fresh = min((fresh + start) * factor, 1e300)
    return down(1000 * log10(steady + fresh + max(pocket, 0.0)))


def nights(level: Fraction) -> int:
    """Of so many nights one may be false, at a level."""
    return down(1 / level)


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _odds(milli: int) -> str:
    """An e-value for people.

    >>> _odds(3000), _odds(12500)
    ('1,000', '10 to the power of 12.5')
    """
    return f"{down(10 ** (milli / 1000) + 1e-6):,}" if milli < 9000 else f"10 to the power of {milli / 1000:.1f}"


def _bound(raised: int, level: Fraction) -> str:
    """How many of those raised together may be false."""
    if raised == 1:
        return f"Were all well, anything at all would be raised in at most 1 night of {nights(level):,}."
    most = f"{float(100 * level):g} %"
    return f"It is raised with {raised - 1:,} more; in the mean at most {most} of those raised are false."
