"""What `streams.live.lean` takes for granted of Faust and aiokafka, which promise none of it."""

from __future__ import annotations

import inspect

import pytest
from aiokafka import AIOKafkaConsumer
from aiokafka.consumer.subscription_state import TopicPartitionState
from faust.transport.consumer import Consumer, ThreadDelegateConsumer
from faust.transport.drivers import aiokafka

from streams.live.driver import Driver
from streams.live.lean import Taker


@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        (aiokafka.AIOKafkaConsumerThread._create_worker_consumer, ["self", "transport"]),
        (
            aiokafka.AIOKafkaConsumerThread._fetch_records,
            ["self", "consumer", "active_partitions", "timeout", "max_records"],
        ),
        (Consumer._wait_next_records, ["self", "timeout"]),
        (ThreadDelegateConsumer._getmany, ["self", "active_partitions", "timeout"]),
        (Consumer._new_offset, ["self", "tp"]),
        (Consumer.getmany, ["self", "timeout"]),
        (Consumer.perform_seek, ["self"]),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_is_overridden_or_called_is_there_as_it_was(method, parameters) -> None:
    assert list(inspect.signature(method).parameters) == parameters


def test_a_fetch_is_one_call_into_the_client_s_thread() -> None:
    assert "self._fetch_records" in inspect.getsource(aiokafka.AIOKafkaConsumerThread.getmany)
    assert "self._getmany" in inspect.getsource(Consumer._wait_next_records)


def test_the_client_reads_what_is_committed_where_it_is_told_so_before_it_starts() -> None:
    started = inspect.getsource(AIOKafkaConsumer.start)

    assert "isolation_level=self._isolation_level" in started
    assert "fetch_max_wait_ms=self._fetch_max_wait_ms" in started


def test_a_position_goes_over_what_is_no_record() -> None:
    assert isinstance(inspect.getattr_static(TopicPartitionState, "position"), property)
    assert isinstance(inspect.getattr_static(TopicPartitionState, "has_valid_position"), property)


def test_a_driver_is_a_taker() -> None:
    assert {"ready", "take"} == set(Taker.__annotations__)
    assert inspect.iscoroutinefunction(Driver.take)
