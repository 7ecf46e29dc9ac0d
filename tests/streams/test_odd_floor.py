"""A sample of the floor of honest oddities; ``make bench ARGS='"odd nights"'`` plays a thousand of its nights."""

from __future__ import annotations

import pytest

from streams.simulator.floor import Floor
from tests.odd_floor import OddFloor, false_alarms


@pytest.mark.parametrize("kind", [OddFloor, Floor], ids=["odd", "plain"])
def test_nobody_is_accused_on_an_honest_floor(kind):
    """A short night of twenty tables at 1 in 100."""
    found = [alarm.text for _, alarms in false_alarms(kind, range(1, 2), tables=20, hours=0.2) for alarm in alarms]

    assert found == []
