"""Heads of a log: the example of the specification, and what is no head."""

from __future__ import annotations

import base64

import pytest

from replay.bundle import note
from replay.bundle.checkpoint import Checkpoint, read_head, read_text, sign_head
from replay.bundle.merkle import EMPTY, leaf_hash
from replay.bundle.note import LOG, Note, NoteError
from tests.replay.bundle.floors import AT, HOUSE, KEY, ORIGIN, REGULATOR, WITNESS_KEY, private, vkey

ROOT = leaf_hash(b"")
HEAD = Checkpoint(ORIGIN, 1, ROOT)
SIGNED = bytes(sign_head(HEAD, HOUSE))
EXAMPLE = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
"""Of c2sp.org/tlog-checkpoint."""


def signed(text: str) -> bytes:
    """Whatever this text is, signed by the log's key."""
    signature = note.Signature(ORIGIN, KEY.id, HOUSE.sign(text.encode()))
    return bytes(Note(text, (signature,)))


def test_the_example_of_the_specification_is_a_head():
    root = base64.b64decode("CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=")

    assert read_text(EXAMPLE) == Checkpoint("example.com/behind-the-sofa", 20852163, root)
    assert read_text(EXAMPLE).text == EXAMPLE


def test_a_head_that_its_log_has_signed_is_read():
    head = read_head(SIGNED, [KEY])

    assert (head.checkpoint, head.by) == (HEAD, KEY)


def test_a_head_that_the_witness_has_signed_says_when():
    cosigned = note.read_note(SIGNED).beside(note.cosign(HEAD.text, WITNESS_KEY.name, REGULATOR, AT))

    assert [one.time for one in read_head(bytes(cosigned), [KEY], [WITNESS_KEY]).signed] == [None, AT]


def test_a_witness_alone_makes_no_head():
    alone = Note(HEAD.text, (note.cosign(HEAD.text, WITNESS_KEY.name, REGULATOR, AT),))

    with pytest.raises(NoteError, match="not signed by its log"):
        read_head(bytes(alone), [KEY], [WITNESS_KEY])


def test_a_head_whose_key_is_called_otherwise_than_its_log_is_refused_whoever_signed_it():
    """A log of an origin with a suffix, signed under the name without it, and the other way round."""
    for origin, name in ((f"{ORIGIN} - 2605736670972794746", ORIGIN), (f"{ORIGIN}/2", ORIGIN), (ORIGIN, f"{ORIGIN}/2")):
        text = f"{origin}\n1\n{base64.b64encode(ROOT).decode()}\n"
        key = vkey(name, LOG, HOUSE)
        head = Note(text, (note.Signature(name, key.id, HOUSE.sign(text.encode())),))
        with pytest.raises(NoteError, match="is of the log"):
            read_head(bytes(head), [key])


def test_a_head_of_one_floor_is_none_of_another_though_all_else_is_equal():
    other = vkey("operator.example/retally/floor-2", LOG, HOUSE)

    with pytest.raises(NoteError, match=r"is of the log 'operator\.example/retally/floor-1', not of"):
        read_head(SIGNED, [other])


@pytest.mark.parametrize(
    "size", ["NOTANINT", "+9", "09", "-1", "1.0", "1e3", "0x1", " 1", "1 ", "1_0", "٣", "", str(2**64)]
)
def test_a_size_is_written_in_one_way(size):
    for text in (f"{ORIGIN}\n{size}\n{base64.b64encode(ROOT).decode()}\n",):
        with pytest.raises(NoteError):
            read_text(text)
        with pytest.raises(NoteError):
            read_head(signed(text), [KEY])


@pytest.mark.parametrize(
    "text",
    [
        f"{ORIGIN}\n1\n",
        f"{ORIGIN}\n\n1\n{base64.b64encode(ROOT).decode()}\n",
        f"\n{ORIGIN}\n1\n{base64.b64encode(ROOT).decode()}\n",
        f"{HEAD.text}\n",
        f"{ORIGIN}\n1\n{base64.b64encode(ROOT).decode()[:-1]}\n",
        f"{ORIGIN}\n1\n{base64.b64encode(ROOT).decode()[:-2]}d=\n",
        f"{ORIGIN}\n1\n{base64.b64encode(ROOT[:31]).decode()}\n",
        f"{ORIGIN}\n1\n{base64.b64encode(ROOT + b'0').decode()}\n",
        f"{ORIGIN}\n1\n{ROOT.hex()}\n",
        f"{ORIGIN}\n0\n{base64.b64encode(ROOT).decode()}\n",
    ],
)
def test_what_is_no_head_is_refused_though_the_log_has_signed_it(text):
    with pytest.raises(NoteError):
        read_head(signed(text), [KEY])


@pytest.mark.parametrize("line", ["date 2026-11-29", "closed", "x"])
def test_what_stands_under_no_root_proves_nothing(line):
    """A date or a state in a line of its own: no reader of the log could check it, so there is no such line."""
    with pytest.raises(NoteError, match="more lines than the three"):
        read_head(signed(f"{HEAD.text}{line}\n"), [KEY])


def test_a_log_of_no_leaf_has_the_root_of_no_leaf():
    assert read_head(bytes(sign_head(Checkpoint(ORIGIN, 0, EMPTY), HOUSE)), [KEY]).size == 0


@pytest.mark.parametrize(
    "origin", ["", "a\n9", "a\r", "operator example", "a+b", "a\x00", "operator.example/floor\n1\nAAAA", "a\x1b[8m"]
)
def test_a_name_that_would_forge_a_line_is_not_signed(origin):
    with pytest.raises(NoteError):
        sign_head(Checkpoint(origin, 1, ROOT), HOUSE)


@pytest.mark.parametrize(("size", "root"), [(-1, ROOT), (10**16, ROOT), (1, ROOT[:31]), (0, ROOT)])
def test_a_head_that_could_not_be_read_back_is_not_signed(size, root):
    with pytest.raises(NoteError):
        sign_head(Checkpoint(ORIGIN, size, root), HOUSE)


def test_a_log_whose_key_was_changed_has_heads_of_both_keys():
    later = private(9)
    keys = [KEY, vkey(ORIGIN, LOG, later)]

    assert read_head(SIGNED, keys).by == keys[0]
    assert read_head(bytes(sign_head(HEAD, later)), keys).by == keys[1]
    with pytest.raises(NoteError, match="signed by nobody who is known"):
        read_head(bytes(sign_head(HEAD, private(10))), keys)
