import { expect, test } from 'vitest';
import { contextBytesMax } from '@tollgate/provider';
import { readPartContext, writePartContext } from './part-context.ts';

test('gives back what was written', () => {
  const state = {
    metadata: { google: { thoughtSignature: 'c2ln' } },
    reasoning: [{ text: 'Hm ☃', metadata: { anthropic: { signature: 'x' } } }],
    tool: { code: '1' },
  };
  expect(readPartContext(writePartContext(state))).toEqual(state);
});

test('is none where there is no state', () => {
  expect(writePartContext({ metadata: undefined, reasoning: [] })).toBeUndefined();
  expect(readPartContext(undefined)).toEqual({});
});

test('names no upstream to its reader', () => {
  expect(writePartContext({ metadata: { anthropic: { signature: 'x' } } })).toMatch(/^[A-Za-z0-9+/]+=*$/);
});

test('leaves reasoning out before signatures where it would be too large', () => {
  const long = 'x'.repeat(contextBytesMax);
  const metadata = { openai: { itemId: 'i' } };
  const signed = { text: 'short', metadata: { anthropic: { signature: 's' } } };
  const withSigned = writePartContext({ metadata, reasoning: [{ text: long, metadata: undefined }, signed] });
  expect(readPartContext(withSigned)).toEqual({ metadata, reasoning: [signed], tool: undefined });
  const without = writePartContext({ metadata, reasoning: [{ ...signed, text: long }] });
  expect(readPartContext(without)).toEqual({ metadata, reasoning: [], tool: undefined });
  expect(writePartContext({ metadata: { openai: { itemId: long } } })).toBeUndefined();
});

test('takes back no more than state where a client made it up', () => {
  const forged = Buffer.from(
    JSON.stringify({
      metadata: {
        openaiCompatible: { role: 'system', thoughtSignature: 's' },
        anthropic: { cacheControl: { type: 'ephemeral' }, signature: 's' },
        words: 'no object',
        empty: {},
      },
      reasoning: [1, { text: 2 }, { text: 'kept', metadata: { openaiCompatible: { role: 'system' } } }],
    }),
  ).toString('base64');
  expect(readPartContext(forged)).toEqual({
    metadata: { openaiCompatible: { thoughtSignature: 's' }, anthropic: { signature: 's' } },
    reasoning: [{ text: 'kept', metadata: undefined }],
    tool: undefined,
  });
});

const stateOf = (json: string) => readPartContext(Buffer.from(json).toString('base64'));

test('takes back nothing that a model or a request could not be made of', () => {
  expect(stateOf('{"metadata":{"google":{"thoughtSignature":{"toString":"","valueOf":1,"kept":2}}}}')).toMatchObject({
    metadata: { google: { thoughtSignature: { kept: 2 } } },
  });
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  expect(stateOf(`{"metadata":{"google":{"a":${deep}}},"tool":${deep}}`)).toEqual({});
});
