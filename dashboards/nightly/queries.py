"""What the nightly report asks of the store: the same SQL for the engine in process and for servers from 18.16 on.

So there are no CTEs, no window functions and no DateTime64 here, joins are by USING on plain columns, and squares are
summed in two parts that fit an Int64. ``{first:Date}`` and ``{last:Date}`` bound the gaming days, both included;
``{pots:Games}`` is the games that state this of themselves (`dashboards.stated`). Money is in minor units; times are
microseconds, and hours are counted since 1970-01-01 UTC.

A bet of seat 0 that is no bank is the house's own stake against a player's bank (`OWN_STAKE`): what it wins or loses
goes from the tray to the tray, and is no part of any win here.
"""

from __future__ import annotations

from typing import Any, Final

Record = dict[str, Any]
"""A row of an answer, or one made of several: its figures by name."""

_DAYS: Final = "gaming_day BETWEEN {first:Date} AND {last:Date}"

OWN_STAKE: Final = "(seat = 0 AND wager != 'bank')"
WIN: Final = "`drop` + float_close + credits - float_open - fills"
"""What a table-day won, as it was counted."""
_JUDGED: Final = "(isNotNull(paid) AND isNotNull(returned))"
_DUE: Final = "(assumeNotNull(paid) + assumeNotNull(returned))"

SESSIONS: Final = f"""
    SELECT toString(gaming_day) AS day, session, casino, pit, `table`, game, rules, currency, state, opened_at_us,
           closed_at_us, float_open, float_close, fills, credits, `drop`, events, rounds, gaps, conflicts, duplicates,
           rejected, checkpoints_good, checkpoints_bad
    FROM sessions_current
    WHERE {_DAYS}
    ORDER BY casino, `table`, session
"""
"""The table-days, as their logs tell them."""

COUNTED: Final = f"""
    SELECT DISTINCT session AS session
    FROM cage_current
    WHERE {_DAYS} AND movement = 'drop_counted'
    ORDER BY session
"""
"""The sessions whose drop the count room has counted."""

HOLDS: Final = f"""
    SELECT casino, `table`, game, currency, sum(`drop`) AS dropped,
           sum({WIN}) AS won
    FROM sessions_current
    WHERE {_DAYS} AND state = 'closed'
      AND session IN (SELECT session FROM cage_current WHERE {_DAYS} AND movement = 'drop_counted')
    GROUP BY casino, `table`, game, currency
    ORDER BY casino, `table`, game, currency
"""
"""Drop and win of the complete table-days of a span."""

LAST_SEEN: Final = """
    SELECT casino, pit, `table`, game, toString(max(gaming_day)) AS day
    FROM sessions_current
    WHERE gaming_day BETWEEN {first:Date} AND {before:Date}
      AND (casino, `table`) NOT IN (SELECT casino, `table` FROM sessions_current WHERE gaming_day = {day:Date})
    GROUP BY casino, pit, `table`, game
    ORDER BY casino, `table`, pit, game
"""
"""The tables of the days before that have no session of this one."""

PLAY: Final = f"""
    SELECT session,
           count() AS bets,
           sum(if({OWN_STAKE}, 0, stake)) AS staked,
           sum(if({_JUDGED} AND NOT {OWN_STAKE}, stake - {_DUE}, 0)) AS win_of_bets,
           sum(if(verdict = 'overpaid', difference, 0)) AS overpaid,
           sum(if(verdict = 'underpaid', -difference, 0)) AS underpaid,
           sum(if({OWN_STAKE} OR verdict NOT IN ('overpaid', 'underpaid'), 0, -difference)) AS win_of_wrong_pay,
           sum(if({OWN_STAKE} OR verdict != 'unsettled', 0, {_DUE})) AS win_of_unsettled,
           countIf(verdict = 'unsettled') AS unsettled,
           countIf(verdict IN ('unverifiable', 'open')) AS unjudged,
           sum(if(verdict IN ('unverifiable', 'open') AND NOT {OWN_STAKE}, stake, 0)) AS unjudged_staked
    FROM settlements_current
    WHERE {_DAYS}
    GROUP BY session
    ORDER BY session
"""
"""Each table-day's bets in sums. What the rules leave open is in no win."""

