import { encodeEvent } from '@tollgate/sse';
import type { OperationRecord } from '@tollgate/storage';
import type { AnswerHead, SettledAnswer, StreamWriter, WrittenBody } from '../../generation/generation-dialect.ts';
import type { AnswerPart } from '../../generation/kept-answer.ts';
import { errorEvent } from '../error-event.ts';
import { mediaTokens } from '../media-usage.ts';

const textIn = (parts: readonly AnswerPart[]): string =>
  parts.map((part) => (part.kind === 'text' && part.thought !== true ? part.text : '')).join('');

/** Seconds of audio, where it was metered by them. */
const secondsOf = ({ usage }: OperationRecord): number | null =>
  (usage ?? []).find(({ unit }) => unit === 'input_audio_seconds')?.quantity ?? null;

/** By what the audio was metered. */
const usageOf = (operation: OperationRecord): object => {
  const { total, input, output, inputOf } = mediaTokens(operation);
  const seconds = secondsOf(operation);
  if (seconds !== null && total === 0) return { type: 'duration', seconds };
  const audio = inputOf('audio');
  return {
    type: 'tokens',
    input_tokens: input,
    input_token_details: { text_tokens: input - audio, audio_tokens: audio },
    output_tokens: output,
    total_tokens: total,
  };
};

/** The language that the client named, and the length of the audio, where one of them is known. Segments are not: no model tells times. */
const verboseOf = ({ format, language, seconds }: AnswerHead['echo'], operation: OperationRecord): object =>
  format === 'verbose_json' ? { language, duration: seconds ?? secondsOf(operation) ?? undefined } : {};

/** The whole response as JSON. */
export const writeTranscript = ({ echo }: AnswerHead, { answer, operation, receipt }: SettledAnswer): string =>
  JSON.stringify({
    text: textIn(answer.parts),
    ...verboseOf(echo, operation),
    usage: usageOf(operation),
    ...receipt,
  });

/** The whole response where it was asked for as text. */
export const writeTranscriptText = ({ echo }: AnswerHead, { answer }: SettledAnswer): WrittenBody | null =>
  echo['format'] === 'text' ? { contentType: 'text/plain; charset=utf-8', body: textIn(answer.parts) } : null;

const event = (type: string, members: object): string =>
  encodeEvent({ event: type, data: JSON.stringify({ type, ...members }) });

/** What is said, while the model writes it. */
export const openTranscript = (): StreamWriter => ({
  piece: (parts) => {
    const delta = textIn(parts);
    return delta === '' ? '' : event('transcript.text.delta', { delta });
  },
  end: ({ answer, operation, receipt }) =>
    event('transcript.text.done', { text: textIn(answer.parts), usage: usageOf(operation), ...receipt }),
  fail: errorEvent,
});
