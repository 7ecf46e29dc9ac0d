"""Whoever has a gateway's key wants to seal with it what it is not for. Each test: what he has, and what he wants.

He has retally, and writes verdicts, manifest and page of his bundle as they follow. The house trusts the keys of its
file: that of BO01's gateway, for table BO01 on the gaming days of November 2026, and that of BO77's, for BO77.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.bundle.contents import Scope
from replay.bundle.verify import BundleError, Verified
from replay.evidence import NO_SIGNATURE, Keys, key_id, public_half, sign
from replay.key_scope import Grant, ScopedKeys, Terms, terms_of
from replay.refold import fold
from replay.results import Finding, Round, SessionSummary
from streams import bundle_files
from tests.installed import PACKS, judged
from tests.replay import logs
from tests.replay.bundle.bundles import Night, forged, unpacked, verify

BO01: Final = logs.KEY
BO77: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
RENEWED: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(2, 34)))
"""The next key of BO01's gateway."""
NIGHT: Final = logs.boule(
    [
        logs.Coup(7, [logs.Stake("red"), logs.Stake("straight_up", 3)]),
        logs.Coup(5, [logs.Stake("black")]),
    ]
)
"""BO01's session of 2026-11-29, sealed by its own gateway."""
NIGHT_DAY: Final = date(2026, 11, 29)
LAST_DAY: Final = date(2026, 11, 30)


def named(key: Ed25519PrivateKey) -> str:
    return key_id(public_half(key))


def file_of(terms: dict[Ed25519PrivateKey, Terms]) -> ScopedKeys:
    """Keys as the house's file gives them."""
    return ScopedKeys({named(key): public_half(key) for key in terms}, {named(key): terms[key] for key in terms})


def for_table(table: str, *, since: date | None = None, until: date | None = None, **more: Any) -> Terms:
    return Terms(gateway=f"{table}-gateway", grants=(Grant(tables=(table,), since=since, until=until),), **more)


HOUSE: Final = file_of({BO01: for_table("BO01", since=date(2026, 11, 1), until=LAST_DAY), BO77: for_table("BO77")})


def sealed_by(
    key: Ed25519PrivateKey,
    lines: Sequence[bytes],
    *,
    after: int = 0,
    seals: dict[str, Any] | None = None,
    **opening: Any,
) -> list[bytes]:
    """The lines, with every checkpoint after the event ``after`` made anew by this key. ``seals``: other fields for
    those checkpoints, ``opening`` for the first event."""
    made: list[bytes] = []
    chain = hashlib.sha256()
    for line in lines:
        event = json.loads(line)
        if event["seq"] == 1 and opening:
            event |= opening
            line = written(event)
        if event["type"] == "checkpoint":
            value = chain.hexdigest()
            chain = hashlib.sha256(bytes.fromhex(value))
            if event["seq"] > after:
                unsigned = {"chain": value, "key": named(key), "signature": NO_SIGNATURE}
                line = written(event | (seals or {}) | unsigned)
                line = line.replace(NO_SIGNATURE.encode(), sign(key, value, line).encode())
        chain.update(line + b"\n")
        made.append(line)
    return made


def written(event: dict[str, Any]) -> bytes:
    return json.dumps(event, separators=(",", ":")).encode()


def audited(lines: list[bytes], keys: Keys) -> tuple[list[str], SessionSummary]:
    """What the seals are said to lack, and the session's own row."""
    rows, summary = fold(NIGHT.session, lines, judged(keys=keys))
    return [row.text for row in rows if isinstance(row, Finding) and row.code == "bad_signature"], summary


def bundle(lines: list[bytes], keys: Keys) -> bytes:
    """What he makes of these events with retally, under keys that say of themselves what he likes."""
    log = logs.Log(NIGHT.session, NIGHT.table, lines)
    return bundle_files.export(Night(log), Scope(session=log.session), packs=PACKS, keys=keys)


