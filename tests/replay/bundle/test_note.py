"""Signed notes: the example of the specification, and every other spelling refused."""

from __future__ import annotations

import base64
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.bundle import note
from replay.bundle.note import LOG, WITNESS, Note, NoteError, Signature, read_key, read_note
from tests.replay.bundle.floors import AT, HOUSE, KEY, ORIGIN, REGULATOR, WITNESS_KEY, private, read_or_told, vkey

FOO: Final = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
"""The key of the example in c2sp.org/signed-note."""
EXAMPLE: Final = (
    "This is an example message.\n\n"
    "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
).encode()
TEXT: Final = "a text\n"
SIGNED: Final = bytes(Note(TEXT, (note.sign(TEXT, ORIGIN, HOUSE),)))
COSIGNED: Final = bytes(read_note(SIGNED).beside(note.cosign(TEXT, WITNESS_KEY.name, REGULATOR, AT)))


def line_of(data: bytes, number: int = 0) -> bytes:
    """A signature line of a note, with its line end."""
    return data.split(b"\n\n")[-1].split(b"\n")[number] + b"\n"


def opened(data: bytes) -> list[note.Signed]:
    return read_note(data).signed([KEY, WITNESS_KEY])


def test_the_example_of_the_specification_is_signed_by_its_key():
    key = read_key(FOO, LOG)

    assert key.id.hex() == "530d903a"
    assert str(key) == FOO
    assert read_note(EXAMPLE).text == "This is an example message.\n"
    assert read_note(EXAMPLE).signed([key]) == [note.Signed(key, None)]
    assert bytes(read_note(EXAMPLE)) == EXAMPLE


def test_the_example_with_another_text_is_signed_by_nobody():
    for place in range(len(EXAMPLE.split(b"\n\n")[0])):
        altered = EXAMPLE[:place] + bytes([EXAMPLE[place] ^ 1]) + EXAMPLE[place + 1 :]
        with pytest.raises(NoteError):
            read_note(altered).signed([read_key(FOO, LOG)])


def test_a_log_and_a_witness_sign_in_whatever_order_their_lines_stand():
    log, witness = line_of(COSIGNED), line_of(COSIGNED, 1)
    turned = b"a text\n\n" + witness + log

    assert {one.key for one in opened(COSIGNED)} == {one.key for one in opened(turned)} == {KEY, WITNESS_KEY}
    assert [one.time for one in opened(turned)] == [AT, None]


def test_a_cosignature_covers_its_time():
    """c2sp.org/tlog-cosignature: the signed message is a line for the format, one for the time, and the whole text."""
    message = b"cosignature/v1\ntime 1800000000\na text\n"
    value = AT.to_bytes(8, "big") + REGULATOR.sign(message)

    assert Signature(WITNESS_KEY.name, WITNESS_KEY.id, value) in read_note(COSIGNED).signatures
    for time in (AT + 1, 0, 2**63):
        moved = Signature(WITNESS_KEY.name, WITNESS_KEY.id, time.to_bytes(8, "big") + value[8:])
        with pytest.raises(NoteError, match="does not hold"):
            Note(TEXT, (moved,)).signed([WITNESS_KEY])


def test_a_cosignature_of_no_time_is_none():
    value = bytes(8) + REGULATOR.sign(b"cosignature/v1\ntime 0\na text\n")

    with pytest.raises(NoteError, match="does not hold"):
        Note(TEXT, (Signature(WITNESS_KEY.name, WITNESS_KEY.id, value),)).signed([WITNESS_KEY])


def test_one_flipped_bit_of_a_key_id_makes_a_signature_nobodys():
    """And a signature of nobody does no harm beside one that holds."""
    signature = read_note(SIGNED).signatures[0]
    other = signature._replace(id=bytes([signature.id[0] ^ 1]) + signature.id[1:])

    with pytest.raises(NoteError, match="signed by nobody who is known"):
        Note(TEXT, (other,)).signed([KEY])
    assert Note(TEXT, (other, signature)).signed([KEY]) == [note.Signed(KEY, None)]


def test_one_flipped_bit_of_a_known_signature_refuses_the_note():
    """Even where another that is known holds."""
    log, witness = read_note(COSIGNED).signatures
    for place in range(0, 64, 7):
        value = bytearray(log.value)
        value[place] ^= 1
        with pytest.raises(NoteError, match="does not hold"):
            Note(TEXT, (log._replace(value=bytes(value)), witness)).signed([KEY, WITNESS_KEY])


