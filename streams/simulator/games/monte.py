"""Monte on the simulated floor: four places, two phases, a Spanish deck a round."""

from __future__ import annotations

from typing import Any

from streams.simulator.players import Player, Stake
from streams.simulator.table import TableSetup, TableSimulator
from streams.simulator.truth import Expected

_RANKS = "1234567SCR"
_CIRCLE = "OCEB"
_DECK = tuple(rank + suit for suit in _CIRCLE for rank in _RANKS)
_STEPS = {"camo": 1, "viudo": 2, "anti": 3}
"""How far round the circle of suits the card lies that each is on."""
_UPPER, _LOWER = (1, 2), (3, 4)
_OTHER = {1: 2, 2: 1, 3: 4, 4: 3}
_CARDS = ("1v2", "2v1", "3v4", "4v3", "1v3", "3v1", "2v4", "4v2")
_PAIRS = ("12v34", "34v12", "13v24", "24v13")
_VISTA, _ON_SUIT, _ON_SUIT_LATER, _POT = 32, 11, 5, 3
_MULTIPLES = {"vista_hermosa": (10, 10), "camo": (30, 60), "anti": (30, 60), "viudo": (30, 60), "pot": (100, 100)}
"""How many times the minimum may be staked in each phase."""
_OF_VOID_PLAY = ("bet_in_void_play", "card_after_void")
_OF_VISTA = ("door_on_vista", "points_forgotten")


