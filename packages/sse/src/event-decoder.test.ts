import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { encodeEvent } from './encode-event.ts';
import { createEventDecoder } from './event-decoder.ts';
import type { ServerEvent } from './server-event.ts';

interface WireForm {
  readonly client: string;
  readonly form: string;
  readonly wire: string;
  readonly events: readonly ServerEvent[];
}

// The file is part of this package and has this shape.
const { cases: wireForms } = JSON.parse(
  readFileSync(new URL('../test-data/wire-forms.json', import.meta.url), 'utf8'),
) as { readonly cases: readonly WireForm[] };

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const roomy = 1 << 20;

const decodeChunks = (chunks: readonly Uint8Array[], eventBytesMax = roomy): readonly ServerEvent[] => {
  const decoder = createEventDecoder({ eventBytesMax });
  const events = chunks.flatMap((chunk) => decoder.push(chunk));
  decoder.end();
  return events;
};
const decode = (text: string): readonly ServerEvent[] => decodeChunks([bytes(text)]);
const isCut = (chunk: Uint8Array): boolean => {
  const decoder = createEventDecoder({ eventBytesMax: roomy });
  decoder.push(chunk);
  return decoder.end().cut;
};
const oneByOne = (whole: Uint8Array): readonly Uint8Array[] => Array.from(whole, (byte) => Uint8Array.of(byte));
const everySplit = (whole: Uint8Array): readonly (readonly Uint8Array[])[] =>
  Array.from({ length: whole.length + 1 }, (_, at) => [whole.subarray(0, at), whole.subarray(at)]);

test.each(wireForms)('reads the $form form that was measured with $client clients', ({ wire, events }) => {
  expect(decode(wire)).toEqual(events);
});

test.each(wireForms)(
  'reads the $form form of $client the same when split at every byte [stream:sse:decoder-split]',
  ({ wire, events }) => {
    const whole = bytes(wire);
    for (const chunks of everySplit(whole)) expect(decodeChunks(chunks)).toEqual(events);
    expect(decodeChunks(oneByOne(whole))).toEqual(events);
  },
);

const awkward =
  '\uFEFFevent: grüße\r\n: note\rdata: 漢字 \u{1F600}\r\ndata:\uFEFF two\ndata\n\nid: 4\n\r\rdata: a\r\n\r\ndata:  b\rdata: c\r\r\n\n';
const awkwardEvents: readonly ServerEvent[] = [
  { event: 'grüße', data: '漢字 \u{1F600}\n\uFEFF two\n' },
  { data: 'a', id: '4' },
  { data: ' b\nc', id: '4' },
];

test('splits CRLF, a byte-order mark and a code point anywhere without a change [stream:sse:decoder-split]', () => {
  const whole = bytes(awkward);
  expect(decodeChunks([whole])).toEqual(awkwardEvents);
  expect(decodeChunks(oneByOne(whole))).toEqual(awkwardEvents);
  for (const [first = whole, rest = whole] of everySplit(whole))
    for (const [second = rest, third = rest] of everySplit(rest))
      expect(decodeChunks([first, second, third])).toEqual(awkwardEvents);
});

test('gives several events of one block at once and an event only when its blank line has come', () => {
  const decoder = createEventDecoder({ eventBytesMax: roomy });
  expect(decoder.push(bytes('data: a\n\ndata: b\n\ndata: c'))).toEqual([{ data: 'a' }, { data: 'b' }]);
  expect(decoder.push(bytes('\n'))).toEqual([]);
  expect(decoder.push(bytes('\n'))).toEqual([{ data: 'c' }]);
});

test('gives an event at its closing CR without waiting for a LF, and takes that LF as part of it', () => {
  const decoder = createEventDecoder({ eventBytesMax: roomy });
  expect(decoder.push(bytes('data: a\r\r'))).toEqual([{ data: 'a' }]);
  expect(decoder.push(bytes('\ndata: b\n\n'))).toEqual([{ data: 'b' }]);
});

