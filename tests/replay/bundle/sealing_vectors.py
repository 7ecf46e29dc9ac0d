"""The test vectors of sealing: ``python -m tests.replay.bundle.sealing_vectors`` writes ``tests/vectors/sealing`` anew.

They are made from docs/sealing.md alone, with hashlib, OpenSSL's Ed25519 and the standard library's zip: nothing here
comes from `replay`. Of each: what it is, whether it holds, and why not. `test_sealing_vectors` holds both verifiers to
them.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

FOLDER: Final = Path(__file__).parent.parent.parent / "vectors" / "sealing"
GATEWAY: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER: Final = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
LOG: Final = Ed25519PrivateKey.from_private_bytes(b"\x01" * 32)
WITNESS: Final = Ed25519PrivateKey.from_private_bytes(b"\x02" * 32)
ORIGIN: Final = "operator.example/retally/floor-1"
WITNESS_NAME: Final = "regulator.example/w1"
SESSION: Final = "BO01-2026-11-29"
ORDER: Final = 2**252 + 27742317777372353535851937790883648493
"""Of Ed25519's group (RFC 8032)."""

Vector = dict[str, Any]


def text_or_base64(name: str, data: bytes) -> dict[str, str]:
    """Bytes as text, where they are some; else in Base64."""
    try:
        return {name: data.decode("utf-8")}
    except UnicodeDecodeError:
        return {f"{name}_base64": base64.b64encode(data).decode()}


def bad(vector: Vector, because: str) -> Vector:
    return {**vector, "holds": False, "because": because}


def good(vector: Vector) -> Vector:
    return {**vector, "holds": True}


