"""The events of chips and money that are no part of play: what comes and goes, and what is counted of it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from replay.event_fields import Amount, Envelope, Identifier, LimitValue, Stake, Word


class LimitsChanged(Envelope):
    """From the next bet on these limits hold, in the place of all that were posted."""

    type: Literal["limits_changed"]
    limits: Annotated[dict[Word, LimitValue], Field(max_length=64)]


class ChipsCounted(Envelope):
    """The tray was counted while the table goes on."""

    type: Literal["chips_counted"]
    amount: Amount
    kind: Word | None = None


class _OfChips(Envelope):
    """Money or chips of a player at the table; never part of a settlement. ``player`` is a pseudonym."""

    amount: Stake
    player: Identifier | None = None
    kind: Word | None = None


class CashIn(_OfChips):
    """A player buys chips: the money (``kind``: what it is, ``cash`` where nothing is said) goes into the box, the
    chips come out of the tray."""

    type: Literal["cash_in"]


class CashOut(_OfChips):
    """Chips come into the tray, and the player gets money."""

    type: Literal["cash_out"]


class MarkerIssued(_OfChips):
    """A player signs a marker for chips: the slip goes into the box."""

    type: Literal["marker_issued"]


class MarkerPaid(_OfChips):
    """A player redeems a marker at the table, with chips (``kind`` is ``chips``) or money."""

    type: Literal["marker_paid"]


class ChipsExchanged(_OfChips):
    """Chips for chips of other values: nothing comes or goes."""

    type: Literal["chips_exchanged"]


class PromoTaken(_OfChips):
    """A promotional chip or coupon was taken in: it goes into the box, and is worth nothing there."""

    type: Literal["promo_taken"]
