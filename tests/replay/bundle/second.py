"""The second verifier for tests: the page of a bundle from the disk, in a real Chromium with the network off."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.viewer import chromium

WAIT_MS = 30_000


class Told(NamedTuple):
    """What the page says of a bundle."""

    said: dict[str, str]
    """By claim: `proven`, `not asked` or `FAILED`; nothing where the file is no bundle."""
    text: str
    """All of it."""


class SecondVerifier:
    """The page, opened; it must ask nobody, and never fail itself."""

    def __init__(self, page: Any) -> None:
        self.page = page

    def verify(
        self, bundle: bytes, *, keys: str | None = None, policy: str | None = None, root: str | None = None
    ) -> Told:
        """What it says of a bundle to a reader who was given these things."""
        self._give("bundle", "bundle.zip", bundle)
        self._give("keys", "floor.keys", None if keys is None else keys.encode())
        self._give("policy", "policy.txt", None if policy is None else policy.encode())
        self.page.fill("#root", root or "")
        self.page.click("#verifier button")
        self.page.wait_for_selector('#said[data-state="done"], #said[data-state="refused"]')
        rows = "rows => Object.fromEntries(rows.map(row => [row.dataset.claim, row.dataset.said]))"
        said = self.page.eval_on_selector_all("#said tr", rows)
        text = self.page.locator("#said").inner_text()
        assert "this page itself failed" not in text, text
        return Told(said, text)

    def _give(self, field: str, name: str, content: bytes | None) -> None:
        files = [] if content is None else [{"name": name, "mimeType": "application/octet-stream", "buffer": content}]
        self.page.set_input_files(f"#{field}", files)


@contextmanager
def second_verifier(page: bytes, folder: Path) -> Iterator[SecondVerifier]:
    """The second verifier in this page, from a file of the folder."""
    file = folder / "index.html"
    file.write_bytes(page)
    address = file.as_uri()
    with chromium() as browser:
        context = browser.new_context(offline=True)
        opened = context.new_page()
        opened.set_default_timeout(WAIT_MS)
        wrong: list[str] = []
        opened.on(
            "console", lambda message: wrong.append(message.text) if message.type in ("error", "warning") else None
        )
        opened.on("pageerror", lambda error: wrong.append(str(error)))
        opened.on("request", lambda request: None if request.url == address else wrong.append(request.url))
        opened.goto(address)
        yield SecondVerifier(opened)
        context.close()
    assert wrong == []
