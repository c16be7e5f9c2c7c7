import { afterAll, beforeAll, expect, test } from 'vitest';
import { chatBody, choiceIn, errorIn, postChat, type Answered } from '../clients/chat-call.ts';
import { lastOf, startGateway, type RunningGateway } from '../clients/running-gateway.ts';
import { threadCpuMs } from '../cpu-time.ts';

let running: RunningGateway;
beforeAll(async () => {
  running = await startGateway({ options: { compatibility: { openai: true } } });
});
afterAll(async () => {
  expect(running.errors).toEqual([]);
  await running.close();
});

const walletSeq = async (): Promise<number | undefined> =>
  (await running.gateway.admin.readWallet(running.accountId))?.seq;

/** Refused without a trace: no call, no movement in the wallet, no operation. */
const refused = async (body: string | Uint8Array<ArrayBuffer>): Promise<Answered> => {
  const before = { calls: running.calls.length, seq: await walletSeq() };
  const answer = await postChat(running, body);
  expect(errorIn(answer)).not.toHaveProperty('request_id');
  expect(running.calls).toHaveLength(before.calls);
  expect(await walletSeq()).toBe(before.seq);
  return answer;
};

const user = '{"role":"user","content":"Hi"}';

test.each([
  ['nothing', ''],
  ['white space', ' \n\t '],
  ['an open brace', '{'],
  ['NaN', `{"messages":[${user}],"temperature":NaN}`],
  ['Infinity', `{"messages":[${user}],"temperature":Infinity}`],
  ['-Infinity', `{"messages":[${user}],"temperature":-Infinity}`],
  ['a number in octal', `{"messages":[${user}],"temperature":01}`],
  ['a trailing comma', `{"messages":[${user},]}`],
  ['a comment', `{"messages":[${user}] /* hello */}`],
  ['single quotes', "{'messages':[]}"],
  ['a byte order mark', `\u{feff}{"messages":[${user}]}`],
  ['two values', `{"messages":[${user}]}{}`],
  ['a raw line break in a string', '{"messages":[{"role":"user","content":"a\nb"}]}'],
  ['a raw NUL in a string', '{"messages":[{"role":"user","content":"a\u{0}b"}]}'],
  ['half an escape', String.raw`{"messages":[{"role":"user","content":"\u12"}]}`],
  ['an unknown escape', String.raw`{"messages":[{"role":"user","content":"\x41"}]}`],
  ['undefined', 'undefined'],
])('refuses %s as invalid JSON [errors:status:400-invalid-json]', async (_, body) => {
  const answer = await refused(body);
  expect([answer.status, errorIn(answer).code]).toEqual([400, 'invalid_json']);
});

test.each([
  ['an overlong slash', [0xc0, 0xaf]],
  ['a lone continuation', [0x80]],
  ['a cut sequence', [0xe2, 0x82]],
  ['a surrogate in bytes', [0xed, 0xa0, 0x80]],
  ['a point beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
  ['Latin-1', [0xe9]],
  ['0xff', [0xff]],
])('refuses %s as invalid UTF-8 rather than read something else [errors:status:400-invalid-json]', async (_, bytes) => {
  const [before = '', after = ''] = chatBody('@').split('@');
  const answer = await refused(Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]));
  expect([answer.status, errorIn(answer).code]).toEqual([400, 'invalid_json']);
});

test.each([
  ['UTF-16', Buffer.from(chatBody('Hi'), 'utf16le')],
  ['UTF-32', Buffer.from(Array.from(chatBody('Hi'), (letter) => `\0\0\0${letter}`).join(''))],
  ['gzip', Buffer.from('1f8b0800000000000003', 'hex')],
])('refuses a body in %s [errors:status:400-invalid-json]', async (_, bytes) => {
  expect((await refused(bytes)).status).toBe(400);
});

test.each(['null', 'true', '7', '"text"', '[]', '[{"messages":[]}]'])(
  'refuses %s, which is JSON but no object [errors:status:422]',
  async (body) => {
    const answer = await refused(body);
    expect([answer.status, errorIn(answer).code]).toEqual([422, 'invalid_request']);
  },
);

