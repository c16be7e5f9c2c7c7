import { z } from 'zod';
import { MediaText, type MediaData } from './lifted-data.ts';

const TextPart = z.strictObject({ type: z.literal('text'), text: z.string().min(1) });

const AudioPart = z.strictObject({
  type: z.literal('input_audio'),
  input_audio: z.strictObject({ data: MediaText, format: z.string() }),
});

const FilePart = z.strictObject({
  type: z.literal('file'),
  file: z.strictObject({
    file_id: z.string().exactOptional(),
    file_data: MediaText.exactOptional(),
    filename: z.string().exactOptional(),
  }),
});

const ImagePart = z.strictObject({ type: z.literal('image_url'), image_url: z.strictObject({ url: MediaText }) });

const CompatImagePart = z.strictObject({
  type: z.literal('image_url'),
  image_url: z.strictObject({
    url: MediaText,
    detail: z.enum(['auto', 'low', 'high', 'original']).exactOptional(),
  }),
});

/** A part of a user message as the contract writes it [chat:message:user-content]. */
export const StrictPart = z.discriminatedUnion('type', [TextPart, ImagePart, AudioPart, FilePart]);
/** The same with what the compatibility option adds. */
export const CompatPart = z.discriminatedUnion('type', [TextPart, CompatImagePart, AudioPart, FilePart]);
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
      /** How closely an image is to be looked at; only with the compatibility option. */
      readonly detail?: 'auto' | 'low' | 'high' | 'original';
    }
  | { readonly type: 'file'; readonly fileId: string };
