import type { Storage } from '@tollgate/storage';
import { memoryStorage } from '@tollgate/storage-memory';
import { createFaultyStorage, fakeClock, type FakeClock, type Fault, type FaultedCall } from '@tollgate/testing/fakes';
import { createAdministration, type Administration } from '../src/administration/administration.ts';
import { createEngine } from '../src/create-engine.ts';
import type { Engine, EngineOptions } from '../src/engine.ts';
import type { OperationOutcome, OperationPlan } from '../src/operations/operation-plan.ts';
import { runOperation } from '../src/operations/run-operation.ts';
import { withoutWorkers } from '../src/jobs/sweep.ts';
import { parseTariff } from '../src/ledger/tariff.ts';
import { sweep } from './process-parts.ts';

/** An engine on a memory storage with a clock turned by hand, an account, a project and a key. */
export interface EngineWorld {
  readonly engine: Engine;
  readonly admin: Administration;
  readonly clock: FakeClock;
  /** The storage behind all faults. */
  readonly storage: Storage;
  readonly accountId: string;
  readonly projectId: string;
  readonly keyId: string;
  /** What befalls the next calls for which it is asked; calls it returns nothing for go through. */
  faults: (call: FaultedCall) => Fault | Promise<Fault> | undefined;
  /** Another engine on the same storage, as another process. */
  readonly another: (options?: Partial<EngineOptions>) => Engine;
  readonly run: (plan?: Partial<OperationPlan<number>>) => Promise<OperationOutcome>;
  readonly runOn: (engine: Engine, plan?: Partial<OperationPlan<number>>) => Promise<OperationOutcome>;
  /** How often the provider was called. */
  readonly executions: () => number;
  readonly warnings: readonly string[];
}

export const holdMicros = 10n;

/** A token costs one micro-credit, so that amounts can be read off. */
const testTariff = parseTariff({
  version: 'v1',
  models: { model: { perMillion: { input_text_tokens: '1' } } },
});

const startMs = 1_700_000_000_000;

const countingIds = (): (() => string) => {
  let ids = 0;
  return () => {
    ids += 1;
    return `00000000-0000-7000-8000-${String(ids).padStart(12, '0')}`;
  };
};

const foundOrThrow = <T>(record: T | null): T => {
  if (record === null) throw new Error('the world is not furnished');
  return record;
};

type Furniture = Pick<EngineWorld, 'accountId' | 'projectId' | 'keyId'>;

const furnish = async (admin: Administration, depositMicros: bigint): Promise<Furniture> => {
  const { id: accountId } = await admin.createAccount({ name: 'Ada' });
  const { id: projectId } = foundOrThrow(await admin.createProject({ accountId, name: 'Engine' }));
  const { id: keyId } = foundOrThrow(await admin.createKey({ projectId, model: null }));
  if (depositMicros > 0n) await admin.deposit({ accountId, amountMicros: depositMicros, reference: 'first' });
  return { accountId, projectId, keyId };
};

const planOf = (access: Furniture, plan: Partial<OperationPlan<number>>): OperationPlan<number> => ({
  access,
  kind: 'chat_completion',
  model: 'model',
  provider: 'scripted',
  identity: null,
  fingerprint: 'body',
  answerForm: 'json',
  estimate: [{ unit: 'input_text_tokens', quantity: Number(holdMicros) }],
  refusal: null,
  isAbandoned: () => false,
  execute: async () => 5,
  measure: (quantity) => [{ unit: 'input_text_tokens', quantity, confirmed: true }],
  answer: (tokens) => ({ body: `{"tokens":${tokens}}`, toolContexts: [] }),
  ...plan,
});

/** The engine's options but for the storage: a clock turned by hand, ids that count, and pauses that do not last. */
const worldOptions = (clock: FakeClock, warnings: string[]) => {
  const reference = (message: string): void => void warnings.push(message);
  return {
    tariff: testTariff,
    newId: countingIds(),
    sleep: () => Promise.resolve(),
    after: clock.after,
    monotonicMs: clock.monotonicMs,
    secrets: ['the secret of the engine world'],
    logger: { info: () => {}, warn: reference, error: reference },
  };
};

/** Opens a world whose account has so much. */
export const createEngineWorld = async (
  balanceMicros = 100n,
  options: Partial<EngineOptions> = {},
): Promise<EngineWorld> => {
  const clock = fakeClock(startMs);
  const storage = memoryStorage({ now: clock.now, schedule: queueMicrotask });
  const warnings: string[] = [];
  const given = { ...worldOptions(clock, warnings), ...options };
  const before = (call: FaultedCall) => world.faults(call) ?? ({ kind: 'none' } as const);
  const another: EngineWorld['another'] = (more = {}) =>
    createEngine({ storage: createFaultyStorage(storage, { before }), ...given, ...more });
  const engine = another();
  // The kinds of the process are given later than its administration is made.
  const admin: Administration = {
    ...createAdministration(engine, withoutWorkers(engine)),
    sweep: () => sweep(engine),
  };
  let executions = 0;
  const runOn: EngineWorld['runOn'] = (on, plan = {}) => {
    const whole = planOf(world, plan);
    const execute: typeof whole.execute = (context) => {
      executions += 1;
      return whole.execute(context);
    };
    return runOperation(on, { ...whole, execute });
  };
  const parts = { engine, admin, clock, storage, another, runOn, warnings, executions: () => executions };
  const world: EngineWorld = {
    ...parts,
    accountId: '',
    projectId: '',
    keyId: '',
    faults: () => undefined,
    run: (plan) => runOn(engine, plan),
  };
  return Object.assign(world, await furnish(admin, options.ledger === undefined ? balanceMicros : 0n));
};

/** A promise that a test keeps. */
export const openPromise = <T>() => Promise.withResolvers<T>();

/** Lets everything go on that waits for nothing outside the process. */
export const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The outcome's operation id, of whatever kind it is. */
export const idOf = (outcome: OperationOutcome): string => {
  const id = outcome.kind === 'completed' ? outcome.operation.id : outcome.requestId;
  if (id === null) throw new Error('nothing was registered');
  return id;
};

/** Lets the first so many steps of the storage that match go wrong, and the rest go through. */
export const firstSteps = (count: number, fault: Fault, matches: (call: FaultedCall) => boolean = () => true) => {
  let left = count;
  return (call: FaultedCall): Fault | undefined => {
    if (left === 0 || call.name !== 'transact' || !matches(call)) return undefined;
    left -= 1;
    return fault;
  };
};

/** Whether the step opens an operation. */
export const opens = (call: FaultedCall): boolean => call.keys.some((key) => key.table === 'apiKey');
