"""The cloth of roulette and its wheel: twelve rows of three numbers that lie on their side, the zeros at the left end,
columns at the right one, dozens and even chances below; what is laid on several numbers lies on the lines between."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from replay.forensics import BetShown
from replay.tableau import Shown
from streams.view.drawing import board
from streams.view.drawing.bets import marker
from streams.view.drawing.board import Area
from streams.view.drawing.pieces import text, wheel

_LEFT: Final = 400
"""Where the number 1, 2, 3 begin."""
_TOP: Final = 52
_WIDE: Final = 58
_HIGH: Final = 84
_BOTTOM: Final = _TOP + 3 * _HIGH
_RIGHT: Final = _LEFT + 12 * _WIDE
_DOZENS: Final = _BOTTOM + 10
_CHANCES: Final = _DOZENS + 68
_ROOM: Final = 186
"""How high even chances and prison are together."""
_DOUBLE_ZERO: Final = "00"
_EVEN_CHANCES: Final = (("low", "1–18"), ("even", "even"), ("red", "red"), ("black", "black"), ("odd", "odd"),
                        ("high", "19–36"))  # fmt: skip
_ON_SEVERAL: Final = frozenset(
    {"split", "street", "trio", "corner", "first_four", "basket", "six_line", "double_column", "double_dozen"}
)


def drawn(bets: Iterable[BetShown], lying: Shown, currency: str, rules: Any) -> str:
    """The wheel, the boxes, and what lies on the lines. ``rules``: the game's, or None where they are not known."""
    data: Mapping[str, Any] = rules.data if rules is not None else {}
    chances = data.get("chances", {})
    wheels: Mapping[str, Any] = data.get("wheels", {})
    name = str(lying.get("wheel", next(iter(wheels), "")))
    order = tuple(wheels.get(name, {}).get("order", range(37)))
    double = len(order) > 37
    red, black = chances.get("red", ()), chances.get("black", ())
    called = {37: _DOUBLE_ZERO} if double else {}
    parts = [wheel(str(lying.get("ball", "")), 178, 208, 138, red, black, order, called)]
    if "spins left" in lying:
        parts.append(text(178, 404, f"spins left: {lying['spins left']}", "note"))
    prison = any(one.get("even_chances") == "choice" for one in data.get("zero", {}).values())
    boxes = _boxes(double=double, prison=prison, red=set(red))
    on_lines: dict[tuple[float, float], list[BetShown]] = {}
    in_boxes: list[BetShown] = []
    for bet in bets:
        at = _point(bet, double=double) if bet.wager in _ON_SEVERAL else None
        if at is None:
            in_boxes.append(bet)
        else:
            on_lines.setdefault(at, []).append(bet)
    left_over = Area((), "not of this game", 30, _CHANCES, 270, 80, "side")
    parts.append(board.drawn(boxes, in_boxes, currency, left_over))
    parts += [marker(stakes, x, y, currency) for (x, y), stakes in on_lines.items()]
    return "".join(parts)


def _boxes(*, double: bool, prison: bool, red: set[int]) -> list[Area]:
    zero = _LEFT - _WIDE - 2
    if double:
        half = 1.5 * _HIGH
        found = [
            Area((("straight_up", _DOUBLE_ZERO),), _DOUBLE_ZERO, zero, _TOP, _WIDE, half - 1, "pocket neutral"),
            Area((("straight_up", "0"),), "0", zero, _TOP + half + 1, _WIDE, half - 1, "pocket neutral"),
        ]
    else:
        found = [Area((("straight_up", "0"),), "0", zero, _TOP, _WIDE, 3 * _HIGH, "pocket neutral")]
    for number in range(1, 37):
        x, y = _middle(number)
        kind = f"pocket {'red' if number in red else 'black'}"
        key = (("straight_up", str(number)),)
        found.append(Area(key, str(number), x - _WIDE / 2 + 1, y - _HIGH / 2 + 1, _WIDE - 2, _HIGH - 2, kind))
    for column in (1, 2, 3):
        y = _middle(column)[1] - _HIGH / 2 + 1
        found.append(Area((("column", str(column)),), "2 to 1", _RIGHT + 2, y, _WIDE + 4, _HIGH - 2, "wide"))
    dozens = [([("dozen", str(dozen))], ("1–12", "13–24", "25–36")[dozen - 1]) for dozen in (1, 2, 3)]
    found += board.row(dozens, _LEFT, _DOZENS, 12 * _WIDE, 62, "wide", 4)
    chances: list[tuple[list[board.Key], str]] = [([(wager, "*")], label) for wager, label in _EVEN_CHANCES]
    kinds = {"red": "wide chance-red", "black": "wide chance-black"}
    width = _RIGHT + _WIDE + 6 - zero
    high = _ROOM / 2 - 3 if prison else 122
    for box in board.row(chances, zero, _CHANCES, width, high, "wide", 4):
        found.append(box._replace(kind=kinds.get(box.keys[0][0], "wide")))
    if prison:
        waiting: list[tuple[list[board.Key], str]] = [([(wager, "prison")], "prison") for wager, _ in _EVEN_CHANCES]
        found += board.row(waiting, zero, _CHANCES + _ROOM / 2 + 1, width, high, "wide prison", 4)
    return found


def _middle(number: int) -> tuple[float, float]:
    """The middle of a number's box."""
    along, up = divmod(number - 1, 3)
    return _LEFT + (along + 0.5) * _WIDE, _TOP + (2.5 - up) * _HIGH


def _point(bet: BetShown, *, double: bool) -> tuple[float, float] | None:
    """Where on the lines a bet on several numbers lies; None where that cannot be said."""
    names = bet.pick.split("-") if bet.pick else []
    if not all(name.isdecimal() and int(name) <= 36 for name in names):
        return None
    zeros = [name for name in names if name in ("0", _DOUBLE_ZERO)]
    numbers = [int(name) for name in names if name not in zeros]
    wager = bet.wager
    if wager in ("double_column", "double_dozen"):
        if sorted(numbers) not in ([1, 2], [2, 3]):
            return None
        if wager == "double_column":
            return _RIGHT + 2 + _WIDE / 2, _TOP + (3 - max(numbers) + 1) * _HIGH
        return _LEFT + 4 * _WIDE * min(numbers), _DOZENS + 31
    if wager in ("first_four", "basket"):
        return (_LEFT - 1, _BOTTOM) if double == (wager == "basket") else None
    if not names:
        return None
    middles = [_middle(number) for number in numbers]
    if zeros:
        heights = [y for _, y in middles]
        if not heights:
            return _LEFT - 2 - _WIDE / 2, _TOP + 1.5 * _HIGH
        return _LEFT - 1, sum(heights) / len(heights)
    x = sum(x for x, _ in middles) / len(middles)
    if wager in ("street", "six_line"):
        return x, _BOTTOM
    return x, sum(y for _, y in middles) / len(middles)
