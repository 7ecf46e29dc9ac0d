"""What a pack's file may be made of: a text from outside, that somebody may have written to keep its reader busy."""

from __future__ import annotations

import tomllib
from time import perf_counter
from typing import Final

import pytest

from replay.law import read_fraction
from replay.packs import MAX_DEPTH, MAX_TEXT_BYTES, parse_toml
from tests.installed import PACKS

PARTS: Final = ".a" * 20_000
"""Of a key that tomllib would take minutes over: the square of its parts."""


@pytest.mark.parametrize(
    "text",
    [
        f"a{PARTS} = 1",
        f"[a{PARTS}]",
        f"[[a{PARTS}]]",
        f"x = {{b{PARTS} = 1}}",
        f"x = [1, {{b{PARTS} = 1}}]",
        f"a{PARTS.replace('.', ' . ')} = 1",
        f"\"a b\".'c d'{PARTS} = 1",
        f'x = {{"\\"" = 1, b{PARTS} = ""}}',
        f'x = {{a = """b"""", c{PARTS} = ""}}',
        f"x = {{a = '''b'''', c{PARTS} = ''}}",
        f'x = """ \\""" """\na{PARTS} = 1',
        f"x = ''' \" '''\na{PARTS} = 1",
        f'# "\na{PARTS} = 1',
    ],
    ids=range(13),
)
def test_a_key_of_thousands_of_parts_is_refused_wherever_it_is_hidden(text):
    started = perf_counter()

    data, [fault] = parse_toml(text.encode())

    assert (data, fault.text) == (None, f"holds a key of more than {MAX_DEPTH} parts")
    assert perf_counter() - started < 5


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('x = "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t"', {"x": "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t"}),
        ("x = '..................'", {"x": ".................."}),
        ('x = """\n....................\\"...."""', {"x": '....................\\"....'.replace("\\", "")}),
        ("# ....................\nx = 1", {"x": 1}),
        ("a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1\nb = 2", None),
    ],
    ids=range(5),
)
def test_dots_that_part_no_key_are_as_many_as_one_likes(text, data):
    found, faults = parse_toml(text.encode())

    assert faults == []
    assert found == (data or tomllib.loads(text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"#" * (MAX_TEXT_BYTES + 1), "has 262,145 bytes; 262,144 are the most"),
        (b"x = " + b"[" * 17 + b"]" * 17, "holds tables within tables more than 16 deep"),
        (b"x = " + b"[" * 5000 + b"]" * 5000, "is no TOML: "),
        (b"x = " + b"9" * 5000, "is no TOML: Exceeds the limit"),
        (b"x = \xff", "is no UTF-8 text (byte 4)"),
        (b"x = 7.5", "7.5 is not exact"),
        (b"x = 2026-13-45", "is no TOML: "),
    ],
    ids=["too long", "deep", "deeper", "a number too long", "no text", "a float", "no day"],
)
def test_a_text_that_is_none_is_told_in_one_line(text, said):
    data, [fault] = parse_toml(text)

    assert data is None
    assert fault.text.startswith(said)
    assert "\n" not in fault.text


def test_the_packs_that_come_with_retally_are_far_from_the_limits():
    for files in PACKS.files.values():
        for text in files.values():
            assert len(text) < MAX_TEXT_BYTES / 10
            assert parse_toml(text) == (tomllib.loads(text.decode()), [])


@pytest.mark.parametrize("text", ["1e999999999", "1E9", "9" * 1001, "1/0", "x", "", "nan", "inf"])
def test_a_fraction_that_is_none_or_endless_is_refused(text):
    with pytest.raises(ValueError, match=r"fraction|Fraction"):
        read_fraction(text)


def test_an_exact_chance_may_be_long():
    """Andorra, game 5: how often both rows of a fresh shoe of trente et quarante come to 31."""
    text = tomllib.loads(PACKS.files["AD-2025"]["trente_et_quarante.toml"].decode())["equal_rows"]["refait"]

    assert len(text) > 100
    assert float(read_fraction(text)) == pytest.approx(0.0219, abs=0.0001)
