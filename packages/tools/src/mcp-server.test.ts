import type { RequestListener } from 'node:http';
import { McpServer } from '@modelcontextprotocol/server';
import type { ToolSetting } from '@tollgate/engine';
import { isNotExecuted } from '@tollgate/provider';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { mcpService } from '../test/mcp-service.ts';
import { startSmallInternet, type SmallInternet } from '../test/small-internet.ts';
import { toolContext } from '../test/tool-context.ts';
import { mcpServer, type McpServerOptions } from './mcp-server.ts';

const running: SmallInternet[] = [];
afterEach(() => {
  for (const internet of running.splice(0)) internet.close();
});

type Setting = ToolSetting<'mcp_server'>;

const oneCall = [{ unit: 'mcp_calls', quantity: 1, confirmed: true }];
const url = 'http://mcp.example.org/mcp';

const setting = (parts: Partial<Setting> = {}): Setting => ({ kind: 'mcp_server', url, ...parts });

const connecting = async (
  listener: RequestListener,
  options: McpServerOptions = {},
  addresses: Readonly<Record<string, readonly string[]>> = {},
) => {
  const internet = await startSmallInternet(listener, addresses);
  running.push(internet);
  const runner = mcpServer({ ...internet.egress, ...options });
  return {
    internet,
    runner,
    declare: (parts?: Partial<Setting>) => runner.declare(setting(parts), toolContext()),
    call: (name: string, args: Record<string, unknown> = {}, parts: Partial<Setting> = {}) =>
      runner.run?.(setting(parts), { id: 'call', name, arguments: args }, toolContext()),
  };
};

/** A service with tools of several kinds. */
const toolServer = (): McpServer => {
  const server = new McpServer({ name: 'workshop', version: '1' });
  server.registerTool(
    'add',
    { description: 'Adds two numbers.', inputSchema: z.object({ a: z.number(), b: z.number() }) },
    ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }),
  );
  server.registerTool('files.list', { description: 'Lists.' }, () => ({
    content: [
      { type: 'text', text: 'one' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'inside' } },
    ],
  }));
  server.registerTool('measure', { outputSchema: z.object({ metres: z.number() }) }, () => ({
    content: [],
    structuredContent: { metres: 3 },
  }));
  server.registerTool('fail', {}, () => ({ content: [{ type: 'text', text: 'out of order' }], isError: true }));
  server.registerTool('long', {}, () => ({ content: [{ type: 'text', text: 'x'.repeat(500) }] }));
  return server;
};

test('declares the tools of a server, by names that every model takes', async () => {
  const { declare } = await connecting(mcpService(toolServer).listener);
  const declared = await declare();
  expect(declared.map(({ name }) => name)).toEqual(['add', 'files_list', 'measure', 'fail', 'long']);
  expect(declared[0]).toMatchObject({
    description: 'Adds two numbers.',
    parameters: { type: 'object', properties: { a: { type: 'number' } }, required: ['a', 'b'] },
  });
});

test('calls a tool, and meters the call', async () => {
  const { call } = await connecting(mcpService(toolServer).listener);
  expect(await call('add', { a: 40, b: 2 })).toEqual({ result: '42', usage: oneCall });
});

test('returns what a model can read of a result, whatever its form', async () => {
  const { call } = await connecting(mcpService(toolServer).listener, { limits: { resultCharsMax: 100 } });
  expect(await call('files_list')).toMatchObject({ result: 'one\n[image: image/png]\ninside' });
  expect(await call('measure')).toMatchObject({ result: '{"metres":3}' });
  expect(await call('fail')).toEqual({ result: 'out of order', isError: true, usage: oneCall });
  expect(await call('long')).toMatchObject({ result: `${'x'.repeat(100)}\n[The rest is left out.]` });
});

test('returns the refusal of arguments as a fault of the call', async () => {
  const { call } = await connecting(mcpService(toolServer).listener);
  const outcome = await call('add', { a: 'one' });
  expect(outcome).toMatchObject({ isError: true, usage: oneCall });
});

test('shows the client which tool of which server was called', async () => {
  const runner = mcpServer();
  const run = { id: 'call', name: 'add', arguments: { a: 1 } };
  expect(runner.stepArguments?.({ kind: 'mcp_server', url, name: 'shop' }, run)).toEqual({
    name: 'add',
    server_name: 'shop',
    arguments: { a: 1 },
  });
  expect(runner.stepArguments?.({ kind: 'mcp_server', url }, run)).toMatchObject({ server_name: 'mcp.example.org' });
});

test('declares and calls allowed tools only', async () => {
  const { seen, listener } = mcpService(toolServer);
  const { declare, call } = await connecting(listener);
  const allowedTools = ['files.list', 'unknown'];
  expect((await declare({ allowedTools })).map(({ name }) => name)).toEqual(['files_list']);
  expect(await call('add', { a: 1, b: 2 }, { allowedTools })).toEqual({
    result: 'The server no longer has this tool.',
    isError: true,
    usage: [],
  });
  expect(seen.map(({ asked }) => asked)).not.toContain('tools/call');
});

test('sends the headers of the client to the server, but none that are the protocol’s', async () => {
  const { seen, listener } = mcpService(toolServer);
  const { call } = await connecting(listener);
  const headers = {
    Authorization: 'Bearer secret',
    'X-Team': 'blue',
    Host: 'other.example.org',
    'Content-Length': '3',
    'Mcp-Session-Id': 'stolen',
    Accept: 'nothing',
  };
  expect(await call('add', { a: 1, b: 2 }, { headers })).toMatchObject({ result: '3' });
  for (const { headers: sent } of seen) {
    expect(sent).toMatchObject({ authorization: 'Bearer secret', 'x-team': 'blue', host: 'mcp.example.org' });
    expect(sent['mcp-session-id']).toBeUndefined();
    expect(sent.accept).not.toBe('nothing');
  }
});

