import {
  capTextOf,
  emptyExport,
  isSet,
  namedPlace,
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
  key: 'hash',
  key_name: 'name',
  expires: 'expires_at',
  cap: 'limit',
};

const readKey = (draft: ExportDraft, row: RawRow): void => {
  const { place, fields } = row;
  if (fields['disabled'] === true) {
    draft.skipped.push(`${place}: disabled`);
    return;
  }
  refuseOddValues(draft, row, ['limit', 'limit_reset', 'limit_remaining']);
  const limit = valueOf(fields, 'limit');
  const reset = valueOf(fields, 'limit_reset');
  const remaining = Number(valueOf(fields, 'limit_remaining') ?? limit ?? 0);
  if (limit !== undefined && reset === undefined && remaining <= 0) {
    draft.skipped.push(`${place}: exhausted`);
    return;
  }
  const cap = capTextOf(
    {
      limit: limit === undefined ? undefined : Number(limit),
      reset: reset === undefined ? null : String(reset),
      remaining,
    },
    windows,
  );
  if (cap === null) draft.leftOut.push(`${place}: limit_reset ${reset}`);
  draft.rows.push({
    place,
    fields: {
      account: isSet(fields['workspace_id']) ? fields['workspace_id'] : 'default',
      key: fields['hash'],
      key_name: valueOf(fields, 'name'),
      expires: fields['expires_at'],
      cap,
    },
  });
};

/** Keys of `GET /keys`; null for what is none. */
export const fromOpenrouter = (exported: unknown): ExportedRows | null => {
  const keys = tablesOf(isTable(exported) ? exported['data'] : exported, 'data');
  if (keys === null) return null;
  const draft = emptyExport();
  for (const key of keys) readKey(draft, { ...key, place: namedPlace(key, 'name') });
  return { ...draft, names };
};
