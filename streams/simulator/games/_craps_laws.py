"""What the dealers of craps know by heart: prices, and what each of four regulations has of its own."""

from __future__ import annotations

import msgspec

from streams.simulator.table import TableSetup

POINTS = (4, 5, 6, 8, 9, 10)
EVEN = (1, 1)
RIGHT_ODDS = {4: (2, 1), 5: (3, 2), 6: (6, 5), 8: (6, 5), 9: (3, 2), 10: (2, 1)}
WRONG_ODDS = {4: (1, 2), 5: (2, 3), 6: (5, 6), 8: (5, 6), 9: (2, 3), 10: (1, 2)}
PLACE_RIGHT = {4: (9, 5), 5: (7, 5), 6: (7, 6), 8: (7, 6), 9: (7, 5), 10: (9, 5)}
PLACE_WRONG = {4: (5, 11), 5: (5, 8), 6: (4, 5), 8: (4, 5), 9: (5, 8), 10: (5, 11)}
HARD_WAYS = {4: (7, 1), 6: (9, 1), 8: (9, 1), 10: (7, 1)}
FIELD = {2: (2, 1), 3: EVEN, 4: EVEN, 9: EVEN, 10: EVEN, 11: EVEN, 12: (2, 1)}
ONE_THROW: dict[str, dict[int, tuple[int, int]]] = {
    "under_7": dict.fromkeys((2, 3, 4, 5, 6), EVEN),
    "over_7": dict.fromkeys((8, 9, 10, 11, 12), EVEN),
    "seven": {7: (4, 1)},
    "big_7": {7: (9, 2)},
    "eleven": {11: (15, 1)},
    "any_craps": dict.fromkeys((2, 3, 12), (7, 1)),
    "craps_2": {2: (30, 1)},
    "craps_3": {3: (15, 1)},
    "craps_12": {12: (30, 1)},
    "horn": dict.fromkeys((2, 3, 11, 12), (4, 1)),
}
NEW_JERSEYS_OWN: dict[str, dict[int, tuple[int, int]]] = {
    "horn": {2: (27, 4), 3: (3, 1), 11: (3, 1), 12: (27, 4)},
    "world": {2: (26, 5), 3: (11, 5), 7: (0, 1), 11: (11, 5), 12: (26, 5)},
    "c_and_e": {2: (3, 1), 3: (3, 1), 11: (7, 1), 12: (3, 1)},
}
"""Parts on one stake: what the whole of it wins, by total."""
FIRE = {4: (24, 1), 5: (249, 1), 6: (999, 1)}
"""By how many different points the shooter has made."""
CALLED = ("place_right", "buy", "lay", "hard_way", "big_6", "big_8", "pass_odds", "come_odds", "dont_pass_odds",
           "dont_come_odds")  # fmt: skip
ODDS_OF = {"pass_line": "pass_odds", "come": "come_odds", "dont_pass": "dont_pass_odds",
            "dont_come": "dont_come_odds"}  # fmt: skip
CONTRACT = ("pass_line", "come")
EVERYWHERE = ("pass_line", "dont_pass", "come", "dont_come", "field", "hard_way", "eleven", "any_craps",
               *ODDS_OF.values())  # fmt: skip
LONG_SHOTS = ("field", "field", "hard_way", "hard_way", "big_6", "big_8", "under_7", "over_7", "seven", "eleven",
               "any_craps", "craps_2", "craps_3", "craps_12", "horn", "place_right", "place_wrong", "big_7",
               "big_6_8", "big_5_9", "big_4_10", "buy", "buy", "lay", "horn_high", "world", "c_and_e", "hop",
               "hop")  # fmt: skip
"""What the bold put a chip on, the field and the hard ways most."""
BY_POINT = {"3-4-5": {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}}
"""Odds multiples that are not the same on every number."""


class Regulation(msgspec.Struct, frozen=True, kw_only=True):
    """What the dealers know by heart of a regulation, beside the prices, which are the same in all of them."""

    offered: tuple[str, ...]
    """The wagers, beside those that are offered everywhere."""
    not_offered: tuple[str, ...]
    """Wagers that people ask for in vain."""
    void: tuple[str, ...]
    """Grounds on which a throw does not count."""
    no_ground: tuple[str, ...]
    """Grounds on which it does, though somebody may call it void."""
    right_odds: dict[int, tuple[int, int]]
    """By number: so much of a stake on pass or come its odds may be, times the multiple of the table."""
    wrong_odds: dict[int, tuple[int, int]]
    """The same for stakes on don't pass and don't come."""
    odds_multiple: str = "1"
    """Unless the table has another one."""
    odds_bounded: tuple[str, ...] = tuple(ODDS_OF)
    """The line bets whose odds may not be more than that."""
    odds_win_at_most_the_line: bool = False
    """Right odds are paid no more than the stake that they belong to."""
    rest_on_come_out: tuple[str, ...] = ()
    """What does not work on a come-out throw, unless the table says that it does."""
    by_their_win: tuple[str, ...] = ()
    """The wagers whose maximum is one of the win."""
    per_cent: dict[str, dict[int, int]] = {}
    """The wagers whose maximum is so many per cent of the table's, by number."""
    counts_last_throws: bool = False
    """How many throws are announced at the end is laid down, and no other is made."""
    payable: bool = False
    """No stake is taken whose win is no whole number of chips."""
    prices: dict[str, dict[int, tuple[int, int]]] = {}
    """Of wagers for one throw, by total, where they are not as elsewhere."""
    calls: bool = False
    """Players call bets on and off."""
    faults: tuple[str, ...] = ()
    """Wrongs that can be done under it, and not under every one."""


