"""The forger fails, whatever he has: each of his strategies against the verifier."""

from __future__ import annotations

import pytest

from replay.bundle.policy import read_policy
from replay.bundle.verify import Verified
from streams.key_files import read_key_file
from tests.forger.floor import floor
from tests.forger.strategies import ALL
from tests.forger.strategy import Forged, Strategy
from tests.replay.bundle.bundles import verify


def verified(forged: Forged, folder) -> Verified:
    """What the verifier says of it, to a reader who was given these things."""
    keys = None
    if forged.keys is not None:
        file = folder / "floor.keys"
        file.write_text(forged.keys, "ascii")
        keys = read_key_file(file)
    policy = None if forged.policy is None else read_policy(forged.policy.encode())
    return verify(forged.bundle, keys=keys, root=forged.root, policy=policy)


@pytest.mark.parametrize("strategy", ALL, ids=lambda strategy: strategy.name)
def test_he_fails(strategy: Strategy, tmp_path):
    assert not verified(strategy.forge(floor()), tmp_path).holds
