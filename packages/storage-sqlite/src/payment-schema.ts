/** Payments that became credits, their orders, automatic payments, and what accounts owe after refunds. */
export const paymentSchema = `
CREATE TABLE payment (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  credited_micros INTEGER NOT NULL CHECK (credited_micros BETWEEN -1000000000000000 AND 1000000000000000),
  back_micros INTEGER NOT NULL CHECK (back_micros BETWEEN -1000000000000000 AND 1000000000000000),
  taken_micros INTEGER NOT NULL CHECK (taken_micros BETWEEN -1000000000000000 AND 1000000000000000),
  version INTEGER NOT NULL,
  notice TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX payment_newest ON payment (created_at_ms, id);

CREATE TABLE debt (
  id TEXT NOT NULL PRIMARY KEY,
  owed_micros INTEGER NOT NULL CHECK (owed_micros BETWEEN -1000000000000000 AND 1000000000000000)
) STRICT;

CREATE TABLE payment_order (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  product TEXT NOT NULL,
  credit_micros INTEGER NOT NULL CHECK (credit_micros BETWEEN -1000000000000000 AND 1000000000000000),
  price INTEGER NOT NULL,
  currency TEXT NOT NULL,
  payment_id TEXT,
  created_at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE top_up (
  id TEXT NOT NULL PRIMARY KEY,
  begun INTEGER NOT NULL,
  order_id TEXT,
  month TEXT NOT NULL,
  month_price INTEGER NOT NULL,
  refusals INTEGER NOT NULL,
  wait_until_ms INTEGER NOT NULL,
  stopped_by TEXT
) STRICT;
`;
