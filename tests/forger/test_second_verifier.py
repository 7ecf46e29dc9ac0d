"""The forger fails against the second verifier as well, which is the page of a bundle in a real Chromium; and where it
looks, both say the same.

What follows from the rules of a game (`verdicts`, `law`) it does not look at, and says so.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator
from typing import Final

import pytest

from replay.bundle.policy import read_policy
from replay.bundle.statements import Claim, Said
from replay.bundle.strict import NoteError
from replay.bundle.verify import BundleError, Verified
from streams import bundle_files
from streams.key_files import read_key_file
from streams.keys import KeyFileError
from tests.forger.bits import BITS, LINES
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


def differences(one: Verified | None, other: Told) -> dict[str, tuple[str, str]]:
    """In what the two verifiers say otherwise, of what both look at: claim -> what the one says, and the other."""
    ours = {claim: "no bundle" if one is None else str(one.said(claim).said) for claim in LOOKED_AT}
    theirs = {claim: other.said.get(claim, "no bundle") for claim in LOOKED_AT}
    return {claim: (ours[claim], theirs[claim]) for claim in LOOKED_AT if ours[claim] != theirs[claim]}


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


STRICTER: Final = {
    "doubled_event": {Claim.LOG},
    "escapes_in_a_name": {Claim.BYTES, Claim.SEALS, Claim.KEYS, Claim.SCOPE},
    "a_manifest_that_says_a_thing_twice": set(LOOKED_AT) - {Claim.BYTES},
}
"""Strategies of which the second verifier says that more fails: where a manifest can be read in two ways, it reads no
further, and an event that stands there twice is two events to it."""
BY_THE_RULES: Final = {"a_law_more": {Claim.BYTES}}
"""Which texts of the law belong to a bundle, the rules tell, which it does not have."""


@pytest.mark.parametrize("strategy", ALL, ids=lambda strategy: strategy.name)
def test_he_fails_and_both_say_the_same_of_what_both_look_at(strategy: Strategy, second, tmp_path):
    forged = strategy.forge(floor())
    first, told = by_the_first(forged, tmp_path), by_the_second(forged, second)

    stricter, unseen = STRICTER.get(strategy.name, set()), BY_THE_RULES.get(strategy.name, set())
    expected = dict.fromkeys(stricter, ("proven", "FAILED")) | dict.fromkeys(unseen, ("FAILED", "proven"))
    assert differences(first, told) == expected
    if first is None:
        assert "Cannot be verified" in told.text
    elif set(first.failed) - unseen <= {Claim.VERDICTS, Claim.LAW}:
        assert "ask retally evidence verify" in told.text
    else:
        assert "NOT PROVEN" in told.text


TURNED: Final = """async ([content, carried, bits]) => {
  const bytes = Uint8Array.from(atob(content), (one) => one.charCodeAt(0));
  const { keys } = await bundleKeysFrom(utf8(carried));
  const survivors = [];
  for (const bit of bits) {
    bytes[bit >> 3] ^= 1 << bit % 8;
    let failed = 0;
    const fail = () => failed++;
    const { lines, ended } = splitLines(bytes);
    const heads = lines.map(readLine);
    const seals = { good: 0, unsigned: 0, trusted: 0, signedBy: new Set() };
    checkOrder("events", heads[0].session, heads, fail);
    await checkSeals("events", heads, new SealKeys(keys, null), seals, fail);
    if (failed === 0 && ended) survivors.push(bit);
    bytes[bit >> 3] ^= 1 << bit % 8;
  }
  return survivors;
}"""


def turned_over(second: SecondVerifier, bits: Iterable[int]) -> list[int]:
    """Those of these bits of a sealed session that can be turned over unseen, one at a time."""
    content = b"".join(line + b"\n" for line in LINES)
    keys = floor().session()["keys.txt"].decode()
    found: list[int] = second.page.evaluate(TURNED, [base64.b64encode(content).decode(), keys, list(bits)])
    return found


def test_no_bit_of_a_sealed_session_can_be_turned_over_unseen(second):
    """One of 29, and the end of the last seal's signature."""
    end = BITS - 8 * len(b'"}\n')
    assert turned_over(second, [*range(0, BITS, 29), *range(end - 8 * 32, end)]) == []
