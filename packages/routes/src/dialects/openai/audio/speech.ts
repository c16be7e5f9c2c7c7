import { GatewayError, isRecord, noObjectError, readAt } from '@tollgate/contract';
import type { AudioFormat } from '@tollgate/provider';
import { z } from 'zod';
import { namesOf } from '../../../field-names.ts';
import { present } from '../../../present.ts';
import type {
  AnswerHead,
  AskedGeneration,
  GenerationDialect,
  SettledAnswer,
  WrittenBody,
} from '../../generation/generation-dialect.ts';
import { mediaIn } from '../../generation/kept-answer.ts';
import { errorEvent } from '../error-event.ts';
import { mediaCall } from '../media-call.ts';
import { mediaTokens } from '../media-usage.ts';
import { writeAudio } from './written-audio.ts';

/** Characters of a text that is spoken, and of how it is spoken. */
const inputCharsMax = 65_536;
/** Of all other text. */
const textCharsMax = 512;

const formats = ['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm'] as const satisfies readonly AudioFormat[];

const text = z.string().min(1).max(textCharsMax);

/** Fields with one value say what happens in any case. */
const Body = z.strictObject({
  model: text.nullish(),
  input: z.string().min(1).max(inputCharsMax),
  voice: z.union([text, z.strictObject({ id: text })]),
  instructions: z.string().max(inputCharsMax).nullish(),
  response_format: z.enum(formats).nullish(),
  speed: z.literal(1).nullish(),
  stream_format: z.literal('audio').nullish(),
});

const read = (body: unknown): AskedGeneration => {
  if (!isRecord(body)) throw noObjectError(body);
  const { model, input, voice, instructions, response_format: format } = readAt(Body, body);
  return {
    model: model ?? undefined,
    stream: false,
    fileIds: [],
    callIds: [],
    echo: { ...present('format', format) },
    toCall: (row) => ({
      ...mediaCall(row, [{ role: 'user', parts: [{ kind: 'text', text: input }] }]),
      systemInstruction: instructions || null,
      modalities: ['audio'],
      speech: { kind: 'one_voice', voice: typeof voice === 'string' ? voice : voice.id },
      ...present('audioFormat', format),
    }),
  };
};

const formatIn = ({ echo }: AnswerHead): AudioFormat | null =>
  formats.find((format) => format === echo['format']) ?? null;

const audioOf = (head: AnswerHead, { answer }: SettledAnswer) => writeAudio(mediaIn(answer), formatIn(head));

const writeBody = (head: AnswerHead, settled: SettledAnswer): WrittenBody => {
  const audio = audioOf(head, settled);
  if (audio !== null) return audio;
  throw new GatewayError('request_failed', {
    requestId: head.id,
    detail: 'The model ended without audio; what it used is charged, and the record of the request shows it.',
  });
};

/** The response as the record of its request shows it: the audio stands in it as base64. */
const writeWhole = (head: AnswerHead, settled: SettledAnswer): string => {
  const audio = audioOf(head, settled);
  const { total, input, output } = mediaTokens(settled.operation);
  return JSON.stringify({
    object: 'audio.speech',
    model: head.model,
    content_type: audio?.contentType ?? null,
    audio: audio?.body.toString('base64') ?? null,
    finish_reason: settled.answer.finish,
    usage: { input_tokens: input, output_tokens: output, total_tokens: total },
    ...settled.receipt,
  });
};

/** `POST /audio/speech`: a text read aloud, as the bytes of its audio. */
export const speech: GenerationDialect = {
  name: 'openai-speech',
  path: '/audio/speech',
  kind: 'generate',
  keepsMedia: true,
  mediaPlaces: [],
  dataUrls: false,
  fieldNames: namesOf({
    contents: 'input',
    systemInstruction: 'instructions',
    speech: 'voice',
    audioFormat: 'response_format',
    modalities: 'model',
  }),
  schemaField: 'input',
  read,
  // No body asks for a stream.
  openStream: () => ({ piece: () => '', end: () => '', fail: errorEvent }),
  writeWhole,
  writeBody,
};
