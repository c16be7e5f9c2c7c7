import type { Engine, EngineOptions, WorkerPool } from '@tollgate/engine';
import { isEnded, isResourceKind } from '@tollgate/contract';
import type { Key, OperationRecord, Storage, Write } from '@tollgate/storage';
import { shippingWork, type WorkSubject } from '../work-subject.ts';
import { alteredWork, type WorkFault } from './work-fault.ts';

const isSweep = (owner: string): boolean => owner.startsWith('sweep:');
const processOf = (owner: string): string => owner.split('/')[0] ?? owner;

/** What a renewal was before each turn had a name: the worker takes the work back from a sweep, and where it was put off. */
const lenientlyRenewed = (operation: OperationRecord, owner: string): boolean =>
  !isEnded(operation.state) &&
  operation.state !== 'uncertain' &&
  (!isResourceKind(operation.kind) ||
    operation.owner === null ||
    isSweep(operation.owner) ||
    processOf(operation.owner) === processOf(owner));

const renewLeniently = async (engine: Engine, workers: WorkerPool): Promise<void> => {
  const { running: aged } = engine.running.takeAged();
  const keys: readonly Key[] = aged.map(({ id }) => ({ table: 'operation', id }) as const);
  const lost = await engine.storage.transact(keys, (records, nowMs) => {
    const gone: string[] = [];
    const writes: Write[] = [];
    for (const { id, owner } of aged) {
      const operation = records.get('operation', id);
      if (operation === undefined || !lenientlyRenewed(operation, owner)) gone.push(id);
      else {
        const dueAtMs = nowMs + engine.limits.leaseMs;
        writes.push({ kind: 'put', table: 'operation', record: { ...operation, owner, dueAtMs } });
      }
    }
    return { writes, answer: gone };
  });
  workers.lose(lost);
};

/** The process alone, where the name is that of a turn. */
const withoutTurn = (operation: OperationRecord): OperationRecord => {
  const { owner, id } = operation;
  return owner === null || isSweep(owner) || owner.endsWith(`/${id}`)
    ? operation
    : { ...operation, owner: processOf(owner) };
};

const nameless = (write: Write): Write =>
  write.kind === 'put' && write.table === 'operation' ? { ...write, record: withoutTurn(write.record) } : write;

const hasOperation = (answer: unknown): answer is { readonly operation: OperationRecord } =>
  typeof answer === 'object' && answer !== null && 'operation' in answer && answer.operation !== null;

/** Whatever is stored of a turn is stored of its process. */
const storageWithoutTurns = (storage: Storage): Storage => ({
  ...storage,
  transact: (keys, decide) =>
    storage.transact(keys, (records, nowMs) => {
      const { writes, answer } = decide(records, nowMs);
      if (!hasOperation(answer)) return { writes: writes.map(nameless), answer };
      return { writes: writes.map(nameless), answer: { ...answer, operation: withoutTurn(answer.operation) } };
    }),
});

/** A worker that has the work already leaves a claim of its own process on it as it is. */
const keepsClaim: WorkSubject['createWorkers'] = (engine, kinds) => {
  const workers = shippingWork.createWorkers(engine, kinds);
  return {
    ...workers,
    take: async (claimed) => {
      if (!engine.running.list().some(({ id }) => id === claimed.id)) await workers.take(claimed);
    },
  };
};

const withoutNames = (options: EngineOptions): EngineOptions => ({
  ...options,
  storage: storageWithoutTurns(options.storage),
});

const create = shippingWork.createEngine;

/** Leases held by a process, as they were once: a turn that stalled could take its work back and undo what came after it. */
export const turnFaults: readonly WorkFault[] = [
  {
    name: 'leases are of processes and not of turns, and are taken back',
    rule: 'handed_over_once',
    subject: alteredWork({
      createEngine: (options) => create(withoutNames(options)),
      createWorkers: keepsClaim,
      renewLeases: renewLeniently,
    }),
  },
  {
    name: 'a turn takes its work back from a sweep, and where it was put off',
    rule: 'marks_are_never_undone',
    subject: alteredWork({ renewLeases: renewLeniently }),
  },
];
