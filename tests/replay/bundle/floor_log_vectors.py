"""The test vectors of the floor's log: ``python -m tests.replay.bundle.floor_log_vectors`` writes the file anew.

They are made of keys that everybody knows, so that another implementation comes to the same bytes; `test_vectors` holds
them against arithmetic of its own, and the programs of others.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any, Final

from replay.bundle import house_log
from replay.bundle.house_log import SealedNight
from replay.bundle.leaves import Import, read
from tests.replay.bundle.floors import (
    AT,
    DAYS,
    KEY,
    ORIGIN,
    REGULATOR,
    TABLES,
    WITNESS_KEY,
    cosigned,
    entries,
    floor,
    handed,
    renumbered,
    sealed,
    session,
    signed_anyway,
)

FILE: Final = Path(__file__).parent.parent.parent / "vectors" / "floor_log.json"


def made() -> dict[str, Any]:
    """The vectors."""
    log = floor()
    sealed(log, DAYS[0], imported=Import(date="2026-11-26", size=17, root="ab" * 32), absent={"CR01": "no network"})
    known = log.sessions[f"BO01-{DAYS[0]}"]
    late = [
        session("BO01", DAYS[0], events=102, last=102, content="cd" * 32, beginning=known.content),
        session("CR01", DAYS[0]),
    ]
    sealed(log, DAYS[1], [*late, *(session(table, DAYS[1]) for table in TABLES[:2])], closed={"CR01": "under repair"})
    sealed(log, DAYS[3], closed_days={DAYS[2]: "holiday"}, report=b"the night's report\n")
    nights = [_night(night) for night in log.nights]
    return {
        "about": "The log of one floor: docs/floor-log.md. Keys are Ed25519 seeds in hexadecimal; they are no secrets.",
        "origin": ORIGIN,
        "house_seed": (bytes([1]) * 32).hex(),
        "log_key": str(KEY),
        "witness_name": WITNESS_KEY.name,
        "witness_seed": REGULATOR.private_bytes_raw().hex(),
        "witness_key": str(WITNESS_KEY),
        "cosigned_at": AT,
        "policy": f"log {KEY}\nwitness regulator {WITNESS_KEY}\nquorum regulator\n",
        "nights": nights,
        "proof_of_a_session": _placement(log.nights),
        "refused_notes": _refused_notes(log.nights[0]),
        "alarms": _alarms(),
    }


def _night(night: SealedNight) -> dict[str, Any]:
    handover = handed(night)
    return {
        "date": night.night.date,
        "roster": handover.roster.decode(),
        "entries": night.entries,
        "entries_file": handover.entries.decode(),
        "leaf_hashes": [read(leaf).hash.hex() for leaf in night.leaves],
        "root": night.tree.root().hex(),
        "add_checkpoint": handover.request.decode(),
        "cosigned_head": cosigned(night).head,
    }


def _placement(nights: list[SealedNight]) -> dict[str, Any]:
    night = cosigned(nights[1])
    index = night.size + 2
    return {
        "entry": night.entries[2],
        "proof": bytes(house_log.prove([night], index)).decode(),
        "night": night.entries[-1],
        "night_proof": bytes(house_log.prove([night], night.size + len(night.entries) - 1)).decode(),
    }


def _refused_notes(night: SealedNight) -> list[dict[str, str]]:
    """Heads that no reader may take, though some do. Base64, for not all of them are text."""
    good = cosigned(night).head
    text, lines = good.split("\n\n")
    log, witness = (line + "\n" for line in lines.splitlines())
    value = log.split(" ")[2].rstrip("\n")
    loose = value[:-2] + chr(ord(value[-2]) + 1) + value[-1] if value.endswith("=") else value
    found = {
        "one key has signed twice": f"{text}\n\n{log}{witness}{witness}",
        "Base64 with other bits in its last digit": f"{text}\n\n{log.replace(value, loose)}",
        "no last line end": good[:-1],
        "an empty line at the end": good + "\n",
        "CRLF": good.replace("\n", "\r\n"),
        "a hyphen for the em dash": good.replace("—", "-"),
        "a line more in the head": f"{text}\ndate 2026-11-27\n\n{log}{witness}",
        "a size with a plus": good.replace("\n6\n", "\n+6\n"),
        "by the witness alone": f"{text}\n\n{witness}",
        "no signature": f"{text}\n\n",
    }
    return [{"why": why, "note": base64.b64encode(note.encode()).decode()} for why, note in found.items()]


def _alarms() -> list[dict[str, str]]:
    """What a witness who has accepted the night of 2026-11-27 (here `floor`'s, without an import) must not sign."""
    first = floor(DAYS[0])
    split = floor()
    sealed(split, DAYS[0], [session(table, DAYS[0], content="ab" * 32) for table in TABLES])
    branch = sealed(split, DAYS[1])
    gap = signed_anyway(first, entries(first, DAYS[2]))
    found = [
        ("split_view", split.nights[0]),
        ("rewritten", branch),
        ("missing_night", gap),
        ("table_missing", signed_anyway(first, _without_a_table(first))),
    ]
    accepted = handed(first.nights[0])
    told = [{"alarm": "", "add_checkpoint": accepted.request.decode(), "entries_file": accepted.entries.decode()}]
    for alarm, night in found:
        over = handed(night)
        told.append({"alarm": alarm, "add_checkpoint": over.request.decode(), "entries_file": over.entries.decode()})
    return told


def _without_a_table(log: house_log.FloorLog) -> list[Any]:
    night = entries(log, DAYS[1])
    return renumbered([leaf for leaf in night if getattr(leaf, "table", "") != "CR01"])


def text() -> str:
    """The file."""
    return json.dumps(made(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
