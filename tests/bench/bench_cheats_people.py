"""Cheats with stakes and chips, for `tests.bench.bench_cheats`: players, dealers, runs and a table's hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from itertools import product
from math import comb, log, prod, sqrt
from random import Random
from typing import Any, Final, NamedTuple

from replay.baccarat_hands import total
from replay.games._punto_banco_law import PuntoBancoLaw
from replay.results import Verdict
from replay.rules import Table
from replay.streaks.dealers import TOLERATED, Dealers
from replay.streaks.expectations import Expectations
from replay.streaks.mixture import tilted
from replay.streaks.runs import Runs, orders_of
from replay.streaks.winnings import Winnings
from tests.bench.bench_cheats import (
    Bettor,
    Cheat,
    Watchable,
    cusum,
    divergence,
    drawn,
    growth_rate,
    of_categories,
    of_share,
    seen_as,
    z_of_chances,
    z_of_mean,
)
from tests.bench.bench_cheats_dice import BOULE, CRAPS
from tests.installed import PACKS
from tests.replay.streaks.told import told

PUNTO_BANCO: Final = Table(PACKS.game("AD-2025", "punto_banco"))
_ORDERS: Final = orders_of(PUNTO_BANCO.rules.law_as(PuntoBancoLaw).third_cards.drawing)
STAKE: Final = 100
_AT: Final = datetime(2026, 1, 1, 20, tzinfo=UTC)
_OVER: Final = told(closed_seq=1, round=1)


def placed(wager: str, player: str = "p1", seat: int = 1) -> Any:
    """A stake."""
    return told(
        seq=1, at=_AT, bet=f"{wager} of {player}", wager=wager, pick=None, player=player, seat=seat, amount=STAKE
    )


def settled(wager: str, back: float, player: str = "p1") -> Any:
    """What it comes to: ``back`` times the stake, itself included; less than itself is given back, not paid."""
    paid = round(STAKE * (back - 1)) if back > 1 else 0
    returned = round(STAKE * min(back, 1))
    return told(
        bet=f"{wager} of {player}", stake=STAKE, paid=paid, returned=returned,
        claimed_paid=None, claimed_returned=None,
    )  # fmt: skip


# --- a player on an even chance ---------------------------------------------------------------------------------------

EVEN: Final = (5 / 9, 4 / 9)
"""Lost and won: an even chance at boule."""
_LOST_OR_WON: Final = (settled("black", 0), settled("black", 2))


def player() -> Bettor:
    """The watch over one player's winnings, told whether he has won."""
    watch = Winnings(BOULE, 1.0)
    bet = placed("black")

    def tell(won: int) -> float:
        watch.bet_placed(bet)
        watch.settled(_LOST_OR_WON[won])
        watch.round_over(_OVER)
        return watch.players["p1"].process.wealth

    return tell


def late() -> Bettor:
    """The watch over late bets, told whether one has won."""
    watch = Winnings(BOULE, 1.0)
    bet, closed = placed("black"), told(seq=1, at=_AT + timedelta(seconds=0.2))

    def tell(won: int) -> float:
        watch.bet_placed(bet)
        watch.bets_closed(closed)
        watch.settled(_LOST_OR_WON[won])
        watch.round_over(_OVER)
        return watch.late.process.wealth

    return tell


_EVEN_TESTS: Final = of_categories(EVEN, tilted(EVEN, [1], 0.35))
PLAYER: Final = Watchable(player, _EVEN_TESTS, partial(drawn, EVEN), 500)
LATE: Final = Watchable(late, _EVEN_TESTS, partial(drawn, EVEN), 500)


def knowing(known: float) -> tuple[float, float]:
    """Lost and won, of whoever knows the result in this share of rounds."""
    won = known + (1 - known) * EVEN[1]
    return 1 - won, won


# --- marked cards -----------------------------------------------------------------------------------------------------

POINT: Final = (4 / 13, *(1 / 13,) * 9)
"""The chance of a card of 0 to 9 points, where many packs are in the shoe."""
BACK: Final = (0.0, 1.0, 1.95, 2.0)
"""What a stake gives back: lost, a tie, the bank's win, the player's."""


