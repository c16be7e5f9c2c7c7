import type { Part } from '@tollgate/provider';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerPieces } from './answer-pieces.ts';

const textsOf = (text: string, wanted?: number): readonly string[] =>
  answerPieces([{ kind: 'text', text }], wanted).map((part) => (part.kind === 'text' ? part.text : ''));

const piece = (text: string) => ({ kind: 'call_piece', id: 'a', name: 'look', arguments: text });

test('hands over that a call begins, the words of its arguments, and then the call', () => {
  const call: Part = { kind: 'function_call', id: 'a', name: 'look', arguments: '{"at": 1}' };
  expect(answerPieces([call])).toEqual([piece(''), piece('{"at": '), piece('1}'), call]);
  expect(answerPieces([call], 3)).toEqual([piece(''), piece('{"a'), piece('t":'), piece(' 1}'), call]);
});

test('hands over words with the white space behind them', () => {
  expect(textsOf('  A fox\n in  the snow. ')).toEqual(['  ', 'A ', 'fox\n ', 'in  ', 'the ', 'snow. ']);
});

test('hands over as many pieces as are wanted', () => {
  expect(textsOf('a b c d e', 2)).toEqual(['a b ', 'c d e']);
  expect(textsOf('ab cd', 4)).toEqual(['a', 'b', ' ', 'cd']);
  expect(textsOf('ab', 10)).toEqual(['a', 'b']);
  expect(textsOf('word '.repeat(5_000))).toHaveLength(1_000);
  expect(textsOf('word '.repeat(5_000), 5_000)).toHaveLength(5_000);
});

test('keeps everything but text whole, and thoughts apart', () => {
  const image: Part = { kind: 'media', mimeType: 'image/png', data: 'AAAA' };
  const pieces = answerPieces([{ kind: 'text', text: 'hm hm', thought: true }, { kind: 'text', text: 'so' }, image], 2);
  expect(pieces).toEqual([
    { kind: 'text', text: 'hm ', thought: true },
    { kind: 'text', text: 'hm', thought: true },
    { kind: 'text', text: 's' },
    { kind: 'text', text: 'o' },
    image,
  ]);
});

test('loses nothing of any text, and hands over nothing empty', () => {
  const units = fc.oneof(fc.constantFrom(' ', '\n', '\u00a0', '😀'), fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(fc.array(units), fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }), (parts, wanted) => {
      const text = parts.join('');
      const pieces = textsOf(text, wanted);
      expect(pieces.join('')).toBe(text);
      expect(pieces).not.toContain('');
      expect(pieces.length).toBeLessThanOrEqual(wanted ?? 1_000);
    }),
  );
});
