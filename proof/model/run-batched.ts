import type { TableName, Tables } from '@tollgate/storage';
import type { Command, History } from './command.ts';
import type { Decisions } from './decisions.ts';
import { createMemo, type Memo } from './memo.ts';
import type { Random } from './random.ts';
import { createRecordMap, type RecordMap } from './record-map.ts';
import type { Outcome } from './run-history.ts';
import { firstMs } from './slot.ts';
import { toStep } from './to-step.ts';
import { found, type Violation } from './violation.ts';

/** Cuts a history into batches; the clock stands still within one. */
const cut = (history: History, random: Random): readonly (readonly Command[])[] => {
  const batches: Command[][] = [];
  for (const command of history.commands) {
    const last = batches.at(-1);
    if (last === undefined || command.waitMs > 0 || random.int(4) === 0) batches.push([command]);
    else last.push(command);
  }
  return batches;
};

const carryBatch = (
  decisions: Decisions,
  { map, memo }: { readonly map: RecordMap; readonly memo: Memo },
  batch: readonly Command[],
  nowMs: number,
): readonly string[] => {
  const stepBatch = decisions.stepBatch(nowMs, ({ table, id }) => map.records.get(table, id));
  const texts = batch.map((command) => {
    const step = toStep(decisions, memo, command);
    try {
      return stepBatch.decide(step.keys(), step.decide).text;
    } catch (cause) {
      return String(cause);
    }
  });
  for (const write of stepBatch.netWrites()) {
    if (write.kind === 'delete') map.remove(write.table, write.id);
    else map.put(write.table, write.record);
  }
  return texts;
};

const plain = (record: Tables[TableName] | undefined): string =>
  JSON.stringify(record, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)) ?? 'nothing';

const differingRecord = (batched: RecordMap, single: RecordMap): string | null => {
  for (const [table, rows] of single.tables) {
    const others = batched.tables.get(table);
    if (others?.size !== rows.size) return `${table}: ${others?.size ?? 0} rows for ${rows.size}`;
    for (const [id, row] of rows)
      if (plain(others.get(id)) !== plain(row)) return `${plain(others.get(id))} for ${plain(row)}`;
  }
  return null;
};

/** Runs a history again in batches, each on records loaded once, and compares it with how it went one by one. */
export const runBatched = (
  decisions: Decisions,
  history: History,
  single: Outcome,
  random: Random,
): Violation | null => {
  const map = createRecordMap();
  const memo = createMemo();
  let nowMs = firstMs;
  let step = 0;
  for (const batch of cut(history, random)) {
    nowMs += batch[0]?.waitMs ?? 0;
    for (const text of carryBatch(decisions, { map, memo }, batch, nowMs)) {
      if (text !== single.texts[step])
        return { ...found('batch_equals_one_by_one', `told "${text}" for "${single.texts[step]}"`), step };
      step += 1;
    }
  }
  const difference = differingRecord(map, single.map);
  return difference === null ? null : { ...found('batch_equals_one_by_one', difference), step };
};
