"""The wrongs that are planted at a simulated table: which one is wanted, whether this is the time, and the truth of it.

A wrong of play is done by the game's simulator; those of the paying hand and of the log, which every game has, are
here. At most one is done in a round, and none while the auditor does not see. Amounts are minor units.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec

from streams.simulator.gateway import Line
from streams.simulator.truth import Expected, Planted

MONEY_FAULTS = ("overpaid", "underpaid", "loser_paid", "loser_pushed", "push_paid", "push_taken", "winner_pushed",
                "unsettled", "settled_twice", "unknown_bet")  # fmt: skip
"""Wrongs of the paying hand, which every game has: `TableSimulator.settle` plants them."""
EVIDENCE_FAULTS = ("missing", "doubled", "altered", "contradicted", "delayed", "swapped", "garbled", "malformed",
                   "clock_backwards")  # fmt: skip
"""Wrongs of the log, which every game has: they are done to a round's events on their way (`Wrongs.tamper`), but for a
clock that runs backwards, which is wrong when the event is told."""
MAX_ROUNDS_WANTED = 60
"""A wrong that has found no opportunity in so many rounds gives way to another one."""


class Wrongs:
    """The wrongs of one table's gaming day."""

    def __init__(
        self, session: str, chance: random.Random, *, rate: float, money_faults: tuple[str, ...], pooled: bool
    ) -> None:
        """``chance``: the table's; ``rate``: share of rounds with a wrong; ``money_faults``: those of the paying hand
        that can be done here; ``pooled``: the table wins none of the stakes, whatever the log tells."""
        self.truth: list[Planted] = []
        """What was planted so far."""
        self.wanted: str | None = None
        """The wrong to be planted at the next opportunity."""
        self.planted_in_round = False
        self.watched = True
        """No hole was made since the state of the table was last certain to the auditor: wrongs may be planted."""
        self.last_hole = -1
        """The last round with a hole: for a round longer an unknown bet may be one that fell into it."""
        self.rate = rate
        self.money_faults = money_faults
        self._session = session
        self._round = 0
        self._random = chance
        self._pooled = pooled
        self._wanted_since = 0
        self._deck: list[str] = []
        """The wrongs to come, shuffled, the next one last."""
        self._taken_back: dict[int, tuple[str, int]] = {}
        """The stakes that were taken back whole, by the event that says so: which bet, how much lay there."""
        self._hidden_stakes: dict[str, int] = {}
        """The bets of which the log does not tell all chips that were laid, and where in the truth that is said."""

    # --- what is wanted, and when ---------------------------------------------------------------------------------

    def round_begins(self, number: int, faults: Sequence[str]) -> None:
        """A round begins, in which a wrong may come to be wanted: of the table's own ``faults``, of the paying hand or
        of the log, each of them before one comes again."""
        self._round = number
        self.planted_in_round = False
        if self.wanted is not None and number - self._wanted_since > MAX_ROUNDS_WANTED:
            self.wanted = None
        if self.wanted is None and self.rate and self._random.random() < self.rate:
            if not self._deck:
                self._deck = [*faults, *self.money_faults, *EVIDENCE_FAULTS]
                self._random.shuffle(self._deck)
            self.wanted = self._deck.pop()
            self._wanted_since = number

    def may_plant(self) -> bool:
        """Whether any wrong may be done now."""
        return self.watched and not self.planted_in_round

    def chance(self, fault: str) -> bool:
        """Whether this is the time to do this wrong."""
        return self.wanted == fault and self.may_plant()

    def rule_out(self, fault: str) -> None:
        """This wrong of the paying hand cannot be done at the table any more."""
        self.money_faults = tuple(other for other in self.money_faults if other != fault)
        self._deck = [other for other in self._deck if other != fault]

    def plant(self, fault: str, *expected: Expected, win: int | None = None, hidden: int = 0) -> None:
        """The wrong was done: put it on record with the findings that it must lead to. ``win``: what it did to the
        table's win, where that is not what was overpaid and underpaid; ``hidden``: what of the win the log does not
        tell any more."""
        if win is None:
            win = sum(each.amount or 0 for each in expected if each.code == "underpaid")
            win -= sum(each.amount or 0 for each in expected if each.code == "overpaid")
        self.truth.append(
            Planted(session=self._session, round=self._round, fault=fault, expected=expected, win=win, hidden=hidden)
        )
        self.wanted = None
        self.planted_in_round = True

    # --- the paying hand ------------------------------------------------------------------------------------------

    def of_the_hand(self) -> str | None:
        """The wrong of the paying hand that is to be done now, if it is time for one."""
        return self.wanted if self.wanted in self.money_faults and self.may_plant() else None

    # --- the log --------------------------------------------------------------------------------------------------

    def of_the_log(self) -> str | None:
        """The wrong that is to be done now to events on their way, if it is time for one."""
        of_lines = self.wanted in EVIDENCE_FAULTS and self.wanted != "clock_backwards"
        return self.wanted if of_lines and self.may_plant() else None

    def tamper(self, fault: str, lines: list[Line], seal: int) -> list[Line]:
        """Do something to a round's events on their way to the log, where there is an event to do it to. ``seal``: the
        number of their seal, which was made before, and which tells the table's own version of an event from another. A
        hole in the log leaves the auditor without sight."""
        rng = self._random
        inside = [index for index, line in enumerate(lines) if b'"type":"bet_' in line.text or b'_rolled"' in line.text]
        if len(inside) < 2:
            return lines
        index = inside[rng.randrange(1, len(inside))]
        line = lines[index]
        event = msgspec.json.decode(line.text)
        seq = event["seq"]
        if fault == "missing":
            self._hole(fault, Expected(code="sequence_gap", seq=seq), event, self._money(event))
            return lines[:index] + lines[index + 1 :]
        if fault == "doubled":
            self.plant(fault)
            return [*lines[: index + 1], line, *lines[index + 1 :]]
        if fault == "delayed":
            self.plant(fault)
            return [*lines[:index], *lines[index + 1 :], line]
        if fault == "swapped":
            self.plant(fault)
            return [*lines[: index - 1], line, lines[index - 1], *lines[index + 1 :]]
        if fault == "garbled":
            self._hole(fault, Expected(code="sequence_gap", seq=seq), event, self._money(event))
            return [*lines[:index], line._replace(text=line.text[: len(line.text) // 2]), *lines[index + 1 :]]
        changed = _altered(event)
        if changed is None:
            return lines
        if fault == "malformed":
            self._hole(fault, Expected(code="rejected_event", seq=seq), event, self._money(event))
            field = "amount" if "amount" in event else "paid" if "paid" in event else "device"
            text = msgspec.json.encode({**event, field: -5 if field != "device" else ""})
            return [*lines[:index], line._replace(text=text), *lines[index + 1 :]]
        other = line._replace(text=msgspec.json.encode(changed))
        if fault == "altered":
            hidden = self._money(event) - self._money(changed)
            self._hole(fault, Expected(code="chain_broken", seq=seal), event, hidden)
            return [*lines[:index], other, *lines[index + 1 :]]
        assert fault == "contradicted", fault
        self.plant(fault, Expected(code="conflicting_event", seq=seq))
        return [*lines[: index + 1], other, *lines[index + 1 :]]

    def taken_back(self, seq: int, bet: str, amount: int) -> None:
        """A stake was taken back whole, as event ``seq`` tells; so much lay there."""
        self._taken_back[seq] = bet, amount
        self._forget_hidden(bet)

    def _hole(self, fault: str, expected: Expected, event: dict[str, Any], hidden: int) -> None:
        self.plant(fault, expected, hidden=0 if self._pooled else hidden)
        if event["type"] in ("bet_placed", "bet_raised"):
            self._hidden_stakes[event["bet"]] = len(self.truth) - 1
            if any(bet == event["bet"] and seq > event["seq"] for seq, (bet, _) in self._taken_back.items()):
                self._forget_hidden(event["bet"])
        self.watched = False
        self.last_hole = self._round

    def _forget_hidden(self, bet: str) -> None:
        """A whole stake was taken back, which the log tells without a sum: the chips that went down unseen by the
        auditor went back unseen too."""
        index = self._hidden_stakes.pop(bet, None)
        if index is not None:
            self.truth[index] = msgspec.structs.replace(self.truth[index], hidden=0)

    def _money(self, event: dict[str, Any]) -> int:
        """What the table has won by this event, as long as nothing else happens."""
        kind = event["type"]
        if kind == "bet_placed":
            return int(event["amount"])
        if kind == "bet_raised":
            return int(event["by"])
        if kind == "bet_settled":
            return -int(event["paid"]) - int(event["returned"])
        if kind != "bet_withdrawn":
            return 0
        return -int(event["amount"]) if "amount" in event else -self._taken_back[event["seq"]][1]


def wrongly_handed(fault: str, stake: int, paid: int, returned: int, *, unit: int, off: int) -> tuple[int, int] | None:
    """What is handed over, (paid, returned), in place of what is due for a bet of ``stake``, by who does this wrong of
    the paying hand; None where it gives no opportunity. ``unit``: the smallest chip; ``off``: by so much he errs who
    may err by any amount."""
    if fault == "overpaid" and paid > 0:
        return paid + off, returned
    if fault == "underpaid" and paid > unit:
        return paid - off, returned
    if fault == "loser_paid" and paid == returned == 0:
        return stake, stake
    if fault == "loser_pushed" and paid == returned == 0:
        return 0, stake
    if fault == "push_paid" and paid == 0 and returned == stake:
        return stake, stake
    if fault == "push_taken" and paid == 0 and returned == stake:
        return 0, 0
    if fault == "winner_pushed" and paid > 0 and returned > 0:
        return 0, returned
    return None


def _altered(event: dict[str, Any]) -> dict[str, Any] | None:
    """The same event with another amount, as a cheat would write it."""
    for field in ("amount", "paid", "by"):
        if field in event:
            return {**event, field: event[field] + 5_000}
    return None
