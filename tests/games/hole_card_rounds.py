"""Rounds of blackjack with a hole card, drawn by a seed and settled by arithmetic of their own: nothing here is
retally's. What is drawn is played by the rules, so that the re-tally has nothing to say but what the card that was not
read, or was misread, demands."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

DECK = [rank + suit for rank in "A23456789TJQK" for suit in "SHDC"]


def worth(card: str) -> int:
    return 1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])


def total(cards: list[str]) -> int:
    hard = sum(map(worth, cards))
    return hard + 10 if hard <= 11 and any(card[0] == "A" for card in cards) else hard


def is_soft(cards: list[str]) -> bool:
    return total(cards) != sum(map(worth, cards))


def natural(cards: list[str]) -> bool:
    return len(cards) == 2 and total(cards) == 21


class Hand:
    def __init__(self, number: int, cards: list[str], stakes: dict[str, tuple[int, int]], split: bool) -> None:
        self.number, self.cards, self.split = number, cards, split
        self.stakes = stakes
        """Bet -> what was laid before the deal, and since."""
        self.surrendered = self.paid_even = False


class Rounds:
    """Rounds from one shoe: their events, what each bet comes to (None: nobody can know), the findings demanded."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = random.Random(seed)
        self.decks = chance.choice([1, 2, 6, 8])
        self.unit = chance.choice([1, 50, 100])
        self.options: dict[str, Any] = {
            "decks": self.decks,
            "hole_card": chance.choice(["peek", "peek", "no_peek", "no_hole"]),
            "soft_17": chance.choice(["stand", "hit"]),
            "blackjack_pays": chance.choice(["3/2", "6/5"]),
            "even_money": chance.random() < 0.5,
            "double_on": chance.choice(["any", "ten_eleven"]),
            "max_hands": chance.randint(2, 4),
            "boxes": chance.randint(4, 6),
            "resplit_aces": chance.random() < 0.5,
            "surrender": chance.choice(["none", "late"]),
            "stakes_per_box": 2,
            "additional_wager": chance.choice(["none", "over_under_13", "suited"]),
            "suited_pays": chance.choice(["5/2", 2, "3"]),
            "match_the_dealer": self.decks in (6, 8),
        }
        self.table = {
            "game": "blackjack",
            "rules": "US-NJ",
            "currency": "USD",
            "limits": {"min": 1000, "max": 100_000},
            "chip_unit": self.unit,
            "options": self.options,
        }
        self.events: list[Any] = []
        self.money: dict[str, tuple[int, int] | None] = {}
        self.findings: list[str] = []
        self.shoe = DECK * self.decks
        chance.shuffle(self.shoe)
        self.bets = 0
        self.events.append({"shoe_loaded": {"decks": self.decks}})
        self.deal(to="burn")
        while len(self.shoe) > 40 and self.bets < 60:
            self.play_round()

    # --- what happens ---------------------------------------------------------------------------------------------

    def deal(self, card: str | None = None, **where: Any) -> str:
        card = card or self.shoe.pop()
        self.events.append({"card_dealt": {"card": where.pop("said", card), **where}})
        return card

    def lay(self, seat: int, wager: str, amount: int, **more: Any) -> str:
        self.bets += 1
        name = f"b{self.bets}"
        self.events.append({"bet_placed": {"bet": name, "seat": seat, "wager": wager, "amount": amount, **more}})
        return name

    def call(self, seat: int, hand: Hand, choice: str) -> None:
        self.called = True
        more = {"hand": hand.number} if hand.number > 1 else {}
        self.events.append({"decision": {"seat": seat, "choice": choice, **more}})

    def claim(self, name: str, due: tuple[int, int] | None) -> None:
        self.money[name] = due
        paid, returned = due or (0, 0)
        self.events.append({"bet_settled": {"bet": name, "paid": paid, "returned": returned}})

    def claim_perhaps(self, dues: dict[str, tuple[int, int]]) -> None:
        """What is decided may be settled at once."""
        if self.chance.random() < 0.5:
            for name, due in dues.items():
                self.claim(name, due)

    def chips(self, amount: Fraction) -> int:
        return int(amount // self.unit) * self.unit

    # --- a round --------------------------------------------------------------------------------------------------

    def play_round(self) -> None:
        chance, options = self.chance, self.options
        self.called = False
        self.claims: list[tuple[str, tuple[int, int] | None]] = []
        self.events.append("round_opened")
        seats = sorted(chance.sample(range(1, options["boxes"] + 1), chance.randint(1, 4)))
        self.hands: dict[int, list[Hand]] = {}
        sides: list[tuple[str, int, str, int]] = []
        for seat in seats:
            stakes = {}
            for _ in range(chance.randint(1, 2)):
                amount = 100 * chance.randint(10, 60)
                stakes[self.lay(seat, "main", amount)] = (amount, 0)
            self.hands[seat] = [Hand(1, [], stakes, False)]
            beside = {"over_under_13": ["over_13", "under_13"], "suited": ["suited"]}.get(
                options["additional_wager"], []
            )
            sides += [(wager, seat, self.lay(seat, wager, 100), 100) for wager in beside if chance.random() < 0.5]
            if options["match_the_dealer"] and chance.random() < 0.5:
                sides.append(("match_the_dealer", seat, self.lay(seat, "match_the_dealer", 700), 700))
        self.events.append("bets_closed")
        for seat in seats:
            self.hands[seat][0].cards.append(self.deal(seat=seat))
        self.dealer = [self.deal(to="dealer")]
        for seat in seats:
            self.hands[seat][0].cards.append(self.deal(seat=seat))
        for wager, seat, name, amount in sides:
            self.settle_side(wager, name, amount, self.hands[seat][0].cards)
        self.said = ""
        if options["hole_card"] != "no_hole":
            hole = self.shoe.pop()
            self.said = chance.choice([hole, hole, hole, "??", chance.choice(self.shoe)])
            self.dealer.append(self.deal(hole, said=self.said, to="dealer", up=False))
        self.revealed = False
        insurances = self.insure(seats)
        over = options["hole_card"] == "peek" and worth(self.dealer[0]) in (1, 10) and natural(self.dealer)
        if not over:
            self.pay_naturals()
            for seat in seats:
                self.play_box(seat)
        self.dealer_plays(insurances, over)
        self.pay(insurances)

    def pay_naturals(self) -> None:
        """Against 2 to 9, or when the dealer has looked; not where his card could not be read."""
        up = worth(self.dealer[0])
        if up in (1, 10) and (self.options["hole_card"] != "peek" or self.said == "??"):
            return
        for hands in self.hands.values():
            for name, (laid, _) in hands[0].stakes.items():
                if natural(hands[0].cards) and not hands[0].paid_even:
                    paid = self.chips(laid * Fraction(self.options["blackjack_pays"]))
                    self.claim_perhaps({name: (paid, laid)})

    def settle_side(self, wager: str, name: str, amount: int, cards: list[str]) -> None:
        points = sum(map(worth, cards))
        if wager == "match_the_dealer":
            rank, suited = {6: (4, 11), 8: (3, 14)}[self.decks]
            up = self.dealer[0]
            won = Fraction(sum(suited if card == up else rank for card in cards if card[0] == up[0]))
        elif wager == "suited":
            won = Fraction(str(self.options["suited_pays"])) if cards[0][1] == cards[1][1] else Fraction(0)
        else:
            won = Fraction((points > 13) if wager == "over_13" else (points < 13))
        self.claims.append((name, (self.chips(amount * won), amount) if won else (0, 0)))

    def insure(self, seats: list[int]) -> list[tuple[str, int]]:
        """Insurances and their amounts; even money."""
        found = []
        if self.dealer[0][0] != "A":
            return []
        for seat in seats:
            hand = self.hands[seat][0]
            for name, (amount, _) in hand.stakes.items():
                if self.chance.random() < 0.4:
                    laid = self.chance.randint(1, amount // 2)
                    found.append((self.lay(seat, "insurance", laid, of=name), laid))
            if self.options["even_money"] and natural(hand.cards) and self.chance.random() < 0.5:
                called = self.called
                self.call(seat, hand, "even_money")
                self.called = called
                hand.paid_even = True
        return found

    def play_box(self, seat: int) -> None:
        """The hands of a box in the order in which they get their second card."""
        hands = self.hands[seat]
        waiting = [hands[0]]
        while waiting:
            hand = waiting.pop(0)
            if len(hand.cards) == 1:
                self.give(seat, hand)
            self.play_hand(seat, hand, waiting)

    def give(self, seat: int, hand: Hand) -> None:
        more: dict[str, Any] = {"hand": hand.number} if hand.number > 1 else {}
        hand.cards.append(self.deal(seat=seat, **more))
        self.called = True
        if total(hand.cards) > 21:
            self.claim_perhaps(dict.fromkeys(hand.stakes, (0, 0)))

    def may_split(self, seat: int, hand: Hand) -> bool:
        pair = len(hand.cards) == 2 and worth(hand.cards[0]) == worth(hand.cards[1])
        aces = pair and hand.cards[0][0] == "A"
        return pair and len(self.hands[seat]) < self.options["max_hands"] and (
            not (aces and hand.split) or self.options["resplit_aces"]
        )  # fmt: skip

    def play_hand(self, seat: int, hand: Hand, waiting: list[Hand]) -> None:
        chance = self.chance
        first = True
        while True:
            split_ace = hand.split and hand.cards[0][0] == "A"
            if self.may_split(seat, hand) and chance.random() < 0.7 and not hand.paid_even:
                self.split(seat, hand, waiting)
                first = False
                continue
            if total(hand.cards) >= 21 or split_ace:
                return
            choices = ["hit", "stand"] if total(hand.cards) < 17 else ["stand", "stand", "stand", "hit"]
            if len(hand.cards) == 2 and (self.options["double_on"] == "any" or total(hand.cards) in (10, 11)):
                choices.append("double")
            if self.options["surrender"] == "late" and first and not hand.split:
                choices.append("surrender")
            choice = chance.choice(choices)
            first = False
            self.call(seat, hand, choice)
            if choice == "surrender":
                hand.surrendered = True
            if choice == "double":
                some = chance.choice(list(hand.stakes))
                for name, (laid, since) in list(hand.stakes.items()):
                    if name == some or chance.random() < 0.5:
                        by = chance.choice([laid + since, chance.randint(1, laid + since)])
                        self.events.append({"bet_raised": {"bet": name, "by": by}})
                        hand.stakes[name] = (laid, since + by)
            if choice in ("hit", "double"):
                self.give(seat, hand)
            if choice != "hit":
                return

    def split(self, seat: int, hand: Hand, waiting: list[Hand]) -> None:
        """Each bettor may bring a stake, one at the least does; it is as his first."""
        self.call(seat, hand, "split")
        hands = self.hands[seat]
        new = Hand(len(hands) + 1, [hand.cards.pop()], {}, True)
        hand.split = True
        hands.append(new)
        some = self.chance.choice(list(hand.stakes))
        for name in list(hand.stakes):
            if name == some or self.chance.random() < 0.6:
                amount = sum(hand.stakes[name])
                new.stakes[self.lay(seat, "main", amount, hand=new.number, of=name)] = (0, amount)
        waiting.insert(0, new)
        self.give(seat, hand)

    # --- the dealer -----------------------------------------------------------------------------------------------

    def dealer_plays(self, insurances: list[tuple[str, int]], over: bool) -> None:
        chance, dealer = self.chance, self.dealer
        every = [hand for hands in self.hands.values() for hand in hands]
        competes = any(not (hand.surrendered or total(hand.cards) > 21 or self.has_natural(hand)) for hand in every)
        if self.said:
            must = self.said not in ("??", dealer[1])
            if must or over or chance.random() < (0.7 if self.said == "??" else 0.5):
                self.revealed = True
                self.events.append({"card_revealed": {"card": dealer[1]}})
                if must:
                    self.findings.append("dealing_error")
        elif not competes:
            waits = [hand for hand in every if (self.has_natural(hand) and not hand.paid_even) or hand.surrendered]
            if insurances or (worth(dealer[0]) in (1, 10) and waits):
                dealer.append(self.deal(to="dealer"))
        if over:
            return
        while competes and (
            total(dealer) < 17 or (self.options["soft_17"] == "hit" and total(dealer) == 17 and is_soft(dealer))
        ):
            self.called = True
            dealer.append(self.deal(to="dealer"))

    def has_natural(self, hand: Hand) -> bool:
        return natural(hand.cards) and not hand.split

    # --- what it comes to -----------------------------------------------------------------------------------------

    def pay(self, insurances: list[tuple[str, int]]) -> None:
        dealer, up = self.dealer, worth(self.dealer[0])
        unread = self.said == "??" and not self.revealed
        looked = unread and self.options["hole_card"] == "peek" and up in (1, 10) and self.called
        has_it = natural(dealer[:2])
        for name, laid in insurances:
            if unread and not looked:
                self.claims.append((name, None))
            else:
                self.claims.append((name, (self.chips(Fraction(2 * laid)), laid) if worth(dealer[1]) == 10 else (0, 0)))
        for hands in self.hands.values():
            for hand in hands:
                for name, (first, since) in hand.stakes.items():
                    self.claims.append((name, self.due(hand, first, since, unread, looked, has_it)))
        self.chance.shuffle(self.claims)
        for name, due in self.claims:
            if name not in self.money:
                self.claim(name, due)
        self.events.append("round_closed")

    def due(
        self, hand: Hand, first: int, since: int, unread: bool, looked: bool, has_it: bool
    ) -> tuple[int, int] | None:
        dealer, up, stake = self.dealer, worth(self.dealer[0]), first + since
        mine = total(hand.cards)
        hangs = unread and not looked and up in (1, 10)
        if hand.paid_even:
            return self.chips(Fraction(stake)), stake
        if mine > 21:
            return 0, 0
        if hand.surrendered:
            return None if hangs else (0, 0 if has_it else self.chips(Fraction(stake, 2)))
        if self.has_natural(hand):
            won = 0 if has_it else self.chips(stake * Fraction(self.options["blackjack_pays"]))
            return None if hangs else (won, stake)
        if unread:
            return None
        if has_it:
            return 0, since
        bank = total(dealer)
        if bank > 21 or mine > bank:
            return self.chips(Fraction(stake)), stake
        return (0, stake) if mine == bank else (0, 0)
