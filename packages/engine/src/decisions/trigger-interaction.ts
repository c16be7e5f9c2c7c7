import { isRecord } from '@tollgate/contract';
import type { TriggerRecord } from '@tollgate/storage';

/** The interaction that a schedule opens, as its record keeps it. */
export interface TriggerInteraction {
  /** What may be read again: all of it but secrets and media. */
  readonly shown: unknown;
  /** The whole of it, sealed by its reader: in the record where it is small, else in a blob of the schedule's. */
  readonly whole:
    | { readonly kind: 'inline'; readonly sealed: string }
    | { readonly kind: 'blob'; readonly sizeBytes?: number };
}

const isInteraction = (value: unknown): value is TriggerInteraction => isRecord(value) && isRecord(value['whole']);

/** The interaction that a schedule opens. Throws where the record holds none. */
export const interactionOf = ({ interaction }: TriggerRecord): TriggerInteraction => {
  if (!isInteraction(interaction)) throw new Error('the record of a schedule holds no interaction');
  return interaction;
};

/** Where the whole interaction of a schedule lies, if it is a large one. */
export const triggerBlobKey = (triggerId: string): string => `triggers/${triggerId}`;
