import { z } from 'zod';
import { decodeBase64 } from '../media/base64.ts';
import { JsonRecord } from '../json/json-record.ts';
import { generateBounds, liveBounds } from '../limits.ts';
import { jsonBounds, scanJson } from '../json/scan-json.ts';
import { parseWithin } from '../http/parse-within.ts';
import { readAudio, type LiveAudio } from './audio-message.ts';

const { textFieldCharsMax } = generateBounds;
const { turnsMax, partsPerTurnMax, responsesMax, mediaChunksMax, promptsMax } = liveBounds;

/** What a session speaks: the conversation of a model, or the music of one. */
export const liveKinds = ['live', 'music'] as const;
export type LiveKind = (typeof liveKinds)[number];

// live:client:realtime-audio
/** Samples of 16 bits, with their rate where it is not the usual one. */
const pcm = /^audio\/pcm(?:; ?rate=\d{4,6})?$/;
const images: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp']);
const isBase64 = (data: string): boolean => decodeBase64(data) !== null;

const shortText = z.string().min(1).max(textFieldCharsMax);
const data = z.string().refine(isBase64);
const Audio = z.strictObject({ data, mimeType: z.string().regex(pcm) });
// live:client:realtime-video
/** Video is sent as single images. */
const Frame = z.strictObject({ data, mimeType: z.string().refine((type) => images.has(type)) });
const Medium = z.union([Audio, Frame]);

const Part = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ inlineData: Medium }),
  z.strictObject({
    functionCall: z.strictObject({ id: shortText.exactOptional(), name: shortText, args: JsonRecord.exactOptional() }),
  }),
  z.strictObject({
    functionResponse: z.strictObject({ id: shortText.exactOptional(), name: shortText, response: JsonRecord }),
  }),
]);

const ClientContent = z.strictObject({
  turns: z
    .array(
      z.strictObject({
        role: z.enum(['user', 'model']).exactOptional(),
        parts: z.array(Part).min(1).max(partsPerTurnMax),
      }),
    )
    .max(turnsMax)
    .exactOptional(),
  turnComplete: z.boolean().exactOptional(),
});

const RealtimeInput = z.strictObject({
  audio: Audio.exactOptional(),
  video: Frame.exactOptional(),
  text: z.string().exactOptional(),
  activityStart: z.strictObject({}).exactOptional(),
  activityEnd: z.strictObject({}).exactOptional(),
  audioStreamEnd: z.literal(true).exactOptional(),
  /** How older clients send sound and images. */
  mediaChunks: z.array(Medium).min(1).max(mediaChunksMax).exactOptional(),
});

const ToolResponse = z.strictObject({
  functionResponses: z
    .array(z.strictObject({ id: shortText, name: shortText, response: JsonRecord }))
    .min(1)
    .max(responsesMax),
});

const LiveMessage = z.union([
  z.strictObject({ realtimeInput: RealtimeInput }),
  z.strictObject({ clientContent: ClientContent }),
  z.strictObject({ toolResponse: ToolResponse }),
]);

const share = z.number().min(0).max(1).exactOptional();

const MusicMessage = z.union([
  z.strictObject({
    clientContent: z.strictObject({
      weightedPrompts: z
        .array(z.strictObject({ text: z.string().min(1), weight: z.number().refine((weight) => weight !== 0) }))
        .min(1)
        .max(promptsMax),
    }),
  }),
  z.strictObject({
    musicGenerationConfig: z.strictObject({
      temperature: z.number().min(0).max(3).exactOptional(),
      topK: z.int().min(1).max(1000).exactOptional(),
      seed: z.int().exactOptional(),
      guidance: z.number().min(0).max(6).exactOptional(),
      bpm: z.int().min(60).max(200).exactOptional(),
      density: share,
      brightness: share,
      scale: z
        .string()
        .regex(/^[A-Z_]{1,64}$/)
        .exactOptional(),
      muteBass: z.boolean().exactOptional(),
      muteDrums: z.boolean().exactOptional(),
      onlyBassAndDrums: z.boolean().exactOptional(),
      musicGenerationMode: z.enum(['QUALITY', 'DIVERSITY', 'VOCALIZATION']).exactOptional(),
    }),
  }),
  z.strictObject({ playbackControl: z.enum(['PLAY', 'PAUSE', 'STOP', 'RESET_CONTEXT']) }),
]);

/** A checked message of a client: the body, and the text that says exactly the same. */
export interface LiveClientMessage {
  readonly body: JsonRecord;
  readonly text: string;
  /** The text as the client's own bytes, where it is passed on as it came. */
  readonly utf8?: Buffer;
  /** Present where it is a piece of audio and nothing else. */
  readonly audio?: LiveAudio;
}

const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const toMessage = (body: JsonRecord): LiveClientMessage => ({ body, text: JSON.stringify(body) });

/** What older clients send in one message becomes one message for each piece. */
const toMessages = (body: JsonRecord): readonly LiveClientMessage[] => {
  const { mediaChunks, ...rest } = { ...(isPlain(body['realtimeInput']) ? body['realtimeInput'] : {}) };
  if (!Array.isArray(mediaChunks)) return [toMessage(body)];
  const pieces = mediaChunks.map((medium: { readonly mimeType: string }) =>
    toMessage({ realtimeInput: { [medium.mimeType.startsWith('audio/') ? 'audio' : 'video']: medium } }),
  );
  return Object.keys(rest).length === 0 ? pieces : [...pieces, toMessage({ realtimeInput: rest })];
};

/** The value of JSON that holds no more than it may; undefined of any other text. */
const parseText = (utf8: Buffer, nodesMax: number): unknown => {
  if (typeof scanJson(utf8, jsonBounds(nodesMax)) === 'string') return undefined;
  try {
    return JSON.parse(utf8.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
};

// live:client:*, live:music:client
/**
 * Reads a message of a client, which is valid UTF-8 and holds `nodesMax` values and field names at the most; the kind of the
 * session says which there are. Null where it is none of them.
 */
export const parseLiveMessage = (
  kind: LiveKind,
  utf8: Buffer,
  nodesMax: number,
): readonly LiveClientMessage[] | null => {
  const audio = kind === 'live' ? readAudio(utf8) : null;
  if (audio !== null) return [audio];
  const parsed = parseWithin<JsonRecord>(kind === 'live' ? LiveMessage : MusicMessage, parseText(utf8, nodesMax));
  return parsed.success ? toMessages(parsed.data) : null;
};
