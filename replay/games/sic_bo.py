"""Sic Bo, three dice against the house: AD-2022, game 16.

II  The layout carries the wagers and their prizes (option ``paytable``); six dice serve the table, three are in play.
IV  Only the listed wagers are taken, within the limits, where the house says so in multiples of the minimum.
    After "ja no hi van més apostes" no stake is laid or taken back, and the dice are thrown at once: the first valid
    throw decides every bet. Dice that break, ride on a chip or one another, or leave the zone make the throw void: it
    decides nothing and is repeated, with the bets as they lie. Dice are changed between rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Annotated, Any, ClassVar, Final, Self

import msgspec
from pydantic import AfterValidator, Field, model_validator

from replay.book import Bet, Book
from replay.events import BetsClosed, BetSettled, DiceChanged, DiceRolled, RoundClosed, RoundOpened
from replay.games import Game, Objection
from replay.law import ONE_PRICE, GameLaw, OptionValues, Passage, Passages, PriceText, Provision, Several, WagerLaw
from replay.money import Price
from replay.odds import Odds, edge_and_variance, net, pick_text
from replay.rules import GameRules, Table, Wager
from replay.watched import Exact, Repetition, Watchable

FACES: Final = (1, 2, 3, 4, 5, 6)
SUMS: Final = range(3, 19)
ON_SUMS: Final = ("small", "big", "odd", "even")
"""They win on the sums that the pack lists, and lose to every triple."""
PRINTED: Final = ("double", "triple", "any_triple", "combination")
"""Beside the totals, the wagers whose prizes the layout prints."""


# --- what Sic Bo asks of its pack -------------------------------------------------------------------------------------


class SicBoPassages(Passages):
    """What is cited beside the tables."""

    throw: Passage
    """Void throws, and that the first valid one decides."""
    change: Passage
    """When dice may be changed."""
    limits: Passage


class SicBoWager(WagerLaw):
    """A wager, and the sums of the dice on which it wins, where it is on several."""

    sums: Several[Annotated[int, Field(ge=SUMS[0], le=SUMS[-1])]] = ()


def _sum(text: str) -> str:
    if text not in map(str, SUMS):
        raise ValueError(f"a sum of three dice, {SUMS[0]} to {SUMS[-1]}")
    return text


class PayTable(Provision):
    """II: the prizes that one kind of layout prints, as far as it has these wagers."""

    total: Mapping[Annotated[str, AfterValidator(_sum)], PriceText] = {}
    """By the sum of the dice, as text."""
    double: PriceText | None = None
    triple: PriceText | None = None
    any_triple: PriceText | None = None
    combination: PriceText | None = None

    def price(self, wager: str) -> Price | None:
        """The prize of one of the wagers that are `PRINTED`."""
        found: Price | None = getattr(self, wager)
        return found


class SicBoLaw(GameLaw):
    """What Sic Bo asks of its pack."""

    known_wagers = frozenset({*ON_SUMS, *PRINTED, "total", "single"})
    prices_needed: ClassVar[Mapping[str, tuple[str, ...]]] = {
        **dict.fromkeys(ON_SUMS, (ONE_PRICE,)),
        "single": ("1", "2"),
    }
    option_values: ClassVar[OptionValues] = {
        **dict.fromkeys(("paytable", "single_triple_pays"), "choice"),
        **dict.fromkeys(("odd_even", "multiples_of_min"), "flag"),
    }
    known_options = frozenset(option_values)
    needed_options = frozenset({"paytable"})

    passages: SicBoPassages
    wagers: Mapping[str, SicBoWager]
    paytables: Mapping[str, PayTable]
    """By the choices of the option ``paytable``."""

    @model_validator(mode="after")
    def holds_together(self) -> Self:
        """What may win has a price on every layout, and every choice left to the house can be followed."""
        for name, wager in self.wagers.items():
            self._can_win(f"wagers.{name}", name, wager)
        for name, option in self.options.items():
            for choice in option.choices:
                if name == "paytable" and choice not in self.paytables:
                    raise ValueError(f"options.{name}.choices: there is no pay table {choice}")
                if name == "single_triple_pays" and not (isinstance(choice, int) and choice > 0):
                    raise ValueError(f"options.{name}.choices: whole numbers, winnings for one unit staked")
        return self

    def _can_win(self, place: str, name: str, wager: SicBoWager) -> None:
        if name in ON_SUMS and not wager.sums:
            raise ValueError(f"{place}.sums: is missing: the sums of the dice that win")
        on = {"total": SUMS, "single": FACES, "double": FACES, "triple": FACES}.get(name)
        if on is not None and not (wager.picks and all(pick in on for pick in wager.picks)):
            raise ValueError(f"{place}.picks: the numbers that it may be laid on, of {on[0]} to {on[-1]}")
        if name == "single" and "single_triple_pays" not in self.options:
            raise ValueError("options.single_triple_pays: is missing: what a single number pays on three dice")
        if name == "single" and isinstance(wager.pays, dict) and not set(wager.pays) <= {"1", "2"}:
            raise ValueError(f"{place}.pays: on one die and on two; the option single_triple_pays says it of three")
        if name in ("total", *PRINTED) and wager.pays is not None:
            raise ValueError(f"{place}.pays: the pay tables say it")
        for key, table in self.paytables.items():
            if name in PRINTED and table.price(name) is None:
                raise ValueError(f"paytables.{key}.{name}: is missing: a price, as in '3/2'")
            for pick in map(str, wager.picks if name == "total" else ()):
                if pick not in table.total:
                    raise ValueError(f"paytables.{key}.total.{pick}: is missing: a price, as in '3/2'")


# --- II and IV, what a throw makes of a wager ---------------------------------------------------------------------


class Layout:
    """II: the prizes as one table's layout prints them."""

    __slots__ = ("printed", "single", "sums", "total")

    def __init__(self, rules: GameRules, options: Mapping[str, Any]) -> None:
        """``options``: the table's, of which ``paytable`` and ``single_triple_pays`` matter."""
        law = rules.law_as(SicBoLaw)
        table = law.paytables[options["paytable"]]
        self.total = {int(total): price for total, price in table.total.items()}
        self.printed = {name: price for name in PRINTED if (price := table.price(name)) is not None}
        self.single: tuple[Price | None, ...] = ()
        """By the number of dice that show the pick."""
        if "single" in rules.wagers:
            of_dice = rules.wagers["single"].prices
            self.single = (None, of_dice["1"], of_dice["2"], Price(options["single_triple_pays"]))
        self.sums = {name: law.wagers[name].sums for name in ON_SUMS if name in law.wagers}


