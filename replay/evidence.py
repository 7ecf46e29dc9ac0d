"""Evidence: the chain that seals a session's log, and the gateway's signature on it.

A checkpoint closes every round. Its ``chain`` is SHA-256 over the 32 bytes of the previous checkpoint's chain (nothing
for the first) and the exact bytes of every event since, the previous checkpoint's own line included. Its ``signature``
is Ed25519 (RFC 8032) over SHA-256 of the chain's 32 bytes and the checkpoint's own line with 128 zeros in the place of
the signature. So every byte of a sealed log is under the chain, and every byte of the last checkpoint under the key.
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
    """The running digest of the events since the last checkpoint."""

    __slots__ = ("_digest", "add")

    def __init__(self, previous: str = "") -> None:
        """``previous`` is the last checkpoint's chain in hexadecimal, empty before the first."""
        self._digest = hashlib.sha256(bytes.fromhex(previous))
        self.add: Callable[[bytes], None] = self._digest.update
        """Takes the exact bytes of the next event, without line end."""

    def value(self) -> str:
        """The chain up to here, 64 hexadecimal digits."""
        return self._digest.hexdigest()


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
