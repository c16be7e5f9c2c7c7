import type { Engine } from '@tollgate/engine';
import type { OperationRecord, Records, TableName, Tables } from '@tollgate/storage';
import { failCommand } from '../../../packages/engine/src/operations/conclude.ts';
import { depositStep } from '../../../packages/engine/src/decisions/deposit.ts';
import { settle, type SettleAnswer, type SettleCommand } from '../../../packages/engine/src/decisions/settle.ts';
import { shippingEngine } from '../subject.ts';
import { altered, withMoney, type EngineFault } from './engine-fault.ts';
import { withLoan } from './rich-wallet.ts';
import { commit, commitOnce } from '../../../packages/engine/src/operations/persist.ts';

const refund = (engine: Engine, { operationId, accountId }: SettleCommand) =>
  engine.operationLedger.fail(
    failCommand(engine, { id: operationId, accountId, projectId: '', kind: 'chat_completion' }, 'request_failed', null),
  );

const readOperation = async (engine: Engine, id: string): Promise<OperationRecord | undefined> =>
  (await engine.storage.read([{ table: 'operation', id }])).get('operation', id);

const forgetEnd = (operation: OperationRecord): OperationRecord => ({
  ...operation,
  state: 'processing',
  chargedMicros: 0n,
  endedAtMs: null,
});

/** Records in which nothing has ended yet. */
const withoutEnds = (records: Records): Records => ({
  get: <N extends TableName>(table: N, id: string) => {
    const record = records.get(table, id);
    const ended = record !== undefined && 'endedAtMs' in record && record.state === 'completed';
    return ended ? (forgetEnd(record) as Tables[N]) : record;
  },
});

const settlesTwice: EngineFault = {
  name: 'a settlement that is sent again debits again',
  rule: 'audit_clean',
  setup: { ledger: 'wallet' },
  subject: withMoney((engine) => ({
    settle: (command) => {
      const { keys, decide } = settle(command);
      return commit(engine, { keys, decide: (records, nowMs) => decide(withoutEnds(records), nowMs) });
    },
  })),
};

const pretendSettled = async (engine: Engine, command: SettleCommand): Promise<SettleAnswer> => {
  const operation = await readOperation(engine, command.operationId);
  if (operation === undefined) return { kind: 'missing' };
  const charged = { ...operation, state: 'completed' as const, chargedMicros: command.measuredMicros };
  return { kind: 'settled', operation: charged, walletSeq: 0 };
};

const swallowsError: EngineFault = {
  name: 'an error of the settlement is swallowed and the client is told that all is well',
  rule: 'answered_after_the_commit',
  setup: { faultPercent: 40, weather: 'storm', ledger: 'wallet' },
  subject: withMoney((engine) => ({
    settle: async (command) => {
      try {
        return await commitOnce(engine, settle(command));
      } catch {
        return pretendSettled(engine, command);
      }
    },
  })),
};

const queues = new Map<string, SettleCommand[]>();

const queuesInMemory: EngineFault = {
  name: 'settlements are taken from a queue in memory and lost when the process dies',
  seenIn: 'LiteLLM #33872',
  rule: 'answered_after_the_commit',
  subject: {
    ...withMoney((engine) => ({
      settle: (command) => {
        queues.set(engine.owner, [...(queues.get(engine.owner) ?? []), command]);
        return pretendSettled(engine, command);
      },
    })),
    renewLeases: async (engine) => {
      const queued = queues.get(engine.owner) ?? [];
      queues.delete(engine.owner);
      for (const command of queued) await commitOnce(engine, settle(command));
      await shippingEngine.renewLeases(engine);
    },
  },
};

const refundsOnError: EngineFault = {
  name: 'an error of the settlement frees the reservation',
  seenIn: 'LiteLLM #30039',
  rule: 'executed_is_charged_or_uncertain',
  setup: { faultPercent: 40, weather: 'storm' },
  subject: withMoney((engine) => ({
    settle: async (command) => {
      try {
        return await commitOnce(engine, settle(command));
      } catch (cause) {
        await refund(engine, command);
        throw cause;
      }
    },
  })),
};

