import type { Decide, Key, Records, TableName, Write } from '@tollgate/storage';
import type { Memo } from './memo.ts';
import type { ModelStep } from './model-step.ts';
import { leaseMs, type Slot } from './slot.ts';
import type { Told } from './told.ts';
import type { WorkBody } from './work-command.ts';

type Of<K extends WorkBody['kind']> = Extract<WorkBody, { readonly kind: K }>;

const notDue: Told = { text: 'not_due' };

/** What a storage does with a due row that a sweep asks for; returns it as it was claimed. */
const claimRow = <T extends Row>(row: T | undefined, owner: string, nowMs: number): T | null =>
  row === undefined || row.dueAtMs === null || row.dueAtMs > nowMs ? null : { ...row, owner, dueAtMs: nowMs + leaseMs };

interface Row {
  readonly dueAtMs: number | null;
}

const noted = <T>(known: Map<string, T>, owner: string, row: T | null): T | null => {
  if (row !== null) known.set(owner, row);
  return row;
};

/** The row as it was claimed, which the sweep remembers. */
const remember = (memo: Memo, { of, owner, ...body }: Of<'claim'>, records: Records, nowMs: number) => {
  const id = idOf(memo, { of, owner, ...body });
  switch (of) {
    case 'operation':
    case 'pendingBlob':
      return claimRow(records.get(of, id), owner, nowMs);
    case 'resource':
      return noted(memo.resources, owner, claimRow(records.get(of, id), owner, nowMs));
    case 'outbox':
      return noted(memo.events, owner, claimRow(records.get(of, id), owner, nowMs));
    case 'delivery':
      return noted(memo.deliveries, owner, claimRow(records.get(of, id), owner, nowMs));
    case 'trigger':
      return noted(memo.triggers, owner, claimRow(records.get(of, id), owner, nowMs));
    case 'occurrence':
      return noted(memo.occurrences, owner, claimRow(records.get(of, id), owner, nowMs));
  }
};

/** An occurrence is named by its schedule, and stands for the latest one. */
const idOf = (memo: Memo, { of, id }: Of<'claim'>): string => (of === 'occurrence' ? (memo.latest.get(id) ?? '') : id);

export const claimStep = (memo: Memo, body: Of<'claim'>): ModelStep => {
  const decide: Decide<Told> = (records, nowMs) => {
    const row = remember(memo, body, records, nowMs);
    if (row === null) return { writes: [], answer: notDue };
    // The row is of the table that the command names.
    return { writes: [{ kind: 'put', table: body.of, record: row } as Write], answer: { text: 'claimed' } };
  };
  return { keys: () => [{ table: body.of, id: idOf(memo, body) }], decide };
};

const useIdOf = (slot: Slot, user: Slot): string => `${slot.operationId}:${user.operationId}`;

/** What a deletion reads before its step: the count of uses, and whether one that was noted is still under way. */
export const lookStep = (memo: Memo, { slot, name, users }: Of<'look'>): ModelStep => {
  const keys = (): readonly Key[] => [
    { table: 'resource', id: slot.operationId },
    ...users.flatMap((user) => [
      { table: 'resourceUse', id: useIdOf(slot, user) } as const,
      { table: 'operation', id: user.operationId } as const,
    ]),
  ];
  const decide: Decide<Told> = (records) => {
    const resource = records.get('resource', slot.operationId);
    if (resource === undefined) return { writes: [], answer: { text: 'missing' } };
    const inUse = users.some(
      (user) =>
        records.get('resourceUse', useIdOf(slot, user)) !== undefined &&
        records.get('operation', user.operationId)?.endedAtMs === null,
    );
    memo.looks.set(name, { uses: resource.uses, inUse });
    return { writes: [], answer: { text: `looked ${resource.uses} ${inUse}` } };
  };
  return { keys, decide };
};

/** Bytes are stored: until a record owns them, they are ownerless. */
export const stageStep = ({ blob }: Of<'stage'>, stagedMs: number): ModelStep => {
  const table: TableName = 'pendingBlob';
  const decide: Decide<Told> = (records, nowMs) => {
    if (records.get(table, blob) !== undefined) return { writes: [], answer: { text: 'staged already' } };
    const record = { id: blob, owner: null, dueAtMs: nowMs + stagedMs };
    return { writes: [{ kind: 'put', table, record }], answer: { text: 'staged' } };
  };
  return { keys: () => [{ table, id: blob }], decide };
};
