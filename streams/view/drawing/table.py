"""A whole table as it lies after a step: the felt, the cards, dice and ball, the boxes with their chips."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from markupsafe import Markup, escape

from replay.forensics import BetShown, Step
from replay.tableau import Shown
from streams.view.drawing import board, roulette
from streams.view.drawing.bets import listed
from streams.view.drawing.board import Area
from streams.view.drawing.pieces import cards, dice, money, rectangle, text, tile, wheel

WIDTH: Final = 1200
HEIGHT: Final = 620
_SEAT: Final = re.compile(r"seat (\d+)(?: hand (\d+))?( says)?")
_SEATS_END: Final = 578
"""Where the seats' places end, from above."""
_BUSY: Final = 16
"""So many bets, and what has been settled is no longer drawn on a layout of boxes."""
_DRAWN_ELSEWHERE: Final = frozenset({"shoe", "outcome", "dice"})
"""What is told in words and has a place of its own around every table."""

_CLOTH: Final = (
    '<defs><radialGradient id="felt" cy=".35" r=".8"><stop offset="0" stop-color="#1a7a58"/>'
    '<stop offset="1" stop-color="#0c4a36"/></radialGradient></defs>'
)


class Layout(NamedTuple):
    """What the drawing must know of the table beside the step."""

    game: str
    currency: str
    rules: Any
    """The game's rules (`replay.rules.GameRules`), or None where the table cannot be judged."""


def table(step: Step, layout: Layout) -> Markup:
    """The picture, an ``svg`` element that says in words what it shows."""
    height = 700 if layout.game == "sic_bo" else HEIGHT
    words = "; ".join(f"{place}: {_flat(what)}" for place, what in step.table.items()) or "nothing lies on the table"
    parts = [
        f'<svg class="felt" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(words)}">',
        rectangle(2, 2, WIDTH - 4, height - 4, "rail", 44),
        _CLOTH,
        f'<rect x="16" y="16" width="{WIDTH - 32}" height="{height - 32}" rx="34" fill="url(#felt)"/>',
        rectangle(24, 24, WIDTH - 48, height - 48, "seam", 28),
        _DRAWN.get(layout.game, _seated)(step, layout),
        _notes(step.table, height),
        "</svg>",
    ]
    return Markup("".join(parts))


def _flat(what: str | list[str]) -> str:
    return " ".join(what) if isinstance(what, list) else what


def _notes(lying: Shown, height: int) -> str:
    """What decided the round, and the shoe, along the lower edge."""
    parts = []
    if "outcome" in lying:
        parts.append(text(WIDTH / 2, height - 26, str(lying["outcome"])[:110], "outcome"))
    if "since it was loaded" in lying.get("shoe", ""):
        out = str(lying["shoe"]).split(" ", 1)[0]
        cut = " · cut card" if "cut card" in lying["shoe"] else ""
        parts.append(text(WIDTH - 46, height - 27, f"{out} out of the shoe{cut}", "note", anchor="end"))
    return "".join(parts)


def _hands(lying: Shown) -> tuple[dict[int, list[tuple[str, list[str]]]], dict[int, list[str]], dict[str, list[str]]]:
    """Cards by seat (with each hand's number), what each seat has said, and all other cards by where they lie."""
    seats: dict[int, list[tuple[str, list[str]]]] = {}
    said: dict[int, list[str]] = {}
    others: dict[str, list[str]] = {}
    for place, what in lying.items():
        found = _SEAT.fullmatch(place)
        if found and found[3]:
            said.setdefault(int(found[1]), []).append(str(what))
        elif found and isinstance(what, list):
            seats.setdefault(int(found[1]), []).append((found[2] or "", what))
        elif isinstance(what, list):
            others[place] = what
    return seats, said, others


# --- players around a table ---------------------------------------------------------------------------------------


