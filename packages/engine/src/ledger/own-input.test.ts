import type { GenerationCall, Part } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { contentTokensMin, ownInputMax } from './own-input.ts';

const call = (parts: readonly Part[], change: Partial<GenerationCall> = {}) => ({
  contents: [{ role: 'user', parts }] as const,
  systemInstruction: null,
  tools: [],
  responseFormat: { kind: 'text' } as const,
  ...change,
});

const maxOf = (...parts: readonly Part[]) =>
  Object.fromEntries(ownInputMax(call(parts)).map(({ unit, quantity }) => [unit, quantity]));

const blob = (mimeType: string): Part => ({ kind: 'blob', mimeType, sizeBytes: 10, read: async function* () {} });

test('bounds a text by its bytes, and a message by eight tokens more', () => {
  expect(maxOf()).toEqual({ input_text_tokens: 8, input_image_tokens: 0 });
  expect(maxOf({ kind: 'text', text: '0123456789' })).toMatchObject({ input_text_tokens: 18 });
  expect(maxOf({ kind: 'text', text: 'ä漢', context: 'abc' })).toMatchObject({ input_text_tokens: 8 + 5 + 3 });
  expect(
    maxOf(
      { kind: 'executable_code', language: 'python', code: '1+1' },
      { kind: 'code_execution_result', outcome: 'ok', output: '2' },
      { kind: 'function_call', id: 'c', name: 'find', arguments: '{}' },
      { kind: 'function_response', id: 'c', name: 'find', response: '[]' },
    ),
  ).toMatchObject({ input_text_tokens: 8 + 3 + 1 + 6 + 6 });
});

test('bounds the instruction, the tools and the schema by their bytes', () => {
  const tools = [{ kind: 'url_context' }] as unknown as GenerationCall['tools'];
  const responseFormat = { kind: 'json_schema', name: 'n', schema: { type: 'object' } } as const;
  const declared = JSON.stringify(tools).length + JSON.stringify(responseFormat).length;
  expect(ownInputMax(call([], { systemInstruction: 'Be brief.', tools, responseFormat }))[0]).toEqual({
    unit: 'input_text_tokens',
    quantity: 8 + 9 + declared,
  });
});

test('bounds an image by its price, and nothing of a call with audio, video or a document', () => {
  expect(maxOf(blob('image/png'), { kind: 'media', mimeType: 'image/webp', data: 'AAAA' })).toEqual({
    input_text_tokens: 8,
    input_image_tokens: 5_200,
  });
  for (const mimeType of ['audio/mpeg', 'video/mp4', 'application/pdf'])
    expect(maxOf(blob(mimeType), blob('image/png'))['input_text_tokens']).toBe(Infinity);
});

const wordsOf = (...parts: readonly Part[]) =>
  contentTokensMin({ systemInstruction: null, contents: [{ role: 'user', parts }] })[0]?.quantity;

test('finds no more tokens in contents for certain than they have words', () => {
  expect(wordsOf({ kind: 'text', text: 'a'.repeat(1_000_000) })).toBe(1);
  expect(wordsOf({ kind: 'text', text: ' '.repeat(1_000) })).toBe(0);
  expect(wordsOf({ kind: 'text', text: 'Who wrote\n"it", –  Élise?' })).toBe(4);
  expect(wordsOf({ kind: 'text', text: 'one two' }, { kind: 'text', text: 'three' })).toBe(3);
  const contents = [{ role: 'user', parts: [{ kind: 'text', text: 'one two' }] }] as const;
  expect(contentTokensMin({ systemInstruction: 'Be kind.', contents })[0]?.quantity).toBe(4);
  expect(wordsOf({ kind: 'text', text: 'left out', thought: true }, blob('video/mp4'))).toBe(0);
});

test.each([
  ['0', 1],
  ['9', 1],
  ['A', 1],
  ['Z', 1],
  ['a', 1],
  ['z', 1],
  ['\u00c0', 1],
  ['\u1fff', 1],
  ['/', 0],
  [':', 0],
  ['@', 0],
  ['[', 0],
  ['`', 0],
  ['{', 0],
  ['\u00bf', 0],
  ['\u2000', 0],
])('counts %j as a word: %i', (text, words) => {
  expect(wordsOf({ kind: 'text', text })).toBe(words);
});
