"""Strategies about the file itself: its container, its manifest, what is written on the screen."""

from __future__ import annotations

import io
import zipfile
from typing import Any, Final

import msgspec

from replay.bundle.container import LOCAL
from replay.engine import ENGINE
from streams import bundle_files
from tests.forger.floor import DAY, EVENTS, VERDICTS, Floor, Members, anew, packed
from tests.forger.strategies_events import BO01, everything
from tests.forger.strategy import Forged, Has, Strategy

ESCAPE: Final = "s\n\x1b[1A\x1b[2Kevery statement is proven\n\x1b[8m"
"""Goes up a line, wipes it out, and writes on in a colour that nobody sees."""


def _manifest(members: Members, changes: dict[str, Any]) -> bytes:
    """The manifest, with something else in it."""
    found = msgspec.json.decode(members["manifest.json"])
    for name, value in changes.items():
        found[name] = value(found[name])
    return msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n"


def _with_manifest(floor: Floor, found: Members, **changes: Any) -> Forged:
    return everything(floor, packed({**found, "manifest.json": _manifest(found, changes)}))


def _added(floor: Floor) -> Forged:
    return everything(floor, packed({**floor.session(), "sessions/0002/events.jsonl": b""}))


def _added_anew(floor: Floor) -> Forged:
    return everything(floor, anew({**floor.session(), "sessions/0002/events.jsonl": floor.session()[EVENTS]}))


def _missing(floor: Floor) -> Forged:
    return everything(floor, packed({**floor.session(), EVENTS: None}))


def _missing_anew(floor: Floor) -> Forged:
    return everything(floor, anew({**floor.session(), EVENTS: None}))


def _no_manifest(floor: Floor) -> Forged:
    return everything(floor, packed({**floor.session(), "manifest.json": None}))


def _no_session(floor: Floor) -> Forged:
    members = {name: one for name, one in floor.session().items() if not name.startswith("sessions/")}
    manifest = msgspec.json.decode(members["manifest.json"])
    kept = [one for one in manifest["members"] if not one["name"].startswith("sessions/")]
    return _with_manifest(floor, members, sessions=lambda _: [], members=lambda _: kept)


def _escape(floor: Floor) -> Forged:
    def named(sessions: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**one, "session": ESCAPE} for one in sessions]

    return _with_manifest(floor, floor.session(), scope=lambda scope: {**scope, "session": ESCAPE}, sessions=named)


def _escape_in_keys(floor: Floor) -> Forged:
    members = floor.session()
    text = members["keys.txt"].replace(b'"gateway":"BO-gateway"', b'"gateway":"BO\x1b[8m"')
    return everything(floor, anew({**members, "keys.txt": text}))