def ruling(layout: Layout, wager: Wager, pick: Any, dice: list[int]) -> Price | None:
    """IV: what a bet wins on a valid throw of three ``dice``; None when it loses. Nothing pushes."""
    first, second, third = dice
    is_triple = first == second == third
    match wager.id:
        case "small" | "big" | "odd" | "even":
            return None if is_triple or first + second + third not in layout.sums[wager.id] else wager.price
        case "total":
            return layout.total[pick] if first + second + third == pick else None
        case "single":
            return layout.single[dice.count(pick)]
        case "double":
            return layout.printed["double"] if dice.count(pick) >= 2 else None
        case "triple":
            return layout.printed["triple"] if is_triple and first == pick else None
        case "any_triple":
            return layout.printed["any_triple"] if is_triple else None
        case _:
            assert wager.id == "combination", wager.id
            return layout.printed["combination"] if pick[0] in dice and pick[1] in dice else None


def is_valid(event: DiceRolled) -> bool:
    """IV: nobody called the throw void, and three dice show a face each."""
    return event.void is None and len(event.dice) == 3 and all(1 <= die <= 6 for die in event.dice)


# --- IV, the procedure --------------------------------------------------------------------------------------------


def half(dice: Sequence[int]) -> str:
    """IV: ``small``, ``big``, or the ``triple`` on which both lose."""
    if dice[0] == dice[1] == dice[2]:
        return "triple"
    return "small" if sum(dice) <= 10 else "big"


