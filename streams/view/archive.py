"""What the pages ask a store, and the sessions that were folded last. One thread at a time; nothing is ever written."""

from __future__ import annotations

import datetime
from collections import OrderedDict
from collections.abc import Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any, Final

import msgspec

from replay import forensics
from replay.currencies import EXPONENTS, USUAL
from replay.forensics import Difference, Reel, Step
from replay.judging import Judging
from replay.order import Ordered
from replay.results import Finding, Kind, SessionSummary, Severity
from replay.revisions import identity
from replay.rules import GameRules, RuleError
from streams.sources import SourceError, StoreSource
from streams.store import Store
from streams.view.asked import Refused

PAGE: Final = 100
"""Rows of a search on a page."""
MAX_ROUNDS: Final = 500
"""Rounds of a session on a page."""
MAX_NIGHTS: Final = 400
_MAX_REELS: Final = 12
_MAX_KEPT_EVENTS: Final = 400_000
_MAX_ROUNDS_KEPT: Final = 60
_BESIDE_THE_FOLD: Final = frozenset({Kind.STREAK, Kind.EVIDENCE})
"""Findings that may rest on more than the session's own events: on other sessions, on keys, on the log's form."""


class Film:
    """A session as one rule pack judges it, with the steps of the rounds that were looked at last."""

    def __init__(self, name: str, reel: Reel, version: int, told: list[Finding], judged: str, own: str) -> None:
        self.name = name
        self.reel = reel
        self.version = version
        """How many events the store had of it."""
        self.judged = judged
        """The rule pack."""
        self.own = own
        """The rule pack that the table was opened under."""
        self._kept: OrderedDict[int, tuple[Step, ...]] = OrderedDict()
        self._told: dict[int, list[Finding]] = {}
        for finding in told:
            self._told.setdefault(finding.seq, []).append(finding)
        self.findings = sorted((*reel.told.findings, *told), key=lambda row: (row.seq, row.code, row.subject))
        """All that stand."""

    def steps(self, number: int) -> tuple[Step, ...]:
        """The steps of a round, or those between rounds."""
        if number not in self._kept:
            self._kept[number] = self.reel.steps(number)
            while len(self._kept) > _MAX_ROUNDS_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(number)
        return self._kept[number]

    def findings_at(self, step: Step) -> list[Finding]:
        """About a step: those of the fold (withdrawn ones too), and those that the store has beside it."""
        beside = [
            row for seq in range(step.seq, min(step.last_seq, step.seq + 99) + 1) for row in self._told.get(seq, ())
        ]
        return [*step.findings, *beside]


