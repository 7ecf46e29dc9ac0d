"""What blackjack with a hole card is worth to who plays it best: figures that others have published.

M. Shackleford ("The Wizard of Odds", Blackjack Appendix 1) has an endless shoe, a dealer who looks and stands on a soft
17, doubles after a split, up to four hands, aces split once, no surrender: 0.511734 per cent, and the returns of each
play. P. Griffin (The Theory of Blackjack) has the same without doubles after a split, and no more than two hands:
0.690223 per cent. What a rule is worth is Shackleford's too, for six to eight packs, to a hundredth of a per cent.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from replay.games import _blackjack_best, odds_of
from replay.games._blackjack_best import BestPlay, Choices, Worth, edge_and_variance_of_main
from tests.games.hole_card_rounds import DECK, worth
from tests.installed import PACKS

RULES = PACKS.game("US-NJ", "blackjack")
MAIN = RULES.wagers["main"]
FOUR_HANDS = Choices(max_hands=4, resplit_aces=False)
THREE_TO_TWO = Fraction(3, 2)


def mean(play: BestPlay, worth: Worth) -> float:
    return float(play.mean([(worth, 13**2)]))


def per_cent(edge: Fraction) -> float:
    return float(100 * edge)


def test_the_edge_from_an_endless_shoe_is_the_published_one():
    edge, variance = edge_and_variance_of_main(MAIN, 17, FOUR_HANDS, THREE_TO_TWO)

    assert per_cent(edge) == pytest.approx(0.511734, abs=5e-7)
    assert float(variance) == pytest.approx(1.33, abs=0.01)


class NoDoubleAfterSplit(BestPlay):
    def split(self, points: int) -> Worth:
        with_doubles = self.two_cards
        self.two_cards = lambda one, two: self.played(one + two, 1 in (one, two))  # type: ignore[assignment]
        found = super().split(points)
        self.two_cards = with_doubles
        return found


def test_griffins_edge_without_doubles_after_a_split(monkeypatch):
    monkeypatch.setattr(_blackjack_best, "BestPlay", NoDoubleAfterSplit)
    monkeypatch.setattr(_blackjack_best, "_without_blackjacks", _blackjack_best._without_blackjacks.__wrapped__)
    edge, _ = edge_and_variance_of_main(MAIN, 17, Choices(), THREE_TO_TWO)

    assert per_cent(edge) == pytest.approx(0.690223, abs=2e-5), "0.690237 here"


@pytest.mark.parametrize(
    ("points", "up", "standing"),
    [(16, 2, -0.2928), (16, 10, -0.5404), (17, 1, -0.4780), (18, 6, 0.2834), (20, 10, 0.5545), (21, 8, 0.9306)],
)
def test_standing_returns_what_is_published(points, up, standing):
    play = BestPlay(MAIN, 17, FOUR_HANDS, up)

    assert mean(play, play.settled(points, 1)) == pytest.approx(standing, abs=5e-5)


def test_two_eights_against_a_ten_return_what_is_published():
    play = BestPlay(MAIN, 17, FOUR_HANDS, 10)
    ways = [play.settled(16, 1), play.hit(16, False), play.doubled(16, False), play.split(8)]

    assert [round(mean(play, way), 4) for way in ways] == [-0.5404, -0.5398, -1.0797, -0.4807]


def edges() -> dict[tuple[str, ...], float]:
    """By what is not as the law has it."""
    usual = {"hole_card": "peek", "soft_17": "stand", "blackjack_pays": "3/2", "double_on": "any", "max_hands": "2",
             "resplit_aces": "true", "surrender": "none"}  # fmt: skip
    return {
        tuple(f"{name} {value}" for name, value in odds.options.items() if usual[name] != value): per_cent(odds.edge)
        for odds in odds_of(RULES)(RULES)
        if odds.wager == "main"
    }


@pytest.mark.parametrize(
    ("other", "costs"),
    [
        ("soft_17 hit", 0.22),
        ("blackjack_pays 6/5", 1.36),
        ("double_on ten_eleven", 0.18),
        ("surrender late", -0.08),
    ],
)
def test_each_rule_costs_the_player_what_is_published(other, costs):
    found = edges()

    assert found[(other,)] - found[()] == pytest.approx(costs, abs=0.012)


def test_no_deal_of_the_figures_stands_for_a_real_shoe():
    assert all(odds.by_strategy and "endless" in odds.assumes for odds in odds_of(RULES)(RULES) if odds.wager == "main")


def test_the_dealers_ends_by_every_way_to_draw():
    """Against a six, by all draws one after the other."""

    def draws(cards: list[str], chance: Fraction, soft_hit: bool) -> dict[int, Fraction]:
        points = sum(map(worth, cards))
        soft = points <= 11 and any(worth(card) == 1 for card in cards)
        total = points + 10 if soft else points
        if total > 17 or (total == 17 and not (soft and soft_hit)):
            return {min(total, 22): chance}
        found: dict[int, Fraction] = {}
        for card in DECK[::4]:
            for end, part in draws([*cards, card], chance / 13, soft_hit).items():
                found[end] = found.get(end, Fraction(0)) + part
        return found

    for soft_hit in (False, True):
        play = BestPlay(MAIN, 17, Choices(soft_17_hit=soft_hit), 10)
        ends = draws(["6S", "TS"], Fraction(1), soft_hit)

        assert dict(zip(play.ends, play.ends_of(16, False), strict=True)) == ends
