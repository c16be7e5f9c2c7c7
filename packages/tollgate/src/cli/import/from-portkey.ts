import {
  capTextOf,
  emptyExport,
  isSet,
  namedPlace,
  oddShape,
  refuseOddValues,
  valueOf,
  type ExportDraft,
  type ExportedRows,
  type Windows,
} from './exported-keys.ts';
import type { FieldNames, RawRow } from './import-row.ts';
import { isTable, tablesOf } from './read-import-file.ts';

const windows: Windows = { daily: 'day', weekly: 'week', monthly: 'month' };

const names: FieldNames = {
  account: 'workspace_id',
  key: 'id',
  key_name: 'name',
  expires: 'expires_at',
  cap: 'usage_limits',
  requests_per_minute: 'rate_limits',
  tokens_per_minute: 'rate_limits',
};

const limitFields: Readonly<Record<string, string>> = {
  'requests rpm': 'requests_per_minute',
  'tokens rpm': 'tokens_per_minute',
  'tokens tpm': 'tokens_per_minute',
};

const readRates = (draft: ExportDraft, { place, fields }: RawRow): Readonly<Record<string, unknown>> => {
  const rates = isSet(fields['rate_limits']) ? tablesOf(fields['rate_limits'], 'rate_limits') : [];
  if (rates === null)
    draft.refused.push(`${place}: rate_limits ${oddShape(fields['rate_limits'], 'a list of objects')}`);
  const taken = new Map<string, unknown>();
  for (const rate of rates ?? []) {
    const { type, unit, value } = rate.fields;
    const field = limitFields[`${String(type)} ${String(unit)}`];
    if (field === undefined) draft.leftOut.push(`${place}: ${rate.place} of ${String(type)} by ${String(unit)}`);
    else if (taken.has(field))
      draft.refused.push(`${place}: ${rate.place} is a second limit of ${String(type)} by minute`);
    else taken.set(field, value);
  }
  return Object.fromEntries(taken);
};

const readCap = (draft: ExportDraft, { place, fields }: RawRow): string | undefined => {
  const usage = fields['usage_limits'];
  if (!isSet(usage)) return undefined;
  if (!isTable(usage)) {
    draft.refused.push(`${place}: usage_limits ${oddShape(usage, 'an object')}`);
    return undefined;
  }
  refuseOddValues(draft, { place: `${place}: usage_limits`, fields: usage }, [
    'type',
    'credit_limit',
    'periodic_reset',
  ]);
  const type = valueOf(usage, 'type') ?? 'cost';
  if (type !== 'cost') {
    draft.leftOut.push(`${place}: usage_limits of ${type}`);
    return undefined;
  }
  const limit = valueOf(usage, 'credit_limit');
  const reset = valueOf(usage, 'periodic_reset');
  const amount = limit === undefined ? undefined : Number(limit);
  const cap = capTextOf(
    { limit: amount, reset: reset === undefined ? null : String(reset), remaining: amount ?? 0 },
    windows,
  );
  if (cap === null) draft.leftOut.push(`${place}: periodic_reset ${reset}`);
  return cap ?? undefined;
};

const readKey = (draft: ExportDraft, row: RawRow): void => {
  const { place, fields } = row;
  const status = valueOf(fields, 'status') ?? 'active';
  if (status !== 'active') {
    draft.skipped.push(`${place}: ${status}`);
    return;
  }
  const cap = readCap(draft, row);
  const rates = readRates(draft, row);
  draft.rows.push({
    place,
    fields: {
      account: isSet(fields['workspace_id']) ? fields['workspace_id'] : 'default',
      key: fields['id'],
      key_name: valueOf(fields, 'name'),
      expires: fields['expires_at'],
      cap,
      ...rates,
    },
  });
};

/** Keys of `GET /api-keys`; null for what is none. */
export const fromPortkey = (exported: unknown): ExportedRows | null => {
  const keys = tablesOf(isTable(exported) ? exported['data'] : exported, 'data');
  if (keys === null) return null;
  const draft = emptyExport();
  for (const key of keys) readKey(draft, { ...key, place: namedPlace(key, 'name') });
  return { ...draft, names };
};
