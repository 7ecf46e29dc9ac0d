"""The figures of a gaming day, from SQL on the store: what every page, CSV and JSON of the report is made of."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any, Final

from dashboards.nightly import queries
from dashboards.nightly.columns import SCOPES
from dashboards.nightly.failing import FAILED, Failures
from dashboards.nightly.investigating import investigations
from dashboards.nightly.queries import Record
from dashboards.nightly.statements import BROKEN, statements
from dashboards.nightly.theory import PriceList, Theory, percent, theory_of, unpriced
from dashboards.nightly.titles import titles_of
from dashboards.nightly.tracing import trace
from dashboards.stated import games_with, with_games
from replay.packs import Packs
from replay.streaks.jurisdictions import Jurisdiction, jurisdiction

Query = Callable[[str, Mapping[str, Any]], list[dict[str, Any]]]
"""Answers SQL with rows as dictionaries, as `streams.store.Store.query` does."""

FORMAT: Final = 1
"""Rises when a figure changes its name or meaning."""
SEEN_DAYS: Final = 7
"""A table that was open in so many days before, and is not today, is named."""

_ASKED: Final = (
    "WRONG_BETS",
    "OWN_BETS",
    "LEFT_LYING",
    "HANDED_BESIDE",
    "CHIPS",
    "FEES",
    "WRONG_FEES",
    "UNJUDGED_MONEY",
    "UNJUDGED_POTS",
    "CUTS_TAKEN",
    "CUTS_DUE",
    "ROUNDS",
    "FINDINGS",
    "WATCHED",
)
"""What is asked of the day alone."""
_ASKED_OF_PAST: Final = ("SESSIONS", "COUNTED", "PLAY", "FEES", "WRONG_FEES", "THEORY", "OPENINGS")
"""What is asked once of all days that the report has sums of."""
_PLACEHOLDER: Final = re.compile(r"\{(\w+):Date\}")

UNEXPLAINED: Final = ("unexplained", "unexplained_over", "unexplained_under")
"""Net; and gross, for what is over at some tables does not make good what is missing at others."""
_SUMMED: Final = (
    *("float_open", "float_close", "fills", "credits", "drop", "win", "win_by_rules", "difference"),
    *("traced", "unverifiable", *UNEXPLAINED, "rounds", "bets", "staked", "overpaid", "underpaid"),
)


def gather(query: Query, day: date, packs: Packs, jurisdictions: Iterable[str] = ()) -> dict[str, Any]:
    """All figures of ``day``: dictionaries, lists, text and whole numbers (money in minor units), ready for JSON.

    ``packs``: the regulations that the tables are played under; ``jurisdictions``: whose thresholds of investigation
    the win is held against. ``heads`` is for whoever has the floor's log at hand: the ``last`` night before that has a
    head, and which of them are ``not_witnessed``. Raises `replay.rules.RuleError` for a jurisdiction that is not known.
    Where retally itself fails on a table, ``failures`` has it, and the rest is there.
    """
    places = [jurisdiction(name) for name in jurisdictions]
    failures = Failures()
    past = _Past(query, min(day.replace(month=1, day=1), _rolling(day)[0]), day, packs, failures)
    asked = {name: _ask(query, getattr(queries, name), day, day) for name in _ASKED}
    tables = past.table_days(day, day)
    night = _night(tables, asked, failures)
    failed = failures.of(day.isoformat(), day.isoformat())
    for row in tables:
        row["failed"] = any(failure["session"] == row["session"] for failure in failed)
    week = day - timedelta(days=SEEN_DAYS), day - timedelta(days=1)
    absent = query(queries.LAST_SEEN, {"first": week[0], "before": week[1], "day": day})
    findings = [{**row, "at": _moment(at_us)} for row in map(dict, asked["FINDINGS"]) for at_us in [row.pop("at_us")]]
    figures: dict[str, Any] = {
        "format": FORMAT,
        "day": day.isoformat(),
        "state": _state(tables, absent, failed),
        "failures": failed,
        "late": _late(tables, absent),
        "titles": past.titles(),
        "sessions": tables,
        "scopes": _scopes(tables, past.theory),
        "trace": night["trace"],
        "wagers": past.wagers({row["session"] for row in tables}),
        "periods": {
            "month": past.period(day.replace(day=1), day),
            "year": past.period(day.replace(month=1, day=1), day),
        },
        "wrongly_paid": {name: _wrongly_paid(query, name, key, day) for name, key in queries.WRONGLY_PAID_BY.items()},
        "cuts": night["cuts"],
        "trays": night["trays"],
        "floats": _floats(past, day),
        "cash": [_cash(table, row) for table in tables for row in asked["CHIPS"] if row["session"] == table["session"]],
        "cash_of_players": _cash_of_players(_ask(query, queries.CASH_OF_PLAYERS, day, day), places),
        "log": _log(tables, asked["ROUNDS"]),
        "heads": None,
        "lines_that_name_no_session": query(queries.NOWHERE, {})[0]["lines"],
        "streaks": [row for row in findings if row["kind"] == "streak"],
        "watched": asked["WATCHED"],
        "codes": _codes(asked["FINDINGS"]),
        "findings": findings,
    }
    figures["investigations"] = _investigations(query, past, day, places)
    figures["statements"] = statements(figures)
    return figures


def required(query: Query, day: date, packs: Packs, jurisdictions: Iterable[str]) -> list[dict[str, str]]:
    """What ``jurisdictions`` require to be investigated on ``day``, each with its ``jurisdiction``, ``passage`` and
    ``text``, as the report of that day has it. Raises `replay.rules.RuleError` for one that is not known."""
    places = [jurisdiction(name) for name in jurisdictions]
    if not places:
        return []
    past = _Past(query, min(day.replace(day=1), _rolling(day)[0]), day, packs, Failures())
    told = _investigations(query, past, day, places)
    return [{"jurisdiction": place["jurisdiction"], **found} for place in told for found in place["found"]]


def _ask(query: Query, sql: str, first: date, last: date) -> list[Record]:
    bounds = {"first": first, "last": last}
    sql = with_games(sql)
    return query(sql, {name: bounds[name] for name in set(_PLACEHOLDER.findall(sql))})


def _moment(at_us: int) -> str:
    """ISO, UTC, whole seconds; empty where it is not known."""
    return datetime.fromtimestamp(at_us // 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if at_us else ""


def _rolling(day: date) -> tuple[date, date]:
    """The thirty days that end with this one."""
    return day - timedelta(days=29), day


class _Past:
    """All table-days of a span of days, asked of the store once: day, month, year and rolling sums are made of them."""

    def __init__(self, query: Query, first: date, last: date, packs: Packs, failures: Failures) -> None:
        asked = {name: _ask(query, getattr(queries, name), first, last) for name in _ASKED_OF_PAST}
        self._packs = packs
        self._failures = failures
        self._tables = _tables(asked["SESSIONS"], asked)
        self.theory, self._wagers = _theory(packs, self._tables, asked["THEORY"], asked["OPENINGS"], failures)
        """The worth of each session's bets."""

    def titles(self) -> dict[str, dict[str, Any]]:
        """What the games of these days are called."""
        return titles_of(self._packs, self._tables)

    def table_days(self, first: date, last: date) -> list[Record]:
        """The table-days from ``first`` to ``last``."""
        span = first.isoformat(), last.isoformat()
        return [row for row in self._tables if span[0] <= row["day"] <= span[1]]

    def wagers(self, sessions: Container[str]) -> list[Record]:
        """The wagers of these sessions in sums, with why they are compared or not."""
        names = ("casino", "game", "rules", "currency", "wager", "reason", "assumes")
        summed: dict[tuple[str, ...], Record] = {}
        for line in self._wagers:
            if line["session"] not in sessions:
                continue
            key = tuple(line[name] for name in names)
            row = summed.setdefault(key, {**dict(zip(names, key, strict=True)), "bets": 0, "staked": 0})
            row["bets"] += line["bets"]
            row["staked"] += line["staked"]
        return [summed[key] for key in sorted(summed)]

    def period(self, first: date, last: date) -> dict[str, Any]:
        """Sums from ``first`` to ``last``; the difference is not traced here: each night's report did that."""
        tables = self.table_days(first, last)
        scopes = _scopes(tables, self.theory)
        for rows in scopes.values():
            for row in rows:
                for name in ("traced", "unverifiable", *UNEXPLAINED):
                    del row[name]
        return {
            "first": first.isoformat(),
            "last": last.isoformat(),
            "days": len({row["day"] for row in tables}),
            "incomplete": [
                {"day": row["day"], "table": row["table"], "problem": row["problem"]}
                for row in tables
                if row["problem"]
            ],
            "without_odds": [
                {"day": row["day"], "table": row["table"], "error": row["error"]}
                for row in self._failures.of(first.isoformat(), last.isoformat())
                if row["work"] == "odds"
            ],
            "scopes": scopes,
        }


