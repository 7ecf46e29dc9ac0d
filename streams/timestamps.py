"""What a time-stamping authority is asked (RFC 3161): the question draws a nonce, which its answer must bear."""

from __future__ import annotations

from rfc3161_client import HashAlgorithm, TimestampRequestBuilder, _rust

from replay.bundle.strict import NoteError


def question(content: bytes) -> bytes:
    """A request for a time stamp over SHA-256 of ``content``, with a nonce, and for the authority's certificate."""
    return TimestampRequestBuilder().data(content).hash_algorithm(HashAlgorithm.SHA256).build().as_bytes()


def nonce_of(request: bytes) -> int:
    """The nonce of a request. Raises `NoteError`."""
    try:
        nonce = _rust.parse_timestamp_request(request).nonce
    except ValueError:
        raise NoteError("this is no request for a time stamp (RFC 3161)") from None
    if nonce is None:
        raise NoteError("the request for a time stamp bears no nonce: any old answer would do")
    return nonce
