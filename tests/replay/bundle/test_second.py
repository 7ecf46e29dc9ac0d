"""The page of a bundle with the second verifier in it: what the first one asks of it."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Final

import msgspec
import pytest

from replay.bundle import contents, page, verifier
from replay.bundle.contents import Manifest
from replay.bundle.statements import Claim
from streams import bundle_files
from tests.replay.bundle.bundles import LOG, members, verify
from tests.viewer import retally

MEMBERS: Final = members()
PAGE: Final = MEMBERS["index.html"].decode()


def remade(html: str, form: contents.Format = contents.FORMAT) -> bytes:
    """The bundle with another page, of this format, all else made to fit."""
    manifest = msgspec.json.decode(MEMBERS["manifest.json"], type=Manifest)
    found = {**MEMBERS, "index.html": html.encode()}
    found["manifest.json"] = contents.manifest(manifest.scope, manifest.sessions, found, form=form)
    return bundle_files.pack(found)


def page_of_format_3() -> str:
    """What the page tells, as it was told before there was a frame."""
    said = re.search("<p>Sealed: <code>(.*?)</code></p>", PAGE)
    assert said is not None
    section = PAGE[PAGE.index(f"<h2>{LOG.session}</h2>") : PAGE.rindex("\n</main>")]
    return page.page_of_format_3(f"session {LOG.session}", [section], said[1])


def test_the_frame_is_one_that_is_known():
    """Whoever changes a file of it adds the new digest to `KNOWN_FRAMES`, and takes none out."""
    assert verifier.frame().digest in page.KNOWN_FRAMES


def test_a_page_in_another_frame_than_any_that_was_given_out_is_named():
    """What the page tells is right; but the verifier in it would say of any bundle that all is proven."""
    lying = PAGE.replace('const FAILED = "FAILED"', 'const FAILED = "proven"')
    assert lying != PAGE

    verified = verify(remade(lying))

    assert verified.failed == [Claim.VERDICTS]
    assert "none that retally made" in verified.problems[0].text


def test_a_page_without_a_frame_is_named():
    assert verify(remade("<h1>All is well</h1>")).failed == [Claim.VERDICTS]


def test_a_page_in_an_older_frame_is_as_good(monkeypatch):
    """The frame of a later retally is another; bundles from before are proven by it all the same."""
    monkeypatch.setattr(page, "frame", lambda: verifier.Frame("later\n<main>\n", "\n</main>\nlater"))

    assert verify(remade(PAGE)).failed == []
    assert verify(remade(PAGE.replace("overpaid", "all fine"))).failed == [Claim.VERDICTS]


def test_a_bundle_of_format_3_is_proven_as_ever():
    old = page_of_format_3()

    assert "<script" not in old
    assert verify(remade(old, "retally-evidence/3")).failed == []
    assert verify(remade(old.replace("overpaid", "all fine"), "retally-evidence/3")).failed == [Claim.VERDICTS]


@pytest.mark.parametrize(("html", "form"), [(page_of_format_3(), contents.FORMAT), (PAGE, "retally-evidence/3")])
def test_no_bundle_has_the_page_of_another_format(html, form):
    assert verify(remade(html, form)).failed == [Claim.VERDICTS]


def test_the_page_may_run_the_verifier_and_take_nothing_from_anywhere():
    """By the browser's own rules: nothing but the one style and the one script, of these digests."""
    policy = re.search('Content-Security-Policy" content="(.*?)"', PAGE)
    assert policy is not None
    [script], [style] = (re.findall(f"<{tag}>(.*?)</{tag}>", PAGE, re.DOTALL) for tag in ("script", "style"))

    def source(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert policy[1].split("; ") == [
        "default-src 'none'",
        f"script-src {source(script)}",
        f"style-src {source(style)}",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    assert not re.search(r"\b(https?:|src=|href=|import\(|fetch\b|eval\b|innerHTML)", script + style)


def test_the_verifier_is_given_out_by_itself(tmp_path):
    made = retally("evidence", "verifier", "--to", tmp_path / "verifier.html")

    assert made.returncode == 0, made.stderr
    assert verifier.frame().digest in made.stdout
    written = (tmp_path / "verifier.html").read_text("utf-8")
    assert page.frame_of(written) == page.frame()
    assert retally("evidence", "verifier", "--to", tmp_path / "verifier.html").returncode == 2
