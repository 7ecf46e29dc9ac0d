"""Evidence carries its law: a bundle is judged by the packs in it, and whether they are the ones that somebody trusts
is said apart, whatever has become of the installed ones since."""

from __future__ import annotations

import hashlib
import json
import random
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest

from replay.bundle import contents
from replay.bundle.contents import Opening, Scope
from replay.bundle.trust import LawSaid
from replay.bundle.verify import MAX_OTHERWISE, BundleError, Claim, Verified
from replay.engine import ENGINE
from replay.packs import MAX_TEXT_BYTES, PackError, Packs
from replay.refold import fold
from streams import bundle_files
from streams.packs import read_packs
from tests.installed import JUDGING, PACKS, judged
from tests.replay import logs
from tests.replay.bundle.bundles import (
    LOG,
    VERDICTS,
    Members,
    Night,
    by_engine,
    exported,
    forged,
    members,
    rewritten,
    unpacked,
    verify,
)

Texts = dict[str, dict[str, bytes]]

CONTENT: Final = exported(Night(LOG), Scope(session=LOG.session))
MEMBERS: Final = unpacked(CONTENT)
BOULE: Final = "rules/AD-2025/boule.toml"
PACK: Final = "rules/AD-2025/pack.toml"
REGULATIONS: Final = Path(__file__).resolve().parents[3] / "replay" / "regulations"
HOUSE: Final = PACKS.beside(read_packs([Path(__file__).resolve().parents[2] / "packs" / "CASA-2026"]))
"""The installed packs, and a house's own under Andorra's."""


def texts(packs: Packs = PACKS) -> Texts:
    return {name: dict(files) for name, files in packs.files.items()}


def with_text(pack: str, file: str, old: bytes, new: bytes, packs: Packs = PACKS) -> Packs:
    """The packs with something else in one of their files."""
    found = texts(packs)
    assert old in found[pack][file]
    found[pack][file] = found[pack][file].replace(old, new, 1)
    return Packs(found)


DEARER: Final = with_text("AD-2025", "boule.toml", b'pays = "7/1"', b'pays = "8/1"')
"""A number pays eight to one."""


def the_law(verified: Verified) -> LawSaid:
    [said] = verified.law
    return said


def craps(rules: str) -> logs.Log:
    """A come-out throw of seven on a pass line bet of 10.00, which wins as much."""
    writer = logs.Writer("CR01-2026-11-29", "CR01")
    writer.event(
        "table_opened",
        casino="Casino",
        pit="P1",
        game="craps",
        rules=rules,
        currency="EUR",
        chip_unit=50,
        limits={"min": 500, "max": 100000},
        float=500000,
    )
    writer.round = 1
    writer.event("bet_placed", bet="p1", seat=1, wager="pass_line", amount=1000)
    writer.event("bets_closed")
    writer.event("dice_rolled", dice=[4, 3], seat=1)
    writer.event("bet_settled", bet="p1", paid=1000, returned=1000)
    writer.event("round_closed")
    writer.seal()
    writer.round = None
    writer.event("table_closed", float=499000)
    writer.seal()
    return writer.log


# What names the law