def unbound(keys: Keys) -> ScopedKeys:
    """The keys without a scope."""
    return ScopedKeys(keys, {})


def told(verified: Verified) -> str:
    return "\n".join(verified.complaints)


SEALS: Final = sum(b'"checkpoint"' in line for line in NIGHT.lines)
FIRST_SEAL: Final = NIGHT.rounds[0][-1]


def test_the_genuine_night_is_proven():
    texts, summary = audited(NIGHT.lines, HOUSE)

    assert texts == []
    assert (summary.checkpoints_good, summary.checkpoints_bad) == (SEALS, 0)
    for carried in (HOUSE, unbound(HOUSE)):
        for trusted in (HOUSE, unbound(HOUSE), None):
            assert verify(bundle(NIGHT.lines, carried), keys=trusted).complaints == []


# What he has, what he wants, and why he fails

LATER: Final = {"at": "2031-11-29T23:00:00.000000Z"}
STRATEGIES: Final = [
    pytest.param(BO77, {}, "counts for BO77, not for table BO01", id="BO77's key: a night of BO01, from its opening"),
    pytest.param(
        BO77,
        {"after": FIRST_SEAL},
        "counts for BO77, not for table BO01",
        id="BO77's key: what follows BO01's first round",
    ),
    pytest.param(
        BO77,
        {"seals": {"table": "BO77"}},
        "names table BO77, in a session of BO01",
        id="BO77's key: seals that name its own table, in BO01's session",
    ),
    pytest.param(
        BO01,
        {"gaming_day": "2026-12-01"},
        "counts for BO01 from 2026-11-01 to 2026-11-30, not on the gaming day 2026-12-01",
        id="BO01's key: a gaming day after its last one",
    ),
    pytest.param(
        BO01,
        {"gaming_day": "2026-10-31"},
        "not on the gaming day 2026-10-31",
        id="BO01's key: a gaming day before its first one",
    ),
    pytest.param(
        BO01,
        {"seals": LATER, "after": FIRST_SEAL},
        "not for a seal of 2031-11-29 23:00:00 UTC",
        id="BO01's key: the night of one of its days, sealed five years later",
    ),
]


@pytest.mark.parametrize(("key", "how", "why"), STRATEGIES)
def test_a_key_seals_nothing_outside_of_its_scope(key, how, why):
    lines = sealed_by(key, NIGHT.lines, **how)
    after = how.get("after", 0)
    genuine = sum(b'"checkpoint"' in line for line in NIGHT.lines[:after])

    texts, summary = audited(lines, HOUSE)

    assert len(texts) == SEALS - genuine
    assert all(why in text for text in texts)
    assert (summary.checkpoints_good, summary.checkpoints_bad) == (genuine, SEALS - genuine)
    for carried in (HOUSE, unbound(HOUSE)):
        verified = verify(bundle(lines, carried), keys=HOUSE)

        assert not verified.holds
        assert verified.seals == genuine
        assert told(verified).count(why) == SEALS - genuine
    assert verify(bundle(lines, HOUSE)).seals == genuine  # the bundle's own words are held against it too


def test_a_round_under_a_key_that_is_not_for_it_is_neither_sealed_nor_verifiable():
    rows, _ = fold(NIGHT.session, sealed_by(BO77, NIGHT.lines, after=FIRST_SEAL), judged(keys=HOUSE))

    assert [(row.sealed, row.verifiable) for row in rows if isinstance(row, Round)] == [(True, True), (False, False)]


def test_a_lie_about_the_gaming_day_does_not_bring_back_a_key_whose_days_are_over():
    """He has the key of November, in December, and says that it is still November: the seals' own time says no. Where
    that lies as well, only the log that a witness has seen says when a seal was made."""
    lines = sealed_by(BO01, NIGHT.lines, seals={"at": "2026-12-24T23:00:00.000000Z"}, gaming_day="2026-11-29")

    texts, _ = audited(lines, HOUSE)

    assert len(texts) == SEALS
    assert "not for a seal of 2026-12-24 23:00:00 UTC" in texts[0]


