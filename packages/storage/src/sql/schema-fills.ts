/** What one database's SQL has of its own to take JSON apart. */
export interface JsonSql {
  /** The function that makes an object of names and values in turn. */
  readonly object: string;
  /** The aggregate that makes an object of a name and a value of each row. */
  readonly objectOfRows: string;
  /** The elements of an array as rows with `key` and `value`. */
  elements(array: string, as: string): string;
  /** An object with the members of both; those of the second win. */
  merged(one: string, other: string): string;
}

const useTimes = 'UPDATE resource_use SET due_at_ms = created_at_ms';

const quotas = ['files', 'environments', 'agents', 'stores', 'documents', 'triggers', 'webhooks'];

/** What each project keeps is counted, beginning with what is there. */
const keptUsage = ({ object }: JsonSql): readonly string[] => [
  `UPDATE file SET kept_bytes = size_bytes WHERE status IN ('processing', 'active')`,
  `UPDATE resource SET kept_bytes = octet_length(CAST(public_fields AS text)) + coalesce(octet_length(CAST(work AS text)), 0)
    + coalesce((SELECT tree.size_bytes FROM environment_tree AS tree WHERE tree.id = resource.id), 0)
    WHERE kind IN ('environment', 'agent', 'store', 'document') AND availability NOT IN ('expired', 'deleted')`,
  `UPDATE trigger SET kept_bytes = octet_length(CAST(interaction AS text)) WHERE status <> 'disabled'`,
  `INSERT INTO project_usage (id, used, revision)
    SELECT project_id, ${object}('keptBytes', sum(bytes), ${quotas
      .map((quota) => `'${quota}', count(*) FILTER (WHERE quota = '${quota}')`)
      .join(', ')}), 1
    FROM (
      SELECT project_id, 'files' AS quota, kept_bytes AS bytes FROM file WHERE kept_bytes IS NOT NULL
      UNION ALL SELECT project_id, kind || 's', kept_bytes FROM resource WHERE kept_bytes IS NOT NULL
      UNION ALL SELECT project_id, 'triggers', kept_bytes FROM trigger WHERE kept_bytes IS NOT NULL
      UNION ALL SELECT project_id, 'webhooks', 0 FROM webhook WHERE status <> 'disabled'
    ) AS kept
    GROUP BY project_id`,
];

/** Batches and videos under way are counted by project, beginning with those that are there. */
const underWay = (json: JsonSql): string => `INSERT INTO project_usage (id, used, revision)
  SELECT project_id, ${json.object}('batchesUnderWay', count(*) FILTER (WHERE kind = 'batch'),
    'videosUnderWay', count(*) FILTER (WHERE kind = 'video')), 1
  FROM operation WHERE kind IN ('batch', 'video') AND ended_at_ms IS NULL
  GROUP BY project_id
  ON CONFLICT (id) DO UPDATE SET used = ${json.merged('project_usage.used', 'excluded.used')}, revision = project_usage.revision + 1`;

/** Entries that are there get their balances, and debits the key and the model of operations that are there. */
const entryBalances: readonly string[] = [
  `UPDATE entry SET balance_micros = sums.balance FROM (
    SELECT id, sum(amount_micros) OVER (PARTITION BY account_id ORDER BY seq) AS balance FROM entry
  ) AS sums WHERE sums.id = entry.id`,
  `UPDATE entry SET key_id = operation.key_id, model = operation.model
    FROM operation WHERE entry.kind = 'debit' AND operation.id = entry.operation_id`,
];

/** The provider that returned the response of an operation. */
const providerOf = (json: JsonSql): string => `coalesce((
  SELECT attempt.value ->> 'provider' FROM ${json.elements('operation.attempts', 'attempt')}
  WHERE attempt.value ->> 'outcome' = 'answered' AND attempt.value ->> 'abandoned' IS NULL
  ORDER BY attempt.key DESC LIMIT 1
), '')`;

const unitsOf = (json: JsonSql): string => `coalesce((
  SELECT ${json.objectOfRows}(unit, quantity) FROM (
    SELECT used.value ->> 'unit' AS unit, sum(CAST(used.value ->> 'quantity' AS bigint)) AS quantity
    FROM ${json.elements('operation.usage', 'used')} GROUP BY 1
  ) AS sums
), '{}')`;

const lineColumns = `id, account_id, project_id, key_id, model, provider, requests, charged_micros, corrected_micros, units, created_at_ms`;

/**
 * What is there already becomes lines of usage, which the next roll-ups take up: every debit and correction by its entry, and every
 * completed operation with its units and with what it was charged without an entry, as by a wallet of the host.
 */
const usageLines = (json: JsonSql): readonly string[] => [
  `INSERT INTO usage_line (${lineColumns})
    SELECT 'entry:' || entry.id, entry.account_id, coalesce(operation.project_id, ''), coalesce(operation.key_id, ''),
      coalesce(operation.model, ''), CASE WHEN operation.id IS NULL THEN '' ELSE ${providerOf(json)} END, 0,
      CASE WHEN entry.kind = 'debit' THEN -entry.amount_micros ELSE 0 END,
      CASE WHEN entry.kind = 'debit' THEN 0 ELSE entry.amount_micros END, '{}', entry.created_at_ms
    FROM entry LEFT JOIN operation ON operation.id = entry.operation_id
    WHERE entry.kind = 'debit' OR (entry.kind = 'compensation' AND entry.operation_id IS NOT NULL)`,
  `INSERT INTO usage_line (${lineColumns})
    SELECT 'operation:' || operation.id, operation.account_id, operation.project_id, operation.key_id, operation.model,
      ${providerOf(json)}, 1, operation.charged_micros + coalesce(debits.amount_micros, 0), 0, ${unitsOf(json)},
      operation.ended_at_ms
    FROM operation LEFT JOIN (
      SELECT operation_id, CAST(sum(amount_micros) AS bigint) AS amount_micros FROM entry WHERE kind = 'debit' GROUP BY operation_id
    ) AS debits ON debits.operation_id = operation.id
    WHERE operation.state = 'completed'`,
];

/** What versions of the schema compute from the rows that are there, by version. Its content never changes once published. */
export const schemaFills = (json: JsonSql): ReadonlyMap<number, readonly string[]> =>
  new Map([
    [7, [useTimes]],
    [12, keptUsage(json)],
    [13, [underWay(json)]],
    [16, entryBalances],
    [19, usageLines(json)],
  ]);
