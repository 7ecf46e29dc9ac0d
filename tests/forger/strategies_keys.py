"""Strategies about keys: he has one that is not for this, or puts others in."""

from __future__ import annotations

from typing import Final

from replay.bundle.contents import Scope
from replay.evidence import key_id, public_half
from replay.key_scope import Grant, ScopedKeys, Terms
from tests.forger.floor import (
    KEY,
    KEY_ID,
    OTHER_KEY,
    OWN_KEY,
    OWN_KEYS,
    Floor,
    Lines,
    anew,
    place_of,
    sealed_by,
    with_line,
)
from tests.forger.strategies_events import ANOTHER, BO01, everything, of_session
from tests.forger.strategy import Forged, Has, Strategy
from tests.replay import logs

OTHER_ID: Final = key_id(public_half(OTHER_KEY))
UNSCOPED: Final = f"nobody has said for which, of {OTHER_ID})"
NOT_FOR_BO01: Final = "counts for BO77 from 2026-11-01 to 2026-11-30, not for table BO01"


def opened(lines: Lines, **fields: object) -> Lines:
    """The lines, with another opening."""
    return with_line(lines, 0, lambda line: logs.altered(line, **fields))


def _by_the_other(floor: Floor) -> Forged:
    return of_session(floor, sealed_by(OTHER_KEY, floor.lines()))


def _from_round_two(floor: Floor) -> Forged:
    lines = floor.lines()
    return of_session(floor, sealed_by(OTHER_KEY, lines, after=place_of(lines, "checkpoint") + 1))


def _naming_its_own(floor: Floor) -> Forged:
    return of_session(floor, sealed_by(OTHER_KEY, floor.lines(), table="BO77"))


def _later_day(floor: Floor) -> Forged:
    return of_session(floor, sealed_by(KEY, opened(floor.lines(), gaming_day="2026-12-01")))


def _years_later(floor: Floor) -> Forged:
    return of_session(floor, sealed_by(KEY, floor.lines(), at="2031-11-29T23:00:00.000000Z"))


def _another_table(floor: Floor) -> Forged:
    lines = [logs.altered(line, table="ROULETTE-9") for line in floor.lines()]
    return of_session(floor, sealed_by(KEY, lines))


def _widened(floor: Floor) -> Forged:
    wide = ScopedKeys({OTHER_ID: public_half(OTHER_KEY)}, {OTHER_ID: Terms(grants=(Grant(tables=("*",)),))})
    return of_session(floor, sealed_by(OTHER_KEY, floor.lines()), keys=wide)


def _revoked(floor: Floor) -> Forged:
    revoked = floor.keys_text.replace(
        'gateway = "BO-gateway"', 'gateway = "BO-gateway"\nrevoked = 2026-11-29T12:00:00Z'
    )
    return of_session(floor, floor.lines(), reader={"keys": revoked})


def _former(floor: Floor) -> Forged:
    """The house has given the tables another key since."""
    days = 'tables = ["BO0*"]\nfrom = 2026-11-01\nuntil = 2026-11-30'
    other = floor.keys_text.replace(days, 'tables = ["BO0*"]\nuntil = 2026-11-28')
    assert other != floor.keys_text
    return of_session(floor, floor.lines(), reader={"keys": other})


def _old_file(floor: Floor) -> Forged:
    lines = sealed_by(OTHER_KEY, floor.lines())
    plain = "".join(f"{name} {bytes(key).hex()}\n" for name, key in floor.keys.items())
    made = floor.made(Scope(session=BO01), {BO01: lines}, {}, keys=dict(floor.keys))
    return Forged(made, keys=plain)


def _no_keys_asked(floor: Floor) -> Forged:
    made = floor.made(Scope(session=BO01), {BO01: sealed_by(OWN_KEY, floor.lines())}, {}, keys=OWN_KEYS)
    return Forged(made)


def _unsigned(floor: Floor) -> Forged:
    lines = sealed_by(OWN_KEY, floor.lines(), spelt=lambda line: line.replace(b"0" * 128, b"ab" * 64))
    return Forged(floor.made(Scope(session=BO01), {BO01: lines}, {}, keys={}))


def _unsigned_keys_asked(floor: Floor) -> Forged:
    return everything(floor, _unsigned(floor).bundle, policy=None, root=None)


def _misnamed(floor: Floor) -> Forged:
    members = floor.session()
    genuine, own = (bytes(public_half(key)).hex().encode() for key in (KEY, OWN_KEY))
    text = members["keys.txt"].replace(genuine, own)
    assert text != members["keys.txt"]
    return everything(floor, anew({**members, "keys.txt": text}))


def _one_more(floor: Floor) -> Forged:
    members = floor.session()
    line = f"{key_id(public_half(OWN_KEY))} {bytes(public_half(OWN_KEY)).hex()}\n".encode()
    return everything(floor, anew({**members, "keys.txt": b"".join(sorted([members["keys.txt"], line]))}))


def _scope_taken_out(floor: Floor) -> Forged:
    members = floor.session()
    line = b" ".join(members["keys.txt"].split(b" ")[:2]) + b"\n"
    plain = f"{KEY_ID} {bytes(public_half(KEY)).hex()}\n"
    return everything(floor, anew({**members, "keys.txt": line}), keys=plain)


def _scope_spelt(floor: Floor) -> Forged:
    members = floor.session()
    return everything(floor, anew({**members, "keys.txt": members["keys.txt"].replace(b'{"gateway"', b'{ "gateway"')}))


def _a_hundred_thousand(floor: Floor) -> Forged:
    return everything(floor, anew({**floor.session(), "keys.txt": floor.session()["keys.txt"] * 10_000}))


def _no_key_left(floor: Floor) -> Forged:
    members = floor.session()
    return Forged(anew({**members, "keys.txt": b""}))


