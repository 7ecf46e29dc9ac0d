"""What lies on a table, as its devices report it, and its events in words: what a replay shows beside the verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from replay.money import shown

Shown = dict[str, str | list[str]]
"""What lies on the table, by where it lies: ``{"seat 3": ["7H", "TS"], "dealer": ["KD"], "point": "6"}``. A card is its
code, and what is to be said of it after a blank (``"7H down"``); a list is things, a text is a state."""


class Tableau:
    """What a game's events themselves show, whatever the game: cards and tiles where they were dealt, the last throw,
    the ball, what has left the shoe, what players have said. Cleared when a round begins; the shoe when it is loaded.
    """

    def __init__(self) -> None:
        self._cards: dict[str, list[str]] = {}
        self._said: dict[str, str] = {}
        self._dice = ""
        self._ball = ""
        self._shoe = 0
        """Cards or tiles that have left it."""
        self._shoe_known = False
        self._cut = False

    def clear(self) -> None:
        """A round begins. The dice stay as they lie."""
        self._cards = {}
        self._said = {}
        self._ball = ""

    def see(self, event: Any, called: Mapping[int, str] = MappingProxyType({})) -> None:
        """The next event. ``called``: what numbers are called that the log writes otherwise."""
        match event.type:
            case "card_dealt":
                self._shoe += 1
                self._cards.setdefault(_place(event.seat, event.hand, event.to), []).append(_card(event))
            case "card_revealed":
                self._turn(event.card)
            case "tile_dealt":
                self._shoe += 1
                self._cards.setdefault(_place(event.seat, None, event.to), []).append(str(event.tile))
            case "dice_rolled":
                self._dice = "-".join(map(str, event.dice)) + _void(event)
            case "ball_landed":
                self._ball = f"{called.get(event.number, event.number)}{_void(event)}"
            case "decision":
                self._decide(event)
            case "shoe_loaded":
                self._shoe, self._shoe_known, self._cut = 0, True, False
            case "cut_card":
                self._cut = True

    def _turn(self, card: str) -> None:
        """The first of the dealer's cards that lies face down lies face up, and is what it shows."""
        lying = self._cards.get("dealer", [])
        for place, code in enumerate(lying):
            if code.endswith(" down"):
                lying[place] = card
                return

    def _decide(self, event: Any) -> None:
        place = _place(event.seat, event.hand, None)
        words = [event.choice, *(event.cards or ())]
        if event.amount is not None:
            words.append(str(event.amount))
        self._said[place] = " ".join(words)
        lying = self._cards.get(place, [])
        if event.choice == "split" and len(lying) == 2:
            numbers = [1, *(_hand_number(other, event.seat) for other in self._cards)]
            self._cards[_place(event.seat, max(numbers) + 1, None)] = [lying.pop()]
        elif event.choice in ("discard", "exchange"):
            for card in event.cards or ():
                gone = next((each for each in lying if each.split(" ")[0] == card), None)
                if gone is not None:
                    lying.remove(gone)

    def shown(self) -> Shown:
        """All of it. The keys: ``seat 3``, ``seat 3 hand 2``, ``dealer`` and whoever else cards go to; ``dice``,
        ``ball``, ``shoe``; ``seat 3 says``."""
        found: Shown = {place: list(cards) for place, cards in self._cards.items()}
        found |= {f"{place} says": words for place, words in self._said.items()}
        if self._dice:
            found["dice"] = self._dice
        if self._ball:
            found["ball"] = self._ball
        if self._shoe_known or self._shoe:
            since = "since it was loaded" if self._shoe_known else "since the first event"
            found["shoe"] = f"{self._shoe} out {since}" + (", the cut card is out" if self._cut else "")
        return found


def _void(event: Any) -> str:
    return f" void: {event.void}" if event.void is not None else ""


def _place(seat: int | None, hand: int | None, to: str | None) -> str:
    if to is not None:
        return to if seat is None else f"{to} of seat {seat}"
    if seat is None:
        return "table"
    return f"seat {seat}" if hand in (None, 1) else f"seat {seat} hand {hand}"


def _hand_number(place: str, seat: int) -> int:
    hand = place.removeprefix(f"seat {seat} hand ")
    return int(hand) if hand.isdecimal() else 1


def _card(event: Any) -> str:
    marks = [event.card]
    if event.up is False:
        marks.append("down")
    if event.exposed:
        marks.append("exposed")
    if event.void is not None:
        marks.append(f"void: {event.void}")
    return " ".join(marks)


_OF_CHIPS: Final = {
    "fill": "chips come",
    "credit": "chips go back",
    "drop_counted": "the drop is counted",
    "chips_counted": "the tray is counted",
    "cash_in": "chips are bought",
    "cash_out": "chips are cashed",
    "marker_issued": "a marker is signed for chips",
    "marker_paid": "a marker is paid",
    "chips_exchanged": "chips are changed",
    "promo_taken": "a promotional chip is taken in",
}