@pytest.mark.parametrize("length", [0, 1, 63, 65, 72])
def test_a_signature_of_another_length_does_not_hold(length):
    log = read_note(SIGNED).signatures[0]

    with pytest.raises(NoteError, match="does not hold"):
        Note(TEXT, (log._replace(value=(log.value + bytes(8))[:length] + b""),)).signed([KEY])


def test_one_key_that_has_signed_twice_refuses_the_note():
    first = note.cosign(TEXT, WITNESS_KEY.name, REGULATOR, AT)
    second = note.cosign(TEXT, WITNESS_KEY.name, REGULATOR, AT + 60)

    for pair in ((first, second), (first, first)):
        with pytest.raises(NoteError, match="signed twice"):
            Note(TEXT, pair).signed([WITNESS_KEY])


def test_lines_of_unknown_keys_are_passed_over():
    """ "Grease": lines that mean nothing, so that no reader comes to refuse what it does not know."""
    grease = [f"— grease.example/{number} {base64.b64encode(bytes([number]) * 40).decode()}\n" for number in range(40)]
    data = b"a text\n\n" + "".join(grease[:20]).encode() + line_of(SIGNED) + "".join(grease[20:]).encode()

    assert opened(data) == [note.Signed(KEY, None)]


def test_sixteen_signatures_are_taken_and_ten_thousand_are_not():
    line = line_of(SIGNED)
    others = [f"— w{number} {base64.b64encode(bytes(40)).decode()}\n".encode() for number in range(10_000)]

    assert opened(b"a text\n\n" + line + b"".join(others[:99])) == [note.Signed(KEY, None)]
    with pytest.raises(NoteError):
        read_note(b"a text\n\n" + line + b"".join(others))
    short = [f"— {number} AAAAAAA=\n".encode() for number in range(100)]
    with pytest.raises(NoteError, match="101 signatures; 100 are the most"):
        read_note(b"a text\n\n" + line + b"".join(short))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"\n\n",
        b"a text\n",
        b"a text\n\n",
        b"\n\n" + line_of(SIGNED),
        b"a text\n" + line_of(SIGNED),
        SIGNED[:-1],
        SIGNED + b"\n",
        SIGNED + b" ",
        SIGNED.replace(b"\n", b"\r\n"),
        SIGNED.replace("—".encode(), b"-"),
        SIGNED.replace("—".encode(), "–".encode()),
        SIGNED.replace("— ".encode(), "—".encode()),
        SIGNED.replace("— ".encode(), "—  ".encode()),
        SIGNED.replace("— ".encode(), "—\u00a0".encode()),
        SIGNED[:-1] + b" \n",
        SIGNED[:-1] + b"\t\n",
        SIGNED.replace(b"a text", b"a\x00text"),
        SIGNED.replace(b"a text", b"a\x7ftext"),
        SIGNED.replace(b"a text", b"a\x1btext"),
        SIGNED.replace(b"a text", b"a\ttext"),
        SIGNED.replace(b"a text", b"a\xfftext"),
        SIGNED.replace(b"a text", b"a\xed\xa0\x80text"),
        SIGNED.replace(b"a text", b"a\xc0\xaftext"),
        b"\xef\xbb\xbf" + SIGNED,
    ],
)
def test_another_spelling_is_another_note_or_none(data):
    """Whatever is wrong, it is said in one line by one kind of error."""
    with pytest.raises(NoteError) as told:
        opened(data)
    assert str(told.value).isprintable()


def test_no_spelling_of_a_signature_but_its_own_is_taken():
    """Base64 with other bits in its last digit, without its padding, with line ends, of the alphabet for addresses."""
    name, value = line_of(SIGNED).decode().removeprefix("— ").rstrip("\n").split(" ")
    stem = value.rstrip("=")
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    spellings = [stem[:-1] + digit + "=" * value.count("=") for digit in digits if digit != stem[-1]]
    spellings += [
        stem,
        value + "=",
        value + "====",
        " " + value,
        value[:8] + "\n" + value[8:],
        value[:8] + "=" + value[8:],
    ]
    spellings += [value.replace("+", "-").replace("/", "_"), value[:-4], value + "AAAA", "", "="]

    assert bytes(read_note(SIGNED)).endswith(f"— {name} {value}\n".encode())
    for spelling in spellings:
        if spelling != value:
            with pytest.raises(NoteError):
                opened(f"a text\n\n— {name} {spelling}\n".encode())


