/** Tokens for pages, which keys give away. */
export const tokenSchema = `
CREATE TABLE browser_token (
  id text COLLATE "C" PRIMARY KEY,
  key_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  secret_hash text NOT NULL,
  origins json,
  models json,
  budget_micros bigint CHECK (budget_micros BETWEEN -1000000000000000 AND 1000000000000000),
  created_at_ms bigint NOT NULL,
  expires_at_ms bigint NOT NULL,
  revoked_at_ms bigint,
  owner text,
  due_at_ms bigint
);
CREATE INDEX browser_token_due ON browser_token (due_at_ms) WHERE due_at_ms IS NOT NULL;
`;
