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

/** One step of the schema. Its text never changes once published. Names are found by the search path. */
export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/**
 * Ids are compared by bytes (`COLLATE "C"`): every index is then in the same order on every server, whatever its locale, and
 * cheap. Wallets are changed in place again and again, and each operation once, so their pages keep room for that: a row
 * whose new version fits beside the old one, and of which no indexed column changed, needs no new entry in any index. That is
 * why no index over operations has a column in it that an ordinary settlement changes. When an operation is due is found
 * in two narrow tables instead, see due-rows.ts.
 */
const first = `
CREATE TABLE account (
  id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  status text NOT NULL,
  created_at_ms bigint NOT NULL
);
CREATE INDEX account_newest ON account (created_at_ms, id);

CREATE TABLE wallet (
  id text COLLATE "C" PRIMARY KEY,
  balance_micros bigint NOT NULL CHECK (balance_micros <= 1000000000000000),
  reserved_micros bigint NOT NULL CHECK (reserved_micros >= 0),
  seq bigint NOT NULL,
  entry_seq bigint NOT NULL,
  CHECK (reserved_micros <= balance_micros)
) WITH (fillfactor = 50);

CREATE TABLE project (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  status text NOT NULL,
  created_at_ms bigint NOT NULL
);
CREATE INDEX project_by_account ON project (account_id, created_at_ms, id);

CREATE TABLE api_key (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  model text,
  secret_hash text NOT NULL,
  status text NOT NULL,
  created_at_ms bigint NOT NULL,
  revoked_at_ms bigint
);
CREATE INDEX api_key_by_project ON api_key (project_id, created_at_ms, id);

CREATE TABLE operation (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  model text NOT NULL,
  identity text,
  fingerprint text NOT NULL,
  state text COLLATE "C" NOT NULL,
  hold_micros bigint NOT NULL CHECK (hold_micros BETWEEN -1000000000000000 AND 1000000000000000),
  charged_micros bigint NOT NULL CHECK (charged_micros BETWEEN -1000000000000000 AND 1000000000000000),
  captures bigint NOT NULL,
  pending_micros bigint CHECK (pending_micros BETWEEN -1000000000000000 AND 1000000000000000),
  absorbed_micros bigint NOT NULL CHECK (absorbed_micros BETWEEN -1000000000000000 AND 1000000000000000),
  tariff_version text NOT NULL,
  usage json,
  attempts json NOT NULL,
  error_code text,
  answer_form text NOT NULL,
  answer text NOT NULL,
  owner text,
  due_at_ms bigint,
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL,
  ended_at_ms bigint
) WITH (fillfactor = 40);
CREATE INDEX operation_by_account ON operation (account_id, created_at_ms, id);
CREATE INDEX operation_by_project ON operation (project_id, created_at_ms, id);
CREATE INDEX operation_pending_by_account ON operation (account_id, created_at_ms, id) WHERE pending_micros IS NOT NULL;

CREATE TABLE operation_open (
  due_at_ms bigint NOT NULL,
  id text COLLATE "C" NOT NULL
);
CREATE INDEX operation_open_due ON operation_open (due_at_ms);

CREATE TABLE operation_kept (
  due_at_ms bigint NOT NULL,
  id text COLLATE "C" NOT NULL
);
CREATE INDEX operation_kept_due ON operation_kept (due_at_ms);

CREATE TABLE answer (
  id text COLLATE "C" PRIMARY KEY,
  body text,
  bytes bigint NOT NULL,
  division text,
  created_at_ms bigint NOT NULL
);

CREATE TABLE identity (
  id text COLLATE "C" PRIMARY KEY,
  operation_id text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  created_at_ms bigint NOT NULL
);

CREATE TABLE undelivered (
  id text COLLATE "C" PRIMARY KEY,
  operations json NOT NULL,
  owner text,
  due_at_ms bigint
);
CREATE INDEX undelivered_due ON undelivered (due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE tool_context (
  id text COLLATE "C" PRIMARY KEY,
  context text NOT NULL,
  owner text,
  due_at_ms bigint
);
CREATE INDEX tool_context_due ON tool_context (due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE entry (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  kind text NOT NULL,
  amount_micros bigint NOT NULL CHECK (amount_micros BETWEEN -1000000000000000 AND 1000000000000000),
  operation_id text COLLATE "C",
  tariff_version text,
  reference text,
  wallet_seq bigint NOT NULL,
  created_at_ms bigint NOT NULL
);
CREATE INDEX entry_by_account ON entry (account_id, seq, id);

CREATE TABLE deposit (
  id text COLLATE "C" PRIMARY KEY,
  entry_id text COLLATE "C" NOT NULL,
  amount_micros bigint NOT NULL CHECK (amount_micros BETWEEN -1000000000000000 AND 1000000000000000)
);

CREATE TABLE tariff (
  id text COLLATE "C" PRIMARY KEY,
  body json NOT NULL,
  created_at_ms bigint NOT NULL
);
CREATE INDEX tariff_newest ON tariff (created_at_ms, id);

CREATE TABLE anomaly (
  id text COLLATE "C" PRIMARY KEY,
  operation_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  code text NOT NULL,
  detail json NOT NULL,
  created_at_ms bigint NOT NULL
);
CREATE INDEX anomaly_newest ON anomaly (created_at_ms, id);

CREATE TABLE setting (
  id text COLLATE "C" PRIMARY KEY,
  value text NOT NULL
);

CREATE TABLE blob (
  key text COLLATE "C" PRIMARY KEY,
  bytes bytea NOT NULL
);
ALTER TABLE blob ALTER COLUMN bytes SET STORAGE EXTERNAL;
`;

