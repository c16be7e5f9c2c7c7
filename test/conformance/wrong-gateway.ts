import type { RuleId } from '@tollgate/conformance';
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { WebSocket, WebSocketServer } from 'ws';
import type { Delivery } from './served-for-the-kit.ts';

/** A request on its way to the gateway. */
export interface PassingRequest {
  readonly method: string;
  /** Below the base address, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A response on its way back. */
export interface PassingAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One rule that a gateway breaks, by something between it and its clients. */
export interface Fault {
  readonly what: string;
  /** The rule that the report must name. */
  readonly rule: RuleId;
  /** The cases that meet it, where these are not the rule's own. */
  readonly only?: RuleId;
  /** Asks the gateway for something else. */
  readonly ask?: (request: PassingRequest) => PassingRequest;
  /** Returns something else. What it leaves alone is passed on as it comes, piece by piece. */
  readonly answer?: (answer: PassingAnswer, request: PassingRequest) => PassingAnswer;
  /** Whether the response of a request is changed. */
  readonly about?: (request: PassingRequest) => boolean;
  /** Sends other frames to the client in place of one. */
  readonly frames?: (frame: string, before: readonly string[]) => readonly string[];
  /** Closes with another code. */
  readonly code?: (code: number) => number;
  /** Delivers another event. */
  readonly deliver?: (delivery: Delivery) => Delivery;
}

export interface WrongGateway {
  readonly base: string;
  readonly close: () => Promise<void>;
}

const prefix = '/api/v1/ai';

const bytesOf = async (stream: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
};

const textHeaders = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

const forward = async (target: URL, asked: PassingRequest): Promise<IncomingMessage> => {
  const { 'transfer-encoding': _, ...headers } = asked.headers;
  const length = asked.body.length > 0 ? { 'content-length': String(asked.body.length) } : {};
  const outgoing = httpRequest({
    host: target.hostname,
    port: target.port,
    method: asked.method,
    path: asked.path.startsWith('!') ? asked.path.slice(1) : `${prefix}${asked.path}`,
    headers: { ...headers, ...length },
  });
  // A gateway that has answered need not read the rest of a body.
  outgoing.on('error', () => null);
  outgoing.end(asked.body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  return incoming;
};

const pass = async (fault: Fault, target: URL, incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
  const path = (incoming.url ?? '').startsWith(prefix) ? (incoming.url ?? '').slice(prefix.length) : `!${incoming.url}`;
  const came = {
    method: incoming.method ?? 'GET',
    path,
    headers: textHeaders(incoming.headers),
    body: await bytesOf(incoming),
  };
  const asked = fault.ask?.(came) ?? came;
  const answer = await forward(target, asked);
  if (fault.answer === undefined || fault.about?.(came) === false) {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    return;
  }
  const body = (await bytesOf(answer)).toString();
  const changed = fault.answer({ status: answer.statusCode ?? 502, headers: textHeaders(answer.headers), body }, came);
  const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = changed.headers;
  response.writeHead(changed.status, headers).end(came.method === 'HEAD' ? undefined : changed.body);
};

/** Passes the frames of one session on, changed. */
const relay = (fault: Fault, client: WebSocket, url: string): void => {
  const upstream = new WebSocket(url);
  const waiting: string[] = [];
  const before: string[] = [];
  client.on('message', (data: Buffer) => {
    if (upstream.readyState === WebSocket.OPEN) upstream.send(data.toString());
    else waiting.push(data.toString());
  });
  upstream.on('open', () => {
    for (const frame of waiting) upstream.send(frame);
  });
  upstream.on('message', (data: Buffer) => {
    const frame = data.toString();
    for (const each of fault.frames?.(frame, before) ?? [frame]) client.send(each);
    before.push(frame);
  });
  upstream.on('close', (code) => client.close(fault.code?.(code) ?? (code === 1005 ? 1000 : code)));
  client.on('close', () => upstream.close());
  upstream.on('error', () => client.terminate());
};

/** A gateway that is wrong in one thing, in front of one that is right. */
export const serveWrong = async (fault: Fault, base: string): Promise<WrongGateway> => {
  const target = new URL(base);
  const server = createServer((incoming, response) => {
    pass(fault, target, incoming, response).catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (incoming, socket, head) => {
    sockets.handleUpgrade(incoming, socket, head, (client) =>
      relay(fault, client, `ws://${target.host}${incoming.url ?? ''}`),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    base: `http://127.0.0.1:${port}${prefix}`,
    close: async () => {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
