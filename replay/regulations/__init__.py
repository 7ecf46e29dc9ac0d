"""The regulations that come with retally, one folder a rule pack: ``pack.toml`` and one TOML file a game.

Distributions that bring games of their own (`replay.games`) bring packs in the same way: an entry point of the group
``retally.packs`` names a package that holds a folder a pack. This and `replay.streaks.jurisdictions` are the places in
`replay` that read files: those that are installed.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from importlib.metadata import entry_points
from importlib.resources.abc import Traversable
from typing import Final

from replay.errors import told
from replay.packs import PACK_FILE, PackError, Packs

GROUP: Final = "retally.packs"


def installed() -> Packs:
    """The packs that are installed: retally's own, and those of other distributions. Read anew at each call; raises
    `PackError` where two distributions bring different packs under one name."""
    found = Packs(dict(_texts(resources.files(__package__))))
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        try:
            folder = resources.files(entry.value)
        except Exception as error:
            raise PackError(
                f"the rule packs of {entry.value} ({GROUP}: {entry.name}) cannot be read: {told(error)}"
            ) from None
        found = found.beside(Packs(dict(_texts(folder))))
    return found


def _texts(folder: Traversable) -> Iterator[tuple[str, dict[str, bytes]]]:
    for entry in folder.iterdir():
        if entry.joinpath(PACK_FILE).is_file():
            yield entry.name, {file.name: file.read_bytes() for file in entry.iterdir() if file.name.endswith(".toml")}
