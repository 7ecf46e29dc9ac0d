"""What tables that are opened alike have in common: worked out once, and shared."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Final, TypeVar

from replay.rules import Table

T = TypeVar("T")

MAX_KINDS: Final = 64
"""So many kinds of tables are remembered, the last ones that were opened."""


def shared(make: Callable[[Table], T]) -> Callable[[Table], T]:
    """The same as ``make``, which is asked once for all tables under the same rules with the same options and limits.
    It must look at nothing else of the table, and nobody may change what it gives."""
    known: dict[Hashable, T] = {}

    def of(table: Table) -> T:
        kind = (table.rules, _frozen(table.options), _frozen(table.limits))
        found = known.pop(kind, None)
        if found is None:
            found = make(table)
            if len(known) >= MAX_KINDS:
                del known[next(iter(known))]
        known[kind] = found
        return found

    return of


def _frozen(value: object) -> Hashable:
    """A value that can be looked up; 1 and True are told apart."""
    if isinstance(value, dict):
        return tuple((key, _frozen(inner)) for key, inner in sorted(value.items()))
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    return (type(value), value)
