import { expect, test } from 'vitest';
import { printCsvOf } from './print-csv.ts';

const printed = async (...chunks: readonly string[]): Promise<readonly string[]> => {
  const lines: string[] = [];
  const bytes = ReadableStream.from(chunks.map((chunk) => new TextEncoder().encode(chunk)));
  await printCsvOf({ print: (line) => void lines.push(line) }, bytes);
  return lines;
};

test('rows of CSV are printed one by one, wherever their chunks end', async () => {
  const rows = ['seq,reference', '2,ä', '1,x'];
  expect(await printed('seq,reference\r\n2,ä\r\n1,x\r\n')).toEqual(rows);
  expect(await printed('seq,ref', 'erence\r', '\n2,ä\r\n1', ',x\r\n')).toEqual(rows);
  expect(await printed('seq,reference\r\n2,ä\r\n1,x')).toEqual(rows);
  expect(await printed()).toEqual([]);
});
