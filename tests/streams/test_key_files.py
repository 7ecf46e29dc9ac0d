"""The file of public keys, and the commands that write it."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from replay.evidence import key_id, public_half
from replay.key_scope import Grant, Terms
from streams import key_files
from streams.commands.app import app
from streams.key_files import Entry, key_file, read_key_file, revoke, with_key
from streams.keys import KeyFileError
from tests.replay import logs

KEY = public_half(logs.KEY)
NAME, DIGITS = key_id(KEY), bytes(KEY).hex()
ENTRY = f"""[[keys]]
id = "{NAME}"
public = "{DIGITS}"
"""
HEAD = 'format = "retally-keys/2"\n'
GOOD = f"""# Our keys, with a comment that stays.
{HEAD}
{ENTRY}gateway = "BO-gateway"   # so does this one
tables = ["BO*", "CR01"]
from = 2026-11-01
until = 2027-10-31
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "floor.keys"
    path.write_text(GOOD)
    return path


def run(*arguments: object) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of a command."""
    result = CliRunner().invoke(app, [str(one) for one in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result.exit_code, result.stdout, result.stderr


def test_a_file_says_what_each_key_counts_for(file):
    keys = read_key_file(file)

    assert dict(keys) == {NAME: KEY}
    assert keys.terms == {
        NAME: Terms(
            gateway="BO-gateway",
            grants=(Grant(tables=("BO*", "CR01"), since=date(2026, 11, 1), until=date(2027, 10, 31)),),
        )
    }


def test_several_entries_of_one_key_count_together_and_one_revocation_for_all(file):
    more = f'\n{ENTRY}gateway = "BO-gateway"\ntables = ["SB01"]\nrevoked = 2026-12-10\n'
    file.write_text(GOOD + more + more.replace("2026-12-10", "2026-12-09T14:00:00+01:00"))

    terms = read_key_file(file).terms[NAME]

    assert [grant.tables for grant in terms.grants] == [("BO*", "CR01"), ("SB01",), ("SB01",)]
    assert terms.revoked == datetime(2026, 12, 9, 13, tzinfo=UTC)


@pytest.mark.parametrize("head", ["", "# key id, public key\n", "\n\n  # a comment = with a sign\n"])
def test_files_of_format_1_are_read_and_say_that_they_are_unscoped(tmp_path, head):
    path = tmp_path / "floor.keys"
    path.write_text(f"{head}{NAME} {DIGITS}  # the only one\n")

    keys = read_key_file(path)

    assert dict(keys) == {NAME: KEY}
    assert keys.terms == {}
    assert run("keys", "list", path) == (0, f"{NAME} {DIGITS} # unscoped: every table, every day\n", "")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (GOOD.replace('"retally-keys/2"', '"retally-keys/3"'), "format: retally-keys/3 is unknown"),
        (GOOD.replace('"retally-keys/2"', "2"), "format: 2 is unknown"),
        (GOOD.replace(HEAD, ""), "format: missing"),
        (GOOD.replace("format", "Format"), "format: missing"),
        (HEAD + 'name = "x"\n' + ENTRY, "name: unknown; a file has format and keys"),
        (HEAD, "holds no key"),
        (HEAD + "keys = 3\n", "holds no key"),
        (HEAD + "keys = [3]\n", "key 1: is no table"),
        (HEAD + "[keys]\nid = 3\n", "holds no key"),
        (GOOD + "from = 2026-11-02\n", "not TOML"),
        (GOOD + "[[keys\n", "(at line 11, column 7)"),
        (GOOD + "x = " + "[" * 5000, "not TOML"),
        (GOOD.replace("2026-11-01", "9" * 5000), "not TOML"),
        (GOOD.replace("until", "untill"), "key 1 (line 4): untill: unknown; the fields are id, public, gateway"),
        (GOOD.replace(NAME, NAME.upper()), "key 1 (line 4): id:"),
        (
            GOOD.replace(NAME, "0" * 16),
            f"key 1 (line 4): id: {'0' * 16} is not the id of this public key, which is {NAME}",
        ),
        (GOOD.replace(DIGITS, DIGITS[:-1]), "key 1 (line 4): public: not 64 hexadecimal digits"),
        (GOOD.replace(DIGITS, DIGITS[:-2] + "\\n\\n"), "key 1 (line 4): public: not 64"),
        (GOOD.replace(f'public = "{DIGITS}"\n', ""), "key 1 (line 4): public: missing"),
        (GOOD.replace('tables = ["BO*", "CR01"]\n', ""), "key 1 (line 4): tables: missing"),
        (GOOD.replace('["BO*", "CR01"]', '"BO*"'), "key 1 (line 4): tables: not a list"),
        (GOOD.replace('["BO*", "CR01"]', "[]"), "key 1 (line 4): tables: not a list"),
        (GOOD.replace('"CR01"', "7"), "key 1 (line 4): tables, number 2: 7 is no table"),
        (GOOD.replace('"CR01"', '""'), "key 1 (line 4): tables, number 2:"),
        (GOOD.replace('"CR01"', '"\\u001b[8m"'), "key 1 (line 4): tables, number 2: ?[8m is no table"),
        (GOOD.replace('"CR01"', ", ".join(f'"T{one}"' for one in range(300))), "256 are the most"),
        (GOOD.replace('"BO-gateway"', "7"), "key 1 (line 4): gateway: 7 is no name"),
        (GOOD.replace("2026-11-01", '"2026-11-01"'), "key 1 (line 4): from: 2026-11-01 is no date"),
        (
            GOOD.replace("2026-11-01", "2026-11-01T00:00:00Z"),
            "key 1 (line 4): from: 2026-11-01 00:00:00+00:00 is no date",
        ),
        (GOOD.replace("2026-11-01", "2026-11-31"), "not TOML"),
        (GOOD.replace("2027-10-31", "2026-10-31"), "key 1 (line 4): until: 2026-10-31 is before 2026-11-01"),
        (GOOD + "revoked = 2026-12-10T14:00:00\n", "key 1 (line 4): revoked: 2026-12-10 14:00:00 has no time zone"),
        (GOOD + "revoked = true\n", "key 1 (line 4): revoked: True is no date"),
        (GOOD + "revoked = 0001-01-01T00:00:00+14:00\n", "key 1 (line 4): revoked: 0001-01-01"),
        (GOOD + ENTRY + 'tables = ["*"]\n', f"key {NAME}: gateway: its entries name several"),
        (GOOD + ENTRY, "key 2 (line 11): tables: missing"),
        ("not a key\n", "line 1: not a key id and 64 hexadecimal digits"),
        (f"{NAME} {DIGITS}\n{GOOD}", "line 3: not a key id"),
        ("", "holds no key"),
        ("\ufeff" + GOOD, "cannot be read"),
    ],
)
def test_a_fault_is_one_line_that_names_the_place_and_the_field(file, text, says):
    file.write_text(text, encoding="utf-8")

    status, out, err = run("keys", "list", file)

    assert (status, out) == (2, "")
    assert err.startswith(f"retally: {file}")
    assert says in err
    assert err.count("\n") == 1


def test_the_example_for_operators_is_a_file_of_keys(file):
    page = (Path(key_files.__file__).parents[1] / "deploy" / "README.md").read_text()
    [example] = [block for block in page.split("```toml\n")[1:] if block.startswith("format")]
    text = example.split("```")[0]
    file.write_text(text)

    assert str(read_key_file(file).terms[NAME]) == "BO* and CR01 from 2026-11-01 to 2027-10-31"
    file.write_text(text.replace("# revoked", "revoked"))
    assert str(read_key_file(file).terms[NAME]).endswith("; revoked from 2026-12-10 14:00:00 UTC on")


def test_what_is_no_text_or_too_long_is_refused(file, monkeypatch):
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(KeyFileError, match="not UTF-8"):
        read_key_file(file)
    file.write_text(GOOD)
    monkeypatch.setattr(key_files, "MAX_BYTES", len(GOOD) - 1)
    with pytest.raises(KeyFileError, match=r"larger|bytes"):
        read_key_file(file)
    with pytest.raises(KeyFileError, match="No such file"):
        read_key_file(file.with_name("other.keys"))


def test_entries_are_written_as_they_are_read(tmp_path):
    entries = [
        Entry(NAME, KEY, Grant(tables=("BO*", "it's # a table")), "a gateway", datetime(2026, 12, 10, 14, tzinfo=UTC)),
        Entry(NAME, KEY, Grant(tables=("*",), since=date(2026, 1, 1), until=date(2026, 1, 1)), "a gateway"),
    ]
    path = tmp_path / "floor.keys"
    path.write_text(key_file(entries))

    terms = read_key_file(path).terms[NAME]

    assert terms.grants == tuple(entry.grant for entry in entries)
    assert (terms.gateway, terms.revoked) == ("a gateway", entries[0].revoked)


# keys new


def test_a_new_key_is_added_with_its_scope_and_what_was_there_stays(file, tmp_path):
    scope = (
        "--gateway",
        "CR-gateway",
        "--table",
        "CR*",
        "--table",
        "SB01",
        "--from",
        "2026-11-29",
        "--until",
        "2027-01-01",
    )

    status, out, _ = run("keys", "new", tmp_path / "g.pem", "--public", file, *scope)

    assert status == 0
    name = out.split()[0]
    assert file.read_text().startswith(GOOD)
    keys = read_key_file(file)
    assert list(keys) == [NAME, name]
    assert keys.terms[name] == Terms(
        gateway="CR-gateway",
        grants=(Grant(tables=("CR*", "SB01"), since=date(2026, 11, 29), until=date(2027, 1, 1)),),
    )


def test_a_gateway_has_several_keys_over_time(tmp_path):
    file = tmp_path / "floor.keys"
    for number, days in enumerate((("--until", "2026-12-31"), ("--from", "2027-01-01"))):
        pem = tmp_path / f"{number}.pem"
        assert run("keys", "new", pem, "--public", file, "--gateway", "BO", "--table", "BO01", *days)[0] == 0

    terms = list(read_key_file(file).terms.values())

    assert [one.gateway for one in terms] == ["BO", "BO"]
    assert [str(one) for one in terms] == ["BO01 to 2026-12-31", "BO01 from 2027-01-01"]


def test_a_key_for_every_table_is_made_but_said_to_be_one(tmp_path):
    file = tmp_path / "floor.keys"

    status, _, err = run("keys", "new", tmp_path / "g.pem", "--public", file)

    assert status == 0
    assert "counts for every table" in err
    assert str(*read_key_file(file).terms.values()) == "every table"


def test_a_file_of_format_1_becomes_one_of_format_2_when_a_key_is_added(tmp_path):
    file = tmp_path / "floor.keys"
    file.write_text(f"# ours\n{NAME} {DIGITS} # the oldest\n")

    assert run("keys", "new", tmp_path / "g.pem", "--public", file, "--table", "CR01")[0] == 0

    assert "# ours\n" in file.read_text()
    assert "# the oldest\n" in file.read_text()
    assert [str(terms) for terms in read_key_file(file).terms.values()] == ["every table", "CR01"]


@pytest.mark.parametrize(
    "scope",
    [
        ("--table", 'B"O'),
        ("--table", ""),
        ("--gateway", "é"),
        ("--from", "2026-12-01", "--until", "2026-11-01"),
    ],
)
def test_no_private_key_stays_behind_where_its_scope_is_none(file, tmp_path, scope):
    pem = tmp_path / "g.pem"

    status, _, err = run("keys", "new", pem, "--public", file, *scope)

    assert status == 2
    assert not pem.exists()
    assert file.read_text() == GOOD
    assert err.count("\n") == 1


def test_a_scope_without_a_file_to_stand_in_is_refused(tmp_path):
    status, _, err = run("keys", "new", tmp_path / "g.pem", "--table", "BO01")

    assert status == 2
    assert "--public" in err
    assert not (tmp_path / "g.pem").exists()


# keys revoke


def test_a_revocation_is_written_into_every_entry_and_nothing_else_changes(file):
    other = Entry("", KEY, Grant(tables=("SB01",)))._replace(name=NAME, gateway="BO-gateway")
    file.write_text(with_key(file, other))
    before = file.read_text()

    done = run("keys", "revoke", file, NAME, "--from", "2026-12-10T15:00:00+01:00")

    assert done == (0, f"{NAME} counts for nothing from 2026-12-10 14:00:00 UTC on\n", "")
    assert file.read_text() == before.replace("[[keys]]\n", "[[keys]]\nrevoked = 2026-12-10T14:00:00Z\n")
    assert read_key_file(file).terms[NAME].revoked == datetime(2026, 12, 10, 14, tzinfo=UTC)


def test_a_revocation_by_date_counts_from_its_first_moment_in_utc(file):
    assert run("keys", "revoke", file, NAME, "--from", "2026-12-10")[0] == 0

    assert read_key_file(file).terms[NAME].revoked == datetime(2026, 12, 10, tzinfo=UTC)


def test_a_revocation_can_be_made_earlier_and_never_later(file):
    day = datetime(2026, 12, 10, tzinfo=UTC)
    revoke(file, NAME, day)

    for again in ("2026-12-10", "2026-12-11"):
        status, _, err = run("keys", "revoke", file, NAME, "--from", again)
        assert status == 2
        assert f"key {NAME} is revoked already, from 2026-12-10T00:00:00Z on" in err
    assert run("keys", "revoke", file, NAME, "--from", "2026-12-09")[0] == 0
    assert file.read_text().count("revoked") == 1
    assert read_key_file(file).terms[NAME].revoked == datetime(2026, 12, 9, tzinfo=UTC)


def test_a_key_of_a_file_of_format_1_can_be_revoked(tmp_path):
    file = tmp_path / "floor.keys"
    file.write_text(f"{NAME} {DIGITS}\n")

    assert run("keys", "revoke", file, NAME, "--from", "2026-12-10")[0] == 0

    assert str(read_key_file(file).terms[NAME]) == "every table; revoked from 2026-12-10 00:00:00 UTC on"


@pytest.mark.parametrize(
    ("key", "since", "says"),
    [
        ("0" * 16, "2026-12-10", "holds no key 0000000000000000"),
        (NAME, "yesterday", "--from yesterday: neither a date"),
        (NAME, "2026-12-10T14:00:00", "has no time zone"),
        (NAME, "0001-01-01", "0001-01-01 is not between the years"),
    ],
)
def test_a_revocation_that_cannot_be_meant_changes_nothing(file, key, since, says):
    status, _, err = run("keys", "revoke", file, key, "--from", since)

    assert status == 2
    assert says in err
    assert err.count("\n") == 1
    assert file.read_text() == GOOD


def test_an_entry_that_is_not_plain_is_left_to_whoever_wrote_it(file):
    inline = f'{HEAD}keys = [{{id = "{NAME}", public = "{DIGITS}", tables = ["*"]}}]\n'
    file.write_text(inline)

    with pytest.raises(KeyFileError, match=r"write 'revoked = 2026-12-10T00:00:00Z' into the entry"):
        revoke(file, NAME, datetime(2026, 12, 10, tzinfo=UTC))
    assert file.read_text() == inline


def test_keys_are_listed_for_programs(file):
    status, out, _ = run("keys", "list", file, "--json")

    assert status == 0
    assert json.loads(out) == [
        {
            "file": str(file),
            "id": NAME,
            "public": DIGITS,
            "gateway": "BO-gateway",
            "counts_for": "BO* and CR01 from 2026-11-01 to 2027-10-31",
        }
    ]


# Whoever takes --keys


def test_an_audit_and_a_bundle_hold_seals_to_the_scope(tmp_path):
    log, keys, bundle = tmp_path / "night.jsonl", tmp_path / "floor.keys", tmp_path / "night.zip"
    night = logs.boule([logs.Coup(7, [logs.Stake("red")])])
    log.write_bytes(b"".join(line + b"\n" for line in night.lines))
    keys.write_text(HEAD + ENTRY + 'tables = ["BO01"]\n')
    export = ("evidence", "export", "--from", log, "--session", night.session, "--keys", keys, "--to")
    verify = ("evidence", "verify", bundle, "--keys", keys)
    for command in (("audit", log, "--keys", keys), (*export, bundle), verify):
        status, out, err = run(*command)
        assert status == 0
        assert "unscoped" not in out + err

    keys.write_text(HEAD + ENTRY + 'tables = ["BO02"]\n')

    status, out, _ = run("audit", log, "--keys", keys, "--json")
    found = [json.loads(line) for line in out.splitlines()]
    assert status == 1
    assert {row["code"] for row in found if row["record"] == "finding"} == {"bad_signature"}
    status, out, _ = run(*verify)
    assert status == 1
    assert "counts for BO02, not for table BO01" in out
    assert run(*export, tmp_path / "other.zip")[0] == 1

    keys.write_text(f"{NAME} {DIGITS}\n")

    notice = f"retally: {keys}: its keys are unscoped (format 1): each counts for every table and day\n"
    assert run("audit", log, "--keys", keys)[::2] == (0, notice)
    status, out, err = run(*verify)
    assert (status, err) == (0, notice)
    assert f"keys for any table and day   {NAME}" in out
