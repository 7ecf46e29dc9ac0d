"""Short words for the events of blackjack and the triple games, and their re-tally, for the tests of all three."""

from __future__ import annotations

from tests.games.retold import fold_without, settle

CLOSED, END = "bets_closed", "round_closed"


def tables(game, rules="AD-2022"):
    """The two ways to re-tally a table of this game: `play` and `fold`."""
    opened = {"game": game, "rules": rules, "limits": {"min": 1000, "max": 50000}}

    def play(*events, **table):
        """Each bet's (paid, returned) or verdict, and the findings as (code, bet or seat)."""
        money, found = settle({**opened, **table}, events)
        said = [(f.code, f.bet or f.seat) if f.bet or f.seat is not None else (f.code,) for f in found]
        assert all(f.passage and f.text for f in found if f.code not in ("unknown_bet", "duplicate_bet"))
        return money, said

    def fold(events, missing=(), **table):
        """A log with holes: verdicts by round and bet, and the codes of the findings of the table."""
        return fold_without({**opened, **table}, events, missing)

    return play, fold


def stake(name, seat=1, amount=1000, wager="main", **more):
    return {"bet_placed": {"bet": name, "seat": seat, "wager": wager, "amount": amount, **more}}


def deal(card, to, hand=None, **more):
    """A card to a seat, to ``D`` the dealer, or to ``burn``."""
    where = {"seat": to} if isinstance(to, int) else {"to": "dealer" if to == "D" else to}
    if hand is not None:
        where["hand"] = hand
    return {"card_dealt": {"card": card, **where, **more}}


def cards(to, text, hand=None):
    return [deal(card, to, hand) for card in text.split()]


def call(choice, seat=1, hand=None):
    return {"decision": {"seat": seat, "choice": choice, **({} if hand is None else {"hand": hand})}}
