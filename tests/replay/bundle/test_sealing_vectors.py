"""Both verifiers are held to the test vectors of sealing: the one in Python, and the one in the page of a bundle."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from datetime import date, datetime
from types import SimpleNamespace
from typing import Any, Final

import msgspec
import pytest
from nacl.exceptions import CryptoError

from replay import key_scope
from replay.bundle import contents, leaves, merkle
from replay.bundle.container import BundleError, read, wrong_checksums
from replay.bundle.contents import Manifest
from replay.bundle.policy import read_policy, standing
from replay.bundle.seal_keys import SealKeys
from replay.bundle.sealed_events import Seals, check_order
from replay.bundle.statements import Claim, Ledger
from replay.bundle.strict import NoteError
from replay.evidence import PublicKey, key_id
from replay.key_scope import ScopedKeys
from replay.line import read as read_line
from replay.order import Ordered
from tests.replay import fuzz
from tests.replay.bundle import sealing_vectors
from tests.replay.bundle.bundles import members
from tests.replay.bundle.sealing_vectors import FILES, FOLDER, SESSION
from tests.replay.bundle.second import SecondVerifier, second_verifier

Vector = dict[str, Any]
VECTORS: Final[dict[str, list[Vector]]] = {
    name: json.loads((FOLDER / f"{name}.json").read_text("utf-8"))["vectors"] for name in FILES
}


@pytest.mark.parametrize("name", FILES)
def test_the_files_are_what_is_made(name):
    assert (FOLDER / f"{name}.json").read_text("utf-8") == sealing_vectors.text_of(name)


@pytest.mark.parametrize("name", FILES)
def test_each_has_good_ones_and_says_of_each_bad_one_why_it_is(name):
    found = VECTORS[name]
    if name != "versions":
        assert {one["holds"] for one in found} == {True, False}
        assert all(("because" in one) != one["holds"] for one in found)


def content(vector: Vector, name: str) -> bytes:
    return vector[name].encode() if name in vector else base64.b64decode(vector[f"{name}_base64"])


# The first verifier


def holds(read: Callable[[], Any], *refusals: type[Exception]) -> bool:
    try:
        return bool(read())
    except refusals:
        return False


def event(vector: Vector) -> bool:
    return read_line(content(vector, "line")).event is not None


def sealed(vector: Vector) -> tuple[list[str], int]:
    ledger = Ledger()
    seals = Seals(ledger, SealKeys(contents.read_keys(vector["keys"]), None))
    lines = content(vector, "events").split(b"\n")
    assert lines.pop() == b""
    heads = [read_line(line) for line in lines]
    check_order(ledger, "events", SESSION, heads)
    seals.check("events", lines, heads)
    return [str(one) for one in (Claim.ORDER, Claim.SEALS, Claim.SCOPE) if ledger.has_failed(one)], seals.good


def keys(vector: Vector) -> bool:
    text = vector["text"]
    return holds(
        lambda: (
            contents.keys_text(found := contents.read_keys(text)) == text
            and all(key_id(key) == name for name, key in found.items())
        ),
        ValueError,
    )


def scope(vector: Vector) -> bool:
    scoped = ScopedKeys({}, {"k": key_scope.decoded(vector["terms"])})
    seal = SimpleNamespace(key="k", table=vector["table"], at=datetime.fromisoformat(vector["at"]))
    return not scoped.fault(seal, vector["table"], date.fromisoformat(vector["gaming_day"]))


def signature(vector: Vector) -> bool:
    public, message, signed = (bytes.fromhex(vector[name]) for name in ("public", "message", "signature"))
    return holds(lambda: PublicKey(public).verify(message, signed) == message, CryptoError)


def container(vector: Vector) -> bool:
    data = memoryview(content(vector, "zip"))
    return holds(lambda: wrong_checksums(data, read(data)) == [], BundleError)


def manifest(vector: Vector) -> bool:
    data = vector["text"].encode()
    return holds(lambda: contents.pretty(msgspec.json.decode(data, type=Manifest)) == data, msgspec.MsgspecError)


def inclusion(vector: Vector) -> bool:
    root, leaf = bytes.fromhex(vector["root"]), bytes.fromhex(vector["leaf"])
    return merkle.included(root, vector["size"], vector["index"], leaf, [*map(bytes.fromhex, vector["path"])])


def consistency(vector: Vector) -> bool:
    old, new = bytes.fromhex(vector["old_root"]), bytes.fromhex(vector["root"])
    return merkle.extends(old, vector["old_size"], new, vector["size"], [*map(bytes.fromhex, vector["proof"])])


def leaf(vector: Vector) -> bool:
    data = vector["leaf"].encode()
    return holds(lambda: leaves.read(data).hash.hex() == vector["hash"], NoteError)


def head(vector: Vector) -> bool:
    return holds(lambda: standing(vector["note"].encode(), read_policy(vector["policy"].encode())).is_met, NoteError)


def policy(vector: Vector) -> bool:
    return holds(lambda: read_policy(vector["policy"].encode()), NoteError)


FIRST: Final[dict[str, Callable[[Vector], bool]]] = {
    "events": event,
    "keys": keys,
    "scopes": scope,
    "ed25519": signature,
    "containers": container,
    "manifests": manifest,
    "inclusions": inclusion,
    "consistencies": consistency,
    "leaves": leaf,
    "heads": head,
    "policies": policy,
}


@pytest.mark.parametrize("name", FIRST)
def test_the_first_verifier_holds_to_them(name):
    assert [one for one in VECTORS[name] if FIRST[name](one) != one["holds"]] == []


def test_the_first_verifier_says_of_sessions_what_fails():
    for one in VECTORS["seals"]:
        assert sealed(one) == (one["fails"], one["good"]), one.get("because")


def test_of_lines_that_contradict_each_other_those_count_that_the_seals_bear_out():
    for one in VECTORS["versions"]:
        lines = [line.encode() for line in one["lines"]]
        ordered = Ordered(SESSION, lines, contents.read_keys(one["keys"]))

        assert ordered.counted() == [lines[place] for place in one["counts"]], one["about"]


# The second verifier


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecondVerifier]:
    with second_verifier(members()["index.html"], tmp_path_factory.mktemp("page")) as found:
        yield found


CONTENT: Final = """
  (vector, name) => name in vector ? utf8(vector[name])
    : Uint8Array.from(atob(vector[name + "_base64"]), (one) => one.charCodeAt(0))
