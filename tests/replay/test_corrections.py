"""What is put right is folded as if it had been said so; both versions stay, and who did it is told."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from replay.audit import Auditor
from replay.forensics import replay
from replay.refold import Refold, fold
from replay.results import Cage, Finding, Row, Settlement, Verdict
from tests.installed import JUDGING, judged
from tests.replay import logs
from tests.replay.logs import Coup, Stake, Writer

SEALED = judged(keys=logs.KEYS)
BY: dict[str, Any] = {"reason": "misread", "by": "sup1"}


def night(*, sealed: bool = True) -> Writer:
    """A table of boule, opened."""
    writer = Writer("BO01-2026-11-29", "BO01", sealed=sealed)
    house = {"casino": "Casino", "pit": "P1", "game": "boule", "rules": "AD-2025", "currency": "EUR"}
    limits = {"min": 200, "max": 100000, "straight_up": {"min": 200, "max": 20000}}
    writer.event("table_opened", **house, limits=limits, float=500000)
    return writer


def coup(writer: Writer, number: int, *, paid: int, returned: int, bet: str = "x", wager: str = "black") -> None:
    """Round ``writer.round``: 50.00 on ``wager``, the ball on ``number``, the claim; not yet closed. The ball is the
    last event but one."""
    writer.event("bet_placed", bet=bet, seat=1, wager=wager, amount=5000)
    writer.event("bets_closed")
    writer.event("ball_landed", number=number)
    writer.event("bet_settled", bet=bet, paid=paid, returned=returned)


def close(writer: Writer) -> None:
    writer.event("round_closed")
    writer.seal()
    writer.round = None


def told(writer: Writer, judging: Any = JUDGING) -> tuple[dict[tuple[int, str], Settlement], list[Finding]]:
    said, _ = fold(writer.log.session, writer.log.lines, judging)
    settlements = {(row.round, row.bet): row for row in said if isinstance(row, Settlement)}
    return settlements, [row for row in said if isinstance(row, Finding)]


def brief(found: Sequence[Finding]) -> list[tuple[str, str, int | None]]:
    return sorted(((each.code, each.bet, each.amount) for each in found), key=str)


@given(st.integers(0, 10**6), st.integers(1, 9))
def test_a_corrected_event_is_folded_as_if_it_had_been_said_so(seed, number):
    said = logs.sample(seed, 3, sealed=False).lines
    ball = random.Random(seed).choice([i for i, line in enumerate(said) if b"ball_landed" in line])
    straight = list(said)
    straight[ball] = logs.altered(said[ball], number=number)
    at_the_end = logs.altered(said[-1], type="event_corrected", seq=len(said) + 1, amount=..., corrects=ball + 1)
    correction = logs.altered(at_the_end, correct={"type": "ball_landed", "number": number}, **BY)

    def money(lines: list[bytes]) -> tuple[list[Any], list[Any]]:
        rows, _ = fold("BO01-2026-11-29", lines, JUDGING)
        nothing: dict[str, Any] = {"seqs": (), "revision": 0}
        return (
            [msgspec.structs.replace(row, **nothing) for row in rows if isinstance(row, Settlement)],
            [msgspec.structs.replace(row, **nothing) for row in rows if isinstance(row, Finding)],
        )

    bets, findings = money([*said, correction])
    assert bets == money(straight)[0]
    assert [each for each in findings if each.code != "corrected"] == money(straight)[1]
    assert [each.seq for each in findings if each.code == "corrected"] == [len(said) + 1]


def test_both_versions_are_kept_and_shown():
    writer = night()
    writer.round = 1
    coup(writer, 2, paid=0, returned=0)
    writer.event("event_corrected", corrects=4, correct={"type": "ball_landed", "number": 3}, **BY)
    close(writer)
    steps = {step.seq: step for step in replay(writer.log.session, writer.log.lines, SEALED).steps}
    [finding] = [each for each in told(writer, SEALED)[1] if each.code == "corrected"]

    assert steps[4].text == "the ball rests on 3 (put right by event 6; it was said: the ball rests on 2)"
    assert '"number":2' in steps[4].raw
    assert steps[4].table["ball"] == "3"
    assert finding.seqs == (4, 6)
    assert "sup1" in finding.text and "misread" in finding.text
    assert "rests on 3" in finding.text and "rests on 2" in finding.text


def test_of_several_corrections_the_last_counts_and_each_is_told():
    writer = night()
    writer.round = 1
    coup(writer, 2, paid=0, returned=0)
    for number in (3, 5, 1):
        writer.event("event_corrected", corrects=4, correct={"type": "ball_landed", "number": number}, **BY)
    close(writer)
    settlements, findings = told(writer, SEALED)

    assert (settlements[1, "x"].paid, settlements[1, "x"].returned) == (5000, 5000)
    assert brief(findings) == [("corrected", "", None)] * 3 + [("underpaid", "x", 10000)]


def test_a_correction_may_be_put_right_itself():
    writer = night()
    writer.round = 1
    coup(writer, 2, paid=5000, returned=5000)
    writer.event("event_corrected", corrects=4, correct={"type": "ball_landed", "number": 5}, **BY)
    right = {"type": "event_corrected", "corrects": 4, "correct": {"type": "ball_landed", "number": 1}, **BY}
    writer.event("event_corrected", corrects=6, correct=right, **BY)
    close(writer)
    settlements, findings = told(writer, SEALED)

    assert settlements[1, "x"].verdict is Verdict.MATCH
    assert brief(findings) == [("corrected", "", None)] * 2


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"corrects": 99, "correct": {"type": "ball_landed", "number": 3}}, "no such event before it"),
        ({"corrects": 6, "correct": {"type": "event_corrected", "corrects": 4, **BY}}, "no such event before it"),
        ({"corrects": 2, "correct": {"type": "ball_landed", "number": 3}}, "which is bet_placed, not ball_landed"),
        (
            {"corrects": 2, "correct": {"type": "bet_placed", "bet": "y", "seat": 1, "wager": "red", "amount": 5}},
            "another id",
        ),
    ],
)
def test_a_correction_that_names_nothing_changes_nothing(fields, why):
    if fields["correct"]["type"] == "event_corrected":
        fields["correct"]["correct"] = {"type": "ball_landed", "number": 3}
    writer = night()
    writer.round = 1
    coup(writer, 1, paid=5000, returned=5000)
    writer.event("event_corrected", **fields, **BY)
    close(writer)
    settlements, findings = told(writer, SEALED)

    assert settlements[1, "x"].verdict is Verdict.MATCH
    [finding] = findings
    assert finding.code == "rejected_event"
    assert why in finding.text


def test_what_is_sealed_is_changed_by_nothing_that_is_not():
    writer = night()
    writer.round = 1
    coup(writer, 2, paid=0, returned=0)
    close(writer)
    writer.event("event_corrected", corrects=4, correct={"type": "ball_landed", "number": 1}, **BY)
    settlements, findings = told(writer, SEALED)

    assert settlements[1, "x"].verdict is Verdict.MATCH
    assert brief(findings) == [("rejected_event", "", None)]

    writer.seal()
    settlements, findings = told(writer, SEALED)

    assert settlements[1, "x"].verdict is Verdict.UNDERPAID
    assert brief(findings) == [("corrected", "", None), ("underpaid", "x", 10000)]


def test_nor_by_a_correction_under_a_seal_of_another_key():
    writer = night()
    writer.round = 1
    coup(writer, 2, paid=0, returned=0)
    close(writer)
    forger = Ed25519PrivateKey.from_private_bytes(bytes(32))
    writer.event("event_corrected", corrects=4, correct={"type": "ball_landed", "number": 1}, **BY)
    genuine = writer.log.lines
    writer.seal()
    writer.log.lines = genuine[:-1] + logs.resealed(genuine[-1:], forger)
    settlements, findings = told(writer, SEALED)

    assert settlements[1, "x"].verdict is Verdict.MATCH
    assert "corrected" not in {each.code for each in findings}


def test_a_payout_is_put_right_in_a_later_round_and_after_the_table_was_closed():
    writer = night()
    writer.round = 1
    coup(writer, 1, paid=0, returned=0)
    close(writer)
    writer.round = 2
    writer.event("round_opened")
    writer.event("bet_settled", bet="x", paid=5000, returned=0, corrects=5, by="sup1")
    close(writer)
    writer.event("table_closed", float=400000)
    writer.seal()
    writer.event("bet_settled", bet="x", paid=5000, returned=5000, corrects=5, by="sup2")
    writer.seal()
    settlements, findings = told(writer, SEALED)

    assert settlements[1, "x"].verdict is Verdict.MATCH
    assert (settlements[1, "x"].claimed_paid, settlements[1, "x"].claimed_returned) == (5000, 5000)
    assert brief(findings) == [("corrected", "x", None)] * 2


def test_a_correction_that_comes_as_it_goes_supersedes_what_was_said():
    writer = night()
    writer.round = 1
    coup(writer, 2, paid=0, returned=0)
    close(writer)
    writer.event("event_corrected", corrects=4, correct={"type": "ball_landed", "number": 1}, **BY)
    writer.seal()
    auditor = Auditor(SEALED)
    rows: list[Row] = []
    for place, line in enumerate(writer.log.lines, 1):
        auditor.feed(line, "log", place)
        rows += auditor.drain()
    rows += auditor.finish()
    assert [row.verdict for row in rows if isinstance(row, Settlement)] == [Verdict.MATCH]
    assert auditor.late() == {writer.log.session: frozenset()}
    refold = Refold(auditor.late(), SEALED)
    for line in writer.log.lines:
        refold.feed(line)

    again = refold.rows()
    [now] = [row for row in again if isinstance(row, Settlement)]
    [before] = [row for row in rows if isinstance(row, Settlement)]
    assert now.verdict is Verdict.UNDERPAID
    assert now.revision > before.revision


# --- void rounds ------------------------------------------------------------------------------------------------------


def test_a_void_round_gives_its_stakes_back_and_leaves_those_of_earlier_rounds_as_they_were():
    writer = Writer("CR01-2026-11-29", "CR01", sealed=False)
    house = {"casino": "Casino", "pit": "P1", "game": "craps", "rules": "AD-2025", "currency": "EUR"}
    writer.event("table_opened", **house, float=500000)
    writer.round = 1
    writer.event("bet_placed", bet="line", seat=1, wager="pass_line", amount=1000)
    writer.event("bets_closed")
    writer.event("dice_rolled", dice=[2, 2], seat=1)
    writer.event("round_closed")
    writer.round = 2
    writer.event("bet_placed", bet="field", seat=2, wager="field", amount=500)
    writer.event("dice_rolled", dice=[3, 4], seat=1)
    writer.event("bet_settled", bet="field", paid=0, returned=0)
    writer.event("round_voided", reason="a die under the rail", by="dir1")
    writer.event("round_closed")
    writer.round = 3
    writer.event("dice_rolled", dice=[1, 3], seat=1)
    writer.event("bet_settled", bet="line", paid=1000, returned=1000)
    writer.event("round_closed")
    settlements, findings = told(writer)

    assert settlements[1, "line"].verdict is Verdict.MATCH
    assert (settlements[2, "field"].paid, settlements[2, "field"].returned) == (0, 500)
    assert brief(findings) == [("round_voided", "", None), ("underpaid", "field", 500)]


def test_a_round_that_is_sealed_in_part_is_voided_by_nothing_that_is_not():
    """Somebody without the table's key appends that the round is void in which too much was handed over."""
    writer = night()
    writer.round = 1
    coup(writer, 1, paid=90000, returned=5000)
    writer.seal()
    writer.event("round_voided", reason="misdeal", by="dir1")
    settlements, findings = told(writer, SEALED)

    assert settlements[1, "x"].verdict is Verdict.OVERPAID
    assert brief(findings) == [("overpaid", "x", 85000), ("rejected_event", "", None)]

    writer.seal()
    settlements, findings = told(writer, SEALED)

    assert (settlements[1, "x"].paid, settlements[1, "x"].returned) == (0, 5000)
    assert brief(findings) == [("overpaid", "x", 90000), ("round_voided", "", None)]