def sha256sum(*files: str) -> str:
    """What ``sha256sum FILE… | sha256sum`` prints in the folder of the regulations."""
    lines = [f"{hashlib.sha256((REGULATIONS / file).read_bytes()).hexdigest()}  {file}\n" for file in sorted(files)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def test_a_sessions_row_and_the_bundle_name_the_digest_of_the_texts_that_judged():
    digest = sha256sum("AD-2025/boule.toml", "AD-2025/pack.toml")
    [entry] = json.loads(MEMBERS["manifest.json"])["sessions"]
    session = json.loads(MEMBERS[VERDICTS].splitlines()[-1])

    assert fold(LOG.session, LOG.lines, JUDGING)[1].law == digest
    assert (session["record"], session["law"]) == ("session", digest)
    assert entry["law"] == digest
    assert the_law(verify(CONTENT)).digest == digest
    assert digest.encode() in MEMBERS["index.html"]


def test_a_session_is_named_by_the_law_that_judged_it_and_not_by_the_one_that_its_table_named():
    log = craps("AD-2025")

    _, summary = fold(log.session, log.lines, judged(rules="RO-CRAPS"))

    assert (summary.rules, summary.law) == ("RO-CRAPS", sha256sum("RO-CRAPS/craps.toml", "RO-CRAPS/pack.toml"))


@pytest.mark.parametrize("rules", ["XX-1900", "MO-1985"])
def test_a_table_that_cannot_be_judged_has_no_law(rules):
    """There is no such pack; there is no boule in Macau's."""
    log = logs.boule([logs.Coup(7, [logs.Stake("red")])], rules=rules)

    _, summary = fold(log.session, log.lines, JUDGING)

    assert (summary.rules, summary.law) == (rules, "")


def test_the_texts_that_a_bundle_carries_mean_and_say_the_same_as_all_of_them():
    named = [*PACKS.names, *{PACKS.pack(name).jurisdiction for name in PACKS.names}, "CASA-2026", "CASA", "XX"]
    every = sorted({game for name in HOUSE.names for game in HOUSE.pack(name).games} | {"bowls"})
    chance = random.Random(11)
    for _ in range(60):
        openings = [
            Opening(chance.choice(named), chance.choice([date(2023, 5, 1), date(2026, 11, 29)]), chance.choice(every))
            for _ in range(chance.randint(1, 6))
        ]
        carried = contents.carried(HOUSE, openings)
        for one in openings:
            pack = one.under(HOUSE)

            assert one.under(carried) == pack
            if pack is not None:
                assert carried.digest(pack, one.game) == HOUSE.digest(pack, one.game)
        assert contents.carried(carried, openings).files == carried.files


def test_a_bundle_holds_the_law_of_its_sessions_and_no_other():
    found = members(Scope(date="2026-11-29"), LOG, craps("CASA-2026"), packs=HOUSE)

    assert {name for name in found if name.startswith("rules/")} == {
        *("rules/AD-2025/boule.toml", "rules/AD-2025/craps.toml", "rules/AD-2025/pack.toml"),
        *("rules/CASA-2026/craps.toml", "rules/CASA-2026/pack.toml"),
    }


# What has become of the installed packs since


def test_a_bundle_by_the_law_that_is_trusted_says_so():
    verified = verify(CONTENT)

    assert verified.holds
    assert the_law(verified) == LawSaid(
        rules="AD-2025",
        game="boule",
        digest=PACKS.digest("AD-2025", "boule"),
        trusted=True,
        text="the law that you trust, word for word",
    )


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("boule.toml", b"# The other chances", b"# As to the others", "boule.toml differs in comments or layout"),
        ("boule.toml", b'pays = "7/1"', b"pays   =   '7/1'", "boule.toml differs in comments or layout"),
        ("boule.toml", b'es = "Boule"', b'es = "Bola"', "boule.toml differs in titles"),
        (
            "pack.toml",
            b"takes_over = [",
            b'repealed = 2035-01-01\ntakes_over = ["AD-2035", ',
            "pack.toml differs in repealed, takes_over",
        ),
    ],
    ids=["a comment", "blanks", "a title", "repealed since, and another pack that it takes over"],
)
def test_whatever_says_nothing_of_the_game_may_change_and_the_file_is_named(file, old, new, said):
    verified = verify(CONTENT, packs=with_text("AD-2025", file, old, new))

    assert verified.holds
    assert the_law(verified).trusted
    assert the_law(verified).text == (
        f"says the same as the law that you trust, though not word for word: AD-2025/{said}"
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b'pays = "7/1"', b'pays = "6/1"', "wagers.straight_up.pays is 7/1, with you 6/1"),
        (b"least_multiple = 40\n", b"", "limits.straight_up.least_multiple is 40, with you not there"),
        (b"red = [2, 4,", b"red = [2, 3,", "bowl.red[1] is 4, with you 3"),
        (b"red = [2, 4, 7, 9]", b"red = []", "bowl.red is [2, 4, 7, 9], with you []"),
        (b"multiple = 2\n", b"multiple = true\n", "limits.doubled_minimum.multiple is 2, with you true"),
        (b'call = "game 4, V.3"', b'call = "game 4, V.4"', "passages.call is game 4, V.3, with you game 4, V.4"),
    ],
    ids=["a price", "a bound that is gone", "a number", "numbers that are gone", "1 is not true", "a passage"],
)
def test_a_law_that_says_something_else_is_named_with_the_key_and_nothing_is_called_altered(old, new, said):
    verified = verify(CONTENT, packs=with_text("AD-2025", "boule.toml", old, new))

    assert verified.failed == [Claim.LAW]
    assert not the_law(verified).trusted
    assert the_law(verified).text == f"another law than the one that you trust: AD-2025/boule.toml: {said}"
    assert not verified.holds
    assert verified.complaints == [f"AD-2025 boule: {the_law(verified).text}"]


