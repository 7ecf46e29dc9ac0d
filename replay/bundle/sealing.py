"""How the house seals a night: from its sessions as they were judged to the leaves of the night, and to the head.

What is stated of a session (its gaming day, its table, whether its seals hold) comes from its fold alone, never from a
line that was only looked at: a line that cannot be decoded, or that the fold does not believe, is no event of it. A
session that is not whole is sealed all the same, and its leaf says what it is: a night must tell of every table.

A sealed night is never opened again. A session that comes when its night has been sealed, or that has grown since (the
drop was counted), is told in the next night, as late.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.bundle import leaves
from replay.bundle.house_log import FloorLog
from replay.bundle.leaves import (
    MAX_TERMS,
    NONE,
    Absent,
    Case,
    Closed,
    Entry,
    Import,
    KeyChange,
    Late,
    Night,
    Session,
    State,
    roster_text,
)
from replay.evidence import Keys, public_half
from replay.judging import Judging
from replay.key_scope import ScopedKeys, Terms
from replay.refold import Hole, Ordered
from replay.session import Session as Fold

# --- a session ------------------------------------------------------------------------------------------------------


class Judged(NamedTuple):
    """What a night states of a session."""

    session: str
    date: str
    table: str
    events: int
    last: int
    content: str
    chain: str
    key: str
    state: State
    law: str
    rules: str
    """The rule pack; empty where it cannot be judged."""
    beginning: str
    """As ``content``, over so many of the first events as were asked for; empty where there are fewer."""


def judged(name: str, lines: Iterable[bytes], judging: Judging, *, beginning: int = 0) -> Judged | None:
    """What the lines of one session, in whatever order, come to; None where no event of it can be read.

    ``beginning``: of how many of its first events the digest is wanted too.
    """
    fold = Fold(name, judging)
    digest = hashlib.sha256()
    events = last = 0
    begins = digest.hexdigest() if beginning == 0 else ""
    chain = key = NONE
    closing = False
    for part in Ordered(name, lines):
        if isinstance(part, Hole):
            fold.hole(*part)
            continue
        event, line = part
        fold.step(event, line)
        fold.drain()
        digest.update(line + b"\n")
        events += 1
        last = event.seq
        closing = event.type == "checkpoint"
        if closing:
            chain, key = event.chain, event.key
        if events == beginning:
            begins = digest.hexdigest()
    if not events:
        return None
    fold.finish()
    fold.drain()
    row = fold.summary(0)
    state: State = "whole"
    if chain == NONE:
        state = "unsealed"
    elif row.gaps or row.conflicts or row.rejected or row.checkpoints_bad:
        state = "broken"
    elif row.state != "closed" or not closing:
        state = "open"
    return Judged(
        session=name,
        date=row.gaming_day,
        table=row.table,
        events=events,
        last=last,
        content=digest.hexdigest(),
        chain=chain,
        key=key,
        state=state,
        law=row.law or NONE,
        rules=row.rules if row.law else "",
        beginning=begins,
    )


# --- a night --------------------------------------------------------------------------------------------------------


class Statement(NamedTuple):
    """What the house itself says of a night."""

    date: str
    roster: Sequence[str]
    """The tables that it may open."""
    closed: Mapping[str, str] = {}
    """Tables that were not open, and why."""
    absent: Mapping[str, str] = {}
    """Tables that were open, but whose session has not come yet, and why."""
    closed_days: Mapping[str, str] = {}
    """Days on which the whole floor was closed since the night before, this one included, and why."""
    ends: str = ""
    """Why the log ends with this night; empty: it goes on."""
    report: bytes | None = None
    """The night's report."""


