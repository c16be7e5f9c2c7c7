import type { UsageDimension } from '@tollgate/storage';
import type { Engine } from '../engine.ts';
import { decimalFromMicros } from '../ledger/micros.ts';
import { unitTable } from '../ledger/unit-table.ts';
import { csvLine, textCell } from './csv.ts';
import { textStream } from './text-stream.ts';
import { usage, type UsageRow } from './usage.ts';
import type { UsageQuery, UsageRange } from './usage-query.ts';

const unitColumns: readonly string[] = Object.keys(unitTable);

const columnOf: Readonly<Record<UsageDimension, string>> = {
  accountId: 'account_id',
  projectId: 'project_id',
  keyId: 'key_id',
  model: 'model',
  provider: 'provider',
};

const headOf = (groupBy: readonly UsageDimension[]): string =>
  csvLine([
    'from',
    'until',
    ...groupBy.map((name) => columnOf[name]),
    'requests',
    'charged_credits',
    'corrected_credits',
    ...unitColumns,
    'other_units',
  ]);

/** Units that a newer version counts: none is left out. */
const otherUnits = (units: UsageRow['units']): string =>
  Object.entries(units)
    .filter(([unit]) => !unitColumns.includes(unit))
    .map(([unit, quantity]) => `${unit}:${quantity}`)
    .join(' ');

const lineOf = (row: UsageRow, groupBy: readonly UsageDimension[]): string =>
  csvLine([
    new Date(row.fromMs).toISOString(),
    new Date(row.untilMs).toISOString(),
    ...groupBy.map((name) => textCell(row[name] ?? '')),
    String(row.requests),
    decimalFromMicros(row.chargedMicros),
    decimalFromMicros(row.correctedMicros),
    ...unitColumns.map((unit) => String(row.units[unit] ?? 0)),
    textCell(otherUnits(row.units)),
  ]);

/** Pages are read as the reader takes them, so that a file of any length takes the memory of one page. */
const lines = async function* (engine: Pick<Engine, 'storage'>, range: UsageRange): AsyncGenerator<string, void> {
  const { groupBy = [] } = range;
  yield headOf(groupBy);
  let query: UsageQuery | null = range;
  while (query !== null) {
    const { items, next } = await usage(engine, query);
    if (items.length > 0) yield items.map((row) => lineOf(row, groupBy)).join('');
    query = next === null ? null : { ...range, after: next };
  }
};

/** Usage as CSV in UTF-8: a line for each row, a column for each unit. Reading it to its end reads every page. */
export const usageCsv = async (
  engine: Pick<Engine, 'storage'>,
  range: UsageRange,
): Promise<ReadableStream<Uint8Array>> => {
  return textStream(lines(engine, range));
};
