import { isGatewayError } from '@tollgate/contract';
import { array, assert, jsonValue, oneof, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBatchEmbedContents, fromEmbedContent } from './to-embedding-body.ts';

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (cause) {
    if (isGatewayError(cause)) return cause.code;
    throw cause;
  }
  return 'taken';
};

const text = (value: string) => ({ content: { parts: [{ text: value }] } });
const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };

test('throws nothing but gateway errors for any JSON, and for what resembles a request', () => {
  const odd = jsonValue({ maxDepth: 4 });
  const content = oneof(record({ role: odd, parts: oneof(array(odd), odd) }, { requiredKeys: [] }), odd);
  const request = oneof(record({ content, model: odd, title: odd, taskType: odd }, { requiredKeys: ['content'] }), odd);
  const body = oneof(request, record({ requests: oneof(array(request), odd) }), odd);
  assert(
    property(body, (value) => {
      for (const map of [fromEmbedContent, fromBatchEmbedContents])
        expect(codeOf(() => map(value, 'm'))).toMatch(/^[a-z_]+$/);
    }),
    { seed: 20_261_120, numRuns: 2000 },
  );
});

describe('one content', () => {
  test('is a text where it holds nothing else', () => {
    expect(fromEmbedContent({ content: { role: 'user', parts: [{ text: 'a' }] } }, 'm')).toEqual({
      model: 'm',
      input: 'a',
    });
  });

  test('is content where it holds more', () => {
    const parts = [{ text: 'a' }, image];
    expect(fromEmbedContent({ content: { parts } }, 'm')).toEqual({ model: 'm', content: { parts } });
  });

  test('brings its settings along', () => {
    const settings = {
      model: 'models/m',
      taskType: 'RETRIEVAL_DOCUMENT',
      title: 'T',
      outputDimensionality: 256,
      documentOcr: true,
      audioTrackExtraction: false,
    };
    expect(fromEmbedContent({ ...settings, content: { parts: [image] } }, 'm')).toEqual({
      model: 'm',
      task_type: 'RETRIEVAL_DOCUMENT',
      title: 'T',
      dimensions: 256,
      document_ocr: true,
      audio_track_extraction: false,
      content: { parts: [image] },
    });
  });

  test.each([
    ['no object', [], 'invalid_request'],
    ['without content', {}, 'invalid_request'],
    ['without parts', { content: {} }, 'invalid_request'],
    ['of another model', { ...text('a'), model: 'models/other' }, 'model_key_mismatch'],
    ['with an unknown setting', { ...text('a'), autoTruncate: true }, 'unsupported_parameter'],
    ['with an unknown member', { content: { parts: [{ text: 'a' }], name: 'x' } }, 'unsupported_parameter'],
  ])('is refused %s', (_, body, code) => {
    expect(codeOf(() => fromEmbedContent(body, 'm'))).toBe(code);
  });
});

describe('a batch', () => {
  test('is a list of texts, in order', () => {
    const requests = [text('a'), { ...text('b'), model: 'models/m' }];
    expect(fromBatchEmbedContents({ requests }, 'm')).toEqual({ model: 'm', input: ['a', 'b'] });
  });

  test('is content where it holds one that is more than a text', () => {
    const requests = [{ content: { parts: [image] }, outputDimensionality: 256 }];
    expect(fromBatchEmbedContents({ requests }, 'm')).toEqual({
      model: 'm',
      dimensions: 256,
      content: { parts: [image] },
    });
  });

  test('has one set of settings, in whatever order they stand', () => {
    const one = { ...text('a'), taskType: 'CLUSTERING', outputDimensionality: 256 };
    const same = { outputDimensionality: 256, taskType: 'CLUSTERING', ...text('b') };
    expect(fromBatchEmbedContents({ requests: [one, same] }, 'm')).toMatchObject({ input: ['a', 'b'] });
    const other = { ...same, outputDimensionality: 128 };
    expect(codeOf(() => fromBatchEmbedContents({ requests: [one, other] }, 'm'))).toBe('invalid_request');
  });

  test.each([
    ['empty', { requests: [] }, 'invalid_request'],
    ['no list', { requests: {} }, 'invalid_request'],
    ['of several contents', { requests: [text('a'), { content: { parts: [image] } }] }, 'unsupported_content'],
    ['with an unknown member', { requests: [text('a')], surprise: 1 }, 'unsupported_parameter'],
    ['of what are no requests', { requests: ['a'] }, 'invalid_request'],
  ])('is refused when it is %s', (_, body, code) => {
    expect(codeOf(() => fromBatchEmbedContents(body, 'm'))).toBe(code);
  });
});
