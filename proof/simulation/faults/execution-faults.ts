import { runOperation, type Engine, type OperationOutcome } from '@tollgate/engine';
import { isNotExecuted, NotExecuted } from '@tollgate/provider';
import type { Subject } from '../subject.ts';
import { altered, withPlan, type EngineFault } from './engine-fault.ts';

type Plan = Parameters<Subject['runOperation']>[1];

/** Runs once more where a repeat was refused with the code. */
const runAgainOn =
  (code: string) =>
  async (engine: Engine, plan: Plan): Promise<OperationOutcome> => {
    const outcome = await runOperation(engine, plan);
    if (outcome.kind !== 'refused' || outcome.code !== code || outcome.requestId === null) return outcome;
    const { signal } = new AbortController();
    await plan.execute({
      operationId: outcome.requestId,
      signal,
      recordAttempt: () => {},
      createdAtMs: 0,
      caller: plan.access,
    });
    return outcome;
  };

const refundsAnyError: EngineFault = {
  name: 'any error of the provider is a refund',
  seenIn: 'faratech/bsod-analyzer #77',
  rule: 'executed_is_charged_or_uncertain',
  subject: withPlan((plan) => ({
    execute: async (context) => {
      try {
        return await plan.execute(context);
      } catch (cause) {
        throw isNotExecuted(cause) ? cause : new NotExecuted({ reason: 'failed', cause });
      }
    },
  })),
};

const missingIsZero: EngineFault = {
  name: 'missing usage counts as zero',
  rule: 'unmeasured_is_uncertain',
  subject: withPlan((plan) => ({
    measure: (result) => {
      const usage = plan.measure(result);
      return usage.length > 0 ? usage : [{ unit: 'input_text_tokens', quantity: 0, confirmed: true }];
    },
  })),
};

const believesUnconfirmed: EngineFault = {
  name: 'usage that the provider did not confirm is charged',
  rule: 'unmeasured_is_uncertain',
  subject: withPlan((plan) => ({
    measure: (result) => plan.measure(result).map((meter) => ({ ...meter, confirmed: true })),
  })),
};

const leavingCancels: EngineFault = {
  name: 'a client who leaves cancels the generation and is not charged',
  seenIn: 'LiteLLM #37558',
  rule: 'executed_is_charged_or_uncertain',
  subject: withPlan((plan) => ({
    execute: async (context) => {
      const result = await plan.execute(context);
      if (plan.isAbandoned()) throw new NotExecuted({ reason: 'cancelled' });
      return result;
    },
  })),
};

const leavingIsNotBooked: EngineFault = {
  name: 'the usage of a client who has left is not booked',
  seenIn: 'LiteLLM #13245',
  rule: 'calm_work_ends',
  setup: { weather: 'calm' },
  subject: withPlan((plan) => ({
    execute: async (context) => {
      const result = await plan.execute(context);
      if (plan.isAbandoned()) throw new Error('nobody is there to read the answer');
      return result;
    },
  })),
};

const leavingLeaksTheHold: EngineFault = {
  name: 'a client who leaves before the start leaves the hold behind',
  seenIn: 'LiteLLM #27639, #30522, #30460, #40050',
  rule: 'calm_work_ends',
  setup: { weather: 'calm' },
  subject: withPlan((plan) => ({
    isAbandoned: () => false,
    execute: async (context) => {
      if (plan.isAbandoned()) throw new Error('nobody is there');
      return plan.execute(context);
    },
  })),
};

const retriesUnknown: EngineFault = {
  name: 'a call whose outcome is unknown is made again',
  rule: 'one_execution_per_operation',
  subject: withPlan((plan) => ({
    execute: async (context) => {
      try {
        return await plan.execute(context);
      } catch (cause) {
        if (isNotExecuted(cause)) throw cause;
        return plan.execute(context);
      }
    },
  })),
};

const takesOverStarted: EngineFault = {
  name: 'a repeat takes over an operation that was started',
  rule: 'one_execution_per_operation',
  subject: altered({ runOperation: runAgainOn('request_in_progress') }),
};

const runsUncertainAgain: EngineFault = {
  name: 'a repeat runs an uncertain operation again',
  rule: 'one_execution_per_operation',
  subject: altered({ runOperation: runAgainOn('settlement_pending') }),
};

const runsPurgedAgain: EngineFault = {
  name: 'a repeat runs again what has lost its answer to retention',
  rule: 'purged_is_never_executed',
  subject: altered({ runOperation: runAgainOn('result_expired') }),
};

const replayExecutes: EngineFault = {
  name: 'a replay is executed again',
  rule: 'one_execution_per_operation',
  subject: altered({
    runOperation: async (engine, plan) => {
      const outcome = await runOperation(engine, plan);
      if (outcome.kind !== 'completed' || !outcome.replayed) return outcome;
      const { signal } = new AbortController();
      await plan.execute({
        operationId: outcome.operation.id,
        signal,
        recordAttempt: () => {},
        createdAtMs: 0,
        caller: plan.access,
      });
      return outcome;
    },
  }),
};

export const executionFaults: readonly EngineFault[] = [
  refundsAnyError,
  missingIsZero,
  believesUnconfirmed,
  leavingCancels,
  leavingIsNotBooked,
  leavingLeaksTheHold,
  retriesUnknown,
  takesOverStarted,
  runsUncertainAgain,
  runsPurgedAgain,
  replayExecutes,
];