# --- table-days ---------------------------------------------------------------------------------------------------


def _tables(sessions: Iterable[Record], asked: Mapping[str, list[Record]]) -> list[Record]:
    """Each session with its bets in sums, its win as counted and as the rules give it, and whether it is complete."""
    counted = {row["session"] for row in asked["COUNTED"]}
    play = {row["session"]: row for row in asked["PLAY"]}
    fees = _fees_due(asked["FEES"], asked["WRONG_FEES"])
    nothing = dict.fromkeys(
        ("bets", "staked", "win_of_bets", "overpaid", "underpaid", "win_of_wrong_pay", "win_of_unsettled", "unsettled",
         "unjudged", "unjudged_staked"), 0
    )  # fmt: skip
    tables = []
    for told in sessions:
        row = {**told, **nothing, **play.get(told["session"], {})}
        row["fees_due"] = fees.get(row["session"], 0)
        row["findings"] = 0
        row["problem"] = (
            "still_open" if row["state"] != "closed" else "" if row["session"] in counted else "drop_not_counted"
        )
        row["opened_at"], row["closed_at"] = _moment(row.pop("opened_at_us")), _moment(row.pop("closed_at_us"))
        row["win"] = row["drop"] + row["float_close"] + row["credits"] - row["float_open"] - row["fills"]
        row["win_by_rules"] = row.pop("win_of_bets") + row["fees_due"]
        row["difference"] = row["win"] - row["win_by_rules"]
        row["hold"] = percent(row["win"], row["drop"])
        tables.append(row)
    return tables


