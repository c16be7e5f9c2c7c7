import {
  createEngine,
  findRequest,
  markRunningUncertain,
  releaseUnconfirmed,
  renewLeases,
  runOperation,
  sweep,
  withoutWorkers,
  type Engine,
  type EngineOptions,
  type FoundRequest,
  type OperationOutcome,
  type OperationPlan,
  type ResolveAnswer,
  type Verdict,
} from '@tollgate/engine';
import { deposit } from '../../packages/engine/src/administration/deposits.ts';
import { resolveOperation } from '../../packages/engine/src/administration/resolve.ts';
import type { DepositAnswer } from '../../packages/engine/src/decisions/deposit.ts';
import type { ProviderResult } from './provider-script.ts';

/** What is proved: the functions of the engine that move credits or answer for them. */
export interface Subject {
  readonly createEngine: (options: EngineOptions) => Engine;
  readonly runOperation: (engine: Engine, plan: OperationPlan<ProviderResult>) => Promise<OperationOutcome>;
  readonly sweep: (engine: Engine) => Promise<unknown>;
  readonly renewLeases: (engine: Engine) => Promise<void>;
  readonly releaseUnconfirmed: (engine: Engine) => Promise<void>;
  readonly markRunningUncertain: (engine: Engine) => Promise<number>;
  readonly deposit: (
    engine: Engine,
    input: { readonly accountId: string; readonly amountMicros: bigint; readonly reference: string },
  ) => Promise<DepositAnswer>;
  readonly resolveOperation: (engine: Engine, id: string, verdict: Verdict) => Promise<ResolveAnswer>;
  readonly findRequest: (engine: Engine, projectId: string, id: string) => Promise<FoundRequest | null>;
}

/** The engine as it ships. */
export const shippingEngine: Subject = {
  createEngine,
  runOperation,
  // The histories of the kernel have no resources, webhooks or schedules.
  sweep: (engine) => sweep(engine, withoutWorkers(engine)),
  renewLeases: (engine) => renewLeases(engine, withoutWorkers(engine).workers),
  releaseUnconfirmed,
  markRunningUncertain,
  deposit,
  resolveOperation,
  findRequest,
};
