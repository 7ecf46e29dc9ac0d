-- requires: 22.8
--
-- The events that count, with the card of each: see 0005 and 0007.

CREATE OR REPLACE VIEW events_current AS
SELECT
    gaming_day, session, seq, digest, `table`, device, type, round, at_us, at, card, raw
FROM events FINAL
WHERE type != 'taken_back';
