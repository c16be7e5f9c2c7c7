import { once } from 'node:events';
import { createServer } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly body: object;
  /** What a request for a stream gets in its place, each event as the upstream would send it. */
  readonly events?: readonly string[];
}

/** In the body, or in the path as the Gemini API has it. */
const wantsStream = (url: string, body: string): boolean =>
  url.includes(':streamGenerateContent') || (body !== '' && JSON.parse(body).stream === true);

/** A server on the loopback that stands for an upstream: it gives every request the same reply. */
export const respondAs = async (reply: Reply) => {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      if (reply.events === undefined || !wantsStream(request.url ?? '', body)) {
        response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
        return;
      }
      response.writeHead(reply.status, { 'content-type': 'text/event-stream' });
      for (const event of reply.events) response.write(`${event}\n\n`);
      response.end();
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
