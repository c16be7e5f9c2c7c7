import { listRowsMax, type EntryRecord, type Storage, type TableName, type Tables } from '@tollgate/storage';
import { firstWrites } from './access-step.ts';
import { differingSpend } from './check-caps.ts';
import { differingRow } from './check-tables.ts';
import type { Command, History } from './command.ts';
import { shippingDecisions } from './decisions.ts';
import type { Random } from './random.ts';
import { createMemo, goesByMemo } from './memo.ts';
import { createModel, reservedOf, type Model } from './model.ts';
import { answerAsModel } from './reference-model.ts';
import { firstMs } from './slot.ts';
import { toStep } from './to-step.ts';

/** A storage on trial and its clock. */
export interface StoredWorld {
  readonly storage: Storage;
  /** Whether steps sent at the same time are carried in the order they were sent, as the model takes them. */
  readonly keepsOrder: boolean;
  readonly setNow: (ms: number) => void;
}

/** Puts the first records of a history's own world into the storage. */
const prepare = (storage: Storage, prefix: string): Promise<void> => {
  const writes = firstWrites(prefix);
  const keys = writes.flatMap((write) => (write.kind === 'put' ? [{ table: write.table, id: write.record.id }] : []));
  return storage.transact(keys, () => ({ writes, answer: undefined }));
};

/** Commands that are sent at the same time; the clock stands still among them. */
const cut = (history: History, random: Random): readonly (readonly Command[])[] => {
  const batches: Command[][] = [];
  for (const command of history.commands) {
    const last = batches.at(-1);
    if (last === undefined || command.waitMs > 0 || goesByMemo(command.body) || random.int(2) === 0)
      batches.push([command]);
    else last.push(command);
  }
  return batches;
};

const readOne = async <T extends TableName>(storage: Storage, table: T, id: string): Promise<Tables[T] | undefined> =>
  (await storage.read([{ table, id }])).get(table, id);

const entriesOf = async (storage: Storage, accountId: string): Promise<readonly EntryRecord[]> =>
  (await storage.list('entriesByAccount', { of: accountId, limit: listRowsMax })).toReversed();

const differingAccount = async (storage: Storage, model: Model, id: string): Promise<string | null> => {
  const account = model.accounts.get(id);
  const wallet = await readOne(storage, 'wallet', id);
  const entries = await entriesOf(storage, id);
  const stored = [
    wallet?.balanceMicros ?? 0n,
    wallet?.reservedMicros ?? 0n,
    wallet?.seq ?? 0,
    wallet?.entrySeq ?? 0,
    wallet?.remainderPicos ?? 0,
    wallet?.purgedPicos ?? 0,
  ];
  const held = reservedOf(model, id);
  const expected = [account?.balance, held, account?.seq, account?.entries, account?.remainder, account?.forgotten];
  if (stored.join() !== expected.join()) return `wallet ${id}: ${stored.join()} for ${expected.join()}`;
  const sum = entries.reduce((total, entry) => total + entry.amountMicros, 0n);
  const gapFree = entries.every((entry, at) => entry.seq === at + 1);
  return sum === stored[0] && gapFree && entries.length === account?.entries
    ? null
    : `entries of ${id}: ${entries.length} with sum ${sum}`;
};

const differingOperation = async (storage: Storage, model: Model, id: string): Promise<string | null> => {
  const record = await readOne(storage, 'operation', id);
  const expected = model.operations.get(id);
  const answer = await readOne(storage, 'answer', id);
  const stored = record && [
    record.state,
    record.holdMicros,
    record.chargedMicros,
    record.pendingMicros,
    record.captures,
    record.carriedPicos,
  ];
  const wanted = expected && [
    expected.state,
    expected.hold,
    expected.charged,
    expected.pending,
    expected.captures,
    expected.carried,
  ];
  if (stored?.join() !== wanted?.join()) return `operation ${id}: ${stored?.join()} for ${wanted?.join()}`;
  return (answer !== undefined) === (expected?.answer === 'stored') ? null : `answer of ${id}`;
};

const differingRecord = async (storage: Storage, model: Model, history: History): Promise<string | null> => {
  for (const id of model.accounts.keys()) {
    const difference = await differingAccount(storage, model, id);
    if (difference !== null) return difference;
  }
  for (const { operationId } of history.slots) {
    const difference = await differingOperation(storage, model, operationId);
    if (difference !== null) return difference;
  }
  for (const id of model.spends.keys()) {
    const difference = differingSpend(model, id, await readOne(storage, 'spend', id));
    if (difference !== null) return difference;
  }
  return differingRow(model, ({ table, id }) => readOne(storage, table, id));
};

/**
 * Runs a history through a storage, where it keeps their order some of its commands at the same time, and compares every answer and what is stored in the
 * end with the reference model. Returns what differs, or null.
 */
export const runStored = async (
  { storage, keepsOrder, setNow }: StoredWorld,
  history: History,
  prefix: string,
  random: Random,
): Promise<string | null> => {
  const model = createModel(prefix);
  const memo = createMemo();
  let nowMs = firstMs;
  setNow(nowMs);
  await prepare(storage, prefix);
  const batches = keepsOrder ? cut(history, random) : history.commands.map((command) => [command]);
  for (const batch of batches) {
    nowMs += batch[0]?.waitMs ?? 0;
    setNow(nowMs);
    const steps = batch.map((command) => toStep(shippingDecisions, memo, command));
    const told = await Promise.all(steps.map(({ keys, decide }) => storage.transact(keys(), decide)));
    for (const [at, command] of batch.entries()) {
      const expected = answerAsModel(model, command.body, { ms: nowMs, repeated: command.repeatOf !== null });
      if (told[at]?.text !== expected) return `${command.body.kind} told "${told[at]?.text}", expected "${expected}"`;
    }
  }
  return differingRecord(storage, model, history);
};
