-- The tables, for any ClickHouse from 18.16 on (and for the engine in process).
--
-- Money is an Int64 of the currency's minor unit. Times are microseconds since 1970-01-01 UTC, as Int64; beside each
-- stands the same second as DateTime('UTC'), for charts and filters (kept inside what a DateTime can hold: 0, or a
-- time before 1970, reads 1970-01-01 00:00:00). gaming_day 1970-01-01: not known.
--
-- Each table is sorted by its rows' identity and partitioned by gaming day, which an identity never changes. Of the rows
-- of one identity the one with the highest revision counts; merging drops the others some time after they were written,
-- so whoever reads wants the views at the end, which are right at once: `<table>_current` has the rows that count now,
-- without those that were taken back. These are read by `FROM <table> FINAL`.

-- An event as it came. Two events in conflict (same seq, other bytes) are both kept; copies with equal bytes are one.
CREATE TABLE IF NOT EXISTS events
(
    gaming_day Date,
    session    String,
    seq        UInt32,
    digest     String,
    `table`    String,
    device     String,
    type       String,
    round      UInt32,
    at_us      Int64,
    at         DateTime('UTC') MATERIALIZED toDateTime(toUInt32(greatest(least(intDiv(at_us, 1000000), 4294967295), 0)), 'UTC'),
    raw        String
)
ENGINE = ReplacingMergeTree()
PARTITION BY gaming_day
ORDER BY (gaming_day, session, seq, digest);

