"""Nulls under laws that have other prices, packs of cards or sets of tiles: a stake never gives back more than it is
held to, or it is not watched at all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, lru_cache
from itertools import permutations, product
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from replay.games import _craps_layout as craps
from replay.games import casino_war, mahjong_pai_gow, trente_et_quarante, triple_joc, watched_of
from replay.games._craps_law import COMES, LINES, ODDS, POINTS
from replay.money import Price
from replay.odds import Odds
from replay.odds_table import figures
from replay.rules import GameRules, RuleError, Table
from replay.streaks.winnings import _house_wins
from replay.streaks.worth import Worth, _worths, worths
from tests.changed_packs import Change, cut, pack_with, put

HOME = {
    **dict.fromkeys(("blackjack", "boule", "craps", "punto_banco", "trente_et_quarante"), "AD-2025"),
    **dict.fromkeys(
        (
            *("casino_holdem", "casino_war", "four_card_poker", "mahjong_pai_gow", "monte", "pai_gow_poker"),
            *("sic_bo", "texas_holdem_bonus", "three_card_poker", "triple_blackjack", "triple_joc"),
        ),
        "AD-2022",
    ),
}
"""The pack whose text each game has; a game that has none here has no wager that is watched anywhere."""
SLIGHTLY = 1e-12


def law(game: str, *changes: Change, pack: str = "") -> GameRules:
    """What a pack says of a game once these changes are made in it."""

    def change(data: dict[str, Any]) -> None:
        for one in changes:
            one(data)

    pack = pack or HOME[game]
    return pack_with(game, change, pack).game(pack, game)


def watched_wagers(rules: GameRules) -> set[str]:
    return {wager for wager, _ in worths(Table(rules))}


def test_what_is_estimated_of_six_packs_holds_at_tables_of_as_many_and_more():
    rules = law("blackjack", pack="US-NJ")

    def watched(decks: int) -> set[str]:
        return {wager for wager, _ in worths(Table(rules, options={"decks": decks}))}

    assert [watched(decks) for decks in (1, 2, 5)] == [set()] * 3
    assert [watched(decks) for decks in (6, 8)] == [{"main", "under_13", "over_13"}] * 2
    assert watched_of(law("blackjack", put("options.blackjack_pays.choices", ["3/2", "2/1"]), pack="US-NJ")).null_of(
        "main"
    ) is None  # fmt: skip


# --- any law ----------------------------------------------------------------------------------------------------------

PRICES = st.sampled_from(
    [
        *("0/1", "1/4", "1/2", "4/5", "19/20", "97/100", "1/1", "11/10", "6/5", "3/2", "2/1", "3/1", "8/1", "9/1"),
        *("10/1", "11/1", "12/1", "15/1", "32/1", "33/1", "40/1", "61/1", "180/1"),
    ]
)
PRICE = re.compile(r"\d+/\d+")
NUMBERS = {
    "blackjack": {"shoe.decks": (1, 8), "dealer.stands_on": (16, 18)},
    "mahjong_pai_gow": {"set.copies": (1, 8), "set.rounds": (1, 8), "set.tie_and_pair_rounds": (0, 8)},
    "monte": {"points.off_a_card": (0, 3)},
    "punto_banco": {"shoe.decks": (1, 8), "cut_card.cards_below": (0, 14)},
    "triple_blackjack": {"shoe.decks": (1, 8), "dealer.stands_on": (16, 18)},
}
"""What else a law may say otherwise, with bounds to try."""


def prices_in(tables: Any) -> Iterator[tuple[Any, str]]:
    """Where a price stands: the table and its key."""
    for key, value in tables.items():
        if isinstance(value, dict):
            yield from prices_in(value)
        elif isinstance(value, str) and PRICE.fullmatch(value):
            yield tables, key


def other(draw: st.DrawFn, game: str) -> Change:
    """Some prices are others, and some numbers."""

    def change(data: dict[str, Any]) -> None:
        for section in ("wagers", "paytables"):
            for tables, key in list(prices_in(data.get(section, {}))):
                if draw(st.booleans()):
                    tables[key] = draw(PRICES)
        for place, (least, most) in NUMBERS.get(game, {}).items():
            put(place, draw(st.integers(least, most)))(data)

    return change


@st.composite
def other_laws(draw: st.DrawFn, game: str) -> GameRules:
    try:
        return law(game, other(draw, game))
    except RuleError:  # the prices do not go together: such a pack is refused
        assume(False)
        raise


def of_the_stake_alone(row: Odds) -> bool:
    """At war a figure has the second stake counted in."""
    return row.options.get("tie") != "war"


SLOW = ("casino_holdem", "triple_joc", "three_card_poker", "craps")


@pytest.mark.parametrize("game", [game for game in HOME if game != "pai_gow_poker"])
def test_no_wager_that_is_watched_gives_back_more_than_it_is_held_to_by_exact_odds(game):
    @settings(max_examples=3 if game in SLOW else 12, deadline=None)
    @given(rules=other_laws(game))
    def holds(rules: GameRules) -> None:
        table = Table(rules)
        held = worths(table)
        for row in figures(rules):
            worth = held.get((row.wager, "")) or held.get((row.wager, row.pick))
            if worth is None or row.by_strategy or not of_the_stake_alone(row):
                continue
            if {"paytable", "single_triple_pays", "banker_pay"} & row.options.keys() and not row.holds(table.options):
                continue
            back = float(1 - row.edge)
            assert back <= worth.most + SLIGHTLY, (row, worth)
            if worth.least:
                assert back >= worth.least - SLIGHTLY, (row, worth)

    holds()


def test_what_is_worked_out_of_a_law_is_not_kept_for_ever():
    for cached in (watched_of, figures, _worths):
        assert cached.cache_info().maxsize is not None


# --- what has no null under another law -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "changes", "watched"),
    [
        ("punto_banco", [], {"player", "banker", "tie"}),
        ("punto_banco", [put("shoe.decks", 8)], {"player", "banker", "tie"}),
        ("punto_banco", [put("shoe.decks", 1)], set()),
        ("punto_banco", [put("cut_card.cards_below", 0)], set()),
        ("punto_banco", [put("wagers.player.pays", "11/10")], {"banker", "tie"}),
        ("punto_banco", [put("wagers.banker.pays.commission_5", "97/100")], {"player", "tie"}),
        ("punto_banco", [put("wagers.banker.pays.six", "1/1")], {"player", "tie"}),
        ("punto_banco", [cut("options.banker_pay"), put("wagers.banker.pays", "19/20")], {"player", "banker", "tie"}),
        ("punto_banco", [put("wagers.tie.pays", "9/1")], {"player", "banker"}),
        ("trente_et_quarante", [put("wagers.color.pays", "11/10")], {"black", "red", "inverse"}),
        ("trente_et_quarante", [put("shoe.decks", 1), put("equal_rows.decks", 1)], {"black", "red"}),
        ("casino_war", [put("wagers.tie.pays", "11/1")], {"main"}),
        ("blackjack", [], {"main", "under_13", "over_13"}),
        ("blackjack", [put("wagers.main.pays.blackjack", "6/5")], {"main", "under_13", "over_13"}),
        ("blackjack", [put("wagers.main.pays.blackjack", "2/1")], {"under_13", "over_13"}),
        ("blackjack", [put("wagers.main.pays.win", "11/10")], {"under_13", "over_13"}),
        ("blackjack", [put("dealer.stands_on", 16)], {"under_13", "over_13"}),
        ("blackjack", [put("surrender.returned", "3/4")], {"under_13", "over_13"}),
        ("blackjack", [put("wagers.over_13.pays", "6/5")], {"main", "under_13"}),
        ("blackjack", [put("shoe.decks", 2)], set()),
        ("triple_blackjack", [put("wagers.main.pays.blackjack", "2/1")], {"under_13", "over_13"}),
        ("mahjong_pai_gow", [put("set.copies", 1)], {"win", "lose"}),
        ("triple_joc", [put("wagers.poker.cards", 7)], {"war"}),
        ("monte", [cut("wagers.vista_hermosa", "limits.vista_hermosa")], set()),
        ("casino_holdem", [cut("wagers.aa_bonus", "limits.aa_bonus")], set()),
    ],
)
def test_what_was_argued_for_other_prices_or_packs_is_not_watched(game, changes, watched):
    assert watched_wagers(law(game, *changes)) == watched


def test_who_pays_less_for_a_blackjack_is_held_to_what_was_estimated_all_the_same():
    rules = law("blackjack", put("wagers.main.pays.blackjack", "6/5"))

    assert worths(Table(rules))["main", ""] == worths(Table(law("blackjack")))["main", ""]


def test_a_game_is_watched_for_as_many_dice_as_its_law_has_thrown():
    assert watched_of(law("pai_gow_poker")).dice == 3
    assert watched_of(law("pai_gow_poker", put("deal.dice", 2))).dice == 2


# --- what a house takes against wagers of which it chooses a price ---


@pytest.mark.parametrize("on_three", [3, 12])
def test_who_stakes_with_the_house_against_a_single_number_loses_what_the_house_loses_on_three_dice(on_three):
    """Of 216 throws 75 show a number once, 15 twice, one three times."""
    table = Table(law("sic_bo"), options={"single_triple_pays": on_three})
    worth = worths(table)["single", "1"]
    backs = {0: 125, 2: 75, 3: 15, 1 + on_three: 1}

    assert sum(ways * _house_wins(back, worth) for back, ways in backs.items()) / 216 == pytest.approx(1)


@pytest.mark.parametrize("on_twelve", [2, 3])
def test_who_stakes_with_the_house_against_the_field_loses_what_the_house_loses_on_twelve(on_twelve):
    """Of 36 throws 14 come to 3, 4, 9, 10 or 11, one each to 2 and 12, and 20 lose."""
    table = Table(law("craps", pack="RO-CRAPS"), options={"field_12": on_twelve})
    worth = worths(table)["field", ""]
    won = 14 * _house_wins(2, worth) + _house_wins(3, worth) + _house_wins(1 + on_twelve, worth)

    assert (won + 20 * _house_wins(0, worth)) / 36 == pytest.approx(1)


# --- two hands that may lie either way round --------------------------------------------------------------------------

EVEN_AND_MORE = st.sampled_from(["1/2", "19/20", "1/1", "11/10", "3/2", "3/1"])


def back(price: Price | None) -> Fraction:
    """What a stake of one unit comes to, itself included."""
    return Fraction(0) if price is None else 1 + price.ratio


TILES = [tile for tile in mahjong_pai_gow.TILES for _ in range(4)]


@settings(max_examples=15)
@given(left=st.permutations(TILES).map(lambda tiles: tiles[:6]), price=EVEN_AND_MORE)
def test_win_and_lose_at_mahjong_are_held_to_enough_whatever_tiles_are_left(left, price):
    rules = law("mahjong_pai_gow", put("wagers.win.pays", price), put("wagers.lose.pays", price))
    held = worths(Table(rules))
    for name in ("win", "lose"):
        backs = [
            back(mahjong_pai_gow.ruling(rules.wagers[name], (own, second), (banks, banks_second)))
            for own, second, banks, banks_second in permutations(left, 4)
        ]

        assert sum(backs) / len(backs) <= held[name, ""].most + SLIGHTLY


def test_two_cards_of_which_none_ties_meet_the_bound_at_better_than_even_money():
    rules = law("casino_war", put("wagers.main.pays", "6/5"))
    backs = [back(casino_war.ruling(rules.wagers["main"], *cards)) for cards in permutations(range(4), 2)]

    assert sum(backs) / len(backs) == Fraction(11, 10)
    assert worths(Table(rules))["main", ""].most == pytest.approx(1.1)


@settings(max_examples=30)
@given(
    left=st.lists(st.integers(0, 12), min_size=4, max_size=6),
    price=EVEN_AND_MORE,
    at_war=st.sampled_from(["1/1", "2/1", "5/1"]),
    given_back=st.sampled_from(["0", "1/2", "1"]),
)
def test_the_first_stake_at_war_is_held_to_enough_however_ties_are_answered(left, price, at_war, given_back):
    rules = law("casino_war", put("wagers.main.pays", price), put("wagers.war.pays.won", at_war),
                put("surrender.returns", given_back))  # fmt: skip
    main, war = rules.wagers["main"], rules.wagers["war"]
    total, deals = Fraction(0), 0
    for box, dealer, second, dealers in permutations(left, 4):
        if box == dealer:  # as one who sees the next cards would answer
            total += max(Fraction(given_back), Fraction(casino_war.ruling(war, second, dealers) is not None))
        else:
            total += back(casino_war.ruling(main, box, dealer))
        deals += 1

    assert total / deals <= worths(Table(rules))["main", ""].most + SLIGHTLY


def first_stake_of_those_who_go_to_war(rules: GameRules, decks: int) -> Fraction:
    """What it gives back in the mean on a fresh shoe: nothing when the second card is the lower one."""
    main = rules.wagers["main"].price
    assert main is not None
    tied = Fraction(4 * decks - 1, 52 * decks - 1)
    copies, rest = 4 * decks, 52 * decks - 2
    ranks = [copies - 2] + [copies] * 12  # that of the tie first
    lower = Fraction(rest * (rest - 1) - sum(held * (held - 1) for held in ranks), 2 * rest * (rest - 1))
    return (1 - tied) / 2 * (1 + main.ratio) + tied * (1 - lower)


@pytest.mark.parametrize("decks", [1, 6, 8])
@pytest.mark.parametrize("won", ["1/2", "1/1", "3/1", "9/1"])
@pytest.mark.parametrize("given_back", ["0", "1/2", "1"])
def test_the_house_is_not_held_to_a_figure_in_which_a_second_stake_makes_up_for_the_first(decks, won, given_back):
    rules = law("casino_war", put("wagers.war.pays.won", won), put("surrender.returns", given_back))
    worth = worths(Table(rules, decks=decks))["main", ""]

    assert worth.least <= first_stake_of_those_who_go_to_war(rules, decks)


@given(left=st.lists(st.sampled_from("23456789TJQKA"), min_size=2, max_size=9), price=EVEN_AND_MORE)
def test_war_at_triple_joc_is_held_to_enough_whatever_cards_are_left(left, price):
    rules = law("triple_joc", put("wagers.war.pays.won", price))
    backs = []
    for mine, dealers in permutations(left, 2):
        won, returned = triple_joc.war_ruling(rules.wagers["war"], mine + "S", dealers + "S")
        backs.append(won.ratio + returned)

    assert sum(backs) / len(backs) <= worths_of_joc(price).most + SLIGHTLY


@cache
def worths_of_joc(price: str) -> Worth:
    return worths(Table(law("triple_joc", put("wagers.war.pays.won", price))))["war", ""]


@lru_cache(maxsize=100_000)
def rows(left: tuple[int, ...], black: int, red: int) -> dict[tuple[int, int], Fraction]:
    """How often two rows come to what, dealt from ``left`` cards of each value from 1 on; a coup for which there are
    not cards enough comes to nothing."""
    if red >= trente_et_quarante.ROW_ENDS:
        return {(black, red): Fraction(1)}
    found: dict[tuple[int, int], Fraction] = {}
    of_black = black < trente_et_quarante.ROW_ENDS
    for value, copies in enumerate(left, 1):
        if copies:
            less = (*left[: value - 1], copies - 1, *left[value:])
            for ends, chance in rows(less, black + value * of_black, red + value * (not of_black)).items():
                found[ends] = found.get(ends, Fraction(0)) + chance * Fraction(copies, sum(left))
    return found


@settings(max_examples=10, deadline=None)
@given(
    left=st.tuples(*[st.integers(0, 1)] * 7, st.integers(0, 2), st.integers(0, 2), st.integers(3, 8)).filter(
        lambda left: sum(left) <= 12
    ),
    price=EVEN_AND_MORE,
)
def test_black_and_red_are_held_to_enough_whatever_cards_are_left(left, price):
    rules = law("trente_et_quarante", put("wagers.black.pays", price), put("wagers.red.pays", price))
    held = worths(Table(rules))
    for wager in ("black", "red"):
        total = complete = Fraction(0)
        for (black, red), chance in rows(left, 0, 0).items():
            complete += chance
            winners = trente_et_quarante.winning_chances(black, red, True)
            if winners is not None:
                total += chance * back(rules.wagers[wager].price) * (wager in winners)
            else:
                total += chance * (Fraction(1, 2) if trente_et_quarante.is_refait(black, red) else 1)

        assert total <= complete * Fraction(held[wager, ""].most) + Fraction(1, 10**12)


# --- pairs of tiles, one card of those that are left ------------------------------------------------------------------


@settings(max_examples=25)
@given(copies=st.integers(2, 8), rounds=st.integers(1, 8), with_pairs=st.integers(1, 8), price=PRICES)
def test_a_pair_is_held_to_enough_in_the_last_round_with_pairs(copies, rounds, with_pairs, price):
    """Worst is a set of which whole kinds have been dealt: all copies of each kind that is left are there."""
    rules = law("mahjong_pai_gow", put("set.copies", copies), put("set.rounds", rounds),
                put("set.tie_and_pair_rounds", with_pairs), put("wagers.pair.pays", price))  # fmt: skip
    held = worths(Table(rules)).get(("pair", ""))
    unseen = 10 * copies - 8 * (min(rounds, with_pairs) - 1)
    if held is None:
        assert unseen <= copies
        return
    kinds, over = divmod(unseen, copies)
    alike = kinds * copies * (copies - 1) + over * (over - 1)

    assert Fraction(alike, unseen * (unseen - 1)) * back(Price.parse(price)) <= Fraction(held.most) + Fraction(1, 10**9)


@settings(max_examples=25)
@given(price=PRICES, off=st.integers(0, 3))
def test_vista_hermosa_is_held_to_enough_however_many_cards_were_doubled_or_burnt(price, off):
    rules = law("monte", put("wagers.vista_hermosa.pays", price), put("points.off_a_card", off))
    held = worths(Table(rules))["vista_hermosa", ""]

    for out in range(33):
        pays = max(Fraction(price) - off * out, Fraction(0))
        assert (1 + pays) / (36 - out) <= Fraction(held.most) + Fraction(1, 10**12)


# --- craps: bets that lie on ------------------------------------------------------------------------------------------

State = tuple[craps.Spot, int]


def followed(
    rules: GameRules, table: Table, spot: craps.Spot, stake: int, worth: Worth
) -> dict[State, tuple[float, float]]:
    """What a share that follows the player, and one that stakes with the house, has back in the mean (as
    `replay.streaks.winnings` reckons) from every state of the bet: its spot, and the point; by going on and on."""
    layout = craps.spots(rules, table.options)
    points = (0,) if spot.wager.id in LINES else POINTS if spot.wager.id in COMES else (0, *POINTS)
    states = [(spot, point) for point in points]
    steps: dict[State, tuple[tuple[float, float], list[tuple[float, State]]]] = {}
    for here, point in states:
        ends, goes_on = [0.0, 0.0], dict[State, float]()
        for first, second in product(range(1, 7), repeat=2):
            ruled = (here.on_point if point else here.come_out)[craps.slot(first, second)]
            if ruled in (craps.STANDS, craps.TRAVELS):
                there = here if ruled is craps.STANDS else layout[here.wager.id, first + second]
                after = there, craps.next_point(point, first + second)
                goes_on[after] = goes_on.get(after, 0.0) + 1 / 36
                if after not in states:
                    states.append(after)
                continue
            gives = 1.0 if ruled is craps.PUSHES else 0.0
            player = gives / max(worth.most, 1.0)
            if isinstance(ruled, Price):
                num, den = here.winnings(stake, ruled)
                gives = 1.0 + num / den / stake
                player = gives / worth.most
            ends[0] += player / 36
            ends[1] += (worth.highest - gives) / (worth.highest - worth.least) / 36
        steps[here, point] = (ends[0], ends[1]), [(chance, after) for after, chance in goes_on.items()]
    value = dict.fromkeys(states, (0.0, 0.0))
    for _ in range(150):
        value = {
            state: (
                ends[0] + sum(chance * value[after][0] for chance, after in goes_on),
                ends[1] + sum(chance * value[after][1] for chance, after in goes_on),
            )
            for state, (ends, goes_on) in steps.items()
        }
    return value


def bets_followed(rules: GameRules) -> Iterator[tuple[craps.Spot, int, Worth]]:
    """Every bet of a table that is watched, in full units and less, with what it is held to."""
    table = Table(rules)
    layout = craps.spots(rules, table.options)
    for (wager, pick), worth in worths(table).items():
        spot = layout[wager, int(pick or 0)]
        for stake in {1, spot.unit or 1}:
            yield spot, stake, worth


@st.composite
def other_craps(draw: st.DrawFn) -> GameRules:
    """Other prices of all wagers but the odds, other wagers that may not be taken back."""
    pack = draw(st.sampled_from(["AD-2025", "MO-1985", "RO-CRAPS"]))

    def change(data: dict[str, Any]) -> None:
        for name, wager in data["wagers"].items():
            if name not in ODDS:
                for tables, key in list(prices_in(wager)):
                    if draw(st.booleans()):
                        tables[key] = draw(PRICES)
        data["contract"]["wagers"] = draw(st.lists(st.sampled_from([*LINES, *COMES]), unique=True))

    return law("craps", change, pack=pack)


@settings(max_examples=6, deadline=None)
@given(rules=other_craps())
def test_a_bet_at_craps_is_held_to_enough_when_it_is_laid_and_is_worth_what_is_said_while_it_lies(rules):
    table, watched = Table(rules), watched_of(rules)
    assert watched.lying is not None
    for spot, stake, worth in bets_followed(rules):
        value = followed(rules, table, spot, stake, worth)
        with_house = worth.highest > worth.least > 0
        for (here, _), (player, house) in value.items():
            assert player >= watched.lying - 1e-9
            if with_house:
                assert house >= watched.lying - 1e-9
            if here is spot:  # where it is laid
                assert player <= 1 + 1e-9
                assert house <= 1 + 1e-9 or not with_house
            elif spot.wager.id not in rules.law.contract_wagers:
                assert player >= 1 - 1e-9  # whoever takes it back gives up something


def test_while_it_lies_a_bet_is_worth_what_the_prices_make_of_it():
    """On 4 and 10 a pass line bet is worth 2/3 of a fresh stake, at even money. A don't pass that pays three to one
    wins its 4 with 2/3, and leaves the house 4/3 of the 4 that it may have to give back; of a fresh one 949/1980 win
    and 1/36 stand off. Less than a unit of a big 6 or 8 wins even money where a unit wins nine to one: a fifth of
    that."""
    assert watched_of(law("craps")).lying == Fraction(13, 20)
    fresh = 4 * Fraction(949, 1980) + Fraction(1, 36)
    assert Fraction(3, 5) < (4 - Fraction(8, 3)) / (4 - fresh) < Fraction(13, 20)
    assert watched_of(law("craps", put("wagers.dont_pass.pays", "3/1"))).lying == Fraction(3, 5)
    assert watched_of(law("craps", put("wagers.big_6_8.pays", "9/1"), pack="MO-1985")).lying == Fraction(1, 5)


def test_a_pass_line_bet_that_may_be_taken_back_is_not_watched():
    """Whoever takes it back on 4, 5, 9 and 10, and plays on 6 and 8 for 10/11, gives back 1 or more in the mean."""
    played_well = Fraction(8, 36) * 2 + Fraction(24, 36)
    assert played_well > 1

    barred = law("craps", put("contract.wagers", ["come"]), put("wagers.pass_line.bar", 12))  # which says nothing
    assert "pass_line" not in watched_wagers(barred)
    rules = law("craps", put("contract.wagers", ["come"]))
    assert "pass_line" not in watched_wagers(rules)
    assert {"come", "dont_pass", "dont_come", "field"} <= watched_wagers(rules)


def test_odds_that_are_not_paid_fairly_are_not_watched():
    rules = law("craps", put("wagers.come_odds.pays.4", "9/5"))

    assert "come_odds" not in watched_wagers(rules)
    assert "pass_odds" in watched_wagers(rules)
