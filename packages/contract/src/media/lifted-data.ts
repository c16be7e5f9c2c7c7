import { z } from 'zod';

/** First bytes kept of a value that was lifted: enough to tell a file's kind. */
export const liftedHeadBytes = 64;
/** Last bytes kept of a value that was lifted: enough to find an image's end mark behind its padding. */
export const liftedTailBytesMax = 16_384;

/**
 * Base64 of a body that was decoded while the body was read and lies in the host's blob store, or in memory. It was strict base64;
 * what it is a file of has not been checked yet.
 */
export interface LiftedData {
  readonly kind: 'lifted';
  /** Its key in the blob store; null where it is in memory alone. */
  readonly key: string | null;
  /** The media type that was declared with it, where it came as a data URL, in lower case. */
  readonly declared?: string;
  readonly sizeBytes: number;
  /** Of the decoded bytes, lowercase hex. */
  readonly sha256: string;
  /** The first `liftedHeadBytes`, or fewer where there are no more. */
  readonly head: Uint8Array;
  /** The last `liftedTailBytesMax`, or fewer where there are no more. */
  readonly tail: Uint8Array;
  /** Whether the bytes are UTF-8 without NUL, as plain text is. */
  readonly isUtf8: boolean;
  /** Reads the decoded bytes from the beginning; may be called again while the request lasts. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** Tells lifted data from everything that JSON can spell: no JSON value holds a function. */
export const isLifted = (value: unknown): value is LiftedData =>
  typeof value === 'object' &&
  value !== null &&
  'kind' in value &&
  value.kind === 'lifted' &&
  'read' in value &&
  typeof value.read === 'function';

/** Text where it is short, lifted where it is long. That the service lifts is not visible to a client: `description`. */
const textOrLifted = (description: { readonly type: 'string'; readonly contentEncoding?: 'base64' }) =>
  z.union([z.string(), z.custom<LiftedData>(isLifted).meta({ override: description })]).meta({
    override: ({ jsonSchema }: { readonly jsonSchema: z.core.JSONSchema.BaseSchema }) => {
      delete jsonSchema.anyOf;
      Object.assign(jsonSchema, description);
    },
  });

/** Base64, with or without the prefix of a data URL, as a body holds it. */
export const MediaText = textOrLifted({ type: 'string' });

/** Base64 without prefix as a body holds it. Its content is not checked yet. */
export const MediaData = textOrLifted({ type: 'string', contentEncoding: 'base64' });
export type MediaData = string | LiftedData;
