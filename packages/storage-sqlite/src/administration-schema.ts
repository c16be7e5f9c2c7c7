/** What administrators look up: texts of the host's own, the closing of accounts, and lists over all projects. */
export const administrationSchema = `
ALTER TABLE account ADD COLUMN metadata TEXT;
ALTER TABLE account ADD COLUMN closed_at_ms INTEGER;
ALTER TABLE project ADD COLUMN metadata TEXT;
ALTER TABLE project ADD COLUMN closed_at_ms INTEGER;
CREATE INDEX project_newest ON project (created_at_ms, id);
CREATE INDEX delivery_newest ON delivery (created_at_ms, id);
CREATE INDEX delivery_by_project ON delivery (project_id, created_at_ms, id);
CREATE INDEX delivery_by_operation ON delivery (operation_id, created_at_ms, id);
CREATE INDEX trigger_newest ON trigger (created_at_ms, id) WHERE disabled_at_ms IS NULL;

ALTER TABLE entry ADD COLUMN balance_micros INTEGER NOT NULL DEFAULT 0
  CHECK (balance_micros BETWEEN -1000000000000000 AND 1000000000000000);
ALTER TABLE entry ADD COLUMN key_id TEXT;
ALTER TABLE entry ADD COLUMN model TEXT;
UPDATE entry SET balance_micros = sums.balance FROM (
  SELECT id, sum(amount_micros) OVER (PARTITION BY account_id ORDER BY seq) AS balance FROM entry
) AS sums WHERE sums.id = entry.id;
UPDATE entry SET key_id = operation.key_id, model = operation.model
FROM operation WHERE entry.kind = 'debit' AND operation.id = entry.operation_id;
`;
