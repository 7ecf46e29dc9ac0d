-- requires: 22.8
--
-- The card of a card_dealt event as a column of its own, worked out of the line as it is written: who counts a night's
-- cards reads a byte or two of each, not the whole line. Lines that lay there before are still read from their bytes.

ALTER TABLE events
    ADD COLUMN IF NOT EXISTS card LowCardinality(String)
        MATERIALIZED if(type = 'card_dealt', JSONExtractString(raw, 'card'), '');

CREATE OR REPLACE VIEW events_current AS
SELECT
    gaming_day, session, seq, digest, `table`, device, type, round, at_us, at, card, raw
FROM events FINAL;
