"""Chemin de fer at one table, in a few letters: what its tests share."""

from __future__ import annotations

from tests.games.retold import UNCLAIMED, settle

LIMITS = {"min": 1000, "bank": {"min": 1000, "max": 100000}}
TABLE = {"game": "chemin_de_fer", "rules": "AD-2025", "limits": LIMITS}


def play(*events, **table):
    """The re-tally without claims: each bet's (paid, returned) or verdict, and the findings as (code, bet or seat)."""
    money, found = settle({**TABLE, **UNCLAIMED, **table}, events)
    return money, [(each.code, each.seat if each.code == "illegal_decision" else each.bet) for each in found]


def bet(name, wager, amount, seat, pick=None):
    return {"bet_placed": {"bet": name, "seat": seat, "wager": wager, "amount": amount, "pick": pick}}


def bank(amount=5000, seat=1, name="bk"):
    return bet(name, "bank", amount, seat)


def punter(name, amount, seat, pick=None):
    return bet(name, "punter", amount, seat, pick)


def banco(name, amount, seat, pick=None):
    return bet(name, "banco", amount, seat, pick)


def say(seat, choice):
    return {"decision": {"seat": seat, "choice": choice}}


def deal(text):
    """Cards in the order of the shoe, ``P4`` to the player, ``BK`` to the banker, ``X9`` found face up; marks behind
    the rank: ``u`` turned up, ``d`` by the dealer, ``s`` stuck, ``f`` fault, ``b`` basket, ``t`` thrown."""
    voids = {"s": "stuck", "f": "fault", "b": "basket", "t": "thrown"}
    events = []
    for index, code in enumerate(text.split()):
        to = {"P": "player", "B": "banker", "X": "burn"}[code[0]]
        fields = {"card": code[1] + "SHDC"[index % 4], "to": to}
        for mark in code[2:]:
            fields.update({"void": voids[mark]} if mark in voids else {"up": True} if mark == "u" else {"by": "dealer"})
        events.append({"card_dealt": fields})
    return events


def coup(*steps, stakes=None, **options):
    """One coup against one punter in seat 2, the banker in seat 1; steps are cards or announcements. What the punter
    came to (won, lost, back) and the findings."""
    events = [*(stakes or (bank(), punter("p", 5000, 2))), "bets_closed"]
    for step in steps:
        events += deal(step) if isinstance(step, str) else [step]
    money, findings = play(*events, "round_closed", options=options)
    return {(5000, 5000): "won", (0, 0): "lost", (0, 5000): "back"}[money["p"]], findings


def banker_wins():
    return [*deal("P2 B9 P5 BK")]


def player_wins():
    return [*deal("P9 B2 PK B5")]


def tie():
    return [*deal("P3 B2 P4 B5")]


NULL = [{"card_dealt": {"card": "9H", "to": "player", "void": "stuck"}}]
HOLDER = 2
HOUSE = 1
