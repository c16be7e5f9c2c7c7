/** Webhooks with their events and deliveries, schedules with their occurrences, realtime sessions. */
export const eventSchema = `
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