class SicBo(Game):
    """One Sic Bo table. Every bet is decided by the first valid throw after it was placed."""

    handles = ("dice_rolled", "dice_changed")

    needs = SicBoLaw
    one_result = True
    stakes_live_on = True  # a round may be closed with the throw still to be repeated
    watched = Watchable(
        dice=3,
        triples=True,
        runs=Repetition(
            name="small and big that repeat",
            look_at="the shaker: whether the dice turn at all.",
            chances={"small": Fraction(105, 216), "big": Fraction(105, 216)},
            opposed=True,
            of_dice=half,
        ),
        null=Exact(),
    )
    """No throw hangs on those before it, so that the odds hold for every bet that is laid before the dice are thrown;
    of the 216 ways of three dice 105 are small and 105 big."""

    @classmethod
    def watched_under(cls, rules: GameRules) -> Watchable:
        """What a single number pays on three dice is the house's choice: it gives back no more than the greatest."""
        single = rules.wagers.get("single")
        if single is None:
            return cls.watched
        on_three = map(Fraction, rules.options["single_triple_pays"].choices)
        highest = 1 + max(*(price.ratio for price in single.prices.values()), *on_three)
        return msgspec.structs.replace(cls.watched, highest={"single": highest})

    def __init__(self, table: Table, book: Book) -> None:
        super().__init__(table, book)
        self.law = table.rules.law_as(SicBoLaw)
        self.layout = Layout(table.rules, table.options)
        self.odd_even: bool = table.options.get("odd_even", True)
        self.in_multiples: bool = table.options.get("multiples_of_min", False)
        self.in_round = False
        self.thrown = False
        """A valid throw has decided this round."""
        self.void_seq = 0
        """The void throw that is still to be repeated; 0 when there is none."""
        self.call_unseen = False
        """Events are missing: whether a throw was being repeated, and so whether bets were open, is not known."""

    def round_begins(self) -> None:
        self.in_round = True
        self.thrown = False
        self.betting_open = self.void_seq == 0

    def round_opened(self, event: RoundOpened) -> None:
        self.betting_open = True
        self.call_unseen = False

    def bets_closed(self, event: BetsClosed) -> None:
        super().bets_closed(event)
        self.call_unseen = False

    # The list of wagers, minimum and maximum

    def not_offered(self, bet: Bet) -> Objection | None:
        if bet.wager_id in ("odd", "even") and not self.odd_even:
            return Objection("wager_not_offered", self.wager_passage, f"this layout has no {bet.wager_id}")
        if bet.wager_id == "combination":
            pick = bet.pick
            if not (isinstance(pick, list) and len(pick) == 2 and pick[0] != pick[1] and set(pick) <= set(FACES)):
                return Objection(
                    "wager_not_offered",
                    self.wager_passage,
                    f"a combination is on two different numbers from 1 to 6, not on {pick}",
                )
        return super().not_offered(bet)

    def placed(self, bet: Bet) -> None:
        self.check_stake(bet)

    def raised(self, bet: Bet, by: int) -> None:
        self.check_stake(bet)

    def check_stake(self, bet: Bet) -> None:
        """Each bet by itself, against the limits of its wager, else of the table. It plays as it lies."""
        book, shown = self.book, self.table.shown
        least, most = self.table.least(bet.wager_id), self.table.most(bet.wager_id)
        objection = self.under_minimum(bet, least, self.law.passages.limits)
        if objection is not None:
            book.report_once(bet, *objection)
        if most is not None and bet.amount > most:
            book.report_once(
                bet,
                "above_maximum",
                self.law.passages.limits,
                f"{bet.wager_id} bet {bet.id}: {shown(bet.amount)} is over the maximum of {shown(most)}",
            )
        if least and bet.amount % least and self.in_multiples:
            book.report_once(
                bet,
                "stake_mismatch",
                self.law.passages.limits,
                f"{bet.wager_id} bet {bet.id}: {shown(bet.amount)} is no multiple of {shown(least)}",
            )

    def wins(self, bet: Bet) -> dict[str, int]:
        """At the layout's prizes; a number by how many of the dice show it."""
        wager, layout = bet.wager, self.layout
        if wager is None:
            return {}
        if wager.id == "single":
            return {str(dice): self.table.pay(bet.amount, price) for dice, price in enumerate(layout.single) if price}
        if wager.price is not None:
            return super().wins(bet)
        if wager.id == "total":
            assert isinstance(bet.pick, int)
            return {"": self.table.pay(bet.amount, layout.total[bet.pick])}
        return {"": self.table.pay(bet.amount, layout.printed[wager.id])}

    # The throw

    def dice_rolled(self, event: DiceRolled) -> None:
        """The dice rest. The first valid throw of the round decides every bet; a void one decides nothing."""
        if self.betting_open and not self.call_unseen:
            self.book.report("dealing_error", self.call_passage, "the dice were thrown before no more bets was called")
        self.betting_open = False
        self.call_unseen = False
        if not is_valid(event):
            if not self.thrown:
                self.void_seq = event.seq
            return
        faces = "-".join(map(str, event.dice))
        if self.thrown:
            self.book.report(
                "dealer_misplay",
                self.law.passages.throw,
                f"a second throw, {faces}, in one round; the first, {self.outcome}, decides",
            )
            return
        self.thrown = True
        self.void_seq = 0
        self.outcome = f"{faces} = {sum(event.dice)}"
        for bet in list(self.book.live.values()):
            assert bet.wager is not None
            price = ruling(self.layout, bet.wager, bet.pick, event.dice)
            if price is None:
                self.book.decide(bet, 0, 0)
            else:
                self.book.decide(bet, self.table.pay(bet.amount, price), bet.amount)

    def bet_settled(self, event: BetSettled) -> None:
        """A claim on a void throw is set aside: the proper one comes after the throw is repeated."""
        bet = self.book.live.get(event.bet)
        if bet is not None and bet.seqs[0] < self.void_seq:
            self.book.report(
                "bad_throw_counted",
                self.law.passages.throw,
                f"{bet.wager_id} bet {bet.id} was settled on a void throw",
                bet=bet,
            )
            bet.aside = event
            return
        super().bet_settled(event)

    def round_closed(self, event: RoundClosed) -> None:
        """Bets that no valid throw has decided stay, and play on the next one."""
        if self.thrown:
            self.book.unseen = False  # whatever lay on the layout has been decided
        self.in_round = False
        super().round_closed(event)
        self.betting_open = self.void_seq == 0

    # Change of dice

    def dice_changed(self, event: DiceChanged) -> None:
        """Allowed between rounds, and while a void throw is to be repeated: a broken die must go."""
        if not self.in_round or self.void_seq:
            return
        if self.book.live or self.book.due:
            self.book.report(
                "dice_changed_mid_series",
                self.law.passages.change,
                "the dice were changed while bets lay on the layout",
            )

    def lost_sight(self) -> None:
        self.thrown = False
        self.void_seq = 0
        self.call_unseen = True