def public(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes_raw()


def identifier(key: Ed25519PrivateKey) -> str:
    return hashlib.sha256(public(key)).hexdigest()[:16]


# --- events ---------------------------------------------------------------------------------------------------------

BET: Final = (
    b'{"v":1,"type":"bet_placed","session":"BO01-2026-11-29","seq":4,"at":"2026-11-29T20:00:05.000000Z",'
    b'"table":"BO01","device":"d","round":1,"bet":"b1","seat":1,"wager":"red","amount":1000}'
)
CHECKPOINT: Final = (
    b'{"v":1,"type":"checkpoint","session":"BO01-2026-11-29","seq":9,"at":"2026-11-29T20:00:05Z","table":"BO01",'
    b'"device":"d","chain":"' + b"ab" * 32 + b'","key":"56475aa75463474c","signature":"' + b"cd" * 64 + b'"}'
)


def events() -> Iterator[Vector]:
    def one(line: bytes) -> Vector:
        return text_or_base64("line", line)

    def changed(old: bytes, new: bytes, line: bytes = BET) -> Vector:
        assert line.count(old) == 1
        return one(line.replace(old, new))

    yield good(one(BET))
    yield good(one(CHECKPOINT))
    yield good(one(b" \t" + BET + b" \r"))
    yield good(changed(b'"seq":4', b'"seq" : 4'))
    yield good(changed(b'"v":1,', b""))
    yield good(changed(b'"round":1', b'"round":null'))
    yield good(changed(b'"device":"d"', b'"device":"\\u0064"'))
    yield good(changed(b"20:00:05.000000Z", b"21:00:05+01:00"))
    yield bad(changed(b'"seq":4', b'"seq":4,"seq":5'), "a key stands twice")
    yield bad(changed(b'"seq":4', b'"seq":4,"seq":4'), "a key stands twice, though with the same value")
    yield bad(changed(b'"seq":4', b'"seq":4,"\\u0073eq":5'), "a key stands twice, once in escapes")
    yield bad(changed(b'"amount":1000', b'"amount":NaN'), "NaN is no number")
    yield bad(
        changed(b'"amount":1000', b'"amount":-Infinity,"amount":1000'), "an infinity, under a key that is there twice"
    )
    yield bad(changed(b'"amount":1000', b'"amount":"1000"'), "a text is no number")
    yield bad(changed(b'"amount":1000', b'"amount":1000.0'), "a fraction is no whole number")
    yield bad(changed(b'"amount":1000', b'"amount":01000'), "a leading zero is not JSON")
    yield bad(changed(b'"amount":1000', b'"amount":1e3'), "an exponent makes it a fraction")
    yield bad(changed(b'"amount":1000', b'"amount":1000000000000001'), "above 10^15")
    yield bad(changed(b'"amount":1000', b'"amount":1000,"tip":5'), "an unknown field")
    yield bad(changed(b'"amount":1000', b'"amount":1000,'), "a comma too many")
    yield bad(changed(b'"bet_placed"', b'"bet_imagined"'), "no such type")
    yield bad(changed(b'"v":1,', b'"v":2,'), "another version")
    yield bad(changed(b'"v":1,', b'"v":true,'), "true is no 1")
    yield bad(changed(b'"seq":4', b'"seq":0'), "numbers begin with 1")
    yield bad(changed(b'"bet":"b1"', b'"bet":"b\\u00e9"'), "a name is printable ASCII")
    yield bad(changed(b'"bet":"b1"', b'"bet":"b\\"1"'), "a name has no quote")
    yield bad(changed(b'"bet":"b1"', b'"bet":"' + b"b" * 65 + b'"'), "a name has 64 characters at the most")
    yield bad(changed(b'"bet":"b1"', b'"bet":"\xff"'), "not UTF-8")
    yield bad(one(b"\xef\xbb\xbf" + BET), "a byte order mark")
    yield bad(one(BET + b"\x00"), "a byte after the object")
    yield bad(one(BET + BET), "two objects")
    yield bad(one(BET + b" " * 65536), "more than 65,536 bytes")
    yield bad(one(b"[" + BET + b"]"), "no object")
    yield bad(one(b""), "nothing")
    yield bad(changed(b"20:00:05.000000Z", b"20:00:05"), "a time without an offset")
    yield bad(changed(b"20:00:05.000000Z", b"20:00:05.0000000Z"), "more than microseconds")
    yield bad(changed(b"20:00:05.000000Z", b"20:00:60Z"), "a second that there is not")
    yield bad(changed(b"20:00:05.000000Z", b"20:00:05+05:75"), "an offset that there is not")
    yield bad(changed(b"2026-11-29T20", b"2026-02-30T20"), "a day that there is not")
    yield bad(changed(b'"chain":"ab', b'"chain":"AB', CHECKPOINT), "a digest in capitals")
    yield bad(changed(b'"signature":"cd', b'"signature":"CD', CHECKPOINT), "a signature in capitals")
    yield bad(changed(b'"signature":"cd', b'"signature":"', CHECKPOINT), "a signature of 126 digits")
    yield bad(changed(b'"key":"56475aa75463474c",', b"", CHECKPOINT), "a checkpoint without a key")


# --- seals ----------------------------------------------------------------------------------------------------------


class Gateway:
    """Writes and seals a session's log, as the page says."""

    def __init__(self, key: Ed25519PrivateKey = GATEWAY) -> None:
        self.lines: list[bytes] = []
        self.key = key
        self._since = b""

    def event(self, kind: str, **fields: Any) -> bytes:
        self._write(self._line(kind, fields))
        return self.lines[-1]

    def seal(self, change: Callable[[bytes], bytes] = lambda line: line, **fields: Any) -> bytes:
        """``change``: made of the line before it is signed."""
        chain = hashlib.sha256(self._since).digest()
        fields = {"chain": chain.hex(), "key": identifier(self.key), "signature": "0" * 128, **fields}
        unsigned = change(self._line("checkpoint", fields))
        signature = self.key.sign(hashlib.sha256(chain + unsigned).digest()).hex()
        self._since = chain
        self._write(unsigned.replace(b"0" * 128, signature.encode(), 1))
        return self.lines[-1]

    def _line(self, kind: str, fields: dict[str, Any]) -> bytes:
        seq = len(self.lines) + 1
        at = f"2026-11-29T20:00:{seq:02}Z"
        event = {"v": 1, "type": kind, "session": SESSION, "seq": seq, "at": at, "table": "BO01", "device": "d"}
        return json.dumps({**event, **fields}, separators=(",", ":")).encode()

    def _write(self, line: bytes) -> None:
        self.lines.append(line)
        self._since += line + b"\n"


HOUSE: Final = {
    "casino": "C", "pit": "P", "game": "boule", "rules": "AD-2025", "currency": "EUR", "gaming_day": "2026-11-29",
}  # fmt: skip


def session(key: Ed25519PrivateKey = GATEWAY) -> list[bytes]:
    """A table is opened, a number falls, the table is closed: 7 events, 2 of them seals."""
    gateway = Gateway(key)
    gateway.event("table_opened", **HOUSE)
    gateway.event("round_opened")
    gateway.event("ball_landed", number=7)
    gateway.seal()
    gateway.event("table_closed", float=0)
    gateway.event("drop_counted", amount=0)
    gateway.seal()
    return gateway.lines


def keys_text(key: Ed25519PrivateKey = GATEWAY, terms: str = "") -> str:
    return f"{identifier(key)} {public(key).hex()}{' ' if terms else ''}{terms}\n"


def seals() -> Iterator[Vector]:
    """``fails``: which of the statements order, seals and scope fail; ``good``: seals that hold."""

    def of(
        lines: Sequence[bytes], keys: str = "", *, fails: Sequence[str] = (), n: int = 2, because: str = ""
    ) -> Vector:
        content = b"".join(line + b"\n" for line in lines)
        found = {**text_or_base64("events", content), "keys": keys or keys_text(), "fails": list(fails), "good": n}
        return bad(found, because) if fails else good(found)

    lines = session()
    yield of(lines)
    yield of(session(OTHER), keys_text(OTHER))
    broken = ["order", "seals"]
    yield of(
        [*lines[:2], *lines[3:]], fails=broken, n=1, because="event 3 was taken out: the chain of event 4 does not fit"
    )
    yield of([*lines[:3], lines[2], *lines[3:]], fails=broken, n=1, because="event 3 is there twice")
    yield of([lines[1], lines[0], *lines[2:]], fails=broken, n=1, because="events 1 and 2 are in each other's place")
    yield of(lines[:4], fails=["order"], n=1, because="the table was not closed")
    yield of(lines[:6], fails=["seals"], n=1, because="events 5 and 6 are under no seal")
    altered = [line.replace(b'"number":7', b'"number":8') for line in lines]
    yield of(altered, fails=["seals"], n=1, because="event 3 is another one")
    moved = [lines[0] + b" ", *lines[1:]]
    yield of(moved, fails=["seals"], n=1, because="a blank more at the end of a line")
    spaced = [lines[0] + b"\r", *lines[1:]]
    yield of(spaced, fails=["seals"], n=1, because="a carriage return before a line feed belongs to the line")
    between = [*lines[:1], b"", *lines[1:]]
    yield of(between, fails=broken, n=1, because="an empty line is a line")
    upper = [line.replace(line[-130:-2], line[-130:-2].upper()) if b"checkpoint" in line else line for line in lines]
    yield of(upper, fails=["seals"], n=0, because="a signature in capitals is no seal: nothing is under one")
    yield of(lines, keys_text(OTHER), fails=["seals"], n=0, because="the key that the seals name is not at hand")
    named = f"{identifier(GATEWAY)} {public(OTHER).hex()}\n"
    yield of(lines, named, fails=["seals"], n=0, because="the signature is another key's")
    other = Gateway()
    other.event("table_opened", **HOUSE)
    other.event("table_closed", float=0)
    other.seal(device="0" * 64)
    yield of(other.lines, n=1)
    twice = Gateway()
    twice.event("table_opened", **HOUSE)
    twice.event("table_closed", float=0)
    twice.seal(lambda line: line.replace(b'"device":"d"', b'"device":"' + b"d" * 65 + b'"'))
    yield of(twice.lines, fails=["seals"], n=0, because="the checkpoint is no event, and so no seal")
    tables = '{"gateway":"BO","grants":[{"tables":["BO*"],"from":"2026-11-29","until":"2026-11-29"}]}'
    yield of(lines, keys_text(terms=tables))
    tables = '{"grants":[{"tables":["CR*"]},{"tables":["BO0"]}]}'
    yield of(lines, keys_text(terms=tables), fails=["scope"], n=0, because="the key is not for table BO01")
    days = '{"grants":[{"tables":["*"],"until":"2026-11-28"}]}'
    yield of(lines, keys_text(terms=days), fails=["scope"], n=0, because="the key is not for that gaming day")
    revoked = '{"grants":[{"tables":["*"]}],"revoked":"2026-11-29T20:00:05Z"}'
    yield of(
        lines, keys_text(terms=revoked), fails=["scope"], n=1, because="the key was revoked before the second seal"
    )


def versions() -> Iterator[Vector]:
    """Lines of one session in any order, of which some contradict each other: ``counts``, which count, in order."""

    def of(lines: Sequence[bytes], counts: Sequence[bytes], about: str) -> Vector:
        told = [line.decode() for line in lines]
        return {
            "about": about,
            "lines": told,
            "keys": keys_text(),
            "counts": [told.index(one.decode()) for one in counts],
        }

    lines = session()
    forged = lines[2].replace(b'"number":7', b'"number":8')
    opening = lines[0].replace(b'"boule"', b'"craps"')
    refused = lines[1].replace(b'"seq":2', b'"seq":2,"seq":2')
    seal = Gateway(OTHER)
    seal.lines = lines[:3]
    seal._since = b"".join(line + b"\n" for line in lines[:3])
    yield of(lines, lines, "nothing is told twice")
    yield of([*lines, lines[2]], lines, "a copy with the same bytes is no second version")
    yield of([forged, *lines], lines, "a second version of event 3: the next seal decides")
    yield of([*lines, opening, forged], lines, "second versions of events 1 and 3 under one seal")
    yield of([*reversed(lines), forged], lines, "in whatever order they came")
    yield of([refused, *lines], lines, "a version that was refused")
    yield of([seal.seal(), *lines], lines, "a second seal, by a key that is not the table's")


# --- keys -----------------------------------------------------------------------------------------------------------


def carried_keys() -> Iterator[Vector]:
    """``keys.txt`` of a bundle."""
    first, second = sorted([keys_text(), keys_text(OTHER)])
    terms = '{"gateway":"BO","grants":[{"tables":["BO*","CR01"],"from":"2026-11-01","until":"2026-11-30"}]}'
    one = keys_text().rstrip("\n")

    def of(text: str) -> Vector:
        return {"text": text}

    yield good(of(""))
    yield good(of(first + second))
    yield good(of(keys_text(terms=terms)))
    yield good(of(keys_text(terms='{"grants":[{"tables":["*"]}],"revoked":"2026-12-10T14:00:00Z"}')))
    yield good(of(keys_text(terms='{"grants":[{"tables":["*"]}],"revoked":"2026-12-10T14:00:00.500000+01:30"}')))
    yield bad(of(second + first), "not in order of the identifiers")
    yield bad(of(first + first), "a key twice")
    yield bad(of(one), "no line end at the end")
    yield bad(of(one + "\r\n"), "a carriage return")
    yield bad(of(one + " \n"), "a blank at the end")
    yield bad(of(one.replace(" ", "  ") + "\n"), "two blanks")
    yield bad(of(one[:17] + one[17:].upper() + "\n"), "a key in capitals")
    yield bad(of(one[:-2] + "\n"), "a key of 62 digits")
    yield bad(of(one.replace(identifier(GATEWAY), "0" * 16) + "\n"), "an identifier that is not the key's")
    yield bad(of(keys_text(terms="{}")), "a key that counts for nothing")
    yield bad(of(keys_text(terms='{"grants":[]}')), "a key that counts for nothing")
    yield bad(of(keys_text(terms='{"grants":[{"tables":[]}]}')), "a grant of no table")
    yield bad(of(keys_text(terms='{"grants": [{"tables":["*"]}]}')), "a blank in the JSON")
    yield bad(
        of(keys_text(terms='{"grants":[{"tables":["*"]}],"grants":[{"tables":["*"]}]}')), "a key twice in the JSON"
    )
    yield bad(of(keys_text(terms='{"grants":[{"tables":["*"],"from":null}]}')), "null is left out")
    yield bad(of(keys_text(terms='{"grants":[{"tables":["*"],"from":"2026-02-30"}]}')), "a day that there is not")
    yield bad(of(keys_text(terms='{"grants":[{"tables":["B\\u004f*"]}]}')), "an escape")
    yield bad(of(keys_text(terms='{"grants":[{"tables":["*"]}],"revoked":"2026-12-10T14:00:00"}')), "no time zone")
    yield bad(of(keys_text(terms='{"grants":[{"tables":["*"]}],"revoked":"2026-12-10T14:00:00+00:00"}')), "UTC is Z")


def scopes() -> Iterator[Vector]:
    """What a key counts for, and a seal of a session of this table and gaming day, at this moment."""

    def of(
        grants: Any, table: str = "BO01", day: str = "2026-11-29", at: str = "2026-11-29T20:00:00Z", **more: Any
    ) -> Vector:
        terms = json.dumps({"grants": grants, **more}, separators=(",", ":"))
        return {"terms": terms, "table": table, "gaming_day": day, "at": at}

    every = [{"tables": ["*"]}]
    yield good(of(every))
    yield good(of([{"tables": ["BO*"]}]))
    yield good(of([{"tables": ["*1"]}]))
    yield good(of([{"tables": ["B*0*"]}]))
    yield good(of([{"tables": ["CR01"]}, {"tables": ["BO01"]}]))
    yield bad(of([{"tables": ["BO0"]}]), "a name without a star is the whole name")
    yield bad(of([{"tables": ["bo01"]}]), "letters are not of one size")
    yield bad(of([{"tables": ["BO01*1"]}]), "a star stands for characters beside the others, not for the same ones")
    yield good(of([{"tables": ["BO.1"]}], table="BO.1"))
    yield bad(of([{"tables": ["BO.1"]}]), "a point is a point")
    yield good(of([{"tables": ["*"], "from": "2026-11-29", "until": "2026-11-29"}]))
    yield bad(of([{"tables": ["*"], "from": "2026-11-30"}]), "before its first gaming day")
    yield bad(of([{"tables": ["*"], "until": "2026-11-28"}]), "after its last gaming day")
    yield good(of([{"tables": ["*"], "from": "2026-11-29"}], at="2026-11-28T10:00:00Z"))
    yield bad(
        of([{"tables": ["*"], "from": "2026-11-29"}], at="2026-11-28T09:59:59Z"),
        "more than 14 hours before its first day",
    )
    yield good(of([{"tables": ["*"], "until": "2026-11-29"}], at="2026-12-06T23:59:59Z"))
    yield bad(
        of([{"tables": ["*"], "until": "2026-11-29"}], at="2026-12-07T00:00:00Z"), "eight days after its last day began"
    )
    yield good(of(every, revoked="2026-11-29T20:00:01Z"))
    yield bad(of(every, revoked="2026-11-29T20:00:00Z"), "revoked at the moment of the seal")
    yield good(of(every, day="2026-11-30", at="2026-11-29T09:59:59Z", revoked="2026-11-29T10:00:01Z"))
    yield bad(
        of(every, day="2026-11-30", at="2026-11-29T09:59:59Z", revoked="2026-11-29T10:00:00Z"),
        "revoked 14 hours before the gaming day began",
    )
    yield bad(
        of([{"tables": ["BO01"], "until": "2026-11-28"}, {"tables": ["CR01"]}]),
        "one grant has the table, another the day",
    )


def ed25519() -> Iterator[Vector]:
    """RFC 8032, and what lax readers let pass."""
    message = b"retally"
    signature = GATEWAY.sign(message)
    r, s = signature[:32], int.from_bytes(signature[32:], "little")

    def of(key: bytes, text: bytes, signed: bytes) -> Vector:
        return {"public": key.hex(), "message": text.hex(), "signature": signed.hex()}

    rfc = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    rfc_signature = (
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    )
    neutral, zero = (1).to_bytes(32, "little"), bytes(32)
    minus_one = (2**255 - 20).to_bytes(32, "little")
    yield good(of(bytes.fromhex(rfc), b"", bytes.fromhex(rfc_signature)))
    yield good(of(public(GATEWAY), message, signature))
    yield bad(of(public(GATEWAY), message + b".", signature), "another message")
    yield bad(of(public(OTHER), message, signature), "another key")
    yield bad(
        of(public(GATEWAY), message, r + (s + ORDER).to_bytes(32, "little")), "the same number, spelt above the order"
    )
    yield bad(of(neutral, message, neutral + zero), "a key of order 1, under which anybody signs everything")
    yield bad(of(minus_one, message, neutral + zero), "a key of order 2")
    yield bad(
        of((2**255 - 18).to_bytes(32, "little"), message, neutral + zero), "a key of order 1, spelt above the prime"
    )
    yield bad(of(zero, message, neutral + zero), "a key of order 4")
    yield bad(of((2).to_bytes(32, "little"), message, signature), "no point of the curve")
    yield bad(of(public(GATEWAY), message, neutral + signature[32:]), "a signature whose point is of small order")


# --- container and manifest -----------------------------------------------------------------------------------------


def zipped(members: Sequence[tuple[str, bytes]], *, method: int = zipfile.ZIP_STORED, **fields: Any) -> bytes:
    """By the standard library. ``fields``: of each member's entry."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in members:
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = method
            info.create_system = 3
            info.external_attr = 0o100644 << 16
            for field, value in fields.items():
                setattr(info, field, value)
            archive.writestr(info, content)
    return stream.getvalue()


def containers() -> Iterator[Vector]:
    members = [("index.html", b"<p>"), ("keys.txt", b""), ("sessions/0001/events.jsonl", b"{}\n")]
    genuine = zipped(members)

    def of(data: bytes) -> Vector:
        return {"zip_base64": base64.b64encode(data).decode()}

    yield good(of(genuine))
    yield good(of(zipped([])))
    yield bad(of(b""), "nothing")
    yield bad(of(zipped(members, method=zipfile.ZIP_DEFLATED)), "compressed")
    yield bad(of(zipped(members[::-1])), "not in order of the names")
    yield bad(of(zipped([("notes.txt", b"")])), "a member that no bundle has")
    yield bad(of(zipped([("rules/../keys.txt", b"")])), "a name that leads out of it")
    yield bad(of(zipped(members, date_time=(2026, 11, 29, 0, 0, 0))), "another date than 1980-01-01")
    yield bad(of(zipped(members, external_attr=0o100755 << 16)), "other attributes")
    yield bad(of(zipped(members, create_system=0)), "made by another system")
    yield bad(of(zipped(members, extra=b"\x99\x99\x00\x00")), "an extra field")
    yield bad(of(zipped(members, comment=b"hi")), "a comment")
    yield bad(of(genuine + b"\x00"), "a byte after the end")
    yield bad(of(b"\x00" + genuine), "a byte before the beginning")
    yield bad(of(genuine[:-1]), "a byte too few")
    yield bad(of(genuine.replace(b"<p>", b"<b>")), "a checksum that is not the content's")
    twice = zipped([("keys.txt", b""), ("keys.txu", b"")]).replace(b"keys.txu", b"keys.txt")
    yield bad(of(twice), "a member twice")
    cut = genuine.index(b"PK\x01\x02")
    yield bad(of(genuine[:cut] + b"hidden" + genuine[cut:]), "bytes between the members and the directory")


def manifests() -> Iterator[Vector]:
    entry = {
        "session": SESSION, "folder": "sessions/0001", "gaming_day": "2026-11-29", "game": "boule", "rules": "AD-2025",
        "law": "ab" * 32, "events": 7, "chain": "cd" * 32,
    }  # fmt: skip
    member = {"name": "index.html", "bytes": 3, "sha256": hashlib.sha256(b"<p>").hexdigest()}
    whole: dict[str, Any] = {
        "format": "retally-evidence/4",
        "engine": 1,
        "scope": {"session": SESSION, "round": None, "date": None},
        "sessions": [entry],
        "members": [member],
    }

    def of(value: Any) -> Vector:
        return {"text": value if isinstance(value, str) else json.dumps(value, indent=2) + "\n"}

    text = of(whole)["text"]
    yield good(of(whole))
    yield good(of(whole | {"format": "retally-evidence/3"}))
    yield good(of(whole | {"sessions": [], "members": []}))
    yield bad(of(whole | {"format": "retally-evidence/5"}), "a format that is not known")
    yield bad(of(whole | {"note": "hi"}), "an unknown field")
    yield bad(of({name: whole[name] for name in whole if name != "members"}), "a field too few")
    yield bad(of(dict(reversed(whole.items()))), "fields in another order")
    yield bad(of(json.dumps(whole) + "\n"), "not indented")
    yield bad(of(text.rstrip("\n")), "no line end at the end")
    yield bad(of(text.replace('"engine": 1,', '"engine": 1.0,')), "a fraction")
    yield bad(of(text.replace('"engine": 1,', '"engine": 1, "engine": 1,')), "a key twice")
    yield bad(of(text.replace('"engine": 1,', '"engine": 0,')), "engines are counted from 1")
    yield bad(of(text.replace('"AD-2025"', '"\\u0041D-2025"')), "an escape")
    yield bad(of(text.replace("ab" * 32, "AB" * 32)), "a digest in capitals")


# --- the floor's log ------------------------------------------------------------------------------------------------


def leaf_hash(leaf: bytes) -> bytes:
    return hashlib.sha256(b"\x00" + leaf).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """RFC 6962, section 2.1: MTH."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return leaf_hash(leaves[0])
    split = _split(len(leaves))
    return hashlib.sha256(b"\x01" + root_of(leaves[:split]) + root_of(leaves[split:])).digest()


def path_of(index: int, leaves: Sequence[bytes]) -> list[bytes]:
    """PATH."""
    if len(leaves) == 1:
        return []
    split = _split(len(leaves))
    if index < split:
        return [*path_of(index, leaves[:split]), root_of(leaves[split:])]
    return [*path_of(index - split, leaves[split:]), root_of(leaves[:split])]


def proof_of(size: int, leaves: Sequence[bytes], whole: bool = True) -> list[bytes]:
    """PROOF, with SUBPROOF."""
    if size == len(leaves):
        return [] if whole else [root_of(leaves)]
    split = _split(len(leaves))
    if size <= split:
        return [*proof_of(size, leaves[:split], whole), root_of(leaves[split:])]
    return [*proof_of(size - split, leaves[split:], False), root_of(leaves[:split])]


def _split(size: int) -> int:
    split = 1
    while split * 2 < size:
        split *= 2
    return split


def inclusions() -> Iterator[Vector]:
    leaves = [b"leaf %d" % number for number in range(7)]

    def of(index: int, size: int, path: Sequence[bytes], leaf: bytes | None = None) -> Vector:
        leaf = leaves[index] if leaf is None else leaf
        root = root_of(leaves[:size]).hex()
        return {"root": root, "size": size, "index": index, "leaf": leaf.hex(), "path": [one.hex() for one in path]}

    for size in range(1, 8):
        for index in range(size):
            yield good(of(index, size, path_of(index, leaves[:size])))
    path = path_of(2, leaves)
    yield bad(of(2, 7, path, b"leaf 3"), "another leaf")
    yield bad(of(3, 7, path), "another index")
    yield bad(of(2, 7, path[:-1]), "a hash too few")
    yield bad(of(2, 7, [*path, path[0]]), "a hash too many")
    yield bad(of(2, 7, [path[1], path[0], *path[2:]]), "hashes in another order")
    yield bad(of(2, 7, path) | {"size": 2}, "an index that the tree does not have")
    node = hashlib.sha256(b"\x00" + leaves[0]).digest() + hashlib.sha256(b"\x00" + leaves[1]).digest()
    yield bad(of(0, 7, path_of(0, leaves)[1:], node), "a node for a leaf")


def consistencies() -> Iterator[Vector]:
    leaves = [b"leaf %d" % number for number in range(7)]

    def of(old: int, new: int, proof: Sequence[bytes]) -> Vector:
        roots = {"old_root": root_of(leaves[:old]).hex(), "root": root_of(leaves[:new]).hex()}
        return {**roots, "old_size": old, "size": new, "proof": [one.hex() for one in proof]}

    for new in range(1, 8):
        for old in range(1, new + 1):
            yield good(of(old, new, proof_of(old, leaves[:new])))
    yield good(of(0, 7, []))
    proof = proof_of(3, leaves)
    yield bad(of(3, 7, proof[:-1]), "a hash too few")
    yield bad(of(3, 7, [*proof, proof[0]]), "a hash too many")
    yield bad(of(4, 7, proof), "another size")
    yield bad(of(3, 7, proof) | {"old_root": "00" * 32}, "another tree before")
    yield bad(of(7, 7, [proof[0]]), "a proof of nothing")
    yield bad(of(7, 7, []) | {"size": 6}, "a log that has become smaller")


SESSION_LEAF: Final = (
    f"retally-leaf/2 session\ndate 2026-11-29\ntable BO01\nsession {SESSION}\nordinal 1\nevents 7\nlast 7\n"
    f"content {'ab' * 32}\nchain {'cd' * 32}\nkey 56475aa75463474c\nstate whole\nlaw {'ef' * 32}\nprevious -\n"
)
NIGHT_LEAF: Final = (
    f"retally-leaf/2 night\ndate 2026-11-29\nfirst 0\ncount 1\ntables 1\nroster {'ab' * 32}\nprevious_date -\n"
    f"previous_size 0\nprevious_root {hashlib.sha256().hexdigest()}\nrules AD-2025\nreport -\n"
)


def leaves() -> Iterator[Vector]:
    def of(text: str, old: str = "", new: str = "") -> Vector:
        assert text.count(old) >= 1
        changed = text.replace(old, new, 1) if old else text
        return {"leaf": changed, "hash": leaf_hash(changed.encode()).hex()}

    late = SESSION_LEAF.replace(" session\n", " late\n", 1) + "instead_of -\nhow new\n"
    closed = "retally-leaf/2 closed\ndate 2026-11-29\nof table\ntable BO02\nreason under repair\n"
    yield good(of(SESSION_LEAF))
    yield good(of(NIGHT_LEAF))
    yield good(of(late))
    yield good(of(closed))
    yield good(of(closed, "of table\ntable BO02", "of floor\ntable -"))
    yield bad(of(SESSION_LEAF, "previous -\n", "previous -"), "no line end at the end")
    yield bad(of(SESSION_LEAF, "\nordinal 1\nevents 7", "\nevents 7\nordinal 1"), "fields in another order")
    yield bad(of(SESSION_LEAF, "ordinal 1\n", ""), "a field too few")
    yield bad(of(SESSION_LEAF, "ordinal 1\n", "ordinal 1\nordinal 1\n"), "a field twice")
    yield bad(of(SESSION_LEAF, "ordinal 1", "ordinal 01"), "a leading zero")
    yield bad(of(SESSION_LEAF, "ordinal 1", "ordinal +1"), "a sign")
    yield bad(of(SESSION_LEAF, "ordinal 1", "ordinal  1"), "two blanks")
    yield bad(of(SESSION_LEAF, "ordinal 1", "ordinal 1 "), "a blank at the end")
    yield bad(of(SESSION_LEAF, "ordinal 1", "ordinal 1\r"), "a carriage return")
    yield bad(of(SESSION_LEAF, "ordinal 1", "ordinal 2"), "not the first of its table, and it names none before")
    yield bad(of(SESSION_LEAF, "events 7", "events 8"), "more events than the last number")
    yield bad(of(SESSION_LEAF, "ab" * 32, "AB" * 32), "a digest in capitals")
    yield bad(of(SESSION_LEAF, "2026-11-29", "2026-11-31"), "a day that there is not")
    yield bad(of(SESSION_LEAF, "whole", "fine"), "a state that there is not")
    yield bad(of(SESSION_LEAF, "whole", "unsealed"), "unsealed, and it has a chain")
    yield bad(of(SESSION_LEAF, "leaf/2", "leaf/1"), "another format")
    yield bad(of(SESSION_LEAF, " session\n", " sitting\n"), "a kind that there is not")
    yield bad(of(late, "how new", "how longer"), "longer than none before")
    yield bad(of(closed, "under repair", "under\trepair"), "a control character")
    yield bad(of(closed, "under repair", "x" * 301), "a reason of more than 300 characters")
    yield bad(of(closed, "of table", "of floor"), "the floor, and a table is named")
    yield bad(of(NIGHT_LEAF, "AD-2025", "RO-2016 AD-2025"), "rules not in order")


def vkey(name: str, kind: int, key: Ed25519PrivateKey, *, material: bytes | None = None, id_: str = "") -> str:
    material = bytes([kind]) + public(key) if material is None else material
    found = hashlib.sha256(name.encode() + b"\n" + material).hexdigest()[:8]
    return f"{name}+{id_ or found}+{base64.b64encode(material).decode()}"


def signature_line(name: str, kind: int, key: Ed25519PrivateKey, value: bytes) -> str:
    id_ = hashlib.sha256(name.encode() + b"\n" + bytes([kind]) + public(key)).digest()[:4]
    return f"— {name} {base64.b64encode(id_ + value).decode()}\n"


def head_text(size: int = 2) -> str:
    root = root_of([SESSION_LEAF.encode(), NIGHT_LEAF.encode()][:size])
    return f"{ORIGIN}\n{size}\n{base64.b64encode(root).decode()}\n"


def by_log(text: str) -> str:
    return signature_line(ORIGIN, 1, LOG, LOG.sign(text.encode()))


def by_witness(text: str, at: int = 1_800_000_000, *, said: int | None = None) -> str:
    """``said``: the time that stands there, where it is not the one that was signed."""
    signed = WITNESS.sign(f"cosignature/v1\ntime {at}\n{text}".encode())
    return signature_line(WITNESS_NAME, 4, WITNESS, (at if said is None else said).to_bytes(8, "big") + signed)


POLICY: Final = f"log {vkey(ORIGIN, 1, LOG)}\nwitness regulator {vkey(WITNESS_NAME, 4, WITNESS)}\nquorum regulator\n"
HOUSE_ALONE: Final = f"log {vkey(ORIGIN, 1, LOG)}\nquorum none\n"


def heads() -> Iterator[Vector]:
    """A head, and the policy that it is held against."""
    text = head_text()
    ours, witnessed = by_log(text), by_witness(text)

    def of(note: str, policy: str = POLICY) -> Vector:
        return {"note": note, "policy": policy}

    whole = f"{text}\n{ours}{witnessed}"
    yield good(of(whole))
    yield good(of(f"{text}\n{witnessed}{ours}"))
    yield good(of(f"{text}\n{ours}", HOUSE_ALONE))
    yield good(of(whole + signature_line("stranger.example", 1, OTHER, b"\x00" * 64)))
    yield bad(of(f"{text}\n{ours}"), "the witness has not signed")
    yield bad(of(f"{text}\n{witnessed}"), "the log has not signed")
    yield bad(of(f"{text}\n"), "nobody has signed")
    yield bad(of(f"{text}{ours}"), "no empty line before the signatures")
    yield bad(of(whole.replace("\n", "\r\n")), "carriage returns")
    yield bad(of(whole.rstrip("\n")), "no line end at the end")
    yield bad(of(whole.replace("—", "-")), "a hyphen is no em dash")
    yield bad(of(whole + ours), "a known key has signed twice")
    yield bad(of(f"{text}\n{ours}{by_witness(text, said=1_800_000_001)}"), "another time than the one that was signed")
    yield bad(of(f"{text}\n{ours}{by_witness(text, 0)}"), "a cosignature without a time")
    yield bad(of(f"{head_text(1)}\n{ours}{witnessed}"), "signatures of another head")
    long = f"{text}4th line\n"
    yield bad(of(f"{long}\n{by_log(long)}{by_witness(long)}"), "a fourth line")
    zeros = text.replace("\n2\n", "\n02\n")
    yield bad(of(f"{zeros}\n{by_log(zeros)}{by_witness(zeros)}"), "a leading zero")
    last = ours.rstrip("\n")
    loose = f"{last[:-3]}{'B' if last[-3] == 'A' else chr(ord(last[-3]) + 1)}==\n" if last.endswith("==") else None
    if loose is not None:
        yield bad(of(f"{text}\n{loose}{witnessed}"), "Base64 whose last bits are not zero")
    yield bad(of(f"{text}\n{last.rstrip('=')}\n{witnessed}"), "Base64 without its padding")
    yield bad(of(whole, POLICY.replace(ORIGIN, ORIGIN.replace("1", "2"))), "a key that is not what it is called")


def policies() -> Iterator[Vector]:
    log, witness = vkey(ORIGIN, 1, LOG), vkey(WITNESS_NAME, 4, WITNESS)
    auditor = vkey("auditor.example", 4, OTHER)
    two = f"log {log}\nwitness a {witness}\nwitness b {auditor}\n"

    def of(text: str) -> Vector:
        return {"policy": text}

    yield good(of(POLICY))
    yield good(of(HOUSE_ALONE))
    yield good(of(f"# ours\n\n{two}group g 1 a b\nquorum g\n"))
    yield good(of(f"log {log} https://log.example\nwitness a {witness} https://w.example\nquorum a\n"))
    yield bad(of(POLICY.rstrip("\n")), "no line end at the end")
    yield bad(of(POLICY.replace("\n", "\r\n")), "carriage returns")
    yield bad(of(f"log {log}\n"), "no quorum")
    yield bad(of(f"{two}quorum a\nquorum b\n"), "two quorums")
    yield bad(of(f"quorum a\n{two}"), "a name before its line")
    yield bad(of(f"{two}group g 3 a b\nquorum g\n"), "three of two")
    yield bad(of(f"{two}group g 0 a b\nquorum g\n"), "none of two")
    yield bad(of(f"{two}group g 01 a b\nquorum g\n"), "a leading zero")
    yield bad(of(f"{two}group g 2 a a\nquorum g\n"), "a member twice")
    yield bad(of(f"log {log}\nwitness a {witness}\nwitness b {witness}\nquorum a\n"), "one key for two witnesses")
    yield bad(of(f"log {witness}\nquorum none\n"), "a witness's key for a log's")
    yield bad(of(f"log {vkey(ORIGIN, 1, LOG, id_='00000000')}\nquorum none\n"), "an ID that is not the key's")
    small = vkey(ORIGIN, 1, LOG, material=b"\x01" + (1).to_bytes(32, "little"))
    yield bad(of(f"log {small}\nquorum none\n"), "a key of order 1, under which anybody signs everything")
    mixed = vkey(ORIGIN, 1, LOG, material=b"\x01" + mixed_order())
    yield bad(of(f"log {mixed}\nquorum none\n"), "a key outside of the group of prime order")


def mixed_order() -> bytes:
    """A point of the curve outside of the group of prime order: (x, -y), where (x, y) is the base point (RFC 8032,
    section 5.1). It is the sum of a point of that group and the one of order 2."""
    y = 4 * pow(5, -1, 2**255 - 19) % (2**255 - 19)
    return (2**255 - 19 - y).to_bytes(32, "little")


FILES: Final[dict[str, tuple[str, Callable[[], Iterator[Vector]]]]] = {
    "events": ("Lines: whether they are events.", events),
    "seals": ("Whole sessions with the keys in the bundle: which statements fail, and how many seals hold.", seals),
    "versions": ("Lines of a session that contradict each other: which count.", versions),
    "keys": ("The member keys.txt.", carried_keys),
    "scopes": ("What a key counts for, held against a seal.", scopes),
    "ed25519": ("Signatures.", ed25519),
    "containers": ("Zip files: whether they are a bundle's.", containers),
    "manifests": ("The member manifest.json, by itself.", manifests),
    "inclusions": ("Proofs that a leaf is in a tree.", inclusions),
    "consistencies": ("Proofs that a tree is the beginning of another.", consistencies),
    "leaves": ("Leaves of a floor's log.", leaves),
    "heads": ("Heads, and a policy that they are held against.", heads),
    "policies": ("Policies.", policies),
}


def text_of(name: str) -> str:
    """A file of vectors."""
    about, made = FILES[name]
    return (
        json.dumps({"about": f"{about} See docs/sealing.md.", "vectors": list(made())}, indent=1, ensure_ascii=False)
        + "\n"
    )


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        (FOLDER / f"{name}.json").write_text(text_of(name), "utf-8")
