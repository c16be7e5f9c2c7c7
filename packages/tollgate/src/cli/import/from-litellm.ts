import {
  capTextOf,
  emptyExport,
  isSet,
  remainingCredits,
  valueOf,
  type ExportDraft,
  type ExportedRows,
  type Windows,
} from './exported-keys.ts';
import type { RawRow } from './import-row.ts';
import { isTable, tablesOf } from './read-import-file.ts';

const windows: Windows = {
  '1h': 'hour',
  '60m': 'hour',
  '1d': 'day',
  '24h': 'day',
  '7d': 'week',
  '1w': 'week',
  '30d': 'month',
  '1mo': 'month',
};

/** What bounds a key there and has no place here. */
const otherBounds = ['model_max_budget', 'allowed_routes', 'rpm_limit_per_model', 'tpm_limit_per_model'] as const;

/** Words in the place of models that name no model: the key calls all models of its team or of the gateway. */
const everyModel: ReadonlySet<unknown> = new Set(['all-team-models', 'all-proxy-models']);

const modelsOf = (value: unknown): unknown =>
  Array.isArray(value) ? value.filter((model: unknown) => !everyModel.has(model)) : value;

const numberOf = (fields: RawRow['fields'], name: string): number | undefined => {
  const value = valueOf(fields, name);
  return typeof value === 'number' ? value : undefined;
};

const readTeam = (draft: ExportDraft, { place, fields }: RawRow): void => {
  const limit = numberOf(fields, 'max_budget');
  const row = { account: fields['team_id'], account_name: valueOf(fields, 'team_alias') };
  for (const name of ['rpm_limit', 'tpm_limit'])
    if (isSet(fields[name])) draft.leftOut.push(`${place}: ${name} of a team`);
  if (isSet(fields['budget_duration'])) draft.leftOut.push(`${place}: max_budget with budget_duration of a team`);
  const isPrepaid = limit !== undefined && !isSet(fields['budget_duration']);
  const balance = isPrepaid ? { balance: remainingCredits(limit, numberOf(fields, 'spend') ?? 0) } : {};
  draft.rows.push({ place, fields: { ...row, ...balance } });
};

const readKey = (draft: ExportDraft, { place, fields }: RawRow): void => {
  if (fields['blocked'] === true) {
    draft.skipped.push(`${place}: blocked`);
    return;
  }
  for (const name of otherBounds) if (isSet(fields[name])) draft.leftOut.push(`${place}: ${name}`);
  const limit = numberOf(fields, 'max_budget');
  const reset = valueOf(fields, 'budget_duration');
  const remaining = (limit ?? 0) - (numberOf(fields, 'spend') ?? 0);
  const cap = capTextOf({ limit, reset: reset === undefined ? null : String(reset), remaining }, windows);
  if (cap === null) draft.leftOut.push(`${place}: budget_duration ${reset}`);
  draft.rows.push({
    place,
    fields: {
      account: valueOf(fields, 'team_id') ?? valueOf(fields, 'user_id') ?? 'default',
      // The SHA-256 of the key.
      key: fields['token'],
      key_name: valueOf(fields, 'key_alias'),
      models: modelsOf(fields['models']),
      expires: fields['expires'],
      cap,
      requests_per_minute: fields['rpm_limit'],
      tokens_per_minute: fields['tpm_limit'],
      concurrent_requests: fields['max_parallel_requests'],
    },
  });
};

/** Keys of `/key/list?return_full_object=true` and teams of `/team/list`; null for what is neither. */
export const fromLitellm = (exported: unknown): ExportedRows | null => {
  const keys = tablesOf(isTable(exported) ? exported['keys'] : exported, 'keys');
  const teams = tablesOf((isTable(exported) ? exported['teams'] : undefined) ?? [], 'teams');
  if (keys === null || teams === null) return null;
  const draft = emptyExport();
  for (const team of teams) readTeam(draft, team);
  for (const key of keys) readKey(draft, key);
  return draft;
};