def entries_of(
    log: FloorLog,
    said: Statement,
    sessions: Iterable[Judged],
    private: Ed25519PrivateKey,
    *,
    keys: Keys,
    new_key: Ed25519PrivateKey | None = None,
    cases: Sequence[Case] = (),
    imported: Import | None = None,
) -> list[Entry]:
    """The leaves of the night that comes next, in their order.

    ``sessions``: those of the night, and of nights before what may be late; what the log has already, or is of a day
    before or after, is passed over. ``keys``: the gateways' public keys; those that sealed the night's sessions are
    told in the log, and what they count for. ``new_key``: the key that signs the heads from the next night on.
    """
    due: list[Judged] = []
    late: list[Judged] = []
    for one in sessions:
        if one.date == said.date:
            due.append(one)
        elif log.state.first and log.state.first <= one.date < said.date and not _is_sealed(log, one):
            late.append(one)
    found: list[Entry] = [] if imported is None else [imported]
    used = {one.key for one in (*due, *late)}
    found += [_key_change(said.date, private, **change) for change in _key_changes(log, keys, used)]
    if new_key is not None:
        found.append(_key_change(said.date, private, of="log", public=bytes(public_half(new_key)).hex()))
    for day, reason in said.closed_days.items():
        found.append(Closed(date=day, of="floor", table=NONE, reason=reason))
    if said.ends:
        found.append(Closed(date=said.date, of="log", table=NONE, reason=said.ends))
    found += [Closed(date=said.date, of="table", table=table, reason=why) for table, why in said.closed.items()]
    found += [Absent(date=said.date, table=table, reason=why) for table, why in said.absent.items()]
    found += _at_tables(log, due, late)
    found += cases
    state = log.state
    rules = sorted({one.rules for one in (*due, *late) if one.rules})
    found.append(
        Night(
            date=said.date,
            first=state.size,
            count=len(found),
            tables=len(set(said.roster)),
            roster=hashlib.sha256(roster_text(said.roster)).hexdigest(),
            previous_date=state.date or NONE,
            previous_size=state.size,
            previous_root=state.root,
            rules=" ".join(rules) or NONE,
            report=NONE if said.report is None else hashlib.sha256(said.report).hexdigest(),
        )
    )
    return sorted((leaves.written(entry) for entry in found), key=leaves.place)


def _is_sealed(log: FloorLog, one: Judged) -> bool:
    known = log.sessions.get(one.session)
    return known is not None and (known.events, known.content) == (one.events, one.content)


def _at_tables(log: FloorLog, due: Sequence[Judged], late: Sequence[Judged]) -> Iterator[Entry]:
    """The sessions, each with its table's next ordinal and the leaf of the one before."""
    before = {one.table: (one.ordinal, one.leaf) for one in log.state.tables}
    for one in sorted(late, key=_by_day):
        ordinal, leaf = before.get(one.table, (0, NONE))
        late_one = Late(**_said(one, ordinal + 1, leaf), **_instead(log, one))
        before[one.table] = ordinal + 1, late_one.hash.hex()
        yield late_one
    for one in sorted(due, key=_by_day):
        ordinal, leaf = before.get(one.table, (0, NONE))
        session = Session(**_said(one, ordinal + 1, leaf))
        before[one.table] = ordinal + 1, session.hash.hex()
        yield session


def _said(one: Judged, ordinal: int, previous: str) -> dict[str, Any]:
    """The fields of a leaf with this session."""
    return {
        "date": one.date,
        "table": one.table,
        "session": one.session,
        "ordinal": ordinal,
        "events": one.events,
        "last": one.last,
        "content": one.content,
        "chain": one.chain,
        "key": one.key,
        "state": one.state,
        "law": one.law,
        "previous": previous,
    }


def _by_day(one: Judged) -> tuple[str, str]:
    return one.date, one.session


def _instead(log: FloorLog, one: Judged) -> dict[str, Any]:
    """What a late session takes the place of."""
    known = log.sessions.get(one.session)
    if known is None or known.table != one.table or known.date != one.date:
        return {"instead_of": NONE, "how": "new"}
    same = one.events > known.events and one.beginning == known.content
    return {"instead_of": str(known.ordinal), "how": "longer" if same else "other"}


def _key_changes(log: FloorLog, keys: Keys, used: set[str]) -> Iterator[dict[str, Any]]:
    """Gateways' keys that the log does not know yet and that have sealed now, or that count for something else."""
    known = {one.public: one for one in log.state.gateways}
    scopes: Mapping[str, Terms] = keys.terms if isinstance(keys, ScopedKeys) else {}
    for name, public in sorted((name, bytes(key).hex()) for name, key in keys.items()):
        scope, before = scopes.get(name), known.get(public)
        terms = NONE if scope is None else _terms(scope)
        if before is None and name in used:
            yield {"public": public, "terms": terms}
        elif before is not None and not before.revoked and before.terms != terms:
            revoked = scope is not None and scope.revoked is not None
            yield {"public": public, "terms": terms, "change": "revoked" if revoked else "changed"}


def _terms(scope: Terms) -> str:
    text = msgspec.json.encode(scope).decode("ascii")
    return text if len(text) <= MAX_TERMS else f"sha256 {hashlib.sha256(text.encode()).hexdigest()}"


def _key_change(
    date: str,
    private: Ed25519PrivateKey,
    *,
    public: str,
    of: Literal["gateway", "log"] = "gateway",
    change: Literal["added", "changed", "revoked"] = "added",
    terms: str = NONE,
) -> KeyChange:
    draft = KeyChange(
        date=date,
        of=of,
        change=change,
        public=public,
        day=date,
        terms=terms,
        signer=bytes(public_half(private)).hex(),
        signature="0" * 128,
    )
    return msgspec.structs.replace(draft, signature=private.sign(draft.message).hex())
