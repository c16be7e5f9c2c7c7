/** What keys may do, and the spending of those that have a cap. */
export const capSchema = `
ALTER TABLE api_key ADD COLUMN expires_at_ms INTEGER;
ALTER TABLE api_key ADD COLUMN models TEXT;
ALTER TABLE api_key ADD COLUMN cap TEXT;
ALTER TABLE api_key ADD COLUMN limits TEXT;
ALTER TABLE api_key ADD COLUMN metadata TEXT;
ALTER TABLE api_key ADD COLUMN reference TEXT;
ALTER TABLE api_key ADD COLUMN last_used_at_ms INTEGER;
ALTER TABLE operation ADD COLUMN spends TEXT;
CREATE TABLE spend (
  id TEXT NOT NULL PRIMARY KEY,
  limit_micros INTEGER NOT NULL CHECK (limit_micros BETWEEN -1000000000000000 AND 1000000000000000),
  spent_micros INTEGER NOT NULL CHECK (spent_micros BETWEEN -1000000000000000 AND 1000000000000000),
  held_micros INTEGER NOT NULL CHECK (held_micros BETWEEN -1000000000000000 AND 1000000000000000),
  ends_at_ms INTEGER,
  owner TEXT,
  due_at_ms INTEGER,
  seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX spend_due ON spend (due_at_ms) WHERE due_at_ms IS NOT NULL;
`;
