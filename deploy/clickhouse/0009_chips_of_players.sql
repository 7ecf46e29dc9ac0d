-- Whose chips or money came or went, in what form, and who had the table. Empty: nobody's, nobody; or the row is older than
-- the columns.

ALTER TABLE cage ADD COLUMN dealer String AFTER currency;

ALTER TABLE cage ADD COLUMN player String AFTER dealer;

ALTER TABLE cage ADD COLUMN form String AFTER player;

DROP TABLE IF EXISTS cage_current;

CREATE VIEW IF NOT EXISTS cage_current AS
SELECT
    gaming_day, session, seq, movement, casino, pit, `table`, game, currency, dealer, player, form,
    amount, at_us, at, revision
FROM cage FINAL
WHERE at_us != 0;
