-- requires: 22.8
--
-- What a current server does better. Nothing here changes what a query says, only how fast and from how much disk:
-- names that repeat become dictionaries, times and raw lines get codecs of their own, a range of time skips what lies
-- outside of it, and a block that is sent twice because its answer was lost is written once.
--
-- Not here, on purpose: TTL (how long a night must be kept is the licence's to say, and nothing expires by default), and
-- projections (reading the rows that count now, FINAL, cannot use them).

ALTER TABLE events
    MODIFY COLUMN `table` LowCardinality(String),
    MODIFY COLUMN device LowCardinality(String),
    MODIFY COLUMN type LowCardinality(String),
    MODIFY COLUMN at_us Int64 CODEC(Delta, ZSTD(1)),
    MODIFY COLUMN raw String CODEC(ZSTD(1)),
    ADD INDEX IF NOT EXISTS by_at at TYPE minmax GRANULARITY 1,
    MODIFY SETTING non_replicated_deduplication_window = 1000;

ALTER TABLE sessions
    MODIFY COLUMN casino LowCardinality(String),
    MODIFY COLUMN pit LowCardinality(String),
    MODIFY COLUMN `table` LowCardinality(String),
    MODIFY COLUMN game LowCardinality(String),
    MODIFY COLUMN rules LowCardinality(String),
    MODIFY COLUMN currency LowCardinality(String),
    MODIFY COLUMN state LowCardinality(String),
    MODIFY COLUMN opened_at_us Int64 CODEC(Delta, ZSTD(1)),
    MODIFY COLUMN closed_at_us Int64 CODEC(Delta, ZSTD(1)),
    ADD INDEX IF NOT EXISTS by_opened_at opened_at TYPE minmax GRANULARITY 1,
    MODIFY SETTING non_replicated_deduplication_window = 1000;

ALTER TABLE rounds
    MODIFY COLUMN casino LowCardinality(String),
    MODIFY COLUMN pit LowCardinality(String),
    MODIFY COLUMN `table` LowCardinality(String),
    MODIFY COLUMN game LowCardinality(String),
    MODIFY COLUMN rules LowCardinality(String),
    MODIFY COLUMN currency LowCardinality(String),
    MODIFY COLUMN dealer LowCardinality(String),
    MODIFY COLUMN opened_at_us Int64 CODEC(Delta, ZSTD(1)),
    MODIFY COLUMN closed_at_us Int64 CODEC(Delta, ZSTD(1)),
    ADD INDEX IF NOT EXISTS by_opened_at opened_at TYPE minmax GRANULARITY 1,
    MODIFY SETTING non_replicated_deduplication_window = 1000;

ALTER TABLE settlements
    MODIFY COLUMN casino LowCardinality(String),
    MODIFY COLUMN pit LowCardinality(String),
    MODIFY COLUMN `table` LowCardinality(String),
    MODIFY COLUMN game LowCardinality(String),
    MODIFY COLUMN rules LowCardinality(String),
    MODIFY COLUMN currency LowCardinality(String),
    MODIFY COLUMN dealer LowCardinality(String),
    MODIFY COLUMN wager LowCardinality(String),
    MODIFY COLUMN verdict LowCardinality(String),
    MODIFY COLUMN passage LowCardinality(String),
    MODIFY COLUMN placed_at_us Int64 CODEC(Delta, ZSTD(1)),
    MODIFY COLUMN settled_at_us Int64 CODEC(Delta, ZSTD(1)),
    ADD INDEX IF NOT EXISTS by_settled_at settled_at TYPE minmax GRANULARITY 1,
    MODIFY SETTING non_replicated_deduplication_window = 1000;

ALTER TABLE findings
    MODIFY COLUMN casino LowCardinality(String),
    MODIFY COLUMN pit LowCardinality(String),
    MODIFY COLUMN `table` LowCardinality(String),
    MODIFY COLUMN game LowCardinality(String),
    MODIFY COLUMN rules LowCardinality(String),
    MODIFY COLUMN currency LowCardinality(String),
    MODIFY COLUMN dealer LowCardinality(String),
    MODIFY COLUMN kind LowCardinality(String),
    MODIFY COLUMN severity LowCardinality(String),
    MODIFY COLUMN passage LowCardinality(String),
    MODIFY COLUMN at_us Int64 CODEC(Delta, ZSTD(1)),
    MODIFY COLUMN text String CODEC(ZSTD(1)),
    ADD INDEX IF NOT EXISTS by_at at TYPE minmax GRANULARITY 1,
    MODIFY SETTING non_replicated_deduplication_window = 1000;

ALTER TABLE cage
    MODIFY COLUMN casino LowCardinality(String),
    MODIFY COLUMN pit LowCardinality(String),
    MODIFY COLUMN `table` LowCardinality(String),
    MODIFY COLUMN game LowCardinality(String),
    MODIFY COLUMN currency LowCardinality(String),
    MODIFY COLUMN at_us Int64 CODEC(Delta, ZSTD(1)),
    ADD INDEX IF NOT EXISTS by_at at TYPE minmax GRANULARITY 1,
    MODIFY SETTING non_replicated_deduplication_window = 1000;

ALTER TABLE rejected
    MODIFY COLUMN field LowCardinality(String),
    MODIFY COLUMN raw String CODEC(ZSTD(1)),
    MODIFY SETTING non_replicated_deduplication_window = 1000;
