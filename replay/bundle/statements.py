"""What a verification says, statement by statement: proven, not asked, or failed, with the places.

Nothing is proven that nobody looked at. A statement is proven where the verifier says how far it has looked
(`Ledger.prove`) and has found nothing; where it could not look, it has failed. What fails belongs to one statement
alone, and every one keeps its own places: so many of one kind hide none of another.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

MAX_PROBLEMS: Final = 200
"""So many are told of one statement; it has failed no less for the rest."""
MAX_PLACE: Final = 300
MAX_TEXT: Final = 1000


class Claim(StrEnum):
    """What can be stated of a bundle."""

    BYTES = "bytes"
    ORDER = "order"
    SEALS = "seals"
    KEYS = "keys"
    SCOPE = "scope"
    VERDICTS = "verdicts"
    LAW = "law"
    LOG = "log"


class Said(StrEnum):
    """What is said of it."""

    PROVEN = "proven"
    NOT_ASKED = "not asked"
    FAILED = "FAILED"


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Something in the bundle that is not as it must be."""

    place: str
    """The member, and where in it: ``sessions/0001/events.jsonl, events 12 to 25 (round 3)``."""
    text: str


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """What is said of one claim."""

    claim: Claim
    words: str
    """The claim, for people."""
    said: Said
    detail: str
    """Of what is proven, how far; of what was not asked, why, and on whose word alone it stands. Else empty."""
    problems: list[Problem]
    """Where and why it failed."""


_WORDS: Final[dict[Claim, str]] = {
    Claim.BYTES: "the bytes are those of the manifest",
    Claim.ORDER: "each session is whole and in order",
    Claim.SEALS: "the seals hold",
    Claim.KEYS: "they are by keys that you trust",
    Claim.SCOPE: "for the tables and dates that these keys are for",
    Claim.VERDICTS: "the verdicts follow from the events under the law in the bundle",
    Claim.LAW: "that law is the one that you trust",
    Claim.LOG: "the sessions stand under the head that you were given",
}
_A_WHOLE_NIGHT: Final = "this is the whole night under the head that you were given"


class Ledger:
    """What is found while a bundle is verified."""

    def __init__(self) -> None:
        self._problems: dict[Claim, list[Problem]] = {claim: [] for claim in Claim}
        self._proven: dict[Claim, str] = {}
        self._not_asked: dict[Claim, str] = {}

    def fail(self, claim: Claim, place: str, text: str) -> None:
        """The claim does not hold, or nobody can tell, for this reason."""
        found = self._problems[claim]
        if len(found) < MAX_PROBLEMS:
            found.append(Problem(place=printable(place, MAX_PLACE), text=printable(text)))

    def prove(self, claim: Claim, detail: str) -> None:
        """The claim was looked at, so far; it holds if nothing was found."""
        self._proven[claim] = printable(detail)

    def pass_over(self, claim: Claim, why: str) -> None:
        """Nobody has asked, or there is nothing to hold it against; if something was found all the same, it fails."""
        self._not_asked[claim] = printable(why)

    def has_failed(self, *claims: Claim) -> bool:
        """Whether something was found against one of these claims; of none given, against any."""
        return any(self._problems[claim] for claim in claims or Claim)

    def names(self, place: str) -> bool:
        """Whether something is said of this member, or of a place in it."""
        return any(problem.place.startswith(place) for found in self._problems.values() for problem in found)

    def misses(self, claim: Claim, place: str) -> None:
        """A member is not there; told once of each claim."""
        if not any(problem.place == place for problem in self._problems[claim]):
            self.fail(claim, place, "is missing")

    def statements(self, *, of_a_night: bool) -> list[Statement]:
        """What is said of each claim."""
        return [self._statement(claim, of_a_night=of_a_night) for claim in Claim]

    def _statement(self, claim: Claim, *, of_a_night: bool) -> Statement:
        words = _A_WHOLE_NIGHT if of_a_night and claim is Claim.LOG else _WORDS[claim]
        found, detail = self._problems[claim], ""
        if not found and claim in self._proven:
            said, detail = Said.PROVEN, self._proven[claim]
        elif not found and claim in self._not_asked:
            said, detail = Said.NOT_ASKED, self._not_asked[claim]
        else:
            said = Said.FAILED
            found = found or [Problem(place="the bundle", text="what this rests on is not there, or does not hold")]
        return Statement(claim=claim, words=words, said=said, detail=detail, problems=found)


def printable(text: str, most: int = MAX_TEXT) -> str:
    """Somebody else's text: short, and without a character that a terminal would obey."""
    return "".join(character if character.isprintable() else "?" for character in text[:most])