def _seated(step: Step, layout: Layout) -> str:
    """The dealer on top, what is common in the middle, the seats below in order of their numbers."""
    seats, said, others = _hands(step.table)
    bets: dict[int, list[BetShown]] = {}
    for bet in step.bets:
        bets.setdefault(bet.seat, []).append(bet)
    parts = _told(step.table)
    burnt = others.pop("burn", [])
    if burnt:
        parts += [_row(burnt, 1010, 62, 140, 34), text(1080, 126, "burnt", "note")]
    if "dice" in step.table:
        parts.append(dice(str(step.table["dice"]), 48, 62, 40))
    dealer = others.pop("dealer", [])
    common = others.pop("community", [])
    if dealer or layout.game != "circle_poker":
        parts.append(text(600, 46, "dealer", "place"))
    if common and not dealer:
        parts.append(_row(common, 350, 84, 500, 80))
    elif common:
        parts += [_row(dealer, 420, 54, 360, 58), _row(common, 390, 142, 420, 64)]
    else:
        parts.append(_row(dealer, 380, 54, 440, 80))
    for place, (where, what) in enumerate(others.items()):
        left = 60 if place % 2 == 0 else 850
        parts += [text(left + 145, 124, where, "place"), _row(what, left, 132, 290, 46)]
    numbers = sorted(seats.keys() | bets.keys() | said.keys())
    if not numbers:
        return "".join(parts)
    width = min(230, 1130 / len(numbers))
    start = (WIDTH - width * len(numbers)) / 2
    for place, number in enumerate(numbers):
        x = start + place * width
        middle = (len(numbers) - 1) / 2
        bow = 26 * (1 - abs(place - middle) / max(1, middle))
        y = (238 if common else 186) + bow
        place_of = (seats.get(number, []), said.get(number, []), bets.get(number, []))
        parts.append(_seat(number, *place_of, layout, x, y, width))
    return "".join(parts)


def _told(lying: Shown) -> list[str]:
    """What else is told in words (where a ball rests, what a game says of its table), on the left above the seats."""
    told = [
        (place, what)
        for place, what in lying.items()
        if isinstance(what, str) and place not in _DRAWN_ELSEWHERE and not _SEAT.fullmatch(place)
    ]
    top = 128 if "dice" in lying else 66
    return [
        text(48, top + 22 * line, f"{place}: {what}"[:44], "said", anchor="start")
        for line, (place, what) in enumerate(told[:3])
    ]


def _is_tile(code: str) -> bool:
    return len(code.partition(" ")[0]) == 1


def _row(codes: Sequence[str], x: float, y: float, room: float, width: float) -> str:
    """What was dealt, side by side: cards, or tiles, which have no suit."""
    if not all(map(_is_tile, codes)):
        return cards(codes, x, y, room, width)
    step = min(width + 6, (room - width) / max(1, len(codes) - 1)) if len(codes) > 1 else 0
    start = x + (room - step * (len(codes) - 1) - width) / 2
    return "".join(tile(code, start + place * step, y, width) for place, code in enumerate(codes))