"""
SECOND: Final = {
    "events": "async (v) => readLine(content(v, 'line')).event !== null",
    "keys": """async (v) => {
      const { keys, isSpelt } = await bundleKeysFrom(utf8(v.text));
      for (const [name, key] of keys) if ((await keyId(key.bytes)) !== name) return false;
      return isSpelt;
    }""",
    "scopes": "async (v) => outsideOf(termsFrom(v.terms).terms, v.table, v.gaming_day, momentFrom(v.at)) === ''",
    "ed25519": "async (v) => signatureHolds(unhex(v.public), unhex(v.message), unhex(v.signature))",
    "containers": "async (v) => [...membersOf(content(v, 'zip')).values()].every((one) => one.crcHolds)",
    "manifests": "async (v) => isAsWritten(utf8(v.text), manifestFrom(utf8(v.text)))",
    "inclusions": """async (v) => isIncluded(
      unhex(v.root), BigInt(v.size), BigInt(v.index), await leafHash(unhex(v.leaf)), v.path.map(unhex))""",
    "consistencies": """async (v) => isExtended(
      unhex(v.old_root), BigInt(v.old_size), unhex(v.root), BigInt(v.size), v.proof.map(unhex))""",
    "leaves": "async (v) => leafFrom(utf8(v.leaf)) && hex(await leafHash(utf8(v.leaf))) === v.hash",
    "heads": "async (v) => (await standingOf(await headFrom(utf8(v.note)), await policyFrom(utf8(v.policy)))).enough",
    "policies": "async (v) => Boolean(await policyFrom(utf8(v.policy)))",
}
HOLDS: Final = """async ([vectors]) => {
  const content = %s;
  const holds = %s;
  const found = [];
  for (const vector of vectors) {
    try {
      found.push(await holds(vector));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      found.push(false);
    }
  }
  return found;
}"""
SEALED: Final = """async ([vectors, session]) => {
  const content = %s;
  const found = [];
  for (const vector of vectors) {
    const failed = new Set();
    const fail = (claim) => failed.add(claim);
    const { lines } = splitLines(content(vector, "events"));
    const heads = lines.map(readLine);
    const { keys } = await bundleKeysFrom(utf8(vector.keys));
    const seals = { good: 0, unsigned: 0, trusted: 0, signedBy: new Set() };
    checkOrder("events", session, heads, fail);
    await checkSeals("events", heads, new SealKeys(keys, null), seals, fail);
    found.push([["order", "seals", "scope"].filter((claim) => failed.has(claim)), seals.good]);
  }
  return found;
}"""


@pytest.mark.chromium
@pytest.mark.parametrize("name", SECOND)
def test_the_second_verifier_holds_to_them(name, second):
    found = second.page.evaluate(HOLDS % (CONTENT, SECOND[name]), [VECTORS[name]])

    assert [one for one, told in zip(VECTORS[name], found, strict=True) if told != one["holds"]] == []


@pytest.mark.chromium
def test_the_second_verifier_says_of_sessions_what_fails(second):
    found = second.page.evaluate(SEALED % CONTENT, [VECTORS["seals"], SESSION])

    for one, told in zip(VECTORS["seals"], found, strict=True):
        assert told == [one["fails"], one["good"]], one.get("because")


@pytest.mark.chromium
def test_the_second_verifier_reads_lines_as_the_first_does(second):
    """Lines between good and bad, by lot: the same are events, and of the others it is told alike whose they are."""
    lines = list(fuzz.lines(14, 3_000))
    given = [base64.b64encode(line).decode() for line in lines]
    script = """([lines]) => lines.map((line) => {
      const found = readLine(Uint8Array.from(atob(line), (one) => one.charCodeAt(0)));
      return [found.session, found.seq, found.event !== null];
    })"""

    found = second.page.evaluate(script, [given])

    for line, told in zip(lines, found, strict=True):
        ours = read_line(line)
        assert told == [ours.session, ours.seq, ours.event is not None], line
