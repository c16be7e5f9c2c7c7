// A receiver of webhooks: node src/receiver.ts. TLS ends before it, at a proxy.
// WEBHOOK_SECRET, DATABASE, and for the check of this example CRASH_AFTER_STORE.
import { createServer, type IncomingMessage } from 'node:http';
import { openEventStore } from './event-store.ts';
import { receive } from './receive.ts';

const bodyBytesMax = 65_536;
const { WEBHOOK_SECRET = '', DATABASE = 'events.db', CRASH_AFTER_STORE } = process.env;
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

const answer = async (request: IncomingMessage): Promise<number> => {
  const body = await bodyOf(request);
  if (body === null) return 413;
  const header = (name: string): string | null => {
    const value = request.headers[name];
    return typeof value === 'string' ? value : null;
  };
  const status = receive({ header, body }, { secrets: [WEBHOOK_SECRET], store, nowMs: Date.now() });
  if (CRASH_AFTER_STORE !== undefined) process.kill(process.pid, 'SIGKILL');
  // After the answer: whoever sent it does not wait for what it means.
  setImmediate(() => store.handleNew((event) => process.send?.({ handled: event })));
  return status;
};

// What was stored before a crash is handled when it starts again.
store.handleNew((event) => process.send?.({ handled: event }));
const server = createServer((request, response) => {
  answer(request).then(
    (status) => response.writeHead(status).end(),
    () => response.writeHead(400).end(),
  );
});
server.listen(0, '127.0.0.1', () => process.send?.({ address: server.address() }));
process.on('disconnect', () => process.exit());
