import type { UsageRecord } from '@tollgate/storage';
import { addRecords } from '../decisions/verdict.ts';
import { checkUsage } from './check-verdict.ts';

/** One line of an upstream's bill. Lines of one id are added up. */
export interface BillRow {
  /** The upstream's id of the request or of its answer, or the id of the operation; '' where the bill has none, as of a fee. */
  readonly id: string;
  readonly usage: readonly UsageRecord[];
  /** Where in the bill it stands, for reports. */
  readonly line?: number | undefined;
  /** When the call was made. */
  readonly atMs?: number | undefined;
}

export type BillRows = Iterable<BillRow> | AsyncIterable<BillRow>;

/** What a bill has under one id. */
export interface BillEntry {
  readonly id: string;
  readonly usage: readonly UsageRecord[];
  readonly lines: readonly number[];
  isMatched: boolean;
}

/** Rows that bill a usage under no id. */
export interface RowsWithoutId {
  readonly count: number;
  /** Where the first of them stand. */
  readonly lines: readonly number[];
}

/** A bill in memory. */
export interface GatheredBill {
  readonly entries: ReadonlyMap<string, BillEntry>;
  readonly rows: number;
  /** Rows that bill a usage and have no id: the calls that they are for cannot be found. */
  readonly withoutId: RowsWithoutId;
  /** From the earliest to the latest time on it; null where it has none. */
  readonly span: { readonly fromMs: number; readonly untilMs: number } | null;
}

const linesMax = 5;

/** Calls of one operation carry its id with a number behind it: model rounds of an interaction, items of a batch. */
const ownId = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:[-:/]\d+)?$/;

/** The id of the operation that an id names, where the gateway made it. */
const operationIdOf = (id: string): string | null => ownId.exec(id)?.[1] ?? null;

const billsUsage = ({ usage }: BillRow): boolean => usage.some(({ quantity }) => quantity > 0);

const addRow = (entries: Map<string, BillEntry>, { id, usage, line }: BillRow): void => {
  const key = operationIdOf(id) ?? id;
  const known = entries.get(key);
  const lines = known?.lines ?? [];
  entries.set(key, {
    id: key,
    usage: addRecords(known?.usage ?? [], usage),
    lines: line === undefined || lines.length >= linesMax ? lines : [...lines, line],
    isMatched: false,
  });
};

const whereOf = ({ line }: BillRow, count: number): string => (line === undefined ? `row ${count}` : `line ${line}`);

/** Adds up each unit over all rows. While these sums are exact, so is the sum of any of the rows. */
const createTotals = () => {
  const totals = new Map<string, number>();
  return (usage: readonly UsageRecord[], where: string): void => {
    for (const { unit, quantity } of usage) {
      const total = (totals.get(unit) ?? 0) + quantity;
      if (!Number.isSafeInteger(total))
        throw new RangeError(`${where} of the bill: ${unit} comes to more than ${Number.MAX_SAFE_INTEGER} in all`);
      totals.set(unit, total);
    }
  };
};

/**
 * Reads a bill, and adds up what it has under each id. Throws a RangeError for one with more rows than `rowsMax`, and for a row
 * whose usage is not accepted: nothing is decided by a bill that cannot be read whole.
 */
export const gatherBill = async (rows: BillRows, rowsMax: number): Promise<GatheredBill> => {
  const entries = new Map<string, BillEntry>();
  let count = 0;
  const withoutId = { count: 0, lines: [] as number[] };
  const addTotals = createTotals();
  let [fromMs, untilMs] = [Infinity, -Infinity];
  for await (const row of rows) {
    count += 1;
    if (count > rowsMax) throw new RangeError(`the bill has more than ${rowsMax} rows: divide it`);
    const where = whereOf(row, count);
    checkUsage(`${where} of the bill`, row.usage);
    addTotals(row.usage, where);
    if (row.id !== '') addRow(entries, row);
    else if (billsUsage(row)) {
      withoutId.count += 1;
      if (row.line !== undefined && withoutId.lines.length < linesMax) withoutId.lines.push(row.line);
    }
    if (row.atMs === undefined) continue;
    fromMs = Math.min(fromMs, row.atMs);
    untilMs = Math.max(untilMs, row.atMs);
  }
  return { entries, rows: count, withoutId, span: fromMs <= untilMs ? { fromMs, untilMs } : null };
};
