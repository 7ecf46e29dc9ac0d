"""Every single bit of a sealed session, turned over and made into a whole bundle: none is told to hold."""

from __future__ import annotations

from tests.forger.bits import BITS, SEALED, turned


def bits() -> list[str]:
    """Raises AssertionError where a bundle holds that nobody has sealed; takes ten minutes."""
    found = turned(range(BITS))
    assert not found.survivors, found.survivors
    assert found.tried == BITS
    return [
        f"{found.tried:,} bits of {len(SEALED):,} sealed bytes turned over, one at a time: {found.accepted:,} were"
        " events still; each made into a whole bundle, none holds"
    ]
