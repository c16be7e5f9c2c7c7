import { isResourceKind } from '@tollgate/contract';
import { listRowsMax, type ClaimableTable, type OperationRecord, type Tables } from '@tollgate/storage';
import { deleteAnswer } from '../operations/answers.ts';
import {
  markUncertainCommand,
  failCommand,
  resumeCommands,
  settleCommand,
  showUncertain,
} from '../operations/conclude.ts';
import { fixedMeasure, pendingMeasure, type Measure } from '../decisions/carry.ts';
import { fanOut } from '../decisions/delivery.ts';
import { markUncertainStep } from '../decisions/mark-uncertain.ts';
import { forgetUse, type ClaimedUse } from '../decisions/forget-use.ts';
import { purge, purgeToolContext } from '../decisions/purge.ts';
import { purgeSpend } from '../decisions/purge-spend.ts';
import { purgeToken } from '../decisions/revoke-token.ts';
import { purgeUndelivered } from '../decisions/undelivered.ts';
import { sweepOwnerPrefix } from '../decisions/renew.ts';
import type { Engine } from '../engine.ts';
import { sweepFiles } from '../files/sweep-files.ts';
import type { HostEventCalls } from '../host-events/host-event-calls.ts';
import { liveKind } from '../live/create-live-session.ts';
import { expireLive } from '../live/expire-live.ts';
import { sweepPendingBlob } from '../operations/pending-blobs.ts';
import { commitOnce } from '../operations/persist.ts';
import { discardEnded, processDueResource } from '../resources/process-due-resource.ts';
import { processDueOccurrence, processDueTrigger, type StartScheduledRun } from '../triggers/run-triggers.ts';
import type { Deliveries } from '../webhooks/deliveries.ts';
import { resourceKinds } from '../workers/resource-kinds.ts';
import { createWorkerPool, type WorkerPool } from '../workers/worker-pool.ts';
import { writeKeyUses } from './write-key-uses.ts';

/** What the jobs of a process hand due rows to. */
export interface JobParts {
  readonly workers: WorkerPool;
  /** Null leaves events and deliveries to other processes. */
  readonly deliveries: Deliveries | null;
  /** Null leaves events of the host to other processes: a process without functions for them claims none. */
  readonly hostEvents: HostEventCalls | null;
  /** Null leaves schedules to other processes. */
  readonly startScheduledRun: StartScheduledRun | null;
}

/** The parts of a process that works on nothing, such as a command: what it claims of other processes' work is put back. */
export const withoutWorkers = (engine: Engine): JobParts => ({
  workers: createWorkerPool(engine, resourceKinds([])),
  deliveries: null,
  hostEvents: null,
  startScheduledRun: null,
});

