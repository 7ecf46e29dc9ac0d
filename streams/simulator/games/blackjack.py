"""Blackjack on the simulated floor: without a hole card, and with one where the table's options know of it."""

from __future__ import annotations

from streams.simulator.blackjack_boxes import DECKS
from streams.simulator.games._blackjack_hole import HoleCardTable
from streams.simulator.games._blackjack_table import BlackjackTable
from streams.simulator.table import TableSetup, TableSimulator


class Blackjack(BlackjackTable):
    """One blackjack table without a hole card."""

    @classmethod
    def at(cls, setup: TableSetup) -> type[TableSimulator]:
        return HoleCardTable if "hole_card" in setup.options else cls


SIMULATOR = Blackjack
SETUPS = (
    TableSetup(
        game="blackjack",
        rules="AD",
        limits={"min": 1_000, "max": 50_000},
        chip_unit=100,
        decks=DECKS,
    ),
    TableSetup(
        game="blackjack",
        rules="AD",
        limits={"min": 1_000, "max": 25_000},
        options={
            "shoe": "continuous",
            "over_under_13": True,
            "jackpot": True,
            "jackpot_stake": 500,
            "jackpot_pool": 3_000_000,
            "jackpot_paytable": {"one_seven": 3, "two_sevens": 12},
        },
        chip_unit=50,
        decks=DECKS,
    ),
    TableSetup(
        game="blackjack",
        rules="AD",
        limits={"min": 2_500, "max": 125_000, "under_13": {"min": 500}, "over_13": {"min": 500}},
        options={
            "boxes": 9,
            "over_under_13": True,
            "progressive": True,
            "progressive_stake": 500,
            "progressive_meter": 1_234_560,
            "progressive_paytable": {"two_suited_sevens": 100, "three_sevens": "10%", "three_suited_sevens": "100%"},
        },
        chip_unit=100,
        rounding="nearest",
        decks=DECKS,
        float_minor=10_000_000,
    ),
    TableSetup(
        game="blackjack",
        rules="US-NJ",
        currency="USD",
        limits={"min": 1_500, "max": 100_000},
        options={
            "hole_card": "peek",
            "surrender": "late",
            "even_money": True,
            "max_hands": 3,
            "additional_wager": "over_under_13",
        },
        chip_unit=50,
        decks=8,
    ),
    TableSetup(
        game="blackjack",
        rules="US-NJ",
        currency="USD",
        limits={"min": 1_000, "max": 50_000},
        options={
            "hole_card": "peek",
            "decks": 6,
            "boxes": 6,
            "soft_17": "hit",
            "blackjack_pays": "6/5",
            "max_hands": 4,
            "resplit_aces": False,
            "stakes_per_box": 2,
            "match_the_dealer": True,
        },
        chip_unit=100,
        decks=6,
    ),
    TableSetup(
        game="blackjack",
        rules="US-NJ",
        currency="USD",
        limits={"min": 2_500, "max": 200_000},
        options={
            "hole_card": "no_peek",
            "decks": 2,
            "boxes": 5,
            "dealt": "hand",
            "double_on": "ten_eleven",
            "surrender": "late",
            "additional_wager": "suited",
            "suited_pays": "5/2",
        },
        chip_unit=50,
        decks=2,
        float_minor=10_000_000,
    ),
    TableSetup(
        game="blackjack",
        rules="US-NJ",
        currency="USD",
        limits={"min": 1_000, "max": 50_000},
        options={
            "hole_card": "no_hole",
            "shoe": "continuous",
            "surrender": "late",
            "stakes_per_box": 3,
            "max_hands": 3,
        },
        chip_unit=100,
        decks=8,
    ),
    TableSetup(
        game="blackjack",
        rules="US-NJ",
        currency="USD",
        limits={"min": 1_000, "max": 50_000},
        options={
            "hole_card": "peek",
            "decks": 1,
            "boxes": 3,
            "dealt": "hand",
            "blackjack_pays": "6/5",
            "burn_cards": 3,
        },
        chip_unit=100,
        rounding="nearest",
        decks=1,
    ),
)
