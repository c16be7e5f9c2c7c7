import { findRequest, runOperation, type Engine } from '@tollgate/engine';
import { failCommand } from '../../../packages/engine/src/operations/conclude.ts';
import {
  identityId,
  open,
  preparedOperation,
  type OpenAnswer,
  type OpenCommand,
} from '../../../packages/engine/src/decisions/open.ts';
import { availableMicros } from '../../../packages/engine/src/decisions/wallet.ts';
import { altered, withMoney, type EngineFault } from './engine-fault.ts';
import { withLoan } from './rich-wallet.ts';
import { commitOnce } from '../../../packages/engine/src/operations/persist.ts';

const idOnce = (engine: Engine, id: string): Engine => {
  let given = false;
  const newId = (): string => {
    if (given) return engine.newId();
    given = true;
    return id;
  };
  return { ...engine, newId };
};

const noBarrier: EngineFault = {
  name: 'the provider is called before the opening is durable',
  rule: 'executed_is_registered',
  setup: { identities: 'built_in' },
  subject: altered({
    runOperation: async (engine, plan) => {
      const operationId = engine.newId();
      const { signal } = new AbortController();
      const early = plan.execute({ operationId, signal, recordAttempt: () => {}, createdAtMs: 0, caller: plan.access });
      early.catch(() => {});
      return runOperation(idOnce(engine, operationId), { ...plan, execute: () => early });
    },
  }),
};

const runsUnconfirmed: EngineFault = {
  name: 'an opening that nobody confirmed is executed all the same',
  rule: 'executed_is_registered',
  subject: withMoney((_, operationLedger) => ({
    open: async (command) => {
      try {
        return await operationLedger.open(command);
      } catch {
        return { kind: 'started', operation: preparedOperation(command, 0), walletSeq: 0 };
      }
    },
  })),
};

const registerRefused = (engine: Engine, command: OpenCommand): Promise<void> =>
  engine.storage.transact([{ table: 'operation', id: command.operationId }], (_, nowMs) => ({
    writes: [
      {
        kind: 'put',
        table: 'operation',
        record: { ...preparedOperation(command, nowMs), state: 'failed', endedAtMs: nowMs },
      },
    ],
    answer: undefined,
  }));

const registersRefused: EngineFault = {
  name: 'a refusal for want of credits registers the operation',
  rule: 'refusal_leaves_nothing',
  subject: withMoney((engine, operationLedger) => ({
    open: async (command) => {
      const answer = await operationLedger.open(command);
      if (answer.kind === 'insufficient') await registerRefused(engine, command);
      return answer;
    },
  })),
};

/** No key has a cap here. */
const commitOpening = async (engine: Engine, step: ReturnType<typeof open>): Promise<OpenAnswer> => {
  const answer = await commitOnce(engine, step);
  if (answer.kind === 'elsewhere') throw new Error('a key without a cap counts nowhere');
  return answer;
};

const checkThenReserve = async (engine: Engine, command: OpenCommand): Promise<OpenAnswer> => {
  const records = await engine.storage.read([{ table: 'wallet', id: command.accountId }]);
  const wallet = records.get('wallet', command.accountId);
  const available = wallet === undefined ? 0n : availableMicros(wallet);
  if (available < command.holdMicros) return { kind: 'insufficient', availableMicros: available, walletSeq: 0 };
  return commitOpening(engine, withLoan(open(command)));
};

const advisoryCheck: EngineFault = {
  name: 'the balance is looked at first and reserved later',
  seenIn: 'LiteLLM #34732, #40095, #26672; Membrane #3210, octopus #234, CliRelay #1045',
  rule: 'reserved_within_balance',
  setup: { ledger: 'wallet' },
  subject: withMoney((engine) => ({ open: (command) => checkThenReserve(engine, command) })),
};

const trustedUser: EngineFault = {
  name: 'trusted accounts reserve nothing',
  seenIn: 'one-api #2440, new-api #6609',
  rule: 'uncertain_keeps_hold',
  setup: { ledger: 'wallet' },
  subject: withMoney((_, operationLedger) => ({
    open: (command) => operationLedger.open({ ...command, holdMicros: 0n }),
  })),
};

const claimLater = async (engine: Engine, command: OpenCommand): Promise<OpenAnswer> => {
  const { identity, operationId, fingerprint } = command;
  if (identity === null) return commitOpening(engine, open(command));
  const key = { table: 'identity', id: identityId(command.projectId, identity) } as const;
  const claim = (await engine.storage.read([key])).get('identity', key.id);
  if (claim !== undefined)
    return { kind: claim.fingerprint === fingerprint ? 'known' : 'conflict', operationId: claim.operationId };
  const anonymous = { ...command, identity: null };
  const answer = await commitOpening(engine, open(anonymous));
  if (answer.kind === 'started')
    await engine.storage.transact([key], (_, createdAtMs) => ({
      writes: [{ kind: 'put', table: 'identity', record: { id: key.id, operationId, fingerprint, createdAtMs } }],
      answer: undefined,
    }));
  return answer;
};

const claimsLater: EngineFault = {
  name: 'the identity is looked up first and claimed in a later step',
  rule: 'one_execution_per_identity',
  setup: { ledger: 'wallet', identities: 'built_in' },
  subject: withMoney((engine) => ({ open: (command) => claimLater(engine, command) })),
};

const ignoresBody: EngineFault = {
  name: 'another body under the identity gets the first answer',
  rule: 'answer_belongs_to_body',
  subject: altered({
    runOperation: async (engine, plan) => {
      const outcome = await runOperation(engine, plan);
      if (outcome.kind !== 'refused' || outcome.code !== 'ai_idempotency_conflict' || outcome.requestId === null)
        return outcome;
      const found = await findRequest(engine, plan.access.projectId, outcome.requestId);
      if (found === null || found.body === null) return outcome;
      return { kind: 'completed', operation: found.operation, body: found.body, division: null, replayed: true };
    },
  }),
};

const sharedOwner: EngineFault = {
  name: 'requests of one process open under one name',
  rule: 'one_execution_per_operation',
  setup: { identities: 'host', faultPercent: 40, weather: 'storm' },
  subject: withMoney((engine, operationLedger) => ({
    open: (command) => operationLedger.open({ ...command, owner: engine.owner }),
  })),
};

const releasesOthers: EngineFault = {
  name: 'an unconfirmed opening is released, whoever registered the operation',
  rule: 'executed_is_charged_or_uncertain',
  setup: { identities: 'host', faultPercent: 40, weather: 'storm' },
  subject: altered({
    releaseUnconfirmed: async (engine) => {
      for (const { operationId, accountId } of engine.running.takeUnconfirmed())
        await engine.operationLedger.fail(
          failCommand(
            engine,
            { id: operationId, accountId, projectId: '', kind: 'chat_completion' },
            'service_unavailable',
            null,
          ),
        );
    },
  }),
};

export const openingFaults: readonly EngineFault[] = [
  noBarrier,
  runsUnconfirmed,
  registersRefused,
  advisoryCheck,
  trustedUser,
  claimsLater,
  ignoresBody,
  sharedOwner,
  releasesOthers,
];