def test_an_unlimited_key_has_no_last_day():
    keys = file_of({BO01: for_table("BO*")})

    assert audited(NIGHT.lines, keys)[0] == []
    assert audited(sealed_by(BO01, NIGHT.lines, seals=LATER), keys)[0] == []


# Rotation and revocation

STOLEN: Final = datetime(2026, 11, 29, 20, 0, 15, tzinfo=UTC)
"""While the night goes on: the first round is sealed, the rest is not."""


def test_from_its_revocation_on_a_key_seals_nothing():
    """He has stolen the key of BO01's gateway, and seals the rest of the night with it."""
    before = [json.loads(line)["at"] < "2026-11-29T20:00:15" for line in NIGHT.lines if b'"checkpoint"' in line]
    keys = file_of({BO01: for_table("BO01", revoked=STOLEN)})

    texts, summary = audited(NIGHT.lines, keys)

    assert 0 < sum(before) < SEALS
    assert summary.checkpoints_good == sum(before)
    assert len(texts) == SEALS - sum(before)
    assert all("BO01-gateway, which was revoked from 2026-11-29 20:00:15 UTC on" in text for text in texts)
    verified = verify(bundle(NIGHT.lines, unbound(HOUSE)), keys=keys)
    assert (verified.holds, verified.seals) == (False, sum(before))


def test_a_revoked_key_seals_no_later_gaming_day_whatever_time_its_seals_bear():
    keys = file_of({BO01: for_table("BO01", revoked=datetime(2026, 12, 10, tzinfo=UTC))})
    lines = sealed_by(BO01, NIGHT.lines, gaming_day="2026-12-24")

    texts, _ = audited(lines, keys)

    assert len(texts) == SEALS
    assert "before the gaming day 2026-12-24" in texts[0]


def test_what_a_key_sealed_before_its_revocation_stands():
    keys = file_of({BO01: for_table("BO01", revoked=datetime(2026, 12, 10, tzinfo=UTC))})

    assert audited(NIGHT.lines, keys)[0] == []
    assert verify(bundle(NIGHT.lines, keys), keys=keys).complaints == []


def test_the_old_key_of_a_gateway_does_not_count_on_the_days_of_the_new_one():
    """He has the old key, which was not destroyed."""
    keys = file_of({BO01: for_table("BO01", until=date(2026, 11, 28)), RENEWED: for_table("BO01", since=NIGHT_DAY)})

    texts, _ = audited(NIGHT.lines, keys)

    assert len(texts) == SEALS
    assert "to 2026-11-28, not on the gaming day 2026-11-29" in texts[0]
    assert audited(sealed_by(RENEWED, NIGHT.lines), keys)[0] == []


def test_on_the_days_of_both_keys_either_counts_within_one_session_too():
    keys = file_of({BO01: for_table("BO01", until=NIGHT_DAY), RENEWED: for_table("BO01", since=NIGHT_DAY)})
    lines = sealed_by(RENEWED, NIGHT.lines, after=FIRST_SEAL)

    assert audited(lines, keys)[0] == []
    verified = verify(bundle(lines, keys), keys=keys)
    assert verified.complaints == []
    assert verified.keys == sorted([named(BO01), named(RENEWED)])


# What the bundle says of its own keys


def test_a_bundle_that_widens_the_scope_of_its_key_is_held_to_that_of_the_trusted_one():
    lines = sealed_by(BO77, NIGHT.lines)
    wide = file_of({BO77: for_table("*")})

    assert verify(bundle(lines, wide)).complaints == []  # nobody was asked whose key this is
    verified = verify(bundle(lines, wide), keys=HOUSE)
    assert not verified.holds
    assert "counts for BO77, not for table BO01" in told(verified)


