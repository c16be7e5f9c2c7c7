/** Tokens for pages, which keys give away. */
export const tokenSchema = `
CREATE TABLE browser_token (
  id TEXT NOT NULL PRIMARY KEY,
  key_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  secret_hash TEXT NOT NULL,
  origins TEXT,
  models TEXT,
  budget_micros INTEGER CHECK (budget_micros BETWEEN -1000000000000000 AND 1000000000000000),
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  revoked_at_ms INTEGER,
  owner TEXT,
  due_at_ms INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX browser_token_due ON browser_token (due_at_ms) WHERE due_at_ms IS NOT NULL;
`;
