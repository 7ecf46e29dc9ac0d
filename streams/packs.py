"""Rule packs from outside the package: folders that somebody names (``--packs``, ``RETALLY_PACKS``)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from replay.packs import PACK_FILE, PackError, Packs
from replay.regulations import installed
from streams.bounds import TooLarge, read_bytes

VARIABLE: Final = "RETALLY_PACKS"
"""Folders, with the system's separator of paths between them (``:``)."""
MAX_FILE_BYTES: Final = 1024 * 1024


def read_packs(folders: Iterable[Path]) -> Packs:
    """The packs in these folders alone: each is a pack itself, or holds a folder a pack.

    Raises:
        PackError: a folder holds no pack, two hold packs of one name, or a ``pack.toml`` is wrong.
    """
    texts: dict[str, dict[str, bytes]] = {}
    for folder in folders:
        found = [folder] if (folder / PACK_FILE).is_file() else _inside(folder)
        if not found:
            raise PackError(f"{folder}: holds no rule pack (a folder with a {PACK_FILE})")
        for pack in found:
            name = pack.resolve().name
            if name in texts:
                raise PackError(f"{pack}: there is another rule pack {name} in the folders that were given")
            texts[name] = {file.name: _read(file) for file in sorted(pack.glob("*.toml"))}
    return Packs(texts)


def packs_with(folders: Iterable[Path]) -> Packs:
    """The installed packs, and beside them those in these folders, which must be without fault.

    Raises:
        PackError: what is wrong with the first file that is, and how much else is.
    """
    ours = installed()
    given = read_packs(folders)
    both = ours.beside(given)
    problems = both.problems(given.names)
    if problems:
        more = f" (and {len(problems) - 1} more: retally rules check says all)" if len(problems) > 1 else ""
        raise PackError(f"{problems[0]}{more}")
    return both


def _inside(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise PackError(f"{folder}: is no folder")
    return sorted(entry for entry in folder.iterdir() if (entry / PACK_FILE).is_file())


def _read(file: Path) -> bytes:
    try:
        return read_bytes(file, MAX_FILE_BYTES)
    except TooLarge as error:
        raise PackError(str(error)) from None
