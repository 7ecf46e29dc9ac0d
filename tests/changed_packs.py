"""The installed packs with one game's file changed: what a law might say otherwise."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Callable
from typing import Any

from replay.packs import PACK_FILE, Packs
from tests.installed import PACKS
from tests.toml_text import toml_text

Change = Callable[[dict[str, Any]], None]


def pack_with(game: str, change: Change, pack: str = "AD-2022") -> Packs:
    """The installed packs with one game's file changed in ``pack``, which has it."""
    file = f"{game}.toml"
    texts = {
        name: {one: files[one] for one in (PACK_FILE, file) if one in files} for name, files in PACKS.files.items()
    }
    data = copy.deepcopy(tomllib.loads(texts[pack][file].decode()))
    change(data)
    texts[pack][file] = toml_text(data).encode()
    return Packs(texts)


def put(place: str, value: Any) -> Change:
    """Another value at a dotted place."""

    def change(data: dict[str, Any]) -> None:
        *above, last = place.split(".")
        for key in above:
            data = data[key]
        data[last] = value

    return change


def cut(*places: str) -> Change:
    """Nothing at these dotted places."""

    def change(data: dict[str, Any]) -> None:
        for place in places:
            inner = data
            *above, last = place.split(".")
            for key in above:
                inner = inner[key]
            del inner[last]

    return change
