/** Asynchronous resources; the money and the lease of each are in the operation of the same id. */
export const resourceSchema = `
CREATE TABLE resource (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  project_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  display_name TEXT,
  listing TEXT NOT NULL,
  parent TEXT,
  availability TEXT NOT NULL,
  public_fields TEXT NOT NULL,
  work TEXT,
  uses INTEGER NOT NULL,
  expires_at_ms INTEGER,
  owner TEXT,
  due_at_ms INTEGER,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  deleted_at_ms INTEGER
) STRICT;
CREATE INDEX resource_newest ON resource (listing, created_at_ms, id) WHERE deleted_at_ms IS NULL;
CREATE INDEX resource_by_parent ON resource (parent, created_at_ms, id) WHERE deleted_at_ms IS NULL;
CREATE INDEX resource_due ON resource (due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE resource_use (
  id TEXT NOT NULL PRIMARY KEY,
  resource_id TEXT NOT NULL,
  operation_id TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX resource_use_by_resource ON resource_use (resource_id, created_at_ms, id);

CREATE TABLE batch_item (
  id TEXT NOT NULL PRIMARY KEY,
  batch_id TEXT NOT NULL,
  place INTEGER NOT NULL,
  key TEXT NOT NULL,
  state TEXT NOT NULL,
  usage TEXT,
  attempts TEXT NOT NULL,
  error_code TEXT,
  answer TEXT,
  answer_bytes INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX batch_item_by_batch ON batch_item (batch_id, place, id);
`;
