import type { OperationState } from '../operation-state.ts';

/** The asynchronous kinds; each is an operation with a record, a due time and a lease. */
export const resourceKinds = [
  'cache',
  'batch',
  'video',
  'store',
  'document',
  'interaction',
  'agent',
  'environment',
] as const;
export type ResourceKind = (typeof resourceKinds)[number];

const kindSet: ReadonlySet<string> = new Set(resourceKinds);

/** Whether operations of this kind carry a resource. */
export const isResourceKind = (kind: string): kind is ResourceKind => kindSet.has(kind);

// resources:states:vocabulary
/** Every state that a resource, a file included, can show. There is no `cancelled`. */
export const resourceStates = [
  'preparing',
  'reserved',
  'processing',
  'active',
  'cancelling',
  'settling',
  'requires_action',
  'completed',
  'uncertain',
  'failed',
  'expired',
  'deleted',
] as const;
export type ResourceState = (typeof resourceStates)[number];

/**
 * Where a resource stands beside its operation: it `follows` until it is usable (`active`) or waits for a function result
 * (`requires_action`), and in the end is `expired` or `deleted`.
 */
export const resourceAvailabilities = ['follows', 'active', 'requires_action', 'expired', 'deleted'] as const;
export type ResourceAvailability = (typeof resourceAvailabilities)[number];

const charged = ['preparing', 'reserved', 'processing', 'settling', 'uncertain', 'failed', 'deleted'] as const;
const kept = [
  'preparing',
  'reserved',
  'processing',
  'active',
  'settling',
  'uncertain',
  'failed',
  'expired',
  'deleted',
] as const;
const free = ['preparing', 'active', 'failed', 'deleted'] as const;

// resources:states:by-kind
/** The states that each kind can show. */
export const statesByKind = Object.freeze({
  file: ['processing', 'active', 'failed', 'expired', 'deleted'],
  cache: kept,
  batch: [...charged, 'cancelling', 'completed'],
  video: [...charged, 'completed', 'expired'],
  store: free,
  agent: free,
  document: [...charged, 'completed'],
  interaction: [...charged, 'cancelling', 'requires_action', 'completed'],
  environment: kept,
  live: ['preparing', 'reserved', 'processing', 'completed', 'uncertain', 'failed'],
} as const satisfies Readonly<Record<ResourceKind | 'file' | 'live', readonly ResourceState[]>>);

/** What an operation can come to whose resource was usable: then that is shown, for it is usable no more. */
const overrides: ReadonlySet<OperationState> = new Set(['settling', 'uncertain', 'failed']);

/** What a client is shown: the availability where the resource has one of its own, else the state of its operation. */
export const resourceState = (availability: ResourceAvailability, state: OperationState): ResourceState =>
  availability === 'follows' || (availability === 'active' && overrides.has(state)) ? state : availability;

/** The kinds that a client can cancel. */
export const isCancellable = (kind: ResourceKind): boolean => kind === 'batch' || kind === 'interaction';