# --- Exact odds ---------------------------------------------------------------------------------------------------


def odds(rules: GameRules) -> Iterator[Odds]:
    """The 216 throws, under each pay table and each price of a single number on three dice."""
    defaults: dict[str, Any] = {option.id: option.default for option in rules.options.values()}
    for wager in rules.wagers.values():
        key = {"single": "single_triple_pays", "odd": "odd_even", "even": "odd_even"}.get(wager.id)
        if wager.price is not None:
            key = key if key in rules.options else None
            values: list[Any] = [True] if key else [None]
        else:
            key = key or "paytable"
            values = list(rules.options[key].choices)
        for value in values:
            layout = Layout(rules, {**defaults, key: value} if key else defaults)
            for pick in picks_of(wager):
                outcomes = Counter(ruling(layout, wager, pick, list(dice)) for dice in product(FACES, repeat=3))
                edge, variance = edge_and_variance((count, net(price)) for price, count in outcomes.items())
                yield Odds(
                    wager=wager.id,
                    pick=pick_text("-".join(map(str, pick)) if isinstance(pick, list) else pick),
                    options={key: str(value).lower()} if key else {},
                    edge=edge,
                    variance=variance,
                    assumes="fair dice",
                )


def picks_of(wager: Wager) -> list[Any]:
    """Every pick that a wager takes; a lone None where it has none."""
    if wager.id == "combination":
        return [list(pair) for pair in combinations(FACES, 2)]
    return list(wager.picks) or [None]


GAME = SicBo
