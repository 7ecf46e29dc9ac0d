"""How long the panels of Grafana's dashboards take on ten million settlements: no query may take over 200 ms."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from dashboards.grafana import built
from dashboards.grafana.alerts import provisioning
from dashboards.grafana.checking import Ran, last_night, run_all
from streams.store import open_store
from streams.store.embedded import Embedded
from tests.installed import PACKS

SETTLEMENTS: Final = 10_000_000
DAYS: Final = 30
TABLES: Final = 150
BETS_A_ROUND: Final = 8
EVENTS_A_BET: Final = 4
LIMIT_MS: Final = 200
TIMES: Final = 3
"""Each query is asked so often; its shortest time counts, for the machine has other work."""

_DAY: Final = "toDate('2026-10-31') + {day}"
_OPENED: Final = "(toUInt32(toDate('2026-10-31')) + {day}) * 86400 + 57600"
_TABLE: Final = "concat('T', leftPad(toString(number % {tables}), 3, '0'))"
_SESSION: Final = f"concat({_TABLE}, '-', toString({_DAY}))"
_GAME: Final = "['craps', 'blackjack', 'punto_banco', 'boule'][number % {tables} % 4 + 1]"
_WAGER: Final = "['pass_line', 'main', 'player', 'straight_up'][number % {tables} % 4 + 1]"
_PLACE: Final = f"'valira', 'pit1', {_TABLE}, {_GAME}, 'AD-2025', 'EUR'"
_ROUND: Final = "toUInt32(intDiv(number, {tables} * {bets}) + 1)"
_BET_US: Final = f"({_OPENED} + toInt64(number * 36000 / {{rows}})) * 1000000"

_MADE: Final = (
    f"""INSERT INTO settlements (gaming_day, session, round, bet, casino, pit, `table`, game, rules, currency, dealer,
        player, seat, wager, pick, stake, paid, returned, claimed_paid, claimed_returned, verdict, difference, passage,
        seqs, placed_at_us, settled_at_us, revision)
    SELECT {_DAY}, {_SESSION}, {_ROUND}, concat('b', toString(number)), {_PLACE}, concat('d', toString(number % 37)),
        concat('p', toString(number % 997)), toInt16(number % 7 + 1), {_WAGER}, '', 1000,
        if(number % 2 = 0, 1000, 0), if(number % 2 = 0, 1000, 0), if(number % 2 = 0, 1000, 0),
        if(number % 2 = 0, 1000, 0) + if(number % 5000 = 0, 500, 0), if(number % 5000 = 0, 'overpaid', 'match'),
        if(number % 5000 = 0, 500, 0), 'game 6, IV', [toUInt32(number * 4 + 1), toUInt32(number * 4 + 4)],
        {_BET_US}, {_BET_US} + 20000000, 1
    FROM numbers({{rows}})""",
    f"""INSERT INTO rounds (gaming_day, session, round, casino, pit, `table`, game, rules, currency, dealer, opened_seq,
        closed_seq, opened_at_us, closed_at_us, outcome, bets, staked, findings, sealed, verifiable, revision)
    SELECT {_DAY}, {_SESSION}, toUInt32(intDiv(number, {{tables}}) + 1), {_PLACE}, concat('d', toString(number % 37)),
        toUInt32(intDiv(number, {{tables}}) * 32 + 1), toUInt32(intDiv(number, {{tables}}) * 32 + 32),
        ({_OPENED} + toInt64(number * 36000 / ({{rows}} / {{bets}}))) * 1000000,
        ({_OPENED} + toInt64(number * 36000 / ({{rows}} / {{bets}})) + 60) * 1000000, '3-4', {{bets}}, 8000,
        number % 700 = 0, 1, 1, 1
    FROM numbers(intDiv({{rows}}, {{bets}}))""",
    f"""INSERT INTO findings (gaming_day, session, seq, code, subject, casino, pit, `table`, game, rules, currency,
        dealer, player, round, seat, bet, amount, kind, severity, passage, text, seqs, at_us, withdrawn, revision)
    SELECT gaming_day, session, seqs[2], 'overpaid', bet, casino, pit, `table`, game, rules, currency, dealer, player,
        round, seat, bet, difference, 'money', 'severe', passage, 'five too much', seqs, settled_at_us, 0, 1
    FROM settlements WHERE gaming_day = {_DAY} AND difference != 0""",
    f"""INSERT INTO sessions (gaming_day, session, casino, pit, `table`, game, rules, currency, state, opened_at_us,
        closed_at_us, float_open, float_close, fills, credits, `drop`, events, rounds, settlements, findings, gaps,
        conflicts, duplicates, rejected, checkpoints_good, checkpoints_bad, revision)
    SELECT {_DAY}, {_SESSION}, {_PLACE}, 'closed', {_OPENED} * 1000000, ({_OPENED} + 36000) * 1000000, 5000000,
        5100000, 0, 0, 900000, 9000, 280, 2222, 1, 0, 0, 0, 0, 280, 0, 1
    FROM numbers({{tables}})""",
    f"""INSERT INTO cage (gaming_day, session, seq, movement, casino, pit, `table`, game, currency, amount, at_us,
        revision)
    SELECT {_DAY}, {_SESSION}, 9000, 'drop_counted', 'valira', 'pit1', {_TABLE}, {_GAME}, 'EUR', 900000,
        ({_OPENED} + 40000) * 1000000, 1
    FROM numbers({{tables}})""",
    f"""INSERT INTO streaks (gaming_day, session, process, seq, casino, pit, `table`, game, rules, currency, dealer,
        player, round, code, e_milli, alarm_milli, observations, state, at_us, revision)
    SELECT {_DAY}, {_SESSION}, concat('process ', toString(intDiv(number, {{tables}}) % 12)),
        toUInt32(intDiv(number, {{tables}})), {_PLACE}, '', '', 1, 'hold_off', toInt64(cityHash64(number) % 2000), 4000,
        10, 'running', ({_OPENED} + toInt64(intDiv(number, {{tables}}) * 150)) * 1000000, 1
    FROM numbers({{tables}} * 240)""",
)
_LAST_DAY: Final = (
    f"""INSERT INTO events (gaming_day, session, seq, digest, `table`, device, type, round, at_us, raw)
    SELECT {_DAY}, {_SESSION}, toUInt32(intDiv(number, {{tables}}) + 1), hex(number), {_TABLE}, {_TABLE},
        multiIf(number % 100 < 36, 'card_dealt', number % 100 = 36, 'dice_rolled', number % 2 = 0, 'bet_placed',
            'bet_settled'), {_ROUND},
        ({_OPENED} + toInt64(number * 36000 / ({{rows}} * {EVENTS_A_BET}))) * 1000000,
        concat('{{{{"v":1,"type":"card_dealt","session":"T001-2026-11-29","card":"',
            ['AH', 'TD', '7C', 'KS'][number % 4 + 1], '","dice":[', toString(number % 6 + 1), ',3]}}}}')
    FROM numbers({{rows}} * {EVENTS_A_BET})""",
)
"""The events of one night: no panel reads those of any other, which lie in partitions of their own."""


def fill(folder: Path, settlements: int) -> None:
    """Make a store with so many settlements in ``folder``."""
    with open_store(str(folder)) as store:
        store.migrate()
    engine = Embedded(folder, create=False)
    try:
        for day in range(DAYS):
            for sql in (*_MADE, *(_LAST_DAY if day == DAYS - 1 else ())):
                engine.execute(sql.format(day=day, rows=settlements // DAYS, tables=TABLES, bets=BETS_A_ROUND))
    finally:
        engine.close()


def measure(settlements: int = SETTLEMENTS) -> list[Ran]:
    """Every query of every dashboard, each with its shortest time, the slowest first."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve() / "store"
        fill(folder, settlements)
        with open_store(str(folder), create=False) as store:
            span = last_night(store.query_columns)
            runs = [run_all(built(PACKS), provisioning(), store.query_columns, span) for _ in range(TIMES)]
    return sorted((min(each, key=_time) for each in zip(*runs, strict=True)), key=lambda ran: -ran.ms)


def _time(ran: Ran) -> float:
    return ran.ms


def dashboards() -> list[str]:
    """The slowest queries, and how many are over the limit."""
    ran: Sequence[Ran] = measure()
    slow = [each for each in ran if each.ms > LIMIT_MS or each.problem]
    told = [f"{each.query.where}: {each.ms:.0f} ms, {each.rows} rows {each.problem}".rstrip() for each in ran[:10]]
    return [*told, f"{len(slow)} of {len(ran)} queries over {LIMIT_MS} ms on {SETTLEMENTS:,} settlements"]