class MonteTable(TableSimulator):
    """One monte table."""

    code = "MN"
    seats = 9
    faults = (
        *("late_bet", "late_raise", "late_withdrawal", "taken_back_lost", "carried_withdrawn", "carried_raised"),
        *("wager_not_offered", "diagonal", "card_is_out", "suit_is_out", "under_tripled_places", "bet_before_layout"),
        *("bet_in_void_play", "first_phase_wager", "row_is_out", "below_minimum", "above_maximum"),
        *("raised_over_maximum", "duplicate_bet", "laid_out_of_order", "laid_on_another_rank", "not_laid_on_top"),
        *("laid_when_complete", "drawn_before_layout", "drawn_before_call", "drawn_in_second_bets"),
        *("drawn_after_end", "card_after_void", "card_astray", "impossible_card", "closed_undecided"),
        *("settled_too_early", "door_forgotten", "door_unfounded", "door_on_carried", "door_on_vista"),
        *("doubling_forgotten", "burnt_taken_off", "points_forgotten", "first_price_in_second", "card_unread"),
    )

    def play_round(self) -> None:
        self.emit("shoe_loaded", decks=1)
        self.deck = self._shuffled()
        self.seen: list[str] = []
        """What has come out, as the device saw it."""
        self.places: dict[int, list[str]] = {1: [], 2: [], 3: [], 4: []}
        self.burnt: list[str] = []
        self.left: tuple[int, ...] = (*_UPPER, *_LOWER)
        self.irregular = False
        self.open: list[Stake] = []
        """Undecided bets of this phase."""
        self.carried: list[Stake] = []
        """Those of the first phase that play on in the second."""
        if not self._lay_out():
            self._void_play()
        elif self._play_phase(1) and (self.carried or self.random.random() < 0.9):
            self._play_phase(2)

    # --- the layout -----------------------------------------------------------------------------------------------

    def _shuffled(self) -> list[str]:
        """The deck, the next card last; fortune brings about what is rare a little more often."""
        rng = self.random
        deck = list(_DECK)
        rng.shuffle(deck)
        a, b = rng.sample(_RANKS, 2)
        if self.wanted in _OF_VOID_PLAY or rng.random() < 0.003:
            top = [a + "O", b + "O", a + "C", a + "E", a + "B"]
        elif self.wanted == "under_tripled_places" or rng.random() < 0.003:
            top = [a + "O", b + "C", a + "C", a + "E", b + "E", b + "B"]
        else:
            return deck
        return [card for card in deck if card not in top] + top[::-1]

    @property
    def _on_top(self) -> int:
        return sum(max(0, len(cards) - 1) for cards in self.places.values())

    def _place_of(self, card: str) -> int:
        return next((place for place, cards in self.places.items() if cards and cards[0][0] == card[0]), 0)

    def _lay_out(self) -> bool:
        """Cards are turned until one lies at each place. False when the fourth of a rank makes the play void."""
        rng, places = self.random, self.places
        held = dict.fromkeys(_RANKS, 0)
        while True:
            place = next((each for each in places if not places[each]), 0)
            if not place:
                return True
            self.wait(1, 2)
            if place == 1 and not self.seen and self.chance("laid_out_of_order"):
                place = 2
                self.plant("laid_out_of_order", Expected(code="dealing_error"))
            if self.wanted is not None and self.seen and rng.random() < 0.4:
                self._wrongs_of_layout(place)
            card = self.deck.pop()
            target = self._place_of(card) if place in _LOWER else 0
            target = target if target in _UPPER else place
            if target != place and self.chance("not_laid_on_top"):
                target = place
                self.irregular = True
                self.plant("not_laid_on_top", Expected(code="dealing_error"))
            self._show(card, f"place{target}")
            places[target].append(card)
            held[card[0]] += 1
            if target in _UPPER and held[card[0]] == 4:
                return False
            other = places[_OTHER[target]]
            if other and other[0][0] == card[0]:
                self._burn(target)

    def _burn(self, place: int) -> None:
        """Both cards of a row are equal."""
        row = (*self.places[_OTHER[place]], *self.places[place])
        self.burnt += row
        self.places[place] = []
        self.places[_OTHER[place]] = []
        if self.random.random() < 0.3:
            for card in row:
                self.emit("card_dealt", card=card, to="burn")

    def _show(self, card: str, to: str) -> None:
        self.seen.append(card)
        self.emit("card_dealt", card=card, to=to)

    def _wrongs_of_layout(self, place: int) -> None:
        rng = self.random
        if self.chance("bet_before_layout"):
            seat = rng.randrange(1, self.seats + 1)
            self.refused("bet_before_layout", "wager_not_offered", seat, "pot", self.minimum, pick=place)
        if self.chance("drawn_before_layout"):
            self._show(self.deck.pop(), "community")
            self.plant("drawn_before_layout", Expected(code="dealing_error"))
        if self.places[1] and self.places[1][0][0] != self.deck[-1][0] and self.chance("laid_on_another_rank"):
            self._show(self.deck.pop(), "place1")
            self.irregular = True
            self.plant("laid_on_another_rank", Expected(code="dealing_error"))

    def _void_play(self) -> None:
        self.wait(1, 3)
        if self.chance("bet_in_void_play"):
            seat = self.random.randrange(1, self.seats + 1)
            self.refused("bet_in_void_play", "wager_not_offered", seat, "pot", self.minimum, pick=1)
        if self.chance("card_after_void"):
            self._show(self.deck.pop(), self.random.choice(("community", "place3")))
            self.plant("card_after_void", Expected(code="dealing_error"))

    # --- stakes ---------------------------------------------------------------------------------------------------

    def _cap(self, wager: str, phase: int) -> int:
        """The largest stake on a wager in a phase."""
        own = self.setup.limits.get(wager)
        if own and "max" in own:
            return int(own["max"])
        multiples = _MULTIPLES.get(wager)
        return multiples[phase - 1] * self.minimum if multiples else self.maximum

    def _suit_card(self, wager: str, place: int) -> str:
        """The card that a wager on the suit is on."""
        own = self.places[place][0]
        return own[0] + _CIRCLE[(_CIRCLE.index(own[1]) + _STEPS[wager]) % 4]

    def _can_win(self, wager: str, place: int) -> bool:
        """Whether a wager on the suit may be laid."""
        tripled = all(len(self.places[each]) == 3 for each in _UPPER)
        if tripled and place in _LOWER and wager != "anti":
            return False
        return self._suit_card(wager, place) not in self.seen

    def _bets_of(self, player: Player, phase: int) -> None:
        rng, bold = self.random, player.boldness
        wanted: list[tuple[str, Any]] = []
        if rng.random() < (0.65 if phase == 1 else 0.4):
            place = rng.choice(self.left)
            wanted.append(("card_vs_card", rng.choice(_CARDS) if phase == 1 else f"{place}v{_OTHER[place]}"))
        for wager in _STEPS:
            place = rng.choice(self.left)
            if rng.random() < 0.08 + 0.25 * bold and self._can_win(wager, place):
                wanted.append((wager, place))
        if phase == 1:
            if rng.random() < 0.25:
                wanted.append(("pot", rng.randrange(1, 5)))
            if rng.random() < 0.15:
                wanted.append(("pair_vs_pair", rng.choice(_PAIRS)))
            if self.wanted in _OF_VISTA:
                wanted.append(("vista_hermosa", self.deck[-1]))
            elif rng.random() < 0.05 + 0.2 * bold:
                wanted.append(("vista_hermosa", rng.choice(self.deck)))
        for wager, pick in wanted:
            amount = player.unit if wager in ("card_vs_card", "pair_vs_pair") else self.least(wager)
            if rng.random() < 0.2:
                amount += self.setup.chip_unit * rng.randrange(1, 10)
            stake = self.lay(player, wager, min(amount, self._cap(wager, phase)), pick=pick)
            if stake is not None:
                self.open.append(stake)

    # --- a phase --------------------------------------------------------------------------------------------------

    def _play_phase(self, phase: int) -> bool:
        """Bets, the call, draws until a card decides. False when the round ends before a card has decided."""
        rng = self.random
        self.wait(2, 5)
        for player in self.players:
            self.wait(0.3, 2)
            self._bets_of(player, phase)
        if self.open and rng.random() < 0.12:
            stake = rng.choice(self.open)
            self.think_again(stake, self.open, given_up=0.4, room=self._cap(stake.wager, phase) - stake.amount)
        if self.wanted is not None:
            self._wrongs_before_call(phase)
        if phase == 2 and not self.open and not self.carried:
            return False
        if self.carried and self.chance("closed_undecided") and rng.random() < 0.5 and not self.open:
            self.plant("closed_undecided", Expected(code="drawing_error"))
            return False
        self.wait(6, 12)
        if phase == 1 and not self.irregular and self.chance("drawn_before_call"):
            self.plant("drawn_before_call", Expected(code="dealing_error"))
        else:
            self.emit("bets_closed")
        if self.irregular:
            self._hand_back()
            return False
        if self.wanted is not None:
            self._wrongs_after_call()
        return self._draw_until_decided(phase)

    def _draw_until_decided(self, phase: int) -> bool:
        draws = 0
        while True:
            self.wait(1, 2)
            if self.wanted is not None and not self._wrongs_while_drawing(phase, draws):
                return False
            card = self._drawn()
            draws += 1
            if phase == 1 and draws == 1:
                self._settle_vista(card)
            place = self._place_of(card)
            if place in self.left:
                self._decide(card, place, phase, door=draws == 1)
                return True

    def _drawn(self) -> str:
        """The next card, as the device saw it."""
        rng = self.random
        card = self.deck.pop()
        if self.chance("impossible_card"):
            self.deck.append(card)
            card = rng.choice((*self.seen, "KH", "AS"))
            self.plant("impossible_card", Expected(code="impossible_card"))
        self.seen.append(card)
        unread = self.chance("card_unread")
        self.emit("card_dealt", card="??" if unread else card, to="community")
        if unread:
            self.plant("card_unread")  # no finding: what the rest of the round comes to, no auditor can know
        return card

    def _hand_back(self) -> None:
        """The layout is irregular: all bets go back."""
        for stake in (*self.carried, *self.open):
            self.settle(stake, 0, stake.amount)

    # --- paying ---------------------------------------------------------------------------------------------------

    def _times(self, stake: Stake, card: str, place: int, phase: int) -> int | None:
        """How many times its stake a bet wins by the deciding card; 0 when it goes back, -1 when it is lost, None when
        it plays on."""
        wager, pick = stake.wager, stake.pick
        if wager in _STEPS:
            if pick != place or card != self._suit_card(wager, place):
                return -1
            return _ON_SUIT - self._on_top if phase == 1 else _ON_SUIT_LATER
        if wager == "pot":
            return _POT if pick == place else -1
        backed, against = pick.split("v")
        if str(place) in backed:
            return 1
        if str(place) in against:
            return -1
        return 0 if str(_OTHER[place]) in pick else None

    def _win(self, amount: int, times: int, docked: bool) -> int:
        return self.part(amount, 9 * times, 10) if docked else self.chips(times * amount)

    def _settle_vista(self, card: str) -> None:
        on = [stake for stake in self.open if stake.wager == "vista_hermosa"]
        self.open = [stake for stake in self.open if stake.wager != "vista_hermosa"]
        for stake in on:
            won = stake.pick == card
            self._settle(stake, _VISTA - self._on_top - len(self.burnt) if won else -1, docked=False, door=True)

    def _decide(self, card: str, place: int, phase: int, *, door: bool) -> None:
        """The card's place wins, its row is done with."""
        dues = [(stake, self._times(stake, card, place, phase), False) for stake in self.carried]
        dues += [(stake, self._times(stake, card, place, phase), door) for stake in self.open]
        self.left = tuple(each for each in self.left if each not in (place, _OTHER[place]))
        self.carried = [stake for stake, times, _ in dues if times is None]
        self.open = []
        decided = [(stake, times, docked) for stake, times, docked in dues if times is not None]
        for stake, times, docked in sorted(decided, key=lambda due: due[1]):
            self.wait(0.3, 1.5)
            self._settle(stake, times, docked=docked, door=door, phase=phase)
            if times < 0:
                self.grabbed_lost(stake)
        if phase == 2 and self.wanted is not None:
            self._wrongs_after_end()

    def _settle(self, stake: Stake, times: int, *, docked: bool, door: bool, phase: int = 1) -> None:
        amount = stake.amount
        if times <= 0:
            self.settle(stake, 0, 0 if times else amount)
            return
        paid = self._win(amount, times, docked)
        wanted = self.wanted
        if wanted is not None and self.chance(wanted):
            handed = self._mispaid(wanted, stake, times, docked, door, phase)
            if handed is not None and handed != paid:
                self.mispay(wanted, stake, (paid, amount), (handed, amount))
                return
        self.settle(stake, paid, amount)

    def _mispaid(self, wanted: str, stake: Stake, times: int, docked: bool, door: bool, phase: int) -> int | None:
        """What a dealer pays a winner who errs in this way; None when this is no bet for it."""
        amount, vista = stake.amount, stake.wager == "vista_hermosa"
        on_suit = stake.wager in _STEPS
        if wanted == "door_forgotten" and docked:
            return self._win(amount, times, False)
        if wanted == "door_unfounded" and not door:
            return self._win(amount, times, True)
        if wanted == "door_on_carried" and door and not docked and not vista:
            return self._win(amount, times, True)
        if wanted == "door_on_vista" and vista:
            return self._win(amount, times, True)
        if wanted == "points_forgotten" and vista:
            return self._win(amount, _VISTA, False)
        if wanted == "doubling_forgotten" and on_suit and phase == 1:
            return self._win(amount, _ON_SUIT, docked)
        if wanted == "burnt_taken_off" and on_suit and phase == 1:
            return self._win(amount, times - len(self.burnt), docked)
        if wanted == "first_price_in_second" and on_suit and phase == 2:
            return self._win(amount, _ON_SUIT - self._on_top, docked)
        return None

    # --- wrongs ---------------------------------------------------------------------------------------------------

    def _wrongs_before_call(self, phase: int) -> None:
        rng = self.random
        pick: Any
        seat, chip, least = rng.randrange(1, self.seats + 1), self.setup.chip_unit, self.minimum
        if self.chance("wager_not_offered"):
            self.refused("wager_not_offered", "wager_not_offered", seat, "judia", least)
        if self.chance("diagonal"):
            pick = rng.choice(("1v4", "4v1", "2v3", "3v2"))
            self.refused("diagonal", "wager_not_offered", seat, "card_vs_card", least, pick=pick)
        self._wrongs_of_phase(phase, seat)
        wager = rng.choice(("card_vs_card", *_STEPS)) if phase == 2 else rng.choice(("card_vs_card", "pot"))
        place = rng.choice(self.left)
        pick = place if wager != "card_vs_card" else f"{place}v{_OTHER[place]}"
        if wager not in _STEPS or self._can_win(wager, place):
            low, high = self.least(wager), self._cap(wager, phase)
            if self.chance("below_minimum"):
                self.open.append(self.accepted("below_minimum", "below_minimum", seat, wager, low - chip, pick=pick))
            if self.chance("above_maximum"):
                self.open.append(self.accepted("above_maximum", "above_maximum", seat, wager, high + chip, pick=pick))
        if self.open and self.chance("raised_over_maximum"):
            grown = rng.choice(self.open)
            self.raised_over(grown, self._cap(grown.wager, phase) - grown.amount + chip)
        if self.open and self.chance("duplicate_bet"):
            self.laid_again(rng.choice(self.open))
        if not self.irregular and self.chance("laid_when_complete") and phase == 1 and rng.random() < 0.3:
            self._show(self.deck.pop(), f"place{rng.randrange(1, 5)}")
            self.irregular = True
            self.plant("laid_when_complete", Expected(code="dealing_error"))

    def _wrongs_of_phase(self, phase: int, seat: int) -> None:
        """Wagers and cards that this phase does not have."""
        rng, least = self.random, self.minimum
        pick: Any
        if phase == 1:
            if self.chance("card_is_out"):
                pick = rng.choice((*self.seen, "AS"))
                self.refused("card_is_out", "wager_not_offered", seat, "vista_hermosa", least, pick=pick)
            gone = [
                (wager, place) for wager in _STEPS for place in self.left if self._suit_card(wager, place) in self.seen
            ]
            if gone and self.chance("suit_is_out"):
                wager, place = rng.choice(gone)
                self.refused("suit_is_out", "wager_not_offered", seat, wager, least, pick=place)
            barred = [
                (wager, place) for wager in ("camo", "viudo") for place in _LOWER if not self._can_win(wager, place)
            ]
            if len(barred) == 4 and self.chance("under_tripled_places"):
                wager, place = rng.choice(barred)
                self.refused("under_tripled_places", "wager_not_offered", seat, wager, least, pick=place)
            return
        if self.chance("first_phase_wager"):
            wager, pick = rng.choice(
                (("pot", self.left[0]), ("pair_vs_pair", "12v34"), ("vista_hermosa", self.deck[-1]))
            )
            self.refused("first_phase_wager", "wager_not_offered", seat, wager, least, pick=pick)
        if self.chance("row_is_out"):
            out = rng.choice(_LOWER if self.left == _UPPER else _UPPER)
            wager, pick = rng.choice((("camo", out), ("anti", out), ("card_vs_card", f"{out}v{_OTHER[out]}")))
            self.refused("row_is_out", "wager_not_offered", seat, wager, least, pick=pick)
        if self.carried and self.chance("carried_withdrawn"):
            self.grabbed("carried_withdrawn", "withdrawal_not_allowed", rng.choice(self.carried))
        if self.carried and self.chance("carried_raised"):
            self.raised_in_vain("carried_raised", "late_bet", rng.choice(self.carried), least)
        if self.chance("drawn_in_second_bets"):
            self._show(self.deck.pop(), "community")
            self.plant("drawn_in_second_bets", Expected(code="drawing_error"))

    def _wrongs_after_call(self) -> None:
        if self.random.random() < 0.5:
            self._late_bet()
        self.touched_late([*self.carried, *self.open])

    def _late_bet(self) -> None:
        if self.chance("late_bet"):
            seat = self.random.randrange(1, self.seats + 1)
            self.refused("late_bet", "late_bet", seat, "card_vs_card", self.minimum, pick=self.random.choice(_CARDS))

    def _wrongs_while_drawing(self, phase: int, draws: int) -> bool:
        """False when a wrong has put an end to the round."""
        rng = self.random
        live = [stake for stake in (*self.carried, *self.open) if stake.wager != "vista_hermosa"]
        if self.chance("card_astray"):
            self._show(self.deck.pop(), "dealer")
            self.plant("card_astray", Expected(code="dealing_error"))
        if phase == 1 and self.chance("laid_when_complete"):
            self._show(self.deck.pop(), f"place{rng.randrange(1, 5)}")
            self.plant("laid_when_complete", Expected(code="dealing_error"))
            self._hand_back()
            return False
        if live and rng.random() < 0.3 and self.chance("closed_undecided"):
            self.plant("closed_undecided", Expected(code="drawing_error"))
            return False
        card = self.deck[-1]
        place = self._place_of(card)
        if place in self.left and self.wanted == "settled_too_early":
            known = [stake for stake in live if self._times(stake, card, place, phase) is not None]
            if known and self.chance("settled_too_early"):
                early = rng.choice(known)
                times = self._times(early, card, place, phase)
                assert times is not None
                docked = draws == 0 and early in self.open
                (self.open if early in self.open else self.carried).remove(early)
                paid = self._win(early.amount, times, docked) if times > 0 else 0
                self.settle_early(early, paid, early.amount if times >= 0 else 0)
        return True

    def _wrongs_after_end(self) -> None:
        self._late_bet()
        if self.deck and self.chance("drawn_after_end"):
            self._show(self.deck.pop(), "community")
            self.plant("drawn_after_end", Expected(code="drawing_error"))


SIMULATOR = MonteTable
SETUPS = (
    TableSetup(game="monte", rules="AD", limits={"min": 500, "max": 100_000}, chip_unit=100),
    TableSetup(
        game="monte",
        rules="AD",
        limits={
            "min": 1_000,
            "max": 100_000,
            "vista_hermosa": {"min": 200, "max": 2_000},
            "pot": {"min": 500, "max": 25_000},
        },
        chip_unit=50,
        rounding="nearest",
        float_minor=8_000_000,
    ),
)
