/** The provider that returned the response of an operation. */
const provider = `coalesce((
  SELECT json_extract(attempt.value, '$.provider') FROM json_each(operation.attempts) AS attempt
  WHERE json_extract(attempt.value, '$.outcome') = 'answered' AND json_extract(attempt.value, '$.abandoned') IS NULL
  ORDER BY attempt.key DESC LIMIT 1
), '')`;

const units = `coalesce((
  SELECT json_group_object(unit, quantity) FROM (
    SELECT json_extract(used.value, '$.unit') AS unit, sum(json_extract(used.value, '$.quantity')) AS quantity
    FROM json_each(operation.usage) AS used GROUP BY 1
  )
), '{}')`;

/**
 * Usage by hour, and by day for all accounts. What is there already becomes lines, which the next roll-ups take up: every debit and
 * correction by its entry, and every completed operation with its units and with what it was charged without an entry, as by a wallet
 * of the host.
 */
export const usageRollUpSchema = `
CREATE TABLE usage_line (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  provider TEXT NOT NULL,
  requests INTEGER NOT NULL,
  charged_micros INTEGER NOT NULL CHECK (charged_micros BETWEEN -1000000000000000 AND 1000000000000000),
  corrected_micros INTEGER NOT NULL CHECK (corrected_micros BETWEEN -1000000000000000 AND 1000000000000000),
  units TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX usage_line_newest ON usage_line (created_at_ms, id);

CREATE TABLE usage_hour (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  project_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  model TEXT NOT NULL,
  provider TEXT NOT NULL,
  requests INTEGER NOT NULL,
  charged_micros INTEGER NOT NULL CHECK (charged_micros BETWEEN -1000000000000000 AND 1000000000000000),
  corrected_micros INTEGER NOT NULL CHECK (corrected_micros BETWEEN -1000000000000000 AND 1000000000000000),
  units TEXT NOT NULL,
  start_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX usage_hour_start ON usage_hour (start_ms);
CREATE INDEX usage_hour_by_account ON usage_hour (account_id, start_ms);

CREATE TABLE usage_day (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  model TEXT NOT NULL,
  requests INTEGER NOT NULL,
  charged_micros INTEGER NOT NULL CHECK (charged_micros BETWEEN -1000000000000000 AND 1000000000000000),
  corrected_micros INTEGER NOT NULL CHECK (corrected_micros BETWEEN -1000000000000000 AND 1000000000000000),
  units TEXT NOT NULL,
  start_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX usage_day_start ON usage_day (start_ms);
CREATE INDEX usage_day_by_account ON usage_day (account_id, start_ms);

INSERT INTO usage_line
SELECT 'entry:' || entry.id, entry.account_id, coalesce(operation.project_id, ''), coalesce(operation.key_id, ''),
  coalesce(operation.model, ''), CASE WHEN operation.id IS NULL THEN '' ELSE ${provider} END, 0,
  CASE WHEN entry.kind = 'debit' THEN -entry.amount_micros ELSE 0 END,
  CASE WHEN entry.kind = 'debit' THEN 0 ELSE entry.amount_micros END, '{}', entry.created_at_ms
FROM entry LEFT JOIN operation ON operation.id = entry.operation_id
WHERE entry.kind = 'debit' OR (entry.kind = 'compensation' AND entry.operation_id IS NOT NULL);

INSERT INTO usage_line
SELECT 'operation:' || operation.id, operation.account_id, operation.project_id, operation.key_id, operation.model, ${provider}, 1,
  operation.charged_micros + coalesce(debits.amount_micros, 0), 0, ${units}, operation.ended_at_ms
FROM operation LEFT JOIN (
  SELECT operation_id, sum(amount_micros) AS amount_micros FROM entry WHERE kind = 'debit' GROUP BY operation_id
) AS debits ON debits.operation_id = operation.id
WHERE operation.state = 'completed';
`;
