import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createTextSeal } from './seal-text.ts';

const sealOf = (...secrets: readonly string[]) => createTextSeal(secrets, 'purpose', randomBytes);

test('opens what it sealed, and never seals a text twice alike', () => {
  const seal = sealOf('one');
  const texts = ['', 'text', 'é𝄞', 'x'.repeat(100_000)];
  expect(texts.map((text) => seal.open(seal.seal(text, 'a'), 'a'))).toEqual(texts);
  expect(seal.seal('text')).not.toBe(seal.seal('text'));
  expect(seal.seal('text')).not.toContain('text');
});

test('seals with the first secret and opens with each', () => {
  const old = sealOf('old').seal('text');
  const both = sealOf('new', 'old');
  expect(both.open(old)).toBe('text');
  expect(sealOf('new').open(both.seal('text'))).toBe('text');
  expect(() => sealOf('old').open(both.seal('text'))).toThrow('another secret');
});

test('opens nothing of another secret, another purpose or about something else', () => {
  const sealed = sealOf('one').seal('text', 'a');
  const elsewhere = createTextSeal(['one'], 'another purpose', randomBytes);
  expect(() => sealOf('two').open(sealed, 'a')).toThrow('another secret');
  expect(() => elsewhere.open(sealed, 'a')).toThrow('another secret');
  expect(() => sealOf('one').open(sealed, 'b')).toThrow('another secret');
  expect(() => sealOf('one').open(sealed)).toThrow('another secret');
});

test('opens nothing that was altered or cut', () => {
  const seal = sealOf('one', 'two');
  const bytes = Buffer.from(seal.seal('text'), 'base64url');
  for (let at = 0; at < bytes.byteLength; at += 1) {
    const altered = Buffer.from(bytes);
    altered[at] = (altered[at] ?? 0) ^ 1;
    expect(() => seal.open(altered.toString('base64url'))).toThrow('altered');
    expect(() => seal.open(bytes.subarray(0, at).toString('base64url'))).toThrow('altered');
  }
});

test('is not made without a secret', () => {
  expect(() => sealOf()).toThrow('needs a secret');
});
