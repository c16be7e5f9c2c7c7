// A receiver that reads and acknowledges, in a thread of its own; its port is its first word.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { parentPort } from 'node:worker_threads';

const folder = new URL('../../scripts/deliveries/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

const server = createServer(
  { cert: read('receivers-certificate.pem'), key: read('receivers-key.pem') },
  (request, response) => {
    request.resume().on('end', () => response.writeHead(200, { 'content-length': 0 }).end());
  },
);
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  // Between threads there is no origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  parentPort?.postMessage(typeof address === 'object' && address !== null ? address.port : null);
});
