import { expect, test } from 'vitest';
import { encodeEvent } from './encode-event.ts';
import { createEventDecoder } from './event-decoder.ts';
import type { ServerEvent } from './server-event.ts';

const special = [
  ['', ' ', '  leading', 'trailing ', ':', ': comment', 'data: x', 'event: x\ndata: y', '[DONE]', '\t'],
  ['\uFEFF', '\uFEFFdata', 'a\uFEFFb', '\0', 'a\0b', '\u2028', '\u2029', '\u0085', '\u000B', '\u000C', '\u001C'],
  ['\n', '\n\n', 'a\nb', '\na', 'a\n', '\uFFFD', '\uFFFE', '\uFFFF', '\u{10FFFF}', '\uD7FF', '\uE000'],
  ['e\u0301', '\u202Eabc', '\u200D', '👨‍👩‍👧‍👦', '🇩🇪', 'ﷺ', 'İ', 'ß', '１２３', '{"a":"\\n\\u0000"}'],
].flat();

/** For each of the 17 planes, texts from its first, middle and last code points, alone and inside other text. */
const ofEveryPlane = Array.from({ length: 17 }, (_, plane) =>
  [0, 1, 0x7f, 0x80, 0x7ff, 0x800, 0x8000, 0xabcd, 0xfffd, 0xfffe, 0xffff].flatMap((offset) => {
    const text = String.fromCodePoint(plane * 0x10000 + offset);
    return [text, ` ${text}: ${text}\n${text}`, `x${text.repeat(40)}`];
  }),
).flat();

/** Half pairs cannot be written in UTF-8; a well-formed sender replaces them first. */
const lonelySurrogates = ['\uD800', '\uDFFF', 'a\uD83D', '\uDE00b', '\uD83D\uD83D\uDE00'].map((text) =>
  text.toWellFormed(),
);

const texts = [...special, ...ofEveryPlane, ...lonelySurrogates];

/** What a reader sees: the standard has one line end. */
const withLineFeeds = (text: string): string => text.replaceAll(/\r\n|\r/gu, '\n');

const decodeBy = (chunkBytes: number, wire: string): readonly ServerEvent[] => {
  const whole = new TextEncoder().encode(wire);
  const decoder = createEventDecoder({ eventBytesMax: 4096 });
  const events: ServerEvent[] = [];
  for (let at = 0; at < whole.length; at += chunkBytes)
    events.push(...decoder.push(whole.subarray(at, at + chunkBytes)));
  expect(decoder.end()).toEqual({ cut: false });
  return events;
};

test('gives back more than 500 awkward texts, in every split of 1 to 7 bytes', () => {
  expect(new Set(texts).size).toBeGreaterThan(500);
  const wire = texts.map((data) => encodeEvent({ data })).join('');
  const expected = texts.map((data) => ({ data: withLineFeeds(data) }));
  for (const chunkBytes of [1, 2, 3, 4, 5, 6, 7, wire.length * 4]) expect(decodeBy(chunkBytes, wire)).toEqual(expected);
});

test('gives back every awkward one-line text as an event name and as an id', () => {
  const lines = texts.filter((text) => text !== '' && !/[\r\n\0]/u.test(text));
  expect(lines.length).toBeGreaterThan(350);
  const wire = lines.map((line) => encodeEvent({ event: line, id: line, data: line })).join('');
  expect(decodeBy(3, wire)).toEqual(lines.map((line) => ({ event: line, data: line, id: line })));
});
