import type { AttemptRecord, DeliveryRecord, OperationRecord, VerdictRecord } from '@tollgate/storage';
import { listRowsMax } from '@tollgate/storage';
import { identityId } from '../decisions/open.ts';
import { whyUncertain, type UncertainReason } from '../decisions/why-uncertain.ts';
import type { Engine } from '../engine.ts';
import type { OperationPart } from './operation-parts.ts';
import { partsOf } from './operation-parts.ts';
import { readOperation } from './operation-lists.ts';

/** One thing that happened to an operation. */
export type LifeEvent =
  /** Its credits were held: so many now, and null once it has ended, as no record keeps what was held. */
  | { readonly kind: 'opened'; readonly atMs: number; readonly holdMicros: bigint | null }
  /** An upstream request began, and how it ended. */
  | { readonly kind: 'attempt'; readonly atMs: number; readonly attempt: AttemptRecord }
  /** An operator or a program decided what it cost, as nothing else did. */
  | { readonly kind: 'verdict'; readonly atMs: number; readonly verdict: VerdictRecord }
  /** It ended: what was charged is final, and the rest of the hold was released. */
  | {
      readonly kind: 'ended';
      readonly atMs: number;
      readonly state: OperationRecord['state'];
      readonly chargedMicros: bigint;
      readonly errorCode: string | null;
    }
  /** Its event was written out for a webhook; the delivery as it stands now. */
  | { readonly kind: 'delivery'; readonly atMs: number; readonly delivery: DeliveryRecord };

/** An operation, what happened to it in the order of time, and what is unknown of it. */
export interface OperationLife {
  readonly operation: OperationRecord;
  readonly events: readonly LifeEvent[];
  readonly parts: readonly OperationPart[];
  /** Why it is uncertain; null where it is not. */
  readonly uncertain: UncertainReason | null;
  /** Whether an event waits to be written out for its webhooks. */
  readonly eventPending: boolean;
}

/** What its record says, in the order in which the kinds follow each other at one instant. */
const recordEvents = (operation: OperationRecord): readonly LifeEvent[] => {
  const { createdAtMs, holdMicros, attempts, verdict, endedAtMs, state, chargedMicros, errorCode } = operation;
  const opened: LifeEvent = { kind: 'opened', atMs: createdAtMs, holdMicros: endedAtMs === null ? holdMicros : null };
  const asked = attempts.map((attempt): LifeEvent => ({ kind: 'attempt', atMs: attempt.startedAtMs, attempt }));
  const decided: readonly LifeEvent[] =
    verdict === null ? [] : [{ kind: 'verdict', atMs: verdict.decidedAtMs, verdict }];
  const ended: readonly LifeEvent[] =
    endedAtMs === null ? [] : [{ kind: 'ended', atMs: endedAtMs, state, chargedMicros, errorCode }];
  return [opened, ...asked, ...decided, ...ended];
};

/**
 * An operation with its life as a time line, or null. Upstream requests go by the clock of the process that made them, all else by
 * the clock of the storage: what was written within the difference of the two may change places.
 */
export const readOperationLife = async (engine: Engine, operationId: string): Promise<OperationLife | null> => {
  const operation = await readOperation(engine, operationId);
  if (operation === null) return null;
  const [parts, deliveries, outbox] = await Promise.all([
    partsOf(engine, operation),
    engine.storage.list('deliveriesByOperation', { of: operationId, limit: listRowsMax }),
    engine.storage.read([{ table: 'outbox', id: operationId }]),
  ]);
  const told = deliveries
    .toReversed()
    .map((delivery): LifeEvent => ({ kind: 'delivery', atMs: delivery.createdAtMs, delivery }));
  const events = [...recordEvents(operation), ...told].toSorted((one, other) => one.atMs - other.atMs);
  const eventPending = outbox.get('outbox', operationId) !== undefined;
  return { operation, events, parts, uncertain: whyUncertain(operation), eventPending };
};

/** Names a request as its client did. */
export interface IdentityName {
  readonly projectId: string;
  /** Its Idempotency-Key. */
  readonly identity: string;
}

/** The operation of an Idempotency-Key, or null: the client that sends a request can find it before its response begins. */
export const findOperationByIdentity = async (
  engine: Engine,
  { projectId, identity }: IdentityName,
): Promise<OperationRecord | null> => {
  const id = identityId(projectId, identity);
  const claim = (await engine.storage.read([{ table: 'identity', id }])).get('identity', id);
  const operation = claim === undefined ? null : await readOperation(engine, claim.operationId);
  return operation?.projectId === projectId ? operation : null;
};
