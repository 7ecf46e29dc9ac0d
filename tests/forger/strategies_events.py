"""Strategies about the events of a session: he alters, drops, adds and moves them, and makes all else fit."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from replay.bundle.contents import Scope
from tests.forger.floor import (
    DAY,
    EVENTS,
    KEY,
    OWN_KEY,
    OWN_KEYS,
    VERDICTS,
    Floor,
    Lines,
    anew,
    packed,
    place_of,
    sealed_by,
    with_line,
)
from tests.forger.strategy import Forged, Has, Strategy
from tests.replay import logs

BO01: Final = f"BO01-{DAY}"
BO02: Final = f"BO02-{DAY}"
NOT_SEALED: Final = "not the events that the table sealed"
ANOTHER: Final = "not the session that was sealed"


def everything(floor: Floor, bundle: bytes, **other: Any) -> Forged:
    """Its reader has been given all: the keys, the policy, the root."""
    given: dict[str, Any] = {"keys": floor.keys_text, "policy": floor.policy_text, "root": floor.root}
    return Forged(bundle, **{**given, **other})


def of_session(
    floor: Floor, lines: Lines, session: str = BO01, *, reader: dict[str, Any] | None = None, **made: Any
) -> Forged:
    """These events under the genuine place in the log, all else made to fit. ``reader``: what he has besides."""
    bundle = floor.made(Scope(session=session), {session: lines}, floor.in_the_log(session), **made)
    return everything(floor, bundle, **(reader or {}))


# Nothing in his hands


def _one_amount(floor: Floor) -> Forged:
    members = floor.session(BO02)
    return everything(floor, packed({**members, EVENTS: members[EVENTS].replace(b'"paid":90000', b'"paid":10000')}))


def _payout(floor: Floor) -> Forged:
    lines = floor.lines(BO02)
    place = next(index for index, line in enumerate(lines) if b'"paid":90000' in line)
    return of_session(floor, with_line(lines, place, lambda line: line.replace(b"90000", b"0")), BO02)


def _dropped(floor: Floor) -> Forged:
    lines = floor.lines(BO02)
    del lines[next(index for index, line in enumerate(lines) if b'"paid":90000' in line)]
    return of_session(floor, lines, BO02)


def _renumbered(floor: Floor) -> Forged:
    lines = floor.lines(BO02)
    del lines[next(index for index, line in enumerate(lines) if b'"paid":90000' in line)]
    return of_session(floor, [logs.altered(line, seq=seq) for seq, line in enumerate(lines, 1)], BO02)


def _cut_at_a_seal(floor: Floor) -> Forged:
    lines = floor.lines()
    return of_session(floor, lines[: place_of(lines, "table_closed") + 2])


def _cut_round(floor: Floor) -> Forged:
    lines = floor.lines()
    return of_session(floor, lines[: place_of(lines, "checkpoint") + 1])


def _verdict(floor: Floor) -> Forged:
    members = floor.session(BO02)
    rows = [json.loads(line) for line in members[VERDICTS].splitlines()]
    rows = [row for row in rows if row["record"] != "finding"]
    return everything(
        floor, anew({**members, VERDICTS: b"".join(logs.altered(json.dumps(r).encode()) + b"\n" for r in rows)})
    )


def _page(floor: Floor) -> Forged:
    members = floor.session(BO02)
    page = members["index.html"].replace(b"overpaid", b"match")
    return everything(floor, anew({**members, "index.html": page}))


def _capital(floor: Floor) -> Forged:
    lines = floor.lines()
    signature = json.loads(lines[-1])["signature"]
    letter = next(place for place, digit in enumerate(signature) if digit.isalpha())
    capital = signature[:letter] + signature[letter].upper() + signature[letter + 1 :]
    return of_session(floor, [*lines[:-1], lines[-1].replace(signature.encode(), capital.encode())])


def _own_key(floor: Floor) -> Forged:
    return of_session(floor, sealed_by(OWN_KEY, floor.lines()), keys=OWN_KEYS)


def _replayed(floor: Floor) -> Forged:
    return of_session(floor, floor.lines(f"BO01-{DAY}"), BO02)


def _doubled(floor: Floor) -> Forged:
    lines = floor.lines()
    return of_session(floor, [*lines[:5], lines[4], *lines[5:]])


def _traded(floor: Floor) -> Forged:
    """Two events trade their places and numbers."""
    lines = floor.lines()
    lines[3], lines[4] = (logs.altered(lines[place], seq=seq) for place, seq in ((4, 4), (3, 5)))
    return of_session(floor, lines)


def _joined(floor: Floor) -> Forged:
    """The line end between two events is gone, and all bytes are there."""
    lines = floor.lines()
    return of_session(floor, [*lines[:3], lines[3] + lines[4], *lines[5:]])


def _blank_moved(blank: bytes) -> Callable[[Floor], Forged]:
    """In the genuine log a device's line ends in a blank; he moves it to the next."""

    def forge(floor: Floor) -> Forged:
        genuine = sealed_by(KEY, with_line(floor.lines(), 4, lambda line: line + blank))
        lines = [*genuine[:4], genuine[4][: -len(blank)], blank + genuine[5], *genuine[6:]]
        return Forged(floor.made(Scope(session=BO01), {BO01: lines}, {}), keys=floor.keys_text)

    return forge