@lru_cache
def drawing(player_: tuple[int, ...], bank: tuple[int, ...]) -> tuple[float, float, float]:
    """The chances that the player's side wins, the bank does, and of a tie, from the points of the cards they have."""
    hand = _ORDERS.next(list(player_), list(bank))
    if not hand:
        ahead = total(list(player_)) - total(list(bank))
        return float(ahead > 0), float(ahead < 0), float(ahead == 0)
    found = [0.0, 0.0, 0.0]
    for points_, chance in enumerate(POINT):
        after = drawing((*player_, points_), bank) if hand == "player" else drawing(player_, (*bank, points_))
        for which, share in enumerate(after):
            found[which] += chance * share
    return found[0], found[1], found[2]


def on_player(cards: Sequence[int]) -> bool:
    """The side that is staked on by whoever knows these cards, as the simulator's cheat does."""
    if len(cards) == 1:
        return 6 <= cards[0] <= 9
    return bool(cards) and sum(cards[0::2]) % 10 > sum(cards[1::2]) % 10


@lru_cache
def of_cards(cards: int) -> tuple[float, ...]:
    """The chances of `BACK` for whoever knows so many first cards; with none he stakes on the bank."""
    found = [0.0] * 4
    for first_four in product(range(10), repeat=4):
        chance = prod(POINT[card] for card in first_four)
        punto, banco, tie = drawing(*(tuple(sorted(first_four[side::2])) for side in (0, 1)))
        at_player = on_player(first_four[:cards])
        found[0] += chance * (banco if at_player else punto)
        found[1] += chance * tie
        found[3 if at_player else 2] += chance * (punto if at_player else banco)
    return tuple(found)


def returns(cards: int, known: float = 1.0) -> list[float]:
    """The same, of whoever knows them in this share of coups."""
    return [known * knows + (1 - known) * not_ for knows, not_ in zip(of_cards(cards), of_cards(0), strict=True)]


PUNTO, BANCO, TIE = drawing((), ())
SIDES: Final = (PUNTO / (PUNTO + BANCO), BANCO / (PUNTO + BANCO))
"""The player's and the bank's chance where one of them wins."""


def follower() -> Bettor:
    """The watch over one player's winnings at punto banco, told what came back."""
    watch = Winnings(PUNTO_BANCO, 1.0)
    bets = [placed(wager) for wager in ("banker", "banker", "banker", "player")]
    results = [settled(bet.wager, back) for bet, back in zip(bets, BACK, strict=True)]

    def tell(came: int) -> float:
        watch.bet_placed(bets[came])
        watch.settled(results[came])
        watch.round_over(_OVER)
        return watch.players["p1"].process.wealth

    return tell


BANK: Final = returns(0)
_MEAN: Final = sum(chance * back for chance, back in zip(BANK, BACK, strict=True))
_SPREAD: Final = sqrt(sum(chance * (back - _MEAN) ** 2 for chance, back in zip(BANK, BACK, strict=True)))
_DECIDED: Final = (log(0.4 / 0.5), 0.0, log(0.6 / 0.5), log(0.6 / 0.5))
MARKED: Final = Watchable(
    follower,
    {
        "z-scores": seen_as(BACK.__getitem__, z_of_mean, _MEAN, _SPREAD),
        "CUSUM": partial(cusum, lambda came: (_DECIDED[came],)),
    },
    partial(drawn, BANK),
    500,
)


def of_a_reader(chances: Sequence[float]) -> float:
    """The divergence from the closest law under which a stake gives back itself at most."""
    return growth_rate(chances, [back - 1 for back in BACK])


# --- dealers ----------------------------------------------------------------------------------------------------------

RATE: Final = float(Expectations().errors)
BETS: Final = 5
"""In a round."""


def _judged(gain: int, seat: int = 1) -> Any:
    verdict = Verdict.OVERPAID if gain > 0 else Verdict.UNDERPAID if gain else Verdict.MATCH
    return told(
        verdict=verdict, dealer="d1", player=f"p{seat}", seat=seat, difference=gain, wager="black", paid=0,
    )  # fmt: skip


