"""Layouts with boxes: where on the cloth of each game a wager has its place."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final, NamedTuple

from replay.forensics import BetShown
from streams.view.drawing.bets import heap
from streams.view.drawing.pieces import rectangle, text

Key = tuple[str, str]
"""Wager and pick."""


class Area(NamedTuple):
    """A place of the layout."""

    keys: tuple[Key, ...]
    """The bets that lie here; a pick of ``*`` stands for any."""
    label: str
    x: float
    y: float
    w: float
    h: float
    kind: str = ""


def row(
    cells: Sequence[tuple[Sequence[Key], str]], x: float, y: float, w: float, h: float, kind: str = "", gap: float = 6
) -> list[Area]:
    """Boxes of one width side by side."""
    each = (w - gap * (len(cells) - 1)) / len(cells)
    return [
        Area(tuple(keys), label, x + place * (each + gap), y, each, h, kind)
        for place, (keys, label) in enumerate(cells)
    ]


def _one(wager: str, label: str = "") -> tuple[list[Key], str]:
    return [(wager, "*")], label or wager.replace("_", " ")


def _picks(wager: str, picks: Iterable[object], label: str = "{}") -> list[tuple[list[Key], str]]:
    return [([(wager, str(pick))], label.format(pick)) for pick in picks]


def _is_there(wager: str, offered: Collection[str] | None) -> bool:
    return offered is None or wager in offered


_ON_NUMBERS: Final = ("place_right", "buy", "big_6_8", "big_5_9", "big_4_10")
_AT_THE_SIDE: Final = (
    *(("seven", "any seven"), ("big_7", "any seven"), ("any_craps", "any craps"), ("eleven", "eleven")),
    *(("craps_2", "two"), ("craps_3", "three"), ("craps_12", "twelve"), ("horn", "horn"), ("c_and_e", "C & E")),
    *(("world", "world"), ("hop", "hop"), ("fire", "fire")),
)


def craps(offered: Collection[str] | None) -> list[Area]:
    """The numbers on top, the lines below, the propositions at the side: those of the wagers that are ``offered``
    (None: nobody knows which). Odds lie with the bet that they back, a come bet with the number that it has gone to,
    bought and laid bets with theirs."""
    found: list[Area] = []
    for place, number in enumerate((4, 5, 6, 8, 9, 10)):
        x = 246 + place * 127
        at = str(number)
        found += [
            Area(
                (("dont_come", at), ("dont_come_odds", at), ("place_wrong", at), ("lay", at)),
                "behind",
                x,
                96,
                121,
                60,
                "behind",
            ),
            Area((("come", at), ("come_odds", at)), "come", x, 160, 121, 60),
            Area(tuple((wager, at) for wager in _ON_NUMBERS), "place", x, 224, 121, 60),
        ]
    found += [
        Area((("come", ""), ("come_odds", "")), "come", 246, 294, 502, 64, "wide"),
        Area((("dont_come", ""), ("dont_come_odds", "")), "don't come", 754, 294, 248, 64, "wide"),
        Area((("field", "*"),), "field  2 3 4 9 10 11 12", 246, 364, 756, 64, "wide"),
        Area((("dont_pass", "*"), ("dont_pass_odds", "*")), "don't pass", 246, 434, 756, 64, "wide"),
        Area((("pass_line", "*"), ("pass_odds", "*")), "pass line", 30, 504, 972, 72, "wide line"),
    ]
    left = [wager for wager in ("big_6", "big_8", "under_7", "over_7") if _is_there(wager, offered)]
    for place, wager in enumerate(left):
        x, y = 30 + 108 * (place % 2), 364 + 70 * (place // 2)
        found.append(Area(((wager, "*"),), wager.replace("_", " "), x, y, 102, 64, "wide"))
    side = [
        *(_one(wager, label) for wager, label in _AT_THE_SIDE if _is_there(wager, offered)),
        *_picks("hard_way", (4, 6, 8, 10), "hard {}"),
    ]
    high = 540 / -(-len(side) // 2)
    for place, (keys, label) in enumerate(side):
        keys = [*keys, ("horn_high", "*")] if label == "horn" else keys
        found.append(Area(tuple(keys), label, 1010 + 84 * (place % 2), 40 + high * (place // 2), 80, high - 4, "side"))
    return found


def sic_bo() -> list[Area]:
    """Small and big, triples, doubles, totals, pairs of numbers, single numbers."""
    pairs = [(a, b) for a in range(1, 7) for b in range(a + 1, 7)]
    two = [([("combination", f"{a}-{b}"), ("combination", f"{b}-{a}")], f"{a}·{b}") for a, b in pairs]
    return [
        *row([_one("small", "small  4–10"), _one("odd")], 30, 104, 330, 76, "wide"),
        *row([_one("any_triple")], 366, 104, 468, 76, "wide"),
        *row([_one("even"), _one("big", "big  11–17")], 840, 104, 330, 76, "wide"),
        *row(_picks("double", range(1, 7), "{0}·{0}"), 30, 186, 567, 76),
        *row(_picks("triple", range(1, 7), "{0}·{0}·{0}"), 603, 186, 567, 76),
        *row(_picks("total", range(4, 11)), 30, 268, 1140, 76, "big"),
        *row(_picks("total", range(11, 18)), 30, 350, 1140, 76, "big"),
        *row(two[:8], 30, 432, 1140, 70),
        *row([*two[8:]], 30, 508, 1140, 70),
        *row(_picks("single", range(1, 7)), 30, 584, 1140, 74, "big"),
    ]


def boule(red: Iterable[int], black: Iterable[int]) -> list[Area]:
    """Nine numbers, six simple chances."""
    colours = dict.fromkeys(red, "red") | dict.fromkeys(black, "black")
    found: list[Area] = []
    for number in range(1, 10):
        x, y = 450 + (number - 1) % 3 * 236, 50 + (number - 1) // 3 * 136
        kind = f"number {colours.get(number, 'neutral')}"
        found.append(Area((("straight_up", str(number)),), str(number), x, y, 230, 130, kind))
    chances = [
        _one("low", "low  1–4"),
        _one("even"),
        _one("red"),
        _one("black"),
        _one("odd"),
        _one("high", "high  6–9"),
    ]
    kinds = ("wide", "wide", "wide chance-red", "wide chance-black", "wide", "wide")
    return found + [box._replace(kind=kind) for box, kind in zip(row(chances, 40, 462, 1112, 118), kinds, strict=True)]


def monte() -> list[Area]:
    """Under each of the four cards what is laid on it alone; below, card against card and pair against pair."""
    found: list[Area] = []
    for place in range(1, 5):
        x = 30 + (place - 1) * 288
        cells = [([(wager, str(place))], wager) for wager in ("pot", "camo", "anti", "viudo")]
        found += row(cells[:2], x, 170, 276, 84) + row(cells[2:], x, 260, 276, 84)
    versus = ("1v2", "2v1", "3v4", "4v3", "1v3", "3v1", "2v4", "4v2")
    found += row(_picks("card_vs_card", versus[:4]), 30, 354, 840, 80)
    found += row(_picks("card_vs_card", versus[4:]), 30, 440, 840, 80)
    pairs = ("12v34", "34v12", "13v24", "24v13")
    for place, pair in enumerate(pairs):
        at = row(_picks("pair_vs_pair", [pair]), 876 + 150 * (place % 2), 354 + 86 * (place // 2), 144, 80)
        found += at
    return [*found, Area((("vista_hermosa", "*"),), "vista hermosa", 30, 526, 660, 52, "wide")]


_BESIDE: Final = (
    *(("dragon_bonus", "player", "player's dragon bonus"), ("dragon_bonus", "banker", "banker's dragon bonus")),
    *(("pair", "player", "player's pair"), ("pair", "banker", "banker's pair")),
    *(("dragon_7", "*", "dragon 7"), ("panda_8", "*", "panda 8"), ("lucky_6", "*", "lucky 6")),
)


def punto_banco(offered: Collection[str] | None) -> list[Area]:
    """Tie over banker over player, as on the cloth; over them those of the side bets that are ``offered``."""
    beside = [([(wager, pick)], label) for wager, pick, label in _BESIDE if _is_there(wager, offered)]
    if beside:
        return [
            *row(beside, 60, 260, 1080, 66),
            Area((("tie", "*"),), "tie", 60, 332, 1080, 66, "wide"),
            Area((("banker", "*"),), "banker", 60, 404, 1080, 78, "wide chance-red"),
            Area((("player", "*"),), "player", 60, 488, 1080, 78, "wide"),
        ]
    return [
        Area((("tie", "*"),), "tie", 60, 260, 1080, 84, "wide"),
        Area((("banker", "*"),), "banker", 60, 350, 1080, 104, "wide chance-red"),
        Area((("player", "*"),), "player", 60, 460, 1080, 104, "wide"),
    ]


def chemin_de_fer() -> list[Area]:
    """The bank and its shares; against it the players."""
    return [
        *row([_one("bank"), _one("bank_share", "share of the bank"), _one("abonament")], 60, 270, 1080, 96, "wide"),
        *row([_one("banco"), _one("with_table"), _one("with_table_complete")], 60, 372, 1080, 90, "wide"),
        *row([([("punter", "*")], "players")], 60, 468, 1080, 104, "wide"),
    ]


def baccarat_banque() -> list[Area]:
    """Two cloths and the bank between them."""
    found: list[Area] = []
    for cloth, x in (("1", 40), ("2", 810)):
        found += [
            Area((("banco", cloth),), "banco", x, 260, 350, 84, "wide"),
            Area((("punter", cloth),), f"cloth {cloth}", x, 350, 350, 130, "wide"),
            Area((("punter", f"line{cloth}"),), "on the line", x, 486, 350, 84, "wide"),
        ]
    return [
        *found,
        Area((("bank", "*"), ("bank_share", "*")), "bank", 400, 260, 400, 130, "wide chance-red"),
        Area((("punter", "both"),), "both cloths", 400, 396, 400, 174, "wide"),
    ]


def trente_et_quarante() -> list[Area]:
    """Colours above, colour and inverse below."""
    return [
        Area((("red", "*"),), "red", 40, 330, 555, 120, "wide chance-red"),
        Area((("black", "*"),), "black", 605, 330, 555, 120, "wide chance-black"),
        Area((("color", "*"),), "colour", 40, 456, 555, 120, "wide"),
        Area((("inverse", "*"),), "inverse", 605, 456, 555, 120, "wide"),
    ]


def drawn(boxes: Sequence[Area], bets: Iterable[BetShown], currency: str, left_over: Area) -> str:
    """The boxes with what lies in them. What has no box of its own (a wager that the game does not have) lies in
    ``left_over``, which is drawn only then."""
    where: dict[Key, int] = {key: place for place, box in enumerate(boxes) for key in box.keys}
    lying: dict[int, list[BetShown]] = {}
    for bet in bets:
        pick = bet.pick or bet.lies
        place = where.get((bet.wager, pick))
        if place is None:
            place = where.get((bet.wager, "*"))
        if place is None and bet.lies:
            place = where.get((bet.wager, ""))
        lying.setdefault(-1 if place is None else place, []).append(bet)
    parts = []
    for place, box in enumerate(boxes):
        parts.append(_box(box, lying.get(place, []), currency))
    if -1 in lying:
        parts.append(_box(left_over, lying[-1], currency))
    return "".join(parts)


def _box(box: Area, stakes: list[BetShown], currency: str) -> str:
    parts = [f'<g class="box {box.kind}">', rectangle(box.x, box.y, box.w, box.h, "area", 6)]
    left, top = 2, 14
    if "number" in box.kind:
        parts.append(text(box.x + 32, box.y + 82, box.label, "numeral"))
        left, top = 58, 2
    elif "pocket" in box.kind:
        parts.append(text(box.x + box.w / 2, box.y + 22, box.label, "numeral"))
        left, top = 1, 26
    elif "big" in box.kind:
        parts.append(text(box.x + 8, box.y + 20, box.label, "numeral", anchor="start"))
        left, top = 32, 8
    else:
        parts.append(text(box.x + 7, box.y + 14, box.label, "label", anchor="start"))
    room = box.h - top
    parts.append(heap(stakes, box.x + left, box.y + top, box.w - left - 2, room, currency))
    parts.append("</g>")
    return "".join(parts)
