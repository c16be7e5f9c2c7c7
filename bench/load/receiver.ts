// A receiver that reads and acknowledges, in a process of its own; its first line is its port.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const folder = new URL('../../proof/deliveries/', import.meta.url);
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
  console.log(typeof address === 'object' && address !== null ? address.port : '');
});
