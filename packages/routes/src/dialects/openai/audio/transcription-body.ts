import { isLifted, isMediaOf, mediaTypes, refusedValue, type JsonRecord, type MediaType } from '@tollgate/contract';
import { z } from 'zod';
import { isFormFile, type FormFields, type FormFile } from '../../../multipart/form-fields.ts';
import { waveSeconds } from './wave.ts';

/** Characters of the context of audio. */
const promptCharsMax = 65_536;
/** Of all other text. */
const textCharsMax = 512;

const text = z.string().min(1).max(textCharsMax);

const shared = {
  file: z.custom<FormFile>(isFormFile),
  model: text.nullish(),
  prompt: z.string().max(promptCharsMax).nullish(),
  response_format: z.enum(['json', 'text', 'verbose_json']).nullish(),
  temperature: z.number().min(0).max(1).nullish(),
};

/** Fields with one value say what happens in any case. */
export const TranscriptionBody = z.strictObject({
  ...shared,
  language: z.string().max(textCharsMax).nullish(),
  stream: z.boolean().nullish(),
  chunking_strategy: z.literal('auto').nullish(),
  include: z.array(z.never()).nullish(),
  // Clients send the default of `verbose_json` unasked. The times of words are asked for on purpose, and no model tells them.
  timestamp_granularities: z.array(z.literal('segment')).nullish(),
});
export type TranscriptionBody = z.infer<typeof TranscriptionBody>;

export const TranslationBody = z.strictObject(shared);
export type TranslationBody = z.infer<typeof TranslationBody>;

export const transcriptionForm: FormFields = {
  file: 'file',
  temperature: 'number',
  stream: 'flag',
  include: 'texts',
  timestamp_granularities: 'texts',
};

/** Types of audio, by what the bytes begin with. Recorders put audio into the containers of video. */
const audioTypes: readonly (readonly [type: string, mimeType: string])[] = [
  ['audio/wav', 'audio/wav'],
  ['audio/mpeg', 'audio/mpeg'],
  ['audio/mp4', 'audio/mp4'],
  ['audio/aac', 'audio/aac'],
  ['audio/ogg', 'audio/ogg'],
  ['audio/flac', 'audio/flac'],
  ['video/webm', 'audio/webm'],
];

const mediaTypeOf = (name: string): MediaType | undefined => mediaTypes.get(name);

/** What audio a file is. Clients that do not know it send a general type: its bytes tell it. */
export const audioTypeOf = ({ data }: FormFile): string | null =>
  audioTypes.find(([name]) => {
    const type = mediaTypeOf(name);
    return type !== undefined && isMediaOf(data, type);
  })?.[1] ?? null;

/** Characters of base64 in which the head of a WAV file is looked for; a multiple of 4. */
const headCharsMax = 4_096;

/** Seconds of the audio, where its first bytes tell them. */
export const audioSecondsOf = ({ data }: FormFile): number | null => {
  if (isLifted(data)) return waveSeconds(Buffer.from(data.head), data.sizeBytes);
  return waveSeconds(Buffer.from(data.slice(0, headCharsMax), 'base64'), Buffer.byteLength(data, 'base64'));
};

/** Refuses a body without a file, in words that say how one is sent. */
export const checkFile = (body: JsonRecord): void => {
  if (!isFormFile(body['file']))
    throw refusedValue('invalid_request', {
      path: ['file'],
      value: body['file'],
      accepted: 'is a file of a form (multipart/form-data)',
    });
};