def _usual_fees(fees: Iterable[Record]) -> dict[str, Counter[int]]:
    usual: dict[str, Counter[int]] = {}
    for row in fees:
        usual.setdefault(row["session"], Counter())[row["amount"]] += 1
    return usual


def _fees_due(fees: list[Record], wrong: Iterable[Record]) -> dict[str, int]:
    """What seats owed the house, by session: what was taken of them, less what was wrong with it."""
    usual = _usual_fees(fees)
    due: Counter[str] = Counter()
    charged = {}
    for row in fees:
        due[row["session"]] += row["amount"]
        charged[row["session"], row["seq"]] = row["amount"]
    for row in wrong:
        amount = charged.get((row["session"], row["seq"]))
        if amount is not None:
            too_little = amount != row["off"] and amount < usual[row["session"]].most_common(1)[0][0]
            due[row["session"]] += row["off"] if too_little else -row["off"]
    return dict(due)


def _night(tables: Iterable[Record], asked: Mapping[str, list[Record]], failures: Failures) -> dict[str, list[Record]]:
    """What explains each table-day's difference (``trace``), its ``cuts`` and its ``trays``, in order of the tables;
    the difference of each is set against the lines that explain it."""
    pots, with_cut, among_players = games_with("pots"), games_with("reports_cut"), games_with("among_players")
    answers, nothing = _by_session(asked), {name: list[Record]() for name in asked}
    made: dict[str, list[Record]] = {"trace": [], "cuts": [], "trays": []}
    for table in tables:
        session, game = table["session"], table["game"]
        mine = answers.get(session, nothing)
        table["findings"] = len(mine["FINDINGS"])
        fees = _usual_fees(mine["FEES"])
        tracing = partial(trace, {session: table}, mine, findings=mine["FINDINGS"], fees=fees, pots=pots)
        lines = failures.tried(table, "trace", tracing)
        _account(table, lines)
        if lines is not None:
            made["trace"] += lines
            tray = failures.tried(table, "tray", partial(_tray, table, mine, lines))
            made["trays"] += [tray] if tray is not None else []
        if game in with_cut:
            cut = failures.tried(table, "cuts", partial(_cut, table, mine, game in among_players))
            made["cuts"] += [cut] if cut is not None else []
    made["trace"].sort(key=lambda line: (line["table"], line["session"]))
    return made


