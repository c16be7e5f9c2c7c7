import type { StoredMedia } from '../stored-media.ts';
import type { EndedInteraction } from './interaction-work.ts';
import type { StoredJson } from './stored-json.ts';

type Sized = { readonly sizeBytes: number };

export const sumOfSizes = (parts: readonly Sized[]): number => parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

const blobOf = (stored: StoredJson<unknown>): readonly Sized[] => (stored.kind === 'blob' ? [stored] : []);

/** Bytes of every blob that an ended interaction keeps: the media that came and were made, and the large lists of its steps. */
export const keptBytesOf = (
  { input, steps, note, media }: Pick<EndedInteraction, 'input' | 'steps' | 'note' | 'media'>,
  given: readonly StoredMedia[],
): number =>
  sumOfSizes([
    ...blobOf(input),
    ...blobOf(steps),
    ...(note ? blobOf(note) : []),
    ...given.flatMap((one) => (one.kind === 'blob' ? [one] : [])),
    ...media,
  ]);
