import { expect, test } from 'vitest';
import { chatBounds, limits } from './limits.ts';

test('states the limits of the contract [limits:table]', () => {
  expect(limits).toEqual({
    bodyBytesMax: {
      chat: 2_000_000,
      generate: 20_971_520,
      files: 29_360_128,
      embeddings: 20_971_520,
      caches: 20_971_520,
      batches: 20_971_520,
      videos: 20_971_520,
      interactions: 20_971_520,
      triggers: 20_971_520,
      environments: 20_971_520,
      other: 2_000_000,
    },
    chat: { messagesMin: 1, messagesMax: 100, temperatureMin: 0, temperatureMax: 2, temperatureDefault: 0.7 },
    file: { decodedBytesMax: 20_971_520 },
    embedding: { textsMax: 100, dimensionsMin: 1, dimensionsMax: 3072 },
    batch: { requestsMax: 100, keyCharsMax: 128 },
    cache: { ttlSecondsMin: 1, ttlSecondsMax: 604_800 },
    environment: { inlineSourceBytesMax: 76_800 },
    list: { recordsMax: 100 },
    idempotencyKey: { charsMin: 1, charsMax: 128 },
    liveAccess: { validSeconds: 60, usesMax: 1 },
    webhook: { attemptsMax: 8, timestampToleranceSeconds: 300 },
    trigger: { displayNameCharsMax: 200 },
    interaction: { temperatureMin: 0, temperatureMax: 2, topPMin: 0, topPMax: 1 },
    contentIndex: { min: 0 },
  });
});

test('counts megabytes and kilobytes in binary', () => {
  expect(limits.bodyBytesMax.generate).toBe(20 * 1024 * 1024);
  expect(limits.file.decodedBytesMax).toBe(20 * 1024 * 1024);
  expect(limits.bodyBytesMax.files).toBe(28 * 1024 * 1024);
  expect(limits.environment.inlineSourceBytesMax).toBe(75 * 1024);
});

test('cannot be changed, at any depth', () => {
  expect(Reflect.set(limits.bodyBytesMax, 'chat', 1)).toBe(false);
  expect(Reflect.set(limits, 'chat', {})).toBe(false);
  expect(Reflect.set(chatBounds, 'toolsMax', 1)).toBe(false);
});
