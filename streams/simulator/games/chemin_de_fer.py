"""Chemin de fer on the simulated floor: a coup a minute, the bank going round the table."""

from __future__ import annotations

from typing import Any, NamedTuple

from streams.simulator.baccarat import Account, Due, points
from streams.simulator.holder_and_banker import AGAINST, BANKER, NULL, PLAYER, SEATED, Hand, WordsAndCards
from streams.simulator.players import Player, Stake
from streams.simulator.table import TableSetup
from streams.simulator.truth import Expected

_OTHER_WAGERS = ("tie", "player_pair", "punto", "banker_pair")
"""What is not played at this table."""
_ONE_OF_EACH = ("bank", "bank_share", "with_table", "with_table_complete")


class Place(NamedTuple):
    """Where somebody is: at a seat, or standing behind it."""

    seat: int
    standing: bool


class Bank(NamedTuple):
    """The bank of the last coup."""

    at: Place
    lost: bool
    stands_at: int
    sums: tuple[int, ...]
    """For what it may be kept."""
    given_up: bool
    passed: tuple[int, ...]
    """Who let it pass since."""


def _place(player: Player) -> Place:
    if player.seat <= SEATED:
        return Place(player.seat, False)
    return Place(2 * (player.seat - SEATED), True)


def _place_of(stake: Stake) -> Place:
    return Place(stake.seat, stake.pick == "standing")


