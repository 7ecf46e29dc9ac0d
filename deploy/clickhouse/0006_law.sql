-- By which law a session was judged: SHA-256 (hexadecimal) of the texts of its rule pack, of those that the pack stands on
-- included. Two sessions with one law were judged by the same words. Empty: the table could not be judged, or the row is
-- older than this column.

ALTER TABLE sessions ADD COLUMN law String AFTER rules;

DROP TABLE IF EXISTS sessions_current;

CREATE VIEW IF NOT EXISTS sessions_current AS
SELECT
    gaming_day, session, casino, pit, `table`, game, rules, law, currency, state, opened_at_us, opened_at,
    closed_at_us, closed_at, float_open, float_close, fills, credits, `drop`, events, rounds, settlements,
    findings, gaps, conflicts, duplicates, rejected, checkpoints_good, checkpoints_bad, revision
FROM sessions FINAL;
