"""What lies on a table, piece by piece: cards, tiles, dice, chips, the wheel. Each function gives SVG; lengths are
pixels of the drawing, colours and type belong to the style sheet (``static/view.css``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from markupsafe import Markup, escape

from replay.money import shown

CARD_W: Final = 60
CARD_H: Final = 84

_SUITS: Final = {
    "H": '<path d="M10 18.5C2.5 12 .3 8.3.3 5.3a4.9 4.9 0 0 1 9.7-1.3 4.9 4.9 0 0 1 9.7 1.3C19.7 8.3 17.5 12 10'
    ' 18.5z"/>',
    "D": '<path d="M10 .5 17.8 10 10 19.5 2.2 10z"/>',
    "S": '<path d="M10 .5C4.5 6 .8 8.8.8 12.6a4.3 4.3 0 0 0 8.2 1.8c-.2 2.3-1 3.9-2.4 5.1h6.8c-1.4-1.2-2.2-2.8'
    '-2.4-5.1a4.3 4.3 0 0 0 8.2-1.8C19.2 8.8 15.5 6 10 .5z"/>',
    "C": '<circle cx="10" cy="5" r="4.5"/><circle cx="4.8" cy="12" r="4.5"/><circle cx="15.2" cy="12" r="4.5"/>'
    '<path d="M9 10h2c0 4 .8 7.4 2.6 9.5H6.4C8.2 17.4 9 14 9 10z"/>',
}
_SPANISH_SUITS: Final = {
    "O": '<circle cx="10" cy="10" r="9.5"/><circle class="hollow" cx="10" cy="10" r="6.5"/>'
    '<path d="M10 5.5l1.3 3.2 3.2 1.3-3.2 1.3L10 14.5l-1.3-3.2L5.5 10l3.2-1.3z"/>',
    "C": '<path d="M3 1h14c0 6-2 9-5.5 10v4.5H15V19H5v-3.5h3.5V11C5 10 3 7 3 1z"/>',
    "E": '<path d="M10 0l2.2 3.5V12H16v2.5h-4V20H8v-5.5H4V12h3.8V3.5z"/>',
    "B": '<path d="M13 .5c3.5-.5 5 2 3.8 5L9 18.5c-1 1.8-5.5.5-4-2.5z"/><circle cx="8" cy="7" r="2"/>'
    '<circle cx="13.5" cy="13" r="2"/>',
}
_COLUMNS: Final = {"l": 21, "c": 30, "r": 39}
_PIPS: Final = {
    "A": ["c42"],
    "2": ["c17", "c67"],
    "3": ["c17", "c42", "c67"],
    "4": ["l17", "r17", "l67", "r67"],
    "5": ["l17", "r17", "c42", "l67", "r67"],
    "6": ["l17", "r17", "l42", "r42", "l67", "r67"],
    "7": ["l17", "r17", "c29", "l42", "r42", "l67", "r67"],
    "8": ["l17", "r17", "c29", "l42", "r42", "c55", "l67", "r67"],
    "9": ["l16", "r16", "l33", "r33", "c42", "l51", "r51", "l68", "r68"],
    "T": ["l16", "r16", "c24", "l33", "r33", "l51", "r51", "c60", "l68", "r68"],
}
_DICE: Final = {
    1: [(1, 1)],
    2: [(0, 0), (2, 2)],
    3: [(0, 0), (1, 1), (2, 2)],
    4: [(0, 0), (2, 0), (0, 2), (2, 2)],
    5: [(0, 0), (2, 0), (1, 1), (0, 2), (2, 2)],
    6: [(0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)],
}
_TILE_ROWS: Final = {
    1: [1],
    2: [1, 1],
    3: [1, 1, 1],
    4: [2, 2],
    5: [2, 1, 2],
    6: [2, 2, 2],
    7: [2, 3, 2],
    8: [3, 2, 3],
    9: [3, 3, 3],
}
_SYMBOLS: Final = {"EUR": "€", "GBP": "£", "USD": "$", "MOP": "MOP$", "HKD": "HK$"}
_CHIPS: Final = (
    (100_000, "orange"),
    (50_000, "purple"),
    (10_000, "black"),
    (2_500, "green"),
    (500, "red"),
    (100, "blue"),
    (0, "white"),
)
"""What a chip is worth at least, in minor units, and its colour."""
_MAX_DISCS: Final = 5


def money(amount: int, currency: str) -> str:
    """Minor units as briefly as they can be said exactly.

    >>> money(123450, "EUR"), money(2500, "EUR"), money(700, "RON")
    ('€1,234.50', '€25', '7 RON')
    """
    whole, _, rest = shown(abs(amount), currency).removesuffix(currency).strip().partition(".")
    number = f"{whole}.{rest}" if rest.strip("0") else whole
    sign = "-" if amount < 0 else ""
    symbol = _SYMBOLS.get(currency)
    return f"{sign}{symbol}{number}" if symbol else f"{sign}{number} {currency}".rstrip()


def text(x: float, y: float, words: object, kind: str = "", *, anchor: str = "middle") -> str:
    """A line of text; ``kind`` is its class, (``x``, ``y``) its base line's middle, start or end."""
    return f'<text x="{_n(x)}" y="{_n(y)}" class="{kind}" text-anchor="{anchor}">{escape(words)}</text>'


