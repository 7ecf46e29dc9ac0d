"""Baccarat banque on the simulated floor: one banker against two cloths, a coup every minute."""

from __future__ import annotations

from typing import Any

from streams.simulator.baccarat import Account, BankTable, Due, by_rule, opposite, points, value
from streams.simulator.players import Player, Stake
from streams.simulator.table import TableSetup
from streams.simulator.truth import Expected

SEATS_A_CLOTH = 5
BANKERS_PLACES = (0, 11, 12, 13)
"""A banker sits at none of the cloths' seats; the next one sits elsewhere."""
_PLACES = ("place1", "place2")
_BANKER = "banker"
_OTHER_WAGERS = ("tie", "abonament", "bank_share", "with_table")
"""What is not played at this table."""
WON, LOST, TIE, NULL = "won", "lost", "tie", "null"
Results = dict[int, str]
"""Cloth (0 and 1, those in play) -> what it came to, seen from the cloth."""


def _nearest(cloth: int, banker: int) -> str:
    if cloth == banker:
        return TIE
    return WON if cloth > banker else LOST


class BaccaratBanqueTable(BankTable):
    """One table with two cloths."""

    code = "BB"
    open_to = ("unshuffled-shoe",)
    seats = 2 * SEATS_A_CLOTH
    below_cut_card = 10
    most_cards = 9

    def opening(self) -> None:
        options = self.setup.options
        own = self.setup.limits.get("bank", {})
        self.limited: bool = options.get("bank_type", "limited") == "limited"
        self.bank_least: int = own.get("min", 20 * self.minimum)
        self.bank_most: int = own.get("max", 500 * self.minimum)
        self.banco_free: bool = options.get("banco_free", False)
        faults = ["wrong_decks", "coup_after_cut_card", "impossible_card", "settled_too_early", "taken_back_lost",
                  "commission_forgotten", "commission_too_large", "commission_too_small", "below_minimum",
                  "second_bank", "own_stake", "own_stake_before", "wager_not_offered", "pick_not_offered", "late_bet",
                  "late_raise", "late_withdrawal", "duplicate_bet", "no_call", "dealt_out_of_order", "coup_cut_short",
                  "against_rules", "natural_forgotten", "banker_forgets_natural", "declared_without",
                  "banker_declared_without", "odd_word", "card_after_stand", "card_unasked", "denied",
                  "card_beside_natural", "card_for_nobody", "banker_stays", "two_thirds_cloth",
                  "two_thirds_banker"]  # fmt: skip
        if self.limited:
            faults += ["beyond_bank", "beside_banco", "banco_mismatch", "second_banco", "bank_too_large"]
        else:
            faults.append("banco_against_open")
        if own:
            faults.append("bank_too_small")
        self.faults = tuple(faults)
        self.banker: Player | None = None
        self.bank_next = 0
        """What the banker has on the table for the next coup."""
        self.coups_left = 0
        self.bank_seen = True
        """Since the last hole the auditor has seen a coup: it knows who held the bank."""
        super().opening()

    def hole_made(self) -> None:
        """What the bank may be is unknown too, until a coup was seen."""
        super().hole_made()
        self.bank_seen = False

    # --- a coup ---------------------------------------------------------------------------------------------------

    def play_round(self) -> None:
        if self.bank_seen:
            self.clear()
        self.shoe_ready()
        self.stakes = []
        if len(self.players) < 2:
            self.wait(30, 90)
            return
        self.wait(2, 6)
        self._put_up_bank()
        bank = self.stakes[0]
        self._stakes_of_all()
        if self.wanted is not None:
            self._wrongs_before_call()
        self.wait(5, 12)
        called = self.call()
        playing = self._cover()
        self.in_play = [cloth for cloth in (0, 1) if any(parts[cloth] for parts in playing.values())]
        self.free = [
            self.banco_free and any(stake.wager == "banco" and stake.pick == cloth + 1 for stake in self.stakes)
            for cloth in (0, 1)
        ]
        self.holders = [self._holder(cloth, playing) for cloth in (0, 1)]
        self.late_after_deal = not called or self.random.random() < 0.5
        if not self.late_after_deal:
            self._wrongs_after_call()
        self.wait(1, 3)
        results, believed = self._coup()
        self.wait(1, 3)
        due = self._account(results)
        self.pay(due, due if believed == results else self._account(believed))
        self.bank_seen = True
        paid, returned = next((each.paid, each.returned) for each in due.dues if each.stake is bank)
        self.bank_next = paid + returned
        self.coups_left -= 1

    # --- the bank -------------------------------------------------------------------------------------------------

    def _put_up_bank(self) -> None:
        """The banker goes on, or another one buys the bank."""
        rng, unit = self.random, self.setup.chip_unit
        banker = self.banker
        changes_hands = self.coups_left <= 0 or self.wanted in ("bank_too_small", "bank_too_large")
        if banker is None or changes_hands or banker.bankroll < max(self.bank_next, self.bank_least):
            banker = self._next_banker()
            amount = self.bank_least + unit * rng.randrange(0, 200)
            amount = min(amount, self.bank_most, banker.bankroll)
            if self.may("bank_too_small"):
                amount = self.bank_least - unit
                self.put_up(banker, amount, pick=1)
                self.plant("bank_too_small", Expected(code="below_minimum", bet=self.stakes[0].id))
                return
            if self.may("bank_too_large"):
                banker.bankroll += self.bank_most
                self.put_up(banker, self.bank_most + unit, pick=1)
                self.plant("bank_too_large", Expected(code="above_maximum", bet=self.stakes[0].id))
                return
        elif self.bank_next < self.minimum * 4:
            amount = self.bank_least  # he has lost it, and puts up another one
        else:
            amount = self.bank_next
            if rng.random() < 0.1 and banker.bankroll > amount + self.minimum:
                amount += self.minimum
        self.put_up(banker, amount, pick=1)

    def _next_banker(self) -> Player:
        """Somebody who sits down in a banker's place."""
        rng = self.random
        places = [place for place in BANKERS_PLACES if self.banker is None or place != self.banker.seat]
        name = self.new_name("bank/")
        bankroll = self.bank_least * rng.randrange(4, 12)
        self.banker = Player(name, rng.choice(places), bankroll, self.minimum, 0.5, 0)
        self.drop += bankroll
        self.tray -= bankroll
        self.coups_left = rng.randrange(3, 30)
        return self.banker

    # --- stakes ---------------------------------------------------------------------------------------------------

    def _lay(self, player: Player, wager: str, amount: int, pick: Any) -> Stake | None:
        return self.stake_from(player, player.seat, wager, amount, pick)

    def _half(self, amount: int) -> int:
        """The smaller half, in chips."""
        unit = self.setup.chip_unit
        return amount // (2 * unit) * unit

    def _parts(self, stake: Stake) -> tuple[int, int]:
        """What a stake would play on either cloth."""
        amount, pick = stake.amount, stake.pick
        if pick == "both":
            return amount - self._half(amount), self._half(amount)
        if pick in ("line1", "line2"):
            amount = self._half(amount)
        return (amount, 0) if pick in (1, "line1") else (0, amount)

    def _room(self) -> int:
        """What the bank still answers for; enough for anybody where it is open."""
        if not self.limited:
            return 1_000 * self.minimum
        return self.stakes[0].amount - sum(sum(self._parts(stake)) for stake in self.stakes[1:])

    def _bancos(self) -> list[Stake]:
        return [stake for stake in self.stakes if stake.wager == "banco"]

    def _stakes_of_all(self) -> None:
        rng = self.random
        whole = self.stakes[0].amount
        order = list(self.players)
        rng.shuffle(order)
        wanted = self.wanted in ("beside_banco", "banco_mismatch", "second_banco")
        if self.limited and (wanted or rng.random() < 0.08):
            self._stake_bancos(order, whole)
        if not self._bancos():
            for player in order:
                if rng.random() < 0.9:
                    self._punter(player)
            if rng.random() < 0.12:
                self._think_again()
        if not any(sum(self._parts(stake)) for stake in self.stakes[1:]):
            self._oblige(order, whole)

    def _stake_bancos(self, order: list[Player], whole: int) -> None:
        """Somebody plays against the whole bank, or two against half of it each."""
        rng, unit = self.random, self.setup.chip_unit
        cloth = rng.choice((1, 2))
        if whole > 4 * unit and rng.random() < 0.4:
            halves = [self._half(whole), whole - self._half(whole)]
            rng.shuffle(halves)
            rich = [player for player in order if player.bankroll >= whole]
            if len(rich) < 2 or whole // 2 - 2 * unit < self.minimum:
                return
            wrong = self.may("banco_mismatch")
            first = self._lay(rich[0], "banco", self._half(whole) - unit if wrong else halves[0], cloth)
            self._lay(rich[1], "banco", halves[1], 3 - cloth)
            if wrong and first is not None:
                self.plant("banco_mismatch", Expected(code="stake_mismatch", bet=first.id))
            return
        rich = [player for player in order if player.bankroll >= whole]
        if rich:
            wrong = whole - unit >= self.minimum and self.may("banco_mismatch")
            stake = self._lay(rich[0], "banco", whole - unit if wrong else whole, cloth)
            if wrong and stake is not None:
                self.plant("banco_mismatch", Expected(code="stake_mismatch", bet=stake.id))

    def _punter(self, player: Player) -> None:
        rng, unit = self.random, self.setup.chip_unit
        own = 1 if player.seat <= SEATS_A_CLOTH else 2
        amount = player.unit * rng.choice((1, 1, 1, 2, 3))
        if rng.random() < 0.25:
            amount += unit * rng.randrange(1, 8)
        dice = rng.random()
        pick: Any = own
        if dice < 0.12:
            pick = "both"
        elif dice < 0.17:
            pick = f"line{own}"
        elif dice < 0.22:
            pick = 3 - own
        amount = min(amount, self._room())
        if amount >= self.minimum:
            self._lay(player, "punter", amount, pick)

    def _oblige(self, order: list[Player], whole: int) -> None:
        """Without a stake there is no coup."""
        wager, amount = ("punter", self.minimum) if self._room() >= self.minimum else ("banco", whole)
        for player in order:
            if self._lay(player, wager, amount, 1) is not None:
                return
        self.stakes.append(self.lay_unasked(order[0].seat, wager, amount, pick=1))

    def _think_again(self) -> None:
        rng = self.random
        stake = rng.choice(self.stakes)
        if stake.wager != "punter" or stake.player is None:
            return
        if rng.random() < 0.4:
            self.stakes.remove(stake)
            self.withdraw(stake)
        elif stake.amount >= 2 * self.minimum and rng.random() < 0.5:
            self.withdraw(stake, self.minimum)
        elif stake.player.bankroll >= self.minimum <= self._room():
            self.raise_stake(stake, self.minimum)

    def _cover(self) -> dict[str, tuple[int, int]]:
        """What plays of each stake on either cloth: against a limited bank no more than it has, bancos first."""
        playing: dict[str, tuple[int, int]] = {}
        room = self.stakes[0].amount
        bancos = self._bancos()
        for stake in [*bancos, *(other for other in self.stakes[1:] if other.wager != "banco")]:
            first, second = self._parts(stake)
            if self.limited:
                most = room
                if stake.wager == "banco" and len(bancos) == 2:
                    most = min(room, self.stakes[0].amount - self._half(self.stakes[0].amount))
                first = min(first, most)
                second = min(second, most - first)
                room -= first + second
            playing[stake.id] = (first, second)
        return playing

    def _holder(self, cloth: int, playing: dict[str, tuple[int, int]]) -> int:
        """The seat that speaks for a cloth: a banco's, else that of the largest stake."""
        best = (-1, 0)
        for stake in self.stakes[1:]:
            part = playing[stake.id][cloth]
            if part > best[0]:
                best = (part, stake.seat)
        return best[1]

    # --- the cards ------------------------------------------------------------------------------------------------

    def _coup(self) -> tuple[Results, Results]:
        """How the coup ends, and how the dealer believes that it does."""
        rng = self.random
        hands = [*(_PLACES[cloth] for cloth in self.in_play), _BANKER]
        order = hands * 2
        null = dict.fromkeys(self.in_play, NULL)
        annulled = False
        stop = 99
        void = ""
        if rng.random() < 0.003 and self.wanted is None:
            stop, void = rng.randrange(len(order)), rng.choice(("stuck", "fault"))
        elif self.may("coup_cut_short"):
            stop = rng.randrange(len(order) - 1)
            self.did("coup_cut_short", Expected(code="drawing_error"))
        elif self.may_with_cards("dealt_out_of_order"):
            first = rng.randrange(len(hands) - 1) + rng.choice((0, len(hands)))
            order[first], order[first + 1] = order[first + 1], order[first]
            annulled = True
            self.did("dealt_out_of_order", Expected(code="dealing_error"))
        dealt: dict[str, list[str]] = {hand: [] for hand in hands}
        for number, to in enumerate(order):
            self.maybe_exposed()
            fields = {"void": void} if void and number == stop else {}
            dealt[to].append(self.card(to, **fields))
            if number == stop:
                if void:
                    self.card("burn")
                return null, null
        if self.late_after_deal:
            self._wrongs_after_call()
        self.totals = {cloth: points(dealt[_PLACES[cloth]]) for cloth in self.in_play}
        self.score = points(dealt[_BANKER])
        results, believed = self._against_natural() if self.score > 7 else self._without_natural()
        if annulled:
            return null, rng.choice((null, believed))
        return results, believed

    def _compared(self, banker: int) -> Results:
        return {cloth: _nearest(score, banker) for cloth, score in self.totals.items()}

    def _speak(self, cloth: int, word: str) -> None:
        """The holder of a cloth announces something; with one cloth in play nobody needs to ask which."""
        fields = {} if len(self.in_play) == 1 and self.random.random() < 0.3 else {"hand": cloth + 1}
        self.say(self.holders[cloth], word, **fields)

    @property
    def _seat_of_bank(self) -> int:
        """The banker speaks from his place, or as seat 0."""
        return self.stakes[0].seat if self.random.random() < 0.7 else 0

    def _idle_words(self, cloth: int) -> None:
        """Words that count for nothing."""
        rng = self.random
        seat = self.holders[cloth]
        if self.totals[cloth] < 8 and self.may("declared_without"):
            self._speak(cloth, "declare")
            self.did("declared_without", Expected(code="illegal_decision", seat=seat))
        elif self.score < 8 and self.may("banker_declared_without"):
            banker = self._seat_of_bank
            self.say(banker, "declare")
            self.did("banker_declared_without", Expected(code="illegal_decision", seat=banker))
        elif self.may("odd_word"):
            seat = rng.randrange(1, self.seats + 1)
            self.say(seat, rng.choice(("hit", "double", "fold")), hand=cloth + 1)
            self.did("odd_word", Expected(code="illegal_decision", seat=seat))

    def _proper_word(self, cloth: int) -> str:
        score = self.totals[cloth]
        word = by_rule(score)
        if word == "either" or (self.free[cloth] and self.random.random() < 0.15):
            return self.random.choice(("draw", "stand"))
        return word

    def _natural_of_cloth(self, cloth: int) -> None:
        """Its holder turns it up, or does not see it, which costs him nothing."""
        if self.may("natural_forgotten"):
            self._speak(cloth, self.random.choice(("draw", "stand")))
            self.did("natural_forgotten", Expected(code="illegal_decision", seat=self.holders[cloth]))
        elif self.random.random() < 0.85:
            self._speak(cloth, "declare")

    def _against_natural(self) -> tuple[Results, Results]:
        """The banker has eight or nine: nobody draws."""
        rng = self.random
        for cloth in self.in_play:
            if self.wanted is not None:
                self._idle_words(cloth)
            if self.totals[cloth] > 7:
                self._natural_of_cloth(cloth)
            elif rng.random() < 0.8:
                self._speak(cloth, self._proper_word(cloth))
        seat = self._seat_of_bank
        if self.may("banker_forgets_natural"):
            self.say(seat, rng.choice(("draw", "stand")))
            self.did("banker_forgets_natural", Expected(code="illegal_decision", seat=seat))
        elif rng.random() < 0.9:
            self.say(seat, "declare")
        results = self._compared(self.score)
        if self.may_with_cards("card_beside_natural"):
            self.did("card_beside_natural", Expected(code="drawing_error"))
            return results, rng.choice((results, self._with_card_too_many(results)))
        return results, results

    def _with_card_too_many(self, results: Results) -> Results:
        """A card for somebody who may not have one; what a dealer makes of it who counts it."""
        to = self.random.choice([*self.in_play, None])
        third = value(self.card(_BANKER if to is None else _PLACES[to]))
        if to is None:
            return self._compared((self.score + third) % 10)
        return {**results, to: _nearest((self.totals[to] + third) % 10, self.score)}

    def _without_natural(self) -> tuple[Results, Results]:
        """Each cloth without a natural draws or stands, then the banker, with one card against both."""
        rng = self.random
        undecided = [cloth for cloth in self.in_play if self.totals[cloth] < 8]
        null: list[int] = []
        counted: dict[int, int] = {}
        """What a dealer counts for a cloth who does not know the rule."""
        words = {}
        for cloth in self.in_play:
            if self.wanted is not None:
                self._idle_words(cloth)
            if cloth in undecided:
                words[cloth] = self._announce(cloth)
            else:
                self._natural_of_cloth(cloth)
        for cloth in self.in_play:
            if cloth in undecided:
                self._third_card(cloth, words[cloth], null, counted)
            elif self.may_with_cards("card_beside_natural"):
                self.did("card_beside_natural", Expected(code="drawing_error"))
                self.card(_PLACES[cloth])
        if len(self.in_play) == 1 and self.may_with_cards("card_for_nobody"):
            self.did("card_for_nobody", Expected(code="drawing_error"))
            self.card(_PLACES[1 - self.in_play[0]])
        banker, believed_banker, stayed = self._banker_turn(undecided, null)
        if stayed:
            null = undecided
        results: Results = {}
        believed: Results = {}
        naive = rng.random() < 0.5
        for cloth in self.in_play:
            if cloth not in undecided:
                results[cloth] = believed[cloth] = WON
                continue
            played = _nearest(self.totals[cloth], banker)
            results[cloth] = NULL if cloth in null else played
            thought = _nearest(counted.get(cloth, self.totals[cloth]), believed_banker)
            believed[cloth] = thought if naive else results[cloth]
        return results, believed

    def _announce(self, cloth: int) -> tuple[str, bool, bool]:
        """What the holder does (draw or stand), whether he says so, and whether he may."""
        proper = self._proper_word(cloth)
        if by_rule(self.totals[cloth]) != "either" and not self.free[cloth] and self.may("against_rules"):
            word = opposite(proper)
            self._speak(cloth, word)
            self.did("against_rules", Expected(code="illegal_decision", seat=self.holders[cloth]))
            return word, True, False
        speaks = self.random.random() < 0.8
        if speaks:
            self._speak(cloth, proper)
        return proper, speaks, True

    def _third_card(self, cloth: int, said: tuple[str, bool, bool], null: list[int], counted: dict[int, int]) -> None:
        """The third card of a cloth, or none."""
        rng = self.random
        word, speaks, allowed = said
        score = self.totals[cloth]
        draws = word == "draw"
        if not allowed:
            draws = rng.random() < 0.5
            if score == 0 and not draws:
                self.expect(Expected(code="drawing_error"))
                null.append(cloth)
        elif draws and (speaks or (score < 5 and not self.free[cloth])) and self.may("denied"):
            self.did("denied", Expected(code="drawing_error"))
            null.append(cloth)
            return
        elif not draws:
            after_stand = speaks and self.may_with_cards("card_after_stand")
            unasked = not speaks and score > 5 and not self.free[cloth] and self.may_with_cards("card_unasked")
            if after_stand:
                self.did("card_after_stand", Expected(code="dealing_error"))
            elif unasked:
                self.did("card_unasked", Expected(code="drawing_error"))
            if after_stand or unasked:
                counted[cloth] = (score + value(self.card(_PLACES[cloth]))) % 10
        if not draws:
            return
        self.settle_too_early(self.stakes)
        self.maybe_exposed()
        total = (score + value(self.card(_PLACES[cloth]))) % 10
        if self.may_with_cards("two_thirds_cloth"):
            self.did("two_thirds_cloth", Expected(code="dealing_error"))
            counted[cloth] = total
            total = max(total, (score + value(self.card(_PLACES[cloth]))) % 10)
        self.totals[cloth] = total

    def _banker_turn(self, undecided: list[int], null: list[int]) -> tuple[int, int, bool]:
        """What the banker comes to, what a dealer believes who does not know the rule, and whether he stayed on zero,
        which he may not."""
        rng = self.random
        score = self.score
        word = rng.random() < 0.7
        seat = self._seat_of_bank
        if not undecided:
            if word:
                self.say(seat, "stand")
            if self.may_with_cards("card_beside_natural"):
                self.did("card_beside_natural", Expected(code="drawing_error"))
                self.card(_BANKER)
            return score, score, False
        must = score == 0
        behind = sum(self.totals[cloth] > score for cloth in undecided)
        draws = must or (score < 6 and behind > 0 and rng.random() < 0.9) or (score < 4 and rng.random() < 0.6)
        if must and len(null) < len(undecided) and self.may("banker_stays"):
            if word:
                self.say(seat, "stand")
                self.did("banker_stays", Expected(code="illegal_decision", seat=seat))
            else:
                self.did("banker_stays", Expected(code="drawing_error"))
            return score, score, True
        if word:
            self.say(seat, "draw" if draws else "stand")
        if not draws:
            return score, score, False
        self.settle_too_early(self.stakes)
        total = counted = (score + value(self.card(_BANKER))) % 10
        if self.may_with_cards("two_thirds_banker"):
            self.did("two_thirds_banker", Expected(code="dealing_error"))
            total = min(total, (score + value(self.card(_BANKER))) % 10)
        return total, counted, False

    # --- money ----------------------------------------------------------------------------------------------------

    def _account(self, results: Results) -> Account:
        """What every stake is due when the cloths come to so much."""
        playing = self._cover()
        dues: list[Due] = []
        net = 0
        for stake in self.stakes[1:]:
            won = lost = 0
            for cloth, part in enumerate(playing[stake.id]):
                if results.get(cloth) == WON:
                    won += part
                elif results.get(cloth) == LOST:
                    lost += part
            net += lost - won
            dues.append(Due(stake, won, stake.amount - lost))
        bank = self.stakes[0]
        if net > 0:
            paid = self.part(net, 49, 50) if self.limited else self.part(net, 79, 80)
            return Account([*dues, Due(bank, paid, bank.amount)], net - paid)
        return Account([*dues, Due(bank, 0, max(0, bank.amount + net))], 0)

    # --- wrongs ---------------------------------------------------------------------------------------------------

    def _wrongs_before_call(self) -> None:
        rng, unit, bank = self.random, self.setup.chip_unit, self.stakes[0]
        bancos, room = self._bancos(), self._room()
        seat, pick, least = rng.randrange(1, self.seats + 1), rng.choice((1, 2)), self.minimum
        if not bancos and room >= least > unit and self.may("below_minimum"):
            small = self.accepted("below_minimum", "below_minimum", seat, "punter", least - unit, pick=pick)
            self.stakes.append(small)
        if self.limited and not bancos and room >= 0 and self.may("beyond_bank"):
            much = rng.choice((pick, "both"))
            large = self.accepted("beyond_bank", "above_maximum", seat, "punter", room + least, pick=much)
            self.stakes.append(large)
        if len(bancos) == 1 and bancos[0].amount == bank.amount and self.may("beside_banco"):
            self.stakes.append(self.accepted("beside_banco", "above_maximum", seat, "punter", least, pick=pick))
        if bancos and self.may("second_banco"):
            first = bancos[0]
            self.refused("second_banco", "too_many_bets", seat, "banco", first.amount, pick=first.pick)
        if not self.limited and self.may("banco_against_open"):
            self.refused("banco_against_open", "wager_not_offered", seat, "banco", bank.amount, pick=pick)
        if self.may("second_bank"):
            place = rng.choice([place for place in BANKERS_PLACES if place != bank.seat])
            self.refused("second_bank", "too_many_bets", place, "bank", bank.amount)
        self.refuse_own_stake(seat, pick)
        if self.may("wager_not_offered"):
            self.refused("wager_not_offered", "wager_not_offered", seat, rng.choice(_OTHER_WAGERS), least)
        if self.may("pick_not_offered"):
            self.refused("pick_not_offered", "wager_not_offered", seat, "punter", least, pick=rng.choice((3, "line")))
        if self.may("duplicate_bet"):
            self.laid_again(rng.choice(self.stakes))

    def _wrongs_after_call(self) -> None:
        if self.wanted is None:
            return
        rng = self.random
        if self.may("late_bet"):
            wager = rng.choice(("punter", "banco")) if self.limited and not self._bancos() else "punter"
            seat = rng.randrange(1, self.seats + 1)
            self.refused("late_bet", "late_bet", seat, wager, self.minimum, pick=rng.choice((1, 2)))
        self.touched_late(self.stakes)


SIMULATOR = BaccaratBanqueTable
SETUPS = (
    TableSetup(
        game="baccarat_banque",
        rules="AD",
        limits={"min": 1_000, "bank": {"min": 20_000, "max": 500_000}},
        chip_unit=100,
        decks=6,
        float_minor=8_000_000,
    ),
    TableSetup(
        game="baccarat_banque",
        rules="AD",
        limits={"min": 2_500},
        options={"bank_type": "open"},
        chip_unit=500,
        rounding="nearest",
        decks=6,
        float_minor=12_000_000,
    ),
    TableSetup(
        game="baccarat_banque",
        rules="AD",
        limits={"min": 1_000, "bank": {"min": 10_000, "max": 200_000}},
        options={"banco_free": True},
        chip_unit=50,
        rounding="up",
        decks=6,
        float_minor=8_000_000,
    ),
)
