"""Strategies with seals of the old form, which nobody has signed or seen: much in them is their maker's word."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from replay.bundle import contents
from replay.bundle.contents import Scope
from replay.bundle.merkle import Tree
from replay.bundle.seals import Head, Inclusion, SealProof
from tests.forger.floor import DAY, KEY, Floor, Lines, sealed_by
from tests.forger.strategies_events import BO01, BO02, everything
from tests.forger.strategy import Forged, Has, Strategy

WHOLE: Final = "seal.json: a seal of the old form does not prove that these are all sessions of the night"
UNWITNESSED: Final = "the last seal's own line, and how many were sealed, and when, are its maker's word"


def chain_of(lines: Sequence[bytes]) -> bytes:
    return bytes.fromhex(msgspec.json.decode(lines[-1])["chain"])


def old_tree(floor: Floor) -> Tree:
    """The night's sessions, as they were sealed in the old form."""
    tree = Tree()
    for log in floor.night.values():
        tree.append(chain_of(log.lines))
    return tree


def old_head(floor: Floor, **other: Any) -> Head:
    found = Head(date=DAY, size=len(floor.night), root=old_tree(floor).root().hex())
    return msgspec.structs.replace(found, **other)


def proof_of(floor: Floor, sessions: Sequence[str], head: Head, previous: Head | None = None) -> SealProof:
    tree = old_tree(floor)
    names = list(floor.night)
    return SealProof(
        head=head,
        previous=previous,
        consistency=[] if previous is None else [one.hex() for one in tree.consistency(previous.size)],
        sessions=[
            Inclusion(
                session=name, index=names.index(name), path=[one.hex() for one in tree.inclusion(names.index(name))]
            )
            for name in sorted(sessions)
        ],
    )


def under(floor: Floor, scope: Scope, sessions: dict[str, Lines], proof: SealProof, **reader: Any) -> Forged:
    """A bundle of these sessions under a seal of the old form. Its reader has the keys and the root."""
    members = {"seal.json": contents.pretty(proof)}
    bundle = floor.made(scope, sessions, members, seal=contents.old_seal(proof.head))
    return everything(floor, bundle, **{"policy": None, "root": old_head(floor).root, **reader})


def _of_session(floor: Floor, lines: Lines, head: Head, session: str = BO01, **reader: Any) -> Forged:
    return under(floor, Scope(session=session), {session: lines}, proof_of(floor, [session], head), **reader)


def _genuine(floor: Floor) -> Forged:
    return _of_session(floor, floor.lines(), old_head(floor))


def _in_place_of_the_log(floor: Floor) -> Forged:
    return _of_session(floor, floor.lines(), old_head(floor), policy=floor.policy_text, root=None)


def _boundary(floor: Floor) -> Forged:
    names = list(floor.night)
    tree = Tree()
    for name in names[:2]:
        tree.append(chain_of(floor.lines(name)))
    before = Head(date="2026-11-28", size=2, root=tree.root().hex())
    proof = proof_of(floor, names[2:], old_head(floor), before)
    return under(floor, Scope(date=DAY), {name: floor.lines(name) for name in names[2:]}, proof)


def _genuine_night(floor: Floor) -> Forged:
    night = {name: floor.lines(name) for name in floor.night}
    return under(floor, Scope(date=DAY), night, proof_of(floor, list(night), old_head(floor)))


def _size(size: int) -> Callable[[Floor], Forged]:
    return lambda floor: _of_session(floor, floor.lines(), old_head(floor, size=size))


def _empty_night(floor: Floor) -> Forged:
    before = Head(date="0000-99-99", size=0, root=hashlib.sha256(b"").hexdigest())
    return under(floor, Scope(session=BO01), {BO01: floor.lines()}, proof_of(floor, [BO01], old_head(floor), before))


def _relabelled(floor: Floor) -> Forged:
    """The genuine root as that of the night before, and a night of his own appended."""
    lines = sealed_by(KEY, [line.replace(b'"paid":90000', b'"paid":0') for line in floor.lines(BO02)])
    tree = old_tree(floor)
    before = old_head(floor, date="2026-11-28")
    tree.append(chain_of(lines))
    proof = SealProof(
        head=Head(date=DAY, size=tree.size, root=tree.root().hex()),
        previous=before,
        consistency=[one.hex() for one in tree.consistency(before.size)],
        sessions=[Inclusion(session=BO02, index=5, path=[one.hex() for one in tree.inclusion(5)])],
    )
    return under(floor, Scope(session=BO02), {BO02: lines}, proof)