def _seat(
    number: int,
    hands: list[tuple[str, list[str]]],
    said: list[str],
    bets: list[BetShown],
    layout: Layout,
    x: float,
    y: float,
    width: float,
) -> str:
    inner = width - 12
    left = x + 6
    parts = [
        f'<g class="seat"><title>seat {number}</title>',
        rectangle(left - 3, y, inner + 6, 348 - (y - 226), "spot"),
    ]
    parts.append(f'<circle cx="{left + 14:.1f}" cy="{y + 16:.1f}" r="11" class="plate"/>')
    parts.append(text(left + 14, y + 20.5, number, "platenumber"))
    if said:
        parts.append(
            text(left + 30, y + 21, _said(said, int(inner / 7.4) - 4, layout.currency), "said", anchor="start")
        )
    top = y + 32
    low = _low_hand(said)
    if low and len(hands) == 1:
        high = [card for card in hands[0][1] if card.split(" ")[0] not in low]
        front = [card for card in hands[0][1] if card.split(" ")[0] in low]
        parts += [_row(front, left, top, inner, 48), _row(high, left, top + 74, inner, 48)]
        top += 148
    else:
        across = inner / max(1, len(hands))
        tiles = any(_is_tile(code) for _, hand in hands for code in hand)
        size: float = 48 if tiles else 64 if len(hands) == 1 and len(bets) <= 5 else 54
        for place, (_, hand) in enumerate(hands):
            parts.append(_row(hand, left + place * across, top, across - 4, min(size, across - 8)))
        top += size * 1.4 + 8 if hands else 0
    most = max(1, int((_SEATS_END - 4 - top) // 30))
    parts.append(listed(bets, left, top, inner, most, layout.currency))
    parts.append("</g>")
    return "".join(parts)


def _low_hand(said: Iterable[str]) -> set[str]:
    """The cards that a player has set in front, at pai gow poker."""
    return next((set(words.split(" ")[1:]) for words in said if words.startswith("set ")), set())


def _said(said: list[str], room: int, currency: str) -> str:
    """What a seat has said last with each of its hands: ``raise €20``."""
    told = []
    for one in said:
        choice, _, rest = one.partition(" ")
        last = rest.rpartition(" ")[2]
        if choice == "set" or not rest:
            told.append(choice)
        else:
            told.append(f"{choice} {money(int(last), currency) if len(last) > 2 and last.isdecimal() else rest}")
    words = ", ".join(told)
    return words if len(words) <= room else words[: max(1, room - 1)] + "…"


# --- layouts with boxes -------------------------------------------------------------------------------------------


def _on_cloth(step: Step) -> list[BetShown]:
    """The bets to draw: on a busy layout without those that have left it."""
    if len(step.bets) <= _BUSY:
        return list(step.bets)
    return [bet for bet in step.bets if bet.status not in ("settled", "withdrawn")]


_LEFT_OVER: Final = Area((), "not of this game", 30, 580, 700, 30, "side")


def _boxes(step: Step, layout: Layout, boxes: list[Area], left_over: Area = _LEFT_OVER) -> str:
    return board.drawn(boxes, _on_cloth(step), layout.currency, left_over)


def _craps(step: Step, layout: Layout) -> str:
    lying = step.table
    parts = [dice(str(lying.get("dice", "")), 40, 62, 62, "ruby") if "dice" in lying else ""]
    point = str(lying.get("point", ""))
    for place, number in enumerate((4, 5, 6, 8, 9, 10)):
        x = 246 + place * 127
        parts.append(text(x + 60, 80, number, "boxnumber"))
        if point == str(number):
            parts.append(f'<circle cx="{x + 98}" cy="70" r="19" class="puck on"/>')
            parts.append(text(x + 98, 75, "ON", "puckword"))
    if point == "off":
        parts.append('<circle cx="212" cy="70" r="19" class="puck"/>' + text(212, 75, "OFF", "puckword off"))
    if "throws left" in lying:
        parts.append(text(120, 160, f"{lying['throws left']} throws left", "note"))
    notes = [f"{key.removeprefix('called ')}: {lying[key]}" for key in ("called on", "called off") if key in lying]
    notes += [f"points made: {lying['points made']}"] if "points made" in lying else []
    parts += [text(30, 518 - 18 * len(notes) + 18 * place, words[:30], "note", anchor="start")
              for place, words in enumerate(notes)]  # fmt: skip
    parts += [text(135, 190 + 22 * place, words, "said") for place, words in enumerate(_words(lying))]
    left_over = Area((), "not of this game", 30, 294, 210, 64, "wide")
    return "".join(parts) + _boxes(step, layout, board.craps(_offered(layout)), left_over)


def _words(lying: Shown) -> list[str]:
    _, said, _ = _hands(lying)
    return [f"seat {seat}: {', '.join(words)}" for seat, words in sorted(said.items())][:5]


def _sic_bo(step: Step, layout: Layout) -> str:
    thrown = dice(str(step.table["dice"]), 507, 38, 56) if "dice" in step.table else ""
    left_over = Area((), "not of this game", 40, 30, 330, 68, "wide")
    return thrown + _boxes(step, layout, board.sic_bo(), left_over)


def _boule(step: Step, layout: Layout) -> str:
    bowl = layout.rules.data.get("bowl", {}) if layout.rules is not None else {}
    red, black = bowl.get("red", ()), bowl.get("black", ())
    picture = wheel(str(step.table.get("ball", "")), 225, 248, 165, red, black)
    left_over = Area((), "not of this game", 40, 420, 400, 46, "side")
    return picture + _boxes(step, layout, board.boule(red, black), left_over)


def _roulette(step: Step, layout: Layout) -> str:
    return roulette.drawn(_on_cloth(step), step.table, layout.currency, layout.rules)


def _monte(step: Step, layout: Layout) -> str:
    _, _, others = _hands(step.table)
    parts = []
    for place in range(1, 5):
        x = 30 + (place - 1) * 288
        parts.append(text(x + 40, 92, place, "boxnumber"))
        parts.append(cards(others.pop(f"place{place}", []), x + 70, 40, 140, 84))
    burnt = others.pop("burn", [])
    rest = [card for what in others.values() for card in what]
    if burnt:
        parts.append(text(46, 593, f"{len(burnt)} burnt", "note", anchor="start"))
    drawn = "".join(parts) + _boxes(step, layout, board.monte(), Area((), "not of this game", 30, 590, 400, 24, "side"))
    if rest:  # the run of the deck
        drawn += rectangle(700, 526, 470, 52, "run", 6) + cards(rest, 706, 528, 458, 34)
    return drawn


def _against(step: Step, layout: Layout, places: Sequence[tuple[str, str]], boxes: list[Area]) -> str:
    """Hands side by side over the boxes."""
    _, _, others = _hands(step.table)
    parts = []
    room = 1080 / len(places)
    for place, (where, label) in enumerate(places):
        x = 60 + place * room
        parts.append(text(x + room / 2, 58, label, "place big"))
        parts.append(cards(others.pop(where, []), x + 20, 70, room - 40, 100))
    burnt = others.pop("burn", [])
    if burnt:
        parts.append(text(46, 46, f"{len(burnt)} burnt", "note", anchor="start"))
    for place, (where, what) in enumerate(others.items()):
        parts += [text(80, 226 - 14 + place, where, "note"), cards(what, 130, 196, 300, 34)]
    said = " · ".join(_words(step.table))
    parts.append(text(WIDTH / 2, 240, said, "said"))
    return "".join(parts) + _boxes(step, layout, boxes)


def _offered(layout: Layout) -> tuple[str, ...] | None:
    """The wagers of the law; None where the table cannot be judged."""
    return None if layout.rules is None else tuple(layout.rules.wagers)


def _punto_banco(step: Step, layout: Layout) -> str:
    owed = str(step.table["owed"]) if "owed" in step.table else ""
    note = text(46, HEIGHT - 27, f"commission owed: {owed}"[:90], "note", anchor="start") if owed else ""
    places = (("player", "player"), ("banker", "banker"))
    return note + _against(step, layout, places, board.punto_banco(_offered(layout)))


def _chemin_de_fer(step: Step, layout: Layout) -> str:
    return _against(step, layout, (("player", "player"), ("banker", "banker")), board.chemin_de_fer())


def _baccarat_banque(step: Step, layout: Layout) -> str:
    places = (("place1", "cloth 1"), ("banker", "banker"), ("place2", "cloth 2"))
    return _against(step, layout, places, board.baccarat_banque())


def _trente_et_quarante(step: Step, layout: Layout) -> str:
    _, _, others = _hands(step.table)
    parts = []
    for where, y in (("black", 48), ("red", 180)):
        what = others.pop(where, [])
        parts.append(text(60, y + 66, where, "place big", anchor="start"))
        parts.append(cards(what, 180, y, 800, 84))
        total = sum(min(10, "A23456789TJQK".find(card[0]) + 1) for card in what if "void" not in card)
        if what:
            parts.append(text(1080, y + 72, total, "result"))
    burnt = others.pop("burn", [])
    if burnt:
        parts.append(text(46, 46, f"{len(burnt)} burnt", "note", anchor="start"))
    for what in others.values():
        parts.append(cards(what, 990, 66, 150, 44))
    return "".join(parts) + _boxes(step, layout, board.trente_et_quarante())


_DRAWN: Final[dict[str, Callable[[Step, Layout], str]]] = {
    "craps": _craps,
    "sic_bo": _sic_bo,
    "boule": _boule,
    "roulette": _roulette,
    "monte": _monte,
    "punto_banco": _punto_banco,
    "chemin_de_fer": _chemin_de_fer,
    "baccarat_banque": _baccarat_banque,
    "trente_et_quarante": _trente_et_quarante,
}
"""By game; players sit around the table of every other."""
