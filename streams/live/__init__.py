"""The live side: a floor's events from Kafka, verdicts while the chips are still on the table, ClickHouse filled."""