test.each<[string, readonly ServerEvent[]]>([
  ['data\n\n', [{ data: '' }]],
  ['data:\n\n', [{ data: '' }]],
  ['data\ndata\n\n', [{ data: '\n' }]],
  ['data:a\n\n', [{ data: 'a' }]],
  ['data:  a\n\n', [{ data: ' a' }]],
  ['data: a:b: c\n\n', [{ data: 'a:b: c' }]],
  ['event: x\n\ndata: y\n\n', [{ data: 'y' }]],
  ['event:\ndata: y\n\n', [{ data: 'y' }]],
  ['event: x\nevent: z\ndata: y\n\n', [{ event: 'z', data: 'y' }]],
  ['DATA: a\n data: b\nunknown: c\nretry: 5\n\n', []],
  [': only a comment\n\n:\n\n', []],
  ['id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n', [{ data: 'a', id: '1' }, { data: 'b', id: '1' }, { data: 'c' }]],
  ['id: 1\n\nid: 2\0\ndata: a\n\n', [{ data: 'a', id: '1' }]],
  ['\n\n\r\n\r', []],
  ['\uFEFF\uFEFFdata: a\n\ndata: b\n\n', [{ data: 'b' }]],
  ['data: unfinished\n', []],
])('follows the line rules of the standard for %j', (text, events) => {
  expect(decode(text)).toEqual(events);
});

test('turns broken UTF-8 into U+FFFD and keeps the line structure', () => {
  const whole = Uint8Array.of(...bytes('data: '), 0xe2, 0x82, 0x0a, ...bytes('data: '), 0xff, 0xc0, 0x0a, 0x0a);
  const expected = [{ data: '\uFFFD\n\uFFFD\uFFFD' }];
  expect(decodeChunks([whole])).toEqual(expected);
  expect(decodeChunks(oneByOne(whole))).toEqual(expected);
});

test('treats a byte-order mark that breaks off as text', () => {
  expect(decodeChunks([Uint8Array.of(0xef, 0xbb), bytes('\ndata: a\n\n')])).toEqual([{ data: 'a' }]);
  expect(decodeChunks([Uint8Array.of(0xef), bytes('data: a\n\ndata: b\n\n')])).toEqual([{ data: 'b' }]);
});

test('tells at the end whether an event was cut off', () => {
  expect(['', 'data: a\n\n', 'data: a\r\r', '\n\n'].map((text) => isCut(bytes(text)))).toEqual(Array(4).fill(false));
  expect(['d', 'data: a', 'data: a\n', 'data: a\n\n:'].map((text) => isCut(bytes(text)))).toEqual(Array(4).fill(true));
  expect(isCut(Uint8Array.of(0xef, 0xbb))).toBe(true);
});

test('lets the caller use its chunk again', () => {
  const decoder = createEventDecoder({ eventBytesMax: roomy });
  const chunk = bytes('data: a');
  decoder.push(chunk);
  chunk.fill(0x7a);
  expect(decoder.push(bytes('\n\n'))).toEqual([{ data: 'a' }]);
});

test('takes an event of exactly the limit and refuses one byte more, however it is split', () => {
  const exact = bytes(encodeEvent({ data: 'x'.repeat(30) }));
  const eventBytesMax = exact.length - 1;
  const over = bytes(encodeEvent({ data: 'x'.repeat(31) }));
  for (const chunks of [[exact], oneByOne(exact)]) expect(decodeChunks(chunks, eventBytesMax)).toHaveLength(1);
  for (const chunks of [...everySplit(over), oneByOne(over)])
    expect(() => decodeChunks(chunks, eventBytesMax)).toThrow(expect.objectContaining({ code: 'event_too_large' }));
});

test('counts comments and short lines towards the limit, and starts anew at each blank line', () => {
  const tooLarge = expect.objectContaining({ code: 'event_too_large' });
  expect(() => decodeChunks([bytes(':\n'.repeat(9))], 16)).toThrow(tooLarge);
  expect(() => decodeChunks([bytes('data\n'.repeat(5))], 16)).toThrow(tooLarge);
  expect(decodeChunks([bytes('\n'.repeat(100)), bytes('data: a\n\n'.repeat(100))], 16)).toHaveLength(100);
});

test('delivers the events before one that is too large, whether or not they share a chunk with it', () => {
  const tooLarge = expect.objectContaining({ code: 'event_too_large' });
  const decoder = createEventDecoder({ eventBytesMax: 16 });
  expect(decoder.push(bytes(`data: a\n\ndata: ${'b'.repeat(20)}`))).toEqual([{ data: 'a' }]);
  expect(() => decoder.push(bytes('\n\n'))).toThrow(tooLarge);
  expect(() => decoder.end()).toThrow(tooLarge);
});

test('gathers a long line that comes in small pieces', () => {
  const data = Array.from({ length: 3000 }, (_, count) => `${count},`).join('');
  const whole = bytes(encodeEvent({ data }));
  expect(decodeChunks(oneByOne(whole))).toEqual([{ data }]);
});
