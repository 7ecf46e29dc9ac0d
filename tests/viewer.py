"""A viewer for the tests: a store of a short night, and `retally view` on it, on a free port of loopback."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
DAY = "2026-11-29"


def retally(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run ``retally`` in a process of its own, for an embedded store serves one process at a time."""
    command = [sys.executable, "-m", "streams.commands", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=180)


def night(folder: Path, *options: object) -> Path:
    """A store with a simulated night in it."""
    made = retally("simulate", "--seed", 5, "--to", folder / "night.jsonl", *options)
    assert made.returncode == 0, made.stderr
    audited = retally("audit", folder / "night.jsonl", "--into", folder / "store")
    assert audited.returncode in (0, 1), audited.stderr
    return folder / "store"


@contextmanager
def viewing(store: Path | str, python: str = sys.executable) -> Iterator[str]:
    """The viewer's address, without the slash at its end; ``python``: the interpreter that it runs in."""
    command = [python, "-m", "streams.commands", "view", str(store)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip().rstrip("/")
        try:
            assert address.startswith("http://127.0.0.1:"), process.stderr and process.stderr.read()
            yield address
        finally:
            process.terminate()
            _, said = process.communicate(timeout=30)
        assert said == ""


@contextmanager
def chromium() -> Iterator[Any]:
    """The Chromium that is installed, driven by playwright; skipped where there is none, but for CI."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        why = "no Chromium on the PATH (Debian: apt-get install chromium)"
        pytest.fail(why) if os.environ.get("CI") == "true" else pytest.skip(why)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()