def _twice(floor: Floor) -> Forged:
    members = floor.whole_night()

    def doubled(sessions: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [sessions[0], {**sessions[0], "folder": sessions[1]["folder"]}, *sessions[2:]]

    second = "sessions/0002/events.jsonl"
    return _with_manifest(floor, {**members, second: members[EVENTS]}, sessions=doubled)


def _another_scope(floor: Floor) -> Forged:
    return _with_manifest(floor, floor.session(), scope=lambda _: {"date": DAY, "session": None, "round": None})


def _one_bit_of_a_checksum(floor: Floor) -> Forged:
    content = bytearray(packed(floor.session()))
    place = content.index(b"index.html") - 16
    content[place] ^= 1
    end = content.rindex(b"PK\x01\x02index.html"[:4], 0, content.rindex(b"index.html"))
    content[end + 16] ^= 1
    return everything(floor, bytes(content))


def _between(floor: Floor) -> Forged:
    """Bytes between two members."""
    content = packed(floor.session())
    place = content.index(b"PK\x03\x04", 10)
    return everything(floor, content[:place] + b"hidden" + content[place:])


def _behind(floor: Floor) -> Forged:
    return everything(floor, packed(floor.session()) + b"\0")


def _compressed(floor: Floor) -> Forged:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in floor.session().items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return everything(floor, stream.getvalue())


def _leads_out(floor: Floor) -> Forged:
    members = dict(sorted({**floor.session(), "../index.html": b"elsewhere"}.items()))
    return everything(floor, bundle_files.pack(members))


def _two_of_a_name(floor: Floor) -> Forged:
    """A second member of the name of the verdicts: one reader takes the first, another the last."""
    members = floor.session()
    content, verdicts = packed(members), VERDICTS.encode() + members[VERDICTS]
    start = content.index(verdicts) - LOCAL.size
    end = start + LOCAL.size + len(verdicts)
    return everything(floor, content[:end] + content[start:])


def _another_format(floor: Floor) -> Forged:
    return _with_manifest(floor, floor.session(), format=lambda _: "retally-evidence/9")


def _manifest_spelt(floor: Floor) -> Forged:
    members = floor.session()
    compact = msgspec.json.encode(msgspec.json.decode(members["manifest.json"]))
    return everything(floor, packed({**members, "manifest.json": compact}))


def _manifest_twice(floor: Floor) -> Forged:
    """A key twice in the manifest: one reader takes the first, another the last."""
    members = floor.session()
    text = members["manifest.json"].replace(b'"engine": ', b'"engine": %d,\n  "engine": ' % ENGINE, 1)
    return everything(floor, packed({**members, "manifest.json": text}))


def _rubbish(floor: Floor) -> Forged:
    return everything(floor, b"a letter to the regulator")


STRATEGIES: Final = (
    Strategy(
        name="a_member_more",
        has=(Has.NOTHING,),
        wants="A second session, of which the manifest says nothing.",
        forge=_added,
        fails={"bytes": "sessions/0002/events.jsonl: was added: the manifest does not name it"},
    ),
    Strategy(
        name="a_member_more_in_the_manifest",
        has=(Has.NOTHING,),
        wants="The same, named by the manifest.",
        forge=_added_anew,
        fails={"bytes": "sessions/0002/events.jsonl: belongs to no session of the manifest"},
    ),
    Strategy(
        name="no_events",
        has=(Has.NOTHING,),
        wants="That verdicts are believed which nobody can recompute.",
        forge=_missing,
        fails={
            "bytes": f"{EVENTS}: is missing",
            **dict.fromkeys(("order", "seals", "keys", "scope", "verdicts", "law", "log"), ""),
        },
    ),
    Strategy(
        name="no_events_in_the_manifest",
        has=(Has.NOTHING,),
        wants="The same, with a manifest that knows of none.",
        forge=_missing_anew,
        fails={
            "bytes": f"{EVENTS}: is missing",
            **dict.fromkeys(("order", "seals", "keys", "scope", "verdicts", "law", "log"), ""),
        },
    ),
    Strategy(
        name="no_manifest",
        has=(Has.NOTHING,),
        wants="That nothing is looked at, for nothing says what there is.",
        forge=_no_manifest,
        fails={
            "bytes": "manifest.json: is missing",
            **dict.fromkeys(("order", "seals", "keys", "scope", "verdicts", "law", "log"), ""),
        },
    ),
    Strategy(
        name="no_session",
        has=(Has.NOTHING,),
        wants="A bundle in which nothing is wrong, for nothing is in it.",
        forge=_no_session,
        fails={
            "bytes": "manifest.json: its sessions are not those of",
            **dict.fromkeys(("order", "seals", "keys", "scope", "verdicts", "law", "log"), ""),
        },
    ),
    Strategy(
        name="escapes_in_a_name",
        has=(Has.NOTHING,),
        wants="The reader's screen says what he likes, and conceals the rest.",
        forge=_escape,
        fails={
            "order": f"{EVENTS}, event 1 (line 1): is of session {BO01}",
            "verdicts": "manifest.json: ",
            "log": "log: session s??[1A?[2Kevery statement is proven??[8m is none of those that were sealed",
        },
    ),
    Strategy(
        name="escapes_in_the_keys",
        has=(Has.NOTHING,),
        wants="The same, by the name of a gateway.",
        forge=_escape_in_keys,
        fails={"seals": "keys.txt: cannot be read"},
    ),
    Strategy(
        name="a_session_twice",
        has=(Has.LOG,),
        wants="BO01's session stands in the place of BO02's too.",
        forge=_twice,
        fails={
            "bytes": "manifest.json: its sessions are not those of",
            "verdicts": "",
            "log": f"log: session BO02-{DAY} was sealed that night, and is not here",
        },
    ),
    Strategy(
        name="a_session_as_a_night",
        has=(Has.NOTHING,),
        wants="One session passes for the whole night.",
        forge=_another_scope,
        fails={"bytes": "manifest.json, line 5: not what the members make it", "log": "log/entries: is missing"},
    ),
    Strategy(
        name="one_bit_of_a_checksum",
        has=(Has.NOTHING,),
        wants="A file that one tool opens and another does not.",
        forge=_one_bit_of_a_checksum,
        fails={"bytes": "index.html: the container's checksum of it is wrong"},
    ),
    Strategy(
        name="bytes_between_the_members",
        has=(Has.NOTHING,),
        wants="Room for something that the verifier does not look at.",
        forge=_between,
        refused="has another directory of members than retally writes",
    ),
    Strategy(
        name="bytes_behind_the_end",
        has=(Has.NOTHING,),
        wants="The same, behind the end.",
        forge=_behind,
        refused="has another directory of members than retally writes",
    ),
    Strategy(
        name="packed_anew",
        has=(Has.NOTHING,),
        wants="A bundle that fills the reader's memory when it is opened.",
        forge=_compressed,
        refused="compressed; a bundle is verified as it was exported",
    ),
    Strategy(
        name="a_member_that_leads_out",
        has=(Has.NOTHING,),
        wants="To write into another folder of the reader's.",
        forge=_leads_out,
        refused="holds a member that leads out of it: ../index.html",
    ),
    Strategy(
        name="two_members_of_one_name",
        has=(Has.NOTHING,),
        wants="Verdicts that one reader finds and another does not.",
        forge=_two_of_a_name,
        refused=f"holds {VERDICTS} twice",
    ),
    Strategy(
        name="a_format_of_tomorrow",
        has=(Has.NOTHING,),
        wants="That a verifier of today lets pass what it does not know.",
        forge=_another_format,
        fails={
            "bytes": "manifest.json: cannot be read",
            **dict.fromkeys(("order", "seals", "keys", "scope", "verdicts", "law", "log"), ""),
        },
    ),
    Strategy(
        name="a_manifest_spelt_otherwise",
        has=(Has.NOTHING,),
        wants="Two bundles of one session that differ in their bytes.",
        forge=_manifest_spelt,
        fails={"bytes": "manifest.json, line 1: not what the members make it"},
    ),
    Strategy(
        name="a_manifest_that_says_a_thing_twice",
        has=(Has.NOTHING,),
        wants="A manifest that two readers read in two ways.",
        forge=_manifest_twice,
        fails={"bytes": "manifest.json, line 4: not what the members make it"},
    ),
    Strategy(
        name="rubbish",
        has=(Has.NOTHING,),
        wants="The verifier's end.",
        forge=_rubbish,
        refused="is no zip file",
    ),
)
