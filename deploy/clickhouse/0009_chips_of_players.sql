-- Whose chips or money came or went, of what kind, and who had the table. Empty: nobody's, nobody; or the row is older than
-- the columns.

ALTER TABLE cage ADD COLUMN dealer String AFTER currency;

ALTER TABLE cage ADD COLUMN player String AFTER dealer;

ALTER TABLE cage ADD COLUMN kind String AFTER player;

DROP TABLE IF EXISTS cage_current;

CREATE VIEW IF NOT EXISTS cage_current AS
SELECT
    gaming_day, session, seq, movement, casino, pit, `table`, game, currency, dealer, player, kind,
    amount, at_us, at, revision
FROM cage FINAL
WHERE at_us != 0;