const forgivesOverrun: EngineFault = {
  name: 'a measure that the balance does not cover is rolled back and free',
  rule: 'executed_is_charged_or_uncertain',
  subject: withMoney((engine, operationLedger) => ({
    settle: async (command) => {
      const answer = await operationLedger.settle(command);
      if (answer.kind === 'pending') await refund(engine, command);
      return answer;
    },
  })),
};

const goesNegative: EngineFault = {
  name: 'the debit is unconditional',
  seenIn: 'one-api #2440, new-api #6609',
  rule: 'reserved_within_balance',
  setup: { ledger: 'wallet' },
  subject: withMoney((engine) => ({
    settle: (command) => commit(engine, withLoan(settle(command))),
  })),
};

const keepsSurplus: EngineFault = {
  name: 'the whole hold is charged, whatever was measured',
  rule: 'charged_exactly_the_measure',
  subject: withMoney((_, operationLedger) => ({
    settle: (command) =>
      operationLedger.settle({
        ...command,
        measuredMicros: command.measuredMicros < 10n ? 10n : command.measuredMicros,
      }),
  })),
};

const storeLater = async (engine: Engine, command: SettleCommand): Promise<SettleAnswer> => {
  const answer = await commitOnce(engine, settle({ ...command, evidence: null }));
  const stored = command.evidence?.answer ?? null;
  if (stored === null) return answer;
  const id = command.operationId;
  await engine.storage.transact(settle(command).keys, (records, createdAtMs) => {
    const operation = records.get('operation', id);
    if (operation === undefined) return { writes: [], answer: undefined };
    return {
      writes: [
        { kind: 'put', table: 'operation', record: { ...operation, answer: 'stored' } },
        { kind: 'put', table: 'answer', record: { id, division: null, createdAtMs, ...stored } },
      ],
      answer: undefined,
    };
  });
  return answer;
};

const answersLater: EngineFault = {
  name: 'the answer is stored in a step after the debit',
  rule: 'charged_with_its_answer',
  setup: { ledger: 'wallet', weather: 'storm' },
  subject: withMoney((engine) => ({ settle: (command) => storeLater(engine, command) })),
};

const depositsAgain: EngineFault = {
  name: 'a deposit that is sent again is added again',
  rule: 'deposits_once',
  setup: { ledger: 'wallet', weather: 'storm' },
  subject: altered({
    deposit: async (engine, input) => {
      const command = { ...input, kind: 'deposit' as const, operationId: null };
      const { keys, decide } = depositStep(command);
      return engine.storage.transact(keys, (records, nowMs) => {
        const again = records.get('deposit', `${input.accountId}:${input.reference}`) !== undefined;
        if (!again) return decide(records, nowMs);
        const unknown: Records = {
          get: (table, id) => (table === 'deposit' ? undefined : records.get(table, id)),
        };
        return decide(unknown, nowMs);
      });
    },
  }),
};

const depositSettlesNothing: EngineFault = {
  name: 'a deposit leaves waiting settlements waiting',
  rule: 'covered_is_settled',
  setup: { ledger: 'wallet', overrun: 'pending' },
  subject: altered({
    deposit: (engine, input) => {
      const command = { ...input, kind: 'deposit' as const, operationId: null };
      return commitOnce(engine, depositStep(command));
    },
  }),
};

const showsPending: EngineFault = {
  name: 'an answer is shown before it is paid for',
  rule: 'answer_only_when_completed',
  subject: altered({
    findRequest: async (engine, projectId, id) => {
      const found = await shippingEngine.findRequest(engine, projectId, id);
      if (found === null || found.operation.answer !== 'stored') return found;
      const records = await engine.storage.read([{ table: 'answer', id }]);
      return { ...found, body: records.get('answer', id)?.body ?? '' };
    },
  }),
};

export const settlementFaults: readonly EngineFault[] = [
  settlesTwice,
  swallowsError,
  queuesInMemory,
  refundsOnError,
  forgivesOverrun,
  goesNegative,
  keepsSurplus,
  answersLater,
  depositsAgain,
  depositSettlesNothing,
  showsPending,
];
