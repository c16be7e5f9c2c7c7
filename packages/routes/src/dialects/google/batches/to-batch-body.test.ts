import { isGatewayError } from '@tollgate/contract';
import { array, assert, jsonValue, oneof, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { resultFileName, resultsOfPath } from './batch-result-file.ts';
import { batchLineForm, fromBatch, type BatchMethod } from './to-batch-body.ts';

const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
const batchOf = (requests: unknown, more: object = {}) => ({
  batch: { inputConfig: { requests: { requests } }, ...more },
});

const refusalIn = (run: () => unknown): string => {
  try {
    run();
  } catch (cause) {
    if (isGatewayError(cause)) return `${cause.code}: ${cause.message}`;
    throw cause;
  }
  return 'taken';
};

const refusalOf = (value: unknown, method: BatchMethod = 'batchGenerateContent'): string =>
  refusalIn(() => fromBatch(value, 'm', method));

test.each(['fileName', 'file_name'])('reads the name of a file at %s', (field) => {
  const value = { batch: { displayName: 'Night', inputConfig: { [field]: 'files/x' } } };
  expect(fromBatch(value, 'm', 'batchGenerateContent')).toEqual({ fileId: 'x', displayName: 'Night' });
});

test('reads lines of a key and a request', () => {
  const line = { key: 'a', request: { model: 'models/m', contents } };
  expect(batchLineForm('m', 'batchGenerateContent').parse(line)).toEqual({ key: 'a', body: { contents } });
  const vector = { key: 'a', request: { content: { parts: [{ text: 'a' }] }, outputDimensionality: 128 } };
  const body = { input: 'a', dimensions: 128 };
  expect(batchLineForm('m', 'asyncBatchEmbedContent').parse(vector)).toEqual({ key: 'a', body });
});

test.each([
  [{ request: { contents } }, 'key'],
  [{ key: '', request: { contents } }, 'key'],
  [{ key: 7, request: { contents } }, 'key'],
  [{ key: 'a' }, 'request'],
  [{ key: 'a', request: { model: 'other', contents } }, 'request.model'],
  [{ key: 'a', request: { contents }, metadata: {} }, 'metadata'],
])('refuses the line %j by the name of the field', (line, field) => {
  expect(refusalIn(() => batchLineForm('m', 'batchGenerateContent').parse(line))).toContain(`The field ${field} `);
});

test('names the file of the responses of a batch, and finds the batch in its address', () => {
  const id = '0f0e0d0c-0b0a-4908-8706-050403020100';
  expect(resultFileName(id)).toMatch(/^[0-9a-z]+$/);
  expect(resultsOfPath(`/files/${resultFileName(id)}:download`)).toBe(id);
  expect(resultsOfPath(`/files/${resultFileName(id)}`)).toBeNull();
  expect(resultsOfPath(`/files/${id}:download`)).toBeNull();
});

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
  [batchOf([{ request: [] }]), 'batch.inputConfig.requests.requests[0].request'],
  [batchOf([{ request: {}, metadata: { a: 'x'.repeat(512) } }]), 'batch.inputConfig.requests.requests[0].metadata'],
  [batchOf([{ request: {}, metadata: { a: '\0' } }]), 'batch.inputConfig.requests.requests[0].metadata'],
  [batchOf([{ request: { model: 'other' } }]), 'batch.inputConfig.requests.requests[0].request.model'],
  [batchOf([{ request: {} }], { priority: '1' }), 'batch.priority'],
  [{ batch: { inputConfig: { file_name: 'x' } } }, 'batch.inputConfig.fileName'],
  [{ batch: { inputConfig: { fileName: 7 } } }, 'batch.inputConfig.fileName'],
  [{ batch: { inputConfig: { fileName: 'files/x', requests: { requests: [] } } } }, 'batch.inputConfig.fileName'],
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
