import { expect, test } from 'vitest';
import {
  apiKeyId,
  createApiKeyText,
  createTokenText,
  holdsApiKey,
  isApiKeySecret,
  tokenId,
  withoutApiKeys,
} from './api-key.ts';

const id = '01934e5a-7d2c-7a31-9c4f-0123456789ab';
const filled = (byte: number) => (size: number) => new Uint8Array(size).fill(byte);

test('makes a key that contains its id and differs from its hash [auth:key:never-echoed]', () => {
  const { key, secretHash } = createApiKeyText(id, filled(7));
  expect(key).toMatch(/^tg_[\w-]{65}$/);
  expect(apiKeyId(key)).toBe(id);
  expect(secretHash).toMatch(/^[0-9a-f]{64}$/);
  expect(secretHash).not.toContain(key);
});

test('knows the key it made, and no other', () => {
  const { key, secretHash } = createApiKeyText(id, filled(7));
  expect(isApiKeySecret(key, secretHash)).toBe(true);
  expect(isApiKeySecret(createApiKeyText(id, filled(8)).key, secretHash)).toBe(false);
  expect(isApiKeySecret(`${key.slice(0, -1)}A`, secretHash)).toBe(false);
});

test('finds the id of keys whose ids have other bytes', () => {
  for (const other of ['ffffffff-ffff-ffff-ffff-ffffffffffff', '00000000-0000-0000-0000-000000000000'])
    expect(apiKeyId(createApiKeyText(other, filled(0)).key)).toBe(other);
});

test.each([
  ['nothing', ''],
  ['a key of another product', 'sk-0123456789'],
  ['a short key', `tg_${'a'.repeat(64)}`],
  ['a long key', `tg_${'a'.repeat(66)}`],
  ['other characters', `tg_${'a'.repeat(64)}!`],
  ['a key with a line after it', `tg_${'a'.repeat(65)}\n`],
  ['another prefix', `TG_${'a'.repeat(65)}`],
])('finds no id in %s [auth:bearer:unknown-key]', (_, key) => {
  expect(apiKeyId(key)).toBeNull();
});

test('finds a key anywhere in a text, and none in what is only like one', () => {
  const { key } = createApiKeyText(id, filled(7));
  for (const text of [key, `Bearer ${key}`, `https://a.example/?k=${key}&x=1`, `${key}${key}`])
    expect(holdsApiKey(text)).toBe(true);
  for (const text of ['', key.slice(0, -1), key.replace('tg_', 'tg-'), key.slice(3)])
    expect(holdsApiKey(text)).toBe(false);
});

test('makes tokens with a mark of their own, which are no keys, and keeps them out of messages', () => {
  const { token, secretHash } = createTokenText('01900000-0000-7000-8000-000000000001', (size) => new Uint8Array(size));
  expect(token).toMatch(/^tgt_[A-Za-z0-9_-]{65}$/);
  expect(tokenId(token)).toBe('01900000-0000-7000-8000-000000000001');
  expect(apiKeyId(token)).toBeNull();
  expect(isApiKeySecret(token, secretHash)).toBe(true);
  expect(holdsApiKey(`see ${token}`)).toBe(true);
  expect(withoutApiKeys(`see ${token} and ${token.slice(0, 30)}`)).toBe('see tgt_... and tgt_...');
});
