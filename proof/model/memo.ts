import type { DeliveryRecord, OccurrenceRecord, OutboxRecord, ResourceRecord, TriggerRecord } from '@tollgate/storage';
import type { CommandBody } from './command.ts';

/** What the sender of commands remembers of what earlier ones have shown: rows as they were claimed, and what looks found. */
export interface Memo {
  readonly looks: Map<string, { readonly uses: number; readonly inUse: boolean }>;
  /** By the claim's name; of each table in a map of its own, for their records differ. */
  readonly resources: Map<string, ResourceRecord>;
  readonly events: Map<string, OutboxRecord>;
  readonly deliveries: Map<string, DeliveryRecord>;
  readonly triggers: Map<string, TriggerRecord>;
  readonly occurrences: Map<string, OccurrenceRecord>;
  /** By schedule: the id of its latest occurrence. */
  readonly latest: Map<string, string>;
}

export const createMemo = (): Memo => ({
  looks: new Map(),
  resources: new Map(),
  events: new Map(),
  deliveries: new Map(),
  triggers: new Map(),
  occurrences: new Map(),
  latest: new Map(),
});

const needing: ReadonlySet<CommandBody['kind']> = new Set([
  'claim',
  'delete',
  'expire',
  'clear',
  'fade',
  'end_early',
  'fan_out',
  'purge_delivery',
  'occur',
  'conclude_occurrence',
  'purge_occurrence',
]);

/** Whether a command goes by what earlier ones have shown, so that it cannot be sent together with them. */
export const goesByMemo = ({ kind }: CommandBody): boolean => needing.has(kind);