/** What one sweep did, by kind of deed. */
export interface SweepReport {
  readonly markedUncertain: number;
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

const markExpiredUncertain = async (engine: Engine, operation: OperationRecord): Promise<Deed> => {
  const command = markUncertainCommand(engine, operation.id, null, operation.owner);
  const answer = await commitOnce(engine, markUncertainStep(command));
  showUncertain(engine, answer);
  if (answer.kind !== 'uncertain') return null;
  engine.host.observe?.({ kind: 'taken_over', operationId: operation.id, state: operation.state });
  return 'markedUncertain';
};

const settlePending = async (engine: Engine, operation: OperationRecord, measure: Measure): Promise<Deed> => {
  const answer = await engine.operationLedger.settle(settleCommand(engine, operation, measure, null));
  return answer.kind === 'settled' ? 'settled' : null;
};

/** The host's own rule for operations that stayed uncertain too long; without one they wait for an operator. */
const decideByAge = async (engine: Engine, operation: OperationRecord): Promise<Deed> => {
  if (engine.policy.decideUncertain === null) return null;
  if (engine.policy.decideUncertain.verdict === 'charge_hold')
    return settlePending(engine, operation, fixedMeasure(operation.holdMicros));
  await engine.operationLedger.fail(failCommand(engine, operation, 'request_failed', null));
  return 'resumed';
};

const purgeOperation = async (engine: Engine, { workers }: JobParts, operation: OperationRecord): Promise<Deed> => {
  const resource = isResourceKind(operation.kind) ? await discardEnded(engine, workers.kinds, operation) : undefined;
  const { recordKeptMs } = engine.limits;
  const command = { operation, recordKeptMs, uncounted: resource };
  const answer = await commitOnce(engine, purge(command));
  if (answer === 'kept') return null;
  await deleteAnswer(engine, operation.id);
  return 'purged';
};

/** Work goes to a worker; how far it came is the business of its kind. */
const handToWorker = async ({ workers }: JobParts, operation: OperationRecord): Promise<Deed> => {
  await workers.take(operation);
  return null;
};

/** A session that is due as reserved was never connected. */
const dropLive = async (engine: Engine, operation: OperationRecord): Promise<Deed> => {
  await expireLive(engine, operation);
  return 'resumed';
};

const resumeOrMarkUncertain = async (engine: Engine, operation: OperationRecord): Promise<Deed> => {
  const resumed = await engine.operationLedger.resume(operation, resumeCommands(engine, operation));
  if (!resumed) return markExpiredUncertain(engine, operation);
  engine.host.observe?.({ kind: 'taken_over', operationId: operation.id, state: operation.state });
  return 'resumed';
};

/** One that has not been started yet. */
const processReserved = (engine: Engine, parts: JobParts, operation: OperationRecord): Promise<Deed> => {
  if (operation.kind === liveKind) return dropLive(engine, operation);
  return isResourceKind(operation.kind) ? handToWorker(parts, operation) : resumeOrMarkUncertain(engine, operation);
};

/** What a due operation needs, by its state. */
const processOperation = (engine: Engine, parts: JobParts, operation: OperationRecord): Promise<Deed> => {
  switch (operation.state) {
    case 'reserved':
      return processReserved(engine, parts, operation);
    case 'processing':
    case 'cancelling':
      return isResourceKind(operation.kind) ? handToWorker(parts, operation) : resumeOrMarkUncertain(engine, operation);
    case 'preparing':
    case 'settling':
      return resumeOrMarkUncertain(engine, operation);
    case 'uncertain': {
      const pending = pendingMeasure(operation);
      return pending === null ? decideByAge(engine, operation) : settlePending(engine, operation, pending);
    }
    case 'completed':
    case 'failed':
      return purgeOperation(engine, parts, operation);
  }
};

const processDueOperation = async (engine: Engine, parts: JobParts, operation: OperationRecord): Promise<Deed> => {
  try {
    return await processOperation(engine, parts, operation);
  } catch (cause) {
    // The claim on the row runs out, and it is checked again.
    engine.logger.error('a due operation could not be processed', { operationId: operation.id, cause });
    return null;
  }
};

/** Claims due rows a round at a time and processes each round; returns whether the last round allowed was a full one. */
const claimRounds = async <T extends ClaimableTable>(
  { storage, limits }: Pick<Engine, 'storage' | 'limits'>,
  claim: { readonly table: T; readonly owner: string },
  processRound: (rows: readonly Tables[T][]) => Promise<unknown>,
): Promise<boolean> => {
  for (let round = 0; round < limits.sweepRoundsMax; round += 1) {
    const due = await storage.claim({ ...claim, leaseMs: limits.leaseMs, limit: listRowsMax });
    await processRound(due);
    if (due.length < listRowsMax) return false;
  }
  return true;
};

/** The same, each row by itself. */
const claimEach = <T extends ClaimableTable>(
  engine: Pick<Engine, 'storage' | 'limits'>,
  claim: { readonly table: T; readonly owner: string },
  processRow: (row: Tables[T]) => Promise<unknown>,
): Promise<boolean> => claimRounds(engine, claim, (rows) => Promise.all(rows.map(processRow)));

/** Ids in one line of the log at the most. */
const loggedIdsMax = 20;

/** An operator hears of a process that died: each of these keeps its hold until someone decides. */
const logUncertain = (engine: Engine, ids: readonly string[]): void => {
  if (ids.length === 0) return;
  engine.logger.warn('operations were marked uncertain: the process that ran them no longer renews their leases', {
    code: 'leases_ended',
    markedUncertain: ids.length,
    operationIds: ids.slice(0, loggedIdsMax),
  });
};

const sweepOperations = async (engine: Engine, parts: JobParts, owner: string): Promise<Swept> => {
  const deeds: Deed[] = [];
  const uncertainIds: string[] = [];
  const more = await claimEach(engine, { table: 'operation', owner }, async (operation) => {
    const deed = await processDueOperation(engine, parts, operation);
    if (deed === 'markedUncertain') uncertainIds.push(operation.id);
    deeds.push(deed);
  });
  logUncertain(engine, uncertainIds);
  return { deeds, more };
};

const sweepToolContexts = (engine: Engine, owner: string): Promise<boolean> =>
  claimEach(engine, { table: 'toolContext', owner }, (context) => commitOnce(engine, purgeToolContext(context)));

/** Forgets tokens that expired, and what was spent in windows that ended. */
const sweepAccess = async (engine: Engine, owner: string): Promise<boolean> => {
  const tokens = await claimEach(engine, { table: 'browserToken', owner }, (token) =>
    commitOnce(engine, purgeToken(token)),
  );
  const spends = await claimEach(engine, { table: 'spend', owner }, (spend) => commitOnce(engine, purgeSpend(spend)));
  return tokens || spends;
};

const sweepUndelivered = (engine: Engine, owner: string): Promise<boolean> =>
  claimEach(engine, { table: 'undelivered', owner }, (record) => commitOnce(engine, purgeUndelivered(record)));

/** Forgets uses of files and resources by operations that have ended. */
const sweepUses = async (engine: Engine, owner: string): Promise<boolean> => {
  const forget = (use: ClaimedUse) => commitOnce(engine, forgetUse(use));
  const files = await claimEach(engine, { table: 'fileUse', owner }, (use) => forget({ table: 'fileUse', use }));
  const resources = await claimEach(engine, { table: 'resourceUse', owner }, (use) =>
    forget({ table: 'resourceUse', use }),
  );
  return files || resources;
};

/** One row that cannot be processed does not hold up the others. */
const cautiously = async (
  engine: Engine,
  { what, ...ids }: { readonly what: string } & Readonly<Record<string, unknown>>,
  processIt: () => Promise<unknown>,
): Promise<void> => {
  try {
    await processIt();
  } catch (cause) {
    // The claim on the row runs out, and it is checked again.
    engine.logger.error(`${what} could not be processed`, { ...ids, cause });
  }
};

/** Instants become occurrences, and occurrences are opened; a process that opens none leaves them to others. */
const sweepSchedules = async (engine: Engine, { startScheduledRun }: JobParts, owner: string): Promise<boolean> => {
  if (startScheduledRun === null) return false;
  const triggers = await claimEach(engine, { table: 'trigger', owner }, (trigger) =>
    cautiously(engine, { what: 'a schedule', triggerId: trigger.id }, () => processDueTrigger(engine, trigger)),
  );
  const occurrences = await claimEach(engine, { table: 'occurrence', owner }, (occurrence) =>
    cautiously(engine, { what: 'an occurrence', occurrenceId: occurrence.id }, () =>
      processDueOccurrence(engine, startScheduledRun, occurrence),
    ),
  );
  return triggers || occurrences;
};

/** Hands events to functions of the host. */
const sweepHostEvents = async (engine: Engine, { hostEvents }: JobParts, owner: string): Promise<boolean> =>
  hostEvents !== null &&
  claimEach(engine, { table: 'hostEvent', owner }, (event) =>
    cautiously(engine, { what: 'an event of the host', eventId: event.id }, () => hostEvents.take(event)),
  );

/** Events become deliveries, and deliveries are sent; without a sender they wait. Returns whether there is likely to be more. */
export const sweepEvents = async (engine: Engine, parts: JobParts, owner: string): Promise<boolean> => {
  const { deliveries } = parts;
  const heard = await sweepHostEvents(engine, parts, owner);
  if (deliveries === null) return heard;
  const events = await claimEach(engine, { table: 'outbox', owner }, (event) =>
    cautiously(engine, { what: 'an event', eventId: event.eventId }, () => {
      deliveries.noteEvent(event);
      return commitOnce(engine, fanOut(event));
    }),
  );
  const sent = await claimRounds(engine, { table: 'delivery', owner }, (round) => deliveries.take(round));
  return heard || events || sent;
};

/**
 * Processes everything that is due: leases that ran out, settlements that wait for balance, retention. In rounds of at
 * most a hundred rows; any process may run it, by the store's clock.
 */
export const sweep = async (engine: Engine, parts: JobParts): Promise<SweepReport> => {
  const owner = `${sweepOwnerPrefix}${engine.newId()}`;
  const { deeds, more } = await sweepOperations(engine, parts, owner);
  const moreContexts = await sweepToolContexts(engine, owner);
  const moreUndelivered = await sweepUndelivered(engine, owner);
  const moreBlobs = await claimEach(engine, { table: 'pendingBlob', owner }, (blob) => sweepPendingBlob(engine, blob));
  const moreResources = await claimEach(engine, { table: 'resource', owner }, (resource) =>
    processDueResource(engine, parts.workers.kinds, resource),
  );
  const moreEvents = await sweepEvents(engine, parts, owner);
  const moreOccurrences = await sweepSchedules(engine, parts, owner);
  const moreFiles = await sweepFiles(engine, owner);
  const moreUses = await sweepUses(engine, owner);
  const moreAccess = await sweepAccess(engine, owner);
  await writeKeyUses(engine);
  const count = (deed: Deed): number => deeds.filter((done) => done === deed).length;
  return {
    markedUncertain: count('markedUncertain'),
    resumed: count('resumed'),
    settled: count('settled'),
    purged: count('purged'),
    more:
      more ||
      moreContexts ||
      moreUndelivered ||
      moreBlobs ||
      moreResources ||
      moreFiles ||
      moreUses ||
      moreAccess ||
      moreEvents ||
      moreOccurrences,
  };
};
