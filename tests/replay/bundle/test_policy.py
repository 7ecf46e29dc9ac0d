"""Policies: whose word about a head is enough."""

from __future__ import annotations

import itertools
from typing import Final

import pytest

from replay.bundle import note
from replay.bundle.note import LOG, WITNESS, NoteError
from replay.bundle.policy import read_policy, standing, utc
from tests.replay.bundle.floors import (
    AT,
    HOUSE_ALONE,
    KEY,
    ORIGIN,
    POLICY,
    REGULATOR,
    WITNESS_KEY,
    cosigned,
    floor,
    private,
    vkey,
)

NIGHT: Final = floor("2026-11-29").nights[0]
WITNESSES: Final = {name: private(20 + number) for number, name in enumerate(("X1", "X2", "X3", "Y1", "Y2", "Y3"))}
EXAMPLE: Final = "\n".join(
    [
        f"log {KEY}",
        "",
        *(f"witness {name} {vkey(f'{name}.example', WITNESS, key)}" for name, key in WITNESSES.items()),
        "group X-witnesses 2 X1 X2 X3",
        "group Y-witnesses any Y1 Y2 Y3",
        "group X-and-Y all X-witnesses Y-witnesses",
        "quorum X-and-Y\n",
    ]
)
"""The example of c2sp.org/tlog-policy, with keys."""


def signed_by(*names: str) -> bytes:
    found = note.read_note(NIGHT.head.encode())
    for name in names:
        found = found.beside(note.cosign(found.text, f"{name}.example", WITNESSES[name], AT))
    return bytes(found)


def test_a_head_that_the_witness_has_signed_says_by_whom_and_when():
    found = standing(cosigned(NIGHT).head.encode(), POLICY)

    assert found.is_met
    assert str(found) == "witnessed by regulator at 2027-01-15 08:00:00 UTC"


def test_a_head_that_nobody_has_witnessed_is_the_houses_alone():
    assert str(standing(NIGHT.head.encode(), HOUSE_ALONE)) == "house only"
    assert standing(NIGHT.head.encode(), HOUSE_ALONE).is_met
    assert str(standing(NIGHT.head.encode(), POLICY)) == "house only, which is not enough under the policy"
    assert not standing(NIGHT.head.encode(), POLICY).is_met


def test_the_example_of_the_specification_asks_for_two_of_three_and_one_of_three():
    """Every subset of its six witnesses, counted here once more."""
    policy = read_policy(EXAMPLE.encode())
    for count in range(len(WITNESSES) + 1):
        for names in itertools.combinations(WITNESSES, count):
            enough = sum(name.startswith("X") for name in names) >= 2 and any(name.startswith("Y") for name in names)
            assert standing(signed_by(*names), policy).is_met == enough


def test_a_witness_of_whom_the_policy_knows_nothing_counts_for_nothing():
    other = vkey("regulator.example/w1", WITNESS, private(30))
    policy = read_policy(f"log {KEY}\nwitness regulator {other}\nquorum regulator\n".encode())

    assert not standing(cosigned(NIGHT).head.encode(), policy).is_met


def test_a_known_witness_whose_signature_does_not_hold_refuses_the_head():
    forged = cosigned(NIGHT).head.replace("regulator.example/w1 ", "regulator.example/w2 ")
    wrong = note.read_note(cosigned(NIGHT).head.encode())
    log, witness = wrong.signatures
    head = wrong._replace(signatures=(log, witness._replace(value=witness.value[:-1] + b"\0")))

    assert not standing(forged.encode(), POLICY).is_met
    with pytest.raises(NoteError, match="does not hold"):
        standing(bytes(head), POLICY)


def test_a_log_of_which_the_policy_knows_nothing_is_refused():
    other = floor("2026-11-29", key=vkey("operator.example/retally/floor-2", LOG, private(1))).nights[0]

    with pytest.raises(NoteError, match="none of those that the policy names"):
        standing(other.head.encode(), POLICY)


def test_a_log_whose_key_was_changed_has_two():
    policy = read_policy(f"log {vkey(ORIGIN, LOG, private(9))}\nlog {KEY} https://x.example/\nquorum none\n".encode())

    assert standing(NIGHT.head.encode(), policy).head.by == KEY


def test_blanks_tabs_comments_and_addresses_say_nothing():
    text = (
        f"# ours\n \t log \t {KEY}\t https://operator.example/ \n\n\t# x\nwitness R {WITNESS_KEY} https://w.example\n"
    )
    policy = read_policy(f"{text}quorum R\n".encode())

    assert standing(cosigned(NIGHT).head.encode(), policy).is_met


W1: Final = f"witness A {WITNESS_KEY}\n"
W2: Final = f"witness B {vkey('b.example', WITNESS, private(31))}\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "quorum none",
        f"log {KEY}\n",
        f"{W1}quorum A\nquorum A\n",
        f"quorum A\n{W1}",
        f"{W1}quorum B\n",
        f"{W1}{W1}quorum A\n",
        f"{W1}witness B {WITNESS_KEY}\nquorum A\n",
        f"{W1}witness B {vkey('other.example', WITNESS, REGULATOR)}\nquorum A\n",
        f"{W1}witness none {vkey('b.example', WITNESS, private(31))}\nquorum A\n",
        f"log {KEY}\nlog {KEY}\nquorum none\n",
        f"log {KEY}\nlog {vkey('other.example', LOG, private(1))}\nquorum none\n",
        f"log {WITNESS_KEY}\nquorum none\n",
        f"witness A {KEY}\nquorum A\n",
        f"{W1}group G 1\nquorum G\n",
        f"{W1}group G 0 A\nquorum G\n",
        f"{W1}group G 2 A\nquorum G\n",
        f"{W1}group G 01 A\nquorum G\n",
        f"{W1}group G +1 A\nquorum G\n",
        f"{W1}group G 1 B\nquorum G\n",
        f"{W1}group G 1 none\nquorum G\n",
        f"{W1}group A 1 A\nquorum A\n",
        f"{W1}{W2}group G 2 A A\nquorum G\n",
        f"{W1}{W2}group G 1 A B\ngroup H 1 A\nquorum G\n",
        f"{W1}quorum A B\n",
        f"{W1}log\nquorum A\n",
        f"{W1}quorum A\r\n",
        f"{W1}quorum\u00a0A\n",
        f"{W1}wintess B x\nquorum A\n",
        f"{W1}quorum A\n\x00\n",
        "quorum none\n" + "#" * 70_000 + "\n",
    ],
)
def test_what_is_no_policy_is_refused_in_one_line(text):
    with pytest.raises(NoteError) as told:
        read_policy(text.encode())
    assert str(told.value).isprintable()


def test_groups_of_groups_without_end_keep_nobody_busy():
    lines = [f"witness G0 {WITNESS_KEY}", *(f"group G{n} 1 G{n - 1}" for n in range(1, 3000)), "quorum G2999\n"]
    policy = read_policy("\n".join(lines).encode())

    assert policy.is_met(["G0"])
    assert not policy.is_met([])


@pytest.mark.parametrize(
    ("time", "text"),
    [
        (0, "1970-01-01 00:00:00 UTC"),
        (253402300799, "9999-12-31 23:59:59 UTC"),
        (2**63 - 1, "second 9223372036854775807"),
    ],
)
def test_every_time_that_a_witness_can_name_can_be_said(time, text):
    assert utc(time) == text
