"""How the live side is set up: from the environment, a TOML file, and what the command line says.

Every setting may stand in the environment as ``RETALLY_<NAME>`` (``RETALLY_KAFKA``, ``RETALLY_STORE``, ...) and in a
TOML file under its lower-case name; `load` says which wins. Passwords are `pydantic.SecretStr`: neither `shown` nor any
message or log has them.
"""

from __future__ import annotations

import os
import re
import ssl
import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, InitSettingsSource, NoDecode, SettingsConfigDict
from pydantic_settings import PydanticBaseSettingsSource as Source

from replay.chance import MIN_CHANCE, read_chance
from replay.judging import Judging
from replay.streaks.expectations import Expectations
from replay.streaks.watch import WatchSettings
from streams.bounds import TooLarge, read_bytes
from streams.expectations import ExpectationsError, expectations_at
from streams.key_files import read_key_file
from streams.live.errors import ConfigError
from streams.logs import KAFKA_SCHEME
from streams.packs import packs_with
from streams.store import Store, StoreError, open_store
from streams.store.address import PASSWORD_VARIABLE, parse_address

PREFIX: Final = "RETALLY_"
MAX_FILE_BYTES: Final = 1024 * 1024
CONFIG_VARIABLE: Final = "RETALLY_CONFIG"
"""Names the TOML file where the command line does not."""
KAFKA_PORT: Final = 9092
OTHERS: Final = frozenset({"RETALLY_KAFKA_HOME"})
"""Variables of this name that are no settings: where the tests find a broker's jars."""
HIDDEN: Final = "***"

_SECURITY = Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"]
_MECHANISM = Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]
_HOST_AND_PORT: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]{1,5})?")


def _folders(value: object) -> object:
    """Folders as the environment names them, with the system's separator of paths between them."""
    return tuple(part for part in value.split(os.pathsep) if part) if isinstance(value, str) else value


def brokers_of(text: str) -> str:
    """``host:port`` of the brokers to begin with, separated by commas, from the same with or without ``kafka://``.

    Raises:
        ValueError: it names none.

    >>> brokers_of("kafka://kafka-1,kafka-2:9093")
    'kafka-1:9092,kafka-2:9093'
    """
    brokers = []
    for part in text.removeprefix(KAFKA_SCHEME).rstrip("/").split(","):
        found = _HOST_AND_PORT.fullmatch(part.strip())
        if found is None or (found[2] and not 0 < int(found[2][1:]) < 1 << 16):
            raise ValueError("not kafka://host:port, nor several host:port separated by commas")
        brokers.append(f"{found[1]}{found[2] or f':{KAFKA_PORT}'}")
    return ",".join(brokers)


def _store(text: str) -> str:
    try:
        parse_address(text, {})
    except StoreError as error:
        raise ValueError(str(error)) from None
    return text


def _chance(value: object) -> object:
    """A chance as text; as a fraction, text of a few letters could fill the memory."""
    return read_chance(value) if isinstance(value, str) else value


def _house(file: Path) -> Path:
    expectations_at(file)
    return file