def _by_session(asked: Mapping[str, list[Record]]) -> dict[str, dict[str, list[Record]]]:
    """The answers to each query, session by session; of those that have one."""
    answers: dict[str, dict[str, list[Record]]] = {}
    for name, rows in asked.items():
        for row in rows:
            mine = answers.setdefault(row["session"], {each: [] for each in asked})
            mine[name].append(row)
    return answers


def _account(table: Record, lines: Iterable[Record] | None) -> None:
    """Set a table-day's difference against the lines that explain it; None: nobody knows, and it counts in no sum."""
    if lines is None:
        table |= dict.fromkeys(("traced", "unverifiable", *UNEXPLAINED))
        table["problem"] = table["problem"] or FAILED
        return
    table["traced"] = table["unverifiable"] = 0
    for line in lines:
        table["unverifiable" if line["cause"] == "unverifiable" else "traced"] += line["amount"]
    left = table["difference"] - table["traced"] - table["unverifiable"]
    table |= {"unexplained": left, "unexplained_over": max(left, 0), "unexplained_under": min(left, 0)}


def _theory(
    packs: Packs, tables: Iterable[Record], rows: Iterable[Record], openings: Iterable[Record], failures: Failures
) -> tuple[dict[str, Theory], list[Record]]:
    """The worth of each session's bets, and each session's wagers with why they are compared or not."""
    opened = {row["session"]: row["raw"] for row in openings}
    bets: dict[str, list[Record]] = {}
    for row in rows:
        bets.setdefault(row["session"], []).append(row)
    prices: _Prices = {}
    theory: dict[str, Theory] = {}
    wagers: list[Record] = []
    for table in tables:
        session = table["session"]
        mine = bets.get(session, [])
        working_out = partial(_worth, packs, table, opened.get(session), mine, prices)
        found = failures.tried(table, "odds", working_out)
        theory[session], lines = theory_of(mine, unpriced) if found is None else found
        about = {name: table[name] for name in ("session", "casino", "game", "rules", "currency")}
        wagers += [{**about, **line} for line in lines]
    return theory, wagers


_Prices = dict[tuple[str, str, bytes | None], PriceList | Exception]
"""What tables that are opened alike are priced by, or why they cannot be."""


def _worth(
    packs: Packs, table: Record, opening: bytes | None, bets: Iterable[Record], prices: _Prices
) -> tuple[Theory, list[Record]]:
    """The worth of one session's bets, and its wagers. Raises what making its prices raises."""
    key = (table["rules"], table["game"], _setup(opening))
    if key not in prices:
        try:
            prices[key] = PriceList(packs, table["rules"], table["game"], opening)
        except Exception as error:  # kept, so that it is not tried again for each table that is opened so
            prices[key] = error
    known = prices[key]
    if isinstance(known, Exception):
        raise known
    return theory_of(bets, known.price)


_SETUP: Final = re.compile(rb'"(?:options|decks)":(?:\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|\d+)')


def _setup(opening: bytes | None) -> bytes | None:
    """What of an opening odds may hang on, so that tables that are opened alike are priced once."""
    return None if opening is None else b",".join(_SETUP.findall(opening))


# --- pits, games, casinos -----------------------------------------------------------------------


def _scopes(tables: Iterable[Record], theory: Mapping[str, Theory]) -> dict[str, list[Record]]:
    """Sums of the complete table-days by everything in `SCOPES`."""
    complete = [row for row in tables if not row["problem"]]
    scopes: dict[str, list[Record]] = {}
    for scope, names in SCOPES.items():
        sums: dict[tuple[str, ...], Record] = {}
        worth: dict[tuple[str, ...], Theory] = {}
        for row in complete:
            key = tuple(row[name] for name in names)
            total = sums.setdefault(
                key, {**dict(zip(names, key, strict=True)), "table_days": 0, **dict.fromkeys(_SUMMED, 0)}
            )
            total["table_days"] += 1
            for name in _SUMMED:
                total[name] += row.get(name, 0)
            worth.setdefault(key, Theory()).add(theory[row["session"]])
        scopes[scope] = [
            {**sums[key], "hold": percent(sums[key]["win"], sums[key]["drop"]), **worth[key].figures()}
            for key in sorted(sums)
        ]
    return scopes


