import type { UsageAmounts, UsageLineRecord, UsageSource } from './usage-record.ts';
import type { UsageCursor, UsageSum, UsageSumQuery } from './usage-sums.ts';

/** A row of a roll-up. */
export type UsageRow = UsageAmounts & Partial<UsageSource> & { readonly startMs: number };

/** When the period of a row begins; null where it is in none. */
const periodOf = (bounds: readonly number[], atMs: number): number | null => {
  let [low, high] = [0, bounds.length];
  // The first bound beyond it ends its period.
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bounds[middle] ?? 0) > atMs) high = middle;
    else low = middle + 1;
  }
  return low === 0 || low === bounds.length ? null : (bounds[low - 1] ?? null);
};

interface Group {
  readonly fromMs: number;
  readonly values: readonly string[];
  requests: bigint;
  chargedMicros: bigint;
  correctedMicros: bigint;
  readonly units: Map<string, bigint>;
}

const addTo = (group: Group, { requests, chargedMicros, correctedMicros, units }: UsageAmounts): void => {
  group.requests += BigInt(requests);
  group.chargedMicros += chargedMicros;
  group.correctedMicros += correctedMicros;
  for (const [unit, quantity] of Object.entries(units))
    group.units.set(unit, (group.units.get(unit) ?? 0n) + BigInt(quantity));
};

const compare = (left: UsageCursor, right: UsageCursor): number => {
  if (left.fromMs !== right.fromMs) return left.fromMs - right.fromMs;
  for (const [at, value] of left.values.entries()) {
    const other = right.values[at] ?? '';
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
};

const matches = (row: Partial<UsageSource>, where: UsageSumQuery['where']): boolean =>
  Object.entries(where).every(([name, value]) => value === undefined || Reflect.get(row, name) === value);

const sortedUnits = (units: ReadonlyMap<string, bigint>): UsageSum['units'] =>
  [...units].toSorted(([left], [right]) => (left < right ? -1 : 1));

/** Sums of one query, to which its rows are added one by one. */
export interface UsageSums {
  /** A row of the roll-up that the query names. */
  addRow(row: UsageRow): void;
  addLine(line: UsageLineRecord): void;
  list(): readonly UsageSum[];
}

/** Holds the groups of a query and none of its rows. */
export const createUsageSums = ({ bounds, where, groupBy, after, limit }: UsageSumQuery): UsageSums => {
  const groups = new Map<string, Group>();
  const add = (row: Omit<UsageRow, 'startMs'>, atMs: number): void => {
    const fromMs = periodOf(bounds, atMs);
    if (fromMs === null || !matches(row, where)) return;
    const values = groupBy.map((name) => row[name] ?? '');
    const key = JSON.stringify([fromMs, values]);
    const group = groups.get(key) ?? {
      fromMs,
      values,
      requests: 0n,
      chargedMicros: 0n,
      correctedMicros: 0n,
      units: new Map<string, bigint>(),
    };
    groups.set(key, group);
    addTo(group, row);
  };
  return {
    addRow: (row) => add(row, row.startMs),
    addLine: (line) => add(line, line.createdAtMs),
    list: () =>
      [...groups.values()]
        .filter((group) => after === null || compare(group, after) > 0)
        .toSorted(compare)
        .slice(0, limit)
        .map((group) => ({ ...group, units: sortedUnits(group.units) })),
  };
};

/**
 * `Storage.sumUsage` for a storage that has all rows at hand: `rows` are those of the roll-up that the query names, `lines` all
 * lines. Both are of one snapshot.
 */
export const sumUsageRows = (
  query: UsageSumQuery,
  rows: Iterable<UsageRow>,
  lines: Iterable<UsageLineRecord>,
): readonly UsageSum[] => {
  const sums = createUsageSums(query);
  for (const row of rows) sums.addRow(row);
  for (const line of lines) sums.addLine(line);
  return sums.list();
};
