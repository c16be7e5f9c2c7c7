import { z } from 'zod';
import { MediaText, type MediaData } from '../media/lifted-data.ts';
import { chatBounds } from '../limits.ts';

const text = z.string().min(1);
const TextPart = z.strictObject({ type: z.literal('text'), text });

/**
 * What clients write on a part beside its content: where a cache may begin, and whose part it is. Neither changes what is said, and
 * both are dropped.
 */
export const partHints = {
  cache_control: z.unknown().exactOptional(),
  role: z.string().max(chatBounds.nameCharsMax).exactOptional(),
};

const CompatTextPart = z.strictObject({ type: z.literal('text'), text, ...partHints });

const audio = {
  type: z.literal('input_audio'),
  input_audio: z.strictObject({ data: MediaText, format: z.string() }),
} as const;
const AudioPart = z.strictObject(audio);

const file = {
  type: z.literal('file'),
  file: z.strictObject({
    file_id: z.string().exactOptional(),
    file_data: MediaText.exactOptional(),
    filename: z.string().exactOptional(),
  }),
} as const;
const FilePart = z.strictObject(file);

const ImagePart = z.strictObject({ type: z.literal('image_url'), image_url: z.strictObject({ url: MediaText }) });

const CompatImagePart = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({
    url: MediaText,
    detail: z.enum(['auto', 'low', 'high', 'original']).exactOptional(),
  }),
  ...partHints,
});

// chat:message:user-content
/** A part of a user message as the contract writes it. */
export const StrictPart = z.discriminatedUnion('type', [TextPart, ImagePart, AudioPart, FilePart]);
/** The same with what the compatibility option adds. */
export const CompatPart = z.discriminatedUnion('type', [
  CompatTextPart,
  CompatImagePart,
  z.strictObject({ ...audio, ...partHints }),
  z.strictObject({ ...file, ...partHints }),
]);
/** A part as it was sent, its shape checked and its media not yet. */
export type WirePart = z.infer<typeof CompatPart>;

/** A checked part: media is of the type it names, complete and in strict base64; a file id is a bare uuid. */
export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'media';
      readonly mimeType: string;
      /** Strict base64 without prefix. */
      readonly data: MediaData;
      readonly filename?: string;
      /** How closely an image is examined; only with the compatibility option. */
      readonly detail?: 'auto' | 'low' | 'high' | 'original';
    }
  | { readonly type: 'file'; readonly fileId: string }
  /** An image at an address that the gateway is to fetch; only where the host lets it. */
  | {
      readonly type: 'remote_image';
      readonly url: string;
      /** Where it stands in the body, for what is said of it later. */
      readonly place: string;
      readonly detail?: 'auto' | 'low' | 'high' | 'original';
    };
