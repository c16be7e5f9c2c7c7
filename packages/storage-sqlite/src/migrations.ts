import { administrationSchema } from './administration-schema.ts';
import { capSchema } from './cap-schema.ts';
import { tokenSchema } from './token-schema.ts';
import { chunkSchema } from './chunk-schema.ts';
import { eventSchema } from './event-schema.ts';
import { limitsSchema } from './limits-schema.ts';
import { moveSchema } from './move-schema.ts';
import { paymentSchema } from './payment-schema.ts';
import { hostEventSchema } from './host-event-schema.ts';
import { resourceSchema } from './resource-schema.ts';
import { underWaySchema } from './under-way-schema.ts';
import { usageRollUpSchema } from './usage-roll-up-schema.ts';
import { usageSchema } from './usage-schema.ts';

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
  division TEXT,
  created_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE identity (
  id TEXT NOT NULL PRIMARY KEY,
  operation_id TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE undelivered (
  id TEXT NOT NULL PRIMARY KEY,
  operations TEXT NOT NULL,
  owner TEXT,
  due_at_ms INTEGER
) STRICT;
CREATE INDEX undelivered_due ON undelivered (due_at_ms) WHERE due_at_ms IS NOT NULL;

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

/** Notes that a resource is in use are checked by time, and forgotten once the operation has ended. */
const useTimes = `
ALTER TABLE resource_use ADD COLUMN owner TEXT;
ALTER TABLE resource_use ADD COLUMN due_at_ms INTEGER;
UPDATE resource_use SET due_at_ms = created_at_ms;
CREATE INDEX resource_use_due ON resource_use (due_at_ms) WHERE due_at_ms IS NOT NULL;
`;

/** What operations of an unknown outcome used at the least. */
const usageAtLeast = `
ALTER TABLE operation ADD COLUMN usage_at_least TEXT;
`;

/** A schedule that is refused again and again pauses itself. */
const triggerPauses = `
ALTER TABLE trigger ADD COLUMN refusals INTEGER NOT NULL DEFAULT 0;
ALTER TABLE trigger ADD COLUMN paused_code TEXT;
`;

/** How uncertain operations were decided, and by whom. */
const verdicts = `
ALTER TABLE operation ADD COLUMN verdict TEXT;
`;

/** What is below a micro-credit, carried by operations and their accounts. */
const remainders = `
ALTER TABLE wallet ADD COLUMN remainder_picos INTEGER NOT NULL DEFAULT 0;
ALTER TABLE wallet ADD COLUMN purged_picos INTEGER NOT NULL DEFAULT 0;
ALTER TABLE operation ADD COLUMN carried_picos INTEGER NOT NULL DEFAULT 0;
`;

/** What the client of a file said that it is for. */
const purposes = `
ALTER TABLE file ADD COLUMN purpose TEXT;
`;

/** What a hook of the host said of an operation before it was opened. */
const marks = `
ALTER TABLE operation ADD COLUMN asked_model TEXT;
ALTER TABLE operation ADD COLUMN tags TEXT;
`;

/** What an observer noted of the request that opened an operation. */
const traces = `
ALTER TABLE operation ADD COLUMN trace TEXT;
`;

/** By which plan an account is charged, and an operation was opened. */
const plans = `
ALTER TABLE account ADD COLUMN plan TEXT;
ALTER TABLE operation ADD COLUMN plan TEXT;
`;

/** How an operation asked to be served, and was. */
const serviceTiers = `
ALTER TABLE operation ADD COLUMN service_tier TEXT;
ALTER TABLE operation ADD COLUMN served_tier TEXT;
`;

/** From which pages the socket of a session may be opened. */
const socketOrigins = `
ALTER TABLE live_session ADD COLUMN origins TEXT;
`;

/** The schema's history, oldest first. */
export const migrations: readonly Migration[] = [
  { version: 1, sql: first },
  { version: 2, sql: files },
  { version: 3, sql: resourceSchema },
  { version: 4, sql: eventSchema },
  { version: 5, sql: chunkSchema },
  { version: 6, sql: environments },
  { version: 7, sql: useTimes },
  { version: 8, sql: usageAtLeast },
  { version: 9, sql: triggerPauses },
  { version: 10, sql: verdicts },
  { version: 11, sql: remainders },
  { version: 12, sql: usageSchema },
  { version: 13, sql: underWaySchema },
  { version: 14, sql: purposes },
  { version: 15, sql: marks },
  { version: 16, sql: administrationSchema },
  { version: 17, sql: traces },
  { version: 18, sql: paymentSchema },
  { version: 19, sql: usageRollUpSchema },
  { version: 20, sql: plans },
  { version: 21, sql: hostEventSchema },
  { version: 22, sql: capSchema },
  { version: 23, sql: tokenSchema },
  { version: 24, sql: serviceTiers },
  { version: 25, sql: limitsSchema },
  { version: 26, sql: socketOrigins },
  { version: 27, sql: moveSchema },
];
