"""By which keys the verifier checks the seals of a bundle, and what it says of a seal that they do not bear out.

A key that the verifier was given (it is trusted) is the one that counts, its bytes and its scope: what the bundle says
of the same key is the word of whoever made it. A seal must lie within the scope that the bundle gives the key, too, for
by that one the verdicts in it were reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from replay.evidence import Keys, signature_holds
from replay.key_scope import out_of_scope, unscoped
from replay.line import Line
from replay.opening import day_of

MAX_KEYS_BYTES: Final = 1024 * 1024
"""Of ``keys.txt``: 12,000 keys without a scope."""


class SealKeys:
    """The keys of one bundle, and those that are trusted."""

    def __init__(self, carried: Keys | None, trusted: Keys | None) -> None:
        """``carried``: those in the bundle; None: they cannot be read. ``trusted``: None where none were given; where
        they were, an empty choice trusts nobody."""
        self.trusted: Final = trusted
        self._scopes: tuple[Keys, ...] = tuple(keys for keys in (trusted, carried) if keys)
        self._keys: Keys = {**(trusted or {}), **(carried or {})}
        self.at_hand: Final = bool(self._keys)
        """Whether there is anything to check signatures by."""

    def wrong_signature(self, event: Any, line: bytes) -> str:
        """Why this seal bears no good signature; empty where it does."""
        key = self._keys.get(event.key)
        if key is None:
            return f"the seal bears key {event.key}, which is not at hand: whose it is cannot be told"
        return (
            ""
            if signature_holds(key, event.chain, line, event.signature)
            else (f"the seal is not signed by key {event.key}")
        )

    def is_trusted(self, name: str) -> bool:
        """Whether the key by which seals of this name are checked is one that is trusted: the key, not its name."""
        trusted = (self.trusted or {}).get(name)
        return trusted is not None and bytes(trusted) == bytes(self._keys[name])

    def out_of_scope(self, event: Any, table: str, gaming_day: str) -> str:
        """Why the key of this seal is not for a session of that table and gaming day (empty: they cannot be told);
        empty where it is."""
        for keys in self._scopes:
            fault = out_of_scope(keys, event, table, gaming_day)
            if fault:
                return f"the seal {fault}"
        return ""

    def unscoped(self, names: Iterable[str]) -> list[str]:
        """Which of these keys count for every table and day, for all that anybody has said."""
        known = set(unscoped(self.trusted if self.trusted is not None else self._keys))
        return sorted(name for name in names if name in known)


def sealed_place(heads: Sequence[Line]) -> tuple[str, str]:
    """The table and the gaming day of the session of these lines, in the words of its opening, the first of them; empty
    where that is none."""
    event = heads[0].event if heads else None
    if event is None or event.type != "table_opened":
        return "", ""
    return event.table, day_of(event)
