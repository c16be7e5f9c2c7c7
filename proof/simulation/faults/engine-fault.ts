import type { Engine } from '@tollgate/engine';
import type { OperationLedger } from '../../../packages/engine/src/ledger/operation-ledger.ts';
import { shippingEngine, type Subject } from '../subject.ts';
import type { WorldSetup } from '../world.ts';

/** An engine with one thing wrong. The simulation must notice it, by the rule that it breaks. */
export interface EngineFault {
  readonly name: string;
  /** Where a gateway in public has had it. */
  readonly seenIn?: string;
  /** The check that must notice it. */
  readonly rule: string;
  readonly setup?: Partial<WorldSetup>;
  readonly subject: Subject;
}

/** The shipping engine with some functions replaced. */
export const altered = (changes: Partial<Subject>): Subject => ({ ...shippingEngine, ...changes });

/** The shipping engine with commands to the wallet replaced. */
export const withMoney = (
  alter: (engine: Engine, operationLedger: OperationLedger) => Partial<OperationLedger>,
): Subject =>
  altered({
    createEngine: (options) => {
      const engine = shippingEngine.createEngine(options);
      return { ...engine, operationLedger: { ...engine.operationLedger, ...alter(engine, engine.operationLedger) } };
    },
  });

type Plan = Parameters<Subject['runOperation']>[1];

/** The shipping engine, given other plans than the route made. */
export const withPlan = (alter: (plan: Plan, engine: Engine) => Partial<Plan>): Subject =>
  altered({
    runOperation: (engine, plan) => shippingEngine.runOperation(engine, { ...plan, ...alter(plan, engine) }),
  });
