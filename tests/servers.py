"""Real servers that tests start themselves: on loopback, on free ports, in a temporary folder, ended by process id.

Nothing here needs a service manager or root. Where a server is not installed, a test is skipped with a line that says
how to get it; with ``CI=true`` in the environment the same is a failure, so that a build cannot pass by testing less.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NoReturn
from xml.sax.saxutils import escape

import pytest

GET_CLICKHOUSE: Final = "clickhouse-server is not installed; on Debian: apt-get install clickhouse-server"
START_SECONDS: Final = 60.0
STOP_SECONDS: Final = 30.0


def missing(how_to_get_it: str) -> NoReturn:
    """Skip the calling test with ``how_to_get_it``, or fail it where ``CI=true``."""
    if os.environ.get("CI") == "true":
        pytest.fail(how_to_get_it, pytrace=False)
    pytest.skip(how_to_get_it)


def free_ports(count: int) -> list[int]:
    """``count`` different TCP ports that nobody listened on a moment ago."""
    held = [socket.socket() for _ in range(count)]
    try:
        for each in held:
            each.bind(("127.0.0.1", 0))

        return [each.getsockname()[1] for each in held]
    finally:
        for each in held:
            each.close()


def clickhouse_command() -> list[str] | None:
    """How to start a ClickHouse server here: Debian's binary, or the multi-call one; None where there is neither."""
    search = os.pathsep.join((os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/bin"))
    server = shutil.which("clickhouse-server", path=search)
    if server is not None:
        return [server]
    multi_call = shutil.which("clickhouse", path=search)
    return None if multi_call is None else [multi_call, "server"]


class ClickHouseServer:
    """A ClickHouse server with its data in ``folder``; it can be stopped, killed and started again.

    Users: ``default`` without a password, ``auditor`` with `PASSWORD`, ``reader`` who may only read. Its own time zone
    is Bucharest, so that whatever forgets to say UTC is caught.
    """

    PASSWORD: Final = "7-of-hearts & <joker>"

    def __init__(self, folder: Path, command: list[str]) -> None:
        self.folder = folder
        self.command = command
        self.port, self.http_port, self.interserver_port = free_ports(3)
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.xml").write_text(self._config(), encoding="utf-8")
        (folder / "users.xml").write_text(self._users(), encoding="utf-8")

    def url(self, database: str = "default", user: str = "default", password: str = "") -> str:
        """The address that `streams.store.open_store` takes; ``password`` already percent-encoded."""
        secret = f":{password}" if password else ""
        return f"clickhouse://{user}{secret}@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        """Start it and wait until it answers.

        Raises:
            RuntimeError: it ended at once, or did not answer within `START_SECONDS`; the text ends with its log.
        """
        with (self.folder / "output.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*self.command, f"--config-file={self.folder / 'config.xml'}"],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            with socket.socket() as probe:
                probe.settimeout(1.0)
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        self.kill()
        raise RuntimeError(f"clickhouse-server did not start:\n{self._last_words()}")

    def stop(self) -> None:
        """End it as an administrator would; killed when it takes longer than `STOP_SECONDS`."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def _end(self, how: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.poll() is None:
            process.send_signal(how)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _last_words(self) -> str:
        logs = [self.folder / "output.log", self.folder / "server.log"]
        return "\n".join(log.read_text("utf-8", "replace")[-2000:] for log in logs if log.exists())

    def _config(self) -> str:
        at = escape(str(self.folder))
        # <yandex> is the root element that old servers insist on and new ones still accept.
        return f"""<?xml version="1.0"?>
<yandex>
    <logger><level>warning</level><log>{at}/server.log</log><errorlog>{at}/errors.log</errorlog></logger>
    <listen_host>127.0.0.1</listen_host>
    <tcp_port>{self.port}</tcp_port>
    <http_port>{self.http_port}</http_port>
    <interserver_http_port>{self.interserver_port}</interserver_http_port>
    <interserver_http_host>127.0.0.1</interserver_http_host>
    <path>{at}/data/</path>
    <tmp_path>{at}/tmp/</tmp_path>
    <user_files_path>{at}/user_files/</user_files_path>
    <format_schema_path>{at}/format_schemas/</format_schema_path>
    <users_config>{at}/users.xml</users_config>
    <default_profile>default</default_profile>
    <default_database>default</default_database>
    <timezone>Europe/Bucharest</timezone>
    <mark_cache_size>268435456</mark_cache_size>
    <uncompressed_cache_size>0</uncompressed_cache_size>
</yandex>
"""

    def _users(self) -> str:
        anywhere = "<networks><ip>127.0.0.1</ip></networks><quota>default</quota>"
        return f"""<?xml version="1.0"?>
<yandex>
    <profiles><default></default><only_read><readonly>2</readonly></only_read></profiles>
    <quotas><default></default></quotas>
    <users>
        <default><password></password><profile>default</profile>{anywhere}</default>
        <auditor><password>{escape(self.PASSWORD)}</password><profile>default</profile>{anywhere}</auditor>
        <reader><password></password><profile>only_read</profile>{anywhere}</reader>
    </users>
</yandex>
"""


@contextmanager
def clickhouse_server(folder: Path) -> Iterator[ClickHouseServer]:
    """A started ClickHouse server in ``folder``, ended on the way out; skips (in CI: fails) where none is installed."""
    command = clickhouse_command()
    if command is None:
        missing(GET_CLICKHOUSE)
    server = ClickHouseServer(folder, command)
    server.start()
    try:
        yield server
    finally:
        server.stop()
