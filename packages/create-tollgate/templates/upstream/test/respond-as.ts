import { once } from 'node:events';
import { createServer } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly body: object;
}

/** A server on the loopback that stands for an upstream: it gives every request the same reply. */
export const respondAs = async (reply: Reply) => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    origin: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
