"""The pages: what was asked, what the archive says to it, and the HTML that comes of both."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from replay import games
from replay.forensics import BETWEEN, HOLE, Step
from replay.money import shown
from replay.results import Finding, Settlement, Verdict
from replay.rules import RuleError
from streams.view import archive as archives
from streams.view import asked
from streams.view.archive import Archive, Film
from streams.view.asked import Refused
from streams.view.drawing import bets as drawn_bets
from streams.view.drawing import pieces
from streams.view.drawing.table import Layout, table

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_VERDICTS: Final = tuple(one.value for one in Verdict if one is not Verdict.RETRACTED)
_FINE: Final = frozenset({"match", "withdrawn", "unclaimed", "open"})
_MAX_STEPS_LISTED: Final = 400
"""Events of a round that are listed around the one shown."""

KEYS: Final = (
    ("←  →", "one step back, one step on"),
    ("Home  End", "first step, last step"),
    (",  .", "finding before, finding after"),
    ("[  ]", "round before, round after"),
    ("j  k", "down and up in a list; Enter opens"),
    ("/", "search"),
    ("h", "nights"),
    ("u", "up: from a round to its session, from a session to its night"),
    ("p", "judge by another rule pack"),
    ("Tab", "everything else, in order"),
    ("?", "this help"),
)


class Pages:
    """Makes pages. Runs in the archive's thread."""

    def __init__(self, archive: Archive, where: str, *, rules: str = "") -> None:
        """``where``: the store's address, for the page's head. ``rules``: judge by this pack unless a page is asked for
        another."""
        self._archive = archive
        self._rules = rules
        environment = Environment(
            loader=PackageLoader("streams.view", "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters |= {
            "money": shown,
            "brief": pieces.money,
            "number": lambda value: f"{value:,}",
            "words": lambda value: str(value).replace("_", " "),
            "called": archive.title,
            "time": _time,
            "clock": lambda at_us: _time(at_us)[11:],
        }
        environment.globals |= {"link": link, "where": where, "keys": KEYS}
        self._environment = environment

    def page(self, path: str, given: Mapping[str, str]) -> str:
        """The page at a path with these parameters; raises `Refused`."""
        known = _PAGES.get(path)
        if known is None:
            raise Refused(404, "there is no such page")
        readers, make = known
        values = asked.read(given, readers)
        return make(self, values, given)

    def refusal(self, status: int, text: str) -> str:
        """The page of one line."""
        return self._render("refusal", status=status, text=text)

    def _render(self, template: str, **values: Any) -> str:
        return self._environment.get_template(f"{template}.html.j2").render(**values)

    # --- the pages ------------------------------------------------------------------------------------------------

    def _night(self, given: dict[str, Any], texts: Mapping[str, str]) -> str:
        nights = self._archive.nights()
        day = given.get("day") or (nights[0]["day"] if nights else "")
        sessions = self._archive.sessions(day) if day else []
        if "day" in given and not sessions:
            raise Refused(404, f"this store has no session of {day}")
        return self._render("night", nights=nights, day=day, sessions=sessions)

    def _session(self, given: dict[str, Any], texts: Mapping[str, str]) -> str:
        name = _needed(given, "session")
        row = self._archive.session(name)
        rounds, more = self._archive.rounds(name, given.get("round", 0))
        findings = [one for one in self._archive.findings(name) if not one.withdrawn]
        worst: dict[int, str] = {}
        for severity in archives.SEVERITIES[::-1]:
            worst |= {one.round: severity for one in findings if one.severity == severity}
        return self._render(
            "session",
            session=row,
            rounds=rounds,
            more=more,
            start=given.get("round", 0),
            findings=findings,
            worst=worst,
        )

    def _search(self, given: dict[str, Any], texts: Mapping[str, str]) -> str:
        what = given.pop("what", "findings")
        page = given.pop("page", 0)
        if page > 1000:
            raise Refused(400, "page: 1000 at most; ask for less")
        found, more = self._archive.search(what, given, page)
        return self._render(
            "search",
            what=what,
            page=page,
            found=found,
            more=more,
            texts=texts,
            games={name: self._archive.title(name) for name in games.names()},
            verdicts=_VERDICTS,
            severities=archives.SEVERITIES,
            kinds=archives.KINDS,
            fine=_FINE,
            size=archives.PAGE,
        )

    def _help(self, given: dict[str, Any], texts: Mapping[str, str]) -> str:
        return self._render("help")

    def _round(self, given: dict[str, Any], texts: Mapping[str, str]) -> str:
        name = _needed(given, "session")
        rules = given.get("rules", self._rules)
        film = self._archive.film(name, rules)
        number, at = _place(film, given)
        steps = film.steps(number)
        if not steps:
            raise Refused(404, f"session {name} has no round {number}")
        step = steps[at]
        summary = film.reel.told.summary
        game_rules = self._archive.game_rules(film.judged, summary.game)
        layout = Layout(summary.game, summary.currency, game_rules)
        rest = {"session": name, "rules": film.judged if film.judged != film.own else ""}
        part = "part" in given
        start = max(0, min(at - _MAX_STEPS_LISTED // 2, len(steps) - _MAX_STEPS_LISTED))
        return self._render(
            "_step" if part else "round",
            session=summary,
            number=number,
            film=film,
            step=step,
            at=at,
            count=len(steps),
            steps=[] if part else [(start + i, one) for i, one in enumerate(steps[start : start + _MAX_STEPS_LISTED])],
            marked={} if part else _marked(film, steps),
            row=None if part or number == BETWEEN else self._archive.round(name, number),
            picture=table(step, layout),
            deck=Markup("") if part else _deck(_has_other_cards(summary.game)),
            told=[self._claim(row) for row in step.settlements],
            findings=film.findings_at(step),
            bets=[_bet(bet, summary.currency) for bet in step.bets],
            differences=[] if part else self._archive.differences(film, number),
            packs=[] if part else self._archive.packs_for(summary.game),
            rest=rest,
            before=_neighbour(film.reel.rounds, number, -1),
            after=_neighbour(film.reel.rounds, number, 1),
            finding_before=_finding(film, step, -1),
            finding_after=_finding(film, step, 1),
            hole=step.type == HOLE,
            raw=_pretty(step),
            is_settlement=lambda value: isinstance(value, Settlement),
        )

    def _claim(self, row: Settlement) -> dict[str, Any]:
        return {"row": row, "fine": row.verdict.value in _FINE}


def _needed(given: Mapping[str, Any], name: str) -> Any:
    if name not in given:
        raise Refused(400, f"{name} is missing")
    return given[name]


def _place(film: Film, given: Mapping[str, Any]) -> tuple[int, int]:
    """Round and step (from 0) that are asked for: by event, or by round and step."""
    if "seq" in given:
        place = film.reel.place(given["seq"])
        if place is None:
            raise Refused(404, f"session {film.name} has no event {given['seq']}")
        return place
    number = given.get("round", film.reel.rounds[0] if film.reel.rounds else BETWEEN)
    steps = film.steps(number)
    at = given.get("step", 1)
    if not steps:
        raise Refused(404, f"session {film.name} has no round {number}")
    if not 1 <= at <= len(steps):
        raise Refused(404, f"round {number} of session {film.name} has steps 1 to {len(steps)}")
    return number, at - 1


def _neighbour(rounds: tuple[int, ...], number: int, way: int) -> int | None:
    beyond = [one for one in rounds if (one - number) * way > 0]
    return (min(beyond) if way > 0 else max(beyond)) if beyond else None


def _finding(film: Film, step: Step, way: int) -> Finding | None:
    """The next finding about another event, before or after this step."""
    if way > 0:
        return next((row for row in film.findings if row.seq > step.last_seq and film.reel.place(row.seq)), None)
    earlier = (row for row in reversed(film.findings) if row.seq < step.seq and film.reel.place(row.seq))
    return next(earlier, None)


def _marked(film: Film, steps: tuple[Step, ...]) -> dict[int, str]:
    """The worst severity of what stands about each step, by its place."""
    found: dict[int, str] = {}
    for place, step in enumerate(steps):
        standing = {row.severity.value for row in film.findings_at(step) if not row.withdrawn}
        worst = next((severity for severity in archives.SEVERITIES if severity in standing), "")
        if worst:
            found[place] = worst
    return found


def _bet(bet: Any, currency: str) -> dict[str, Any]:
    word, news = drawn_bets.fate(bet, currency)
    return {"row": bet, "name": drawn_bets.name(bet), "word": word, "news": news, "wrong": drawn_bets.differs(bet)}


def _pretty(step: Step) -> str:
    """The event's line with a field on each line of its own; as it stands where it is no JSON."""
    try:
        return json.dumps(json.loads(step.raw), indent=1, ensure_ascii=False)
    except (ValueError, RecursionError):
        return step.raw


def _has_other_cards(game: str) -> bool:
    """Whether a game states that it is played with other cards than French ones, which are Spanish then."""
    try:
        return games.load(game).other_cards
    except RuleError:
        return False


@cache
def _deck(spanish: bool) -> Markup:
    return pieces.deck(spanish)


def _time(at_us: int) -> str:
    """A time for people, in UTC; a dash where there is none."""
    if not at_us:
        return "—"
    at = _EPOCH + timedelta(microseconds=at_us)
    return at.strftime("%Y-%m-%d %H:%M:%S") + (f".{at.microsecond // 1000:03d}" if at.microsecond else "")


def link(path: str, *known: Mapping[str, Any], **values: Any) -> str:
    """An address on this server; what is None or empty is left out.

    >>> link("/round", session="CR01", round=5, rules="")
    '/round?session=CR01&round=5'
    """
    merged = {name: value for part in (*known, values) for name, value in part.items()}
    query = urlencode({name: value for name, value in merged.items() if value not in (None, "")})
    return f"{path}?{query}" if query else path


_SEARCHED: Final[dict[str, asked.Reader]] = {
    "what": asked.one_of("findings", "settlements", "rounds"),
    "day": asked.day,
    "session": asked.words,
    "table": asked.token,
    "player": asked.token,
    "dealer": asked.token,
    "game": asked.token,
    "wager": asked.token,
    "code": asked.token,
    "kind": asked.one_of(*archives.KINDS),
    "severity": asked.one_of(*archives.SEVERITIES),
    "verdict": asked.one_of(*_VERDICTS),
    "from": asked.moment,
    "to": asked.moment,
    "least": asked.amount,
    "most": asked.amount,
    "page": asked.whole,
}
_REPLAYED: Final[dict[str, asked.Reader]] = {
    "session": asked.words,
    "round": asked.whole,
    "step": asked.whole,
    "seq": asked.whole,
    "rules": asked.words,
    "part": asked.one_of("step"),
}
_PAGES: Final[dict[str, tuple[dict[str, asked.Reader], Callable[[Pages, dict[str, Any], Mapping[str, str]], str]]]] = {
    "/": ({"day": asked.day}, Pages._night),
    "/session": ({"session": asked.words, "round": asked.whole}, Pages._session),
    "/round": (_REPLAYED, Pages._round),
    "/search": (_SEARCHED, Pages._search),
    "/help": ({}, Pages._help),
}
