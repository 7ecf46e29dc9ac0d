"""What can go wrong on the live side, each said in one clear line."""

from __future__ import annotations

from collections.abc import Mapping

from replay.errors import RetallyError


class LiveError(RetallyError):
    """Something outside is not as it must be: a setting, a broker, a topic."""


class ConfigError(LiveError):
    """A setting that cannot be used; the text never holds the value of a secret."""


class TopicError(LiveError):
    """The topics cannot be made, or are not as they must be. ``away``: for the brokers do not answer."""

    def __init__(self, text: str, *, away: bool = False) -> None:
        super().__init__(text)
        self.away = away


class BrokerError(LiveError):
    """The topics cannot be read now."""


class Gone(BrokerError):
    """The first of the records are no longer there: the topic keeps them for a shorter time.

    ``first``: from where it has them still, by topic.
    """

    def __init__(self, text: str, first: Mapping[str, int]) -> None:
        super().__init__(text)
        self.first = dict(first)


class OutletError(LiveError):
    """Something that was published was not acknowledged."""


class PublisherClosed(LiveError):
    """Lines were given to a publisher that has been closed, or it was closed before the broker had them."""


class Fatal(LiveError):
    """A worker cannot go on as it was started; started again, it can."""
