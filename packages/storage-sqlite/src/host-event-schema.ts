/** Events for functions of the host, and what balances are compared with. */
export const hostEventSchema = `
CREATE TABLE host_event (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  account_id TEXT NOT NULL,
  operation_id TEXT,
  facts TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  owner TEXT,
  due_at_ms INTEGER,
  created_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX host_event_due ON host_event (due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE balance_alert (
  id TEXT NOT NULL PRIMARY KEY,
  low_balance_micros INTEGER CHECK (low_balance_micros BETWEEN -1000000000000000 AND 1000000000000000),
  topped_micros INTEGER NOT NULL CHECK (topped_micros BETWEEN -1000000000000000 AND 1000000000000000)
) STRICT, WITHOUT ROWID;
`;
