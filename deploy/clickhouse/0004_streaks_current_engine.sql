-- requires: 22.8
--
-- For the readings of streaks, what 0002 does for the other tables.

ALTER TABLE streaks
    MODIFY COLUMN casino LowCardinality(String),
    MODIFY COLUMN pit LowCardinality(String),
    MODIFY COLUMN `table` LowCardinality(String),
    MODIFY COLUMN game LowCardinality(String),
    MODIFY COLUMN rules LowCardinality(String),
    MODIFY COLUMN currency LowCardinality(String),
    MODIFY COLUMN dealer LowCardinality(String),
    MODIFY COLUMN code LowCardinality(String),
    MODIFY COLUMN state LowCardinality(String),
    MODIFY COLUMN at_us Int64 CODEC(Delta, ZSTD(1)),
    ADD INDEX IF NOT EXISTS by_at at TYPE minmax GRANULARITY 1,
    MODIFY SETTING non_replicated_deduplication_window = 1000;
