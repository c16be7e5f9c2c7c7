import type { EntryRecord, OperationRecord, UsageAmounts, UsageLineRecord } from '@tollgate/storage';
import type { Decisions } from './decisions.ts';
import { applyWrites, type RecordMap } from './record-map.ts';
import { found, type Found } from './violation.ts';

interface Sums {
  requests: number;
  units: number;
  charged: bigint;
  corrected: bigint;
}

const nothing = (): Sums => ({ requests: 0, units: 0, charged: 0n, corrected: 0n });

const hourMs = 3_600_000;

const sumsAt = (all: Map<string, Sums>, accountId: string, atMs: number): Sums => {
  const key = `${accountId} ${Math.floor(atMs / hourMs)}`;
  const sums = all.get(key) ?? nothing();
  all.set(key, sums);
  return sums;
};

/** What the entries say was used in each hour, and what the operations that are still kept say. */
const fromLedger = ({ tables }: RecordMap): ReadonlyMap<string, Sums> => {
  const all = new Map<string, Sums>();
  for (const row of tables.get('entry')?.values() ?? []) {
    // The table of entries holds nothing else.
    const entry = row as EntryRecord;
    const sums = sumsAt(all, entry.accountId, entry.createdAtMs);
    if (entry.kind === 'debit') sums.charged -= entry.amountMicros;
    else if (entry.kind === 'compensation' && entry.operationId !== null) sums.corrected += entry.amountMicros;
  }
  for (const row of tables.get('operation')?.values() ?? []) {
    // The table of operations holds nothing else.
    const operation = row as OperationRecord;
    if (operation.state !== 'completed' || operation.endedAtMs === null) continue;
    const sums = sumsAt(all, operation.accountId, operation.endedAtMs);
    sums.requests += 1;
    for (const { quantity } of operation.usage ?? []) sums.units += quantity;
  }
  return all;
};

const add = (sums: Sums, amounts: UsageAmounts): void => {
  sums.requests += amounts.requests;
  sums.charged += amounts.chargedMicros;
  sums.corrected += amounts.correctedMicros;
  for (const quantity of Object.values(amounts.units)) sums.units += quantity;
};

type Row = UsageAmounts & { readonly accountId: string; readonly startMs: number };

const linesOf = ({ tables }: RecordMap): readonly UsageLineRecord[] =>
  // The table of lines holds nothing else.
  [...(tables.get('usageLine')?.values() ?? [])] as UsageLineRecord[];

/** What usage says of each hour, and with lines rolled up, of each day at the first hour. */
const fromUsage = (map: RecordMap, table: 'usageHour' | 'usageDay', lengthMs: number): ReadonlyMap<string, Sums> => {
  const all = new Map<string, Sums>();
  const starts = (atMs: number): number => Math.floor(atMs / lengthMs) * lengthMs;
  // The tables of roll-ups hold nothing else.
  for (const row of [...(map.tables.get(table)?.values() ?? [])] as Row[])
    add(sumsAt(all, row.accountId, row.startMs), row);
  for (const line of linesOf(map)) add(sumsAt(all, line.accountId, starts(line.createdAtMs)), line);
  return all;
};

const byDay = (hours: ReadonlyMap<string, Sums>): ReadonlyMap<string, Sums> => {
  const days = new Map<string, Sums>();
  for (const [key, sums] of hours) {
    const [accountId = '', hour] = key.split(' ');
    const day = sumsAt(days, accountId, Math.floor(Number(hour) / 24) * 24 * hourMs);
    day.requests += sums.requests;
    day.units += sums.units;
    day.charged += sums.charged;
    day.corrected += sums.corrected;
  }
  return days;
};

/** Requests and units of operations that are gone are known to usage alone. */
const differing = (ledger: ReadonlyMap<string, Sums>, usage: ReadonlyMap<string, Sums>): string | null => {
  for (const key of new Set([...ledger.keys(), ...usage.keys()])) {
    const [kept, told] = [ledger.get(key) ?? nothing(), usage.get(key) ?? nothing()];
    if (kept.charged !== told.charged || kept.corrected !== told.corrected)
      return `${key}: charged ${told.charged} corrected ${told.corrected} for ${kept.charged} and ${kept.corrected}`;
    if (told.requests < kept.requests || told.units < kept.units)
      return `${key}: ${told.requests} requests and ${told.units} units for ${kept.requests} and ${kept.units}`;
  }
  return null;
};

const compare = (map: RecordMap, when: string): Found => {
  const ledger = fromLedger(map);
  const hours = differing(ledger, fromUsage(map, 'usageHour', hourMs));
  const days = differing(byDay(ledger), fromUsage(map, 'usageDay', 24 * hourMs));
  const wrong = hours ?? days;
  return wrong === null ? null : found('usage_matches_ledger', `${when}: ${wrong}`);
};

const rolledUp = (map: RecordMap, { rollUp }: Decisions, nowMs: number): Found => {
  const lines = linesOf(map);
  const half = lines.slice(0, Math.ceil(lines.length / 2));
  applyWrites(map, rollUp(half).decide(map.records, nowMs).writes);
  const between = compare(map, 'after half a roll-up');
  if (between !== null) return between;
  applyWrites(map, rollUp(lines).decide(map.records, nowMs).writes);
  const left = linesOf(map).length;
  return left === 0 ? compare(map, 'after a roll-up') : found('usage_matches_ledger', `${left} lines stay`);
};

/**
 * Compares usage with the ledger at the end of a history: as it stands, after half of the lines are rolled up, and after all of them
 * are, half of them for the second time. The records are left as they were.
 */
export const checkUsage = (map: RecordMap, decisions: Decisions, nowMs: number): Found => {
  const lines = linesOf(map);
  const wrong = compare(map, 'before a roll-up');
  if (wrong !== null || lines.length === 0) return wrong;
  const differs = rolledUp(map, decisions, nowMs);
  map.tables.get('usageHour')?.clear();
  map.tables.get('usageDay')?.clear();
  for (const line of lines) map.put('usageLine', line);
  return differs;
};
