"""Evidence: the chain that seals a session's log, and the gateway's signature on it.

A checkpoint closes every round. Its ``chain`` is SHA-256 over the 32 bytes of the previous checkpoint's chain (nothing
for the first) and the exact bytes of every event since, the previous checkpoint's own line included, each with the line
feed that ends it: no byte can move from one line to the next. Its ``signature`` is Ed25519 (RFC 8032) over SHA-256 of
the chain's 32 bytes and the checkpoint's own line with 128 zeros in the place of the signature. So every byte of a
sealed log is under the chain, and every byte of the last checkpoint under the key.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nacl.exceptions import CryptoError
from nacl.signing import VerifyKey

from replay.key_scope import out_of_scope

NO_SIGNATURE: Final = "0" * 128
MAX_UNDIGESTED: Final = 1_000
"""So many lines wait at the most to be digested."""
PublicKey = VerifyKey
"""libsodium's, which verifies in half the time that OpenSSL takes. Private keys, which sign for one gateway alone, are
OpenSSL's, which reads and writes them as PEM."""
Keys = Mapping[str, PublicKey]
"""Public keys by their identifier (`key_id`). Such as count for some tables and days alone: `replay.key_scope`."""


def key_id(key: PublicKey) -> str:
    """The identifier of a public key: the first 16 hexadecimal digits of SHA-256 over its 32 raw bytes."""
    return hashlib.sha256(bytes(key)).hexdigest()[:16]


def public_key(hexadecimal: str) -> PublicKey:
    """A public key from its 64 hexadecimal digits; raises ValueError. Whether they are a point of the curve, the first
    signature tells: none holds for a key that is none."""
    return PublicKey(bytes.fromhex(hexadecimal))


def public_half(key: Ed25519PrivateKey) -> PublicKey:
    """The public key that belongs to a private one."""
    return PublicKey(key.public_key().public_bytes_raw())


class Chain:
    """The digest of the events since the last checkpoint."""

    __slots__ = ("_digest", "_lines", "add")

    def __init__(self, previous: str = "") -> None:
        """``previous`` is the last checkpoint's chain in hexadecimal, empty before the first."""
        self._digest = hashlib.sha256(bytes.fromhex(previous))
        self._lines: list[bytes] = []
        """What has been added and is not in the digest yet: one long text is digested faster than many short ones."""
        self.add: Callable[[bytes], None] = self._lines.append
        """Takes the exact bytes of the next event, without the line feed that ends it."""

    def bound(self) -> None:
        """Hold no more lines than may be."""
        if len(self._lines) > MAX_UNDIGESTED:
            self._digested()

    def value(self) -> str:
        """The chain up to here, 64 hexadecimal digits."""
        value: str = self._digested().hexdigest()
        return value

    def fits(self, chain: str) -> bool:
        """Whether this is the chain up to here."""
        return self.value() == chain

    def copy(self) -> Chain:
        """Another that goes on from here."""
        twin = Chain()
        twin._digest = self._digested().copy()
        return twin

    def at_rest(self) -> Any:
        """In as little room as it takes, see `awake`."""
        return self._digested()

    @classmethod
    def awake(cls, rest: Any) -> Chain:
        """What was put away."""
        chain = cls()
        chain._digest = rest
        return chain

    def _digested(self) -> Any:
        if self._lines:
            self._lines.append(b"")
            self._digest.update(b"\n".join(self._lines))
            self._lines.clear()
        return self._digest


def _message(chain: str, unsigned_line: bytes) -> bytes:
    return hashlib.sha256(bytes.fromhex(chain) + unsigned_line).digest()


def sign(key: Ed25519PrivateKey, chain: str, unsigned_line: bytes) -> str:
    """The signature (128 hexadecimal digits) for a checkpoint line that holds `NO_SIGNATURE` in its place."""
    return key.sign(_message(chain, unsigned_line)).hex()


def signature_holds(key: PublicKey, chain: str, line: bytes, signature: str) -> bool:
    """Whether ``signature``, as it stands in the checkpoint's ``line``, is the key's over chain and line."""
    if line.count(signature.encode()) != 1:
        return False
    unsigned_line = line.replace(signature.encode(), NO_SIGNATURE.encode())
    try:
        key.verify(_message(chain, unsigned_line), bytes.fromhex(signature))
    except CryptoError:
        return False
    return True


def wrong_signature(event: Any, line: bytes, keys: Keys | None, *, table: str = "", gaming_day: str = "") -> str:
    """What is wrong with the signature of this checkpoint, whose bytes are ``line``, in the session of that table
    (empty: of the one that it names) and gaming day (empty: it cannot be told): ``bears the unknown key …``; empty
    where nothing is, or where there are no keys to look with."""
    if keys is None:
        return ""
    key = keys.get(event.key)
    if key is None:
        return f"bears the unknown key {event.key}"
    if not signature_holds(key, event.chain, line, event.signature):
        return f"is not signed by key {event.key}"
    return out_of_scope(keys, event, table, gaming_day)