def test_a_void_that_comes_as_it_goes_holds_once_it_is_sealed():
    writer = night()
    writer.round = 1
    coup(writer, 1, paid=5000, returned=5000)
    writer.seal()
    writer.event("round_voided", reason="misdeal", by="dir1")
    close(writer)
    auditor = Auditor(SEALED)
    for place, line in enumerate(writer.log.lines, 1):
        auditor.feed(line, "log", place)
        auditor.drain()
    auditor.finish()
    refold = Refold(auditor.late(), SEALED)
    for line in writer.log.lines:
        refold.feed(line)

    [now] = [row for row in refold.rows() if isinstance(row, Settlement)]
    assert (now.verdict, now.paid, now.returned) == (Verdict.OVERPAID, 0, 5000)


def test_the_cards_of_a_void_round_have_left_the_shoe():
    writer = Writer("PB01-2026-11-29", "PB01", sealed=False)
    house = {"casino": "Casino", "pit": "P1", "game": "punto_banco", "rules": "AD-2025", "currency": "EUR"}
    writer.event("table_opened", **house, float=500000)
    writer.event("shoe_loaded")
    for number in range(1, 4):
        writer.round = number
        writer.event("bet_placed", bet=f"b{number}", seat=1, wager="banker", amount=1000)
        writer.event("bets_closed")
        for to in ("player", "banker", "player", "banker"):
            writer.event("card_dealt", card="4H", to=to)
        if number < 3:
            writer.event("round_voided", reason="cards exposed", by="dir1")
            writer.event("bet_settled", bet=f"b{number}", paid=0, returned=1000)
            writer.event("round_closed")
    _, findings = told(writer)
    impossible = [each for each in findings if each.code == "impossible_card"]

    assert [each.round for each in impossible] == [3] * 4  # six packs hold six of them, and eight were out


