"""Passages are the pack's: under a pack with passages of its own nothing is cited that it does not have."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest

from replay.cited import cited
from replay.judging import Judging
from replay.packs import PACK_FILE, Packs
from replay.results import Finding, Settlement
from replay.session import Session
from tests.games.test_pack_needs import OWN, scenarios
from tests.installed import PACKS
from tests.toml_text import toml_text

OF_THIS_PACK = re.compile(r"P\d+(, P\d+)*")


def renamed(data: Any, names: dict[str, str], key: str = "") -> Any:
    """The same with each passage called otherwise: ``P1``, ``P2``."""
    if key == "passage":
        return names.setdefault(cited(data), f"P{len(names)}")
    if isinstance(data, dict):
        inside = key == "passages"
        return {name: renamed(value, names, "passage" if inside else name) for name, value in data.items()}
    if isinstance(data, list):
        return [renamed(value, names) for value in data]
    return data


@pytest.mark.parametrize(("pack", "game"), OWN)
def test_a_pack_with_other_passages_is_never_told_another_packs(pack, game):
    file = f"{game}.toml"
    texts = {
        name: {one: files[one] for one in (PACK_FILE, file) if one in files} for name, files in PACKS.files.items()
    }
    names: dict[str, str] = {}
    texts[pack][file] = toml_text(renamed(tomllib.loads(texts[pack][file].decode()), names)).encode()
    judging = Judging(packs=Packs(texts))

    cited = set()
    for scenario in scenarios(pack, game):
        session = Session(scenario.name, judging)
        for event in scenario.events:
            session.step(event, b"")
        session.finish()
        cited |= {said.passage for said in session.drain() if isinstance(said, Finding | Settlement)}

    assert {passage for passage in cited if passage and not OF_THIS_PACK.fullmatch(passage)} == set()
    assert len(cited) > 2
