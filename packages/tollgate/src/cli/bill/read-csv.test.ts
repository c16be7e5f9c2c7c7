import { expect, test } from 'vitest';
import { readCsv, type CsvOptions, type CsvRecord } from './read-csv.ts';

const read = async (text: string, options: CsvOptions & { readonly chunkChars?: number } = {}) => {
  const { chunkChars = text.length || 1, ...rest } = options;
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += chunkChars) chunks.push(text.slice(at, at + chunkChars));
  const records: CsvRecord[] = [];
  for await (const record of readCsv(chunks, rest)) records.push(record);
  return records;
};

test.each([
  [
    'records and lines',
    'a,b\nc,d\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a last line without its end',
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'line ends of Windows',
    'a,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['line ends of old', 'a\rb\r', [['a'], ['b']]],
  [
    'empty fields',
    ',\n,a\n',
    [
      ['', ''],
      ['', 'a'],
    ],
  ],
  ['quoted fields', '"a,b","c""d","e\nf"\n', [['a,b', 'c"d', 'e\nf']]],
  ['empty lines, which are no records', '\na\n\n\nb\n', [['a'], ['b']]],
  ['a quoted field with nothing in it', '"",a\n', [['', 'a']]],
  ['a byte order mark', '\uFEFFa\n', [['a']]],
  ['nothing', '', []],
])('reads %s, however the text is cut', async (_what, text, fields) => {
  for (const chunkChars of [1, 2, 3, 1_000])
    expect((await read(text, { chunkChars })).map((record) => record.fields)).toEqual(fields);
});

test('reads another delimiter', async () => {
  expect((await read('a;b,c\n', { delimiter: ';' }))[0]?.fields).toEqual(['a', 'b,c']);
});

test('names the line that a record begins on, whatever lies in between', async () => {
  const records = await read('a\r\n"b\nb"\n\nc\n');
  expect(records.map(({ line }) => line)).toEqual([1, 2, 5]);
});

test.each([
  ['a quote that is never closed', 'a\n"b', 'line 2 of the CSV: a quote is opened'],
  ['a quote in the middle of a field', 'a\nb"c"\n', 'line 2 of the CSV: a quote stands'],
  ['something behind a quoted field', '"a"b\n', 'line 1 of the CSV: something follows'],
  ['a record that is too long', `a\n${'b'.repeat(11)}`, 'line 2 of the CSV: a record has more than 10 characters'],
])('refuses %s, and says where', async (_what, text, message) => {
  await expect(read(text, { recordCharsMax: 10 })).rejects.toThrow(message);
});