ANDORRA = Regulation(
    offered=("big_6", "big_8", "under_7", "over_7", "seven", "craps_2", "craps_3", "craps_12", "horn", "place_right",
             "place_wrong"),
    not_offered=("big_7", "big_6_8", "hot_roller"),
    void=("off_table", "broken", "stacked", "on_rim", "in_bowl", "slid", "improper", "cocked"),
    no_ground=("on_chips", "unlucky"),
    right_odds=dict.fromkeys(POINTS, (1, 1)),
    wrong_odds={4: (2, 1), 5: (3, 2), 6: (6, 5), 8: (6, 5), 9: (3, 2), 10: (2, 1)},
    by_their_win=("hard_way", "seven", "eleven", "any_craps", "craps_2", "craps_3", "craps_12", "horn"),
    per_cent={
        "place_right": {4: 100, 5: 100, 6: 120, 8: 120, 9: 100, 10: 100},
        "place_wrong": {4: 220, 5: 160, 6: 125, 8: 125, 9: 160, 10: 220},
    },
    counts_last_throws=True,
    faults=("dice_changed_mid_series", "win_too_large", "shooter_without_line_bet", "dice_kept"),
)  # fmt: skip
MACAU = Regulation(
    offered=("big_7", "big_6_8", "big_5_9", "big_4_10"),
    not_offered=("seven", "horn", "place_right", "under_7", "craps_2"),
    void=("off_table", "on_rim", "in_bowl", "broken", "improper"),
    no_ground=("cocked", "stacked", "slid", "on_chips"),
    right_odds=WRONG_ODDS,
    wrong_odds=dict.fromkeys(POINTS, (2, 1)),
    odds_bounded=CONTRACT,
    odds_win_at_most_the_line=True,
)
"""Right odds may win what their line bet does; what lies against the point has no bound, and people lay the double."""
ROMANIA = Regulation(
    offered=("big_6", "big_8", "seven", "craps_2", "craps_3", "craps_12", "place_right"),
    not_offered=("horn", "place_wrong", "big_5_9", "over_7"),
    void=("off_table", "broken", "stacked", "on_rim", "in_bowl", "slid", "improper"),
    no_ground=("cocked", "on_chips"),
    right_odds=dict.fromkeys(POINTS, (1, 1)),
    wrong_odds=RIGHT_ODDS,
    odds_multiple="3-4-5",
    rest_on_come_out=("come_odds", "place_right", "hard_way"),
    faults=("shooter_without_line_bet", "dice_kept"),
)


NEW_JERSEY = Regulation(
    offered=("big_6", "big_8", "seven", "craps_2", "craps_3", "craps_12", "place_right", "buy", "lay", "horn",
             "horn_high", "world", "c_and_e", "hop"),
    not_offered=("place_wrong", "under_7", "over_7", "big_6_8"),
    void=("off_table", "broken", "stacked", "on_rim", "in_bowl", "slid", "improper"),
    no_ground=("cocked", "on_chips"),
    right_odds=dict.fromkeys(POINTS, (1, 1)),
    wrong_odds=RIGHT_ODDS,
    odds_multiple="3-4-5",
    rest_on_come_out=("come_odds", "place_right", "buy", "hard_way"),
    payable=True,
    prices=NEW_JERSEYS_OWN,
    calls=True,
    faults=("shooter_without_line_bet", "dice_kept", "line_called", "called_late", "stake_mismatch"),
)  # fmt: skip


class CrapsSetup(TableSetup, frozen=True, kw_only=True):
    """How a craps table is opened, and what its dealers have learned."""

    regulation: Regulation


def stays(wager: str) -> bool:
    """It must be played out."""
    return wager in CONTRACT or wager == "fire"


def faces(pick: int) -> list[int]:
    """The two faces of a hop."""
    return list(divmod(pick, 10))


def horn_high(high: int, total: int) -> tuple[int, int] | None:
    """Two of five parts on the high one: what wins pays for the others, which lose."""
    if total not in (2, 3, 11, 12):
        return None
    parts, odds = (2 if total == high else 1), (30 if total in (2, 12) else 15)
    return parts * odds - (5 - parts), 5
