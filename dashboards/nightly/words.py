"""The report's language: one catalogue a language, and numbers, money and dates as that language writes them.

A catalogue is a TOML file in ``wording/``: sections of sentences, in which ``{name}`` stands for what is filled in. A
further language is a further file with the same keys; nothing else changes.
"""

from __future__ import annotations

import tomllib
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from importlib import resources
from typing import Any, Final

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_datetime
from babel.numbers import format_currency, format_decimal

from replay.currencies import exponent
from replay.errors import RetallyError

_FOLDER: Final = "wording"


class WordsError(RetallyError):
    """No such language, or its catalogue cannot be used: one clear line."""


def languages() -> tuple[str, ...]:
    """The languages that there is a catalogue of."""
    folder = resources.files(__package__).joinpath(_FOLDER)
    return tuple(sorted(entry.name[:-5] for entry in folder.iterdir() if entry.name.endswith(".toml")))


@cache
def wording(language: str) -> Words:
    """The catalogue of this language. Raises `WordsError`."""
    if language not in languages():
        raise WordsError(f"the report is not written in {language!r} (it is in: {', '.join(languages())})")
    text = resources.files(__package__).joinpath(_FOLDER, f"{language}.toml").read_text("utf-8")
    return Words(language, tomllib.loads(text))


def major(amount: int, currency: str) -> Decimal:
    """Minor units as an exact decimal of the currency's whole units: 123450 EUR is 1234.50, 1234 JPY is 1234."""
    return Decimal(amount).scaleb(-exponent(currency))


def _places(currency: str) -> str:
    """The end of a pattern with as many digits as the currency has."""
    digits = exponent(currency)
    return f"0.{'0' * digits}" if digits else "0"


class Words:
    """A language: ``words("page.title", day=...)`` gives a sentence, the methods write figures."""

    def __init__(self, language: str, catalogue: dict[str, Any]) -> None:
        """Raises `WordsError` where the catalogue names no locale that is known."""
        self.language = language
        self.catalogue = catalogue
        try:
            self.locale = Locale.parse(catalogue["language"]["locale"])
        except (KeyError, ValueError, UnknownLocaleError) as error:
            raise WordsError(f"catalogue {language}: language.locale is none that is known ({error})") from None

    def __call__(self, key: str, **filled: Any) -> str:
        """The sentence of this key (``section.name``). Raises `WordsError` where there is none."""
        section, _, name = key.partition(".")
        text = self.catalogue.get(section, {}).get(name)
        if not isinstance(text, str):
            raise WordsError(f"catalogue {self.language}: there is no {key}")
        return text.format(**filled) if filled else text

    def named(self, section: str, name: str) -> str:
        """A name out of the data (a cause, a finding's code): the catalogue's word for it, else with spaces."""
        text = self.catalogue.get(section, {}).get(name)
        return text if isinstance(text, str) else name.replace("_", " ")

    def money(self, amount: int, currency: str) -> str:
        """Minor units with the currency's sign: ``€1,234.50``."""
        if not currency:
            return self.number(amount)
        pattern = self.locale.currency_formats["standard"].pattern.replace("0.00", _places(currency))
        return format_currency(major(amount, currency), currency, pattern, self.locale, currency_digits=False)

    def amount(self, amount: int, currency: str) -> str:
        """The same without the sign, for columns of one currency: ``1,234.50``."""
        if not currency:
            return self.number(amount)
        return format_decimal(major(amount, currency), f"#,##{_places(currency)}", locale=self.locale)

    def signed(self, amount: int, currency: str) -> str:
        """An amount that always has a sign, but for nought: ``+316.00``."""
        return f"+{self.amount(amount, currency)}" if amount > 0 else self.amount(amount, currency)

    def number(self, value: int) -> str:
        """A whole number in groups."""
        return format_decimal(value, locale=self.locale)

    def decimal(self, text: str) -> str:
        """A figure with two digits, given as text: ``-2.50``; empty stays empty."""
        return format_decimal(Decimal(text), "#,##0.00", locale=self.locale) if text else ""

    def percent(self, text: str) -> str:
        """The same as per cent."""
        return f"{self.decimal(text)} %" if text else ""

    def day(self, day: str) -> str:
        """An ISO day, written out."""
        return format_date(date.fromisoformat(day), "long", locale=self.locale)

    def moment(self, moment: str) -> str:
        """Time of day of an ISO moment (UTC), hours and minutes; empty stays empty."""
        return format_datetime(datetime.fromisoformat(moment), "HH:mm", locale=self.locale) if moment else ""
