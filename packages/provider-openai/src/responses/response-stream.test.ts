import type { CallPiece, Part } from '@tollgate/provider';
import { fakeResponse, fakeResponseEvents, fakeResponseMessage } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import type { StreamEnd } from '../answer-stream.ts';
import { createResponseStream } from './response-stream.ts';

interface Streamed {
  readonly parts: readonly Part[];
  readonly pieces: readonly CallPiece[];
  readonly end: StreamEnd;
  readonly usedAtLeast: readonly number[];
}

const stream = (events: readonly object[], includeThoughts = true): Streamed => {
  const parts: Part[] = [];
  const pieces: CallPiece[] = [];
  const reading = createResponseStream({
    eventBytesMax: 65_536,
    includeThoughts,
    apiKey: undefined,
    onParts: (given) => void parts.push(...given),
    onCallPiece: (piece) => void pieces.push(piece),
  });
  for (const event of events) reading.take(Buffer.from(`data: ${JSON.stringify(event)}\n\n`));
  const usedAtLeast = reading.usageAtLeast().map(({ quantity }) => quantity);
  return { parts, pieces, end: reading.conclude(), usedAtLeast };
};

const output = [
  {
    type: 'reasoning',
    id: 'rs_1',
    summary: [
      { type: 'summary_text', text: 'Two. ' },
      { type: 'summary_text', text: 'Calls.' },
    ],
    encrypted_content: 'sealed',
  },
  fakeResponseMessage('I look.'),
  { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{"a":1}' },
  { type: 'function_call', id: 'fc_2', call_id: 'call_2', name: 'g', arguments: '{}' },
];
const events = fakeResponseEvents(fakeResponse(output));

test('hands over thoughts, their state and text as they come, and the pieces of calls', () => {
  const { parts, pieces, end } = stream(events);
  const context = '{"reasoning_items":[["rs_1","sealed"]]}';
  const texts = parts.map((part) => (part.kind === 'text' ? part.text : part.kind));
  expect(texts.join('|')).toBe('Two|. |\n\n|Cal|ls.||I lo|ok.');
  expect(parts.find((part) => part.kind === 'text' && part.context === context)).toMatchObject({ thought: true });
  expect(pieces.filter(({ id }) => id === 'call_1').map((piece) => piece.arguments)).toEqual(['', '{"a"', ':1}']);
  expect(pieces.find(({ id }) => id === 'call_2')?.name).toBe('g');
  expect(end).toMatchObject({ kind: 'whole', body: { output } });
});

test('hands over the state of a thought that is not to be shown, and not its text', () => {
  const { parts } = stream(events, false);
  expect(parts.filter((part) => part.kind === 'text' && part.thought === true)).toEqual([
    { kind: 'text', text: '', thought: true, context: '{"reasoning_items":[["rs_1","sealed"]]}' },
  ]);
});

test('takes the items from their own events where the last event leaves them out', () => {
  const last = { type: 'response.completed', response: fakeResponse([]) };
  expect(stream([...events.slice(0, -1), last]).end).toMatchObject({ kind: 'whole', body: { output } });
});

test('a stream that ends before its response did is cut, whatever came', () => {
  for (let length = 0; length < events.length; length += 1)
    expect(stream(events.slice(0, length)).end).toMatchObject({ kind: 'failed', failure: { detail: 'answer_cut' } });
});

test('an error before anything came is taken at its word; after that the outcome is unknown', () => {
  const error = { type: 'error', code: 'rate_limit_exceeded', message: 'slow down', param: null };
  expect(stream([error]).end).toMatchObject({ failure: { code: 'not_executed', reason: 'rate_limited' } });
  expect(stream([...events.slice(0, 3), error]).end).toMatchObject({ failure: { detail: 'upstream_error' } });
});

test('a response that failed says what it used', () => {
  const failed = { ...fakeResponse(), status: 'failed', error: { code: 'server_error', message: 'no' } };
  const { end, usedAtLeast } = stream([...events.slice(0, 3), { type: 'response.failed', response: failed }]);
  expect(end).toMatchObject({ kind: 'failed', failure: { detail: 'upstream_error' } });
  expect(usedAtLeast).toEqual([100, 20]);
});

test('an event that is no JSON makes a hole in the answer', () => {
  const reading = createResponseStream({
    eventBytesMax: 64,
    includeThoughts: false,
    apiKey: undefined,
    onParts: () => undefined,
  });
  expect(reading.take(Buffer.from('data: {"type":"resp\n\n'))).toBe('enough');
  expect(reading.conclude()).toMatchObject({ failure: { detail: 'unreadable_answer' } });
});