def test_a_void_with_no_round_at_hand_is_refused():
    writer = night()
    writer.event("round_voided", reason="nothing", by="dir1")

    assert brief(told(writer)[1]) == [("rejected_event", "", None)]


def test_a_void_after_the_table_was_closed_is_refused():
    writer = night()
    writer.round = 1
    coup(writer, 1, paid=5000, returned=5000)
    writer.event("round_closed")
    writer.event("table_closed", float=495000)
    writer.event("round_voided", reason="late", by="dir1")
    settlements, findings = told(writer)

    assert settlements[1, "x"].verdict is Verdict.MATCH
    assert "round_voided" not in {each.code for each in findings}


def test_a_pot_that_is_called_void_goes_back_to_those_who_put_it_in():
    writer = Writer("CP01-2026-11-29", "CP01", sealed=False)
    house = {"casino": "Casino", "pit": "P1", "game": "circle_poker", "rules": "AD-2022", "currency": "EUR"}
    options = {"variety": "holdem", "button": 1, "small_blind": 100, "big_blind": 200}
    writer.event("table_opened", **house, options=options, float=0)
    writer.round = 1
    writer.event("bet_placed", bet="seat2", seat=2, wager="small_blind", amount=100)
    writer.event("bet_placed", bet="seat3", seat=3, wager="big_blind", amount=200)
    for seat, card in ((2, "9C"), (3, "QS"), (1, "AH"), (2, "3D"), (3, "QC"), (1, "KD")):
        writer.event("card_dealt", card=card, seat=seat, up=False)
    writer.event("decision", seat=1, choice="raise", amount=600)
    writer.event("decision", seat=2, choice="fold")
    writer.event("decision", seat=3, choice="call", amount=400)
    writer.event("round_voided", reason="fouled deck", by="dir1")
    for bet, amount in (("seat1", 600), ("seat2", 100), ("seat3", 600)):
        writer.event("bet_settled", bet=bet, paid=0, returned=amount)
    writer.event("round_closed")
    settlements, findings = told(writer)

    assert brief(findings) == [("round_voided", "", None)]
    assert {row.bet: (row.paid, row.returned) for row in settlements.values()} == {
        "seat1": (0, 600),
        "seat2": (0, 100),
        "seat3": (0, 600),
    }


