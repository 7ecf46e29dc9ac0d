"""Gateways' keys as files: a private key (Ed25519, PEM) for a gateway, public keys for whoever checks its seals.

What reads and writes PEM is imported where it is used: whoever checks seals needs none of it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.errors import RetallyError
from replay.evidence import key_id, public_half, public_key
from streams.bounds import TooLarge, read_bytes
from streams.whole import Part, write_whole

_PEM = "-----BEGIN"
_MAX_BYTES: Final = 1024 * 1024


class KeyFileError(RetallyError):
    """A file of keys that cannot be used: one clear line."""


def read_keys(path: Path) -> dict[str, str]:
    """Public keys from a file of lines ``key-id hexadecimal``; raises `KeyFileError`."""
    try:
        text = _read(path).decode("ascii")
    except UnicodeDecodeError:
        raise KeyFileError(f"{path}: cannot be read (not ASCII text)") from None
    keys = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split("#")[0].split()
        if not words:
            continue
        try:
            name, hexadecimal = words
            public_key(hexadecimal)
        except ValueError:
            raise KeyFileError(f"{path} line {number}: not a key id and 64 hexadecimal digits") from None
        keys[name] = hexadecimal
    if not keys:
        raise KeyFileError(f"{path}: holds no key")
    return keys


def new_key(to: Path, public: Path | None = None, listed: Callable[[str, str], str] | None = None) -> tuple[str, str]:
    """Make a private key in the file ``to``, which nobody else may read; its id and public key (hexadecimal).

    ``public``: a file of public keys that is written with it, and ``listed`` makes its text of the two. Where it cannot
    be written, no private key is left either.

    Raises:
        KeyFileError: the file is there already: a key that is lost cannot be made again; or one of the two cannot be
            written.
    """
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    name, hexadecimal = _public(key)
    listing = None
    try:
        if public is not None and listed is not None:
            text = listed(name, hexadecimal)
            listing = Part(public)
            listing.file.write(text.encode())
            listing.finish()
        write_whole(to, pem, new=True, mode=0o600)
        if listing is not None:
            _keep(listing, to)
    except FileExistsError:
        raise KeyFileError(f"{to}: is there already; a key is never overwritten") from None
    except OSError as error:
        raise KeyFileError(f"{error.filename}: cannot be written ({error.strerror})") from None
    finally:
        if listing is not None:
            listing.discard()
    return name, hexadecimal


def _keep(listing: Part, private: Path) -> None:
    """Give the list of public keys its name; where this fails, the private key goes too."""
    try:
        listing.keep()
    except BaseException:
        private.unlink()
        raise


def read_private_key(file: Path) -> Ed25519PrivateKey:
    """The private key in a file that `new_key` made; raises `KeyFileError`."""
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(_read(file), None)
    except (ValueError, TypeError):
        raise KeyFileError(f"{file}: not a private key in PEM without password") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFileError(f"{file}: not an Ed25519 key")
    return key


def public_keys_in(file: Path) -> dict[str, str]:
    """Public keys by id: of a file of public keys, or the one of a private key. Raises `KeyFileError`."""
    if _read(file).lstrip().startswith(_PEM.encode()):
        return dict([_public(read_private_key(file))])
    return read_keys(file)


def _read(file: Path) -> bytes:
    try:
        return read_bytes(file, _MAX_BYTES)
    except TooLarge as error:
        raise KeyFileError(str(error)) from None
    except OSError as error:
        raise KeyFileError(f"{file}: cannot be read ({error.strerror})") from None


def _public(key: Ed25519PrivateKey) -> tuple[str, str]:
    public = public_half(key)
    return key_id(public), bytes(public).hex()
