"""Hands in PHH notation: read, turned into sessions, audited; and what is altered in one is found."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Final

import pytest

from replay.events import decode
from streams import phh
from streams.commands.app import app
from streams.logs import read
from tests.installed import JUDGING

HANDS: Final = Path(__file__).parent / "hands"
RECORDED: Final = Path(__file__).resolve().parents[3] / "shared" / "data" / "poker_hands"
"""Hands that nobody here wrote; they are not part of the repository."""
recorded = pytest.mark.skipif(not RECORDED.is_dir(), reason="../shared/data/poker_hands is not there")


def read_hands(file: Path) -> list[phh.PhhHand]:
    """The hands of a file, of which each can be read; raises the error of the first that cannot."""
    hands = []
    for one in phh.read_hands(file):
        if isinstance(one, phh.PhhError):
            raise one
        hands.append(one)
    return hands


def hand(name: str, place: int = 0) -> phh.PhhHand:
    return copy.deepcopy(read_hands(HANDS / name)[place])


def own_hands() -> list[phh.PhhHand]:
    return [each for file in phh.phh_files(HANDS) for each in read_hands(file)]


@pytest.mark.parametrize("one", own_hands(), ids=lambda one: Path(one.name).name)
def test_every_hand_comes_out_with_the_stacks_of_its_file(one):
    assert phh.check(one, JUDGING).differences == []


def test_there_is_a_hand_of_every_variant():
    assert {one.variant for one in own_hands()} == set(phh.VARIANTS)


@recorded
def test_every_recorded_hand_comes_out_equal_and_without_a_finding():
    checks = [phh.check(one, JUDGING) for file in phh.phh_files(RECORDED) for one in read_hands(file)]

    assert [(check.name, check.differences) for check in checks if not check.equal] == []
    assert len(checks) == 713


# --- what is altered is found -------------------------------------------------------------------------------------


@recorded
def test_a_chip_more_or_less_in_any_finishing_stack_of_any_recorded_hand_is_found():
    for file in phh.phh_files(RECORDED / "wsop-2023-43-5"):
        [one] = read_hands(file)
        assert one.finishing is not None
        for player in range(len(one.finishing)):
            for by in (-1, 1):
                one.finishing[player] += by
                assert not phh.check(one, JUDGING).equal, (file, player)
                one.finishing[player] -= by


@recorded
def test_an_action_left_out_of_any_recorded_hand_is_found():
    for file in phh.phh_files(RECORDED)[::10]:
        [one] = read_hands(file)
        actions = one.actions
        for place, action in enumerate(actions):
            hidden = action.endswith("pb") and any("?" in each for each in actions)  # who brings in is not to be seen
            if re.match(r"p\d+ (f|cc|cbr|pb|sd)", action) and not hidden:
                one.actions = actions[:place] + actions[place + 1 :]
                assert not _equal(one), (file, place, action)


@recorded
def test_a_fold_that_was_a_call_is_found_in_any_recorded_hand():
    for file in phh.phh_files(RECORDED)[::5]:
        [one] = read_hands(file)
        actions = one.actions
        for place, action in enumerate(actions):
            if action.endswith(" f"):
                one.actions = [*actions[:place], action[:-1] + "cc", *actions[place + 1 :]]
                assert not _equal(one), (file, place, action)


def _equal(one: phh.PhhHand) -> bool:
    try:
        return phh.check(one, JUDGING).equal
    except phh.PhhError:
        return False


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("side-pot.phh", "p1 cbr 30", "p1 cbr 29", "p1"),
        ("side-pot.phh", "p1 cbr 30", "p1 cbr 31", "p1 puts in 30 and has 29"),
        ("side-pot.phh", "p3 cbr 10", "p3 cbr 3", "below_minimum"),
        ("side-pot.phh", "p2 cbr 60", "p2 f", "p2"),
        ("side-pot.phh", "p2 cbr 60", "p3 cc", "illegal_decision"),
        ("side-pot.phh", "d db Jc", "d db Qc", "ends with"),  # p2 has three queens
        ("side-pot.phh", "d db Jc", "d db 7h", "impossible_card"),
        ("side-pot.phh", "d db 4h", "d db 4h3s", "dealing_error"),
        ("side-pot.phh", "d dh p3 AsAd", "d dh p3 As", "dealing_error"),
        ("side-pot.phh", "p3 sm AsAd", "p3 sm AsAh", "shows"),
        ("half-chip.phh", "d dh p2 AsKd", "d dh p2 AsQd", "shows AS KD"),
        ("half-chip.phh", "d db 3c", "p2 cc", "illegal_decision"),
        ("heads-up-ante.phh", "p1 cbr 10", "p1 cbr 30", "above_maximum"),
        ("high-low.phh", "d db 8d", "d db 9s", "ends with"),  # there is no low hand
        ("mucked.phh", "p2 sm", "p2 sm 9c9d", "ends with"),  # nines full would not have lost to three tens
        ("mucked.phh", "p1 sm TdTc", "p1 sm", "ends with"),
    ],
)
def test_one_thing_altered_is_found(name, old, new, said):
    one = hand(name)
    assert old in one.actions
    one.actions[one.actions.index(old)] = new
    if new == "p2 sm 9c9d":
        one.actions[one.actions.index("d db Ts5h3c")] = "d db 9s9h3c"
        one.actions[one.actions.index("d db 9s")] = "d db Ts"

    assert any(said in difference for difference in phh.check(one, JUDGING).differences)


def test_a_stack_that_does_not_suffice_is_found():
    one = hand("mucked.phh")
    one.starting[0] = 2900

    assert any(line.startswith("p1 puts in 25 and has 24") for line in phh.check(one, JUDGING).differences)


# --- how it is turned into events ---------------------------------------------------------------------------------


def events(one: phh.PhhHand, kind: str) -> list[dict[str, object]]:
    return [event for event in phh.translate(one).events if event["type"] == kind]


def test_two_players_post_in_reverse_order_and_the_ante_is_the_big_blind_s():
    one = hand("heads-up-ante.phh")

    posted = [(event["seat"], event["wager"], event["amount"]) for event in events(one, "bet_placed")]
    assert posted == [(1, "ante", 200), (1, "big_blind", 200), (2, "small_blind", 100)]
    [opened] = events(one, "table_opened")
    assert isinstance(opened["options"], dict)
    assert opened["options"]["ante_by"] == "big_blind"
    assert opened["options"]["button"] == 2


def test_raising_to_is_chips_on_top_of_those_that_are_in():
    raises = [event["amount"] for event in events(hand("side-pot.phh"), "decision") if event["choice"] == "raise"]

    assert raises == [1000, 2900, 5800]


def test_cards_shown_at_the_end_are_known_from_the_start_and_a_hand_nobody_saw_is_folded():
    one = hand("mucked.phh")
    dealt = [event["card"] for event in events(one, "card_dealt") if event.get("seat") in (1, 2)]

    assert dealt == ["TD", "TC", "??", "??"]
    assert events(one, "decision")[-1] == {"type": "decision", "seat": 2, "choice": "fold"}


def test_only_the_up_cards_of_stud_lie_open():
    one = hand("stud-and-draw.phhs", 1)

    ups = [event["up"] for event in events(one, "card_dealt") if event["seat"] == 1]
    assert ups == [False, False, True, True, True, True, False]


def test_the_lines_are_events_in_order():
    for one in own_hands():
        decoded = [decode(line) for line in phh.lines_of(one, "phh-1")]
        assert [event.seq for event in decoded] == list(range(1, len(decoded) + 1))
        assert decoded[0].at.date() == one.day


# --- what cannot be read ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("'NT'", "'FB'", "variant 'FB' is none that retally has"),
        ("variant = 'NT'", "", "no variant is named"),
        ("min_bet = 2", "", "min_bet is missing"),
        ("antes = [0, 0, 0]", "antes = [0, 0]", "2 antes for 3 players"),
        ("antes = [0, 0, 0]", "antes = 'none'", "antes is not a list"),
        ("[30, 100, 10]", "[30, true, 10]", "True is no amount"),
        ("[30, 100, 10]", "[30, inf, 10]", "no amount that can be read"),
        ("[30, 100, 10]", "[30, 100.001, 10]", "finer than a hundredth"),
        ("[30, 100, 10]", "[30, -1, 10]", "no amount that can be read"),
        ("[30, 100, 10]", "[30]", "2 to 20 players"),
        ("p3 cbr 10", "p4 cbr 10", "there is no player p4"),
        ("p3 cbr 10", "p3 bets", "no such action"),
        ("p3 cbr 10", "p3 cbr", "no amount"),
        ("p3 cbr 10", "p3 cbr ten", "no amount"),
        ("p3 cbr 10", "p3 cc 10", "is too much"),
        ("d db Jc", "d db Jx", "there is no card JX"),
        ("d db Jc", "d dx Jc", "neither"),
        ("actions = [", "actions = 3\nothers = [", "actions is not a list of texts"),
        ("variant", "variant = ", "not TOML"),
        ("finishing_stacks = [40, 70, 30]", "", "no finishing_stacks"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_file_s_name(tmp_path, old, new, said):
    text = (HANDS / "side-pot.phh").read_text("utf-8")
    assert old in text
    file = tmp_path / "hand.phh"
    file.write_text(text.replace(old, new, 1), "utf-8")

    with pytest.raises(phh.PhhError, match=re.escape(said)) as refused:
        phh.check(read_hands(file)[0], JUDGING)
    assert str(refused.value).startswith(str(file))
    assert "\n" not in str(refused.value)


def test_a_file_that_is_too_large_is_refused_as_that_and_not_as_no_toml(tmp_path, monkeypatch):
    monkeypatch.setattr(phh, "_MAX_BYTES", 10)
    file = tmp_path / "hand.phh"
    file.write_text("variant = 'NT'\n")

    with pytest.raises(phh.PhhError) as refused:
        phh.read_hands(file)

    assert str(refused.value) == f"{file}: larger than 10 bytes"


# --- the command --------------------------------------------------------------------------------------------------


@pytest.fixture
def run(capsys):
    def run(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as exited:
            app([str(each) for each in arguments])
        out, err = capsys.readouterr()
        return int(exited.value.code or 0), out, err

    return run


def test_the_check_says_which_file_differs(run, tmp_path):
    text = (HANDS / "side-pot.phh").read_text("utf-8")
    (tmp_path / "good.phh").write_text(text, "utf-8")
    assert run("import", "phh", tmp_path, "--check")[:2] == (0, "1 hands: 1 equal, 0 differ\n")

    (tmp_path / "bad.phh").write_text(text.replace("[40, 70, 30]", "[41, 69, 30]"), "utf-8")
    status, out, _ = run("import", "phh", tmp_path, "--check")
    assert status == 1
    assert str(tmp_path / "bad.phh") in out.replace("\n", "")
    assert "good.phh" not in out

    (tmp_path / "badugi.phh").write_text(text.replace("'NT'", "'FB'"), "utf-8")
    status, _, err = run("import", "phh", tmp_path, "--check")
    assert status == 2
    assert str(tmp_path / "badugi.phh") in err
    assert "FB" in err


def test_the_log_is_one_that_an_audit_finds_clean(run, tmp_path):
    log = tmp_path / "hands.jsonl"

    status, out, _ = run("import", "phh", HANDS, "--to", log)

    assert (status, out) == (0, f"10 hands in {log}\n")
    sessions = {decode(line.text).session for line in read([log])}
    assert len(sessions) == 10
    assert run("audit", log)[0] == 0


def test_what_is_asked_for_must_be_one_of_two_things(run, tmp_path):
    for arguments in ([], ["--check", "--to", tmp_path / "a.jsonl"]):
        status, _, err = run("import", "phh", HANDS, *arguments)
        assert status == 2
        assert err == "retally: say either --to LOG or --check\n"
    assert run("import", "phh", tmp_path / "nothing", "--check")[0] == 2


MIXED: Final = """
[1]
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ['d dh p1 ????', 'd dh p2 ????', 'p2 f']
finishing_stacks = [101, 99]
[2]
variant = 'FB'
[3]
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ['d dh p1 ????', 'd dh p2 ????', 'p2 f']
finishing_stacks = [101, 98]
"""


def test_of_a_file_of_many_the_good_hand_is_taken_and_each_other_is_refused_by_its_number(run, tmp_path):
    file, log = tmp_path / "mixed.phhs", tmp_path / "log.jsonl"
    file.write_text(MIXED)

    status, out, err = run("import", "phh", file, "--to", log)

    assert (status, out) == (2, f"1 hands in {log}\n")
    second, third = err.splitlines()
    assert second.startswith(f"retally: {file} [2]: variant 'FB' is none that retally has")
    assert third == f"retally: {file} [3]: the stacks begin with 200 in all, and end with 199"
    assert {decode(line.text).type for line in read([log])} >= {"table_opened", "bet_placed", "table_closed"}


def test_checked_the_others_are_compared_too_and_json_says_the_same(run, tmp_path):
    file = tmp_path / "mixed.phhs"
    file.write_text(MIXED)
    (tmp_path / "broken.phh").write_text("variant =")

    status, out, err = run("import", "phh", tmp_path, "--check", "--json")

    said = json.loads(out)
    assert status == 2
    assert said["hands"] == 2
    assert [one["file"] for one in said["differ"]] == [f"{file} [3]"]
    assert [reason.split(":")[0] for reason in said["refused"]] == [str(tmp_path / "broken.phh"), f"{file} [2]"]
    assert err.splitlines() == [f"retally: {reason}" for reason in said["refused"]]


def test_where_no_hand_can_be_used_nothing_is_written(run, tmp_path):
    (tmp_path / "a.phh").write_text("variant = 'FB'")

    status, out, err = run("import", "phh", tmp_path, "--to", tmp_path / "log.jsonl")

    assert (status, out, err.count("\n")) == (2, "", 1)
    assert not (tmp_path / "log.jsonl").exists()
