import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatBody, choiceIn, errorIn, postChat, type Answered } from '../clients/chat-call.ts';
import { lastOf, startGateway, type RunningGateway } from '../clients/running-gateway.ts';
import { threadCpuMs } from '../cpu-time.ts';

/** Far above what the bounded checks of one request may take together, and far below what unbounded ones would. */
const stallMsMax = 2_000;

let running: RunningGateway;
let bait: Server;
let fetched = 0;
let baitUrl = '';
beforeAll(async () => {
  running = await startGateway({ options: { compatibility: { openai: true } } });
  bait = createServer((_request, response) => {
    fetched += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => {
    bait.listen(0, '127.0.0.1', resolve);
  });
  const address = bait.address();
  baitUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/schema.json`;
});
afterAll(async () => {
  expect(fetched).toBe(0);
  expect(running.errors).toEqual([]);
  await running.close();
  bait.close();
});

const shapedBody = (schema: unknown, content: string): string =>
  chatBody(content, { response_format: { type: 'json_schema', json_schema: { name: 'n', schema } } });

/** Posts, and measures the longest computation during which nothing else could run meanwhile. */
const stalled = async (body: string): Promise<{ readonly answer: Answered; readonly stallMs: number }> => {
  let last = threadCpuMs();
  let stallMs = 0;
  const timer = setInterval(() => {
    stallMs = Math.max(stallMs, threadCpuMs() - last);
    last = threadCpuMs();
  }, 1);
  const answer = await postChat(running, body);
  clearInterval(timer);
  return { answer, stallMs: Math.max(stallMs, threadCpuMs() - last) };
};

const doubled = (levels: number, keyword: string): object => {
  const $defs: Record<string, object> = { [`d${levels}`]: {} };
  for (let level = 0; level < levels; level += 1) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = { [keyword]: [next, next] };
  }
  return { $defs, $ref: '#/$defs/d0' };
};

const nestedIds = (levels: number): object => {
  let schema: object = {};
  for (let level = 0; level < levels; level += 1)
    schema = { $id: `https://a.invalid/${level}`, properties: { a: schema } };
  return { properties: { a: schema } };
};

const as = 'a'.repeat(50_000);
const evil = `[[sandbox: json {"text":"${'a'.repeat(40)}!","long":"${as}!"}]]`;

const textOf = (pattern: string): object => ({ type: 'object', properties: { text: { type: 'string', pattern } } });
const longOf = (pattern: string): object => ({ type: 'object', properties: { long: { type: 'string', pattern } } });

test.each([
  ['(a+)+', textOf('^(a+)+$')],
  ['(a|a)*', textOf('^(a|a)*$')],
  ['(a|aa)+', textOf('^(a|aa)+$')],
  ['(.*a){20}', textOf('^(.*a){30}$')],
  ['a back reference', textOf(String.raw`^(a*)*\1$`)],
  ['looking ahead', textOf('^(?=(a+)+$)')],
  ['a square over a long text', longOf('^a*a*a*a*b$')],
  ['an unanchored square', longOf('a+a+b')],
  ['names of properties', { patternProperties: { '^([a-z]+)+!$': {} } }],
  ['names of properties, by a schema', { propertyNames: { pattern: '^([a-z]+)+!$' } }],
  ['one inside not', { not: textOf('^(a+)+$') }],
  ['one inside a condition', { if: { properties: { text: { pattern: '^(a+)+$' } } }, else: textOf('^(a+)+$') }],
])('is held up only so long by the pattern %s, and answers [chat:response-format:json-schema]', async (_, schema) => {
  const { answer, stallMs } = await stalled(shapedBody(schema, evil));
  expect(answer.status).toBe(200);
  expect(stallMs).toBeLessThan(stallMsMax);
});

test.each([
  ['allOf', doubled(70, 'allOf'), 422],
  ['anyOf', doubled(70, 'anyOf'), 422],
  ['oneOf', doubled(70, 'oneOf'), 422],
  ['ids', nestedIds(45), 200],
])(
  'is held up only so long by %s that double at every level [chat:response-format:json-schema]',
  async (_, schema, status) => {
    const { answer, stallMs } = await stalled(shapedBody(schema, evil));
    expect(answer.status).toBe(status);
    expect(stallMs).toBeLessThan(stallMsMax);
  },
);

const numbered = (length: number): readonly string[] => Array.from({ length }, (_, index) => `p${index}`);
const content = '[[sandbox: json {"text":"aaaa","n":1e308}]]';

test.each([
  ['an enum of 9,000', { enum: numbered(9_000) }],
  ['an enum of 4,000 objects', { enum: Array.from({ length: 4_000 }, (_, index) => ({ a: index })) }],
  ['2,000 properties', { properties: Object.fromEntries(numbered(2_000).map((name) => [name, { type: 'string' }])) }],
  ['1,500 alternatives', { anyOf: Array.from({ length: 1_500 }, (_, index) => ({ const: index })) }],
  ['9,000 required names', { required: numbered(9_000) }],
  ['a pattern of many repetitions', textOf(`^${'a?'.repeat(499)}$`)],
  ['a pattern of many groups', textOf(`${'('.repeat(500)}${')'.repeat(500)}`)],
  ['a pattern that repeats repetitions', textOf('^((a{1000}){1000}){1000}$')],
  ['a very small step', { properties: { n: { multipleOf: 5e-324 } } }],
])('takes %s and is held up only so long [chat:response-format:json-schema]', async (_, schema) => {
  const { answer, stallMs } = await stalled(shapedBody(schema, content));
  expect(answer.status).toBe(200);
  expect(stallMs).toBeLessThan(stallMsMax);
});

test.each([
  ['an enum of 20,000', { enum: numbered(20_000) }, 'values and field names'],
  [
    '3,500 properties',
    {
      properties: Object.fromEntries(
        numbered(3_500).map((name) => [name, { type: 'string', title: name, minLength: 1 }]),
      ),
    },
    'values and field names',
  ],
  ['a pattern of many repetitions', textOf(`^${'a?'.repeat(500)}$`), 'accepted are at most 1000.'],
  ['a pattern of many groups', textOf(`${'('.repeat(90_000)}${')'.repeat(90_000)}`), 'accepted are at most 1000.'],
  ['a pattern of a megabyte', textOf(`^${'a?'.repeat(400_000)}$`), 'characters of text'],
])('refuses %s, and says how much is accepted, before anything is reserved', async (_, schema, what) => {
  const before = running.calls.length;
  const answer = await postChat(running, shapedBody(schema, content));
  expect([answer.status, errorIn(answer).code]).toEqual([422, 'invalid_request']);
  expect(answer.text).toContain(what);
  expect(running.calls).toHaveLength(before);
});

test.each([
  ['at the root', (url: string) => ({ $ref: url }), 422],
  ['inside', (url: string) => ({ type: 'object', properties: { text: { $ref: url } } }), 200],
  ['as the dialect', (url: string) => ({ $schema: url, type: 'object' }), 200],
  ['as an id', (url: string) => ({ $id: url, type: 'object' }), 200],
  ['as a dynamic reference', (url: string) => ({ $dynamicRef: url, type: 'object' }), 200],
  ['as a file', () => ({ $ref: 'file:///etc/passwd' }), 422],
])('never fetches what a schema names %s [chat:response-format:json-schema]', async (_, schema, status) => {
  const answer = await postChat(running, shapedBody(schema(baitUrl), evil));
  expect(answer.status).toBe(status);
  expect(answer.text).not.toContain('root:');
  expect(fetched).toBe(0);
});

test.each([
  ['a reference to itself', { $ref: '#' }],
  ['references in a circle', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
  ['a reference to nothing', { $ref: '#/$defs/nothing' }],
  ['a reference that is a number', { $ref: 7 }],
  ['allOf that is a number', { allOf: 7 }],
  ['anyOf that is an object', { anyOf: {} }],
])('refuses %s before anything is reserved', async (_, schema) => {
  const before = running.calls.length;
  const answer = await postChat(running, shapedBody(schema, evil));
  expect([answer.status, errorIn(answer).code]).toEqual([422, 'invalid_request']);
  expect(errorIn(answer)).not.toHaveProperty('request_id');
  expect(running.calls).toHaveLength(before);
});

test.each([
  { type: 7 },
  { type: 'nonsense' },
  { properties: 7 },
  { properties: 'text' },
  { properties: { text: 7 } },
  { required: 'text' },
  { enum: 'text' },
  { enum: {} },
  { items: 'x' },
  { minimum: 'x' },
  { pattern: '(' },
  { pattern: 7 },
  { properties: { text: { pattern: '(' } } },
  { format: 'no-such-format' },
  { const: null },
  { $defs: 7 },
  { $id: 'http://[' },
  { $id: 7 },
  { $anchor: 7 },
  { not: 7 },
  { if: 'x', else: 7 },
  { dependentRequired: { text: 7 } },
  { prefixItems: 7 },
  { unevaluatedProperties: 'x' },
  { __absolute_uri__: 'x', __absolute_ref__: 'x', __absolute_recursive_ref__: 'x' },
  { $ref: '#', __absolute_ref__: 'x' },
  { $recursiveRef: '#' },
])('answers or refuses %j, but never fails over it [chat:response-format:json-schema]', async (schema) => {
  const answer = await postChat(running, shapedBody(schema, evil));
  expect([200, 422]).toContain(answer.status);
});

test('hands a schema to the provider as it came, whatever was checked [chat:response-format:json-schema]', async () => {
  const schema = {
    $defs: { tree: { type: 'object', properties: { next: { $ref: '#/$defs/tree' } } } },
    $ref: '#/$defs/tree',
    'x-own': { $id: 'x', pattern: '(' },
  };
  const answer = await postChat(running, shapedBody(schema, '[[sandbox: json {"next":{"next":{}}}]]'));
  expect(choiceIn(answer)).toMatchObject({ message: { content: '{"next":{"next":{}}}' }, finish_reason: 'stop' });
  const { responseFormat } = lastOf(running.calls);
  expect(JSON.stringify(responseFormat.kind === 'json_schema' && responseFormat.schema)).toBe(JSON.stringify(schema));
});

test('tells an answer of another structure as partial, and charges it [chat:response:finish-reasons]', async () => {
  const schema = { type: 'object', properties: { text: { type: 'number' } }, required: ['text'] };
  const wrong = await postChat(running, shapedBody(schema, '[[sandbox: json {"text":"no"}]]'));
  expect(choiceIn(wrong).finish_reason).toBe('length');
  expect(JSON.parse(wrong.text)).toMatchObject({ service: { credits: expect.any(Number) } });
});