def _limits(limits: dict[str, Any], currency: str) -> str:
    parts = []
    for name, value in limits.items():
        if isinstance(value, dict):
            parts += [f"{name} {each} {shown(amount, currency)}" for each, amount in value.items()]
        else:
            parts.append(f"{name} {shown(value, currency)}")
    return ", ".join(parts) or "none"


def pick_shown(pick: Any, called: Mapping[int, str]) -> str:
    """What a bet is laid on, for people: ``17``, ``0-00``; empty where the wager says it all."""
    if pick is None:
        return ""
    numbers = pick if isinstance(pick, list) else [pick]
    return "-".join(called.get(number, str(number)) for number in numbers)


def describe(event: Any, currency: str, called: Mapping[int, str] = MappingProxyType({})) -> str:
    """An event in one sentence for people. ``called``: what numbers are called that the log writes otherwise
    (`replay.games.Game.numbers_called`).

    >>> from replay.events import from_fields
    >>> envelope = {"session": "s", "seq": 2, "at": "2026-11-29T20:00:00Z", "table": "t", "device": "d"}
    >>> describe(from_fields({**envelope, "type": "dice_rolled", "dice": [3, 4], "seat": 2}), "EUR")
    'seat 2 throws 3-4'
    """
    match event.type:
        case "table_opened":
            return f"the table opens for {event.game} under {event.rules}"
        case "table_closed":
            return f"the table is closed with {shown(event.float_minor, currency)} in the tray"
        case "dealer_on":
            return f"dealer {event.dealer} takes the table"
        case "fill" | "credit" | "drop_counted" | "chips_counted":
            return f"{_OF_CHIPS[event.type]}: {shown(event.amount, currency)}"
        case "cash_in" | "cash_out" | "marker_issued" | "marker_paid" | "chips_exchanged" | "promo_taken":
            who = "" if event.player is None else f", player {event.player}"
            kind = "" if event.kind is None else f" ({event.kind})"
            return f"{_OF_CHIPS[event.type]}: {shown(event.amount, currency)}{kind}{who}"
        case "limits_changed":
            return f"other limits hold: {_limits(event.limits, currency)}"
        case "event_corrected":
            to = describe(event.correct, currency)
            return f"{event.by} puts event {event.corrects} right ({event.reason}): {to}"
        case "round_voided":
            return f"{event.by} calls the round void ({event.reason})"
        case "goodwill_paid":
            bet = "" if event.bet is None else f" on bet {event.bet}"
            return f"{event.by} gives {shown(event.amount, currency)}{bet} outside the rules ({event.reason})"
        case "checkpoint":
            return f"sealed by key {event.key}"
        case "round_opened":
            return "bets are open"
        case "bets_closed":
            return "no more bets"
        case "round_closed":
            return "the round is closed"
        case "bet_placed":
            pick = "" if event.pick is None else f" on {pick_shown(event.pick, called)}"
            who = "" if event.player is None else f" for player {event.player}"
            of = "" if event.of is None else f", to bet {event.of}"
            stake = shown(event.amount, currency)
            return f"seat {event.seat} lays {stake}: {event.wager}{pick}{who} (bet {event.bet}{of})"
        case "bet_raised":
            return f"bet {event.bet} is raised by {shown(event.by, currency)}"
        case "bet_withdrawn":
            part = "" if event.amount is None else f" by {shown(event.amount, currency)}"
            return f"bet {event.bet} is taken back{part}"
        case "bet_settled":
            paid, returned = shown(event.paid, currency), shown(event.returned, currency)
            by = "" if event.by is None else f" by {event.by}"
            right = "" if event.corrects is None else f" (puts event {event.corrects} right{by})"
            return f"the dealer settles bet {event.bet}: {paid} paid, {returned} returned{right}"
        case "card_dealt":
            return f"{_card(event)} to {_place(event.seat, event.hand, event.to)}"
        case "card_revealed":
            return f"the dealer turns {event.card}"
        case "tile_dealt":
            return f"tile {event.tile} to {_place(event.seat, None, event.to)}"
        case "dice_rolled":
            who = "the dice show" if event.seat is None else f"seat {event.seat} throws"
            void = "" if event.void is None else f", called void ({event.void})"
            return f"{who} {'-'.join(map(str, event.dice))}{void}"
        case "dice_changed":
            return "the dice are changed"
        case "ball_landed":
            void = "" if event.void is None else f", called void ({event.void})"
            return f"the ball rests on {called.get(event.number, event.number)}{void}"
        case "decision":
            hand = "" if event.hand is None else f" with hand {event.hand}"
            cards = f" {' '.join(event.cards)}" if event.cards else ""
            amount = "" if event.amount is None else f" {shown(event.amount, currency)}"
            return f"seat {event.seat} says {event.choice}{cards}{amount}{hand}"
        case "shoe_loaded":
            return "new cards are in the shoe"
        case "cut_card":
            return "the cut card comes out"
        case "table_closing":
            return f"the last {event.last} are announced"
        case _:
            return f"{event.type.replace('_', ' ')}: {shown(event.amount, currency)}"
