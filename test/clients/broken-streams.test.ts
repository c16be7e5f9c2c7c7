import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxProvider } from '../../packages/provider-sandbox/src/index.ts';
import { startQuickClients, type QuickClients } from './quick-clients.ts';
import { boundModel, startGateway, type RunningGateway } from './running-gateway.ts';
import { streamClients } from './stream-clients.ts';

let running: RunningGateway;
let clients: QuickClients;
/** Passes on what it gets, and breaks the connection when so many events were passed on. */
let breaker: Server;
let breakerUrl: string;
let eventsMax = Infinity;
/** What was passed on of the last request, and how many requests came. */
let passedEvents = 0;
let requests = 0;

const eventEnd = '\n\n';

/** Passes on so many events and not a byte more, then cuts. */
const breakAfter = (write: (part: string) => void, cut: () => void): ((part: Buffer) => void) => {
  passedEvents = 0;
  let rest = '';
  return (part) => {
    rest += part.toString('latin1');
    for (let end = rest.indexOf(eventEnd); end >= 0 && passedEvents < eventsMax; end = rest.indexOf(eventEnd)) {
      write(rest.slice(0, end + eventEnd.length));
      rest = rest.slice(end + eventEnd.length);
      passedEvents += 1;
    }
    if (passedEvents >= eventsMax) cut();
  };
};

beforeAll(async () => {
  clients = startQuickClients();
  running = await startGateway({
    options: {
      compatibility: { openai: true, anthropic: true, google: true },
      // Pieces come apart, as those of a model do.
      provider: sandboxProvider({ sleep: () => new Promise((resolve) => setImmediate(resolve)) }),
    },
  });
  breaker = createServer((incoming, outgoing) => {
    requests += 1;
    const upstream = forward(
      `${running.origin}${incoming.url ?? ''}`,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
        const take = breakAfter(
          (part) => void outgoing.write(part, 'latin1'),
          // After what was passed on has left.
          () => setImmediate(() => outgoing.destroy()),
        );
        answer.on('data', take).on('end', () => {
          if (passedEvents < eventsMax) outgoing.end();
        });
      },
    );
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => void breaker.listen(0, '127.0.0.1', resolve));
  const { port } = breaker.address() as AddressInfo;
  breakerUrl = `http://127.0.0.1:${port}`;
});
afterAll(async () => {
  await clients.close();
  breaker.closeAllConnections();
  breaker.close();
  await running.close();
});

const told = '[[sandbox: stream 4 1]] [[sandbox: echo One two three four.]]';
const text = 'One two three four.';

/** What a client takes the stream for that an origin gives it: its text, or null where it reports an error. */
const read = (client: string, origin: string, prompt = told): Promise<unknown> => {
  const target = { baseUrl: `${origin}/api/v1/ai`, key: running.key, model: boundModel };
  return clients.read({ client, target, prompt });
};

const names = streamClients.map(({ name }) => name);

test.each(names)('%s reads a whole stream', async (name) => {
  expect(await read(name, running.origin)).toBe(text);
});

test.each(names)('%s reports a stream that failed after any of its pieces, and sends it once', async (name) => {
  for (const pieces of [1, 2, 4]) {
    const before = running.calls.length;
    expect(await read(name, running.origin, `${told} [[sandbox: cut ${pieces}]]`)).toBe(null);
    expect(running.calls.length - before).toBe(1);
  }
});

test.each(names)(
  '%s reports a stream whose connection broke after any of its events, and sends it once',
  async (name) => {
    eventsMax = Infinity;
    expect(await read(name, breakerUrl)).toBe(text);
    const whole = passedEvents;
    expect(whole).toBeGreaterThanOrEqual(4);
    for (eventsMax = 1; eventsMax < whole; eventsMax += 1) {
      const before = requests;
      expect(await read(name, breakerUrl), `after ${eventsMax} of ${whole}`).toBe(null);
      expect([requests - before, passedEvents]).toEqual([1, eventsMax]);
    }
  },
);