def _said_twice(change: Callable[[bytes], bytes]) -> Callable[[Floor], Forged]:
    """A device says a thing twice, and the gateway seals it."""

    def forge(floor: Floor) -> Forged:
        lines = floor.lines()
        lines = sealed_by(KEY, with_line(lines, place_of(lines, "bet_placed"), change))
        return Forged(floor.made(Scope(session=BO01), {BO01: lines}, {}), keys=floor.keys_text)

    return forge


# With the gateway's key


def _settled_otherwise(floor: Floor) -> Forged:
    lines = floor.lines(BO02)
    place = next(index for index, line in enumerate(lines) if b'"paid":90000' in line)
    changed = with_line(lines, place, lambda line: line.replace(b"90000", b"0"))
    return of_session(floor, sealed_by(KEY, changed), BO02)


STRATEGIES: Final = (
    Strategy(
        name="one_amount",
        has=(Has.NOTHING,),
        wants="The 900.00 that were paid too much become 0 in the file, and nothing else is touched.",
        forge=_one_amount,
        fails={
            "bytes": f"{EVENTS}: was altered",
            "seals": NOT_SEALED,
            "verdicts": VERDICTS,
            "log": ANOTHER,
        },
    ),
    Strategy(
        name="payout",
        has=(Has.NOTHING,),
        wants="The 900.00 become 0, and verdicts, page and manifest are those that then follow.",
        forge=_payout,
        fails={"seals": f"{EVENTS}, events 1 to 11 (round 1): {NOT_SEALED}", "log": f"{EVENTS}: {ANOTHER}"},
    ),
    Strategy(
        name="dropped_event",
        has=(Has.NOTHING,),
        wants="The event with the overpayment is not there.",
        forge=_dropped,
        fails={"order": "missing", "seals": NOT_SEALED, "log": ANOTHER},
    ),
    Strategy(
        name="dropped_event_and_renumbered",
        has=(Has.NOTHING,),
        wants="The same, and the numbers after it close the hole.",
        forge=_renumbered,
        fails={
            "seals": NOT_SEALED,
            "keys": "the seals: 4 seals with no signature that holds",
            "scope": "",
            "log": ANOTHER,
        },
    ),
    Strategy(
        name="cut_after_the_closing",
        has=(Has.NOTHING,),
        wants="The count of the drop box is gone: he cuts behind a seal.",
        forge=_cut_at_a_seal,
        fails={"log": f"{EVENTS}: {ANOTHER}: its events"},
    ),
    Strategy(
        name="cut_after_a_round",
        has=(Has.NOTHING,),
        wants="The rest of the night is gone: he cuts behind the seal of the first round.",
        forge=_cut_round,
        fails={"order": f"{EVENTS}: ends before the table was closed", "log": ANOTHER},
    ),
    Strategy(
        name="finding_left_out",
        has=(Has.NOTHING,),
        wants="The verdicts say nothing of the overpayment.",
        forge=_verdict,
        fails={"verdicts": f"{VERDICTS}, line 3: the settlement of bet b1-1"},
    ),
    Strategy(
        name="page_that_lies",
        has=(Has.NOTHING,),
        wants="The page that people read says that all is well.",
        forge=_page,
        fails={"verdicts": "index.html, line "},
    ),
    Strategy(
        name="capital_in_a_signature",
        has=(Has.NOTHING,),
        wants="One bit of the last signature: a severe finding in a clean session.",
        forge=_capital,
        fails={"seals": "under no seal of the table", "log": ANOTHER},
    ),
    Strategy(
        name="sealed_anew_with_his_own_key",
        has=(Has.OWN_KEYS,),
        wants="A session that he has written, under a key that he puts into the bundle.",
        forge=_own_key,
        fails={"keys": "keys.txt: key", "scope": "", "log": f"{EVENTS}: {ANOTHER}: its content"},
    ),
    Strategy(
        name="another_tables_session",
        has=(Has.NOTHING,),
        wants="BO01's clean night passes for BO02's: its events stand under BO02's name.",
        forge=_replayed,
        fails={"order": f"is of session {BO01}", "verdicts": "", "log": ""},
    ),
    Strategy(
        name="settled_otherwise",
        has=(Has.KEY, Has.ROOT),
        wants="The 900.00 become 0, and the gateway's own key seals that anew, after the night was logged.",
        forge=_settled_otherwise,
        fails={"log": f"{EVENTS}: {ANOTHER}: its content"},
    ),
    Strategy(
        name="doubled_event",
        has=(Has.NOTHING,),
        wants="An event stands there twice.",
        forge=_doubled,
        fails={"order": f"{EVENTS}, event 5 (line 6): stands there twice", "seals": NOT_SEALED},
    ),
    Strategy(
        name="traded_events",
        has=(Has.NOTHING,),
        wants="Two events have happened the other way round.",
        forge=_traded,
        fails={"seals": NOT_SEALED, "log": ANOTHER},
    ),
    Strategy(
        name="two_lines_in_one",
        has=(Has.NOTHING,),
        wants="Two events are none: the line end between them is gone, and every other byte is there.",
        forge=_joined,
        fails={"order": f"{EVENTS}, line 4: cannot be read", "seals": NOT_SEALED, "log": ANOTHER},
    ),
    *(
        Strategy(
            name=f"a_{name}_moved_over_a_line_end",
            has=(Has.DEVICE,),
            wants="Other bytes of two events under the seal that they have.",
            forge=_blank_moved(blank),
            fails={"seals": f"{EVENTS}, events 1 to 11 (round 1): {NOT_SEALED}"},
        )
        for name, blank in (("blank", b" "), ("tab", b"\t"), ("carriage_return", b"\r"))
    ),
    *(
        Strategy(
            name=name,
            has=(Has.DEVICE,),
            wants="Sealed evidence of a stake that another reader does not see.",
            forge=_said_twice(change),
            says=(said,),
        )
        for name, change, said in (
            (
                "two_amounts",
                lambda line: line.replace(b'"amount":1000', b'"amount":1,"amount":500'),
                "(2 settlements, 1 finding)",
            ),
            (
                "words_before_the_amount",
                lambda line: line.replace(b'"amount":', b'"amount":"ten thousand","amount":'),
                "(2 settlements, 1 finding)",
            ),
            (
                "two_types",
                lambda line: line.replace(b'"type":', b'"type":"checkpoint","type":'),
                "(2 settlements, 1 finding)",
            ),
        )
    ),
)
