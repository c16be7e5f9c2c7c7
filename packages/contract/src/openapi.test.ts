import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { createOpenApi } from './openapi.ts';
import { basePath, routes } from './http/route-table.ts';

const document = createOpenApi({ brand: 'service' });
const asJson = (value: unknown): Record<string, unknown> =>
  // Sound: the document is an object, and JSON keeps it one.
  JSON.parse(JSON.stringify(value)) as Record<string, unknown>;

const required = (brand: string): unknown =>
  asJson(createOpenApi({ brand }).components?.schemas?.['ChatCompletion'])['required'];

test('is OpenAPI 3.1.0 of version 1.5.0 below the prefix [versioning:openapi:version] [versioning:prefix]', () => {
  expect(document.openapi).toBe('3.1.0');
  expect(document.info.version).toBe('1.5.0');
  expect(document.servers).toEqual([{ url: basePath }]);
  expect(createOpenApi({ brand: 'service', version: '2.0.0' }).info.version).toBe('2.0.0');
  expect(createOpenApi({ brand: 'service', basePath: '/llm' }).servers).toEqual([{ url: '/llm' }]);
  expect(createOpenApi({ brand: 'service', basePath: '' }).servers).toEqual([{ url: '/' }]);
});

test('is a valid description', async () => {
  const validator = new Validator();
  expect(await validator.validate(asJson(document))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('covers the route table and nothing else, with its statuses [versioning:openapi:complete] [models:get:statuses]', () => {
  const described = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) => ({ path, method, operation: asJson(operation) })),
  );
  expect(described).toHaveLength(routes.length);
  for (const route of routes) {
    const found = described.find(({ path, method }) => path === route.path && method === route.method.toLowerCase());
    expect(found?.operation['operationId']).toBe(route.id);
    const responses = asJson(found?.operation['responses']);
    expect(Object.keys(responses).map(Number)).toEqual(route.statuses);
  }
});

test('demands the Bearer credential everywhere but for itself, where the host does not [auth:bearer:required]', () => {
  expect(document.security).toEqual([{ bearer: [] }]);
  const own = (of: typeof document) =>
    Object.entries(of.paths ?? {}).flatMap(([path, item]) => (item?.get?.security === undefined ? [] : [path]));
  expect(own(document)).toEqual(['/openapi.json']);
  expect(document.paths?.['/openapi.json']?.get?.security).toEqual([]);
  expect(own(createOpenApi({ brand: 'service', needsKey: true }))).toEqual([]);
  expect(document.components?.securitySchemes?.['bearer']).toEqual({ type: 'http', scheme: 'bearer' });
});

test('offers the Idempotency-Key header on the routes that take one, free ones too', () => {
  for (const route of routes) {
    const described = document.paths?.[route.path];
    const operation = JSON.stringify(route.method === 'POST' ? described?.post : described?.get);
    expect((operation ?? '').includes('"Idempotency-Key"'), route.id).toBe(route.takesIdentity);
  }
  expect(JSON.stringify(document.paths?.['/agents']?.post)).toContain('"in":"header","name":"Idempotency-Key"');
  expect(JSON.stringify(document.paths?.['/agents']?.post)).toContain('"Idempotency-Replayed"');
  expect(JSON.stringify(document.paths?.['/chat/completions'])).toContain('"in":"header","name":"Idempotency-Key"');
});

test('names the receipt after the brand [versioning:brand:response-key]', () => {
  expect(required('service')).toContain('service');
  expect(required('acme')).toContain('acme');
  expect(required('acme')).not.toContain('service');
});

/** The fields of all schemas within a node that say nothing of what they mean. */
const unexplained = (node: unknown, at: string): readonly string[] => {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]: [string, unknown]) =>
    name !== 'properties' || Array.isArray(value)
      ? unexplained(value, `${at}/${name}`)
      : Object.entries(asJson(value)).flatMap(([field, schema]) => [
          ...(asJson(schema)['description'] === undefined ? [`${at}.${field}`] : []),
          ...unexplained(schema, `${at}.${field}`),
        ]),
  );
};

test('says of every field what it means', () => {
  expect(unexplained(document.paths, 'paths')).toEqual([]);
  expect(unexplained(document.components?.schemas, 'schemas')).toEqual([]);
  expect(asJson(asJson(document.components?.schemas?.['VideoList'])['properties'])['data']).toMatchObject({
    description: 'The records. Those of a project are listed newest first.',
  });
});

test('publishes the chat request without the fields of the compatibility option', () => {
  const request = JSON.stringify(document.components?.schemas?.['ChatRequest']);
  expect(request).toContain('"stream_options"');
  expect(request).not.toMatch(/max_tokens|"strict"|"detail"/);
});

test('names no upstream vendor [versioning:neutral-names]', () => {
  const words = /gemini|google|openai|gpt|anthropic|claude|gemma|veo|lyria|imagen/gi;
  expect(JSON.stringify(document).match(words)).toBeNull();
});
