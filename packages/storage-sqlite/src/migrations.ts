import { chunkSchema } from './chunk-schema.ts';
import { resourceSchema } from './resource-schema.ts';

/** One step of the schema. Its text never changes once published. */
export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/**
 * Rows of one or two hundred bytes that are written or found often live in the tree of their ids, which saves a second tree for
 * the ids and so a page to write for each row. There longer ones would split a page every few rows, so they live in the order of
 * arrival. Every index for lists ends with the id, so that it has the whole order of its list.
 */
const first = `
CREATE TABLE account (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX account_newest ON account (created_at_ms, id);

CREATE TABLE wallet (
  id TEXT NOT NULL PRIMARY KEY,
  balance_micros INTEGER NOT NULL CHECK (balance_micros <= 1000000000000000),
  reserved_micros INTEGER NOT NULL CHECK (reserved_micros >= 0),
  seq INTEGER NOT NULL,
  entry_seq INTEGER NOT NULL,
  CHECK (reserved_micros <= balance_micros)
) STRICT, WITHOUT ROWID;

CREATE TABLE project (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  name TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX project_by_account ON project (account_id, created_at_ms, id);

CREATE TABLE api_key (
  id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  name TEXT NOT NULL,
  model TEXT,
  secret_hash TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  revoked_at_ms INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX api_key_by_project ON api_key (project_id, created_at_ms, id);

CREATE TABLE operation (
  id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  model TEXT NOT NULL,
  identity TEXT,
  fingerprint TEXT NOT NULL,
  state TEXT NOT NULL,
  hold_micros INTEGER NOT NULL CHECK (hold_micros BETWEEN -1000000000000000 AND 1000000000000000),
  charged_micros INTEGER NOT NULL CHECK (charged_micros BETWEEN -1000000000000000 AND 1000000000000000),
  captures INTEGER NOT NULL,
  pending_micros INTEGER CHECK (pending_micros BETWEEN -1000000000000000 AND 1000000000000000),
  absorbed_micros INTEGER NOT NULL CHECK (absorbed_micros BETWEEN -1000000000000000 AND 1000000000000000),
  tariff_version TEXT NOT NULL,
  usage TEXT,
  attempts TEXT NOT NULL,
  error_code TEXT,
  answer_form TEXT NOT NULL,
  answer TEXT NOT NULL,
  owner TEXT,
  due_at_ms INTEGER,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  ended_at_ms INTEGER
) STRICT;
CREATE INDEX operation_by_account ON operation (account_id, created_at_ms, id);
CREATE INDEX operation_by_project ON operation (project_id, created_at_ms, id);
CREATE INDEX operation_by_state ON operation (state, created_at_ms, id) WHERE ended_at_ms IS NULL;
CREATE INDEX operation_pending_by_account ON operation (account_id, created_at_ms, id) WHERE pending_micros IS NOT NULL;
CREATE INDEX operation_due ON operation (due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE answer (
  id TEXT NOT NULL PRIMARY KEY,
  body TEXT,
  bytes INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE identity (
  id TEXT NOT NULL PRIMARY KEY,
  operation_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tool_context (
  id TEXT NOT NULL PRIMARY KEY,
  context TEXT NOT NULL,
  owner TEXT,
  due_at_ms INTEGER
) STRICT;
CREATE INDEX tool_context_due ON tool_context (due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE entry (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  amount_micros INTEGER NOT NULL CHECK (amount_micros BETWEEN -1000000000000000 AND 1000000000000000),
  operation_id TEXT,
  tariff_version TEXT,
  reference TEXT,
  wallet_seq INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX entry_by_account ON entry (account_id, seq, id);

CREATE TABLE deposit (
  id TEXT NOT NULL PRIMARY KEY,
  entry_id TEXT NOT NULL,
  amount_micros INTEGER NOT NULL CHECK (amount_micros BETWEEN -1000000000000000 AND 1000000000000000)
) STRICT, WITHOUT ROWID;

CREATE TABLE tariff (
  id TEXT NOT NULL PRIMARY KEY,
  body TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX tariff_newest ON tariff (created_at_ms, id);

CREATE TABLE anomaly (
  id TEXT NOT NULL PRIMARY KEY,
  operation_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  code TEXT NOT NULL,
  detail TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX anomaly_newest ON anomaly (created_at_ms, id);

CREATE TABLE setting (
  id TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** Files of projects, their uses, and blobs that no record owns yet. */
const files = `
CREATE TABLE file (
  id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  display_name TEXT NOT NULL,
  mime_type TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  status TEXT NOT NULL,
  provider TEXT,
  model TEXT,
  notes TEXT NOT NULL,
  uses INTEGER NOT NULL,
  error_code TEXT,
  owner TEXT,
  due_at_ms INTEGER,
  expires_at_ms INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  deleted_at_ms INTEGER
) STRICT;
CREATE INDEX file_by_project ON file (project_id, created_at_ms, id) WHERE deleted_at_ms IS NULL;
CREATE INDEX file_due ON file (due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE file_use (
  id TEXT NOT NULL PRIMARY KEY,
  file_id TEXT NOT NULL,
  operation_id TEXT NOT NULL,
  owner TEXT,
  due_at_ms INTEGER,
  created_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX file_use_by_file ON file_use (file_id, created_at_ms, id);
CREATE INDEX file_use_due ON file_use (due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE pending_blob (
  id TEXT NOT NULL PRIMARY KEY,
  owner TEXT,
  due_at_ms INTEGER
) STRICT;
CREATE INDEX pending_blob_due ON pending_blob (due_at_ms) WHERE due_at_ms IS NOT NULL;
`;

/** Webhooks with their events and deliveries, schedules with their occurrences, realtime sessions. */
const events = `
CREATE TABLE webhook (
  id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL,
  url TEXT NOT NULL,
  events TEXT NOT NULL,
  status TEXT NOT NULL,
  secret TEXT NOT NULL,
  previous_secret TEXT,
  previous_until_ms INTEGER,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  disabled_at_ms INTEGER
) STRICT;
CREATE INDEX webhook_by_project ON webhook (project_id, created_at_ms, id) WHERE disabled_at_ms IS NULL;

CREATE TABLE subscriptions (
  id TEXT NOT NULL PRIMARY KEY,
  hooks TEXT NOT NULL
) STRICT;

CREATE TABLE outbox (
  id TEXT NOT NULL PRIMARY KEY,
  event_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  body TEXT NOT NULL,
  hooks TEXT NOT NULL,
  owner TEXT,
  due_at_ms INTEGER,
  created_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX outbox_due ON outbox (due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE delivery (
  id TEXT NOT NULL PRIMARY KEY,
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  operation_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  body TEXT NOT NULL,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  http_status INTEGER,
  owner TEXT,
  due_at_ms INTEGER,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX delivery_due ON delivery (due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE INDEX delivery_by_webhook ON delivery (webhook_id, created_at_ms, id);

CREATE TABLE trigger (
  id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  display_name TEXT,
  schedule TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  interaction TEXT NOT NULL,
  status TEXT NOT NULL,
  next_run_at_ms INTEGER,
  last_run_at_ms INTEGER,
  owner TEXT,
  due_at_ms INTEGER,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  disabled_at_ms INTEGER
) STRICT;
CREATE INDEX trigger_due ON trigger (due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE INDEX trigger_by_project ON trigger (project_id, created_at_ms, id) WHERE disabled_at_ms IS NULL;

CREATE TABLE occurrence (
  id TEXT NOT NULL PRIMARY KEY,
  trigger_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  scheduled_for_ms INTEGER NOT NULL,
  status TEXT NOT NULL,
  operation_id TEXT,
  error_code TEXT,
  started_at_ms INTEGER,
  finished_at_ms INTEGER,
  owner TEXT,
  due_at_ms INTEGER,
  created_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX occurrence_due ON occurrence (due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE INDEX occurrence_by_trigger ON occurrence (trigger_id, scheduled_for_ms, id);

CREATE TABLE live_session (
  id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL,
  model TEXT NOT NULL,
  access_hash TEXT NOT NULL,
  access_until_ms INTEGER NOT NULL,
  opened_at_ms INTEGER,
  config TEXT NOT NULL
) STRICT;
`;

/** The files of each environment in one row; their bytes are blobs. */
const environments = `
CREATE TABLE environment_tree (
  id TEXT NOT NULL PRIMARY KEY,
  project_id TEXT NOT NULL,
  files TEXT NOT NULL,
  file_count INTEGER NOT NULL,
  size_bytes INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
) STRICT;
`;

/** Notes that a resource is in use are looked at by time, and forgotten once the operation has ended. */
const useTimes = `
ALTER TABLE resource_use ADD COLUMN owner TEXT;
ALTER TABLE resource_use ADD COLUMN due_at_ms INTEGER;
UPDATE resource_use SET due_at_ms = created_at_ms;
CREATE INDEX resource_use_due ON resource_use (due_at_ms) WHERE due_at_ms IS NOT NULL;
`;

/** The schema's history, oldest first. */
export const migrations: readonly Migration[] = [
  { version: 1, sql: first },
  { version: 2, sql: files },
  { version: 3, sql: resourceSchema },
  { version: 4, sql: events },
  { version: 5, sql: chunkSchema },
  { version: 6, sql: environments },
  { version: 7, sql: useTimes },
];
