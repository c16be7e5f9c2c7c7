import { array, assert, constantFrom, jsonValue, oneof, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { samples } from '../../test/media-samples.ts';
import { parseEmbeddingRequest } from './embedding-request.ts';
import { isGatewayError } from '../http/gateway-error.ts';

const seed = 20_261_120;
const fileId = '0a8e1c6e-7a5e-4f8e-9a39-8f2f9f1d2c3b';

/** Whether a body is taken; anything thrown but a gateway error fails the test. */
const isTaken = (body: unknown, compat: boolean): boolean => {
  try {
    parseEmbeddingRequest(body, { compat });
    return true;
  } catch (error) {
    expect(isGatewayError(error), String(error)).toBe(true);
    return false;
  }
};

const odd = jsonValue({ maxDepth: 3 });
/** Nearly always one of these. */
const mostly = (...values: readonly unknown[]) =>
  oneof({ weight: 12, arbitrary: constantFrom(...values) }, { weight: 1, arbitrary: odd });
const text = mostly('a', 'b', '');
const part = oneof(
  record({ inlineData: record({ mimeType: mostly('image/png', 'IMAGE/PNG', 'x'), data: mostly(samples.png) }) }),
  record({ fileData: record({ fileUri: mostly('files/x', 'https://x', `files/${fileId}`) }) }),
  record({ text }),
  odd,
);
const settings = {
  dimensions: mostly(0, 1, 3072, 3073),
  task_type: mostly('CLUSTERING', 'RETRIEVAL_DOCUMENT'),
  title: text,
  encoding_format: mostly('float', 'base64'),
  model: mostly('a'),
  user: mostly('a'),
};
const content = record(
  { parts: oneof(array(part, { maxLength: 3 }), odd), document_ocr: mostly(true, false) },
  { requiredKeys: ['parts'] },
);
const body = oneof(
  record({ ...settings, input: oneof(text, array(text, { maxLength: 3 })) }, { requiredKeys: ['input'] }),
  record({ ...settings, content }, { requiredKeys: ['content'] }),
);

test('throws nothing but gateway errors for any JSON', () => {
  assert(
    property(jsonValue({ maxDepth: 6 }), (value) => {
      expect(isTaken(value, false) || isTaken(value, true)).toBe(false);
    }),
    { seed, numRuns: 1000 },
  );
});

test('throws nothing but gateway errors for what resembles a request, and takes more with the option than without', () => {
  let taken = 0;
  assert(
    property(body, (value) => {
      const strict = isTaken(value, false);
      const compat = isTaken(value, true);
      expect(!strict || compat).toBe(true);
      taken += Number(compat);
    }),
    { seed, numRuns: 5000 },
  );
  expect(taken).toBeGreaterThan(20);
});
