import { assert, jsonValue, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { accessLostFrame, badAccessFrame, setupComplete, tooLongFrame } from '../server-frame.ts';
import {
  readSetup,
  readToken,
  refusalCodeOf,
  saidEndOf,
  shortReason,
  takesUp,
  usageFrame,
  wantsResumption,
  wireCodeOf,
} from './google-frames.ts';

const read = (text: string, nodesMax = 100) => readSetup(Buffer.from(text), nodesMax);

test('reads a setup and nothing else as one', () => {
  expect(read('{"setup":{"model":"models/m"}}')).toEqual({ model: 'models/m' });
  for (const other of ['', '{', '[]', 'null', '{}', '{"setup":[]}', '{"setup":null}', '{"setup":{},"more":1}'])
    expect(read(other), other).toBeNull();
});

test('parses no setup that holds more values than a frame may, and none that is nested without end', () => {
  expect(read(`{"setup":{"a":[${'0,'.repeat(50)}0]}}`)).not.toBeNull();
  expect(read(`{"setup":{"a":[${'0,'.repeat(100)}0]}}`)).toBeNull();
  expect(read(`{"setup":${'{"a":'.repeat(200)}0${'}'.repeat(200)}}`, 1_000)).toBeNull();
});

test('tells who asks how to go on from who goes on', () => {
  expect([wantsResumption({}), takesUp({})]).toEqual([false, false]);
  const asks = { sessionResumption: {} };
  expect([wantsResumption(asks), takesUp(asks)]).toEqual([true, false]);
  expect(takesUp({ sessionResumption: { handle: 'x' } })).toBe(true);
});

test('reads a token as the access that it is', () => {
  const id = '0190f3a0-0000-7000-8000-00000000000a';
  const accessKey = 'a'.repeat(64);
  expect(readToken(`auth_tokens/${id}.${accessKey}`)).toEqual({ id, accessKey });
  for (const wrong of ['', `auth_tokens/${id}`, `${id}.${accessKey}`, `auth_tokens/${id}.${accessKey}x`])
    expect(readToken(wrong), wrong).toBeNull();
});

test('keeps the reason of an end for the close, and reads no frame of the model', () => {
  expect(saidEndOf(setupComplete)).toBeNull();
  expect(saidEndOf('{"serverContent":{"modelTurn":{"parts":[{"text":"{\\"error\\""}]}}}')).toBeNull();
  expect(saidEndOf(badAccessFrame)).toEqual({ frame: null, reason: 'The access is wrong, expired or used.' });
  expect(saidEndOf(tooLongFrame)).toEqual({ frame: tooLongFrame, reason: '' });
  const lost = saidEndOf(accessLostFrame('invalid_api_key'));
  expect(lost?.frame).toBe(tooLongFrame);
  expect(lost?.reason).toContain('key');
});

test.each([
  [1000, 1000],
  [1007, 1007],
  [1011, 1011],
  [4401, 1008],
  [4402, 1008],
  [4408, 1008],
])('closes with %i as %i', (code, wire) => {
  expect(wireCodeOf(code)).toBe(wire);
});

test.each([
  [401, 1008],
  [402, 1008],
  [429, 1008],
  [400, 1007],
  [422, 1007],
  [404, 1007],
  [503, 1011],
])('refuses with the status %i by the code %i', (status, code) => {
  expect(refusalCodeOf(status)).toBe(code);
});

test('a reason fits into a close frame, whatever it says', () => {
  assert(
    property(string({ unit: 'grapheme', maxLength: 400 }), (reason) => {
      const short = shortReason(reason);
      expect(Buffer.byteLength(short)).toBeLessThanOrEqual(123);
      expect(reason.startsWith(short) && short.isWellFormed()).toBe(true);
    }),
    { seed: 20_261_125 },
  );
  expect(shortReason('a'.repeat(123))).toHaveLength(123);
});

test('counts the tokens of a measure by part and medium', () => {
  const usage = [
    { unit: 'input_text_tokens', quantity: 3, confirmed: true },
    { unit: 'input_audio_tokens', quantity: 5, confirmed: true },
    { unit: 'output_audio_tokens', quantity: 7, confirmed: true },
    { unit: 'thought_tokens', quantity: 2, confirmed: true },
    { unit: 'session_seconds', quantity: 9, confirmed: true },
  ] as const;
  expect(JSON.parse(usageFrame(usage) ?? '')).toEqual({
    usageMetadata: {
      promptTokenCount: 8,
      responseTokenCount: 7,
      thoughtsTokenCount: 2,
      totalTokenCount: 17,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 3 },
        { modality: 'AUDIO', tokenCount: 5 },
      ],
      responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 7 }],
    },
  });
  expect(usageFrame([{ unit: 'session_seconds', quantity: 9, confirmed: true }])).toBeNull();
});

test('reads any first frame without throwing', () => {
  assert(
    property(jsonValue(), (value) => {
      const setup = read(JSON.stringify({ setup: value }), 10_000) ?? {};
      expect([true, false]).toContain(takesUp(setup));
    }),
    { seed: 20_261_125 },
  );
});