# --- beside the rules -------------------------------------------------------------------------------------------------


def test_a_second_count_of_the_drop_takes_the_place_of_the_first_and_is_told():
    log = logs.boule([Coup(7, [Stake()])]).lines
    again = logs.altered(log[-2], seq=len(log) + 1, amount=76_000)
    rows, summary = fold("BO01-2026-11-29", [*log, again], JUDGING)
    [finding] = [row for row in rows if isinstance(row, Finding)]

    assert summary.drop == 76_000
    assert (finding.code, finding.amount) == ("drop_recounted", 1_000)
    assert [row.amount for row in rows if isinstance(row, Cage) and row.movement == "drop_counted"] == [77_000, 76_000]


def test_chips_that_come_and_go_are_told_with_who_had_the_table():
    writer = night()
    writer.event("dealer_on", dealer="d7")
    writer.event("cash_in", amount=100_000, player="p9", kind="cash")
    writer.event("chips_counted", amount=400_000)
    rows, _ = fold(writer.log.session, writer.log.lines, JUDGING)
    moved = {row.movement: (row.amount, row.player, row.dealer) for row in rows if isinstance(row, Cage)}

    assert moved == {
        "float_open": (500_000, "", ""),
        "cash_in": (100_000, "p9", "d7"),
        "chips_counted": (400_000, "", "d7"),
    }


def test_limits_that_the_law_does_not_let_a_house_post_are_told_when_they_are_changed():
    writer = night()
    writer.event("limits_changed", limits={"min": 500, "max": 10**9})

    assert [(each.code, each.seq) for each in told(writer)[1]] == [("setup_not_allowed", 2)]
