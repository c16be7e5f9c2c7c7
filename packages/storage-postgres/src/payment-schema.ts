/** Payments that became credits, their orders, automatic payments, and what accounts owe after refunds. */
export const paymentSchema = `
CREATE TABLE payment (
  id text COLLATE "C" PRIMARY KEY,
  account_id text NOT NULL,
  credited_micros bigint NOT NULL CHECK (credited_micros BETWEEN -1000000000000000 AND 1000000000000000),
  back_micros bigint NOT NULL CHECK (back_micros BETWEEN -1000000000000000 AND 1000000000000000),
  taken_micros bigint NOT NULL CHECK (taken_micros BETWEEN -1000000000000000 AND 1000000000000000),
  version bigint NOT NULL,
  notice text NOT NULL,
  created_at_ms bigint NOT NULL
);
CREATE INDEX payment_newest ON payment (created_at_ms, id);

CREATE TABLE debt (
  id text COLLATE "C" PRIMARY KEY,
  owed_micros bigint NOT NULL CHECK (owed_micros BETWEEN -1000000000000000 AND 1000000000000000)
);

CREATE TABLE payment_order (
  id text COLLATE "C" PRIMARY KEY,
  account_id text NOT NULL,
  product text NOT NULL,
  credit_micros bigint NOT NULL CHECK (credit_micros BETWEEN -1000000000000000 AND 1000000000000000),
  price bigint NOT NULL,
  currency text NOT NULL,
  payment_id text,
  created_at_ms bigint NOT NULL
);

CREATE TABLE top_up (
  id text COLLATE "C" PRIMARY KEY,
  begun bigint NOT NULL,
  order_id text,
  month text NOT NULL,
  month_price bigint NOT NULL,
  refusals bigint NOT NULL,
  wait_until_ms bigint NOT NULL,
  stopped_by text
);
`;
