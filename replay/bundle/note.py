"""Signed notes, as c2sp.org/signed-note (1.0.0) has them: a text, an empty line, and a line for each signature.

Two kinds of signature are known here: a log's (Ed25519, type 01) over the text, and a witness's (timestamped Ed25519
cosignature, type 04, c2sp.org/tlog-cosignature) over the text and the time at which he signed. Of the signatures of
unknown keys nothing is believed, and nothing is refused for them. One of a known key that does not hold refuses the
whole note, and so does one that a known key has put there twice.

The key ID on a signature line is four bytes that anybody can meet: it says which key to try, and never whose it is.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from nacl.bindings import crypto_core_ed25519_is_valid_point
from nacl.exceptions import CryptoError

from replay.bundle.strict import NoteError, base64_bytes, base64_text, lines_of, shown, utf8
from replay.evidence import PublicKey, public_half

LOG: Final = 1
"""Ed25519 over the text: the key of a log."""
WITNESS: Final = 4
"""Ed25519 over the text and a time: the key of a witness."""
MAX_BYTES: Final = 64 * 1024
MAX_SIGNATURES: Final = 100
MAX_NAME_BYTES: Final = 255
MAX_TIME: Final = 2**63 - 1
"""Of a cosignature, in seconds since 1970-01-01 UTC."""
BEGINS: Final = "— "
"""A signature line begins with an em dash (U+2014) and a blank."""

_ID_BYTES: Final = 4
_TIME_BYTES: Final = 8
_SIGNATURE_BYTES: Final = 64
_KEY_BYTES: Final = 32
_ID: Final = re.compile(r"[0-9a-f]{8}")

__all__ = ["LOG", "WITNESS", "Key", "Note", "NoteError", "Signature", "Signed", "cosign", "read_key", "read_note",
           "read_signatures", "sign"]  # fmt: skip


class Key(NamedTuple):
    """A verifier key ("vkey"): whose signatures are known, and of which kind they are. Two are the same only where the
    whole public key is."""

    name: str
    kind: int
    """`LOG` or `WITNESS`."""
    public: bytes
    """32 bytes."""

    @property
    def id(self) -> bytes:
        """The four bytes that a signature line bears."""
        head = self.name.encode() + b"\n" + bytes([self.kind])
        return hashlib.sha256(head + self.public).digest()[:_ID_BYTES]

    def __str__(self) -> str:
        """As c2sp.org/signed-note writes it: ``name+id+key``."""
        return f"{self.name}+{self.id.hex()}+{base64_text(bytes([self.kind]) + self.public)}"


class Signature(NamedTuple):
    """A signature line: of whom it says it is, and the signature itself."""

    name: str
    id: bytes
    value: bytes
    """For a witness, eight bytes of time and the signature."""

    def __str__(self) -> str:
        return f"{BEGINS}{self.name} {base64_text(self.id + self.value)}\n"


class Signed(NamedTuple):
    """A signature that holds."""

    key: Key
    time: int | None
    """When a witness signed: seconds since 1970-01-01 UTC. None for a log, whose signature says nothing of time."""


class Note(NamedTuple):
    """A text, and who is said to have signed it."""

    text: str
    """With its last line end."""
    signatures: tuple[Signature, ...]

    def __bytes__(self) -> bytes:
        return (self.text + "\n" + "".join(map(str, self.signatures))).encode()

    def signed(self, keys: Iterable[Key]) -> list[Signed]:
        """The signatures of these keys, each of which holds, in the order of their lines.

        Raises `NoteError` where one does not hold or is there twice, and where none of these keys has signed.
        """
        known = {(key.name, key.id): key for key in keys}
        found: dict[tuple[str, bytes], Signed] = {}
        for signature in self.signatures:
            key = known.get((signature.name, signature.id))
            if key is None:
                continue
            if (key.name, key.id) in found:
                raise NoteError(f"the note is signed twice by {shown(key.name)}")
            found[key.name, key.id] = Signed(key, _holds(key, signature, self.text))
        if not found:
            raise NoteError("the note is signed by nobody who is known: " + self._signers())
        return list(found.values())

    def _signers(self) -> str:
        return "it names " + ", ".join(shown(signature.name) for signature in self.signatures[:3])

    def beside(self, signature: Signature) -> Note:
        """The same note with this signature too; it takes the place of one by the same name and key ID."""
        whose = signature.name, signature.id
        others = [one for one in self.signatures if (one.name, one.id) != whose]
        return self._replace(signatures=(*others, signature))


def _holds(key: Key, signature: Signature, text: str) -> int | None:
    """The time of a signature that holds; raises `NoteError` for one that does not."""
    value, time, message = signature.value, None, text.encode()
    if key.kind == WITNESS:
        time = int.from_bytes(value[:_TIME_BYTES], "big")
        value, message = value[_TIME_BYTES:], _cosigned(text, time)
    if len(value) == _SIGNATURE_BYTES and (time is None or 0 < time <= MAX_TIME):
        try:
            PublicKey(key.public).verify(message, value)
        except CryptoError:
            pass
        else:
            return time
    raise NoteError(f"the signature of {shown(key.name)} does not hold")


def _cosigned(text: str, time: int) -> bytes:
    return f"cosignature/v1\ntime {time}\n{text}".encode()


# --- reading ------------------------------------------------------------------------------------------------------


def read_note(data: bytes) -> Note:
    """A note from its bytes; who has signed it, `Note.signed` tells. Raises `NoteError`."""
    if len(data) > MAX_BYTES:
        raise NoteError(f"the note has {len(data):,} bytes; {MAX_BYTES:,} are the most")
    text = utf8(data, "the note")
    border = text.rfind("\n\n")
    if border < 0:
        raise NoteError("the note has no empty line between its text and its signatures")
    body = text[: border + 1]
    if body == "\n":
        raise NoteError("the note has no text")
    return Note(body, tuple(_signatures(text[border + 2 :])))


def read_signatures(data: bytes) -> list[Signature]:
    """Signature lines alone, one at least, as a witness answers. Raises `NoteError`."""
    if len(data) > MAX_BYTES:
        raise NoteError(f"the signatures have {len(data):,} bytes; {MAX_BYTES:,} are the most")
    return _signatures(utf8(data, "the signature"))


def _signatures(text: str) -> list[Signature]:
    if not text:
        raise NoteError("the note bears no signature")
    lines = lines_of(text, "the note")
    if len(lines) > MAX_SIGNATURES:
        raise NoteError(f"the note bears {len(lines):,} signatures; {MAX_SIGNATURES} are the most")
    return [_signature(line) for line in lines]


def _signature(line: str) -> Signature:
    name, blank, value = line.removeprefix(BEGINS).partition(" ")
    if not line.startswith(BEGINS) or not blank:
        raise NoteError(f"{shown(line)} is no signature line: an em dash, a name, a signature")
    _check_name(name)
    found = base64_bytes(value, "a signature")
    if len(found) <= _ID_BYTES:
        raise NoteError(f"the signature of {shown(name)} has {len(found)} bytes, and is none")
    return Signature(name, found[:_ID_BYTES], found[_ID_BYTES:])


def read_key(text: str, kind: int) -> Key:
    """A key from its text ``name+id+key``; raises `NoteError` for one of another kind than ``kind``, or one under which
    anybody could sign."""
    name, plus, rest = text.partition("+")
    identifier, second, encoded = rest.partition("+")
    if not plus or not second or not _ID.fullmatch(identifier):
        raise NoteError(f"{shown(text)} is no verifier key: a name, 8 hexadecimal digits and a key, with + between")
    _check_name(name)
    material = base64_bytes(encoded, f"the key of {shown(name)}")
    if material[0] != kind:
        kinds = {LOG: "a log's", WITNESS: "a witness's"}
        raise NoteError(
            f"the key of {shown(name)} is {kinds.get(material[0], 'of an unknown kind')}"
            f" (type {material[0]:02x}), and must be {kinds[kind]} (type {kind:02x})"
        )
    key = key_of(name, kind, material[1:])
    if key.id.hex() != identifier:
        raise NoteError(f"the key of {shown(name)} is not what it is called: its ID is {key.id.hex()}")
    return key


def key_of(name: str, kind: int, public: bytes) -> Key:
    """A key of its parts; raises `NoteError` where ``public`` is none, or one under which anybody could sign."""
    _check_name(name)
    if len(public) != _KEY_BYTES or not crypto_core_ed25519_is_valid_point(public):
        raise NoteError(f"the key of {shown(name)} is no Ed25519 public key")
    return Key(name, kind, public)


def _check_name(name: str) -> None:
    if not name or "+" in name or not name.isprintable() or any(character.isspace() for character in name):
        raise NoteError(f"{shown(name)} is no name of a key: without blanks, + and what cannot be seen")
    if len(name.encode()) > MAX_NAME_BYTES:
        raise NoteError(f"{shown(name)} is too long for the name of a key: {MAX_NAME_BYTES} bytes are the most")


# --- writing ------------------------------------------------------------------------------------------------------


def sign(text: str, name: str, private: Ed25519PrivateKey) -> Signature:
    """A log's signature over this text. Raises `NoteError` for a text that no note may have."""
    _check_text(text)
    key = key_of(name, LOG, bytes(public_half(private)))
    return Signature(name, key.id, private.sign(text.encode()))


def cosign(text: str, name: str, private: Ed25519PrivateKey, time: int) -> Signature:
    """A witness's signature over this text: that at ``time`` (seconds since 1970-01-01 UTC) it was the largest head
    that he had seen of its log. Raises `NoteError`."""
    _check_text(text)
    if not 0 < time <= MAX_TIME:
        raise NoteError(f"{time} is no time to sign at")
    key = key_of(name, WITNESS, bytes(public_half(private)))
    return Signature(name, key.id, time.to_bytes(_TIME_BYTES, "big") + private.sign(_cosigned(text, time)))


def _check_text(text: str) -> None:
    """What would be read back as another text is never signed."""
    note = Note(text, (Signature("name", b"\0\0\0\0", b"\0"),))
    try:
        same = read_note(bytes(note)) == note
    except UnicodeEncodeError:
        same = False
    if not same:
        raise NoteError(f"{shown(text)} cannot be the text of a note")
