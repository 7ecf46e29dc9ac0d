"""Texas hold'em bonus on the simulated floor: a stake on each street, a bonus on the two own cards."""

from __future__ import annotations

from streams.simulator.players import Player, Stake
from streams.simulator.poker_dealer import STRAIGHT, VALUE, HousePokerTable, Place, best
from streams.simulator.table import TableSetup
from streams.simulator.truth import Expected

_WORTH = tuple(range(9))


def _bonus(own: list[str], dealer: list[str]) -> int:
    """How many times its stake the bonus wins; 0 when it is taken."""
    one, other = own
    ranks = {one[0], other[0]}
    suited = one[1] == other[1]
    if len(ranks) == 1:
        if one[0] == "A":
            return 1000 if dealer[0][0] == dealer[1][0] == "A" else 30
        return 10 if one[0] in "KQJ" else 3
    if ranks == {"A", "K"}:
        return 25 if suited else 15
    if ranks in ({"A", "Q"}, {"A", "J"}):
        return 20 if suited else 5
    return 0


class TexasHoldemBonusTable(HousePokerTable):
    """One Texas hold'em bonus table."""

    code = "TH"
    seats = 9
    own = dealers = 2
    side = "bonus"
    answer = "flop"
    said = "play"
    times = (2, 2)
    late_words = ("fold",)
    named = True
    other_faults = ("second_place", "not_burnt", "board_card_too_many", "board_card_missing", "street_mismatch",
                    "street_twice", "street_raised", "street_withdrawn", "street_too_soon", "street_too_late",
                    "street_after_fold", "check_after_fold", "check_before_flop")  # fmt: skip

    def stays(self, place: Place) -> bool:
        one, other = sorted(VALUE[card[0]] for card in place.cards)
        return one == other or other >= 10 or self.random.random() < 0.3

    # --- the streets ----------------------------------------------------------------------------------------------

    def play_out(self) -> None:
        staying = self.staying()
        if staying and self.chance("check_before_flop"):
            self.illegal("check_before_flop", self.random.choice(staying).seat, self.random.choice(("check", "raise")))
        if staying or any(place.open for place in self.places.values()):
            self._street(3)
            if self.wanted is not None:
                self.wrongs_too_late()
            self._bets_on("turn", staying)
            self._street(1)
            self._late("turn", staying)
            self._bets_on("river", staying)
            if self.chance("board_card_missing") and staying:
                self.spoil("board_card_missing")
            self._street(1)
            self._late("river", staying)
            if self.chance("board_card_too_many"):
                self.card(to="community")
                self.spoil("board_card_too_many")
        self.wait(1, 3)
        self.showdown()

    def _street(self, cards: int) -> None:
        """A card is burnt, and so many lie open."""
        self.wait(1, 3)
        if self.random.random() < 0.4 and self.chance("not_burnt"):
            self.plant("not_burnt", Expected(code="dealing_error"))
        else:
            self.card(to="burn")
        for _ in range(cards):
            self.board.append(self.card(to="community"))

    def _bets_on(self, street: str, staying: list[Place]) -> None:
        """Who has staked on his cards may stake one ante more, or checks."""
        rng = self.random
        folded = [place for place in self.places.values() if place.folded]
        if folded and self.chance("street_after_fold"):
            place = rng.choice(folded)
            self.refused("street_after_fold", "wager_not_offered", place.seat, street, place.stakes["ante"].amount)
        if folded and self.chance("check_after_fold"):
            self.illegal("check_after_fold", rng.choice(folded).seat, "check")
        for place in staying:
            self.wait(1, 5)
            ante = place.stakes["ante"]
            short = ante.player is not None and ante.player.bankroll < ante.amount
            kind = best([*place.cards, *self.board], 5, _WORTH)[0]
            if short or rng.random() > (0.8 if kind else 0.15):
                if rng.random() < 0.6:
                    self.emit("decision", seat=place.seat, choice="check")
                if street == "turn" and self.chance("street_too_soon"):
                    self.refused("street_too_soon", "wager_not_offered", place.seat, "river", ante.amount)
                continue
            if rng.random() < 0.4:
                self.emit("decision", seat=place.seat, choice="raise")
            amount = ante.amount
            wrong = self.chance("street_mismatch")
            if wrong:
                amount += self.setup.chip_unit if rng.random() < 0.5 else -self.setup.chip_unit
            stake = self.stake_more(place, street, amount)
            if wrong:
                self.plant("street_mismatch", Expected(code="stake_mismatch", bet=stake.id))
            if self.chance("street_twice"):
                self.refused("street_twice", "too_many_bets", place.seat, street, amount)
            if self.chance("street_raised"):
                self.raised_in_vain("street_raised", "late_bet", stake, self.minimum)
            if self.chance("street_withdrawn"):
                self.grabbed("street_withdrawn", "withdrawal_not_allowed", stake)

    def _late(self, street: str, staying: list[Place]) -> None:
        if staying and self.chance("street_too_late"):
            place = self.random.choice(staying)
            self.refused("street_too_late", "late_bet", place.seat, street, place.stakes["ante"].amount)

    # --- the showdown ---------------------------------------------------------------------------------------------

    def dealer_shows(self) -> None:
        if len(self.board) == 5:
            self.dealers_hand = best([*self.dealer, *self.board], 5, _WORTH)[1]

    def dues(self, place: Place) -> list[tuple[Stake, int, int]]:
        bonus, ante = place.stakes.get("bonus"), place.stakes.get("ante")
        dues = []
        if bonus is not None:
            dues.append(self.by_table(bonus, _bonus(place.cards, self.dealer)))
        if ante is None or place.open:
            return dues
        if place.folded:
            return [*dues, self.lost(ante)]
        kind, hand = best([*place.cards, *self.board], 5, _WORTH)
        stakes = [place.stakes[wager] for wager in ("flop", "turn", "river") if wager in place.stakes]
        if hand < self.dealers_hand:
            return [*dues, self.lost(ante), *map(self.lost, stakes)]
        if hand == self.dealers_hand:
            return [*dues, self.pushed(ante), *map(self.pushed, stakes)]
        return [
            *dues,
            self.won(ante, 1) if kind >= STRAIGHT else self.pushed(ante),
            *(self.won(stake, 1) for stake in stakes),
        ]

    # --- wrongs ---------------------------------------------------------------------------------------------------

    def wrongs_before_call(self) -> None:
        """One player, one place."""
        antes = [place.stakes["ante"] for place in self.places.values() if "ante" in place.stakes]
        held = [stake.player for stake in antes if stake.player is not None]
        seat = self.free_seat()
        if held and seat and self.chance("second_place"):
            twin = Player(self.random.choice(held).name, seat, 0, self.minimum, 0.0, 0)
            wrong = self.lay_unasked(seat, "ante", self.least("ante"), player=twin, named=True)
            self.give_back(wrong)
            self.plant("second_place", Expected(code="too_many_bets", bet=wrong.id))


SIMULATOR = TexasHoldemBonusTable
SETUPS = (
    TableSetup(game="texas_holdem_bonus", rules="AD", limits={"min": 500, "max": 15_000}, chip_unit=100),
    TableSetup(
        game="texas_holdem_bonus",
        rules="AD",
        limits={"min": 1_000, "max": 20_000, "bonus": {"min": 500, "max": 5_000}},
        chip_unit=100,
        decks=1,
        float_minor=10_000_000,
    ),
)
