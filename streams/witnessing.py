"""A witness at work: his memory of a log in a file, and the signatures that he gives.

He stores what he has accepted before he signs it: a signature that he does not remember would be worth nothing. One
process at a time reads the memory, checks and stores, so that of two hand-overs at once neither undoes the other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from replay.bundle import note, witness
from replay.bundle.note import WITNESS, Key, Signature
from replay.bundle.strict import NoteError
from replay.bundle.tlog import read_add_checkpoint
from replay.bundle.witness import Alarm, Checked, HandOver, WitnessState
from replay.evidence import public_half
from streams.floor_logs import FloorLogError, read_file
from streams.locks import locked
from streams.whole import whole_folder, write_whole

_MAX_STATE_BYTES: Final = 64 * 1024 * 1024


class Cosigned(NamedTuple):
    """A head that was signed, once its night was stored."""

    checked: Checked
    signature: Signature


def new_witness(file: Path, log: Key, witness_key: Key) -> None:
    """A memory of a log of which nothing has been seen; the file must not be there. Raises OSError."""
    write_whole(file, _text(witness.new_state(log, witness_key)), new=True)


def read_state(file: Path) -> WitnessState:
    """A witness's memory. Raises `FloorLogError`."""
    data = read_file(file, _MAX_STATE_BYTES)
    try:
        return witness.read_state(data)
    except NoteError as error:
        raise FloorLogError(f"{file}: {error}") from None


def cosign(
    file: Path,
    handed: HandOver,
    private: Ed25519PrivateKey,
    *,
    now: int,
    roster: Sequence[str] | None = None,
    date: str | None = None,
    latest: str | None = None,
) -> Cosigned:
    """Check what was handed over, remember it in ``file``, and sign it at ``now`` (seconds since 1970-01-01 UTC); for
    the rest see `replay.bundle.witness.check`.

    Raises `FloorLogError`, `NoteError`, or `Alarm`, which is kept beside the file (`keep_alarm`).
    """
    with locked(file.resolve().parent):
        state = read_state(file)
        key = note.read_key(state.witness, WITNESS)
        if bytes(public_half(private)) != key.public:
            raise NoteError(f"this is not the key of {key.name}, whose memory this is")
        try:
            checked = witness.check(state, handed, roster=roster, date=date, latest=latest)
            signature = note.cosign(checked.head.note.text, key.name, private, now)
            after = witness.state_signed(checked, now)
        except Alarm as alarm:
            keep_alarm(file, state, handed, alarm)
            raise
        write_whole(file, _text(after))
    return Cosigned(checked._replace(state=after), signature)


def alarms_of(file: Path) -> Path:
    """The folder in which the alarms about a witness's log are kept."""
    return file.with_name(file.name + ".alarms")


def keep_alarm(file: Path, state: WitnessState, handed: HandOver, alarm: Alarm) -> Path:
    """Keep what an alarm is about: the last note that was accepted, and the one that came, with all that came with it.
    The folder; the same alarm is kept once."""
    request = read_add_checkpoint(handed.request)
    digest = hashlib.sha256(alarm.code.encode() + b"".join(handed.members().values())).hexdigest()
    folder = alarms_of(file) / f"{alarm.code}-{digest[:16]}"
    if folder.exists():
        return folder
    with whole_folder(folder) as made:
        write_whole(made / "alarm", f"{alarm.code}\n{alarm}\n".encode())
        write_whole(made / "accepted.checkpoint", state.note.encode())
        write_whole(made / "handed-over.checkpoint", request.note)
        for name, content in handed.members().items():
            write_whole(made / name, content)
    return folder


def _text(state: WitnessState) -> bytes:
    return msgspec.json.format(msgspec.json.encode(state), indent=1) + b"\n"
