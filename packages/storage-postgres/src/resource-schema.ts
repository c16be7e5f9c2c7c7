/** Asynchronous resources; the money and the lease of each are in the operation of the same id. */
export const resourceSchema = `
CREATE TABLE resource (
  id text COLLATE "C" PRIMARY KEY,
  kind text NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  model text NOT NULL,
  display_name text,
  listing text COLLATE "C" NOT NULL,
  parent text COLLATE "C",
  availability text NOT NULL,
  public_fields json NOT NULL,
  work json,
  uses bigint NOT NULL,
  expires_at_ms bigint,
  owner text,
  due_at_ms bigint,
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL,
  deleted_at_ms bigint
);
CREATE INDEX resource_newest ON resource (listing, created_at_ms, id) WHERE deleted_at_ms IS NULL;
CREATE INDEX resource_by_parent ON resource (parent, created_at_ms, id) WHERE deleted_at_ms IS NULL;
CREATE INDEX resource_due ON resource (due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE resource_use (
  id text COLLATE "C" PRIMARY KEY,
  resource_id text COLLATE "C" NOT NULL,
  operation_id text COLLATE "C" NOT NULL,
  created_at_ms bigint NOT NULL
);
CREATE INDEX resource_use_by_resource ON resource_use (resource_id, created_at_ms, id);

CREATE TABLE batch_item (
  id text COLLATE "C" PRIMARY KEY,
  batch_id text COLLATE "C" NOT NULL,
  place bigint NOT NULL,
  key text NOT NULL,
  state text NOT NULL,
  usage json,
  attempts json NOT NULL,
  error_code text,
  answer text,
  answer_bytes bigint NOT NULL,
  updated_at_ms bigint NOT NULL
);
CREATE INDEX batch_item_by_batch ON batch_item (batch_id, place, id);
`;
