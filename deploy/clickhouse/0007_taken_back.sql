-- A session's own row and a raw event can be taken back, like all else: what a part of a night's log put under a gaming day
-- that is not the session's. The row that takes back says so as its state, as its type; it stays, and counts no more.
-- A line that is no event is one line, wherever it was read: in two files, or once more under another name.

DROP TABLE IF EXISTS sessions_current;

CREATE VIEW IF NOT EXISTS sessions_current AS
SELECT
    gaming_day, session, casino, pit, `table`, game, rules, law, currency, state, opened_at_us, opened_at,
    closed_at_us, closed_at, float_open, float_close, fills, credits, `drop`, events, rounds, settlements,
    findings, gaps, conflicts, duplicates, rejected, checkpoints_good, checkpoints_bad, revision
FROM sessions FINAL
WHERE state != 'taken_back';

DROP TABLE IF EXISTS events_current;

CREATE VIEW IF NOT EXISTS events_current AS
SELECT
    gaming_day, session, seq, digest, `table`, device, type, round, at_us, at, raw
FROM events FINAL
WHERE type != 'taken_back';

DROP TABLE IF EXISTS rejected_current;

CREATE VIEW IF NOT EXISTS rejected_current AS
SELECT
    source, place, digest, session, seq, field, reason, raw
FROM rejected FINAL
ORDER BY source, place
LIMIT 1 BY digest;
