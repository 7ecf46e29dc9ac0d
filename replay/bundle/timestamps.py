"""Time stamps (RFC 3161) on heads: that a head was there at a certain time, by somebody whom a court knows.

A witness says when he has seen a head, and that it extends what he saw before. A time-stamping authority knows nothing
of logs: it puts its clock under the bytes that it is given, and its certificate says whose clock that is. What is
stamped is the head as its house has signed it (`stamped`), before any witness has.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID
from rfc3161_client import TimeStampResponse, VerificationError, Verifier, VerifierBuilder, decode_timestamp_response

from replay.bundle.checkpoint import Head
from replay.bundle.note import Note
from replay.bundle.strict import NoteError

MAX_BYTES: Final = 256 * 1024
"""Of a reply."""
_GRANTED: Final = 0


class Stamped(NamedTuple):
    """A time stamp that holds."""

    time: datetime
    """By the authority's clock, UTC."""
    authority: str
    """The subject of its certificate (RFC 4514)."""
    serial: int
    """Of the stamp."""

    def __str__(self) -> str:
        return f"stamped by {self.authority} at {self.time:%Y-%m-%d %H:%M:%S} UTC"


def stamped(head: Head) -> bytes:
    """What is stamped: the head with the signature of its log alone."""
    key = head.by
    signatures = tuple(one for one in head.note.signatures if (one.name, one.id) == (key.name, key.id))
    return bytes(Note(head.note.text, signatures))


def read_certificates(data: bytes) -> list[x509.Certificate]:
    """The certificates in a PEM file. Raises `NoteError`."""
    try:
        return x509.load_pem_x509_certificates(data)
    except ValueError as error:
        raise NoteError(f"holds no certificates in PEM ({_plain(error)})") from None


def read_stamp(
    reply: bytes, content: bytes, certificates: Sequence[x509.Certificate], *, nonce: int | None = None
) -> Stamped:
    """The time stamp in an authority's reply (RFC 3161, section 2.4.2) over ``content``.

    ``certificates``: those that are trusted, the authority's roots, and where it is among them the authority's own,
    which then and no other must have signed. They must have been valid at the time of the stamp. ``nonce``: the number
    that was sent with the question; a reply without it may be an old one.

    Raises `NoteError` for a reply that does not hold.
    """
    if len(reply) > MAX_BYTES:
        raise NoteError(f"the time stamp has {len(reply):,} bytes; {MAX_BYTES:,} are the most")
    try:
        found = decode_timestamp_response(reply)
    except ValueError as error:
        raise NoteError(f"the time stamp cannot be read ({_plain(error)})") from None
    if found.status != _GRANTED:
        why = _plain("; ".join(found.status_string)) if found.status_string else f"status {found.status}"
        raise NoteError(f"the authority has not granted a time stamp: {why}")
    verifier = _verifier(certificates, nonce)
    try:
        if nonce is not None and found.tst_info.nonce != nonce:
            raise NoteError(
                "the time stamp does not bear the nonce of the question: it may be the answer to another one"
            )
        verifier.verify_message(found, content)
        signer = _signer(found, certificates)
        return Stamped(found.tst_info.gen_time, signer.subject.rfc4514_string(), found.tst_info.serial_number)
    except (VerificationError, ValueError) as error:
        if isinstance(error, NoteError):
            raise
        raise NoteError(f"the time stamp does not hold: {_plain(error)}") from None


def _verifier(certificates: Sequence[x509.Certificate], nonce: int | None) -> Verifier:
    roots = [one for one in certificates if one.issuer == one.subject]
    own = [one for one in certificates if one.issuer != one.subject and _stamps(one)]
    between = [one for one in certificates if one not in roots and one not in own]
    if not roots:
        raise NoteError("among the certificates is none that vouches for itself: the authority's root is wanted")
    if len(own) > 1:
        raise NoteError("among the certificates are several of authorities; give the one that must have signed")
    return VerifierBuilder(
        roots=roots, intermediates=between, tsa_certificate=own[0] if own else None, nonce=nonce
    ).build()


def _signer(found: TimeStampResponse, certificates: Sequence[x509.Certificate]) -> x509.Certificate:
    """The certificate that the signature names, among those of the stamp and those given."""
    embedded = [x509.load_der_x509_certificate(der) for der in found.signed_data.certificates]
    [info] = found.signed_data.signer_infos
    for one in (*embedded, *certificates):
        if one.issuer == info.issuer and one.serial_number == info.serial_number:
            return one
    raise NoteError("the time stamp does not hold: the certificate of its signer is not there")


def _stamps(certificate: x509.Certificate) -> bool:
    """Whether a certificate is one of an authority for time stamps."""
    try:
        usage = certificate.extensions.get_extension_for_class(x509.ExtendedKeyUsage)
    except x509.ExtensionNotFound:
        return False
    return ExtendedKeyUsageOID.TIME_STAMPING in usage.value


def _plain(error: object) -> str:
    """Somebody else's message in one line."""
    text = re.sub(r"\s+", " ", str(error))[:160]
    return "".join(character if character.isprintable() else "?" for character in text)
