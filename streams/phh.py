"""Poker hands in PHH notation (a TOML file a hand, or ``.phhs`` with a table a hand) as sessions of circle poker.

Players p1 … pN are the seats 1 … N, and pN has the button; with two players p2 has the button and the small blind, and
the file gives antes and blinds in reverse order. Amounts are hundredths of the file's, so that halves of an odd chip
can be shared. ``cbr X`` raises *to* X in the round. Cards that the file shows only at the end are known from the start.
An action that takes the whole stack is all-in, and so is a raise to all that any other player can call.

`translate` makes the events; `check` audits them and compares the stacks that the rules arrive at with the file's.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import msgspec

from replay.cards import FRENCH_DECK
from replay.errors import RetallyError
from replay.events import Refusal, decode
from replay.judging import Judging
from replay.results import Finding, Kind, Settlement, Verdict
from replay.session import Session
from streams.bounds import TooLarge, read_bytes

RULES: Final = "AD-2022"
VARIANTS: Final[dict[str, dict[str, Any]]] = {
    "NT": {"variety": "holdem"},
    "FT": {"variety": "holdem", "betting": "fixed_limit"},
    "PO": {"variety": "omaha", "betting": "pot_limit"},
    "FO/8": {"variety": "omaha_hi_lo", "betting": "fixed_limit"},
    "F7S": {"variety": "seven_card_stud", "betting": "fixed_limit"},
    "F7S/8": {"variety": "seven_card_stud_hi_lo", "betting": "fixed_limit"},
    "FR": {"variety": "razz", "betting": "fixed_limit"},
    "N2L1D": {"variety": "deuce_to_seven_single"},
    "F2L3D": {"variety": "deuce_to_seven_triple", "betting": "fixed_limit"},
}
"""PHH variant -> options of the table."""
MINOR_UNITS: Final = 100
NO_CURRENCY: Final = "X" * 3
"""ISO 4217 for chips that are no money."""
MAX_PLAYERS: Final = 20
_MAX_BYTES: Final = 16 * 1024 * 1024
_DATE_OF_OTHERS: Final = date(2022, 6, 1)
"""Hands that bear no date are played on the first day of the rules."""
_PLAYER: Final = re.compile(r"p([1-9][0-9]?)").fullmatch
_UNREAD: Final = "??"


class PhhError(RetallyError):
    """A file that is no hand in PHH notation, or a variant that retally does not have: one clear line."""


@dataclass
class PhhHand:
    """A hand as the file has it. ``name`` is the file, and its place in a file of many."""

    name: str
    variant: str
    antes: list[int]
    blinds: list[int]
    """By player, minor units."""
    starting: list[int]
    finishing: list[int] | None
    actions: list[str]
    amounts: dict[str, int]
    """``min_bet``, ``small_bet``, ``big_bet`` and ``bring_in``, where the file has them."""
    day: date
    currency: str


@dataclass
class Translation:
    """The events of a hand (without envelope, the first is ``table_opened``), and what the hand itself contradicts."""

    events: list[dict[str, Any]]
    problems: list[str] = field(default_factory=list)


@dataclass
class Check:
    """What an audit of one hand made of it."""

    name: str
    differences: list[str]
    """One line each: a stack that differs, something impossible in the file, a finding of the audit."""

    @property
    def equal(self) -> bool:
        """The stacks are the file's, and nothing was found."""
        return not self.differences


# --- reading ------------------------------------------------------------------------------------------------------


def phh_files(path: Path) -> list[Path]:
    """The file, or all ``.phh`` and ``.phhs`` files under the folder; raises `PhhError` where there is none."""
    if path.is_dir():
        found = [file for file in path.rglob("*") if file.suffix in (".phh", ".phhs") and file.is_file()]
        if not found:
            raise PhhError(f"{path}: no hand (.phh, .phhs) in this folder")
        return sorted(found, key=lambda file: [(len(part), part) for part in file.parts])
    if not path.exists():
        raise PhhError(f"{path}: no such file or folder")
    return [path]