_DEALT: Final = told(closed_seq=1, round=1)
FAVOUR: Final = (1 - BETS * RATE, RATE, (BETS - 1) * RATE)
"""All is right, he is paid too much, one of the four others is."""


def favour() -> Bettor:
    """The watch over one player's bets with one dealer, beside four others."""
    watch = Dealers(BOULE, 1.0)
    right = [_judged(0, seat) for seat in range(1, BETS + 1)]
    rounds = (right, [_judged(STAKE), *right[1:]], [*right[:-1], _judged(STAKE, BETS)])

    def tell(which: int) -> float:
        for bet in rounds[which]:
            watch.settled(bet)
        watch.round_over(_DEALT)
        bettor = watch.pairs.get(("d1", "p1", -1))
        return 1.0 if bettor is None else bettor.process.wealth

    return tell


COLLUSION: Final = Watchable(
    favour,
    of_categories(FAVOUR, [(1 - 5 * RATE) / (1 - RATE), 9.0, 1.0]),
    partial(drawn, FAVOUR),
    6_000,
)


def colluding(errs: float) -> tuple[float, float, float]:
    """`FAVOUR`, where a lost stake is given back in this share."""
    return 1 - errs * EVEN[0], errs * EVEN[0], 0.0


def errors() -> Bettor:
    """The watch over a dealer's errors, told whether one of five bets was wrong."""
    watch = Dealers(BOULE, 1.0)
    right = [_judged(0, seat) for seat in range(1, BETS + 1)]
    rounds = (right, [_judged(STAKE), *right[1:]])

    def tell(wrong: int) -> float:
        for bet in rounds[wrong]:
            watch.settled(bet)
        watch.round_over(_DEALT)
        return watch.dealers["d1"].errors.process.wealth

    return tell


WRONG: Final = (1 - BETS * RATE, BETS * RATE)
ERRORS: Final = Watchable(errors, of_categories(WRONG, tilted(WRONG, [1], 4.0)), partial(drawn, WRONG), 2_000)


def erring(times: float) -> tuple[float, float]:
    """`WRONG`, where each bet is wrong so many times as often as may be."""
    right = (1 - times * RATE) ** BETS
    return right, 1 - right


Times = tuple[float, float]
"""In seconds, from no more bets to the last payout: his, and a peer's."""


def pace() -> Bettor:
    """The watch over a dealer's pace, told his and a peer's times in turn."""
    watch = Dealers(BOULE, 1.0)
    closed = told(seq=1, at=_AT)

    def round_(dealer: str, seconds: float) -> None:
        watch.dealer_on(told(dealer=dealer))
        watch.bets_closed(closed)
        watch.bet_settled(told(seq=1, at=_AT + timedelta(seconds=seconds)))
        watch.round_over(_DEALT)

    def tell(times: Times) -> float:
        his, peers = times
        round_("d2", peers)
        round_("d1", his)
        return watch.dealers["d1"].pace.process.wealth

    return tell


SHAPE: Final = 4
"""Of the gamma law of a time: its standard deviation is half its mean."""


def lasting(times: float, rng: Random) -> Iterator[Times]:
    """His, so many times as long in the mean as a peer's."""
    while True:
        yield times * rng.gammavariate(SHAPE, 5), rng.gammavariate(SHAPE, 5)


def much_longer(times: float) -> float:
    """How often he takes more than is tolerated of a peer: by the beta law of one of two such times in their sum."""
    place, most = times / (times + TOLERATED), 2 * SHAPE - 1
    return sum(comb(most, more) * place**more * (1 - place) ** (most - more) for more in range(SHAPE, most + 1))


def _longer(times: Times) -> int:
    return int(times[0] > TOLERATED * times[1])


_FAIR_PACE: Final = (0.5, 0.5)
PACE: Final = Watchable(
    pace,
    {name: seen_as(_longer, begin) for name, begin in of_categories(_FAIR_PACE, tilted(_FAIR_PACE, [1], 0.5)).items()},
    partial(lasting, TOLERATED),
    500,
    1_000,
)


# --- runs -------------------------------------------------------------------------------------------------------------


