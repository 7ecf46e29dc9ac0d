"""Where the sessions of a bundle were sealed, and by whose word: the last of the verifier's statements.

They stand in the floor's log (members under ``log/``), or were sealed in the old form (``seal.json``). A seal of the
old form proves of a session that its chain stands under a root. That a night is whole it never proves: where the night
begins, and what is sealed with it, is its maker's word there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from replay.bundle import contents, logged
from replay.bundle.container import BundleError
from replay.bundle.contents import Entry, Manifest
from replay.bundle.differences import first_difference
from replay.bundle.logged import Logged
from replay.bundle.placement import UNWITNESSED
from replay.bundle.policy import Policy, standing
from replay.bundle.seals import SealProof, head_extends, is_included
from replay.bundle.statements import Claim, Ledger
from replay.bundle.strict import NoteError
from replay.packs import Packs

NOBODY: Final = "nobody but whoever made the bundle"
_OF_THE_OLD_FORM: Final = "the last seal's own line, and how many were sealed, and when, are its maker's word"
HOLDER: Final = "whoever gave you the root, and nobody else"


class SealedWhere:
    """What one bundle says of where its sessions were sealed, held against what its reader was given."""

    def __init__(
        self, ledger: Ledger, members: Mapping[str, memoryview], root: str | None, policy: Policy | None
    ) -> None:
        self._ledger = ledger
        self._members = members
        self._root = None if root is None else root.lower()
        self._policy = policy
        self._logged: Logged | None = None
        """What the floor's log says of the sessions."""
        self._proof: SealProof | None = None
        """What a seal of the old form says of them."""
        self.said = ""
        """Where the sessions were sealed, in words."""
        self.vouched = NOBODY
        """Who vouches for that, in words."""
        self.cannot_be_read = False
        """There is something of a log that proves nothing."""

    @property
    def is_asked(self) -> bool:
        """Whether its reader was given a root or a policy."""
        return self._root is not None or self._policy is not None

    def _fail(self, place: str, text: str) -> None:
        self._ledger.fail(Claim.LOG, place, text)

    @property
    def detail(self) -> str:
        """What is proven of it, where it was asked: under which head, and by whose word."""
        told = f"{self.vouched}: {self.said}"
        if self._logged is not None and self._logged.without:
            told += f"; by the house's word {self._logged.without}"
        return told if self._proof is None else f"{told}; {_OF_THE_OLD_FORM}"

    def read(self, found: Manifest) -> None:
        """What is there, as a whole. Raises `BundleError` for a member that is too large."""
        in_the_log = [name for name in self._members if name.startswith(logged.FOLDER)]
        for name in (*in_the_log, *(["seal.json"] if "seal.json" in self._members else [])):
            if len(self._members[name]) > logged.MAX_BYTES:
                size = len(self._members[name])
                raise BundleError(f"holds {size:,} bytes in {name}; {logged.MAX_BYTES:,} are the most")
        old = self._members.get("seal.json")
        if in_the_log:
            self._read_log({name: bytes(self._members[name]) for name in in_the_log}, found)
            if old is not None:
                self._fail("seal.json", "is there beside what stands in the floor's log")
            return
        if self._policy is not None:
            self._fail("log", "is not here: that these sessions stand in a log of your policy is not proven")
        elif self._root is not None and old is None:
            self._fail("log", "is not here: that these sessions stand under the root that you hold is not proven")
        if old is not None:
            self._read_old(bytes(old), found)

    def check(self, place: str, part: Entry, lines: Sequence[bytes], packs: Packs) -> None:
        """The session is the one that was sealed. ``place``: of its events; ``packs``: the law in the bundle."""
        if self._proof is not None:
            self._check_old(part, self._proof)
        if self._logged is None:
            return
        entry = self._logged.entries.get(part.session)
        if entry is None:
            self._fail("log", f"session {part.session} is none of those that were sealed")
            return
        for problem in logged.differences(entry, list(lines), packs):
            self._fail(place, f"not the session that was sealed: {problem}")

    def _read_log(self, members: dict[str, bytes], found: Manifest) -> None:
        of_a_night = found.scope.session is None
        for name, text in logged.misplaced(members, of_a_night=of_a_night):
            self._fail(name, text)
        try:
            log = self._logged = logged.read_members(members, of_a_night=of_a_night)
            self.said = log.said
            if self._policy is not None:
                by = standing(log.note, self._policy)
                self.vouched = str(by)
                if not by.is_met:
                    self._fail("log", f"the head is {by}")
        except NoteError as error:
            self.cannot_be_read = self._logged is None
            self._fail("log", str(error))
            return
        if self._root is not None and self._root != log.head.root.hex():
            self._fail("log", "the head has another root than the one that you hold")
        elif self._root is not None and self._policy is None:
            self.vouched = HOLDER
        if of_a_night:
            self._whole_night(found, log)

    def _whole_night(self, found: Manifest, log: Logged) -> None:
        """The bundle of a night has all sessions that were sealed with it."""
        if log.night.date != found.scope.date:
            self._fail("log", f"is of the night of {log.night.date}, and the bundle of {found.scope.date}")
        here = {entry.session for entry in found.sessions}
        for session in sorted(log.entries.keys() - here):
            self._fail("log", f"session {session} was sealed that night, and is not here")

    # --- seals of the old form ----------------------------------------------------------------------------------------

    def _read_old(self, content: bytes, found: Manifest) -> None:
        self.vouched = UNWITNESSED
        try:
            proof = msgspec.json.decode(content, type=SealProof)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            self._fail("seal.json", f"cannot be read ({error})")
            return
        self._proof = proof
        self.said = contents.old_seal(proof.head)
        if content != (expected := contents.pretty(proof)):
            self._fail(f"seal.json, line {first_difference(content, expected)}", "not as retally writes it")
        if not head_extends(proof):
            before = "" if proof.previous is None else f" that of {proof.previous.date}"
            self._fail("seal.json", f"the seal of {proof.head.date} is not proven to extend{before}")
        if proof.previous is not None and not proof.previous.date < proof.head.date:
            self._fail("seal.json", "the night before is not before the night")
        if self._root is not None and self._root != proof.head.root:
            self._fail("seal.json", "the night's seal has another root than the one that you hold")
        if found.scope.date is not None and self.is_asked:
            self._fail("seal.json", "a seal of the old form does not prove that these are all sessions of the night")
        ours = {entry.session for entry in found.sessions}
        for one in proof.sessions:
            if one.session not in ours:
                self._fail("seal.json", f"tells of session {one.session}, which is not here")
        sealed = proof.head.size - (0 if proof.previous is None else proof.previous.size)
        if found.scope.date is not None and sealed != len(found.sessions):
            self._fail("seal.json", f"{sealed:,} sessions were sealed that night, {len(found.sessions):,} are here")

    def _check_old(self, part: Entry, proof: SealProof) -> None:
        """The session is proven to be part of the night."""
        places = [one for one in proof.sessions if one.session == part.session]
        if len(places) != 1:
            self._fail("seal.json", f"session {part.session} is not proven to be part of the night")
        elif proof.head.date != part.gaming_day:
            self._fail("seal.json", f"session {part.session} is of {part.gaming_day}, the seal of {proof.head.date}")
        elif not part.chain or not is_included(proof, places[0], part.chain):
            text = f"session {part.session}, as it is here, is not the one that was sealed with the night"
            self._fail("seal.json", text)