class Archive:
    """The store's nights, sessions, rounds, findings and settlements."""

    def __init__(self, store: Store, where: str, judging: Judging) -> None:
        """``judging``: the regulations that there are, and the gateways' public keys, without which signatures are not
        looked at again; by which pack a film is judged, it is asked for."""
        self._store = store
        self._source = StoreSource(store, where)
        self._judging = msgspec.structs.replace(judging, rules=None)
        self._films: OrderedDict[tuple[str, str], Film] = OrderedDict()
        self._differences: dict[tuple[str, str, int], list[Difference]] = {}
        self._titles: dict[tuple[str, str], str] = {}

    # --- lists ----------------------------------------------------------------------------------------------------

    def nights(self) -> list[dict[str, Any]]:
        """The gaming days, the last one first."""
        return self._store.query(
            "SELECT toString(gaming_day) AS day, count() AS tables, sum(rounds) AS played, sum(settlements) AS bets"
            f" FROM sessions_current GROUP BY gaming_day ORDER BY gaming_day DESC LIMIT {MAX_NIGHTS}"
        )

    def sessions(self, day: str) -> list[dict[str, Any]]:
        """A night's sessions, each with its findings by severity and what was paid too much or too little."""
        found = self._store.query(
            "SELECT session, `table`, pit, game, rules, currency, state, events, rounds, settlements, opened_at_us,"
            " closed_at_us, gaps, conflicts, rejected, checkpoints_good, checkpoints_bad"
            " FROM sessions_current WHERE gaming_day = {day:Date} ORDER BY `table`, session",
            {"day": day},
        )
        counted = self._store.query(
            "SELECT session, countIf(severity = 'severe') AS severe, countIf(severity = 'warning') AS warning,"
            " countIf(severity = 'notice') AS notice FROM findings_current WHERE gaming_day = {day:Date}"
            " GROUP BY session",
            {"day": day},
        )
        money = self._store.query(
            "SELECT session, sumIf(difference, difference > 0) AS over, sumIf(-difference, difference < 0) AS under"
            " FROM settlements_current WHERE gaming_day = {day:Date} GROUP BY session",
            {"day": day},
        )
        by_name = {row["session"]: row for row in found}
        for row in found:
            row |= {"severe": 0, "warning": 0, "notice": 0, "over": 0, "under": 0}
        for row in (*counted, *money):
            if row["session"] in by_name:
                by_name[row["session"]].update(row)
        return found

    def session(self, name: str) -> dict[str, Any]:
        """A session's own row; raises `Refused`."""
        found = self._store.query(
            "SELECT session, toString(gaming_day) AS day, casino, pit, `table`, game, rules, currency, state,"
            " opened_at_us, closed_at_us, events, rounds, settlements, gaps, conflicts, duplicates, rejected,"
            " checkpoints_good, checkpoints_bad FROM sessions_current WHERE session = {name:String}",
            {"name": name},
        )
        if not found:
            raise Refused(404, f"this store has no session {name}")
        return found[0]

    def rounds(self, name: str, start: int) -> tuple[list[dict[str, Any]], bool]:
        """A session's rounds from number ``start`` on, each with its worst finding; whether there are more."""
        found = self._store.query(
            "SELECT `round`, outcome, bets, staked, dealer, sealed, verifiable, opened_at_us, closed_seq"
            " FROM rounds_current WHERE session = {name:String} AND `round` >= {start:UInt32}"
            f" ORDER BY `round` LIMIT {MAX_ROUNDS + 1}",
            {"name": name, "start": start},
        )
        return found[:MAX_ROUNDS], len(found) > MAX_ROUNDS

    def round(self, name: str, number: int) -> dict[str, Any] | None:
        """One round's row, where the store has it."""
        found = self._store.query(
            "SELECT outcome, bets, staked, dealer, sealed, verifiable, closed_seq FROM rounds_current"
            " WHERE session = {name:String} AND `round` = {number:UInt32}",
            {"name": name, "number": number},
        )
        return found[0] if found else None

    def findings(self, name: str) -> list[Finding]:
        """A session's findings as the store has them, those of every kind."""
        return list(self._store.read(Finding, "session = {name:String}", {"name": name}))

    # --- the search -----------------------------------------------------------------------------------------------

    def search(self, what: str, asked: Mapping[str, Any], page: int) -> tuple[list[dict[str, Any]], bool]:
        """Findings, settlements or rounds that meet all that was asked; whether there are more."""
        sql, time, columns = _SEARCHES[what]
        own, conditions = _OWN[what], []
        values: dict[str, Any] = {}
        beside: dict[str, list[str]] = {}
        if "least" in asked or "most" in asked:
            bounds = _bounds(asked)
            within = (f"({column} >= {bounds[0]} AND {column} <= {bounds[1]})" for column in columns)
            conditions.append(f"({' OR '.join(within)})")
        for name, value in asked.items():
            if name in ("least", "most"):
                continue
            condition, type_ = _CONDITIONS[name]
            text = condition.format(time=time, value=f"{{{name}:{type_}}}")
            values[name] = value
            if name in own:
                conditions.append(text)
            else:
                beside.setdefault("findings" if name in ("code", "kind", "severity") else "settlements", []).append(
                    text
                )
        for table, texts in beside.items():
            pair = "(session, bet)" if {what, table} == {"findings", "settlements"} else "(session, `round`)"
            select = pair.strip("()")
            conditions.append(f"{pair} IN (SELECT {select} FROM {table}_current WHERE {' AND '.join(texts)})")
        where = " AND ".join(conditions) or "1"
        found = self._store.query(
            f"SELECT {sql} FROM {what}_current WHERE {where} ORDER BY {time} DESC, session, `round`"
            f" LIMIT {page * PAGE}, {PAGE + 1}",
            values,
        )
        return found[:PAGE], len(found) > PAGE

    # --- replays --------------------------------------------------------------------------------------------------

    def film(self, name: str, rules: str = "") -> Film:
        """A session judged by ``rules`` (empty: by the rules that its table was opened under); raises `Refused`."""
        version = self._version(name)
        known = self._films.get((name, rules))
        if known is not None and known.version == version:
            self._films.move_to_end((name, rules))
            return known
        try:
            film = self._folded(name, rules, version)
        except (SourceError, RuleError) as error:
            raise Refused(404 if isinstance(error, SourceError) else 400, str(error)) from None
        self._films[name, rules] = film
        while len(self._films) > 1 and (
            len(self._films) > _MAX_REELS or sum(len(kept.reel) for kept in self._films.values()) > _MAX_KEPT_EVENTS
        ):
            self._films.popitem(last=False)
        return film

    def _version(self, name: str) -> int:
        sql = "SELECT count() AS events FROM events_current WHERE session = {name:String}"
        return int(self._store.query(sql, {"name": name})[0]["events"])

    def _folded(self, name: str, rules: str, version: int) -> Film:
        own = self.film(name) if rules else None
        if own is not None:
            summary = own.reel.told.summary
            self._judging.packs.rules_for(rules, datetime.date.fromisoformat(summary.gaming_day), summary.game)
            if rules == own.own:
                return own
        ordered = Ordered(name, self._source.session(name), self._judging.keys)
        reel = Reel(name, ordered, msgspec.structs.replace(self._judging, rules=rules or None))
        told = reel.told
        if own is not None and told.summary.state == "open" and not told.settlements and own.reel.told.settlements:
            raise RuleError(f"session {name} cannot be judged by {rules}: {told.findings[0].text}")
        opened_under = own.own if own is not None else self._pack_of(told.summary.rules, told.summary)
        said = {identity(row) for row in told.findings}
        beside = [
            row
            for row in self.findings(name)
            if row.kind in _BESIDE_THE_FOLD and identity(row) not in said and not row.withdrawn
        ]
        return Film(name, reel, version, beside, rules or opened_under, opened_under)

    def differences(self, film: Film, number: int) -> list[Difference]:
        """What the film's rule pack makes of a round that the table's own does not."""
        if film.judged == film.own:
            return []
        own = self.film(film.name)
        key = (film.name, film.judged, film.version)
        if key not in self._differences:
            if len(self._differences) >= _MAX_REELS:
                self._differences.clear()
            self._differences[key] = forensics.differences(own.reel.told, film.reel.told)
        seqs = {step.seq for step in own.steps(number)}
        return [one for one in self._differences[key] if one.round == number or one.seq in seqs]

    # --- the regulations ------------------------------------------------------------------------------------------

    def _pack_of(self, named: str, summary: SessionSummary) -> str:
        """The pack that a table's ``rules`` (a pack or a jurisdiction) stand for; ``rules`` itself, where that is
        none."""
        try:
            day = datetime.date.fromisoformat(summary.gaming_day)
            return self._judging.packs.rules_for(named, day, summary.game).pack
        except (RuleError, ValueError):
            return named

    def game_rules(self, name: str, game: str) -> GameRules | None:
        """A pack's rules of a game, where it has them."""
        try:
            return self._judging.packs.game(name, game)
        except RuleError:
            return None

    def title(self, game: str, rules: str = "") -> str:
        """What a game is called: in English as the pack (or a pack of the jurisdiction) ``rules`` has it, else as
        another one has it; else what its regulation calls it; its id with blanks where no pack has it."""
        if (game, rules) not in self._titles:
            self._titles[game, rules] = self._title(game, rules)
        return self._titles[game, rules]

    def _title(self, game: str, rules: str) -> str:
        packs = [self._judging.packs.pack(name) for name in self.packs_for(game)]
        packs.sort(key=lambda pack: rules not in (pack.name, pack.jurisdiction))
        known = [found for pack in packs if (found := self.game_rules(pack.name, game)) is not None]
        in_english = (found.law.titles["en"] for found in known if "en" in found.law.titles)
        return next(in_english, known[0].title if known else game.replace("_", " "))

    def packs_for(self, game: str) -> list[str]:
        """The packs that have this game."""
        packs = self._judging.packs
        return [name for name in packs.names if game in packs.pack(name).games]


