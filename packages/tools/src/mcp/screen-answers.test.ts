import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { rawMcpService, rawResponse, type RawAnswer } from '../../test/raw-mcp-service.ts';
import { startSmallInternet, type SmallInternet } from '../../test/small-internet.ts';
import { toolContext } from '../../test/tool-context.ts';
import { mcpServer, type McpServerOptions } from '../mcp-server.ts';
import { defaultMcpLimits } from './mcp-limits.ts';
import { screenAnswers } from './screen-answers.ts';

const running: SmallInternet[] = [];
afterEach(() => {
  for (const internet of running.splice(0)) internet.close();
});

const setting = { kind: 'mcp_server', url: 'http://mcp.example.org/mcp' } as const;
const oneTool = '{"tools":[{"name":"t","inputSchema":{"type":"object"}}]}';

const connecting = async (answers: Readonly<Record<string, RawAnswer>>, limits: McpServerOptions['limits'] = {}) => {
  const { listener, messages } = rawMcpService(answers);
  const internet = await startSmallInternet(listener);
  running.push(internet);
  const runner = mcpServer({ ...internet.egress, limits });
  return {
    messages,
    methods: () => messages.map(({ method = 'response' }) => method),
    declare: () => runner.declare(setting, toolContext()),
    call: () => runner.run?.(setting, { id: 'call', name: 't', arguments: {} }, toolContext()),
  };
};

const listOf = (count: number, entry: string): string => `[${Array<string>(count).fill(entry).join(',')}]`;

const names = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"name${index}":0`).join(',')}}`;

const toolWith = (field: string): string => `{"tools":[{"name":"t","inputSchema":{"type":"object","x":${field}}}]}`;

test.each([
  ['more values than one connection may take', toolWith(listOf(60_000, '0'))],
  ['more field names that differ', toolWith(names(6_000))],
  ['more levels', toolWith(`${'['.repeat(100)}${']'.repeat(100)}`)],
  ['more tools', `{"tools":${listOf(600, '{"name":"t","inputSchema":{"type":"object"}}')}}`],
])('does not parse a list of %s, as JSON or as an event', async (_, list) => {
  const plain = await connecting({ 'tools/list': list });
  await expect(plain.declare()).rejects.toMatchObject({ code: 'not_executed', reason: 'unavailable' });
  const streamed = await connecting({
    'tools/list': (message, response) =>
      void response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`data: ${rawResponse(message, list)}\n\n`),
  });
  await expect(streamed.declare()).rejects.toMatchObject({ code: 'not_executed', reason: 'unavailable' });
});

test('counts what the pages of a list hold together', async () => {
  let pages = 0;
  const page: RawAnswer = (message, response) => {
    pages += 1;
    const tools = `[{"name":"t${pages}","inputSchema":{"type":"object","x":${listOf(10_000, '0')}}}]`;
    const result = `{"tools":${tools}${pages < 7 ? `,"nextCursor":"${pages}"` : ''}}`;
    response.writeHead(200, { 'content-type': 'application/json' }).end(rawResponse(message, result));
  };
  const { declare } = await connecting({ 'tools/list': page });
  await expect(declare()).rejects.toMatchObject({ reason: 'unavailable' });
  expect(pages).toBe(5);
});

test('counts the bytes of all answers together', async () => {
  const text = 'x'.repeat(600);
  const answers = {
    'tools/list': `{"tools":[{"name":"t","description":"${text}","inputSchema":{"type":"object"}}]}`,
    'tools/call': `{"content":[{"type":"text","text":"${text}"}]}`,
  };
  const { call } = await connecting(answers, { answerBytesMax: 1_000, answersBytesSum: 1_200 });
  expect(await call()).toMatchObject({ isError: true, usage: [{ quantity: 1 }] });
  const roomy = await connecting(answers, { answerBytesMax: 1_000, answersBytesSum: 2_000 });
  expect(await roomy.call()).toMatchObject({ result: text });
});

test('does not parse a result of too many pieces, and meters its call', async () => {
  const { call } = await connecting({ 'tools/list': oneTool, 'tools/call': `{"content":${listOf(600, '{}')}}` });
  expect(await call()).toMatchObject({
    result: expect.stringContaining('too many'),
    isError: true,
    usage: [{ unit: 'mcp_calls', quantity: 1 }],
  });
});

const stream =
  (before: readonly string[], result: string): RawAnswer =>
  (message, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of before) response.write(`data: ${event}\n\n`);
    // The stream stays open: a server may keep it.
    response.write(`data: ${rawResponse(message, result)}\n\n`);
  };

test('sends no response to the requests of a server, and reads its own response behind them', async () => {
  const asked = Array.from({ length: 50 }, (_, id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
  const told = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
  const { declare, methods } = await connecting({ 'tools/list': stream([...asked, told], oneTool) });
  expect(await declare()).toEqual([{ name: 't', parameters: { type: 'object' } }]);
  expect(methods()).toEqual(['server/discover', 'initialize', 'notifications/initialized', 'tools/list']);
});

test('shows the client of the protocol its response alone, out of a stream with requests of the server', async () => {
  const events = [
    '{"jsonrpc":"2.0","id":7,"method":"ping"}',
    '{"jsonrpc":"2.0","id":8,"result":{}}',
    '{"jsonrpc":"2.0","method":"notifications/progress"}',
    '{"jsonrpc":"2.0","id":7,"result":{"tools":[]}}',
    '{"jsonrpc":"2.0","id":9,"method":"roots/list"}',
  ];
  const body = events.map((event) => `data: ${event}\n\n`).join('');
  const screened = screenAnswers(
    () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })),
    defaultMcpLimits,
  );
  const request = { method: 'POST', body: '{"jsonrpc":"2.0","id":7,"method":"tools/list"}' };
  const response = await screened('http://mcp.example.org/', request);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.text()).toBe(events[3]);
});

test('gives up on a stream of events that never holds the response', async () => {
  const told = Array<string>(1_100).fill('{"jsonrpc":"2.0","method":"notifications/message"}');
  const { declare, methods } = await connecting({ 'tools/list': stream(told, oneTool) });
  await expect(declare()).rejects.toMatchObject({ reason: 'unavailable' });
  expect(methods()).not.toContain('response');
});

test('picks its response from a list of messages', async () => {
  const { declare } = await connecting({
    'tools/list': (message, response) =>
      void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(`[{"jsonrpc":"2.0","id":0,"method":"ping"},${rawResponse(message, oneTool)}]`),
  });
  expect(await declare()).toHaveLength(1);
});

test('sends no more requests than a connection may', async () => {
  let pages = 0;
  const { declare, messages } = await connecting(
    {
      'tools/list': (message, response) => {
        pages += 1;
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(rawResponse(message, `{"tools":[],"nextCursor":"${pages}"}`));
      },
    },
    { requestsMax: 6, pagesMax: 1_000 },
  );
  await expect(declare()).rejects.toMatchObject({ reason: 'unavailable' });
  expect(messages).toHaveLength(6);
});
