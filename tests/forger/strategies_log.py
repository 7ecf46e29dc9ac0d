"""Strategies about where and when: the place of a session in the floor's log, heads, and who signs them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from replay.bundle import house_log, leaves, logged, note, sealing
from replay.bundle.checkpoint import Checkpoint, read_text, sign_head
from replay.bundle.contents import Scope
from replay.bundle.house_log import FloorLog, SealedNight
from replay.bundle.leaves import join, split
from replay.bundle.merkle import Tree
from replay.bundle.strict import base64_text
from replay.bundle.tlog import read_proof
from tests.forger.floor import BEFORE, DAY, EVENTS, KEY, TABLES, Floor, Lines, Members, sealed_by
from tests.forger.strategies_events import ANOTHER, BO01, BO02, everything, of_session
from tests.forger.strategy import Forged, Has, Strategy
from tests.installed import judged
from tests.replay import logs
from tests.replay.bundle import floors

NOT_ENOUGH: Final = "log: the head is house only, which is not enough under the policy"
TOLD: Final = "witnessed by regulator at 2027-01-15 08:00:00 UTC"
POLICY_OF_THE_HOUSE: Final = f"log {floors.KEY}\nquorum none\n"
"""The house's own head is enough."""


def of_night(floor: Floor, sessions: Sequence[str], in_the_log: Members, day: str = DAY, **reader: Any) -> Forged:
    """A night of these sessions, all else made to fit."""
    night = {session: floor.lines(session) for session in sessions}
    return everything(floor, floor.made(Scope(date=day), night, in_the_log), **reader)


def changed(
    floor: Floor, name: str, change: Callable[[bytes], bytes], session: str = BO01, *, night: bool = False
) -> Forged:
    """The genuine bundle with one of its members changed, and page and manifest that fit."""
    found = floor.night_in_the_log() if night else floor.in_the_log(session)
    altered = {**found, name: change(found[name])}
    assert altered != found
    if night:
        return of_night(floor, list(floor.night), altered)
    return everything(floor, floor.made(Scope(session=session), {session: floor.lines(session)}, altered))


def _without_two(floor: Floor) -> Forged:
    return of_night(floor, list(floor.night)[2:], floor.night_in_the_log())


def _without_two_leaves(floor: Floor) -> Forged:
    """The leaves of the two are not there either."""
    found = floor.night_in_the_log()
    kept = [leaf for leaf in split(found["log/entries"]) if b"BO01" not in leaf and b"BO02" not in leaf]
    return of_night(floor, list(floor.night)[2:], {**found, "log/entries": join(kept)})


def _boundary(floor: Floor) -> Forged:
    """The night begins two sessions later: peaks of the tree with them, leaves without them."""
    found = floor.night_in_the_log()
    night = split(found["log/entries"])
    first = next(place for place, leaf in enumerate(night) if b"retally-leaf/2 session" in leaf)
    sealed = floor.log.nights[1]
    tree = Tree(sealed.size, [bytes.fromhex(peak) for peak in sealed.peaks])
    for leaf in night[: first + 2]:
        tree.append(leaf)
    peaks = "".join(f"{peak.hex()}\n" for peak in tree.peaks()).encode()
    kept = {**found, "log/entries": join(night[first + 2 :]), "log/peaks": peaks}
    return of_night(floor, list(floor.night)[2:], kept)


def _night_before(floor: Floor) -> Forged:
    """The night before, whole, under the date of this one."""
    night = {session: floor.lines(session) for session in floor.night_before}
    bundle = floor.made(Scope(date=DAY), night, floor.night_in_the_log(BEFORE))
    return everything(floor, bundle, root=None)


def _night_before_under_this_root(floor: Floor) -> Forged:
    return of_night(floor, list(floor.night_before), floor.night_in_the_log(BEFORE), BEFORE)


def _another_leaf(floor: Floor) -> Forged:
    return everything(floor, floor.made(Scope(session=BO02), {BO02: floor.lines(BO02)}, floor.in_the_log(BO01)))


