"""Why the win that was counted is not the win that the rules give: each finding and each bet that made the difference.

A line's ``amount`` is what its cause did to the house's win: negative where it handed over what it need not have. What
was counted less the rules' win less all lines is what nothing in the log explains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from typing import Any, Final

from dashboards.nightly.queries import Record

CAUSES: Final = (
    "overpaid",
    "underpaid",
    "unsettled",
    "settled_twice",
    "unknown_bet",
    "wrong_fee",
    "goodwill_paid",
    "cash_out",
    "unverifiable",
)

_OF_A_LINE: Final = ("session", "casino", "pit", "table", "game", "currency")


def trace(
    sessions: Mapping[str, Record],
    asked: Mapping[str, list[Record]],
    *,
    findings: Iterable[Record],
    fees: Mapping[str, Counter[int]],
    pots: Container[str],
) -> list[Record]:
    """All lines of the sessions, in the order of `CAUSES` within each. ``asked``: the answers to `queries` by name;
    ``fees``: how often each amount was charged as a seat's fee, by session; ``pots``: the games that are played for
    pots."""
    findings = list(findings)
    told: dict[tuple[str, str, str, int], Record] = {}
    by_event: dict[tuple[str, int, str], Record] = {}
    for finding in findings:
        told[finding["session"], finding["code"], finding["bet"], finding["round"]] = finding
        by_event[finding["session"], finding["seq"], finding["code"]] = finding
    lines: list[Record] = []
    for bet in asked["WRONG_BETS"]:
        if bet["own"]:
            continue
        by_bet = told.get((bet["session"], bet["verdict"], bet["bet"], bet["round"]), {})
        finding = by_event.get((bet["session"], bet["seq"], bet["verdict"]), by_bet)
        amount = bet["due"] if bet["verdict"] == "unsettled" else -bet["difference"]
        lines.append(_line(bet, bet["verdict"], amount, {**finding, **bet}))
    lines += _handed_beside(asked, by_event)
    lines += [
        _line(finding, "goodwill_paid", -finding["amount"], finding)
        for finding in findings
        if finding["code"] == "goodwill_paid"
    ]
    lines += [_line(row, "cash_out", row["cash_out"], {}) for row in asked["CHIPS"] if row["cash_out"]]
    lines += _wrong_fees(asked["WRONG_FEES"], asked["FEES"], fees, by_event)
    left = {(row["session"], row["bet"]) for row in asked["LEFT_LYING"]}
    lines += _unjudged_bets(sessions, asked["UNJUDGED_MONEY"], left)
    lines += _unjudged_pots(sessions, asked, pots)
    for line in lines:
        line |= {name: sessions[line["session"]][name] for name in _OF_A_LINE}
    lines.sort(
        key=lambda line: (line["table"], line["session"], CAUSES.index(line["cause"]), line["round"], line["seq"])
    )
    return lines


def _line(row: Record, cause: str, amount: int, about: Mapping[str, Any]) -> Record:
    return {
        **dict.fromkeys(_OF_A_LINE, ""),
        "session": row["session"],
        "cause": cause,
        "round": about.get("round", 0),
        "seat": about.get("seat", -1),
        "bet": about.get("bet", ""),
        "seq": about.get("seq", 0),
        "dealer": about.get("dealer", ""),
        "amount": amount,
        "bets": about.get("bets", 1),
        "text": about.get("text", ""),
        "passage": about.get("passage", ""),
    }


def _handed_beside(
    asked: Mapping[str, list[Record]], by_event: Mapping[tuple[str, int, str], Record]
) -> Iterable[Record]:
    """Chips for a bet that was settled already, or that nobody had placed; the house's own cost it nothing.

    A second settlement that alone is what was due, after a first that was not, puts the first right: what was handed
    over then was taken back.
    """
    wrong = {(row["session"], row["round"], row["bet"]): row for row in asked["WRONG_BETS"]}
    own = {(row["session"], row["bet"]) for row in asked["OWN_BETS"]}
    for row in asked["HANDED_BESIDE"]:
        for code in ("settled_twice", "unknown_bet"):
            finding = by_event.get((row["session"], row["seq"], code))
            if finding is None or (row["session"], finding["bet"]) in own:
                continue
            first = wrong.get((row["session"], finding["round"], finding["bet"]))
            back = 0 if first is None or first["due"] != row["handed"] else first["handed"]
            yield _line(row, code, back - row["handed"], finding)


def _wrong_fees(
    wrong: Iterable[Record],
    taken: Iterable[Record],
    fees: Mapping[str, Counter[int]],
    by_event: Mapping[tuple[str, int, str], Record],
) -> Iterable[Record]:
    """Fees of seats that were not due, or not so: the finding says by how much, the usual fee which way."""
    charged = {(row["session"], row["seq"]): row["amount"] for row in taken}
    for row in wrong:
        amount = charged.get((row["session"], row["seq"]))
        if amount is None:
            continue
        off = row["off"]
        usual = fees[row["session"]].most_common(1)[0][0]
        if amount != off and amount < usual:
            off = -off
        yield _line(row, "wrong_fee", off, by_event.get((row["session"], row["seq"], "wrong_rake"), {}))


def _unjudged_bets(
    sessions: Mapping[str, Record], events: Iterable[Record], left_lying: Container[tuple[str, str]]
) -> Iterable[Record]:
    """What bets that cannot be verified brought by the table's own events: stakes less what was handed over. A stake
    that nothing was done with counts as taken, unless it was left lying undecided."""
    lying: dict[tuple[str, str], int] = {}
    own: set[tuple[str, str]] = set()
    brought: dict[tuple[str, int], list[int]] = {}
    """By session and round: what it brought, how many bets were placed, the first event."""
    where: dict[tuple[str, str], list[int]] = {}
    for event in events:
        key = (event["session"], event["bet"])
        kind = event["type"]
        if kind == "bet_placed" and event["seat"] == 0 and event["wager"] != "bank":
            own.add(key)
        if key in own:
            continue
        amount = 0
        if kind in ("bet_placed", "bet_raised"):
            amount = event["laid"]
            lying[key] = lying.get(key, 0) + amount
        elif kind == "bet_withdrawn" and key in lying:
            amount = -(event["laid"] or lying[key])
            lying[key] += amount
        elif kind == "bet_settled":
            amount = -event["handed"]
            lying.pop(key, None)
        sums = brought.setdefault((event["session"], event["round"]), [0, 0, event["seq"]])
        sums[0] += amount
        sums[1] += kind == "bet_placed"
        where[key] = sums
    for key, amount in lying.items():
        if key in left_lying:
            where[key][0] -= amount
    for (session, number), (amount, bets, seq) in brought.items():
        if session in sessions:
            yield _line({"session": session}, "unverifiable", amount, {"round": number, "bets": bets, "seq": seq})


def _unjudged_pots(
    sessions: Mapping[str, Record], asked: Mapping[str, list[Record]], pots: Container[str]
) -> Iterable[Record]:
    """Hands for pots that cannot be verified: the house has what was taken of these."""
    taken = {(row["session"], row["round"]): row["taken"] for row in asked["CUTS_TAKEN"]}
    judged = {(row["session"], row["round"]): row["judged"] for row in asked["UNJUDGED_POTS"]}
    seen = {(row["session"], row["round"]) for row in asked["CUTS_DUE"]}
    for key in taken.keys() - seen:
        judged[key] = 0  # a hand of which no bet was seen
    for session, number in sorted(judged):
        if session in sessions and sessions[session]["game"] in pots:
            amount = taken.get((session, number), 0) - judged[session, number]
            yield _line({"session": session}, "unverifiable", amount, {"round": number, "bets": 0})
