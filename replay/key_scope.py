"""What a gateway's key counts for: the tables that it may seal, on which gaming days, and when it was revoked.

A gateway seals its own tables and no others, and none for ever: a key that may seal any table on any day is worth as
much to whoever steals it as all of the floor's keys together. So a file of public keys gives each key its `Terms`. A
seal that bears a good signature by a key outside of them proves nothing (``bad_signature``), and says why.

A gaming day is the house's own, in its own time, and runs past midnight; the count of the drop is sealed hours after
it, or after the weekend. The days of a grant are therefore held against the session's gaming day, and loosely against
the time of the seal; a revocation, which says that somebody else may have the key, strictly against that time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Final

import msgspec

if TYPE_CHECKING:
    from replay.evidence import Keys, PublicKey

MAX_PATTERNS: Final = 256
"""So many tables, or patterns of them, one key may be given."""
MAX_SHOWN: Final = 4
FIRST_YEAR: Final = 1970
LAST_YEAR: Final = 2999
EARLIEST_BEGIN: Final = timedelta(hours=14)
"""So long before 00:00 UTC a day begins where it begins first (UTC+14)."""
LATEST_SEAL: Final = timedelta(days=8)
"""So long after 00:00 UTC of its gaming day a session may be sealed by a key whose days end with it: the day itself,
wherever on earth, and a week for the count of the drop."""

Name = Annotated[str, msgspec.Meta(pattern=r"^[ !#-\[\]-~]{1,64}\Z")]
"""As `replay.event_fields.Identifier`."""


class Grant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Tables, and the gaming days on which a key may seal them."""

    tables: Annotated[tuple[Name, ...], msgspec.Meta(min_length=1, max_length=MAX_PATTERNS)]
    """Names, or patterns: ``*`` stands for any characters, or for none."""
    since: date | None = msgspec.field(name="from", default=None)
    """The first day; None: there is none."""
    until: date | None = None
    """The last day; None: there is none."""

    def __str__(self) -> str:
        shown = list(self.tables[:MAX_SHOWN])
        if len(self.tables) > MAX_SHOWN:
            shown.append(f"{len(self.tables) - MAX_SHOWN:,} more")
        tables = "every table" if "*" in self.tables else _and(shown)
        since = "" if self.since is None else f" from {self.since}"
        return f"{tables}{since}" if self.until is None else f"{tables}{since} to {self.until}"

    def covers(self, table: str) -> bool:
        """Whether the table is one of its own."""
        return any(_matches(one, table) for one in self.tables)

    def on(self, day: date) -> bool:
        """Whether the gaming day is one of its own."""
        return (self.since is None or self.since <= day) and (self.until is None or day <= self.until)

    def at(self, moment: datetime) -> bool:
        """Whether a session of one of its days may be sealed at this moment."""
        if self.since is not None and moment + EARLIEST_BEGIN < _midnight(self.since):
            return False
        return self.until is None or moment - LATEST_SEAL < _midnight(self.until)


