"""Real servers that tests start themselves: on loopback, on free ports, in a temporary folder, ended by process id.

Nothing here needs a service manager or root. Where a server is not installed, a test is skipped with a line that says
how to get it; with ``CI=true`` in the environment the same is a failure, so that a build cannot pass by testing less.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import ClassVar, Final, NoReturn
from xml.sax.saxutils import escape

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

GET_CLICKHOUSE: Final = "clickhouse-server is not installed; on Debian: apt-get install clickhouse-server"
GET_JAVA: Final = "Java is not installed, which the Kafka broker needs; on Debian: apt-get install default-jre-headless"
GET_KAFKA: Final = (
    "the Kafka broker's jars are not here; on Debian: apt-get install maven (they are then fetched by themselves),"
    " or name a folder that has them as RETALLY_KAFKA_HOME"
)
KAFKA_POM: Final = Path(__file__).parent / "kafka" / "pom.xml"
KAFKA_VERSION: Final = "4.1.0"
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


class _Server:
    """A process of the test's own, started in ``folder``, that answers on ``port`` when it is ready."""

    name: ClassVar[str]

    def __init__(self, folder: Path, port: int) -> None:
        self.folder = folder
        self.port = port
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)

    def command_line(self) -> list[str]:
        """What is run."""
        raise AssertionError(f"{type(self).__name__} has no command")

    def start(self) -> None:
        """Start it and wait until it answers.

        Raises:
            RuntimeError: it ended at once, or did not answer within `START_SECONDS`; the text ends with its log.
        """
        with (self.folder / "output.log").open("ab") as log:
            self._process = subprocess.Popen(
                self.command_line(), cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self._process.poll() is None:
            if self.answers():
                return
            time.sleep(0.05)
        self.kill()
        raise RuntimeError(f"{self.name} did not start:\n{self._last_words()}")

    def answers(self) -> bool:
        """Whether somebody listens on the port."""
        with socket.socket() as probe:
            probe.settimeout(1.0)
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self._process is not None
        return self._process.pid

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


class ClickHouseServer(_Server):
    """A ClickHouse server with its data in ``folder``; it can be stopped, killed and started again.

    Users: ``default`` without a password, ``auditor`` with `PASSWORD`, ``reader`` who may only read. Its own time zone
    is Bucharest, so that whatever forgets to say UTC is caught.
    """

    name = "clickhouse-server"
    PASSWORD: Final = "7-of-hearts & <joker>"

    def __init__(self, folder: Path, command: list[str]) -> None:
        port, self.secure_port, self.http_port, self.interserver_port = free_ports(4)
        super().__init__(folder, port)
        self.command = command
        self.ca_file = folder / "ca.pem"
        """Who is asked under TLS proves to be 127.0.0.1 by a certificate that this file vouches for."""
        certificate, key = self_signed("127.0.0.1")
        self.ca_file.write_bytes(certificate)
        (folder / "key.pem").write_bytes(key)
        (folder / "config.xml").write_text(self._config(), encoding="utf-8")
        (folder / "users.xml").write_text(self._users(), encoding="utf-8")

    def command_line(self) -> list[str]:
        """The server with its own configuration."""
        return [*self.command, f"--config-file={self.folder / 'config.xml'}"]

    def url(self, database: str = "default", user: str = "default", password: str = "") -> str:
        """The address that `streams.store.open_store` takes; ``password`` already percent-encoded."""
        secret = f":{password}" if password else ""
        return f"clickhouse://{user}{secret}@127.0.0.1:{self.port}/{database}"

    def secure_url(self, user: str, password: str, ca_file: Path, database: str = "default") -> str:
        """The same under TLS, trusting ``ca_file``; ``password`` already percent-encoded."""
        at = f"127.0.0.1:{self.secure_port}/{database}"
        return f"clickhouse://{user}:{password}@{at}?secure=1&ca_certs={ca_file}"

    def _config(self) -> str:
        at = escape(str(self.folder))
        # <yandex> is the root element that old servers insist on and new ones still accept.
        return f"""<?xml version="1.0"?>
<yandex>
    <logger><level>warning</level><log>{at}/server.log</log><errorlog>{at}/errors.log</errorlog></logger>
    <listen_host>127.0.0.1</listen_host>
    <tcp_port>{self.port}</tcp_port>
    <tcp_port_secure>{self.secure_port}</tcp_port_secure>
    <openSSL><server>
        <certificateFile>{at}/ca.pem</certificateFile>
        <privateKeyFile>{at}/key.pem</privateKeyFile>
        <verificationMode>none</verificationMode>
        <loadDefaultCAFile>false</loadDefaultCAFile>
    </server></openSSL>
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


def self_signed(address: str) -> tuple[bytes, bytes]:
    """A certificate for this IP address that vouches for itself, for a day, and its private key; both PEM."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, address)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    return certificate.public_bytes(Encoding.PEM), key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def kafka_libs() -> Path | None:
    """The folder of the Kafka broker's jars: ``$RETALLY_KAFKA_HOME/libs``, else a cache that Maven fills once.

    None where they are not there and cannot be fetched.
    """
    home = os.environ.get("RETALLY_KAFKA_HOME")
    if home is not None:
        libs = Path(home) / "libs"
        return libs if libs.is_dir() else None
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "retally"
    libs = cache / f"kafka-{KAFKA_VERSION}"
    if libs.is_dir():
        return libs
    maven = shutil.which("mvn")
    if maven is None:
        return None
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "kafka.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several test processes may come at once: one fetches
        if not libs.is_dir():
            with tempfile.TemporaryDirectory(dir=cache) as work:
                copy = [maven, "-q", "-B", "-Dstyle.color=never", "-f", str(KAFKA_POM), "dependency:copy-dependencies"]
                subprocess.run([*copy, f"-DoutputDirectory={work}/libs"], check=True, cwd=work)
                (Path(work) / "libs").rename(libs)
    return libs


class KafkaBroker(_Server):
    """An Apache Kafka broker (KRaft) with its data in ``folder``; it can be stopped, killed and started again."""

    name = "the Kafka broker"
    USER: Final = "gateway"
    OTHER_USER: Final = "kiosk"
    PASSWORD: Final = "queen-of-spades"

    def __init__(self, folder: Path, libs: Path) -> None:
        port, self.secure_port, self.controller_port = free_ports(3)
        super().__init__(folder, port)
        self.ca_file = folder / "ca.pem"
        """Who is asked under TLS proves to be 127.0.0.1 by a certificate that this file vouches for."""
        certificate, key = self_signed("127.0.0.1")
        self.ca_file.write_bytes(certificate)
        (folder / "broker.pem").write_bytes(key + certificate)
        self._java = ["java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", f"{libs}/*"]
        self._java.insert(1, f"-Dlog4j2.configurationFile={folder / 'log4j2.properties'}")
        (folder / "log4j2.properties").write_text(
            "appender.out.type=Console\nappender.out.name=out\nappender.out.layout.type=PatternLayout\n"
            "appender.out.layout.pattern=%d %p %c: %m%n\nrootLogger.level=warn\nrootLogger.appenderRef.out.ref=out\n",
            encoding="utf-8",
        )
        (folder / "server.properties").write_text(self._properties(), encoding="utf-8")

    @property
    def bootstrap(self) -> str:
        """``host:port``, where clients begin."""
        return f"127.0.0.1:{self.port}"

    def command_line(self) -> list[str]:
        """The broker, on a storage that is made first where it is not there."""
        properties = str(self.folder / "server.properties")
        if not (self.folder / "data" / "meta.properties").exists():
            tool = ["kafka.tools.StorageTool", "format", "-t", "cmV0YWxseS1mbG9vci0wMQ", "-c", properties]
            done = subprocess.run([*self._java, *tool, "--standalone"], capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(f"the Kafka broker's storage was not made:\n{done.stdout}{done.stderr}")
        return [*self._java, "kafka.Kafka", properties]

    def _properties(self) -> str:
        at = self.folder
        users = " ".join(f'user_{name}="{self.PASSWORD}"' for name in (self.USER, self.OTHER_USER))
        jaas = f"org.apache.kafka.common.security.plain.PlainLoginModule required {users};"
        listeners = {"PLAINTEXT": self.port, "SECURE": self.secure_port}
        advertised = ",".join(f"{name}://127.0.0.1:{port}" for name, port in listeners.items())
        return f"""\
process.roles=broker,controller
node.id=1
controller.quorum.bootstrap.servers=127.0.0.1:{self.controller_port}
listeners={advertised},CONTROLLER://127.0.0.1:{self.controller_port}
advertised.listeners={advertised}
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SECURE:SASL_SSL
listener.name.secure.ssl.keystore.type=PEM
listener.name.secure.ssl.keystore.location={at}/broker.pem
listener.name.secure.sasl.enabled.mechanisms=PLAIN
listener.name.secure.plain.sasl.jaas.config={jaas}
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS
allow.everyone.if.no.acl.found=true
log.dirs={at}/data
auto.create.topics.enable=false
offsets.topic.num.partitions=1
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
broker.session.timeout.ms=2000
broker.heartbeat.interval.ms=500
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
"""


@contextmanager
def kafka_broker(folder: Path) -> Iterator[KafkaBroker]:
    """A started Kafka broker in ``folder``, ended on the way out; skips (in CI: fails) where it cannot be had."""
    if shutil.which("java") is None:
        missing(GET_JAVA)
    libs = kafka_libs()
    if libs is None:
        missing(GET_KAFKA)
    broker = KafkaBroker(folder, libs)
    broker.start()
    try:
        yield broker
    finally:
        broker.stop()
