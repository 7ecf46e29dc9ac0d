-- What the detectors of streaks have come to, reading by reading: each an e-process, whose wealth has no tendency to grow
-- while all is well. e_milli and alarm_milli are thousandths of a decimal logarithm: of its wealth, and of the wealth at
-- which it alarms on its own.

DROP TABLE IF EXISTS streaks_current;

CREATE TABLE IF NOT EXISTS streaks
(
    gaming_day   Date,
    session      String,
    process      String,
    seq          UInt32,
    casino       String,
    pit          String,
    `table`      String,
    game         String,
    rules        String,
    currency     String,
    dealer       String,
    player       String,
    round        UInt32,
    code         String,
    e_milli      Int64,
    alarm_milli  Int64,
    observations UInt32,
    state        String,
    at_us        Int64,
    at           DateTime('UTC') MATERIALIZED toDateTime(toUInt32(greatest(least(intDiv(at_us, 1000000), 4294967295), 0)), 'UTC'),
    revision     UInt32
)
ENGINE = ReplacingMergeTree(revision)
PARTITION BY gaming_day
ORDER BY (gaming_day, session, process, seq);

-- The readings that count now. An alarm is a finding too: FROM findings_current WHERE kind = 'streak'.
CREATE VIEW IF NOT EXISTS streaks_current AS
SELECT
    gaming_day, session, process, seq, casino, pit, `table`, game, rules, currency, dealer, player, round, code,
    e_milli, alarm_milli, observations, state, at_us, at, revision
FROM streaks FINAL
WHERE at_us != 0;
