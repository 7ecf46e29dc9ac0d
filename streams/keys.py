"""Gateways' keys as files: a private key (Ed25519, PEM) for a gateway, public keys for whoever checks its seals.

What reads and writes PEM is imported where it is used: whoever checks seals needs none of it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.errors import RetallyError
from replay.evidence import key_id, public_half, public_key

_PEM = "-----BEGIN"


class KeyFileError(RetallyError):
    """A file of keys that cannot be used: one clear line."""


def read_keys(path: Path) -> dict[str, str]:
    """Public keys from a file of lines ``key-id hexadecimal``; raises `KeyFileError`."""
    try:
        text = path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not ASCII text"
        raise KeyFileError(f"{path}: cannot be read ({reason})") from None
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


def write_keys(path: Path, keys: Mapping[str, str]) -> None:
    """The file that `read_keys` reads."""
    lines = ["# key id, public key (Ed25519, hexadecimal)", *(f"{name} {key}" for name, key in keys.items())]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def new_key(to: Path) -> tuple[str, str]:
    """Make a private key in the file ``to``, which nobody else may read; its id and public key (hexadecimal).

    Raises:
        KeyFileError: the file is there already: a key that is lost cannot be made again.
    """
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key = Ed25519PrivateKey.generate()
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        with os.fdopen(os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(pem)
    except FileExistsError:
        raise KeyFileError(f"{to}: is there already; a key is never overwritten") from None
    return _public(key)


def read_private_key(file: Path) -> Ed25519PrivateKey:
    """The private key in a file that `new_key` made; raises `KeyFileError`."""
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(file.read_bytes(), None)
    except OSError as error:
        raise KeyFileError(f"{file}: cannot be read ({error.strerror})") from None
    except (ValueError, TypeError):
        raise KeyFileError(f"{file}: not a private key in PEM without password") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise KeyFileError(f"{file}: not an Ed25519 key")
    return key


def add_public_key(file: Path, name: str, hexadecimal: str) -> None:
    """Add a public key to a file of them, which is made where it is not there; raises `KeyFileError`."""
    keys = read_keys(file) if file.exists() else {}
    write_keys(file, {**keys, name: hexadecimal})


def public_keys_in(file: Path) -> dict[str, str]:
    """Public keys by id: of a file of public keys, or the one of a private key. Raises `KeyFileError`."""
    try:
        private = file.read_bytes().lstrip().startswith(_PEM.encode())
    except OSError as error:
        raise KeyFileError(f"{file}: cannot be read ({error.strerror})") from None
    if private:
        return dict([_public(read_private_key(file))])
    return read_keys(file)


def _public(key: Ed25519PrivateKey) -> tuple[str, str]:
    public = public_half(key)
    return key_id(public), bytes(public).hex()
