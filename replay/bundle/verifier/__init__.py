"""The verifier of bundles in plain JavaScript, which runs in the page of a bundle: a second one, beside
`replay.bundle.verify`, of which it knows nothing. It was written from docs/sealing.md, for whoever trusts neither.

The page's frame is made of the files here: ``frame.html``, in which the style, the scripts and what a page tells take
their places. The scripts run one after the other as one.
"""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from typing import Final, NamedTuple

SCRIPTS: Final = (
    *("bytes", "json", "container", "ed25519", "events", "toml", "keys", "sessions", "merkle", "notes", "leaves"),
    *("placement", "bundle", "page"),
)


class Frame(NamedTuple):
    """What stands before and after that which a page tells."""

    before: str
    after: str

    @property
    def digest(self) -> str:
        """SHA-256 of both, each with its length before it, so that nothing can pass from one to the other."""
        parts = [text.encode() for text in self]
        return hashlib.sha256(b"".join(b"%d\n%b" % (len(part), part) for part in parts)).hexdigest()


def frame() -> Frame:
    """The frame of the pages that are made now."""
    style = _text("page.css")
    script = "\n".join(_text(f"{name}.js") for name in SCRIPTS)
    policy = f"default-src 'none'; script-src {_source(script)}; style-src {_source(style)}; base-uri 'none'"
    whole = _text("frame.html")
    for place, text in (
        ("{{policy}}", f"{policy}; form-action 'none'"),
        ("{{style}}", style),
        ("{{script}}", script),
    ):
        whole = whole.replace(place, text)
    before, after = whole.split("{{told}}")
    return Frame(before, after)


def _text(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")


def _source(text: str) -> str:
    """By this a browser knows the only script, or style, that it may take."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