def test_of_many_keys_the_first_are_named():
    changed = with_text("AD-2025", "boule.toml", b"[wagers.red]", b"[wagers.rouge]")
    for wager in ("black", "even", "odd"):
        changed = with_text(
            "AD-2025", "boule.toml", f"[wagers.{wager}]".encode(), b"[wagers.x%b]" % wager.encode(), changed
        )

    text = the_law(verify(CONTENT, packs=changed)).text

    assert "wagers.red is a table, with you not there" in text
    assert text.endswith(", and more")


@pytest.mark.parametrize("left", [(), ("MO-1985", "RO-CRAPS")], ids=["no pack at all", "others"])
def test_a_pack_that_is_not_installed_any_more_judges_all_the_same(left):
    verified = verify(CONTENT, packs=Packs({name: texts()[name] for name in left}))

    assert verified.failed == [Claim.LAW]
    assert (verified.settlements, verified.rules) == (2, ["AD-2025"])
    assert not the_law(verified).trusted
    assert the_law(verified).text == f"you have no rule pack AD-2025 (you have: {', '.join(left) or 'none'})"
    assert not verified.holds


def test_a_pack_that_has_lost_the_game_since_is_named():
    here = texts()
    del here["AD-2025"]["boule.toml"]

    assert the_law(verify(CONTENT, packs=Packs(here))).text == "AD-2025, as you have it, has no game boule"


def test_a_trusted_pack_that_is_broken_is_named():
    verified = verify(CONTENT, packs=with_text("AD-2025", "boule.toml", b"game =", b"game"))

    assert verified.failed == [Claim.LAW]
    assert the_law(verified).text.endswith("AD-2025/boule.toml cannot be read as you have it")


# Law that is forged


def test_a_forged_price_is_another_law_however_well_all_else_is_made_to_fit():
    """Red pays two to one in it: all that follows from the events is made anew, with retally itself."""
    forgery = with_text("AD-2025", "boule.toml", b'pays = "1/1"', b'pays = "2/1"')

    verified = verify(rewritten(LOG.lines, forgery))

    assert verified.failed == [Claim.LAW]
    assert not verified.holds
    assert the_law(verified).text == (
        "another law than the one that you trust: AD-2025/boule.toml: wagers.red.pays is 2/1, with you 1/1"
    )
    assert the_law(verified).digest == forgery.digest("AD-2025", "boule") != PACKS.digest("AD-2025", "boule")


def test_a_forged_price_in_the_bundle_alone_is_named_where_it_shows():
    """Neither the manifest's entry nor the verdicts fit it; and it is not the law."""
    verified = verify(forged(MEMBERS, **{BOULE: DEARER.files["AD-2025"]["boule.toml"]}))

    assert "manifest.json: what it says of session BO01-2026-11-29 is wrong (law)" in verified.complaints
    assert any(line.startswith(f"{VERDICTS}, line ") for line in verified.complaints)
    assert not the_law(verified).trusted


