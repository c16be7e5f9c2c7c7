import { isGatewayError } from '@tollgate/contract';
import { array, assert, jsonValue, oneof, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { fromBatch, type BatchMethod } from './to-batch-body.ts';

const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
const batchOf = (requests: unknown, more: object = {}) => ({
  batch: { inputConfig: { requests: { requests } }, ...more },
});

const refusalOf = (value: unknown, method: BatchMethod = 'batchGenerateContent'): string => {
  try {
    fromBatch(value, 'm', method);
  } catch (cause) {
    if (isGatewayError(cause)) return `${cause.code}: ${cause.message}`;
    throw cause;
  }
  return 'taken';
};

test('reads requests with their places as keys, and what is wanted back beside them', () => {
  const requests = [{ request: { model: 'models/m', contents }, metadata: { key: 'a' } }, { request: { contents } }];
  expect(fromBatch(batchOf(requests, { display_name: 'Night' }), 'm', 'batchGenerateContent')).toEqual({
    body: {
      display_name: 'Night',
      requests: [
        { key: '0', request: { contents } },
        { key: '1', request: { contents } },
      ],
    },
    metadata: [{ key: 'a' }, null],
  });
});

test('reads requests of embeddings as those of the contract', () => {
  const requests = [{ request: { content: { parts: [{ text: 'a' }] }, outputDimensionality: 128 } }];
  expect(fromBatch(batchOf(requests), 'm', 'asyncBatchEmbedContent')).toEqual({
    body: { requests: [{ key: '0', request: { input: 'a', dimensions: 128 } }] },
    metadata: [],
  });
});

test.each([
  [{}, 'batch'],
  [batchOf([]), 'batch.inputConfig.requests.requests'],
  [batchOf(Array.from({ length: 101 }, () => ({ request: {} }))), 'batch.inputConfig.requests.requests'],
  [batchOf([{ request: 7 }]), 'batch.inputConfig.requests.requests[0].request'],
  [batchOf([{ request: {}, metadata: { a: 'x'.repeat(512) } }]), 'batch.inputConfig.requests.requests[0].metadata'],
  [batchOf([{ request: {}, metadata: { a: '\0' } }]), 'batch.inputConfig.requests.requests[0].metadata'],
  [batchOf([{ request: { model: 'other' } }]), 'batch.inputConfig.requests.requests[0].request.model'],
  [batchOf([{ request: {} }], { priority: '1' }), 'batch.priority'],
  [{ batch: { inputConfig: { file_name: 'files/x' } } }, 'batch.inputConfig.fileName'],
])('refuses %j by the name of the field', (value, field) => {
  expect(refusalOf(value)).toContain(`The field ${field} `);
});

test('throws nothing but gateway errors for any JSON, and for what resembles a batch', () => {
  const odd = jsonValue({ maxDepth: 3 });
  const request = oneof(odd, record({ request: odd, metadata: odd }, { requiredKeys: [] }));
  const body = oneof(
    odd,
    record({ batch: odd }),
    array(request, { maxLength: 3 }).map((list) => batchOf(list)),
  );
  assert(
    property(body, (value) => {
      for (const method of ['batchGenerateContent', 'asyncBatchEmbedContent'] as const)
        expect(refusalOf(value, method)).toMatch(/^(?:taken|[a-z_]+: [A-Z])/);
    }),
    { seed: 20_261_125, numRuns: 1_000 },
  );
});
