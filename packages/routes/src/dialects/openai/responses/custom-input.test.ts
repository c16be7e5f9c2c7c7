import { expect, test } from 'vitest';
import { createInputScan, customArguments, customInput, readInputPiece } from './custom-input.ts';

const deltasOf = (pieces: readonly string[]): readonly string[] => {
  const scan = createInputScan();
  return pieces.map((piece) => readInputPiece(scan, piece)).filter((delta) => delta !== '');
};

const inPieces = (text: string, chars: number): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / chars) }, (_, at) => text.slice(at * chars, (at + 1) * chars));

test('gives the text while it comes, and nothing of what stands around it', () => {
  expect(deltasOf(['{"in', 'put"', ': "*** Be', 'gin\\', 'nPatch', '", "more": "x"}'])).toEqual([
    '*** Be',
    'gin',
    '\nPatch',
  ]);
});

const inputs = [
  '',
  'a',
  'line\nline\t"quoted" \\ /',
  '\u0001\u001f\u2028',
  '🚢 ünï',
  '\ud83d',
  '{"input":"a"}',
  '\\u0041',
];

test.each(inputs)('reads %j as it was written, however it is divided', (input) => {
  const escaped = JSON.stringify(input).replaceAll(/[^\u0020-\u007e]/g, (unit) => {
    return String.raw`\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  for (const text of [customArguments(input), ` {\n"input" :\t${escaped} } `]) {
    expect(customInput(text)).toBe(input);
    for (let chars = 1; chars <= text.length; chars += 1) expect(deltasOf(inPieces(text, chars)).join('')).toBe(input);
  }
});

/** Arguments that a model should not write, with the text that they come to. */
const unexpected: readonly (readonly [text: string, input: string])[] = [
  ['*** Begin Patch', '*** Begin Patch'],
  ['{"inp', '{"inp'],
  ['{"input":7}', '{"input":7}'],
  ['{"other":1,"input":"x"}', 'x'],
  [`{${' '.repeat(200)}"input":"x"}`, 'x'],
  ['["input"]', '["input"]'],
  ['{"input":"cut', 'cut'],
  ['{"input":"cut\\', 'cut'],
  ['{"input":"cut\\u00', 'cut'],
  ['{"input":"a" and more', 'a'],
  ['{"input":"a","input":"b"}', 'a'],
  ['{"input":"bare\nline"}', 'bare\nline'],
  ['{"input":"C:\\dir \\x \\u12 \\uZZ"}', 'C:\\dir \\x \\u12 \\uZZ'],
  ['{"input":"\\ud83d', '\ud83d'],
];

test.each(unexpected)('of %j, the pieces are a beginning of what it comes to', (text, input) => {
  expect(customInput(text)).toBe(input);
  for (let chars = 1; chars <= text.length; chars += 1) {
    const said = deltasOf(inPieces(text, chars)).join('');
    expect(input.startsWith(said)).toBe(true);
  }
});

test('never gives half of a character', () => {
  const text = String.raw`{"input":"\ud83d\udea2 and ` + '🚢"}';
  for (let chars = 1; chars <= text.length; chars += 1)
    for (const delta of deltasOf(inPieces(text, chars))) expect(delta.isWellFormed()).toBe(true);
});