def rectangle(x: float, y: float, w: float, h: float, kind: str, radius: float = 8) -> str:
    """A box."""
    return f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(w)}" height="{_n(h)}" rx="{_n(radius)}" class="{kind}"/>'


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


# --- cards --------------------------------------------------------------------------------------------------------


def deck(spanish: bool) -> Markup:
    """The faces as symbols, to stand once in a page: what `card` refers to. The C of Spanish cards is a cup, no
    club."""
    parts = ['<svg class="deck" aria-hidden="true" focusable="false" width="0" height="0"><defs>']
    suits = _SPANISH_SUITS if spanish else _SUITS
    ranks = "1234567SCR" if spanish else "A23456789TJQK"
    parts += [f'<symbol id="suit-{suit}" viewBox="0 0 20 20">{path}</symbol>' for suit, path in suits.items()]
    for suit in suits:
        for rank in ranks:
            parts.append(_face(rank, suit, spanish))
    parts.append(_symbol("XX", "joker", text(30, 40, "★", "court") + text(30, 62, "JOKER", "small")))
    parts.append(_symbol("unread", "unread", text(30, 54, "?", "court")))
    parts.append("</defs></svg>")
    return Markup("".join(parts))


def _symbol(name: str, kind: str, inside: str) -> str:
    frame = rectangle(0.5, 0.5, CARD_W - 1, CARD_H - 1, "face", 5)
    return (
        f'<symbol id="card-{name}" viewBox="0 0 {CARD_W} {CARD_H}"><g class="card {kind}">{frame}{inside}</g></symbol>'
    )


def _face(rank: str, suit: str, spanish: bool) -> str:
    kind = f"spanish-{suit}" if spanish else "red" if suit in "HD" else "black"
    label = "10" if rank == "T" else rank
    corner = text(9, 17, label, "corner") + _suit(suit, 4, 20, 10)
    parts = [corner, f'<g transform="rotate(180 30 42)">{corner}</g>']
    pips = _PIPS.get("A" if rank == "1" else rank)
    if pips is None or (spanish and rank == "C"):
        parts.append(rectangle(18.5, 14.5, 23, 55, "frame", 2))
        parts.append(text(30, 42, label, "court"))
        parts.append(_suit(suit, 22, 47, 16))
    elif len(pips) == 1:
        parts.append(_suit(suit, 17, 29, 26))
    else:
        for pip in pips:
            x, y = _COLUMNS[pip[0]] - 5.5, int(pip[1:]) - 5.5
            upside = y > CARD_H // 2 and not spanish
            turn = f' transform="rotate(180 {_n(x + 5.5)} {_n(y + 5.5)})"' if upside else ""
            parts.append(f"<g{turn}>{_suit(suit, x, y, 11)}</g>" if turn else _suit(suit, x, y, 11))
    return _symbol(rank + suit, kind, "".join(parts))


