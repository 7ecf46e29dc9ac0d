"""The finding codes: what family each belongs to and how soon somebody should look."""

from __future__ import annotations

from typing import Final

from replay.results import Kind, Severity

_MONEY = {
    "underpaid": Severity.SEVERE,
    "overpaid": Severity.SEVERE,
    "unsettled": Severity.SEVERE,
    "settled_too_early": Severity.WARNING,
    "settled_twice": Severity.SEVERE,
    "unknown_bet": Severity.SEVERE,
    "duplicate_bet": Severity.WARNING,
    "wrong_rake": Severity.SEVERE,
    "wrong_commission": Severity.SEVERE,
    "goodwill_paid": Severity.WARNING,
    "drop_recounted": Severity.WARNING,
}
_PROCEDURE = {
    "late_bet": Severity.SEVERE,
    "late_withdrawal": Severity.SEVERE,
    "below_minimum": Severity.NOTICE,
    "above_maximum": Severity.WARNING,
    "too_many_bets": Severity.NOTICE,
    "wager_not_offered": Severity.WARNING,
    "stake_mismatch": Severity.WARNING,
    "side_bet_too_large": Severity.WARNING,
    "odds_too_large": Severity.WARNING,
    "withdrawal_not_allowed": Severity.WARNING,
    "illegal_decision": Severity.WARNING,
    "dealer_misplay": Severity.SEVERE,
    "drawing_error": Severity.SEVERE,
    "dealing_error": Severity.WARNING,
    "hand_misset": Severity.WARNING,
    "missing_decision": Severity.WARNING,
    "dice_changed_mid_series": Severity.SEVERE,
    "impossible_card": Severity.SEVERE,
    "bad_throw_counted": Severity.SEVERE,
    "setup_not_allowed": Severity.SEVERE,
    "corrected": Severity.WARNING,
    "round_voided": Severity.WARNING,
}
_EVIDENCE = {
    "sequence_gap": Severity.SEVERE,
    "conflicting_event": Severity.SEVERE,
    "chain_broken": Severity.SEVERE,
    "bad_signature": Severity.SEVERE,
    "clock_backwards": Severity.WARNING,
    "rejected_event": Severity.SEVERE,
    "rule_fault": Severity.SEVERE,
    "book_overflow": Severity.SEVERE,
}

_STREAK = {
    "dice_biased": Severity.SEVERE,
    "controlled_throws": Severity.WARNING,
    "triples_biased": Severity.WARNING,
    "ball_biased": Severity.WARNING,
    "shoe_composition": Severity.SEVERE,
    "repeated_order": Severity.SEVERE,
    "player_wins": Severity.WARNING,
    "stakes_follow_count": Severity.WARNING,
    "late_bets_win": Severity.SEVERE,
    "dealer_errors": Severity.WARNING,
    "dealer_pace": Severity.WARNING,
    "runs": Severity.WARNING,
    "hold_off": Severity.WARNING,
}

CODES: Final[dict[str, tuple[Kind, Severity]]] = {
    **{code: (Kind.MONEY, severity) for code, severity in _MONEY.items()},
    **{code: (Kind.PROCEDURE, severity) for code, severity in _PROCEDURE.items()},
    **{code: (Kind.EVIDENCE, severity) for code, severity in _EVIDENCE.items()},
    **{code: (Kind.STREAK, severity) for code, severity in _STREAK.items()},
}
"""Code -> (kind, severity)."""

STREAK_WORDS: Final = {
    "dice_biased": "The dice do not fall as fair dice do",
    "controlled_throws": "The shooter's throws are not those of chance",
    "triples_biased": "Triples come more often, or more rarely, than three fair dice give them",
    "ball_biased": "The ball does not rest on all numbers alike",
    "shoe_composition": "The cards that come are not those of the packs that were loaded",
    "repeated_order": "Cards come in an order that has been seen before: the pack was not shuffled, or falsely",
    "player_wins": "The player wins more than the game gives",
    "stakes_follow_count": "Advantage play, which breaks no rule: the player's stakes follow the count of the shoe",
    "late_bets_win": "Stakes that were laid or raised late win more than the game gives",
    "dealer_errors": "The dealer errs more often than the house expects, or favours a side more than his peers do",
    "dealer_pace": "The dealer's pace is not that of his peers at the table",
    "runs": "Outcomes repeat themselves more than chance gives",
    "hold_off": "What the table wins is not what its games give",
}
"""What is off where a streak alarms, in words, by the finding's code."""