def test_a_bundle_that_goes_against_its_own_scope_is_refused_whatever_is_trusted():
    """He hopes that keys of an old file, which are unscoped, say yes to everything."""
    lines = sealed_by(BO77, NIGHT.lines)

    verified = verify(bundle(lines, HOUSE), keys=unbound(HOUSE))

    assert not verified.holds
    assert verified.seals == 0


def test_the_scope_in_a_bundle_cannot_be_taken_out_or_changed_without_a_word():
    """He has a bundle whose seals lie outside of the scope in it, and changes that afterwards: the verdicts say no."""
    found = unpacked(bundle(sealed_by(BO77, NIGHT.lines), HOUSE))
    text = found["keys.txt"].decode()
    assert '"tables":["BO77"]' in text

    for other in (text.replace('"BO77"', '"BO01"'), text.split(" {")[0] + "\n"):
        verified = verify(forged(found, **{"keys.txt": other.encode()}))

        assert not verified.holds


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('{"gateway"', '{ "gateway"'),
        ('"grants":[', '"revoked":null,"grants":['),
        ('"tables":["BO01"]', '"tables":["BO77"],"tables":["BO01"]'),
        ('"tables":["BO01"]', '"tables":[]'),
        ('"tables":["BO01"]', '"tables":["BO\\n01"]'),
        ('"tables"', '"table"'),
        ('"2026-11-30"', '"2026-11-31"'),
        ('"gateway":"BO01-gateway"', '"gateway":"BO01\\u001b[8m"'),
        ('"grants":[', '"grants":' + "[" * 5000),
        ("\n", "\n\n"),
    ],
)
def test_a_scope_has_one_spelling(old, new):
    found = unpacked(bundle(NIGHT.lines, HOUSE))
    text = found["keys.txt"].decode()
    assert old in text

    verified = verify(forged(found, **{"keys.txt": text.replace(old, new, 1).encode()}))

    assert not verified.holds
    assert any(problem.place.startswith("keys.txt") for problem in verified.problems)
    assert all(line.isprintable() for line in verified.complaints)


def test_a_key_is_its_bytes_not_its_name():
    """He has ground a key whose id is that of a trusted one: 64 bits are 2^32 work for somebody who makes both."""
    lines = sealed_by(BO77, NIGHT.lines)
    trusted = ScopedKeys({named(BO77): public_half(BO01)}, {})

    verified = verify(bundle(lines, unbound(HOUSE)), keys=trusted)

    assert verified.seals == 0
    assert f"key {named(BO77)} is another than the one that you trust" in told(verified)


def test_whoever_trusts_no_key_is_told_that_no_seal_holds():
    verified = verify(bundle(NIGHT.lines, HOUSE), keys={})
    without = verify(forged(unpacked(bundle(NIGHT.lines, HOUSE)), **{"keys.txt": b""}), keys={})

    assert not verified.holds
    assert not without.holds
    assert without.seals == 0
    assert "which is not at hand" in told(without)


def test_a_hundred_thousand_keys_are_not_read():
    line = f"{named(BO01)} {bytes(public_half(BO01)).hex()}\n".encode()
    content = forged(unpacked(bundle(NIGHT.lines, HOUSE)), **{"keys.txt": line * 100_000})

    with pytest.raises(BundleError, match="bytes of keys"):
        verify(content)


# Old files


def test_keys_without_a_scope_are_named():
    """He wants the reader to believe that somebody has said which tables the key is for."""
    scoped, plain = bundle(NIGHT.lines, HOUSE), bundle(NIGHT.lines, dict(HOUSE))

    assert verify(scoped, keys=HOUSE).unscoped == []
    assert verify(scoped, keys=dict(HOUSE)).unscoped == [named(BO01)]  # what the bundle says of it is his own word
    assert verify(plain).unscoped == [named(BO01)]
    assert terms_of(dict(HOUSE)) == {}
    said = dict(bundle_files.told(verify(plain)))
    assert said["keys for any table and day"] == named(BO01)
