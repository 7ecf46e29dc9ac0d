"""The container of an evidence bundle: the one form of a zip file in which every byte is certain.

A bundle is a zip file that any tool opens, and this reader accepts no other than the one that its members make: stored
as they are (a compressed member has as many forms as there are compressors, and may hold a bomb), in order of their
names, without extra fields, comments or gaps, of 1980-01-01. So nothing can be hidden between the members, nothing is
ever unpacked, and no member is larger than the file itself.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Mapping
from typing import Final

from replay.errors import RetallyError

LOCAL: Final = struct.Struct("<4s5H3I2H")
"""Signature, version needed, flags, method, time, date, CRC, size stored, size, length of name, of extra field."""
CENTRAL: Final = struct.Struct("<4s6H3I5H2I")
"""Signature, made by, version needed, flags, method, time, date, CRC, size stored, size, length of name, of extra
field, of comment; disk, internal attributes; external attributes, where the member begins."""
END: Final = struct.Struct("<4s4H2IH")
"""Signature, disk twice, members on it, members, size of the directory, where it begins, length of comment."""
VERSION: Final = 20
MADE_BY: Final = 3 << 8 | VERSION
"""Unix."""
DATE: Final = 1 << 5 | 1
"""1980-01-01, the first day that a zip file knows."""
MODE: Final = 0o100644 << 16
MAX_MEMBERS: Final = 30_000
MAX_BYTES: Final = 1 << 32
MAX_MEMBER_BYTES: Final = 256 * 1024 * 1024
ALLOWED: Final = re.compile(
    rb"(?:index\.html|manifest\.json|keys\.txt|seal\.json|rules/[A-Z0-9-]{1,32}/[a-z0-9_]{1,64}\.toml"
    rb"|sessions/[0-9]{4}/(?:events|verdicts)\.jsonl|log/(?:(?:entry|night)(?:\.tlog-proof)?|entries|head|peaks))"
)
"""The names that a member may have."""


class BundleError(RetallyError):
    """A file that is no bundle, whatever it holds: one clear line."""


def read(data: memoryview, allowed: re.Pattern[bytes] = ALLOWED) -> dict[str, memoryview]:
    """The members of a bundle by name, in their order; nothing is copied. ``allowed``: the names that they may have.
    Raises `BundleError`."""
    size = len(data)
    if size >= MAX_BYTES:
        raise BundleError(f"has {size:,} bytes; a bundle has less than {MAX_BYTES:,}")
    if size < END.size or bytes(data[:2]) != b"PK":
        raise BundleError("is no zip file")
    members: dict[str, memoryview] = {}
    headers: list[tuple[bytes, int, int, int]] = []
    place = 0
    while bytes(data[place : place + 4]) == b"PK\x03\x04":
        if len(members) >= MAX_MEMBERS:
            raise BundleError(f"holds more than {MAX_MEMBERS:,} members")
        name, crc, length, start = _member(data, place, allowed)
        if name.decode() in members:
            raise BundleError(f"holds {name.decode()} twice")
        if headers and name < headers[-1][0]:
            raise BundleError(f"holds {name.decode()} out of order; it was not written by retally")
        members[name.decode()] = data[start : start + length]
        headers.append((name, crc, length, place))
        place = start + length
    rest = bytes(data[place : place + (CENTRAL.size + 128) * len(headers) + END.size + 1])
    if rest != _directory(headers, place) or size != place + len(rest):
        raise BundleError(f"has another directory of members than retally writes (from byte {place:,} on)")
    return members


def _member(data: memoryview, place: int, allowed: re.Pattern[bytes]) -> tuple[bytes, int, int, int]:
    """Name, CRC, length and place of the content of the member whose header stands at ``place``."""
    if place + LOCAL.size > len(data):
        raise BundleError(f"ends within a member's header (byte {place:,})")
    header = bytes(data[place : place + LOCAL.size])
    _, _, flags, method, _, _, crc, stored, length, name_length, extra = LOCAL.unpack(header)
    name = bytes(data[place + LOCAL.size : place + LOCAL.size + name_length])
    shown = "".join(c if c.isprintable() else "?" for c in name[:100].decode("utf-8", "replace"))
    if flags & 1:
        raise BundleError(f"is encrypted ({shown})")
    if b".." in name or b"\\" in name or name[:1] == b"/" or name[1:2] == b":":
        raise BundleError(f"holds a member that leads out of it: {shown}")
    if not allowed.fullmatch(name):
        raise BundleError(f"holds a member that no bundle has: {shown}")
    if method != 0:
        raise BundleError(f"holds {shown} compressed; a bundle is verified as it was exported, not packed anew")
    start = place + LOCAL.size + name_length
    if length > len(data) - start:
        raise BundleError(f"says that {shown} has {length:,} bytes, and has only {len(data) - start:,} left")
    if length > MAX_MEMBER_BYTES:
        raise BundleError(f"holds {length:,} bytes in {shown}; {MAX_MEMBER_BYTES:,} are the most")
    if header != _local(name, crc, length) or stored != length or extra:
        raise BundleError(f"has another header before {shown} than retally writes (byte {place:,})")
    return name, crc, length, start


def _local(name: bytes, crc: int, length: int) -> bytes:
    return LOCAL.pack(b"PK\x03\x04", VERSION, 0, 0, 0, DATE, crc, length, length, len(name), 0)


def _directory(headers: list[tuple[bytes, int, int, int]], place: int) -> bytes:
    """The central directory that these members have, and the record at its end."""
    entries = b"".join(
        CENTRAL.pack(
            b"PK\x01\x02", MADE_BY, VERSION, 0, 0, 0, DATE, crc, length, length, len(name), 0, 0, 0, 0, MODE, start
        )
        + name
        for name, crc, length, start in headers
    )
    return entries + END.pack(b"PK\x05\x06", 0, 0, len(headers), len(headers), len(entries), place, 0)


def wrong_checksums(data: memoryview, members: Mapping[str, memoryview]) -> list[str]:
    """The members whose checksum in the container is not that of their content."""
    found: list[str] = []
    place = 0
    for name, content in members.items():
        if LOCAL.unpack(bytes(data[place : place + LOCAL.size]))[6] != zlib.crc32(content):
            found.append(name)
        place += LOCAL.size + len(name) + len(content)
    return found
