"""A handler that would never be called, and a code that nobody has words for, are found when the module is imported."""

from __future__ import annotations

from typing import Any

import pytest

from replay.games import Game
from replay.streaks.detector import Detector


def test_a_game_whose_handler_is_misspelt_cannot_be_imported():
    with pytest.raises(TypeError, match=r"Wheel\.handles: ball_landed is listed, and there is no such method"):

        class Wheel(Game):
            handles = ("ball_landed",)

            def ball_lnded(self, event: Any) -> None: ...


def test_a_game_that_lists_no_event_of_the_contract_is_told_the_nearest():
    with pytest.raises(TypeError, match=r"Wheel\.handles: there is no ball_lnded; did you mean ball_landed\?"):

        class Wheel(Game):
            handles = ("ball_lnded",)

            def ball_lnded(self, event: Any) -> None: ...


def test_a_handler_that_is_not_listed_would_never_be_called():
    with pytest.raises(TypeError, match=r"Wheel\.handles: there is a method ball_landed, which is not listed"):

        class Wheel(Game):
            def ball_landed(self, event: Any) -> None: ...


def test_what_a_base_handles_is_handled_by_whoever_extends_it():
    class Wheel(Game):
        handles = ("ball_landed",)

        def ball_landed(self, event: Any) -> None: ...

    class Other(Wheel):
        def ball_landed(self, event: Any) -> None: ...

        def bet_placed(self, event: Any) -> None: ...

    assert Other.handled == Wheel.handled == Game.handled | {"ball_landed"}


@pytest.mark.parametrize(
    ("attributes", "said"),
    [
        ({"wants": ("setled",)}, r"wants: there is no setled; did you mean settled\?"),
        ({"wants": ("settled",)}, "settled is listed, and there is no such method"),
        ({"settled": lambda self, row: None}, "there is a method settled, which is not listed"),
        ({"codes": ("player_win",)}, r"codes: player_win is no code of a streak; did you mean player_wins\?"),
        ({"codes": ("underpaid",)}, "codes: underpaid is no code of a streak"),
    ],
)
def test_a_detector_that_would_not_be_told_or_could_not_say_it_cannot_be_imported(attributes, said):
    with pytest.raises(TypeError, match=said):
        type("Watcher", (Detector,), attributes)
