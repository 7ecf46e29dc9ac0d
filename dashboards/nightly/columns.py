"""The columns of the report's CSV files, so that one without a row still says what it would hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_SUMS: Final = (
    "table_days",
    "float_open",
    "float_close",
    "fills",
    "credits",
    "drop",
    "win",
    "win_by_rules",
    "difference",
)
_ACCOUNT: Final = ("traced", "unverifiable", "unexplained", "unexplained_over", "unexplained_under")
_PLAY: Final = ("rounds", "bets", "staked", "overpaid", "underpaid", "hold", "compared_bets", "compared_staked",
                "left_out_staked", "left_out_share", "compared_win", "theoretical_win", "deviation", "z")  # fmt: skip
_FINDING: Final = ("session", "casino", "pit", "table", "game", "currency", "round", "seq", "code", "subject", "kind",
                   "severity", "seat", "bet", "player", "dealer", "amount", "passage", "text", "at")  # fmt: skip
_WRONGLY_PAID: Final = ("casino", "currency", "name", "overpaid", "times_over", "underpaid", "times_under", "bets")
SCOPES: Final = {
    "tables": ("casino", "pit", "table", "game", "currency"),
    "pits": ("casino", "pit", "currency"),
    "games": ("casino", "game", "currency"),
    "casinos": ("casino", "currency"),
}
"""What is summed by what. Currencies are never summed with one another."""
_INCOMPLETE: Final = ("day", "table", "problem")

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "sessions": (
        *("day", "session", "casino", "pit", "table", "game", "rules", "currency", "state", "float_open"),
        *("float_close", "fills", "credits", "drop", "events", "rounds", "gaps", "conflicts", "duplicates", "rejected"),
        *("checkpoints_good", "checkpoints_bad", "bets", "staked", "overpaid", "underpaid", "win_of_wrong_pay"),
        *("win_of_unsettled", "unsettled", "unjudged", "unjudged_staked", "fees_due", "findings", "problem"),
        *("opened_at", "closed_at", "win", "win_by_rules", "difference", "hold", *_ACCOUNT, "failed"),
    ),
    **{scope: (*names, *_SUMS, *_ACCOUNT, *_PLAY) for scope, names in SCOPES.items()},
    **{f"month-{scope}": (*names, *_SUMS, *_PLAY) for scope, names in SCOPES.items()},
    **{f"year-{scope}": (*names, *_SUMS, *_PLAY) for scope, names in SCOPES.items()},
    "month-incomplete": _INCOMPLETE,
    "year-incomplete": _INCOMPLETE,
    "failures": ("day", "session", "casino", "pit", "table", "game", "work", "error"),
    "late": ("casino", "pit", "table", "game", "session", "problem", "last_seen"),
    "trace": ("session", "casino", "pit", "table", "game", "currency", "cause", "round", "seat", "bet", "seq", "dealer",
              "amount", "bets", "text", "passage"),
    "wagers": ("casino", "game", "rules", "currency", "wager", "reason", "assumes", "bets", "staked"),
    "wrongly-paid-games": _WRONGLY_PAID,
    "wrongly-paid-dealers": _WRONGLY_PAID,
    "wrongly-paid-hours": _WRONGLY_PAID,
    "cuts": ("session", "casino", "pit", "table", "game", "currency", "due", "due_unreported", "taken",
             "taken_unjudged", "off", "fees_due", "fees_taken", "findings"),
    "trays": ("session", "casino", "pit", "table", "game", "currency", "problem", "float_open", "fills", "credits",
              "exchanges", "play", "cut", "expected", "float_close", "off"),
    "floats": ("session", "casino", "pit", "table", "game", "currency", "session_before", "float_close", "float_open",
               "off"),
    "cash": ("session", "casino", "pit", "table", "game", "currency", "cash_in", "cash_out", "markers", "markers_paid",
             "promo", "drop_expected", "drop", "off"),
    "cash_of_players": ("casino", "currency", "player", "cash_in", "cash_out", "times", "jurisdiction", "threshold",
                        "passage"),
    "log": ("session", "casino", "pit", "table", "game", "state", "opened_at", "closed_at", "events", "rounds", "gaps",
            "conflicts", "duplicates", "rejected", "checkpoints_good", "checkpoints_bad", "rounds_unverifiable",
            "rounds_unsealed", "bets_unjudged", "whole"),
    "codes": ("kind", "code", "severity", "currency", "times", "amount"),
    "findings": _FINDING,
    "streaks": _FINDING,
    "watched": ("session", "casino", "table", "game", "process", "bets_on", "seen", "won", "needed", "stands"),
    "heads": ("code", "day", "stands"),
    "investigations": ("jurisdiction", "threshold", "passage", "casino", "table", "game", "hold", "against_hold",
                       "beyond", "most", "text"),
}  # fmt: skip
"""By the part of the report that a file holds."""