def _last_seal_anew(floor: Floor) -> Forged:
    lines = floor.lines()
    anew = sealed_by(KEY, lines, after=len(lines) - 1, at="2026-11-29T23:59:59.000000Z")
    return _of_session(floor, anew, old_head(floor))


def _another_session(floor: Floor) -> Forged:
    lines = sealed_by(KEY, [line.replace(b'"paid":90000', b'"paid":0') for line in floor.lines(BO02)])
    return _of_session(floor, lines, old_head(floor), BO02)


def _beside_the_log(floor: Floor) -> Forged:
    members = {**floor.in_the_log(), "seal.json": contents.pretty(proof_of(floor, [BO01], old_head(floor)))}
    return everything(floor, floor.made(Scope(session=BO01), {BO01: floor.lines()}, members))


def _read_back(floor: Floor) -> Forged:
    """Bytes that are no seal, though a reader of numbers might take them."""
    text = contents.pretty(proof_of(floor, [BO01], old_head(floor))).replace(b'"index": 0', b'"index": -0')
    bundle = floor.made(
        Scope(session=BO01), {BO01: floor.lines()}, {"seal.json": text}, seal=contents.old_seal(old_head(floor))
    )
    return everything(floor, bundle, policy=None, root=old_head(floor).root)


STRATEGIES: Final = (
    Strategy(
        name="old_seal_of_a_session",
        has=(Has.NOTHING,),
        wants="Nothing: an archived session under the root that its reader holds.",
        forge=_genuine,
        says=(UNWITNESSED,),
    ),
    Strategy(
        name="old_seal_in_the_place_of_the_log",
        has=(Has.ROOT,),
        wants="That a seal that nobody has signed does where a witnessed head is asked for.",
        forge=_in_place_of_the_log,
        fails={"log": "log: is not here: that these sessions stand in a log of your policy is not proven"},
    ),
    Strategy(
        name="old_seal_of_a_night",
        has=(Has.NOTHING,),
        wants="That an archived night is believed to be whole.",
        forge=_genuine_night,
        fails={"log": WHOLE},
    ),
    Strategy(
        name="old_boundary_hides_two_sessions",
        has=(Has.ROOT,),
        wants="Two of five sessions are of the night before, by his own word.",
        forge=_boundary,
        fails={"log": WHOLE},
    ),
    *(
        Strategy(
            name=f"old_tree_of_{size}_leaves",
            has=(Has.ROOT,),
            wants=f"The tree of five leaves had {size}.",
            forge=_size(size),
            fails={"log": f"seal.json: session {BO01}, as it is here, is not the one that was sealed with the night"},
        )
        for size in (4, 9)
    ),
    Strategy(
        name="old_tree_of_8_leaves",
        has=(Has.ROOT,),
        wants="The tree of five leaves had eight, which a path of the same length does not contradict.",
        forge=_size(8),
        says=(UNWITNESSED,),
    ),
    Strategy(
        name="an_empty_night_before_an_old_seal",
        has=(Has.ROOT,),
        wants="A night before that never was, of a date that no calendar has.",
        forge=_empty_night,
        says=(UNWITNESSED,),
    ),
    Strategy(
        name="an_old_root_relabelled",
        has=(Has.KEY, Has.ROOT),
        wants="The root that the reader holds becomes the night before, and a forged session follows it.",
        forge=_relabelled,
        fails={"log": "seal.json: the night's seal has another root than the one that you hold"},
    ),
    Strategy(
        name="the_last_seal_signed_anew_under_an_old_seal",
        has=(Has.KEY, Has.ROOT),
        wants="Another time on the last seal, which the old form does not cover.",
        forge=_last_seal_anew,
        says=(UNWITNESSED,),
    ),
    Strategy(
        name="another_session_under_an_old_seal",
        has=(Has.KEY, Has.ROOT),
        wants="BO02's session as he has written it.",
        forge=_another_session,
        fails={"log": f"seal.json: session {BO02}, as it is here, is not the one that was sealed with the night"},
    ),
    Strategy(
        name="an_old_seal_beside_the_log",
        has=(Has.ROOT,),
        wants="Two words on where it was sealed, for two readers.",
        forge=_beside_the_log,
        fails={"log": "seal.json: is there beside what stands in the floor's log"},
    ),
    Strategy(
        name="an_old_seal_spelt_otherwise",
        has=(Has.ROOT,),
        wants="Two bundles of one session that differ in their bytes.",
        forge=_read_back,
        fails={"log": "seal.json, line "},
    ),
)
