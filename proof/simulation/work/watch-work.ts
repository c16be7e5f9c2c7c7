import { isEnded, isResourceKind } from '@tollgate/contract';
import type {
  BatchItemRecord,
  OperationRecord,
  Records,
  ResourceRecord,
  Storage,
  WalletRecord,
  Write,
} from '@tollgate/storage';
import type { Life } from '../life.ts';
import { afterOneStep } from '../moves.ts';
import { report } from '../stage.ts';
import { progressOf, rankOf } from './progress.ts';
import type { WorkChange, WorkWorld } from './work-world.ts';

interface Step {
  readonly life: Life;
  readonly nowMs: number;
  readonly changes: readonly WorkChange[];
}

const isOwn = (world: WorkWorld, life: Life, owner: string): boolean =>
  owner === life.name || owner.startsWith(`${life.name}/`) || world.claims.get(owner) === life;

/** What only its owner may do while the lease runs: release it, take it, fail it or mark it uncertain. */
const checkLease = (world: WorkWorld, step: Step, before: OperationRecord, after: OperationRecord): void => {
  const { owner, dueAtMs, state } = before;
  const isWorkedOn = state === 'processing' || state === 'cancelling';
  if (!isWorkedOn || owner === null || dueAtMs === null || dueAtMs <= step.nowMs) return;
  const isTruth = after.state === 'completed' || after.pendingMicros !== null || after.state === 'settling';
  const isTaken = after.owner !== owner || after.state === 'failed' || after.state === 'uncertain';
  if (isTaken && !isTruth && !isOwn(world, step.life, owner))
    report(world, 'lease_respected', `${before.id} was taken from ${owner} by ${step.life.name}: ${after.state}`);
};

/** Work that was begun fails by the command of its owner alone; uncertain work has no owner. */
const checkFailure = (world: WorkWorld, { life }: Step, before: OperationRecord, after: OperationRecord): void => {
  const wasBegun = before.state === 'processing' || before.state === 'cancelling' || before.state === 'uncertain';
  const fails = after.state === 'failed' || (after.state === 'settling' && after.pendingMicros === null);
  if (wasBegun && fails && (before.owner === null || !isOwn(world, life, before.owner)))
    report(world, 'failed_by_its_holder', `${before.id} of ${before.owner ?? 'nobody'} was failed by ${life.name}`);
};

const noteOperation = (world: WorkWorld, step: Step, before: OperationRecord | undefined, after: OperationRecord) => {
  if (before === undefined) world.registeredBy.set(after.id, step.life);
  else {
    if (afterOneStep.get(before.state)?.has(after.state) !== true)
      report(world, 'legal_moves', `${before.id} from ${before.state} to ${after.state}`);
    const changed = before.chargedMicros !== after.chargedMicros || before.holdMicros !== after.holdMicros;
    if (isEnded(before.state) && changed) report(world, 'ended_stays_ended', before.id);
    if (isResourceKind(before.kind)) {
      checkLease(world, step, before, after);
      checkFailure(world, step, before, after);
    }
  }
  world.operations.set(after.id, after);
};

const mark = ({ marks }: WorkWorld, of: string): void => void marks.set(of, (marks.get(of) ?? 0) + 1);

/** Whose turn it was that wrote: the one that had the operation before the step. */
const turnOf = ({ changes }: Step): string => {
  const change = changes.find(({ write }) => write.table === 'operation');
  // The row before is of the write's own table.
  return (change?.before as OperationRecord | undefined)?.owner ?? 'nobody';
};

/** A turn may undo a mark of its own, by a step that was sent before and came late; no turn may undo another one's. */
const noteProgress = (world: WorkWorld, step: Step, before: ResourceRecord, after: ResourceRecord): void => {
  const [was, is] = [progressOf(before), progressOf(after)];
  if (is.phase === 'submitting' && was.phase !== 'submitting') mark(world, after.id);
  const mayGoOn =
    is.phase === 'submitting' ? was.phase === 'asked' || was.phase === 'submitting' : rankOf(was) <= rankOf(is);
  const turn = turnOf(step);
  const isOwnMark = world.markedBy.get(after.id) === turn;
  world.markedBy.set(after.id, turn);
  if (!mayGoOn && !isOwnMark) report(world, 'marks_are_never_undone', `${after.id} from ${was.phase} to ${is.phase}`);
};