class LiveSettings(BaseSettings):
    """Everything that can be set. Times end in their unit."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, extra="forbid", frozen=True, env_ignore_empty=True, hide_input_in_errors=True
    )

    kafka: Annotated[str, AfterValidator(brokers_of)] = f"127.0.0.1:{KAFKA_PORT}"
    """Brokers to begin with: ``host:port``, several separated by commas."""
    kafka_security: _SECURITY = "PLAINTEXT"
    kafka_ca_file: Path | None = None
    """PEM file of certificates to trust; without it the system's."""
    kafka_cert_file: Path | None = None
    """PEM file of the client's own certificate (and chain), where brokers ask for one."""
    kafka_key_file: Path | None = None
    kafka_key_password: SecretStr | None = None
    kafka_mechanism: _MECHANISM = "SCRAM-SHA-512"
    """How SASL proves the user."""
    kafka_user: str = ""
    kafka_password: SecretStr | None = None

    partitions: Annotated[int, Field(ge=1, le=10_000)] = 12
    """Of the topics, where they are made; at most so many workers share the work."""
    replication: Annotated[int, Field(ge=1, le=9)] = 1
    """Copies of each partition, where topics are made. Three for a floor that matters."""
    retention_hours: Annotated[int, Field(ge=1, le=100_000)] = 14 * 24
    """How long the topics keep events and results, where they are made: longer than any session is open."""

    group: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{1,100}$")] = "retally"
    """The consumer group whose workers share the partitions."""
    store: Annotated[str, AfterValidator(_store), Field(repr=False)] = "clickhouse://default@127.0.0.1:9000/retally"
    """Where verdicts go: ``clickhouse://user@host:port/database[?secure=1&ca_certs=FILE]``, or a folder."""
    clickhouse_password: SecretStr | None = None
    keys: Path | None = None
    """File of the gateways' public keys; without it, signatures are not checked."""
    packs: Annotated[tuple[Path, ...], NoDecode, BeforeValidator(_folders)] = ()
    """Folders of rule packs beside the installed ones; in the environment with ``:`` between them."""
    rules: str | None = None
    """Judge by this rule pack instead of the ones that the tables were opened under."""
    raw: bool = True
    """Keep every event's bytes in the store."""
    murmur2: bool = False
    """A table's events count only in the partition where Kafka's own clients put them (murmur2 of the key). Set it to
    true where every gateway deals tables out so (librdkafka does it with ``partitioner=murmur2_random``): one that does
    not would have its tables left alone."""

    streaks: bool = True
    """Watch for anomalous streaks."""
    streak_level: Annotated[Fraction, BeforeValidator(_chance), Field(ge=MIN_CHANCE, le=1)] = WatchSettings().level
    """The chance, each night, that any alarm of the floor about a streak is false: ``1/100``."""
    streak_tables: Annotated[int, Field(ge=1, le=100_000)] = WatchSettings().tables
    """At most so many tables are open in one night: each has an equal part of that chance."""
    house: Annotated[Path, AfterValidator(_house)] | None = None
    """File of what the house expects of its dealers, against which streaks of theirs are watched for; without it, the
    defaults (`replay.streaks.expectations`)."""

    processes: Annotated[int, Field(ge=1, le=256)] = 1
    """A worker is so many processes, each of which uses one processor (`streams.live.crew`)."""
    session_timeout_s: Annotated[float, Field(ge=1, le=60)] = 10.0
    """A worker that has not been heard of for so long loses its partitions to the others."""
    flush_ms: Annotated[int, Field(ge=10, le=60_000)] = 200
    """How often verdicts are written."""
    hole_patience_s: Annotated[float, Field(gt=0, le=3600)] = 5.0
    """How long a missing event is waited for before the round around it counts as unverifiable."""

    http_host: str = "127.0.0.1"
    http_port: Annotated[int, Field(ge=0, le=65_535)] = 6066
    """Where /metrics and /healthz are; 0: nowhere."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"

    @model_validator(mode="after")
    def _fits_together(self) -> LiveSettings:
        sasl = self.kafka_security.startswith("SASL")
        if sasl and not (self.kafka_user and self.kafka_password):
            raise ValueError(f"kafka_security {self.kafka_security} needs kafka_user and kafka_password")
        if self.kafka_key_file and not self.kafka_cert_file:
            raise ValueError("kafka_key_file goes with kafka_cert_file")
        if self.processes > 1 and isinstance(store := parse_address(self.store, {}), Path):
            raise ValueError(
                f"processes {self.processes}: the store {store} is a folder, which only one can use at a time"
            )
        return self

    def ssl_context(self) -> ssl.SSLContext | None:
        """How brokers are spoken to under TLS; None without it.

        Raises:
            ConfigError: a file of certificates cannot be used.
        """
        if "SSL" not in self.kafka_security:
            return None
        try:
            context = ssl.create_default_context(cafile=self.kafka_ca_file)
            if self.kafka_cert_file is not None:
                password = self.kafka_key_password.get_secret_value() if self.kafka_key_password else None
                context.load_cert_chain(self.kafka_cert_file, self.kafka_key_file, password)
        except (OSError, ValueError) as error:
            # OpenSSL does not say which of the files it is.
            files = [self.kafka_ca_file, self.kafka_cert_file, self.kafka_key_file]
            named = ", ".join(str(file) for file in files if file is not None) or "the system's certificates"
            raise ConfigError(f"the certificates for Kafka cannot be used ({named}): {error}") from None
        return context

    def kafka_client(self) -> dict[str, Any]:
        """What every kafka-python client is made with: where the brokers are, and how they are to be spoken to."""
        options: dict[str, Any] = {
            "bootstrap_servers": self.kafka.split(","),
            "security_protocol": self.kafka_security,
            "ssl_context": self.ssl_context(),
        }
        if self.kafka_security.startswith("SASL"):
            assert self.kafka_password is not None
            options |= {
                "sasl_mechanism": self.kafka_mechanism,
                "sasl_plain_username": self.kafka_user,
                "sasl_plain_password": self.kafka_password.get_secret_value(),
            }
        return options

    def judging(self) -> Judging:
        """By which law, and what besides the settlements is looked at.

        Raises:
            streams.keys.KeyFileError, replay.packs.PackError, ConfigError: a file cannot be used.
            replay.rules.RuleError: there is no such rule pack.
        """
        keys = None if self.keys is None else read_key_file(self.keys)
        packs = packs_with(self.packs)
        if self.rules is not None:
            packs.pack(self.rules)
        return Judging(packs=packs, keys=keys, rules=self.rules, watching=self.watching())

    def watching(self) -> WatchSettings | None:
        """How streaks are watched for; None: not at all.

        Raises:
            ConfigError: the house's file has changed, and cannot be used any more.
        """
        if not self.streaks:
            return None
        try:
            house = Expectations() if self.house is None else expectations_at(self.house)
        except ExpectationsError as error:
            raise ConfigError(f"house: {error}") from None
        return WatchSettings(self.streak_level, self.streak_tables, house)

    def open_store(self) -> Store:
        """The store of verdicts; raises `streams.store.StoreError`."""
        if self.clickhouse_password is not None:
            os.environ[PASSWORD_VARIABLE] = self.clickhouse_password.get_secret_value()
        return open_store(self.store)


def load(file: Path | None = None, **given: object) -> LiveSettings:
    """The settings: what is ``given`` wins over the environment, that over the TOML file, that over the defaults.

    ``file`` is what RETALLY_CONFIG names where it is None. What is given as None is not given.

    Raises:
        ConfigError: a setting is unknown or out of bounds, or the file cannot be read.
    """
    if file is None and (named := os.environ.get(CONFIG_VARIABLE)):
        file = Path(named)
    from_file = _read(file) if file is not None else {}

    class Loaded(LiveSettings):
        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: Source,
            env_settings: Source,
            dotenv_settings: Source,
            file_secret_settings: Source,
        ) -> tuple[Source, ...]:
            return init_settings, env_settings, InitSettingsSource(settings_cls, from_file)

    try:
        return Loaded.model_validate({name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name = ".".join(map(str, first["loc"]))
        reason = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            reason = "no such setting; 'retally config show' lists all"
        raise ConfigError(f"{name}: {reason}" if name else reason) from None


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_bytes(file, MAX_FILE_BYTES).decode("utf-8"))
    except OSError as error:
        raise ConfigError(f"{file}: cannot be read ({error.strerror})") from None
    except ValueError as error:  # not TOML, or not UTF-8
        raise ConfigError(f"{file}: {error}") from None
    except RecursionError:
        raise ConfigError(f"{file}: nested too deeply") from None
    except TooLarge as error:
        raise ConfigError(str(error)) from None


def shown(settings: LiveSettings) -> dict[str, Any]:
    """All settings by name, fit to be shown: passwords as ``***``."""
    values = settings.model_dump(mode="json")
    for name, value in values.items():
        if isinstance(getattr(settings, name), SecretStr):
            values[name] = HIDDEN
        elif name == "store":
            values[name] = str(parse_address(value, {}))
    return values


def with_passwords(settings: LiveSettings) -> dict[str, Any]:
    """All settings as JSON has them, passwords among them: for a process's own child, through a pipe.
    ``LiveSettings(**values)`` are the same, whatever the environment says."""
    values = settings.model_dump(mode="json")
    for name in values:
        if isinstance(secret := getattr(settings, name), SecretStr):
            values[name] = secret.get_secret_value()
    return values


def unknown_variables(environment: Mapping[str, str] = os.environ) -> list[str]:
    """Variables that look like settings and are none: most likely a slip of the pen."""
    known = {PREFIX + name.upper() for name in LiveSettings.model_fields} | {CONFIG_VARIABLE}
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in known | OTHERS)
