"""Hands of circle poker, written down shortly: for the tests of the game and of what is imported into it."""

from __future__ import annotations

from typing import Any, Final

from replay.results import Verdict
from tests.games.retold import scenario
from tests.installed import JUDGING

Events = list[Any]


def post(text: str) -> Events:
    """Forced bets: ``2 small_blind 100, 3 big_blind 200 all_in``."""
    events = []
    for part in text.split(","):
        seat, wager, amount, *rest = part.split()
        fields = {"bet": f"seat{seat}", "seat": int(seat), "wager": wager, "amount": int(amount)}
        events.append({"bet_placed": {**fields, **({"all_in": True} if rest else {})}})
    return events


def own(**hands: str) -> Events:
    """Own cards: ``own(s1="AH KD")``; in stud those face up are written ``+7C``."""
    return [
        {"card_dealt": {"card": card.lstrip("+"), "seat": int(seat[1:]), "up": card[0] == "+"}}
        for seat, cards in hands.items()
        for card in cards.split()
    ]


def acts(text: str) -> Events:
    """Decisions: ``1 raise 600 all_in, 2 fold, 3 draw 7C 8D``."""
    events = []
    for part in text.split(","):
        seat, choice, *rest = part.split()
        fields: dict[str, Any] = {"seat": int(seat), "choice": choice}
        if choice == "draw":
            fields["cards"] = rest
        else:
            fields["all_in"] = "all_in" in rest
            if rest and rest[0] != "all_in":
                fields["amount"] = int(rest[0])
        events.append({"decision": fields})
    return events


def board(cards: str, burn: str = "") -> Events:
    burnt = [{"card_dealt": {"card": card, "to": "burn"}} for card in burn.split()]
    return burnt + [{"card_dealt": {"card": card, "to": "community"}} for card in cards.split()]


def rake(amount: int, seat: int | None = None) -> Events:
    return [{"rake_taken": {"amount": amount, **({} if seat is None else {"seat": seat})}}]


def claim(text: str) -> Events:
    """Claims: ``seat1 1200 1200, seat2 0 0``."""
    events = []
    for part in text.split(","):
        bet, paid, returned = part.split()
        events.append({"bet_settled": {"bet": bet, "paid": int(paid), "returned": int(returned)}})
    return events


END: Events = ["round_closed"]


def settle(
    *parts: Events, chip_unit: int = 50, claims: bool = False, first: bool = False, **options: Any
) -> tuple[dict[str, Any], list[tuple[Any, ...]]]:
    """The re-tally: each seat's (paid, returned) or ``open``; the findings as (code, seat or bet, amount if any).

    Without ``claims`` no payout is compared; ``first`` keeps what was found when the table was opened.
    """
    table = {
        "game": "circle_poker",
        "rules": "AD-2022",
        "chip_unit": chip_unit,
        "settlement_claims": claims,
        "options": options,
    }
    outcome = scenario(table, parts).settle(JUDGING)
    money = {
        each.bet: "open" if each.verdict is Verdict.OPEN else (each.paid, each.returned) for each in outcome.settlements
    }
    findings = []
    for found in outcome.findings:
        subject = found.bet if found.bet else found.seat
        findings.append(tuple(part for part in (found.code, subject, found.amount) if part is not None))
    return money, sorted(findings, key=repr)


TABLE: Final[dict[str, Any]] = {"button": 1, "small_blind": 100, "big_blind": 200, "rake_percent": 0}
BLINDS: Final = post("2 small_blind 100, 3 big_blind 200")
THREE: Final = own(s2="KC 9D", s3="7S 6S", s1="AC AH")
FLOP: Final = board("2D TH JC", burn="4C")
TURN: Final = board("5C", burn="3C")
RIVER: Final = board("TD", burn="3D")
CHECKS: Final = acts("2 check, 3 check, 1 check")
LIMPS: Final = acts("1 call 200, 2 call 100, 3 check")
REST: Final = [*FLOP, *CHECKS, *TURN, *CHECKS, *RIVER, *CHECKS]
LOST: Final = (0, 0)


def hand(*parts: Events, **options: Any) -> tuple[dict[str, Any], list[tuple[Any, ...]]]:
    """Three seats, the button at 1, dealt; what follows is the test's."""
    return settle(BLINDS, THREE, *parts, **{**TABLE, **options})
