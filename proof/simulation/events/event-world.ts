import type { DeliveryRecord } from '@tollgate/storage';
import type { Life } from '../life.ts';
import type { Random } from '../random.ts';
import type { WorkWorld } from '../work/work-world.ts';

/** How a receiver takes what it is sent. */
export type Manner = 'honest' | 'moody' | 'stubborn';

export interface Receiver {
  readonly webhookId: string;
  readonly url: string;
  readonly manner: Manner;
}

/** One request that reached a receiver, as the receiver remembers it. */
export interface Arrival {
  readonly deliveryId: string;
  readonly life: Life;
  readonly accepted: boolean;
}

/** What lies outside of a history of events, and what its recorders saw. */
export interface EventRecorder {
  readonly receivers: Receiver[];
  readonly arrivals: Arrival[];
  /** By delivery and life: how often it was claimed to be sent, and how often it was. */
  readonly claimed: Map<string, number>;
  readonly sent: Map<string, number>;
  /** The rows as committed. */
  readonly deliveries: Map<string, DeliveryRecord>;
  /** Deliveries that a client sends again. */
  readonly redelivered: Set<string>;
  readonly triggerIds: string[];
  /** The occurrences that were made, and the instants that were left behind in time, by the ids of their occurrences. */
  readonly occurrences: Set<string>;
  readonly left: Set<string>;
}

export const createEventRecorder = (): EventRecorder => ({
  receivers: [],
  arrivals: [],
  claimed: new Map(),
  sent: new Map(),
  deliveries: new Map(),
  redelivered: new Set(),
  triggerIds: [],
  occurrences: new Set(),
  left: new Set(),
});

export const raise = (counts: Map<string, number>, name: string): number => {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count;
};

export const accepts = (random: Random, manner: Manner): boolean =>
  manner === 'honest' || (manner === 'moody' && random.oneIn(3));

export interface EventScene {
  readonly world: WorkWorld;
  readonly recorder: EventRecorder;
}