def _of_a_fifth(seen: tuple[bool, float] | None) -> Sequence[float]:
    """The logarithm of the likelihood that a fifth comes again whatever happens: (it came, its chance) or None."""
    if seen is None:
        return (0.0,)
    came, chance = seen
    more = chance + (1 - chance) / 5
    return (log(more / chance) if came else log((1 - more) / (1 - chance)),)


class Coup(NamedTuple):
    """One coup at punto banco."""

    cards: tuple[int, ...]
    """By points, as they came."""
    side: int
    """1: the bank wins; 0: the player's side; -1: neither."""
    last: int
    """The side that won before; -1: none has."""


_CARDS: Final = [
    told(seq=1, to="player", card=card) for card in ("KS", "AS", *(f"{points}S" for points in range(2, 10)))
]


def coup(rng: Random) -> tuple[list[int], list[int], tuple[int, ...]]:
    """The points of both hands and of the cards as they came, from many packs."""
    hands: dict[str, list[int]] = {"player": [], "banker": []}
    came = rng.choices(range(10), POINT, k=6)
    number = 0
    while hand := _ORDERS.next(hands["player"], hands["banker"]):
        hands[hand].append(came[number])
        number += 1
    return hands["player"], hands["banker"], tuple(came[:number])


def coups(stays: float, rng: Random) -> Iterator[tuple[Any, Coup]]:
    """Coups as they are told, and what they were. In the share ``stays`` the side that won last wins again, else it is
    as chance will have it."""
    last = -1
    while True:
        player_, bank, cards = coup(rng)
        side = _won(player_, bank)
        if side >= 0 <= last != side and rng.random() < stays:
            while side != last:
                player_, bank, cards = coup(rng)
                side = _won(player_, bank)
        outcome = f"player {total(player_)} banker {total(bank)}"
        yield told(closed_seq=1, round=1, verifiable=True, outcome=outcome), Coup(cards, side, last)
        last = last if side < 0 else side


def _won(player_: list[int], bank: list[int]) -> int:
    ahead = total(bank) - total(player_)
    return int(ahead > 0) if ahead else -1


def hands_in_a_row() -> Bettor:
    """The watch over runs at punto banco."""
    watch = Runs(PUNTO_BANCO, 1.0)

    def tell(seen: tuple[Any, Coup]) -> float:
        for card in seen[1].cards:
            watch.card_dealt(_CARDS[card])
        watch.round_over(seen[0])
        return watch.process.wealth

    return tell


def _again(seen: tuple[Any, Coup]) -> tuple[bool, float] | None:
    _, now = seen
    return None if now.side < 0 or now.last < 0 else (now.side == now.last, SIDES[now.last])


COUPS: Final = Watchable(
    hands_in_a_row,
    {"z-scores": seen_as(_again, z_of_chances), "CUSUM": partial(cusum, lambda seen: _of_a_fifth(_again(seen)))},
    partial(coups, 0.0),
    500,
)


def of_hands(stays: float) -> float:
    """The divergence of whether a side wins again, as often as a coup is decided and that side won last."""
    again = [stays + (1 - stays) * chance for chance in SIDES]
    share = (1 - again[1]) / (2 - again[0] - again[1])
    of_sides = [of_share(more, chance) for more, chance in zip(again, SIDES, strict=True)]
    return (1 - TIE) * (share * of_sides[0] + (1 - share) * of_sides[1])


