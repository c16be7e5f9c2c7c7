import { expect, test } from 'vitest';
import { parseBatchRequest } from './batch-request.ts';
import { isGatewayError } from '../../http/gateway-error.ts';

const policy = { googleCompat: false, snakeCase: false, compat: false };
const hello = { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] };
const entry = (key: string, request: unknown = hello) => ({ key, request });

const refusal = (body: unknown, kind: 'generation' | 'embedding' = 'generation') => {
  try {
    parseBatchRequest(body, kind, policy);
  } catch (cause) {
    if (isGatewayError(cause)) return { code: cause.code, message: cause.message };
    throw cause;
  }
  return null;
};

test('reads the requests of a batch with its name [batches:body:fields] [batches:item:generate-shape]', () => {
  const parsed = parseBatchRequest({ display_name: 'Night', requests: [entry('a'), entry('b')] }, 'generation', policy);
  expect(parsed.displayName).toBe('Night');
  expect(parsed.items.map(({ key, kind }) => [key, kind])).toEqual([
    ['a', 'generation'],
    ['b', 'generation'],
  ]);
  expect(parseBatchRequest({ requests: [entry('a')] }, 'generation', policy).displayName).toBeNull();
});

test('reads embeddings where the key is for them, and no contents [batches:item:embedding-shape]', () => {
  const request = { input: ['one', 'two'], dimensions: 8, task_type: 'RETRIEVAL_DOCUMENT', title: 'T' };
  const [item] = parseBatchRequest({ requests: [entry('a', request)] }, 'embedding', policy).items;
  expect(item).toMatchObject({
    kind: 'embedding',
    request: { input: { kind: 'texts', texts: ['one', 'two'] }, dimensions: 8, title: 'T' },
  });
  expect(refusal({ requests: [entry('a')] }, 'embedding')?.code).toBe('unsupported_parameter');
});

const many = (count: number) => ({ requests: Array.from({ length: count }, (_, place) => entry(`k${place}`)) });

test('takes 100 requests, and neither 101 nor none [batches:body:max-100] [batches:body:not-empty]', () => {
  expect(parseBatchRequest(many(100), 'generation', policy).items).toHaveLength(100);
  expect(refusal(many(101))).toMatchObject({ code: 'invalid_request', message: expect.stringContaining('requests') });
  expect(refusal(many(0))?.code).toBe('invalid_request');
});

test.each([
  ['an empty key', [entry('')]],
  ['a key of 129 characters', [entry('k'.repeat(129))]],
  ['a repeated key', [entry('a'), entry('a')]],
])('refuses %s [batches:item:key-rules]', (_, requests) => {
  expect(refusal({ requests })).toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(/requests\[\d\]\.key/),
  });
});

test.each([
  ['no body', null, 'invalid_request'],
  ['no requests', {}, 'invalid_request'],
  ['an unknown field', { requests: [entry('a')], priority: 1 }, 'unsupported_parameter'],
  ['an unknown field of an entry', { requests: [{ ...entry('a'), model: 'm' }] }, 'unsupported_parameter'],
  ['an entry without a request', { requests: [{ key: 'a' }] }, 'invalid_request'],
  ['an entry without a key', { requests: [{ request: hello }] }, 'invalid_request'],
  ['a request that is a list', { requests: [entry('a', [])] }, 'invalid_request'],
  ['an empty name', { display_name: '', requests: [entry('a')] }, 'invalid_request'],
])('refuses %s [batches:body:fields]', (_, body, code) => {
  expect(refusal(body)?.code).toBe(code);
});

test('says which request is wrong, and where [batches:item:generate-shape]', () => {
  const requests = [entry('a'), entry('b', { ...hello, model: 'm' })];
  expect(refusal({ requests })).toEqual({
    code: 'unsupported_parameter',
    message: expect.stringMatching(
      /^In requests\[1\]\.request: The field model is not supported; accepted are contents, /,
    ),
  });
  expect(refusal({ requests: [entry('a', { messages: [] })] })?.code).toBe('unsupported_parameter');
  expect(refusal({ requests: [entry('a', { input: 'x', model: 'm' })] }, 'embedding')?.code).toBe(
    'unsupported_parameter',
  );
});
