"""The forger fails, whatever he has: each of his strategies against the verifier. Where everything is genuinely signed,
the verifier says who vouches for it and who does not."""

from __future__ import annotations

import pytest

from replay.bundle.policy import read_policy
from replay.bundle.verify import BundleError, Said, Verified
from streams import bundle_files
from streams.key_files import read_key_file
from tests.forger.attacks import ATTACKS, Attack
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
    forged = strategy.forge(floor())
    if strategy.refused:
        with pytest.raises(BundleError) as refused:
            verified(forged, tmp_path)
        assert strategy.refused in str(refused.value)
        assert str(refused.value).isprintable()
        return

    found = verified(forged, tmp_path)

    failed = {
        one.claim.value: [f"{problem.place}: {problem.text}" for problem in one.problems]
        for one in found.statements
        if one.said is Said.FAILED
    }
    assert failed.keys() == strategy.fails.keys(), failed
    for claim, said in strategy.fails.items():
        assert any(said in line for line in failed[claim]), failed
    table = [*bundle_files.table(found.statements), bundle_files.conclusion(found)]
    for said in strategy.says:
        assert any(said in line for line in table), table
    assert all(line.isprintable() for line in table)


def test_what_is_genuine_is_proven(tmp_path):
    """Or none of this would mean anything."""
    whole = floor()
    for members in (whole.session(), whole.session(round_number=2), whole.whole_night()):
        forged = Forged(bundle_files.pack(members), whole.keys_text, whole.policy_text, whole.root)

        found = verified(forged, tmp_path)

        assert [one.said for one in found.statements] == [Said.PROVEN] * 8
        assert found.vouched == "witnessed by regulator at 2027-01-15 08:00:00 UTC"


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_he_fails_before_there_is_any_bundle(attack: Attack):
    assert attack.told in attack.attempt(floor())


def test_each_strategy_is_another_one():
    assert len({strategy.name for strategy in ALL}) == len(ALL)
    assert all(strategy.wants and strategy.has for strategy in ALL)
