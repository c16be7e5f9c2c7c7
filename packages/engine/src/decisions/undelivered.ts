import { isRecord, type ErrorCode } from '@tollgate/contract';
import type { Records, UndeliveredRecord, Write } from '@tollgate/storage';
import { storedList } from './stored-values.ts';
import { accessKeys, refuseAccess, type AccessIds } from './access.ts';
import type { Step } from './step.ts';

/** A request as its client may repeat it: one key or token, one route, the same bytes. */
export interface RepeatedRequest extends AccessIds {
  readonly fingerprint: string;
}

/** An operation whose client left before anything of its answer was sent. */
interface UndeliveredOperation {
  readonly operationId: string;
  /** How many retries the client had made by then: a later retry has made more. */
  readonly retries: number;
  /** Until when a retry may take it up. */
  readonly untilMs: number;
}

/** Operations of one request that wait for a retry at the most; one more is forgotten, and its retry executes anew. */
export const undeliveredMax = 16;

/** A token is another client than its key and its other tokens: what one left behind, no other takes up. */
const undeliveredId = ({ keyId, tokenId, fingerprint }: RepeatedRequest): string =>
  tokenId === undefined ? `${keyId}:${fingerprint}` : `${keyId}:${tokenId}:${fingerprint}`;

/** A record without operations, which says that some request of the key has one that waits for a retry. */
export const undeliveredMarkKey = (keyId: string): { readonly table: 'undelivered'; readonly id: string } => ({
  table: 'undelivered',
  id: keyId,
});

/** The mark lasts as long as what was noted last. */
const markWrite = (records: Records, keyId: string, untilMs: number): Write => {
  const { table, id } = undeliveredMarkKey(keyId);
  const dueAtMs = Math.max(records.get(table, id)?.dueAtMs ?? 0, untilMs);
  return { kind: 'put', table, record: { id, operations: [], owner: null, dueAtMs } };
};

const isUndelivered = (value: unknown): value is UndeliveredOperation =>
  isRecord(value) && typeof value['operationId'] === 'string' && typeof value['untilMs'] === 'number';

const operationsOf = ({ operations }: UndeliveredRecord): readonly UndeliveredOperation[] =>
  storedList('operations', operations, isUndelivered);

const waiting = (records: Records, id: string, nowMs: number): readonly UndeliveredOperation[] => {
  const record = records.get('undelivered', id);
  return record === undefined ? [] : operationsOf(record).filter(({ untilMs }) => untilMs > nowMs);
};

const kept = (records: Records, id: string, operations: readonly UndeliveredOperation[]): readonly Write[] => {
  if (operations.length > 0) {
    const dueAtMs = Math.max(...operations.map(({ untilMs }) => untilMs));
    return [{ kind: 'put', table: 'undelivered', record: { id, operations, owner: null, dueAtMs } }];
  }
  return records.get('undelivered', id) === undefined ? [] : [{ kind: 'delete', table: 'undelivered', id }];
};

export interface NoteUndeliveredCommand extends RepeatedRequest {
  readonly operationId: string;
  readonly retries: number;
  /** How long a retry may take it up. */
  readonly keptMs: number;
}

/** Records that the end of an operation was not delivered; recording it again changes nothing but the time. */
export const noteUndelivered = (command: NoteUndeliveredCommand): Step<void> => ({
  keys: [{ table: 'undelivered', id: undeliveredId(command) }, undeliveredMarkKey(command.keyId)],
  decide: (records, nowMs) => {
    const id = undeliveredId(command);
    const { operationId, retries, keyId } = command;
    const others = waiting(records, id, nowMs).filter((one) => one.operationId !== operationId);
    const one = { operationId, retries, untilMs: nowMs + command.keptMs };
    const writes = kept(records, id, [...others, one].slice(-undeliveredMax));
    return { writes: [...writes, markWrite(records, keyId, one.untilMs)], answer: undefined };
  },
});

export interface TakeUndeliveredCommand extends RepeatedRequest {
  /** How many retries the request says that it follows. */
  readonly retries: number;
}

export type TakeUndeliveredAnswer =
  | { readonly kind: 'taken'; readonly operationId: string }
  /** Nothing waits for this retry. */
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly code: ErrorCode };

/**
 * Hands a retry the operation that an earlier try of the same request left behind: the one that waits longest, and to one retry
 * only, so that equal requests that were meant as several are never answered from one execution.
 */
export const takeUndelivered = (command: TakeUndeliveredCommand): Step<TakeUndeliveredAnswer> => ({
  keys: [...accessKeys(command), { table: 'undelivered', id: undeliveredId(command) }],
  decide: (records, nowMs) => {
    const code = refuseAccess(records, command, nowMs);
    if (code !== null) return { writes: [], answer: { kind: 'refused', code } };
    const id = undeliveredId(command);
    const operations = waiting(records, id, nowMs);
    const taken = operations.find(({ retries }) => retries < command.retries);
    if (taken === undefined) return { writes: [], answer: { kind: 'none' } };
    const others = operations.filter((one) => one !== taken);
    return { writes: kept(records, id, others), answer: { kind: 'taken', operationId: taken.operationId } };
  },
});

/** Removes a record whose time is over. */
export const purgeUndelivered = (claimed: UndeliveredRecord): Step<boolean> => ({
  keys: [{ table: 'undelivered', id: claimed.id }],
  decide: (records) => {
    const current = records.get('undelivered', claimed.id);
    if (current === undefined || current.owner !== claimed.owner) return { writes: [], answer: false };
    return { writes: [{ kind: 'delete', table: 'undelivered', id: claimed.id }], answer: true };
  },
});
