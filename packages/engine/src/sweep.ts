import { isResourceKind } from '@tollgate/contract';
import { listRowsMax, type ClaimableTable, type OperationRecord, type Tables } from '@tollgate/storage';
import { deleteAnswer } from './answers.ts';
import { doubtCommand, failCommand, settleCommand } from './conclude.ts';
import { decideFanOut, fanOutKeys } from './decisions/delivery.ts';
import { decideDoubt, doubtKeys } from './decisions/doubt.ts';
import { decideForgetUse, forgetUseKeys, type ClaimedUse } from './decisions/forget-use.ts';
import { decidePurge, decidePurgeToolContext, purgeKeys } from './decisions/purge.ts';
import { sweepOwnerPrefix } from './decisions/renew.ts';
import type { Engine } from './engine.ts';
import { sweepFiles } from './files/sweep-files.ts';
import { liveKind } from './live/create-live-session.ts';
import { expireLive } from './live/expire-live.ts';
import { sweepPendingBlob } from './pending-blobs.ts';
import { discardEnded, tendResource } from './resources/tend-resource.ts';
import { tendOccurrence, tendTrigger } from './triggers/run-triggers.ts';

/** What one sweep did, by kind of deed. */
export interface SweepReport {
  readonly doubted: number;
  readonly resumed: number;
  readonly settled: number;
  readonly purged: number;
  /** Whether the last round was a full one, so that more is likely to be due at once. */
  readonly more: boolean;
}

type Deed = Exclude<keyof SweepReport, 'more'> | null;

interface Swept {
  readonly deeds: readonly Deed[];
  readonly more: boolean;
}

const doubtExpired = async (engine: Engine, operation: OperationRecord): Promise<Deed> => {
  const command = doubtCommand(engine, operation.id, null, operation.owner);
  const answer = await engine.storage.transact(doubtKeys(command), decideDoubt(command));
  return answer.kind === 'uncertain' ? 'doubted' : null;
};

const settlePending = async (engine: Engine, operation: OperationRecord, micros: bigint): Promise<Deed> => {
  const answer = await engine.money.settle(settleCommand(engine, operation, micros, null));
  return answer.kind === 'settled' ? 'settled' : null;
};

/** The host's own rule for operations that stayed uncertain too long; without one they wait for an operator. */
const decideByAge = async (engine: Engine, operation: OperationRecord): Promise<Deed> => {
  if (engine.decideUncertain === null) return null;
  if (engine.decideUncertain.verdict === 'charge_hold') return settlePending(engine, operation, operation.holdMicros);
  await engine.money.fail(failCommand(engine, operation, 'request_failed', null));
  return 'resumed';
};

const purge = async (engine: Engine, operation: OperationRecord): Promise<Deed> => {
  const resource = isResourceKind(operation.kind) ? await discardEnded(engine, operation) : undefined;
  const { recordKeptMs } = engine.limits;
  const command = { operation, recordKeptMs, ...(resource === undefined ? {} : { uncounted: resource }) };
  const answer = await engine.storage.transact(purgeKeys(command), decidePurge(command));
  if (answer === 'kept') return null;
  await deleteAnswer(engine, operation.id);
  return 'purged';
};

/** Work goes to a worker; how far it came is the business of its kind. */
const handToWorker = async (engine: Engine, operation: OperationRecord): Promise<Deed> => {
  await engine.workshop.take(engine, operation);
  return null;
};

/** A session that is due as reserved was never connected. */
const dropLive = async (engine: Engine, operation: OperationRecord): Promise<Deed> => {
  await expireLive(engine, operation);
  return 'resumed';
};

const resumeOrDoubt = async (engine: Engine, operation: OperationRecord): Promise<Deed> => {
  const resumed = await engine.money.resume(operation, {
    settle: settleCommand(engine, operation, operation.pendingMicros ?? 0n, null),
    fail: failCommand(engine, operation, operation.errorCode ?? 'service_unavailable', null),
  });
  return resumed ? 'resumed' : doubtExpired(engine, operation);
};

/** One that nobody has started yet. */
const tendReserved = (engine: Engine, operation: OperationRecord): Promise<Deed> => {
  if (operation.kind === liveKind) return dropLive(engine, operation);
  return isResourceKind(operation.kind) ? handToWorker(engine, operation) : resumeOrDoubt(engine, operation);
};

/** What a due operation needs, by its state. */
const tendOperation = (engine: Engine, operation: OperationRecord): Promise<Deed> => {
  switch (operation.state) {
    case 'reserved':
      return tendReserved(engine, operation);
    case 'processing':
    case 'cancelling':
      return isResourceKind(operation.kind) ? handToWorker(engine, operation) : resumeOrDoubt(engine, operation);
    case 'preparing':
    case 'settling':
      return resumeOrDoubt(engine, operation);
    case 'uncertain':
      return operation.pendingMicros === null
        ? decideByAge(engine, operation)
        : settlePending(engine, operation, operation.pendingMicros);
    case 'completed':
    case 'failed':
      return purge(engine, operation);
  }
};

