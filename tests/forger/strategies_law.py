"""Strategies about law and verdicts: what is judged, by which law, and what of it is told."""

from __future__ import annotations

import json
from typing import Final

import msgspec

from replay.bundle import contents
from replay.bundle.contents import Scope
from replay.engine import ENGINE
from replay.packs import Packs
from streams import bundle_files
from tests.forger.floor import DAY, KEY, VERDICTS, Floor, anew, place_of, sealed_by, with_line
from tests.forger.strategies_events import ANOTHER, BO01, BO02, everything, of_session
from tests.forger.strategies_keys import opened
from tests.forger.strategy import Forged, Has, Strategy
from tests.installed import PACKS
from tests.replay import logs

_BOULE: Final = PACKS.files["AD-2025"]["boule.toml"]
DEARER: Final = Packs(
    {"AD-2025": {**PACKS.files["AD-2025"], "boule.toml": _BOULE.replace(b'pays = "7/1"', b'pays = "70/1"')}}
)
"""A number pays seventy to one."""


def _round_that_never_was(floor: Floor) -> Forged:
    scope = Scope(session=BO02, round=10**9)
    return everything(floor, floor.made(scope, {BO02: floor.lines(BO02)}, floor.in_the_log(BO02)))


def _law_of_his_own(floor: Floor) -> Forged:
    return of_session(floor, floor.lines(BO02), BO02, packs=DEARER)


def _law_in_the_bundle(floor: Floor) -> Forged:
    return everything(
        floor, anew({**floor.session(BO02), "rules/AD-2025/boule.toml": DEARER.files["AD-2025"]["boule.toml"]})
    )


def _no_law(floor: Floor) -> Forged:
    return of_session(floor, floor.lines(BO02), BO02, packs=Packs({}))


def _unknown_game(floor: Floor) -> Forged:
    return of_session(floor, sealed_by(KEY, opened(floor.lines(BO02), game="bowls")), BO02)


def _option(floor: Floor) -> Forged:
    return of_session(floor, sealed_by(KEY, opened(floor.lines(BO02), options={"nonsense": 1})), BO02)


def _pack_without_the_game(floor: Floor) -> Forged:
    return of_session(floor, sealed_by(KEY, opened(floor.lines(BO02), rules="MO-1985")), BO02)


def _before_the_law(floor: Floor) -> Forged:
    return of_session(floor, sealed_by(KEY, opened(floor.lines(BO02), gaming_day="2001-01-01")), BO02)


def _broken_law(floor: Floor) -> Forged:
    return everything(floor, anew({**floor.session(BO02), "rules/AD-2025/boule.toml": b"game = boule\n"}))


def _more_law(floor: Floor) -> Forged:
    craps = PACKS.files["AD-2025"]["craps.toml"]
    return everything(floor, anew({**floor.session(BO02), "rules/AD-2025/craps.toml": craps}))


def _another_engine(floor: Floor) -> Forged:
    """The overpayment is not told, for an engine of another number did not see it."""
    members = floor.session(BO02)
    rows = [line for line in members[VERDICTS].splitlines() if b'"record":"finding"' not in line]
    text = b"".join(line.replace(b'"overpaid"', b'"match"') + b"\n" for line in rows)
    manifest = msgspec.json.decode(members["manifest.json"], type=contents.Manifest)
    altered = {**members, VERDICTS: text}
    altered["manifest.json"] = contents.manifest(manifest.scope, manifest.sessions, altered, engine=ENGINE + 1)
    return everything(floor, bundle_files.pack(altered))


def _swapped_verdicts(floor: Floor) -> Forged:
    members = floor.session(BO02)
    lines = members[VERDICTS].splitlines(keepends=True)
    return everything(floor, anew({**members, VERDICTS: b"".join([*lines[1::-1], *lines[2:]])}))


def _row_of_the_session(floor: Floor) -> Forged:
    """The drop is another in the session's own row."""
    members = floor.session(BO02)
    *rows, last = members[VERDICTS].splitlines()
    assert json.loads(last)["drop"] == 77000
    return everything(
        floor, anew({**members, VERDICTS: b"".join(row + b"\n" for row in (*rows, logs.altered(last, drop=1)))})
    )


def _refused_closing(floor: Floor) -> Forged:
    """An open table passes for a closed one: the closing is no event."""
    lines = floor.lines()
    closing = place_of(lines, "table_closed")
    kept = with_line(lines[: closing + 2], closing, lambda line: logs.altered(line, float=...))
    return of_session(floor, sealed_by(KEY, kept))


def _closing_of_another(floor: Floor) -> Forged:
    lines = floor.lines()
    closing = place_of(lines, "table_closed")
    kept = with_line(lines[: closing + 2], closing, lambda line: logs.altered(line, table="XX99"))
    return of_session(floor, sealed_by(KEY, kept))


def _at_one_moment(floor: Floor) -> Forged:
    lines = sealed_by(KEY, [logs.altered(line, at="2026-11-29T20:00:00.000000Z") for line in floor.lines()])
    return Forged(floor.made(Scope(session=BO01), {BO01: lines}, {}), keys=floor.keys_text)


def _seal_with_a_field_more(floor: Floor) -> Forged:
    lines = floor.lines()
    return of_session(floor, sealed_by(KEY, lines, after=len(lines) - 1, x=1))


