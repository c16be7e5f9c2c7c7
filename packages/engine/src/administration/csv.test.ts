import { expect, test } from 'vitest';
import { textCell } from './csv.ts';

test.each(['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\uFF1D1+1', '\uFF0B1', '\uFF0D1', '\uFF20SUM(1)'])(
  'a text that a spreadsheet would run stands behind an apostrophe: %j',
  (text) => {
    expect(textCell(text)).toBe(`'${text}`);
  },
);

test.each(['\r=1', '\n=1'])(
  'a text that a spreadsheet would run after its line break does too, in quotes: %j',
  (text) => {
    expect(textCell(text)).toBe(`"'${text}"`);
  },
);

test.each(['flash-2.5', 'a=b', ' 1', ''])('any other text stays as it is: %j', (text) => {
  expect(textCell(text)).toBe(text);
});