const tend = async (engine: Engine, operation: OperationRecord): Promise<Deed> => {
  try {
    return await tendOperation(engine, operation);
  } catch (cause) {
    // The claim on the row runs out, and it is looked at again.
    engine.logger.error('a due operation could not be tended', { operationId: operation.id, cause });
    return null;
  }
};

/** Claims due rows a round at a time and tends each; answers whether the last round allowed was a full one. */
const claimRounds = async <T extends ClaimableTable>(
  { storage, limits }: Engine,
  claim: { readonly table: T; readonly owner: string },
  tendRow: (row: Tables[T]) => Promise<unknown>,
): Promise<boolean> => {
  for (let round = 0; round < limits.sweepRoundsMax; round += 1) {
    const due = await storage.claim({ ...claim, leaseMs: limits.leaseMs, limit: listRowsMax });
    await Promise.all(due.map(tendRow));
    if (due.length < listRowsMax) return false;
  }
  return true;
};

const sweepOperations = async (engine: Engine, owner: string): Promise<Swept> => {
  const deeds: Deed[] = [];
  const more = await claimRounds(engine, { table: 'operation', owner }, async (operation) => {
    deeds.push(await tend(engine, operation));
  });
  return { deeds, more };
};

const sweepToolContexts = (engine: Engine, owner: string): Promise<boolean> =>
  claimRounds(engine, { table: 'toolContext', owner }, (context) =>
    engine.storage.transact([{ table: 'toolContext', id: context.id }], decidePurgeToolContext(context)),
  );

/** Forgets uses of files and resources by operations that have ended. */
const sweepUses = async (engine: Engine, owner: string): Promise<boolean> => {
  const forget = (use: ClaimedUse) => engine.storage.transact(forgetUseKeys(use), decideForgetUse(use));
  const files = await claimRounds(engine, { table: 'fileUse', owner }, (use) => forget({ table: 'fileUse', use }));
  const resources = await claimRounds(engine, { table: 'resourceUse', owner }, (use) =>
    forget({ table: 'resourceUse', use }),
  );
  return files || resources;
};

/** One row that cannot be tended holds up no other. */
const cautiously = async (
  engine: Engine,
  { what, ...ids }: { readonly what: string } & Readonly<Record<string, unknown>>,
  tendIt: () => Promise<unknown>,
): Promise<void> => {
  try {
    await tendIt();
  } catch (cause) {
    // The claim on the row runs out, and it is looked at again.
    engine.logger.error(`${what} could not be tended`, { ...ids, cause });
  }
};

/** Instants become occurrences, and occurrences are opened; a process that opens none leaves them to others. */
const sweepSchedules = async (engine: Engine, owner: string): Promise<boolean> => {
  if (engine.openOccurrence.current === null) return false;
  const triggers = await claimRounds(engine, { table: 'trigger', owner }, (trigger) =>
    cautiously(engine, { what: 'a schedule', triggerId: trigger.id }, () => tendTrigger(engine, trigger)),
  );
  const occurrences = await claimRounds(engine, { table: 'occurrence', owner }, (occurrence) =>
    cautiously(engine, { what: 'an occurrence', occurrenceId: occurrence.id }, () =>
      tendOccurrence(engine, occurrence),
    ),
  );
  return triggers || occurrences;
};

/** Events become deliveries, and deliveries are sent; without a sender they wait. */
const sweepEvents = async (engine: Engine, owner: string): Promise<boolean> => {
  const { webhookSender: sender, storage, dispatch } = engine;
  if (sender === null) return false;
  const events = await claimRounds(engine, { table: 'outbox', owner }, (event) =>
    cautiously(engine, { what: 'an event', eventId: event.eventId }, () =>
      storage.transact(fanOutKeys(event), decideFanOut(event)),
    ),
  );
  const deliveries = await claimRounds(engine, { table: 'delivery', owner }, (delivery) =>
    cautiously(engine, { what: 'a delivery', deliveryId: delivery.id }, () => dispatch.take(engine, sender, delivery)),
  );
  return events || deliveries;
};

/**
 * Tends everything whose time has come: leases that ran out, settlements that wait for balance, retention. In rounds of at
 * most a hundred rows; any process may run it, by the store's clock.
 */
export const sweep = async (engine: Engine): Promise<SweepReport> => {
  const owner = `${sweepOwnerPrefix}${engine.newId()}`;
  const { deeds, more } = await sweepOperations(engine, owner);
  const moreContexts = await sweepToolContexts(engine, owner);
  const moreBlobs = await claimRounds(engine, { table: 'pendingBlob', owner }, (blob) =>
    sweepPendingBlob(engine, blob),
  );
  const moreResources = await claimRounds(engine, { table: 'resource', owner }, (resource) =>
    tendResource(engine, resource),
  );
  const moreEvents = await sweepEvents(engine, owner);
  const moreOccurrences = await sweepSchedules(engine, owner);
  const moreFiles = await sweepFiles(engine, owner);
  const moreUses = await sweepUses(engine, owner);
  const count = (deed: Deed): number => deeds.filter((done) => done === deed).length;
  return {
    doubted: count('doubted'),
    resumed: count('resumed'),
    settled: count('settled'),
    purged: count('purged'),
    more: more || moreContexts || moreBlobs || moreResources || moreFiles || moreUses || moreEvents || moreOccurrences,
  };
};
