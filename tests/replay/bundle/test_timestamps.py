"""Time stamps: made by OpenSSL's own authority, checked by ours; and every reply that proves nothing."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest
from cryptography import x509
from typer.testing import CliRunner

from replay.bundle.checkpoint import read_head
from replay.bundle.strict import NoteError
from replay.bundle.timestamps import read_certificates, read_stamp, stamped
from streams.commands.app import app
from streams.timestamps import nonce_of, question
from tests.replay.bundle.floors import DAYS, KEY, cosigned, floor
from tests.servers import missing

GET_OPENSSL: Final = "openssl is not installed, which stamps the tests' heads; on Debian: apt-get install openssl"
CONTENT: Final = b"a head"
CONFIGURATION: Final = """[tsa]
default_tsa = here
[here]
serial = serial
signer_cert = own.pem
signer_key = own.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = {digests}
accuracy = secs:1
ess_cert_id_alg = sha256
"""


class Authority:
    """A time-stamping authority in a folder: OpenSSL's, with a root of its own."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        folder.mkdir()
        (folder / "serial").write_text("01", "ascii")
        (folder / "extensions").write_text("extendedKeyUsage=critical,timeStamping\n", "ascii")
        new = ("-newkey", "rsa:2048", "-nodes")
        self._run("req", "-x509", *new, "-keyout", "ca.key", "-out", "ca.pem", "-subj", f"/CN={name} CA")
        self._run("req", *new, "-keyout", "own.key", "-out", "own.csr", "-subj", f"/CN={name} stamps")
        made = ("x509", "-req", "-in", "own.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial")
        self._run(*made, "-out", "own.pem", "-extfile", "extensions", "-days", "30")
        self.root, self.own = (self.certificate(one) for one in ("ca", "own"))

    def certificate(self, name: str) -> x509.Certificate:
        [found] = read_certificates((self.folder / f"{name}.pem").read_bytes())
        return found

    def answer(self, request: bytes, *, digests: str = "sha256, sha512") -> bytes:
        """Its reply to a question."""
        (self.folder / "cnf").write_text(CONFIGURATION.format(digests=digests), "ascii")
        (self.folder / "q").write_bytes(request)
        self._run("ts", "-reply", "-config", "cnf", "-queryfile", "q", "-out", "reply")
        return (self.folder / "reply").read_bytes()

    def plain_question(self, content: bytes, *more: str) -> bytes:
        """A question that OpenSSL asks."""
        (self.folder / "content").write_bytes(content)
        self._run("ts", "-query", "-data", "content", "-sha256", "-out", "asked", *more)
        return (self.folder / "asked").read_bytes()

    def _run(self, *arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def authorities(tmp_path_factory: pytest.TempPathFactory) -> tuple[Authority, Authority]:
    if shutil.which("openssl") is None:
        missing(GET_OPENSSL)
    folder = tmp_path_factory.mktemp("authorities")
    return Authority(folder / "one", "one"), Authority(folder / "two", "two")


def test_a_stamp_that_another_implementation_made_says_when(authorities):
    one, _ = authorities
    request = question(CONTENT)
    found = read_stamp(one.answer(request), CONTENT, [one.root], nonce=nonce_of(request))

    assert found.authority == "CN=one stamps"
    assert str(found) == f"stamped by CN=one stamps at {found.time:%Y-%m-%d %H:%M:%S} UTC"
    assert (
        read_stamp(one.answer(one.plain_question(CONTENT, "-cert")), CONTENT, [one.root]).authority == "CN=one stamps"
    )


def test_a_stamp_without_its_certificate_needs_it_given(authorities):
    one, _ = authorities
    bare = one.answer(one.plain_question(CONTENT))

    assert read_stamp(bare, CONTENT, [one.root, one.own]).authority == "CN=one stamps"
    with pytest.raises(NoteError, match="does not hold"):
        read_stamp(bare, CONTENT, [one.root])


def test_a_reply_without_the_nonce_that_was_asked_for_is_refused(authorities):
    one, _ = authorities
    without = one.answer(one.plain_question(CONTENT, "-no_nonce", "-cert"))
    other = one.answer(question(CONTENT))

    for reply in (without, other):
        with pytest.raises(NoteError, match="does not bear the nonce of the question"):
            read_stamp(reply, CONTENT, [one.root], nonce=nonce_of(question(CONTENT)))
    with pytest.raises(NoteError, match="bears no nonce"):
        nonce_of(one.plain_question(CONTENT, "-no_nonce"))


def test_a_stamp_of_other_bytes_or_by_another_authority_does_not_hold(authorities):
    one, two = authorities
    reply = one.answer(question(CONTENT))
    for content, certificates in (
        (b"another head", [one.root]),
        (CONTENT, [two.root]),
        (CONTENT, [one.root, two.own]),
        (CONTENT, [one.own]),
        (CONTENT, []),
        (CONTENT, [one.root, one.own, two.own]),
    ):
        with pytest.raises(NoteError) as told:
            read_stamp(reply, content, certificates)
        assert str(told.value).isprintable()


def test_an_authority_that_does_not_grant_it_is_told_with_its_reason(authorities):
    one, _ = authorities
    refused = one.answer(question(CONTENT), digests="sha512")

    with pytest.raises(NoteError, match="not granted a time stamp: Message digest algorithm is not supported"):
        read_stamp(refused, CONTENT, [one.root])


def test_whatever_an_authority_answers_there_is_no_crash(authorities):
    one, _ = authorities
    reply = one.answer(question(CONTENT))
    others = [reply[:length] for length in range(0, len(reply), 37)]
    others += [reply[:place] + bytes([reply[place] ^ 0x41]) + reply[place + 1 :] for place in range(0, len(reply), 11)]
    others += [b"", b"x" * 300_000, question(CONTENT), b"<html>503</html>"]
    for other in others:
        try:
            found = read_stamp(other, CONTENT, [one.root])
        except NoteError as error:
            told = str(error)
        else:
            told = str(found)
        assert told.isprintable()
    with pytest.raises(NoteError):
        read_stamp(reply[:-1] + bytes([reply[-1] ^ 1]), CONTENT, [one.root])


def test_what_is_no_certificate_and_no_request_is_refused():
    with pytest.raises(NoteError, match="holds no certificates"):
        read_certificates(b"x")
    with pytest.raises(NoteError, match="no request for a time stamp"):
        nonce_of(b"x")


def test_what_is_stamped_is_the_head_as_its_house_has_signed_it():
    """So that a cosignature that comes later, or is given anew, changes nothing."""
    night = floor(DAYS[0]).nights[0]
    before, after = (read_head(one.head.encode(), [KEY]) for one in (night, cosigned(night)))

    assert stamped(before) == stamped(after) == night.head.encode()


def test_a_stamp_is_asked_for_kept_and_checked_on_the_command_line(authorities, tmp_path):
    one, two = authorities

    def run(*arguments: object) -> tuple[int, str, str]:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        return result.exit_code, result.stdout, result.stderr

    log, question_file, answer = tmp_path / "log", tmp_path / "q", tmp_path / "a"
    vkey = run("evidence", "new-log", log, "--origin", KEY.name, "--key", tmp_path / "key")[1].strip()
    assert run("evidence", "timestamp-request", "--log", log, "--to", question_file)[0] == 2
    seal_a_night(log, tmp_path / "key")
    assert run("evidence", "timestamp-request", "--log", log, "--to", question_file)[0] == 0
    answer.write_bytes(one.answer(question_file.read_bytes()))
    add = ("evidence", "timestamp-add", answer, "--request", question_file, "--log", log, "--certificates")
    assert run(*add, two.folder / "ca.pem")[0] == 2
    status, out, _ = run(*add, one.folder / "ca.pem")
    assert status == 0
    assert out.startswith(f"the night of {DAYS[0]}: stamped by CN=one stamps at ")
    head = tmp_path / "head"
    head.write_text(run("evidence", "status", "--log", log)[1].split("leaves\n", 1)[1], "utf-8")
    check = ("evidence", "timestamp-check", log / f"night-{DAYS[0]}.tsr", head, "--key", vkey, "--certificates")
    assert run(*check, one.folder / "ca.pem")[0] == 0
    assert run(*check, two.folder / "ca.pem")[0] == 2


def seal_a_night(folder: Path, key: Path) -> None:
    """One closed night in this log."""
    from replay.bundle import house_log, sealing
    from streams import floor_logs
    from streams.keys import read_private_key

    with floor_logs.writing(folder) as log:
        private = read_private_key(key)
        said = sealing.Statement(DAYS[0], ["BO01"], closed_days={DAYS[0]: "holiday"})
        entries = sealing.entries_of(log, said, [], private, keys={})
        floor_logs.write_night(folder, house_log.seal(log, entries, said.roster, private), new=True)
