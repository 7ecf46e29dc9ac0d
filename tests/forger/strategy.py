"""What a strategy of the forger is: what he has, what he wants, what he makes of a genuine night, and why he fails.

Verifiers are held against the same list (`tests.forger.strategies.ALL`), whoever wrote them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tests.forger.floor import Floor


class Has(StrEnum):
    """What the forger has besides retally and a genuine bundle."""

    NOTHING = "nothing"
    LINE = "a line appended to a topic"
    DEVICE = "a device, whose lines the gateway seals"
    KEY = "the key of the table's gateway"
    OTHER_KEY = "the key of another table's gateway"
    OWN_KEYS = "keys of his own"
    HOUSE_KEY = "the key that signs the heads of the house's log"
    LOG = "the house's log, with every leaf"
    ROOT = "the genuine root"
    NOTES = "notes that are genuinely signed and witnessed"


@dataclass(frozen=True)
class Forged:
    """A bundle, and what its reader has been given another way. None: he was given nothing of the kind."""

    bundle: bytes
    keys: str | None = None
    """The text of a file of public keys."""
    policy: str | None = None
    """The text of a policy (c2sp.org/tlog-policy)."""
    root: str | None = None
    """The root of the head, 64 hexadecimal digits."""


@dataclass(frozen=True)
class Strategy:
    """One way to forge a bundle."""

    name: str
    has: tuple[Has, ...]
    wants: str
    forge: Callable[[Floor], Forged]
    fails: Mapping[str, str] = field(default_factory=dict)
    """Every statement that fails (its name: `bytes`, `order`, `seals`, `keys`, `scope`, `verdicts`, `law`, `log`), with
    a part of what is said of it, the place before the text."""
    says: tuple[str, ...] = ()
    """Parts of what is said besides: where everything is genuinely signed, the honest word."""
    refused: str = ""
    """It is no bundle at all: a part of the one line that says why."""
