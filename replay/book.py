"""The book: every stake on one table, who laid it, where, since when, what it came to, and the claim beside the ruling.

The book knows no game. A game tells it what a bet came to (`Book.decide`, `Book.refuse`, `Book.withdraw`), the table's
devices tell it what was handed over (`Book.claim`); it compares the two, and says so as `Settlement`s and `Finding`s.
All amounts are minor units.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, cast

import msgspec

from replay.events import BetPlaced, BetSettled
from replay.gathering import Gathering
from replay.heading import Heading
from replay.piles import Pile, Piles, lift
from replay.results import Finding, Settlement, Verdict, judged
from replay.rules import Table, Wager

MAX_OPEN_BETS: Final = 5_000
"""So many bets at a table may wait for a result or a claim. No table has a tenth of it."""
MAX_EVENTS_A_BET: Final = 500
"""So often may a bet be raised or taken back in parts: as many events as a finding about it names."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_UNVERIFIABLE: Final = Verdict.UNVERIFIABLE  # of an enum's class it takes ten times as long to fetch a member


def microseconds(at: datetime) -> int:
    """Microseconds since 1970-01-01 UTC."""
    return (at - _EPOCH) // _MICROSECOND


class Bet:
    """A stake. ``amount`` is what plays; ``refund`` is what was laid on it in vain and must come back."""

    __slots__ = (
        "amount",
        "aside",
        "at",
        "claim_at",
        "claim_seq",
        "claimed_paid",
        "claimed_returned",
        "codes",
        "decided",
        "decided_seq",
        "device",
        "first_amount",
        "hand",
        "id",
        "of",
        "paid",
        "passage",
        "pick",
        "piles",
        "player",
        "refund",
        "refused",
        "returned",
        "round",
        "said",
        "seat",
        "seqs",
        "state",
        "told",
        "unsettled",
        "wager",
        "wager_id",
        "withdrawn",
    )

    def __init__(self, event: BetPlaced | Gathering, round_number: int, wager: Wager | None) -> None:
        self.id = event.bet
        self.round = round_number
        self.seat = event.seat
        self.player = event.player
        self.wager_id = event.wager
        self.wager = wager
        """None where the rules have no such wager."""
        self.pick = event.pick
        self.of = event.of
        self.hand = event.hand
        self.amount = event.amount
        self.first_amount = event.amount
        self.refund = 0
        self.at = event.at
        self.device = event.device
        self.seqs: tuple[int, ...] = (event.seq,)
        self.codes: tuple[str, ...] = ()
        """Findings already said of this bet that are said once."""
        self.said: list[Finding] = []
        """All findings about it, for those that a later event takes back."""
        self.piles: tuple[Pile, ...] = ()
        """While it is undecided: what it counts in."""
        self.state: Any = None
        """Whatever the game keeps with the bet (the number a come bet has travelled to)."""
        self.decided = False
        self.refused = False
        self.withdrawn = False
        self.unsettled = False
        self.paid = 0
        self.returned = 0
        self.passage = wager.passage if wager is not None else ""
        self.decided_seq = 0
        self.claimed_paid: int | None = None
        self.claimed_returned = 0
        self.claim_seq = 0
        self.claim_at: datetime | None = None
        self.aside: BetSettled | None = None
        """A claim on what does not count: it stands where no other comes before the round is closed."""
        self.told = False
        """A settlement of it was said."""

    @property
    def who(self) -> str:
        """Whose money it is: the player, else the seat."""
        return self.player if self.player is not None else f"seat {self.seat}"


