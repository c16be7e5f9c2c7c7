/** The provider that returned the response of an operation. */
const provider = `coalesce((
  SELECT attempt.value ->> 'provider' FROM json_array_elements(operation.attempts) WITH ORDINALITY AS attempt (value, place)
  WHERE attempt.value ->> 'outcome' = 'answered' AND attempt.value ->> 'abandoned' IS NULL
  ORDER BY attempt.place DESC LIMIT 1
), '')`;

const units = `coalesce((
  SELECT json_object_agg(unit, quantity) FROM (
    SELECT used.value ->> 'unit' AS unit, sum((used.value ->> 'quantity')::bigint) AS quantity
    FROM json_array_elements(operation.usage) AS used (value) GROUP BY 1
  ) AS sums
), '{}'::json)`;

/**
 * Usage by hour, and by day for all accounts. What is there already becomes lines, which the next roll-ups take up: every debit and
 * correction by its entry, and every completed operation with its units and with what it was charged without an entry, as by a wallet
 * of the host.
 */
export const usageRollUpSchema = `
CREATE TABLE usage_line (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  model text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  requests bigint NOT NULL,
  charged_micros bigint NOT NULL CHECK (charged_micros BETWEEN -1000000000000000 AND 1000000000000000),
  corrected_micros bigint NOT NULL CHECK (corrected_micros BETWEEN -1000000000000000 AND 1000000000000000),
  units json NOT NULL,
  created_at_ms bigint NOT NULL
);
CREATE INDEX usage_line_newest ON usage_line (created_at_ms, id);

CREATE TABLE usage_hour (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  model text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  requests bigint NOT NULL,
  charged_micros bigint NOT NULL CHECK (charged_micros BETWEEN -1000000000000000 AND 1000000000000000),
  corrected_micros bigint NOT NULL CHECK (corrected_micros BETWEEN -1000000000000000 AND 1000000000000000),
  units json NOT NULL,
  start_ms bigint NOT NULL
);
CREATE INDEX usage_hour_start ON usage_hour (start_ms);
CREATE INDEX usage_hour_by_account ON usage_hour (account_id, start_ms);

CREATE TABLE usage_day (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  model text COLLATE "C" NOT NULL,
  requests bigint NOT NULL,
  charged_micros bigint NOT NULL CHECK (charged_micros BETWEEN -1000000000000000 AND 1000000000000000),
  corrected_micros bigint NOT NULL CHECK (corrected_micros BETWEEN -1000000000000000 AND 1000000000000000),
  units json NOT NULL,
  start_ms bigint NOT NULL
);
CREATE INDEX usage_day_start ON usage_day (start_ms);
CREATE INDEX usage_day_by_account ON usage_day (account_id, start_ms);

INSERT INTO usage_line
SELECT 'entry:' || entry.id, entry.account_id, coalesce(operation.project_id, ''), coalesce(operation.key_id, ''),
  coalesce(operation.model, ''), CASE WHEN operation.id IS NULL THEN '' ELSE ${provider} END, 0,
  CASE WHEN entry.kind = 'debit' THEN -entry.amount_micros ELSE 0 END,
  CASE WHEN entry.kind = 'debit' THEN 0 ELSE entry.amount_micros END, '{}'::json, entry.created_at_ms
FROM entry LEFT JOIN operation ON operation.id = entry.operation_id
WHERE entry.kind = 'debit' OR (entry.kind = 'compensation' AND entry.operation_id IS NOT NULL);

INSERT INTO usage_line
SELECT 'operation:' || operation.id, operation.account_id, operation.project_id, operation.key_id, operation.model, ${provider}, 1,
  operation.charged_micros + coalesce(debits.amount_micros, 0), 0, ${units}, operation.ended_at_ms
FROM operation LEFT JOIN (
  SELECT operation_id, sum(amount_micros)::bigint AS amount_micros FROM entry WHERE kind = 'debit' GROUP BY operation_id
) AS debits ON debits.operation_id = operation.id
WHERE operation.state = 'completed';
`;
