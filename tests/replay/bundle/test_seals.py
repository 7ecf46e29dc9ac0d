"""Seals of the old form: they are read, what they prove is told, and that nobody has witnessed them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
import pytest

from replay.bundle import contents, seals
from replay.bundle.contents import Scope
from replay.bundle.merkle import Tree
from replay.bundle.seals import Head, Leaf, Seal, SealError
from tests.replay import logs
from tests.replay.bundle.bundles import DAY, LOG, OTHER, Night, exported, forged, unpacked, verify

CHAINS: Final = {log.session: msgspec.json.decode(log.lines[-1])["chain"] for log in (LOG, OTHER)}


def sealed(date: str, chains: Mapping[str, str], after: Seal | None = None) -> Seal:
    """A night sealed in the old form."""
    first = 0 if after is None else after.head.size
    before = [] if after is None else [bytes.fromhex(leaf.chain) for leaf in after.leaves]
    tree = Tree()
    for chain in before:
        tree.append(chain)
    peaks = [peak.hex() for peak in tree.peaks()]
    for name in sorted(chains):
        tree.append(bytes.fromhex(chains[name]))
    return Seal(
        head=Head(date=date, size=first + len(chains), root=tree.root().hex()),
        previous=None if after is None else after.head,
        previous_peaks=peaks,
        leaves=[Leaf(session=name, chain=chains[name]) for name in sorted(chains)],
    )


SEAL: Final = sealed(DAY, CHAINS)
SCOPE: Final = Scope(session=LOG.session)
CONTENT: Final = exported(Night(LOG, OTHER), SCOPE, sealed=SEAL)


def told(content: bytes, root: str | None = None) -> list[str]:
    return [f"{problem.place}: {problem.text}" for problem in verify(content, root=root).problems]


def test_a_bundle_under_a_seal_of_the_old_form_says_that_nobody_has_witnessed_it():
    verified = verify(CONTENT, root=SEAL.head.root)

    assert verified.problems == []
    assert verified.sealed == f"{DAY}, 2 sessions so far, root {SEAL.head.root}; unwitnessed"
    assert verified.vouched == "unwitnessed: a seal of the old form, which nobody but its maker has signed or seen"


def test_another_root_than_the_one_that_is_held_is_named():
    """Nor is the root of the night before one of this night: whoever can append could relabel it so."""
    later = sealed("2026-11-30", {"BO01-2026-11-30": "ab" * 32}, SEAL)
    proof = seals.prove(later, [LOG.session])

    assert told(CONTENT, "0" * 64) == ["seal.json: the night's seal has another root than the one that you hold"]
    assert "seal.json: the night's seal has another root than the one that you hold" in told(
        forged(unpacked(CONTENT), **{"seal.json": contents.pretty(proof)}), SEAL.head.root
    )


def test_a_session_that_is_not_the_one_of_the_night_is_named():
    other = sealed(DAY, CHAINS | {LOG.session: "ab" * 32})

    assert told(exported(Night(LOG, OTHER), SCOPE, sealed=other)) == [
        f"seal.json: session {LOG.session}, as it is here, is not the one that was sealed with the night"
    ]


def test_a_night_from_which_a_session_was_left_out_is_named():
    content = exported(Night(LOG), Scope(date=DAY), sealed=SEAL)

    assert told(content) == ["seal.json: 2 sessions were sealed that night, 1 are here"]


def test_a_seal_that_tells_of_more_sessions_than_there_are_is_named():
    proof = contents.pretty(seals.prove(SEAL, [LOG.session, OTHER.session]))

    assert told(forged(unpacked(CONTENT), **{"seal.json": proof})) == [
        "seal.json: tells of session BO02-2026-11-29, which is not here"
    ]


def test_one_nights_seal_is_proven_to_extend_the_one_before():
    later = logs.boule([logs.Coup(5, [logs.Stake("red")])], session="BO01-2026-11-30")
    second = sealed("2026-11-30", {later.session: msgspec.json.decode(later.lines[-1])["chain"]}, SEAL)
    proof = seals.prove(second, [later.session])
    wrong = msgspec.structs.replace(proof, previous=msgspec.structs.replace(SEAL.head, root="0" * 64))

    assert (second.head.size, second.previous) == (3, SEAL.head)
    assert seals.head_extends(proof)
    assert not seals.head_extends(wrong)
    assert seals.read_seal(msgspec.json.encode(second)) == second


def test_a_seal_file_that_does_not_hold_together_is_refused():
    text = msgspec.json.encode(SEAL)

    for altered in (text.replace(b'"size":2', b'"size":3'), text[:-2], b"[]", text.replace(b"retally-seal/1", b"x")):
        with pytest.raises(SealError, match="no seal of a night"):
            seals.read_seal(altered)


@pytest.mark.parametrize("content", [b"", b"[]", b"{" * 100_000, b"\xff"], ids=range(4))
def test_a_seal_full_of_rubbish_is_named(content):
    assert any(line.startswith("seal.json") for line in told(forged(unpacked(CONTENT), **{"seal.json": content})))