def _leaf_of_his_own(floor: Floor) -> Forged:
    """The leaf says what his events are."""
    lines = sealed_by(KEY, [line.replace(b'"paid":90000', b'"paid":0') for line in floor.lines(BO02)])
    content = hashlib.sha256(b"".join(line + b"\n" for line in lines)).hexdigest()
    found = floor.in_the_log(BO02)
    leaf = leaves.read(found["log/entry"])
    chain = next(line for line in reversed(lines) if b'"chain"' in line)
    mine = msgspec.structs.replace(leaf, content=content, chain=msgspec.json.decode(chain)["chain"])
    return everything(floor, floor.made(Scope(session=BO02), {BO02: lines}, {**found, "log/entry": bytes(mine)}))


def _night_of_another(floor: Floor) -> Forged:
    """The leaf of the night before as the one that this session stands in."""
    before = floor.in_the_log(f"BO01-{BEFORE}")
    found = floor.in_the_log()
    altered = {**found, "log/night": before["log/night"], "log/night.tlog-proof": before["log/night.tlog-proof"]}
    return everything(floor, floor.made(Scope(session=BO01), {BO01: floor.lines()}, altered))


def _night_of_another_under_this_head(floor: Floor) -> Forged:
    """The same, the night before proven under this very head."""
    nights = floor.log.nights
    index = nights[0].size + len(nights[0].entries) - 1
    found = floor.in_the_log()
    proof = bytes(house_log.prove(nights, index))
    altered = {**found, "log/night": nights[0].leaves[-1], "log/night.tlog-proof": proof}
    return everything(floor, floor.made(Scope(session=BO01), {BO01: floor.lines()}, altered))


def _head(change: Callable[[Checkpoint], Checkpoint], *, by_house: bool) -> Callable[[bytes], bytes]:
    """The head of a proof says something else; the signatures are the old ones, or the house has signed it anew."""

    def forged(data: bytes) -> bytes:
        proof = read_proof(data)
        old = note.read_note(proof.note)
        head = change(read_text(old.text))
        new = sign_head(head, floors.HOUSE) if by_house else old._replace(text=head.text)
        return bytes(msgspec.structs.replace(proof, note=bytes(new)))

    return forged


def _both(floor: Floor, change: Callable[[bytes], bytes], session: str = BO01, **reader: Any) -> Forged:
    """The same change in both proofs of a session."""
    found = floor.in_the_log(session)
    proofs = {name: change(found[name]) for name in found if name.endswith("proof")}
    bundle = floor.made(Scope(session=session), {session: floor.lines(session)}, {**found, **proofs})
    return everything(floor, bundle, **reader)


def _larger(floor: Floor) -> Forged:
    return _both(floor, _head(lambda head: head._replace(size=head.size + 1), by_house=False))


def _larger_signed(floor: Floor) -> Forged:
    return _both(floor, _head(lambda head: head._replace(size=head.size + 1), by_house=True))


def _other_root_signed(floor: Floor) -> Forged:
    return _both(floor, _head(lambda head: head._replace(root=bytes(32)), by_house=True))


