import type { LiveAudio } from '@tollgate/contract';
import type { Estimate } from '../ledger/hold.ts';
import { tokensPerMessage } from '../ledger/estimate.ts';
import { textTokens, tokensPerImage } from '../ledger/media-bounds.ts';
import { heardTokensPerSecond, seenTokensPerFrame } from './estimate-live.ts';

/** What a client has sent to a model, as a bound of what it costs; sums of a session. */
export interface LiveSent {
  readonly textTokens: number;
  readonly audioSeconds: number;
  /** Images in a content. */
  readonly images: number;
  /** Images that are frames of a video. */
  readonly videoFrames: number;
}

export const nothingSent: LiveSent = { textTokens: 0, audioSeconds: 0, images: 0, videoFrames: 0 };

/** Samples have 16 bits. */
const bytesPerSample = 2;
const usualRate = 16_000;
/** A higher rate in a message does not make its audio shorter. */
const rateMax = 48_000;

type Unread = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Unread =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const plain = (value: unknown): Unread => (isPlain(value) ? value : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const audioSeconds = ({ base64Chars, rate }: LiveAudio): number => {
  const bytes = (base64Chars * 3) / 4;
  return bytes / bytesPerSample / Math.max(1, Math.min(rate ?? usualRate, rateMax));
};

/** The input that a piece of audio brings. */
export const audioSentOf = (audio: LiveAudio): LiveSent => ({ ...nothingSent, audioSeconds: audioSeconds(audio) });

const audioOf = (mimeType: string, base64: string): LiveAudio => {
  const rate = /rate=(\d+)/.exec(mimeType)?.[1];
  return { base64Chars: base64.length, rate: rate === undefined ? null : Number(rate) };
};

const ofText = (text: string): LiveSent => ({ ...nothingSent, textTokens: textTokens(text) });

const ofMedium = (value: unknown, image: LiveSent): LiveSent => {
  const { data, mimeType } = plain(value);
  if (typeof data !== 'string' || typeof mimeType !== 'string') return nothingSent;
  return mimeType.startsWith('audio/') ? audioSentOf(audioOf(mimeType, data)) : image;
};

const ofPart = (part: unknown): LiveSent => {
  const { text, inlineData, ...call } = plain(part);
  if (typeof text === 'string') return ofText(text);
  return inlineData === undefined ? ofText(JSON.stringify(call)) : ofMedium(inlineData, { ...nothingSent, images: 1 });
};

/** Both together. */
export const addSent = (one: LiveSent, other: LiveSent): LiveSent => ({
  textTokens: one.textTokens + other.textTokens,
  audioSeconds: one.audioSeconds + other.audioSeconds,
  images: one.images + other.images,
  videoFrames: one.videoFrames + other.videoFrames,
});

/** What was sent after an earlier sum. */
export const sentAfter = (sum: LiveSent, earlier: LiveSent): LiveSent => ({
  textTokens: sum.textTokens - earlier.textTokens,
  audioSeconds: sum.audioSeconds - earlier.audioSeconds,
  images: sum.images - earlier.images,
  videoFrames: sum.videoFrames - earlier.videoFrames,
});

const ofTurn = (turn: unknown): LiveSent =>
  list(plain(turn)['parts'])
    .map(ofPart)
    .reduce(addSent, { ...nothingSent, textTokens: tokensPerMessage });

const ofRealtime = ({ audio, video, text }: Unread): LiveSent => {
  const seen = ofMedium(video, { ...nothingSent, videoFrames: 1 });
  const media = addSent(ofMedium(audio, nothingSent), seen);
  return typeof text === 'string' ? addSent(media, ofText(text)) : media;
};

/** The input that a checked message of a conversation brings, by the rules of estimates. */
export const liveSentOf = (body: Unread): LiveSent => {
  const { clientContent, realtimeInput, toolResponse } = body;
  if (realtimeInput !== undefined) return ofRealtime(plain(realtimeInput));
  if (clientContent !== undefined) return list(plain(clientContent)['turns']).map(ofTurn).reduce(addSent, nothingSent);
  return list(plain(toolResponse)['functionResponses'])
    .map((response) => ofText(JSON.stringify(response)))
    .reduce(addSent, nothingSent);
};

/** What the sent input may be measured as. */
export const estimateSent = (sent: LiveSent): Estimate => {
  const seconds = Math.max(0, sent.audioSeconds);
  return [
    { unit: 'input_text_tokens', quantity: sent.textTokens },
    { unit: 'input_image_tokens', quantity: sent.images * tokensPerImage },
    // An upstream may count a frame of a video as video or as an image.
    { unit: 'input_video_tokens', quantity: sent.videoFrames * seenTokensPerFrame, or: ['input_image_tokens'] },
    { unit: 'input_audio_tokens', quantity: Math.ceil(seconds * heardTokensPerSecond) },
    { unit: 'input_audio_seconds', quantity: Math.ceil(seconds), ifPriced: true },
  ];
};
