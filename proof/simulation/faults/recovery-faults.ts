import type { Engine } from '@tollgate/engine';
import { listRowsMax, type OperationRecord } from '@tollgate/storage';
import { failCommand } from '../../../packages/engine/src/operations/conclude.ts';
import { depositStep } from '../../../packages/engine/src/decisions/deposit.ts';
import { markUncertainStep } from '../../../packages/engine/src/decisions/mark-uncertain.ts';
import { identityId } from '../../../packages/engine/src/decisions/open.ts';
import { shippingEngine } from '../subject.ts';
import { accountId } from '../world.ts';
import { altered, withMoney, type EngineFault } from './engine-fault.ts';
import { commitOnce } from '../../../packages/engine/src/operations/persist.ts';

const doubt = (engine: Engine, operationId: string) => {
  const { answerKeptMs } = engine.limits;
  const command = { operationId, evidence: null, answerKeptMs, decideAfterMs: null, expiredOwner: null };
  return commitOnce(engine, markUncertainStep(command));
};

const fail = (engine: Engine, operation: Pick<OperationRecord, 'id' | 'accountId' | 'projectId' | 'kind'>) =>
  engine.operationLedger.fail(failCommand(engine, operation, 'service_unavailable', null));

const ignoresLeases: EngineFault = {
  name: 'the sweep ignores leases',
  rule: 'lease_respected',
  subject: altered({
    sweep: async (engine) => {
      const running = await engine.storage.list('operationsByState', { of: 'processing', limit: listRowsMax });
      for (const { id } of running) await doubt(engine, id);
      return shippingEngine.sweep(engine);
    },
  }),
};

const failsExpired: EngineFault = {
  name: 'the sweep fails what it should doubt',
  rule: 'executed_is_charged_or_uncertain',
  subject: altered({
    sweep: async (engine) => {
      const { leaseMs } = engine.limits;
      const query = { table: 'operation', owner: 'sweep:wrong', leaseMs, limit: listRowsMax } as const;
      for (const operation of await engine.storage.claim(query))
        if (operation.state === 'processing') await fail(engine, operation);
      return shippingEngine.sweep(engine);
    },
  }),
};

const freesByAge: EngineFault = {
  name: 'a hold expires by time although the provider may have run',
  rule: 'executed_is_charged_or_uncertain',
  subject: altered({
    createEngine: (options) =>
      shippingEngine.createEngine({ ...options, decideUncertain: { afterMs: 1, verdict: 'fail' } }),
  }),
};

const neverSweeps: EngineFault = {
  name: 'nobody looks after what dead processes left',
  rule: 'nothing_left_running',
  subject: altered({ sweep: async () => null }),
};

const forgetsRenewal: EngineFault = {
  name: 'leases are never renewed',
  rule: 'renewed_is_never_swept',
  setup: { weather: 'calm' },
  subject: altered({ renewLeases: async () => {} }),
};

const markingFrees: EngineFault = {
  name: 'a process that is shut down frees what it runs',
  rule: 'executed_is_charged_or_uncertain',
  setup: { weather: 'storm' },
  subject: altered({
    markRunningUncertain: async (engine) => {
      const running = engine.running.list();
      for (const { id } of running) await fail(engine, { id, accountId, projectId: '', kind: 'chat_completion' });
      return running.length;
    },
  }),
};

const restartAddsBalance: EngineFault = {
  name: 'every process that starts adds the first balance again',
  seenIn: 'LiteLLM #28247',
  rule: 'deposits_once',
  setup: { ledger: 'wallet' },
  subject: altered({
    createEngine: (options) => {
      const engine = shippingEngine.createEngine(options);
      const command = {
        accountId,
        kind: 'deposit',
        amountMicros: 100n,
        reference: `start of ${engine.owner}`,
        operationId: null,
      } as const;
      commitOnce(engine, depositStep(command)).catch(() => {});
      return engine;
    },
  }),
};

const freeIdentity = async (engine: Engine, operation: OperationRecord): Promise<void> => {
  if (operation.identity === null) return;
  const id = identityId(operation.projectId, operation.identity);
  await engine.storage.transact([{ table: 'identity', id }], () => ({
    writes: [{ kind: 'delete', table: 'identity', id }],
    answer: undefined,
  }));
};

const failureFreesIdentity: EngineFault = {
  name: 'an operation that failed gives its identity back',
  rule: 'one_operation_per_identity',
  setup: { identities: 'built_in' },
  subject: withMoney((engine, operationLedger) => ({
    fail: async (command) => {
      const answer = await operationLedger.fail(command);
      if (answer.kind === 'failed') await freeIdentity(engine, answer.operation);
      return answer;
    },
  })),
};

const findsOthers: EngineFault = {
  name: 'an operation is found from any project',
  rule: 'operations_are_isolated',
  subject: altered({
    findRequest: async (engine, _, id) => {
      const records = await engine.storage.read([{ table: 'operation', id }]);
      const operation = records.get('operation', id);
      return operation === undefined ? null : shippingEngine.findRequest(engine, operation.projectId, id);
    },
  }),
};

export const recoveryFaults: readonly EngineFault[] = [
  ignoresLeases,
  failsExpired,
  freesByAge,
  neverSweeps,
  forgetsRenewal,
  markingFrees,
  restartAddsBalance,
  failureFreesIdentity,
  findsOthers,
];