def _note(change: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    def forged(data: bytes) -> bytes:
        proof = read_proof(data)
        return bytes(msgspec.structs.replace(proof, note=change(proof.note)))

    return forged


def _fourth_line(data: bytes) -> bytes:
    text = note.read_note(data).text + "closed 2026-11-29\n"
    signed = [note.sign(text, floors.ORIGIN, floors.HOUSE)]
    signed.append(note.cosign(text, floors.WITNESS_KEY.name, floors.REGULATOR, floors.AT))
    return bytes(note.read_note(data)._replace(text=text, signatures=tuple(signed)))


def _without_witness(data: bytes) -> bytes:
    return b"".join(line for line in data.splitlines(keepends=True) if b"regulator" not in line)


def _earlier(data: bytes) -> bytes:
    """The witness is said to have signed a day before."""
    found = note.read_note(data)
    one = next(each for each in found.signatures if each.name == floors.WITNESS_KEY.name)
    time = (floors.AT - 86400).to_bytes(8, "big")
    other = one._replace(value=time + one.value[8:])
    return bytes(found._replace(signatures=tuple(other if each is one else each for each in found.signatures)))


def _his_witness(data: bytes) -> bytes:
    """His own cosignature under the regulator's name, in the place of the genuine one."""
    found = note.read_note(_without_witness(data))
    return bytes(found.beside(note.cosign(found.text, floors.WITNESS_KEY.name, floors.private(66), floors.AT)))


def _beside(data: bytes) -> bytes:
    found = note.read_note(data)
    return bytes(found.beside(note.cosign(found.text, "ministry.example/w9", floors.private(66), floors.AT)))


def _borrowed(floor: Floor) -> Forged:
    """The cosignature of the head of the night before under a head that no witness has seen."""
    before = note.read_note(floor.log.nights[0].head.encode())
    line = next(one for one in before.signatures if one.name == floors.WITNESS_KEY.name)

    def change(data: bytes) -> bytes:
        return bytes(note.read_note(_without_witness(data)).beside(line))

    return _both(floor, _note(change))


def _with_more(data: bytes) -> bytes:
    return bytes(msgspec.structs.replace(read_proof(data), extra=b"closed"))


def _loose_base64(data: bytes) -> bytes:
    """Another spelling of one signature: bits that no byte holds."""
    line = next(each for each in data.splitlines() if each.startswith("— oper".encode()))
    spelt = line[:-2] + bytes([line[-2] + 1]) + line[-1:]
    return data.replace(line, spelt)


def _log_of_his_own(floor: Floor) -> Forged:
    """A log of the house's name, with a witness of the regulator's name, of keys that are his own."""
    own = floors.vkey(floors.ORIGIN, note.LOG, floors.private(66))
    log = FloorLog(own)
    lines = sealed_by(KEY, [line.replace(b'"paid":90000', b'"paid":0') for line in floor.lines(BO02)])
    genuine = floor.log.nights[1].leaves
    first = floors.signed_anyway(log, [_other(leaf, lines) for leaf in genuine], floors.private(66))
    log.nights.append(floors.cosigned(first, floors.private(67)))
    return everything(floor, floor.made(Scope(session=BO02), {BO02: lines}, floor.in_the_log(BO02, log)), root=None)


def _other(leaf: bytes, lines: Lines) -> bytes:
    """The leaf, and where it is BO02's session, of these events."""
    entry = leaves.read(leaf)
    if isinstance(entry, leaves.Night):
        none = {"first": 0, "previous_size": 0, "previous_date": "-", "previous_root": hashlib.sha256(b"").hexdigest()}
        return bytes(msgspec.structs.replace(entry, **none))
    if not isinstance(entry, leaves.Session) or entry.session != BO02:
        return leaf
    content = hashlib.sha256(b"".join(line + b"\n" for line in lines)).hexdigest()
    chain = msgspec.json.decode(lines[-1])["chain"]
    return bytes(msgspec.structs.replace(entry, content=content, chain=chain))


def _rewritten_by_the_house(floor: Floor) -> SealedNight:
    """The night of this date anew, in which BO02's session is another: the house signs, the witness has not."""
    lines = sealed_by(KEY, [line.replace(b'"paid":90000', b'"paid":0') for line in floor.lines(BO02)])
    log = FloorLog(floors.KEY)
    log.add(floor.log.nights[0])
    night = {name: lines if name == BO02 else each.lines for name, each in floor.night.items()}
    floor.seal(log, DAY, night)
    return log.nights[1]


def _by_the_house(floor: Floor, **reader: Any) -> Forged:
    lines = sealed_by(KEY, [line.replace(b'"paid":90000', b'"paid":0') for line in floor.lines(BO02)])
    log = FloorLog(floors.KEY)
    log.nights = [floor.log.nights[0], _rewritten_by_the_house(floor)]
    bundle = floor.made(Scope(session=BO02), {BO02: lines}, floor.in_the_log(BO02, log))
    return everything(floor, bundle, **{"root": None, **reader})


def _said_to_come(floor: Floor, **said: Any) -> Forged:
    """The night without BO02's session, of which the house tells something else."""
    log = FloorLog(floors.KEY)
    log.add(floor.log.nights[0])
    kept = {name: each.lines for name, each in floor.night.items() if name != BO02}
    floor.seal(log, DAY, kept, roster=list(TABLES), **said)
    log.nights[-1] = floors.cosigned(log.nights[-1])
    bundle = floor.made(Scope(date=DAY), kept, floor.night_in_the_log(DAY, log))
    return everything(floor, bundle, root=None)


def _late(floor: Floor) -> Forged:
    """The night was sealed before the drop was counted; the whole session came with the next."""
    log = FloorLog(floors.KEY)
    short = {name: each.lines[:-2] for name, each in floor.night.items()}
    floor.seal(log, DAY, short)
    known = log.sessions[BO01]
    longer = sealing.judged(BO01, floor.lines(), judged(keys=floor.keys), beginning=known.events)
    assert longer is not None
    floors.sealed(log, "2026-11-30", [longer], roster=["BO01"], keys=floor.keys, absent={"BO01": "to come"})
    log.nights[-1] = floors.cosigned(log.nights[-1])
    bundle = floor.made(Scope(session=BO01), {BO01: floor.lines()}, floor.in_the_log(BO01, log))
    return everything(floor, bundle, root=None)


def _drop_counted_anew(floor: Floor, **spelling: Any) -> Forged:
    """A count more, and a seal on it."""
    lines = floor.lines()
    lines.append(logs.altered(lines[-2], seq=len(lines) + 1, amount=1))
    seal = logs.altered(lines[-2], seq=len(lines) + 1)
    return of_session(floor, sealed_by(KEY, [*lines, seal], after=len(lines), **spelling))


def _escaped(floor: Floor) -> Forged:
    return _drop_counted_anew(floor, spelt=lambda line: line.replace(b'"checkpoint"', b'"\\u0063heckpoint"'))


def _last_seal_anew(floor: Floor) -> Forged:
    lines = floor.lines()
    return of_session(floor, sealed_by(KEY, lines, after=len(lines) - 1, at="2026-11-29T23:59:59.000000Z"))


def _not_in_the_log(floor: Floor, **reader: Any) -> Forged:
    return everything(floor, floor.made(Scope(session=BO01), {BO01: floor.lines()}, {}), **reader)


def _two_of_five_unasked(floor: Floor) -> Forged:
    """Of a log of his own, to a reader who has the keys alone."""
    own = floors.vkey("forger.example/log", note.LOG, floors.private(66))
    log = FloorLog(own)
    kept = list(floor.night)[:1]
    judged_night = {name: floor.lines(name) for name in kept}
    floor_night = _sealed_alone(floor, log, judged_night)
    bundle = floor.made(Scope(date=DAY), judged_night, floor_night)
    return everything(floor, bundle, policy=None, root=None)


def _sealed_alone(floor: Floor, log: FloorLog, night: dict[str, Lines]) -> Members:
    genuine = [leaf for leaf in floor.log.nights[1].leaves if not _is_of_another(leaf, night)]
    renumbered = []
    for leaf in genuine:
        entry = leaves.read(leaf)
        if isinstance(entry, leaves.Night):
            none = {"first": 0, "previous_size": 0, "previous_date": "-"}
            empty = hashlib.sha256(b"").hexdigest()
            entry = msgspec.structs.replace(entry, count=len(genuine) - 1, previous_root=empty, **none)
        renumbered.append(bytes(entry))
    log.nights.append(floors.signed_anyway(log, renumbered, floors.private(66)))
    return logged.members_of_night(log, DAY)


def _is_of_another(leaf: bytes, night: dict[str, Lines]) -> bool:
    entry = leaves.read(leaf)
    return isinstance(entry, leaves.Session) and entry.session not in night


STRATEGIES: Final = (
    Strategy(
        name="two_of_five_sessions_left_out",
        has=(Has.LOG, Has.ROOT, Has.NOTES),
        wants="A whole night without two of its sessions.",
        forge=_without_two,
        fails={"log": f"log: session {BO01} was sealed that night, and is not here"},
    ),
    Strategy(
        name="two_of_five_leaves_left_out",
        has=(Has.LOG, Has.ROOT, Has.NOTES),
        wants="The same, and their leaves are gone too.",
        forge=_without_two_leaves,
        fails={"log": "log: the night of 2026-11-29 counts"},
    ),
    Strategy(
        name="boundary_moved",
        has=(Has.LOG, Has.ROOT, Has.NOTES),
        wants="The night begins two sessions later, with the genuine tree's own peaks.",
        forge=_boundary,
        fails={"log": "log: the night of 2026-11-29 counts"},
    ),
    Strategy(
        name="the_night_before_as_this_one",
        has=(Has.LOG, Has.NOTES),
        wants="The night before under the date of this one.",
        forge=_night_before,
        fails={"log": "log: is of the night of 2026-11-28, and the bundle of 2026-11-29", "bytes": "manifest.json"},
    ),
    Strategy(
        name="the_night_before_under_this_root",
        has=(Has.LOG, Has.ROOT, Has.NOTES),
        wants="The night before, to a reader who holds the root after this one.",
        forge=_night_before_under_this_root,
        fails={"log": "log: the head has another root than the one that you hold"},
    ),
    Strategy(
        name="the_leaf_of_another_session",
        has=(Has.LOG, Has.ROOT, Has.NOTES),
        wants="BO02's session under the leaf of BO01's.",
        forge=_another_leaf,
        fails={"log": f"log: session {BO02} is none of those that were sealed"},
    ),
    Strategy(
        name="a_leaf_of_his_own",
        has=(Has.KEY, Has.ROOT, Has.NOTES),
        wants="The leaf is of his events, the proof is the genuine one.",
        forge=_leaf_of_his_own,
        fails={"log": f"log: session '{BO02}' is not proven to be leaf"},
    ),
    Strategy(
        name="the_night_of_another_head",
        has=(Has.LOG, Has.ROOT, Has.NOTES),
        wants="This session as one of the night before.",
        forge=_night_of_another,
        fails={"log": "log: the session and its night are proven under two heads"},
    ),
    Strategy(
        name="the_night_before_under_one_head",
        has=(Has.LOG, Has.ROOT, Has.NOTES),
        wants="The same, both proven under the genuine head.",
        forge=_night_of_another_under_this_head,
        fails={"log": f"log: session '{BO01}' is leaf 7, and not of the night of 2026-11-28"},
    ),
    Strategy(
        name="a_larger_tree",
        has=(Has.ROOT, Has.NOTES),
        wants="The head says that there was a leaf more.",
        forge=_larger,
        fails={"log": "log: "},
    ),
    Strategy(
        name="a_larger_tree_that_the_house_has_signed",
        has=(Has.HOUSE_KEY, Has.ROOT),
        wants="The same, signed by the house anew.",
        forge=_larger_signed,
        fails={"log": "is not proven to be leaf"},
    ),
    Strategy(
        name="another_root_that_the_house_has_signed",
        has=(Has.HOUSE_KEY,),
        wants="A head with the same proofs and a root of his own.",
        forge=_other_root_signed,
        fails={"log": "is not proven to be leaf"},
    ),
    Strategy(
        name="a_fourth_line_in_the_head",
        has=(Has.HOUSE_KEY, Has.NOTES),
        wants="The head says besides that the floor was closed; even the witness has signed it.",
        forge=lambda floor: _both(floor, _note(_fourth_line)),
        fails={"log": "log: the head has more lines than the three of a head"},
    ),
    Strategy(
        name="the_witness_left_out",
        has=(Has.NOTES,),
        wants="A head that only the house has signed.",
        forge=lambda floor: _both(floor, _note(_without_witness)),
        fails={"log": NOT_ENOUGH},
    ),
    Strategy(
        name="the_witness_signed_earlier",
        has=(Has.NOTES,),
        wants="The head was there a day before.",
        forge=lambda floor: _both(floor, _note(_earlier)),
        fails={"log": "log: "},
    ),
    Strategy(
        name="a_witness_of_his_own",
        has=(Has.OWN_KEYS, Has.NOTES),
        wants="A cosignature under the regulator's name, by a key of his own.",
        forge=lambda floor: _both(floor, _note(_his_witness)),
        fails={"log": NOT_ENOUGH},
    ),
    Strategy(
        name="a_witness_beside_the_genuine_one",
        has=(Has.OWN_KEYS, Has.NOTES),
        wants="That the ministry, which has seen nothing, is told as a witness.",
        forge=lambda floor: _both(floor, _note(_beside)),
        says=(f"({TOLD}: leaf",),
    ),
    Strategy(
        name="a_borrowed_cosignature",
        has=(Has.NOTES,),
        wants="The witness's signature of the night before under this head.",
        forge=_borrowed,
        fails={"log": "log: "},
    ),
    Strategy(
        name="a_signature_spelt_otherwise",
        has=(Has.NOTES,),
        wants="Two heads of one night that differ in their bytes.",
        forge=lambda floor: _both(floor, _note(_loose_base64)),
        fails={"log": "not Base64 as it is written"},
    ),
    Strategy(
        name="a_word_that_nobody_has_signed",
        has=(Has.NOTES,),
        wants="Bytes of his own in a proof, where the format has room for them.",
        forge=lambda floor: _both(
            floor, lambda data: bytes(msgspec.structs.replace(read_proof(data), extra=b"closed"))
        ),
        fails={"log": "what nobody has signed"},
    ),
    Strategy(
        name="a_log_of_his_own",
        has=(Has.KEY, Has.OWN_KEYS),
        wants="A log and a witness under the genuine names, in which BO02's session is another.",
        forge=_log_of_his_own,
        fails={"log": "log: the note is signed by nobody who is known"},
    ),
    Strategy(
        name="rewritten_by_the_house",
        has=(Has.KEY, Has.HOUSE_KEY),
        wants="The house writes the night anew, with the gateway's key and its own, behind the witness's back.",
        forge=_by_the_house,
        fails={"log": NOT_ENOUGH},
    ),
    Strategy(
        name="rewritten_by_the_house_without_a_witness",
        has=(Has.KEY, Has.HOUSE_KEY),
        wants="The same, to a reader to whom the house's word is enough.",
        forge=lambda floor: _by_the_house(floor, policy=POLICY_OF_THE_HOUSE),
        says=(
            "proven     the sessions stand under the head that you were given (house only: leaf",
            "by the keys, the law and the head that you gave; the head is house only",
        ),
    ),
    Strategy(
        name="rewritten_by_the_house_under_the_genuine_root",
        has=(Has.KEY, Has.HOUSE_KEY, Has.ROOT),
        wants="The same, to a reader who holds the root that the house gave out before.",
        forge=lambda floor: _by_the_house(floor, policy=POLICY_OF_THE_HOUSE, root=floor.root),
        fails={"log": "log: the head has another root than the one that you hold"},
    ),
    Strategy(
        name="a_session_said_to_be_still_to_come",
        has=(Has.HOUSE_KEY, Has.NOTES),
        wants="A whole night without BO02's session, which the house says is still to come; the witness has signed it.",
        forge=lambda floor: _said_to_come(floor, absent={"BO02": "the gateway is down"}),
        says=("; by the house's word the session of table BO02 is still to come (the gateway is down))",),
    ),
    Strategy(
        name="a_table_said_to_be_closed",
        has=(Has.HOUSE_KEY, Has.NOTES),
        wants="The same, of a table that the house says was closed.",
        forge=lambda floor: _said_to_come(floor, closed={"BO02": "being repaired"}),
        says=("; by the house's word table BO02 was closed (being repaired))",),
    ),
    Strategy(
        name="an_honest_late_count",
        has=(Has.NOTHING,),
        wants="Nothing: the night was sealed before the drop was counted, and the session is genuine.",
        forge=_late,
        says=("sealed with the night of 2026-11-30, late",),
    ),
    Strategy(
        name="drop_counted_anew",
        has=(Has.KEY, Has.ROOT),
        wants="Another count of the drop box, sealed after the night was logged.",
        forge=_drop_counted_anew,
        fails={"log": f"{EVENTS}: {ANOTHER}: its events"},
    ),
    Strategy(
        name="a_seal_in_other_letters",
        has=(Has.KEY, Has.ROOT),
        wants="The same, by a seal whose type is written with an escape.",
        forge=_escaped,
        fails={"log": f"{EVENTS}: {ANOTHER}: its events"},
    ),
    Strategy(
        name="the_last_seal_signed_anew",
        has=(Has.KEY, Has.ROOT),
        wants="The last seal bears another time; the chain under it is the same.",
        forge=_last_seal_anew,
        fails={"log": f"{EVENTS}: {ANOTHER}: its content"},
    ),
    Strategy(
        name="no_place_in_the_log",
        has=(Has.NOTHING,),
        wants="That nobody asks where it was sealed: nothing of the log is in the bundle.",
        forge=_not_in_the_log,
        fails={"log": "log: is not here"},
    ),
    Strategy(
        name="no_place_in_the_log_under_a_root",
        has=(Has.NOTHING,),
        wants="The same, to a reader who holds the root alone.",
        forge=lambda floor: _not_in_the_log(floor, policy=None),
        fails={"log": "log: is not here"},
    ),
    Strategy(
        name="a_cut_tail_and_nothing_of_the_log",
        has=(Has.NOTHING,),
        wants="The count of the drop box is gone, to a reader who has the keys alone.",
        forge=lambda floor: everything(
            floor, floor.made(Scope(session=BO01), {BO01: floor.lines()[:-2]}, {}), policy=None, root=None
        ),
        says=("nobody vouches for: that this is all there was",),
    ),
    Strategy(
        name="a_night_of_one_session",
        has=(Has.OWN_KEYS,),
        wants="One of five sessions as the whole night, in a log of his own, to a reader who has the keys alone.",
        forge=_two_of_five_unasked,
        says=(
            "not asked  this is the whole night under the head that you were given",
            "who vouches for that: nobody but whoever made the bundle",
            "nobody vouches for: that this is all there was",
        ),
    ),
    Strategy(
        name="an_index_of_his_own",
        has=(Has.NOTES,),
        wants="The session is another leaf of the tree.",
        forge=lambda floor: changed(
            floor,
            "log/entry.tlog-proof",
            lambda data: bytes(msgspec.structs.replace(read_proof(data), index=read_proof(data).index - 1)),
        ),
        fails={"log": "is not proven to be leaf"},
    ),
    Strategy(
        name="the_ordinal_of_another",
        has=(Has.NOTES,),
        wants="The leaf says that it is the first session of its table.",
        forge=lambda floor: changed(
            floor, "log/entry", lambda data: bytes(msgspec.structs.replace(leaves.read(data), ordinal=1, previous="-"))
        ),
        fails={"log": "log: "},
    ),
    Strategy(
        name="peaks_of_no_tree",
        has=(Has.LOG, Has.NOTES),
        wants="The night follows from a tree of his own.",
        forge=lambda floor: changed(floor, "log/peaks", lambda data: b"0" * 64 + data[64:], night=True),
        fails={"log": "does not follow from the tree before it"},
    ),
    Strategy(
        name="a_root_in_base64_of_another_night",
        has=(Has.LOG, Has.NOTES),
        wants="The root of the night before in this head, its signatures as they are.",
        forge=lambda floor: changed(
            floor,
            "log/head",
            lambda data: data.replace(
                base64_text(bytes.fromhex(floor.root)).encode(),
                base64_text(read_text(note.read_note(floor.log.nights[0].head.encode()).text).root).encode(),
            ),
            night=True,
        ),
        fails={"log": "log: "},
    ),
)
