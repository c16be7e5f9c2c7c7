/** What keys may do, and the spending of those that have a cap. */
export const capSchema = `
ALTER TABLE api_key ADD COLUMN expires_at_ms bigint, ADD COLUMN models json, ADD COLUMN cap json, ADD COLUMN limits json,
  ADD COLUMN metadata json, ADD COLUMN reference text, ADD COLUMN last_used_at_ms bigint;
ALTER TABLE operation ADD COLUMN spends json;
CREATE TABLE spend (
  id text COLLATE "C" PRIMARY KEY,
  limit_micros bigint NOT NULL CHECK (limit_micros BETWEEN -1000000000000000 AND 1000000000000000),
  spent_micros bigint NOT NULL CHECK (spent_micros BETWEEN -1000000000000000 AND 1000000000000000),
  held_micros bigint NOT NULL CHECK (held_micros BETWEEN -1000000000000000 AND 1000000000000000),
  ends_at_ms bigint,
  owner text,
  due_at_ms bigint,
  seq bigint NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX spend_due ON spend (due_at_ms) WHERE due_at_ms IS NOT NULL;
`;
