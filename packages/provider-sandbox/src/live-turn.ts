import type { JsonObject, Usage } from '@tollgate/provider';
import { parseDirectives, withoutDirectives, type Directive } from './directives.ts';
import { speechPieces } from './live-audio.ts';
import { textTokens, toldCounts, usageOf } from './sandbox-usage.ts';
import { speechMs } from './speech-audio.ts';

/** Tokens of a second of audio, heard and spoken, as the upstream counts them. */
const heardTokensPerSecond = 32;
const spokenTokensPerSecond = 25;
/** How much of a text is repeated. */
const quotedCharactersMax = 200;

/** What a session was opened with, as far as its turns depend on it. */
export interface LiveManner {
  readonly speaks: boolean;
  readonly voice: string;
  readonly transcribesInput: boolean;
  readonly transcribesOutput: boolean;
  readonly functions: ReadonlySet<string>;
}

/** What came in for one turn. */
export interface Heard {
  readonly text: string;
  /** Milliseconds of audio. */
  readonly audioMs: number;
  readonly images: number;
}

export const nothingHeard: Heard = { text: '', audioMs: 0, images: 0 };

/** What the sandbox writes down of audio: that there was some, and how much. The same audio always gets the same words. */
export const transcribe = (audioMs: number): string => `Sound of ${Math.round(audioMs)} milliseconds.`;

const quote = (text: string): string =>
  text.length > quotedCharactersMax ? `"${text.slice(0, quotedCharactersMax)}…"` : `"${text}"`;

/** The words of an answer: those that are reported, else what came in. */
export const answerText = (heard: Heard, directives: readonly Directive[]): string => {
  const told = directives.find((directive) => directive.kind === 'echo');
  if (told !== undefined) return told.text;
  const misspelt = directives.find((directive) => directive.kind === 'misspelt');
  if (misspelt !== undefined) return `This is no directive here: ${misspelt.text}`;
  const text = withoutDirectives(heard.text);
  return [
    ...(text === '' ? [] : [`You wrote ${quote(text)}.`]),
    ...(heard.audioMs === 0 ? [] : [`I heard ${Math.round(heard.audioMs)} milliseconds.`]),
    ...(heard.images === 0 ? [] : [`I saw ${heard.images} ${heard.images === 1 ? 'picture' : 'pictures'}.`]),
  ].join(' ');
};

/** The messages that say a text, spoken or written, in the order in which they are sent. */
export const answerMessages = (text: string, manner: LiveManner): readonly JsonObject[] => {
  const parts = manner.speaks
    ? speechPieces(text, manner.voice).map((data) => ({ inlineData: { mimeType: 'audio/pcm;rate=24000', data } }))
    : [{ text }];
  return [
    ...parts.map((part) => ({ serverContent: { modelTurn: { role: 'model', parts: [part] } } })),
    ...(manner.speaks && manner.transcribesOutput ? [{ serverContent: { outputTranscription: { text } } }] : []),
    { serverContent: { generationComplete: true } },
  ];
};

/** What a turn is measured at: the whole context is read again in each turn. Undefined by directive. */
export const turnUsage = (
  {
    heard,
    answer,
    contextTokens,
    directives,
  }: {
    readonly heard: Heard;
    readonly answer: string;
    readonly contextTokens: number;
    readonly directives: readonly Directive[];
  },
  manner: LiveManner,
): readonly Usage[] | undefined => {
  if (directives.some(({ kind }) => kind === 'unknown-usage')) return undefined;
  const told = toldCounts(directives, ['input_text_tokens', 'output_text_tokens']);
  if (told !== undefined) return usageOf(told);
  const spokenTokens = Math.ceil((speechMs([{ text: answer, voice: manner.voice }]) * spokenTokensPerSecond) / 1_000);
  return usageOf(
    new Map([
      ['input_text_tokens', contextTokens],
      ['input_audio_tokens', Math.ceil((heard.audioMs * heardTokensPerSecond) / 1_000)],
      ['input_image_tokens', heard.images * 258],
      ['output_text_tokens', manner.speaks ? 0 : textTokens(answer)],
      ['output_audio_tokens', manner.speaks ? spokenTokens : 0],
    ]),
  );
};

export const turnDirectives = ({ text }: Heard): readonly Directive[] => parseDirectives(text, 'live');
