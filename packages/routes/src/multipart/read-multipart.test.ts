import { expect, test } from 'vitest';
import { parseFormField } from './content-disposition.ts';
import { boundaryOf, readMultipart } from './read-multipart.ts';

async function* inChunks(text: string | Buffer, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const partsOf = async (text: string | Buffer, size: number, boundary = 'x'): Promise<readonly unknown[]> => {
  const parts: unknown[] = [];
  for await (const { headers, content } of readMultipart(inChunks(text, size), boundary)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    parts.push([Object.fromEntries(headers), Buffer.concat(chunks).toString('latin1')]);
  }
  return parts;
};

const tricky = '--x\r\n\r\n-\r\n--\r\n--y\r\r\n';
const body = `preamble\r\n--x \r\nA: 1\r\nB:2\r\n\r\n${tricky}\r\n--x\r\n\r\nno headers\r\n--x\r\nC: 3\r\n\r\n\r\n--x--\r\nepilogue`;

test('gives each part with its headers, in chunks of every size', async () => {
  for (const size of [1, 2, 3, 5, 7, 16, 1_000])
    expect(await partsOf(body, size)).toEqual([
      [{ a: '1', b: '2' }, tricky],
      [{}, 'no headers'],
      [{ c: '3' }, ''],
    ]);
});

test('begins with the boundary where nothing stands before it, and skips what is not read', async () => {
  const names: string[] = [];
  const text = '--x\r\nn: 1\r\n\r\nlong\r\n--x\r\nn: 2\r\n\r\nlong\r\n--x--';
  for await (const { headers } of readMultipart(inChunks(text, 3), 'x')) names.push(headers.get('n') ?? '');
  expect(names).toEqual(['1', '2']);
});

test.each([
  ['its end', '--x\r\n\r\na\r\n--x--\r\nepilogue', 2],
  ['the first part', '--x\r\n\r\na\r\n--x\r\n\r\nb\r\n--x--', 1],
  ['a fault', '--x\r\n\r\na\r\n--xy\r\n\r\nb\r\n--x--', 2],
])('lets go of what it reads from at %s', async (_, text, partsMax) => {
  let open = true;
  async function* source(): AsyncGenerator<Uint8Array> {
    try {
      yield* inChunks(text.padEnd(1_000, 'e'), 10);
    } finally {
      open = false;
    }
  }
  let parts = 0;
  const read = async (): Promise<void> => {
    for await (const { content } of readMultipart(source(), 'x')) {
      for await (const chunk of content) expect(chunk.length).toBeGreaterThan(0);
      parts += 1;
      if (parts === partsMax) break;
    }
  };
  await read().catch(() => undefined);
  expect(parts).toBe(1);
  expect(open).toBe(false);
});

test('reads what the platform writes', async () => {
  const form = new FormData();
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7) % 256));
  form.set('purpose', 'user_data');
  form.set('file', new Blob([bytes], { type: 'image/png' }), 'a "b".png');
  const request = new Request('http://a', { method: 'POST', body: form });
  const boundary = boundaryOf(request.headers.get('content-type') ?? '') ?? '';
  const [purpose, file] = await partsOf(Buffer.from(await request.arrayBuffer()), 1_000, boundary);
  expect(purpose).toEqual([{ 'content-disposition': 'form-data; name="purpose"' }, 'user_data']);
  expect(file).toEqual([
    { 'content-disposition': 'form-data; name="file"; filename="a %22b%22.png"', 'content-type': 'image/png' },
    bytes.toString('latin1'),
  ]);
});

test.each([
  ['an end without the last boundary', '--x\r\nA: 1\r\n\r\ncontent\r\n--'],
  ['an end within headers', '--x\r\nA: 1'],
  ['no boundary at all', 'content'],
  ['nothing', ''],
  ['headers without end', `--x\r\n${'A: 1\r\n'.repeat(5_000)}`],
  ['too many parts', `${'--x\r\n\r\n\r\n'.repeat(20)}--x--`],
  ['another boundary that begins like this one', '--xy\r\n\r\ncontent\r\n--xy--'],
])('refuses %s', async (_, text) => {
  await expect(partsOf(text, 10)).rejects.toMatchObject({ code: 'invalid_request' });
});

test('finds the boundary of a content type', () => {
  expect(boundaryOf('multipart/form-data; boundary=abc')).toBe('abc');
  expect(boundaryOf('multipart/related; type="a"; Boundary="a b"; start=x')).toBe('a b');
  expect(boundaryOf('multipart/form-data')).toBeNull();
  expect(boundaryOf(`multipart/form-data; boundary=${'x'.repeat(71)}`)).toBeNull();
});

test('reads the name of a field and of its file', () => {
  expect(parseFormField('form-data; name="file"; filename="a \\"b\\".pdf"')).toEqual({
    name: 'file',
    filename: 'a "b".pdf',
  });
  expect(parseFormField('form-data; name=purpose')).toEqual({ name: 'purpose' });
  expect(parseFormField('form-data; filename="a"')).toBeNull();
  expect(parseFormField('attachment; name="a"')).toBeNull();
  expect(parseFormField(undefined)).toBeNull();
});