class Terms(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """All that one key counts for."""

    gateway: Name | None = None
    """Whose it is, for people: one gateway has several keys over time."""
    grants: Annotated[tuple[Grant, ...], msgspec.Meta(min_length=1, max_length=MAX_PATTERNS)]
    """It counts for what any of them says."""
    revoked: Annotated[datetime, msgspec.Meta(tz=True)] | None = None
    """From this moment on it counts for nothing, whatever the grants say."""

    def __post_init__(self) -> None:
        if sum(len(grant.tables) for grant in self.grants) > MAX_PATTERNS:
            raise ValueError(f"a key has {MAX_PATTERNS} tables or patterns at the most")
        if self.revoked is not None and not FIRST_YEAR <= self.revoked.year <= LAST_YEAR:
            raise ValueError(f"a key is revoked between the years {FIRST_YEAR} and {LAST_YEAR}")

    def __str__(self) -> str:
        text = "; ".join(map(str, self.grants))
        return text if self.revoked is None else f"{text}; revoked from {_clock(self.revoked)} on"

    def fault(self, grants: tuple[Grant, ...], table: str, day: date | None, at: datetime) -> str:
        """Why a seal on the session of ``table`` and the gaming day ``day`` (None: it cannot be told) at the moment
        ``at`` does not count; empty where it does. ``grants``: those that cover the table."""
        if self.revoked is not None:
            if at >= self.revoked:
                return f"was revoked from {_clock(self.revoked)} on, before the seal ({_clock(at)})"
            if day is not None and _midnight(day) >= self.revoked + EARLIEST_BEGIN:
                return f"was revoked from {_clock(self.revoked)} on, before the gaming day {day}"
        if not grants:
            return f"counts for {_and([str(grant) for grant in self.grants[:MAX_SHOWN]])}, not for table {table}"
        text = f"counts for {_and([str(grant) for grant in grants[:MAX_SHOWN]])}"
        on_the_day = [grant for grant in grants if day is None or grant.on(day)]
        if not on_the_day:
            return f"{text}, not on the gaming day {day}"
        return "" if any(grant.at(at) for grant in on_the_day) else f"{text}, not for a seal of {_clock(at)}"


class ScopedKeys(dict[str, "PublicKey"]):
    """Public keys by their identifier, with what each counts for. One without terms counts for everything."""

    def __init__(self, keys: Mapping[str, PublicKey], terms: Mapping[str, Terms]) -> None:
        super().__init__(keys)
        self.terms: Final = dict(terms)
        self._grants: dict[tuple[str, str], tuple[Grant, ...]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return ScopedKeys, (dict(self), self.terms)

    def fault(self, event: Any, table: str, day: date | None) -> str:
        """What is wrong with this key's sealing a session of that table and gaming day by the checkpoint ``event``:
        ``bears key … of BO-gateway, which counts for BO*, not for table CR01``; empty where nothing is."""
        terms = self.terms.get(event.key)
        if terms is None:
            return ""
        table = table or event.table
        if event.table != table:
            return f"names table {event.table}, in a session of {table}"
        known = (event.key, table)
        if known not in self._grants:
            if len(self._grants) >= _MAX_REMEMBERED:
                self._grants.clear()
            self._grants[known] = tuple(grant for grant in terms.grants if grant.covers(table))
        fault = terms.fault(self._grants[known], table, day, event.at)
        return fault and f"bears key {event.key}{of(terms)}, which {fault}"


_MAX_REMEMBERED: Final = 10_000


def out_of_scope(keys: Keys, event: Any, table: str, gaming_day: str) -> str:
    """What is wrong with sealing, by this checkpoint, the session of that table (empty: of the one that it names) and
    gaming day (``YYYY-MM-DD``; empty: it cannot be told). Empty where nothing is: plain keys count for everything."""
    if not isinstance(keys, ScopedKeys):
        return ""
    return keys.fault(event, table, date.fromisoformat(gaming_day) if gaming_day else None)


def chosen(keys: Keys, names: Iterable[str]) -> ScopedKeys:
    """Those of the keys that bear these names, with what they count for."""
    found = {name: keys[name] for name in names if name in keys}
    terms = terms_of(keys)
    return ScopedKeys(found, {name: terms[name] for name in found if name in terms})


def terms_of(keys: Keys) -> Mapping[str, Terms]:
    """What the keys count for: those that are not here count for everything."""
    return keys.terms if isinstance(keys, ScopedKeys) else {}


def unscoped(keys: Keys) -> list[str]:
    """The keys that count for every table and day, since nobody has said for which."""
    terms = terms_of(keys)
    return [name for name in keys if name not in terms]


def of(terms: Terms | None) -> str:
    """Whose key it is: `` of BO-gateway``; empty where nobody says."""
    return f" of {terms.gateway}" if terms is not None and terms.gateway else ""


def encoded(terms: Terms) -> str:
    """The terms as canonical JSON, in one line."""
    return msgspec.json.encode(terms).decode()


def decoded(text: str) -> Terms:
    """The terms from JSON; raises ValueError."""
    try:
        return msgspec.json.decode(text, type=Terms)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(str(error)) from None


def _matches(pattern: str, name: str) -> bool:
    head, *rest = pattern.split("*")
    if not rest:
        return name == pattern
    *middle, tail = rest
    place, end = len(head), len(name) - len(tail)
    if place > end or not name.startswith(head) or not name.endswith(tail):
        return False
    for part in middle:
        found = name.find(part, place, end)
        if found < 0:
            return False
        place = found + len(part)
    return True


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _clock(moment: datetime) -> str:
    return f"{moment.astimezone(UTC).replace(tzinfo=None).isoformat(' ', 'seconds')} UTC"


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
