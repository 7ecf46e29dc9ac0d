"""The test vectors of the floor's log, held against arithmetic that shares nothing with ours, and others' programs."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.bundle import leaves
from replay.bundle.checkpoint import read_head
from replay.bundle.note import LOG, WITNESS, NoteError, read_key
from replay.bundle.placement import Placement, placed
from replay.bundle.policy import read_policy, standing
from replay.bundle.witness import Alarm, HandOver, check, new_state
from tests import oracles
from tests.replay.bundle import floor_log_vectors

VECTORS: Final[dict[str, Any]] = json.loads(floor_log_vectors.FILE.read_text("utf-8"))
NIGHTS: Final[list[dict[str, Any]]] = VECTORS["nights"]
ROSTER: Final = b"BO01\nBO02\nCR01\n"
NAME: Final = VECTORS["origin"]


def root_of(found: list[bytes]) -> bytes:
    """RFC 6962, section 2.1, as it stands there: MTH."""
    if not found:
        return hashlib.sha256().digest()
    if len(found) == 1:
        return hashlib.sha256(b"\x00" + found[0]).digest()
    split = 1
    while split * 2 < len(found):
        split *= 2
    return hashlib.sha256(b"\x01" + root_of(found[:split]) + root_of(found[split:])).digest()


def vkey(name: str, kind: int, seed: str) -> str:
    public = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed)).public_key().public_bytes_raw()
    material = bytes([kind]) + public
    identifier = hashlib.sha256(name.encode() + b"\n" + material).hexdigest()[:8]
    return f"{name}+{identifier}+{base64.b64encode(material).decode()}"


def test_the_file_is_what_is_made():
    assert floor_log_vectors.FILE.read_text("utf-8") == floor_log_vectors.text()


def test_the_keys_are_those_of_the_seeds():
    assert VECTORS["log_key"] == vkey(NAME, 1, VECTORS["house_seed"])
    assert VECTORS["witness_key"] == vkey(VECTORS["witness_name"], 4, VECTORS["witness_seed"])


def test_every_head_is_over_all_leaves_so_far_and_signed_over_its_text():
    """With nothing but SHA-256, Base64 and OpenSSL's Ed25519."""
    seeds = (bytes.fromhex(VECTORS[f"{who}_seed"]) for who in ("house", "witness"))
    house, regulator = map(Ed25519PrivateKey.from_private_bytes, seeds)
    found: list[bytes] = []
    for night in NIGHTS:
        lines = [entry.encode() for entry in night["entries"]]
        assert night["leaf_hashes"] == [hashlib.sha256(b"\x00" + line).hexdigest() for line in lines]
        assert night["entries_file"].encode() == b"".join(b"%d\n%s" % (len(line), line) for line in lines)
        found += lines
        root = root_of(found)
        assert night["root"] == root.hex()
        text = f"{NAME}\n{len(found)}\n{base64.b64encode(root).decode()}\n"
        ids = [base64.b64decode(VECTORS[f"{who}_key"].rsplit("+", 1)[1]) for who in ("log", "witness")]
        log_id = hashlib.sha256(NAME.encode() + b"\n" + ids[0]).digest()[:4]
        witness_id = hashlib.sha256(VECTORS["witness_name"].encode() + b"\n" + ids[1]).digest()[:4]
        at = VECTORS["cosigned_at"]
        said = regulator.sign(f"cosignature/v1\ntime {at}\n{text}".encode())
        lines_of = [
            f"— {NAME} {base64.b64encode(log_id + house.sign(text.encode())).decode()}\n",
            f"— {VECTORS['witness_name']} {base64.b64encode(witness_id + at.to_bytes(8, 'big') + said).decode()}\n",
        ]
        assert night["cosigned_head"] == f"{text}\n{''.join(lines_of)}"
        assert night["add_checkpoint"].endswith(f"\n\n{text}\n{lines_of[0]}")


