/** Events for functions of the host, and what balances are compared with. */
export const hostEventSchema = `
CREATE TABLE host_event (
  id text COLLATE "C" PRIMARY KEY,
  kind text NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  operation_id text COLLATE "C",
  facts json NOT NULL,
  attempts bigint NOT NULL,
  owner text,
  due_at_ms bigint,
  created_at_ms bigint NOT NULL
);
CREATE INDEX host_event_due ON host_event (due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE balance_alert (
  id text COLLATE "C" PRIMARY KEY,
  low_balance_micros bigint CHECK (low_balance_micros BETWEEN -1000000000000000 AND 1000000000000000),
  topped_micros bigint NOT NULL CHECK (topped_micros BETWEEN -1000000000000000 AND 1000000000000000)
);
`;