@given(st.binary(max_size=200))
def test_whatever_is_read_it_is_a_note_or_one_clear_error(data):
    found = read_or_told(read_note, data)
    assert found is None or bytes(found) == data


@given(st.integers(0, len(COSIGNED) - 1), st.integers(0, 255))
def test_no_byte_of_a_cosigned_note_can_be_another(place, byte):
    """But in a name or an ID, which then are nobody's: the other signature still holds."""
    altered = COSIGNED[:place] + bytes([byte]) + COSIGNED[place + 1 :]
    if altered == COSIGNED:
        return
    try:
        found = opened(altered)
    except NoteError:
        return
    assert read_note(altered).text == TEXT
    assert len(found) == 1


# Keys


@pytest.mark.parametrize(
    "text",
    [
        "",
        "example.com/foo",
        "example.com/foo+530d903a",
        FOO.replace("530d903a", "530d903b"),
        FOO.replace("530d903a", "530D903A"),
        FOO.replace("530d903a", "0x30d903"),
        FOO.replace("example.com/foo", ""),
        FOO.replace("example.com/foo", "example.com/ foo"),
        FOO.replace("example.com/foo", "example.com/\u2028foo"),
        FOO.replace("example.com/foo", "example.com/bar"),
        FOO + "\n",
        FOO[:-1],
        FOO[:-1] + "l",
        FOO + "=",
        FOO.replace("+Aek", "+BOk"),
        str(WITNESS_KEY),
    ],
)
def test_what_is_no_key_of_a_log_is_refused(text):
    with pytest.raises(NoteError):
        read_key(text, LOG)


def test_a_witness_has_a_key_of_his_own_kind():
    """The same 32 bytes are two keys: a signature of one kind is none of the other."""
    as_log = vkey(WITNESS_KEY.name, LOG, REGULATOR)

    assert read_key(str(WITNESS_KEY), WITNESS) == WITNESS_KEY
    assert as_log.id != WITNESS_KEY.id
    with pytest.raises(NoteError, match="signed by nobody who is known"):
        Note(TEXT, (note.cosign(TEXT, WITNESS_KEY.name, REGULATOR, AT),)).signed([as_log])


@pytest.mark.parametrize("point", ["00" * 32, "01" + "00" * 31, "ec" + "ff" * 30 + "7f", "ed" + "ff" * 30 + "7f"])
def test_a_key_under_which_anybody_could_sign_is_refused(point):
    """Points of small order, and one in a second spelling."""
    with pytest.raises(NoteError, match="no Ed25519 public key"):
        note.key_of("example.com/foo", LOG, bytes.fromhex(point))


def test_two_keys_are_one_only_where_every_byte_is():
    """An ID is four bytes: two keys that share it, and the name, are two keys all the same."""
    one, other = private(7), private(8)
    known = vkey("log.example", LOG, one)
    forged = note.sign(TEXT, "log.example", other)._replace(id=known.id)

    assert known != vkey("log.example", LOG, other)
    with pytest.raises(NoteError, match="does not hold"):
        Note(TEXT, (forged,)).signed([known])


# Writing


@pytest.mark.parametrize(
    "text", ["", "no line end", "a\r\n", "a\tb\n", "a\x00\n", "\n", "\ud800\n", "x" * 70_000 + "\n"]
)
def test_a_text_that_could_not_be_read_back_is_not_signed(text):
    with pytest.raises(NoteError):
        note.sign(text, ORIGIN, HOUSE)


@pytest.mark.parametrize("name", ["", "a b", "a+b", "a\nb", "a\u00a0b", "a\u200bb", "x" * 300])
def test_a_name_that_is_none_signs_nothing(name):
    with pytest.raises(NoteError):
        note.sign(TEXT, name, HOUSE)


@pytest.mark.parametrize("time", [0, -1, 2**63])
def test_a_witness_signs_at_a_time_that_there_is(time):
    with pytest.raises(NoteError, match="no time to sign at"):
        note.cosign(TEXT, WITNESS_KEY.name, REGULATOR, time)


def test_a_witness_who_signs_anew_is_there_once():
    again = read_note(COSIGNED).beside(note.cosign(TEXT, WITNESS_KEY.name, REGULATOR, AT + 60))

    assert [one.time for one in again.signed([KEY, WITNESS_KEY])] == [None, AT + 60]