AFTER: Final = Packs(
    texts()
    | {
        "AD-2025": texts()["AD-2025"] | {"pack.toml": texts()["AD-2025"]["pack.toml"] + b"repealed = 2026-06-01\n"},
        "AD-2026": {
            "pack.toml": texts()["AD-2025"]["pack.toml"]
            .replace(b"AD-2025", b"AD-2026")
            .replace(b"2025-12-10", b"2026-06-01"),
            "boule.toml": DEARER.files["AD-2025"]["boule.toml"],
        },
    }
)
"""A newer law, since the summer of 2026."""
BY_JURISDICTION: Final = logs.boule([logs.Coup(7, [logs.Stake("red")])], rules="AD")


def test_the_pack_that_a_jurisdiction_means_on_the_day_judges():
    verified = verify(rewritten(BY_JURISDICTION.lines, AFTER), packs=AFTER)

    assert verified.complaints == []
    assert verified.rules == ["AD-2026"]


def test_a_newer_pack_that_was_left_out_of_the_bundle_is_missed():
    """The table says AD; with the newer pack left out, the older one is what the bundle takes that for."""
    verified = verify(rewritten(BY_JURISDICTION.lines, PACKS), packs=AFTER)

    assert verified.failed == [Claim.LAW]
    assert verified.rules == ["AD-2025"]
    assert the_law(verified).text == (
        "session BO01-2026-11-29 names AD, which on 2026-11-29 is AD-2026 with you, not AD-2025"
    )
    assert not verified.holds


def test_a_table_that_names_the_older_pack_itself_was_judged_by_the_one_that_it_named():
    assert verify(CONTENT, packs=AFTER).holds


def test_a_pack_that_was_slipped_in_under_a_jurisdiction_is_not_known():
    verified = verify(rewritten(BY_JURISDICTION.lines, AFTER))

    assert verified.failed == [Claim.LAW]
    assert the_law(verified).text == (
        "session BO01-2026-11-29 names AD, which on 2026-11-29 is AD-2025 with you, not AD-2026; "
        f"you have no rule pack AD-2026 (you have: {', '.join(PACKS.names)})"
    )


def test_a_session_from_whose_bundle_its_law_was_left_out_altogether_is_judged_by_nothing():
    verified = verify(rewritten(LOG.lines, Packs({})))

    assert verified.failed == [Claim.VERDICTS, Claim.LAW]
    assert the_law(verified) == LawSaid(
        rules="AD-2025",
        game="boule",
        digest="",
        trusted=False,
        text="session BO01-2026-11-29 names AD-2025, of which the bundle holds no rules for boule: nothing was judged. "
        "You have AD-2025",
    )
    assert not verified.holds


def test_a_session_that_nobody_has_rules_for_proves_nothing():
    log = logs.boule([logs.Coup(7, [logs.Stake("red")])], rules="XX-1900")

    verified = verify(exported(Night(log), Scope(session=log.session)))

    assert verified.failed == [Claim.VERDICTS, Claim.LAW]
    assert the_law(verified).text.endswith(
        "of which neither the bundle nor you have rules for boule: nothing was judged"
    )
    assert not verified.holds


def test_sessions_of_one_law_are_told_of_together():
    night = [
        logs.boule([logs.Coup(7, [logs.Stake("red")])], session=f"BO0{number}-2026-11-29", rules="AD")
        for number in (1, 2, 3)
    ]
    content = exported(Night(*night), Scope(date="2026-11-29"))

    assert the_law(verify(content)).trusted
    assert the_law(verify(content, packs=AFTER)).text == (
        "session BO01-2026-11-29 (and 2 more) names AD, which on 2026-11-29 is AD-2026 with you, not AD-2025"
    )


# A house's own rules


def test_a_house_pack_goes_with_the_law_that_it_stands_under():
    log = craps("CASA-2026")
    content = exported(Night(log), Scope(session=log.session), packs=HOUSE)

    assert verify(content, packs=HOUSE).complaints == []
    assert the_law(verify(content, packs=HOUSE)).digest == HOUSE.digest("CASA-2026", "craps")
    alone = verify(content)
    assert alone.failed == [Claim.LAW]
    assert the_law(alone).text.startswith("you have no rule pack CASA-2026")


