-- A live worker's revisions begin with its epoch (see streams/live/registry.py), so that what it says never wins over
-- whoever has had the table after it: 64 bits. And a finding says when it was written, for whoever must be told of it in
-- time: the event that it speaks of may have come late. 0: it is older than this column.

ALTER TABLE sessions MODIFY COLUMN revision UInt64;

ALTER TABLE rounds MODIFY COLUMN revision UInt64;

ALTER TABLE settlements MODIFY COLUMN revision UInt64;

ALTER TABLE findings MODIFY COLUMN revision UInt64;

ALTER TABLE cage MODIFY COLUMN revision UInt64;

ALTER TABLE streaks MODIFY COLUMN revision UInt64;

ALTER TABLE findings ADD COLUMN written_at_us Int64 AFTER revision;

DROP TABLE IF EXISTS findings_current;

CREATE VIEW IF NOT EXISTS findings_current AS
SELECT
    gaming_day, session, seq, code, subject, casino, pit, `table`, game, rules, currency, dealer, player, round,
    seat, bet, amount, kind, severity, passage, text, seqs, at_us, at, withdrawn, revision, written_at_us
FROM findings FINAL
WHERE withdrawn = 0;
