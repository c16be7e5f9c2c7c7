import type { NotExecutedReason } from '@tollgate/provider';

/** What an upstream carries out in its own time. */
export type JobFamily = 'video' | 'batch' | 'interaction' | 'import';

/** What one execution is of. */
export type Family = JobFamily | 'generate' | 'embed' | 'tool' | 'cache';

/** What the provider of a victim asks of the reference upstream. A key names one thing that may be executed once. */
export type ReferenceCall =
  | {
      readonly kind: 'generate';
      readonly key: string;
      /** Names of the functions that may be called, and how many calls were answered already. */
      readonly functions: readonly string[];
      readonly answered: number;
    }
  | { readonly kind: 'embed'; readonly key: string; readonly texts: number; readonly dimensions: number }
  | { readonly kind: 'tool' | 'cache'; readonly key: string }
  | {
      readonly kind: 'start';
      readonly family: JobFamily;
      readonly key: string;
      readonly items: readonly { readonly key: string; readonly id: string }[];
    }
  | { readonly kind: 'poll' | 'cancel'; readonly job: string }
  /** Something that costs nothing and may be asked again. */
  | { readonly kind: 'free' };

export type ReferenceAnswer =
  | { readonly kind: 'answered'; readonly value: unknown }
  /** The reference upstream says that it did not run. */
  | { readonly kind: 'not_executed'; readonly reason: NotExecutedReason; readonly retryAfterMs?: number };

/** A video as the reference upstream tells of it; its bytes are read from `/media/<id>`. */
export interface RecordedVideo {
  readonly media: string;
  readonly reference: string;
}

/** The header by which a call tells the process that it comes from. */
export const processHeader = 'x-process';

/** Ids of operations are uuids, and every key begins with one. */
const uuidChars = 36;
export const operationIdOf = (key: string): string => key.slice(0, uuidChars);
