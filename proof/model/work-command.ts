import type { ResourceKind, ResourceAvailability } from '@tollgate/contract';
import type { Slot } from './slot.ts';

/** How a resource is opened. Times are counted from now. */
export interface Deferral {
  readonly execution: 'queued' | 'nothing';
  readonly expiresAfter: number | null;
  readonly items: number;
  readonly parent: string | null;
}

/** A resource that an opening needs. */
export interface SlotUse {
  readonly id: string;
  readonly kind: ResourceKind;
  readonly whenCompleted: boolean;
  readonly kept: number | null;
}

/** What becomes of a resource with its settlement. */
export interface Closing {
  readonly availability: ResourceAvailability;
  readonly expiresAfter: number | null;
  readonly mark: number | null;
  readonly blobs: readonly string[];
  readonly dropped: readonly string[];
}

export interface ItemEndInput {
  readonly place: number;
  readonly state: 'completed' | 'failed' | 'cancelled' | 'unknown' | 'waiting';
}

export type ClaimedTable = 'operation' | 'resource' | 'pendingBlob' | 'outbox' | 'delivery' | 'trigger' | 'occurrence';

/** Commands of the worker of deferred work, and of clients who cancel, use and delete it. */
export type WorkBody =
  /** What a storage does when a sweep asks for due rows, here row by row. An occurrence is named by its schedule. */
  | {
      readonly kind: 'claim';
      readonly of: ClaimedTable;
      readonly id: string;
      readonly slot: Slot | null;
      readonly owner: string;
    }
  | { readonly kind: 'start'; readonly slot: Slot; readonly claimedBy: string; readonly owner: string }
  | {
      readonly kind: 'keep';
      readonly slot: Slot;
      readonly owner: string;
      readonly mark: number;
      readonly next: 'lease' | 'later' | 'active';
      /** For how long it is left alone, or usable. */
      readonly after: number;
    }
  | { readonly kind: 'put_back'; readonly slot: Slot; readonly claimedBy: string; readonly after: number }
  | { readonly kind: 'cancel'; readonly slot: Slot }
  /** What a deletion sees first: the count of uses, and whether one of them is under way. */
  | { readonly kind: 'look'; readonly slot: Slot; readonly name: string; readonly users: readonly Slot[] }
  | { readonly kind: 'delete'; readonly slot: Slot; readonly look: string; readonly parent: string | null }
  | { readonly kind: 'expire'; readonly slot: Slot; readonly claim: string; readonly parent: string | null }
  | { readonly kind: 'clear'; readonly slot: Slot; readonly claim: string }
  | {
      readonly kind: 'fade';
      readonly slot: Slot;
      readonly claim: string;
      readonly mark: number;
      readonly dueAfter: number | null;
    }
  | { readonly kind: 'changeTtl'; readonly slot: Slot; readonly ttl: number; readonly step: 'reserve' | 'apply' }
  | { readonly kind: 'end_early'; readonly slot: Slot; readonly look: string; readonly owner: string }
  | {
      readonly kind: 'items';
      readonly slot: Slot;
      readonly owner: string;
      readonly ends: readonly ItemEndInput[];
      readonly start: readonly number[];
    }
  | { readonly kind: 'take_access'; readonly slot: Slot; readonly right: boolean; readonly owner: string }
  /** Bytes are stored before anything owns them. */
  | { readonly kind: 'stage'; readonly blob: string };

/** What a millisecond of a kept resource costs. */
export const keptRate = 2;
export const stagedMs = 8;