@pytest.mark.parametrize(
    ("pack", "old", "new", "said"),
    [
        ("AD-2025", b"[wagers.pass_line]", b"[wagers.pass_line]\npicks = [1]", "AD-2025/craps.toml: wagers.pass_line."),
        ("CASA-2026", b"max = 100000", b"max = 90000", "CASA-2026/craps.toml: limits.max is 100000, with you 90000"),
    ],
    ids=["the law", "the house's rules"],
)
def test_what_a_house_pack_stands_on_is_a_part_of_the_law(pack, old, new, said):
    log = craps("CASA-2026")
    content = exported(Night(log), Scope(session=log.session), packs=HOUSE)

    verified = verify(content, packs=with_text(pack, "craps.toml", old, new, HOUSE))

    assert verified.failed == [Claim.LAW]
    assert said in the_law(verified).text
    assert not verified.holds


BASED: Final = {
    "pack.toml": b'name = "CLUB-2027"\njurisdiction = "CLUB"\ntitle = "Club"\nsource = "Club rules"\n'
    b'approved_by = "The committee"\nin_force = 2026-01-01\nbased_on = "AD-2025"\n',
    "boule.toml": b'game = "boule"\n[wagers.straight_up]\npays = "8/1"\npassage = "club rules 4"\n',
}


def test_a_pack_that_is_based_on_another_goes_with_that_one():
    """Straight up pays eight to one there: 80.00 on 10.00."""
    packs = Packs(texts() | {"CLUB-2027": BASED})
    log = logs.boule([logs.Coup(3, [logs.Stake("straight_up", 3, error=1000)])], rules="CLUB-2027")

    content = exported(Night(log), Scope(session=log.session), packs=packs)

    assert {name for name in unpacked(content) if name.startswith("rules/")} == {
        *("rules/AD-2025/boule.toml", "rules/AD-2025/pack.toml"),
        *("rules/CLUB-2027/boule.toml", "rules/CLUB-2027/pack.toml"),
    }
    verified = verify(content, packs=packs)
    assert verified.complaints == []
    assert (verified.settlements, verified.findings, verified.rules) == (1, 0, ["CLUB-2027"])


# Members under rules/ that are none


def loop(one: str, other: str) -> bytes:
    return (
        f'name = "{one}"\njurisdiction = "{one}"\ntitle = "x"\nsource = "x"\napproved_by = "x"\n'
        f'in_force = 2025-12-10\nextends = "{other}"\n'
    ).encode()


