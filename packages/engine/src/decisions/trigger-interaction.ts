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

// Written by `createTriggerStep` alone, which is given one.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const interactionOf = ({ interaction }: TriggerRecord): TriggerInteraction => interaction as TriggerInteraction;

/** Where the whole interaction of a schedule lies, if it is a large one. */
export const triggerBlobKey = (triggerId: string): string => `triggers/${triggerId}`;
