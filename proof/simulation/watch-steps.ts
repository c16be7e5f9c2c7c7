import { isEnded } from '@tollgate/contract';
import type { Decision, OperationRecord, Records, Storage, Write } from '@tollgate/storage';
import type { Life } from './life.ts';
import { afterOneStep } from './moves.ts';
import { report } from './stage.ts';
import type { World } from './world.ts';

interface Step {
  readonly life: Life;
  readonly nowMs: number;
  readonly writes: readonly Write[];
  readonly answer: unknown;
  readonly before: readonly (OperationRecord | undefined)[];
}

const isForeign = (world: World, step: Step, before: OperationRecord): boolean =>
  world.registeredBy.get(before.id) !== step.life && !(before.owner ?? '').startsWith('sweep:');

/** Taken by a sweep while the request that runs it is still at work. */
const isSwept = (world: World, { state, owner, kind }: OperationRecord): boolean =>
  state === 'processing' &&
  (owner ?? '').startsWith('sweep:') &&
  world.requests.some(({ tag, told }) => tag === kind && told.kind === 'nothing_yet');

const checkMove = (world: World, step: Step, before: OperationRecord, after: OperationRecord): void => {
  if (afterOneStep.get(before.state)?.has(after.state) !== true)
    report(world, 'legal_moves', `${before.id} from ${before.state} to ${after.state}`);
  const changed = before.chargedMicros !== after.chargedMicros || before.holdMicros !== after.holdMicros;
  if (isEnded(before.state) && changed) report(world, 'ended_stays_ended', before.id);
  // What is being settled with a host's ledger may be finished by any process: each of its steps is repeatable.
  const running = before.endedAtMs === null && before.state !== 'uncertain' && before.state !== 'settling';
  const alive = running && before.dueAtMs !== null && before.dueAtMs > step.nowMs;
  if (alive && before.state !== after.state && isForeign(world, step, before))
    report(world, 'lease_respected', `${before.id} was taken from ${before.owner ?? 'nobody'}`);
  if (world.setup.weather === 'calm' && !world.over && isSwept(world, before))
    report(world, 'renewed_is_never_swept', `${before.id} was swept while its process lived`);
};

const noteOperation = (world: World, step: Step, before: OperationRecord | undefined, after: OperationRecord): void => {
  if (before === undefined) world.registeredBy.set(after.id, step.life);
  else checkMove(world, step, before, after);
  world.operations.set(after.id, after);
};

const unchanging = new Set(['insufficient', 'conflict', 'known', 'refused', 'alive', 'missing']);

const checkRefusal = (world: World, { answer, writes }: Step): void => {
  if (typeof answer !== 'object' || answer === null || !('kind' in answer)) return;
  if (unchanging.has(String(answer.kind)) && writes.length > 0)
    report(world, 'refused_command_changes_nothing', `${String(answer.kind)} with ${writes.length} writes`);
};

const noteStep = (world: World, step: Step): void => {
  checkRefusal(world, step);
  const removed = new Set<string>();
  for (const [at, write] of step.writes.entries()) {
    if (write.kind === 'delete' && write.table === 'operation') {
      removed.add(write.id);
      world.operations.delete(write.id);
    } else if (write.kind === 'put' && write.table === 'operation') {
      noteOperation(world, step, step.before[at], write.record);
    } else if (write.kind === 'put' && write.table === 'wallet') {
      const { balanceMicros, reservedMicros } = write.record;
      if (reservedMicros < 0n || reservedMicros > balanceMicros)
        report(world, 'reserved_within_balance', `${reservedMicros} of ${balanceMicros}`);
    }
  }
};

const beforeOf = (records: Records, write: Write): OperationRecord | undefined =>
  write.kind === 'put' && write.table === 'operation' ? records.get('operation', write.record.id) : undefined;

/** How often a decision is asked for once more than needed, one time in so many. */
const askedTwice = 16;

/** The storage, with every step that it commits recorded: what came before, what was written, what was answered. */
export const watchSteps = (world: World, life: Life, storage: Storage): Storage => ({
  ...storage,
  transact: async (keys, decide) => {
    let step: Step | undefined;
    const answer = await storage.transact(keys, (records, nowMs) => {
      // A decision may be called more than once, and only its last result counts.
      if (!world.over && world.random.oneIn(askedTwice)) decide(records, nowMs);
      const decision: Decision<unknown> = decide(records, nowMs);
      const { writes } = decision;
      step = { life, nowMs, writes, answer: decision.answer, before: writes.map((write) => beforeOf(records, write)) };
      return decision as ReturnType<typeof decide>;
    });
    if (step !== undefined) noteStep(world, step);
    return answer;
  },
});