WAYS: Final = {4: 3, 5: 4, 6: 5, 8: 5, 9: 4, 10: 3}
_POINTS: Final = {point: told(seq=1, void=None, seat=1, dice=[point // 2, point - point // 2]) for point in (*WAYS, 7)}


def points(stays: float, rng: Random) -> Iterator[tuple[int, bool, bool]]:
    """Points that are decided: which, made or lost, and whether the last was made. After one that was made, the next
    is made in the share ``stays``, else as chance will have it."""
    numbers, weights = list(WAYS), list(WAYS.values())
    last = False
    while True:
        point = rng.choices(numbers, weights)[0]
        made = (last and rng.random() < stays) or rng.random() < made_by_chance(point)
        yield point, made, last
        last = made


def made_by_chance(point: int) -> float:
    """Before a seven."""
    return WAYS[point] / (WAYS[point] + 6)


def points_in_a_row() -> Bettor:
    """The watch over runs at craps."""
    watch = Runs(CRAPS, 1.0)

    def tell(seen: tuple[int, bool, bool]) -> float:
        point, made, _ = seen
        watch.dice_rolled(_POINTS[point])
        watch.dice_rolled(_POINTS[point if made else 7])
        return watch.process.wealth

    return tell


def _after_one(seen: tuple[int, bool, bool]) -> tuple[bool, float] | None:
    return (seen[1], made_by_chance(seen[0])) if seen[2] else None


DECIDED: Final = Watchable(
    points_in_a_row,
    {
        "z-scores": seen_as(_after_one, z_of_chances),
        "CUSUM": partial(cusum, lambda seen: _of_a_fifth(_after_one(seen))),
    },
    partial(points, 0.0),
    500,
)


def of_points(stays: float) -> float:
    """The divergence of a point that is decided: of those that follow one that was made, times their share."""
    chances = [(ways / 24, made_by_chance(point)) for point, ways in WAYS.items()]
    fair = sum(weight * chance for weight, chance in chances)
    after_one = fair + stays * (1 - fair)
    share = fair / (1 - after_one + fair)
    return share * sum(weight * of_share(stays + (1 - stays) * chance, chance) for weight, chance in chances)


# --- hold -------------------------------------------------------------------------------------------------------------

SEATS: Final = 5


def hold() -> Bettor:
    """The watch over a table's hold, told how many of five players have won."""
    watch = Winnings(BOULE, 1.0)
    bets = [placed("black", f"p{seat}", seat) for seat in range(1, SEATS + 1)]
    results = [tuple(settled("black", back, bet.player) for back in (0, 2)) for bet in bets]

    def tell(won: int) -> float:
        for number, bet in enumerate(bets):
            watch.bet_placed(bet)
            watch.settled(results[number][number < won])
        watch.round_over(_OVER)
        return watch.hold.wealth

    return tell


def winners(chance: float) -> list[float]:
    """Of five players who win with ``chance`` each, so many win."""
    return [comb(SEATS, won) * chance**won * (1 - chance) ** (SEATS - won) for won in range(SEATS + 1)]


_FAIR_WINNERS: Final = winners(EVEN[1])
HOLD: Final = Watchable(
    hold,
    {
        "z-scores": partial(z_of_mean, SEATS * EVEN[1], sqrt(SEATS * EVEN[0] * EVEN[1])),
        "CUSUM": partial(
            cusum,
            lambda won: tuple(
                won * log(other / EVEN[1]) + (SEATS - won) * log((1 - other) / EVEN[0]) for other in (0.36, 0.53)
            ),
        ),
    },
    partial(drawn, _FAIR_WINNERS),
    500,
)


def of_hold(chance: float, side: int) -> float:
    """The divergence of a round from the closest law under which no bet wins, with the players (1) or the house (-1):
    a bet gains 5/4 of itself when it is won, or loses it; with the house the other way round, at 4/5."""
    gains = [(2 * won / (2 * EVEN[1]) - SEATS) if side > 0 else (0.8 * (SEATS - won) - won) for won in range(SEATS + 1)]
    return growth_rate(winners(chance), gains, 1 / SEATS)


_EVENS_NULL: Final = "Null: an even chance at boule wins 4 times in 9 at most. Divergence: exact."
_READERS_NULL: Final = (
    "Null: no stake at a shoe gives back more than itself in the mean. Divergence: that of the best bettor on what"
    " comes back, by enumeration of the coup from many packs."
)
_HOLD_NULL: Final = "Null: bets give back {} than they should, in the mean. Divergence: that of the best bettor."

CHEATS: Final = (
    Cheat(
        "Players", "a player who knows the result", "of rounds he knows it", "rounds",
        (0.07, 0.1, 0.2, 0.3, 0.5, 1.0), "{:.0%}", PLAYER, lambda known, rng: drawn(knowing(known), rng),
        lambda known: of_share(knowing(known)[1], EVEN[1]), _EVENS_NULL, 5_000,
    ),
    Cheat(
        "Players", "a past poster", "of late bets he knows the result", "late bets",
        (0.07, 0.1, 0.2, 0.3, 0.5, 1.0), "{:.0%}", LATE, lambda known, rng: drawn(knowing(known), rng),
        lambda known: of_share(knowing(known)[1], EVEN[1]), _EVENS_NULL, 5_000,
    ),
    Cheat(
        "Players", "marked cards at punto banco, four cards known", "of coups they are known", "coups",
        (0.1, 0.15, 0.2, 0.3, 0.5, 1.0), "{:.0%}", MARKED, lambda known, rng: drawn(returns(4, known), rng),
        lambda known: of_a_reader(returns(4, known)), _READERS_NULL, 5_000,
    ),
    Cheat(
        "Players", "marked cards at punto banco", "first cards known", "coups",
        (1, 2, 3, 4), "{:g}", MARKED, lambda cards, rng: drawn(returns(int(cards)), rng),
        lambda cards: of_a_reader(returns(int(cards))), _READERS_NULL, 5_000,
    ),
    Cheat(
        "Dealers", "a dealer who gives one player's lost stakes back", "of those he gives back", "rounds of five bets",
        (0.01, 0.02, 0.05, 0.1, 0.2, 0.5), "{:.0%}", COLLUSION, lambda errs, rng: drawn(colluding(errs), rng),
        lambda errs: errs * EVEN[0] * log(BETS),
        "Null: what is paid too much goes to any of five players alike. Divergence: exact, of whom it goes to.",
    ),
    Cheat(
        "Dealers", "a dealer who errs", "as often as the house allows", "rounds of five bets",
        (2, 3, 5, 10, 25), "{:g}×", ERRORS, lambda times, rng: drawn(erring(times), rng),
        lambda times: divergence(erring(times), WRONG),
        "Null: a round of five bets holds a wrong one with 1/100 at most. Divergence: exact.",
    ),
    Cheat(
        "Dealers", "a dealer who is too slow", "times as long as his peers, in the mean", "rounds of his",
        (2, 2.5, 3, 4, 6), "{:g}", PACE, lasting, lambda times: of_share(much_longer(times), 0.5),
        "Null: he takes half as long again as a peer in half of the rounds at most. Divergence: exact, of whether he"
        " does; times of the gamma law, standard deviation half the mean.", 5_000,
    ),
    Cheat(
        "Runs and hold", "hands that win in a row at punto banco", "of coups the last side wins again", "coups",
        (0.1, 0.15, 0.2, 0.3, 0.5, 0.8), "{:.0%}", COUPS, coups, of_hands,
        "Null: the shoe was shuffled. Divergence: exact, of which side wins (many packs, ties left out).", 5_000,
    ),
    Cheat(
        "Runs and hold", "points made in a row at craps", "of points after one that was made are made", "points",
        (0.1, 0.15, 0.2, 0.3, 0.5, 0.8), "{:.0%}", DECIDED, points, of_points,
        "Null: a point is made with its own chance whatever came before. Divergence: exact.", 5_000,
    ),
    Cheat(
        "Runs and hold", "a table that wins too little", "of five players' lost bets are paid", "rounds",
        (0.05, 0.07, 0.1, 0.2, 0.3, 0.5), "{:.0%}", HOLD,
        lambda part, rng: drawn(winners(EVEN[1] + part * EVEN[0]), rng),
        lambda part: of_hold(EVEN[1] + part * EVEN[0], 1), _HOLD_NULL.format("no more"), 5_000,
    ),
    Cheat(
        "Runs and hold", "a table that wins too much", "of five players' won bets are not paid", "rounds",
        (0.05, 0.07, 0.1, 0.2, 0.3, 0.5), "{:.0%}", HOLD,
        lambda part, rng: drawn(winners(EVEN[1] * (1 - part)), rng),
        lambda part: of_hold(EVEN[1] * (1 - part), -1), _HOLD_NULL.format("no less"), 5_000,
    ),
)  # fmt: skip
