/** Webhooks with their events and deliveries, schedules with their occurrences, realtime sessions. */
export const eventSchema = `
CREATE TABLE webhook (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  events json NOT NULL,
  status text NOT NULL,
  secret text NOT NULL,
  previous_secret text,
  previous_until_ms bigint,
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL,
  disabled_at_ms bigint
);
CREATE INDEX webhook_by_project ON webhook (project_id, created_at_ms, id) WHERE disabled_at_ms IS NULL;

CREATE TABLE subscriptions (
  id text COLLATE "C" PRIMARY KEY,
  hooks json NOT NULL
);

CREATE TABLE outbox (
  id text COLLATE "C" PRIMARY KEY,
  event_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  event_type text NOT NULL,
  body text NOT NULL,
  hooks json NOT NULL,
  owner text,
  due_at_ms bigint,
  created_at_ms bigint NOT NULL
);
CREATE INDEX outbox_due ON outbox (due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE delivery (
  id text COLLATE "C" PRIMARY KEY,
  webhook_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  operation_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  event_type text NOT NULL,
  body text NOT NULL,
  status text NOT NULL,
  attempts bigint NOT NULL,
  http_status bigint,
  owner text,
  due_at_ms bigint,
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL
);
CREATE INDEX delivery_due ON delivery (due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE INDEX delivery_by_webhook ON delivery (webhook_id, created_at_ms, id);

CREATE TABLE trigger (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  display_name text,
  schedule text NOT NULL,
  time_zone text NOT NULL,
  interaction json NOT NULL,
  status text NOT NULL,
  next_run_at_ms bigint,
  last_run_at_ms bigint,
  owner text,
  due_at_ms bigint,
  created_at_ms bigint NOT NULL,
  updated_at_ms bigint NOT NULL,
  disabled_at_ms bigint
);
CREATE INDEX trigger_due ON trigger (due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE INDEX trigger_by_project ON trigger (project_id, created_at_ms, id) WHERE disabled_at_ms IS NULL;

CREATE TABLE occurrence (
  id text COLLATE "C" PRIMARY KEY,
  trigger_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  scheduled_for_ms bigint NOT NULL,
  status text NOT NULL,
  operation_id text COLLATE "C",
  error_code text,
  started_at_ms bigint,
  finished_at_ms bigint,
  owner text,
  due_at_ms bigint,
  created_at_ms bigint NOT NULL
);
CREATE INDEX occurrence_due ON occurrence (due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE INDEX occurrence_by_trigger ON occurrence (trigger_id, scheduled_for_ms, id);

CREATE TABLE live_session (
  id text COLLATE "C" PRIMARY KEY,
  project_id text COLLATE "C" NOT NULL,
  model text NOT NULL,
  access_hash text NOT NULL,
  access_until_ms bigint NOT NULL,
  opened_at_ms bigint,
  config json NOT NULL
);
`;