const noteResource = (
  world: WorkWorld,
  step: Step,
  before: ResourceRecord | undefined,
  after: ResourceRecord,
): void => {
  if (before !== undefined) noteProgress(world, step, before, after);
  world.resources.set(after.id, after);
};

/** What an item may become. One that may have run waits again only where it is known that it has not. */
const mayBecome = (world: WorkWorld, { id, state }: BatchItemRecord, next: BatchItemRecord['state']): boolean => {
  if (next === state || state === 'waiting') return true;
  if (state === 'unknown') return next === 'completed' || next === 'failed';
  if (state !== 'running') return false;
  const last = world.upstream.handOvers.findLast(({ of }) => of === id);
  return next !== 'waiting' || last === undefined || (last.script.kind === 'not_executed' && last.answered);
};

const noteItem = (world: WorkWorld, step: Step, before: BatchItemRecord | undefined, after: BatchItemRecord): void => {
  if (before === undefined) return;
  if (after.state === 'running' && before.state === 'waiting') mark(world, after.id);
  const holder = world.operations.get(after.batchId)?.owner ?? null;
  if (holder === null || !isOwn(world, step.life, holder)) world.toldLate.add(after.batchId);
  if (!mayBecome(world, before, after.state))
    report(world, 'marks_are_never_undone', `${after.id} from ${before.state} to ${after.state}`);
};

const noteWallet = (world: WorkWorld, { balanceMicros, reservedMicros }: WalletRecord): void => {
  if (reservedMicros < 0n || reservedMicros > balanceMicros)
    report(world, 'reserved_within_balance', `${reservedMicros} of ${balanceMicros}`);
};

const noteChange = (world: WorkWorld, step: Step, change: WorkChange): void => {
  const { write, before } = change;
  world.outfit.recordChange(world, step.life, change);
  if (write.kind === 'delete') {
    if (write.table === 'operation') world.operations.delete(write.id);
    return;
  }
  // The row before is of the write's own table.
  if (write.table === 'operation') noteOperation(world, step, before as OperationRecord | undefined, write.record);
  if (write.table === 'resource') noteResource(world, step, before as ResourceRecord | undefined, write.record);
  if (write.table === 'batchItem') noteItem(world, step, before as BatchItemRecord | undefined, write.record);
  if (write.table === 'wallet') noteWallet(world, write.record);
};

const noteStep = (world: WorkWorld, step: Step): void => {
  for (const change of step.changes) noteChange(world, step, change);
};

const watched = new Set(['operation', 'resource', 'batchItem', 'delivery', 'trigger', 'occurrence']);

const beforeOf = (records: Records, write: Write): unknown =>
  write.kind === 'put' && watched.has(write.table) ? records.get(write.table, write.record.id) : undefined;

/** The storage, with every step that it commits recorded. */
export const watchWork = (world: WorkWorld, life: Life, storage: Storage): Storage => ({
  ...storage,
  claim: async (query) => {
    world.claims.set(query.owner, life);
    const rows = await storage.claim(query);
    world.outfit.claimed(life, query, rows);
    return rows;
  },
  transact: async (keys, decide) => {
    let step: Step | undefined;
    const answer = await storage.transact(keys, (records, nowMs) => {
      // A decision may be called more than once, and only its last result counts.
      const decision = decide(records, nowMs);
      const changes = decision.writes.map((write) => ({ write, before: beforeOf(records, write) }));
      step = { life, nowMs, changes };
      return decision;
    });
    if (step !== undefined) noteStep(world, step);
    return answer;
  },
});