WRONG_BETS: Final = f"""
    SELECT session, casino, pit, `table`, game, currency, round, bet, seat, wager, stake, verdict, difference,
           if({_JUDGED}, {_DUE}, 0) AS due,
           if(isNull(claimed_paid), 0, assumeNotNull(claimed_paid) + assumeNotNull(claimed_returned)) AS handed,
           if({OWN_STAKE}, 1, 0) AS own, dealer, passage, settled_at_us, arrayElement(seqs, -1) AS seq
    FROM settlements_current
    WHERE {_DAYS} AND verdict IN ('overpaid', 'underpaid', 'unsettled')
    ORDER BY session, settled_at_us, round, bet
"""
"""The bets that were not paid as the rules say, one by one."""

OWN_BETS: Final = f"""
    SELECT DISTINCT session AS session, bet AS bet
    FROM settlements_current
    WHERE {_DAYS} AND {OWN_STAKE}
    ORDER BY session, bet
"""

LEFT_LYING: Final = f"""
    SELECT DISTINCT session AS session, bet AS bet
    FROM settlements_current
    WHERE {_DAYS} AND isNull(claimed_paid)
      AND (verdict = 'open'
           OR verdict = 'unverifiable' AND game NOT IN ({{lasting_stakes:Games}})
              AND (session, round) IN (SELECT session, round FROM rounds_current WHERE {_DAYS} AND verifiable = 1))
    ORDER BY session, bet
"""
"""Stakes that were never decided and never touched, in rounds that lack nothing: they are in nobody's tray."""

HANDED_BESIDE: Final = f"""
    SELECT session, seq, max(visitParamExtractInt(raw, 'paid')) + max(visitParamExtractInt(raw, 'returned')) AS handed
    FROM events_current
    WHERE {_DAYS} AND type = 'bet_settled'
      AND (session, seq) IN (
          SELECT session, seq FROM findings_current
          WHERE {_DAYS} AND code IN ('settled_twice', 'unknown_bet')
      )
    GROUP BY session, seq
    ORDER BY session, seq
"""
"""Chips handed over for a bet that had been settled already, or was never placed."""

CHIPS: Final = f"""
    SELECT session, sum(if(movement = 'cash_in', amount, 0)) AS cash_in,
           sum(if(movement = 'cash_out', amount, 0)) AS cash_out,
           sum(if(movement = 'marker_issued', amount, 0)) AS markers,
           sum(if(movement = 'marker_paid', amount, 0)) AS markers_paid,
           sum(if(movement = 'marker_paid' AND form = 'chips', amount, 0)) AS markers_in_chips,
           sum(if(movement = 'promo_taken', amount, 0)) AS promo
    FROM cage_current
    WHERE {_DAYS} AND movement IN ('cash_in', 'cash_out', 'marker_issued', 'marker_paid', 'promo_taken')
    GROUP BY session
    ORDER BY session
"""
"""Money and chips that came and went over each table, in sums."""

CASH_OF_PLAYERS: Final = f"""
    SELECT casino, currency, player, sum(if(movement = 'cash_out', 0, amount)) AS cash_in,
           sum(if(movement = 'cash_out', amount, 0)) AS cash_out, count() AS times
    FROM cage_current
    WHERE {_DAYS} AND player != ''
      AND (movement IN ('cash_in', 'cash_out') AND form IN ('', 'cash') OR movement = 'marker_paid' AND form = 'cash')
    GROUP BY casino, currency, player
    ORDER BY casino, currency, player
"""
"""What each player (a pseudonym) brought and took away in cash, at all tables of a house."""

FEES: Final = f"""
    SELECT session, seq, amount FROM cage_current
    WHERE {_DAYS} AND movement = 'fee_taken'
    ORDER BY session, seq
"""
"""What seats paid the house from their own chips."""

