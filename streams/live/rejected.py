"""A rejected line as it is told: bounded, whatever the line holds."""

from __future__ import annotations

from typing import Final

import msgspec

from replay.results import Rejected

PIECE_BYTES: Final = 1_024
"""So much of a rejected line is told; the whole is in the store."""
TEXT_LETTERS: Final = 1_024


class RejectedLine(msgspec.Struct, frozen=True, kw_only=True):
    """A rejected line as it is told: what it is and where it stands, and its beginning."""

    source: str
    place: int
    digest: str
    """SHA-256 of the whole line, hexadecimal."""
    session: str
    seq: int
    field: str
    reason: str
    size: int
    """Bytes of the whole line."""
    piece: bytes
    """Its first bytes; base64 in JSON."""


def told(row: Rejected) -> RejectedLine:
    """What of a rejected line is told."""
    return RejectedLine(
        source=row.source,
        place=row.place,
        digest=row.digest,
        session=row.session[:TEXT_LETTERS],
        seq=row.seq,
        field=row.field[:TEXT_LETTERS],
        reason=row.reason[:TEXT_LETTERS],
        size=len(row.raw),
        piece=row.raw[:PIECE_BYTES],
    )
