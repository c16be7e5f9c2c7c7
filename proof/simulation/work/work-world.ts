import {
  parseTariff,
  type EngineOptions,
  type JobParts,
  type StartScheduledRun,
  type Tariff,
  type WebhookSender,
} from '@tollgate/engine';
import type { ClaimQuery, OperationRecord, ResourceRecord, Storage, Write } from '@tollgate/storage';
import type { MemoryLedger } from '@tollgate/testing/fakes';
import type { Life } from '../life.ts';
import type { Random } from '../random.ts';
import type { Task } from '../scheduler.ts';
import type { Stage } from '../stage.ts';
import { modelId, type IssuedDeposit } from '../world.ts';
import type { Upstream } from './upstream.ts';
import type { Handed, UpstreamScript } from './upstream-script.ts';
import type { WorkSubject } from './work-subject.ts';

/** How the gateway of a history is set up. */
export interface WorkSetup {
  readonly ledger: 'wallet' | 'host';
  /** Whether the gateway carries batches out item by item, or the upstream as a whole. */
  readonly batches: 'items' | 'upstream';
  readonly overrun: 'pending' | 'absorb';
  readonly initialMicros: bigint;
  readonly faultPercent: number;
}

/** Work that a client has ordered and knows of. */
export interface Order {
  readonly id: string;
  readonly kind: 'video' | 'batch';
}

/** A process that works on what clients have ordered. */
export interface WorkLife extends Life {
  readonly parts: JobParts;
}

/** What a process is given beside its kinds; null where it does not do it. */
export interface Equipment {
  readonly sender: WebhookSender | null;
  readonly startRun: StartScheduledRun | null;
}

/** What more a process of a history is given, and what more is noted of what it writes. */
export interface Outfit {
  readonly options: (world: WorkWorld, life: Life) => Partial<EngineOptions>;
  /** Called once the engine is there. */
  readonly equip: (world: WorkWorld, life: Life) => Equipment;
  readonly recordChange: (world: WorkWorld, life: Life, change: WorkChange) => void;
  readonly claimed: (life: Life, query: ClaimQuery, rows: readonly { readonly id: string }[]) => void;
}

/** One write of a step, and the row before it. */
export interface WorkChange {
  readonly write: Write;
  readonly before: unknown;
}

export const plainOutfit: Outfit = {
  options: () => ({}),
  equip: () => ({ sender: null, startRun: null }),
  recordChange: () => undefined,
  claimed: () => undefined,
};

/** Everything of one history of deferred work. */
export interface WorkWorld extends Stage {
  readonly setup: WorkSetup;
  readonly subject: WorkSubject;
  readonly outfit: Outfit;
  /** The store behind all faults. */
  readonly storage: Storage;
  readonly ledger: MemoryLedger | null;
  readonly lives: WorkLife[];
  readonly counters: { ids: number; lives: number; faults: number; steps: number };
  readonly upstream: Upstream;
  readonly nextScript: (of: Handed) => UpstreamScript;
  /** Tasks that stall: whatever else goes on, they wait. */
  readonly stalled: Set<Task>;
  /** Whose process runs now while the others stand still, or null where all do. */
  focus: WorkLife | null;
  /** For how many steps nothing else happens than that it goes on. */
  burst: number;
  readonly orders: Order[];
  readonly deposits: Map<string, IssuedDeposit>;
  /** The rows as committed. */
  readonly operations: Map<string, OperationRecord>;
  readonly resources: Map<string, ResourceRecord>;
  /** Which life registered an operation. */
  readonly registeredBy: Map<string, Life>;
  /** How often it was noted durably, by a step of its own, that something may be handed over. */
  readonly marks: Map<string, number>;
  /** By video: the turn that wrote last how far it is. */
  readonly markedBy: Map<string, string>;
  /** Batches of which a turn that had lost them recorded an item: the worker that was to settle may have died before it could. */
  readonly toldLate: Set<string>;
  /** Which life made a claim. */
  readonly claims: Map<string, Life>;
}

export const workTariff: Tariff = parseTariff({
  version: 'v1',
  models: { [modelId]: { perMillion: { input_text_tokens: '1', video_seconds: '1' } } },
});

/** A place in a list, or nothing where it is empty. */
export const someOf = <T>(random: Random, list: readonly T[]): T | undefined => list[random.below(list.length || 1)];
