"""Money as ISO 4217 has it, wherever an amount is written."""

from __future__ import annotations

import pytest

from dashboards.grafana.parts import money as in_sql
from dashboards.nightly.words import wording
from replay.money import shown
from streams.store import open_store
from streams.view.drawing.pieces import money as drawn

# ISO 4217, list one: code, minor unit. Among them currencies in which what is paid in cash has other digits.
MINOR_UNITS = {"EUR": 2, "HUF": 2, "COP": 2, "JPY": 0, "KRW": 0, "ISK": 0, "KWD": 3, "BHD": 3, "IQD": 3, "CLF": 4}
AMOUNT = 1_234_567
WRITTEN = {0: "1,234,567", 2: "12,345.67", 3: "1,234.567", 4: "123.4567"}


@pytest.mark.parametrize(("currency", "digits"), sorted(MINOR_UNITS.items()))
def test_an_amount_has_the_digits_of_its_currency(currency, digits):
    assert shown(AMOUNT, currency) == f"{WRITTEN[digits]} {currency}"
    assert shown(-AMOUNT, currency) == f"-{WRITTEN[digits]} {currency}"
    assert WRITTEN[digits] in drawn(AMOUNT, currency)
    assert wording("en").amount(AMOUNT, currency) == WRITTEN[digits]
    assert WRITTEN[digits] in wording("en").money(AMOUNT, currency)


def test_and_so_it_has_in_sql(tmp_path):
    with open_store(str(tmp_path / "store")) as store:
        for currency, digits in MINOR_UNITS.items():
            for amount in (AMOUNT, -AMOUNT, 5):
                one = f"SELECT toInt64({amount}) AS amount, '{currency}' AS currency"
                sql = f"SELECT {in_sql('amount')} AS written FROM ({one})"
                [row] = store.query(sql, {})

                assert row["written"] == shown(amount, currency), digits