WRONG_FEES: Final = f"""
    SELECT session, seq, sum(ifNull(amount, 0)) AS off
    FROM findings_current
    WHERE {_DAYS} AND code = 'wrong_rake' AND seat >= 0
    GROUP BY session, seq
    ORDER BY session, seq
"""

UNJUDGED_MONEY: Final = f"""
    SELECT session, seq, round, type, visitParamExtractString(raw, 'bet') AS bet,
           visitParamExtractInt(raw, 'amount') + visitParamExtractInt(raw, 'by') AS laid,
           visitParamExtractInt(raw, 'paid') + visitParamExtractInt(raw, 'returned') AS handed,
           visitParamExtractInt(raw, 'seat') AS seat, visitParamExtractString(raw, 'wager') AS wager
    FROM events_current
    WHERE {_DAYS} AND type IN ('bet_placed', 'bet_raised', 'bet_withdrawn', 'bet_settled')
      AND session IN (
          SELECT session FROM settlements_current WHERE {_DAYS} AND verdict IN ('unverifiable', 'open')
      )
      AND session NOT IN (SELECT session FROM sessions_current WHERE {_DAYS} AND game IN ({{pots:Games}}))
      AND (session, seq, visitParamExtractString(raw, 'bet')) NOT IN (
          SELECT session, arrayJoin(seqs), bet FROM settlements_current
          WHERE {_DAYS} AND verdict NOT IN ('unverifiable', 'open')
      )
      AND (session, seq) NOT IN (
          SELECT session, seq FROM findings_current
          WHERE {_DAYS} AND code IN ('duplicate_bet', 'late_withdrawal', 'withdrawal_not_allowed', 'settled_twice',
                                     'unknown_bet', 'bad_throw_counted', 'conflicting_event')
      )
    ORDER BY session, seq
"""
"""The stakes and claims on which no judged bet rests, as the tables' own events tell them."""

UNJUDGED_POTS: Final = f"""
    SELECT session, round,
           sum(if({_JUDGED}, stake - if(isNull(claimed_paid), {_DUE},
               assumeNotNull(claimed_paid) + assumeNotNull(claimed_returned)), 0)) AS judged
    FROM settlements_current
    WHERE {_DAYS} AND game IN ({{pots:Games}})
      AND (session, round) IN (
          SELECT session, round FROM settlements_current
          WHERE {_DAYS} AND game IN ({{pots:Games}}) AND verdict IN ('unverifiable', 'open')
      )
    GROUP BY session, round
    ORDER BY session, round
"""
"""The hands for pots that hold a bet which cannot be judged, and what the judged bets of them left behind."""

CUTS_TAKEN: Final = f"""
    SELECT session, round, sum(amount) AS taken
    FROM (
        SELECT session, seq, amount FROM cage_current
        WHERE {_DAYS} AND movement IN ('rake_taken', 'commission_taken')
    ) AS cuts
    ANY LEFT JOIN (
        SELECT session, seq, max(round) AS round FROM events_current
        WHERE {_DAYS} AND type IN ('rake_taken', 'commission_taken')
        GROUP BY session, seq
    ) AS events
    USING (session, seq)
    GROUP BY session, round
    ORDER BY session, round
"""
"""Rake and commission that went from the tray to the box, round by round."""

CUTS_DUE: Final = f"""
    SELECT session, round,
           sum(if({_JUDGED}, stake - {_DUE}, 0)) AS left_behind,
           sum(if({_JUDGED} AND NOT {OWN_STAKE} AND assumeNotNull(paid) > 0, stake - assumeNotNull(paid), 0)) AS kept,
           countIf(wager = 'bank') AS banks,
           countIf(verdict IN ('unverifiable', 'open')) AS unjudged
    FROM settlements_current
    WHERE {_DAYS} AND game IN ({{reports_cut:Games}})
    GROUP BY session, round
    ORDER BY session, round
"""
"""What the rules leave to the house of each round: all that is left behind where the players play against each other
or against a bank of theirs, else what is kept of the winners' pay."""