class ChemindeFerTable(WordsAndCards):
    """One chemin de fer table."""

    code = "CF"
    open_to = ("unshuffled-shoe",)
    seats = SEATED + 4
    below_cut_card = 7
    most_cards = 6

    def opening(self) -> None:
        options = self.setup.options
        own = self.setup.limits.get("bank", {})
        self.bank_least: int = own.get("min", self.minimum)
        self.bank_most: int | None = None if options.get("bank_unlimited") else own.get("max", 100 * self.minimum)
        self.always_free: bool = options.get("drawing") == "free"
        self.banco_free: bool = options.get("banco_free", False)
        faults = ["wrong_decks", "coup_after_cut_card", "impossible_card", "settled_too_early",
                  "commission_forgotten", "commission_too_large", "commission_too_small", "below_minimum",
                  "beyond_cover", "beside_banco", "share_mismatch", "banco_mismatch", "banco_too_large",
                  "with_table_mismatch", "complete_mismatch", "second_bank", "second_share", "second_with_table",
                  "second_complete", "banco_comes_second", "fourth_abonament", "early_abonament", "own_stake",
                  "own_stake_before", "wager_not_offered", "late_bet", "late_banco", "late_raise", "late_withdrawal",
                  "taken_back_lost", "bank_reduced", "duplicate_bet", "loser_keeps_bank", "kept_for_other_sum",
                  "retaken_for_other_sum", "taken_over_too_low", "passed_undealt", "no_call", "dealt_out_of_order",
                  "coup_cut_short", "banker_three_cards", "thrown", "third_thrown", "basket", "third_in_basket",
                  "shown_alone", "card_after_stand", "card_unasked", "denied", "against_rules", "fifth_card_early",
                  "two_thirds_player", "two_thirds_banker", "declared_early", "card_from_natural",
                  "natural_forgotten", "card_beside_natural", "declared_without", "banker_declared_without",
                  "stranger_spoke", "odd_word", "banker_overdraws", "banker_stays"]  # fmt: skip
        if self.bank_most is not None:
            faults += ["bank_too_large", "abonament_too_large"]
        if self.bank_least > self.setup.chip_unit:
            faults += ["bank_too_small", "abonament_too_small"]
        self.faults = tuple(faults)
        self.past: Bank | None = None
        self.follows: Place | None = None
        """Who made banco and lost, and comes first in the next coup."""
        self.sent_back: list[Stake] = []
        """Stakes that go back when the coup is paid."""
        self.bank_seen = self.follows_seen = True
        """Since the last hole the auditor has seen a coup, and one that tells who follows."""
        super().opening()

    def hole_made(self) -> None:
        """What the bank may be is unknown too, until a coup was seen."""
        super().hole_made()
        self.bank_seen = self.follows_seen = False

    # --- a coup ---------------------------------------------------------------------------------------------------

    def play_round(self) -> None:
        if self.bank_seen and self.follows_seen:
            self.clear()
        self.shoe_ready()
        self.stakes = []
        self.sent_back = []
        self.ambiguous = False
        """Who comes first hangs on coups that the auditor may not have seen."""
        self.wait(2, 6)
        banker = self._put_up_bank()
        if banker is None:
            self.wait(30, 90)
            return
        bank = self.stakes[0]
        self.banker_seat = bank.seat
        self._stakes_against(banker)
        if self.wanted is not None:
            self._wrongs_before_call()
        self.wait(5, 12)
        called = self.call()
        self._send_back_bancos()
        self.holder = self._who_holds()
        late_after = self.random.choice((0, 4)) if called else 4
        if late_after == 0:
            self._wrongs_after_call()
        self.wait(1, 3)
        winner, believed = self._coup(late_after)
        self.wait(1, 3)
        due = self._account(winner)
        plays, on_bank, _ = self._cover()
        playing = {_place_of(stake) for stake in self.stakes if plays.get(stake.id)}
        banco = self._is("banco")
        paid = next(entry.paid for entry in due.dues if entry.stake is bank)
        self.pay(due, due if believed == winner else self._account(believed))
        for stake in self.sent_back:
            self.settle(stake, 0, stake.amount)
        gives_up = winner != PLAYER and self.random.random() < 0.08
        if gives_up:
            self.say(bank.seat, "pass")
        self._bank_after(bank, winner, on_bank, paid, gives_up)
        if winner == BANKER:
            if banco is not None:
                self.follows = _place_of(banco)
            else:
                self.follows = next(iter(playing)) if len(playing) == 1 else None
        elif winner == PLAYER:
            self.follows = None
        if self.ambiguous and not (self.bank_seen and self.follows_seen):
            self.bank_seen = self.follows_seen = False
        else:
            self.bank_seen = True
            self.follows_seen = self.follows_seen or winner in (PLAYER, BANKER)

    def _bank_after(self, bank: Stake, winner: str, on_bank: int, paid: int, gives_up: bool) -> None:
        unit = self.setup.chip_unit
        stands_at, sums = bank.amount, {bank.amount}
        if winner == BANKER:
            stands_at = bank.amount + paid
            sums = {stands_at}
            gross = on_bank - self._share_of(on_bank, winner)
            if gross < bank.amount:
                sums.add(gross + paid)
            for amount in list(sums):
                chips = amount // unit
                sums.add((chips - chips // 2) * unit)
        self.past = Bank(_place_of(bank), winner == PLAYER, stands_at, tuple(sorted(sums)), gives_up, ())

    # --- who holds the bank ---------------------------------------------------------------------------------------

    def _in_order(self, after: int) -> list[Player]:
        """Who sits at the table, from the seat after this one up the numbers and round."""
        seated = sorted((p for p in self.players if p.seat <= SEATED), key=lambda p: p.seat)
        return [p for p in seated if p.seat > after] + [p for p in seated if p.seat <= after]

    def _at(self, place: Place) -> Player | None:
        return next((player for player in self.players if _place(player) == place), None)

    def _put_up_bank(self) -> Player | None:
        """The bank is kept, or goes round until somebody takes it. None where there is no game."""
        past = self.past
        after = past.at.seat if past is not None else 0
        if len(self.players) < 3:
            return None
        if past is not None and not past.lost:
            held = self._at(past.at)
            if held is not None and not past.given_up:
                chosen = self._keep(held, past)
                if chosen:
                    return self._bank(held, chosen)
            if not past.given_up:
                self.say(past.at.seat, "pass")
                self.past = past = past._replace(given_up=True, passed=())
            return self._take_over(past)
        order = [p for p in self._in_order(after) if past is None or p.seat != past.at.seat]
        if past is not None and self.may("loser_keeps_bank"):
            loser = self._at(past.at)
            if loser is not None and self._new_sum(loser):
                taker = self._bank(loser, self._new_sum(loser))
                self.plant("loser_keeps_bank", Expected(code="illegal_decision", bet=self.stakes[0].id))
                return taker
        for player in order * 2:
            amount = self._new_sum(player)
            if not amount:
                continue
            if self.random.random() < 0.3:
                self.say(player.seat, "pass")
                continue
            return self._bank_with_wrong(player, amount)
        return None

    def _bank_with_wrong(self, player: Player, amount: int) -> Player:
        """A bank that nobody held before."""
        unit = self.setup.chip_unit
        if self.bank_least > unit and self.may("bank_too_small"):
            self._bank(player, self.bank_least - unit)
            self.plant("bank_too_small", Expected(code="below_minimum", bet=self.stakes[0].id))
        elif self.bank_most is not None and self.may("bank_too_large"):
            self._bank(player, self.bank_most + unit)
            self.plant("bank_too_large", Expected(code="above_maximum", bet=self.stakes[0].id))
        else:
            self._bank(player, amount)
        return player

    def _new_sum(self, player: Player, least: int = 0, most: int | None = None) -> int:
        """For what he would take the bank; 0 where he cannot."""
        least = max(least, self.bank_least)
        if most is None:
            most = self.bank_most
        wanted = max(least, min(player.unit * self.random.choice((2, 3, 3, 5, 8)), player.bankroll // 2))
        if most is not None:
            wanted = min(wanted, most)
        wanted -= wanted % self.setup.chip_unit
        return wanted if least <= wanted <= player.bankroll else 0

    def _keep(self, player: Player, past: Bank) -> int:
        """For how much he keeps it; 0 where he gives it up."""
        rng = self.random
        if self.may("kept_for_other_sum"):
            other = past.stands_at - self.setup.chip_unit
            if other > 0 and other not in past.sums and player.bankroll >= other:
                return -other
        within = [amount for amount in past.sums if amount <= player.bankroll]
        if not within or rng.random() < 0.2 or past.stands_at > 60 * self.minimum:
            return 0
        return within[-1] if rng.random() < 0.7 else rng.choice(within)

    def _take_over(self, past: Bank) -> Player | None:
        """The bank was given up: it goes to somebody for at least what it stood at, else to whoever has passed it."""
        rng = self.random
        held = self._at(past.at)
        order = [player for player in self._in_order(past.at.seat) if player.seat != past.at.seat]
        most = None if self.bank_most is None else max(self.bank_most, past.stands_at)
        if held is not None and rng.random() < 0.1 and held.bankroll >= past.stands_at:
            return self._bank(held, past.stands_at)
        if held is not None and self.may("retaken_for_other_sum"):
            other = past.stands_at + self.setup.chip_unit
            if held.bankroll >= other:
                self._bank(held, other)
                self.plant("retaken_for_other_sum", Expected(code="stake_mismatch", bet=self.stakes[0].id))
                return held
        for player in order:
            if past.stands_at > self.bank_least and self.may("taken_over_too_low"):
                self._bank(player, past.stands_at - self.setup.chip_unit)
                self.plant("taken_over_too_low", Expected(code="below_minimum", bet=self.stakes[0].id))
                return player
            amount = self._new_sum(player, past.stands_at, most)
            if amount and rng.random() < 0.5:
                return self._bank(player, amount)
            self.say(player.seat, "pass")
        for player in order:
            amount = self._new_sum(player)
            if amount:
                return self._bank_with_wrong(player, amount)
        return None

    def _bank(self, player: Player, amount: int) -> Player:
        """The banker puts up his bank; a negative amount is a sum for which it may not be kept."""
        bank = self.put_up(player, abs(amount))
        if amount < 0:
            self.plant("kept_for_other_sum", Expected(code="stake_mismatch", bet=bank.id))
        return player

    # --- stakes against it ----------------------------------------------------------------------------------------

    def _lay(self, player: Player, wager: str, amount: int, *, line: bool = False) -> Stake | None:
        """Somebody stakes, from where he is."""
        place = _place(player)
        pick = "standing" if place.standing else "line" if line else None
        return self.stake_from(player, place.seat, wager, amount, pick)

    def _plays(self, stake: Stake) -> int:
        """What a stake would play."""
        unit = self.setup.chip_unit
        return stake.amount // (2 * unit) * unit if stake.pick == "line" else stake.amount

    def _whole(self) -> int:
        return sum(stake.amount for stake in self.stakes if stake.wager in ("bank", "bank_share"))

    def _laid(self) -> int:
        return sum(self._plays(stake) for stake in self.stakes if stake.wager in AGAINST)

    def _room(self) -> int:
        """What may still be staked."""
        lent = sum(stake.amount for stake in self.stakes if stake.wager == "abonament")
        return self._whole() + lent - self._laid()

    def _is(self, wager: str) -> Stake | None:
        return next((stake for stake in self.stakes if stake.wager == wager), None)

    def _stakes_against(self, banker: Player) -> None:
        rng = self.random
        others = [player for player in self.players if player is not banker]
        rng.shuffle(others)
        self.late_follower: Player | None = None
        self._associate(others)
        whole = self._whole()
        follower = self._at(self.follows) if self.follows is not None else None
        if follower is not None and follower in others and follower.bankroll >= whole and rng.random() < 0.5:
            if rng.random() < 0.6:
                self._lay(follower, "banco", whole)
                return
            self.late_follower = follower
            others.remove(follower)
        wants_banco = self.wanted in ("banco_comes_second", "banco_mismatch", "banco_too_large", "beside_banco")
        if wants_banco or rng.random() < 0.06:
            rich = [player for player in others if player.bankroll > whole]
            if rich:
                self._banco(rich[0], others)
                return
        if (rng.random() < 0.08 or self.wanted == "with_table_mismatch") and others:
            self._with_table(others[0])
        for player in others:
            if rng.random() < 0.85:
                self._punter(player)
        self._force_stake(others)
        if self._is("banco") is not None:
            return
        if rng.random() < 0.15:
            self._think_again()
        room = self._room()
        if room > 0 and (rng.random() < 0.1 or self.wanted in ("complete_mismatch", "second_complete")):
            wrong = room > self.setup.chip_unit and self.may("complete_mismatch")
            amount = room - self.setup.chip_unit if wrong else room
            rich = [player for player in others if player.bankroll >= amount]
            stake = self._lay(rich[0], "with_table_complete", amount) if rich else None
            if stake is not None and wrong:
                self.plant("complete_mismatch", Expected(code="stake_mismatch", bet=stake.id))
        elif room == 0 and (rng.random() < 0.4 or self.wanted in ("abonament_too_large", "abonament_too_small")):
            self._abonaments(others)

    def _associate(self, others: list[Player]) -> None:
        """Somebody goes halves with the banker."""
        bank, unit = self.stakes[0], self.setup.chip_unit
        if self.random.random() > 0.06 and self.wanted not in ("share_mismatch", "second_share"):
            return
        rich = [player for player in others if player.bankroll >= bank.amount + unit]
        if not rich or len(others) < 3:
            return
        others.remove(rich[0])
        amount = bank.amount
        wrong = self.may("share_mismatch")
        if wrong:
            amount += unit if bank.amount <= 2 * unit or self.random.random() < 0.5 else -unit
        stake = self._lay(rich[0], "bank_share", amount)
        if wrong and stake is not None:
            self.plant("share_mismatch", Expected(code="stake_mismatch", bet=stake.id))

    def _banco(self, player: Player, others: list[Player]) -> None:
        """Somebody plays against the whole bank; who staked before takes it back."""
        rng, unit, whole = self.random, self.setup.chip_unit, self._whole()
        early = next((other for other in others if other is not player), None)
        before = self._punter(early) if early is not None and rng.random() < 0.3 else None
        if whole > 2 * unit and self.may("banco_mismatch"):
            stake = self._lay(player, "banco", whole - unit)
            if stake is not None:
                self.plant("banco_mismatch", Expected(code="stake_mismatch", bet=stake.id))
        elif self.may("banco_too_large"):
            stake = self._lay(player, "banco", whole + unit)
            if stake is not None:
                both = (Expected(code="stake_mismatch", bet=stake.id), Expected(code="above_maximum", bet=stake.id))
                self.plant("banco_too_large", *both)
        else:
            self._lay(player, "banco", whole)
        if before is not None:
            self.stakes.remove(before)
            self.withdraw(before)

    def _with_table(self, player: Player) -> None:
        """Half of the bank, whichever half is the larger."""
        unit = self.setup.chip_unit
        chips = self._whole() // unit
        half = (chips // 2 if self.random.random() < 0.5 else chips - chips // 2) * unit
        if chips > 4 and self.may("with_table_mismatch"):
            stake = self._lay(player, "with_table", half - 2 * unit)
            if stake is not None:
                self.plant("with_table_mismatch", Expected(code="stake_mismatch", bet=stake.id))
        elif half:
            self._lay(player, "with_table", half)

    def _punter(self, player: Player) -> Stake | None:
        """What somebody stakes, if the bank has room for it."""
        rng = self.random
        amount = player.unit * rng.choice((1, 1, 1, 2, 3))
        if rng.random() < 0.2:
            amount += self.setup.chip_unit * rng.randrange(1, 8)
        amount = min(amount, self._room())
        return self._lay(player, "punter", amount, line=rng.random() < 0.06) if amount >= self.minimum else None

    def _force_stake(self, others: list[Player]) -> None:
        """Without a stake there is no coup: somebody obliges."""
        if any(self._plays(stake) for stake in self.stakes if stake.wager in AGAINST):
            return
        wager, amount = "punter", self.minimum
        if self._room() < amount:
            wager, amount = "banco", self._whole()
        for player in others:
            if self._lay(player, wager, amount) is not None:
                return
        seat = next(seat for seat in range(1, SEATED + 1) if seat != self.banker_seat)
        self.stakes.append(self.lay_unasked(seat, wager, amount))

    def _think_again(self) -> None:
        rng = self.random
        punters = [stake for stake in self.stakes if stake.wager == "punter" and stake.player is not None]
        if not punters:
            return
        stake = rng.choice(punters)
        if rng.random() < 0.4 and len(punters) > 1:
            self.stakes.remove(stake)
            self.withdraw(stake)
            if not self._laid():
                self._force_stake([])
        elif stake.amount >= 2 * self.minimum and rng.random() < 0.5:
            self.withdraw(stake, self.minimum)
        elif stake.player is not None and stake.player.bankroll >= self.minimum <= self._room():
            self.raise_stake(stake, self.minimum)

    def _abonaments(self, others: list[Player]) -> None:
        """The bank is covered: who believes in it lends to it, and the punters go on."""
        rng, unit, most = self.random, self.setup.chip_unit, self.bank_most
        lenders = [player for player in others if player.bankroll > self.bank_least][:3]
        if most is not None and self.may("abonament_too_large"):
            stake = self.lay_unasked(rng.randrange(1, SEATED + 1), "abonament", most + unit)
            self.stakes.append(stake)
            self.plant("abonament_too_large", Expected(code="above_maximum", bet=stake.id))
        elif self.bank_least > unit and self.may("abonament_too_small"):
            stake = self.lay_unasked(rng.randrange(1, SEATED + 1), "abonament", self.bank_least - unit)
            self.stakes.append(stake)
            self.plant("abonament_too_small", Expected(code="below_minimum", bet=stake.id))
        else:
            for player in lenders[: rng.choice((1, 1, 2, 3))]:
                amount = self._new_sum(player)
                if amount:
                    self._lay(player, "abonament", amount)
        for player in others:
            if player not in lenders:
                self._punter(player)

    # --- V, VI, VII: who comes first, what plays ------------------------------------------------------------------

    def _rank(self, place: Place) -> tuple[bool, bool, bool, int]:
        """Banco suivi, then seated before standing, then the order of the seats."""
        return (place != self.follows, place.standing, place.seat <= self.banker_seat, place.seat)

    def _send_back_bancos(self) -> None:
        """Of several only the first one plays."""
        bancos = [stake for stake in self.stakes if stake.wager == "banco"]
        if len(bancos) < 2:
            return
        self.ambiguous = True
        first = min(bancos, key=lambda stake: self._rank(_place_of(stake)))
        for stake in bancos:
            if stake is not first:
                self.stakes.remove(stake)
                self.sent_back.append(stake)
                self.plant("banco_comes_second", Expected(code="too_many_bets", bet=stake.id))

    def _cover(self) -> tuple[dict[str, int], int, int]:
        """What plays of each stake; what of it bank and associate answer for, and what the abonaments."""
        whole = room = self._whole()
        playing: dict[str, int] = {}
        used = 0
        banco = self._is("banco")
        if banco is not None:
            playing[banco.id] = used = min(banco.amount, room)
        for stake in self.stakes:
            if stake.wager == "abonament":
                room += stake.amount
            elif stake.wager in AGAINST and stake is not banco:
                playing[stake.id] = max(0, min(self._plays(stake), room - used))
                used += playing[stake.id]
        return playing, min(used, whole), max(0, used - whole)

    def _who_holds(self) -> int:
        """The seat of whoever takes the cards against the bank."""
        for wager in ("banco", "with_table_complete", "with_table"):
            stake = self._is(wager)
            if stake is not None:
                return stake.seat
        sums: dict[Place, int] = {}
        playing = self._cover()[0]
        for stake in self.stakes:
            if playing.get(stake.id):
                place = _place_of(stake)
                sums[place] = sums.get(place, 0) + playing[stake.id]
        past, bank = self.past, self.stakes[0]
        if past is not None and not past.lost and past.at in sums and past.at != _place_of(bank):
            if bank.amount > past.stands_at:
                return past.at.seat
        return min(sums, key=lambda at: (at.standing, -sums[at], at.seat <= self.banker_seat, at.seat)).seat

    # --- the cards ------------------------------------------------------------------------------------------------

    def _coup(self, late_after: int) -> tuple[str, str]:
        """How the coup ends, and how the dealer believes that it does."""
        rng = self.random
        order = [PLAYER, BANKER, PLAYER, BANKER]
        looks: list[dict[str, Any]] = [{}, {}, {}, {}]
        counts_zero = annulled = shown = both_shown = basket = False
        stop = 9
        end: tuple[str, str] | None = None
        if rng.random() < 0.003 and self.wanted is None:
            stop = rng.randrange(4)
            looks[stop] = {"void": rng.choice(("stuck", "fault"))}
            end = (NULL, NULL)
        elif self.may("coup_cut_short"):
            stop = rng.randrange(3)
            end = (NULL, NULL)
            self.did("coup_cut_short", Expected(code="drawing_error"))
        elif self.may("thrown"):
            stop = rng.randrange(4)
            looks[stop] = {"void": "thrown"}
            seat, winner = (self.banker_seat, PLAYER) if stop % 2 else (self.holder, BANKER)
            end = (winner, winner)
            self.did("thrown", Expected(code="illegal_decision", seat=seat))
        elif self.may_with_cards("dealt_out_of_order"):
            order = rng.choice(
                ([PLAYER, PLAYER, BANKER, BANKER], [BANKER, PLAYER, BANKER, PLAYER], [PLAYER, BANKER, BANKER, PLAYER])
            )
            annulled = True
            self.did("dealt_out_of_order", Expected(code="dealing_error"))
        elif self.may_with_cards("banker_three_cards"):
            order = [PLAYER, BANKER, BANKER, BANKER, PLAYER]
            looks.append({})
            counts_zero = True
            self.did("banker_three_cards", Expected(code="dealing_error"))
        elif self.may("basket"):
            basket = True
            looks[rng.choice((0, 2))] = {"void": "basket"}
            self.did("basket", Expected(code="dealing_error"))
        elif self.may("shown_alone"):
            looks[rng.choice((0, 2))] = {"up": True}
            shown = True
            self.did("shown_alone", Expected(code="dealing_error"))
        elif rng.random() < 0.01:
            shown, both_shown = True, self._show(looks)
        hands: dict[str, list[str]] = {PLAYER: [], BANKER: []}
        for number, to in enumerate(order):
            self.maybe_exposed()
            hands[to].append(self.card(to, **looks[number]))
            if number == stop and end is not None:
                if looks[number].get("void") in ("stuck", "fault"):
                    self.card("burn")
                return end
        if late_after == 4:
            self._wrongs_after_call()
        follower = self.late_follower
        if follower is not None and follower.bankroll >= self._whole():
            self._follow(follower)
        player = 9 if basket else points(hands[PLAYER])
        banker = 0 if counts_zero else points(hands[BANKER])
        free = (self.always_free or (self.banco_free and self._is("banco") is not None)) and not shown
        hand = Hand(player, banker, free, both_shown, counts_zero, basket)
        winner, believed = self.with_natural(hand) if player > 7 or banker > 7 else self.without_natural(hand)
        if annulled:
            return NULL, rng.choice((NULL, believed))
        return winner, believed

    def _show(self, looks: list[dict[str, Any]]) -> bool:
        """A first card is seen, by the croupier's fault or the banker's, who then shows his own. True: both are."""
        rng = self.random
        if rng.random() < 0.3:
            looks[rng.randrange(4)] = {"up": True, "by": "dealer"}
            return False
        both = rng.random() < 0.3
        for number in (0, 2) if both else (rng.choice((0, 2)),):
            looks[number] = looks[number + 1] = {"up": True}
        return both

    def _follow(self, player: Player) -> None:
        """Who made banco and lost announces it again, after the call: the other stakes go back."""
        self.ambiguous = True
        others = [stake for stake in self.stakes if stake.wager in AGAINST]
        self.stakes = [stake for stake in self.stakes if stake.wager not in AGAINST]
        banco = self._lay(player, "banco", self._whole())
        assert banco is not None
        self.holder = banco.seat
        for stake in others:
            self.settle(stake, 0, stake.amount)

    # --- money ----------------------------------------------------------------------------------------------------

    def _share_of(self, on_bank: int, winner: str) -> int:
        """What the associate has won or lost: half, the odd chip is the banker's, but nobody loses what he has not."""
        share = self._is("bank_share")
        if share is None:
            return 0
        unit = self.setup.chip_unit
        half = on_bank // (2 * unit) * unit
        if winner == PLAYER:
            half = max(min(half, share.amount), on_bank - self.stakes[0].amount)
        return half

    def _account(self, winner: str) -> Account:
        """What every stake is due when the coup ends so."""
        playing, on_bank, on_abonaments = self._cover()
        half = self._share_of(on_bank, winner)
        dues: list[Due] = []
        commission = 0
        for stake in self.stakes:
            amount = stake.amount
            if stake.wager in AGAINST:
                plays = playing[stake.id]
                if winner == PLAYER:
                    dues.append(Due(stake, plays, amount))
                else:
                    dues.append(Due(stake, 0, amount - plays if winner == BANKER else amount))
                continue
            if stake.wager == "abonament":
                part = min(amount, on_abonaments)
                on_abonaments -= part
            else:
                part = half if stake.wager == "bank_share" else on_bank - half
            if winner == BANKER:
                paid = self.part(part, 19, 20)
                commission += part - paid
                dues.append(Due(stake, paid, amount))
            else:
                dues.append(Due(stake, 0, amount - part if winner == PLAYER else amount))
        dues.sort(key=lambda due: due.stake.wager not in AGAINST)
        return Account(dues, commission)

    # --- wrongs ---------------------------------------------------------------------------------------------------

    def _free_seat(self) -> int:
        """A seat that is not the banker's."""
        return self.random.choice([seat for seat in range(1, SEATED + 1) if seat != self.banker_seat])

    def _wrongs_before_call(self) -> None:
        rng, unit, bank = self.random, self.setup.chip_unit, self.stakes[0]
        banco, complete = self._is("banco"), self._is("with_table_complete")
        whole, laid, room = self._whole(), self._laid(), self._room()
        seat = self._free_seat()
        if banco is None and complete is None:
            if room >= self.minimum > unit and self.may("below_minimum"):
                self.stakes.append(self.accepted("below_minimum", "below_minimum", seat, "punter", self.minimum - unit))
            elif room >= 0 and self.may("beyond_cover"):
                amount = room + self.minimum
                self.stakes.append(self.accepted("beyond_cover", "above_maximum", seat, "punter", amount))
        elif banco is not None and self.may("beside_banco"):
            self.stakes.append(self.accepted("beside_banco", "above_maximum", seat, "punter", self.minimum))
        for wager in _ONE_OF_EACH:
            fault = f"second_{wager.removeprefix('bank_').removeprefix('with_table_')}"
            if self._is(wager) is not None and self.may(fault):
                self.refused(fault, "too_many_bets", seat, wager, bank.amount)
        if banco is not None and self.may("banco_comes_second"):
            places = [Place(number, False) for number in range(1, SEATED + 1) if number != self.banker_seat]
            rival = rng.choice([place for place in places if place != _place_of(banco)])
            self.stakes.append(self.lay_unasked(rival.seat, "banco", whole))
        if laid < whole and self.may("early_abonament"):
            self.refused("early_abonament", "wager_not_offered", seat, "abonament", self.bank_least)
        if laid >= whole and self.may("fourth_abonament"):
            there = sum(stake.wager == "abonament" for stake in self.stakes)
            for _ in range(3 - there):
                self.stakes.append(self.lay_unasked(self._free_seat(), "abonament", self.bank_least))
            self.refused("fourth_abonament", "too_many_bets", seat, "abonament", self.bank_least)
        self.refuse_own_stake(seat)
        if self.may("wager_not_offered"):
            self.refused("wager_not_offered", "wager_not_offered", seat, rng.choice(_OTHER_WAGERS), self.minimum)
        if self.may("bank_reduced"):
            held = [stake for stake in self.stakes if stake.wager in ("bank", "bank_share")]
            self.grabbed("bank_reduced", "withdrawal_not_allowed", rng.choice(held))
        if self.may("duplicate_bet"):
            self.laid_again(rng.choice(self.stakes))
        if self.may("passed_undealt"):
            self.say(bank.seat, "pass")
            self.plant("passed_undealt", Expected(code="illegal_decision", seat=bank.seat))

    def _wrongs_after_call(self) -> None:
        if self.wanted is None:
            return
        rng = self.random
        seat = self._free_seat()
        against = [stake for stake in self.stakes if stake.wager in AGAINST]
        if self.may("late_bet"):
            self.refused("late_bet", "late_bet", seat, "punter", self.minimum)
        if Place(seat, False) != self.follows and self.may("late_banco"):
            self.refused("late_banco", "late_bet", seat, "banco", self._whole())
        if self.may("late_raise"):
            self.raised_in_vain("late_raise", "late_bet", rng.choice(self.stakes), self.minimum)
        if self.may("late_withdrawal"):
            self.grabbed("late_withdrawal", "late_withdrawal", rng.choice(against))
        if self.may("bank_reduced"):
            self.grabbed("bank_reduced", "withdrawal_not_allowed", self.stakes[0])


SIMULATOR = ChemindeFerTable
SETUPS = (
    TableSetup(
        game="chemin_de_fer",
        rules="AD",
        limits={"min": 1_000, "bank": {"min": 2_000, "max": 100_000}},
        chip_unit=100,
        decks=6,
        float_minor=6_000_000,
    ),
    TableSetup(
        game="chemin_de_fer",
        rules="AD",
        limits={"min": 2_500, "bank": {"min": 2_500, "max": 250_000}},
        options={"drawing": "free"},
        chip_unit=500,
        rounding="nearest",
        decks=6,
        float_minor=10_000_000,
    ),
    TableSetup(
        game="chemin_de_fer",
        rules="AD",
        limits={"min": 1_000, "bank": {"min": 1_000, "max": 100_000}},
        options={"banco_free": True, "bank_unlimited": True},
        chip_unit=50,
        decks=6,
        float_minor=6_000_000,
    ),
)
