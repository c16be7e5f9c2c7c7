// A receiver of webhooks: WEBHOOK_SECRET=whsec_... npm start. TLS ends before it, at a proxy.
// WEBHOOK_SECRET holds two, divided by a comma, while it is being rotated. PORT, DATABASE, and for the check of this example
// CRASH_AFTER_STORE.
import { createServer, type IncomingMessage } from 'node:http';
import { openEventStore } from './event-store.ts';
import { receive } from './receive.ts';

const bodyBytesMax = 65_536;
const { WEBHOOK_SECRET = '', PORT = '8789', DATABASE = 'events.db', CRASH_AFTER_STORE } = process.env;
const secrets = WEBHOOK_SECRET.split(',').filter((secret) => secret !== '');
// With an empty secret everybody could sign.
if (secrets.length === 0)
  throw new Error('WEBHOOK_SECRET is missing: the signing_secret that the webhook was created with');
const store = openEventStore(DATABASE);

const bodyOf = async (request: IncomingMessage): Promise<Uint8Array | null> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!(chunk instanceof Uint8Array)) return null;
    size += chunk.length;
    if (size > bodyBytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Where an event does its work. It may come again if this process dies before it is noted as handled. */
const handle = (event: string): void => {
  if (process.send === undefined) console.log(event);
  else process.send({ handled: event });
};

const handleNew = (): void => {
  try {
    store.handleNew(handle);
  } catch (cause) {
    // It is stored, and handled with the next one or at the next start.
    console.error(cause);
  }
};

const answer = async (request: IncomingMessage): Promise<number> => {
  const body = await bodyOf(request);
  if (body === null) return 413;
  const header = (name: string): string | null => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : null;
  };
  const status = receive({ header, body }, { secrets, store, nowMs: Date.now() });
  if (CRASH_AFTER_STORE !== undefined) process.kill(process.pid, 'SIGKILL');
  // After the response, so that the sender does not wait for the work.
  setImmediate(handleNew);
  return status;
};

// What was stored before a crash is handled when it starts again.
handleNew();
const server = createServer((request, response) => {
  answer(request).then(
    (status) => response.writeHead(status).end(),
    () => response.writeHead(400).end(),
  );
});
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  if (process.send !== undefined) process.send({ address });
  else console.log(`receiving on http://127.0.0.1:${typeof address === 'object' ? address?.port : PORT}`);
});
process.once('SIGTERM', () => server.close(() => store.close()));
process.on('disconnect', () => process.exit());