const nestedObjects = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
const deep = 100_000;
const lists = '['.repeat(deep) + ']'.repeat(deep);
const objects = nestedObjects(deep);

test.each([
  ['the body', (nest: string) => nest],
  ['messages', (nest: string) => `{"messages":${nest}}`],
  ['a message', (nest: string) => `{"messages":[${nest}]}`],
  ['content', (nest: string) => `{"messages":[{"role":"user","content":${nest}}]}`],
  ['a part', (nest: string) => `{"messages":[{"role":"user","content":[{"type":"text","text":${nest}}]}]}`],
  ['a role', (nest: string) => `{"messages":[{"role":${nest},"content":"Hi"}]}`],
  ['an unknown field', (nest: string) => `{"messages":[${user}],"x":${nest}}`],
  ['tools', (nest: string) => `{"messages":[${user}],"tools":${nest}}`],
  [
    'tool parameters',
    (nest: string) =>
      `{"messages":[${user}],"tools":[{"type":"function","function":{"name":"f","parameters":{"a":${nest}}}}]}`,
  ],
  [
    'a JSON Schema',
    (nest: string) =>
      `{"messages":[${user}],"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"a":${nest}}}}}`,
  ],
  ['metadata', (nest: string) => `{"messages":[${user}],"metadata":${nest}}`],
  ['annotations', (nest: string) => `{"messages":[{"role":"assistant","content":"a","annotations":${nest}}]}`],
  ['temperature', (nest: string) => `{"messages":[${user}],"temperature":${nest}}`],
  ['stop', (nest: string) => `{"messages":[${user}],"stop":${nest}}`],
  ['tool_choice', (nest: string) => `{"messages":[${user}],"tool_choice":${nest}}`],
  [
    'the arguments of a call, as text',
    (nest: string) =>
      JSON.stringify({
        messages: [
          { role: 'user', content: 'Hi' },
          {
            role: 'assistant',
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: nest } }],
          },
        ],
      }),
  ],
])('refuses %s nested 100,000 deep, in lists and in objects, quickly [errors:status:422]', async (_, place) => {
  for (const nest of [lists, objects]) {
    const start = threadCpuMs();
    const answer = await refused(place(nest));
    expect(answer.status).toBe(422);
    expect(threadCpuMs() - start).toBeLessThan(3_000);
  }
});

test('accepts schemas and arguments as deep as the bound allows [chat:tools:function-shape]', async () => {
  const parameters = JSON.parse(nestedObjects(99)) as object;
  const answer = await postChat(
    running,
    chatBody('Hi', { tools: [{ type: 'function', function: { name: 'f', parameters } }] }),
  );
  expect(answer.status).toBe(200);
});

test('takes the last of two equal keys [chat:messages:count]', async () => {
  const answer = await postChat(
    running,
    `{"messages":7,"messages":[{"role":"robot","role":"user","content":"[[sandbox: echo first]]","content":"[[sandbox: echo last]]"}]}`,
  );
  expect(choiceIn(answer).message.content).toBe('last');
});

test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'])(
  'takes %s as a name like any other, at every level [errors:code:unsupported-parameter]',
  async (name) => {
    const pair = `"${name}":{"polluted":true,"role":"user","content":"Hi","messages":[${user}]}`;
    const refusals = [
      `{"messages":[${user}],${pair}}`,
      `{${pair}}`,
      `{"messages":[{"role":"user","content":"Hi",${pair}}]}`,
      `{"messages":[{"role":"user","content":[{"type":"text","text":"Hi",${pair}}]}]}`,
      `{"messages":[{"role":"assistant","content":"Hi",${pair}},${user}]}`,
      `{"messages":[${user}],"tools":[{"type":"function","function":{"name":"f",${pair}}}]}`,
      `{"messages":[${user}],"tools":[{"type":"function",${pair},"function":{"name":"f"}}]}`,
      `{"messages":[${user}],"response_format":{"type":"text",${pair}}}`,
      `{"messages":[${user}],"stream":true,"stream_options":{${pair}}}`,
      `{"messages":[${user}],"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{},${pair}}}}`,
    ];
    for (const body of refusals) expect([body, (await refused(body)).status]).toEqual([body, 422]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  },
);