class Book:
    """The stakes of one session. The session sets ``seq``, ``at``, ``round`` and ``dealer`` before each event."""

    __slots__ = (
        "at",
        "dealer",
        "due",
        "full",
        "heading",
        "lapsed",
        "live",
        "out",
        "overdue",
        "past",
        "past_forgotten",
        "piles",
        "put_right",
        "revision",
        "round",
        "round_findings",
        "seq",
        "session",
        "settled",
        "subjects",
        "table",
        "told_findings",
        "told_settlements",
        "unseen",
        "unseen_ids",
    )

    def __init__(self, heading: Heading, table: Table) -> None:
        self.heading = heading
        self.session = heading.session
        self.table = table
        self.seq = 0
        self.revision = 0
        self.at: datetime = _EPOCH
        self.round = 0
        self.dealer = ""
        self.live: dict[str, Bet] = {}
        """Undecided bets by id."""
        self.piles = Piles()
        """What the game adds up of them."""
        self.due: dict[str, Bet] = {}
        """Decided bets that wait for their claim."""
        self.overdue: dict[str, Bet] = {}
        """Those of closed rounds: `unsettled` was said of them, and the claim may yet come."""
        self.lapsed: dict[str, Bet] = {}
        """Bets of closed rounds, never claimed, whose id is in use again."""
        self.settled: dict[str, Bet] = {}
        """Bets of this round that are decided and claimed, or withdrawn."""
        self.past: set[str] = set()
        """The ids of such bets of earlier rounds."""
        self.past_forgotten = False
        """True for games that use an id again in every hand: there an earlier round's id is simply unknown."""
        self.unseen_ids: set[str] = set()
        """Bets of which a part of the evidence is missing: nothing that happens to them is compared."""
        self.unseen = False
        """Bets may have been placed that the log does not hold."""
        self.full = ""
        """Why the book can take no more, in a sentence: whoever reads it lets go of all that is open (`let_go`)."""
        self.out: list[Settlement | Finding] = []
        """What has been said and not yet been collected by the session."""
        self.told_settlements = 0
        self.told_findings = 0
        self.round_findings = 0
        """Findings of the current round; the session begins to count anew with each."""
        self.put_right: dict[int, tuple[int, ...]] = {}
        """The events that were put right, and by which."""
        self.subjects: dict[tuple[int, str, str], int] = {}
        """How often each (seq, code, subject) was found since the round began."""

    # --- what happens to stakes -----------------------------------------------------------------------------------

    def place(self, event: BetPlaced | Gathering) -> Bet | None:
        """A stake goes down. None when its id is that of a bet still in play, which is reported."""
        bet_id = event.bet
        same = self.live.get(bet_id)
        due = self.due.get(bet_id) or self.overdue.get(bet_id)
        if same is None and due is not None and due.round == self.round:
            same = due  # it lies on the table until it is paid or collected
        if same is not None:
            self.report(
                "duplicate_bet", "", f"bet {bet_id} is still in play; a second one under its id is ignored", bet=same
            )
            return None
        bet = Bet(event, self.round, self.table.rules.wagers.get(event.wager))
        if due is not None:
            self.lapsed[bet_id] = self._no_longer_due(bet_id)
        if self.unseen_ids:
            self.unseen_ids.discard(bet_id)
        self.live[bet_id] = bet
        if len(self.live) + len(self.due) + len(self.overdue) + len(self.lapsed) > MAX_OPEN_BETS:
            self.full = f"more than {MAX_OPEN_BETS:,} bets wait for a result or a claim"
        if len(self.settled) > MAX_OPEN_BETS:
            self._forget_settled()
        return bet

    def gather(self, bet_id: str, seat: int, player: str | None = None) -> Bet:
        """A bet that begins at nothing and gathers what a seat puts in (`raise_by`) while a hand is played."""
        bet = self.place(Gathering(bet_id, seat, player, self.at, self.seq))
        assert bet is not None, bet_id
        return bet

    def decide(self, bet: Bet, paid: int, returned: int, passage: str = "") -> None:
        """The rules have spoken: ``paid`` on top of ``returned``. What was laid on the bet in vain comes back too."""
        assert not bet.decided and paid >= 0 and returned >= 0, (bet.id, paid, returned)
        bet.decided = True
        bet.decided_seq = self.seq
        bet.paid = paid
        bet.returned = returned + bet.refund
        if passage:
            bet.passage = passage
        del self.live[bet.id]
        if bet.piles:
            lift(bet)
        if bet.claimed_paid is not None:
            self._compare(bet)
        elif self.table.claims:
            self.due[bet.id] = bet
        else:
            self.settled[bet.id] = bet
            self._tell(bet, Verdict.UNCLAIMED)

    def reopen(self, bet: Bet) -> bool:
        """A ruling is taken back (the deal is void, new cards are dealt): the bet is undecided again, its claim waits,
        and what was said of its money is withdrawn. False where it must stand: another bet plays under its id."""
        assert bet.decided and not bet.withdrawn, bet.id
        if bet.id in self.live:
            return False
        for bets in (self.due, self.overdue, self.settled, self.lapsed):
            if bets.get(bet.id) is bet:
                del bets[bet.id]
        self.live[bet.id] = bet
        bet.decided = False
        bet.decided_seq = bet.paid = bet.returned = 0
        self.take_back(bet, "underpaid", "overpaid")
        return True

    def take_back(self, bet: Bet, *codes: str) -> None:
        """What was said of this bet under these codes does not hold any more."""
        for finding in bet.said:
            if finding.code in codes:
                self.unsay(finding)
        bet.said = [finding for finding in bet.said if finding.code not in codes]

    def unsay(self, finding: Finding) -> None:
        """What was said does not hold any more."""
        self.told_findings -= 1
        self.round_findings -= finding.round == self.round
        if finding in self.out:
            self.out.remove(finding)
        else:
            self.out.append(msgspec.structs.replace(finding, withdrawn=True, revision=self.revision))

    def waive(self, bet: Bet) -> None:
        """No claim is due for this decided bet (a beaten hand among players): its settlement is told as it is."""
        if bet.id in self.due or bet.id in self.overdue:
            self.settled[bet.id] = self._no_longer_due(bet.id)
            self._tell(bet, Verdict.UNCLAIMED)

    def leave_open(self, bet: Bet) -> None:
        """The hand is over, and what this bet comes to cannot be known: nothing that happens to it is compared."""
        assert not bet.decided, bet.id
        del self.live[bet.id]
        lift(bet)
        self.settled[bet.id] = bet
        self._tell(bet, Verdict.OPEN)

    def refuse(self, bet: Bet, code: str, passage: str, text: str) -> None:
        """The bet is out of play and goes back whole."""
        self.report(code, passage, text, bet=bet)
        bet.refused = True
        self.decide(bet, 0, bet.amount, passage)

    def withdraw(self, bet: Bet) -> None:
        """The bet was taken back whole, in time. No claim is due, but for chips refused before."""
        del self.live[bet.id]
        lift(bet)
        bet.decided = bet.withdrawn = True
        bet.decided_seq = self.seq
        bet.amount = 0
        bet.returned = bet.refund
        if bet.claimed_paid is not None:
            self._compare(bet)
            return
        self.settled[bet.id] = bet
        self._tell(bet, Verdict.WITHDRAWN)

    def raise_by(self, bet: Bet, amount: int) -> None:
        """The stake grows."""
        bet.amount += amount
        for pile in bet.piles:
            pile.amount += amount
        self._also(bet)

    def lower_by(self, bet: Bet, amount: int) -> None:
        """A part of the stake was taken back, in time."""
        bet.amount -= amount
        for pile in bet.piles:
            pile.amount -= amount
        self._also(bet)

    def _also(self, bet: Bet) -> None:
        """The event at hand is one of the bet's too."""
        bet.seqs += (self.seq,)
        if len(bet.seqs) > MAX_EVENTS_A_BET:
            self.full = f"bet {bet.id} was raised or taken back in parts more than {MAX_EVENTS_A_BET} times"

    def refund(self, bet: Bet, amount: int, code: str, passage: str, text: str) -> None:
        """Chips laid on the bet in vain (a void raise): they come back whatever becomes of it."""
        self.report(code, passage, text, bet=bet)
        told = bet.id in self.settled
        verdict, difference = judged(bet.claimed_paid, bet.claimed_returned, bet.paid + bet.returned)
        bet.refund += amount
        self._also(bet)
        if bet.decided:
            bet.returned += amount
            if told:  # its claim was compared with what was due when it was made
                self._tell(bet, Verdict.WITHDRAWN if bet.withdrawn and not difference else verdict, difference)
            elif bet.unsettled:
                self._tell(bet, Verdict.UNSETTLED)
        elif told and bet.claimed_paid is None:
            self._tell(bet, Verdict.OPEN)

    def known(self, bet_id: str) -> Bet | None:
        """The bet of this id that is live, or decided and not yet forgotten."""
        places = (self.live, self.due, self.overdue, self.settled, self.lapsed)
        return next((bets[bet_id] for bets in places if bet_id in bets), None)

    def may_be_unseen(self, bet_id: str) -> bool:
        """Whether a bet of this id may lie on the table of which the evidence is missing."""
        return bet_id in self.unseen_ids or (self.unseen and self.known(bet_id) is None and bet_id not in self.past)

    def awaits(self, bet_id: str) -> bool:
        """Whether a claim is due for this bet."""
        return bet_id in self.due or bet_id in self.overdue or bet_id in self.lapsed

    def forget_due(self) -> None:
        """No claim is waited for any more: one may be on a bet of the same id that was not seen."""
        self.due = {}
        self.overdue = {}
        self.lapsed = {}

    def _no_longer_due(self, bet_id: str) -> Bet:
        return self.due.pop(bet_id) if bet_id in self.due else self.overdue.pop(bet_id)

    # --- claims ---------------------------------------------------------------------------------------------------

    def claim(self, event: BetSettled, *, early: bool = True) -> None:
        """What the dealer did with a bet: compared with what the rules give, now or once they have spoken.

        ``early=False``: the bet is not decided yet, but the dealer may be done with it all the same (a card that is due
        may never come, which annuls the coup); the game will say itself if it was `settled_too_early`.
        """
        bet_id = event.bet
        bet = self.due.get(bet_id) or self.overdue.get(bet_id)
        if bet_id in self.lapsed and (bet is None or (event.round is not None and event.round < bet.round)):
            bet = self.lapsed.pop(bet_id)
        elif bet is not None:
            self._no_longer_due(bet_id)
        if bet is not None:
            self._take_claim(bet, event)
            self._compare(bet)
            return
        bet = self.live.get(bet_id)
        if bet is not None:
            if bet.claimed_paid is not None:
                self.report("settled_twice", bet.passage, f"bet {bet_id} was settled a second time", bet=bet)
                return
            self._take_claim(bet, event)
            if early:
                self.settled_too_early(bet)
            return
        bet = self.settled.get(bet_id)
        if bet is not None and bet.withdrawn and bet.claimed_paid is None:
            self._take_claim(bet, event)
            self._compare(bet)
        elif bet is not None:
            self.report("settled_twice", bet.passage, f"bet {bet_id} was settled a second time", bet=bet)
        elif bet_id in self.unseen_ids:
            self.unseen_ids.discard(bet_id)
            self.past.add(bet_id)
        elif bet_id in self.past:
            self.report("settled_twice", "", f"bet {bet_id} was settled a second time", bet_id=bet_id)
        elif not self.unseen:
            self.report("unknown_bet", "", f"bet {bet_id} was settled, but never placed", bet_id=bet_id)

    def settled_too_early(self, bet: Bet) -> None:
        """The claim on this bet came before the bet was decided."""
        self.report("settled_too_early", bet.passage, f"bet {bet.id} was settled before it was decided", bet=bet)

    def _take_claim(self, bet: Bet, event: BetSettled) -> None:
        bet.claimed_paid = event.paid
        bet.claimed_returned = event.returned
        bet.claim_seq = event.seq
        bet.claim_at = event.at

    def _compare(self, bet: Bet) -> None:
        """Both sides are known."""
        assert bet.claimed_paid is not None
        self.settled[bet.id] = bet
        verdict, difference = judged(bet.claimed_paid, bet.claimed_returned, bet.paid + bet.returned)
        if difference:
            due, shown = bet.paid + bet.returned, self.table.shown
            handed = shown(due + difference)
            text = f"{bet.wager_id} bet {bet.id} of {bet.who}: {handed} was handed over, {shown(due)} was due"
            self.report(verdict.value, bet.passage, text, bet=bet, amount=abs(difference))
        self._tell(bet, Verdict.WITHDRAWN if bet.withdrawn and not difference else verdict, difference)

    # --- the round ends -------------------------------------------------------------------------------------------

    def close_round(self) -> None:
        """What is decided and still unclaimed is `unsettled`; what is settled is remembered by its id alone."""
        for bet in [bet for bet in self.due.values() if bet.aside is not None]:
            self._take_claim(self.due.pop(bet.id), cast("BetSettled", bet.aside))
            self._compare(bet)
        for bet in self.due.values():
            if not bet.unsettled:
                bet.unsettled = True
                self.report(
                    "unsettled",
                    bet.passage,
                    f"{bet.wager_id} bet {bet.id} of {bet.who} is decided, and nothing was done with it",
                    bet=bet,
                )
                self._tell(bet, Verdict.UNSETTLED)
        if self.due:
            self.overdue |= self.due
            self.due = {}
        if self.settled:
            self._forget_settled()

    def _forget_settled(self) -> None:
        if not self.past_forgotten:
            self.past.update(self.settled)
        self.settled = {}

    def close_table(self) -> None:
        """The session ends: what was never decided stays open, what is decided may yet be claimed."""
        for bet in self.live.values():
            self._tell(bet, Verdict.OPEN)
        for bet in self.due.values():
            if not bet.unsettled:
                self._tell(bet, Verdict.UNCLAIMED)

    def lose_sight(self) -> None:
        """A part of the evidence is missing: nothing can be said of any bet that was on the table."""
        for bets in (self.live, self.due):
            for bet in bets.values():
                if not bet.unsettled:
                    self._tell(bet, Verdict.UNVERIFIABLE)
                    self.unseen_ids.add(bet.id)
        self.live = {}
        self.piles = Piles()
        self.overdue |= {bet.id: bet for bet in self.due.values() if bet.unsettled}
        self.due = {}
        self.close_round()
        self.unseen_ids |= self.past  # an id of an earlier bet may be in use again, by a bet that was not seen
        self.past = set()

    def let_go(self) -> None:
        """The book is full: as `lose_sight`, and no claim that was due is waited for any more."""
        self.full = ""
        self.lose_sight()
        self.unseen_ids.update(self.overdue, self.lapsed)
        self.forget_due()

    def disown(self, bets: Iterable[tuple[int, str]]) -> None:
        """What was said of these bets, as (round, id), is void: nothing that happens to them now is compared."""
        for number, bet_id in bets:
            for known in (self.live, self.due, self.overdue, self.settled, self.lapsed):
                if bet_id in known and known[bet_id].round == number:
                    lift(known.pop(bet_id))
            self.past.discard(bet_id)
            self.unseen_ids.add(bet_id)

    def place_unseen(self, event: BetPlaced) -> None:
        """A stake laid where the evidence is broken: recorded, never judged."""
        bet = Bet(event, self.round, self.table.rules.wagers.get(event.wager))
        self.unseen_ids.add(bet.id)
        self._tell(bet, Verdict.UNVERIFIABLE)

    # --- saying it ------------------------------------------------------------------------------------------------

    def _tell(self, bet: Bet, verdict: Verdict, difference: int = 0) -> None:
        if not bet.told:
            bet.told = True
            self.told_settlements += 1
        table = self.table
        rules = table.rules
        known = bet.decided and verdict is not _UNVERIFIABLE
        claimed = bet.claimed_paid
        if bet.claim_seq:
            seqs = (*bet.seqs, bet.decided_seq, bet.claim_seq)
        elif bet.decided_seq:
            seqs = (*bet.seqs, bet.decided_seq)
        else:
            seqs = bet.seqs
        if self.put_right:
            seqs += tuple(more for seq in seqs for more in self.put_right.get(seq, ()))
        pick = bet.pick
        # By position, in the order of the fields: by name it takes ten times as long.
        self.out.append(Settlement(
            self.session, bet.round, bet.id, table.gaming_day, table.casino, table.pit, table.name, rules.game,
            rules.pack, table.currency, self.dealer, bet.player or "", bet.seat, bet.wager_id,
            "" if pick is None else "-".join(map(str, pick)) if isinstance(pick, list) else str(pick),
            bet.amount + bet.refund, bet.paid if known else None, bet.returned if known else None, claimed,
            None if claimed is None else bet.claimed_returned, verdict, difference, bet.passage, seqs,
            microseconds(bet.at), microseconds(self.at), self.revision,
        ))  # fmt: skip

    def report(
        self,
        code: str,
        passage: str,
        text: str,
        *,
        bet: Bet | None = None,
        bet_id: str = "",
        seat: int | None = None,
        amount: int | None = None,
        besides: tuple[int, ...] = (),
    ) -> Finding:
        """Something is wrong with the event at hand. ``text``: a sentence for a pit boss; ``besides``: other events."""
        self.told_findings += 1
        self.round_findings += 1
        seqs: tuple[int, ...] = (*besides, self.seq)
        player = ""
        if bet is not None:
            bet_id = bet.id
            player = bet.player or ""
            if seat is None:
                seat = bet.seat
            seqs = tuple(sorted({*bet.seqs, *besides, *((bet.decided_seq,) if bet.decided_seq else ()), self.seq}))
        subject = bet_id or ("" if seat is None else f"seat {seat}")
        times = self.subjects[self.seq, code, subject] = self.subjects.get((self.seq, code, subject), 0) + 1
        if times > 1:  # one event may be wrong in two ways of one code: each has an identity of its own
            subject = f"{subject} #{times}".strip()
        finding = self.heading.finding(
            code,
            text,
            seq=self.seq,
            at_us=microseconds(self.at),
            revision=self.revision,
            round_number=self.round,
            dealer=self.dealer,
            passage=passage,
            subject=subject,
            player=player,
            seat=seat,
            bet=bet_id,
            amount=amount,
            seqs=seqs,
        )
        if bet is not None:
            bet.said.append(finding)
        self.out.append(finding)
        return finding

    def report_once(self, bet: Bet, code: str, passage: str, text: str) -> None:
        """The same, at most once for this bet and code."""
        if code not in bet.codes:
            bet.codes += (code,)
            self.report(code, passage, text, bet=bet)