-- A table's gaming day.
CREATE TABLE IF NOT EXISTS sessions
(
    gaming_day       Date,
    session          String,
    casino           String,
    pit              String,
    `table`          String,
    game             String,
    rules            String,
    currency         String,
    state            String,
    opened_at_us     Int64,
    opened_at        DateTime('UTC') MATERIALIZED toDateTime(toUInt32(greatest(least(intDiv(opened_at_us, 1000000), 4294967295), 0)), 'UTC'),
    closed_at_us     Int64,
    closed_at        DateTime('UTC') MATERIALIZED toDateTime(toUInt32(greatest(least(intDiv(closed_at_us, 1000000), 4294967295), 0)), 'UTC'),
    float_open       Int64,
    float_close      Int64,
    fills            Int64,
    credits          Int64,
    `drop`           Int64,
    events           UInt32,
    rounds           UInt32,
    settlements      UInt32,
    findings         UInt32,
    gaps             UInt32,
    conflicts        UInt32,
    duplicates       UInt32,
    rejected         UInt32,
    checkpoints_good UInt32,
    checkpoints_bad  UInt32,
    revision         UInt32
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY gaming_day
ORDER BY (gaming_day, session);

-- One round of a table. closed_seq 0: still open.
CREATE TABLE IF NOT EXISTS rounds
(
    gaming_day   Date,
    session      String,
    round        UInt32,
    casino       String,
    pit          String,
    `table`      String,
    game         String,
    rules        String,
    currency     String,
    dealer       String,
    opened_seq   UInt32,
    closed_seq   UInt32,
    opened_at_us Int64,
    opened_at    DateTime('UTC') MATERIALIZED toDateTime(toUInt32(greatest(least(intDiv(opened_at_us, 1000000), 4294967295), 0)), 'UTC'),
    closed_at_us Int64,
    closed_at    DateTime('UTC') MATERIALIZED toDateTime(toUInt32(greatest(least(intDiv(closed_at_us, 1000000), 4294967295), 0)), 'UTC'),
    outcome      String,
    bets         UInt32,
    staked       Int64,
    findings     UInt32,
    sealed       UInt8,
    verifiable   UInt8,
    revision     UInt32
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY gaming_day
ORDER BY (gaming_day, session, round);

-- One bet, recomputed. NULL: nothing can be said (yet), or nothing was claimed. seat -1: none.
CREATE TABLE IF NOT EXISTS settlements
(
    gaming_day       Date,
    session          String,
    round            UInt32,
    bet              String,
    casino           String,
    pit              String,
    `table`          String,
    game             String,
    rules            String,
    currency         String,
    dealer           String,
    player           String,
    seat             Int16,
    wager            String,
    pick             String,
    stake            Int64,
    paid             Nullable(Int64),
    returned         Nullable(Int64),
    claimed_paid     Nullable(Int64),
    claimed_returned Nullable(Int64),
    verdict          String,
    difference       Int64,
    passage          String,
    seqs             Array(UInt32),
    placed_at_us     Int64,
    placed_at        DateTime('UTC') MATERIALIZED toDateTime(toUInt32(greatest(least(intDiv(placed_at_us, 1000000), 4294967295), 0)), 'UTC'),
    settled_at_us    Int64,
    settled_at       DateTime('UTC') MATERIALIZED toDateTime(toUInt32(greatest(least(intDiv(settled_at_us, 1000000), 4294967295), 0)), 'UTC'),
    revision         UInt32
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY gaming_day
ORDER BY (gaming_day, session, round, bet);

-- Something is wrong. withdrawn 1: later events took it back; it stays on record. seat -1: none.
CREATE TABLE IF NOT EXISTS findings
(
    gaming_day Date,
    session    String,
    seq        UInt32,
    code       String,
    subject    String,
    casino     String,
    pit        String,
    `table`    String,
    game       String,
    rules      String,
    currency   String,
    dealer     String,
    player     String,
    round      UInt32,
    seat       Int16,
    bet        String,
    amount     Nullable(Int64),
    kind       String,
    severity   String,
    passage    String,
    text       String,
    seqs       Array(UInt32),
    at_us      Int64,
    at         DateTime('UTC') MATERIALIZED toDateTime(toUInt32(greatest(least(intDiv(at_us, 1000000), 4294967295), 0)), 'UTC'),
    withdrawn  UInt8,
    revision   UInt32
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY gaming_day
ORDER BY (gaming_day, session, seq, code, subject);

-- Chips that came to or left a table other than by play.
CREATE TABLE IF NOT EXISTS cage
(
    gaming_day Date,
    session    String,
    seq        UInt32,
    movement   String,
    casino     String,
    pit        String,
    `table`    String,
    game       String,
    currency   String,
    amount     Int64,
    at_us      Int64,
    at         DateTime('UTC') MATERIALIZED toDateTime(toUInt32(greatest(least(intDiv(at_us, 1000000), 4294967295), 0)), 'UTC'),
    revision   UInt32
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY gaming_day
ORDER BY (gaming_day, session, seq, movement);

-- A line that is no event of the contract. It has no gaming day that could be trusted, and a column of the clock would put
-- a line read twice into two partitions, where it would stay double: so all lie in one partition.
CREATE TABLE IF NOT EXISTS rejected
(
    source  String,
    place   Int64,
    digest  String,
    session String,
    seq     Int64,
    field   String,
    reason  String,
    raw     String
)
ENGINE = ReplacingMergeTree()
ORDER BY (source, place, digest);

-- Which migrations this database has had. A row that is written again replaces the earlier one.
CREATE TABLE IF NOT EXISTS schema_migrations
(
    number        UInt32,
    name          String,
    checksum      String,
    engine        String,
    applied_at_us Int64,
    applied_at    DateTime('UTC') MATERIALIZED toDateTime(toUInt32(greatest(least(intDiv(applied_at_us, 1000000), 4294967295), 0)), 'UTC')
)
ENGINE = ReplacingMergeTree(applied_at_us)
ORDER BY (number);

CREATE VIEW IF NOT EXISTS events_current AS
SELECT
    gaming_day, session, seq, digest, `table`, device, type, round, at_us, at, raw
FROM events FINAL;

CREATE VIEW IF NOT EXISTS sessions_current AS
SELECT
    gaming_day, session, casino, pit, `table`, game, rules, currency, state, opened_at_us, opened_at,
    closed_at_us, closed_at, float_open, float_close, fills, credits, `drop`, events, rounds, settlements,
    findings, gaps, conflicts, duplicates, rejected, checkpoints_good, checkpoints_bad, revision
FROM sessions FINAL;

CREATE VIEW IF NOT EXISTS rounds_current AS
SELECT
    gaming_day, session, round, casino, pit, `table`, game, rules, currency, dealer, opened_seq, closed_seq,
    opened_at_us, opened_at, closed_at_us, closed_at, outcome, bets, staked, findings, sealed, verifiable,
    revision
FROM rounds FINAL
WHERE opened_seq > 0;

CREATE VIEW IF NOT EXISTS settlements_current AS
SELECT
    gaming_day, session, round, bet, casino, pit, `table`, game, rules, currency, dealer, player, seat, wager,
    pick, stake, paid, returned, claimed_paid, claimed_returned, verdict, difference, passage, seqs,
    placed_at_us, placed_at, settled_at_us, settled_at, revision
FROM settlements FINAL
WHERE verdict != 'retracted';

CREATE VIEW IF NOT EXISTS findings_current AS
SELECT
    gaming_day, session, seq, code, subject, casino, pit, `table`, game, rules, currency, dealer, player, round,
    seat, bet, amount, kind, severity, passage, text, seqs, at_us, at, withdrawn, revision
FROM findings FINAL
WHERE withdrawn = 0;

CREATE VIEW IF NOT EXISTS cage_current AS
SELECT
    gaming_day, session, seq, movement, casino, pit, `table`, game, currency, amount, at_us, at, revision
FROM cage FINAL
WHERE at_us != 0;

CREATE VIEW IF NOT EXISTS rejected_current AS
SELECT
    source, place, digest, session, seq, field, reason, raw
FROM rejected FINAL;

-- Anomalous streaks are findings of a kind of their own.
CREATE VIEW IF NOT EXISTS streaks_current AS
SELECT
    gaming_day, session, seq, code, subject, casino, pit, `table`, game, rules, currency, dealer, player, round,
    seat, bet, amount, kind, severity, passage, text, seqs, at_us, at, withdrawn, revision
FROM findings FINAL
WHERE withdrawn = 0 AND kind = 'streak';
