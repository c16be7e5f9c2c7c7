import { expect, test } from 'vitest';
import { readFileLines } from './file-lines.ts';

async function* inChunks(text: string, bytes: number): AsyncGenerator<Uint8Array, void> {
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += bytes) yield Uint8Array.from(all.subarray(at, at + bytes));
}

const linesOf = async (text: string, bytes: number, linesMax = 3): Promise<readonly (readonly [number, string])[]> => {
  const lines: (readonly [number, string])[] = [];
  for await (const { number, bytes: line } of readFileLines(inChunks(text, bytes), { linesMax, field: 'fileName' }))
    lines.push([number, line.toString('utf8')]);
  return lines;
};

test.each([1, 2, 5, 100])('counts lines that come in chunks of %i bytes, and leaves blank ones out', async (bytes) => {
  expect(await linesOf('{"ö":1}\r\n\n  \n{"b":2}', bytes)).toEqual([
    [1, '{"ö":1}\r'],
    [4, '{"b":2}'],
  ]);
});

test('reads no further than the lines that a file may have', async () => {
  let read = 0;
  async function* endless(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      read += 1;
      yield Buffer.from('{}\n');
    }
  }
  const all = async () => {
    for await (const { bytes } of readFileLines(endless(), { linesMax: 5, field: 'fileName' }))
      expect(bytes.length).toBe(2);
  };
  await expect(all()).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('The file of fileName has more than 5 requests'),
  });
  expect(read).toBe(6);
});

test.each(['', '\n \n', '\n\n\n\n\n\n'])('refuses a file without a request: %j', async (text) => {
  await expect(linesOf(text, 1)).rejects.toMatchObject({ code: 'invalid_request' });
});
