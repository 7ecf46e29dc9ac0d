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
}
_EVIDENCE = {
    "sequence_gap": Severity.SEVERE,
    "conflicting_event": Severity.SEVERE,
    "chain_broken": Severity.SEVERE,
    "bad_signature": Severity.SEVERE,
    "clock_backwards": Severity.WARNING,
    "rejected_event": Severity.SEVERE,
    "rule_fault": Severity.SEVERE,
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