/** Files of projects, their uses, blobs that no record owns yet, and blobs that come in chunks. */
const files = `
CREATE TABLE file (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  display_name text NOT NULL,
  mime_type text NOT NULL,
  size_bytes bigint NOT NULL,
  sha256 text NOT NULL,
  status text NOT NULL,
  provider text,
  model text,
  notes json NOT NULL,
  uses bigint NOT NULL,
  error_code text,
  owner text,
  due_at_ms bigint,
  expires_at_ms bigint NOT NULL,
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL,
  deleted_at_ms bigint
);
CREATE INDEX file_by_project ON file (project_id, created_at_ms, id) WHERE deleted_at_ms IS NULL;
CREATE INDEX file_due ON file (due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE file_use (
  id text COLLATE "C" PRIMARY KEY,
  file_id text COLLATE "C" NOT NULL,
  operation_id text COLLATE "C" NOT NULL,
  owner text,
  due_at_ms bigint,
  created_at_ms bigint NOT NULL
);
CREATE INDEX file_use_by_file ON file_use (file_id, created_at_ms, id);
CREATE INDEX file_use_due ON file_use (due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE pending_blob (
  id text COLLATE "C" PRIMARY KEY,
  owner text,
  due_at_ms bigint
);
CREATE INDEX pending_blob_due ON pending_blob (due_at_ms) WHERE due_at_ms IS NOT NULL;

ALTER TABLE blob ADD COLUMN upload text COLLATE "C", ADD COLUMN size_bytes bigint, ADD COLUMN part_bytes bigint;
CREATE TABLE blob_part (
  key text COLLATE "C" NOT NULL,
  upload text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (key, upload, seq)
);
ALTER TABLE blob_part ALTER COLUMN bytes SET STORAGE EXTERNAL;
`;

/** The files of each environment in one row; their bytes are blobs. */
const environments = `
CREATE TABLE environment_tree (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  files json NOT NULL,
  file_count bigint NOT NULL,
  size_bytes bigint NOT NULL,
  revision bigint NOT NULL,
  updated_at_ms bigint NOT NULL
);
`;

/** Notes that a resource is in use are checked by time, and forgotten once the operation has ended. */
const useTimes = `
ALTER TABLE resource_use ADD COLUMN owner text, ADD COLUMN due_at_ms bigint;
UPDATE resource_use SET due_at_ms = created_at_ms;
CREATE INDEX resource_use_due ON resource_use (due_at_ms) WHERE due_at_ms IS NOT NULL;
`;

/** What operations of an unknown outcome used at the least. */
const usageAtLeast = `
ALTER TABLE operation ADD COLUMN usage_at_least json;
`;

/** A schedule that is refused again and again pauses itself. */
const triggerPauses = `
ALTER TABLE trigger ADD COLUMN refusals bigint NOT NULL DEFAULT 0;
ALTER TABLE trigger ADD COLUMN paused_code text;
`;

/** How uncertain operations were decided, and by whom. */
const verdicts = `
ALTER TABLE operation ADD COLUMN verdict json;
`;

/** What is below a micro-credit, carried by operations and their accounts. */
const remainders = `
ALTER TABLE wallet ADD COLUMN remainder_picos bigint NOT NULL DEFAULT 0, ADD COLUMN purged_picos bigint NOT NULL DEFAULT 0;
ALTER TABLE operation ADD COLUMN carried_picos bigint NOT NULL DEFAULT 0;
`;

/** What the client of a file said that it is for. */
const purposes = `
ALTER TABLE file ADD COLUMN purpose text;
`;

/** What a hook of the host said of an operation before it was opened. */
const marks = `
ALTER TABLE operation ADD COLUMN asked_model text, ADD COLUMN tags json;
`;

/** What an observer noted of the request that opened an operation. */
const traces = `
ALTER TABLE operation ADD COLUMN trace text;
`;

/** By which plan an account is charged, and an operation was opened. */
const plans = `
ALTER TABLE account ADD COLUMN plan text;
ALTER TABLE operation ADD COLUMN plan text;
`;

/** How an operation asked to be served, and was. */
const serviceTiers = `
ALTER TABLE operation ADD COLUMN service_tier text;
ALTER TABLE operation ADD COLUMN served_tier text;
`;

/** From which pages the socket of a session may be opened. */
const socketOrigins = `
ALTER TABLE live_session ADD COLUMN origins json;
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
