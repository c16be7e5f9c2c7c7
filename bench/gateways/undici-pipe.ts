// The pipe with undici on its far side, which costs less than the client of node:http: node bench/gateways/undici-pipe.ts <port> <upstream port>
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Pool, type Dispatcher } from 'undici';

const [port, upstreamPort] = process.argv.slice(2).map(Number);
const pool = new Pool(`http://127.0.0.1:${upstreamPort}`, {
  connections: 4_096,
  pipelining: 1,
  headersTimeout: 0,
  bodyTimeout: 0,
});

/** Bytes go on as they come; an answer that its client does not take waits in the upstream's socket. */
const answerTo = (response: ServerResponse): Dispatcher.DispatchHandler => ({
  onRequestStart: () => {},
  onResponseStart: (_controller, status, headers) => void response.writeHead(status, headers),
  onResponseData: (controller, chunk) => {
    if (response.write(chunk)) return;
    controller.pause();
    response.once('drain', () => controller.resume());
  },
  onResponseEnd: () => void response.end(),
  onResponseError: () => void response.destroy(),
});

const methods = new Set<string>(['GET', 'POST']);
// The methods that the loads use; undici's type has a name for each.
const isMethod = (method = ''): method is Dispatcher.HttpMethod => methods.has(method);

const forward = (request: IncomingMessage, response: ServerResponse, body: Buffer | null): void => {
  const { method, url: path = '/', headers } = request;
  if (!isMethod(method)) response.writeHead(405).end();
  else pool.dispatch({ path, method, headers, body }, answerTo(response));
};

const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const [only = null] = pieces;
    forward(request, response, pieces.length > 1 ? Buffer.concat(pieces) : only);
  });
});
server.listen({ port, host: '127.0.0.1', backlog: 4_096 });
