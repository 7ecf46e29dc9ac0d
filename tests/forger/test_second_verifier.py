"""The forger fails against the second verifier as well, which is the page of a bundle in a real Chromium; and where it
looks, both say the same.

What follows from the rules of a game (`verdicts`, `law`) it does not look at, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from replay.bundle.policy import read_policy
from replay.bundle.statements import Claim, Said
from replay.bundle.strict import NoteError
from replay.bundle.verify import BundleError, Verified
from streams import bundle_files
from streams.key_files import read_key_file
from streams.keys import KeyFileError
from tests.forger.floor import floor
from tests.forger.strategies import ALL
from tests.forger.strategy import Forged, Strategy
from tests.replay.bundle.bundles import verify
from tests.replay.bundle.second import SecondVerifier, Told, second_verifier

pytestmark = pytest.mark.chromium

LOOKED_AT = (Claim.BYTES, Claim.ORDER, Claim.SEALS, Claim.KEYS, Claim.SCOPE, Claim.LOG)


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecondVerifier]:
    with second_verifier(floor().session()["index.html"], tmp_path_factory.mktemp("page")) as found:
        yield found


def by_the_first(forged: Forged, folder) -> Verified | None:
    """What the first verifier says; None: that it is no bundle, or that what its reader was given is none."""
    file = folder / "floor.keys"
    try:
        if forged.keys is not None:
            file.write_text(forged.keys, "ascii")
        keys = None if forged.keys is None else read_key_file(file)
        policy = None if forged.policy is None else read_policy(forged.policy.encode())
        return verify(forged.bundle, keys=keys, root=forged.root, policy=policy)
    except (BundleError, KeyFileError, NoteError):
        return None


def by_the_second(forged: Forged, second: SecondVerifier) -> Told:
    return second.verify(forged.bundle, keys=forged.keys, policy=forged.policy, root=forged.root)


def differences(one: Verified | None, other: Told) -> list[str]:
    """In what the two verifiers say otherwise, of what both look at."""
    if one is None or not other.said:
        return [] if one is None and not other.said else [f"{'' if one is None else one.failed} / {other.text}"]
    said = {claim: str(one.said(claim).said) for claim in LOOKED_AT}
    return [f"{claim}: {said[claim]} / {other.said[claim]}" for claim in LOOKED_AT if said[claim] != other.said[claim]]


GENUINE = {
    "session": lambda: bundle_files.pack(floor().session()),
    "round": lambda: bundle_files.pack(floor().session(round_number=1)),
    "night": lambda: bundle_files.pack(floor().whole_night()),
}


@pytest.mark.parametrize("what", GENUINE)
def test_of_a_genuine_bundle_all_that_it_looks_at_is_proven(what, second):
    house = floor()
    told = second.verify(GENUINE[what](), keys=house.keys_text, policy=house.policy_text, root=house.root)

    assert {claim: told.said[claim] for claim in LOOKED_AT} == dict.fromkeys(LOOKED_AT, Said.PROVEN)
    assert (told.said["verdicts"], told.said["law"]) == ("not asked", "not asked")
    assert "witnessed by regulator at 2027-01-15 08:00:00 UTC" in told.text
    assert "has not shown: verdicts, law" in told.text


def test_without_keys_and_head_it_says_that_nobody_vouches(second):
    told = second.verify(GENUINE["session"]())

    assert {claim for claim, said in told.said.items() if said == "proven"} == {"bytes", "order", "seals"}
    assert "FAILED" not in told.said.values()
    assert "whose they are, the bundle alone says" in told.text
    assert "who vouches for that: nobody but whoever made the bundle" in told.text


@pytest.mark.parametrize("strategy", ALL, ids=lambda strategy: strategy.name)
def test_he_fails_and_both_say_the_same_of_what_both_look_at(strategy: Strategy, second, tmp_path):
    forged = strategy.forge(floor())
    first, told = by_the_first(forged, tmp_path), by_the_second(forged, second)

    assert differences(first, told) == []
    if first is None or not first.failed:
        return
    if set(first.failed) <= {Claim.VERDICTS, Claim.LAW}:
        assert "ask retally evidence verify" in told.text
    else:
        assert "NOT PROVEN" in told.text