# --- late, missing ------------------------------------------------------------------------------------------------


def _late(tables: Iterable[Record], absent: Iterable[Record]) -> list[Record]:
    """Every table whose day is not whole: still open, drop not counted yet, or no session at all. Where retally itself
    failed the day may be whole; ``failures`` has that."""
    late = [
        {"casino": row["casino"], "pit": row["pit"], "table": row["table"], "game": row["game"],
         "session": row["session"], "problem": row["problem"], "last_seen": ""}
        for row in tables if row["problem"] not in ("", FAILED)
    ]  # fmt: skip
    late += [{**row, "session": "", "problem": "no_session", "last_seen": row["day"]} for row in absent]
    for row in late:
        row.pop("day", None)
    return late


def _state(tables: list[Record], absent: list[Record], failed: list[Record]) -> str:
    """``missing``: no session of that day; ``failed``: retally itself failed on some; ``late``: some are not whole;
    ``partial``: a table that was open in the days before has none; ``complete``."""
    if not tables:
        return "missing"
    if failed:
        return "failed"
    if any(row["problem"] for row in tables):
        return "late"
    return "partial" if absent else "complete"


# --- wrongly paid, cuts, trays, log -------------------------------------------------------------------------------


def _wrongly_paid(query: Query, name: str, key: str, day: date) -> list[Record]:
    rows = query(queries.WRONGLY_PAID.replace("{key}", key), {"first": day, "last": day})
    if name != "hours":
        return rows
    return [{**row, "name": _moment(row["name"] * 3_600_000_000)} for row in rows]


def _cut(table: Record, asked: Mapping[str, list[Record]], among_players: bool) -> Record:
    """A table's commission and rake: due by the rules, taken, and what the findings say about the rest. ``asked``: the
    answers of its session; ``among_players``: the players bank."""
    taken = {row["round"]: row["taken"] for row in asked["CUTS_TAKEN"]}
    due = {row["round"]: row for row in asked["CUTS_DUE"]}
    sums = dict.fromkeys(("due", "due_unreported", "taken", "taken_unjudged"), 0)
    for number in sorted({*taken, *due}):
        got, rules = taken.get(number), due.get(number)
        if rules is None or rules["unjudged"]:
            sums["taken_unjudged"] += got or 0
            continue
        owed = rules["left_behind"] if among_players or rules["banks"] else rules["kept"]
        if got is None and not among_players:
            sums["due_unreported"] += owed
            continue
        sums["due"] += owed
        sums["taken"] += got or 0
    return {
        **{name: table[name] for name in ("session", "casino", "pit", "table", "game", "currency")},
        **sums,
        "off": sums["taken"] - sums["due"],
        "fees_due": table["fees_due"],
        "fees_taken": sum(row["amount"] for row in asked["FEES"]),
        "findings": sum(row["code"] in ("wrong_commission", "wrong_rake") for row in asked["FINDINGS"]),
    }


def _tray(table: Record, asked: Mapping[str, list[Record]], lines: Iterable[Record]) -> Record:
    """The invariant of the tray: it changes by exchanges, bets taken and paid, fills and credits, and the house's cut
    alone. ``asked``, ``lines``: the answers and the trace of its session."""
    to_box = sum(row["taken"] for row in asked["CUTS_TAKEN"])
    fees = sum(row["amount"] for row in asked["FEES"])
    play = table["win_by_rules"] - table["fees_due"]
    play += sum(line["amount"] for line in lines if line["cause"] != "wrong_fee")
    exchanges = table["drop"] - to_box - fees
    expected = table["float_open"] + table["fills"] - table["credits"] - exchanges + play - to_box
    return {
        **{name: table[name] for name in ("session", "casino", "pit", "table", "game", "currency", "problem")},
        "float_open": table["float_open"],
        "fills": table["fills"],
        "credits": table["credits"],
        "exchanges": exchanges,
        "play": play,
        "cut": to_box,
        "expected": expected,
        "float_close": table["float_close"],
        "off": table["float_close"] - expected,
    }


