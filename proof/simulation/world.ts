import { parseTariff, type Tariff } from '@tollgate/engine';
import type { OperationRecord, Storage } from '@tollgate/storage';
import type { MemoryIdentities, MemoryLedger } from '@tollgate/testing/fakes';
import type { ClientRequest } from './client-request.ts';
import type { Execution } from './execution.ts';
import type { Life } from './life.ts';
import type { ProviderScript } from './provider-script.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';
import type { Breach } from './stage.ts';
import type { Subject } from './subject.ts';

/** How the gateway of a history is set up. */
export interface WorldSetup {
  readonly ledger: 'wallet' | 'host';
  readonly identities: 'built_in' | 'host';
  readonly overrun: 'pending' | 'absorb';
  readonly initialMicros: bigint;
  /** In a storm anything may happen at any time; in a calm nothing fails, no process dies, and jobs run when they should. */
  readonly weather: 'storm' | 'calm';
  /** Of a hundred calls, how many meet a fault. */
  readonly faultPercent: number;
}

export interface IssuedDeposit {
  readonly amountMicros: bigint;
  acknowledged: boolean;
}

/** Everything of one history: the processes, what lies outside them, and what the recorders saw. */
export interface World {
  readonly setup: WorldSetup;
  readonly random: Random;
  readonly subject: Subject;
  readonly scheduler: Scheduler;
  readonly clock: { nowMs: number };
  /** The store behind all faults. */
  readonly storage: Storage;
  readonly ledger: MemoryLedger | null;
  readonly identities: MemoryIdentities | null;
  readonly lives: Life[];
  readonly counters: { ids: number; lives: number; requests: number; faults: number; steps: number };
  readonly requests: ClientRequest[];
  readonly executions: Execution[];
  readonly deposits: Map<string, IssuedDeposit>;
  /** What an operator said of operations, and was confirmed. */
  readonly verdicts: Map<string, bigint | 'not_executed'>;
  /** The operations as committed, owner and due time aside. */
  readonly operations: Map<string, OperationRecord>;
  /** Which life registered an operation. */
  readonly registeredBy: Map<string, Life>;
  readonly breaches: Breach[];
  /** What the provider does, execution by execution. */
  readonly nextScript: () => ProviderScript;
  /** Faults and delays are over: everything is answered at once. */
  over: boolean;
}

export const accountId = 'account';
export const projectIds = ['project-one', 'project-two'] as const;
export const keyId = 'key';
export const modelId = 'model';

export const tariff: Tariff = parseTariff({
  version: 'v1',
  models: { [modelId]: { perMillion: { input_text_tokens: '1' } } },
});
