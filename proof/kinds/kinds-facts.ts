/** A record as a client got it. */
export interface ToldRecord {
  readonly id: string;
  readonly way: string;
  readonly path: string;
  readonly key: string;
  readonly body: string;
}

/** What clients received, and what it saw go wrong on the way. */
export interface KindsFacts {
  /** Records that had ended when they were read whole: from then on they are true for good. By id. */
  readonly ended: Map<string, ToldRecord>;
  /** Resources that a client has asked to delete, or to change. */
  readonly removed: Set<string>;
  readonly changed: Set<string>;
  /** How many answers had each status; 0 counts broken connections. */
  readonly statuses: Map<number, number>;
  readonly violations: string[];
  /** Requests under way that change something, by way and origin. */
  readonly asking: Map<string, number>;
  created: number;
  /** Ways of which a resource was created. */
  readonly begun: Set<string>;
}

export const createKindsFacts = (): KindsFacts => ({
  ended: new Map(),
  removed: new Set(),
  changed: new Set(),
  statuses: new Map(),
  violations: [],
  asking: new Map(),
  created: 0,
  begun: new Set(),
});

export const askingKey = (way: string, origin: string): string => `${way} ${origin}`;