STRATEGIES: Final = (
    Strategy(
        name="sealed_by_another_tables_key",
        has=(Has.OTHER_KEY, Has.ROOT),
        wants="BO77's gateway, whose key the house trusts, writes BO01's night.",
        forge=_by_the_other,
        fails={
            "scope": f"event 11: the seal bears key {OTHER_ID} of BO77-gateway, which {NOT_FOR_BO01}",
            "log": ANOTHER,
        },
    ),
    Strategy(
        name="ended_by_another_tables_key",
        has=(Has.OTHER_KEY,),
        wants="The genuine beginning is kept, and BO77's gateway writes on from the second round.",
        forge=_from_round_two,
        fails={"scope": NOT_FOR_BO01, "log": ANOTHER},
    ),
    Strategy(
        name="seals_that_name_another_table",
        has=(Has.OTHER_KEY,),
        wants="Seals in BO01's session that name BO77, for which the key is.",
        forge=_naming_its_own,
        fails={"scope": "names table BO77, in a session of BO01", "log": ANOTHER},
    ),
    Strategy(
        name="a_day_after_the_keys_last",
        has=(Has.KEY,),
        wants="The key of November seals a night of December.",
        forge=_later_day,
        fails={"scope": "not on the gaming day 2026-12-01", "log": ANOTHER},
    ),
    Strategy(
        name="sealed_five_years_later",
        has=(Has.KEY,),
        wants="A key that was laid aside long ago seals a night of its days anew.",
        forge=_years_later,
        fails={"scope": "not for a seal of 2031-11-29 23:00:00 UTC", "log": ANOTHER},
    ),
    Strategy(
        name="a_table_that_there_is_not",
        has=(Has.KEY,),
        wants="BO01's events are told of the table ROULETTE-9.",
        forge=_another_table,
        fails={"scope": "not for table ROULETTE-9", "log": ANOTHER},
    ),
    Strategy(
        name="scope_widened_in_the_bundle",
        has=(Has.OTHER_KEY,),
        wants="The bundle says that BO77's key is for every table.",
        forge=_widened,
        fails={"scope": NOT_FOR_BO01, "log": ANOTHER},
    ),
    Strategy(
        name="a_revoked_key",
        has=(Has.KEY,),
        wants="The key was stolen and revoked at noon; the night is sealed with it all the same.",
        forge=_revoked,
        fails={"scope": "was revoked from 2026-11-29 12:00:00 UTC on, before the seal"},
    ),
    Strategy(
        name="a_former_key",
        has=(Has.KEY,),
        wants="The key was followed by another one the day before.",
        forge=_former,
        fails={"scope": "not on the gaming day 2026-11-29"},
    ),
    Strategy(
        name="an_old_file_of_keys",
        has=(Has.OTHER_KEY,),
        wants="The reader's file is of the old form, which says of no key what it is for: BO77's key seals BO01.",
        forge=_old_file,
        says=(f"not asked  for the tables and dates that these keys are for ({UNSCOPED}",),
    ),
    Strategy(
        name="nothing_asked",
        has=(Has.OWN_KEYS,),
        wants="A night that he has invented, to a reader who has nothing to hold it to.",
        forge=_no_keys_asked,
        says=(
            "not asked  they are by keys that you trust (whose they are, the bundle alone says)",
            "who vouches for that: nobody but whoever made the bundle",
            "what was asked is proven; nobody vouches for: whose keys these are",
        ),
    ),
    Strategy(
        name="nothing_signed",
        has=(Has.NOTHING,),
        wants="Chains that fit, signatures of rubbish, and no key in the bundle to check them by.",
        forge=_unsigned,
        fails={"seals": "keys.txt: holds no key"},
    ),
    Strategy(
        name="nothing_signed_though_keys_are_asked",
        has=(Has.NOTHING,),
        wants="The same, to a reader who has the keys.",
        forge=_unsigned_keys_asked,
        fails={"seals": "which is not at hand", "keys": "the seals: ", "scope": ""},
    ),
    Strategy(
        name="another_key_of_that_name",
        has=(Has.OWN_KEYS,),
        wants="His key under the name of the gateway's.",
        forge=_misnamed,
        fails={
            "seals": f"keys.txt: key {KEY_ID} is not what it is called",
            "keys": "is another than the one that you trust",
            "verdicts": "",
            "scope": "",
        },
    ),
    Strategy(
        name="one_key_more",
        has=(Has.OWN_KEYS,),
        wants="A key in the bundle that no seal names, to be taken for the house's later.",
        forge=_one_more,
        fails={"seals": "keys.txt: its keys are not those", "keys": "is none of those that you trust", "scope": ""},
    ),
    Strategy(
        name="scope_taken_out",
        has=(Has.NOTHING,),
        wants="The key in the bundle has no scope any more, to a reader whose file says of none what it is for.",
        forge=_scope_taken_out,
        says=(f"(nobody has said for which, of {KEY_ID})", "nobody vouches for: for which tables and dates"),
    ),
    Strategy(
        name="scope_spelt_otherwise",
        has=(Has.NOTHING,),
        wants="Two bundles of one night that differ in their bytes.",
        forge=_scope_spelt,
        fails={"bytes": "keys.txt, line 1: not as retally writes it"},
    ),
    Strategy(
        name="a_hundred_thousand_keys",
        has=(Has.NOTHING,),
        wants="The reader's machine.",
        forge=_a_hundred_thousand,
        refused="bytes of keys; 1,048,576 are the most",
    ),
    Strategy(
        name="no_key_left",
        has=(Has.NOTHING,),
        wants="The key is taken out of the bundle, so that no signature is looked at.",
        forge=_no_key_left,
        fails={"seals": "keys.txt: holds no key"},
    ),
)