def _floats(past: _Past, day: date) -> list[Record]:
    """The tables that were opened with another float than they were closed with the time before."""
    closed: dict[tuple[str, str, str], Record] = {}
    found = []
    for table in sorted(past.table_days(date.min, day), key=lambda row: (row["opened_at"], row["session"])):
        key = table["casino"], table["table"], table["currency"]
        before = closed.get(key)
        if before is not None and table["day"] == day.isoformat() and table["float_open"] != before["float_close"]:
            found.append(
                {
                    **{name: table[name] for name in ("session", "casino", "pit", "table", "game", "currency")},
                    "session_before": before["session"],
                    "float_close": before["float_close"],
                    "float_open": table["float_open"],
                    "off": table["float_open"] - before["float_close"],
                }
            )
        if table["state"] == "closed":
            closed[key] = table
        else:
            closed.pop(key, None)
    return found


def _cash(table: Record, chips: Record) -> Record:
    """What a table's players brought and took away, and the drop that it lets expect: the money that went into the box
    and the markers that were signed, less those that were paid with chips. Promotional chips are worth nothing there;
    money that is paid for chips comes from elsewhere."""
    expected = chips["cash_in"] + chips["markers"] - chips["markers_in_chips"]
    return {
        **{name: table[name] for name in ("session", "casino", "pit", "table", "game", "currency")},
        **{name: chips[name] for name in ("cash_in", "cash_out", "markers", "markers_paid", "promo")},
        "drop_expected": expected,
        "drop": table["drop"] if not table["problem"] else None,
        "off": table["drop"] - expected if not table["problem"] else None,
    }


def _cash_of_players(rows: Iterable[Record], places: Iterable[Jurisdiction]) -> list[Record]:
    """The players whose cash of the day, in or out, comes to a threshold of one of the ``places``: a line for each."""
    return [
        {**row, "jurisdiction": place.name, "threshold": each.name, "passage": each.passage}
        for row in rows
        for place in places
        for each in place.cash
        if each.currency == row["currency"] and max(row["cash_in"], row["cash_out"]) >= each.least
    ]


def _log(tables: Iterable[Record], rounds: Iterable[Record]) -> list[Record]:
    told = {row["session"]: row for row in rounds}
    log = []
    for table in tables:
        about = told.get(table["session"], {})
        log.append(
            {
                **{name: table[name] for name in ("session", "casino", "pit", "table", "game", "state")},
                **{name: table[name] for name in ("opened_at", "closed_at", "events", "rounds", "gaps", "conflicts")},
                **{name: table[name] for name in ("duplicates", "rejected", "checkpoints_good", "checkpoints_bad")},
                "rounds_unverifiable": about.get("unverifiable", 0),
                "rounds_unsealed": about.get("unsealed", 0),
                "bets_unjudged": table["unjudged"],
                "whole": not any(table[name] for name in BROKEN),
            }
        )
    return log


def _codes(findings: Iterable[Record]) -> list[Record]:
    """How often each code was found, and the amounts that those findings name in sum."""
    names = ("kind", "code", "severity", "currency")
    rows: dict[tuple[str, ...], Record] = {}
    for finding in findings:
        key = tuple(finding[name] for name in names)
        row = rows.setdefault(key, {**dict(zip(names, key, strict=True)), "times": 0, "amount": 0})
        row["times"] += 1
        row["amount"] += finding["amount"] or 0
    return sorted(rows.values(), key=lambda row: (-row["times"], row["code"], row["severity"], row["currency"]))


def _investigations(query: Query, past: _Past, day: date, places: list[Jurisdiction]) -> list[Record]:
    """What each jurisdiction requires to be investigated of this month so far, and why."""
    if not places:
        return []
    first = day.replace(day=1)
    spans = {
        "year_before": (date(day.year - 1, 1, 1), date(day.year - 1, 12, 31)),
        "month_before": ((first - timedelta(days=1)).replace(day=1), first - timedelta(days=1)),
        "lifetime": (date(1970, 1, 2), day),
    }
    holds = {name: _ask(query, queries.HOLDS, *span) for name, span in spans.items()}
    month, rolling = past.period(first, day), past.period(*_rolling(day))
    return investigations(month["scopes"], rolling["scopes"], holds, places)
