import { describe, expect, test } from 'vitest';
import { samples } from '../../test/media-samples.ts';
import { defaultCatalog } from '../catalog/catalog.ts';
import { embeddingFlags, embeddingTasks } from './embedding-request-body.ts';
import { parseEmbeddingRequest, type EmbeddingRequest } from './embedding-request.ts';
import { errorTable } from '../http/error-code.ts';
import { isGatewayError } from '../http/gateway-error.ts';
import { limits } from '../limits.ts';

const strict = (body: unknown): EmbeddingRequest => parseEmbeddingRequest(body, { compat: false });
const compat = (body: unknown): EmbeddingRequest => parseEmbeddingRequest(body, { compat: true });

const refusalOf = (body: unknown, parse = strict) => {
  try {
    parse(body);
  } catch (cause) {
    if (!isGatewayError(cause)) throw cause;
    return { code: cause.code, status: errorTable[cause.code].status, message: cause.message };
  }
  throw new Error('it was not refused');
};

const png = { inlineData: { mimeType: 'image/png', data: samples.png } };
const file = { fileData: { fileUri: 'files/0a8e1c6e-7a5e-4f8e-9a39-8f2f9f1d2c3b' } };
const content = { parts: [png] };

describe('texts', () => {
  test('may be one or a list of up to 100 [embeddings:body:input-text] [embeddings:body:input-list]', () => {
    expect(strict({ input: 'a' })).toEqual({ encoding_format: 'float', input: { kind: 'texts', texts: ['a'] } });
    const texts = Array.from({ length: limits.embedding.textsMax }, (_, index) => `text ${index}`);
    expect(strict({ input: texts }).input).toEqual({ kind: 'texts', texts });
  });

  test.each([
    ['one', ''],
    ['a list', ['a', '']],
  ])('are not empty, in %s [embeddings:body:input-text]', (_, input) => {
    expect(refusalOf({ input })).toMatchObject({ status: 422, code: 'empty_message' });
  });

  test.each([
    ['101', Array.from({ length: 101 }, () => 'a')],
    ['5,000,000', Array.from({ length: 5_000_000 }, () => 'a')],
    ['none', []],
  ])('are not %s [embeddings:body:input-list]', (_, input) => {
    expect(refusalOf({ input })).toMatchObject({ status: 422, code: 'invalid_request' });
  });

  test.each([[[1, 2, 3]], [[[1, 2], [3]]], [7], [null], [{ text: 'a' }]])('are not %j', (input) => {
    expect(refusalOf({ input })).toMatchObject({ status: 422, code: 'invalid_request' });
  });
});

describe('content', () => {
  test('holds media and files', () => {
    expect(strict({ content: { parts: [png, file] } }).input).toEqual({
      kind: 'content',
      flags: [],
      parts: [
        { kind: 'media', mimeType: 'image/png', data: samples.png },
        { kind: 'file', fileId: '0a8e1c6e-7a5e-4f8e-9a39-8f2f9f1d2c3b' },
      ],
    });
  });

  test('is instead of input, and never beside it [embeddings:body:input-or-content]', () => {
    for (const body of [{}, { input: 'a', content }])
      expect(refusalOf(body)).toMatchObject({ status: 422, code: 'invalid_request' });
  });

  test.each([
    ['text', { text: 'a' }],
    ['nothing', {}],
    ['media of no accepted type', { inlineData: { mimeType: 'image/gif', data: samples.gif } }],
    ['media of another type than declared', { inlineData: { mimeType: 'image/jpeg', data: samples.png } }],
    ['media that is no base64', { inlineData: { mimeType: 'image/png', data: '???' } }],
    ['an address', { fileData: { fileUri: 'https://example.com/a.png' } }],
    ['a list', []],
  ])('does not hold %s', (_, part) => {
    expect(refusalOf({ content: { parts: [part] } })).toMatchObject({ status: 422, code: 'unsupported_content' });
  });

  test('is not empty, nor longer than a hundred parts, nor a list', () => {
    expect(refusalOf({ content: { parts: [] } })).toMatchObject({ status: 422 });
    expect(refusalOf({ content: { parts: Array.from({ length: 101 }, () => png) } })).toMatchObject({ status: 422 });
    expect(refusalOf({ content: [png] })).toMatchObject({ status: 422 });
  });

  test('does not find a file whose name is no uuid', () => {
    expect(refusalOf({ content: { parts: [{ fileData: { fileUri: 'files/abc' } }] } }).status).toBe(404);
  });

  test('takes flags inside or beside it, and not in both places [embeddings:body:content-flags]', () => {
    for (const flag of embeddingFlags) {
      const flagged = { kind: 'content', flags: [flag] };
      expect(strict({ content: { ...content, [flag]: true } }).input).toMatchObject(flagged);
      expect(strict({ content, [flag]: true }).input).toMatchObject(flagged);
      expect(strict({ content, [flag]: false }).input).toMatchObject({ flags: [] });
      expect(refusalOf({ content: { ...content, [flag]: true }, [flag]: true }).code).toBe('invalid_request');
      expect(refusalOf({ content, [flag]: 'yes' }).code).toBe('invalid_request');
      expect(refusalOf({ input: 'a', [flag]: true }).code).toBe('invalid_request');
    }
  });
});

