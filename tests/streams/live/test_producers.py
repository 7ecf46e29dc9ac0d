"""Producers of others: each of their codecs, with headers, tombstones and transactions, comes to the offline audit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from aiokafka import AIOKafkaProducer

from streams.live.config import LiveSettings
from streams.live.publisher import route
from tests.streams.live.workers import Night, wait_for_equality, workers

pytestmark = [pytest.mark.kafka, pytest.mark.clickhouse, pytest.mark.slow, pytest.mark.xdist_group("kafka")]

CODECS = ("none", "gzip", "snappy", "lz4", "zstd")


def aiokafka_sends(live: LiveSettings, lines: list[tuple[str, bytes]], codec: str) -> None:
    async def send() -> None:
        compressed = None if codec == "none" else codec
        sending = AIOKafkaProducer(
            bootstrap_servers=live.kafka, compression_type=compressed, transactional_id=f"aiokafka-{codec}"
        )
        await sending.start()
        try:
            async with sending.transaction():
                for table, line in lines:
                    await sending.send(route(line)[0], line, key=table.encode(), headers=[("a", b"b")])
                    await sending.send(route(line)[0], None, key=table.encode())
            await sending.begin_transaction()
            for table, line in lines:
                await sending.send(route(line)[0], line.replace(b'"device":"', b'"device":"z'), key=table.encode())
            await sending.abort_transaction()
        finally:
            await sending.stop()

    asyncio.run(send())


def confluent_sends(live: LiveSettings, lines: list[tuple[str, bytes]], codec: str) -> None:
    confluent = pytest.importorskip("confluent_kafka", reason="confluent-kafka is not installed")
    sending = confluent.Producer(
        {
            "bootstrap.servers": live.kafka,
            "compression.type": codec,
            "transactional.id": f"confluent-{codec}",
            "partitioner": "murmur2_random",
        }
    )
    sending.init_transactions(30)
    sending.begin_transaction()
    for table, line in lines:
        sending.produce(route(line)[0], line, table.encode(), headers={"a": b"b"})
        sending.produce(route(line)[0], None, table.encode())
    sending.commit_transaction(30)
    sending.begin_transaction()
    for table, line in lines:
        sending.produce(route(line)[0], line.replace(b'"device":"', b'"device":"z'), table.encode())
    sending.abort_transaction(30)


@pytest.mark.parametrize("send", [aiokafka_sends, confluent_sends])
def test_what_another_producer_sends_comes_to_what_the_offline_audit_says(
    live: LiveSettings, tmp_path, send: Callable[[LiveSettings, list[tuple[str, bytes]], str], None]
):
    """A part of the night by each codec: half before the worker begins, half while it works."""
    night = Night.played(31, tables=2, hours=0.1)
    for codec in ("cramjam", "lz4", "snappy"):
        pytest.importorskip(codec, reason=f"{codec} is not installed, with which Kafka's records are unpacked")
    size = len(night.lines) // len(CODECS) + 1
    parts = [night.lines[start : start + size] for start in range(0, len(night.lines), size)]
    for part, codec in zip(parts[:3], CODECS[:3], strict=True):
        send(live, part, codec)
    with workers(live, tmp_path, 1, night) as [worker]:
        for part, codec in zip(parts[3:], CODECS[3:], strict=True):
            send(live, part, codec)
        wait_for_equality(live.store, night.expected())
        assert worker.stop() == 0
