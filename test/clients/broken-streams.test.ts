import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxProvider } from '../../packages/provider-sandbox/src/index.ts';
import { startGateway, type RunningGateway } from './running-gateway.ts';
import { outcomeOf, streamClients } from './stream-clients.ts';

// The client warns on the console about what it finds odd; the tests say it already.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

let running: RunningGateway;
/** Passes on what it gets, and breaks the connection when so many events were passed on. */
let breaker: Server;
let breakerUrl: string;
let eventsMax = 0;

const breakAfter = (events: number, write: (part: Buffer) => void, cut: () => void): ((part: Buffer) => void) => {
  let seen = '';
  return (part) => {
    write(part);
    seen += part.toString('latin1');
    if (seen.split('\n\n').length - 1 >= events) cut();
  };
};

beforeAll(async () => {
  running = await startGateway({
    options: {
      compatibility: { openai: true, anthropic: true },
      // Pieces come apart, as those of a model do.
      provider: sandboxProvider({ sleep: () => new Promise((resolve) => setImmediate(resolve)) }),
    },
  });
  breaker = createServer((incoming, outgoing) => {
    const upstream = forward(
      `${running.origin}${incoming.url ?? ''}`,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
        const take = breakAfter(
          eventsMax,
          (part) => void outgoing.write(part),
          // After what was passed on has left.
          () => setImmediate(() => outgoing.destroy()),
        );
        answer.on('data', take).on('end', () => outgoing.end());
      },
    );
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => void breaker.listen(0, '127.0.0.1', resolve));
  const { port } = breaker.address() as AddressInfo;
  breakerUrl = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  breaker.closeAllConnections();
  breaker.close();
  await running.close();
});

const told = '[[sandbox: stream 4 1]] [[sandbox: echo One two three four.]]';
const targetOf = (origin: string) => ({ baseUrl: `${origin}/api/v1/ai`, key: running.key });

const cases = streamClients.map((client) => [client.name, client] as const);

test.each(cases)('%s reads a whole stream', async (_, client) => {
  expect(await client.read(targetOf(running.origin), told)).toBe('One two three four.');
});

test.each(cases)('%s reports a stream that failed after any of its pieces, and sends it once', async (_, client) => {
  for (const pieces of [1, 2, 4]) {
    const before = running.calls.length;
    expect(await outcomeOf(client.read(targetOf(running.origin), `${told} [[sandbox: cut ${pieces}]]`))).toBe('error');
    expect(running.calls.length - before).toBe(1);
  }
});

test.each(cases)('%s reports a stream whose connection broke', async (_, client) => {
  for (const events of [1, 2, 3]) {
    eventsMax = events;
    expect(await outcomeOf(client.read(targetOf(breakerUrl), told))).toBe('error');
  }
});
