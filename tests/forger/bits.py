"""Every single bit of the sealed bytes of one session, turned over; all else is made to fit whatever becomes of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from replay.bundle.contents import Scope
from replay.bundle.verify import Verified
from replay.line import read
from tests.forger.floor import DAY, KEY, Floor, Lines, floor, joined
from tests.replay import logs
from tests.replay.bundle.bundles import verify

SESSION: Final = f"BO06-{DAY}"
LINES: Final[Lines] = logs.resealed(
    logs.boule([logs.Coup(7, [logs.Stake("red"), logs.Stake("straight_up", 3)])], session=SESSION).lines, KEY
)
SEALED: Final = joined(LINES)
"""Line ends are sealed as well."""
BITS: Final = 8 * len(SEALED)


class Turned(NamedTuple):
    """What has become of so many bits."""

    tried: int
    accepted: int
    """Lines that are events still."""
    survivors: list[int]
    """The bits of which a reader with the keys was told that all holds."""


def with_bit(bit: int) -> Lines:
    """The lines with one bit turned over."""
    changed = bytearray(SEALED)
    changed[bit // 8] ^= 1 << bit % 8
    lines = bytes(changed).split(b"\n")
    return lines[:-1] if lines[-1] == b"" else lines


def rebuilt(whole: Floor, lines: Lines) -> Verified:
    """The bundle of these lines, made with retally, as a reader sees it who has the keys of the house and nothing
    else: nothing of the floor's log helps him."""
    bundle = whole.made(Scope(session=SESSION), {SESSION: lines}, {})
    return verify(bundle, keys=whole.keys)


def turned(bits: Iterable[int]) -> Turned:
    """Turn these bits over, one at a time."""
    whole = floor()
    known = set(LINES)
    tried = accepted = 0
    survivors: list[int] = []
    for bit in bits:
        tried += 1
        lines = with_bit(bit)
        accepted += all(read(line).event is not None for line in lines if line not in known)
        if rebuilt(whole, lines).holds:
            survivors.append(bit)
    return Turned(tried, accepted, survivors)