def _another_name(floor: Floor) -> Forged:
    name = f"BO09-{DAY}"
    lines = sealed_by(KEY, [logs.altered(line, session=name) for line in floor.lines()])
    return everything(floor, floor.made(Scope(session=name), {name: lines}, floor.in_the_log()))


STRATEGIES: Final = (
    Strategy(
        name="a_round_that_never_was",
        has=(Has.NOTHING,),
        wants="A proven page that says of a round with an overpaid bet that nothing was found.",
        forge=_round_that_never_was,
        fails={"verdicts": f"manifest.json: session {BO02} has no round 1000000000"},
    ),
    Strategy(
        name="a_law_of_his_own",
        has=(Has.NOTHING,),
        wants="The 900.00 are what the law says: a number pays seventy to one in it, and all verdicts follow.",
        forge=_law_of_his_own,
        fails={"law": "AD-2025 boule: another law than the one that you trust"},
    ),
    Strategy(
        name="a_law_of_his_own_under_the_genuine_verdicts",
        has=(Has.NOTHING,),
        wants="The law in the bundle is another, the verdicts are the genuine ones.",
        forge=_law_in_the_bundle,
        fails={"verdicts": f"manifest.json: what it says of session {BO02} is wrong (law)", "law": "another law"},
    ),
    Strategy(
        name="no_law",
        has=(Has.NOTHING,),
        wants="A night in which no bet was judged, for the law was left out.",
        forge=_no_law,
        fails={"verdicts": "no rules in the bundle can judge it", "law": "of which the bundle holds no rules"},
    ),
    Strategy(
        name="a_game_that_there_is_not",
        has=(Has.KEY,),
        wants="The same, by a table that says that it plays bowls.",
        forge=_unknown_game,
        fails={"verdicts": "no rules in the bundle can judge it", "law": "nothing was judged", "log": ANOTHER},
    ),
    Strategy(
        name="an_option_that_there_is_not",
        has=(Has.KEY,),
        wants="The same, by a table with an option that no law knows.",
        forge=_option,
        fails={"verdicts": "no rules in the bundle can judge it", "log": ANOTHER},
    ),
    Strategy(
        name="a_pack_without_the_game",
        has=(Has.KEY,),
        wants="The same, by a table that names a law without boule.",
        forge=_pack_without_the_game,
        fails={"verdicts": "no rules in the bundle can judge it", "law": "nothing was judged", "log": ANOTHER},
    ),
    Strategy(
        name="a_day_before_the_law",
        has=(Has.KEY,),
        wants="A night by a law that was not yet in force.",
        forge=_before_the_law,
        fails={
            "scope": "not on the gaming day 2001-01-01",
            "law": f"session {BO02} is of 2001-01-01, and AD-2025 is in force from 2025-12-10 on",
            "log": ANOTHER,
        },
    ),
    Strategy(
        name="a_broken_law",
        has=(Has.NOTHING,),
        wants="The verifier's end, by a law that cannot be read.",
        forge=_broken_law,
        fails={"verdicts": "rules/AD-2025/boule.toml: ", "law": ""},
    ),
    Strategy(
        name="a_law_more",
        has=(Has.NOTHING,),
        wants="A law in the bundle that judged nothing, to be cited from it.",
        forge=_more_law,
        fails={"bytes": "rules/AD-2025/craps.toml: is no file of the rules that the sessions were judged by"},
    ),
    Strategy(
        name="another_engine",
        has=(Has.NOTHING,),
        wants="That the overpayment is not told, as if another rules engine had not seen it.",
        forge=_another_engine,
        fails={"verdicts": f"made by rules engine {ENGINE + 1}; engine {ENGINE} says otherwise"},
    ),
    Strategy(
        name="verdicts_in_another_order",
        has=(Has.NOTHING,),
        wants="Two bundles of one session that differ in their bytes.",
        forge=_swapped_verdicts,
        fails={"verdicts": f"{VERDICTS}, line 1"},
    ),
    Strategy(
        name="another_drop_in_the_sessions_row",
        has=(Has.NOTHING,),
        wants="The count of the drop box is another in the row of the session.",
        forge=_row_of_the_session,
        fails={"verdicts": "the session row: this is not what follows"},
    ),
    Strategy(
        name="a_closing_that_is_refused",
        has=(Has.KEY,),
        wants="An open table passes for a closed one: its closing lacks a field.",
        forge=_refused_closing,
        fails={"order": "ends before the table was closed", "log": ANOTHER},
    ),
    Strategy(
        name="a_closing_of_another_table",
        has=(Has.KEY,),
        wants="The same, by the closing of another table.",
        forge=_closing_of_another,
        fails={"order": "ends before the table was closed", "log": ANOTHER},
    ),
    Strategy(
        name="all_at_one_moment",
        has=(Has.KEY,),
        wants="A night of which everything happened at once, to a reader who has the keys alone.",
        forge=_at_one_moment,
        says=("nobody vouches for: that this is all there was, and was not made since",),
    ),
    Strategy(
        name="a_seal_with_a_field_more",
        has=(Has.KEY,),
        wants="A seal that one reader takes for one, and another does not.",
        forge=_seal_with_a_field_more,
        fails={"seals": "under no seal of the table", "log": ANOTHER},
    ),
    Strategy(
        name="a_session_of_another_name",
        has=(Has.KEY,),
        wants="The night of BO01 a second time, as that of BO09.",
        forge=_another_name,
        fails={"log": "log: session BO09-2026-11-29 is none of those that were sealed"},
    ),
)
