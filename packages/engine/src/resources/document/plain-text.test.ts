import { expect, test } from 'vitest';
import { readPlainText } from './plain-text.ts';

const source = (...chunks: readonly Uint8Array[]) =>
  async function* read(): AsyncGenerator<Uint8Array> {
    yield* chunks;
  };

const text = 'Grüße, \u{1F600}';
const utf8 = Buffer.from(text);

test.each([
  ['UTF-8, cut in the middle of a character', [utf8.subarray(0, 3), new Uint8Array(), utf8.subarray(3)]],
  ['UTF-8 with a mark', [Buffer.from(`\uFEFF${text}`)]],
  ['UTF-16 with a mark', [Buffer.from(`\uFEFF${text}`, 'utf16le')]],
  ['UTF-16 the other way round', [Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()]],
])('reads %s', async (_, chunks) => {
  expect(await readPlainText(source(...chunks), 100)).toEqual({ kind: 'read', pages: [{ number: null, text }] });
});

test('refuses bytes that are no text, and more text than allowed', async () => {
  const unreadable = { kind: 'refused', reason: 'unreadable' };
  expect(await readPlainText(source(Uint8Array.of(0x61, 0xff, 0x61)), 100)).toEqual(unreadable);
  expect(await readPlainText(source(Uint8Array.of(0x61, 0xc3)), 100)).toEqual(unreadable);
  expect(await readPlainText(source(Buffer.from('four')), 3)).toEqual({ kind: 'refused', reason: 'too_long' });
  expect(await readPlainText(source(), 3)).toEqual({ kind: 'read', pages: [{ number: null, text: '' }] });
});

const broken = (): AsyncIterable<Uint8Array> => {
  throw new TypeError('the store is away');
};

test('hands on what breaks while the bytes are read', async () => {
  await expect(readPlainText(broken, 3)).rejects.toThrow('the store is away');
});
