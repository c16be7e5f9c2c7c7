import type { EventBody } from './event-command.ts';
import type { Slot } from './slot.ts';
import type { Closing, Deferral, SlotUse, WorkBody } from './work-command.ts';

/** What a call used, for the commands that price. */
export interface UsedUnits {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** A command as a history has it. Amounts are plain numbers of micro-credits, so that the model shares no arithmetic with the engine. */
export type CommandBody = MoneyBody | WorkBody | EventBody;

export type MoneyBody =
  | {
      readonly kind: 'open';
      readonly slot: Slot;
      readonly fingerprint: string;
      readonly hold: number;
      readonly refused: boolean;
      readonly owner: string;
      /** Present where a worker executes it later. */
      readonly deferral?: Deferral;
      /** Present where a socket executes it, if one comes within so long. */
      readonly accessMs?: number;
      readonly uses?: readonly SlotUse[];
      /** Blobs that its work needs. */
      readonly guard?: readonly string[];
    }
  | { readonly kind: 'extend'; readonly slot: Slot; readonly hold: number }
  | { readonly kind: 'capture'; readonly slot: Slot; readonly sequence: number; readonly amount: number }
  | {
      readonly kind: 'settle';
      readonly slot: Slot;
      readonly measured: number;
      /** Pico-credits beyond the whole micro-credits. */
      readonly fraction: number;
      readonly answered: boolean;
      readonly overrun: 'pending' | 'absorb';
      readonly anomalyId: string;
      readonly closing?: Closing;
      /** Resources of which it was noted that it uses them. */
      readonly used?: readonly string[];
    }
  | {
      readonly kind: 'fail';
      readonly slot: Slot;
      readonly anomalyId: string;
      /** The turn of deferred work that says so. */
      readonly owner?: string;
    }
  | {
      readonly kind: 'doubt';
      readonly slot: Slot;
      readonly answered: boolean;
      /** The owner a sweep saw, a turn of deferred work, or null for a running process's own word. */
      readonly expiredOwner: string | null;
      readonly closing?: Closing;
      /** Tokens that are known to have been used at the least. */
      readonly atLeast?: number;
    }
  | {
      readonly kind: 'resolve';
      readonly slot: Slot;
      /** `measured` names the tokens of a bill, which cost a micro-credit each. */
      readonly verdict: 'failed' | 'executed' | 'measured' | 'at_least';
      /** Null charges what is waiting. */
      readonly measured: number | null;
      readonly anomalyId: string;
    }
  | {
      readonly kind: 'deposit' | 'compensate';
      readonly accountId: string;
      readonly amount: number;
      readonly reference: string;
      /** What becomes of what the balance does not cover; refused where nothing is said. */
      readonly shortfall?: 'owe' | 'forgive';
    }
  | {
      readonly kind: 'pay';
      readonly accountId: string;
      readonly reference: string;
      readonly amount: number;
      /** What refunds and disputes take back in all, as of the version. */
      readonly back: number;
      readonly version: number;
      readonly shortfall: 'owe' | 'forgive';
    }
  | { readonly kind: 'collect'; readonly accountId: string }
  | {
      readonly kind: 'renew';
      /** Each under the name that its lease is held by. */
      readonly leases: readonly { readonly slot: Slot; readonly owner: string }[];
    }
  | {
      readonly kind: 'purge';
      readonly slot: Slot;
      readonly owner: string | null;
      /** What its resource belongs to. */
      readonly parent?: string;
    }
  | {
      readonly kind: 'access';
      readonly of: 'key';
      readonly id: string;
      readonly status: 'active' | 'inactive' | 'revoked';
    }
  | {
      readonly kind: 'access';
      readonly of: 'project';
      readonly id: string;
      readonly status: 'active' | 'paused' | 'blocked';
    }
  | {
      readonly kind: 'access';
      readonly of: 'account';
      readonly id: string;
      readonly status: 'active' | 'inactive' | 'blocked';
    }
  /** What a key may spend from now on; null takes the cap away. */
  | {
      readonly kind: 'cap';
      readonly keyId: string;
      readonly amount: number | null;
      readonly window: 'hour' | 'total';
    }
  /** A settlement that waits for balance is tried again. */
  | { readonly kind: 'retry'; readonly slot: Slot; readonly anomalyId: string }
  | { readonly kind: 'price'; readonly used: UsedUnits; readonly rounding: 'up' | 'half_up' }
  | {
      readonly kind: 'charge';
      readonly used: UsedUnits;
      readonly rounding: 'carry' | 'up' | 'half_up';
      /** What it costs at the least, in micro-credits. */
      readonly minimum: number;
      /** What the request costs beside its units, in micro-credits. */
      readonly fee: number;
      /** Whether the price list has prices of their own for long input. */
      readonly tiered: boolean;
    }
  | {
      readonly kind: 'sell';
      readonly used: UsedUnits;
      /** The plan of the account; null for none. */
      readonly plan: 'cheap' | 'agreed' | 'unknown' | null;
      /** Whether the account has prices of its own. */
      readonly isBuyer: boolean;
      readonly isMarkedUp: boolean;
      readonly isBatch: boolean;
      /** Who carried it out: one with prices of its own, another, or several. */
      readonly provider: 'own' | 'other' | null;
      /** How it asked to be served, and was as far as that is known. */
      readonly asked: 'flex' | 'priority' | null;
      readonly served: 'flex' | 'priority' | 'standard' | null;
    };

const workKinds: ReadonlySet<string> = new Set<WorkBody['kind']>([
  'claim',
  'start',
  'keep',
  'put_back',
  'cancel',
  'look',
  'delete',
  'expire',
  'clear',
  'fade',
  'changeTtl',
  'end_early',
  'items',
  'take_access',
  'stage',
]);

export const isWorkBody = (body: CommandBody): body is WorkBody => workKinds.has(body.kind);

const eventKinds: ReadonlySet<string> = new Set<EventBody['kind']>([
  'create_webhook',
  'change_webhook',
  'fan_out',
  'conclude_delivery',
  'redeliver',
  'purge_delivery',
  'create_trigger',
  'change_trigger',
  'occur',
  'conclude_occurrence',
  'purge_occurrence',
]);

export const isEventBody = (body: CommandBody): body is EventBody => eventKinds.has(body.kind);

export interface Command {
  readonly body: CommandBody;
  /** How far the store's clock moves before it. */
  readonly waitMs: number;
  /** The place of the earlier command that this one is again, or null. */
  readonly repeatOf: number | null;
}

export interface History {
  readonly slots: readonly Slot[];
  readonly commands: readonly Command[];
}

/** One line for a failure message. */
export const printCommand = ({ body: { kind, ...input }, waitMs, repeatOf }: Command): string => {
  const again = repeatOf === null ? '' : ` again#${repeatOf}`;
  const wait = waitMs === 0 ? '' : ` +${waitMs}ms`;
  return `${kind}${again}${wait} ${JSON.stringify(input)}`;
};

/** Whether the caller that marks an operation uncertain brings evidence, or only has seen its lease run out. */
export const bringsEvidence = (body: Extract<MoneyBody, { readonly kind: 'doubt' }>): boolean =>
  body.expiredOwner === null || body.answered || body.closing !== undefined;
