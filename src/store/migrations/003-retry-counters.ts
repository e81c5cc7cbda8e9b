// Schema 3. What decides the next attempt is counted on the delivery, so that no failure reads the attempts before it; of those the latest are kept.

export const retryCounters = `
ALTER TABLE deliveries ADD COLUMN failures INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN deferrals INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN unknowns INTEGER NOT NULL DEFAULT 0;

-- Counted as schema 2 did: failures since it was last given up, but for "not now"; and the "not now" in a row at the end.
UPDATE deliveries SET
  failures = (SELECT count(*) FROM attempts a
    WHERE a.delivery_id = deliveries.id AND NOT a.attempt ->> '$.ok' AND a.attempt ->> '$.reason' <> 'rate-limited'
      AND a.number > coalesce((SELECT max(b.number) FROM attempts b
        WHERE b.delivery_id = deliveries.id AND b.attempt ->> '$.next' LIKE 'dead%'), 0)),
  deferrals = (SELECT count(*) FROM attempts a
    WHERE a.delivery_id = deliveries.id
      AND a.number > coalesce((SELECT max(b.number) FROM attempts b
        WHERE b.delivery_id = deliveries.id AND b.attempt ->> '$.reason' IS NOT 'rate-limited'), 0))
WHERE attempts > 0 AND state IN ('pending', 'leased', 'parked');

DELETE FROM attempts WHERE number <= (SELECT max(b.number) FROM attempts b WHERE b.delivery_id = attempts.delivery_id) - 20;
`;