test.each(['__proto__', 'constructor', 'toString'])(
  'carries %s inside tool parameters and JSON Schemas to the provider as it came [chat:tools:function-shape] [chat:response-format:json-schema]',
  async (name) => {
    const schema = `{"type":"object","properties":{"${name}":{"type":"string"}}}`;
    const answer = await postChat(
      running,
      `{"messages":[${user}],"tools":[{"type":"function","function":{"name":"f","parameters":${schema}}}],` +
        `"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":${schema}}}}`,
    );
    expect(answer.status).toBe(200);
    const { tools, responseFormat } = lastOf(running.calls);
    expect(JSON.stringify(tools[0])).toContain(`"properties":{"${name}":{"type":"string"}}`);
    expect(JSON.stringify(responseFormat)).toContain(`"properties":{"${name}":{"type":"string"}}`);
    expect(({} as Record<string, unknown>)['type']).toBeUndefined();
  },
);

test('refuses a role, a type or a tool choice that is the name of something inherited [chat:messages:role]', async () => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    const bodies = [
      `{"messages":[{"role":"${name}","content":"Hi"}]}`,
      `{"messages":[{"role":"user","content":[{"type":"${name}","text":"Hi"}]}]}`,
      `{"messages":[${user}],"tool_choice":"${name}"}`,
      `{"messages":[${user}],"tools":[{"type":"${name}"}]}`,
      `{"messages":[${user}],"response_format":{"type":"${name}"}}`,
      `{"messages":[${user}],"model":"${name}"}`,
    ];
    for (const body of bodies) expect([body, (await refused(body)).status]).toEqual([body, 422]);
  }
});

test.each([
  ['9,000 messages', `{"messages":[${Array.from({ length: 9_000 }, () => user).join(',')}]}`],
  ['many unknown fields', `{${Array.from({ length: 400 }, (_, index) => `"x${index}":1`).join(',')}}`],
  ['a very long name', `{"messages":[${user}],"${'n'.repeat(1_900_000)}":1}`],
  [
    'many parts',
    `{"messages":[{"role":"user","content":[${Array.from({ length: 9_000 }, () => '{"type":"text","text":"a"}').join(',')}]}]}`,
  ],
  [
    'many tools of one name',
    `{"messages":[${user}],"tools":[${Array.from({ length: 500 }, () => '{"type":"function","function":{"name":"f"}}').join(',')}]}`,
  ],
  ['a very long number', `{"messages":[${user}],"temperature":${'9'.repeat(1_000_000)}}`],
  ['an endless exponent', `{"messages":[${user}],"temperature":1e999999}`],
])('refuses %s quickly and with a short message [errors:status:422]', async (_, body) => {
  const start = threadCpuMs();
  const answer = await refused(body);
  expect(answer.status).toBe(422);
  expect(answer.text.length).toBeLessThan(500);
  expect(threadCpuMs() - start).toBeLessThan(3_000);
});

test.each([
  ['100,000 messages', `{"messages":[${Array.from({ length: 60_000 }, () => user).join(',')}]}`],
  ['100,000 unknown fields', `{${Array.from({ length: 100_000 }, (_, index) => `"x${index}":1`).join(',')}}`],
  [
    '60,000 parts',
    `{"messages":[{"role":"user","content":[${Array.from({ length: 60_000 }, () => '{"type":"text","text":"a"}').join(',')}]}]}`,
  ],
])('refuses %s before they are parsed [errors:status:413-body-too-large]', async (_, body) => {
  const answer = await refused(body);
  expect([answer.status, errorIn(answer).code]).toEqual([413, 'body_too_large']);
  expect(answer.text.length).toBeLessThan(500);
});