def read_hands(file: Path) -> list[PhhHand | PhhError]:
    """The hands of one file, and in the place of one that cannot be read why not; raises `PhhError` where the file as a
    whole cannot be. Both name the file, and the hand in a file of many."""
    try:
        data = tomllib.loads(read_bytes(file, _MAX_BYTES).decode("utf-8"), parse_float=Decimal)
    except TooLarge as error:
        raise PhhError(str(error)) from None
    except OSError as error:
        raise PhhError(f"{file}: cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError, ArithmeticError) as error:
        reason = " ".join(str(error).split()) or "nested too deeply"
        raise PhhError(f"{file}: not TOML ({reason[:200]})") from None
    if "variant" not in data and data and all(isinstance(value, dict) for value in data.values()):
        return [_read(f"{file} [{key}]", table) for key, table in data.items()]
    return [_read(str(file), data)]


def _read(name: str, data: dict[str, Any]) -> PhhHand | PhhError:
    try:
        return _hand(name, data)
    except PhhError as error:
        return error


def _hand(name: str, data: dict[str, Any]) -> PhhHand:
    variant = data.get("variant")
    if not isinstance(variant, str):
        raise PhhError(f"{name}: no variant is named")
    if variant not in VARIANTS:
        raise PhhError(f"{name}: variant {variant[:20]!r} is none that retally has (it has {', '.join(VARIANTS)})")
    starting = _amounts(name, data, "starting_stacks")
    count = len(starting)
    if not 2 <= count <= MAX_PLAYERS:
        raise PhhError(f"{name}: {count} starting_stacks; 2 to {MAX_PLAYERS} players can be read")
    antes = _amounts(name, data, "antes", count)
    blinds = _amounts(name, data, "blinds_or_straddles", count) if "blinds_or_straddles" in data else [0] * count
    if count == 2:
        antes.reverse()
        blinds.reverse()
    actions = data.get("actions")
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        raise PhhError(f"{name}: actions is not a list of texts")
    needed = ["small_bet", "big_bet"] if "betting" in VARIANTS[variant] and variant != "PO" else ["min_bet"]
    if VARIANTS[variant]["variety"] in ("seven_card_stud", "seven_card_stud_hi_lo", "razz"):
        needed.append("bring_in")
    for key in needed:
        if key not in data:
            raise PhhError(f"{name}: {key} is missing, which {variant} needs")
    currency = data.get("currency")
    return PhhHand(
        name=name,
        variant=variant,
        antes=antes,
        blinds=blinds,
        starting=starting,
        finishing=_amounts(name, data, "finishing_stacks", count) if "finishing_stacks" in data else None,
        actions=actions,
        amounts={key: _amount(name, key, data[key]) for key in needed},
        day=_day(name, data),
        currency=currency if isinstance(currency, str) and re.fullmatch("[A-Z]{3}", currency) else NO_CURRENCY,
    )


def _day(name: str, data: dict[str, Any]) -> date:
    if any(data.get(key) is None for key in ("year", "month", "day")):
        return _DATE_OF_OTHERS
    try:
        day = date(data["year"], data["month"], data["day"])
    except (TypeError, ValueError) as error:
        raise PhhError(f"{name}: year, month, day: {error}") from None
    if not 2000 < day.year < 2099:
        raise PhhError(f"{name}: the year {day.year} is out of bounds")
    return day


def _amounts(name: str, data: dict[str, Any], key: str, count: int | None = None) -> list[int]:
    values = data.get(key)
    if not isinstance(values, list):
        raise PhhError(f"{name}: {key} is not a list of amounts")
    if count is not None and len(values) != count:
        raise PhhError(f"{name}: {len(values)} {key} for {count} players")
    return [_amount(name, key, value) for value in values]


def _amount(name: str, key: str, value: object) -> int:
    """In minor units."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise PhhError(f"{name}: {key}: {value!r} is no amount")
    exact = Decimal(value)
    if not exact.is_finite() or exact < 0 or exact >= 10**12:
        raise PhhError(f"{name}: {key}: {value} is no amount that can be read")
    minor = exact * MINOR_UNITS
    if minor != int(minor):
        raise PhhError(f"{name}: {key}: {value} is finer than a hundredth")
    return int(minor)


# --- to events ----------------------------------------------------------------------------------------------------


def translate(hand: PhhHand, rules: str = RULES) -> Translation:
    """The events of one hand at one table; raises `PhhError` for an action that is none."""
    return _Translator(hand, rules).translation


class _Translator:
    """Walks through a hand's actions and keeps what each player has: chips, chips in this round, cards."""

    def __init__(self, hand: PhhHand, rules: str) -> None:
        self.hand = hand
        self.stacks = list(hand.starting)
        self.round = [0] * len(self.stacks)
        self.own: list[list[dict[str, Any]]] = [[] for _ in self.stacks]
        """The events that dealt the cards that each player holds."""
        self.folded: set[int] = set()
        self.mucked: list[int] = []
        self.stud = "bring_in" in hand.amounts
        self.acted = False
        """Somebody has acted since cards were dealt."""
        self.translation = Translation([self._opened(rules)])
        self._post()
        for action in hand.actions:
            words = action.split("#", 1)[0].split()
            if words:
                self._act(action, words)
        for player in self.mucked:
            self._say(player, "fold")
        if hand.finishing is not None:
            self._claim(hand.finishing)
        self._event("round_closed")
        self._event("table_closed", float=0)

    def _event(self, kind: str, **fields: Any) -> dict[str, Any]:
        event = {"type": kind, **fields}
        self.translation.events.append(event)
        return event

    def _problem(self, text: str) -> None:
        self.translation.problems.append(text)

    def _error(self, action: str, reason: str) -> PhhError:
        return PhhError(f"{self.hand.name}: action {action[:80]!r}: {reason}")

    def _opened(self, rules: str) -> dict[str, Any]:
        hand = self.hand
        options: dict[str, Any] = {
            **VARIANTS[hand.variant],
            **hand.amounts,
            "button": len(hand.starting),
            "rake_percent": 0,
            "burn": False,
        }
        if len(set(hand.antes)) > 1:
            options["ante_by"] = "big_blind"
        return {
            "type": "table_opened",
            "casino": "phh",
            "pit": hand.variant,
            "game": "circle_poker",
            "rules": rules,
            "currency": hand.currency,
            "settlement_claims": hand.finishing is not None,
            "options": options,
        }

    def _pay(self, player: int, amount: int) -> tuple[int, bool]:
        """Chips leave the stack: how many, and whether it was all."""
        amount = min(amount, self.stacks[player])
        self.stacks[player] -= amount
        return amount, self.stacks[player] == 0

    def _force(self, player: int, wager: str, amount: int) -> int:
        paid, all_in = self._pay(player, amount)
        if paid:
            seat = player + 1
            self._event("bet_placed", bet=f"seat{seat}", seat=seat, wager=wager, amount=paid, all_in=all_in)
        return paid

    def _post(self) -> None:
        """Antes, then blinds: the highest is the big blind."""
        for player, ante in enumerate(self.hand.antes):
            self._force(player, "ante", ante)
        blinds = self.hand.blinds
        for player, blind in enumerate(blinds):
            wager = "big_blind" if blind == max(blinds) else "small_blind"
            self.round[player] += self._force(player, wager, blind)

    def _act(self, action: str, words: Sequence[str]) -> None:
        if words[0] == "d":
            self._deal(action, words)
            return
        found = _PLAYER(words[0])
        if found is None or int(found[1]) > len(self.stacks):
            raise self._error(action, f"there is no player {words[0]}")
        player = int(found[1]) - 1
        verb, rest = words[1] if len(words) > 1 else "", words[2:]
        if verb not in ("cbr", "sd", "sm") and rest:
            raise self._error(action, f"{rest[0]!r} is too much")
        if verb in ("f", "cc", "cbr", "pb"):
            self.acted = True
        match verb:
            case "f":
                self.folded.add(player)
                self._say(player, "fold")
            case "cc":
                self._call(player)
            case "cbr":
                self._raise(action, player, rest)
            case "pb":
                self.round[player] += self._force(player, "bring_in", self.hand.amounts.get("bring_in", 0))
            case "sd":
                self._discard(player, self._cards(action, rest))
            case "sm":
                self._show(player, self._cards(action, rest))
            case _:
                raise self._error(action, "no such action")

    def _say(self, player: int, choice: str, **fields: Any) -> None:
        self._event("decision", seat=player + 1, choice=choice, **fields)

    def _call(self, player: int) -> None:
        owed = max(self.round) - self.round[player]
        if owed == 0:
            self._say(player, "check")
            return
        amount, all_in = self._pay(player, owed)
        self.round[player] += amount
        self._say(player, "call", amount=amount, all_in=all_in)

    def _raise(self, action: str, player: int, rest: Sequence[str]) -> None:
        try:
            to = _amount(self.hand.name, action, Decimal(rest[0]))
        except (IndexError, ArithmeticError):
            raise self._error(action, "no amount") from None
        wanted = max(0, to - self.round[player])
        if wanted > self.stacks[player]:
            self._problem(f"p{player + 1} puts in {_shown(wanted)} and has {_shown(self.stacks[player])}")
        amount, all_in = self._pay(player, wanted)
        self.round[player] += amount
        others = [each for each in range(len(self.stacks)) if each != player and each not in self.folded]
        most = max((self.round[each] + self.stacks[each] for each in others), default=0)
        self._say(player, "raise", amount=amount, all_in=all_in or self.round[player] == most)

    # --- cards ----------------------------------------------------------------------------------------------------

    def _cards(self, action: str, words: Sequence[str]) -> list[str]:
        text = "".join(words)
        cards = [text[place : place + 2] for place in range(0, len(text), 2)]
        cards = [card if card == _UNREAD else card.upper() for card in cards]
        for card in cards:
            if card not in FRENCH_DECK and card != _UNREAD:
                raise self._error(action, f"there is no card {card}")
        return cards

    def _deal(self, action: str, words: Sequence[str]) -> None:
        self._round_ends()
        if len(words) >= 3 and words[1] == "db":
            for card in self._cards(action, words[2:]):
                self._event("card_dealt", card=card, to="community")
            return
        found = _PLAYER(words[2]) if len(words) >= 4 and words[1] == "dh" else None
        if found is None or int(found[1]) > len(self.stacks):
            raise self._error(action, "neither 'd dh pN cards' nor 'd db cards'")
        player = int(found[1]) - 1
        for card in self._cards(action, words[3:]):
            place = len(self.own[player])
            up = self.stud and 2 <= place <= 5
            self.own[player].append(self._event("card_dealt", card=card, seat=player + 1, up=up))

    def _round_ends(self) -> None:
        """Cards come, or are exchanged."""
        if self.acted:
            self.acted = False
            self.round = [0] * len(self.stacks)

    def _discard(self, player: int, cards: list[str]) -> None:
        self._round_ends()
        own = self.own[player]
        for card in cards:
            held = next((event for event in own if event["card"] == card), None)
            if held is None:
                held = next((event for event in own if event["card"] == _UNREAD), None)
                if held is not None:
                    held["card"] = card
            if held is not None:
                own.remove(held)
        self._say(player, "draw", cards=cards)

    def _show(self, player: int, cards: list[str]) -> None:
        """Cards that were not read when they were dealt are known now; a hand that nobody saw is mucked."""
        unread = [event for event in self.own[player] if event["card"] == _UNREAD]
        if not cards:
            if unread:
                self.mucked.append(player)
            return
        held = Counter(event["card"] for event in self.own[player])
        new = Counter(cards) - held
        new.pop(_UNREAD, None)
        others = list(new.elements())
        if player in self.folded or len(others) > len(unread) or len(cards) != len(self.own[player]):
            shown, had = " ".join(cards), " ".join(event["card"] for event in self.own[player])
            self._problem(f"p{player + 1} shows {shown} and holds {had or 'nothing'}")
        for event, card in zip(unread, others, strict=False):
            event["card"] = card

    def _claim(self, finishing: Sequence[int]) -> None:
        """What each player was given, by the stacks of the file."""
        began, ends = sum(self.hand.starting), sum(finishing)
        if began != ends:
            self._problem(f"the stacks begin with {_shown(began)} in all, and end with {_shown(ends)}")
        for player, start in enumerate(self.hand.starting):
            staked = start - self.stacks[player]
            got = finishing[player] - self.stacks[player]
            if got < 0:
                self._problem(f"p{player + 1} ends with less than what stayed in its stack")
            elif got:
                returned = min(got, staked)
                self._event("bet_settled", bet=f"seat{player + 1}", paid=got - returned, returned=returned)


def _shown(amount: int) -> str:
    """As the file has it."""
    whole, rest = divmod(amount, MINOR_UNITS)
    return f"{whole}.{rest:02d}" if rest else str(whole)


# --- lines of a log, and the audit of them ------------------------------------------------------------------------


def lines_of(hand: PhhHand, session: str, rules: str = RULES) -> Iterator[bytes]:
    """The hand's session as the lines of a log; raises `PhhError`."""
    return _lines(translate(hand, rules).events, hand, session)


def _lines(events: Iterable[dict[str, Any]], hand: PhhHand, session: str) -> Iterator[bytes]:
    at = datetime(hand.day.year, hand.day.month, hand.day.day, 12, tzinfo=UTC)
    for seq, fields in enumerate(events, start=1):
        envelope: dict[str, Any] = {
            "v": 1,
            "type": fields["type"],
            "session": session,
            "seq": seq,
            "at": (at + timedelta(seconds=seq)).isoformat(),
            "table": session,
            "device": "phh",
        }
        if fields["type"] not in ("table_opened", "table_closed"):
            envelope["round"] = 1
        yield msgspec.json.encode({**envelope, **fields})


def check(hand: PhhHand, judging: Judging) -> Check:
    """Audit one hand, and compare the stacks; raises `PhhError` where the file has none."""
    if hand.finishing is None:
        raise PhhError(f"{hand.name}: there are no finishing_stacks to compare with")
    translation = translate(hand, judging.rules or RULES)
    differences = list(translation.problems)
    session = Session("phh", judging)
    for line in _lines(translation.events, hand, "phh"):
        try:
            event = decode(line)
        except Refusal as refusal:
            raise PhhError(f"{hand.name}: {refusal}") from None
        session.step(event, line)
    session.finish()
    if session.table is None:
        reasons = [said.text for said in session.drain() if isinstance(said, Finding)]
        raise PhhError(f"{hand.name}: {'; '.join(reasons)}")
    stacks: list[int | None] = [*hand.starting]
    for said in session.drain():
        if isinstance(said, Settlement):
            seat = said.seat
            assert seat is not None
            if said.verdict is Verdict.OPEN or said.paid is None or said.returned is None:
                stacks[seat - 1] = None
            else:
                stacks[seat - 1] = hand.starting[seat - 1] - said.stake + said.paid + said.returned
        elif isinstance(said, Finding) and said.kind is not Kind.MONEY:
            differences.append(f"{said.code}: {said.text}")
    for player, (stack, finish) in enumerate(zip(stacks, hand.finishing, strict=True), start=1):
        if stack is None:
            differences.append(f"p{player}: what it ends with hangs on cards that are not in the file")
        elif stack != finish:
            differences.append(f"p{player}: ends with {_shown(stack)} by the rules, with {_shown(finish)} in the file")
    return Check(hand.name, differences)


def session_name(hand: PhhHand, used: set[str]) -> str:
    """A name for the hand's session, after its file, that is not among the ``used``; it is added to them."""
    path = Path(hand.name)
    base = "phh-" + re.sub(r"[^A-Za-z0-9]+", "-", f"{path.parent.name} {path.stem} {path.suffix[4:]}")[:40].strip("-")
    name, again = base, 1
    while name in used:
        again += 1
        name = f"{base}-{again}"
    used.add(name)
    return name