def test_every_night_tells_of_its_boundary_and_its_roster():
    before = 0
    for night in NIGHTS:
        own = dict(line.split(" ", 1) for line in night["entries"][-1].splitlines()[1:])
        assert (int(own["first"]), int(own["count"])) == (before, len(night["entries"]) - 1)
        assert own["roster"] == hashlib.sha256(night["roster"].encode()).hexdigest()
        before += len(night["entries"])


def test_every_table_counts_its_sessions_and_names_the_leaf_before():
    last: dict[str, tuple[int, str]] = {}
    for night in NIGHTS:
        for entry in night["entries"]:
            kind = entry.split("\n", 1)[0].removeprefix("retally-leaf/2 ")
            said = dict(line.split(" ", 1) for line in entry.splitlines()[1:])
            if kind in ("session", "late"):
                ordinal, leaf = last.get(said["table"], (0, "-"))
                assert (int(said["ordinal"]), said["previous"]) == (ordinal + 1, leaf)
                last[said["table"]] = ordinal + 1, hashlib.sha256(b"\x00" + entry.encode()).hexdigest()


def test_a_session_stands_in_its_night():
    said = VECTORS["proof_of_a_session"]
    files = Placement(*(said[name].encode() for name in ("entry", "proof", "night", "night_proof")))
    found = placed(files, read_policy(VECTORS["policy"].encode()))

    assert found.standing is not None
    assert found.standing.is_met
    assert NIGHTS[1]["entries"][found.index - len(NIGHTS[0]["entries"])] == said["entry"]


@pytest.mark.parametrize("one", VECTORS["refused_notes"], ids=lambda one: one["why"])
def test_notes_that_nobody_may_take_are_refused(one):
    keys = read_key(VECTORS["log_key"], LOG), read_key(VECTORS["witness_key"], WITNESS)

    assert read_head(NIGHTS[0]["cosigned_head"].encode(), [keys[0]], [keys[1]])
    with pytest.raises(NoteError):
        read_head(base64.b64decode(one["note"]), [keys[0]], [keys[1]])


def test_a_witness_signs_the_nights_and_raises_the_alarms():
    state = new_state(read_key(VECTORS["log_key"], LOG), read_key(VECTORS["witness_key"], WITNESS))
    for night in NIGHTS:
        report = b"the night's report\n" if "\nreport -\n" not in night["entries"][-1] else None
        request, found, roster = (night[name].encode() for name in ("add_checkpoint", "entries_file", "roster"))
        state = check(state, HandOver(request, found, roster, report)).state
    first, *others = VECTORS["alarms"]
    state = new_state(state.log.key, read_key(state.witness, WITNESS))
    state = check(state, HandOver(first["add_checkpoint"].encode(), first["entries_file"].encode(), ROSTER)).state
    for one in others:
        with pytest.raises(Alarm) as told:
            check(state, HandOver(one["add_checkpoint"].encode(), one["entries_file"].encode(), ROSTER))
        assert told.value.code == one["alarm"]


@pytest.mark.go
@pytest.mark.xdist_group("go")
def test_gos_implementations_take_every_head_of_them():
    oracle = oracles.Oracle()
    size = 0
    for night in NIGHTS:
        size += len(night["entries"])
        said = {"origin": NAME, "log": VECTORS["log_key"], "witnesses": [VECTORS["witness_key"]]}
        head = night["cosigned_head"].encode()
        answers = oracle.ask("head", note=head, size=size, root=bytes.fromhex(night["root"]), **said)
        assert set(answers.values()) == {"yes"}
        assert standing(head, read_policy(VECTORS["policy"].encode())).is_met
    proof = VECTORS["proof_of_a_session"]["proof"].encode()
    assert oracle.ask("proof", note=proof) == {"formats/proof": "yes"}
    oracle.close()


def test_every_kind_of_leaf_but_a_case_is_among_them():
    kinds = {type(leaves.read(entry.encode())).__name__ for night in NIGHTS for entry in night["entries"]}

    assert kinds == {"Import", "KeyChange", "Closed", "Absent", "Session", "Late", "Night"}
