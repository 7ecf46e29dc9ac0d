"""What stands at the head of every row: whose table it is, on which gaming day, by which game and rules."""

from __future__ import annotations

from typing import Any

import msgspec

from replay.codes import CODES
from replay.results import Cage, Finding
from replay.rules import Table


class Heading(msgspec.Struct, frozen=True):
    """Of one session. Of a table that cannot be judged, as much as is known."""

    session: str
    gaming_day: str
    table: str = ""
    casino: str = ""
    pit: str = ""
    game: str = ""
    rules: str = ""
    """The rule pack, resolved; what the table named, where it cannot be judged."""
    currency: str = ""

    @classmethod
    def of(cls, session: str, table: Table) -> Heading:
        """Of a session at a table."""
        rules = table.rules
        return cls(
            session, table.gaming_day, table.name, table.casino, table.pit, rules.game, rules.pack, table.currency
        )

    def columns(self) -> dict[str, Any]:
        """The columns that every row begins with."""
        return msgspec.structs.asdict(self)

    def finding(
        self,
        code: str,
        text: str,
        *,
        seq: int,
        at_us: int,
        revision: int,
        round_number: int,
        dealer: str,
        passage: str = "",
        subject: str = "",
        player: str = "",
        seat: int | None = None,
        bet: str = "",
        amount: int | None = None,
        seqs: tuple[int, ...] = (),
    ) -> Finding:
        """A finding at this table. ``seqs``: the events that it rests on; without any, the one at hand."""
        kind, severity = CODES[code]
        return Finding(
            session=self.session,
            seq=seq,
            code=code,
            subject=subject,
            gaming_day=self.gaming_day,
            casino=self.casino,
            pit=self.pit,
            table=self.table,
            game=self.game,
            rules=self.rules,
            currency=self.currency,
            dealer=dealer,
            player=player,
            round=round_number,
            seat=seat,
            bet=bet,
            amount=amount,
            kind=kind,
            severity=severity,
            passage=passage,
            text=text,
            seqs=seqs or (seq,),
            at_us=at_us,
            withdrawn=False,
            revision=revision,
        )

    def cage(
        self, movement: str, amount: int, *, player: str, form: str, dealer: str, seq: int, at_us: int, revision: int
    ) -> Cage:
        """Chips that came to this table or left it."""
        return Cage(
            session=self.session,
            seq=seq,
            movement=movement,
            gaming_day=self.gaming_day,
            casino=self.casino,
            pit=self.pit,
            table=self.table,
            game=self.game,
            currency=self.currency,
            dealer=dealer,
            player=player,
            form=form,
            amount=amount,
            at_us=at_us,
            revision=revision,
        )