test.each([
  ['http://127.0.0.1/mcp', {}],
  ['http://localhost/mcp', {}],
  ['ftp://mcp.example.org/', {}],
  ['http://inside.example.org/mcp', { 'inside.example.org': ['10.0.0.1'] }],
])('refuses a server at %s before anything is sent', async (address, addresses) => {
  const { declare, call, internet } = await connecting(mcpService(toolServer).listener, {}, addresses);
  await expect(declare({ url: address })).rejects.toMatchObject({ code: 'not_executed', reason: 'invalid_request' });
  expect(await call('add', { a: 1, b: 2 }, { url: address })).toMatchObject({ isError: true, usage: [] });
  expect(internet.connected).toEqual([]);
});

test('asks for HTTPS unless the host says otherwise', async () => {
  const { declare } = await connecting(mcpService(toolServer).listener, { schemes: ['https'] });
  await expect(declare()).rejects.toMatchObject({ reason: 'invalid_request' });
});

const answering =
  (status: number, body: string, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

test.each([
  ['no JSON', answering(200, 'hello')],
  ['another protocol', answering(200, '{"jsonrpc":"2.0","id":99,"result":{}}')],
  ['an error', answering(500, 'boom')],
  ['no permission', answering(401, '', { 'www-authenticate': 'Bearer resource_metadata="http://127.0.0.1/"' })],
  ['a redirect inside', answering(307, '', { location: 'http://169.254.169.254/' })],
  ['too much', answering(200, `"${'x'.repeat(3_000_000)}"`)],
  ['nothing', () => undefined],
])('gives up on a server that answers %s', async (_, listener) => {
  const { declare, call, internet } = await connecting(listener, {
    limits: { requestMs: 500, answerBytesMax: 1_000_000 },
  });
  const refusal: unknown = await declare().catch((cause: unknown) => cause);
  expect(isNotExecuted(refusal) && refusal.reason).toBe('unavailable');
  expect(await call('add', { a: 1, b: 2 })).toMatchObject({
    result: expect.stringContaining('The server failed'),
    isError: true,
    usage: [],
  });
  expect(internet.connected.every((host) => host === 'mcp.example.org')).toBe(true);
});

test('meters a call of unknown outcome', async () => {
  const { listener } = mcpService(toolServer);
  const hanging: RequestListener = (request, response) => {
    if (request.headers['mcp-method'] === 'tools/call') return;
    listener(request, response);
  };
  const { call } = await connecting(hanging, { limits: { requestMs: 700 } });
  expect(await call('add', { a: 1, b: 2 })).toMatchObject({ isError: true, usage: oneCall });
});

const many =
  (count: number, describe: (n: number) => string, fields = 0) =>
  (): McpServer => {
    const server = new McpServer({ name: 'many', version: '1' });
    const shape = Object.fromEntries(Array.from({ length: fields }, (_, n) => [`field_${n}`, z.string()]));
    for (let n = 0; n < count; n += 1)
      server.registerTool(`tool${n}`, { description: describe(n), inputSchema: z.object(shape) }, () => ({
        content: [],
      }));
    return server;
  };

test('declares no more tools, and no more of each, than the limits allow', async () => {
  const wordy = await connecting(mcpService(many(200, () => 'y'.repeat(9_000))).listener);
  const declared = await wordy.declare();
  expect(declared).toHaveLength(64);
  expect(declared.every(({ description = '' }) => description.length === 2_000)).toBe(true);
  const wide = await connecting(mcpService(many(3, String, 1_000)).listener);
  expect(await wide.declare()).toEqual([]);
  const sum = await connecting(mcpService(many(10, String, 50)).listener, { limits: { parametersCharsSum: 5_000 } });
  expect((await sum.declare()).length).toBeLessThan(10);
});

test('ends a list of tools that never ends', async () => {
  let pages = 0;
  const endless: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as { id?: number; method: string };
      const initialized = {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'endless', version: '1' },
      };
      pages += method === 'tools/list' ? 1 : 0;
      const tools = [{ name: `t${pages}`, inputSchema: { type: 'object' } }];
      const result = method === 'initialize' ? initialized : { tools, nextCursor: String(pages) };
      if (id === undefined) response.writeHead(202).end();
      else if (method === 'server/discover')
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } }));
      else
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  };
  const { declare } = await connecting(endless);
  await expect(declare()).rejects.toMatchObject({ reason: 'unavailable' });
  expect(pages).toBeLessThanOrEqual(9);
});

test('connects only where the environment lets it, with the headers that it adds', async () => {
  const { listener } = mcpService(toolServer);
  const keys = new Set<unknown>();
  const { runner } = await connecting((request, response) => {
    keys.add(request.headers['x-key']);
    listener(request, response);
  });
  const allowed = toolContext({ mayAsk: () => Promise.resolve({ kind: 'allowed', headers: { 'x-key': 'secret' } }) });
  expect((await runner.declare(setting(), allowed)).length).toBe(5);
  const run = { id: 'call', name: 'add', arguments: { a: 1, b: 2 } };
  expect(await runner.run?.(setting(), run, allowed)).toMatchObject({ usage: oneCall });
  expect([...keys]).toEqual(['secret']);
  const refused = toolContext({ mayAsk: () => Promise.resolve({ kind: 'refused' }) });
  const failure: unknown = await runner.declare(setting(), refused).catch((cause: unknown) => cause);
  expect(isNotExecuted(failure) && failure.reason).toBe('invalid_request');
  expect(await runner.run?.(setting(), run, refused)).toMatchObject({ isError: true, usage: [] });
  expect([...keys]).toEqual(['secret']);
});