describe('settings', () => {
  test.each([1, 768, 3072])('take %i dimensions [embeddings:body:dimensions]', (dimensions) => {
    expect(strict({ input: 'a', dimensions }).dimensions).toBe(dimensions);
  });

  test.each([0, 3073, 1.5, '768', null])('refuse %j dimensions [embeddings:body:dimensions]', (dimensions) => {
    const refusal = refusalOf({ input: 'a', dimensions });
    expect(refusal).toMatchObject({ status: 422, code: 'invalid_request' });
    expect(refusal.message).toContain('dimensions');
  });

  test('take the eight tasks and no other [embeddings:body:task-type]', () => {
    expect(embeddingTasks).toHaveLength(8);
    for (const task of embeddingTasks) expect(strict({ input: 'a', task_type: task }).task_type).toBe(task);
    for (const task of ['retrieval_query', 'OTHER', '', null, 1])
      expect(refusalOf({ input: 'a', task_type: task })).toMatchObject({ status: 422, code: 'invalid_request' });
  });

  test('take a title with RETRIEVAL_DOCUMENT only [embeddings:body:title]', () => {
    const titled = { input: 'a', title: 'T' };
    expect(strict({ ...titled, task_type: 'RETRIEVAL_DOCUMENT' }).title).toBe('T');
    for (const body of [titled, { ...titled, task_type: 'RETRIEVAL_QUERY' }])
      expect(refusalOf(body)).toMatchObject({ status: 422, code: 'invalid_request' });
  });

  test('take an encoding of float or base64 [embeddings:body:encoding-format]', () => {
    for (const encoding of ['float', 'base64'])
      expect(strict({ input: 'a', encoding_format: encoding }).encoding_format).toBe(encoding);
    expect(refusalOf({ input: 'a', encoding_format: 'int8' })).toMatchObject({ status: 422, code: 'invalid_request' });
  });

  test.each(['user', 'messages', 'contents', 'taskType', 'outputDimensionality'])('refuse the field %s', (name) => {
    const refusal = refusalOf({ input: 'a', [name]: 'x' });
    expect(refusal).toMatchObject({ status: 422, code: 'unsupported_parameter' });
    expect(refusal.message).toContain(name);
  });

  test('refuse a body that is no object', () => {
    for (const body of [null, 'a', 1, []]) expect(refusalOf(body)).toMatchObject({ status: 422 });
  });
});

test('takes in compatibility mode a user, texts among the parts, and the type of a file', () => {
  expect(compat({ input: 'a', user: 'u-1' }).user).toBe('u-1');
  const named = { fileData: { ...file.fileData, mimeType: 'image/png' } };
  expect(compat({ content: { parts: [{ text: 'a' }, png, named] } }).input).toMatchObject({
    parts: [{ kind: 'text', text: 'a' }, { kind: 'media' }, { kind: 'file' }],
  });
  expect(refusalOf({ input: 'a', surprise: 1 }, compat)).toMatchObject({ code: 'unsupported_parameter' });
  expect(refusalOf({ content: { parts: [named] } })).toMatchObject({ code: 'unsupported_parameter' });
});

test('the catalog says of every embedding model what it offers [embeddings:body:model-dimensions]', () => {
  for (const row of defaultCatalog) {
    expect(row.embedding !== undefined, row.id).toBe(row.family === 'embedding');
    if (row.embedding === undefined) continue;
    expect(row.embedding.dimensions).toEqual({ kind: 'range', min: 128, max: limits.embedding.dimensionsMax });
    // Only a model that reads media has something to do with them.
    expect(row.embedding.flags.length > 0, row.id).toBe(row.capabilities.includes('pdf_input'));
  }
});

test('takes more texts than the contract where the host raises their number, in a compatible mode only', () => {
  const input = Array.from({ length: 101 }, () => 'a');
  expect(parseEmbeddingRequest({ input }, { compat: true, textsMax: 101 }).input).toEqual({
    kind: 'texts',
    texts: input,
  });
  for (const policy of [{ compat: true }, { compat: false, textsMax: 101 }])
    expect(() => parseEmbeddingRequest({ input }, policy)).toThrow(
      expect.objectContaining({ message: expect.stringContaining('100') }),
    );
});