THEORY: Final = f"""
    SELECT session, wager, pick, sum(bets) AS count_of, sum(laid) AS staked, sum(won) AS win,
           sum(intDiv(laid * laid, 1000000)) AS squares_high, sum(modulo(laid * laid, 1000000)) AS squares_low
    FROM (
        SELECT session, round, wager, pick, if(game IN ({{one_result:Games}}), 0, seat) AS place, count() AS bets,
               sum(stake) AS laid, sum(stake - {_DUE}) AS won
        FROM settlements_current
        WHERE {_DAYS} AND {_JUDGED} AND stake > 0 AND NOT {OWN_STAKE}
          AND (session, bet) NOT IN (
              SELECT session, bet FROM findings_current WHERE {_DAYS} AND kind = 'procedure' AND bet != ''
          )
          AND (session, round) NOT IN (
              SELECT session, round FROM findings_current WHERE {_DAYS} AND code = 'round_voided'
          )
        GROUP BY session, round, wager, pick, place
    ) AS together
    GROUP BY session, wager, pick
    ORDER BY session, wager, pick
"""
"""Judged bets without a procedure finding: stakes, the win that the rules give, the squares of what wins together."""

OPENINGS: Final = f"""
    SELECT session, max(raw) AS raw FROM events_current
    WHERE {_DAYS} AND seq = 1 AND type = 'table_opened'
    GROUP BY session
    ORDER BY session
"""
"""How each table was opened: its options and decks, on which odds may hang. A copy of an event is the same event, so
that the copies need not be merged first: that would read all events of the year."""

WRONGLY_PAID: Final = """
    SELECT casino, currency, {key} AS name,
           sum(if(verdict = 'overpaid', difference, 0)) AS overpaid, countIf(verdict = 'overpaid') AS times_over,
           sum(if(verdict = 'underpaid', -difference, 0)) AS underpaid, countIf(verdict = 'underpaid') AS times_under,
           count() AS bets
    FROM settlements_current
    WHERE gaming_day BETWEEN {first:Date} AND {last:Date}
    GROUP BY casino, currency, name
    ORDER BY casino, currency, name
"""
"""Overpaid and underpaid by `WRONGLY_PAID_BY`."""
WRONGLY_PAID_BY: Final = {"games": "game", "dealers": "dealer", "hours": "intDiv(settled_at_us, 3600000000)"}

ROUNDS: Final = f"""
    SELECT session, count() AS rounds_told, countIf(verifiable = 0) AS unverifiable,
           countIf(sealed = 0 AND closed_seq > 0) AS unsealed, countIf(closed_seq = 0) AS still_open
    FROM rounds_current
    WHERE {_DAYS}
    GROUP BY session
    ORDER BY session
"""

WATCHED: Final = f"""
    SELECT session, casino, `table`, game, process, argMax(code, seq) AS bets_on, argMax(observations, seq) AS seen,
           argMax(e_milli, seq) AS won, argMax(alarm_milli, seq) AS needed, argMax(state, seq) AS stands
    FROM streaks_current
    WHERE {_DAYS}
    GROUP BY session, casino, `table`, game, process
    ORDER BY won - needed DESC, `table`, session, process
"""
"""The processes that watch for streaks, those nearest to an alarm first: the last reading of each. What they have won
and what an alarm needs are thousandths of a power of ten."""

NOWHERE: Final = "SELECT count() AS lines FROM rejected_current WHERE session = ''"
"""Rejected lines that do not even name a session: of whichever night."""

FINDINGS: Final = f"""
    SELECT session, casino, pit, `table`, game, currency, round, seq, code, subject, kind, severity, seat, bet, player,
           dealer, amount, passage, text, at_us
    FROM findings_current
    WHERE {_DAYS}
    ORDER BY at_us, session, seq, code, subject
"""