def _suit(suit: str, x: float, y: float, size: float) -> str:
    return f'<use href="#suit-{suit}" x="{_n(x)}" y="{_n(y)}" width="{size}" height="{size}"/>'


def card(code: str, x: float, y: float, width: float = CARD_W) -> str:
    """A card by what `replay.forensics` says of it: ``7H``, ``7H down``, ``7H exposed``, ``7H void: flash``."""
    face, _, marks = code.partition(" ")
    name = "unread" if face == "??" else face
    height = width * CARD_H / CARD_W
    kind = " ".join(word for word in ("down", "exposed") if word in marks.split(" "))
    kind += " void" if "void:" in marks else ""
    parts = [f'<g class="lying {kind.strip()}">', f"<title>{escape(code)}</title>"]
    parts.append(
        f'<use href="#card-{escape(name)}" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}"/>'
    )
    if kind:
        word = marks.removeprefix("void: ") if "void" in kind else kind.strip()
        parts.append(rectangle(x + 1, y + height - 15, width - 2, 14, "band", 3))
        parts.append(text(x + width / 2, y + height - 5, word[:10], "bandword"))
    parts.append("</g>")
    return "".join(parts)


def cards(codes: Iterable[str], x: float, y: float, room: float, width: float = CARD_W) -> str:
    """Cards side by side, each over the one before where they have less ``room`` than they need; centred in it."""
    row = list(codes)
    if not row:
        return ""
    step = width + 4
    if len(row) > 1:
        step = min(step, (room - width) / (len(row) - 1))
    start = x + (room - (step * (len(row) - 1) + width)) / 2
    return "".join(card(code, start + place * step, y, width) for place, code in enumerate(row))


# --- tiles, dice, wheel -------------------------------------------------------------------------------------------


def tile(code: str, x: float, y: float, width: float = 48) -> str:
    """A mahjong tile: 1 to 9 of circles, W the white one."""
    height = width * 4 / 3
    parts = [f'<g class="tile"><title>tile {escape(code)}</title>', rectangle(x + 2, y + 3, width, height, "back", 6)]
    parts.append(rectangle(x, y, width, height, "front", 6))
    if code.isdecimal() and int(code) in _TILE_ROWS:
        rows = _TILE_ROWS[int(code)]
        across, down = width / 3.3, height / 3.4
        size = width / 4.6 if int(code) == 1 else width / 7.6
        for line, count in enumerate(rows):
            cy = y + height / 2 + (line - (len(rows) - 1) / 2) * down
            for place in range(count):
                cx = x + width / 2 + (place - (count - 1) / 2) * across
                shade = ("ring-b", "ring-r", "ring-g")[(line + place) % 3]
                parts.append(f'<circle cx="{_n(cx)}" cy="{_n(cy)}" r="{_n(size)}" class="{shade}"/>')
    elif code == "W":
        parts.append(rectangle(x + 7, y + 8, width - 14, height - 16, "blank", 3))
    else:
        parts.append(text(x + width / 2, y + height / 2 + 7, code, "court"))
    parts.append(text(x + width - 6, y + height - 5, code, "index", anchor="end"))
    parts.append("</g>")
    return "".join(parts)


def die(face: str, x: float, y: float, size: float = 52, kind: str = "ivory") -> str:
    """A die; a face that is none shows a question mark."""
    parts = [f'<g class="die {kind}"><title>{escape(face)}</title>', rectangle(x, y, size, size, "body", size / 6)]
    pips = _DICE.get(int(face)) if face.isdecimal() else None
    if pips is None:
        parts.append(text(x + size / 2, y + size * 0.68, "?", "court"))
    for across, down in pips or ():
        cx, cy = x + size * (0.26 + 0.24 * across), y + size * (0.26 + 0.24 * down)
        parts.append(f'<circle cx="{_n(cx)}" cy="{_n(cy)}" r="{_n(size / 11)}" class="pip"/>')
    parts.append("</g>")
    return "".join(parts)