@pytest.mark.parametrize(
    ("changes", "place", "text"),
    [
        ({BOULE: b"game = "}, BOULE, "is no TOML"),
        ({BOULE: b"\xff\xfe"}, BOULE, "is no UTF-8"),
        ({BOULE: b""}, BOULE, "game: boule, as the file is called"),
        ({BOULE: MEMBERS[BOULE].replace(b'"7/1"', b"7.5")}, BOULE, "is not exact"),
        ({BOULE: MEMBERS[BOULE].replace(b'"7/1"', b'"1e999999999"')}, BOULE, "wagers.straight_up.pays: a price"),
        ({BOULE: MEMBERS[BOULE].replace(b'"7/1"', b"true")}, BOULE, "wagers.straight_up.pays: "),
        ({BOULE: MEMBERS[BOULE] + b"x = " + b"[" * 400 + b"]" * 400}, BOULE, ""),
        ({BOULE: MEMBERS[BOULE] + b"x" + b".x" * 10 + b" = {y" + b".y" * 10 + b" = 1}"}, BOULE, "more than 16 deep"),
        ({BOULE: MEMBERS[BOULE] + b"x" + b".x" * 100_000 + b" = 1"}, BOULE, "a key of more than 16 parts"),
        ({BOULE: MEMBERS[BOULE] + b"x = " + b"9" * 5000}, BOULE, "is no TOML: Exceeds the limit"),
        ({BOULE: MEMBERS[BOULE] + b"#\n" * MAX_TEXT_BYTES}, BOULE, "262,144 are the most"),
        ({BOULE: None}, BOULE, "is missing"),
        ({PACK: b"name = "}, PACK, "is no TOML"),
        ({PACK: MEMBERS[PACK].replace(b'name = "AD-2025"', b'name = "AD-2024"')}, PACK, "name: AD-2025, as its folder"),
        ({PACK: None}, PACK, "is missing: it says what the pack is"),
        ({PACK: MEMBERS[PACK].replace(b"title", b"tilte")}, PACK, "title: is missing"),
        ({PACK: loop("AD-2025", "AD-2024")}, PACK, "there is no rule pack AD-2024"),
        (
            {PACK: loop("AD-2025", "B-1"), "rules/B-1/pack.toml": loop("B-1", "AD-2025")},
            "rules/B-1/pack.toml",
            "AD-2025 stands on it itself",
        ),
        ({"rules/AD-2025/craps.toml": b""}, "rules/AD-2025/craps.toml", "is no file of the rules"),
        ({"rules/AD-2022/pack.toml": b""}, "rules/AD-2022/pack.toml", "name: is missing"),
        (
            {"rules/MO-1985/pack.toml": PACKS.files["MO-1985"]["pack.toml"]},
            "rules/MO-1985/pack.toml",
            "is no file of the rules",
        ),
    ],
    ids=range(21),
)
def test_what_is_wrong_with_the_rules_in_a_bundle_is_named(changes: dict[str, Any], place: str, text: str):
    verified = verify(forged(MEMBERS, **changes))

    assert any(problem.place == place and text in problem.text for problem in verified.problems), verified.problems
    assert all(line.isprintable() for line in verified.complaints)


def test_more_rules_than_there_can_be_are_refused(monkeypatch):
    monkeypatch.setattr("replay.bundle.trust.MAX_RULES_BYTES", 1000)

    with pytest.raises(BundleError, match="holds more than 1,000 bytes of rules"):
        verify(CONTENT)


@pytest.mark.parametrize("name", [BOULE, PACK])
def test_whatever_is_done_to_the_rules_the_verifier_goes_on_and_does_not_trust_them(name):
    """Bytes changed, cut out and repeated by lot: what was not made to fit is a problem, and what was is another law,
    unless it says the same."""
    chance = random.Random(name)
    for _ in range(60):
        altered = bytearray(MEMBERS[name])
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(altered))
            kind = chance.randrange(3)
            if kind == 0:
                altered[at] = chance.choice(b'019azAZ"{}[],: -=#.\n\x00\xff')
            elif kind == 1:
                del altered[at : at + chance.randint(1, 40)]
            else:
                altered[at:at] = altered[at : at + chance.randint(1, 40)]
        if bytes(altered) == MEMBERS[name]:
            continue
        assert verify(forged(MEMBERS, **{name: bytes(altered)})).problems, altered
        _, pack, file = name.split("/")
        try:
            law = Packs({pack: {**texts()[pack], file: bytes(altered)}})
        except PackError:
            continue
        verified = verify(rewritten(LOG.lines, law))
        if verified.holds:
            assert the_law(verified).text.startswith("says the same as the law that you trust, though not"), altered


