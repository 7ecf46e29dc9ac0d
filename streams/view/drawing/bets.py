"""Stakes on the cloth: each as chips with what it is worth, whose it is and what has become of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from markupsafe import escape

from replay.forensics import BetShown
from streams.view.drawing.pieces import chips, money, rectangle, text

_GONE: Final = frozenset({"settled", "withdrawn"})
_LINE: Final = 30
"""Height of a stake in a list."""
_WIDE: Final = 58
_HIGH: Final = 46
"""Room for a stake in a box."""


def name(bet: BetShown) -> str:
    """The wager with its pick: ``straight up 7``."""
    words = bet.wager.replace("_", " ")
    if bet.pick:
        words += f" {bet.pick}"
    return words


def fate(bet: BetShown, currency: str) -> tuple[str, str]:
    """What has become of a bet, in a word or two, and the kind of news that it is (a class of the style sheet)."""
    if bet.status in ("refused", "withdrawn", "unsettled") and not (bet.status == "unsettled" and bet.paid):
        return {"refused": "refused", "withdrawn": "taken back", "unsettled": "unsettled"}[bet.status], bet.status
    if bet.paid is None or bet.returned is None:
        return ("", "playing") if bet.status == "playing" else ("not known", "unknown")
    if bet.paid:
        return f"+{money(bet.paid, currency)}", "won"
    return ("back", "push") if bet.returned else ("lost", "lost")


def differs(bet: BetShown) -> bool:
    """Something else was handed over than is due."""
    if bet.claimed_paid is None or bet.paid is None:
        return False
    return (bet.claimed_paid, bet.claimed_returned) != (bet.paid, bet.returned)


def _group(bet: BetShown, inside: str, currency: str) -> str:
    word, news = fate(bet, currency)
    kind = f"stake {news}" + (" gone" if bet.status in _GONE else "") + (" wrong" if differs(bet) else "")
    who = f"seat {bet.seat}" + (f", {bet.player}" if bet.player else "")
    title = f"{bet.bet}: {name(bet)}, {who}, {money(bet.amount, currency)}, {bet.status} {word}".strip()
    return f'<g class="{kind}"><title>{escape(title)}</title>{inside}</g>'


def marker(stakes: Sequence[BetShown], x: float, y: float, currency: str) -> str:
    """Stakes that lie on a line or a corner: chips alone, those still on the cloth on top, with how many stakes they
    are and what they come to."""
    row = sorted(stakes, key=lambda bet: bet.status not in _GONE)
    parts = []
    for bet in row:
        word, news = fate(bet, currency)
        inside = chips(bet.amount or bet.refund, x, y + 4, 9)
        if news == "lost":
            inside = f'<g class="faded">{inside}</g>'
        if len(row) == 1:
            told = "" if news == "lost" else word or money(bet.amount, currency)
            inside += text(x, y + 21, told + ("≠" if differs(bet) else ""), f"online {news}")
        parts.append(_group(bet, inside, currency))
    if len(row) > 1:
        total = money(sum(bet.amount for bet in row), currency)
        parts.append(text(x, y + 21, f"{len(row)}: {total}", "online"))
    return "".join(parts)


def listed(stakes: Sequence[BetShown], x: float, y: float, room: float, most: int, currency: str) -> str:
    """Stakes one below the other from (``x``, ``y``): chips, wager and amount, and what has become of it."""
    parts = []
    shown = stakes if len(stakes) <= most else stakes[: most - 1]
    for place, bet in enumerate(shown):
        line = y + place * _LINE
        word, news = fate(bet, currency)
        wrong = " ≠" if differs(bet) else ""
        left = int((room - 32) / 6.6 - 1.15 * len(word + wrong))
        inside = chips(bet.amount or bet.refund, x + 13, line + 17, 11)
        inside += text(x + 30, line + 11, name(bet)[: max(left, 3)], "wager", anchor="start")
        inside += text(x + 30, line + 25, money(bet.amount, currency), "worth", anchor="start")
        if word:
            inside += text(x + room, line + 11, word + wrong, f"fate {news}", anchor="end")
        parts.append(_group(bet, inside, currency))
    if len(shown) < len(stakes):
        rest = stakes[len(shown) :]
        total = money(sum(bet.amount for bet in rest), currency)
        parts.append(text(x + 30, y + len(shown) * _LINE + 16, f"{len(rest)} more, {total}", "wager", anchor="start"))
    return "".join(parts)


def heap(stakes: Iterable[BetShown], x: float, y: float, w: float, h: float, currency: str) -> str:
    """Stakes in a box of the layout, as many as find room, those still on the cloth first; the rest as a number."""
    row = sorted(stakes, key=lambda bet: bet.status in _GONE)
    if not row:
        return ""
    wide = min(86, max(_WIDE, w / len(row)))
    across = max(1, int(w // wide))
    down = max(1, int(h // _HIGH))
    room = across * down
    shown = row if len(row) <= room else row[: room - 1]
    places = len(shown) + (len(shown) < len(row))
    used = min(across, places)
    left = x + (w - used * wide) / 2
    top = y + (h - -(-places // across) * _HIGH) / 2
    spots = [(left + (place % across) * wide, top + (place // across) * _HIGH) for place in range(places)]
    parts = []
    for bet, (cx, cy) in zip(shown, spots, strict=False):
        word, news = fate(bet, currency)
        wrong = "≠" if differs(bet) else ""
        inside = chips(bet.amount or bet.refund, cx + 15, cy + 26, 11)
        inside += text(cx + 30, cy + 15, f"s{bet.seat}", "whose", anchor="start")
        inside += text(cx + _WIDE / 2, cy + 43, money(bet.amount, currency), "worth")
        if word:
            inside += text(cx + 29, cy + 29, word + wrong, f"fate {news}", anchor="start")
        parts.append(_group(bet, inside, currency))
    if len(shown) < len(row):
        cx, cy = spots[-1]
        rest = row[len(shown) :]
        parts.append(rectangle(cx + 2, cy + 6, _WIDE - 4, 36, "more", 6))
        parts.append(text(cx + _WIDE / 2, cy + 21, f"{len(rest)} more", "whose"))
        parts.append(text(cx + _WIDE / 2, cy + 36, money(sum(bet.amount for bet in rest), currency), "worth"))
    return "".join(parts)