SEVERITIES: Final = tuple(one.value for one in reversed(Severity))
KINDS: Final = tuple(one.value for one in Kind)

_CONDITIONS: Final[dict[str, tuple[str, str]]] = {
    "day": ("gaming_day = {value}", "Date"),
    "session": ("session = {value}", "String"),
    "table": ("`table` = {value}", "String"),
    "game": ("game = {value}", "String"),
    "dealer": ("dealer = {value}", "String"),
    "player": ("player = {value}", "String"),
    "wager": ("wager = {value}", "String"),
    "verdict": ("verdict = {value}", "String"),
    "code": ("code = {value}", "String"),
    "kind": ("kind = {value}", "String"),
    "severity": ("severity = {value}", "String"),
    "from": ("{time} >= {value}", "Int64"),
    "to": ("{time} <= {value}", "Int64"),
}
"""What a search may be asked for beside amounts: a condition, and the type of its parameter."""
_EVERYWHERE: Final = frozenset({"day", "session", "table", "game", "dealer", "from", "to"})
_OWN: Final = {
    "findings": _EVERYWHERE | {"player", "code", "kind", "severity"},
    "settlements": _EVERYWHERE | {"player", "wager", "verdict"},
    "rounds": _EVERYWHERE,
}
"""What a table can answer itself; the rest is asked of the rows beside it: a round's bets, a bet's findings."""
_SEARCHES: Final = {
    "findings": (
        "session, toString(gaming_day) AS day, `table`, game, dealer, player, `round`, seq, seat, bet, code, kind,"
        " severity, amount, currency, passage, text, at_us",
        "at_us",
        ("ifNull(amount, -1)",),
    ),
    "settlements": (
        "session, toString(gaming_day) AS day, `table`, game, dealer, player, `round`, bet, seat, wager, pick, stake,"
        " paid, returned, claimed_paid, claimed_returned, verdict, difference, currency, passage, seqs,"
        " settled_at_us AS at_us",
        "settled_at_us",
        ("stake", "ifNull(paid, -1)", "ifNull(claimed_paid, -1)", "abs(difference)"),
    ),
    "rounds": (
        "session, toString(gaming_day) AS day, `table`, game, dealer, `round`, outcome, bets, staked, findings, sealed,"
        " verifiable, currency, opened_at_us AS at_us",
        "opened_at_us",
        ("staked",),
    ),
}
"""Columns, the time's, and those that hold amounts."""


def _bounds(asked: Mapping[str, Any]) -> tuple[str, str]:
    """The least and the most amount that was asked for, in minor units of a row's own currency, in SQL."""
    least, most = Decimal(asked.get("least", 0)), Decimal(asked.get("most", 10**13))

    def in_minor(amount: Decimal, rounding: str) -> str:
        of = {digits: amount.scaleb(digits).to_integral_value(rounding) for digits in {USUAL, *EXPONENTS.values()}}
        cases = (f"currency = '{code}', {of[digits]}" for code, digits in EXPONENTS.items())
        return f"multiIf({', '.join(cases)}, {of[USUAL]})"

    return in_minor(least, ROUND_CEILING), in_minor(most, ROUND_FLOOR)