def test_a_law_by_which_the_game_cannot_be_played_is_a_problem_and_no_traceback(monkeypatch):
    monkeypatch.setattr("replay.bundle.contents.fold", lambda *_: 1 // 0)

    verified = verify(CONTENT)

    assert "sessions/0001/events.jsonl: cannot be judged under the rules in the bundle (ZeroDivisionError" in (
        "\n".join(verified.complaints)
    )


# Another rules engine


def another_verdict(found: Members) -> bytes:
    """The verdicts, but that the bet on 3 is all right; without the finding that says otherwise."""
    lines = [line for line in found[VERDICTS].splitlines() if b'"record":"finding"' not in line]
    lines = [line.replace(b'"overpaid"', b'"match"') for line in lines]
    return b"".join(line + b"\n" for line in lines)


def test_a_bundle_of_another_engine_that_says_the_same_is_proven():
    verified = verify(by_engine(ENGINE + 1, MEMBERS))

    assert verified.complaints == []
    assert verified.engine == ENGINE + 1


def test_what_another_engine_says_otherwise_is_no_alteration_and_both_are_shown():
    page = MEMBERS["index.html"].replace(b"overpaid", b"match")
    verified = verify(by_engine(ENGINE + 1, MEMBERS, **{VERDICTS: another_verdict(MEMBERS), "index.html": page}))

    assert verified.failed == [Claim.VERDICTS]
    assert not verified.holds
    bet, finding = verified.otherwise
    assert bet.text == (
        f"the settlement of bet b1-1 in round 1: made by rules engine {ENGINE + 1}; engine {ENGINE} says otherwise"
    )
    assert [json.loads(line)["verdict"] for line in (bet.theirs, bet.ours)] == ["match", "overpaid"]
    assert finding.text.startswith("the finding overpaid at event ")
    assert (finding.theirs, json.loads(finding.ours)["amount"]) == ("", 100)
    assert verified.complaints == [f"{one.place}: {one.text}" for one in verified.otherwise]


def test_what_this_engine_would_not_have_said_is_a_problem():
    verified = verify(forged(MEMBERS, **{VERDICTS: another_verdict(MEMBERS)}))

    assert [problem.place.split(",")[0] for problem in verified.problems] == [VERDICTS]
    assert verified.otherwise == []


def test_a_page_that_does_not_tell_the_verdicts_is_named_whatever_engine_made_it():
    """Nobody hides behind a number: the verdicts are the same, so the page is to be the same."""
    page = MEMBERS["index.html"].replace(b"overpaid", b"all fine")

    verified = verify(by_engine(ENGINE + 1, MEMBERS, **{"index.html": page}))

    [page_line] = verified.otherwise
    assert page_line.place.startswith("index.html, line ")
    assert "all fine" in page_line.theirs
    assert "overpaid" in page_line.ours
    assert not verified.holds


@pytest.mark.parametrize(
    "verdicts",
    [
        b"".join(reversed(MEMBERS[VERDICTS].splitlines(keepends=True))),
        MEMBERS[VERDICTS] + MEMBERS[VERDICTS],
        MEMBERS[VERDICTS] + b"\n",
        b"\xff\n" * 1000,
        b"",
    ],
    ids=["reversed", "doubled", "an empty line more", "rubbish", "nothing"],
)
def test_verdicts_of_another_engine_never_hold_unless_they_are_the_same_bytes(verdicts):
    verified = verify(by_engine(ENGINE + 1, MEMBERS, **{VERDICTS: verdicts}))

    assert verified.otherwise
    assert len(verified.otherwise) <= MAX_OTHERWISE
    assert not verified.holds
    assert all(line.isprintable() for one in verified.otherwise for line in (one.text, one.theirs, one.ours))


def test_an_engine_without_a_number_is_none():
    manifest = MEMBERS["manifest.json"].replace(f'"engine": {ENGINE}'.encode(), b'"engine": 0')

    problem, *_ = verify(bundle_files.pack(MEMBERS | {"manifest.json": manifest})).problems

    assert (problem.place, "cannot be read" in problem.text) == ("manifest.json", True)


# As people are told


def test_the_law_and_the_engine_are_told():
    told = dict(bundle_files.told(verify(CONTENT)))

    assert told["law: AD-2025 boule"] == "the law that you trust, word for word"
    assert told["rules engine"] == str(ENGINE)


def test_both_lines_are_told_where_engines_disagree():
    verified = verify(by_engine(ENGINE + 1, MEMBERS, **{VERDICTS: another_verdict(MEMBERS)}))

    told = list(bundle_files.told(verified))

    assert ("rules engine", f"{ENGINE + 1} (here: {ENGINE})") in told
    assert ("  as it was made", verified.otherwise[0].theirs) in told
    assert ("  as it is here", verified.otherwise[0].ours) in told
    assert ("  as it was made", "nothing") in told
