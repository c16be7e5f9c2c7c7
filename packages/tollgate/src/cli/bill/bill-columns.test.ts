import { expect, test } from 'vitest';
import { createReadRow, type ColumnOptions } from './bill-columns.ts';

const readOne = (header: string, fields: string, options: Partial<ColumnOptions> = {}) =>
  createReadRow(header.split(','), { units: [], ...options })({ line: 7, fields: fields.split(',') });

test('takes columns named like units, and the first column that holds ids', () => {
  expect(readOne('request_id,id,input_text_tokens,note,output_text_tokens', 'req_1,gen_1,5,x,')).toEqual({
    id: 'req_1',
    line: 7,
    usage: [
      { unit: 'input_text_tokens', quantity: 5 },
      { unit: 'output_text_tokens', quantity: 0 },
    ],
  });
});

test('takes the configured columns, and one less another where the first counts it too', () => {
  const units = [
    'input_text_tokens=prompt-cached',
    'cached_input_tokens=cached',
    'output_text_tokens=completion-tokens',
  ];
  expect(readOne('x,prompt,cached,completion-tokens', 'a,50,20,7', { id: 'x', units }).usage).toEqual([
    { unit: 'input_text_tokens', quantity: 30 },
    { unit: 'cached_input_tokens', quantity: 20 },
    { unit: 'output_text_tokens', quantity: 7 },
  ]);
});

test.each([
  ['2026-11-23T10:00:00Z', Date.UTC(2026, 10, 23, 10)],
  ['1700000000', 1_700_000_000_000],
  ['1700000000.25', 1_700_000_000_250],
  ['1700000000123', 1_700_000_000_123],
])('reads the time %s', (time, atMs) => {
  expect(readOne('id,at,images', `a,${time},1`, { time: 'at' }).atMs).toBe(atMs);
});

test.each([
  [['images', '1'], {}, 'no column of the bill is known to hold ids'],
  [['id,tokens', 'a,1'], {}, 'named like a unit'],
  [['id,images', 'a,1'], { id: 'call' }, 'no column call: the columns are id, images'],
  [['id,n', 'a,1'], { units: ['wishes=n'] }, "'wishes=n': wishes is no unit; accepted"],
  [['id,images', 'a,1.5'], {}, "line 7 of the bill: '1.5' is no whole number"],
  [['id,a,b', 'x,1,2'], { units: ['images=a-b'] }, 'images comes to -1'],
  [['id,at,images', 'a,noon,1'], { time: 'at' }, "'noon' is no time"],
  [['id,images', 'a'], {}, 'line 7 of the bill has 1 fields, and the header 2'],
] as const)('refuses the bill %j with %j, and says why', ([header, fields], options, message) => {
  expect(() => readOne(header, fields, options)).toThrow(message);
});