def dice(words: str, x: float, y: float, size: float = 52, kind: str = "ivory") -> str:
    """A throw as `replay.forensics` says it (``3-4``, ``3-4 void: cocked``), from the left."""
    faces, _, why = words.partition(" ")
    row = faces.split("-")
    parts = [die(face, x + place * (size + 10), y, size, kind) for place, face in enumerate(row)]
    if why:
        parts.append(text(x + (len(row) * (size + 10) - 10) / 2, y + size + 18, why, "warn"))
    return "".join(parts)


def wheel(
    ball: str,
    x: float,
    y: float,
    radius: float,
    red: Iterable[int],
    black: Iterable[int],
    order: Sequence[int] = tuple(range(1, 10)),
    called: Mapping[int, str] = MappingProxyType({}),
) -> str:
    """A wheel, or boule's bowl: the numbers in their order around it, the ball on the one where it rests (empty: it has
    not been thrown; ``9 void: short``: it does not count there). ``called``: what numbers are called that are written
    otherwise."""
    reds, blacks = set(red), set(black)
    where, _, why = ball.partition(" ")
    sector = 360 / len(order)
    many = len(order) > 12
    parts = [
        f'<g class="wheel"><circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius + 14)}" class="rim"/>',
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" class="bowl"/>',
    ]
    for place, number in enumerate(order):
        label = called.get(number, str(number))
        degrees = -90 + sector * place
        middle = math.radians(degrees)
        corners = []
        for angle in (middle - math.radians(sector / 2), middle + math.radians(sector / 2)):
            corners.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
        (ax, ay), (bx, by) = corners
        kind = "red" if number in reds else "black" if number in blacks else "zero" if many else "neutral"
        parts.append(
            f'<path d="M{_n(x)} {_n(y)}L{_n(ax)} {_n(ay)}A{_n(radius)} {_n(radius)} 0 0 1 {_n(bx)} {_n(by)}z"'
            f' class="sector {kind}"/>'
        )
        far = radius * (0.9 if many else 0.82)
        word_x, word_y = x + far * math.cos(middle), y + far * math.sin(middle)
        if many:
            word = text(word_x, word_y + 4, label, "sectorword small")
            parts.append(f'<g transform="rotate({_n(degrees + 90)} {_n(word_x)} {_n(word_y)})">{word}</g>')
        else:
            parts.append(text(word_x, word_y + 7, label, "sectorword"))
        if where == label:
            near = radius * (0.7 if many else 0.58)
            parts.append(
                f'<circle cx="{_n(x + near * math.cos(middle))}" cy="{_n(y + near * math.sin(middle))}"'
                f' r="{8 if many else 11}" class="ball"/>'
            )
    parts.append(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius * 0.42)}" class="hub"/>')
    if where:
        parts.append(text(x, y + 17, where, "result"))
    if why:
        parts.append(text(x, y + radius + 34, why, "warn"))
    parts.append("</g>")
    return "".join(parts)


# --- chips --------------------------------------------------------------------------------------------------------


def chips(amount: int, x: float, y: float, radius: float = 12) -> str:
    """A stack worth ``amount`` minor units, its lowest disc centred at (``x``, ``y``)."""
    discs: list[str] = []
    left = amount
    for worth, colour in _CHIPS:
        while len(discs) < _MAX_DISCS and (left >= worth if worth else left > 0):
            discs.append(colour)
            left -= worth or left
    parts = ['<g class="chips">']
    for place, colour in enumerate(discs):
        cy = y - 3.2 * place
        parts.append(
            f'<circle cx="{_n(x)}" cy="{_n(cy)}" r="{_n(radius)}" class="disc {colour}"/>'
            f'<circle cx="{_n(x)}" cy="{_n(cy)}" r="{_n(radius * 0.82)}" class="edge"/>'
            f'<circle cx="{_n(x)}" cy="{_n(cy)}" r="{_n(radius * 0.55)}" class="inlay"/>'
        )
    parts.append("</g>")
    return "".join(parts)
