"""No bit of a sealed session can be turned over unseen, with no key, whatever is made to fit."""

from __future__ import annotations

import random

from tests.forger.bits import BITS, LINES, rebuilt, turned
from tests.forger.floor import floor

SAMPLE = 150


def test_the_session_as_it_was_sealed_is_proven():
    assert rebuilt(floor(), LINES).complaints == []


def test_no_bit_of_a_sample_is_turned_over_unseen():
    """`make bench ARGS=bits` turns over every one."""
    found = turned(random.Random(14).sample(range(BITS), SAMPLE))

    assert found.tried == SAMPLE
    assert found.accepted > SAMPLE // 10
    assert found.survivors == []


def test_nor_any_bit_of_the_line_ends():
    places = [sum(len(line) + 1 for line in LINES[:number]) - 1 for number in range(1, len(LINES) + 1)]

    assert turned(8 * place + bit for place in places for bit in range(8)).survivors == []
